/* What the kernel tells of a block device: mounts, swap, devices on top and below. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/device/guard.h"
#include "act/device/holder.h"
#include "act/device/sysfs_walk.h"

#define DEPTH_MAX 8   /* devices upon devices that are told of */
#define BELOW_MAX 256 /* devices below one */

struct look {
	const struct guard_host *host;
	const char *name; /* of the device that was asked for */
	struct error *err;
};

static int unknown(const struct look *look, const char *path, int code)
{
	return error_environment(look->err, code, "%s: cannot tell whether it is in use: %s: %s",
				 look->name, path, strerror(code));
}

static int add_mount(const struct look *look, dev_t number, char *text)
{
	char path[PATH_MAX];
	char point[256];
	FILE *mountinfo;
	int found;

	snprintf(path, sizeof(path), "%s/self/mountinfo", look->host->proc);
	mountinfo = fopen(path, "re");
	if (!mountinfo)
		return unknown(look, path, errno);
	found = guard_find_mount(mountinfo, number, point, sizeof(point));
	fclose(mountinfo);
	if (found)
		guard_append(text, "is mounted at %s", point);
	return found;
}

static int add_swap(const struct look *look, dev_t number, ino_t inode, char *text)
{
	char path[PATH_MAX];
	FILE *swaps;
	bool found;

	snprintf(path, sizeof(path), "%s/swaps", look->host->proc);
	swaps = fopen(path, "re");
	if (!swaps) /* a kernel without swap has no such file */
		return errno == ENOENT ? 0 : unknown(look, path, errno);
	found = guard_find_swap(swaps, number, inode);
	fclose(swaps);
	if (found)
		guard_append(text, "is in use as swap");
	return found;
}

/* Loop devices do not show as holders of what they are on. */
static bool is_behind(const char *loop, dev_t number, ino_t inode)
{
	char path[256];
	struct stat st;

	if (!sysfs_read_entry(loop, "loop/backing_file", path, sizeof(path)))
		return false;
	/* Looking at somebody's file might wait for a server that is gone. */
	if ((!inode && strncmp(path, "/dev/", strlen("/dev/")) != 0) || stat(path, &st) < 0)
		return false;
	return inode ? S_ISREG(st.st_mode) && st.st_dev == number && st.st_ino == inode
		     : S_ISBLK(st.st_mode) && st.st_rdev == number;
}

static int add_loop(const struct look *look, dev_t number, ino_t inode, char *text)
{
	char folder[PATH_MAX];
	char loop[PATH_MAX];
	const struct dirent *entry;
	DIR *list;
	int found = 0;

	snprintf(folder, sizeof(folder), "%s/block", look->host->sys);
	list = opendir(folder);
	while (list && !found && (entry = readdir(list))) {
		sysfs_join(loop, folder, entry->d_name);
		if (!strncmp(entry->d_name, "loop", 4) && is_behind(loop, number, inode))
			found = 1;
	}
	if (list)
		closedir(list);
	if (found) {
		guard_append(text, "is in use by ");
		holder_describe(loop, text);
	}
	return found;
}

/* What is no block device (any more) is not in use. */
static int add_direct_use(const struct look *look, const char *folder, char *text)
{
	dev_t number;
	int rc;

	if (sysfs_number(folder, &number) < 0)
		return 0;
	rc = add_mount(look, number, text);
	return rc ? rc : add_swap(look, number, 0, text);
}

static bool first_holder(const char *folder, char ret[static PATH_MAX])
{
	struct sysfs_walk walk;
	bool found;

	sysfs_walk_begin(&walk, folder, SYSFS_HOLDERS);
	found = sysfs_walk_next(&walk, ret);
	sysfs_walk_end(&walk);
	return found;
}

/* What a holder is used for is told for people's sake alone. */
static void add_use_of_holder(const struct look *look, const char *holder, char *text)
{
	struct sysfs_walk walk;
	char part[PATH_MAX];
	char node[SYSFS_PATH_BYTES];
	char use[GUARD_TEXT_BYTES] = "";

	if (add_direct_use(look, holder, use) > 0) {
		guard_append(text, ", which %s", use);
		return;
	}
	sysfs_walk_begin(&walk, holder, SYSFS_PARTITIONS);
	while (sysfs_walk_next(&walk, part)) {
		if (add_direct_use(look, part, use) <= 0)
			continue;
		sysfs_node(part, node);
		guard_append(text, ", whose partition %s %s", node, use);
		break;
	}
	sysfs_walk_end(&walk);
}

/* Follows devices upon devices: "is in use by /dev/dm-0 (...), which is in use by
 * /dev/dm-1 (...), which is mounted at /". 1, or 0 when there is none. */
static int add_holders(const struct look *look, const char *folder, char *text)
{
	char holder[PATH_MAX];
	char next[PATH_MAX];
	unsigned depth = 1;

	if (!first_holder(folder, holder))
		return 0;
	guard_append(text, "is in use by ");
	holder_describe(holder, text);
	while (depth++ < DEPTH_MAX && first_holder(holder, next)) {
		memcpy(holder, next, sizeof(holder));
		guard_append(text, ", which is in use by ");
		holder_describe(holder, text);
	}
	add_use_of_holder(look, holder, text);
	return 1;
}

