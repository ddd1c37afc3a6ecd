#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "act/base/error.h"
#include "act/device/device.h"

/*
 * Whether a block device or a file may be written, in parts. Inside act/device only.
 * Thread-safe.
 */

/* Where the kernel tells what is in use: /proc and /sys, or made-up trees of a test. */
struct guard_host {
	const char *proc;
	const char *sys;
};
extern const struct guard_host guard_this_host;

/* A part of the one line that says why; what does not fit is cut off. */
#define GUARD_TEXT_BYTES 640
void guard_append(char text[static GUARD_TEXT_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fills what sysfs tells of the block device device->node_device: model to firmware,
 * disk_device, start_bytes. */
void guard_identify(struct device *device);

/* Refuses (usage error) a block device, open for reading as `fd`, that is in use by
 * anybody. An environment error when the tables of the kernel cannot be read: then
 * nobody knows. */
int guard_block_device(const struct device *device, int fd, struct error *err);

/* The part of it that the kernel tells of the device whose folder in sysfs is `folder`,
 * called `name` in texts: mounts, swap, and devices on top. */
int guard_kernel_use(const struct guard_host *host, const char *name, const char *folder,
		     struct error *err);

/* Refuses (usage error) a regular file that is swap or behind a loop device. */
int guard_file_use(const struct guard_host *host, const char *name, dev_t device, ino_t inode,
		   struct error *err);

/* Refuses (usage error) what cannot be loaded in this way: no medium, too large, zoned. */
int guard_geometry(const struct device *device, const char *folder, struct error *err);

/* Refuses (usage error) a block device on which, or on whose partitions, somebody's
 * signature is. A device error when it cannot be read. */
int guard_signatures(const struct device *device, int fd, struct error *err);

/* Whether use->destroy has a word for the device: see struct device_use. */
bool guard_may_destroy(const struct device *device, const struct device_use *use);

/* device_check_destroy on devices of which name, path, is_file, serial, node_device and
 * disk_device are known. */
int guard_check_words(const struct device *devices, size_t count, const struct device_use *use,
		      struct error *err);

/* The word for the device, quoted for a shell where it must be. */
#define GUARD_WORD_BYTES 512
void guard_destroy_word(const struct device *device, char ret[static GUARD_WORD_BYTES]);

/* Finds the first mount of the block device `number` in a table as
 * /proc/self/mountinfo (proc(5)). File systems such as btrfs show a made-up
 * number, so that the source's own number counts too. Returns 1 and the mount
 * point, cut off if it must be, or 0. */
int guard_find_mount(FILE *mountinfo, dev_t number, char *ret_point, size_t size);

/* Whether a table as /proc/swaps has the block device `number` (inode 0), or the
 * file `inode` on device `number`. */
bool guard_find_swap(FILE *swaps, dev_t number, ino_t inode);

/* Appends which other process has the block device mounted, in a mount namespace of its
 * own, or else which has it open; false when there is none to be seen. Namespaces that
 * have no process, and processes that this user may not look into, are not seen. */
bool guard_find_process(const struct guard_host *host, dev_t number,
			char text[static GUARD_TEXT_BYTES]);
