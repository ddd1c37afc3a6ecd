#pragma once
#include <stdio.h>

#include "act/base/facts.h"
#include "act/device/device.h"

/*
 * How the kernel is set to treat a device, and what is below a file. Thread-safe,
 * as long as `facts` is the caller's.
 */

/* Adds what is known of the device, which need not be open, as facts about
 * `subject`: its nowait and what is below; for a file also file_system,
 * mount_point, mount_options and backing_device. */
void device_facts_add(const struct device *device, size_t subject, struct facts *facts);

/* For device_facts_add and its tests. */

/* Adds the facts of a block device from its folder in sysfs: scheduler,
 * write_cache, nr_requests, io_poll, ..., numa_node, pcie_link, wwid. */
void device_facts_of_block(const char *folder, size_t subject, struct facts *facts);
/* Adds the facts of the mount that `path`, absolute and without links, is on,
 * from a table as /proc/self/mounts. */
void device_facts_of_mount(const char *table, const char *path, size_t subject,
			   struct facts *facts);
