/* Block devices: loop devices over a file, with all that can be on them. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <unistd.h>

#include "act/device/device.h"
#include "tests/support/loop.h"
#include "tests/support/scratch.h"

#define SIZE_BYTES  (32 << 20)
#define START_BYTES (1 << 20)

static const struct device_use reading = {.writes = false};
static const struct device_use writing = {.writes = true};

static char folder[SCRATCH_PATH_BYTES];
static char file[SCRATCH_PATH_BYTES];
static char mount_path[SCRATCH_PATH_BYTES];
static char loop[LOOP_PATH_BYTES];
static char partition[LOOP_PATH_BYTES + 8];

static void make_file(void)
{
	scratch_make(folder);
	scratch_path(file, folder, "disk");
	scratch_path(mount_path, folder, "mounted here");
	scratch_sparse(file, SIZE_BYTES);
	mkdir(mount_path, 0700);
}

static void set_read_only(int read_only)
{
	int fd = open(loop, O_RDONLY | O_CLOEXEC);

	ioctl(fd, BLKROSET, &read_only);
	close(fd);
}

static void remove_all(void)
{
	int saved = errno; /* for the reason of a skip */

	umount(mount_path);
	if (loop[0]) {
		swapoff(loop);
		set_read_only(0);
		loop_detach(loop);
	}
	scratch_remove(folder);
	errno = saved;
}

/* Criterion does not run .fini after a skip. */
#define SKIP(...)                                                                                  \
	do {                                                                                       \
		remove_all();                                                                      \
		cr_skip_test(__VA_ARGS__);                                                         \
	} while (0)

TestSuite(block, .init = make_file, .fini = remove_all);

static void attach(unsigned sector_bytes)
{
	int rc = loop_attach(file, sector_bytes, loop);

	if (rc < 0)
		SKIP("no loop device: %s", strerror(-rc));
	snprintf(partition, sizeof(partition), "%sp1", loop);
}

static void need_command(const char *command, const char *argument)
{
	char line[256];

	snprintf(line, sizeof(line), "PATH=$PATH:/usr/sbin:/sbin %s %s >/dev/null 2>&1", command,
		 argument);
	if (system(line) != 0)
		SKIP("cannot do: %s %s", command, argument);
}

static void need_mount(const char *device)
{
	need_command("mke2fs -q -F -t ext4", device);
	if (mount(device, mount_path, "ext4", 0, NULL) < 0)
		SKIP("cannot mount ext4: %s", strerror(errno));
}

static void add_partition(void)
{
	struct blkpg_partition part = {
	    .start = START_BYTES,
	    .length = SIZE_BYTES / 2,
	    .pno = 1,
	};
	struct blkpg_ioctl_arg arg = {
	    .op = BLKPG_ADD_PARTITION,
	    .datalen = sizeof(part),
	    .data = &part,
	};
	int fd = open(loop, O_RDONLY | O_CLOEXEC);
	int rc = ioctl(fd, BLKPG, &arg);

	close(fd);
	if (rc < 0)
		SKIP("cannot add a partition to a loop device: %s", strerror(errno));
	for (int i = 0; i < 100 && access(partition, F_OK) < 0; i++)
		usleep(10000); /* where udev makes the nodes */
	if (access(partition, F_OK) < 0)
		SKIP("no node %s", partition);
}

static struct device examine(const char *path, const struct device_use *use)
{
	struct device device;
	struct error err = {0};

	cr_assert(device_examine(path, use, &device, &err) == 0, "%s", err.text);
	return device;
}

/* Refused with exactly this, and not a byte of the disk is another. */
__attribute__((format(printf, 3, 4))) static void
expect_refusal(const char *path, const struct device_use *use, const char *format, ...)
{
	struct device device;
	struct error err = {0};
	char text[512];
	size_t before_length, after_length;
	char *before, *after;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	before = scratch_read(file, &before_length);
	cr_expect(lt(int, device_examine(path, use, &device, &err), 0));
	cr_expect(eq(int, (int)err.status, (int)EXIT_USAGE));
	cr_expect(strncmp(err.text, path, strlen(path)) == 0, "%s", err.text);
	cr_expect(strcmp(err.text + strlen(path), text) == 0, "%s", err.text);
	after = scratch_read(file, &after_length);
	cr_expect(before_length == after_length && memcmp(before, after, after_length) == 0);
	free(before);
	free(after);
}

static void expect_geometry(unsigned sector_bytes)
{
	struct device device;
	struct error err = {0};

	attach(sector_bytes);
	device = examine(loop, &writing);
	cr_expect(eq(int, device.is_file, 0));
	cr_expect(eq(u64, device.size_bytes, SIZE_BYTES));
	cr_expect(eq(u32, device.logical_block_bytes, sector_bytes));
	cr_expect(ge(u32, device.physical_block_bytes, sector_bytes));
	cr_expect(eq(u64, device.node_inode, 0));
	cr_assert(device_open(&device, &writing, &err) == 0, "%s", err.text);
	cr_expect(eq(int, fcntl(device.fd, F_GETFL) & (O_ACCMODE | O_DIRECT), O_RDWR | O_DIRECT));
	device_close(&device);
}

