#include "act/device/identity.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/device/sysfs.h"

#define SECTOR_BYTES 512 /* of sysfs, whatever the device's blocks are */

static int changed(const struct device *device, const char *what, const char *was, const char *is,
		   struct error *err)
{
	return error_device(err, ESTALE,
			    "%s: is not the device any more that it was: its %s was %.128s and is "
			    "%.128s",
			    device->name, what, was, is);
}

/* What cannot be read (any more) is no proof of a change. */
static int compare(const struct device *device, const char *what, const char *was, const char *is,
		   struct error *err)
{
	return was[0] && is[0] && strcmp(was, is) != 0 ? changed(device, what, was, is, err) : 0;
}

static int compare_size(const struct device *device, const char *folder, struct error *err)
{
	char text[32];
	char was[32];

	if (!sysfs_read_entry(folder, "size", text, sizeof(text)))
		return 0;
	uint64_t bytes = strtoull(text, NULL, 10) * SECTOR_BYTES;
	if (bytes == device->size_bytes)
		return 0;
	snprintf(was, sizeof(was), "%" PRIu64 " bytes", device->size_bytes);
	snprintf(text, sizeof(text), "%" PRIu64 " bytes", bytes);
	return changed(device, "size", was, text, err);
}

int identity_compare(const struct device *device, const char *folder, struct error *err)
{
	struct device now = {.fd = -1};

	sysfs_identify_folder(folder, &now);
	int rc = compare(device, "serial", device->serial, now.serial, err);
	if (!rc)
		rc = compare(device, "wwid", device->wwid, now.wwid, err);
	if (!rc)
		rc = compare(device, "model", device->model, now.model, err);
	return rc ? rc : compare_size(device, folder, err);
}

int device_check_identity(const struct device *device, struct error *err)
{
	char folder[SYSFS_PATH_BYTES];
	char other[SYSFS_PATH_BYTES];
	struct stat st;
	dev_t number;

	if (device->is_file || device->node_device == 0)
		return 0;
	sysfs_path(folder, device->node_device, "");
	if (access(folder, F_OK) != 0 && errno == ENOENT)
		return error_device(err, ENODEV, "%s: this host does not have it any more",
				    device->name);
	/* A name alone may go: then the device is still the same. */
	if (stat(device->name, &st) == 0 && S_ISBLK(st.st_mode) &&
	    st.st_rdev != device->node_device) {
		if (sysfs_related(st.st_rdev, ".", &number, other) < 0)
			snprintf(other, sizeof(other), "another device");
		return error_device(err, ESTALE,
				    "%s: is not the device any more that it was: the name leads to "
				    "%s now",
				    device->name, other);
	}
	return identity_compare(device, folder, err);
}
