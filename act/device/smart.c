#include "act/device/smart.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "act/device/drives.h"
#include "act/device/sysfs.h"

#define GET_LOG_PAGE   0x02
#define HEALTH_PAGE    0x02U
#define ALL_NAMESPACES 0xffffffffU

/* Drives count data in thousands of 512 bytes. */
#define DATA_UNIT_BYTES 512000

/* A little-endian number of `bytes` bytes; INT64_MAX when it is larger. */
static uint64_t number_at(const uint8_t *page, size_t offset, size_t bytes)
{
	uint64_t number = 0;

	for (size_t i = bytes; i-- > 0;) {
		if (number > INT64_MAX >> 8)
			return INT64_MAX;
		number = number << 8 | page[offset + i];
	}
	return number;
}

static uint64_t counter_at(const uint8_t *page, size_t offset)
{
	return number_at(page, offset, 16);
}

static uint64_t bytes_at(const uint8_t *page, size_t offset)
{
	uint64_t units = counter_at(page, offset);

	return units > INT64_MAX / DATA_UNIT_BYTES ? INT64_MAX : units * DATA_UNIT_BYTES;
}

static uint32_t word_at(const uint8_t *page, size_t offset)
{
	return (uint32_t)number_at(page, offset, 4);
}

void smart_parse(const uint8_t page[static SMART_PAGE_BYTES], struct smart *ret)
{
	*ret = (struct smart){
	    .critical_warning = page[0],
	    .temperature_k = (uint16_t)number_at(page, 1, 2),
	    .spare_pct = page[3],
	    .spare_threshold_pct = page[4],
	    .used_pct = page[5],
	    .read_bytes = bytes_at(page, 32),
	    .written_bytes = bytes_at(page, 48),
	    .power_cycles = counter_at(page, 112),
	    .power_on_hours = counter_at(page, 128),
	    .unsafe_shutdowns = counter_at(page, 144),
	    .media_errors = counter_at(page, 160),
	    .error_log_entries = counter_at(page, 176),
	    .warm_min = word_at(page, 192),
	    .hot_min = word_at(page, 196),
	    .light_throttles = word_at(page, 216),
	    .heavy_throttles = word_at(page, 220),
	    .light_throttled_s = word_at(page, 224),
	    .heavy_throttled_s = word_at(page, 228),
	};
}

bool smart_has(const struct device *device)
{
	char folder[SYSFS_PATH_BYTES];
	struct drives drives;

	sysfs_path(folder, device->node_device, "");
	return !device->is_file && device->node_device != 0 && drives_find(folder, &drives) == 0 &&
	       drives.direct;
}

/* The kernel's own numbers: what has the name of the drive may be something else. */
static int open_drive(const char *name)
{
	char path[SYSFS_PATH_BYTES];
	char text[32];
	unsigned major, minor;
	struct stat st;

	snprintf(path, sizeof(path), "/sys/class/block/%.64s/dev", name);
	if (!sysfs_read_line(path, text, sizeof(text)) ||
	    sscanf(text, "%u:%u", &major, &minor) != 2)
		return -1;
	snprintf(path, sizeof(path), "/dev/%.64s", name);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_rdev != makedev(major, minor))) {
		close(fd);
		return -1;
	}
	return fd;
}

size_t smart_open(const struct device *device, int ret_fds[static SMART_DRIVES_MAX])
{
	char folder[SYSFS_PATH_BYTES];
	struct drives drives = {0};

	if (device->is_file || device->node_device == 0 || device->fd < 0)
		return 0;
	sysfs_path(folder, device->node_device, "");
	if (drives_find(folder, &drives) < 0)
		return 0;
	for (size_t i = 0; i < drives.count; i++) {
		/* A drive's own descriptor cannot lead to another. */
		ret_fds[i] = drives.direct ? fcntl(device->fd, F_DUPFD_CLOEXEC, 0)
					   : open_drive(drives.names[i]);
		if (ret_fds[i] >= 0)
			continue;
		while (i-- > 0)
			close(ret_fds[i]);
		return 0;
	}
	return drives.count;
}

int smart_read(int fd, struct smart *ret)
{
	uint8_t page[SMART_PAGE_BYTES] = {0};
	/* The driver's own time limit stays: behind a shorter one it would reset the
	 * drive in the middle of the measurement. */
	struct nvme_admin_cmd command = {
	    .opcode = GET_LOG_PAGE,
	    .nsid = ALL_NAMESPACES,
	    .addr = (uintptr_t)page,
	    .data_len = sizeof(page),
	    .cdw10 = HEALTH_PAGE | (sizeof(page) / 4 - 1) << 16,
	};
	int rc = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command);

	if (rc < 0)
		return -errno;
	if (rc > 0) /* a status of the drive */
		return -EIO;
	smart_parse(page, ret);
	return 0;
}
