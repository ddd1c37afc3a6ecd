/* What is in use, from made-up trees of /proc and /sys. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/device/guard.h"
#include "act/device/holder.h"
#include "tests/support/scratch.h"
#include "tests/support/sysfs_tree.h"

static char folder[SCRATCH_PATH_BYTES];
static char proc[SCRATCH_PATH_BYTES];
static char sys[SCRATCH_PATH_BYTES];

/* Two disks, each with two partitions; a dm device may be put on top, or between. */
static const struct sysfs_file common[] = {
    {"proc/self/mountinfo", "27 1 8:18 / /srv rw - ext4 none rw\n28 1 253:7 / /deep rw - xfs none\n"
			    "29 1 8:32 / /whole rw - ext4 none rw\n"},
    {"sys/sda/dev", "8:0\n"},
    {"sys/sda/holders/.keep", ""},
    {"sys/sda/sda1/dev", "8:1\n"},
    {"sys/sda/sda1/partition", "1\n"},
    {"sys/sda/sda1/holders/.keep", ""},
    {"sys/sda/sda2/dev", "8:2\n"},
    {"sys/sda/sda2/partition", "2\n"},
    {"sys/sda/sda2/holders/.keep", ""},
    {"sys/sdb/dev", "8:16\n"},
    {"sys/sdb/holders/.keep", ""},
    {"sys/sdb/sdb1/dev", "8:17\n"},
    {"sys/sdb/sdb1/partition", "1\n"},
    {"sys/sdb/sdb1/holders/.keep", ""},
    {"sys/sdb/sdb2/dev", "8:18\n"},
    {"sys/sdb/sdb2/partition", "2\n"},
    {"sys/sdb/sdb2/holders/.keep", ""},
    {"sys/sdc/dev", "8:32\n"},
    {"sys/sdc/holders/.keep", ""},
    {"sys/sdc/sdc1/dev", "8:33\n"},
    {"sys/sdc/sdc1/partition", "1\n"},
    {"sys/sdc/sdc1/holders/.keep", ""},
};

static void make_tree(void)
{
	scratch_make(folder);
	scratch_path(proc, folder, "proc");
	scratch_path(sys, folder, "sys");
	sysfs_tree_make(folder, common, sizeof(common) / sizeof(common[0]));
}

static void remove_tree(void)
{
	scratch_remove(folder);
}

TestSuite(kernel_use, .init = make_tree, .fini = remove_tree);

/* NULL: not refused. */
static void expect(const char *device, const char *text)
{
	const struct guard_host host = {.proc = proc, .sys = sys};
	struct error err = {0};
	char path[SCRATCH_PATH_BYTES];
	int rc;

	scratch_path(path, sys, device);
	rc = guard_kernel_use(&host, "X", path, &err);
	cr_expect(eq(int, rc, text ? -EBUSY : 0), "%s: %s", device, err.text);
	cr_expect(strcmp(err.text, text ? text : "") == 0, "%s: %s", device, err.text);
	cr_expect(eq(int, (int)err.status, text ? (int)EXIT_USAGE : 0));
}

Test(kernel_use, mounts)
{
	expect("sda", NULL);
	expect("sda/sda1", NULL);
	expect("sdb/sdb2", "X: refused: it is mounted at /srv");
	expect("sdb", "X: refused: its partition /dev/sdb2 is mounted at /srv");
	expect("sdb/sdb1", NULL);
	expect("sdc", "X: refused: it is mounted at /whole");
	expect("sdc/sdc1", "X: refused: its disk /dev/sdc is mounted at /whole");
}

