#include "act/device/clean.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>

#include "act/device/sysfs.h"

bool device_can_discard(const struct device *device)
{
	char name[SYSFS_PATH_BYTES];
	char path[SYSFS_PATH_BYTES];
	char line[32];
	dev_t disk = device->node_device;

	if (device->is_file)
		return false;
	if (sysfs_is_partition(disk))
		sysfs_related(disk, "..", &disk, name);
	sysfs_path(path, disk, "queue/discard_max_bytes");
	return sysfs_read_line(path, line, sizeof(line)) && strcmp(line, "0") != 0;
}

static int explain(const struct device *device, const char *what, uint64_t from_bytes,
		   struct error *err)
{
	return error_device(err, errno, "%s: %s from %" PRIu64 " on failed: %s", device->name, what,
			    from_bytes, strerror(errno));
}

int device_discard(const struct device *device, uint64_t from_bytes, uint64_t length_bytes,
		   struct error *err)
{
	uint64_t range[] = {from_bytes, length_bytes};

	if (ioctl(device->fd, BLKDISCARD, range) < 0)
		return explain(device, "discarding", from_bytes, err);
	return 0;
}

int device_zero(const struct device *device, uint64_t from_bytes, uint64_t length_bytes,
		struct error *err)
{
	uint64_t range[] = {from_bytes, length_bytes};
	int rc = device->is_file ? fallocate(device->fd, FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE,
					     (off_t)from_bytes, (off_t)length_bytes)
				 : ioctl(device->fd, BLKZEROOUT, range);

	return rc < 0 ? explain(device, "writing zeros", from_bytes, err) : 0;
}
