#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "act/cmd/cmd.h"
#include "act/cmd/log_echo.h"
#include "act/config/config.h"
#include "act/io/engine.h"
#include "act/prep/fill.h"
#include "act/run/guardian.h"
#include "act/run/run.h"
#include "act/run/selftest.h"
#include "act/run/stop.h"
#include "act/workload/plan_text.h"
#include "act/workload/workload.h"
#include "analysis/reports/columns.h"
#include "analysis/reports/progress.h"
#include "analysis/reports/text.h"

#define DESTROY_MAX 128

enum {
	OPTION_SET = 256,
	OPTION_OUT,
	OPTION_QUIET,
	OPTION_COLUMNS,
	OPTION_PRINT_CONFIG,
	OPTION_DESTROY,
	OPTION_DEVICE,
	OPTION_FILE,
	OPTION_STRESS,
	OPTION_THRESHOLD,
	OPTION_KEY, /* a key of the options table with its own option */
};

static const struct option options[] = {
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"file", required_argument, NULL, OPTION_FILE},
    {"load", required_argument, NULL, OPTION_KEY},
    {"read-load", required_argument, NULL, OPTION_KEY},
    {"write-load", required_argument, NULL, OPTION_KEY},
    {"duration", required_argument, NULL, OPTION_KEY},
    {"slice", required_argument, NULL, OPTION_KEY},
    {"threshold", required_argument, NULL, OPTION_THRESHOLD},
    {"judge", required_argument, NULL, OPTION_KEY},
    {"verify", required_argument, NULL, OPTION_KEY},
    {"stress", no_argument, NULL, OPTION_STRESS},
    {"set", required_argument, NULL, OPTION_SET},
    {"out", required_argument, NULL, OPTION_OUT},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"columns", required_argument, NULL, OPTION_COLUMNS},
    {"print-config", no_argument, NULL, OPTION_PRINT_CONFIG},
    {"destroy-data", required_argument, NULL, OPTION_DESTROY},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static const char usage[] =
    "usage: actcert run [CONFIG] [OPTION]...\n"
    "  --device PATH            add a block device (or an existing file)\n"
    "  --file PATH:SIZE         add a file, made and filled when it is missing\n"
    "  --load 30x, --read-load 300x, --write-load 150x\n"
    "  --duration 24h, --slice 1h, --stress\n"
    "  --threshold 1ms:5%       judge by these instead of the config's (repeat for more)\n"
    "  --judge NAME[,NAME]...   judge these streams\n"
    "  --verify auto|on|off     check what is read (default: where it can be)\n"
    "  --set KEY=VALUE          set any key of the table below; options go in their order\n"
    "  --out DIR                where run.log, config.cfg and result.json go\n"
    "                           (default: actcert- and the time)\n"
    "  --quiet                  print the verdict line only\n"
    "  --columns LIST           what the tables show: response (default), service, lag,\n"
    "                           submit, act, separated by commas, or all\n"
    "  --print-config           print the config that would be run and open nothing\n"
    "  --destroy-data NAME      overwrite this drive (its serial or /dev/disk/by-id/ path) or\n"
    "                           file (its path) though somebody's data is on it\n"
    "\n"
    "Keys of a config file and of --set:\n";

struct arguments {
	struct config config;
	char out_dir[PATH_MAX];
	bool quiet;
	bool echoes; /* the log goes to stdout, too */
	enum config_act act;
	unsigned columns; /* enum columns */
	bool print_config;
	bool help;
	bool own_thresholds;
	const char *destroy[DESTROY_MAX];
	size_t destroy_count;
};

