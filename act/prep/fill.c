#include "act/prep/fill.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "act/base/clock.h"
#include "act/device/direct.h"
#include "act/device/label_io.h"

#define CHUNK_BYTES     (1u << 20)
#define ALIGN_BYTES     4096
#define SPARE_BYTES     (UINT64_C(64) << 20)
#define SPARE_SHARE     20 /* one part of these */
#define PROGRESS_NS     (NS_PER_SEC / 2)
#define BYTES_PER_BLOCK 512 /* of st_blocks, stat(2) */

struct filler {
	const struct fill_request *request;
	int fd;
	uint8_t *chunk;
	struct random random;
	uint64_t next_progress_ns;
};

static int interrupted(const struct fill_request *request, struct error *err)
{
	return error_environment(err, EINTR, "%s: interrupted while it was being filled",
				 request->path);
}

static int cannot_write(const struct filler *filler, int code, struct error *err)
{
	const struct fill_request *request = filler->request;

	switch (code) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return error_environment(err, code,
					 "%s: no room for a file of %" PRIu64 " bytes: %s",
					 request->path, request->size_bytes, strerror(code));
	case EINTR:
		return interrupted(request, err);
	case EINVAL: /* some file systems take O_DIRECT and refuse the writes */
		return direct_refused(request->path, filler->fd, err);
	case EACCES:
	case EPERM:
	case EROFS:
		return error_environment(err, code,
					 "%s: %s: choose a folder that this user may write to",
					 request->path, strerror(code));
	case ENOENT:
	case ENOTDIR:
	case EISDIR:
		return error_usage(err, code, "%s: %s", request->path, strerror(code));
	default:
		return error_device(err, code, "%s: filling it failed: %s", request->path,
				    strerror(code));
	}
}

static bool stopped(const struct fill_request *request)
{
	return request->stop && *request->stop;
}

static int write_all(int fd, const uint8_t *data, size_t length, uint64_t offset_bytes)
{
	while (length) {
		ssize_t done = pwrite(fd, data, length, (off_t)offset_bytes);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? -errno : -EIO;
		data += done;
		length -= (size_t)done;
		offset_bytes += (uint64_t)done;
	}
	return 0;
}

static int write_chunk(struct filler *filler, uint64_t offset_bytes, size_t length)
{
	const struct fill_request *request = filler->request;

	payload_fill(request->pool, &filler->random, filler->chunk, length, offset_bytes,
		     offset_bytes / CHUNK_BYTES, request->data_id);
	return write_all(filler->fd, filler->chunk, length, offset_bytes);
}

static void report(struct filler *filler, uint64_t done_bytes)
{
	const struct fill_request *request = filler->request;
	uint64_t now_ns = clock_now(clock_real());

	if (!request->progress ||
	    (now_ns < filler->next_progress_ns && done_bytes < request->size_bytes))
		return;
	filler->next_progress_ns = now_ns + PROGRESS_NS;
	request->progress(request->progress_state, done_bytes, request->size_bytes);
}

static int write_everything(struct filler *filler)
{
	const struct fill_request *request = filler->request;
	uint64_t done_bytes = LABEL_AREA_BYTES;

	while (done_bytes < request->size_bytes) {
		uint64_t left_bytes = request->size_bytes - done_bytes;
		size_t length = left_bytes < CHUNK_BYTES ? (size_t)left_bytes : CHUNK_BYTES;
		int rc;

		report(filler, done_bytes);
		rc = stopped(request) ? -EINTR : write_chunk(filler, done_bytes, length);
		if (rc < 0)
			return rc;
		done_bytes += length;
	}
	return 0;
}

/* All the room at once, so that a full disk shows now and not at the end. A file
 * system that cannot allocate ahead shows it later. */
static int allocate(const struct fill_request *request, int fd)
{
	int rc;

	do {
		rc = fallocate(fd, 0, 0, (off_t)request->size_bytes) < 0 ? -errno : 0;
	} while (rc == -EINTR && !stopped(request));
	return rc == -EOPNOTSUPP || rc == -ENOSYS ? 0 : rc;
}

