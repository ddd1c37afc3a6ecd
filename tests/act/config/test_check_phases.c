#include <criterion/criterion.h>

#include "tests/act/config/refusals.h"

#define DEVICE "devices = [\"/dev/a\"]\n"
#define CUSTOM DEVICE "workload = \"custom\"\n"
#define STREAMS                                                                                    \
	"streams = (\n{ name = \"reads\"; op = \"read\"; rate = \"30x\"; sizes = [\"4KiB\"]; "     \
	"},\n{ name = \"writes\"; op = \"write\"; rate = \"40%\"; sizes = [\"4KiB\"]; })\n"
#define RATE        "rate = \"100/s\"\n"
#define PHASE(keys) "phases = ({ name = \"a\"; " keys " })\n"

/* Of a phase with the streams and the rest of the config. */
static const struct refusal phases[] = {
    {DEVICE PHASE("load = \"0x\";"), "F:2: phases[1].judge = true: nothing is issued in it; "
				     "allowed: judge = false in an idle phase"},
    {DEVICE PHASE("load = \"0x\"; judge = false;"),
     "F:2: phases = a: no load in any of them; allowed: one with a load"},
    {DEVICE PHASE("read-load = \"0x\"; write-load = \"0x\";"),
     "F:2: phases[1].judge = true: nothing is issued in it; allowed: judge = false in an idle "
     "phase"},
    {DEVICE PHASE("read-load = \"0x\";"), NULL},
    {DEVICE PHASE("streams = [\"scans\"];"),
     "F:2: phases[1].streams = scans: no such stream; allowed: reads, writes, large-block-reads, "
     "large-block-writes, tomb-raider-reads"},
    {DEVICE PHASE("streams = [\"reads\", \"large-block-writes\"];"), NULL},
    {DEVICE PHASE("rate = \"5/s\";"),
     "F:2: phases[1].rate = 5/s: only a custom workload has shares of a rate; allowed: load"},
    {DEVICE PHASE("steps = \"rate:1/s..2/s:1/s\";"),
     "F:2: phases[1].steps = rate: only a custom workload has shares; allowed: steps of load or of "
     "a stream"},
    {DEVICE PHASE("steps = \"scans:1/s..2/s:1/s\";"),
     "F:2: phases[1].steps = scans: no such stream; allowed: reads, writes, large-block-reads, "
     "large-block-writes, tomb-raider-reads"},
    {DEVICE PHASE("steps = \"load:0x..2x:1x\";"), "F:2: phases[1].judge = true: nothing is issued "
						  "in it; allowed: judge = false in an idle phase"},
    {DEVICE PHASE("steps = \"load:0x..2x:1x\"; judge = false;"), NULL},
    {DEVICE PHASE("steps = \"load:1x..2x:1x\";"), NULL},
    {DEVICE PHASE("streams = [\"reads\"]; steps = \"large-block-writes:1/s..2/s:1/s\";"),
     "F:2: phases[1].steps = large-block-writes: not issued in this phase; allowed: streams that "
     "it has in its key streams"},
    {DEVICE PHASE("duration = \"1500ms\";"),
     "F:2: phases[1].duration = 1.5s: not a multiple of interval; allowed: multiples of interval"},
    {DEVICE PHASE("duration = \"0s\";"), NULL},
    {DEVICE "interval = \"10s\"\nslice = \"1h\"\n" PHASE("duration = \"15s\";"),
     "F:4: phases[1].duration = 15s: not a multiple of interval; allowed: multiples of interval"},
    {DEVICE "load = \"0x\"\n" PHASE(""), "F:3: phases[1].judge = true: nothing is issued in it; "
					 "allowed: judge = false in an idle phase"},
    {DEVICE "load = \"0x\"\n" PHASE("load = \"1x\";"), NULL},
    {DEVICE "load = \"0x\"\njudge = [\"reads\"]\n" PHASE("write-load = \"1x\";"),
     "F:3: judge = reads: this load has no reads, as read-load = 0x (F:2); allowed: streams of "
     "this load"},
    {DEVICE "workload = \"index\"\n" PHASE("streams = [\"reads\", \"large-block-writes\"];"),
     "F:3: phases[1].streams = large-block-writes: no such stream; allowed: reads, writes"},
    {DEVICE "phases = ({ name = \"a\"; load = \"0x\"; judge = false; },\n{ name = \"b\"; load = "
	    "\"1x\"; },\n{ name = \"c\"; load = \"0x\"; })\n",
     "F:4: phases[3].judge = true: nothing is issued in it; allowed: judge = false in an idle "
     "phase"},
    {DEVICE "phases = ({ name = \"a\"; steps = \"load:1x..100x:1x\"; },\n{ name = \"b\"; steps = "
	    "\"load:1x..28x:1x\"; })\n",
     NULL},
    {DEVICE "phases = ({ name = \"a\"; steps = \"load:1x..100x:1x\"; },\n{ name = \"b\"; steps = "
	    "\"load:1x..29x:1x\"; })\n",
     "F:2: phases = a,b: too many with their steps; allowed: up to 128 phases"},
    {DEVICE "phases = ({ name = \"up\"; steps = \"load:1x..10x:1x\"; },\n{ name = \"up 11x\"; "
	    "},\n{ name = \"up 3x\"; })\n",
     "F:4: phases[3].name = up 3x: a step of another phase has this name; allowed: names that "
     "differ"},
    {CUSTOM STREAMS PHASE(""), "F:6: phases[1].rate =: none, but writes is 40% of it; allowed: a "
			       "rate as 5000/s, here or as the key rate of all"},
    {CUSTOM STREAMS PHASE("streams = [\"reads\"];"), NULL},
    {CUSTOM STREAMS PHASE("streams = [\"reads:50%\"];"),
     "F:6: phases[1].rate =: none, but reads is 50% of it; allowed: a rate as 5000/s, here or as "
     "the key rate of all"},
    {CUSTOM STREAMS PHASE("streams = [\"writes\"];"),
     "F:6: phases[1].rate =: none, but writes is 40% of it; allowed: a rate as 5000/s, here or as "
     "the key rate of all"},
    {CUSTOM STREAMS PHASE("streams = [\"scans\"];"),
     "F:6: phases[1].streams = scans: no such stream; allowed: reads, writes"},
    {CUSTOM STREAMS PHASE("load = \"1x\";"),
     "F:6: phases[1].read-load = 1x: a custom workload has no load; allowed: rates of streams"},
    {CUSTOM STREAMS PHASE("read-load = \"1x\";"),
     "F:6: phases[1].read-load = 1x: a custom workload has no load; allowed: rates of streams"},
    {CUSTOM STREAMS PHASE("write-load = \"1x\";"),
     "F:6: phases[1].write-load = 1x: a custom workload has no load; allowed: rates of streams"},
    {CUSTOM STREAMS PHASE("steps = \"load:1x..2x:1x\";"),
     "F:6: phases[1].steps = load: a custom workload has no load; allowed: steps of rate or of a "
     "stream"},
    {CUSTOM STREAMS PHASE("rate = \"5/s\";"), NULL},
    {CUSTOM STREAMS PHASE("steps = \"rate:1/s..2/s:1/s\";"), NULL},
    {CUSTOM STREAMS PHASE("rate = \"0/s\"; streams = [\"writes\"];"),
     "F:6: phases[1].judge = true: nothing is issued in it; allowed: judge = false in an idle "
     "phase"},
    {CUSTOM STREAMS PHASE("rate = \"0/s\";"), NULL},
    {CUSTOM STREAMS PHASE("streams = [\"reads:0/s\"];"),
     "F:6: phases[1].judge = true: nothing is issued in it; allowed: judge = false in an idle "
     "phase"},
    {CUSTOM STREAMS PHASE("streams = [\"reads\"]; steps = \"writes:1/s..2/s:1/s\";"),
     "F:6: phases[1].steps = writes: not issued in this phase; allowed: streams that it has in its "
     "key streams"},
    {CUSTOM STREAMS PHASE("streams = [\"writes\"]; steps = \"rate:0/s..2/s:1/s\";"),
     "F:6: phases[1].judge = true: nothing is issued in it; allowed: judge = false in an idle "
     "phase"},
    {CUSTOM STREAMS PHASE("streams = [\"reads\"]; steps = \"reads:0/s..2/s:1/s\";"),
     "F:6: phases[1].judge = true: nothing is issued in it; allowed: judge = false in an idle "
     "phase"},
    {CUSTOM STREAMS PHASE("steps = \"writes:10%..50%:10%\";"),
     "F:6: phases[1].rate =: none, but writes is 10% of it; allowed: a rate as 5000/s, here or as "
     "the key rate of all"},
    {CUSTOM STREAMS RATE PHASE(""), NULL},
    {CUSTOM STREAMS RATE PHASE("rate = \"0/s\"; streams = [\"writes\"];"),
     "F:7: phases[1].judge = true: nothing is issued in it; allowed: judge = false in an idle "
     "phase"},
};

Test(config_check_phases, what_does_not_fit_together_is_refused)
{
	expect_refusals(phases, sizeof(phases) / sizeof(phases[0]));
}
