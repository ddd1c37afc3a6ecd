#include "act/prep/clean.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/device/clean.h"
#include "act/payload/label.h"
#include "tests/support/loop.h"
#include "tests/support/scratch.h"

#define BYTES ((UINT64_C(8) << 20) + 4096)

static char folder[SCRATCH_PATH_BYTES];
static char path[SCRATCH_PATH_BYTES];
static char loop[LOOP_PATH_BYTES];
static struct device device;
static uint64_t last_bytes;
static int stop;

static void set_up(void)
{
	uint8_t *data = malloc(BYTES);

	scratch_make(folder);
	scratch_path(path, folder, "file");
	memset(data, 0x55, BYTES);
	scratch_write(path, data, BYTES);
	free(data);
	device = (struct device){.is_file = true, .size_bytes = BYTES, .fd = -1};
	snprintf(device.name, sizeof(device.name), "%s", path);
}

static void tear_down(void)
{
	device_close(&device);
	if (loop[0])
		loop_detach(loop);
	scratch_remove(folder);
}

TestSuite(clean, .init = set_up, .fini = tear_down);

static void use_loop(void)
{
	struct error err = {0};
	int rc = loop_attach(path, 512, loop);

	if (rc < 0) {
		tear_down();
		cr_skip_test("no loop device: %s", strerror(-rc));
	}
	cr_assert(device_examine(loop, &(struct device_use){.writes = true}, &device, &err) == 0,
		  "%s", err.text);
}

static int record(void *state, uint64_t position_bytes, struct error *err)
{
	(void)state;
	(void)err;
	last_bytes = position_bytes;
	return 0;
}

static int run(enum clean_method method, uint64_t from_bytes, struct error *err)
{
	const struct clean_request request = {
	    .device = &device,
	    .method = method,
	    .from_bytes = from_bytes,
	    .stop = &stop,
	    .progress = record,
	};

	return clean_run(&request, err);
}

/* Everything before is as it was, everything behind is zeros. */
static void expect_zeros_from(uint64_t from_bytes)
{
	size_t length;
	uint8_t *data = scratch_read(path, &length);

	cr_assert(eq(sz, length, BYTES));
	for (size_t i = 0; i < length; i++)
		cr_assert(eq(u8, data[i], i < from_bytes ? 0x55 : 0), "byte %zu", i);
	free(data);
}

Test(clean, names)
{
	enum clean_method method;

	for (int i = 0; i < CLEAN_METHODS; i++) {
		cr_assert(eq(int, clean_parse(clean_name((enum clean_method)i), &method), 0));
		cr_expect(eq(int, (int)method, i));
	}
	cr_expect(eq(int, clean_parse("sanitize", &method), -EINVAL));
	cr_expect(eq(int, clean_parse("", &method), -EINVAL));
}

Test(clean, nothing_is_discarded_in_files)
{
	enum clean_method method;
	struct error err = {0};

	cr_assert(eq(int, clean_choose(CLEAN_AUTO, &device, &method, NULL), 0));
	cr_expect(eq(int, (int)method, CLEAN_NONE));
	cr_assert(eq(int, clean_choose(CLEAN_ZERO, &device, &method, NULL), 0));
	cr_expect(eq(int, (int)method, CLEAN_ZERO));
	cr_expect(eq(int, clean_choose(CLEAN_DISCARD, &device, &method, &err), -EOPNOTSUPP));
	cr_expect(eq(int, (int)err.status, EXIT_USAGE));
}

Test(clean, a_device_that_can_is_discarded)
{
	enum clean_method method;

	use_loop();
	cr_expect(device_can_discard(&device));
	cr_assert(eq(int, clean_choose(CLEAN_AUTO, &device, &method, NULL), 0));
	cr_expect(eq(int, (int)method, CLEAN_DISCARD));
	cr_assert(eq(int, clean_choose(CLEAN_NONE, &device, &method, NULL), 0));
	cr_expect(eq(int, (int)method, CLEAN_NONE));
}

static void expect_cleaned(enum clean_method method)
{
	const struct device_use use = {.writes = true};
	struct error err = {0};

	cr_assert(device_open(&device, &use, &err) == 0, "%s", err.text);
	cr_assert(run(method, LABEL_AREA_BYTES + 8192, &err) == 0, "%s", err.text);
	cr_expect(eq(u64, last_bytes, BYTES));
	expect_zeros_from(LABEL_AREA_BYTES + 8192);
}

Test(clean, discards_from_a_position_on)
{
	use_loop();
	expect_cleaned(CLEAN_DISCARD);
}

Test(clean, zeroes_from_a_position_on)
{
	use_loop();
	expect_cleaned(CLEAN_ZERO);
}

Test(clean, zeroes_files)
{
	device.fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC);
	cr_assert(run(CLEAN_ZERO, LABEL_AREA_BYTES, NULL) == 0);
	expect_zeros_from(LABEL_AREA_BYTES);
}

Test(clean, none_touches_nothing)
{
	device.fd = open(path, O_RDONLY | O_CLOEXEC);
	cr_assert(run(CLEAN_NONE, LABEL_AREA_BYTES, NULL) == 0);
	expect_zeros_from(BYTES);
}

Test(clean, stops)
{
	struct error err = {0};

	stop = 1;
	device.fd = open(path, O_RDWR | O_CLOEXEC);
	cr_assert(eq(int, run(CLEAN_ZERO, LABEL_AREA_BYTES, &err), -EINTR));
	expect_zeros_from(BYTES);
}

Test(clean, only_nvme_drives_are_formatted)
{
	struct error err = {0};

	use_loop();
	cr_expect(eq(int, device_may_format(&device, &err), -EOPNOTSUPP));
	cr_expect(eq(int, (int)err.status, EXIT_USAGE));
	cr_expect(strstr(err.text, "not an NVMe drive") != NULL, "%s", err.text);
}
