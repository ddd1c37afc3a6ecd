#include <criterion/criterion.h>
#include <fcntl.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/base/clock.h"
#include "act/base/error.h"
#include "act/cmd/cmd.h"
#include "analysis/log.h"
#include "tests/support/build_interval.h"
#include "tests/support/scratch.h"

static char folder[SCRATCH_PATH_BYTES];
static char good[SCRATCH_PATH_BYTES];     /* passes, 4 % of reads over 1 ms */
static char slow[SCRATCH_PATH_BYTES];     /* fails */
static char killed[SCRATCH_PATH_BYTES];   /* has no end */
static char together[SCRATCH_PATH_BYTES]; /* two devices, of which the second fails */
static char output[SCRATCH_PATH_BYTES];

/* `over` of the last device's 1000 reads a second take 1 ms. */
static void write_log_of(const char *path, size_t devices, uint64_t over, bool whole)
{
	const struct run_end end = {.reason = END_COMPLETED, .at_ns = 20 * NS_PER_SEC};
	FILE *stream = fopen(path, "w");
	struct log_writer *writer;
	struct interval interval;
	struct run_info info;

	cr_assert_not_null(stream);
	build_info(&info, devices, 2);
	cr_assert_eq(log_writer_new(stream, &info, &writer, NULL), 0);
	build_interval(&interval, devices, 0);
	for (uint64_t i = 0; i < 20; i++) {
		build_interval_again(&interval, i);
		build_over(interval_tally(&interval, devices - 1, BUILD_READS), 0, over, over);
		log_write_interval(writer, &interval);
	}
	if (whole)
		log_write_end(writer, &end);
	interval_release(&interval);
	log_writer_free(writer);
	run_info_release(&info);
	fclose(stream);
}

static void write_log(const char *path, uint64_t over, bool whole)
{
	write_log_of(path, 1, over, whole);
}

static void setup(void)
{
	scratch_make(folder);
	scratch_path(good, folder, "good.log");
	scratch_path(slow, folder, "slow.log");
	scratch_path(killed, folder, "killed.log");
	scratch_path(together, folder, "together.log");
	scratch_path(output, folder, "output");
	write_log(good, 40, true);
	write_log(slow, 51, true);
	write_log(killed, 0, false);
	write_log_of(together, 2, 51, true);
}

static void teardown(void)
{
	scratch_remove(folder);
}

TestSuite(analyze, .init = setup, .fini = teardown);

#define ARGUMENTS_MAX 12

/* What it prints goes to `output` unless -o says otherwise; errors are dropped. */
static int analyze(const char *const *arguments)
{
	char *argv[ARGUMENTS_MAX + 2] = {(char[]){"analyze"}};
	int argc = 1;
	int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (; arguments[argc - 1] && argc <= ARGUMENTS_MAX; argc++)
		argv[argc] = strdup(arguments[argc - 1]);
	fflush(NULL);

	int out = dup(STDOUT_FILENO);
	int err = dup(STDERR_FILENO);

	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	optind = 0;

	int status = cmd_analyze(argc, argv);

	fflush(NULL);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	close(nothing);
	for (int i = 1; i < argc; i++)
		free(argv[i]);
	return status;
}

#define ANALYZE(...) analyze((const char *const[]){__VA_ARGS__, NULL})

static char *read_output(void)
{
	size_t length;
	char *data = scratch_read(output, &length);
	char *text = strndup(data, length);

	free(data);
	return text;
}

Test(analyze, the_status_is_that_of_the_run)
{
	cr_expect_eq(ANALYZE(good), EXIT_PASS);
	cr_expect_eq(ANALYZE(slow), EXIT_FAIL);
	cr_expect_eq(ANALYZE(killed), EXIT_INVALID);
	cr_expect_eq(ANALYZE(good, killed), EXIT_INVALID);
	cr_expect_eq(ANALYZE(slow, good, killed), EXIT_FAIL);
	cr_expect_eq(ANALYZE("--help"), EXIT_PASS);
}

