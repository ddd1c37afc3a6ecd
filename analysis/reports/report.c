#include "analysis/reports/report.h"

#include <string.h>

#include "analysis/reports/json.h"
#include "analysis/reports/text.h"

static const struct report reports[] = {
    {"text", report_text},
    {"json", report_json},
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
