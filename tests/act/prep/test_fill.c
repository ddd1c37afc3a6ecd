#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/device/device.h"
#include "act/device/label_io.h"
#include "act/prep/fill.h"
#include "tests/support/loop.h"
#include "tests/support/scratch.h"

#define SIZE_BYTES ((3u << 20) + 4096) /* with a short last chunk */
#define OLD_RUN    5
#define NEW_RUN    6

static char folder[SCRATCH_PATH_BYTES];
static char path[SCRATCH_PATH_BYTES];
static char mount_path[SCRATCH_PATH_BYTES];
static char loop[LOOP_PATH_BYTES];
static struct payload_pool *pool;

static void set_up(void)
{
	scratch_make(folder);
	scratch_path(path, folder, "file");
	scratch_path(mount_path, folder, "mounted");
	cr_assert(mkdir(mount_path, 0755) == 0);
	cr_assert(payload_pool_new((struct ratio){1, 1}, 1, &pool, NULL) == 0);
}

static void tear_down(void)
{
	umount2(mount_path, MNT_DETACH);
	if (loop[0])
		loop_detach(loop);
	umount2(mount_path, MNT_DETACH); /* what a disk was mounted over */
	scratch_remove(folder);
	payload_pool_free(pool);
}

/* Criterion does not run .fini after a skip. */
#define SKIP(...)                                                                                  \
	do {                                                                                       \
		tear_down();                                                                       \
		cr_skip_test(__VA_ARGS__);                                                         \
	} while (0)

TestSuite(fill, .init = set_up, .fini = tear_down);

struct progress {
	uint64_t last_done;
	uint64_t calls;
	int stop;
};

static struct fill_request request_of(uint64_t size_bytes, int fill)
{
	return (struct fill_request){
	    .path = path,
	    .size_bytes = size_bytes,
	    .fill = fill,
	    .ops = &io_engine_uring,
	    .pool = pool,
	    .compress = {1, 1},
	    .data_id = NEW_RUN,
	};
}

static void fill_well(uint64_t size_bytes, int fill, uint64_t data_id)
{
	struct fill_request request = request_of(size_bytes, fill);
	struct error err = {0};

	request.data_id = data_id;
	cr_assert(fill_file(&request, &err) == 0, "%s", err.text);
}

static void fill_badly(const struct fill_request *request, enum exit_status status, int code,
		       const char *word)
{
	struct error err = {0};

	cr_expect(eq(int, fill_file(request, &err), -code));
	cr_expect(eq(int, (int)err.status, (int)status), "%s", err.text);
	cr_expect(strstr(err.text, request->path) != NULL, "%s", err.text);
	cr_expect(strstr(err.text, word) != NULL, "%s", err.text);
}

/* Of this size, with all sectors ours. */
static void expect_full(uint64_t size_bytes)
{
	struct label label;
	size_t length;
	uint8_t *data = scratch_read(path, &length);

	cr_expect(eq(sz, length, size_bytes));
	cr_assert(label_newest(data, &label));
	cr_expect(label_is_complete(&label, size_bytes));
	cr_expect(eq(sz,
		     payload_check(data + LABEL_AREA_BYTES, length - LABEL_AREA_BYTES,
				   LABEL_AREA_BYTES, label.data_id),
		     length - LABEL_AREA_BYTES));
	free(data);
}

static void read_sector(uint64_t offset_bytes, void *sector)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	cr_assert(eq(int, (int)pread(fd, sector, PAYLOAD_SECTOR_BYTES, (off_t)offset_bytes),
		     PAYLOAD_SECTOR_BYTES));
	close(fd);
}

static bool is_ours(void)
{
	struct device device;

	return device_examine(path, &(struct device_use){.writes = true}, &device, NULL) == 0 &&
	       device.labelled;
}

static bool has_holes(void)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	off_t end = lseek(fd, 0, SEEK_END);
	bool holes = lseek(fd, 0, SEEK_HOLE) < end;

	close(fd);
	return holes;
}

