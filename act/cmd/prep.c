#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/base/clock.h"
#include "act/cmd/cmd.h"
#include "act/cmd/prep_screen.h"
#include "act/prep/prep.h"
#include "act/run/guardian.h"
#include "act/run/stop.h"

#define DESTROY_MAX  128
#define ROUND_NS     (60 * NS_PER_SEC)
#define ROUND_MAX_NS (24 * 3600 * NS_PER_SEC)
#define ROUNDS       30
#define RATE_MIN     (UINT64_C(1) << 20)

enum {
	OPTION_FILE = 256,
	OPTION_CLEAN,
	OPTION_PASSES,
	OPTION_COMPRESS,
	OPTION_OVERWRITE,
	OPTION_ROUND,
	OPTION_ROUNDS,
	OPTION_RATE,
	OPTION_VERIFY,
	OPTION_RESTART,
	OPTION_DESTROY,
	OPTION_LOG,
	OPTION_FORMAT,
	OPTION_QUIET,
};

static const struct option options[] = {
    {"file", required_argument, NULL, OPTION_FILE},
    {"clean", required_argument, NULL, OPTION_CLEAN},
    {"passes", required_argument, NULL, OPTION_PASSES},
    {"compress", required_argument, NULL, OPTION_COMPRESS},
    {"overwrite", no_argument, NULL, OPTION_OVERWRITE},
    {"round", required_argument, NULL, OPTION_ROUND},
    {"rounds", required_argument, NULL, OPTION_ROUNDS},
    {"rate", required_argument, NULL, OPTION_RATE},
    {"verify", no_argument, NULL, OPTION_VERIFY},
    {"restart", no_argument, NULL, OPTION_RESTART},
    {"destroy-data", required_argument, NULL, OPTION_DESTROY},
    {"log", required_argument, NULL, OPTION_LOG},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static const char usage[] =
    "usage: actcert prep DEVICE... [OPTION]...\n"
    "\n"
    "Fills devices with sectors that can be verified; all their data is lost. How far each\n"
    "is, it carries itself: after a crash or a signal the same command goes on. A device\n"
    "that is prepared already is left alone.\n"
    "\n"
    "  --file PATH:SIZE     a file instead of a device, made when it is missing\n"
    "  --clean METHOD       first: discard, zero, none, or format (NVMe, with user data\n"
    "                       erased); default: discard where the device can, else none\n"
    "  --passes N           fill so often (default: 1)\n"
    "  --compress 50%       size of the data after compression (default: 100%, random)\n"
    "  --overwrite          then overwrite at random, until the speed is steady: over the\n"
    "                       last 5 rounds a range within 20 % and a slope within 10 % of\n"
    "                       the average\n"
    "  --round 60s          a round is a tenth of the device, or so long if that is less\n"
    "  --rounds 30          give up after so many\n"
    "  --rate 500MB         write or read at most so much per second on each device\n"
    "  --verify             read everything back and check each sector; a device that is\n"
    "                       prepared already is then only read\n"
    "  --restart            begin anew, whatever the device carries\n"
    "  --destroy-data NAME  overwrite this drive (its serial or /dev/disk/by-id/ path) or\n"
    "                       file (its path) though somebody's data is on it\n"
    "  --log FILE           add what happened to this file, with times\n"
    "  --format FORMAT      of the summary: text (default) or json\n"
    "  --quiet              print the summary lines only\n"
    "\n"
    "Exit status: 0 all are prepared (and verified), 1 not steady, 2 usage or a refused\n"
    "device, 3 environment, 4 device error or wrong data, 128 + n on signal n.\n";

struct arguments {
	struct config config; /* its list of targets, and compress */
	struct prep_target targets[PREP_TARGETS_MAX];
	struct prep_options options;
	const char *destroy[DESTROY_MAX];
	size_t destroy_count;
	const char *log_path;
	bool json;
	bool quiet;
	bool help;
};

static int take_clean(struct prep_options *prep, struct error *err)
{
	if (clean_parse(optarg, &prep->clean))
		return error_usage(
		    err, EINVAL, "--clean %s: allowed: auto, discard, zero, format, none%s", optarg,
		    strcmp(optarg, "sanitize") == 0
			? " (a sanitize takes every namespace of the drive: do it "
			  "with nvme-cli)"
			: "");
	return 0;
}

static int take_round(struct prep_options *prep, struct error *err)
{
	if (units_parse_duration(optarg, &prep->round_ns) || prep->round_ns < NS_PER_MS ||
	    prep->round_ns > ROUND_MAX_NS)
		return error_usage(err, EINVAL, "--round %s: allowed: 1ms to 24h", optarg);
	return 0;
}

static int take_rate(struct prep_options *prep, struct error *err)
{
	if (units_parse_size(optarg, &prep->bytes_per_sec) || prep->bytes_per_sec < RATE_MIN)
		return error_usage(err, EINVAL, "--rate %s: allowed: from 1MiB on", optarg);
	return 0;
}

static int take_compress(struct arguments *arguments, struct error *err)
{
	int rc = config_set(&arguments->config, "--compress", "compress", optarg, err);

	if (rc == 0)
		arguments->options.compress = arguments->config.compress;
	return rc;
}

static int take_destroy(struct arguments *arguments, struct error *err)
{
	if (arguments->destroy_count == DESTROY_MAX)
		return error_usage(err, E2BIG, "--destroy-data: allowed: up to %d times",
				   DESTROY_MAX);
	arguments->destroy[arguments->destroy_count++] = optarg;
	return 0;
}

static int take_format(struct arguments *arguments, struct error *err)
{
	arguments->json = strcmp(optarg, "json") == 0;
	if (arguments->json || strcmp(optarg, "text") == 0)
		return 0;
	return error_usage(err, EINVAL, "--format \"%s\": one of text, json is needed", optarg);
}

static int take_option(struct arguments *arguments, int code, struct error *err)
{
	struct prep_options *prep = &arguments->options;

	switch (code) {
	case OPTION_FILE:
		return config_add_file(&arguments->config, "--file", optarg, err);
	case OPTION_CLEAN:
		return take_clean(prep, err);
	case OPTION_PASSES:
		return cmd_take_number("--passes", optarg, 1, PREP_PASSES_MAX, &prep->passes, err);
	case OPTION_COMPRESS:
		return take_compress(arguments, err);
	case OPTION_ROUND:
		return take_round(prep, err);
	case OPTION_ROUNDS:
		return cmd_take_number("--rounds", optarg, LABEL_ROUNDS, PREP_ROUNDS_MAX,
				       &prep->rounds_max, err);
	case OPTION_RATE:
		return take_rate(prep, err);
	case OPTION_DESTROY:
		return take_destroy(arguments, err);
	case OPTION_LOG:
		arguments->log_path = optarg;
		return 0;
	case OPTION_FORMAT:
		return take_format(arguments, err);
	case OPTION_OVERWRITE:
		prep->overwrite = true;
		return 0;
	case OPTION_VERIFY:
		prep->verify = true;
		return 0;
	case OPTION_RESTART:
		prep->restart = true;
		return 0;
	case OPTION_QUIET:
		arguments->quiet = true;
		return 0;
	default:
		arguments->help = true;
		return 0;
	}
}

static int parse(int argc, char **argv, struct arguments *arguments, struct error *err)
{
	struct config *config = &arguments->config;
	int rc = 0;
	int code;

	config_defaults(config);
	opterr = 0;
	while (rc == 0 && (code = getopt_long(argc, argv, "h", options, NULL)) != -1)
		rc = code == '?' ? cmd_refuse_option(argv, err) : take_option(arguments, code, err);
	if (rc || arguments->help)
		return rc;
	for (int i = optind; rc == 0 && i < argc; i++)
		rc = config_add_device(config, "DEVICE", argv[i], err);
	if (rc == 0 && config->target_count == 0)
		rc = error_usage(err, EINVAL, "no device was given; see actcert prep --help");
	for (size_t i = 0; rc == 0 && i < config->target_count; i++)
		arguments->targets[i] = (struct prep_target){
		    .path = config->targets[i].path,
		    .size_bytes = config->targets[i].is_file ? config->targets[i].size_bytes : 0,
		};
	return rc;
}

static int status_of(const struct prep_report *report)
{
	switch (report->outcome) {
	case PREP_PREPARED:
	case PREP_READY:
		return EXIT_PASS;
	case PREP_NOT_STEADY:
		return EXIT_FAIL;
	case PREP_MISMATCH:
	case PREP_HANGS:
		return EXIT_DEVICE;
	case PREP_FAILED:
		return (int)report->err.status;
	case PREP_STOPPED:
		return 128 + stop_signal();
	}
	return EXIT_DEVICE;
}

/* A signal counts only where it stopped something; then it is what the caller waits for. */
static int gravest(int a, int b)
{
	static const int order[] = {EXIT_DEVICE, EXIT_ENVIRONMENT, EXIT_USAGE, EXIT_FAIL};

	if (a >= 128 || b >= 128)
		return a >= 128 ? a : b;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return EXIT_PASS;
}

static int run_and_report(const struct arguments *arguments, struct prep *prep, FILE *log)
{
	struct prep_screen screen = {
	    .prep = prep,
	    .quiet = arguments->quiet,
	    .terminal = isatty(STDERR_FILENO),
	    .log = log,
	};
	const struct prep_observer observer = {
	    .progress = prep_screen_progress,
	    .notice = prep_screen_notice,
	    .state = &screen,
	};
	int status = EXIT_PASS;

	for (size_t i = 0; i < prep_count(prep); i++)
		if (prep_reason(prep, i)[0])
			prep_screen_notice(&screen, prep_name(prep, i), prep_reason(prep, i));
	prep_run(prep, &observer);
	prep_screen_clear(&screen);
	for (size_t i = 0; i < prep_count(prep); i++) {
		prep_screen_complain(prep_report(prep, i));
		if (!arguments->json)
			prep_screen_report(prep_report(prep, i));
		status = gravest(status, status_of(prep_report(prep, i)));
	}
	if (arguments->json && prep_screen_json(prep, stdout) < 0)
		fputs("actcert: no memory for the summary\n", stderr);
	fflush(stdout);
	return status;
}

/* All from the first look at the devices on, in a process of its own. */
static int prepare(void *argument, struct guardian *guardian)
{
	const struct arguments *arguments = argument;
	const struct prep_request request = {
	    .targets = arguments->targets,
	    .target_count = arguments->config.target_count,
	    .options = arguments->options,
	    .destroy = arguments->destroy,
	    .destroy_count = arguments->destroy_count,
	    .ops = &io_engine_uring,
	    .stop = stop_flag(),
	};
	struct error err = {0};
	struct prep *prep = NULL;
	FILE *log = NULL;

	stop_install();
	if (arguments->log_path) {
		log = fopen(arguments->log_path, "ae");
		if (!log) {
			error_environment(&err, errno, "%s: %s", arguments->log_path,
					  strerror(errno));
			return cmd_complain(&err);
		}
	}
	int rc = prep_new(&request, &prep, &err);
	int status =
	    rc == 0 ? run_and_report(arguments, prep, log)
		    : (rc == -EINTR && stop_signal() ? 128 + stop_signal() : cmd_complain(&err));
	if (log)
		fclose(log);
	guardian_report(guardian, status);
	prep_free(prep);
	return status;
}

int cmd_prep(int argc, char **argv)
{
	struct arguments arguments = {
	    .options = {.round_ns = ROUND_NS, .rounds_max = ROUNDS},
	};
	struct error err = {0};

	if (parse(argc, argv, &arguments, &err))
		return cmd_complain(&err);
	if (arguments.help) {
		fputs(usage, stdout);
		return EXIT_PASS;
	}
	return guardian_run(prepare, &arguments);
}
