#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "act/device/clean.h"
#include "act/prep/file.h"
#include "act/prep/prep_private.h"

static uint64_t random_id(void)
{
	uint64_t id = 0;

	while (id == 0)
		if (getrandom(&id, sizeof(id), 0) != (ssize_t)sizeof(id))
			id = random_mix((uint64_t)time(NULL));
	return id;
}

static struct device_use use_of(const struct prep *prep, bool writes)
{
	return (struct device_use){
	    .writes = writes,
	    .destroy = prep->request->destroy,
	    .destroy_count = prep->request->destroy_count,
	};
}

static bool is_missing(const struct prep_target *target)
{
	return target->size_bytes > 0 && access(target->path, F_OK) != 0 && errno == ENOENT;
}

/* Of a file that is made or brought to its size. */
static bool is_to_be_made(const struct prep_target *target, const struct device *device)
{
	return target->size_bytes > 0 && device->size_bytes != target->size_bytes;
}

static void plan(const struct prep *prep, const struct prep_target *target,
		 struct preparer *preparer)
{
	const struct prep_options *options = &prep->request->options;
	const struct device *device = &preparer->device;
	bool to_be_made = is_to_be_made(target, device);
	const struct state_wish wish = {
	    .device_bytes = to_be_made ? target->size_bytes : device->size_bytes,
	    .serial = device->serial,
	    .data_id = random_id(),
	    .now_s = (uint64_t)time(NULL),
	    .restart = options->restart,
	    .passes = options->passes,
	    .compress = options->compress,
	    .overwrite = options->overwrite,
	};

	state_decide(&wish, device->labelled ? &device->label : NULL, &preparer->plan);
	preparer->works = preparer->plan.decision != STATE_READY || options->verify;
}

static int check_size(const struct device *device, struct error *err)
{
	if (device->size_bytes > LABEL_AREA_BYTES &&
	    device->size_bytes % device->logical_block_bytes == 0)
		return 0;
	return error_usage(err, EINVAL,
			   "%s: refused: its size of %" PRIu64 " bytes must be more than 1 MiB and "
			   "a multiple of %" PRIu32,
			   device->name, device->size_bytes, device->logical_block_bytes);
}

/* First as for reading: what is only verified need not be writable. */
static int examine(struct prep *prep, const struct prep_target *target, struct preparer *preparer,
		   struct error *err)
{
	struct device *device = &preparer->device;
	struct device_use use = use_of(prep, false);
	int rc;

	if (is_missing(target)) {
		snprintf(device->name, sizeof(device->name), "%s", target->path);
		device->is_file = true;
		plan(prep, target, preparer);
		return 0;
	}
	rc = device_examine(target->path, &use, device, err);
	if (rc < 0)
		return rc;
	if (target->size_bytes > 0 && !device->is_file)
		return error_usage(err, EINVAL,
				   "%s: is a block device, not a file; allowed: name it without "
				   "--file",
				   target->path);
	plan(prep, target, preparer);
	if (preparer->plan.decision != STATE_READY) {
		use.writes = true;
		rc = device_examine(target->path, &use, device, err);
	}
	if (rc == 0 && !is_to_be_made(target, device))
		rc = check_size(device, err);
	if (rc == 0 && preparer->plan.label.stage == LABEL_CLEAN)
		rc = clean_choose(prep->request->options.clean, device, &preparer->clean, err);
	return rc;
}

static int check_destroy(const struct prep *prep, struct error *err)
{
	const struct device_use use = use_of(prep, true);
	const char *paths[PREP_TARGETS_MAX];

	for (size_t i = 0; i < prep->count; i++)
		paths[i] = prep->request->targets[i].path;
	return device_check_destroy(paths, prep->count, &use, err);
}

int prep_examine(struct prep *prep, struct error *err)
{
	struct device existing[PREP_TARGETS_MAX];
	size_t count = 0;
	int rc = check_destroy(prep, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < prep->count; i++) {
		struct preparer *preparer = &prep->crew[i].preparer;

		rc = examine(prep, &prep->request->targets[i], preparer, err);
		if (rc < 0)
			return rc;
		if (preparer->device.node_device || preparer->device.node_inode)
			existing[count++] = preparer->device;
	}
	return device_check_distinct(existing, count, err);
}

/* The file gets its label here; its preparation goes on from that. */
static int make_file(struct prep *prep, const struct prep_target *target, struct preparer *preparer,
		     struct error *err)
{
	const struct file_request request = {
	    .path = target->path,
	    .size_bytes = target->size_bytes,
	    .label = preparer->plan.label,
	    .stop = prep->request->stop,
	};
	const char *const own[] = {target->path};
	const struct device_use use = {.writes = true, .destroy = own, .destroy_count = 1};
	bool made;
	int fd;
	int rc = file_make(&request, &fd, &preparer->plan.label, &made, err);

	if (rc < 0)
		return rc;
	close(fd);
	preparer->plan.decision = STATE_RESUME;
	rc = device_examine(target->path, &use, &preparer->device, err);
	if (rc == 0)
		rc = clean_choose(prep->request->options.clean, &preparer->device, &preparer->clean,
				  err);
	return rc;
}

static int open_one(struct prep *prep, size_t i, struct error *err)
{
	struct preparer *preparer = &prep->crew[i].preparer;
	const struct device_use use = use_of(prep, preparer->plan.decision != STATE_READY);
	int rc = device_open(&preparer->device, &use, err);

	if (rc == 0 && preparer->clean == CLEAN_FORMAT && preparer->plan.label.stage == LABEL_CLEAN)
		rc = device_may_format(&preparer->device, err);
	return rc;
}

int prep_open(struct prep *prep, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < prep->count; i++)
		if (is_to_be_made(&prep->request->targets[i], &prep->crew[i].preparer.device))
			rc = make_file(prep, &prep->request->targets[i], &prep->crew[i].preparer,
				       err);
	for (size_t i = 0; rc == 0 && i < prep->count; i++)
		if (prep->crew[i].preparer.works)
			rc = open_one(prep, i, err);
	return rc;
}
