#include "act/cmd/log_echo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int log_echo_open(struct log_echo *echo, const char *dir, struct error *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.*s/run.log", PATH_MAX - 32, dir);
	echo->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (echo->fd < 0)
		return error_environment(err, errno, "%s: %s", path, strerror(errno));
	return 0;
}

static bool write_all(const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(STDOUT_FILENO, bytes, length);
		if (written < 0 && errno != EINTR && errno != EAGAIN)
			return false;
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
	return true;
}

/* A pipe that is writable takes so much without blocking. */
static bool copy(struct log_echo *echo, int wait_ms)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
	char bytes[PIPE_BUF];
	ssize_t length;

	while (echo->fd >= 0 && poll(&out, 1, wait_ms) > 0) {
		length = read(echo->fd, bytes, sizeof(bytes));
		if (length <= 0)
			return true;
		if (!write_all(bytes, (size_t)length)) {
			close(echo->fd);
			echo->fd = -1;
			return false;
		}
	}
	return true;
}

bool log_echo_copy(struct log_echo *echo)
{
	return copy(echo, 0);
}

bool log_echo_finish(struct log_echo *echo)
{
	bool ok = copy(echo, -1);

	if (echo->fd >= 0)
		close(echo->fd);
	echo->fd = -1;
	return ok;
}