/* Appends what it is in use for: 1; 0 when it is free; or -errno. */
static int add_use(const struct look *look, const char *folder, char *text)
{
	char holders[PATH_MAX];
	dev_t number;
	int rc = add_direct_use(look, folder, text);

	if (rc || sysfs_number(folder, &number) < 0)
		return rc;
	sysfs_join(holders, folder, "holders");
	if (access(holders, R_OK | X_OK) < 0)
		return unknown(look, holders, errno);
	rc = add_holders(look, folder, text);
	return rc ? rc : add_loop(look, number, 0, text);
}

static int refuse(const struct look *look, const char *what, const char *folder, const char *use)
{
	char node[SYSFS_PATH_BYTES] = "";

	if (folder)
		sysfs_node(folder, node);
	return error_usage(look->err, EBUSY, "%s: refused: %s%s %s", look->name, what, node, use);
}

static int check_partitions(const struct look *look, const char *disk)
{
	struct sysfs_walk walk;
	char part[PATH_MAX];
	char use[GUARD_TEXT_BYTES] = "";
	int rc = 0;

	sysfs_walk_begin(&walk, disk, SYSFS_PARTITIONS);
	while (rc == 0 && sysfs_walk_next(&walk, part)) {
		rc = add_use(look, part, use);
		if (rc > 0)
			rc = refuse(look, "its partition ", part, use);
	}
	sysfs_walk_end(&walk);
	return rc;
}

/* The folders of devices that are still to be looked at. */
struct below {
	char folders[BELOW_MAX][PATH_MAX];
	size_t count;
	bool full;
};

static void collect_below(const char *folder, struct below *below)
{
	struct sysfs_walk walk;
	char disk[PATH_MAX];
	char found[PATH_MAX];

	sysfs_disk_folder(folder, disk);
	sysfs_walk_begin(&walk, disk, SYSFS_SLAVES);
	while (sysfs_walk_next(&walk, found)) {
		below->full |= below->count == BELOW_MAX;
		if (!below->full)
			memcpy(below->folders[below->count++], found, sizeof(found));
	}
	sysfs_walk_end(&walk);
}

/* With the disk that it may be a partition of. */
static int check_below_one(const struct look *look, const char *folder)
{
	char disk[PATH_MAX];
	char use[GUARD_TEXT_BYTES] = "";
	int rc = add_direct_use(look, folder, use);

	if (rc > 0)
		return refuse(look, "below it, ", folder, use);
	sysfs_disk_folder(folder, disk);
	if (rc == 0)
		rc = add_direct_use(look, disk, use);
	return rc > 0 ? refuse(look, "below it, ", disk, use) : rc;
}

/* Devices below have this one on top of them, and may have others, too; but nobody
 * should have mounted them beside that. */
static int check_below(const struct look *look, const char *folder)
{
	struct below *below = calloc(1, sizeof(*below));
	int rc = 0;

	if (!below)
		return error_environment(look->err, ENOMEM, "%s: no memory to look below it",
					 look->name);
	collect_below(folder, below);
	for (size_t i = 0; rc == 0 && i < below->count; i++) {
		rc = check_below_one(look, below->folders[i]);
		collect_below(below->folders[i], below);
	}
	if (rc == 0 && below->full)
		rc = error_usage(
		    look->err, E2BIG,
		    "%s: refused: more than %d devices are below it, too many to look at",
		    look->name, BELOW_MAX);
	free(below);
	return rc;
}

int guard_kernel_use(const struct guard_host *host, const char *name, const char *folder,
		     struct error *err)
{
	struct look look = {.host = host, .name = name, .err = err};
	char disk[PATH_MAX];
	char use[GUARD_TEXT_BYTES] = "";
	dev_t number, disk_number;
	int rc;

	if (sysfs_number(folder, &number) < 0)
		return unknown(&look, folder, ENOENT);
	rc = add_use(&look, folder, use);
	if (rc > 0)
		return refuse(&look, "it", NULL, use);
	sysfs_disk_folder(folder, disk);
	if (rc == 0 && sysfs_number(disk, &disk_number) == 0 && disk_number != number) {
		rc = add_use(&look, disk, use);
		if (rc > 0)
			return refuse(&look, "its disk ", disk, use);
	} else if (rc == 0) {
		rc = check_partitions(&look, folder);
	}
	return rc ? rc : check_below(&look, folder);
}

int guard_file_use(const struct guard_host *host, const char *name, dev_t device, ino_t inode,
		   struct error *err)
{
	struct look look = {.host = host, .name = name, .err = err};
	char use[GUARD_TEXT_BYTES] = "";
	int rc = add_swap(&look, device, inode, use);

	if (rc == 0)
		rc = add_loop(&look, device, inode, use);
	return rc > 0 ? refuse(&look, "it", NULL, use) : rc;
}
