#include "act/device/label_io.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AREA_BYTES (LABEL_COPIES * LABEL_BYTES)

static int no_memory(const char *name, struct error *err)
{
	return error_environment(err, ENOMEM, "%s: no memory for its label", name);
}

int label_read(const char *name, int fd, struct label *ret, struct error *err)
{
	uint8_t *area = aligned_alloc(LABEL_BYTES, AREA_BYTES);
	int rc;

	if (!area)
		return no_memory(name, err);
	memset(area, 0, AREA_BYTES);
	if (pread(fd, area, AREA_BYTES, 0) < 0)
		rc = error_device(err, errno, "%s: cannot be read: %s", name, strerror(errno));
	else
		rc = label_newest(area, ret);
	free(area);
	return rc;
}

int label_write(const char *name, int fd, struct label *label, struct error *err)
{
	uint8_t *block = aligned_alloc(LABEL_BYTES, LABEL_BYTES);
	off_t at;
	ssize_t done;
	int rc = 0;

	if (!block)
		return no_memory(name, err);
	label->generation++;
	label_encode(label, block);
	at = (off_t)(label->generation % LABEL_COPIES * LABEL_BYTES);
	done = pwrite(fd, block, LABEL_BYTES, at);
	if (done != LABEL_BYTES || fdatasync(fd) < 0)
		rc = error_device(err, done >= 0 && done != LABEL_BYTES ? EIO : errno,
				  "%s: its label cannot be written: %s", name,
				  done >= 0 && done != LABEL_BYTES ? "short write"
								   : strerror(errno));
	free(block);
	return rc;
}

int label_clear(const char *name, int fd, struct error *err)
{
	uint8_t *zeros = aligned_alloc(LABEL_BYTES, LABEL_AREA_BYTES);
	ssize_t done;
	int rc = 0;

	if (!zeros)
		return no_memory(name, err);
	memset(zeros, 0, LABEL_AREA_BYTES);
	done = pwrite(fd, zeros, LABEL_AREA_BYTES, 0);
	if (done != (ssize_t)LABEL_AREA_BYTES || fdatasync(fd) < 0)
		rc = error_device(err, done >= 0 && done != (ssize_t)LABEL_AREA_BYTES ? EIO : errno,
				  "%s: its first MiB cannot be written", name);
	free(zeros);
	return rc;
}
