/* One thread writes without a pause, over few entries and few places, while others ask: a
 * write that was under way all the time is never missed. */
#include "act/run/recent_writes.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#define WRITES  300000
#define READERS 2
#define PLACES  8

struct shared {
	struct recent_writes writes;
	_Atomic uint64_t now;
	/* CURRENT of the write that surely is under way, 0 when none surely is. */
	_Atomic uint64_t current;
	_Atomic int done;
	_Atomic uint64_t asked;
	_Atomic int missed;
};

/* Different for each write. */
#define CURRENT(now, place) ((now) << 8 | (place) << 1 | 1)

static void *write_all(void *argument)
{
	struct shared *shared = argument;

	for (uint64_t i = 0; i < WRITES; i++) {
		uint64_t place = i % PLACES;
		uint64_t now = atomic_fetch_add(&shared->now, 1) + 1;
		uint32_t entry = recent_writes_begin(&shared->writes, place * 512, 512, now);

		atomic_store(&shared->current, CURRENT(now, place));
		for (int j = 0; j < 20; j++)
			atomic_fetch_add(&shared->now, 1);
		atomic_store(&shared->current, 0);
		recent_writes_end(&shared->writes, entry, atomic_fetch_add(&shared->now, 1) + 1);
	}
	atomic_store(&shared->done, 1);
	return NULL;
}

static void *ask_all(void *argument)
{
	struct shared *shared = argument;

	while (!atomic_load(&shared->done)) {
		uint64_t current = atomic_load(&shared->current);
		uint64_t from = atomic_load(&shared->now);
		uint64_t place = current >> 1 & 0x7f;

		if (!(current & 1))
			continue;
		bool told =
		    recent_writes_may_overlap(&shared->writes, place * 512, 512, from - 1, from);
		/* Was it under way all the time since `from`, and longer? */
		if (!told && atomic_load(&shared->current) == current)
			atomic_store(&shared->missed, 1);
		atomic_fetch_add(&shared->asked, 1);
		/* From its beginning on, which the writer may long have forgotten: it cannot
		 * be ruled out. */
		uint64_t begun = current >> 8;
		if (!recent_writes_may_overlap(&shared->writes, place * 512, 512, begun - 1, from))
			atomic_store(&shared->missed, 2);
	}
	return NULL;
}

int main(void)
{
	static struct shared shared;
	pthread_t writer, readers[READERS];
	int missed;

	if (recent_writes_init(&shared.writes, 1))
		return 2;
	atomic_store(&shared.now, 1);
	for (int i = 0; i < READERS; i++)
		if (pthread_create(&readers[i], NULL, ask_all, &shared))
			return 2;
	if (pthread_create(&writer, NULL, write_all, &shared))
		return 2;
	pthread_join(writer, NULL);
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
	missed = atomic_load(&shared.missed);
	recent_writes_release(&shared.writes);
	if (missed || atomic_load(&shared.asked) == 0) {
		fprintf(stderr, "missed: %d, asked %" PRIu64 " times\n", missed,
			atomic_load(&shared.asked));
		return 1;
	}
	return 0;
}
