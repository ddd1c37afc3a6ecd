#include "act/workload/custom.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "act/workload/rate.h"
#include "tests/support/compile.h"

#define CUSTOM "workload = 'custom'; "

/* Rates of streams, worked out by hand. */
static const struct compile_case cases[] = {
    {"so often a second",
     CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '5000/s'; sizes = ['4KiB'];});",
     {{"a", 5000, 1}}},
    {"less than one a second",
     CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '0.3/s'; sizes = ['4KiB'];});",
     {{"a", 3, 10}}},
    /* 30 * 2000 and 30 * 1000 */
    {"loads",
     CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '30x'; sizes = ['4KiB'];},"
	    "{name = 'b'; op = 'write'; rate = '30x'; sizes = ['4KiB'];});",
     {{"a", 60000, 1}, {"b", 30000, 1}}},
    /* The published mix of Oracle: 10000 * 83.14 / 100, and what is left of 10000 */
    {"shares",
     CUSTOM "rate = '10000/s';"
	    "streams = ({name = 'a'; op = 'read'; rate = '83.14%'; sizes = ['4KiB'];},"
	    "{name = 'b'; op = 'write'; rate = '16.86%'; sizes = ['4KiB'];});",
     {{"a", 8314, 1}, {"b", 1686, 1}}},
    /* 2.5 times that */
    {"shares, scaled",
     CUSTOM "rate = '10000/s'; scale = '250%';"
	    "streams = ({name = 'a'; op = 'read'; rate = '83.14%'; sizes = ['4KiB'];},"
	    "{name = 'b'; op = 'write'; rate = '16.86%'; sizes = ['4KiB'];});",
     {{"a", 20785, 1}, {"b", 4215, 1}}},
    /* 10^7 / 4096 = 5^7 / 2^5, and 85 times that */
    {"bytes",
     CUSTOM "streams = ({name = 'a'; op = 'write'; rate = '10MB/s'; sizes = ['4KiB'];},"
	    "{name = 'b'; op = 'write'; rate = '850MB/s'; sizes = ['4KiB']; judge = true;});",
     {{"a", 78125, 32}, {"b", 6640625, 32}}},
    /* mean (4096 + 3 * 8192) / 4 = 7168: 7168000 / 7168; and (4096 + 8192) / 2 = 6144 */
    {"bytes of mixed sizes",
     CUSTOM
     "streams = ({name = 'a'; op = 'read'; rate = '7168KB/s'; sizes = ['4KiB:1', '8KiB:3'];},"
     "{name = 'b'; op = 'read'; rate = '6144KB/s'; sizes = ['4KiB..8KiB'];});",
     {{"a", 1000, 1}, {"b", 1000, 1}}},
    /* mean (4096 * 1 + 6144 * 1 + 65536 * 2) / 4 = 35328: 35328000 / 35328 * 3 */
    {"bytes of a range among sizes, scaled",
     CUSTOM "scale = '300%'; streams = ({name = 'a'; op = 'read'; rate = '35328KB/s';"
	    "sizes = ['4KiB:1', '4KiB..8KiB:1', '64KiB:2'];});",
     {{"a", 3000, 1}}},
};

Test(custom, rates_are_those_asked_for)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(compile_compare(&cases[i]), 0, "%s", cases[i].what);
}

/* Read sizes of published profiles, whose weights are less than 100 together; and their shares
 * by hand. */
static const struct {
	const char *sizes;
	struct ratio shares[4];
} mixes[] = {
    /* Oracle, of 78.52: 2210/7852 = 85/302, 3730/7852 = 1865/3926, 1912/7852 = 478/1963 */
    {"'4KiB:22.1', '8KiB:37.3', '16KiB:19.12'", {{85, 302}, {1865, 3926}, {478, 1963}}},
    /* SQL Server, of 82.32: 5357/8232, 2875/8232 */
    {"'8KiB:53.57', '64KiB:28.75'", {{5357, 8232}, {2875, 8232}}},
    /* virtual desktops, of 79.05: 3935/7905, 1647/7905, 1037/7905, 1286/7905 */
    {"'4KiB:39.35', '16KiB:16.47', '32KiB:10.37', '64KiB:12.86'",
     {{787, 1581}, {549, 2635}, {61, 465}, {1286, 7905}}},
    /* virtual servers, of 62.51: 2568/6251, 2631/6251, 1052/6251 */
    {"'4KiB:25.68', '8KiB:26.31', '60KiB:10.52'", {{2568, 6251}, {2631, 6251}, {1052, 6251}}},
};