/* The first --threshold replaces the config's list, the others add to it. */
static int take_threshold(struct arguments *arguments, const char *text, struct error *err)
{
	static const char key[] = "thresholds";
	char list[512] = "";

	for (size_t i = 0; arguments->own_thresholds && i < arguments->config.criterion_count;
	     i++) {
		const struct config_criterion *criterion = &arguments->config.criteria[i];
		char threshold[UNITS_TEXT_BYTES];
		char limit[UNITS_TEXT_BYTES];
		size_t used = strlen(list);

		snprintf(list + used, sizeof(list) - used, "%s:%s,",
			 units_format_duration(threshold, criterion->threshold_ns),
			 units_format_percent(limit, criterion->limit));
	}
	arguments->own_thresholds = true;
	size_t used = strlen(list);
	snprintf(list + used, sizeof(list) - used, "%s", text);
	return config_set(&arguments->config, "--threshold", key, list, err);
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
	case OPTION_STRESS:
		return config_set(&arguments->config, origin, "stress", "true", err);
	case OPTION_THRESHOLD:
		return take_threshold(arguments, optarg, err);
	case OPTION_KEY:
		return config_set(&arguments->config, origin, name, optarg, err);
	case OPTION_SET:
		return cmd_set(&arguments->config, optarg, err);
	case OPTION_OUT:
		snprintf(arguments->out_dir, sizeof(arguments->out_dir), "%s", optarg);
		return 0;
	case OPTION_QUIET:
		arguments->quiet = true;
		return 0;
	case OPTION_COLUMNS:
		return columns_parse(optarg, &arguments->columns, err);
	case OPTION_PRINT_CONFIG:
		arguments->print_config = true;
		return 0;
	case OPTION_DESTROY:
		if (arguments->destroy_count == DESTROY_MAX)
			return error_usage(err, E2BIG, "--destroy-data: allowed: up to %d times",
					   DESTROY_MAX);
		arguments->destroy[arguments->destroy_count++] = optarg;
		return 0;
	case 'h':
		arguments->help = true;
		return 0;
	default:
		return -EINVAL; /* not in `options` */
	}
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
	if (path)
		rc = cmd_load_config(&arguments->config, path, arguments->act, err);
	while (rc == 0 && (code = getopt_long(argc, argv, "h", options, &number)) != -1)
		rc = take_option(arguments, code, code >= 256 ? options[number].name : "", err);
	if (rc == 0 && arguments->out_dir[0] == '\0') {
		time_t now = time(NULL);
		struct tm local;

		strftime(arguments->out_dir, sizeof(arguments->out_dir), "actcert-%Y%m%d-%H%M%S",
			 localtime_r(&now, &local));
	}
	return rc;
}

/* What the observer prints: one updating line on a terminal, lines elsewhere. */
struct screen {
	const struct run_info *info;
	bool quiet;
	bool terminal;
	bool line_open;
	struct log_echo echo;
};

static void clear_line(struct screen *screen)
{
	if (screen->line_open)
		fputs("\r\033[K", stderr);
	screen->line_open = false;
}

static void show_notice(void *state, const char *text)
{
	struct screen *screen = state;

	clear_line(screen);
	fprintf(stderr, "actcert: %s\n", text);
}

static const char echo_ended[] = "standard output takes no more of the log";

static void show_interval(void *state, const struct interval *interval, const struct judge *judge)
{
	struct screen *screen = state;
	struct winsize size = {0};
	char text[256];

	if (!log_echo_copy(&screen->echo))
		show_notice(screen, echo_ended);
	if (screen->quiet || !screen->terminal)
		return;
	progress_interval(text, sizeof(text), screen->info, interval, judge);
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 &&
	    size.ws_col < sizeof(text))
		text[size.ws_col - 1] = '\0';
	clear_line(screen);
	fputs(text, stderr);
	fflush(stderr);
	screen->line_open = true;
}

static void show_slice(void *state, const struct result *so_far, const struct slice *slice)
{
	struct screen *screen = state;
	char text[512];

	if (screen->quiet)
		return;
	clear_line(screen);
	fprintf(stderr, "%s\n", progress_slice(text, sizeof(text), so_far->info, slice));
}

static void show_fill(void *state, uint64_t done_bytes, uint64_t total_bytes)
{
	struct screen *screen = state;

	if (screen->quiet || !screen->terminal || total_bytes == 0)
		return;
	clear_line(screen);
	fprintf(stderr, "filling: %llu %% of %llu MiB",
		(unsigned long long)(done_bytes * 100 / total_bytes),
		(unsigned long long)(total_bytes >> 20));
	fflush(stderr);
	screen->line_open = true;
}

static int fill_missing(const struct run *run, const struct config *config, struct screen *screen,
			struct error *err)
{
	struct run_missing missing;
	int rc = 0;

	for (size_t i = 0; rc == 0 && run_missing_file(run, i, &missing); i++) {
		const struct fill_request request = {
		    .path = missing.path,
		    .size_bytes = missing.size_bytes,
		    .fill = config->fill_files,
		    .ops = &io_engine_uring,
		    .pool = missing.pool,
		    .compress = missing.compress,
		    .data_id = missing.data_id,
		    .stop = stop_flag(),
		    .progress = show_fill,
		    .progress_state = screen,
		};

		rc = fill_file(&request, err);
		clear_line(screen);
	}
	return rc;
}

/* The same load without I/O: a host that cannot do it is told of, and the run goes on. */
static int test_host(const struct arguments *arguments, struct screen *screen, struct facts *facts,
		     struct error *err)
{
	struct config config = arguments->config;
	const struct selftest_request request = {
	    .config = &config,
	    .duration_ns = config.selftest_ns,
	};
	struct selftest_report report;
	char text[sizeof(report.reason) + 64];

