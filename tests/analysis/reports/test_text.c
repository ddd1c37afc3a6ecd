#include "analysis/reports/text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/reports/columns.h"
#include "tests/support/build_interval.h"
#include "tests/support/capture.h"
#include "tests/support/record_simple.h"

/* Slice 2: device b too slow. Slice 3: a failed request on device a. */
static void two_faults(struct interval *interval, void *state)
{
	struct tally *writes = interval_tally(interval, 0, BUILD_LARGE_WRITES);
	size_t b = interval->device_count - 1;

	(void)state;
	if (interval->number / BUILD_SLICE_INTERVALS == 1)
		build_over(interval_tally(interval, b, BUILD_READS), 0, 60, 60);
	if (interval->number == 25) {
		writes->completed--;
		writes->errors++;
	}
}

static void slow_at_last(struct interval *interval, void *state)
{
	(void)state;
	if (interval->number >= 20)
		build_over(interval_tally(interval, 1, BUILD_READS), 1, 60, 60);
}

static char *report(size_t devices, uint64_t intervals, build_change *change,
		    const struct run_end *end, bool stress)
{
	struct capture capture;
	struct run_info info;

	build_info(&info, devices, 3);
	info.stress = stress;

	struct judge *judge = build_judge(&info, intervals, change, NULL);

	capture_start(&capture);
	cr_expect_eq(report_text(judge_finish(judge, end), capture.stream), 0);
	capture_end(&capture);
	judge_free(judge);
	run_info_release(&info);
	return capture.text;
}

static const struct run_end completed = {.reason = END_COMPLETED, .at_ns = 30 * NS_PER_SEC};

static void expect_in(const char *text, const char *part)
{
	cr_expect(strstr(text, part) != NULL, "\"%s\" is not in:\n%s", part, text);
}

static void expect_not_in(const char *text, const char *part)
{
	cr_expect(strstr(text, part) == NULL, "\"%s\" is in:\n%s", part, text);
}

Test(text, one_device_that_passes)
{
	char *text = report(1, 30, NULL, &completed, false);

	expect_in(text, "\nreads, /dev/a (5 % over 1 ms, 1 % over 8 ms, 0.1 % over 64 ms)\n"
			"slice    start rate/s planned      % %>1ms %>8ms %>64ms p99 ms p99.9 "
			"max ms errors verdict\n"
			"    1 00:00:00   1000    1000 100.00  0.00  0.00   0.00  0.100 0.100 "
			" 0.100      0    PASS\n");
	expect_in(text, "\n  avg ");
	expect_in(text, "\n  max ");
	expect_in(text, "\nlarge-block-reads, /dev/a (not judged)\n");
	expect_in(text, "\nlarge-block-writes, /dev/a (not judged)\n");
	expect_in(text, "\nworst slice: 1 (from 00:00:00), PASS\n");
	expect_in(text, "\nPASS: 3 slices with the whole load, ");
	expect_not_in(text, "all devices");
	expect_not_in(text, "FAIL");
	free(text);
}

Test(text, no_line_is_wider_than_the_terminal)
{
	char *text = report(2, 30, NULL, &completed, false);
	const char *verdict = strstr(text, "\navg:");

	for (char *line = strtok(text, "\n"); line && line < verdict; line = strtok(NULL, "\n"))
		cr_expect_leq(strlen(line), 100, "%s", line);
	free(text);
}

Test(text, two_devices_are_shown_together_and_each)
{
	char *text = report(2, 30, two_faults, &completed, false);

	expect_in(text, "\nreads, all devices (");
	expect_in(text, "\nreads, /dev/a (");
	expect_in(text, "\nreads, /dev/b (");
	expect_in(text, "\nlarge-block-writes, all devices (not judged)\n");
	expect_not_in(text, "large-block-writes, /dev/a (");
	expect_in(text, "  /dev/a: FAIL: 1 of 10 000 large-block-writes failed\n");
	expect_in(text, "\nFAIL: slice 3 (from 00:00:20): /dev/a: 1 of 10 000 large-block-writes "
			"failed; 2 of 3 slices FAIL\n");
	free(text);
}

/* 10 s each: the first is not judged; device b is too slow in the third. */
static char *report_phases(uint64_t slice_ns, unsigned columns)
{
	static const struct build_phase phases[] = {
	    {"ramp-up", 10, false}, {"pressure 10MB/s", 10, true}, {"pressure 20MB/s", 10, true}};
	struct capture capture;
	struct run_info info;

	build_info(&info, 3, 3);
	build_phases(&info, phases, 3);
	info.slice_ns = slice_ns;
	info.streams[BUILD_READS].devices = 1 << 1 | 1 << 2;
	info.streams[BUILD_LARGE_WRITES].devices = 1 << 0;
	info.streams[BUILD_READS].criteria[0] = (struct info_criterion){8 * NS_PER_MS, {1, 100}};
	info.streams[BUILD_READS].criterion_count = 1;

	struct judge *judge = build_judge(&info, 30, slow_at_last, NULL);

	capture_start(&capture);
	cr_expect_eq(report_text_columns(judge_finish(judge, &completed), columns, capture.stream),
		     0);
	capture_end(&capture);
	judge_free(judge);
	run_info_release(&info);
	return capture.text;
}

