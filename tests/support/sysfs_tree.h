#pragma once
#include <stddef.h>

/* Files as in /proc and /sys, made up below a folder of a test. */

struct sysfs_file {
	const char *path; /* relative, with folders */
	const char *text;
};

/* Makes them, and the folders they are in. Failures end the process. */
void sysfs_tree_make(const char *folder, const struct sysfs_file *files, size_t count);
