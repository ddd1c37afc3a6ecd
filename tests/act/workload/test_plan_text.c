#include "act/workload/plan_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/compile.h"

static void expect_plan(const char *config, const char *expected)
{
	struct workload workload = compile(config);
	char *text = workload_format_plan(&workload);

	cr_assert_not_null(text);
	cr_expect_str_eq(text, expected, "%s", text);
	free(text);
}

Test(plan_text, of_the_storage_model)
{
	expect_plan("load = '30x'; duration = '24h'; defrag-reads = false;",
		    "# What follows from this config; rates are for each device.\n"
		    "#\n"
		    "# stream reads: reads, judged\n"
		    "#   sizes                1536B\n"
		    "#   mean size            1536.00 bytes\n"
		    "#   places               random\n"
		    "#   region               0%..100%\n"
		    "#   devices              all\n"
		    "#\n"
		    "# stream large-block-writes: writes, O_DSYNC, not judged\n"
		    "#   sizes                128KiB\n"
		    "#   mean size            131072.00 bytes\n"
		    "#   places               random\n"
		    "#   region               0%..100%\n"
		    "#   devices              all\n"
		    "#\n"
		    "# for 24h\n"
		    "#   reads                60000/s\n"
		    "#   large-block-writes   705.88/s, exactly 12000/17\n");
}

Test(plan_text, of_a_custom_workload_with_phases)
{
	expect_plan(
	    "workload = 'custom'; devices = ['/dev/a', '/dev/b', '/dev/c', '/dev/d', '/dev/e'];"
	    "streams = ({name = 'reads'; op = 'read'; rate = '10/s'; sizes = ['4KiB:1', "
	    "'8KiB..16KiB:2']; random = '80%'; region = '12.5%..50%'; in-flight-cap = 9;"
	    "thresholds = ['2ms:5%', '1s:0.1%'];},"
	    "{name = 'log'; op = 'write'; rate = '1/s'; sizes = ['4KiB']; random = '0%';"
	    "devices = '1-3,5'; odsync = false;});"
	    "phases = ({name = 'warm'; duration = '1m'; judge = false; streams = ['reads'];},"
	    "{name = 'both'; duration = '90s'; streams = ['reads', 'log:1/s'];});",
	    "# What follows from this config; rates are for each device.\n"
	    "#\n"
	    "# stream reads: reads, judged\n"
	    "#   sizes                4KiB 33.33%, 8KiB..16KiB 66.67%\n"
	    "#   mean size            9557.33 bytes\n" /* (4096 + 2 * 12288) / 3 */
	    "#   places               80.00% random, 20.00% sequential\n"
	    "#   region               12.5%..50%\n"
	    "#   devices              all\n"
	    "#   in flight, at most   9\n"
	    "#   limits of its own    at most 5% over 2ms\n"
	    "#                        at most 0.1% over 1s\n"
	    "#\n"
	    "# stream log: writes, not judged\n"
	    "#   sizes                4KiB\n"
	    "#   mean size            4096.00 bytes\n"
	    "#   places               sequential\n"
	    "#   region               0%..100%\n"
	    "#   devices              1-3,5\n"
	    "#\n"
	    "# phase warm: 0s to 1m, not judged\n"
	    "#   reads                10/s\n"
	    "#   log                  rests\n"
	    "#\n"
	    "# phase both: 1m to 2m30s, judged\n"
	    "#   reads                10/s\n"
	    "#   log                  1/s\n");
}