Test(kernel_use, holders_are_followed_to_their_use)
{
	static const struct sysfs_file files[] = {
	    {"sys/sda/sda1/holders/dm-0/dev", "253:0"},
	    {"sys/sda/sda1/holders/dm-0/dm/name", "vg-lv"},
	    {"sys/sda/sda1/holders/dm-0/dm/uuid", "LVM-abc"},
	    {"sys/sda/sda1/holders/dm-0/holders/dm-7/dev", "253:7"},
	    {"sys/sda/sda1/holders/dm-0/holders/dm-7/dm/name", "secret"},
	    {"sys/sda/sda1/holders/dm-0/holders/dm-7/dm/uuid", "CRYPT-LUKS2-1-x"},
	    {"sys/sdb/sdb1/holders/md127/dev", "9:127"},
	    {"sys/sdb/sdb1/holders/md127/md/level", "raid1"},
	    {"sys/sdb/sdb1/holders/md127/holders/.keep", ""},
	    {"sys/sdb/sdb1/holders/md127/md127p1/partition", "1"},
	    {"sys/sdb/sdb1/holders/md127/md127p1/dev", "8:18"},
	    {"sys/sdb/sdb1/holders/md127/md127p1/holders/.keep", ""},
	};
	static const char volume[] =
	    "is in use by /dev/dm-0 (LVM volume vg-lv), which is in use by /dev/dm-7 (encrypted "
	    "volume secret), which is mounted at /deep";
	char text[GUARD_TEXT_BYTES];

	sysfs_tree_make(folder, files, sizeof(files) / sizeof(files[0]));
	snprintf(text, sizeof(text), "X: refused: it %s", volume);
	expect("sda/sda1", text);
	snprintf(text, sizeof(text), "X: refused: its partition /dev/sda1 %s", volume);
	expect("sda", text);
	expect("sda/sda2", NULL);
	expect("sdb/sdb1", "X: refused: it is in use by /dev/md127 (MD array, raid1), whose "
			   "partition /dev/md127p1 is mounted at /srv");
}

Test(kernel_use, partition_of_a_disk_with_a_holder_is_refused)
{
	static const struct sysfs_file files[] = {{"sys/sda/holders/dm-3/dm/name", "m"},
						  {"sys/sda/holders/dm-3/dm/uuid", "mpath-3"}};

	sysfs_tree_make(folder, files, 2);
	expect("sda/sda1",
	       "X: refused: its disk /dev/sda is in use by /dev/dm-3 (multipath device m)");
}

/* A volume may be tested while what it consists of carries other volumes. */
Test(kernel_use, what_is_below_must_not_be_mounted)
{
	static const struct sysfs_file files[] = {
	    {"sys/dm-1/dev", "253:1"},
	    {"sys/dm-1/holders/.keep", ""},
	    {"sys/dm-1/slaves/dm-2/dev", "253:2"},
	    {"sys/dm-1/slaves/dm-2/holders/dm-9/dev", "253:9"},
	    {"sys/dm-1/slaves/dm-2/slaves/sdx/dev", "8:48"},
	    {"sys/dm-4/dev", "253:4"},
	    {"sys/dm-4/holders/.keep", ""},
	    {"sys/dm-4/slaves/dm-5/dev", "253:5"},
	    {"sys/dm-4/slaves/dm-5/slaves/sdc/dev", "8:32"},
	};

	sysfs_tree_make(folder, files, sizeof(files) / sizeof(files[0]));
	expect("dm-1", NULL);
	expect("dm-4", "X: refused: below it, /dev/sdc is mounted at /whole");
}

Test(kernel_use, holders_in_a_circle_have_an_end)
{
	char from[SCRATCH_PATH_BYTES];

	scratch_path(from, sys, "sda/holders/sda");
	cr_assert(symlink("../../sda", from) == 0);
	const struct guard_host host = {.proc = proc, .sys = sys};
	struct error err = {0};
	char path[SCRATCH_PATH_BYTES];

	scratch_path(path, sys, "sda");
	cr_expect(eq(int, guard_kernel_use(&host, "X", path, &err), -EBUSY));
	cr_expect(strncmp(err.text, "X: refused: it is in use by /dev/sda", 36) == 0, "%s",
		  err.text);
}

