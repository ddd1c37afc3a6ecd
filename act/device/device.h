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
	char path[DEVICE_NAME_BYTES]; /* where that led to: this is what is opened */
	bool is_file;
	uint64_t size_bytes;
	uint32_t logical_block_bytes; /* files: the smallest that O_DIRECT takes */
	uint32_t physical_block_bytes;
	char model[64]; /* empty when unknown, like the next three; a partition has its drive's */
	char serial[64];
	char wwid[128]; /* of the namespace or unit; dm: its UUID */
	char firmware[32];
	bool labelled; /* it carries our label, `label`: it went through a preparation */
	struct label label;
	bool nowait;          /* takes RWF_NOWAIT: requests need no kernel worker threads */
	uint64_t node_device; /* st_dev and st_ino, or st_rdev and 0: the same for two names of one
				 thing */
	uint64_t node_inode;
	uint64_t disk_device; /* st_rdev of the drive that it is, or is a part of; files: 0 */
	uint64_t start_bytes; /* where on that drive it begins */
	int fd;               /* -1 until opened */
};

/* How a device is going to be used. */
struct device_use {
	bool writes;
	/* What may be destroyed, by these words: the serial or the full /dev/disk/by-id/...
	 * path of a drive, for drives that have neither the path of the device, for files
	 * theirs. */
	const char *const *destroy;
	size_t destroy_count;
};

/* Refuses (usage error) a word of use->destroy that names none of the devices at
 * `paths`, or names one by a path that may lead to another tomorrow, or several by one
 * serial. Opens nothing. A path that leads nowhere is no error. Thread-safe. */
int device_check_destroy(const char *const *paths, size_t count, const struct device_use *use,
			 struct error *err);

/* Looks at `path` without opening it for writing and fills *ret_device (fd is
 * -1). Refuses, with a usage error naming what was found and where:
 *
 * - what is neither block device nor regular file;
 * - a block device in use: it, a partition of it, the disk that it is a partition of,
 *   or a device below it (dm, md) is mounted or swap; or it, a partition or its disk
 *   carries another device (LVM, MD, multipath, loop...), or somebody has it open
 *   exclusively, for which it is opened so itself for a moment. One partition may be
 *   used while others are in use;
 * - one that is zoned, has no medium, or more than INT64_MAX bytes;
 * - where writes are asked for, one that is read-only, or on which or on whose
 *   partitions libblkid knows a signature (partition table, file system, RAID, LVM,
 *   LUKS, swap...) while use->destroy does not name it. Our own label is none;
 * - a regular file that is swap; where writes are asked for, one that is not empty, does
 *   not carry our label and is not named in use->destroy.
 *
 * A missing path is a usage error too; missing permission and a file system without
 * O_DIRECT are environment errors; what cannot be read is a device error. Not while the
 * caller has it open exclusively. Thread-safe. */
int device_examine(const char *path, const struct device_use *use, struct device *ret_device,
		   struct error *err);

/* Refuses two devices that are one and the same thing under two names, also by two
 * paths to one drive (same wwid, or serial), or that overlap as a drive and its
 * partition do. Thread-safe. */
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
