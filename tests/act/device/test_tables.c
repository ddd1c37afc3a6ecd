#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "act/device/guard.h"
#include "tests/support/scratch.h"

static const char mountinfo[] =
    "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
    "27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard\n"
    "30 27 259:3 / /srv/my\\040data\\134x rw - xfs /dev/nvme0n1p3 rw\n"
    "31 27 0:44 /sub /home rw,relatime shared:3 - btrfs /dev/null rw\n"
    "32 27 8:1 / /a\\04 rw - ext4 none\n"
    "33 27 8:2 / /empty-source rw - tmpfs  rw\n"
    "broken line\n"
    "34 27 8:3 / /no-dash rw,relatime\n";

static FILE *open_text(const char *text)
{
	static char copy[4096]; /* fmemopen wants it writable */

	cr_assert(strlen(text) < sizeof(copy));
	memcpy(copy, text, strlen(text) + 1);
	return fmemopen(copy, strlen(copy), "r");
}

Test(tables, finds_mounts_by_number)
{
	static const struct {
		unsigned major, minor;
		const char *point; /* NULL: not mounted */
	} rows[] = {
	    {254, 0, "/"},    {259, 3, "/srv/my data\\x"},
	    {8, 1, "/a\\04"}, {8, 2, "/empty-source"},
	    {8, 3, NULL},     {259, 4, NULL},
	    {54, 0, NULL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		FILE *file = open_text(mountinfo);
		char point[64] = "untouched";
		int found = guard_find_mount(file, makedev(rows[i].major, rows[i].minor), point,
					     sizeof(point));

		fclose(file);
		cr_expect(eq(int, found, rows[i].point != NULL), "row %zu", i);
		cr_expect(strcmp(point, rows[i].point ? rows[i].point : "untouched") == 0, "%s",
			  point);
	}
}

Test(tables, cuts_a_long_mount_point)
{
	FILE *file = open_text(mountinfo);
	char point[5];

	cr_expect(eq(int, guard_find_mount(file, makedev(259, 3), point, sizeof(point)), 1));
	cr_expect(strcmp(point, "/srv") == 0, "%s", point);
	fclose(file);
}

/* btrfs: the number in the table is made up, but its source has the true one. */
Test(tables, finds_mounts_by_source)
{
	struct stat st;
	char text[256];
	char point[64];
	FILE *file;

	if (stat("/dev/loop0", &st) < 0)
		cr_skip_test("no /dev/loop0 to stand for a block device");
	snprintf(text, sizeof(text), "31 27 0:44 /sub /home rw - btrfs /dev/loop0 rw\n");
	file = open_text(text);
	cr_expect(eq(int, guard_find_mount(file, st.st_rdev, point, sizeof(point)), 1));
	cr_expect(strcmp(point, "/home") == 0, "%s", point);
	fclose(file);
}

Test(tables, finds_swap_files)
{
	char folder[SCRATCH_PATH_BYTES], path[SCRATCH_PATH_BYTES];
	char text[512];
	struct stat st;
	FILE *file;

	scratch_make(folder);
	scratch_path(path, folder, "swap file");
	scratch_sparse(path, 4096);
	cr_assert(stat(path, &st) == 0);
	snprintf(text, sizeof(text),
		 "Filename\tType\tSize\tUsed\tPriority\n%s/swap\\040file   file\t1024\t0\t-2\n",
		 folder);
	file = open_text(text);
	cr_expect(guard_find_swap(file, st.st_dev, st.st_ino));
	rewind(file);
	cr_expect(eq(int, guard_find_swap(file, st.st_dev, st.st_ino + 1), 0));
	rewind(file);
	cr_expect(eq(int, guard_find_swap(file, st.st_dev, 0), 0));
	fclose(file);
	scratch_remove(folder);
}

Test(tables, finds_swap_devices)
{
	struct stat st;
	FILE *file;

	if (stat("/dev/loop0", &st) < 0)
		cr_skip_test("no /dev/loop0 to stand for a block device");
	file = open_text("Filename Type Size Used Priority\n"
			 "/dev/loop1 partition 1 0 -1\n/dev/loop0 partition 1 0 -2\n");
	cr_expect(guard_find_swap(file, st.st_rdev, 0));
	fclose(file);
}
