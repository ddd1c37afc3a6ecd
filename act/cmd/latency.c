#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/base/clock.h"
#include "act/cmd/analyze.h"
#include "act/cmd/cmd.h"
#include "analysis/act_log.h"
#include "analysis/log_input.h"
#include "analysis/reports/act_table.h"
#include "analysis/reports/text.h"

#define DEFAULT_SLICE_SEC  3600
#define DEFAULT_THRESHOLDS 7
#define SLICE_SEC_MAX      ((uint64_t)1 << 32) /* 136 years */

struct arguments {
	const char *path;
	struct act_table_options table;
	bool slice_given;
};

static int fail(const struct error *err)
{
	fprintf(stderr, "act_latency: %s\n", err->text);
	return (int)err->status;
}

static void print_help(FILE *out)
{
	fputs(
	    "usage: act_latency -l LOG [OPTION]...\n"
	    "\n"
	    "Prints the table of the older tool's analyzer for a log of ACT, 1.x to 6.x, or of\n"
	    "actcert; the verdict goes to stderr and is the exit status, as of `actcert analyze`.\n"
	    "\n"
	    "  -l, --log LOG            the log, a file\n"
	    "  -h, --histogram NAME     a histogram, by its name or how that begins (default:\n"
	    "                           reads); may be repeated\n"
	    "  -t, --slice SECONDS      length of a slice (default: 3600); when given, it is\n"
	    "                           judged by such slices, too\n"
	    "  -s, --start_bucket N     the first threshold is 2^N units, 0 to 16 (default: 0)\n"
	    "  -n, --num_buckets N      so many thresholds at most (default: 7)\n"
	    "  -e, --every_nth N        each N-th threshold (default: 1)\n"
	    "  -x, --extra              requests per second, too\n",
	    out);
}

static int parse_unsigned(const char *option, const char *text, unsigned min, unsigned max,
			  unsigned *ret, struct error *err)
{
	uint64_t value = 0;
	int rc = cmd_take_number(option, text, min, max, &value, err);

	if (rc == 0)
		*ret = (unsigned)value;
	return rc;
}

static int add_histogram(struct act_table_options *table, const char *name, struct error *err)
{
	if (table->histogram_count == ACT_TABLE_COLUMNS_MAX)
		return error_usage(err, E2BIG, "-h \"%s\": at most %d histograms", name,
				   ACT_TABLE_COLUMNS_MAX);
	table->histograms[table->histogram_count++] = name;
	return 0;
}

static int parse_option(struct arguments *arguments, int option, struct error *err)
{
	struct act_table_options *table = &arguments->table;

	switch (option) {
	case 'l':
		arguments->path = optarg;
		return 0;
	case 'h':
		return add_histogram(table, optarg, err);
	case 't':
		arguments->slice_given = true;
		return cmd_take_number("-t", optarg, 1, SLICE_SEC_MAX, &table->slice_sec, err);
	case 's':
		return parse_unsigned("-s", optarg, 0, ACT_TABLE_BUCKETS - 1, &table->start, err);
	case 'n':
		return parse_unsigned("-n", optarg, 1, INT32_MAX, &table->count, err);
	case 'e':
		return parse_unsigned("-e", optarg, 1, INT32_MAX, &table->every, err);
	default:
		table->extra = true;
		return 0;
	}
}

static int parse(struct arguments *arguments, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"log", required_argument, NULL, 'l'},
	    {"histogram", required_argument, NULL, 'h'},
	    {"slice", required_argument, NULL, 't'},
	    {"start_bucket", required_argument, NULL, 's'},
	    {"num_buckets", required_argument, NULL, 'n'},
	    {"every_nth", required_argument, NULL, 'e'},
	    {"extra", no_argument, NULL, 'x'},
	    {0},
	};
	int option;
	int rc = 0;

	*arguments = (struct arguments){
	    .table = {.slice_sec = DEFAULT_SLICE_SEC, .count = DEFAULT_THRESHOLDS, .every = 1},
	};
	opterr = 0;
	while (rc == 0 && (option = getopt_long(argc, argv, "l:h:t:s:n:e:x", options, NULL)) != -1)
		rc = option == '?'
			 ? error_usage(err, EINVAL, "%s: unknown option, or its value is missing",
				       argv[optind - 1])
			 : parse_option(arguments, option, err);
	if (rc == 0 && !arguments->path) {
		error_usage(err, EINVAL, "-l LOG is missing");
		return -EINVAL;
	}
	return rc;
}

