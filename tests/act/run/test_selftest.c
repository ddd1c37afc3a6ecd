/* The judgement on made-up results, and one test in real time without any claim on
 * how fast this machine is. */
#include "act/run/selftest.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/build_interval.h"
#include "tests/support/compile.h"
#include "tests/support/scratch.h"

/* Of 1000 reads each second, so many are over 1 ms, of which `own`, if it is not 0, is the
 * limit that reads alone have; `stop` stops the run early. */
static bool judge_own(uint64_t over, struct ratio own, bool stress, bool stop, char *reason)
{
	const struct run_end end = {.reason = stop ? END_NONE : END_COMPLETED,
				    .at_ns = 10 * NS_PER_SEC};
	struct run_info info;
	struct interval interval;
	struct judge *judge;

	build_info(&info, 1, 1);
	info.stress = stress;
	if (own.num > 0) {
		info.streams[BUILD_READS].criteria[0] =
		    (struct info_criterion){info.criteria[0].threshold_ns, own};
		info.streams[BUILD_READS].criterion_count = 1;
	}
	cr_assert_eq(judge_new(&info, &judge, NULL), 0);
	build_interval(&interval, 1, 0);
	for (uint64_t i = 0; i < 10; i++) {
		build_interval_again(&interval, i);
		build_over(interval_tally(&interval, 0, BUILD_READS), 0, over, 0);
		judge_interval(judge, &interval);
	}
	bool good = selftest_judge(judge_finish(judge, &end), reason);
	interval_release(&interval);
	judge_free(judge);
	run_info_release(&info);
	return good;
}

static bool judge(uint64_t over, bool stress, bool stop, char *reason)
{
	return judge_own(over, ratio_make(0, 1), stress, stop, reason);
}

static void expect_in(const char *text, const char *part)
{
	cr_expect(strstr(text, part) != NULL, "\"%s\" is not in: %s", part, text);
}

Test(selftest, the_host_may_take_a_tenth_of_a_limit)
{
	char reason[2 * REASON_BYTES];

	cr_expect(judge(0, false, false, reason));
	expect_in(reason,
		  "the whole load was issued, and this host alone puts 0.00 % of reads over "
		  "1 ms, at most a tenth of the limit of 5 %");
	cr_expect(judge(5, false, false, reason));
	cr_expect(!judge(6, false, false, reason));
	expect_in(reason, "this host alone puts 0.60 % of reads over 1 ms, more than a tenth");
	cr_expect(judge(6, true, false, reason));
	expect_in(reason, "the whole load was issued");
}

Test(selftest, a_stream_has_limits_of_its_own)
{
	char reason[2 * REASON_BYTES];

	cr_expect(judge_own(20, ratio_make(1, 5), false, false, reason));
	expect_in(reason, "2.00 % of reads over 1 ms, at most a tenth of the limit of 20 %");
	cr_expect(!judge_own(2, ratio_make(1, 100), false, false, reason));
	expect_in(reason, "0.20 % of reads over 1 ms, more than a tenth of the limit of 1 %");
}

/* Of phases, the hardest is what this host has to carry. */
Test(selftest, of_phases_the_hardest_is_tried)
{
	char folder[SCRATCH_PATH_BYTES];
	struct selftest_report report;
	struct error err = {0};
	struct config config;
	struct workload workload;
	const struct selftest_request request = {.config = &config, .duration_ns = NS_PER_SEC};

	cr_assert_eq(
	    compile_try("engine = 'null'; write-load = '0x'; interval = '2s'; slice = '2s';"
			"phases = ({name = 'up'; steps = 'load:0.5x..1.5x:0.5x';"
			"streams = ['reads'];},"
			"{name = 'down'; duration = '2s'; load = '1x';});",
			&config, &workload, &err),
	    0, "%s", err.text);
	scratch_make(folder);
	setenv("TMPDIR", folder, 1);
	cr_assert_eq(selftest(&request, &report, &err), 0, "%s", err.text);
	cr_expect_eq(report.asked.planned, 3000); /* 1.5x for 1 s */
	cr_expect_gt(strlen(report.reason), 0);
	scratch_remove(folder);
}

Test(selftest, what_does_not_pass_cannot_be_certified)
{
	char reason[2 * REASON_BYTES];

	cr_expect(!judge(60, false, false, reason));
	expect_in(reason, "without any I/O, slice 1 (from 00:00:00)");
	cr_expect(!judge(0, false, true, reason));
	expect_in(reason, "without any I/O, the log ends");
}

static size_t count_entries(const char *path)
{
	DIR *directory = opendir(path);
	size_t count = 0;

	cr_assert_not_null(directory);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count - 2;
}

Test(selftest, measures_and_leaves_nothing_behind)
{
	char folder[SCRATCH_PATH_BYTES];
	struct selftest_report report;
	struct error err = {0};
	struct config config;
	const struct selftest_request request = {.config = &config, .duration_ns = 5 * NS_PER_SEC};

	scratch_make(folder);
	setenv("TMPDIR", folder, 1);
	config_defaults(&config);
	config.engine = CONFIG_ENGINE_NULL;
	config.workers_per_device = 2;
	cr_assert_eq(config_add_device(&config, "test", "none", &err), 0);
	cr_assert_eq(selftest(&request, &report, &err), 0, "%s", err.text);
	/* 1x: 2000 reads/s and some blocks, for 1 s */
	cr_expect(report.asked.planned > 1900 && report.asked.planned < 2200);
	cr_expect_leq(report.asked.issued, report.asked.planned);
	cr_expect_leq(report.asked.lag_p50_ns, report.asked.lag_max_ns);
	cr_expect_geq(report.asked.elapsed_ns, NS_PER_SEC);
	cr_expect_geq(report.legs, 1);
	cr_expect_geq(report.per_sec, 1000);
	cr_expect_gt(report.leg.planned, 1000); /* of two workers in 1 s */
	cr_expect(!report.exact || report.leg.lag_p999_ns <= SELFTEST_LAG_NS);
	cr_expect_gt(strlen(report.reason), 0);
	cr_expect_eq(report.signal, 0);
	cr_expect_eq(count_entries(folder), 0);
	setenv("TMPDIR", "/nonexistent", 1);
	cr_expect_lt(selftest(&request, &report, &err), 0);
	cr_expect_eq(err.status, EXIT_ENVIRONMENT);
	scratch_remove(folder);
}
