#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/device/device.h"
#include "act/device/sysfs.h"

int device_refuse_polled_file(const char *path, struct error *err)
{
	return error_environment(err, EOPNOTSUPP,
				 "%s: a file cannot be polled for completions: leave polled off, "
				 "or name a block device",
				 path);
}

/* How a driver is told to have poll queues. */
static const char *remedy(const char *disk)
{
	static const struct {
		const char *prefix;
		const char *remedy;
	} drivers[] = {
	    {"/dev/nvme", "boot with nvme.poll_queues=N (N queues, one for each worker is best)"},
	    {"/dev/vd", "boot with virtio_blk.poll_queues=N"},
	    {"/dev/nullb", "load null_blk with poll_queues=N"},
	    {"/dev/dm-", "all that it consists of must have poll queues (nvme.poll_queues=N)"},
	};

	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (!strncmp(disk, drivers[i].prefix, strlen(drivers[i].prefix)))
			return drivers[i].remedy;
	return "only drivers with poll queues can (nvme.poll_queues=N on the kernel's command "
	       "line)";
}

int device_check_polled(const struct device *device, struct error *err)
{
	char path[SYSFS_PATH_BYTES];
	char disk[SYSFS_PATH_BYTES] = "";
	char value[8] = "";
	dev_t number = device->node_device;

	if (device->is_file)
		return device_refuse_polled_file(device->name, err);
	/* Partitions have no queue of their own. */
	if (!sysfs_is_partition(number) || sysfs_related(number, "..", &number, disk) < 0)
		sysfs_related(number, ".", &number, disk);
	sysfs_path(path, number, "queue/io_poll");
	if (sysfs_read_line(path, value, sizeof(value)) && strcmp(value, "0") != 0)
		return 0;
	return error_environment(
	    err, EOPNOTSUPP,
	    "%s: cannot be polled for completions (queue/io_poll of %s is 0): %s, or leave polled "
	    "off",
	    device->name, disk[0] ? disk : "its disk", remedy(disk));
}
