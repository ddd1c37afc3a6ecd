#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * What drives say of themselves during a run: samples of their health counters,
 * and what changed over the run. Memory does not grow with the number of samples.
 * Not thread-safe.
 */

/* One device at one moment: an NVMe drive, or several that it consists of. Counters are since the
 * drive was made and stop at INT64_MAX; what a drive does not count is 0. */
struct telemetry_sample {
	size_t device;             /* index */
	uint64_t at_ns;            /* since the start of the run; 0 if before */
	uint64_t critical_warning; /* bits: 0 spare, 1 temperature, 2 reliability, 3 read-only,
				      4 backup, 5 persistent memory */
	uint64_t temperature_k;    /* kelvin; 0: not told */
	uint64_t spare_pct;
	uint64_t spare_threshold_pct;
	uint64_t used_pct; /* of the rated life, can exceed 100 */
	uint64_t read_bytes;
	uint64_t written_bytes;
	uint64_t power_cycles;
	uint64_t power_on_hours;
	uint64_t unsafe_shutdowns;
	uint64_t media_errors;
	uint64_t error_log_entries;
	uint64_t warm_min; /* minutes above the warning temperature */
	uint64_t hot_min;  /* minutes above the critical temperature */
	/* Times and seconds throttled lightly and heavily, to lower the temperature. */
	uint64_t light_throttles;
	uint64_t heavy_throttles;
	uint64_t light_throttled_s;
	uint64_t heavy_throttled_s;
};

/* All samples of one device together. */
struct telemetry_device {
	uint64_t samples;
	struct telemetry_sample first;
	struct telemetry_sample last;
	uint64_t temperature_min_k; /* 0: not told */
	uint64_t temperature_max_k;
	uint64_t critical_warning; /* of any sample */
};

struct telemetry {
	struct telemetry_device *devices; /* [count] */
	size_t count;
};

/* 0 or -ENOMEM. */
int telemetry_init(struct telemetry *telemetry, size_t device_count);
void telemetry_release(struct telemetry *telemetry);

/* Takes a sample; samples of a device come in order of time. One of a device that
 * does not exist is left out. */
void telemetry_add(struct telemetry *telemetry, const struct telemetry_sample *sample);

/* Makes `sample` one of several drives together by adding one more: counters are
 * summed, and of temperature, wear and spare the worst is kept. */
void telemetry_join(struct telemetry_sample *sample, const struct telemetry_sample *more);

/* last - first of a counter; 0 if it went back (the drive was reset). */
uint64_t telemetry_grown(uint64_t first, uint64_t last);

/* "38-47 C, no throttling, 0 new media errors, 5.6 GB written": one line without
 * its end, for a device with samples. */
void telemetry_print(const struct telemetry_device *device, FILE *out);