Test(analyze, other_rules_can_be_asked_for)
{
	cr_expect_eq(ANALYZE(good, "--threshold", "1ms:4%"), EXIT_PASS);
	cr_expect_eq(ANALYZE(good, "--threshold", "1ms:3.9%"), EXIT_FAIL);
	cr_expect_eq(ANALYZE(slow, "--threshold", "8ms:1%"), EXIT_PASS);
	cr_expect_eq(ANALYZE(slow, "--histogram", "large-block-writes"), EXIT_PASS);
	cr_expect_eq(ANALYZE(slow, "--histogram", "large-block-writes", "--histogram", "reads"),
		     EXIT_FAIL);
	cr_expect_eq(ANALYZE(good, "--slice", "5s", "-o", output), EXIT_PASS);

	char *text = read_output();

	cr_expect(strstr(text, "PASS: 4 slices") != NULL, "%s", text);
	free(text);
}

Test(analyze, wrong_arguments_are_usage_errors)
{
	cr_expect_eq(analyze((const char *const[]){NULL}), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, "--threshold", "2ms:5%"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, "--threshold", "1ms"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, "--histogram", "writes"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, "--slice", "10"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, "--format", "xml"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, "--unknown"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(folder), EXIT_ENVIRONMENT);
	cr_expect_eq(ANALYZE(good, "/dev/null"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, "-o", "/nonexistent/file"), EXIT_ENVIRONMENT);
}

Test(analyze, a_log_may_be_its_own_output)
{
	snprintf(output, sizeof(output), "%s", slow);
	cr_expect_eq(ANALYZE(slow, "-o", slow), EXIT_FAIL);

	char *text = read_output();

	cr_expect(strstr(text, "\nFAIL: slice 1") != NULL, "%s", text);
	free(text);
}

Test(analyze, json_holds_the_same_verdict)
{
	cr_expect_eq(ANALYZE(slow, "--format", "json", "-o", output), EXIT_FAIL);

	json_t *json = json_load_file(output, 0, NULL);

	cr_assert_not_null(json);
	cr_expect_str_eq(json_string_value(json_object_get(json, "verdict")), "FAIL");
	cr_expect_eq(json_integer_value(json_object_get(json, "exit_status")), EXIT_FAIL);
	json_decref(json);
}

Test(analyze, linearity_ends_with_what_was_lost)
{
	cr_expect_eq(ANALYZE(good, together, "--linearity", "-o", output), EXIT_FAIL);

	char *text = read_output();

	cr_expect(strstr(text, "\n/dev/a: holds: PASS alone and together\n") != NULL, "%s", text);
	cr_expect(strstr(text, "\n/dev/b: lost: PASS alone, FAIL together") != NULL, "%s", text);
	free(text);
	cr_expect_eq(ANALYZE(slow, together, "--linearity"), EXIT_PASS);
	cr_expect_eq(ANALYZE(killed, together, "--linearity"), EXIT_INVALID);
	/* Other rules go for all logs. */
	cr_expect_eq(ANALYZE(good, together, "--linearity", "--threshold", "1ms:6%"), EXIT_PASS);
	cr_expect_eq(ANALYZE(good, together, "--linearity", "--format", "csv"), EXIT_FAIL);
	cr_expect_eq(ANALYZE(good, together, "--linearity", "--format", "json"), EXIT_FAIL);
}

Test(analyze, linearity_refuses_what_it_cannot_compare)
{
	cr_expect_eq(ANALYZE(good, "--linearity"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, slow, "--linearity"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(together, together, "--linearity"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, "/nonexistent", "--linearity"), EXIT_USAGE);
	cr_expect_eq(ANALYZE("/dev/null", together, "--linearity"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, together, "--linearity", "--follow"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, together, "--linearity", "--columns", "lag"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, together, "--linearity", "--histogram", "writes"), EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, TESTS_DIR "/golden/act/act_v6.6_storage.log", "--linearity"),
		     EXIT_USAGE);
	cr_expect_eq(ANALYZE(good, together, "--linearity", "-o", "/nonexistent/file"),
		     EXIT_ENVIRONMENT);
}
