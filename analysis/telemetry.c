#include "analysis/telemetry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define ZERO_C_IN_K 273

int telemetry_init(struct telemetry *telemetry, size_t device_count)
{
	telemetry->devices = calloc(device_count + 1, sizeof(*telemetry->devices));
	telemetry->count = telemetry->devices ? device_count : 0;
	return telemetry->devices ? 0 : -ENOMEM;
}

void telemetry_release(struct telemetry *telemetry)
{
	free(telemetry->devices);
	*telemetry = (struct telemetry){0};
}

static void take_temperature(struct telemetry_device *device, uint64_t kelvin)
{
	if (kelvin == 0)
		return;
	if (device->temperature_min_k == 0 || kelvin < device->temperature_min_k)
		device->temperature_min_k = kelvin;
	if (kelvin > device->temperature_max_k)
		device->temperature_max_k = kelvin;
}

void telemetry_add(struct telemetry *telemetry, const struct telemetry_sample *sample)
{
	if (sample->device >= telemetry->count)
		return;

	struct telemetry_device *device = &telemetry->devices[sample->device];

	if (device->samples++ == 0)
		device->first = *sample;
	device->last = *sample;
	device->critical_warning |= sample->critical_warning;
	take_temperature(device, sample->temperature_k);
}

static void sum_up(uint64_t *sum, uint64_t more)
{
	*sum = *sum > INT64_MAX - more ? INT64_MAX : *sum + more;
}

static void keep_larger(uint64_t *kept, uint64_t other)
{
	*kept = other > *kept ? other : *kept;
}

void telemetry_join(struct telemetry_sample *sample, const struct telemetry_sample *more)
{
	sample->critical_warning |= more->critical_warning;
	keep_larger(&sample->temperature_k, more->temperature_k);
	keep_larger(&sample->used_pct, more->used_pct);
	if (more->spare_pct < sample->spare_pct) {
		sample->spare_pct = more->spare_pct;
		sample->spare_threshold_pct = more->spare_threshold_pct;
	}
	sum_up(&sample->read_bytes, more->read_bytes);
	sum_up(&sample->written_bytes, more->written_bytes);
	sum_up(&sample->power_cycles, more->power_cycles);
	sum_up(&sample->power_on_hours, more->power_on_hours);
	sum_up(&sample->unsafe_shutdowns, more->unsafe_shutdowns);
	sum_up(&sample->media_errors, more->media_errors);
	sum_up(&sample->error_log_entries, more->error_log_entries);
	sum_up(&sample->warm_min, more->warm_min);
	sum_up(&sample->hot_min, more->hot_min);
	sum_up(&sample->light_throttles, more->light_throttles);
	sum_up(&sample->heavy_throttles, more->heavy_throttles);
	sum_up(&sample->light_throttled_s, more->light_throttled_s);
	sum_up(&sample->heavy_throttled_s, more->heavy_throttled_s);
}

uint64_t telemetry_grown(uint64_t first, uint64_t last)
{
	return last > first ? last - first : 0;
}

static void print_temperature(const struct telemetry_device *device, FILE *out)
{
	int64_t min_c = (int64_t)device->temperature_min_k - ZERO_C_IN_K;
	int64_t max_c = (int64_t)device->temperature_max_k - ZERO_C_IN_K;

	if (device->temperature_min_k == 0)
		fputs("temperature not told", out);
	else if (min_c == max_c)
		fprintf(out, "%" PRId64 " C", min_c);
	else
		fprintf(out, "%" PRId64 " to %" PRId64 " C", min_c, max_c);
}

/* Drives throttle without counting it, too: the time above their limits tells. */
static void print_throttling(const struct telemetry_sample *first,
			     const struct telemetry_sample *last, FILE *out)
{
	uint64_t light_s = telemetry_grown(first->light_throttled_s, last->light_throttled_s);
	uint64_t heavy_s = telemetry_grown(first->heavy_throttled_s, last->heavy_throttled_s);
	uint64_t times = telemetry_grown(first->light_throttles, last->light_throttles) +
			 telemetry_grown(first->heavy_throttles, last->heavy_throttles);
	uint64_t warm_min = telemetry_grown(first->warm_min, last->warm_min);
	uint64_t hot_min = telemetry_grown(first->hot_min, last->hot_min);

	if (light_s + heavy_s + times > 0)
		fprintf(out,
			", throttled %" PRIu64 " times (lightly %" PRIu64 " s, heavily %" PRIu64
			" s)",
			times, light_s, heavy_s);
	if (warm_min + hot_min > 0)
		fprintf(out,
			", %" PRIu64 " min above its warning temperature, %" PRIu64
			" min above its critical one",
			warm_min, hot_min);
	if (light_s + heavy_s + times + warm_min + hot_min == 0)
		fputs(", no throttling", out);
}

/* "5.6 GB", in powers of 1000 as drives are sold. */
static void print_bytes(uint64_t bytes, FILE *out)
{
	static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
	size_t unit = 0;
	uint64_t tenths = bytes / 100;

	while (tenths >= 10000 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		tenths /= 1000;
		unit++;
	}
	fprintf(out, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10, units[unit]);
}

static void print_rest(const struct telemetry_device *device, FILE *out)
{
	const struct telemetry_sample *first = &device->first;
	const struct telemetry_sample *last = &device->last;
	uint64_t shutdowns = telemetry_grown(first->unsafe_shutdowns, last->unsafe_shutdowns);

	if (shutdowns > 0)
		fprintf(out, ", %" PRIu64 " new unsafe shutdowns", shutdowns);
	if (last->used_pct > first->used_pct)
		fprintf(out, ", worn from %" PRIu64 " to %" PRIu64 " %%", first->used_pct,
			last->used_pct);
	if (device->critical_warning > 0)
		fprintf(out, ", critical warning 0x%02" PRIx64, device->critical_warning);
}

void telemetry_print(const struct telemetry_device *device, FILE *out)
{
	const struct telemetry_sample *first = &device->first;
	const struct telemetry_sample *last = &device->last;

	print_temperature(device, out);
	print_throttling(first, last, out);
	fprintf(out, ", %" PRIu64 " new media errors, ",
		telemetry_grown(first->media_errors, last->media_errors));
	print_bytes(telemetry_grown(first->written_bytes, last->written_bytes), out);
	fputs(" written", out);
	print_rest(device, out);
}
