#pragma once
#include <stdint.h>

#include "act/base/error.h"
#include "act/device/device.h"

/* How a device is made to forget its content before it is filled. */
enum clean_method {
	CLEAN_AUTO, /* discard where the device can, else none */
	CLEAN_DISCARD,
	CLEAN_ZERO,
	CLEAN_FORMAT, /* NVMe Format with user data erased; only on request */
	CLEAN_NONE,
	CLEAN_METHODS
};

/* "auto", "discard", "zero", "format", "none" */
const char *clean_name(enum clean_method method);
/* Of that name: 0 or -EINVAL. */
int clean_parse(const char *name, enum clean_method *ret);

/* What the method comes to on this device, which need not be open: never CLEAN_AUTO.
 * A usage error where the device cannot do what is asked. */
int clean_choose(enum clean_method asked, const struct device *device, enum clean_method *ret,
		 struct error *err);

struct clean_request {
	const struct device *device; /* open for writing */
	enum clean_method method;    /* as chosen */
	uint64_t from_bytes;         /* what is before is clean already */
	const volatile int *stop;    /* may be NULL */
	/* After each part: it is clean up to there. -errno ends it. */
	int (*progress)(void *state, uint64_t position_bytes, struct error *err);
	void *progress_state;
};

/* Cleans what is behind the label's area (CLEAN_FORMAT: everything). 0; -EINTR when
 * stopped; or -errno with a device error. */
int clean_run(const struct clean_request *request, struct error *err);
