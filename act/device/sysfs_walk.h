#pragma once
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "act/device/sysfs.h"

/*
 * From a block device's folder in sysfs to those of others. Inside act/device only.
 * Thread-safe.
 */

/* "/dev/sda1" from the folder of a device, by the kernel's name for it. */
void sysfs_node(const char *folder, char ret[static SYSFS_PATH_BYTES]);

/* The number of a folder's device; -ENOENT when it is none. */
int sysfs_number(const char *folder, dev_t *ret);

/* A number in a file there, in units of 512 bytes; 0 bytes when there is none. */
uint64_t sysfs_bytes(const char *folder, const char *entry);

enum sysfs_relation {
	SYSFS_HOLDERS,    /* devices on top */
	SYSFS_SLAVES,     /* devices below */
	SYSFS_PARTITIONS, /* of a disk */
};

/* One folder after the other:
 *
 *   sysfs_walk_begin(&walk, folder, SYSFS_HOLDERS);
 *   while (sysfs_walk_next(&walk, other))
 *           ...
 *   sysfs_walk_end(&walk);
 *
 * `folder` stays the caller's. A relation that the device does not have is empty. */
struct sysfs_walk {
	DIR *list;
	char folder[PATH_MAX];
	enum sysfs_relation relation;
};
void sysfs_walk_begin(struct sysfs_walk *walk, const char *folder, enum sysfs_relation relation);
bool sysfs_walk_next(struct sysfs_walk *walk, char ret_folder[static PATH_MAX]);
void sysfs_walk_end(struct sysfs_walk *walk);
