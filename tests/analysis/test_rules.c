#include "analysis/rules.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/build_interval.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct run_info info;

static const struct rules_scope one_device = {.judged = true, .device_count = 1};

static void setup(void)
{
	build_info(&info, 1, 1);
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(rules, .init = setup, .fini = teardown);

/* One stream of a slice, and what comes of it. `text` must stand in the first
 * reason; NULL: there is none. */
struct rule_case {
	const char *name;
	struct summary sums;
	enum verdict verdict;
	const char *text;
};

static void judge_case(const struct rule_case *rule, size_t stream, const struct slice_facts *facts,
		       size_t devices)
{
	struct summary streams[BUILD_STREAMS] = {0};
	struct reason_list list = {.count = 0};
	const struct rules_scope scope = {
	    .judged = true,
	    .device = devices > 1 ? info.device_count : 0,
	    .device_count = devices,
	};

	streams[BUILD_READS].completed = 1;
	streams[stream] = rule->sums;
	rules_streams(&info, facts, streams, &scope, &list);
	cr_expect_eq(reason_verdict(&list), rule->verdict, "%s: %s", rule->name,
		     list.count ? list.items[0].text : "no reason");
	if (rule->text && list.count > 0)
		cr_expect(strstr(list.items[0].text, rule->text), "%s: %s", rule->name,
			  list.items[0].text);
	cr_expect_eq(list.count > 0, rule->text != NULL, "%s", rule->name);
}

#define OF_100000(k, n, by_device)                                                                 \
	{                                                                                          \
		.completed = 100000, .over[k] = (n), .device_over[k] = (by_device)                 \
	}

Test(rules, latency)
{
	static const struct rule_case cases[] = {
	    {"below the limit", OF_100000(0, 4999, 4999), VERDICT_PASS, NULL},
	    {"at the limit", OF_100000(0, 5000, 5000), VERDICT_PASS, NULL},
	    {"above the limit", OF_100000(0, 5001, 5001), VERDICT_FAIL,
	     "reads: 5.001 % over 1 ms, limit 5 %"},
	    {"8 ms at", OF_100000(1, 1000, 1000), VERDICT_PASS, NULL},
	    {"8 ms above", OF_100000(1, 1001, 1001), VERDICT_FAIL,
	     "reads: 1.001 % over 8 ms, limit 1 %"},
	    {"64 ms at", OF_100000(2, 100, 100), VERDICT_PASS, NULL},
	    {"64 ms above", OF_100000(2, 101, 101), VERDICT_FAIL,
	     "reads: 0.101 % over 64 ms, limit 0.1 %"},
	    {"late by the host alone", OF_100000(0, 7100, 200), VERDICT_INVALID,
	     "reads: 7.10 % over 1 ms (limit 5 %), but only 0.20 % because of the device: "
	     "requests were issued late by this host"},
	    {"device at the limit", OF_100000(0, 5001, 5000), VERDICT_INVALID, "but only 5.00 %"},
	    {"device above it too", OF_100000(0, 9000, 5001), VERDICT_FAIL, "reads: 9.00 %"},
	    {"all of 2^60",
	     {.completed = UINT64_C(1) << 60,
	      .over[0] = UINT64_C(1) << 60,
	      .device_over[0] = UINT64_C(1) << 60},
	     VERDICT_FAIL,
	     "100.00 %"},
	};
	const struct slice_facts facts = {0};

	for (size_t i = 0; i < COUNT(cases); i++)
		judge_case(&cases[i], BUILD_READS, &facts, 1);
}

Test(rules, latency_of_streams_that_are_not_judged_does_not_count)
{
	static const struct rule_case rule = {"not judged", OF_100000(0, 100000, 100000),
					      VERDICT_PASS, NULL};
	const struct slice_facts facts = {0};

	judge_case(&rule, BUILD_LARGE_READS, &facts, 1);
	strcpy(info.judged[info.judged_count++], "large-block-reads");

	static const struct rule_case judged = {"judged", OF_100000(0, 100000, 100000),
						VERDICT_FAIL, "large-block-reads: 100.00 %"};

	judge_case(&judged, BUILD_LARGE_READS, &facts, 1);
}

Test(rules, errors_fail_in_any_stream)
{
	/* errors are over all thresholds and the device's, as summaries count them */
	static const struct rule_case reads = {
	    "reads",
	    {.completed = 539988, .errors = 12, .over = {12, 12, 12}, .device_over = {12, 12, 12}},
	    VERDICT_FAIL,
	    "12 of 540 000 reads failed"};
	static const struct rule_case other = {"another stream",
					       {.completed = 999, .errors = 1},
					       VERDICT_FAIL,
					       "1 of 1 000 large-block-writes failed"};
	const struct slice_facts facts = {0};

	judge_case(&reads, BUILD_READS, &facts, 1);
	judge_case(&other, BUILD_LARGE_WRITES, &facts, 1);
	info.stress = true;
	judge_case(&other, BUILD_LARGE_WRITES, &facts, 1);
}

Test(rules, wrong_data_are_told_apart_from_other_errors)
{
	static const struct rule_case wrong = {
	    "wrong data alone",
	    {.completed = 997, .errors = 3, .mismatches = 3, .mismatch_offset_bytes = 12345678912},
	    VERDICT_FAIL,
	    "3 of 1 000 reads returned wrong data, first at offset 12345678912"};
	static const struct rule_case torn = {
	    "torn alone", {.completed = 1000, .torn = 3}, VERDICT_PASS, NULL};
	const struct slice_facts facts = {0};
	struct summary streams[BUILD_STREAMS] = {
	    [BUILD_READS] = {.completed = 997, .errors = 3, .mismatches = 2}};
	struct reason_list list = {.count = 0};

	judge_case(&wrong, BUILD_READS, &facts, 1);
	judge_case(&torn, BUILD_READS, &facts, 1);
	rules_streams(&info, &facts, streams, &one_device, &list);
	cr_assert_eq(list.count, 2);
	cr_expect_str_eq(list.items[0].text,
			 "2 of 1 000 reads returned wrong data, first at offset 0");
	cr_expect_str_eq(list.items[1].text, "1 of 1 000 reads failed");
	info.stress = true;
	judge_case(&wrong, BUILD_READS, &facts, 1);
}

#define SHORT(n, host, device)                                                                     \
	{                                                                                          \
		.planned = (n), .issued = (n) - (host) - (device),                                 \
		.completed = (n) - (host) - (device), .missed_host = (host),                       \
		.missed_device = (device)                                                          \
	}

Test(rules, shortfall)
{
	static const struct rule_case cases[] = {
	    {"exactly 99.9 %, host", SHORT(100000, 100, 0), VERDICT_PASS, NULL},
	    {"below, host", SHORT(100000, 101, 0), VERDICT_INVALID,
	     "only 99.899 % of the planned large-block-writes were issued: "
	     "this host cannot issue the load"},
	    {"exactly 99.9 %, device", SHORT(100000, 0, 100), VERDICT_PASS, NULL},
	    {"below, device", SHORT(100000, 0, 6900), VERDICT_FAIL,
	     "the device kept only 93.10 % of the planned large-block-writes"},
	    {"just below, device", SHORT(100000, 0, 101), VERDICT_FAIL, "99.899 %"},
	    {"both below", SHORT(100000, 1000, 2000), VERDICT_FAIL, "98.00 %"},
	    {"only together", SHORT(100000, 60, 60), VERDICT_INVALID, "99.88 %"},
	    {"together exactly", SHORT(100000, 50, 50), VERDICT_PASS, NULL},
	    {"one of few", SHORT(10, 1, 0), VERDICT_PASS, NULL},
	    {"two of few", SHORT(10, 2, 0), VERDICT_INVALID, "80.00 %"},
	    {"one of few, device", SHORT(10, 0, 1), VERDICT_PASS, NULL},
	    {"two of few, device", SHORT(10, 0, 2), VERDICT_FAIL, "80.00 %"},
	    {"one each of few", SHORT(10, 1, 1), VERDICT_INVALID, "80.00 %"},
	};
	const struct slice_facts facts = {0};

	for (size_t i = 0; i < COUNT(cases); i++)
		judge_case(&cases[i], BUILD_LARGE_WRITES, &facts, 1);
}

Test(rules, shortfall_allows_one_request_for_each_device)
{
	static const struct rule_case two = {"2 of 2 devices", SHORT(20, 2, 0), VERDICT_PASS, NULL};
	static const struct rule_case three = {"3 of 2 devices", SHORT(20, 0, 3), VERDICT_FAIL,
					       "the devices kept only 85.00 %"};
	const struct slice_facts facts = {0};

	judge_case(&two, BUILD_LARGE_WRITES, &facts, 2);
	judge_case(&three, BUILD_LARGE_WRITES, &facts, 2);
}

Test(rules, a_judged_stream_needs_a_sample)
{
	static const struct rule_case planned = {
	    "planned", {.planned = 100, .issued = 100}, VERDICT_INVALID, "nothing to judge"};
	static const struct rule_case nothing = {
	    "not even planned", {0}, VERDICT_INVALID, "nothing to judge"};
	static const struct rule_case device = {"the device took none", SHORT(100, 0, 100),
						VERDICT_FAIL, "the device kept only 0.00 %"};
	static const struct rule_case host = {"the host issued none", SHORT(100, 100, 0),
					      VERDICT_INVALID, "only 0.00 %"};
	static const struct rule_case other = {"not judged", {0}, VERDICT_PASS, NULL};
	static const struct rule_case failed = {
	    "all failed", {.errors = 1, .planned = 1, .issued = 1}, VERDICT_FAIL, "1 of 1"};
	const struct slice_facts facts = {0};

	judge_case(&planned, BUILD_READS, &facts, 1);
	judge_case(&nothing, BUILD_READS, &facts, 1);
	judge_case(&device, BUILD_READS, &facts, 1);
	judge_case(&host, BUILD_READS, &facts, 1);
	judge_case(&other, BUILD_LARGE_READS, &facts, 1);
	judge_case(&failed, BUILD_READS, &facts, 1);
}

Test(rules, a_saturated_host_blames_no_device)
{
	static const struct rule_case slow = {
	    "slow", OF_100000(0, 12300, 12300), VERDICT_INVALID,
	    "this host's CPUs were 99.10 % busy: it cannot carry this load; "
	    "12.30 % of reads over 1 ms, limit 5 %"};
	static const struct rule_case behind = {"short", SHORT(1000, 0, 100), VERDICT_INVALID,
						"the device kept only 90.00 %"};
	static const struct rule_case errors = {
	    "errors", {.completed = 10, .errors = 1}, VERDICT_FAIL, "1 of 11 reads failed"};
	static const struct rule_case good = {"good", OF_100000(0, 0, 0), VERDICT_PASS, NULL};
	const struct slice_facts facts = {.cpu_idle_ticks = 9, .cpu_total_ticks = 1000};

	judge_case(&slow, BUILD_READS, &facts, 1);
	judge_case(&behind, BUILD_READS, &facts, 1);
	judge_case(&errors, BUILD_READS, &facts, 1);
	judge_case(&good, BUILD_READS, &facts, 1);
}

Test(rules, saturation_begins_below_five_percent_idle)
{
	cr_expect(!rules_host_saturated(0, 0));
	cr_expect(!rules_host_saturated(50, 1000));
	cr_expect(rules_host_saturated(49, 1000));
	cr_expect(rules_host_saturated(0, 1));
	cr_expect(!rules_host_saturated(2, 1));
}

Test(rules, stress_ignores_latency_only)
{
	static const struct rule_case slow = {"slow", OF_100000(0, 100000, 100000), VERDICT_PASS,
					      NULL};
	static const struct rule_case late = {"late", OF_100000(0, 100000, 0), VERDICT_PASS, NULL};
	static const struct rule_case behind = {"short", SHORT(1000, 0, 100), VERDICT_FAIL,
						"90.00 %"};
	static const struct rule_case nothing = {"no sample", {0}, VERDICT_INVALID, "nothing"};
	const struct slice_facts facts = {0};

	info.stress = true;
	judge_case(&slow, BUILD_READS, &facts, 1);
	judge_case(&late, BUILD_READS, &facts, 1);
	judge_case(&behind, BUILD_READS, &facts, 1);
	judge_case(&nothing, BUILD_READS, &facts, 1);
}

Test(rules, measurement)
{
	static const struct {
		struct slice_facts facts;
		const char *text; /* NULL: nothing is wrong */
	} cases[] = {
	    {{0}, NULL},
	    {{.clock_jump_ns = 1000000}, NULL},
	    {{.clock_jump_ns = -1000000}, NULL},
	    {{.clock_jump_ns = 1000001}, "clock jump"},
	    {{.clock_jump_ns = -1000001}, "clock jump"},
	    {{.clock_jump_ns = INT64_MIN}, "clock jump"},
	    {{.queue_overflows = 1}, "overflow"},
	    {{.lost_ns = 3000000000}, "lost interval: 3 s"},
	    {{.late_intervals = 2, .intervals = 3600}, "lost interval: the counts of 2 of 3 600"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct reason_list list = {.count = 0};

		rules_measurement(&cases[i].facts, true, &list);
		cr_expect_eq(list.count, cases[i].text != NULL, "case %zu", i);
		if (!cases[i].text || list.count == 0)
			continue;
		cr_expect_eq(list.items[0].verdict, VERDICT_INVALID);
		cr_expect(strstr(list.items[0].text, cases[i].text), "%s", list.items[0].text);
	}
}

Test(rules, errors_of_any_stream_are_told_first)
{
	static const struct slice_facts facts = {0};
	struct summary streams[BUILD_STREAMS] = {0};
	struct reason_list list = {.count = 0};

	streams[BUILD_READS] = (struct summary)OF_100000(0, 50000, 50000);
	streams[BUILD_LARGE_WRITES] =
	    (struct summary){.completed = 9, .errors = 1, .mismatches = 1};
	rules_streams(&info, &facts, streams, &one_device, &list);
	cr_assert_eq(list.count, 2);
	cr_expect(strstr(list.items[0].text, "wrong data"), "%s", list.items[0].text);
	cr_expect(strstr(list.items[1].text, "over 1 ms"), "%s", list.items[1].text);
}

Test(rules, the_gravest_reasons_are_kept)
{
	struct reason_list list = {.count = 0};

	for (int i = 0; i < REASONS_MAX + 2; i++)
		reason_add(&list, VERDICT_INVALID, "invalid %d", i);
	cr_assert_eq(list.count, REASONS_MAX);
	for (int i = 0; i < 2; i++)
		reason_add(&list, VERDICT_FAIL, "fail %d", i);
	cr_expect_eq(list.count, REASONS_MAX);
	cr_expect_str_eq(list.items[0].text, "fail 0");
	cr_expect_str_eq(list.items[1].text, "fail 1");
	cr_expect_str_eq(list.items[2].text, "invalid 0");
	cr_expect_str_eq(list.items[REASONS_MAX - 1].text, "invalid 3");
	for (int i = 0; i < REASONS_MAX; i++)
		reason_add(&list, VERDICT_FAIL, "more %d", i);
	cr_expect_eq(list.count, REASONS_MAX);
	cr_expect_str_eq(list.items[1].text, "fail 1");
	cr_expect_str_eq(list.items[REASONS_MAX - 1].text, "more 3");
}
