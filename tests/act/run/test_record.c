#include "act/run/record.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/build_interval.h"
#include "tests/support/scratch.h"

static struct record *make(const char *dir, const struct run_info *info)
{
	struct record *record = NULL;
	struct error err = {0};

	cr_assert_eq(record_new(dir, info, "load = \"1x\";\n", &record, &err), 0, "%s", err.text);
	return record;
}

Test(record, makes_directories_and_files)
{
	char folder[SCRATCH_PATH_BYTES];
	char path[SCRATCH_PATH_BYTES];
	struct run_info info;
	struct error err = {0};
	size_t length;

	scratch_make(folder);
	build_info(&info, 1, 1);
	scratch_path(path, folder, "a/b/c");
	cr_assert_eq(record_check(path, &err), 0, "%s", err.text);
	cr_assert_neq(access(path, F_OK), 0); /* a check makes nothing */
	struct record *record = make(path, &info);
	cr_assert_eq(record_check(path, &err), -EEXIST);
	cr_assert_eq(err.status, EXIT_USAGE);
	cr_assert(!record_trouble(record, &err));
	cr_assert(!record_damaged(record));
	record_free(record);
	scratch_path(path, folder, "a/b/c/config.cfg");
	char *text = scratch_read(path, &length);
	cr_assert_eq(length, strlen("load = \"1x\";\n"));
	free(text);
	run_info_release(&info);
	scratch_remove(folder);
}

Test(record, refuses_places_that_cannot_be_written)
{
	static const char *const places[] = {"/proc/self/status/x", "/dev/null/deep/x"};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct error err = {0};

		cr_assert_lt(record_check(places[i], &err), 0, "%s", places[i]);
		cr_assert_eq(err.status, EXIT_ENVIRONMENT);
	}
}

Test(record, tells_trouble_with_the_result_once)
{
	char folder[SCRATCH_PATH_BYTES];
	char path[SCRATCH_PATH_BYTES];
	const struct run_end end = {.reason = END_COMPLETED};
	struct run_info info;
	struct error err = {0};

	scratch_make(folder);
	build_info(&info, 1, 1);
	scratch_path(path, folder, "out");
	struct record *record = make(path, &info);
	struct judge *judge = build_judge(&info, BUILD_SLICE_INTERVALS, NULL, NULL);
	const struct result *result = judge_finish(judge, &end);
	/* A directory stands where the file is to be. */
	scratch_path(path, folder, "out/result.json");
	cr_assert_eq(mkdir(path, 0777), 0);
	record_result(record, result);
	cr_assert(record_trouble(record, &err));
	cr_assert_not_null(strstr(err.text, "result.json"), "%s", err.text);
	cr_assert(!record_trouble(record, &err));
	record_result(record, result);
	cr_assert(!record_trouble(record, &err)); /* known already */
	cr_assert_eq(rmdir(path), 0);
	record_result(record, result);
	cr_assert(!record_trouble(record, &err));
	cr_assert_eq(access(path, R_OK), 0);
	record_free(record);
	judge_free(judge);
	run_info_release(&info);
	scratch_remove(folder);
}
