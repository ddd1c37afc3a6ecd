#include "analysis/linearity.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/build_linearity.h"

#define PASSES                                                                                     \
	{                                                                                          \
		.over = 0                                                                          \
	}
#define FAILS                                                                                      \
	{                                                                                          \
		.over = 60, .device_over = 60                                                      \
	}
#define IS_INVALID                                                                                 \
	{                                                                                          \
		.over = 60, .device_over = 0                                                       \
	}

/* One device alone, /dev/a, and two together, of which the second is not looked at. */
struct setup {
	struct build_run runs[2];
	struct linearity_run results[2];
	struct linearity linearity;
	struct error err;
};

static void setup_init(struct setup *setup)
{
	memset(setup, 0, sizeof(*setup));
	setup->runs[0] = (struct build_run){.log = "a.log", .device_count = 1};
	setup->runs[1] = (struct build_run){.log = "all.log", .device_count = 2};
	build_runs_init(setup->runs, 2);
}

static int setup_compare(struct setup *setup)
{
	build_runs_judge(setup->runs, 2, setup->results);
	return linearity_compare(setup->results, 2, &setup->linearity, &setup->err);
}

static void setup_release(struct setup *setup)
{
	linearity_release(&setup->linearity);
	build_runs_release(setup->runs, 2);
}

Test(linearity, outcomes)
{
	static const struct {
		struct build_fate alone;
		struct build_fate together;
		enum linearity_outcome outcome;
	} cases[] = {
	    {PASSES, PASSES, LINEARITY_HOLDS},
	    {PASSES, FAILS, LINEARITY_LOST},
	    {PASSES, IS_INVALID, LINEARITY_UNKNOWN},
	    {FAILS, PASSES, LINEARITY_HOLDS},
	    {FAILS, FAILS, LINEARITY_HOLDS},
	    {FAILS, IS_INVALID, LINEARITY_UNKNOWN},
	    {IS_INVALID, PASSES, LINEARITY_UNKNOWN},
	    {IS_INVALID, FAILS, LINEARITY_UNKNOWN},
	    {IS_INVALID, IS_INVALID, LINEARITY_UNKNOWN},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct setup setup;

		setup_init(&setup);
		setup.runs[0].fates[0] = cases[i].alone;
		setup.runs[1].fates[0] = cases[i].together;
		cr_assert_eq(setup_compare(&setup), 0, "case %zu: %s", i, setup.err.text);
		cr_expect_eq(setup.linearity.devices[0].outcome, cases[i].outcome, "case %zu", i);
		setup_release(&setup);
	}
}

Test(linearity, the_gravest_device_decides)
{
	static const struct {
		struct build_fate fates[2];
		enum linearity_outcome outcome;
		int status;
	} cases[] = {
	    {{PASSES, PASSES}, LINEARITY_HOLDS, EXIT_PASS},
	    {{PASSES, FAILS}, LINEARITY_LOST, EXIT_FAIL},
	    {{FAILS, IS_INVALID}, LINEARITY_LOST, EXIT_FAIL},
	    {{IS_INVALID, FAILS}, LINEARITY_LOST, EXIT_FAIL},
	    {{PASSES, IS_INVALID}, LINEARITY_UNKNOWN, EXIT_INVALID},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct setup setup;

		setup_init(&setup);
		memcpy(setup.runs[1].fates, cases[i].fates, sizeof(cases[i].fates));
		cr_assert_eq(setup_compare(&setup), 0);
		cr_expect_eq(setup.linearity.outcome, cases[i].outcome, "case %zu", i);
		cr_expect_eq(linearity_exit_status(&setup.linearity), cases[i].status, "case %zu",
			     i);
		setup_release(&setup);
	}
}

