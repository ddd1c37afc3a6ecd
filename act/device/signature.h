#pragma once
#include <stddef.h>
#include <stdint.h>

#include "act/device/guard.h"

/* What libblkid, of which this is the only user, knows in `size_bytes` from
 * `offset_bytes` on, as far as `fd`, open for reading, reaches there: appends each
 * to `text`, as `ext4 file system (label "x", uuid ..., at offset 1080)`, with
 * offsets from offset_bytes. Returns how many there are, also those that did not fit, or
 * -errno when some place cannot be read. For act/device and its tests. Thread-safe. */
int signature_find(int fd, uint64_t offset_bytes, uint64_t size_bytes,
		   char text[static GUARD_TEXT_BYTES]);