Test(block, sectors_of_512)
{
	expect_geometry(512);
}

Test(block, sectors_of_4096)
{
	expect_geometry(4096);
}

Test(block, loop_devices_take_nowait)
{
	struct device device;
	struct error err = {0};

	attach(512);
	device = examine(loop, &reading);
	cr_assert(device_open(&device, &reading, &err) == 0, "%s", err.text);
	cr_expect(device.nowait);
	device_close(&device);
}

Test(block, mounted_device_is_refused)
{
	attach(512);
	need_mount(loop);
	expect_refusal(loop, &writing, ": refused: it is mounted at %s", mount_path);
	expect_refusal(loop, &reading, ": refused: it is mounted at %s", mount_path);
	cr_assert(umount(mount_path) == 0);
	examine(loop, &reading);
}

Test(block, destroy_does_not_free_a_device_in_use)
{
	const char *names[] = {loop};

	attach(512);
	need_mount(loop);
	expect_refusal(loop, &(struct device_use){true, names, 1}, ": refused: it is mounted at %s",
		       mount_path);
}

Test(block, disk_of_a_mounted_partition_is_refused)
{
	attach(512);
	add_partition();
	need_mount(partition);
	expect_refusal(loop, &writing, ": refused: its partition %s is mounted at %s", partition,
		       mount_path);
	expect_refusal(partition, &writing, ": refused: it is mounted at %s", mount_path);
}

Test(block, partition_of_a_mounted_disk_is_refused)
{
	attach(512);
	add_partition();
	need_mount(loop);
	expect_refusal(partition, &writing, ": refused: its disk %s is mounted at %s", loop,
		       mount_path);
}

Test(block, free_partition_is_a_device)
{
	struct device devices[2];
	struct error err = {0};

	attach(512);
	add_partition();
	devices[0] = examine(loop, &writing);
	devices[1] = examine(partition, &writing);
	cr_expect(eq(u64, devices[1].size_bytes, SIZE_BYTES / 2));
	cr_expect(eq(u64, devices[0].start_bytes, 0));
	cr_expect(eq(u64, devices[1].start_bytes, START_BYTES));
	cr_expect(eq(u64, devices[1].disk_device, devices[0].node_device));
	cr_expect(eq(int, device_check_distinct(devices, 2, &err), -EEXIST));
	cr_expect(strstr(err.text, "are a drive and a part of it") != NULL, "%s", err.text);
	cr_assert(device_open(&devices[1], &writing, &err) == 0, "%s", err.text);
	cr_expect(lt(int, device_open(&devices[0], &writing, &err), 0));
	device_close(&devices[1]);
}

Test(block, swap_is_refused)
{
	attach(512);
	need_command("mkswap", loop);
	if (swapon(loop, 0) < 0)
		SKIP("swapon refused: %s", strerror(errno));
	expect_refusal(loop, &writing, ": refused: it is in use as swap");
}

Test(block, read_only_device_is_refused_for_writes)
{
	struct device device;
	struct error err = {0};

	attach(512);
	set_read_only(1);
	expect_refusal(loop, &writing, ": refused: it is read-only");
	device = examine(loop, &reading);
	cr_expect(eq(int, device_open(&device, &reading, &err), 0), "%s", err.text);
	device_close(&device);
}

Test(block, device_without_medium_is_refused)
{
	int fd;

	attach(512);
	fd = open(loop, O_RDONLY | O_CLOEXEC);
	cr_assert(truncate(file, 0) == 0 && ioctl(fd, LOOP_SET_CAPACITY, 0) == 0);
	close(fd);
	expect_refusal(loop, &reading, ": refused: it has no medium (size 0)");
}

Test(block, two_names_of_one_device_are_not_distinct)
{
	char name[SCRATCH_PATH_BYTES];
	struct device devices[2];
	struct error err = {0};

	attach(512);
	scratch_path(name, folder, "link");
	cr_assert(symlink(loop, name) == 0);
	devices[0] = examine(loop, &writing);
	devices[1] = examine(name, &writing);
	cr_expect(lt(int, device_check_distinct(devices, 2, &err), 0));
	cr_expect(strstr(err.text, loop) && strstr(err.text, name), "%s", err.text);
}

Test(block, busy_device_is_refused)
{
	struct device device;
	struct error err = {0};
	int fd;

	attach(512);
	device = examine(loop, &writing);
	fd = open(loop, O_RDONLY | O_EXCL | O_CLOEXEC);
	cr_assert(ge(int, fd, 0));
	/* This process has it, which is not looked for among the others. */
	expect_refusal(
	    loop, &reading,
	    ": refused: it is open exclusively elsewhere: a driver or file system of this "
	    "host, or a process in another container, has it");
	cr_expect(eq(int, device_open(&device, &writing, &err), -EBUSY));
	cr_expect(eq(int, (int)err.status, (int)EXIT_USAGE));
	cr_expect(strstr(err.text, "in use by another program") != NULL, "%s", err.text);
	cr_expect(eq(int, device.fd, -1));
	close(fd);
	cr_expect(eq(int, device_open(&device, &writing, &err), 0), "%s", err.text);
	/* And we keep others out just so. */
	fd = open(loop, O_RDONLY | O_EXCL | O_CLOEXEC);
	cr_expect(eq(int, fd, -1));
	device_close(&device);
}