Test(custom, weights_count_by_their_sum)
{
	for (size_t i = 0; i < sizeof(mixes) / sizeof(mixes[0]); i++) {
		char text[512];

		snprintf(text, sizeof(text),
			 CUSTOM
			 "streams = ({name = 'a'; op = 'read'; rate = '1/s'; sizes = [%s];});",
			 mixes[i].sizes);
		struct workload workload = compile(text);
		const struct stream *stream = &workload.streams[0];
		struct ratio sum = {0, 1};

		for (size_t j = 0; j < stream->size_count; j++) {
			cr_expect_eq(stream->sizes[j].share.num, mixes[i].shares[j].num, "%s, %zu",
				     mixes[i].sizes, j);
			cr_expect_eq(stream->sizes[j].share.den, mixes[i].shares[j].den, "%s, %zu",
				     mixes[i].sizes, j);
			cr_assert_eq(ratio_add(sum, stream->sizes[j].share, &sum), 0);
		}
		cr_expect_eq(ratio_compare(sum, ratio_make(1, 1)), 0);
	}
}

Test(custom, a_stream_has_what_it_was_given)
{
	struct workload workload = compile(
	    CUSTOM "devices = ['/dev/a', '/dev/b', '/dev/c']; odsync = true;"
		   "streams = ({name = 'all'; op = 'read'; rate = '10/s'; sizes = ['1KiB..9KiB'];},"
		   "{name = 'log'; op = 'write'; rate = '20/s'; sizes = ['4KiB:1', '128KiB:1'];"
		   " random = '0%'; region = '25%..50%'; devices = '1,3'; odsync = false;"
		   " in-flight-cap = 7; thresholds = ['2ms:3%', '9ms:0.5%'];},"
		   "{name = 'sync'; op = 'write'; rate = '20/s'; sizes = ['4KiB'];});");
	const struct stream *all = &workload.streams[0];
	const struct stream *log = &workload.streams[1];

	cr_assert_eq(workload.stream_count, 3);
	cr_expect_eq(all->op, STREAM_READ);
	cr_expect_eq(all->size_min_bytes, 1024);
	cr_expect_eq(all->size_max_bytes, 9216);
	cr_expect_eq(all->random.num, 1);
	cr_expect_eq(all->devices, STREAM_ALL_DEVICES);
	cr_expect_eq(all->region_upto.num, 1);
	cr_expect_eq(all->in_flight_cap, 0);
	cr_expect_not(all->dsync);
	cr_expect_eq(log->op, STREAM_WRITE);
	cr_expect_eq(log->size_min_bytes, 4096);
	cr_expect_eq(log->size_max_bytes, 131072);
	cr_expect_eq(log->random.num, 0);
	cr_expect_eq(log->devices, 5);
	cr_expect(stream_is_on(log, 0) && !stream_is_on(log, 1) && stream_is_on(log, 2));
	cr_expect_eq(log->region_from.den, 4);
	cr_expect_eq(log->region_upto.den, 2);
	cr_expect_eq(log->in_flight_cap, 7);
	cr_expect_not(log->dsync);
	cr_expect_eq(log->criterion_count, 2);
	cr_expect_eq(log->criteria[1].threshold_ns, 9000000);
	cr_expect_eq(log->criteria[1].limit.den, 200);
	cr_expect(workload.streams[2].dsync);
}

/* Streams of which `judge` says nothing: reads are judged; writes where there is nothing else. */
static const struct {
	const char *streams;
	const char *judged[3];
} judgements[] = {
    {"{name = 'a'; op = 'read'; rate = '1/s'; sizes = ['4KiB'];},"
     "{name = 'b'; op = 'write'; rate = '1/s'; sizes = ['4KiB'];}",
     {"a"}},
    {"{name = 'a'; op = 'read'; rate = '1/s'; sizes = ['4KiB'];},"
     "{name = 'b'; op = 'write'; rate = '1/s'; sizes = ['4KiB']; judge = true;}",
     {"a", "b"}},
    {"{name = 'a'; op = 'read'; rate = '1/s'; sizes = ['4KiB']; judge = false;},"
     "{name = 'b'; op = 'write'; rate = '1/s'; sizes = ['4KiB']; judge = true;}",
     {"b"}},
    {"{name = 'a'; op = 'write'; rate = '1/s'; sizes = ['4KiB'];},"
     "{name = 'b'; op = 'write'; rate = '1/s'; sizes = ['4KiB'];}",
     {"a", "b"}},
    {"{name = 'a'; op = 'write'; rate = '1/s'; sizes = ['4KiB']; judge = true;},"
     "{name = 'b'; op = 'write'; rate = '1/s'; sizes = ['4KiB'];}",
     {"a"}},
};

