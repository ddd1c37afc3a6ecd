/* The kernel's tables of mounts and swap. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "act/device/guard.h"

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Blanks and the like stand as \040 in both tables. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		if (from[0] == '\\' && is_octal(from[1]) && is_octal(from[2]) &&
		    is_octal(from[3])) {
			*to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

static bool names_block_device(const char *path, dev_t number)
{
	struct stat st;

	return path[0] == '/' && stat(path, &st) == 0 && S_ISBLK(st.st_mode) &&
	       st.st_rdev == number;
}

/* "ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [TAG]... - TYPE SOURCE SUPEROPTIONS" */
static bool mount_matches(char *line, dev_t number, char **ret_point)
{
	unsigned major, minor;
	int root_at = 0;
	char *tail = strstr(line, " - ");
	char *save, *point, *source;

	if (!tail || sscanf(line, "%*u %*u %u:%u %n", &major, &minor, &root_at) < 2 || !root_at)
		return false;
	*tail = '\0';
	strtok_r(line + root_at, " ", &save);
	point = strtok_r(NULL, " ", &save);
	strtok_r(tail + strlen(" - "), " ", &save);
	source = strtok_r(NULL, " \n", &save);
	if (!point)
		return false;
	unescape(point);
	*ret_point = point;
	if (makedev(major, minor) == number)
		return true;
	if (!source)
		return false;
	unescape(source);
	return names_block_device(source, number);
}

int guard_find_mount(FILE *mountinfo, dev_t number, char *ret_point, size_t size)
{
	char *line = NULL;
	char *point;
	size_t room = 0;
	int found = 0;

	while (!found && getline(&line, &room, mountinfo) > 0) {
		found = mount_matches(line, number, &point);
		if (found)
			snprintf(ret_point, size, "%s", point);
	}
	free(line);
	return found;
}

bool guard_find_swap(FILE *swaps, dev_t number, ino_t inode)
{
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (!found && getline(&line, &room, swaps) > 0) {
		struct stat st;

		line[strcspn(line, " \t\n")] = '\0';
		unescape(line);
		if (line[0] != '/' || stat(line, &st) < 0)
			continue;
		if (inode)
			found = S_ISREG(st.st_mode) && st.st_dev == number && st.st_ino == inode;
		else
			found = S_ISBLK(st.st_mode) && st.st_rdev == number;
	}
	free(line);
	return found;
}
