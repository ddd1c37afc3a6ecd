#pragma once
#include <stdbool.h>

#include "act/base/clock.h"
#include "act/base/error.h"
#include "act/device/smart.h"
#include "analysis/telemetry.h"

/*
 * Samples the health of NVMe drives at the start, each minute and at the end, on
 * a thread of its own: a drive that does not answer holds up nothing else. The
 * thread runs where the thread that calls sampler_new may run.
 *
 * All functions are for the thread that owns the sampler, and wait for no drive
 * but where it says so.
 */

struct sampler;

/* How a drive is asked; sampler_ask_drive, or a test's own. `fd` is one of those that
 * were opened. 0 and *ret (but device and at_ns), or -errno: no sample this
 * time. Called on the sampler's thread. */
typedef int sampler_ask(int fd, struct telemetry_sample *ret);
int sampler_ask_drive(int fd, struct telemetry_sample *ret);

struct sampler_setup {
	const struct device *devices; /* open ones; those that are not NVMe are left out, and of
				       those of several drives all are asked and summed up */
	size_t device_count;
	const struct clock *clock;
	sampler_ask *ask;
	/* Opens the drives of a device; smart_open, or a test's own. */
	size_t (*open)(const struct device *device, int ret_fds[static SMART_DRIVES_MAX]);
	uint64_t period_ns;
};

/* Starts the thread; *ret is NULL when no device is to be sampled. The devices may
 * be closed before the sampler is freed. */
int sampler_new(const struct sampler_setup *setup, struct sampler **ret, struct error *err);

/* Takes the next sample that was got: false when there is none. Its at_ns is a
 * time of the clock. NULL is fine. */
bool sampler_take(struct sampler *sampler, struct telemetry_sample *ret);

/* Has all drives sampled once more and waits until they are, but no longer than
 * `wait_ns`. NULL is fine. */
void sampler_finish(struct sampler *sampler, uint64_t wait_ns);

/* Lets the thread end, when its drive gives it back. NULL is fine. */
void sampler_free(struct sampler *sampler);
