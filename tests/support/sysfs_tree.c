#include "tests/support/sysfs_tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/scratch.h"

void sysfs_tree_make(const char *folder, const struct sysfs_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char path[512];
		size_t length = strlen(folder);

		snprintf(path, sizeof(path), "%s/%s", folder, files[i].path);
		for (char *slash = path + length + 1; (slash = strchr(slash, '/')); slash++) {
			*slash = '\0';
			if (mkdir(path, 0777) != 0 && errno != EEXIST)
				abort();
			*slash = '/';
		}
		scratch_write(path, files[i].text, strlen(files[i].text));
	}
}