Test(block, device_that_fails_its_first_read_is_a_device_error)
{
	struct device device;
	struct error err = {0};

	attach(512);
	device = examine(loop, &reading);
	cr_assert(truncate(file, 0) == 0); /* now there is nothing behind it */
	if (device_open(&device, &reading, &err) == 0) {
		device_close(&device);
		SKIP("this kernel reads zeros past the end of the file");
	}
	cr_expect(eq(int, (int)err.status, (int)EXIT_DEVICE), "%s", err.text);
}

/* As if a drive came back under another name after a reset. */
Test(block, name_that_leads_elsewhere_is_noticed_when_it_is_opened)
{
	char name[SCRATCH_PATH_BYTES];
	char other_file[SCRATCH_PATH_BYTES];
	char other[LOOP_PATH_BYTES];
	struct device device;
	struct error err = {0};

	attach(512);
	scratch_path(name, folder, "name");
	scratch_path(other_file, folder, "other");
	scratch_sparse(other_file, SIZE_BYTES);
	cr_assert(symlink(loop, name) == 0);
	device = examine(name, &writing);
	cr_expect(eq(str, device.path, loop));
	cr_assert(loop_attach(other_file, 512, other) == 0);
	cr_assert(unlink(name) == 0 && symlink(other, name) == 0);
	cr_expect(lt(int, device_open(&device, &writing, &err), 0));
	cr_expect(eq(int, (int)err.status, (int)EXIT_DEVICE), "%s", err.text);
	cr_expect(strstr(err.text, "is not the device any more") && strstr(err.text, other), "%s",
		  err.text);
	cr_expect(eq(int, device.fd, -1));
	loop_detach(other);
	/* A name that is gone leaves the device what it is. */
	cr_assert(unlink(name) == 0);
	cr_expect(eq(int, device_open(&device, &writing, &err), 0), "%s", err.text);
	device_close(&device);
}

Test(block, another_size_is_noticed_when_it_is_opened)
{
	struct device device;
	struct error err = {0};
	int fd;

	attach(512);
	device = examine(loop, &writing);
	fd = open(loop, O_RDONLY | O_CLOEXEC);
	cr_assert(truncate(file, SIZE_BYTES / 2) == 0 && ioctl(fd, LOOP_SET_CAPACITY, 0) == 0);
	close(fd);
	cr_expect(lt(int, device_open(&device, &writing, &err), 0));
	cr_expect(eq(int, (int)err.status, (int)EXIT_DEVICE), "%s", err.text);
	cr_expect(strstr(err.text, "its size was") != NULL, "%s", err.text);
}

static void write_file(off_t offset, const void *data, size_t length)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);

	cr_assert(ge(int, fd, 0));
	cr_assert(eq(i64, pwrite(fd, data, length, offset), (int64_t)length));
	close(fd);
}

/* RAID of version 1.0 has its superblock at the end, where preparing never came. */
Test(block, prepared_device_is_free_but_not_what_else_is_on_it)
{
	static const struct label label = {.generation = 1, .data_id = 5, .compress = {1, 1}};
	static const uint32_t magic_and_version[] = {0xa92b4efc, 1};
	static const off_t at = SIZE_BYTES - 8192;
	const uint64_t sector = (uint64_t)at / 512;
	uint8_t data[LABEL_BYTES];
	const char *names[] = {loop};

	label_encode(&label, data);
	write_file(0, data, sizeof(data));
	attach(512);
	cr_expect(examine(loop, &writing).labelled);
	loop_detach(loop);

	write_file(at, magic_and_version, sizeof(magic_and_version));
	write_file(at + 144, &sector, sizeof(sector));
	attach(512);
	expect_refusal(loop, &writing,
		       ": refused: it carries data: linux_raid_member signature (at offset "
		       "%lld); to overwrite it, add "
		       "--destroy-data %s",
		       (long long)at, loop);
	examine(loop, &reading);
	cr_expect(examine(loop, &(struct device_use){true, names, 1}).labelled);
}

Test(block, device_behind_a_loop_device_is_refused)
{
	char upper[LOOP_PATH_BYTES];
	int rc;

	attach(512);
	rc = loop_attach(loop, 512, upper);
	if (rc < 0)
		SKIP("no loop device on a loop device: %s", strerror(-rc));
	expect_refusal(loop, &writing, ": refused: it is in use by %s (loop device)", upper);
	loop_detach(upper);
	examine(loop, &writing);
}