	config.engine = CONFIG_ENGINE_NOP;
	config.polled = false;
	if (screen->terminal && !screen->quiet) {
		fputs("testing this host, without the device", stderr);
		screen->line_open = true;
	}
	int rc = selftest(&request, &report, err);
	clear_line(screen);
	if (rc)
		return rc;
	if (report.signal)
		return -EINTR;
	selftest_record(&report, facts);
	if (!report.certifiable) {
		snprintf(text, sizeof(text), "selftest: this host cannot certify this load: %s",
			 report.reason);
		show_notice(screen, text);
	}
	return 0;
}

static int certify(const struct arguments *arguments, struct run *run, struct facts *facts,
		   struct guardian *guardian, struct error *err)
{
	struct screen screen = {
	    .info = run_info(run),
	    .quiet = arguments->quiet,
	    .terminal = isatty(STDERR_FILENO),
	    .echo = {.fd = -1},
	};
	FILE *out = arguments->echoes ? stderr : stdout;
	const struct run_observer observer = {
	    .interval = show_interval,
	    .slice = show_slice,
	    .notice = show_notice,
	    .state = &screen,
	};
	int rc = fill_missing(run, &arguments->config, &screen, err);

	if (rc == 0 && arguments->config.selftest_ns > 0)
		rc = test_host(arguments, &screen, facts, err);
	if (rc == -EINTR && stop_signal())
		return 128 + stop_signal();
	if (rc == 0)
		rc = run_open(run, err);
	if (rc == 0 && arguments->echoes)
		rc = log_echo_open(&screen.echo, arguments->out_dir, err);
	if (rc)
		return cmd_complain(err);
	if (!arguments->quiet)
		run_print_plan(run, stderr);
	const struct result *result = run_execute(run, &observer);
	clear_line(&screen);
	bool echoed = log_echo_copy(&screen.echo);
	if (arguments->quiet)
		report_verdict_line(result, out);
	else
		report_text_columns(result, arguments->columns, out);
	fflush(out);
	/* last, as it may wait for who reads */
	if (!log_echo_finish(&screen.echo) || !echoed)
		show_notice(&screen, echo_ended);
	guardian_report(guardian, result->exit_status);
	return result->exit_status;
}

static int print_text(char *text)
{
	if (!text)
		return EXIT_ENVIRONMENT;
	fputs(text, stdout);
	free(text);
	return EXIT_PASS;
}

/* The config, and behind it what follows from it, as comments. */
static int print_config(const struct config *config)
{
	struct workload workload;
	struct error err = {0};

	if (workload_compile(config, &workload, &err))
		return cmd_complain(&err);
	int status = print_text(config_print(config));
	if (status)
		return status;
	putchar('\n');
	return print_text(workload_format_plan(&workload));
}

/* All from the first look at the devices on, in a process of its own. */
static int run_all(void *argument, struct guardian *guardian)
{
	const struct arguments *arguments = argument;
	struct facts facts = {0}; /* found out before the run */
	const struct run_request request = {
	    .config = &arguments->config,
	    .facts = &facts,
	    .out_dir = arguments->out_dir,
	    .destroy = arguments->destroy,
	    .destroy_count = arguments->destroy_count,
	};
	struct error err = {0};
	struct run *run = NULL;

	stop_install();
	if (run_new(&request, &run, &err))
		return cmd_complain(&err);
	int status = certify(arguments, run, &facts, guardian, &err);
	run_free(run);
	facts_release(&facts);
	return status;
}

/* Beside a usage error: what goes wrong here is not told. */
static void suggest_device(int argc, char *const *argv)
{
	struct device_list list;

	if (device_list_all(&list, NULL) < 0)
		return;
	cmd_suggest(&list, argc, (const char *const *)argv, stderr);
	device_list_release(&list);
}

static int run_command(int argc, char **argv, bool echoes, enum config_act act)
{
	struct arguments arguments = {.columns = COLUMNS_RESPONSE, .echoes = echoes, .act = act};
	struct error err = {0};

	if (parse(argc, argv, &arguments, &err))
		return cmd_complain(&err);
	if (arguments.help) {
		fputs(usage, stdout);
		return print_text(config_help());
	}
	if (config_settle(&arguments.config, &err))
		return cmd_complain(&err);
	if (config_check(&arguments.config, &err)) {
		cmd_complain(&err);
		if (arguments.config.target_count == 0 && !arguments.print_config)
			suggest_device(argc, argv);
		return (int)err.status;
	}
	cmd_tell(&arguments.config);
	if (arguments.print_config)
		return print_config(&arguments.config);

	return guardian_run(run_all, &arguments);
}

int cmd_run(int argc, char **argv)
{
	return run_command(argc, argv, false, CONFIG_ACT_BY_CONTENT);
}

int cmd_run_as_act(int argc, char **argv, enum config_act act)
{
	return run_command(argc, argv, true, act);
}
