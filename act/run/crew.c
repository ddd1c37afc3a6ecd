#include "act/run/crew.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/run/host.h"

#define START_POLL_NS   (20 * NS_PER_US)
#define LATENESS_MAX_NS (400 * NS_PER_US)
/* The last stretch before an intended start is always spun, if CPUs allow it. */
#define SPIN_EXTRA_NS (20 * NS_PER_US)

enum member_state { MEMBER_OPENING, MEMBER_READY, MEMBER_FAILED };

struct member {
	pthread_t thread;
	struct crew *crew;
	struct worker *worker;
	int cpu; /* -1: not bound */
	_Atomic int state;
	uint64_t lateness_ns;
	struct error err;
};

struct crew {
	const struct config *config;
	const struct clock *clock;
	_Atomic uint64_t start_ns; /* 0: not yet; UINT64_MAX: go home */
	bool spins;                /* enough CPUs for a thread that never sleeps */
	size_t count;
	cpu_set_t all_cpus;
	cpu_set_t other_cpus; /* those that no worker is bound to, for everybody else */
	char description[128];
	struct member members[];
};

/* Sleeps until shortly before wake_ns and leaves the rest to spinning. */
static void wait_auto(const struct member *member, uint64_t wake_ns)
{
	/* Each step polls; a wait in which the worker is not run would go unnoticed. */
	if (member->crew->config->polled && worker_in_flight(member->worker) > 0)
		return;

	uint64_t margin_ns = member->crew->spins ? member->lateness_ns + SPIN_EXTRA_NS : 0;
	uint64_t now_ns = worker_now(member->worker);

	if (wake_ns > now_ns + margin_ns)
		worker_wait(member->worker, wake_ns - margin_ns);
}

static void wait_eco(const struct member *member, uint64_t wake_ns)
{
	uint64_t now_ns = worker_now(member->worker);

	if (wake_ns > now_ns || worker_in_flight(member->worker) > 0)
		worker_sleep(member->worker, member->crew->config->tick_ns);
}

static void work(struct member *member)
{
	enum config_wait wait = member->crew->config->wait;

	while (!worker_done(member->worker)) {
		uint64_t wake_ns = worker_step(member->worker);

		if (wait == CONFIG_WAIT_AUTO)
			wait_auto(member, wake_ns);
		else if (wait == CONFIG_WAIT_ECO)
			wait_eco(member, wake_ns);
	}
}

static uint64_t await_start(struct crew *crew)
{
	uint64_t start_ns;

	while ((start_ns = atomic_load(&crew->start_ns)) == 0)
		clock_sleep(START_POLL_NS);
	if (start_ns == UINT64_MAX)
		return start_ns;
	uint64_t now_ns;
	while ((now_ns = clock_now(crew->clock)) < start_ns)
		if (start_ns - now_ns > LATENESS_MAX_NS)
			clock_sleep((start_ns - now_ns) / 2);
	return start_ns;
}

static void *member_main(void *argument)
{
	struct member *member = argument;

	if (member->cpu >= 0 && host_pin_thread(member->cpu)) {
		config_refuse(member->crew->config, "cpus",
			      "a worker cannot be bound to one of them",
			      "CPUs that are online and that this process may use", &member->err);
		atomic_store(&member->state, MEMBER_FAILED);
		return NULL;
	}
	member->lateness_ns = host_calibrate_wait_ns(member->crew->clock);
	if (member->lateness_ns > LATENESS_MAX_NS)
		member->lateness_ns = LATENESS_MAX_NS;
	if (worker_open(member->worker, &member->crew->other_cpus, &member->err)) {
		atomic_store(&member->state, MEMBER_FAILED);
		return NULL;
	}
	atomic_store(&member->state, MEMBER_READY);
	uint64_t start_ns = await_start(member->crew);
	if (start_ns != UINT64_MAX) {
		worker_start(member->worker, start_ns);
		work(member);
	}
	worker_close(member->worker);
	return NULL;
}

/* The n-th number of a list such as "2-5,8", beginning anew at its end. */
static int cpu_of_list(const char *list, size_t n)
{
	int cpus[1024];
	size_t count = 0;

	for (const char *next = list; *next;) {
		char *end;
		long from = strtol(next, &end, 10);
		long upto = *end == '-' ? strtol(end + 1, &end, 10) : from;

		for (long cpu = from; cpu <= upto && count < 1024; cpu++)
			cpus[count++] = (int)cpu;
		if (*end != ',')
			break;
		next = end + 1;
	}
	return count > 0 ? cpus[n % count] : -1;
}