/* The first device of the run together, as it is told there and in the run alone. */
static const struct match_case {
	const char *what;
	const char *alone[3]; /* name, serial number, model */
	const char *first[3];
	const char *second[3];
	bool is_file;
	uint64_t size_bytes; /* of the second together */
	enum linearity_match matches[2];
} match_cases[] = {
    {"serial number and name",
     {"/dev/a", "SA", "M"},
     {"/dev/a", "SA", "M"},
     {"/dev/b", "SB", "N"},
     false,
     1,
     {LINEARITY_SERIAL, LINEARITY_NOT_COMPARED}},
    {"a serial number under another name",
     {"/dev/b", "SA", "M"},
     {"/dev/a", "SA", "M"},
     {"/dev/b", "SB", "M"},
     false,
     1,
     {LINEARITY_SERIAL, LINEARITY_ALIKE}},
    {"namespaces of one drive",
     {"/dev/n2", "SA", "M"},
     {"/dev/n1", "SA", "M"},
     {"/dev/n2", "SA", "M"},
     false,
     1,
     {LINEARITY_ALIKE, LINEARITY_SERIAL}},
    {"a name where no serial number is known",
     {"/dev/a", "", ""},
     {"/dev/a", "", ""},
     {"/dev/b", "", ""},
     false,
     2,
     {LINEARITY_NAME, LINEARITY_NOT_COMPARED}},
    {"devices of no known model, but of one size",
     {"/dev/a", "", ""},
     {"/dev/a", "", ""},
     {"/dev/b", "", ""},
     false,
     1,
     {LINEARITY_NAME, LINEARITY_ALIKE}},
    {"a drive of another model under the name",
     {"/dev/a", "SA", "M"},
     {"/dev/a", "SX", "N"},
     {"/dev/b", "SB", "M"},
     false,
     1,
     {LINEARITY_NOT_COMPARED, LINEARITY_ALIKE}},
    {"files",
     {"a", "", ""},
     {"a", "", ""},
     {"b", "", ""},
     true,
     1,
     {LINEARITY_NAME, LINEARITY_ALIKE}},
};

static void set_device(struct info_device *device, const char *const texts[3], bool is_file,
		       uint64_t size_bytes)
{
	snprintf(device->name, sizeof(device->name), "%s", texts[0]);
	snprintf(device->serial, sizeof(device->serial), "%s", texts[1]);
	snprintf(device->model, sizeof(device->model), "%s", texts[2]);
	device->is_file = is_file;
	device->size_bytes = size_bytes;
}

Test(linearity, how_devices_are_found)
{
	for (size_t i = 0; i < sizeof(match_cases) / sizeof(match_cases[0]); i++) {
		const struct match_case *one = &match_cases[i];
		struct setup setup;

		setup_init(&setup);
		set_device(&setup.runs[0].info.devices[0], one->alone, one->is_file, 1);
		set_device(&setup.runs[1].info.devices[0], one->first, one->is_file, 1);
		set_device(&setup.runs[1].info.devices[1], one->second, one->is_file,
			   one->size_bytes);
		cr_assert_eq(setup_compare(&setup), 0, "%s: %s", one->what, setup.err.text);
		for (size_t k = 0; k < 2; k++)
			cr_expect_eq(setup.linearity.devices[k].match, one->matches[k],
				     "%s, device %zu: %d", one->what, k,
				     (int)setup.linearity.devices[k].match);
		cr_expect_eq(setup.linearity.outcome,
			     one->matches[0] && one->matches[1] ? LINEARITY_HOLDS
								: LINEARITY_UNKNOWN,
			     "%s", one->what);
		setup_release(&setup);
	}
}

Test(linearity, each_of_several_runs_alone_goes_to_its_device)
{
	/* The one together need not be the last. */
	struct build_run runs[] = {{.log = "b.log", .device_count = 1},
				   {.log = "all.log", .device_count = 3},
				   {.log = "a.log", .device_count = 1}};
	struct linearity_run results[3];
	struct linearity linearity;
	struct error err;

	build_runs_init(runs, 3);
	build_runs_name(&runs[0], 0, 'b');
	build_runs_judge(runs, 3, results);
	cr_assert_eq(linearity_compare(results, 3, &linearity, &err), 0, "%s", err.text);
	cr_expect_eq(linearity.together, 1);
	cr_assert_eq(linearity.device_count, 3);
	cr_expect_eq(linearity.devices[0].alone, 2);
	cr_expect_eq(linearity.devices[0].match, LINEARITY_SERIAL);
	cr_expect_eq(linearity.devices[1].alone, 0);
	cr_expect_eq(linearity.devices[1].match, LINEARITY_SERIAL);
	cr_expect_eq(linearity.devices[2].alone, 0);
	cr_expect_eq(linearity.devices[2].match, LINEARITY_ALIKE);
	linearity_release(&linearity);
	build_runs_release(runs, 3);
}

