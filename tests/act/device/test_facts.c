#include "act/device/facts.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scratch.h"
#include "tests/support/sysfs_tree.h"

#define SUBJECT FACTS_DEVICE(3)

static char folder[SCRATCH_PATH_BYTES];
static struct facts facts;

static void setup(void)
{
	scratch_make(folder);
	facts = (struct facts){0};
}

static void teardown(void)
{
	facts_release(&facts);
	scratch_remove(folder);
}

TestSuite(device_facts, .init = setup, .fini = teardown);

static void expect_fact(const char *key, const char *want)
{
	const char *value = facts_get(&facts, SUBJECT, key);

	if (!want)
		cr_expect(eq(int, value == NULL, 1), "%s: %s", key, value);
	else
		cr_expect(value && !strcmp(value, want), "%s: %s", key, value ? value : "(none)");
}

Test(device_facts, of_an_nvme_drive)
{
	static const struct sysfs_file files[] = {
	    {"queue/scheduler", "[none] mq-deadline kyber \n"},
	    {"queue/write_cache", "write back\n"},
	    {"queue/nr_requests", "1023\n"},
	    {"queue/io_poll", "1\n"},
	    {"queue/rotational", "0\n"},
	    {"queue/logical_block_size", "512\n"},
	    {"queue/physical_block_size", "4096\n"},
	    {"queue/max_sectors_kb", "256\n"},
	    {"device/numa_node", "1\n"},
	    {"device/transport", "pcie\n"},
	    {"device/device/numa_node", "0\n"},
	    {"device/device/current_link_speed", "16.0 GT/s PCIe\n"},
	    {"device/device/current_link_width", "4\n"},
	    {"wwid", "eui.0025388b01234567\n"},
	};

	sysfs_tree_make(folder, files, sizeof(files) / sizeof(files[0]));
	device_facts_of_block(folder, SUBJECT, &facts);
	expect_fact("scheduler", "none");
	expect_fact("write_cache", "write back");
	expect_fact("nr_requests", "1023");
	expect_fact("io_poll", "1");
	expect_fact("rotational", "0");
	expect_fact("logical_block_bytes", "512");
	expect_fact("physical_block_bytes", "4096");
	expect_fact("max_sectors_kib", "256");
	expect_fact("numa_node", "1");
	expect_fact("transport", "pcie");
	expect_fact("pcie_link", "16.0 GT/s PCIe x4");
	expect_fact("wwid", "eui.0025388b01234567");
	expect_fact("dm_name", NULL);
	expect_fact("backing_file", NULL);
}

Test(device_facts, of_other_drives)
{
	static const struct sysfs_file files[] = {
	    {"queue/scheduler", "none [mq-deadline] bfq\n"},
	    {"queue/write_cache", "\n"},
	    {"device/wwid", "naa.5000c500a1b2c3d4\n"},
	    {"device/device/current_link_speed", "Unknown\n"},
	    {"device/device/current_link_width", "0\n"},
	    {"device/numa_node", "-1\n"},
	};

	sysfs_tree_make(folder, files, sizeof(files) / sizeof(files[0]));
	device_facts_of_block(folder, SUBJECT, &facts);
	expect_fact("scheduler", "mq-deadline");
	expect_fact("write_cache", NULL);
	expect_fact("wwid", "naa.5000c500a1b2c3d4");
	expect_fact("pcie_link", NULL);
	cr_expect(eq(sz, facts.count, 2));
}

Test(device_facts, a_device_that_only_has_none_for_a_scheduler)
{
	static const struct sysfs_file files[] = {{"queue/scheduler", "none\n"}};

	sysfs_tree_make(folder, files, 1);
	device_facts_of_block(folder, SUBJECT, &facts);
	expect_fact("scheduler", "none");
}

Test(device_facts, of_the_mount_a_file_is_on)
{
	static const char table[] = "/dev/vda / ext4 rw,discard 0 0\n"
				    "tmpfs /srv tmpfs rw 0 0\n"
				    "/dev/nvme0n1p3 /srv/my\\040data xfs rw,noatime 0 0\n"
				    "/dev/sdb /srv/my\\040data/x ext4 rw 0 0\n"
				    "over /srv/my\\040data/x overlay ro 0 0\n"
				    "broken\n";
	static const struct {
		const char *path;
		const char *file_system, *point, *options, *device;
	} rows[] = {
	    {"/etc/file", "ext4", "/", "rw,discard", "/dev/vda"},
	    {"/srv2", "ext4", "/", "rw,discard", "/dev/vda"},
	    {"/srv/file", "tmpfs", "/srv", "rw", "tmpfs"},
	    {"/srv/my data/file", "xfs", "/srv/my data", "rw,noatime", "/dev/nvme0n1p3"},
	    {"/srv/my data/x/file", "overlay", "/srv/my data/x", "ro", "over"},
	};
	char path[SCRATCH_PATH_BYTES];

	scratch_path(path, folder, "mounts");
	scratch_write(path, table, strlen(table));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		facts_release(&facts);
		device_facts_of_mount(path, rows[i].path, SUBJECT, &facts);
		expect_fact("file_system", rows[i].file_system);
		expect_fact("mount_point", rows[i].point);
		expect_fact("mount_options", rows[i].options);
		expect_fact("backing_device", rows[i].device);
	}
	facts_release(&facts);
	device_facts_of_mount("/nowhere", "/", SUBJECT, &facts);
	cr_expect(eq(sz, facts.count, 0));
}

Test(device_facts, of_a_real_file_and_of_none)
{
	struct device device = {.is_file = true, .fd = -1};
	const struct device made_up = {.fd = -1};

	/* In a changed root, the mount of an ordinary file may not be seen. */
	snprintf(device.name, sizeof(device.name), "/proc/self/status");
	device_facts_add(&device, SUBJECT, &facts);
	expect_fact("file_system", "proc");
	expect_fact("nowait", NULL); /* not opened */
	facts_release(&facts);
	device_facts_add(&made_up, SUBJECT, &facts);
	snprintf(device.name, sizeof(device.name), "/nowhere");
	device_facts_add(&device, SUBJECT, &facts);
	cr_expect(eq(sz, facts.count, 0));
}
