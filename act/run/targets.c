#include "act/run/targets.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define MADE_UP_BYTES (UINT64_C(1) << 40)
#define BLOCK_BYTES   512

/* A device that cannot be looked at: a file still to be made, or none at all. */
static void make_up(struct device *device, const char *path, bool is_file, uint64_t size_bytes)
{
	*device = (struct device){
	    .is_file = is_file,
	    .size_bytes = size_bytes,
	    .logical_block_bytes = BLOCK_BYTES,
	    .physical_block_bytes = BLOCK_BYTES,
	    .fd = -1,
	};
	snprintf(device->name, sizeof(device->name), "%s", path);
}

static int examine(const struct targets *targets, const struct config *config, size_t number,
		   struct device *device, struct error *err)
{
	const struct config_target *target = &config->targets[number];
	const struct device_use use = {
	    /* Filling writes, too. */
	    .writes = targets->writes[number] || (target->is_file && config->fill_files),
	    .destroy = targets->destroy,
	    .destroy_count = targets->destroy_count,
	};

	if (target->is_file && config->polled)
		return device_refuse_polled_file(target->path, err);
	if (target->is_file && access(target->path, F_OK) != 0 && errno == ENOENT) {
		make_up(device, target->path, true, target->size_bytes);
		return 0;
	}
	int rc = device_examine(target->path, &use, device, err);
	if (rc)
		return rc;
	if (target->is_file && !device->is_file)
		return error_usage(
		    err, EINVAL, "%s: is a block device, not a file; allowed: name it as a device",
		    target->path);
	if (target->is_file && !config->fill_files && device->size_bytes != target->size_bytes)
		return error_usage(
		    err, EINVAL,
		    "%s: has %llu bytes, not the %llu asked for, and fill-files is off",
		    target->path, (unsigned long long)device->size_bytes,
		    (unsigned long long)target->size_bytes);
	return config->polled ? device_check_polled(device, err) : 0;
}

static int check_destroy(const struct targets *targets, const struct config *config,
			 struct error *err)
{
	const char *paths[CONFIG_DEVICES_MAX];
	const struct device_use use = {
	    .destroy = targets->destroy,
	    .destroy_count = targets->destroy_count,
	};

	for (size_t i = 0; i < config->target_count; i++)
		paths[i] = config->targets[i].path;
	return device_check_destroy(paths, config->target_count, &use, err);
}

int targets_examine(struct targets *targets, const struct config *config, bool needs_device,
		    struct error *err)
{
	struct device existing[CONFIG_DEVICES_MAX];
	size_t existing_count = 0;
	int rc = needs_device ? check_destroy(targets, config, err) : 0;

	targets->count = 0;
	if (rc)
		return rc;
	for (size_t i = 0; i < config->target_count; i++) {
		const struct config_target *target = &config->targets[i];
		struct device *device = &targets->devices[targets->count++];

		if (!needs_device) {
			make_up(device, target->path, false, MADE_UP_BYTES);
			continue;
		}
		rc = examine(targets, config, i, device, err);
		if (rc)
			return rc;
		if (device->node_device || device->node_inode)
			existing[existing_count++] = *device;
	}
	return device_check_distinct(existing, existing_count, err);
}

int targets_open(struct targets *targets, const struct config *config, struct error *err)
{
	for (size_t i = 0; i < targets->count; i++) {
		const struct config_target *target = &config->targets[i];
		/* Whatever is in a file of ours was agreed to when it was examined. */
		const char *const own[] = {target->path};
		const struct device_use use = {
		    .writes = targets->writes[i],
		    .destroy = target->is_file ? own : targets->destroy,
		    .destroy_count = target->is_file ? 1 : targets->destroy_count,
		};
		int rc = 0;

		if (target->is_file)
			rc = device_examine(target->path, &use, &targets->devices[i], err);
		if (rc == 0)
			rc = device_open(&targets->devices[i], &use, err);
		if (rc) {
			targets_close(targets);
			return rc;
		}
	}
	return 0;
}

void targets_close(struct targets *targets)
{
	for (size_t i = 0; i < targets->count; i++)
		if (targets->devices[i].fd >= 0)
			device_close(&targets->devices[i]);
}
