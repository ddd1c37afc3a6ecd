#include "act/device/facts.h"

#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "act/device/drives.h"
#include "act/device/sysfs.h"

struct entry {
	const char *key;
	const char *file; /* in the block device's folder */
};

/* Where a key stands twice, the first file that exists counts. */
static const struct entry entries[] = {
    {"write_cache", "queue/write_cache"},
    {"fua", "queue/fua"},
    {"nr_requests", "queue/nr_requests"},
    {"io_poll", "queue/io_poll"},
    {"rotational", "queue/rotational"},
    {"logical_block_bytes", "queue/logical_block_size"},
    {"physical_block_bytes", "queue/physical_block_size"},
    {"max_sectors_kib", "queue/max_sectors_kb"},
    {"merges_off", "queue/nomerges"},
    {"rq_affinity", "queue/rq_affinity"},
    {"wbt_lat_us", "queue/wbt_lat_usec"},
    {"numa_node", "device/numa_node"},
    {"numa_node", "device/device/numa_node"},
    {"transport", "device/transport"},
    {"pcie_address", "device/address"},
    {"subsystem_nqn", "device/subsysnqn"},
    {"wwid", "wwid"},
    {"wwid", "device/wwid"},
    {"backing_file", "loop/backing_file"},
    {"dm_name", "dm/name"},
};

/* "mq-deadline kyber [none]": the one in brackets. */
static void add_scheduler(const char *folder, size_t subject, struct facts *facts)
{
	char line[FACT_VALUE_BYTES];
	char *start;

	if (!sysfs_read_entry(folder, "queue/scheduler", line, sizeof(line)))
		return;
	start = strchr(line, '[');
	if (start)
		start[strcspn(start, "]")] = '\0';
	facts_add(facts, subject, "scheduler", start ? start + 1 : line);
}

/* "8.0 GT/s PCIe x4" */
static void add_link(const char *folder, size_t subject, struct facts *facts)
{
	char speed[64];
	char width[16];
	char text[FACT_VALUE_BYTES];

	if (!sysfs_read_entry(folder, "device/device/current_link_speed", speed, sizeof(speed)) ||
	    !sysfs_read_entry(folder, "device/device/current_link_width", width, sizeof(width)) ||
	    !strcmp(width, "0"))
		return; /* a virtual drive has a link of width 0 */
	snprintf(text, sizeof(text), "%s x%s", speed, width);
	facts_add(facts, subject, "pcie_link", text);
}

/* What a device of dm or md consists of, where that is NVMe alone. */
static void add_drives(const char *folder, size_t subject, struct facts *facts)
{
	char text[FACT_VALUE_BYTES] = "";
	struct drives drives;
	size_t used = 0;

	if (drives_find(folder, &drives) < 0 || drives.direct)
		return;
	for (size_t i = 0; i < drives.count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? " " : "",
					 drives.names[i]);
	facts_add(facts, subject, "nvme_drives", text);
}

void device_facts_of_block(const char *folder, size_t subject, struct facts *facts)
{
	char value[FACT_VALUE_BYTES];

	add_scheduler(folder, subject, facts);
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (sysfs_read_entry(folder, entries[i].file, value, sizeof(value)) &&
		    strcmp(value, "-1") != 0) /* the node of a host that has none */
			facts_add(facts, subject, entries[i].key, value);
	add_link(folder, subject, facts);
	add_drives(folder, subject, facts);
}

/* Of the disk: partitions have no queue of their own. */
static void add_disk(dev_t number, size_t subject, struct facts *facts)
{
	char folder[SYSFS_PATH_BYTES];
	char disk[PATH_MAX];

	sysfs_path(folder, number, "");
	sysfs_disk_folder(folder, disk);
	device_facts_of_block(disk, subject, facts);
}

static bool is_on(const char *path, const char *mount_point)
{
	size_t length = strlen(mount_point);

	if (!strcmp(mount_point, "/"))
		return true;
	return !strncmp(path, mount_point, length) && (path[length] == '/' || !path[length]);
}

void device_facts_of_mount(const char *table, const char *path, size_t subject, struct facts *facts)
{
	/* Copies of the best so far: the deepest, and the last of those mounted one
	 * over the other. */
	struct facts best = {0};
	size_t best_length = 0;
	FILE *file = setmntent(table, "re");
	struct mntent mount;
	char text[8192];

	while (file && getmntent_r(file, &mount, text, sizeof(text))) {
		size_t length = strlen(mount.mnt_dir);

		if (!is_on(path, mount.mnt_dir) || length < best_length)
			continue;
		facts_release(&best);
		best_length = length;
		facts_add(&best, subject, "file_system", mount.mnt_type);
		facts_add(&best, subject, "mount_point", mount.mnt_dir);
		facts_add(&best, subject, "mount_options", mount.mnt_opts);
		facts_add(&best, subject, "backing_device", mount.mnt_fsname);
	}
	if (file)
		endmntent(file);
	for (size_t i = 0; i < best.count; i++)
		facts_add(facts, subject, best.list[i].key, best.list[i].value);
	facts_release(&best);
}

static void add_file(const struct device *device, size_t subject, struct facts *facts)
{
	char path[PATH_MAX];
	const char *backing;
	struct stat st;

	if (!realpath(device->name, path))
		return;
	device_facts_of_mount("/proc/self/mounts", path, subject, facts);
	backing = facts_get(facts, subject, "backing_device");
	if (backing && backing[0] == '/' && stat(backing, &st) == 0 && S_ISBLK(st.st_mode))
		add_disk(st.st_rdev, subject, facts);
}

void device_facts_add(const struct device *device, size_t subject, struct facts *facts)
{
	if (device->fd >= 0)
		facts_add(facts, subject, "nowait", device->nowait ? "1" : "0");
	if (device->is_file)
		add_file(device, subject, facts);
	else if (device->node_device)
		add_disk(device->node_device, subject, facts);
}
