#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "act/base/facts.h"
#include "act/device/device.h"
#include "act/device/smart.h"

/*
 * The block devices of this host: drives and their partitions, each with what
 * is known of it and with what the guard says. Nothing is opened for writing.
 * Thread-safe, as long as the list is the caller's.
 *
 * Left out is what could never be tested: RAM disks (ram0), whatever has no
 * medium (size 0: loop, nbd and zram devices that are not set up, drives and
 * card readers that are empty), and the hidden single paths of an NVMe drive
 * that has several, which is listed itself.
 */

enum listed_state {
	LISTED_FREE,    /* device_examine lets it be written */
	LISTED_REFUSED, /* it does not: reason */
	LISTED_UNKNOWN, /* nobody could look: reason */
};

enum listed_preparation {
	PREPARATION_UNKNOWN, /* its label could not be read */
	PREPARATION_NONE,
	PREPARATION_INCOMPLETE,
	PREPARATION_OTHER_SIZE, /* the label was made for another size */
	PREPARATION_COMPLETE,   /* all of it was written */
};

struct listed {
	/* `name` is its path; what is not known is 0 or empty. Never open. Of a
	 * partition model, serial and firmware are the drive's. */
	struct device device;
	char drive[DEVICE_NAME_BYTES];  /* a partition's drive; empty: it is none */
	char backing[FACT_VALUE_BYTES]; /* file of a loop device, or name of a dm device */
	char scheduler[32];
	int numa_node; /* -1: none, or not known */
	bool smart_known;
	struct smart smart; /* of an NVMe drive, for its partitions, too */
	enum listed_state state;
	char reason[ERROR_TEXT_BYTES]; /* one line, does not begin with the device's name */
	bool label_known;              /* device.labelled is true or false, not unknown */
};

struct device_list {
	struct listed *items; /* by name, nvme2n1 before nvme10n1; a partition behind its drive */
	size_t count;
};

/* Lists all block devices. Waits for a drive that does not answer. An
 * environment error when there is no sysfs or no memory. Free *ret with
 * device_list_release. */
int device_list_all(struct device_list *ret, struct error *err);

/* As device_list_all, but only the devices of these paths, each once; they may be
 * of the kind that is left out there. A path that is no block device is a usage error. */
int device_list_named(const char *const *paths, size_t count, struct device_list *ret,
		      struct error *err);

void device_list_release(struct device_list *list);

enum listed_preparation listed_preparation(const struct listed *item);

/* How much of the stage that its label is in is done, in whole percent, rounded
 * down; 100 when all stages are. 0 without a label. */
unsigned listed_stage_pct(const struct listed *item);

/* Whether it can be tested as it is: free, and its preparation is complete. */
bool listed_is_ready(const struct listed *item);

/* For the functions above and their tests. */

/* Finds the devices in a folder as /sys/block, with all that sysfs says except the
 * identity; states are LISTED_UNKNOWN without a reason. `every`: those that are
 * left out, too. */
int device_list_scan(const char *folder, bool every, struct device_list *ret, struct error *err);
