/* device_open on files; test_block.c has the block devices. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/device/device.h"
#include "tests/support/scratch.h"

static const struct device_use reading = {.writes = false};

static char folder[SCRATCH_PATH_BYTES];
static char path[SCRATCH_PATH_BYTES];

static void make_file(void)
{
	scratch_make(folder);
	scratch_path(path, folder, "file");
	scratch_sparse(path, 1 << 20);
}

static void remove_folder(void)
{
	scratch_remove(folder);
}

TestSuite(open, .init = make_file, .fini = remove_folder);

static struct device examine(void)
{
	struct device device;
	struct error err = {0};

	cr_assert(device_examine(path, &reading, &device, &err) == 0, "%s", err.text);
	return device;
}

static int flags_of(const struct device_use *use)
{
	struct device device = examine();
	struct error err = {0};
	int flags;

	cr_assert(device_open(&device, use, &err) == 0, "%s", err.text);
	flags = fcntl(device.fd, F_GETFL);
	cr_expect(eq(int, fcntl(device.fd, F_GETFD), FD_CLOEXEC));
	device_close(&device);
	return flags;
}

Test(open, is_direct_and_writable_only_when_asked)
{
	int flags = flags_of(&reading);

	cr_expect(eq(int, flags &O_ACCMODE, O_RDONLY));
	cr_expect(ne(int, flags &O_DIRECT, 0));
	flags = flags_of(&(struct device_use){.writes = true});
	cr_expect(eq(int, flags &O_ACCMODE, O_RDWR));
	cr_expect(ne(int, flags &O_DIRECT, 0));
}

Test(open, close_is_fine_twice)
{
	struct device device = examine();
	struct error err = {0};
	int fd;

	device_close(&device);
	cr_assert(device_open(&device, &reading, &err) == 0, "%s", err.text);
	fd = device.fd;
	device_close(&device);
	cr_expect(eq(int, device.fd, -1));
	cr_expect(eq(int, fcntl(fd, F_GETFD), -1));
	device_close(&device);
}

Test(open, changes_nothing)
{
	struct device device = examine();
	struct error err = {0};
	size_t length;
	char *data;

	cr_assert(device_open(&device, &(struct device_use){.writes = true}, &err) == 0, "%s",
		  err.text);
	device_close(&device);
	data = scratch_read(path, &length);
	cr_expect(eq(sz, length, 1 << 20));
	for (size_t i = 0; i < length; i++)
		cr_assert(eq(int, data[i], 0));
	free(data);
}

static void expect_failure(struct device *device, enum exit_status status, const char *word)
{
	struct error err = {0};

	cr_expect(lt(int, device_open(device, &reading, &err), 0));
	cr_expect(eq(int, (int)err.status, (int)status), "%s", err.text);
	cr_expect(strstr(err.text, word) != NULL, "%s", err.text);
	cr_expect(eq(int, device->fd, -1));
}

Test(open, another_file_under_the_name_is_refused)
{
	char other[SCRATCH_PATH_BYTES];
	struct device device = examine();

	scratch_path(other, folder, "other");
	scratch_sparse(other, 1 << 20);
	cr_assert(rename(other, path) == 0);
	expect_failure(&device, EXIT_USAGE, "changed");
}

Test(open, another_size_is_refused)
{
	struct device device = examine();

	cr_assert(truncate(path, 1 << 19) == 0);
	expect_failure(&device, EXIT_USAGE, "changed");
}

Test(open, a_file_that_went_away_is_lost)
{
	struct device device = examine();

	cr_assert(unlink(path) == 0);
	expect_failure(&device, EXIT_DEVICE, "No such file");
}

Test(open, missing_permission_is_the_environment)
{
	struct device device = examine();

	cr_assert(geteuid() != 0 || seteuid(65534) == 0);
	cr_assert(getuid() == 0 || chmod(path, 0) == 0);
	expect_failure(&device, EXIT_ENVIRONMENT, "run as root");
	if (getuid() == 0)
		cr_assert(seteuid(0) == 0);
}
