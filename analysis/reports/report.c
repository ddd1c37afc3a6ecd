#include "analysis/reports/report.h"

#include <errno.h>
#include <string.h>

#include "analysis/reports/csv.h"
#include "analysis/reports/json.h"
#include "analysis/reports/progress.h"
#include "analysis/reports/text.h"

#define LINE_BYTES 1024

static int text_whole(const struct result *result, const char *log, FILE *out)
{
	(void)log;
	return report_text(result, out);
}

static int text_slices(const struct result *result, const char *log, size_t from, FILE *out)
{
	char line[LINE_BYTES];

	(void)log;
	for (size_t i = from; i < result->slice_count; i++)
		fprintf(out, "%s\n",
			progress_slice(line, sizeof(line), result->info, result->slices[i]));
	return ferror(out) ? -EIO : 0;
}

static int json_whole(const struct result *result, const char *log, FILE *out)
{
	(void)log;
	return report_json(result, out);
}

static int json_slices(const struct result *result, const char *log, size_t from, FILE *out)
{
	(void)from;
	return json_whole(result, log, out);
}

static const struct report reports[] = {
    {"text", text_whole, text_slices, true, false},
    {"csv", report_csv, report_csv_slices, false, true},
    {"json", json_whole, json_slices, false, false},
};

#define REPORTS (sizeof(reports) / sizeof(reports[0]))

const struct report *report_find(const char *name)
{
	for (size_t i = 0; i < REPORTS; i++)
		if (strcmp(reports[i].name, name) == 0)
			return &reports[i];
	return NULL;
}

void report_list(char *text, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < REPORTS && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
					 reports[i].name);
}
