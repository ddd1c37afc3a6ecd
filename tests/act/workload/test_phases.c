#include "act/workload/phases.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/compile.h"

#define SEC NS_PER_SEC

/* Two streams of the config's own; b has a rate in phases only. */
#define TWO                                                                                        \
	"workload = 'custom'; rate = '1000/s';"                                                    \
	"streams = ({name = 'a'; op = 'read'; rate = '60%'; sizes = ['4KiB'];},"                   \
	"{name = 'b'; op = 'write'; rate = '40%'; sizes = ['4KiB'];}); "

struct expected {
	const char *name;
	uint64_t end_sec;
	bool judged;
	struct ratio per_sec[3]; /* in the order of the streams; den 0: rests */
};

/* Phases, and what is issued in each, by hand. */
static const struct {
	const char *text;
	struct expected phases[5];
} cases[] = {
    /* 2000 reads of each load, 400/17 blocks read and as many written */
    {"phases = ({name = 'low'; duration = '10s'; load = '1x';},"
     "{name = 'high'; duration = '20s'; load = '17x';},"
     "{name = 'reads'; duration = '5s'; load = '2x'; write-load = '0x';});",
     {{"low", 10, true, {{2000, 1}, {400, 17}, {400, 17}}},
      {"high", 30, true, {{34000, 1}, {400, 1}, {400, 1}}},
      {"reads", 35, true, {{4000, 1}, {0, 0}, {0, 0}}}}},
    /* What a phase does not say is as the config says it; nothing at all is idle. */
    {"read-load = '3x'; write-load = '1x';"
     "phases = ({name = 'as is'; duration = '1s';},"
     "{name = 'more'; duration = '1s'; read-load = '4x'; judge = false;},"
     "{name = 'idle'; duration = '1s'; load = '0x'; judge = false;});",
     {{"as is", 1, true, {{6000, 1}, {400, 17}, {400, 17}}},
      {"more", 2, false, {{8000, 1}, {400, 17}, {400, 17}}},
      {"idle", 3, false, {{0, 0}, {0, 0}, {0, 0}}}}},
    /* Without a duration a phase takes a slice. */
    {"slice = '7s'; phases = ({name = 'one';}, {name = 'two'; duration = '3s'; load = '2x';});",
     {{"one", 7, true, {{2000, 1}, {400, 17}, {400, 17}}},
      {"two", 10, true, {{4000, 1}, {800, 17}, {800, 17}}}}},
    /* A shorter duration cuts: the second phase to half, the third off. */
    {"duration = '15s'; phases = ({name = 'one'; duration = '10s';},"
     "{name = 'two'; duration = '10s'; load = '2x';}, {name = 'three'; load = '3x';});",
     {{"one", 10, true, {{2000, 1}, {400, 17}, {400, 17}}},
      {"two", 15, true, {{4000, 1}, {800, 17}, {800, 17}}}}},
    /* The scale is of all phases. */
    {"scale = '50%'; phases = ({name = 'one'; duration = '1s'; load = '17x';},"
     "{name = 'two'; duration = '1s'; load = '34x';});",
     {{"one", 1, true, {{17000, 1}, {200, 1}, {200, 1}}},
      {"two", 2, true, {{34000, 1}, {400, 1}, {400, 1}}}}},
    /* Streams of the model by their names, one with a rate of its own: 17 * 400/17 */
    {"phases = ({name = 'one'; duration = '1s'; load = '17x'; streams = ['reads',"
     "'large-block-writes:5/s'];});",
     {{"one", 1, true, {{34000, 1}, {5, 1}}}}},
    {"phases = ({name = 'load'; duration = '2s'; steps = 'load:1x..2x:0.5x';});",
     {{"load 1x", 2, true, {{2000, 1}, {400, 17}, {400, 17}}},
      {"load 1.5x", 4, true, {{3000, 1}, {600, 17}, {600, 17}}},
      {"load 2x", 6, true, {{4000, 1}, {800, 17}, {800, 17}}}}},

    /* Shares are of the phase's rate where it has one. */
    {TWO "phases = ({name = 'one'; duration = '1s';},"
	 "{name = 'two'; duration = '1s'; rate = '50/s';},"
	 "{name = 'only a'; duration = '1s'; streams = ['a'];},"
	 "{name = 'b too'; duration = '1s'; streams = ['a:7/s', 'b'];},"
	 "{name = 'idle'; duration = '1s'; rate = '0/s'; judge = false;});",
     {{"one", 1, true, {{600, 1}, {400, 1}}},
      {"two", 2, true, {{30, 1}, {20, 1}}},
      {"only a", 3, true, {{600, 1}, {0, 0}}},
      {"b too", 4, true, {{7, 1}, {400, 1}}},
      {"idle", 5, false, {{0, 0}, {0, 0}}}}},
    {TWO "phases = ({name = 'rate'; duration = '1s'; steps = 'rate:100/s..300/s:100/s';});",
     {{"rate 100/s", 1, true, {{60, 1}, {40, 1}}},
      {"rate 200/s", 2, true, {{120, 1}, {80, 1}}},
      {"rate 300/s", 3, true, {{180, 1}, {120, 1}}}}},
    /* 10^6 / 4096 = 15625/64 */
    {TWO "phases = ({name = 'push'; duration = '1s'; steps = 'b:1MB/s..3MB/s:1MB/s';});",
     {{"push 1MB/s", 1, true, {{600, 1}, {15625, 64}}},
      {"push 2MB/s", 2, true, {{600, 1}, {15625, 32}}},
      {"push 3MB/s", 3, true, {{600, 1}, {46875, 64}}}}},
    /* Steps of a stream are of what it has in the phase, and scaled as all is. */
    {TWO "scale = '200%'; phases = ({name = 'x'; duration = '1s'; streams = ['a', 'b'];"
	 "steps = 'a:10%..20%:10%';});",
     {{"x 10%", 1, true, {{200, 1}, {800, 1}}}, {"x 20%", 2, true, {{400, 1}, {800, 1}}}}},
    /* A share of nothing is no matter where the stream rests. */
    {"workload = 'custom';"
     "streams = ({name = 'a'; op = 'read'; rate = '60/s'; sizes = ['4KiB'];},"
     "{name = 'b'; op = 'write'; rate = '10%'; sizes = ['4KiB'];});"
     "phases = ({name = 'one'; duration = '1s'; streams = ['a'];},"
     "{name = 'two'; duration = '1s'; rate = '50/s';},"
     "{name = 'three'; duration = '1s'; streams = ['a', 'b:6/s'];});",
     {{"one", 1, true, {{60, 1}, {0, 0}}},
      {"two", 2, true, {{60, 1}, {5, 1}}},
      {"three", 3, true, {{60, 1}, {6, 1}}}}},
    /* The rates of b are those of phases alone. */
    {"workload = 'custom';"
     "streams = ({name = 'a'; op = 'read'; rate = '60/s'; sizes = ['4KiB'];},"
     "{name = 'b'; op = 'write'; rate = '0/s'; sizes = ['4KiB'];});"
     "phases = ({name = 'one'; duration = '1s'; streams = ['a', 'b:9/s'];},"
     "{name = 'two'; duration = '1s';});",
     {{"one", 1, true, {{60, 1}, {9, 1}}}, {"two", 2, true, {{60, 1}, {0, 0}}}}},
};