/* Whether a second filling leaves the content as it is. */
static bool is_kept(uint64_t size_bytes)
{
	uint8_t before[PAYLOAD_SECTOR_BYTES], after[PAYLOAD_SECTOR_BYTES];

	read_sector(LABEL_AREA_BYTES + 8192, before);
	fill_well(size_bytes, 1, NEW_RUN);
	read_sector(LABEL_AREA_BYTES + 8192, after);
	return memcmp(before, after, sizeof(after)) == 0;
}

Test(fill, fills_every_sector)
{
	fill_well(SIZE_BYTES, 1, NEW_RUN);
	expect_full(SIZE_BYTES);
}

Test(fill, smallest_file)
{
	fill_well(LABEL_AREA_BYTES + 4096, 1, NEW_RUN);
	expect_full(LABEL_AREA_BYTES + 4096);
}

Test(fill, filled_file_passes_the_examination)
{
	struct device device;
	struct error err = {0};

	for (int fill = 0; fill <= 1; fill++) {
		fill_well(SIZE_BYTES, fill, NEW_RUN);
		cr_expect(
		    eq(int,
		       device_examine(path, &(struct device_use){.writes = true}, &device, &err),
		       0),
		    "%s", err.text);
	}
}

Test(fill, complete_file_is_kept)
{
	fill_well(SIZE_BYTES, 1, OLD_RUN);
	cr_expect(is_kept(SIZE_BYTES));
	expect_full(SIZE_BYTES);
}

Test(fill, file_of_another_size_is_made_anew)
{
	fill_well(SIZE_BYTES, 1, OLD_RUN);
	cr_expect(eq(int, is_kept(SIZE_BYTES + (1 << 20)), 0));
	expect_full(SIZE_BYTES + (1 << 20));
	fill_well(2 << 20, 1, NEW_RUN);
	expect_full(2 << 20);
}

Test(fill, interrupted_file_is_made_anew)
{
	struct fill_request request = request_of(SIZE_BYTES, 1);
	struct progress progress = {.stop = 1};

	fill_well(SIZE_BYTES - 4096, 1, OLD_RUN);
	request.stop = &progress.stop;
	fill_badly(&request, EXIT_ENVIRONMENT, EINTR, "interrupted");
	cr_expect(eq(int, is_kept(SIZE_BYTES), 0));
	expect_full(SIZE_BYTES);
}

static void rewrite_label(void (*change)(struct label *label))
{
	struct label label;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	cr_assert(eq(int, label_read(path, fd, &label, NULL), 1));
	change(&label);
	cr_assert(eq(int, label_write(path, fd, &label, NULL), 0));
	close(fd);
}

static void half_filled(struct label *label)
{
	label->stage = LABEL_FILL;
	label->position_bytes = SIZE_BYTES - 8192;
}

static void half_filled_with_other_data(struct label *label)
{
	half_filled(label);
	label->compress = (struct ratio){1, 2};
}

/* As after a kill: what the label says is done is not done again. */
Test(fill, filling_that_was_cut_short_goes_on)
{
	fill_well(SIZE_BYTES, 1, OLD_RUN);
	rewrite_label(half_filled);
	cr_expect(is_kept(SIZE_BYTES));
	expect_full(SIZE_BYTES);
	rewrite_label(half_filled_with_other_data);
	cr_expect(not(is_kept(SIZE_BYTES)));
	expect_full(SIZE_BYTES);
}

Test(fill, without_filling_the_room_is_only_allocated)
{
	struct stat st;

	fill_well(SIZE_BYTES, 0, NEW_RUN);
	cr_assert(stat(path, &st) == 0);
	cr_expect(eq(u64, (uint64_t)st.st_size, SIZE_BYTES));
	cr_expect(ge(u64, (uint64_t)st.st_blocks * 512, SIZE_BYTES));
	cr_expect(has_holes());
	cr_expect(is_ours());
	/* And may be filled later. */
	fill_well(SIZE_BYTES, 1, NEW_RUN);
	expect_full(SIZE_BYTES);
}