Test(kernel_use, without_tables_nobody_knows)
{
	const struct guard_host host = {.proc = "/nowhere", .sys = sys};
	struct error err = {0};
	char path[SCRATCH_PATH_BYTES];

	scratch_path(path, sys, "sda");
	cr_expect(eq(int, guard_kernel_use(&host, "X", path, &err), -ENOENT));
	cr_expect(eq(int, (int)err.status, (int)EXIT_ENVIRONMENT));
	cr_expect(strstr(err.text, "/nowhere/self/mountinfo") != NULL, "%s", err.text);
	scratch_path(path, sys, "sdz");
	cr_expect(eq(int, guard_kernel_use(&host, "X", path, &err), -ENOENT));
	cr_expect(eq(int, (int)err.status, (int)EXIT_ENVIRONMENT));
}

Test(kernel_use, loop_devices_count_as_holders)
{
	char path[SCRATCH_PATH_BYTES];
	struct stat st;
	struct error err = {0};
	const struct guard_host host = {.proc = proc, .sys = sys};

	scratch_path(path, folder, "image");
	scratch_sparse(path, 4096);
	cr_assert(stat(path, &st) == 0);
	const struct sysfs_file files[] = {{"sys/block/loop1/loop/backing_file", "/nowhere"},
					   {"sys/block/loop2/loop/backing_file", path}};

	sysfs_tree_make(folder, files, 1);
	cr_expect(eq(int, guard_file_use(&host, "X", st.st_dev, st.st_ino, &err), 0));
	sysfs_tree_make(folder, files, 2);
	cr_expect(eq(int, guard_file_use(&host, "X", st.st_dev, st.st_ino, &err), -EBUSY));
	cr_expect(strcmp(err.text, "X: refused: it is in use by /dev/loop2 (loop device)") == 0,
		  "%s", err.text);
	cr_expect(eq(int, guard_file_use(&host, "X", st.st_dev, st.st_ino + 1, &err), 0));
}

Test(kernel_use, kinds_of_holders)
{
	static const struct {
		struct sysfs_file files[2];
		const char *text;
	} rows[] = {
	    {{{"a/dm/name", "n"}, {"a/dm/uuid", ""}}, "/dev/a (device-mapper device n)"},
	    {{{"b/dm/name", "n"}, {"b/dm/uuid", "LVM-1"}}, "/dev/b (LVM volume n)"},
	    {{{"c/dm/name", "n"}, {"c/dm/uuid", "mpath-1"}}, "/dev/c (multipath device n)"},
	    {{{"d/dm/name", "n"}, {"d/dm/uuid", "part1-mpath-1"}},
	     "/dev/d (partition of a multipath device n)"},
	    {{{"e/dm/name", "n"}, {"e/dm/uuid", "CRYPT-LUKS1-x"}}, "/dev/e (encrypted volume n)"},
	    {{{"f/dm/name", "n"}, {"f/dm/uuid", "CRYPT-VERITY-x"}}, "/dev/f (dm-verity volume n)"},
	    {{{"md0/md/level", ""}, {"md0/size", "1"}}, "/dev/md0 (MD array)"},
	    {{{"md1/md/level", "raid5\n"}, {"md1/size", "1"}}, "/dev/md1 (MD array, raid5)"},
	    {{{"bcache0/bcache/x", ""}, {"bcache0/size", "1"}}, "/dev/bcache0 (bcache)"},
	    {{{"g!h/size", "1"}, {"g!h/dev", "1:1"}}, "/dev/g/h"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[GUARD_TEXT_BYTES] = "";
		char path[SCRATCH_PATH_BYTES];
		char name[64];

		sysfs_tree_make(folder, rows[i].files, 2);
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(rows[i].files[0].path, "/"),
			 rows[i].files[0].path);
		scratch_path(path, folder, name);
		holder_describe(path, text);
		cr_expect(strcmp(text, rows[i].text) == 0, "row %zu: %s", i, text);
	}
}
