/* Whose it is, from a made-up /proc. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "act/device/guard.h"
#include "tests/support/scratch.h"
#include "tests/support/sysfs_tree.h"

static char folder[SCRATCH_PATH_BYTES];

static void make_tree(void)
{
	static const struct sysfs_file files[] = {
	    {"uptime", ""},
	    {"11/comm", "init\n"},
	    {"11/ns/mnt", ""},
	    {"11/mountinfo", "27 1 8:1 / / rw - ext4 none rw\n"},
	    {"11/fd/.keep", ""},
	    {"22/comm", "a daemon\n"},
	    {"22/ns/mnt", ""},
	    {"22/mountinfo", "27 1 8:2 / /data rw - ext4 none rw\n"},
	    {"22/fd/.keep", ""},
	    {"33/comm", "no namespace\n"},
	    {"33/mountinfo", "27 1 8:3 / /data rw - ext4 none rw\n"},
	};

	scratch_make(folder);
	sysfs_tree_make(folder, files, sizeof(files) / sizeof(files[0]));
}

static void remove_tree(void)
{
	scratch_remove(folder);
}

TestSuite(processes, .init = make_tree, .fini = remove_tree);

static void expect(dev_t number, const char *text)
{
	const struct guard_host host = {.proc = folder, .sys = "/nowhere"};
	char found[GUARD_TEXT_BYTES] = "";

	cr_expect(eq(int, guard_find_process(&host, number, found), text != NULL));
	cr_expect(strcmp(found, text ? text : "") == 0, "%s", found);
}

Test(processes, mounts_of_other_namespaces)
{
	expect(makedev(8, 1), "is mounted at / in the mount namespace of process 11 (init)");
	expect(makedev(8, 2),
	       "is mounted at /data in the mount namespace of process 22 (a daemon)");
	expect(makedev(8, 3), NULL);
	expect(makedev(8, 4), NULL);
}

Test(processes, who_has_it_open)
{
	char path[SCRATCH_PATH_BYTES];
	struct stat st;

	if (stat("/dev/loop0", &st) < 0)
		cr_skip_test("no /dev/loop0 to stand for a block device");
	expect(st.st_rdev, NULL);
	scratch_path(path, folder, "22/fd/4");
	cr_assert(symlink("/dev/null", path) == 0);
	expect(st.st_rdev, NULL);
	scratch_path(path, folder, "22/fd/5");
	cr_assert(symlink("/dev/loop0", path) == 0);
	expect(st.st_rdev, "is open in process 22 (a daemon)");
}
