#include "tests/support/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TRIES 64

static int configure(int number, int file_fd, unsigned sector_bytes, char *path)
{
	struct loop_config config = {
	    .fd = (unsigned)file_fd,
	    .block_size = sector_bytes,
	    .info = {.lo_flags = LO_FLAGS_DIRECT_IO | LO_FLAGS_PARTSCAN},
	};
	int fd, rc;

	snprintf(path, LOOP_PATH_BYTES, "/dev/loop%d", number);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	rc = ioctl(fd, LOOP_CONFIGURE, &config) < 0 ? -errno : 0;
	close(fd);
	return rc;
}

int loop_attach(const char *file, unsigned sector_bytes, char ret_path[LOOP_PATH_BYTES])
{
	char path[LOOP_PATH_BYTES];
	int control_fd, file_fd;
	int rc = -EBUSY;

	control_fd = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	if (control_fd < 0)
		return -errno;
	file_fd = open(file, O_RDWR | O_CLOEXEC);
	if (file_fd < 0) {
		rc = -errno;
		goto out;
	}
	/* Another test may take the free one first. */
	for (int i = 0; i < TRIES && rc == -EBUSY; i++) {
		int number = ioctl(control_fd, LOOP_CTL_GET_FREE);

		rc = number < 0 ? -errno : configure(number, file_fd, sector_bytes, path);
	}
	if (!rc)
		snprintf(ret_path, LOOP_PATH_BYTES, "%s", path);
	close(file_fd);
out:
	close(control_fd);
	return rc;
}

void loop_detach(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	ioctl(fd, LOOP_CLR_FD, 0);
	close(fd);
}
