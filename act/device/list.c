#include "act/device/list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/device/guard.h"
#include "act/device/label_io.h"

static const char sys_block[] = "/sys/block";

/* The text of `err` without the device's name, and without what the state says
 * already. */
static void set_reason(struct listed *item, const struct error *err)
{
	static const char refused[] = "refused: ";
	const char *text = err->text;
	size_t length = strlen(item->device.name);

	if (strncmp(text, item->device.name, length) == 0 && strncmp(text + length, ": ", 2) == 0)
		text += length + 2;
	if (item->state == LISTED_REFUSED && strncmp(text, refused, strlen(refused)) == 0)
		text += strlen(refused);
	snprintf(item->reason, sizeof(item->reason), "%s", text);
}

/* Whether its path leads to it: /dev is filled by others. */
static bool has_node(struct listed *item)
{
	struct stat st;

	if (stat(item->device.name, &st) < 0)
		snprintf(item->reason, sizeof(item->reason), "there is no %.240s: %s",
			 item->device.name, strerror(errno));
	else if (!S_ISBLK(st.st_mode) || st.st_rdev != item->device.node_device)
		snprintf(item->reason, sizeof(item->reason), "%.240s is something else",
			 item->device.name);
	else
		return true;
	return false;
}

static int open_to_read(const char *path)
{
	return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

/* A device that is refused may be ours nonetheless: a run that is under way has it. */
static void read_label(struct listed *item)
{
	int fd = open_to_read(item->device.name);
	int rc;

	if (fd < 0)
		return;
	rc = label_read(item->device.name, fd, &item->device.label, NULL);
	item->label_known = rc >= 0;
	item->device.labelled = rc > 0;
	close(fd);
}

static void read_smart(struct listed *item)
{
	int fd;

	if (!smart_has(&item->device))
		return;
	fd = open_to_read(item->drive[0] ? item->drive : item->device.name);
	if (fd < 0)
		return;
	item->smart_known = smart_read(fd, &item->smart) == 0;
	close(fd);
}

static void examine(struct listed *item)
{
	static const struct device_use use = {.writes = true};
	struct error err;

	if (device_examine(item->device.name, &use, &item->device, &err) == 0) {
		item->state = LISTED_FREE;
		item->label_known = true;
		return;
	}
	item->state = err.status == EXIT_ENVIRONMENT ? LISTED_UNKNOWN : LISTED_REFUSED;
	set_reason(item, &err);
	guard_identify(&item->device);
	read_label(item);
}

static void look(struct listed *item)
{
	if (has_node(item)) {
		examine(item);
		read_smart(item);
	} else {
		guard_identify(&item->device);
	}
}

int device_list_all(struct device_list *ret, struct error *err)
{
	int rc = device_list_scan(sys_block, false, ret, err);

	for (size_t i = 0; rc == 0 && i < ret->count; i++)
		look(&ret->items[i]);
	return rc;
}

static struct listed *find(const struct device_list *list, dev_t number)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].device.node_device == number)
			return &list->items[i];
	return NULL;
}

/* Sets wanted[i] for the item that `path` leads to. */
static int want(const struct device_list *list, const char *path, bool *wanted, struct error *err)
{
	const struct listed *item;
	struct stat st;

	if (stat(path, &st) < 0)
		return error_usage(err, errno, "%s: %s", path, strerror(errno));
	if (!S_ISBLK(st.st_mode))
		return error_usage(err, ENOTBLK, "%s: not a block device", path);
	item = find(list, st.st_rdev);
	if (!item)
		return error_usage(err, ENXIO, "%s: the kernel lists no such device", path);
	wanted[item - list->items] = true;
	return 0;
}

int device_list_named(const char *const *paths, size_t count, struct device_list *ret,
		      struct error *err)
{
	struct device_list list;
	size_t kept = 0;
	bool *wanted;
	int rc = device_list_scan(sys_block, true, &list, err);

	if (rc < 0)
		return rc;
	wanted = calloc(list.count + 1, sizeof(*wanted));
	if (!wanted) {
		device_list_release(&list);
		return error_environment(err, ENOMEM, "not enough memory");
	}
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = want(&list, paths[i], wanted, err);
	for (size_t i = 0; rc == 0 && i < list.count; i++) {
		if (!wanted[i])
			continue;
		list.items[kept] = list.items[i];
		look(&list.items[kept++]);
	}
	free(wanted);
	if (rc < 0) {
		device_list_release(&list);
		return rc;
	}
	list.count = kept;
	*ret = list;
	return 0;
}

void device_list_release(struct device_list *list)
{
	free(list->items);
	*list = (struct device_list){0};
}

enum listed_preparation listed_preparation(const struct listed *item)
{
	const struct device *device = &item->device;

	if (!item->label_known)
		return PREPARATION_UNKNOWN;
	if (!device->labelled)
		return PREPARATION_NONE;
	if (device->label.device_bytes != device->size_bytes)
		return PREPARATION_OTHER_SIZE;
	return label_is_complete(&device->label, device->size_bytes) ? PREPARATION_COMPLETE
								     : PREPARATION_INCOMPLETE;
}

unsigned listed_stage_pct(const struct listed *item)
{
	const struct label *label = &item->device.label;
	uint64_t done = label->position_bytes;
	uint64_t whole = label->device_bytes;

	if (!item->device.labelled)
		return 0;
	if (label->stage == LABEL_DONE)
		return 100;
	if (label->stage == LABEL_FILL) {
		done += label->pass * label->device_bytes;
		whole *= label->passes;
	}
	if (whole == 0)
		return 0;
	return done < whole ? (unsigned)(done * 100 / whole) : 100;
}

bool listed_is_ready(const struct listed *item)
{
	return item->state == LISTED_FREE && listed_preparation(item) == PREPARATION_COMPLETE;
}
