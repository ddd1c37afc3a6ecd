#include "act/device/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/device/sysfs.h"

#define WHAT_BYTES (SYSFS_PATH_BYTES + 32)

/* The device that was asked for, and what of it is looked at: "it", "its
 * partition /dev/sda1". */
struct subject {
	const char *name;
	char what[WHAT_BYTES];
	dev_t number;
};

static int unknown(const char *name, const char *path, int code, struct error *err)
{
	return error_environment(err, code, "%s: cannot tell whether it is in use: %s: %s", name,
				 path, strerror(code));
}

static int check_mounts(const struct subject *subject, struct error *err)
{
	static const char path[] = "/proc/self/mountinfo";
	char point[512];
	FILE *mountinfo = fopen(path, "re");
	int found;

	if (!mountinfo)
		return unknown(subject->name, path, errno, err);
	found = guard_find_mount(mountinfo, subject->number, point, sizeof(point));
	fclose(mountinfo);
	if (found)
		return error_usage(err, EBUSY, "%s: refused: %s is mounted at %s", subject->name,
				   subject->what, point);
	return 0;
}

static int check_swaps(const struct subject *subject, ino_t inode, struct error *err)
{
	static const char path[] = "/proc/swaps";
	FILE *swaps = fopen(path, "re");
	bool found;

	if (!swaps) /* a kernel without swap has no such file */
		return errno == ENOENT ? 0 : unknown(subject->name, path, errno, err);
	found = guard_find_swap(swaps, subject->number, inode);
	fclose(swaps);
	if (found)
		return error_usage(err, EBUSY, "%s: refused: %s is in use as swap", subject->name,
				   subject->what);
	return 0;
}

static int check_holders(const struct subject *subject, struct error *err)
{
	char path[SYSFS_PATH_BYTES];
	DIR *holders;
	struct dirent *entry;
	int rc = 0;

	sysfs_path(path, subject->number, "holders");
	holders = opendir(path);
	if (!holders)
		return unknown(subject->name, path, errno, err);
	while (!rc && (entry = readdir(holders)))
		if (entry->d_name[0] != '.')
			rc = error_usage(err, EBUSY, "%s: refused: %s is in use by /dev/%s",
					 subject->name, subject->what, entry->d_name);
	closedir(holders);
	return rc;
}

static int check_subject(const struct subject *subject, struct error *err)
{
	int rc = check_mounts(subject, err);

	if (!rc)
		rc = check_swaps(subject, 0, err);
	if (!rc)
		rc = check_holders(subject, err);
	return rc;
}

/* `entry` of the device's folder; whatever is no block device is fine. */
static int check_related(const struct subject *whole, const char *kind, const char *entry,
			 struct error *err)
{
	struct subject part = {.name = whole->name};
	char name[SYSFS_PATH_BYTES];

	if (sysfs_related(whole->number, entry, &part.number, name) < 0)
		return 0;
	snprintf(part.what, sizeof(part.what), "its %s %s", kind, name);
	return check_subject(&part, err);
}

static int check_partitions(const struct subject *whole, struct error *err)
{
	char path[SYSFS_PATH_BYTES];
	DIR *folder;
	struct dirent *entry;
	int rc = 0;

	sysfs_path(path, whole->number, "");
	folder = opendir(path);
	if (!folder)
		return unknown(whole->name, path, errno, err);
	while (!rc && (entry = readdir(folder))) {
		char file[NAME_MAX + sizeof("/partition")];

		snprintf(file, sizeof(file), "%s/partition", entry->d_name);
		if (entry->d_name[0] != '.' && faccessat(dirfd(folder), file, F_OK, 0) == 0)
			rc = check_related(whole, "partition", entry->d_name, err);
	}
	closedir(folder);
	return rc;
}

int guard_block_device(const char *name, dev_t number, struct error *err)
{
	struct subject subject = {.name = name, .what = "it", .number = number};
	int rc = check_subject(&subject, err);

	if (!rc && sysfs_is_partition(number))
		rc = check_related(&subject, "disk", "..", err);
	else if (!rc)
		rc = check_partitions(&subject, err);
	return rc;
}

int guard_swap_file(const char *name, dev_t device, ino_t inode, struct error *err)
{
	struct subject subject = {.name = name, .what = "it", .number = device};

	return check_swaps(&subject, inode, err);
}

bool guard_may_destroy(const struct device *device, const struct device_use *use)
{
	char *path = realpath(device->name, NULL);
	bool named = false;

	for (size_t i = 0; i < use->destroy_count && !named; i++) {
		const char *word = use->destroy[i];

		named = strcmp(word, device->name) == 0 || (path && strcmp(word, path) == 0) ||
			(device->serial[0] && strcmp(word, device->serial) == 0);
	}
	free(path);
	return named;
}
