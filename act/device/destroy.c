/* --destroy-data: which words name which device. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "act/device/guard.h"
#include "act/device/sysfs_walk.h"

static const char by_id[] = "/dev/disk/by-id/";

static bool leads_to(const char *path, uint64_t number)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == number;
}

/* The first by name of all links that lead to the device; false when there is none. */
static bool find_id(const struct device *device, char ret[static PATH_MAX])
{
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *list = opendir(by_id);
	bool found = false;

	while (list && (entry = readdir(list))) {
		snprintf(path, sizeof(path), "%s%s", by_id, entry->d_name);
		if (!leads_to(path, device->node_device) || (found && strcmp(path, ret) > 0))
			continue;
		memcpy(ret, path, sizeof(path));
		found = true;
	}
	if (list)
		closedir(list);
	return found;
}

static bool is_path_of(const struct device *device, const char *word)
{
	char named[PATH_MAX];
	char path[PATH_MAX];

	return !strcmp(word, device->name) ||
	       (realpath(word, named) && realpath(device->path, path) && !strcmp(named, path));
}

/* A path may lead to another drive after the next boot, or reset; where there is
 * something better it does not name any. */
static bool is_only_a_path(const struct device *device)
{
	char path[PATH_MAX];

	return device->is_file || (!device->serial[0] && !find_id(device, path));
}

/* For a partition, its drive's words are good, too. */
static bool is_id_of(const struct device *device, const char *word)
{
	if (device->is_file)
		return false;
	if (device->serial[0] && !strcmp(word, device->serial))
		return true;
	return !strncmp(word, by_id, strlen(by_id)) &&
	       (leads_to(word, device->node_device) || leads_to(word, device->disk_device));
}

static bool names(const struct device *device, const char *word)
{
	return is_id_of(device, word) || (is_path_of(device, word) && is_only_a_path(device));
}

bool guard_may_destroy(const struct device *device, const struct device_use *use)
{
	for (size_t i = 0; i < use->destroy_count; i++)
		if (names(device, use->destroy[i]))
			return true;
	return false;
}

static bool is_plain(const char *word)
{
	for (; *word; word++)
		if (!isalnum((unsigned char)*word) && !strchr("-_./:+,@%=", *word))
			return false;
	return true;
}

void guard_destroy_word(const struct device *device, char ret[static GUARD_WORD_BYTES])
{
	char path[PATH_MAX];
	const char *word = device->name;

	if (!device->is_file && device->serial[0])
		word = device->serial;
	else if (!device->is_file && find_id(device, path))
		word = path;
	snprintf(ret, GUARD_WORD_BYTES, is_plain(word) ? "%.500s" : "'%.500s'", word);
}

/* As far as it can be known without opening it. */
static void look_at(const char *path, struct device *device)
{
	char real[PATH_MAX];
	struct stat st;

	snprintf(device->name, sizeof(device->name), "%s", path);
	snprintf(device->path, sizeof(device->path), "%.*s", DEVICE_NAME_BYTES - 1,
		 realpath(path, real) ? real : path);
	device->is_file = stat(path, &st) < 0 || !S_ISBLK(st.st_mode);
	if (device->is_file)
		return;
	device->node_device = st.st_rdev;
	guard_identify(device);
}

static int refuse_path(const char *word, const struct device *device, struct error *err)
{
	char better[GUARD_WORD_BYTES];

	guard_destroy_word(device, better);
	return error_usage(err, EINVAL,
			   "--destroy-data %s: such a path may lead to another drive after the "
			   "next start; name this one by --destroy-data %s",
			   word, better);
}

static int refuse_ambiguous(const char *word, const struct device *a, const struct device *b,
			    struct error *err)
{
	return error_usage(err, EINVAL,
			   "--destroy-data %s: is the serial of both %s and %s; name the one by "
			   "its path in %s",
			   word, a->name, b->name, by_id);
}

static int refuse_unknown(const char *word, const struct device *devices, size_t count,
			  struct error *err)
{
	char better[GUARD_WORD_BYTES];

	if (count == 0)
		return error_usage(err, EINVAL, "--destroy-data %s: there is no device to name",
				   word);
	guard_destroy_word(&devices[0], better);
	return error_usage(err, EINVAL,
			   "--destroy-data %s: names none of the devices to be tested; %s would be "
			   "named by --destroy-data %s",
			   word, devices[0].name, better);
}

static int check_word(const char *word, const struct device *devices, size_t count,
		      struct error *err)
{
	const struct device *named = NULL;
	const struct device *only_path = NULL;

	for (size_t i = 0; i < count; i++) {
		if (names(&devices[i], word)) {
			if (named && named->disk_device != devices[i].disk_device)
				return refuse_ambiguous(word, named, &devices[i], err);
			named = &devices[i];
		} else if (is_path_of(&devices[i], word)) {
			only_path = &devices[i];
		}
	}
	if (named)
		return 0;
	return only_path ? refuse_path(word, only_path, err)
			 : refuse_unknown(word, devices, count, err);
}

int guard_check_words(const struct device *devices, size_t count, const struct device_use *use,
		      struct error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < use->destroy_count; i++)
		rc = check_word(use->destroy[i], devices, count, err);
	return rc;
}

int device_check_destroy(const char *const *paths, size_t count, const struct device_use *use,
			 struct error *err)
{
	struct device *devices = calloc(count ? count : 1, sizeof(*devices));
	int rc;

	if (!devices)
		return error_environment(err, ENOMEM, "no memory for %zu devices", count);
	for (size_t i = 0; i < count; i++)
		look_at(paths[i], &devices[i]);
	rc = guard_check_words(devices, count, use, err);
	free(devices);
	return rc;
}
