#include "act/device/identity.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/scratch.h"
#include "tests/support/sysfs_tree.h"

static char folder[SCRATCH_PATH_BYTES];

static void setup(void)
{
	scratch_make(folder);
}

static void teardown(void)
{
	scratch_remove(folder);
}

TestSuite(identity, .init = setup, .fini = teardown);

#define FILES_MAX 4

struct identity_case {
	struct device was;
	struct sysfs_file now[FILES_MAX];
	const char *text; /* of the error; NULL: the same */
};

static const struct identity_case cases[] = {
    {{.serial = "S1", .wwid = "eui.1", .model = "M", .size_bytes = 1024},
     {{"device/serial", "S1  \n"}, {"wwid", "eui.1\n"}, {"device/model", "M\n"}, {"size", "2\n"}},
     NULL},
    {{.serial = "S1", .size_bytes = 1024},
     {{"device/serial", "S2\n"}, {"size", "2\n"}},
     "its serial was S1 and is S2"},
    {{.wwid = "eui.1", .size_bytes = 1024},
     {{"wwid", "eui.2\n"}, {"size", "2\n"}},
     "its wwid was eui.1 and is eui.2"},
    {{.wwid = "LVM-1", .size_bytes = 1024},
     {{"dm/uuid", "LVM-2\n"}, {"size", "2\n"}},
     "its wwid was LVM-1 and is LVM-2"},
    {{.model = "M", .size_bytes = 1024},
     {{"device/model", "N\n"}, {"size", "2\n"}},
     "its model was M and is N"},
    {{.serial = "S1", .size_bytes = 1024},
     {{"device/serial", "S1\n"}, {"size", "3\n"}},
     "its size was 1024 bytes and is 1536 bytes"},
    {{.serial = "S1", .size_bytes = 1024},
     {{"device/serial", "S1\n"}, {"size", "0\n"}},
     "is 0 bytes"},
    /* What was not known cannot change; nor does it count that something cannot be read. */
    {{.size_bytes = 1024}, {{"device/serial", "S2\n"}, {"size", "2\n"}}, NULL},
    {{.serial = "S1", .size_bytes = 1024}, {{"device/serial", "\n"}}, NULL},
    /* A partition: size of its own, the rest of its disk. */
    {{.serial = "S1", .size_bytes = 512},
     {{"serial", "S1\n"}, {"part/partition", "1\n"}, {"part/size", "1\n"}, {"size", "9\n"}},
     NULL},
    {{.serial = "S1", .size_bytes = 512},
     {{"serial", "S2\n"}, {"part/partition", "1\n"}, {"part/size", "1\n"}},
     "its serial was S1 and is S2"},
};

Test(identity, compares_what_is_known)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char root[SCRATCH_PATH_BYTES + 32];
		char path[SCRATCH_PATH_BYTES + 64];
		struct device was = cases[i].was;
		struct error err = {0};
		struct stat st;
		size_t count = 0;

		snprintf(root, sizeof(root), "%s/%zu", folder, i);
		mkdir(root, 0777);
		while (count < FILES_MAX && cases[i].now[count].path)
			count++;
		sysfs_tree_make(root, cases[i].now, count);
		snprintf(path, sizeof(path), "%s/part", root);
		strcpy(was.name, "/dev/x");
		int rc = identity_compare(&was, stat(path, &st) == 0 ? path : root, &err);
		if (!cases[i].text) {
			cr_expect(eq(int, rc, 0), "case %zu: %s", i, err.text);
			continue;
		}
		cr_expect(eq(int, rc, -ESTALE), "case %zu", i);
		cr_expect(eq(int, (int)err.status, (int)EXIT_DEVICE), "case %zu", i);
		cr_expect(strstr(err.text, "/dev/x: is not the device any more") &&
			      strstr(err.text, cases[i].text),
			  "case %zu: %s", i, err.text);
	}
}

Test(identity, of_files_and_made_up_devices_is_not_asked)
{
	const struct device file = {.name = "/none", .is_file = true, .node_device = 1};
	const struct device made_up = {.name = "/none"};

	cr_expect(eq(int, device_check_identity(&file, NULL), 0));
	cr_expect(eq(int, device_check_identity(&made_up, NULL), 0));
}

Test(identity, a_device_that_is_gone)
{
	const struct device gone = {.name = "/dev/none", .node_device = 0xfff00};
	struct error err = {0};

	cr_expect(eq(int, device_check_identity(&gone, &err), -ENODEV));
	cr_expect(eq(int, (int)err.status, (int)EXIT_DEVICE));
	cr_expect(strstr(err.text, "/dev/none: this host does not have it") != NULL, "%s",
		  err.text);
}
