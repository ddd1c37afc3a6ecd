#include "analysis/telemetry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/capture.h"

static struct telemetry telemetry;

static void setup(void)
{
	cr_assert(eq(int, telemetry_init(&telemetry, 2), 0));
}

static void teardown(void)
{
	telemetry_release(&telemetry);
}

TestSuite(telemetry, .init = setup, .fini = teardown);

static void expect_text(const struct telemetry_device *device, const char *want)
{
	struct capture capture;

	capture_start(&capture);
	telemetry_print(device, capture.stream);
	capture_end(&capture);
	cr_expect(eq(int, strcmp(capture.text, want), 0), "%s", capture.text);
	free(capture.text);
}

Test(telemetry, keeps_the_first_the_last_and_the_extremes)
{
	const uint64_t temperatures[] = {0, 320, 311, 315, 0};
	const struct telemetry_device *device = &telemetry.devices[1];

	for (size_t i = 0; i < 5; i++) {
		const struct telemetry_sample sample = {
		    .device = 1,
		    .at_ns = i,
		    .temperature_k = temperatures[i],
		    .critical_warning = i == 2 ? 2 : 0,
		};

		telemetry_add(&telemetry, &sample);
	}
	cr_expect(eq(u64, telemetry.devices[0].samples, 0));
	cr_expect(eq(u64, device->samples, 5));
	cr_expect(eq(u64, device->first.at_ns, 0));
	cr_expect(eq(u64, device->last.at_ns, 4));
	cr_expect(eq(u64, device->temperature_min_k, 311));
	cr_expect(eq(u64, device->temperature_max_k, 320));
	cr_expect(eq(u64, device->critical_warning, 2));
}

Test(telemetry, leaves_out_devices_that_do_not_exist)
{
	const struct telemetry_sample sample = {.device = 2};
	struct telemetry empty = {0};

	telemetry_add(&telemetry, &sample);
	cr_expect(eq(u64, telemetry.devices[0].samples + telemetry.devices[1].samples, 0));
	telemetry_add(&empty, &sample);
	telemetry_release(&empty);
}

Test(telemetry, differences_are_never_negative)
{
	cr_expect(eq(u64, telemetry_grown(5, 7), 2));
	cr_expect(eq(u64, telemetry_grown(7, 7), 0));
	cr_expect(eq(u64, telemetry_grown(7, 5), 0));
}

Test(telemetry, prints_a_quiet_drive)
{
	const struct telemetry_sample first = {
	    .temperature_k = 311, .written_bytes = 1000000000000, .media_errors = 3};
	struct telemetry_sample last = first;

	telemetry_add(&telemetry, &first);
	expect_text(&telemetry.devices[0],
		    "38 C, no throttling, 0 new media errors, 0.0 kB written");
	last.temperature_k = 320;
	last.written_bytes += 5678000000;
	telemetry_add(&telemetry, &last);
	expect_text(&telemetry.devices[0],
		    "38 to 47 C, no throttling, 0 new media errors, 5.6 GB written");
}

Test(telemetry, prints_all_that_went_wrong)
{
	const struct telemetry_sample first = {.used_pct = 3, .unsafe_shutdowns = 1};
	const struct telemetry_sample last = {
	    .critical_warning = 0x0a,
	    .used_pct = 4,
	    .unsafe_shutdowns = 2,
	    .media_errors = 7,
	    .written_bytes = 512000,
	    .warm_min = 5,
	    .hot_min = 1,
	    .light_throttles = 2,
	    .heavy_throttles = 1,
	    .light_throttled_s = 60,
	    .heavy_throttled_s = 9,
	};

	telemetry_add(&telemetry, &first);
	telemetry_add(&telemetry, &last);
	expect_text(&telemetry.devices[0],
		    "temperature not told, throttled 3 times (lightly 60 s, heavily 9 s), "
		    "5 min above its warning temperature, 1 min above its critical one, "
		    "7 new media errors, 512.0 kB written, 1 new unsafe shutdowns, "
		    "worn from 3 to 4 %, critical warning 0x0a");
}

Test(telemetry, prints_bytes_in_the_unit_that_fits)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} rows[] = {
	    {999949, "999.9 kB"},
	    {1000000, "1.0 MB"},
	    {UINT64_C(1999999999999), "1.9 TB"},
	    {INT64_MAX, "9.2 EB"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct telemetry_device device = {
		    .samples = 2,
		    .temperature_min_k = 272,
		    .temperature_max_k = 272,
		    .last = {.written_bytes = rows[i].bytes},
		};
		char want[128];

		snprintf(want, sizeof(want), "-1 C, no throttling, 0 new media errors, %s written",
			 rows[i].text);
		expect_text(&device, want);
	}
}

Test(telemetry, joins_drives_by_sums_and_the_worst)
{
	struct telemetry_sample sample = {
	    .device = 1,
	    .critical_warning = 1,
	    .temperature_k = 310,
	    .spare_pct = 90,
	    .spare_threshold_pct = 10,
	    .used_pct = 7,
	    .written_bytes = INT64_MAX - 5,
	    .media_errors = 2,
	    .heavy_throttled_s = 3,
	};
	const struct telemetry_sample more = {
	    .critical_warning = 4,
	    .temperature_k = 330,
	    .spare_pct = 80,
	    .spare_threshold_pct = 5,
	    .used_pct = 3,
	    .written_bytes = 6,
	    .media_errors = 5,
	    .heavy_throttled_s = 4,
	};

	telemetry_join(&sample, &more);
	cr_expect(eq(sz, sample.device, 1));
	cr_expect(eq(u64, sample.critical_warning, 5));
	cr_expect(eq(u64, sample.temperature_k, 330));
	cr_expect(eq(u64, sample.spare_pct, 80));
	cr_expect(eq(u64, sample.spare_threshold_pct, 5));
	cr_expect(eq(u64, sample.used_pct, 7));
	cr_expect(eq(u64, sample.written_bytes, INT64_MAX));
	cr_expect(eq(u64, sample.media_errors, 7));
	cr_expect(eq(u64, sample.heavy_throttled_s, 7));
	cr_expect(eq(u64, sample.unsafe_shutdowns, 0));
}
