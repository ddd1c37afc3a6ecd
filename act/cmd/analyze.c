#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/cmd/analyze.h"
#include "act/cmd/cmd.h"
#include "analysis/reports/columns.h"
#include "analysis/reports/text.h"

static void print_help(void)
{
	char formats[128];

	report_list(formats, sizeof(formats));
	printf(
	    "usage: actcert analyze LOG... [OPTION]...\n"
	    "\n"
	    "Judges logs of runs (DIR/run.log) again, or those of ACT 1.x to 6.x, also gzipped, "
	    "and\n"
	    "reports each; - is standard input.\n"
	    "\n"
	    "  --slice DURATION         judge by slices of this length, as 1h (default: the "
	    "run's)\n"
	    "  --threshold TIME:SHARE   a threshold and its limit, as 1ms:5%%; may be repeated "
	    "and\n"
	    "                           replaces those of the run; only thresholds that the run\n"
	    "                           counted can be judged (of ACT: any, at the edges of its\n"
	    "                           buckets)\n"
	    "  --histogram NAME         judge this stream, as large-block-reads; may be repeated "
	    "and\n"
	    "                           replaces those of the run; the others are shown below\n"
	    "  --format FORMAT          one of: %s (default: text)\n"
	    "  --columns LIST           what the text's tables show: response (default), service,\n"
	    "                           lag, submit, act, separated by commas, or all\n"
	    "  --follow                 the LOG is still being written: tell of each slice when it "
	    "is\n"
	    "                           finished, and report when the run has ended. Ctrl-C ends "
	    "it\n"
	    "                           before, with what is known by then and status 130\n"
	    "  --linearity              compare runs of one device each with a run of several, "
	    "the\n"
	    "                           last such LOG: what did each device lose beside the "
	    "others?\n"
	    "                           Exit status: 0 no device is worse than alone, 1 one is, 5\n"
	    "                           not known of one (INVALID, or no LOG of it alone)\n"
	    "  -o, --output FILE        write there instead of to stdout\n"
	    "  -h, --help               this text\n"
	    "\n"
	    "Exit status, the gravest of all logs: 0 PASS, 1 FAIL, 2 usage or unreadable log,\n"
	    "3 environment, 4 device error or device lost, 5 INVALID, 128 + n when the run was\n"
	    "ended by signal n.\n",
	    formats);
}

static int set_format(struct analyze_arguments *arguments, const char *name, struct error *err)
{
	char formats[128];

	arguments->report = report_find(name);
	if (arguments->report)
		return 0;
	report_list(formats, sizeof(formats));
	return error_usage(err, EINVAL, "--format \"%s\": one of %s is needed", name, formats);
}

static int parse_option(struct analyze_arguments *arguments, int option, struct error *err)
{
	switch (option) {
	case 's':
		return judge_options_set_slice(&arguments->options, optarg, err);
	case 't':
		return judge_options_add_criterion(&arguments->options, optarg, err);
	case 'n':
		return judge_options_add_judged(&arguments->options, optarg, err);
	case 'f':
		return set_format(arguments, optarg, err);
	case 'c':
		return columns_parse(optarg, &arguments->columns, err);
	case 'o':
		arguments->output = optarg;
		return 0;
	case 'F':
		arguments->follow = true;
		return 0;
	case 'L':
		arguments->linearity = true;
		return 0;
	case 'h':
		arguments->help = true;
		return 0;
	default:
		return -EINVAL; /* not in `options` */
	}
}

static int parse(struct analyze_arguments *arguments, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"slice", required_argument, NULL, 's'},
	    {"threshold", required_argument, NULL, 't'},
	    {"histogram", required_argument, NULL, 'n'},
	    {"format", required_argument, NULL, 'f'},
	    {"columns", required_argument, NULL, 'c'},
	    {"output", required_argument, NULL, 'o'},
	    {"follow", no_argument, NULL, 'F'},
	    {"linearity", no_argument, NULL, 'L'},
	    {"help", no_argument, NULL, 'h'},
	    {0},
	};
	int option;
	int rc = 0;

	arguments->report = report_find("text");
	opterr = 0;
	while (rc == 0 && (option = getopt_long(argc, argv, "o:h", options, NULL)) != -1)
		rc = option == '?' ? cmd_refuse_option(argv, err)
				   : parse_option(arguments, option, err);
	if (rc == 0 && !arguments->help && optind == argc)
		rc = error_usage(err, EINVAL, "no log was given; see actcert analyze --help");
	if (rc == 0 && arguments->linearity &&
	    (arguments->follow || arguments->columns || optind + 1 >= argc) && !arguments->help)
		rc = error_usage(err, EINVAL,
				 "--linearity: allowed: two LOGs or more, without --follow and "
				 "--columns");
	if (rc == 0 && arguments->columns && arguments->report != report_find("text"))
		rc = error_usage(err, EINVAL, "--columns: allowed: with --format text");
	if (rc == 0 && arguments->follow && (arguments->output || optind + 1 < argc))
		rc = error_usage(err, EINVAL, "--follow: allowed: one LOG, without --output");
	return rc;
}

int analyze_report(const struct analyze_arguments *arguments, const struct result *result,
		   const char *path, FILE *out, struct error *err)
{
	int rc = arguments->columns ? report_text_columns(result, arguments->columns, out)
				    : arguments->report->write(result, path, out);

	if (rc < 0)
		error_environment(err, -rc, "%s: no report: %s", path, strerror(-rc));
	return rc;
}

