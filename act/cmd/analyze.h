#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "act/base/error.h"
#include "analysis/judge.h"
#include "analysis/judge_options.h"
#include "analysis/log.h"
#include "analysis/log_input.h"
#include "analysis/reports/report.h"

/* Parts of `actcert analyze` and of act_latency. */

struct analyze_arguments {
	struct judge_options options;
	const struct report *report;
	unsigned columns;   /* of the text's tables; 0: as by default */
	const char *output; /* NULL: stdout */
	bool follow;
	bool linearity;
	bool help;
};

/* Prints the whole report of the log at `path`: 0, or an environment error. */
int analyze_report(const struct analyze_arguments *arguments, const struct result *result,
		   const char *path, FILE *out, struct error *err);
/* Says on stderr what was left out of the log, if anything. */
void analyze_warn(const struct log_reader *reader, const char *path);

/* A log as it was found. */
struct analyze_source {
	int fd; /* standard input's is left open */
	struct log_input *input;
	enum log_kind kind;
};

/* A usage error when it cannot be opened; an environment error when it cannot be read.
 * analyze_close frees after success only. */
int analyze_open(const char *path, struct analyze_source *ret, struct error *err);
void analyze_close(struct analyze_source *source);

/* A log of actcert and what it was judged to be. */
struct analyze_judged {
	struct analyze_source source; /* opened by the caller */
	FILE *stream;
	struct log_reader *reader;
	struct judge *judge;
	const struct result *result; /* as long as all of this */
};

/* Judges judged->source, which is read to its end; all else in *judged is zero before. A
 * usage or an environment error. analyze_judged_close frees all of it, also after an error,
 * and also a source that was not opened (all zero). */
int analyze_judge(const struct analyze_arguments *arguments, const char *path,
		  struct analyze_judged *judged, struct error *err);
void analyze_judged_close(struct analyze_judged *judged);

/* Compares the runs of `count` logs, see linearity.h, and reports the comparison;
 * *ret_status is what it ends with. Errors as analyze_log's. */
int analyze_linearity(const struct analyze_arguments *arguments, char *const *paths, size_t count,
		      FILE *out, int *ret_status, struct error *err);

/* Judges and reports one log; *ret_status is what its run ends with. Nothing is
 * printed when it fails: a usage error when the log cannot be opened, read or judged
 * as asked, otherwise an environment error. */
int analyze_log(const struct analyze_arguments *arguments, const char *path, FILE *out,
		int *ret_status, struct error *err);

/* The same for a log of the older tool. */
int analyze_act(const struct analyze_arguments *arguments, struct log_input *input,
		const char *path, FILE *out, int *ret_status, struct error *err);

/* Reads a log that is still being written, tells of each slice on stdout when it is
 * finished, and reports when the run has ended or a signal came; *ret_status is the
 * run's, or 128 + n on signal n. */
int analyze_follow(const struct analyze_arguments *arguments, const char *path, int *ret_status,
		   struct error *err);

/* What has been told of a log that is followed. */
struct analyze_telling {
	const struct analyze_arguments *arguments;
	const char *path;
	size_t slices;
};

/* Tells of the slices of `result` that are new; an environment error when stdout takes
 * nothing. */
int analyze_tell_slices(struct analyze_telling *telling, const struct result *result,
			struct error *err);
/* The same, and all that comes behind the slices. */
int analyze_tell_end(struct analyze_telling *telling, const struct result *result,
		     struct error *err);

struct follow;

/* Follows a log of the older tool until the time that it was to take is over, the tool
 * says that it stopped, or the waiting ends; otherwise as analyze_follow. */
int analyze_follow_act(struct analyze_telling *telling, struct follow *follow, int *ret_status,
		       struct error *err);
