#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "act/device/device.h"

/*
 * Health counters of NVMe drives: the log page "SMART / Health Information" of
 * the NVM Express Base Specification. Thread-safe.
 */

#define SMART_PAGE_BYTES 512

/* Counters of the drive's life, which stop at INT64_MAX. Those that a drive does
 * not keep are 0. */
struct smart {
	uint8_t critical_warning; /* bits */
	uint16_t temperature_k;   /* kelvin, of the whole drive; 0: not told */
	uint8_t spare_pct;
	uint8_t spare_threshold_pct;
	uint8_t used_pct; /* of the rated life; 255: more */
	uint64_t read_bytes;
	uint64_t written_bytes;
	uint64_t power_cycles;
	uint64_t power_on_hours;
	uint64_t unsafe_shutdowns;
	uint64_t media_errors;
	uint64_t error_log_entries;
	uint32_t warm_min; /* minutes above the warning temperature */
	uint32_t hot_min;  /* minutes above the critical temperature */
	/* By thermal management, lightly (temperature 1) and heavily (2). */
	uint32_t light_throttles;
	uint32_t heavy_throttles;
	uint32_t light_throttled_s;
	uint32_t heavy_throttled_s;
};

void smart_parse(const uint8_t page[static SMART_PAGE_BYTES], struct smart *ret);

/* Whether it is an NVMe drive, or a part of one. */
bool smart_has(const struct device *device);

/* Of how many drives a device may consist. */
#define SMART_DRIVES_MAX 16

/* Opens the NVMe drives that an open device is, is a partition of, or consists of by
 * way of dm or md, for smart_read. Returns how many: 0 for any other device, and when
 * not all of its drives are NVMe and can be opened. The caller closes them. */
size_t smart_open(const struct device *device, int ret_fds[static SMART_DRIVES_MAX]);

/* Asks the drive, open as `fd`, and waits for its answer: seconds, or for as long
 * as the drive hangs. 0; -EACCES or -EPERM without the right to; -EIO when the
 * drive refuses, or another -errno. */
int smart_read(int fd, struct smart *ret);
