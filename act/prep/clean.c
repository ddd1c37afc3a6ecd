#include "act/prep/clean.h"

#include <errno.h>
#include <string.h>

#include "act/device/clean.h"
#include "act/payload/label.h"

/* So much at a time, so that a signal is heard. Zeros may have to be written. */
#define DISCARD_BYTES (UINT64_C(4) << 30)
#define ZERO_BYTES    (UINT64_C(256) << 20)

static const char *const names[CLEAN_METHODS] = {
    [CLEAN_AUTO] = "auto",     [CLEAN_DISCARD] = "discard", [CLEAN_ZERO] = "zero",
    [CLEAN_FORMAT] = "format", [CLEAN_NONE] = "none",
};

const char *clean_name(enum clean_method method)
{
	return names[method];
}

int clean_parse(const char *name, enum clean_method *ret)
{
	for (int i = 0; i < CLEAN_METHODS; i++) {
		if (strcmp(names[i], name) != 0)
			continue;
		*ret = (enum clean_method)i;
		return 0;
	}
	return -EINVAL;
}

int clean_choose(enum clean_method asked, const struct device *device, enum clean_method *ret,
		 struct error *err)
{
	bool discards = device_can_discard(device);

	if (asked == CLEAN_DISCARD && !discards)
		return error_usage(err, EOPNOTSUPP, "%s: %s; use another --clean", device->name,
				   device->is_file ? "is a file: nothing is discarded in it"
						   : "cannot discard");
	if (asked == CLEAN_AUTO)
		*ret = discards ? CLEAN_DISCARD : CLEAN_NONE;
	else
		*ret = asked;
	return 0;
}

static int clean_part(const struct clean_request *request, uint64_t from_bytes,
		      uint64_t length_bytes, struct error *err)
{
	return request->method == CLEAN_DISCARD
		   ? device_discard(request->device, from_bytes, length_bytes, err)
		   : device_zero(request->device, from_bytes, length_bytes, err);
}

static int clean_parts(const struct clean_request *request, struct error *err)
{
	uint64_t step_bytes = request->method == CLEAN_DISCARD ? DISCARD_BYTES : ZERO_BYTES;
	uint64_t at = request->from_bytes;

	while (at < request->device->size_bytes) {
		uint64_t left_bytes = request->device->size_bytes - at;
		uint64_t length_bytes = left_bytes < step_bytes ? left_bytes : step_bytes;
		int rc;

		if (request->stop && *request->stop)
			return error_environment(err, EINTR,
						 "%s: interrupted while it was being cleaned",
						 request->device->name);
		rc = clean_part(request, at, length_bytes, err);
		if (rc < 0)
			return rc;
		at += length_bytes;
		rc = request->progress(request->progress_state, at, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int clean_run(const struct clean_request *request, struct error *err)
{
	int rc = 0;

	switch (request->method) {
	case CLEAN_DISCARD:
	case CLEAN_ZERO:
		return clean_parts(request, err);
	case CLEAN_FORMAT:
		rc = device_format(request->device, err);
		return rc < 0 ? rc
			      : request->progress(request->progress_state,
						  request->device->size_bytes, err);
	default:
		return 0;
	}
}
