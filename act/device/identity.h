#pragma once
#include "act/device/device.h"

/* For device_check_identity and its tests. */

/* Compares with what the device's folder in sysfs says now: serial, wwid, model,
 * size. 0, or a device error that names what changed. Thread-safe. */
int identity_compare(const struct device *device, const char *folder, struct error *err);
