#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "act/device/device.h"
#include "act/device/direct.h"

static int cannot_open(const struct device *device, int code, struct error *err)
{
	const char *name = device->name;
	int look;
	int rc;

	switch (code) {
	case EBUSY:
		return error_usage(err, code,
				   "%s: in use by another program (or a file system or driver of "
				   "this host): stop that first",
				   name);
	case EACCES:
	case EPERM:
		return error_environment(err, code,
					 "%s: %s: run as root, or give this user the right to it",
					 name, strerror(code));
	case EROFS:
		return error_usage(err, code, "%s: refused: it is read-only", name);
	case EINVAL:
		look = open(device->path, O_PATH | O_CLOEXEC);
		rc = direct_refused(name, look, err);
		if (look >= 0)
			close(look);
		return rc;
	default:
		return error_device(err, code, "%s: cannot be opened: %s", name, strerror(code));
	}
}

static int check_same(const struct device *device, int fd, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_device(err, errno, "%s: %s", device->name, strerror(errno));
	if (device->is_file
		? S_ISREG(st.st_mode) && st.st_dev == device->node_device &&
		      st.st_ino == device->node_inode && (uint64_t)st.st_size == device->size_bytes
		: S_ISBLK(st.st_mode) && st.st_rdev == device->node_device)
		return 0;
	return error_usage(err, ESTALE, "%s: refused: it changed while it was being looked at",
			   device->name);
}

/* Reads the first block, once in order to see that direct I/O works (some file
 * systems refuse it only then) and once without waiting. */
static int probe(int fd, const struct device *device, bool *ret_nowait, struct error *err)
{
	size_t length = device->logical_block_bytes;
	struct iovec part = {.iov_len = length};
	int rc = 0;

	if (posix_memalign(&part.iov_base, length < 4096 ? 4096 : length, length) != 0)
		return error_environment(err, ENOMEM, "%s: no memory for a block of %zu bytes",
					 device->name, length);
	if (pread(fd, part.iov_base, length, 0) < 0) {
		rc = errno == EINVAL ? direct_refused(device->name, fd, err)
				     : error_device(err, errno,
						    "%s: its first block cannot be "
						    "read: %s",
						    device->name, strerror(errno));
		goto out;
	}
	*ret_nowait = preadv2(fd, &part, 1, 0, RWF_NOWAIT) >= 0 || errno == EAGAIN;
out:
	free(part.iov_base);
	return rc;
}

int device_open(struct device *device, const struct device_use *use, struct error *err)
{
	int flags = (use->writes ? O_RDWR : O_RDONLY) | O_DIRECT | O_CLOEXEC;
	int rc = device_check_identity(device, err);
	int fd;

	if (rc)
		return rc;
	/* Without O_CREAT, O_EXCL is defined for block devices only. */
	fd = open(device->path, device->is_file ? flags : flags | O_EXCL);
	if (fd < 0)
		return cannot_open(device, errno, err);
	rc = check_same(device, fd, err);
	/* Between the two it may have changed; now it is held. */
	if (!rc)
		rc = device_check_identity(device, err);
	if (!rc)
		rc = probe(fd, device, &device->nowait, err);
	if (rc < 0) {
		close(fd);
		return rc;
	}
	device->fd = fd;
	return 0;
}

void device_close(struct device *device)
{
	if (device->fd >= 0)
		close(device->fd);
	device->fd = -1;
}
