#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "act/base/clock.h"
#include "act/cmd/cmd.h"
#include "act/config/config.h"
#include "act/run/selftest.h"
#include "act/run/stop.h"
#include "analysis/figures.h"

#define DURATION_MIN_NS (2 * NS_PER_SEC)
#define DURATION_MAX_NS (600 * NS_PER_SEC)

enum {
	OPTION_DEVICE = 256,
	OPTION_FILE,
	OPTION_KEY, /* a key of the options table with its own option */
	OPTION_WORKERS,
	OPTION_DURATION,
	OPTION_SET,
};

static const struct option options[] = {
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"file", required_argument, NULL, OPTION_FILE},
    {"load", required_argument, NULL, OPTION_KEY},
    {"read-load", required_argument, NULL, OPTION_KEY},
    {"write-load", required_argument, NULL, OPTION_KEY},
    {"workers", required_argument, NULL, OPTION_WORKERS},
    {"duration", required_argument, NULL, OPTION_DURATION},
    {"set", required_argument, NULL, OPTION_SET},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static const char usage[] =
    "usage: actcert selftest [CONFIG] [OPTION]...\n"
    "\n"
    "What load can this host issue, and how exactly? Runs the load without any I/O: what is\n"
    "late then, is late because of this host. Opens no device and no file to be tested.\n"
    "\n"
    "  --load 30x, --read-load 300x, --write-load 150x\n"
    "                           the load to be certified (default: 30x, or CONFIG's)\n"
    "  --device PATH, --file PATH:SIZE\n"
    "                           one of the devices that are to be certified: each gets its\n"
    "                           load, as no-operations through a real io_uring; without any,\n"
    "                           one made-up device without io_uring\n"
    "  --workers N              threads that share the load of one device (default: 1)\n"
    "  --duration 10s           of all, from 2s to 10m; more makes the search finer\n"
    "  --set KEY=VALUE          as for actcert run\n"
    "\n"
    "Exit status: 0 the load can be certified on this host, 5 it cannot, 2 usage,\n"
    "3 environment, 128 + n on signal n.\n";

struct arguments {
	struct config config;
	uint64_t duration_ns;
	bool help;
};

static int take_duration(struct arguments *arguments, const char *text, struct error *err)
{
	uint64_t ns;

	if (units_parse_duration(text, &ns) || ns < DURATION_MIN_NS || ns > DURATION_MAX_NS)
		return error_usage(err, EINVAL, "--duration %s: allowed: 2s to 10m", text);
	arguments->duration_ns = ns;
	return 0;
}

static int take_option(struct arguments *arguments, int code, const char *name, struct error *err)
{
	char origin[64];

	snprintf(origin, sizeof(origin), "--%s", name);
	switch (code) {
	case OPTION_DEVICE:
		return config_add_device(&arguments->config, origin, optarg, err);
	case OPTION_FILE:
		return config_add_file(&arguments->config, origin, optarg, err);
	case OPTION_KEY:
		return config_set(&arguments->config, origin, name, optarg, err);
	case OPTION_WORKERS:
		return config_set(&arguments->config, origin, "workers-per-device", optarg, err);
	case OPTION_DURATION:
		return take_duration(arguments, optarg, err);
	case OPTION_SET:
		return cmd_set(&arguments->config, optarg, err);
	case 'h':
		arguments->help = true;
		return 0;
	default:
		return -EINVAL; /* not in `options` */
	}
}

/* The engine is not to be chosen: one that did I/O would need a drive's guard. */
static int choose_engine(struct config *config, struct error *err)
{
	bool devices = config->target_count > 0;
	int rc = 0;

	if (!devices)
		rc = config_add_device(config, "selftest", "no device", err);
	config->polled = false;
	config->engine = devices ? CONFIG_ENGINE_NOP : CONFIG_ENGINE_NULL;
	return rc;
}

/* The config file first, wherever it stands among the options; then these in
 * their order. */
