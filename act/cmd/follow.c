#include "act/cmd/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/act_grammar.h"

/* How often it is looked whether there is more. Asking costs little, and works on
 * every file system. */
#define LOOK_NS       100000000L
#define LOOKS_PER_SEC 10
/* A banner stands in the first lines. */
#define HEAD_LINES 8

static void take_signal(struct follow *follow, long timeout_ns)
{
	const struct timespec timeout = {.tv_nsec = timeout_ns};
	int signal = sigtimedwait(&follow->signals, NULL, &timeout);

	if (signal > 0 && !follow->signal)
		follow->signal = signal;
}

static bool wait_for_more(void *context)
{
	struct follow *follow = context;

	if (follow->ending && follow->looks_left == 0)
		follow->ended = true;
	if (!follow->ended && !follow->signal)
		take_signal(follow, LOOK_NS);
	follow->looks_left -= follow->looks_left > 0;
	return !follow->ended && !follow->signal;
}

/* What is there now: nothing is no end, and a pipe is not waited for. */
static ssize_t read_descriptor(struct follow *follow, char *buffer, size_t size)
{
	struct pollfd readable = {.fd = follow->fd, .events = POLLIN};
	ssize_t got;

	if (!follow->grows && poll(&readable, 1, 0) == 0)
		return 0;
	do {
		got = read(follow->fd, buffer, size);
	} while (got < 0 && errno == EINTR);
	if (got == 0 && !follow->grows)
		follow->ended = true;
	return got;
}

static ssize_t read_available(void *context, char *buffer, size_t size)
{
	struct follow *follow = context;
	size_t head = follow->head_end - follow->head_start;

	if (head == 0)
		return read_descriptor(follow, buffer, size);
	if (size > head)
		size = head;
	memcpy(buffer, follow->head + follow->head_start, size);
	follow->head_start += size;
	return (ssize_t)size;
}

ssize_t follow_read(void *follow, void *buffer, size_t size)
{
	ssize_t got;

	do {
		got = read_available(follow, buffer, size);
	} while (got == 0 && wait_for_more(follow));
	return got < 0 ? -errno : got;
}

static bool has_lines(const char *text, size_t length, int count)
{
	const char *end = text + length;

	for (; count > 0; count--) {
		text = memchr(text, '\n', (size_t)(end - text));
		if (!text)
			return false;
		text++;
	}
	return true;
}

/* More of the head, waited for: false when there will be none, or it is long enough. */
static bool read_head(struct follow *follow)
{
	size_t room = sizeof(follow->head) - follow->head_end;
	ssize_t got;

	if (room == 0 || has_lines(follow->head, follow->head_end, HEAD_LINES))
		return false;
	got = read_descriptor(follow, follow->head + follow->head_end, room);
	if (got > 0)
		follow->head_end += (size_t)got;
	return got > 0 || (got == 0 && wait_for_more(follow));
}

int follow_recognise(struct follow *follow, const char *path, bool *ret_act, struct error *err)
{
	static const char own[] = "actcert ";
	size_t length = sizeof(own) - 1;
	bool is_own = false;
	bool is_act = false;

	while (!is_own && !is_act && read_head(follow)) {
		is_own = follow->head_end >= length && !memcmp(follow->head, own, length);
		is_act = act_grammar_recognises(follow->head, follow->head_end);
	}
	if (!is_own && !is_act)
		return error_usage(err, EINVAL, "%s: neither a log of actcert nor one of ACT",
				   path);
	*ret_act = is_act;
	return 0;
}

static int open_log(const char *path, struct error *err)
{
	int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
					: open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_usage(err, errno, "%s: %s", path, strerror(errno));
	return fd;
}

int follow_open(struct follow *follow, const char *path, struct error *err)
{
	const cookie_io_functions_t functions = {.read = read_available};
	struct stat status;
	int fd = open_log(path, err);

	if (fd < 0)
		return fd;
	*follow = (struct follow){.fd = fd};
	follow->wait = (struct log_wait){wait_for_more, follow};
	follow->grows = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
	follow->stream = fopencookie(follow, "r", functions);
	if (!follow->stream) {
		close(fd);
		return error_environment(err, ENOMEM, "%s: not enough memory", path);
	}
	sigemptyset(&follow->signals);
	sigaddset(&follow->signals, SIGINT);
	sigaddset(&follow->signals, SIGTERM);
	sigaddset(&follow->signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &follow->signals, &follow->signals_before);
	return 0;
}

void follow_close(struct follow *follow)
{
	fclose(follow->stream);
	close(follow->fd);
	sigprocmask(SIG_SETMASK, &follow->signals_before, NULL);
}

int follow_signal(struct follow *follow)
{
	take_signal(follow, 0);
	return follow->signal;
}

void follow_end_within(struct follow *follow, uint64_t seconds)
{
	if (follow->ending)
		return;
	follow->ending = true;
	if (__builtin_mul_overflow(seconds, LOOKS_PER_SEC, &follow->looks_left))
		follow->looks_left = UINT64_MAX;
}
