#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "act/cmd/analyze.h"
#include "analysis/linearity.h"
#include "analysis/reports/linearity.h"

/* Judges the log at `path` and keeps it in *judged, which analyze_judged_close frees also
 * when this fails. */
static int judge_path(const struct analyze_arguments *arguments, const char *path,
		      struct analyze_judged *judged, struct error *err)
{
	int rc = analyze_open(path, &judged->source, err);

	if (rc == 0 && judged->source.kind == LOG_KIND_ACT)
		rc = error_usage(err, EINVAL,
				 "%s: a log of ACT: --linearity compares logs of actcert, as those "
				 "of ACT do not hold all that is compared of each device",
				 path);
	if (rc == 0)
		rc = analyze_judge(arguments, path, judged, err);
	return rc;
}

static int report(const struct analyze_arguments *arguments, const struct linearity_run *runs,
		  size_t count, FILE *out, int *ret_status, struct error *err)
{
	const struct linearity_report *format = linearity_report_find(arguments->report->name);
	struct linearity linearity;
	int rc;

	if (!format)
		return error_usage(err, EINVAL, "--format %s: not with --linearity",
				   arguments->report->name);
	rc = linearity_compare(runs, count, &linearity, err);
	if (rc < 0)
		return rc;
	rc = format->write(&linearity, out);
	if (rc < 0)
		error_environment(err, -rc, "no report: %s", strerror(-rc));
	else
		*ret_status = linearity_exit_status(&linearity);
	linearity_release(&linearity);
	return rc;
}

int analyze_linearity(const struct analyze_arguments *arguments, char *const *paths, size_t count,
		      FILE *out, int *ret_status, struct error *err)
{
	struct analyze_judged *judged = calloc(count, sizeof(*judged));
	struct linearity_run *runs = calloc(count, sizeof(*runs));
	size_t opened = 0;
	int rc = 0;

	if (!judged || !runs) {
		rc = error_environment(err, ENOMEM, "not enough memory to compare runs");
		goto out;
	}
	for (; rc == 0 && opened < count; opened++) {
		rc = judge_path(arguments, paths[opened], &judged[opened], err);
		runs[opened] = (struct linearity_run){paths[opened], judged[opened].result};
	}
	if (rc == 0)
		rc = report(arguments, runs, count, out, ret_status, err);
out:
	for (size_t i = 0; i < opened; i++)
		analyze_judged_close(&judged[i]);
	free(judged);
	free(runs);
	return rc;
}
