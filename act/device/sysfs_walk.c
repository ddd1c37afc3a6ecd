#include "act/device/sysfs_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define SECTOR_BYTES 512 /* of sysfs, whatever the device's blocks are */

void sysfs_node(const char *folder, char ret[static SYSFS_PATH_BYTES])
{
	char path[PATH_MAX];
	const char *name = strrchr(realpath(folder, path) ? path : folder, '/');

	snprintf(ret, SYSFS_PATH_BYTES, "/dev/%.300s", name ? name + 1 : folder);
	for (char *c = ret; *c; c++)
		*c = *c == '!' ? '/' : *c; /* sysfs cannot have "cciss/c0d0" in a name */
}

int sysfs_number(const char *folder, dev_t *ret)
{
	char text[32];
	unsigned major, minor;

	if (!sysfs_read_entry(folder, "dev", text, sizeof(text)) ||
	    sscanf(text, "%u:%u", &major, &minor) != 2)
		return -ENOENT;
	*ret = makedev(major, minor);
	return 0;
}

uint64_t sysfs_bytes(const char *folder, const char *entry)
{
	char text[32];

	if (!sysfs_read_entry(folder, entry, text, sizeof(text)))
		return 0;
	return strtoull(text, NULL, 10) * SECTOR_BYTES;
}

void sysfs_walk_begin(struct sysfs_walk *walk, const char *folder, enum sysfs_relation relation)
{
	static const char *const entries[] = {
	    [SYSFS_HOLDERS] = "holders",
	    [SYSFS_SLAVES] = "slaves",
	    [SYSFS_PARTITIONS] = ".",
	};

	sysfs_join(walk->folder, folder, entries[relation]);
	walk->list = opendir(walk->folder);
	walk->relation = relation;
}

static bool is_partition(const char *folder)
{
	char path[PATH_MAX];

	sysfs_join(path, folder, "partition");
	return access(path, F_OK) == 0;
}

bool sysfs_walk_next(struct sysfs_walk *walk, char ret_folder[static PATH_MAX])
{
	const struct dirent *entry;

	while (walk->list && (entry = readdir(walk->list))) {
		if (entry->d_name[0] == '.')
			continue;
		sysfs_join(ret_folder, walk->folder, entry->d_name);
		if (walk->relation != SYSFS_PARTITIONS || is_partition(ret_folder))
			return true;
	}
	return false;
}

void sysfs_walk_end(struct sysfs_walk *walk)
{
	if (walk->list)
		closedir(walk->list);
}
