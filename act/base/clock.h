#pragma once
#include <stdint.h>

#define NS_PER_SEC UINT64_C(1000000000)
#define NS_PER_MS  UINT64_C(1000000)
#define NS_PER_US  UINT64_C(1000)

/*
 * The one source of time of a run. The real clock is CLOCK_MONOTONIC; tests
 * put a fake one in its place. boot_ns goes on during suspend (CLOCK_BOOTTIME),
 * so that the difference of the two shows a jump.
 *
 * The functions may be called from any thread; a fake clock says itself what it
 * allows.
 */
struct clock {
	uint64_t (*now_ns)(void *state);
	uint64_t (*boot_ns)(void *state);
	void *state;
};

/* The real clock: static storage, always valid. */
const struct clock *clock_real(void);

/* Sleeps for so much real time, or until a signal. */
void clock_sleep(uint64_t ns);

static inline uint64_t clock_now(const struct clock *clock)
{
	return clock->now_ns(clock->state);
}

static inline uint64_t clock_boot(const struct clock *clock)
{
	return clock->boot_ns(clock->state);
}
