#pragma once
#include "act/device/guard.h"

/* Appends what a device on top of another is, from its folder in sysfs:
 * "/dev/dm-0 (LVM volume vg-root)". For act/device and its tests. Thread-safe. */
void holder_describe(const char *folder, char text[static GUARD_TEXT_BYTES]);