Test(linearity, logs_that_do_not_go_together_are_refused)
{
	static const struct {
		size_t counts[3]; /* of devices; 0: no such log */
		char letter;      /* of the second run's device */
		const char *parts[2];
	} cases[] = {
	    {{2, 0, 0}, 0, {"1.log", "needs a log of one device"}},
	    {{1, 1, 0}, 'b', {"2.log", "needs a log of several devices"}},
	    {{2, 3, 0}, 0, {"1.log: 2 devices", "2.log"}},
	    {{2, 1, 2}, 'a', {"1.log: 2 devices", "3.log"}},
	    {{1, 1, 2}, 'a', {"2.log: /dev/a, serial number Sa", "no device of 3.log"}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct build_run runs[3] = {{.log = "1.log"}, {.log = "2.log"}, {.log = "3.log"}};
		struct linearity_run results[3];
		struct linearity linearity = {.device_count = 77};
		struct error err = {.text = ""};
		size_t count = 0;

		for (; count < 3 && cases[i].counts[count]; count++)
			runs[count].device_count = cases[i].counts[count];
		build_runs_init(runs, count);
		if (cases[i].letter)
			build_runs_name(&runs[1], 0, cases[i].letter);
		build_runs_judge(runs, count, results);
		cr_expect_lt(linearity_compare(results, count, &linearity, &err), 0, "case %zu", i);
		cr_expect_eq(err.status, EXIT_USAGE);
		cr_expect_eq(linearity.device_count, 77);
		for (size_t k = 0; k < 2; k++)
			cr_expect_not_null(strstr(err.text, cases[i].parts[k]), "case %zu: %s", i,
					   err.text);
		build_runs_release(runs, count);
	}
}

Test(linearity, what_changed_in_figures)
{
	struct linearity_stream stream;
	struct setup setup;
	double change = 0;

	setup_init(&setup);
	setup.runs[0].fates[0] = (struct build_fate){.over = 20, .device_over = 20};
	/* 750 of 1000 per second, of which 75 took 1 ms. */
	setup.runs[1].fates[0] =
	    (struct build_fate){.over = 75, .device_over = 75, .slower = BUILD_PLANNED / 4};
	cr_assert_eq(setup_compare(&setup), 0, "%s", setup.err.text);
	cr_assert(linearity_take_stream(&setup.linearity, 0, BUILD_READS, &stream));
	cr_expect_eq(stream.alone.sums->completed, 30 * BUILD_PLANNED);
	cr_expect_eq(stream.together.sums->completed, 30 * 750);
	cr_expect_eq(stream.together.sums->planned, 30 * BUILD_PLANNED);
	cr_expect_eq(stream.alone.verdict, VERDICT_PASS);
	cr_expect_eq(stream.together.verdict, VERDICT_FAIL);
	cr_expect(linearity_rate_change(&stream, &change));
	cr_expect_float_eq(change, -25, 1e-9);
	cr_assert_eq(stream.threshold_count, 3);
	cr_expect_eq(stream.threshold_ns[0], NS_PER_MS);
	cr_expect(linearity_share_change(&stream, 0, &change)); /* 2 % to 10 % */
	cr_expect_float_eq(change, 8, 1e-9);
	cr_expect(linearity_share_change(&stream, 1, &change));
	cr_expect_float_eq(change, 0, 1e-9);
	cr_expect(linearity_times(200, 500, &change));
	cr_expect_float_eq(change, 2.5, 1e-9);
	cr_expect_not(linearity_times(0, 500, &change));
	cr_expect_not(linearity_times(200, 0, &change));
	cr_expect_not(linearity_take_stream(&setup.linearity, 0, BUILD_LARGE_READS, &stream));
	setup_release(&setup);
}

Test(linearity, only_thresholds_of_both_are_compared)
{
	struct linearity_stream stream;
	struct setup setup;

	setup_init(&setup);
	/* Alone 1 and 64 ms, together 1, 8 and 64 ms, of which the stream has 8 and 64. */
	setup.runs[0].info.criteria[1] = setup.runs[0].info.criteria[2];
	setup.runs[0].info.criterion_count = 2;
	setup.runs[1].info.streams[BUILD_READS].criteria[0] = setup.runs[1].info.criteria[1];
	setup.runs[1].info.streams[BUILD_READS].criteria[1] =
	    (struct info_criterion){64 * NS_PER_MS, {1, 7}};
	setup.runs[1].info.streams[BUILD_READS].criterion_count = 2;
	cr_assert_eq(setup_compare(&setup), 0, "%s", setup.err.text);
	cr_assert(linearity_take_stream(&setup.linearity, 0, BUILD_READS, &stream));
	cr_assert_eq(stream.threshold_count, 1);
	cr_expect_eq(stream.threshold_ns[0], 64 * NS_PER_MS);
	cr_expect_eq(stream.alone_over[0], 1);
	cr_expect_eq(stream.together_over[0], 2);
	cr_expect_eq(stream.limit[0].den, 7);
	setup_release(&setup);
}
