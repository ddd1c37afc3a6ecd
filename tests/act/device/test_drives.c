#include "act/device/drives.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/sysfs_tree.h"

static char folder[SCRATCH_PATH_BYTES];

static void setup(void)
{
	static const struct sysfs_file files[] = {
	    {"nvme0n1/nsid", "1\n"},
	    {"nvme0n1/nvme0n1p1/partition", "1\n"},
	    {"nvme0n1/nvme0n1p2/partition", "2\n"},
	    {"nvme1n1/nsid", "1\n"},
	    {"sda/size", "1\n"},
	    {"sda/sda1/partition", "1\n"},
	    {"loop0/size", "1\n"},
	};

	scratch_make(folder);
	sysfs_tree_make(folder, files, sizeof(files) / sizeof(files[0]));
}

static void teardown(void)
{
	scratch_remove(folder);
}

TestSuite(drives, .init = setup, .fini = teardown);

/* Puts the device `name` upon the one at `below`. */
static void put_upon(const char *name, const char *below)
{
	char path[SCRATCH_PATH_BYTES + 100];
	char target[100];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/slaves", folder, name);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/slaves/%s", folder, name, basename(below));
	snprintf(target, sizeof(target), "../../%s", below);
	cr_assert(eq(int, symlink(target, path), 0));
}

/* `want`: the names, each with a blank before it; NULL: `code` instead. */
static void expect_drives(const char *name, const char *want, bool direct, int code)
{
	char path[SCRATCH_PATH_BYTES + 100];
	char got[1024] = "";
	struct drives drives = {0};

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	int rc = drives_find(path, &drives);
	cr_expect(eq(int, rc, code), "%s", name);
	if (!want)
		return;
	for (size_t i = 0; i < drives.count; i++) {
		strcat(got, " ");
		strcat(got, drives.names[i]);
	}
	cr_expect(eq(int, strcmp(got, want), 0), "%s:%s", name, got);
	cr_expect(eq(int, drives.direct, direct), "%s", name);
}

Test(drives, a_drive_and_its_partitions)
{
	expect_drives("nvme0n1", " nvme0n1", true, 0);
	expect_drives("nvme0n1/nvme0n1p2", " nvme0n1", true, 0);
	expect_drives("sda", NULL, false, -EXDEV);
	expect_drives("sda/sda1", NULL, false, -EXDEV);
	expect_drives("loop0", NULL, false, -EXDEV);
	expect_drives("none", NULL, false, -ENOENT);
}

Test(drives, beneath_other_devices)
{
	put_upon("dm-0", "nvme0n1");
	expect_drives("dm-0", " nvme0n1", false, 0);
	put_upon("dm-1", "nvme0n1/nvme0n1p1");
	expect_drives("dm-1", " nvme0n1", false, 0);
	put_upon("dm-1", "nvme0n1/nvme0n1p2"); /* the same drive */
	expect_drives("dm-1", " nvme0n1", false, 0);
	put_upon("md0", "nvme1n1");
	put_upon("md0", "dm-1"); /* two, one of them two levels down */
	expect_drives("md0", " nvme0n1 nvme1n1", false, 0);
	put_upon("dm-2", "md0");
	expect_drives("dm-2", " nvme0n1 nvme1n1", false, 0);
}

/* Half of the health of a device would be misleading. */
Test(drives, not_when_some_are_of_another_kind)
{
	put_upon("dm-0", "nvme0n1");
	put_upon("dm-0", "sda/sda1");
	expect_drives("dm-0", NULL, false, -EXDEV);
}

Test(drives, no_more_than_there_is_room_for)
{
	for (int i = 0; i <= SMART_DRIVES_MAX; i++) {
		char name[32];
		char path[64];
		const struct sysfs_file file = {path, "1\n"};

		snprintf(name, sizeof(name), "nvme%dn7", i);
		snprintf(path, sizeof(path), "%s/nsid", name);
		sysfs_tree_make(folder, &file, 1);
		expect_drives("md0", NULL, false, i == 0 ? -ENOENT : 0);
		put_upon("md0", name);
	}
	expect_drives("md0", NULL, false, -E2BIG);
}

Test(drives, a_ring_of_devices_ends)
{
	put_upon("dm-0", "dm-1");
	put_upon("dm-1", "dm-0");
	expect_drives("dm-0", NULL, false, -EXDEV);
}
