#pragma once
#include "act/config/config.h"
#include "act/device/device.h"

/*
 * The devices of a run, from the config: examined first, opened later. `writes`
 * says on which of them the load writes.
 */

struct targets {
	struct device devices[CONFIG_DEVICES_MAX];
	size_t count;
	bool writes[CONFIG_DEVICES_MAX];
	const char *const *destroy; /* borrowed */
	size_t destroy_count;
};

/* Examines all that exist; opens nothing for writing. With an engine that needs
 * no device, makes devices up (1 TiB, 512-byte blocks). */
int targets_examine(struct targets *targets, const struct config *config, bool needs_device,
		    struct error *err);

/* Examines files made meanwhile, checks all once more and opens them. */
int targets_open(struct targets *targets, const struct config *config, struct error *err);
void targets_close(struct targets *targets);