Test(fill, bad_requests_are_refused)
{
	struct fill_request request = request_of(0, 1);

	fill_badly(&request, EXIT_USAGE, EINVAL, "multiple of 4096");
	request.size_bytes = 4096 + 512;
	fill_badly(&request, EXIT_USAGE, EINVAL, "multiple of 4096");
	cr_expect(eq(int, access(path, F_OK), -1));
}

Test(fill, what_is_no_file_is_refused)
{
	char missing[SCRATCH_PATH_BYTES];
	struct fill_request request = request_of(2 << 20, 1);

	request.path = folder;
	fill_badly(&request, EXIT_USAGE, EEXIST, "not a regular file");
	request.path = "/dev/zero";
	fill_badly(&request, EXIT_USAGE, EEXIST, "not a regular file");
	scratch_path(missing, folder, "missing/file");
	request.path = missing;
	fill_badly(&request, EXIT_USAGE, ENOENT, "No such file");
}

Test(fill, missing_permission_is_the_environment)
{
	struct fill_request request = request_of(2 << 20, 1);

	cr_assert(chmod(folder, 0500) == 0);
	cr_assert(geteuid() != 0 || seteuid(65534) == 0);
	fill_badly(&request, EXIT_ENVIRONMENT, EACCES, "may write");
	if (getuid() == 0)
		cr_assert(seteuid(0) == 0);
	chmod(folder, 0700);
}

Test(fill, no_room_is_found_before_anything_is_written)
{
	struct fill_request request = request_of(UINT64_C(1) << 52, 1);

	fill_badly(&request, EXIT_ENVIRONMENT, ENOSPC, "no room");
	cr_expect(eq(int, access(path, F_OK), -1));
}

static void follow(void *state, uint64_t done_bytes, uint64_t total_bytes)
{
	struct progress *progress = state;

	cr_assert(eq(u64, total_bytes, SIZE_BYTES));
	cr_assert(ge(u64, done_bytes, progress->last_done));
	progress->last_done = done_bytes;
	progress->calls++;
}

static void stop_at_once(void *state, uint64_t done_bytes, uint64_t total_bytes)
{
	struct progress *progress = state;

	follow(state, done_bytes, total_bytes);
	progress->stop = 1;
}

Test(fill, progress_ends_at_the_total)
{
	struct fill_request request = request_of(SIZE_BYTES, 1);
	struct progress progress = {0};

	request.progress = follow;
	request.progress_state = &progress;
	for (int i = 0; i < 2; i++) { /* filled, then kept */
		progress = (struct progress){0};
		cr_assert(eq(int, fill_file(&request, NULL), 0));
		cr_expect(eq(u64, progress.last_done, SIZE_BYTES));
		cr_expect(ge(u64, progress.calls, 1));
	}
}

Test(fill, stops_and_removes_what_it_made)
{
	struct fill_request request = request_of(SIZE_BYTES, 1);
	struct progress progress = {0};

	request.progress = stop_at_once;
	request.progress_state = &progress;
	request.stop = &progress.stop;
	fill_badly(&request, EXIT_ENVIRONMENT, EINTR, "interrupted");
	cr_expect(eq(int, access(path, F_OK), -1));
	cr_expect(lt(u64, progress.last_done, SIZE_BYTES));
}

Test(fill, stops_and_leaves_what_was_there)
{
	struct fill_request request = request_of(SIZE_BYTES, 1);
	struct progress progress = {.stop = 1};

	fill_well(2 << 20, 1, OLD_RUN);
	request.stop = &progress.stop;
	fill_badly(&request, EXIT_ENVIRONMENT, EINTR, "interrupted");
	cr_expect(is_ours());
	fill_well(SIZE_BYTES, 1, NEW_RUN);
	expect_full(SIZE_BYTES);
}

