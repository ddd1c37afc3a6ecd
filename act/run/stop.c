#include "act/run/stop.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile int stop_asked; /* sig_atomic_t is int with this libc */
_Static_assert(sizeof(sig_atomic_t) == sizeof(int), "the flag is written by a signal handler");

static void ask_to_stop(int signal)
{
	/* Two threads may each have one at the same moment. */
	if (__atomic_exchange_n(&stop_asked, signal, __ATOMIC_RELAXED))
		_exit(128 + signal);
}

void stop_install(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = ask_to_stop};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int stop_signal(void)
{
	return stop_asked;
}

const volatile int *stop_flag(void)
{
	return &stop_asked;
}
