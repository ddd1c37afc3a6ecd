#include "act/device/sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

void sysfs_path(char path[static SYSFS_PATH_BYTES], dev_t number, const char *entry)
{
	snprintf(path, SYSFS_PATH_BYTES, "/sys/dev/block/%u:%u/%s", major(number), minor(number),
		 entry);
}

bool sysfs_read_line(const char *path, char *ret, size_t size)
{
	char line[256];
	char *start = line;
	FILE *file = fopen(path, "re");
	size_t length = 0;

	if (!file)
		return false;
	if (fgets(line, sizeof(line), file)) {
		while (isspace((unsigned char)*start))
			start++;
		length = strlen(start);
		while (length && isspace((unsigned char)start[length - 1]))
			length--;
	}
	fclose(file);
	if (!length)
		return false;
	snprintf(ret, size, "%.*s", (int)length, start);
	return true;
}

static bool read_line(dev_t number, const char *entry, char *ret, size_t size)
{
	char path[SYSFS_PATH_BYTES];

	sysfs_path(path, number, entry);
	return sysfs_read_line(path, ret, size);
}

bool sysfs_is_partition(dev_t number)
{
	char path[SYSFS_PATH_BYTES];

	sysfs_path(path, number, "partition");
	return access(path, F_OK) == 0;
}

int sysfs_related(dev_t number, const char *entry, dev_t *ret_number,
		  char ret_name[static SYSFS_PATH_BYTES])
{
	char path[SYSFS_PATH_BYTES];
	char folder[PATH_MAX];
	char file[64];
	char text[32];
	unsigned major, minor;

	sysfs_path(path, number, entry);
	snprintf(file, sizeof(file), "%.50s/dev", entry);
	if (!realpath(path, folder) || !read_line(number, file, text, sizeof(text)) ||
	    sscanf(text, "%u:%u", &major, &minor) != 2)
		return -ENOENT;
	*ret_number = makedev(major, minor);
	snprintf(ret_name, SYSFS_PATH_BYTES, "/dev/%.300s", strrchr(folder, '/') + 1);
	for (char *c = ret_name; *c; c++)
		*c = *c == '!' ? '/' : *c; /* sysfs cannot have "cciss/c0d0" in a name */
	return 0;
}

void sysfs_join(char path[static PATH_MAX], const char *folder, const char *entry)
{
	snprintf(path, PATH_MAX, "%.*s/%.*s", PATH_MAX - NAME_MAX - 2, folder, NAME_MAX, entry);
}

bool sysfs_read_entry(const char *folder, const char *entry, char *ret, size_t size)
{
	char path[PATH_MAX];

	sysfs_join(path, folder, entry);
	return sysfs_read_line(path, ret, size);
}

/* SATA and SAS disks have their serial only in this SCSI page (SPC-4, 7.8.16):
 * four bytes of header, then text. */
static void read_unit_serial(const char *folder, char *ret, size_t size)
{
	char path[PATH_MAX];
	char page[4 + 64] = {0};
	FILE *file;
	size_t length;
	size_t start = 4;

	sysfs_join(path, folder, "device/vpd_pg80");
	file = fopen(path, "re");
	if (!file)
		return;
	length = fread(page, 1, sizeof(page), file);
	fclose(file);
	while (length && isspace((unsigned char)page[length - 1]))
		length--;
	while (start < length && isspace((unsigned char)page[start]))
		start++;
	if (start < length)
		snprintf(ret, size, "%.*s", (int)(length - start), page + start);
}

void sysfs_disk_folder(const char *folder, char ret[static PATH_MAX])
{
	sysfs_join(ret, folder, "partition");
	sysfs_join(ret, folder, access(ret, F_OK) == 0 ? ".." : ".");
}

void sysfs_identify_folder(const char *folder, struct device *device)
{
	char disk[PATH_MAX];

	sysfs_disk_folder(folder, disk);
	sysfs_read_entry(disk, "device/model", device->model, sizeof(device->model));
	/* NVMe, then virtio */
	if (!sysfs_read_entry(disk, "device/serial", device->serial, sizeof(device->serial)) &&
	    !sysfs_read_entry(disk, "serial", device->serial, sizeof(device->serial)))
		read_unit_serial(disk, device->serial, sizeof(device->serial));
	/* NVMe, then SCSI, each with one for every namespace or unit; then dm */
	if (!sysfs_read_entry(disk, "wwid", device->wwid, sizeof(device->wwid)) &&
	    !sysfs_read_entry(disk, "device/wwid", device->wwid, sizeof(device->wwid)))
		sysfs_read_entry(disk, "dm/uuid", device->wwid, sizeof(device->wwid));
	/* NVMe, then SCSI */
	if (!sysfs_read_entry(disk, "device/firmware_rev", device->firmware,
			      sizeof(device->firmware)))
		sysfs_read_entry(disk, "device/rev", device->firmware, sizeof(device->firmware));
}

void sysfs_identify(dev_t number, struct device *device)
{
	char folder[SYSFS_PATH_BYTES];

	sysfs_path(folder, number, "");
	sysfs_identify_folder(folder, device);
}