static int check_room(const struct filler *filler, struct error *err)
{
	const struct fill_request *request = filler->request;
	struct statvfs fs;
	struct stat st;
	uint64_t held_bytes, need_bytes, spare_bytes, free_bytes;

	if (fstat(filler->fd, &st) < 0 || fstatvfs(filler->fd, &fs) < 0)
		return cannot_write(filler, errno, err);
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

/* The label of a new preparation; *ret_complete: there is an old one, and nothing to do. */
static int begin_label(const struct filler *filler, struct label *ret, bool *ret_complete,
		       struct error *err)
{
	const struct fill_request *request = filler->request;
	struct label old = {0};
	struct stat st;
	int rc = label_read(request->path, filler->fd, &old, err);

	if (rc < 0)
		return rc;
	if (fstat(filler->fd, &st) < 0)
		return cannot_write(filler, errno, err);
	*ret_complete = rc > 0 && (uint64_t)st.st_size == request->size_bytes &&
			(request->fill ? label_is_complete(&old, request->size_bytes)
				       : old.device_bytes == request->size_bytes);
	*ret = (struct label){
	    .generation = old.generation,
	    .data_id = request->data_id,
	    .device_bytes = request->size_bytes,
	    .begun_s = (uint64_t)time(NULL),
	    .stage = LABEL_FILL,
	    .passes = 1,
	    .position_bytes = LABEL_AREA_BYTES,
	    .compress = request->compress,
	};
	return 0;
}

static int finish_label(const struct filler *filler, struct label *label, struct error *err)
{
	label->stage = LABEL_DONE;
	label->finished_s = (uint64_t)time(NULL);
	return label_write(filler->request->path, filler->fd, label, err);
}

/* The label comes before the room is taken: whenever this is cut short, the file can
 * be known as ours the next time. */
static int make_content(struct filler *filler, struct error *err)
{
	const struct fill_request *request = filler->request;
	struct label label;
	bool complete = false;
	int rc = begin_label(filler, &label, &complete, err);

	if (rc < 0 || complete)
		return rc;
	rc = check_room(filler, err);
	if (!rc)
		rc = label_write(request->path, filler->fd, &label, err);
	if (rc < 0)
		return rc;
	if (ftruncate(filler->fd, (off_t)request->size_bytes) < 0)
		rc = -errno;
	if (!rc)
		rc = allocate(request, filler->fd);
	if (!rc && request->fill)
		rc = write_everything(filler);
	if (!rc && fsync(filler->fd) < 0)
		rc = -errno;
	if (rc < 0)
		return cannot_write(filler, -rc, err);
	return request->fill ? finish_label(filler, &label, err) : 0;
}

/* Opens or makes the file; whatever is there and no regular file is left alone. */
static int open_file(struct filler *filler, bool *ret_made, struct error *err)
{
	const char *path = filler->request->path;
	int flags = O_RDWR | O_CLOEXEC;
	struct stat st;
	bool made = false;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return error_usage(err, EEXIST,
				   "%s: refused: it is there and is not a regular file", path);
	filler->fd = open(path, flags);
	if (filler->fd < 0 && errno == ENOENT) {
		filler->fd = open(path, flags | O_CREAT | O_EXCL, 0600);
		made = true;
	}
	if (filler->fd < 0)
		return cannot_write(filler, errno, err);
	*ret_made = made;
	return 0;
}

static int use_direct_io(const struct filler *filler, struct error *err)
{
	if (fcntl(filler->fd, F_SETFL, O_DIRECT) < 0)
		return cannot_write(filler, errno, err);
	return 0;
}

int fill_file(const struct fill_request *request, struct error *err)
{
	struct filler filler = {.request = request, .fd = -1};
	void *chunk;
	bool made = false;
	int rc;

	if (request->size_bytes <= LABEL_AREA_BYTES || request->size_bytes % ALIGN_BYTES)
		return error_usage(err, EINVAL,
				   "%s: its size must be a multiple of %d bytes, and more than "
				   "1 MiB",
				   request->path, ALIGN_BYTES);
	if (posix_memalign(&chunk, ALIGN_BYTES, CHUNK_BYTES) != 0)
		return error_environment(err, ENOMEM, "%s: no memory to fill it", request->path);
	filler.chunk = chunk;
	random_init(&filler.random, request->data_id, 0);
	rc = open_file(&filler, &made, err);
	if (rc < 0)
		goto out;
	rc = use_direct_io(&filler, err);
	if (!rc)
		rc = make_content(&filler, err);
	if (!rc)
		report(&filler, request->size_bytes);
	else if (made)
		unlink(request->path);
	close(filler.fd);
out:
	free(chunk);
	return rc;
}
