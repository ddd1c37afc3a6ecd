#include "act/prep/prep.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "act/prep/prep_private.h"

#define PROGRESS_NS (NS_PER_SEC / 2)
/* After a signal: what is under way must come back, and the label be written. */
#define STOP_NS (30 * NS_PER_SEC)

static const char *const activities[] = {
    [PREP_WAITS] = "waiting",          [PREP_CLEANS] = "cleaning",    [PREP_FILLS] = "filling",
    [PREP_OVERWRITES] = "overwriting", [PREP_VERIFIES] = "verifying", [PREP_ENDED] = "ended",
};

const char *prep_activity_name(enum prep_activity activity)
{
	return activities[activity];
}

static void forward_notice(void *state, const struct preparer *preparer, const char *text)
{
	struct prep *prep = state;

	pthread_mutex_lock(&prep->lock);
	prep->observer->notice(prep->observer->state, preparer->device.name, text);
	pthread_mutex_unlock(&prep->lock);
}

static void init(struct prep *prep, const struct prep_request *request)
{
	pthread_condattr_t monotonic;

	prep->request = request;
	pthread_mutex_init(&prep->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&prep->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
	for (size_t i = 0; i < request->target_count; i++) {
		struct preparer *preparer = &prep->crew[i].preparer;

		prep->crew[i].prep = prep;
		preparer->options = &request->options;
		preparer->ops = request->ops;
		preparer->stop = request->stop;
		preparer->notice = forward_notice;
		preparer->notice_state = prep;
		preparer->device.fd = -1;
		pthread_mutex_init(&preparer->lock, NULL);
	}
	prep->count = request->target_count;
}

int prep_new(const struct prep_request *request, struct prep **ret, struct error *err)
{
	struct prep *prep =
	    calloc(1, sizeof(*prep) + request->target_count * sizeof(prep->crew[0]));
	int rc;

	if (!prep)
		return error_environment(err, ENOMEM, "no memory for %zu preparations",
					 request->target_count);
	init(prep, request);
	rc = request->ops->probe(err);
	if (!rc)
		rc = prep_examine(prep, err);
	if (!rc)
		rc = prep_open(prep, err);
	if (rc < 0) {
		prep_free(prep);
		return rc;
	}
	for (size_t i = 0; i < prep->count; i++) {
		struct preparer *preparer = &prep->crew[i].preparer;

		preparer->report = (struct prep_report){
		    .name = preparer->device.name,
		    .device_bytes = preparer->device.size_bytes,
		    .outcome = PREP_READY,
		    .label = preparer->plan.label,
		};
	}
	*ret = prep;
	return 0;
}

size_t prep_count(const struct prep *prep)
{
	return prep->count;
}

const char *prep_name(const struct prep *prep, size_t i)
{
	return prep->crew[i].preparer.device.name;
}

const char *prep_reason(const struct prep *prep, size_t i)
{
	return prep->crew[i].preparer.plan.reason;
}

static void *member_main(void *argument)
{
	struct member *member = argument;

	preparer_work(&member->preparer);
	pthread_mutex_lock(&member->prep->lock);
	member->running = false;
	pthread_cond_signal(&member->prep->ended);
	pthread_mutex_unlock(&member->prep->lock);
	return NULL;
}

static void start(struct member *member)
{
	struct preparer *preparer = &member->preparer;
	int code;

	if (!preparer->works)
		return;
	member->running = true;
	code = pthread_create(&member->thread, NULL, member_main, member);
	if (code == 0) {
		member->started = true;
		return;
	}
	member->running = false;
	error_environment(&preparer->report.err, code, "%s: no thread can be had: %s",
			  preparer->device.name, strerror(code));
	preparer->report.outcome = PREP_FAILED;
}

static bool any_runs(const struct prep *prep)
{
	for (size_t i = 0; i < prep->count; i++)
		if (prep->crew[i].running)
			return true;
	return false;
}

static void show(struct prep *prep)
{
	struct prep_status statuses[PREP_TARGETS_MAX];

	for (size_t i = 0; i < prep->count; i++)
		statuses[i] = preparer_status(&prep->crew[i].preparer);
	prep->observer->progress(prep->observer->state, statuses, prep->count);
}

static void wait_a_moment(struct prep *prep, uint64_t now_ns)
{
	uint64_t until_ns = now_ns + PROGRESS_NS;
	struct timespec until = {
	    .tv_sec = (time_t)(until_ns / NS_PER_SEC),
	    .tv_nsec = (long)(until_ns % NS_PER_SEC),
	};

	pthread_cond_timedwait(&prep->ended, &prep->lock, &until);
}

/* Until all have ended, or one has not for long after it should have. */
static void await_all(struct prep *prep)
{
	uint64_t give_up_ns = UINT64_MAX;

	while (any_runs(prep)) {
		uint64_t now_ns = clock_now(clock_real());

		if (prep->request->stop && *prep->request->stop && give_up_ns == UINT64_MAX)
			give_up_ns = now_ns + STOP_NS;
		if (now_ns >= give_up_ns)
			return;
		show(prep);
		wait_a_moment(prep, now_ns);
	}
}

static bool is_running(struct member *member)
{
	pthread_mutex_lock(&member->prep->lock);
	bool running = member->running;
	pthread_mutex_unlock(&member->prep->lock);
	return running;
}

void prep_run(struct prep *prep, const struct prep_observer *observer)
{
	prep->observer = observer;
	pthread_mutex_lock(&prep->lock);
	for (size_t i = 0; i < prep->count; i++)
		start(&prep->crew[i]);
	await_all(prep);
	pthread_mutex_unlock(&prep->lock);
	for (size_t i = 0; i < prep->count; i++) {
		struct member *member = &prep->crew[i];

		if (!member->started)
			continue;
		if (!is_running(member)) {
			pthread_join(member->thread, NULL);
			member->started = false;
			continue;
		}
		member->lost = (struct prep_report){
		    .name = member->preparer.device.name,
		    .device_bytes = member->preparer.device.size_bytes,
		    .outcome = PREP_HANGS,
		    .label = member->preparer.plan.label,
		};
	}
}

const struct prep_report *prep_report(const struct prep *prep, size_t i)
{
	return prep->crew[i].started ? &prep->crew[i].lost : &prep->crew[i].preparer.report;
}

void prep_free(struct prep *prep)
{
	if (!prep)
		return;
	for (size_t i = 0; i < prep->count; i++)
		if (prep->crew[i].started)
			return;
	for (size_t i = 0; i < prep->count; i++) {
		device_close(&prep->crew[i].preparer.device);
		pthread_mutex_destroy(&prep->crew[i].preparer.lock);
	}
	pthread_mutex_destroy(&prep->lock);
	pthread_cond_destroy(&prep->ended);
	free(prep);
}