/* Judges and reports a log of actcert; takes the source over. */
static int analyze_own(const struct analyze_arguments *arguments,
		       const struct analyze_source *source, const char *path, FILE *out,
		       int *ret_status, struct error *err)
{
	struct analyze_judged judged = {.source = *source};
	int rc = analyze_judge(arguments, path, &judged, err);

	if (rc == 0)
		rc = analyze_report(arguments, judged.result, path, out, err);
	if (rc == 0)
		*ret_status = judged.result->exit_status;
	analyze_judged_close(&judged);
	return rc;
}

int analyze_log(const struct analyze_arguments *arguments, const char *path, FILE *out,
		int *ret_status, struct error *err)
{
	struct analyze_source source;
	int rc = analyze_open(path, &source, err);

	if (rc < 0)
		return rc;
	if (source.kind == LOG_KIND_OWN)
		return analyze_own(arguments, &source, path, out, ret_status, err);
	rc = analyze_act(arguments, source.input, path, out, ret_status, err);
	analyze_close(&source);
	return rc;
}

/* No statement at all is the gravest, then FAIL, then a run that was stopped. */
static int gravest_status(int a, int b)
{
	static const int order[] = {EXIT_ENVIRONMENT, EXIT_USAGE, EXIT_DEVICE, EXIT_FAIL};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return a > b ? a : b;
}

static int fail(const struct error *err)
{
	fprintf(stderr, "actcert: %s\n", err->text);
	return err->status;
}

/* Reports are written only now, so that no log given is overwritten half read. */
static int write_output(const char *path, const char *text, size_t length)
{
	struct error err;
	FILE *file = path ? fopen(path, "we") : stdout;
	int ok = file && fwrite(text, 1, length, file) == length && fflush(file) == 0;
	int code = errno;

	if (path && file && fclose(file) == EOF && ok) {
		code = errno;
		ok = 0;
	}
	if (ok)
		return EXIT_PASS;
	error_environment(&err, code, "%s: cannot be written: %s", path ? path : "stdout",
			  strerror(code));
	return fail(&err);
}

/* Without its headings when `headings`, those of the log before, are the same. */
static void append_report(const char *text, size_t length, char **headings, FILE *out)
{
	size_t line = strcspn(text, "\n") + 1;

	if (line > length)
		return;
	if (*headings && strncmp(*headings, text, line) == 0) {
		text += line;
		length -= line;
	} else {
		free(*headings);
		*headings = strndup(text, line);
	}
	fwrite(text, 1, length, out);
}

/* Reports one of `count` logs; returns the exit status. */
static int analyze_one(const struct analyze_arguments *arguments, const char *path, int count,
		       char **headings, FILE *out)
{
	struct error err;
	char *text = NULL;
	size_t length = 0;
	int status = EXIT_PASS;
	FILE *report = open_memstream(&text, &length);

	if (!report) {
		error_environment(&err, errno, "not enough memory");
		return fail(&err);
	}
	if (analyze_log(arguments, path, report, &status, &err) < 0)
		status = fail(&err);
	if (fclose(report) == EOF) {
		error_environment(&err, errno, "not enough memory");
		status = fail(&err);
	} else if (arguments->report->headings) {
		append_report(text, length, headings, out);
	} else {
		if (length > 0 && count > 1 && arguments->report == report_find("text"))
			fprintf(out, "%s%s:\n", ftell(out) > 0 ? "\n" : "", path);
		fwrite(text, 1, length, out);
	}
	free(text);
	return status;
}

static int analyze_all(const struct analyze_arguments *arguments, char *const *paths, int count)
{
	struct error err;
	char *headings = NULL;
	char *text = NULL;
	size_t length = 0;
	int status = EXIT_PASS;
	FILE *out = open_memstream(&text, &length);

	if (!out) {
		error_environment(&err, errno, "not enough memory");
		return fail(&err);
	}
	for (int i = 0; i < count; i++)
		status =
		    gravest_status(status, analyze_one(arguments, paths[i], count, &headings, out));
	if (fclose(out) == EOF)
		status = gravest_status(status, EXIT_ENVIRONMENT);
	status = gravest_status(status, write_output(arguments->output, text, length));
	free(headings);
	free(text);
	return status;
}

/* All logs in one report. */
static int compare_all(const struct analyze_arguments *arguments, char *const *paths, size_t count)
{
	struct error err;
	char *text = NULL;
	size_t length = 0;
	int status = EXIT_PASS;
	FILE *out = open_memstream(&text, &length);
	int rc;

	if (!out) {
		error_environment(&err, errno, "not enough memory");
		return fail(&err);
	}
	rc = analyze_linearity(arguments, paths, count, out, &status, &err);
	if (fclose(out) == EOF && rc == 0)
		rc = error_environment(&err, errno, "not enough memory");
	status = rc < 0 ? fail(&err)
			: gravest_status(status, write_output(arguments->output, text, length));
	free(text);
	return status;
}

int cmd_analyze(int argc, char **argv)
{
	struct analyze_arguments arguments = {0};
	struct error err;
	int status = EXIT_PASS;

	if (parse(&arguments, argc, argv, &err) < 0)
		return fail(&err);
	if (arguments.help) {
		print_help();
		return EXIT_PASS;
	}
	if (arguments.linearity)
		return compare_all(&arguments, argv + optind, (size_t)(argc - optind));
	if (!arguments.follow)
		return analyze_all(&arguments, argv + optind, argc - optind);
	if (analyze_follow(&arguments, argv[optind], &status, &err) < 0)
		status = fail(&err);
	return status;
}