Test(fill, file_system_without_direct_io)
{
	char name[SCRATCH_PATH_BYTES];
	struct fill_request request = request_of(2 << 20, 1);

	if (mount("none", mount_path, "ramfs", 0, NULL) < 0)
		SKIP("cannot mount ramfs: %s", strerror(errno));
	scratch_path(name, mount_path, "file");
	request.path = name;
	/* ramfs says that it has no room at all, and O_DIRECT comes first. */
	fill_badly(&request, EXIT_ENVIRONMENT, EOPNOTSUPP, "ramfs");
	cr_expect(eq(int, access(name, F_OK), -1));
}

/* Mounts ext4 in `disk`, a file of some size. */
static void mount_disk(const char *disk)
{
	char command[256];
	int rc = loop_attach(disk, 512, loop);

	if (rc < 0)
		SKIP("no loop device: %s", strerror(-rc));
	snprintf(command, sizeof(command),
		 "PATH=$PATH:/usr/sbin:/sbin mke2fs -q -F -t ext4 %s >/dev/null 2>&1", loop);
	if (system(command) != 0 || mount(loop, mount_path, "ext4", 0, NULL) < 0)
		SKIP("cannot make and mount ext4");
}

Test(fill, room_to_spare_is_kept)
{
	char disk[SCRATCH_PATH_BYTES];
	char name[SCRATCH_PATH_BYTES];
	struct fill_request request = request_of(48 << 20, 1);

	scratch_path(disk, folder, "disk");
	scratch_sparse(disk, 100 << 20);
	mount_disk(disk);
	scratch_path(name, mount_path, "file");
	request.path = name;
	fill_badly(&request, EXIT_ENVIRONMENT, ENOSPC, "67108864 to spare");
	cr_expect(eq(int, access(name, F_OK), -1));
	request.size_bytes = 8 << 20;
	cr_expect(eq(int, fill_file(&request, NULL), 0));
	/* What the file holds already is not needed again. */
	request.size_bytes = 12 << 20;
	cr_expect(eq(int, fill_file(&request, NULL), 0));
}

/* The disk under the file system stops taking writes: the one error that is the
 * device's. A sealed memory file refuses them with EPERM, the loop device over it
 * with EIO. */
Test(fill, failing_disk_is_a_device_error)
{
	char disk[64];
	char name[SCRATCH_PATH_BYTES];
	struct fill_request request = request_of(8 << 20, 0);
	int fd = memfd_create("disk", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	cr_assert(fd >= 0 && ftruncate(fd, 100 << 20) == 0);
	snprintf(disk, sizeof(disk), "/proc/self/fd/%d", fd);
	mount_disk(disk);
	scratch_path(name, mount_path, "file");
	request.path = name;
	cr_assert(eq(int, fill_file(&request, NULL), 0));
	sync();
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) < 0) {
		close(fd);
		SKIP("cannot seal a memory file");
	}
	close(fd);
	request.fill = 1;
	fill_badly(&request, EXIT_DEVICE, EIO, "cannot be written");
}

/* A file system that promised more room than there is: the disk under it is on a
 * full one itself. */
Test(fill, disk_full_in_the_middle)
{
	char disk[SCRATCH_PATH_BYTES];
	char name[SCRATCH_PATH_BYTES];
	struct fill_request request = request_of(32 << 20, 1);

	if (mount("none", mount_path, "tmpfs", 0, "size=16m") < 0)
		SKIP("cannot mount tmpfs: %s", strerror(errno));
	scratch_path(disk, mount_path, "disk");
	scratch_sparse(disk, 128 << 20);
	mount_disk(disk); /* covers the tmpfs */
	scratch_path(name, mount_path, "file");
	request.path = name;
	fill_badly(&request, EXIT_ENVIRONMENT, ENOSPC, "no room");
	cr_expect(eq(int, access(name, F_OK), -1));
}