Test(custom, reads_are_judged_unless_they_say_otherwise)
{
	for (size_t i = 0; i < sizeof(judgements) / sizeof(judgements[0]); i++) {
		char text[512];
		size_t count = 0;

		snprintf(text, sizeof(text), CUSTOM "streams = (%s);", judgements[i].streams);
		struct workload workload = compile(text);
		for (; judgements[i].judged[count]; count++)
			cr_expect_str_eq(workload.judged[count], judgements[i].judged[count]);
		cr_expect_eq(workload.judged_count, count, "%s", judgements[i].streams);
	}
}

Test(custom, tells_the_older_tool_of_its_streams)
{
	struct workload workload = compile(cases[3].text);

	cr_expect_str_eq(workload.title, "ACT-CUSTOM");
	cr_expect_not_null(strstr(workload.configuration,
				  "\nstream-1: a read 8314.00/s per device, 4096 ... 4096 bytes\n"),
			   "%s", workload.configuration);
	/* 8314 / 2000 and 1686 / 1000 */
	cr_expect_float_eq(workload.effective_load_read, 4.157, 1e-12);
	cr_expect_float_eq(workload.effective_load_write, 1.686, 1e-12);
}

/* What is refused, and a part of what is said. */
static const struct {
	const char *text;
	const char *said;
} refused[] = {
    /* 10^12 / 4096 */
    {CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '1TB/s'; sizes = ['4KiB'];});",
     "F:1: streams = a: 244140625 per second and device cannot be kept; allowed: up to 100000000 "
     "per "
     "second"},
    {CUSTOM "scale = '200%';"
	    "streams = ({name = 'a'; op = 'read'; rate = '50000001/s'; sizes = ['4KiB'];});",
     "100000002 per second and device cannot be kept"},
    /* 3/10^10: times 10^9 ns that leaves 64 bits. */
    {CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '0.0000000003/s'; sizes = ['4KiB'];});",
     "leaves the range of exact fractions"},
    {CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '50%'; sizes = ['4KiB'];});",
     "a share, but the key rate is not set"},
    {CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '1/s'; sizes = ['4KiB:99999', "
	    "'8KiB:9'];});",
     "F:1: streams = a: a size would have less than one request of 10000; allowed: weights of "
     "at least 0.01 % of all"},
    {CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '1/s'; sizes = ['4KiB:0', '8KiB:0'];});",
     "F:1: "},
    {CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '1/s'; sizes = ['4KiB']; "
	    "devices = '2';});",
     "no such device"},
    {CUSTOM "judge = ['b']; streams = ({name = 'a'; op = 'read'; rate = '1/s'; "
	    "sizes = ['4KiB'];});",
     "F:1: judge = b: "},
    {CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '1/s'; sizes = ['4KiB']; "
	    "judge = false;});",
     "no stream is judged"},
    {CUSTOM "devices = ['/dev/a', '/dev/b']; streams = ({name = 'a'; op = 'read'; rate = '1/s'; "
	    "sizes = ['4KiB']; devices = '2';});",
     "/dev/a: no stream is issued on it (device 1); allowed: each device has at least one"},
    {CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '0/s'; sizes = ['4KiB'];});",
     "F:1: streams = a: no load at all; allowed: at least one stream above 0 per second"},
    {CUSTOM "streams = ({name = 'a'; op = 'read'; rate = '1/s'; sizes = ['4KiB']; thresholds = "
	    "['1us:1%', '2us:1%', '3us:1%', '4us:1%', '5us:1%', '6us:1%'];});",
     "8 different ones"},
};

Test(custom, refuses_what_cannot_be)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct config config;
		struct workload workload;
		struct error err = {0};

		cr_expect_lt(compile_try(refused[i].text, &config, &workload, &err), 0, "%s",
			     refused[i].text);
		cr_expect_eq(err.status, EXIT_USAGE);
		cr_expect_not_null(strstr(err.text, refused[i].said), "%s\n%s", refused[i].text,
				   err.text);
		cr_expect_null(strchr(err.text, '\n'));
		cr_expect_not_null(strstr(err.text, "; allowed: "), "%s", err.text);
	}
}