/* Workers get the last CPUs; the first stay free for the kernel and everybody
 * else. With no CPU to spare nobody is bound. */
static int choose_cpu(const struct crew *crew, size_t n)
{
	const char *cpus = crew->config->cpus;
	uint32_t available = host_cpus();

	if (strcmp(cpus, "none") == 0)
		return -1;
	if (strcmp(cpus, "auto") != 0)
		return cpu_of_list(cpus, n);
	if (crew->count >= available)
		return -1;
	return host_cpu(available - 1 - (uint32_t)n);
}

static void share_cpus(struct crew *crew)
{
	sched_getaffinity(0, sizeof(crew->all_cpus), &crew->all_cpus);
	crew->other_cpus = crew->all_cpus;
	for (size_t i = 0; i < crew->count; i++) {
		crew->members[i].cpu = choose_cpu(crew, i);
		if (crew->members[i].cpu >= 0)
			CPU_CLR((size_t)crew->members[i].cpu, &crew->other_cpus);
	}
	if (CPU_COUNT(&crew->other_cpus) == 0)
		crew->other_cpus = crew->all_cpus;
}

static void describe(struct crew *crew)
{
	static const char *const names[] = {"auto", "precise", "eco"};
	const char *how = "spins all the time";
	char text[64];

	if (crew->config->wait == CONFIG_WAIT_AUTO) {
		uint64_t most_ns = 0;
		for (size_t i = 0; i < crew->count; i++)
			if (crew->members[i].lateness_ns > most_ns)
				most_ns = crew->members[i].lateness_ns;
		snprintf(text, sizeof(text), "sleeps, and spins the last %llu us",
			 (unsigned long long)((most_ns + SPIN_EXTRA_NS) / NS_PER_US));
		how = crew->spins ? text : "sleeps (no CPU to spare for spinning)";
	} else if (crew->config->wait == CONFIG_WAIT_ECO) {
		snprintf(text, sizeof(text), "wakes each %llu us, which all latencies include",
			 (unsigned long long)(crew->config->tick_ns / NS_PER_US));
		how = text;
	}
	snprintf(crew->description, sizeof(crew->description), "%s: %s", names[crew->config->wait],
		 how);
}

static int await_members(struct crew *crew, struct error *err)
{
	for (size_t i = 0; i < crew->count; i++) {
		struct member *member = &crew->members[i];

		while (atomic_load(&member->state) == MEMBER_OPENING)
			clock_sleep(NS_PER_MS);
		if (atomic_load(&member->state) == MEMBER_FAILED) {
			*err = member->err;
			return -EIO;
		}
	}
	return 0;
}

int crew_open(struct worker **workers, size_t count, const struct config *config,
	      const struct clock *clock, struct crew **ret, struct error *err)
{
	struct crew *crew = calloc(1, sizeof(*crew) + count * sizeof(struct member));
	int rc = 0;

	if (!crew)
		return error_environment(err, ENOMEM, "no memory for %zu workers", count);
	crew->config = config;
	crew->clock = clock;
	crew->count = count;
	crew->spins = count < host_cpus();
	share_cpus(crew);
	size_t started = 0;
	for (; started < count; started++) {
		struct member *member = &crew->members[started];

		member->crew = crew;
		member->worker = workers[started];
		rc = pthread_create(&member->thread, NULL, member_main, member);
		if (rc) {
			rc = error_environment(err, rc, "cannot start a thread: %s", strerror(rc));
			break;
		}
	}
	crew->count = started;
	sched_setaffinity(0, sizeof(crew->other_cpus), &crew->other_cpus);
	if (rc == 0)
		rc = await_members(crew, err);
	if (rc) {
		crew_join(crew);
		return rc;
	}
	describe(crew);
	*ret = crew;
	return 0;
}

void crew_start(struct crew *crew, uint64_t start_ns)
{
	atomic_store(&crew->start_ns, start_ns);
}

void crew_join(struct crew *crew)
{
	uint64_t none = 0;

	if (!crew)
		return;
	atomic_compare_exchange_strong(&crew->start_ns, &none, UINT64_MAX);
	for (size_t i = 0; i < crew->count; i++)
		pthread_join(crew->members[i].thread, NULL);
	sched_setaffinity(0, sizeof(crew->all_cpus), &crew->all_cpus);
	free(crew);
}

const char *crew_describe(const struct crew *crew)
{
	return crew->description;
}