static void expect_phase(const struct workload *workload, size_t number,
			 const struct expected *expected)
{
	const struct workload_phase *phase = &workload->phases[number];
	uint64_t start_ns = number ? workload->phases[number - 1].end_ns : 0;

	cr_expect_str_eq(phase->name, expected->name);
	cr_expect_eq(phase->start_ns, start_ns, "%s", phase->name);
	cr_expect_eq(phase->end_ns, expected->end_sec * SEC, "%s", phase->name);
	cr_expect_eq(phase->judged, expected->judged, "%s", phase->name);
	for (size_t i = 0; i < workload->stream_count; i++) {
		struct ratio rate = expected->per_sec[i];

		cr_expect_eq(phase->per_sec[i].num, rate.num, "%s: %s", phase->name,
			     workload->streams[i].name);
		cr_expect(rate.num == 0 || phase->per_sec[i].den == rate.den, "%s: %s", phase->name,
			  workload->streams[i].name);
	}
}

Test(phases, are_those_asked_for)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload workload = compile(cases[i].text);
		size_t count = 0;

		for (; count < 5 && cases[i].phases[count].name; count++)
			if (count < workload.phase_count)
				expect_phase(&workload, count, &cases[i].phases[count]);
		cr_expect_eq(workload.phase_count, count, "%s", cases[i].text);
	}
}

