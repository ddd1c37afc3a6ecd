#include "act/device/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "act/device/signature.h"
#include "act/device/sysfs_walk.h"

/* Others, too, open devices exclusively for just a moment. */
#define EXCLUSIVE_TRIES    5
#define EXCLUSIVE_PAUSE_NS 20000000

const struct guard_host guard_this_host = {.proc = "/proc", .sys = "/sys"};

void guard_append(char text[static GUARD_TEXT_BYTES], const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, GUARD_TEXT_BYTES - used, format, args);
	va_end(args);
}

void guard_identify(struct device *device)
{
	char folder[SYSFS_PATH_BYTES];
	char disk[PATH_MAX];
	dev_t number = device->node_device;

	sysfs_path(folder, device->node_device, "");
	sysfs_identify_folder(folder, device);
	sysfs_disk_folder(folder, disk);
	sysfs_number(disk, &number);
	device->disk_device = number;
	device->start_bytes = sysfs_bytes(folder, "start");
}

int guard_geometry(const struct device *device, const char *folder, struct error *err)
{
	char disk[PATH_MAX];
	char zoned[32] = "none";

	if (device->size_bytes == 0)
		return error_usage(err, ENOMEDIUM, "%s: refused: it has no medium (size 0)",
				   device->name);
	if (device->size_bytes > INT64_MAX)
		return error_usage(err, EFBIG,
				   "%s: refused: it has %llu bytes, and at most %lld can be "
				   "addressed",
				   device->name, (unsigned long long)device->size_bytes,
				   (long long)INT64_MAX);
	sysfs_disk_folder(folder, disk);
	sysfs_read_entry(disk, "queue/zoned", zoned, sizeof(zoned));
	if (strcmp(zoned, "none") != 0)
		return error_usage(err, EOPNOTSUPP,
				   "%s: refused: it is zoned (%s), and cannot be written at any "
				   "place",
				   device->name, zoned);
	return 0;
}

static bool is_free(int fd)
{
	const struct timespec pause = {.tv_nsec = EXCLUSIVE_PAUSE_NS};
	char path[64];

	/* The same node, whatever its name leads to by now. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (unsigned i = 0; i < EXCLUSIVE_TRIES; i++) {
		int exclusive = open(path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);

		if (exclusive >= 0)
			close(exclusive);
		if (exclusive >= 0 || errno != EBUSY)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* On the device itself or on one of its partitions; `text` says of it, too, which. */
static bool find_process(const char *folder, char *text)
{
	struct sysfs_walk walk;
	char part[PATH_MAX];
	char found_text[GUARD_TEXT_BYTES] = "";
	char node[SYSFS_PATH_BYTES];
	dev_t number;
	bool found = sysfs_number(folder, &number) == 0 &&
		     guard_find_process(&guard_this_host, number, found_text);

	if (found)
		guard_append(text, "it %s", found_text);
	sysfs_walk_begin(&walk, folder, SYSFS_PARTITIONS);
	while (!found && sysfs_walk_next(&walk, part)) {
		found = sysfs_number(part, &number) == 0 &&
			guard_find_process(&guard_this_host, number, found_text);
		sysfs_node(part, node);
		if (found)
			guard_append(text, "its partition %s %s", node, found_text);
	}
	sysfs_walk_end(&walk);
	return found;
}

/* All signatures of the device and of its partitions: how many, or -errno. */
static int find_signatures(const struct device *device, const char *folder, int fd, char *text)
{
	struct sysfs_walk walk;
	char part[PATH_MAX];
	char node[SYSFS_PATH_BYTES];
	int count = signature_find(fd, 0, device->size_bytes, text);

	sysfs_walk_begin(&walk, folder, SYSFS_PARTITIONS);
	while (count >= 0 && sysfs_walk_next(&walk, part)) {
		char found[GUARD_TEXT_BYTES] = "";
		int more = signature_find(fd, sysfs_bytes(part, "start"), sysfs_bytes(part, "size"),
					  found);

		sysfs_node(part, node);
		if (more > 0)
			guard_append(text, "%son its partition %s: %s", count ? "; " : "", node,
				     found);
		count = more < 0 ? more : count + more;
	}
	sysfs_walk_end(&walk);
	return count;
}

/* What is on it helps to tell who that is: ZFS, or a file system of many devices. */
static int refuse_busy(const struct device *device, const char *folder, int fd, struct error *err)
{
	char process[GUARD_TEXT_BYTES] = "";
	char found[GUARD_TEXT_BYTES] = "";

	if (!find_process(folder, process))
		guard_append(process, "a driver or file system of this host, or a process in "
				      "another container, has it");
	if (find_signatures(device, folder, fd, found) <= 0)
		found[0] = '\0';
	return error_usage(err, EBUSY, "%s: refused: it is open exclusively elsewhere: %s%s%s",
			   device->name, process, found[0] ? "; it carries data: " : "", found);
}

int guard_block_device(const struct device *device, int fd, struct error *err)
{
	char folder[SYSFS_PATH_BYTES];
	int rc;

	sysfs_path(folder, device->node_device, "");
	rc = guard_geometry(device, folder, err);
	if (!rc)
		rc = guard_kernel_use(&guard_this_host, device->name, folder, err);
	if (!rc && !is_free(fd))
		rc = refuse_busy(device, folder, fd, err);
	return rc;
}

int guard_signatures(const struct device *device, int fd, struct error *err)
{
	char folder[SYSFS_PATH_BYTES];
	char found[GUARD_TEXT_BYTES] = "";
	char word[GUARD_WORD_BYTES];
	int count;

	sysfs_path(folder, device->node_device, "");
	count = find_signatures(device, folder, fd, found);
	guard_destroy_word(device, word);
	if (count < 0)
		return error_device(err, -count,
				    "%s: cannot be read to see what is on it: %s; to overwrite "
				    "it all the same, add --destroy-data %s",
				    device->name, strerror(-count), word);
	if (count == 0)
		return 0;
	return error_usage(err, EEXIST,
			   "%s: refused: it carries data: %s; to overwrite it, add "
			   "--destroy-data %s",
			   device->name, found, word);
}
