/* Block devices as sysfs lists them: drives in /sys/block, partitions in the
 * folders of their drives. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "act/device/facts.h"
#include "act/device/list.h"
#include "act/device/sysfs.h"

/* Sizes in sysfs are in these, whatever the blocks of the device. */
#define SECTOR_BYTES 512

static bool read_entry(const char *folder, const char *entry, char *ret, size_t size)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, entry);
	return sysfs_read_line(path, ret, size);
}

/* 0 where there is no number. */
static uint64_t read_number(const char *folder, const char *entry)
{
	char text[32];

	return read_entry(folder, entry, text, sizeof(text)) ? strtoull(text, NULL, 10) : 0;
}

static void copy_fact(const struct facts *facts, const char *key, char *ret, size_t size)
{
	const char *value = facts_get(facts, 0, key);

	snprintf(ret, size, "%s", value ? value : "");
}

/* What a drive and its partitions have in common. */
static void read_drive(const char *folder, struct listed *item)
{
	struct facts facts = {0};
	const char *node;

	device_facts_of_block(folder, 0, &facts);
	copy_fact(&facts, "scheduler", item->scheduler, sizeof(item->scheduler));
	copy_fact(&facts, "backing_file", item->backing, sizeof(item->backing));
	if (!item->backing[0])
		copy_fact(&facts, "dm_name", item->backing, sizeof(item->backing));
	node = facts_get(&facts, 0, "numa_node");
	item->numa_node = node ? (int)strtol(node, NULL, 10) : -1;
	facts_release(&facts);
	item->device.logical_block_bytes =
	    (uint32_t)read_number(folder, "queue/logical_block_size");
	item->device.physical_block_bytes =
	    (uint32_t)read_number(folder, "queue/physical_block_size");
}

static void set_path(char path[static DEVICE_NAME_BYTES], const char *name)
{
	snprintf(path, DEVICE_NAME_BYTES, "/dev/%.240s", name);
	for (char *c = path; *c; c++)
		*c = *c == '!' ? '/' : *c; /* sysfs cannot have "cciss/c0d0" in a name */
}

/* What each has for itself; false when it is no block device. */
static bool read_own(const char *folder, const char *name, struct listed *item)
{
	unsigned major, minor;
	char number[32];

	if (!read_entry(folder, "dev", number, sizeof(number)) ||
	    sscanf(number, "%u:%u", &major, &minor) != 2)
		return false;
	set_path(item->device.name, name);
	item->device.node_device = makedev(major, minor);
	item->device.size_bytes = read_number(folder, "size") * SECTOR_BYTES;
	return true;
}

static int append(struct device_list *list, const struct listed *item)
{
	struct listed *items = reallocarray(list->items, list->count + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	items[list->count++] = *item;
	list->items = items;
	return 0;
}

static bool is_left_out(const char *folder, const char *name, const struct listed *item)
{
	return item->device.size_bytes == 0 || read_number(folder, "hidden") != 0 ||
	       (strncmp(name, "ram", 3) == 0 && name[3] >= '0' && name[3] <= '9');
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

struct scan {
	struct device_list *list;
	bool every;
	const struct listed *drive; /* whose partitions are being added */
};

/* Calls `add` for each entry of the folder, nvme2n1 before nvme10n1, until one
 * fails. */
static int for_each(const char *folder, const struct scan *scan,
		    int (*add)(const char *folder, const char *name, const struct scan *scan))
{
	struct dirent **entries;
	int count = scandir(folder, &entries, not_hidden, versionsort);
	int rc = 0;

	if (count < 0)
		return -errno;
	for (int i = 0; i < count; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		if (rc == 0)
			rc = add(path, entries[i]->d_name, scan);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

static int add_partition(const char *folder, const char *name, const struct scan *scan)
{
	char path[PATH_MAX];
	struct listed item = *scan->drive;

	snprintf(path, sizeof(path), "%s/partition", folder);
	if (access(path, F_OK) != 0 || !read_own(folder, name, &item))
		return 0;
	if (!scan->every && is_left_out(folder, name, &item))
		return 0;
	memcpy(item.drive, scan->drive->device.name, sizeof(item.drive));
	return append(scan->list, &item);
}

static int add_drive(const char *folder, const char *name, const struct scan *scan)
{
	struct listed item = {.device.fd = -1, .state = LISTED_UNKNOWN};
	const struct scan inside = {.list = scan->list, .every = scan->every, .drive = &item};
	int rc;

	if (!read_own(folder, name, &item))
		return 0;
	if (!scan->every && is_left_out(folder, name, &item))
		return 0;
	read_drive(folder, &item);
	rc = append(scan->list, &item);
	if (rc < 0)
		return rc;
	rc = for_each(folder, &inside, add_partition);
	return rc == -ENOENT ? 0 : rc; /* it has just been taken away */
}

int device_list_scan(const char *folder, bool every, struct device_list *ret, struct error *err)
{
	struct device_list list = {0};
	const struct scan scan = {.list = &list, .every = every};
	int rc = for_each(folder, &scan, add_drive);

	if (rc < 0) {
		device_list_release(&list);
		return error_environment(err, -rc, "%s: cannot list the block devices: %s", folder,
					 strerror(-rc));
	}
	*ret = list;
	return 0;
}
