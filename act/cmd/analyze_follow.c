#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/cmd/analyze.h"
#include "act/cmd/follow.h"

int analyze_tell_slices(struct analyze_telling *telling, const struct result *result,
			struct error *err)
{
	int rc = telling->arguments->report->slices(result, telling->path, telling->slices, stdout);

	telling->slices = result->slice_count;
	if (rc == 0 && fflush(stdout) == EOF)
		rc = -errno;
	if (rc < 0)
		return error_environment(err, -rc, "stdout: cannot be written: %s", strerror(-rc));
	return 0;
}

/* Feeds the log to the judge until it, or the waiting for it, ends. */
static int judge_live(struct analyze_telling *telling, struct log_reader *reader,
		      struct judge *judge, struct follow *follow, struct run_end *ret_end,
		      struct error *err)
{
	enum log_event event = LOG_INTERVAL;
	int rc = 0;

	while (rc == 0 && event != LOG_FINISHED && !follow_signal(follow)) {
		rc = log_reader_next(reader, &event, err);
		if (rc == 0 && event == LOG_INTERVAL &&
		    judge_interval(judge, log_reader_interval(reader)))
			rc = analyze_tell_slices(telling, judge_peek(judge), err);
		if (rc == 0 && event == LOG_END)
			*ret_end = *log_reader_end(reader);
	}
	return rc;
}

int analyze_tell_end(struct analyze_telling *telling, const struct result *result,
		     struct error *err)
{
	const struct analyze_arguments *arguments = telling->arguments;
	int rc = analyze_tell_slices(telling, result, err);

	if (rc == 0 && arguments->report->whole_behind)
		rc = analyze_report(arguments, result, telling->path, stdout, err);
	return rc;
}

static int follow_log(struct analyze_telling *telling, struct follow *follow, int *ret_status,
		      struct error *err)
{
	struct run_end end = {.reason = END_NONE};
	struct log_reader *reader = NULL;
	struct judge *judge = NULL;
	int rc = log_reader_follow(follow->stream, telling->path, &follow->wait, &reader, err);

	if (rc < 0)
		goto out;
	rc = judge_new_as(log_reader_info(reader), &telling->arguments->options, &judge, err);
	if (rc < 0) {
		error_prefix(err, telling->path);
		goto out;
	}
	rc = judge_live(telling, reader, judge, follow, &end, err);
	if (rc < 0)
		goto out;
	/* Whoever stops waiting does not stop the run. */
	const struct result *result = follow->signal && end.reason == END_NONE
					  ? judge_peek(judge)
					  : judge_finish(judge, &end);

	analyze_warn(reader, telling->path);
	rc = analyze_tell_end(telling, result, err);
	if (rc == 0)
		*ret_status = result->complete ? result->exit_status : 128 + follow->signal;
out:
	judge_free(judge);
	log_reader_free(reader);
	return rc;
}

int analyze_follow(const struct analyze_arguments *arguments, const char *path, int *ret_status,
		   struct error *err)
{
	struct analyze_telling telling = {arguments, path, 0};
	struct follow follow;
	bool is_act = false;
	int rc = follow_open(&follow, path, err);

	if (rc < 0)
		return rc;
	rc = follow_recognise(&follow, path, &is_act, err);
	if (rc == 0)
		rc = is_act ? analyze_follow_act(&telling, &follow, ret_status, err)
			    : follow_log(&telling, &follow, ret_status, err);
	/* Stopped before there was anything to judge. */
	if (rc < 0 && follow.signal) {
		*ret_status = 128 + follow.signal;
		rc = 0;
	}
	follow_close(&follow);
	return rc;
}
