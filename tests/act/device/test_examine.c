/* device_examine on files and on what is neither file nor block device. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/device/device.h"
#include "act/payload/label.h"
#include "tests/support/scratch.h"

static const struct device_use reading = {.writes = false};
static const struct device_use writing = {.writes = true};

static char folder[SCRATCH_PATH_BYTES];
static char mount_path[SCRATCH_PATH_BYTES];
static char path[SCRATCH_PATH_BYTES];

static void make_folder(void)
{
	scratch_make(folder);
	scratch_path(path, folder, "file");
	scratch_path(mount_path, folder, "ramfs");
}

static void remove_folder(void)
{
	umount(mount_path);
	scratch_remove(folder);
}

TestSuite(examine, .init = make_folder, .fini = remove_folder);

static void write_own_file(size_t length)
{
	const struct label label = {.generation = 1, .data_id = 5, .compress = {1, 1}};
	uint8_t *data = calloc(1, length);

	label_encode(&label, data);
	scratch_write(path, data, length);
	free(data);
}

/* Refused with this status, and the text holds all of the words. */
static void expect_refusal(const char *name, const struct device_use *use, enum exit_status status,
			   const char *word)
{
	struct device device = {.fd = 77};
	struct error err = {0};

	cr_expect(lt(int, device_examine(name, use, &device, &err), 0), "%s", name);
	cr_expect(eq(int, (int)err.status, (int)status), "%s: %s", name, err.text);
	cr_expect(strstr(err.text, name) != NULL, "%s", err.text);
	cr_expect(strstr(err.text, word) != NULL, "%s", err.text);
	cr_expect(strchr(err.text, '\n') == NULL);
	cr_expect(eq(int, device.fd, 77), "output touched on failure");
}

Test(examine, foreign_file_is_refused_and_stays_as_it_is)
{
	static char content[10000];
	struct stat before, after;
	size_t length;
	char *found;

	memset(content, 'x', sizeof(content));
	scratch_write(path, content, sizeof(content));
	cr_assert(stat(path, &before) == 0);
	expect_refusal(path, &writing, EXIT_USAGE, "--destroy-data ");
	cr_assert(stat(path, &after) == 0);
	found = scratch_read(path, &length);
	cr_expect(eq(sz, length, sizeof(content)));
	cr_expect(memcmp(found, content, sizeof(content)) == 0);
	cr_expect(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec &&
		  before.st_atim.tv_nsec == after.st_atim.tv_nsec);
	free(found);
}

Test(examine, sparse_and_short_files_are_foreign)
{
	scratch_sparse(path, 1 << 20);
	expect_refusal(path, &writing, EXIT_USAGE, "not ours");
	scratch_write(path, "x", 1);
	expect_refusal(path, &writing, EXIT_USAGE, "not ours");
	write_own_file(LABEL_BYTES);
	cr_assert(truncate(path, 64) == 0);
	expect_refusal(path, &writing, EXIT_USAGE, "not ours");
}

Test(examine, foreign_file_may_be_read)
{
	struct device device;
	struct error err = {0};

	scratch_sparse(path, UINT64_C(1) << 40);
	cr_assert(eq(int, device_examine(path, &reading, &device, &err), 0), "%s", err.text);
	cr_expect(eq(str, device.name, path));
	cr_expect(device.is_file);
	cr_expect(eq(u64, device.size_bytes, UINT64_C(1) << 40));
	cr_expect(device.logical_block_bytes == 512 || device.logical_block_bytes == 4096);
	cr_expect(eq(int, device.fd, -1));
	cr_expect(strlen(device.serial) == 0);
}

Test(examine, own_and_empty_files_may_be_written)
{
	struct device device;
	struct error err = {0};

	write_own_file(1 << 20);
	cr_expect(eq(int, device_examine(path, &writing, &device, &err), 0), "%s", err.text);
	cr_expect(eq(u64, device.size_bytes, 1 << 20));
	cr_expect(device.labelled);
	cr_expect(eq(u64, device.label.data_id, 5));
	scratch_write(path, "", 0);
	cr_expect(eq(int, device_examine(path, &writing, &device, &err), 0), "%s", err.text);
	cr_expect(eq(u64, device.size_bytes, 0));
}

Test(examine, named_file_may_be_destroyed)
{
	const char *names[] = {"unrelated", path};
	struct device_use use = {true, names, 1};
	struct device device;
	struct error err = {0};

	scratch_sparse(path, 4096);
	expect_refusal(path, &use, EXIT_USAGE, "--destroy-data");
	use.destroy_count = 2;
	cr_expect(eq(int, device_examine(path, &use, &device, &err), 0), "%s", err.text);
}

