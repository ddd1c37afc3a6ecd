/* Two devices with two workers each for two seconds on the null engine, then the
 * same stopped by a signal: whatever the threads of a run share, they share here. */
#include "act/run/run.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "act/config/config.h"
#include "act/run/stop.h"

static int configure(struct config *config, struct error *err)
{
	static const char *const settings[][2] = {
	    {"engine", "null"}, {"workers-per-device", "2"}, {"load", "5x"},  {"duration", "2s"},
	    {"slice", "1s"},    {"arrivals", "poisson"},     {"wait", "eco"},
	};
	int rc = 0;

	config_defaults(config);
	for (size_t i = 0; !rc && i < sizeof(settings) / sizeof(settings[0]); i++)
		rc = config_set(config, "race test", settings[i][0], settings[i][1], err);
	if (!rc)
		rc = config_add_file(config, "race test", "not-there-1:1GiB", err);
	if (!rc)
		rc = config_add_file(config, "race test", "not-there-2:1GiB", err);
	return rc ? rc : config_check(config, err);
}

static void *interrupt(void *arg)
{
	(void)arg;
	usleep(500000);
	kill(getpid(), SIGTERM);
	return NULL;
}

static int run_once(const struct config *config, const char *out_dir, int expected_signal)
{
	const struct run_request request = {.config = config, .out_dir = out_dir};
	struct run *run = NULL;
	struct error err = {0};
	int rc = run_new(&request, &run, &err);

	if (!rc)
		rc = run_open(run, &err);
	if (rc) {
		fprintf(stderr, "%s\n", err.text);
	} else {
		const struct result *result = run_execute(run, NULL);

		if (result->end.signal != expected_signal || result->slice_count == 0 ||
		    result->total.streams[0].issued == 0)
			rc = -1;
	}
	run_free(run);
	return rc;
}

int main(void)
{
	struct config config;
	struct error err = {0};
	char whole[] = "race-run.XXXXXX";
	char stopped[] = "race-run.XXXXXX";
	pthread_t thread;
	int rc = configure(&config, &err);

	if (rc)
		fprintf(stderr, "%s\n", err.text);
	stop_install();
	if (!rc && mkdtemp(whole))
		rc = run_once(&config, whole, 0);
	if (!rc && mkdtemp(stopped) && !pthread_create(&thread, NULL, interrupt, NULL)) {
		rc = run_once(&config, stopped, SIGTERM);
		pthread_join(thread, NULL);
	}
	return rc ? 1 : 0;
}
