#include "act/run/targets.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scratch.h"

static struct config config_with_file(const char *path, const char *size)
{
	struct config config;
	struct error err = {0};
	char text[SCRATCH_PATH_BYTES + 32];

	config_defaults(&config);
	snprintf(text, sizeof(text), "%s:%s", path, size);
	cr_assert_eq(config_add_file(&config, "test", text, &err), 0, "%s", err.text);
	return config;
}

Test(targets, makes_devices_up_for_an_engine_that_needs_none)
{
	struct config config;
	struct targets targets = {0};
	struct error err = {0};

	config_defaults(&config);
	cr_assert_eq(config_add_device(&config, "test", "/dev/no-such-device", &err), 0);
	cr_assert_eq(targets_examine(&targets, &config, false, &err), 0);
	cr_assert_eq(targets.count, 1);
	cr_assert_eq(targets.devices[0].size_bytes, UINT64_C(1) << 40);
	cr_assert_lt(targets_examine(&targets, &config, true, &err), 0);
	cr_assert_eq(err.status, EXIT_USAGE);
}

Test(targets, a_missing_file_is_fine_and_stays_missing)
{
	char folder[SCRATCH_PATH_BYTES];
	char path[SCRATCH_PATH_BYTES];
	struct targets targets = {.writes = {true}};
	struct error err = {0};

	scratch_make(folder);
	scratch_path(path, folder, "new");
	struct config config = config_with_file(path, "16MiB");
	cr_assert_eq(targets_examine(&targets, &config, true, &err), 0, "%s", err.text);
	cr_assert_eq(targets.devices[0].size_bytes, 16 << 20);
	cr_assert(targets.devices[0].is_file);
	cr_assert_neq(access(path, F_OK), 0);
	scratch_remove(folder);
}

/* Filling would destroy a file even when the load only reads. */
Test(targets, a_foreign_file_is_refused_also_for_reading_when_it_would_be_filled)
{
	char folder[SCRATCH_PATH_BYTES];
	char path[SCRATCH_PATH_BYTES];
	struct targets targets = {.writes = {false}};
	struct error err = {0};

	scratch_make(folder);
	scratch_path(path, folder, "letters");
	char *data = calloc(1, 16 << 20);
	scratch_write(path, data, 16 << 20);
	free(data);
	struct config config = config_with_file(path, "16MiB");
	cr_assert_lt(targets_examine(&targets, &config, true, &err), 0);
	cr_assert_eq(err.status, EXIT_USAGE);
	cr_assert_not_null(strstr(err.text, "--destroy-data"), "%s", err.text);

	const char *const named[] = {path};
	targets.destroy = named;
	targets.destroy_count = 1;
	cr_assert_eq(targets_examine(&targets, &config, true, &err), 0, "%s", err.text);

	/* Read only and left as it is: nothing to lose, but the size must fit. */
	targets.destroy_count = 0;
	config.fill_files = false;
	cr_assert_eq(targets_examine(&targets, &config, true, &err), 0, "%s", err.text);
	config = config_with_file(path, "32MiB");
	config.fill_files = false;
	cr_assert_lt(targets_examine(&targets, &config, true, &err), 0);
	scratch_remove(folder);
}

/* It is each device's own matter whether it is written. */
Test(targets, what_is_only_read_may_carry_data_whatever_is_written_beside_it)
{
	char folder[SCRATCH_PATH_BYTES];
	char path[SCRATCH_PATH_BYTES];
	struct targets targets = {.writes = {false, true}};
	struct error err = {0};

	scratch_make(folder);
	scratch_path(path, folder, "letters");
	char *data = calloc(1, 16 << 20);
	scratch_write(path, data, 16 << 20);
	free(data);
	struct config config = config_with_file(path, "16MiB");
	strcat(path, ".new:16MiB");
	cr_assert_eq(config_add_file(&config, "test", path, &err), 0, "%s", err.text);
	config.fill_files = false;
	cr_expect_eq(targets_examine(&targets, &config, true, &err), 0, "%s", err.text);
	targets.writes[0] = true;
	targets.writes[1] = false;
	cr_expect_lt(targets_examine(&targets, &config, true, &err), 0);
	cr_expect_not_null(strstr(err.text, "--destroy-data"), "%s", err.text);
	scratch_remove(folder);
}
