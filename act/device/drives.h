#pragma once
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "act/device/smart.h"

/* For smart_open, the facts and their tests: the NVMe drives beneath a device. */

struct drives {
	char names[SMART_DRIVES_MAX][NAME_MAX + 1]; /* "nvme0n1", sorted */
	size_t count;
	bool direct; /* the device is the drive, or its partition */
};

/* Finds them from the device's folder in sysfs, through its slaves and theirs, each
 * once. -EXDEV when something beneath (or the device itself) is no NVMe drive, -E2BIG when
 * they are too many, or another -errno. Thread-safe. */
int drives_find(const char *folder, struct drives *ret);