/* What was asked for, as the older tool repeated it. */
static void print_echo(const struct arguments *arguments, int argc, char *const *argv,
		       const struct act_head *head)
{
	fputs("act_latency", stdout);
	for (int i = 1; i < argc; i++)
		printf(" %s", argv[i]);
	printf("\n%s is ACT version %u.%u\n\n", arguments->path, head->major, head->minor);
}

static int print_table(const struct arguments *arguments, int argc, char *const *argv,
		       struct act_log *log, struct act_table_notes *ret_notes, struct error *err)
{
	int rc;

	print_echo(arguments, argc, argv, act_log_head(log));
	rc = act_table_print(log, &arguments->table, stdout, ret_notes, err);
	if (rc < 0)
		error_prefix(err, arguments->path);
	if (fflush(stdout) == EOF && rc == 0)
		rc =
		    error_environment(err, errno, "stdout: cannot be written: %s", strerror(errno));
	return rc;
}

static void warn(const struct arguments *arguments, const struct act_table_notes *notes)
{
	if (notes->slices == 0)
		fprintf(stderr,
			"act_latency: %s: no whole slice of %" PRIu64 " s, only %" PRIu64
			" s of one; -t SECONDS sets its length\n",
			arguments->path, notes->slice_sec, notes->rest_sec);
	else if (notes->rest_sec > 0)
		fprintf(stderr,
			"act_latency: %s: the last %" PRIu64
			" seconds are no whole slice and not in the table\n",
			arguments->path, notes->rest_sec);
	if (notes->merged > 0)
		fprintf(stderr,
			"act_latency: %s: the ends of %" PRIu64
			" slices are missing; the next rows are for them, too\n",
			arguments->path, notes->merged);
}

static ssize_t read_input(void *context, void *buffer, size_t size)
{
	return log_input_read(context, buffer, size);
}

/* Standard output gets the table; as the older tool's, it reads the log more than
 * once. */
static int show(const struct arguments *arguments, int argc, char *const *argv,
		struct act_table_notes *ret_notes, struct error *err)
{
	struct log_input *input = NULL;
	struct act_log *log = NULL;
	struct stat status;
	int fd = open(arguments->path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return error_usage(err, errno, "%s: %s", arguments->path, strerror(errno));
	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)) {
		rc = error_usage(err, EINVAL, "%s: not a regular file", arguments->path);
		goto out;
	}
	rc = log_input_new(fd, &input);
	if (rc < 0) {
		error_environment(err, -rc, "%s: %s", arguments->path, strerror(-rc));
		goto out;
	}
	rc = act_log_new((struct act_source){read_input, input}, arguments->path, &log, err);
	if (rc == 0)
		rc = print_table(arguments, argc, argv, log, ret_notes, err);
out:
	act_log_free(log);
	log_input_free(input);
	close(fd);
	return rc;
}

static int write_verdict(const struct result *result, const char *path, FILE *out)
{
	(void)path;
	return report_verdict_line(result, out);
}

/* Standard error gets the verdict; returns its status. */
static int judge(const struct arguments *arguments)
{
	static const struct report verdict = {.name = "verdict", .write = write_verdict};
	struct analyze_arguments how = {.report = &verdict};
	struct error err;
	int status = EXIT_PASS;

	if (arguments->slice_given)
		how.options.slice_ns = arguments->table.slice_sec * NS_PER_SEC;
	if (analyze_log(&how, arguments->path, stderr, &status, &err) < 0)
		status = fail(&err);
	return status;
}

int cmd_act_latency(int argc, char **argv)
{
	struct arguments arguments;
	struct act_table_notes notes = {0};
	struct error err;
	int status;

	if (parse(&arguments, argc, argv, &err) != 0) {
		fail(&err);
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (show(&arguments, argc, argv, &notes, &err) < 0)
		return fail(&err);
	warn(&arguments, &notes);
	status = judge(&arguments);
	return status == EXIT_PASS && notes.slices == 0 ? EXIT_USAGE : status;
}
