#include "act/run/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Belongs to both the owner and the thread, which may be stuck in the kernel when
 * the owner goes: the last to go frees it. */
struct sampler {
	pthread_mutex_t mutex; /* of all that follows; never held while a drive is asked */
	pthread_cond_t changed;
	const struct clock *clock;
	sampler_ask *ask;
	uint64_t period_ns;
	unsigned owners;
	bool stop;
	uint64_t rounds_asked; /* rounds that the owner asked for */
	uint64_t rounds_done;
	size_t count;
	struct drive {
		size_t device; /* index */
		int fds[SMART_DRIVES_MAX];
		size_t fd_count;
		bool fresh; /* `sample` was not taken yet */
		struct telemetry_sample sample;
	} drives[];
};

int sampler_ask_drive(int fd, struct telemetry_sample *ret)
{
	struct smart smart;
	int rc = smart_read(fd, &smart);

	if (rc < 0)
		return rc;
	*ret = (struct telemetry_sample){
	    .critical_warning = smart.critical_warning,
	    .temperature_k = smart.temperature_k,
	    .spare_pct = smart.spare_pct,
	    .spare_threshold_pct = smart.spare_threshold_pct,
	    .used_pct = smart.used_pct,
	    .read_bytes = smart.read_bytes,
	    .written_bytes = smart.written_bytes,
	    .power_cycles = smart.power_cycles,
	    .power_on_hours = smart.power_on_hours,
	    .unsafe_shutdowns = smart.unsafe_shutdowns,
	    .media_errors = smart.media_errors,
	    .error_log_entries = smart.error_log_entries,
	    .warm_min = smart.warm_min,
	    .hot_min = smart.hot_min,
	    .light_throttles = smart.light_throttles,
	    .heavy_throttles = smart.heavy_throttles,
	    .light_throttled_s = smart.light_throttled_s,
	    .heavy_throttled_s = smart.heavy_throttled_s,
	};
	return 0;
}

static void destroy(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->count; i++)
		for (size_t j = 0; j < sampler->drives[i].fd_count; j++)
			close(sampler->drives[i].fds[j]);
	pthread_cond_destroy(&sampler->changed);
	pthread_mutex_destroy(&sampler->mutex);
	free(sampler);
}

/* Gives up one share of it; the mutex is held, and is not afterwards. */
static void leave(struct sampler *sampler)
{
	bool last = --sampler->owners == 0;

	pthread_mutex_unlock(&sampler->mutex);
	if (last)
		destroy(sampler);
}

/* All drives of one device, or none. */
static int ask_all(const struct sampler *sampler, const struct drive *drive,
		   struct telemetry_sample *ret)
{
	for (size_t i = 0; i < drive->fd_count; i++) {
		struct telemetry_sample one = {0};
		int rc = sampler->ask(drive->fds[i], &one);

		if (rc < 0)
			return rc;
		if (i == 0)
			*ret = one;
		else
			telemetry_join(ret, &one);
	}
	return 0;
}

/* Asks the drives of one device; the mutex is held, but not meanwhile. */
static void sample(struct sampler *sampler, struct drive *drive)
{
	struct telemetry_sample got = {0};

	pthread_mutex_unlock(&sampler->mutex);
	uint64_t at_ns = clock_now(sampler->clock);
	int rc = ask_all(sampler, drive, &got);
	pthread_mutex_lock(&sampler->mutex);
	if (rc < 0)
		return;
	got.device = drive->device;
	got.at_ns = at_ns;
	drive->sample = got; /* a newer one is better than two */
	drive->fresh = true;
}

static struct timespec time_after(uint64_t ns)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	ns += (uint64_t)time.tv_nsec;
	time.tv_sec += (time_t)(ns / NS_PER_SEC);
	time.tv_nsec = (long)(ns % NS_PER_SEC);
	return time;
}

