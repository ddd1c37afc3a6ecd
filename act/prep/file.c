#include "act/prep/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "act/device/direct.h"
#include "act/device/label_io.h"

#define SPARE_BYTES     (UINT64_C(64) << 20)
#define SPARE_SHARE     20  /* one part of these */
#define BYTES_PER_BLOCK 512 /* of st_blocks, stat(2) */

int file_explain(const char *path, int fd, uint64_t size_bytes, int code, struct error *err)
{
	switch (code) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return error_environment(err, code,
					 "%s: no room for a file of %" PRIu64 " bytes: %s", path,
					 size_bytes, strerror(code));
	case EINTR:
		return error_environment(err, EINTR, "%s: interrupted while it was being filled",
					 path);
	case EINVAL: /* some file systems take O_DIRECT and refuse the writes */
		return direct_refused(path, fd, err);
	case EACCES:
	case EPERM:
	case EROFS:
		return error_environment(err, code,
					 "%s: %s: choose a folder that this user may write to",
					 path, strerror(code));
	case ENOENT:
	case ENOTDIR:
	case EISDIR:
		return error_usage(err, code, "%s: %s", path, strerror(code));
	default:
		return error_device(err, code, "%s: filling it failed: %s", path, strerror(code));
	}
}

static int explain(const struct file_request *request, int fd, int code, struct error *err)
{
	return file_explain(request->path, fd, request->size_bytes, code, err);
}

/* All the room at once, so that a full disk shows now and not at the end. A file
 * system that cannot allocate ahead shows it later. */
static int allocate(const struct file_request *request, int fd)
{
	int rc;

	do {
		rc = fallocate(fd, 0, 0, (off_t)request->size_bytes) < 0 ? -errno : 0;
	} while (rc == -EINTR && !(request->stop && *request->stop));
	return rc == -EOPNOTSUPP || rc == -ENOSYS ? 0 : rc;
}

static int check_room(const struct file_request *request, int fd, struct error *err)
{
	struct statvfs fs;
	struct stat st;
	uint64_t held_bytes, need_bytes, spare_bytes, free_bytes;

	if (fstat(fd, &st) < 0 || fstatvfs(fd, &fs) < 0)
		return explain(request, fd, errno, err);
	held_bytes = (uint64_t)st.st_blocks * BYTES_PER_BLOCK;
	if (held_bytes >= request->size_bytes)
		return 0;
	need_bytes = request->size_bytes - held_bytes;
	spare_bytes = need_bytes / SPARE_SHARE;
	if (spare_bytes < SPARE_BYTES)
		spare_bytes = SPARE_BYTES;
	free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (free_bytes >= spare_bytes && free_bytes - spare_bytes >= need_bytes)
		return 0;
	return error_environment(err, ENOSPC,
				 "%s: no room: %" PRIu64 " bytes are needed, with %" PRIu64
				 " to spare, but its file system has %" PRIu64 " free",
				 request->path, need_bytes, spare_bytes, free_bytes);
}

/* The label comes before the room is taken: whenever this is cut short, the file can
 * be known as ours the next time. */
static int make_content(const struct file_request *request, int fd, struct label *ret_label,
			struct error *err)
{
	struct label old = {0};
	struct label label = request->label;
	struct stat st;
	int rc = label_read(request->path, fd, &old, err);

	if (rc < 0)
		return rc;
	if (fstat(fd, &st) < 0)
		return explain(request, fd, errno, err);
	if (rc > 0 && (uint64_t)st.st_size == request->size_bytes &&
	    old.device_bytes == request->size_bytes) {
		*ret_label = old;
		return 0;
	}
	label.generation = old.generation;
	rc = check_room(request, fd, err);
	if (!rc)
		rc = label_write(request->path, fd, &label, err);
	if (rc < 0)
		return rc;
	if (ftruncate(fd, (off_t)request->size_bytes) < 0)
		rc = -errno;
	if (!rc)
		rc = allocate(request, fd);
	if (!rc && fsync(fd) < 0)
		rc = -errno;
	if (rc < 0)
		return explain(request, fd, -rc, err);
	*ret_label = label;
	return 0;
}

/* Opens or makes the file; whatever is there and no regular file is left alone. */
static int open_file(const struct file_request *request, int *ret_fd, bool *ret_made,
		     struct error *err)
{
	const char *path = request->path;
	int flags = O_RDWR | O_CLOEXEC;
	struct stat st;
	bool made = false;
	int fd;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return error_usage(err, EEXIST,
				   "%s: refused: it is there and is not a regular file", path);
	fd = open(path, flags);
	if (fd < 0 && errno == ENOENT) {
		fd = open(path, flags | O_CREAT | O_EXCL, 0600);
		made = true;
	}
	if (fd < 0)
		return explain(request, fd, errno, err);
	*ret_fd = fd;
	*ret_made = made;
	return 0;
}

int file_make(const struct file_request *request, int *ret_fd, struct label *ret_label,
	      bool *ret_made, struct error *err)
{
	bool made = false;
	int fd = -1;
	int rc;

	if (request->size_bytes <= LABEL_AREA_BYTES || request->size_bytes % FILE_ALIGN_BYTES)
		return error_usage(err, EINVAL,
				   "%s: its size must be a multiple of %d bytes, and more than "
				   "1 MiB",
				   request->path, FILE_ALIGN_BYTES);
	rc = open_file(request, &fd, &made, err);
	if (rc < 0)
		return rc;
	if (fcntl(fd, F_SETFL, O_DIRECT) < 0)
		rc = explain(request, fd, errno, err);
	else
		rc = make_content(request, fd, ret_label, err);
	if (rc < 0) {
		close(fd);
		if (made)
			unlink(request->path);
		return rc;
	}
	*ret_fd = fd;
	*ret_made = made;
	return 0;
}
