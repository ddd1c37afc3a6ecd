#include "act/device/drives.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/device/sysfs.h"

#define FOLDERS_MAX 64 /* of devices, those beneath them, and so on */

/* Folders to look at, each once: grows while it is walked through. */
struct search {
	char *folders[FOLDERS_MAX];
	size_t count;
};

static bool has(const char *folder, const char *entry)
{
	char path[PATH_MAX];

	sysfs_join(path, folder, entry);
	return access(path, F_OK) == 0;
}

/* The folder of the disk, whatever partition or link leads there. */
static int add_folder(struct search *search, const char *folder)
{
	char disk[PATH_MAX];

	sysfs_disk_folder(folder, disk);
	char *real = realpath(disk, NULL);
	if (!real)
		return -errno;
	for (size_t i = 0; i < search->count; i++) {
		if (!strcmp(search->folders[i], real)) {
			free(real);
			return 0;
		}
	}
	if (search->count == FOLDERS_MAX) {
		free(real);
		return -E2BIG;
	}
	search->folders[search->count++] = real;
	return 0;
}

static int add_slaves(struct search *search, const char *folder)
{
	char slaves[PATH_MAX];
	char slave[PATH_MAX];
	const struct dirent *entry;
	int count = 0;
	int rc = 0;

	sysfs_join(slaves, folder, "slaves");
	DIR *list = opendir(slaves);
	while (rc == 0 && list && (entry = readdir(list))) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		sysfs_join(slave, slaves, entry->d_name);
		rc = add_folder(search, slave);
	}
	if (list)
		closedir(list);
	return rc == 0 && count == 0 ? -EXDEV : rc;
}

static int add_drive(struct drives *drives, const char *folder)
{
	if (drives->count == SMART_DRIVES_MAX)
		return -E2BIG;
	snprintf(drives->names[drives->count++], NAME_MAX + 1, "%s", strrchr(folder, '/') + 1);
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

int drives_find(const char *folder, struct drives *ret)
{
	struct search search = {0};
	struct drives drives = {0};
	int rc = add_folder(&search, folder);

	for (size_t i = 0; rc == 0 && i < search.count; i++)
		rc = has(search.folders[i], "nsid") ? add_drive(&drives, search.folders[i])
						    : add_slaves(&search, search.folders[i]);
	if (rc == 0 && drives.count == 0) /* a ring */
		rc = -EXDEV;
	drives.direct = search.count == 1;
	for (size_t i = 0; i < search.count; i++)
		free(search.folders[i]);
	if (rc)
		return rc;
	qsort(drives.names, drives.count, sizeof(drives.names[0]), compare);
	*ret = drives;
	return 0;
}
