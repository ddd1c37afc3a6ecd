#include "analysis/reports/verification.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "act/base/clock.h"
#include "tests/support/build_interval.h"
#include "tests/support/capture.h"

static void verify_first(struct interval *interval, void *state)
{
	struct tally *reads = interval_tally(interval, 0, BUILD_READS);
	struct tally *large = interval_tally(interval, 0, BUILD_LARGE_READS);

	(void)state;
	reads->verified_sectors = 3000;
	large->verified_sectors = 256000;
	if (interval->number == 7) {
		reads->errors = 1;
		reads->mismatches = 1;
		large->torn = 2;
	}
}

Test(verification, tells_of_each_device_what_is_known)
{
	const struct run_end completed = {.reason = END_COMPLETED, .at_ns = 10 * NS_PER_SEC};
	struct capture capture;
	struct run_info info;

	build_info(&info, 3, 1);
	info.devices[0].verified = true;
	snprintf(info.devices[1].not_verified, sizeof(info.devices[1].not_verified),
		 "verify = off");
	struct judge *judge = build_judge(&info, 10, verify_first, NULL);
	const struct result *result = judge_finish(judge, &completed);
	capture_start(&capture);
	verification_print(result, capture.stream);
	capture_end(&capture);
	cr_expect_str_eq(capture.text,
			 "/dev/a: 2 590 000 sectors verified, 1 reads with wrong data, 2 torn by "
			 "writes of this run and read again\n"
			 "/dev/b: reads were not verified: verify = off\n");
	cr_expect_eq(result->exit_status, EXIT_DEVICE);
	free(capture.text);
	judge_free(judge);
	run_info_release(&info);
}
