#include "act/device/list.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "tests/support/scratch.h"
#include "tests/support/sysfs_tree.h"

static char folder[SCRATCH_PATH_BYTES];
static struct device_list list;
static struct error err;

static void setup(void)
{
	scratch_make(folder);
	list = (struct device_list){0};
	err = (struct error){0};
}

static void teardown(void)
{
	device_list_release(&list);
	scratch_remove(folder);
}

TestSuite(list, .init = setup, .fini = teardown);

static const struct sysfs_file host[] = {
    {"nvme10n1/dev", "259:10\n"},
    {"nvme10n1/size", "3750748848\n"},
    {"nvme10n1/queue/logical_block_size", "4096\n"},
    {"nvme10n1/queue/physical_block_size", "4096\n"},
    {"nvme10n1/queue/scheduler", "[none] mq-deadline\n"},
    {"nvme10n1/device/numa_node", "1\n"},
    {"nvme2n1/dev", "259:2\n"},
    {"nvme2n1/size", "2048\n"},
    {"nvme2n1/queue/logical_block_size", "512\n"},
    {"nvme2n1/queue/physical_block_size", "4096\n"},
    {"nvme2n1/queue/scheduler", "none [mq-deadline]\n"},
    {"nvme2n1/device/numa_node", "-1\n"},
    {"nvme2n1/holders/dm-0/dev", "252:0\n"}, /* no partition */
    {"nvme2n1/nvme2n1p10/dev", "259:13\n"},
    {"nvme2n1/nvme2n1p10/size", "8\n"},
    {"nvme2n1/nvme2n1p10/partition", "10\n"},
    {"nvme2n1/nvme2n1p9/dev", "259:12\n"},
    {"nvme2n1/nvme2n1p9/size", "16\n"},
    {"nvme2n1/nvme2n1p9/partition", "9\n"},
    {"nvme2c0n1/size", "2048\n"}, /* the kernel gives a hidden path no number */
    {"nvme2c0n1/hidden", "1\n"},
    {"nvme2c1n1/dev", "0:0\n"}, /* and should it have one, it is hidden all the same */
    {"nvme2c1n1/size", "2048\n"},
    {"nvme2c1n1/hidden", "1\n"},
    {"cciss!c0d0/dev", "104:0\n"},
    {"cciss!c0d0/size", "1\n"},
    {"loop0/dev", "7:0\n"},
    {"loop0/size", "0\n"},
    {"loop1/dev", "7:1\n"},
    {"loop1/size", "128\n"},
    {"loop1/loop/backing_file", "/srv/disk image\n"},
    {"dm-0/dev", "252:0\n"},
    {"dm-0/size", "128\n"},
    {"dm-0/dm/name", "vg-data\n"},
    {"ram0/dev", "1:0\n"},
    {"ram0/size", "128\n"},
    {"ramdrive/dev", "300:0\n"}, /* not one of the kernel's RAM disks */
    {"ramdrive/size", "128\n"},
    {"sr0/dev", "11:0\n"},
    {"sr0/size", "0\n"},
    {"broken/dev", "no number\n"},
    {"broken/size", "128\n"},
};

static void expect_names(const char *const *names, size_t count)
{
	cr_assert(eq(sz, list.count, count));
	for (size_t i = 0; i < count; i++)
		cr_expect_str_eq(list.items[i].device.name, names[i]);
}

Test(list, drives_and_partitions_in_order_without_what_has_no_medium)
{
	static const char *const names[] = {
	    "/dev/cciss/c0d0", "/dev/dm-0",       "/dev/loop1",    "/dev/nvme2n1",
	    "/dev/nvme2n1p9",  "/dev/nvme2n1p10", "/dev/nvme10n1", "/dev/ramdrive",
	};

	sysfs_tree_make(folder, host, sizeof(host) / sizeof(host[0]));
	cr_assert(eq(int, device_list_scan(folder, false, &list, &err), 0));
	expect_names(names, sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < list.count; i++) {
		cr_expect_eq(list.items[i].state, LISTED_UNKNOWN);
		cr_expect_eq(listed_preparation(&list.items[i]), PREPARATION_UNKNOWN);
		cr_expect(eq(int, list.items[i].device.fd, -1));
	}
}

