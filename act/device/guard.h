#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "act/base/error.h"
#include "act/device/device.h"

/*
 * Whether a block device or a file is in use by this host. Inside act/device
 * only.
 */

/* Refuses (usage error) the block device `number`, called `name` in texts, if
 * it, one of its partitions or the disk that it is a partition of is mounted, is
 * swap, or has another device (dm, md) on top. An environment error when the
 * tables of the kernel cannot be read: then nobody knows. */
int guard_block_device(const char *name, dev_t number, struct error *err);

/* Refuses (usage error) a regular file that is swap. */
int guard_swap_file(const char *name, dev_t device, ino_t inode, struct error *err);

/* Whether use->destroy has the device: by the name the user gave it, by its
 * path without links, or by its serial. */
bool guard_may_destroy(const struct device *device, const struct device_use *use);

/* Finds the first mount of the block device `number` in a table as
 * /proc/self/mountinfo (proc(5)). File systems such as btrfs show a made-up
 * number, so that the source's own number counts too. Returns 1 and the mount
 * point, cut off if it must be, or 0. */
int guard_find_mount(FILE *mountinfo, dev_t number, char *ret_point, size_t size);

/* Whether a table as /proc/swaps has the block device `number` (inode 0), or the
 * file `inode` on device `number`. */
bool guard_find_swap(FILE *swaps, dev_t number, ino_t inode);