/* A stream's rate is its highest, in whichever phase; one that rests in all of them is none. */
Test(phases, streams_are_those_of_all_phases)
{
	struct workload workload =
	    compile(TWO "phases = ({name = 'one'; duration = '1s'; rate = '10/s';},"
			"{name = 'two'; duration = '1s'; rate = '5000/s'; streams = ['a'];},"
			"{name = 'three'; duration = '1s'; streams = ['a:1/s'];});");

	cr_assert_eq(workload.stream_count, 2);
	cr_expect_eq(workload.streams[0].per_sec.num, 3000);
	cr_expect_eq(workload.streams[1].per_sec.num, 4);
	workload = compile(TWO "phases = ({name = 'one'; duration = '1s'; streams = ['a'];});");
	cr_assert_eq(workload.stream_count, 1);
	cr_expect_str_eq(workload.streams[0].name, "a");
}

/* The older tool's text is that of the phase with the most requests. */
Test(phases, the_older_tools_text_is_that_of_the_highest_load)
{
	struct workload workload =
	    compile("phases = ({name = 'one'; duration = '1s'; load = '1x';},"
		    "{name = 'two'; duration = '1s'; load = '30x';},"
		    "{name = 'three'; duration = '1s'; load = '2x';});");

	cr_expect_not_null(strstr(workload.configuration, "\nread-reqs-per-sec: 60000\n"));
	cr_expect_not_null(strstr(workload.derived, "large-block-reads-per-sec: 705.88\n"));
	cr_expect_not_null(strstr(workload.configuration, "test-duration-sec: 3\n"), "%s",
			   workload.configuration);
	cr_expect_float_eq(workload.effective_load_read, 30, 1e-12);
}

static const struct {
	const char *text;
	const char *said;
} refused[] = {
    {"phases = ({name = 'one'; duration = '1s'; streams = ['nobody'];});", "nobody"},
    {"phases = ({name = 'one'; duration = '1s'; steps = 'nobody:1/s..2/s:1/s';});", "nobody"},
    {TWO "phases = ({name = 'one'; duration = '1s'; streams = ['a']; steps = 'b:1/s..2/s:1/s';});",
     "not issued in this phase"},
    {"phases = ({name = 'one'; duration = '1s'; load = '0x';});", "judge = false in an idle phase"},
    {"duration = '3s'; phases = ({name = 'one'; duration = '2s';});",
     "longer than all phases, which take 2s"},
    {TWO "phases = ({name = 'both'; duration = '1s';}, {name = 'one'; duration = '1s'; "
	 "streams = ['b'];});",
     "F:1: phases = one: no stream that is judged is issued in it; allowed: judge = false"},
    /* Above what can be kept in a phase only. */
    {"phases = ({name = 'one'; duration = '1s'; streams = ['reads:100000000/s'];});"
     "scale = '101%';",
     "F:1: phases = one: streams = reads: 101000000 per second and device cannot be kept"},
    {"phases = ({name = 'one'; duration = '1s'; load = '10000x'; write-load = '1x';});"
     "scale = '1000%';",
     "200000000 reads per second and device cannot be kept"},
    {TWO "phases = ({name = 'one'; duration = '1s'; steps = 'b:1/s..129/s:1/s';});", "128"},
    {TWO "phases = ({name = 'one'; duration = '1s'; streams = ['a'];}); judge = ['b'];",
     "judge = b: this load has no b; allowed: a"},
    {TWO "phases = ({name = 'one'; duration = '1500ms';});", "multiple"},
};

Test(phases, refuses_what_cannot_be)
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