static int parse(int argc, char **argv, struct arguments *arguments, struct error *err)
{
	const char *path = NULL;
	int number;
	int code;
	int rc = 0;

	if (cmd_find_config(argc, argv, options, &path, err))
		return -EINVAL;
	config_defaults(&arguments->config);
	rc = path ? cmd_load_config(&arguments->config, path, CONFIG_ACT_BY_CONTENT, err)
		  : config_set(&arguments->config, "selftest", "load", "30x", err);
	while (rc == 0 && (code = getopt_long(argc, argv, "h", options, &number)) != -1)
		rc = take_option(arguments, code, code >= 256 ? options[number].name : "", err);
	if (rc == 0)
		rc = choose_engine(&arguments->config, err);
	if (rc == 0)
		rc = config_settle(&arguments->config, err);
	if (rc == 0)
		rc = config_check(&arguments->config, err);
	return rc;
}

static void print_leg(const struct selftest_leg *leg)
{
	char p50[FIGURE_BYTES];
	char p99[FIGURE_BYTES];
	char p999[FIGURE_BYTES];
	char max[FIGURE_BYTES];

	printf("  lag        p50 %s  p99 %s  p99.9 %s  max %s ms\n",
	       figure_ms(p50, leg->lag_p50_ns), figure_ms(p99, leg->lag_p99_ns),
	       figure_ms(p999, leg->lag_p999_ns), figure_ms(max, leg->lag_max_ns));
	printf("  hiccups    %" PRIu64 ", %s ms together, the longest %s ms\n", leg->hiccups,
	       figure_ms(p99, leg->hiccup_ns), figure_ms(max, leg->hiccup_max_ns));
	printf("  CPU        %.2f of one\n",
	       leg->elapsed_ns ? (double)leg->cpu_ns / (double)leg->elapsed_ns : 0.0);
}

static void print_report(const struct config *config, const struct selftest_report *report)
{
	char read_load[UNITS_TEXT_BYTES];
	char write_load[UNITS_TEXT_BYTES];
	char issued[FIGURE_BYTES];
	char planned[FIGURE_BYTES];
	char share[FIGURE_BYTES];
	char rate[FIGURE_BYTES];

	printf("asked load: %s reads, %s writes, %s\n",
	       units_format_load(read_load, config->read_load),
	       units_format_load(write_load, config->write_load),
	       config->engine == CONFIG_ENGINE_NOP ? "as no-operations through a real io_uring"
						   : "on an engine that does nothing");
	printf("  issued     %s of %s requests, %s %%\n",
	       figure_count(issued, report->asked.issued),
	       figure_count(planned, report->asked.planned),
	       figure_share(share, report->asked.issued, report->asked.planned, NULL));
	print_leg(&report->asked);
	printf("highest rate with 99.9 %% at most 50 us late: ");
	if (report->exact)
		printf("%s reads/s per worker", figure_count(rate, report->per_sec));
	else if (report->per_sec > 0)
		printf("none was found; nearest: %s reads/s per worker",
		       figure_count(rate, report->per_sec));
	else
		printf("there was no time to look for it");
	printf(" (%" PRIu64 " measurements)\n", report->legs);
	if (report->per_sec > 0)
		print_leg(&report->leg);
	printf("%s: %s\n",
	       report->certifiable ? "yes, this host can certify that load"
				   : "INVALID, this host cannot certify that load",
	       report->reason);
}

int cmd_selftest(int argc, char **argv)
{
	struct arguments arguments = {.duration_ns = 10 * NS_PER_SEC};
	struct selftest_report report;
	struct error err = {0};

	if (parse(argc, argv, &arguments, &err))
		return cmd_complain(&err);
	if (arguments.help) {
		fputs(usage, stdout);
		return EXIT_PASS;
	}

	const struct selftest_request request = {
	    .config = &arguments.config,
	    .duration_ns = arguments.duration_ns,
	};
	stop_install();
	if (selftest(&request, &report, &err))
		return cmd_complain(&err);
	if (report.signal)
		return 128 + report.signal;
	print_report(&arguments.config, &report);
	return report.certifiable ? EXIT_PASS : EXIT_INVALID;
}
