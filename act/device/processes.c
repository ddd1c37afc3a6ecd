/* Other processes, and the mount namespaces that they live in. */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/device/guard.h"
#include "act/device/sysfs.h"

/* More namespaces than that are looked into once for each process. */
#define NAMESPACES_MAX 256

struct namespaces {
	ino_t seen[NAMESPACES_MAX];
	size_t count;
};

static bool is_new(struct namespaces *namespaces, const char *process)
{
	char path[PATH_MAX];
	struct stat st;

	sysfs_join(path, process, "ns/mnt");
	if (stat(path, &st) < 0)
		return false;
	for (size_t i = 0; i < namespaces->count; i++)
		if (namespaces->seen[i] == st.st_ino)
			return false;
	if (namespaces->count < NAMESPACES_MAX)
		namespaces->seen[namespaces->count++] = st.st_ino;
	return true;
}

static void append_process(const char *process, char *text)
{
	char name[32] = "";

	sysfs_read_entry(process, "comm", name, sizeof(name));
	guard_append(text, "process %s (%s)", strrchr(process, '/') + 1, name);
}

static bool has_mounted(const char *process, dev_t number, char *text)
{
	char path[PATH_MAX];
	char point[256];
	FILE *mountinfo;
	bool found;

	sysfs_join(path, process, "mountinfo");
	mountinfo = fopen(path, "re");
	if (!mountinfo)
		return false;
	found = guard_find_mount(mountinfo, number, point, sizeof(point));
	fclose(mountinfo);
	if (!found)
		return false;
	guard_append(text, "is mounted at %s in the mount namespace of ", point);
	append_process(process, text);
	return true;
}

static bool has_open(const char *process, dev_t number, char *text)
{
	char folder[PATH_MAX];
	char path[PATH_MAX];
	char target[sizeof("/dev/")];
	const struct dirent *entry;
	struct stat st;
	bool found = false;
	DIR *list;

	sysfs_join(folder, process, "fd");
	list = opendir(folder);
	while (list && !found && (entry = readdir(list))) {
		sysfs_join(path, folder, entry->d_name);
		/* Looking at others might wait for a server that is gone. */
		if (readlink(path, target, sizeof(target)) < (ssize_t)strlen("/dev/") ||
		    strncmp(target, "/dev/", strlen("/dev/")) != 0)
			continue;
		found = stat(path, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == number;
	}
	if (list)
		closedir(list);
	if (!found)
		return false;
	guard_append(text, "is open in ");
	append_process(process, text);
	return true;
}

/* Without this process. */
static bool next_process(const struct guard_host *host, DIR *list, char ret[static PATH_MAX])
{
	const struct dirent *entry;

	while ((entry = readdir(list))) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    strtol(entry->d_name, NULL, 10) == getpid())
			continue;
		sysfs_join(ret, host->proc, entry->d_name);
		return true;
	}
	return false;
}

bool guard_find_process(const struct guard_host *host, dev_t number,
			char text[static GUARD_TEXT_BYTES])
{
	struct namespaces namespaces = {.count = 0};
	char process[PATH_MAX];
	bool found = false;
	DIR *list = opendir(host->proc);

	while (list && !found && next_process(host, list, process))
		found = is_new(&namespaces, process) && has_mounted(process, number, text);
	if (list)
		rewinddir(list);
	while (list && !found && next_process(host, list, process))
		found = has_open(process, number, text);
	if (list)
		closedir(list);
	return found;
}