Test(list, every_device_when_asked_for_all)
{
	static const char *const names[] = {
	    "/dev/cciss/c0d0", "/dev/dm-0",    "/dev/loop0",     "/dev/loop1",
	    "/dev/nvme2c1n1",  "/dev/nvme2n1", "/dev/nvme2n1p9", "/dev/nvme2n1p10",
	    "/dev/nvme10n1",   "/dev/ram0",    "/dev/ramdrive",  "/dev/sr0",
	};

	sysfs_tree_make(folder, host, sizeof(host) / sizeof(host[0]));
	cr_assert(eq(int, device_list_scan(folder, true, &list, &err), 0));
	expect_names(names, sizeof(names) / sizeof(names[0]));
}

Test(list, what_sysfs_says_of_each)
{
	static const struct {
		size_t item;
		unsigned major, minor;
		uint64_t size_bytes;
		uint32_t logical, physical;
		const char *scheduler, *backing, *drive;
		int node;
	} rows[] = {
	    {1, 252, 0, 65536, 0, 0, "", "vg-data", "", -1},
	    {2, 7, 1, 65536, 0, 0, "", "/srv/disk image", "", -1},
	    {3, 259, 2, 1048576, 512, 4096, "mq-deadline", "", "", -1},
	    {4, 259, 12, 8192, 512, 4096, "mq-deadline", "", "/dev/nvme2n1", -1},
	    {5, 259, 13, 4096, 512, 4096, "mq-deadline", "", "/dev/nvme2n1", -1},
	    {6, 259, 10, UINT64_C(1920383410176), 4096, 4096, "none", "", "", 1},
	};

	sysfs_tree_make(folder, host, sizeof(host) / sizeof(host[0]));
	cr_assert(eq(int, device_list_scan(folder, false, &list, &err), 0));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct listed *item = &list.items[rows[i].item];

		cr_expect(eq(u64, item->device.node_device, makedev(rows[i].major, rows[i].minor)));
		cr_expect(eq(u64, item->device.size_bytes, rows[i].size_bytes));
		cr_expect(eq(u32, item->device.logical_block_bytes, rows[i].logical));
		cr_expect(eq(u32, item->device.physical_block_bytes, rows[i].physical));
		cr_expect_str_eq(item->scheduler, rows[i].scheduler);
		cr_expect_str_eq(item->backing, rows[i].backing);
		cr_expect_str_eq(item->drive, rows[i].drive);
		cr_expect(eq(int, item->numa_node, rows[i].node));
	}
}

Test(list, no_devices_and_no_sysfs)
{
	char path[SCRATCH_PATH_BYTES];

	cr_expect(eq(int, device_list_scan(folder, false, &list, &err), 0));
	cr_expect(eq(sz, list.count, 0));
	scratch_path(path, folder, "missing");
	cr_expect(lt(int, device_list_scan(path, false, &list, &err), 0));
	cr_expect_eq(err.status, EXIT_ENVIRONMENT);
	cr_expect(strstr(err.text, path) != NULL, "%s", err.text);
}

Test(list, names_that_are_no_block_device_are_refused)
{
	static const char *const paths[] = {"/dev/null", "/", "/nowhere"};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		cr_expect(lt(int, device_list_named(&paths[i], 1, &list, &err), 0));
		cr_expect_eq(err.status, EXIT_USAGE);
		cr_expect_eq(strncmp(err.text, paths[i], strlen(paths[i])), 0, "%s", err.text);
		cr_expect(eq(sz, list.count, 0));
	}
}

/* Whatever is here, each has a state, and whoever is not free a reason without the
 * name in front. */