Test(examine, link_may_be_destroyed_by_the_name_of_its_file)
{
	char link_path[SCRATCH_PATH_BYTES];
	char *real;
	const char *names[1];
	struct device device;
	struct error err = {0};

	scratch_sparse(path, 4096);
	scratch_path(link_path, folder, "link");
	cr_assert(symlink(path, link_path) == 0);
	real = realpath(link_path, NULL);
	names[0] = real;
	cr_expect(eq(int,
		     device_examine(link_path, &(struct device_use){true, names, 1}, &device, &err),
		     0),
		  "%s", err.text);
	free(real);
}

Test(examine, what_is_no_device_is_refused)
{
	char pipe_path[SCRATCH_PATH_BYTES];
	char missing[SCRATCH_PATH_BYTES];
	char below[SCRATCH_PATH_BYTES];

	scratch_path(pipe_path, folder, "pipe");
	scratch_path(missing, folder, "missing");
	scratch_path(below, path, "below");
	cr_assert(mkfifo(pipe_path, 0600) == 0);
	scratch_write(path, "", 0);
	expect_refusal(pipe_path, &reading, EXIT_USAGE, "a pipe");
	expect_refusal(folder, &reading, EXIT_USAGE, "a folder");
	expect_refusal("/dev/null", &reading, EXIT_USAGE, "a character device");
	expect_refusal(missing, &reading, EXIT_USAGE, "No such file");
	expect_refusal(below, &reading, EXIT_USAGE, "Not a directory");
}

Test(examine, longest_name)
{
	char name[DEVICE_NAME_BYTES + 1];
	struct device device;
	struct error err = {0};

	memset(name, 'a', sizeof(name));
	name[DEVICE_NAME_BYTES] = '\0';
	cr_expect(eq(int, device_examine(name, &reading, &device, &err), -ENAMETOOLONG));
	cr_expect(eq(int, (int)err.status, (int)EXIT_USAGE));
	name[DEVICE_NAME_BYTES - 1] = '\0';
	cr_expect(eq(int, device_examine(name, &reading, &device, &err), -ENOENT));
}

Test(examine, missing_permission_is_the_environment)
{
	scratch_sparse(path, 4096);
	cr_assert(chmod(path, 0) == 0);
	cr_assert(geteuid() != 0 || seteuid(65534) == 0);
	expect_refusal(path, &reading, EXIT_ENVIRONMENT, "run as root");
	if (getuid() == 0)
		cr_assert(seteuid(0) == 0);
}

Test(examine, file_system_without_direct_io_is_the_environment)
{
	char name[SCRATCH_PATH_BYTES];

	scratch_path(name, mount_path, "file");
	cr_assert(mkdir(mount_path, 0700) == 0);
	if (mount("none", mount_path, "ramfs", 0, NULL) < 0) {
		remove_folder(); /* Criterion does not run .fini after a skip */
		cr_skip_test("cannot mount ramfs");
	}
	scratch_sparse(name, 4096);
	expect_refusal(name, &reading, EXIT_ENVIRONMENT, "ramfs");
}

/* statx does not tell the block of tmpfs, so that it is tried out. Since Linux 6.6
 * tmpfs takes O_DIRECT. */
Test(examine, block_is_tried_out_where_the_kernel_does_not_tell)
{
	char name[SCRATCH_PATH_BYTES];
	struct device device = {0};
	struct error err = {0};
	int rc;

	scratch_path(name, mount_path, "file");
	cr_assert(mkdir(mount_path, 0700) == 0);
	if (mount("none", mount_path, "tmpfs", 0, NULL) < 0) {
		remove_folder();
		cr_skip_test("cannot mount tmpfs");
	}
	scratch_sparse(name, 1 << 20);
	rc = device_examine(name, &reading, &device, &err);
	if (rc < 0)
		cr_expect(strstr(err.text, "(type tmpfs)") != NULL, "%s", err.text);
	else
		cr_expect(eq(u32, device.logical_block_bytes, 512));
}

Test(examine, two_names_of_one_file_are_not_distinct)
{
	char other[SCRATCH_PATH_BYTES];
	char hard[SCRATCH_PATH_BYTES];
	struct device devices[3];
	struct error err = {0};

	scratch_path(other, folder, "other");
	scratch_path(hard, folder, "hard");
	scratch_sparse(path, 4096);
	scratch_sparse(other, 4096);
	cr_assert(link(path, hard) == 0);
	cr_assert(device_examine(path, &reading, &devices[0], &err) == 0, "%s", err.text);
	cr_assert(device_examine(other, &reading, &devices[1], &err) == 0, "%s", err.text);
	cr_assert(device_examine(hard, &reading, &devices[2], &err) == 0, "%s", err.text);
	cr_expect(eq(int, device_check_distinct(devices, 2, &err), 0));
	cr_expect(eq(int, device_check_distinct(devices, 0, &err), 0));
	cr_expect(lt(int, device_check_distinct(devices, 3, &err), 0));
	cr_expect(eq(int, (int)err.status, (int)EXIT_USAGE));
	cr_expect(strstr(err.text, path) != NULL && strstr(err.text, hard) != NULL, "%s", err.text);
}
