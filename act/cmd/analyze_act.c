#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "act/cmd/analyze.h"
#include "analysis/act_judge.h"
#include "analysis/act_log.h"

static ssize_t read_input(void *context, void *buffer, size_t size)
{
	return log_input_read(context, buffer, size);
}

int analyze_act(const struct analyze_arguments *arguments, struct log_input *input,
		const char *path, FILE *out, int *ret_status, struct error *err)
{
	const struct result *result;
	struct act_judge *judge = NULL;
	struct act_log *log = NULL;
	int rc = act_log_new((struct act_source){read_input, input}, path, &log, err);

	if (rc < 0)
		goto out;
	rc = act_judge_new(log, &arguments->options, &judge, err);
	if (rc < 0)
		goto out;
	rc = act_judge_log(log, judge, &result, err);
	if (rc < 0) {
		if (err->status == EXIT_USAGE)
			error_prefix(err, path);
		goto out;
	}
	if (act_log_damaged_lines(log) > 0)
		fprintf(stderr, "actcert: %s: %" PRIu64 " lines could not be read\n", path,
			act_log_damaged_lines(log));
	rc = analyze_report(arguments, result, path, out, err);
	if (rc == 0)
		*ret_status = result->exit_status;
out:
	act_judge_free(judge);
	act_log_free(log);
	return rc;
}