Test(text, steps_are_one_row_each)
{
	char *text = report_phases(10 * NS_PER_SEC, 0);

	expect_in(text, "\n30 s in slices of 10 s, 3 phases\n");
	expect_in(text, "\nreads, all devices (1 % over 8 ms)\n");
	expect_in(text, "\nreads, /dev/c (1 % over 8 ms)\n");
	expect_not_in(text, "reads, /dev/a (");
	expect_in(text,
		  "          phase rate/s      % %>1ms %>8ms %>64ms p50 ms p99 ms p99.9 all wr "
		  "errors verdict\n"
		  "        ramp-up   1000 100.00  0.00  0.00   0.00  0.100  0.100 0.100   1.54  "
		  "    0       -\n"
		  "pressure 10MB/s   1000 100.00  0.00  0.00   0.00  0.100  0.100 0.100   1.54  "
		  "    0    PASS\n"
		  "pressure 20MB/s   1000 100.00  6.00  6.00   0.00  0.100  8.000 8.000   1.54  "
		  "    0    FAIL\n");
	expect_not_in(text, "\nslice ");
	expect_in(text, "\nworst slice: 3 (from 00:00:20, phase 'pressure 20MB/s'), FAIL\n");
	expect_in(text, "\nFAIL: first to fail: 'pressure 20MB/s' (slice 3, from 00:00:20): "
			"/dev/b: reads: 6.00 % over 8 ms, limit 1 %; 1 phase before it passed; ");
	free(text);
}

Test(text, slices_of_phases_have_rows_too)
{
	char *texts[] = {report_phases(5 * NS_PER_SEC, 0),
			 report_phases(10 * NS_PER_SEC, COLUMNS_RESPONSE)};

	for (size_t i = 0; i < 2; i++) {
		expect_in(texts[i], "\nslice           phase    start rate/s planned");
		expect_in(texts[i], "\n    1         ramp-up 00:00:00   3000    3000 100.00 ");
		expect_in(texts[i], "\nlarge-block-writes, /dev/a (not judged)\n");
		expect_not_in(texts[i], "large-block-writes, all devices");
		free(texts[i]);
	}
}

Test(text, an_interrupted_run_says_so)
{
	const struct run_end end = {.reason = END_SIGNAL, .signal = 2, .at_ns = 25 * NS_PER_SEC};
	char *text = report(1, 25, NULL, &end, false);

	expect_in(text, "\n   3* 00:00:20");
	expect_in(text, "*: a slice that is not whole");
	expect_in(text, "  run: INVALID: stopped by signal 2 (Interrupt) after 25 s of 30 s\n");
	expect_in(text, "\nINVALID: stopped by signal 2 (Interrupt)");
	free(text);
}

Test(text, stress_shows_latency_but_does_not_judge_it)
{
	char *text = report(1, 30, NULL, &completed, true);

	expect_in(text, "reads, /dev/a (stress: latency is shown, not judged)\n");
	expect_in(text, "%>1ms");
	expect_in(text, "\nPASS: ");
	free(text);
}

Test(text, nothing_measured)
{
	const struct run_end end = {.reason = END_NONE};
	char *text = report(1, 0, NULL, &end, false);

	expect_not_in(text, "worst slice");
	expect_not_in(text, "rate/s");
	expect_in(text, "\nINVALID: the log ends without an end line after 0 s of 30 s\n");
	free(text);
}

Test(text, a_full_disk_is_told)
{
	struct run_end end = completed;

	end.log_disk_full = true;

	char *text = report(1, 30, NULL, &end, false);

	expect_in(text, "parts of the log could not be written");
	free(text);
}

Test(text, the_same_input_gives_the_same_text)
{
	char *a = report(2, 27, two_faults, &completed, false);
	char *b = report(2, 27, two_faults, &completed, false);

	cr_expect_str_eq(a, b);
	free(a);
	free(b);
}

static void no_histograms(struct interval *interval, void *state)
{
	(void)state;
	for (size_t i = 0; i < interval->device_count * interval->stream_count; i++)
		for (int span = 0; span < SPAN_COUNT; span++)
			histogram_init(&interval->tallies[i].span[span]);
}

Test(text, percentiles_that_are_not_known_are_dashes)
{
	char *text = report(1, 30, no_histograms, &completed, false);

	expect_in(text, "    1 00:00:00   1000    1000 100.00  0.00  0.00   0.00      -     - "
			" 0.100      0    PASS\n");
	free(text);
}

Test(text, the_verdict_line_alone)
{
	struct capture capture;
	struct run_info info;

	build_info(&info, 1, 3);

	struct judge *judge = build_judge(&info, 30, two_faults, NULL);

	capture_start(&capture);
	cr_expect_eq(report_verdict_line(judge_finish(judge, &completed), capture.stream), 0);
	capture_end(&capture);
	cr_expect_str_eq(capture.text, "FAIL: slice 3 (from 00:00:20): 1 of 10 000 "
				       "large-block-writes failed; 2 of 3 slices FAIL\n");
	free(capture.text);
	judge_free(judge);
	run_info_release(&info);
}

/* One request of 200 s in slice 1. */
static void one_beyond_all_buckets(struct interval *interval, void *state)
{
	static const struct tally_scale scale = {.power_unit_ns = NS_PER_MS};

	(void)state;
	if (interval->number == 3)
		record_simple(interval_tally(interval, 0, BUILD_READS), &scale, 0, 200 * NS_PER_SEC,
			      true);
}

Test(text, what_no_bucket_holds_is_told)
{
	char *text = report(1, 30, one_beyond_all_buckets, &completed, false);

	expect_in(text, "\n1 reads took longer than 137 s: max tells, percentiles do not\n");
	expect_in(text, "200000.000");
	free(text);
	text = report(1, 30, NULL, &completed, false);
	expect_not_in(text, "longer than 137 s");
	free(text);
}
