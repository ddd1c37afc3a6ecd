#include "act/run/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long a child that has reported may take to end. */
#define END_WAIT_MS 2000

struct guardian {
	int status_fd; /* -1: there is no parent */
};

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};

static void fill_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		sigaddset(set, passed_on[i]);
	sigaddset(set, SIGCHLD);
}

void guardian_report(struct guardian *guardian, int status)
{
	if (guardian->status_fd < 0)
		return;
	while (write(guardian->status_fd, &status, sizeof(status)) < 0 && errno == EINTR)
		;
	close(guardian->status_fd);
	guardian->status_fd = -1;
}

static int of_wait_status(int wait_status)
{
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* The child has reported; its end is awaited for a moment, so that nothing of it
 * is left in the usual case. */
static void await_end(pid_t child, int signal_fd)
{
	struct pollfd signals = {.fd = signal_fd, .events = POLLIN};
	struct signalfd_siginfo info;

	while (waitpid(child, NULL, WNOHANG) == 0) {
		if (poll(&signals, 1, END_WAIT_MS) <= 0)
			return;
		if (read(signal_fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
			return;
		if (info.ssi_signo != SIGCHLD)
			kill(child, (int)info.ssi_signo);
	}
}

static void pass_on(pid_t child, int signal_fd)
{
	struct signalfd_siginfo info;

	if (read(signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info) &&
	    info.ssi_signo != SIGCHLD)
		kill(child, (int)info.ssi_signo);
}

static int guard(pid_t child, int status_fd, int signal_fd)
{
	struct pollfd fds[] = {
	    {.fd = status_fd, .events = POLLIN},
	    {.fd = signal_fd, .events = POLLIN},
	};
	int status = 0;
	int wait_status = 0;

	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents)
			pass_on(child, signal_fd);
		if (!fds[0].revents)
			continue;
		if (read(status_fd, &status, sizeof(status)) == (ssize_t)sizeof(status)) {
			await_end(child, signal_fd);
			return status;
		}
		break; /* it ended without a report */
	}
	while (waitpid(child, &wait_status, 0) < 0 && errno == EINTR)
		;
	return of_wait_status(wait_status);
}

/* In the child: a terminal's Ctrl-C goes to the parent alone, which passes it on. */
static int be_child(int (*work)(void *argument, struct guardian *guardian), void *argument,
		    int status_fd, pid_t parent, const sigset_t *before)
{
	struct guardian guardian = {.status_fd = status_fd};

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0UL, 0UL, 0UL);
	if (getppid() != parent)
		raise(SIGKILL);
	sigprocmask(SIG_SETMASK, before, NULL);
	int status = work(argument, &guardian);
	guardian_report(&guardian, status);
	return status;
}

int guardian_run(int (*work)(void *argument, struct guardian *guardian), void *argument)
{
	struct guardian none = {.status_fd = -1};
	pid_t parent = getpid();
	sigset_t watched;
	sigset_t before;
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return work(argument, &none);
	fill_set(&watched);
	sigprocmask(SIG_BLOCK, &watched, &before);
	int signal_fd = signalfd(-1, &watched, SFD_CLOEXEC);
	pid_t child = signal_fd < 0 ? -1 : fork();
	if (child == 0) {
		close(fds[0]);
		close(signal_fd);
		return be_child(work, argument, fds[1], parent, &before);
	}
	int status;
	close(fds[1]);
	if (child < 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		status = work(argument, &none);
	} else {
		status = guard(child, fds[0], signal_fd);
	}
	if (signal_fd >= 0)
		close(signal_fd);
	close(fds[0]);
	return status;
}
