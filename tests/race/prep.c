#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "act/prep/prep.h"

/*
 * Two preparations at once, each by a thread, with an observer that counts without any
 * lock of its own: calls of it must never overlap.
 */

#define BYTES (UINT64_C(16) << 20)

struct counts {
	uint64_t progress;
	uint64_t notices;
	uint64_t done_bytes;
};

static void count_progress(void *state, const struct prep_status *statuses, size_t count)
{
	struct counts *counts = state;

	counts->progress++;
	for (size_t i = 0; i < count; i++)
		counts->done_bytes += statuses[i].done_bytes;
}

static void count_notice(void *state, const char *name, const char *text)
{
	struct counts *counts = state;

	(void)name;
	(void)text;
	counts->notices++;
}

static int check(const struct prep *prep, size_t i)
{
	const struct prep_report *report = prep_report(prep, i);

	if (report->outcome == PREP_PREPARED && report->verify.bad == 0 &&
	    report->verify.sectors == (BYTES - LABEL_AREA_BYTES) / PAYLOAD_SECTOR_BYTES)
		return 0;
	fprintf(stderr, "%s: outcome %d, %s\n", report->name, (int)report->outcome,
		report->err.text);
	return 1;
}

int main(void)
{
	static const struct prep_target targets[] = {
	    {"race-prep-one", BYTES},
	    {"race-prep-two", BYTES},
	};
	struct counts counts = {0};
	const struct prep_observer observer = {
	    .progress = count_progress,
	    .notice = count_notice,
	    .state = &counts,
	};
	const struct prep_request request = {
	    .targets = targets,
	    .target_count = 2,
	    .options = {.passes = 3, .verify = true, .restart = true},
	    .ops = &io_engine_uring,
	};
	struct error err = {0};
	struct prep *prep = NULL;
	int failed;

	if (io_engine_uring.probe(&err) < 0) {
		printf("SKIP: %s\n", err.text);
		return EXIT_SUCCESS;
	}
	if (prep_new(&request, &prep, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return EXIT_FAILURE;
	}
	prep_run(prep, &observer);
	failed = check(prep, 0) + check(prep, 1) + (counts.notices != 6);
	prep_free(prep);
	unlink(targets[0].path);
	unlink(targets[1].path);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