Test(list, of_this_host)
{
	cr_assert(eq(int, device_list_all(&list, &err), 0), "%s", err.text);
	for (size_t i = 0; i < list.count; i++) {
		const struct listed *item = &list.items[i];
		size_t length = strlen(item->device.name);

		cr_expect(gt(u64, item->device.size_bytes, 0));
		cr_expect_eq(item->state == LISTED_FREE, item->reason[0] == '\0', "%s: %s",
			     item->device.name, item->reason);
		cr_expect(strncmp(item->reason, item->device.name, length) != 0 ||
			      item->reason[length] != ':',
			  "%s", item->reason);
		cr_expect(strncmp(item->reason, "refused", 7) != 0, "%s", item->reason);
	}
}

static struct listed labelled(const struct label *label, uint64_t size_bytes)
{
	struct listed item = {.label_known = true, .state = LISTED_FREE};

	item.device.labelled = true;
	item.device.label = *label;
	item.device.size_bytes = size_bytes;
	return item;
}

Test(list, preparations_and_how_far_they_are)
{
	static const struct {
		uint64_t device, size, stage, pass, passes, position;
		enum listed_preparation want;
		unsigned pct;
	} rows[] = {
	    {1000, 1000, LABEL_CLEAN, 0, 1, 0, PREPARATION_INCOMPLETE, 0},
	    {1000, 1000, LABEL_CLEAN, 0, 2, 509, PREPARATION_INCOMPLETE, 50},
	    {1000, 1000, LABEL_FILL, 0, 1, 439, PREPARATION_INCOMPLETE, 43},
	    {1000, 1000, LABEL_FILL, 0, 1, 999, PREPARATION_INCOMPLETE, 99},
	    {1000, 1000, LABEL_FILL, 0, 2, 439, PREPARATION_INCOMPLETE, 21},
	    {1000, 1000, LABEL_FILL, 1, 2, 439, PREPARATION_INCOMPLETE, 71},
	    {1000, 1000, LABEL_FILL, 1, 2, 1000, PREPARATION_INCOMPLETE, 100},
	    {1000, 1000, LABEL_OVERWRITE, 0, 1, 250, PREPARATION_COMPLETE, 25},
	    {1000, 1000, LABEL_DONE, 1, 1, 0, PREPARATION_COMPLETE, 100},
	    {1000, 1001, LABEL_DONE, 1, 1, 0, PREPARATION_OTHER_SIZE, 100},
	    {1000, 999, LABEL_FILL, 0, 1, 500, PREPARATION_OTHER_SIZE, 50},
	    {1000, 1000, LABEL_FILL, 0, 0, 500, PREPARATION_INCOMPLETE, 0},
	    {UINT64_C(1) << 50, UINT64_C(1) << 50, LABEL_FILL, 2, 4, UINT64_C(1) << 49,
	     PREPARATION_INCOMPLETE, 62},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct label label = {
		    .device_bytes = rows[i].device,
		    .stage = rows[i].stage,
		    .pass = rows[i].pass,
		    .passes = rows[i].passes,
		    .position_bytes = rows[i].position,
		};
		const struct listed item = labelled(&label, rows[i].size);

		cr_expect_eq(listed_preparation(&item), rows[i].want, "row %zu", i);
		cr_expect_eq(listed_stage_pct(&item), rows[i].pct, "row %zu: %u", i,
			     listed_stage_pct(&item));
	}
}

Test(list, ready_is_free_and_complete)
{
	const struct label done = {.device_bytes = 1000, .stage = LABEL_DONE};
	const struct label begun = {.device_bytes = 1000, .stage = LABEL_FILL, .passes = 1};
	struct listed item = labelled(&done, 1000);

	cr_expect(listed_is_ready(&item));
	item.state = LISTED_REFUSED;
	cr_expect(not(listed_is_ready(&item)));
	item.state = LISTED_UNKNOWN;
	cr_expect(not(listed_is_ready(&item)));
	item = labelled(&begun, 1000);
	cr_expect(not(listed_is_ready(&item)));
	item = (struct listed){.label_known = true, .state = LISTED_FREE};
	cr_expect(not(listed_is_ready(&item)));
	cr_expect_eq(listed_preparation(&item), PREPARATION_NONE);
	cr_expect(eq(uint, listed_stage_pct(&item), 0));
}
