#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/payload/label.h"

/*
 * A block device or a regular file under test: what it is, whether it may be
 * written, and its open descriptor. The only place for ioctl, sysfs and mount
 * tables.
 */

#define DEVICE_NAME_BYTES 256

struct device {
	char name[DEVICE_NAME_BYTES]; /* as the user gave it */
	bool is_file;
	uint64_t size_bytes;
	uint32_t logical_block_bytes; /* files: the smallest that O_DIRECT takes */
	uint32_t physical_block_bytes;
	char model[64]; /* empty when unknown, like the next three */
	char serial[64];
	char wwid[128]; /* of the namespace or unit; dm: its UUID */
	char firmware[32];
	bool labelled; /* it carries our label, `label`: it went through a preparation */
	struct label label;
	bool nowait;          /* takes RWF_NOWAIT: requests need no kernel worker threads */
	uint64_t node_device; /* st_dev and st_ino, or st_rdev and 0: the same for two names of one
				 thing */
	uint64_t node_inode;
	int fd; /* -1 until opened */
};

/* How a device is going to be used. */
struct device_use {
	bool writes;
	/* Names (paths or serials) whose content may be destroyed. */
	const char *const *destroy;
	size_t destroy_count;
};

/* Looks at `path` without opening it for writing and fills *ret_device (fd is
 * -1). Refuses, with a usage error naming what was found and where:
 * neither block device nor regular file; a block device that is mounted, that
 * has a mounted partition, is swap or carries another device such as LVM (whole
 * disk and partitions alike), has no medium, or is read-only where writes are
 * asked for; a regular file that is swap, or that is not empty, does not carry
 * our label and is not named in use->destroy (only if writes are asked
 * for). A missing path is a usage error too; missing permission and a file
 * system without O_DIRECT are environment errors. Thread-safe. */
int device_examine(const char *path, const struct device_use *use, struct device *ret_device,
		   struct error *err);

/* Refuses two devices that are one and the same thing under two names. */
int device_check_distinct(const struct device *devices, size_t count, struct error *err);

/* Whether the name still leads to the device that it led to, and that still has the
 * size, serial and the like that device_examine saw. Asks this host alone, not the
 * device, so that a hanging one does not hang it. 0, or a device error that says what
 * changed. Files are always the same. Thread-safe. */
int device_check_identity(const struct device *device, struct error *err);

/* Opens with O_DIRECT (read-write only when writes are asked for; block devices
 * with O_EXCL). Checks that it is still what device_examine saw: a changed identity is
 * a device error, a changed file a usage error. A device that
 * somebody else has is a usage error; missing permission and a file system
 * without O_DIRECT are environment errors that say what to do; one that cannot
 * be read is a device error. Finds out `nowait`. */
int device_open(struct device *device, const struct device_use *use, struct error *err);

/* Whether completions can be polled for (io_uring IOPOLL): 0, or an environment error
 * that says which option of its driver gives queues for that. Opens nothing.
 * Thread-safe, and so is the other, which makes the error for a file. */
int device_check_polled(const struct device *device, struct error *err);
int device_refuse_polled_file(const char *path, struct error *err);

/* Closes; fine on a device that is not open. */
void device_close(struct device *device);
