#include "act/base/clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * NS_PER_SEC + (uint64_t)now.tv_nsec;
}

static uint64_t real_now(void *state)
{
	(void)state;
	return read_clock(CLOCK_MONOTONIC);
}

static uint64_t real_boot(void *state)
{
	(void)state;
	return read_clock(CLOCK_BOOTTIME);
}

void clock_sleep(uint64_t ns)
{
	const struct timespec gap = {
	    .tv_sec = (time_t)(ns / NS_PER_SEC),
	    .tv_nsec = (long)(ns % NS_PER_SEC),
	};

	nanosleep(&gap, NULL);
}

const struct clock *clock_real(void)
{
	static const struct clock real = {.now_ns = real_now, .boot_ns = real_boot};

	return &real;
}
