#include "act/workload/workload.h"

#include <criterion/criterion.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/compile.h"

#define SEC NS_PER_SEC

#define TWO                                                                                        \
	"workload = 'custom'; rate = '1000/s';"                                                    \
	"streams = ({name = 'a'; op = 'read'; rate = '60%'; sizes = ['4KiB'];},"                   \
	"{name = 'b'; op = 'write'; rate = '40%'; sizes = ['4KiB'];}); "

Test(workload, without_phases_there_is_one_without_a_name)
{
	struct workload workload = compile("load = '17x'; duration = '3h';");

	cr_assert_eq(workload.phase_count, 1);
	cr_expect_str_eq(workload.phases[0].name, "");
	cr_expect_eq(workload.phases[0].start_ns, 0);
	cr_expect_eq(workload.phases[0].end_ns, 10800 * SEC);
	cr_expect(workload.phases[0].judged);
	cr_expect_eq(workload.phases[0].per_sec[0].num, 34000);
	cr_expect_eq(workload.phases[0].per_sec[1].num, 400);
}

Test(workload, what_is_judged_must_be_there)
{
	struct config config;
	struct workload workload;
	struct error err = {0};

	workload = compile("judge = ['large-block-writes'];");
	cr_expect_eq(workload.judged_count, 1);
	cr_expect_str_eq(workload.judged[0], "large-block-writes");
	cr_assert_lt(compile_try("judge = ['large-block-reads']; defrag-reads = false;", &config,
				 &workload, &err),
		     0);
	cr_expect_eq(err.status, EXIT_USAGE);
	cr_expect_not_null(
	    strstr(err.text, "F:1: judge = large-block-reads: this load has no large-block-reads"),
	    "%s", err.text);
}

Test(workload, no_load_is_none)
{
	struct config config;
	struct workload workload;
	struct error err = {0};

	cr_assert_lt(compile_try("load = '0x'; stress = true;", &config, &workload, &err), 0);
	cr_expect_eq(err.status, EXIT_USAGE);
}

/* Of the devices, the one with the most. */
Test(workload, a_phases_rate_is_that_of_its_busiest_device)
{
	struct workload workload =
	    compile("workload = 'custom'; devices = ['/dev/a', '/dev/b', '/dev/c'];"
		    "streams = ({name = 'a'; op = 'read'; rate = '100/s'; sizes = ['4KiB']; "
		    "devices = '1';},"
		    "{name = 'b'; op = 'read'; rate = '70/s'; sizes = ['4KiB']; devices = '2-3';},"
		    "{name = 'c'; op = 'read'; rate = '40/s'; sizes = ['4KiB']; devices = '3';},"
		    "{name = 'd'; op = 'read'; rate = '5/s'; sizes = ['4KiB'];});");

	cr_expect_float_eq(workload_phase_rate(&workload, &workload.phases[0]), 115, 1e-9);
}

static struct config hardest(const char *text)
{
	struct config config;
	struct config alone;
	struct workload workload;
	struct error err = {0};

	cr_assert_eq(compile_try(text, &config, &workload, &err), 0, "%s", err.text);
	cr_assert_eq(workload_hardest_phase(&config, 2 * SEC, &alone, &err), 0, "%s", err.text);
	return alone;
}

#define APART                                                                                      \
	"workload = 'custom'; devices = ['/dev/a', '/dev/b'];"                                     \
	"streams = ({name = 'a'; op = 'read'; rate = '60/s'; sizes = ['4KiB']; devices = '1';},"   \
	"{name = 'b'; op = 'write'; rate = '10/s'; sizes = ['4KiB']; devices = '2';}); "

/* What is left is a run of that phase alone: its streams, its rates. */
static const struct {
	const char *text;
	const char *name;
	uint64_t per_sec[2];
	const char *judged[3];
} hardest_cases[] = {
    {"load = '1x'; write-load = '0x';", "", {2000}, {"reads"}},
    {"write-load = '0x'; phases = ({name = 'one'; duration = '1h'; read-load = '1x';},"
     "{name = 'two'; duration = '1s'; read-load = '3x';},"
     "{name = 'three'; duration = '1h'; read-load = '2x';});",
     "two",
     {6000},
     {"reads"}},
    {TWO "phases = ({name = 'up'; duration = '1s'; steps = 'rate:10/s..90/s:20/s';},"
	 "{name = 'down'; duration = '1s'; rate = '50/s';});",
     "up 90/s",
     {54, 36},
     {"a"}},
    {TWO "phases = ({name = 'one'; duration = '1s'; streams = ['a:1/s', 'b:2/s'];},"
	 "{name = 'two'; duration = '1s'; steps = 'b:10/s..30/s:10/s'; streams = ['a:5/s', 'b'];"
	 "});",
     "two 30/s",
     {5, 30},
     {"a"}},
    /* Nothing that is judged is in it. */
    {TWO "phases = ({name = 'one'; duration = '1s'; streams = ['a:1/s'];},"
	 "{name = 'two'; duration = '1s'; streams = ['b:30/s']; judge = false;});",
     "two",
     {30},
     {"b"}},
    /* The busiest device has as much in both. */
    {APART "phases = ({name = 'one'; duration = '1s'; streams = ['a'];},"
	   "{name = 'two'; duration = '1s';});",
     "two",
     {60, 10},
     {"a"}},
    /* One device rests. */
    {APART "phases = ({name = 'one'; duration = '1s'; streams = ['a'];},"
	   "{name = 'two'; duration = '1s'; streams = ['b']; judge = false;});",
     "one",
     {60},
     {"a"}},
};

Test(workload, the_hardest_phase_alone)
{
	for (size_t i = 0; i < sizeof(hardest_cases) / sizeof(hardest_cases[0]); i++) {
		struct config config = hardest(hardest_cases[i].text);
		struct workload workload;
		struct error err = {0};
		size_t judged = 0;

		cr_assert_eq(workload_compile(&config, &workload, &err), 0, "%s", err.text);
		cr_assert_eq(workload.phase_count, 1);
		cr_expect_str_eq(workload.phases[0].name, hardest_cases[i].name);
		cr_expect_eq(workload.phases[0].end_ns, 2 * SEC);
		for (size_t j = 0; j < workload.stream_count; j++)
			cr_expect_eq(ratio_compare(workload.phases[0].per_sec[j],
						   ratio_make(hardest_cases[i].per_sec[j], 1)),
				     0, "%s", hardest_cases[i].text);
		for (; hardest_cases[i].judged[judged]; judged++)
			cr_expect_str_eq(workload.judged[judged], hardest_cases[i].judged[judged]);
		cr_expect_eq(workload.judged_count, judged);
	}
}