static void *thread_main(void *argument)
{
	struct sampler *sampler = argument;

	pthread_mutex_lock(&sampler->mutex);
	while (!sampler->stop) {
		struct timespec next = time_after(sampler->period_ns);
		uint64_t round = sampler->rounds_asked;
		int rc = 0;

		for (size_t i = 0; i < sampler->count && !sampler->stop; i++)
			sample(sampler, &sampler->drives[i]);
		sampler->rounds_done = round;
		pthread_cond_broadcast(&sampler->changed);
		while (!sampler->stop && sampler->rounds_asked == round && rc != ETIMEDOUT)
			rc = pthread_cond_timedwait(&sampler->changed, &sampler->mutex, &next);
	}
	leave(sampler);
	return NULL;
}

static int init_locks(struct sampler *sampler)
{
	pthread_condattr_t attributes;
	int rc;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	rc = pthread_cond_init(&sampler->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	return rc ? rc : pthread_mutex_init(&sampler->mutex, NULL);
}

/* Signals are for the other threads. */
static int start_thread(struct sampler *sampler)
{
	pthread_t thread;
	sigset_t all;
	sigset_t before;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	rc = pthread_create(&thread, NULL, thread_main, sampler);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc == 0)
		pthread_detach(thread);
	return rc;
}

static void collect_drives(const struct sampler_setup *setup, struct sampler *sampler)
{
	for (size_t i = 0; i < setup->device_count; i++) {
		struct drive *drive = &sampler->drives[sampler->count];

		drive->device = i;
		drive->fd_count = setup->open(&setup->devices[i], drive->fds);
		if (drive->fd_count > 0)
			sampler->count++;
	}
}

int sampler_new(const struct sampler_setup *setup, struct sampler **ret, struct error *err)
{
	struct sampler *sampler =
	    calloc(1, sizeof(*sampler) + setup->device_count * sizeof(struct drive));
	int rc;

	if (!sampler)
		return error_environment(err, ENOMEM, "no memory for telemetry");
	rc = init_locks(sampler);
	if (rc) {
		free(sampler);
		return error_environment(err, rc, "no telemetry: %s", strerror(rc));
	}
	sampler->clock = setup->clock;
	sampler->ask = setup->ask;
	sampler->period_ns = setup->period_ns;
	sampler->owners = 1;
	collect_drives(setup, sampler);
	if (sampler->count == 0) {
		destroy(sampler);
		*ret = NULL;
		return 0;
	}
	sampler->owners = 2;
	rc = start_thread(sampler);
	if (rc) {
		destroy(sampler);
		return error_environment(err, rc, "cannot start a thread: %s", strerror(rc));
	}
	*ret = sampler;
	return 0;
}

bool sampler_take(struct sampler *sampler, struct telemetry_sample *ret)
{
	bool taken = false;

	if (!sampler)
		return false;
	pthread_mutex_lock(&sampler->mutex);
	for (size_t i = 0; i < sampler->count && !taken; i++) {
		struct drive *drive = &sampler->drives[i];

		taken = drive->fresh;
		if (taken)
			*ret = drive->sample;
		drive->fresh = false;
	}
	pthread_mutex_unlock(&sampler->mutex);
	return taken;
}

void sampler_finish(struct sampler *sampler, uint64_t wait_ns)
{
	struct timespec end = time_after(wait_ns);
	int rc = 0;

	if (!sampler)
		return;
	pthread_mutex_lock(&sampler->mutex);
	uint64_t round = ++sampler->rounds_asked;
	pthread_cond_broadcast(&sampler->changed);
	while (sampler->rounds_done < round && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&sampler->changed, &sampler->mutex, &end);
	pthread_mutex_unlock(&sampler->mutex);
}

void sampler_free(struct sampler *sampler)
{
	if (!sampler)
		return;
	pthread_mutex_lock(&sampler->mutex);
	sampler->stop = true;
	pthread_cond_broadcast(&sampler->changed);
	leave(sampler);
}
