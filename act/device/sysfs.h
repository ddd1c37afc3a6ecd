#pragma once
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "act/device/device.h"

/* What the kernel says about block devices under /sys. Inside act/device only. */

#define SYSFS_PATH_BYTES 320

/* Path of a block device's folder, or of `entry` in it. */
void sysfs_path(char path[static SYSFS_PATH_BYTES], dev_t number, const char *entry);

/* First line of a file, at most 255 bytes, without the blanks around it; false,
 * and nothing in `ret`, when there is none. */
bool sysfs_read_line(const char *path, char *ret, size_t size);

/* Path of an entry in a folder; what is too long is cut off, and not found then. */
void sysfs_join(char path[static PATH_MAX], const char *folder, const char *entry);
/* sysfs_read_line of it. */
bool sysfs_read_entry(const char *folder, const char *entry, char *ret, size_t size);

bool sysfs_is_partition(dev_t number);

/* Number and path of the device that is `entry` in the folder of `number`
 * ("sda1", or ".." for a partition's disk); -ENOENT when it is none. */
int sysfs_related(dev_t number, const char *entry, dev_t *ret_number,
		  char ret_name[static SYSFS_PATH_BYTES]);

/* The folder of the disk that a folder's device is, or is a partition of. */
void sysfs_disk_folder(const char *folder, char ret[static PATH_MAX]);

/* Fills model, serial, wwid and firmware from the folder of a device; those that are
 * not known stay empty. */
void sysfs_identify_folder(const char *folder, struct device *device);
/* The same of the device of this number. */
void sysfs_identify(dev_t number, struct device *device);
