#include "act/run/record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/reports/json.h"

struct record {
	char dir[PATH_MAX];
	FILE *log_file;
	struct log_writer *log;
	int log_told;    /* errno of the log that was told already */
	bool log_failed; /* at any time */
	struct error result_error;
	bool result_failed;
	bool result_told;
};

static void path_in(char path[PATH_MAX], const char *dir, const char *name)
{
	snprintf(path, PATH_MAX, "%.*s/%s", PATH_MAX - 32, dir, name);
}

/* The directory itself, or the nearest one above it that exists. */
static int check_writable(const char *dir, struct error *err)
{
	char path[PATH_MAX];
	char *slash;

	snprintf(path, sizeof(path), "%s", dir);
	while (access(path, F_OK) != 0 && (slash = strrchr(path, '/')))
		*(slash == path ? slash + 1 : slash) = '\0';
	if (access(path, F_OK) != 0)
		snprintf(path, sizeof(path), ".");
	if (access(path, W_OK | X_OK) != 0)
		return error_environment(err, errno, "--out %s: cannot write to %s: %s", dir, path,
					 strerror(errno));
	return 0;
}

int record_check(const char *dir, struct error *err)
{
	char path[PATH_MAX];

	if (strlen(dir) > PATH_MAX - 64)
		return error_usage(err, ENAMETOOLONG, "--out: the name is too long");
	path_in(path, dir, "run.log");
	if (access(path, F_OK) == 0)
		return error_usage(err, EEXIST,
				   "--out %s: there is a run.log already; allowed: a new or empty "
				   "directory",
				   dir);
	return check_writable(dir, err);
}

static int make_directories(const char *dir, struct error *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s", dir);
	for (char *slash = path; slash;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			return error_environment(err, errno, "--out %s: cannot make %s: %s", dir,
						 path, strerror(errno));
		if (slash)
			*slash = '/';
	}
	return 0;
}

static int write_text(const char *path, const char *text, struct error *err)
{
	FILE *file = fopen(path, "we");

	if (file) {
		int failed = fputs(text, file) == EOF;

		if (fclose(file) == 0 && !failed)
			return 0;
	}
	return error_environment(err, errno, "cannot write %s: %s", path, strerror(errno));
}

int record_new(const char *dir, const struct run_info *info, const char *config_text,
	       struct record **ret, struct error *err)
{
	char path[PATH_MAX];
	struct record *record;
	int rc = record_check(dir, err);

	if (rc == 0)
		rc = make_directories(dir, err);
	if (rc)
		return rc;
	record = calloc(1, sizeof(*record));
	if (!record)
		return error_environment(err, ENOMEM, "no memory for the log");
	snprintf(record->dir, sizeof(record->dir), "%s", dir);
	path_in(path, dir, "config.cfg");
	rc = write_text(path, config_text, err);
	if (rc)
		goto fail;
	path_in(path, dir, "run.log");
	record->log_file = fopen(path, "wxe");
	if (!record->log_file) {
		rc = error_environment(err, errno, "cannot make %s: %s", path, strerror(errno));
		goto fail;
	}
	rc = log_writer_new(record->log_file, info, &record->log, err);
	if (rc)
		goto fail;
	*ret = record;
	return 0;
fail:
	record_free(record);
	return rc;
}

void record_free(struct record *record)
{
	if (!record)
		return;
	if (record->log)
		log_writer_free(record->log);
	if (record->log_file)
		fclose(record->log_file);
	free(record);
}

void record_interval(struct record *record, const struct interval *interval)
{
	log_write_interval(record->log, interval);
	record->log_failed |= log_writer_failure(record->log) != 0;
}

void record_sample(struct record *record, const struct telemetry_sample *sample)
{
	log_write_sample(record->log, sample);
}

void record_error(struct record *record, const struct request_error *error)
{
	log_write_error(record->log, error);
}

void record_end(struct record *record, const struct run_end *end)
{
	log_write_end(record->log, end);
	record->log_failed |= log_writer_failure(record->log) != 0;
	fsync(fileno(record->log_file));
}

void record_result(struct record *record, const struct result *result)
{
	char path[PATH_MAX];

	path_in(path, record->dir, "result.json");
	record->result_failed = report_json_replace(path, result, &record->result_error) != 0;
	if (!record->result_failed)
		record->result_told = false;
}

bool record_trouble(struct record *record, struct error *ret_trouble)
{
	int failure = log_writer_failure(record->log);

	if (failure && failure != record->log_told) {
		record->log_told = failure;
		error_environment(ret_trouble, failure,
				  "%s/run.log cannot be written (%s): the run goes on in memory",
				  record->dir, strerror(failure));
		return true;
	}
	if (record->result_failed && !record->result_told) {
		record->result_told = true;
		*ret_trouble = record->result_error;
		return true;
	}
	return false;
}

bool record_damaged(const struct record *record)
{
	return record->log_failed;
}
