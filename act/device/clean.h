#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/device/device.h"

/*
 * What makes a device forget its content. Each needs the device open for writing, tells
 * failures as device errors, and waits as long as the drive takes. Thread-safe on different
 * devices.
 */

/* Whether it is a block device that says it can discard. Files are not asked: what a
 * discard takes from them is their room. */
bool device_can_discard(const struct device *device);

/* A range in bytes, both multiples of the logical block. After a discard its content is
 * whatever the drive likes. */
int device_discard(const struct device *device, uint64_t from_bytes, uint64_t length_bytes,
		   struct error *err);
/* The same; its content is zeros, which a drive may do without writing them. */
int device_zero(const struct device *device, uint64_t from_bytes, uint64_t length_bytes,
		struct error *err);

/* Whether the device is a whole NVMe drive's namespace that can be formatted without
 * touching another one: 0, or a usage error that says why not. Needs the device open. */
int device_may_format(const struct device *device, struct error *err);

/* NVMe Format of this namespace with its present block format, user data erased. All
 * is gone, the label too. */
int device_format(const struct device *device, struct error *err);
