#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/device/device.h"
#include "act/device/direct.h"
#include "act/device/guard.h"
#include "act/device/label_io.h"

static int cannot_open(const char *path, int code, struct error *err)
{
	if (code == EACCES || code == EPERM)
		return error_environment(err, code, "%s: %s: run as root, or let this user read it",
					 path, strerror(code));
	if (code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG || code == ELOOP)
		return error_usage(err, code, "%s: %s", path, strerror(code));
	return error_device(err, code, "%s: cannot be opened: %s", path, strerror(code));
}

static const char *kind_of(mode_t mode)
{
	return S_ISDIR(mode)    ? "a folder"
	       : S_ISCHR(mode)  ? "a character device"
	       : S_ISFIFO(mode) ? "a pipe"
	       : S_ISSOCK(mode) ? "a socket"
				: "something else";
}

static int read_geometry(int fd, bool writes, struct device *device, struct error *err)
{
	int logical = 0, read_only = 0;
	unsigned physical = 0;

	if (ioctl(fd, BLKGETSIZE64, &device->size_bytes) < 0 ||
	    ioctl(fd, BLKSSZGET, &logical) < 0 || ioctl(fd, BLKPBSZGET, &physical) < 0 ||
	    ioctl(fd, BLKROGET, &read_only) < 0)
		return error_device(err, errno, "%s: cannot read its size and blocks: %s",
				    device->name, strerror(errno));
	device->logical_block_bytes = (uint32_t)logical;
	device->physical_block_bytes = physical;
	if (writes && read_only)
		return error_usage(err, EROFS, "%s: refused: it is read-only", device->name);
	return 0;
}

static int read_label(int fd, struct device *device, struct error *err)
{
	int rc = label_read(device->name, fd, &device->label, err);

	device->labelled = rc > 0;
	return rc < 0 ? rc : 0;
}

static int examine_block(int fd, const struct stat *st, const struct device_use *use,
			 struct device *device, struct error *err)
{
	int rc = read_geometry(fd, use->writes, device, err);

	device->is_file = false;
	device->node_device = st->st_rdev;
	guard_identify(device);
	if (rc == 0)
		rc = guard_block_device(device, fd, err);
	if (rc == 0)
		rc = read_label(fd, device, err);
	if (rc == 0 && use->writes && !guard_may_destroy(device, use))
		rc = guard_signatures(device, fd, err);
	return rc;
}

static int check_content(const struct device_use *use, const struct device *device,
			 struct error *err)
{
	char word[GUARD_WORD_BYTES];

	if (device->size_bytes == 0 || device->labelled || guard_may_destroy(device, use))
		return 0;
	guard_destroy_word(device, word);
	return error_usage(err, EEXIST,
			   "%s: refused: it is a file with content that is not ours; to overwrite "
			   "it, add --destroy-data %s",
			   device->name, word);
}

static int examine_file(int fd, const struct stat *st, const struct device_use *use,
			struct device *device, struct error *err)
{
	int rc = guard_file_use(&guard_this_host, device->name, st->st_dev, st->st_ino, err);

	device->is_file = true;
	device->size_bytes = (uint64_t)st->st_size;
	device->node_device = st->st_dev;
	device->node_inode = st->st_ino;
	if (!rc)
		rc = read_label(fd, device, err);
	if (!rc && use->writes)
		rc = check_content(use, device, err);
	if (!rc)
		rc = direct_find_block(device->name, fd, &device->logical_block_bytes, err);
	device->physical_block_bytes = device->logical_block_bytes;
	return rc;
}

/* Without touching the time of last access where that is allowed. */
static int open_to_look(const char *path)
{
	int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
	int fd = open(path, flags | O_NOATIME);

	if (fd < 0 && errno == EPERM)
		fd = open(path, flags);
	return fd;
}

static int name_too_long(const char *name, struct error *err)
{
	return error_usage(err, ENAMETOOLONG, "%.40s...: a device's name has at most %d characters",
			   name, DEVICE_NAME_BYTES - 1);
}

/* Names can move from one drive to another, so they are looked up once. Paths of files
 * do not, and may be long. */
static int resolve(const char *name, struct device *device, struct error *err)
{
	char path[PATH_MAX];
	struct stat st;

	if (strlen(name) >= sizeof(device->name))
		return name_too_long(name, err);
	snprintf(device->name, sizeof(device->name), "%s", name);
	snprintf(device->path, sizeof(device->path), "%s", name);
	if (!realpath(name, path) || stat(path, &st) < 0)
		return cannot_open(name, errno, err);
	/* Opening can have effects (a tape rewinds), so this comes first. */
	if (!S_ISBLK(st.st_mode) && !S_ISREG(st.st_mode))
		return error_usage(err, ENOTBLK,
				   "%s: refused: neither a block device nor a regular file, but %s",
				   name, kind_of(st.st_mode));
	device->is_file = S_ISREG(st.st_mode);
	if (device->is_file)
		return 0;
	if (strlen(path) >= sizeof(device->path))
		return name_too_long(path, err);
	memcpy(device->path, path, strlen(path) + 1);
	return 0;
}

int device_examine(const char *path, const struct device_use *use, struct device *ret_device,
		   struct error *err)
{
	struct device device = {.fd = -1};
	struct stat st;
	int rc = resolve(path, &device, err);
	int fd;

	if (rc)
		return rc;
	fd = open_to_look(device.path);
	if (fd < 0)
		return cannot_open(path, errno, err);
	if (fstat(fd, &st) < 0)
		rc = error_device(err, errno, "%s: %s", path, strerror(errno));
	else if (S_ISBLK(st.st_mode))
		rc = examine_block(fd, &st, use, &device, err);
	else
		rc = examine_file(fd, &st, use, &device, err);
	close(fd);
	if (!rc)
		*ret_device = device;
	return rc;
}
