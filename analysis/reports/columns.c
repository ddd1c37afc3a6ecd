#include "analysis/reports/columns.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/figures.h"
#include "analysis/share.h"

static const struct {
	const char *name;
	unsigned set;
} groups[] = {
    {"response", COLUMNS_RESPONSE}, {"service", COLUMNS_SERVICE}, {"lag", COLUMNS_LAG},
    {"submit", COLUMNS_SUBMIT},     {"act", COLUMNS_ACT},         {"all", COLUMNS_ALL},
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

static unsigned find_group(const char *name, size_t length)
{
	for (size_t i = 0; i < GROUPS; i++)
		if (strlen(groups[i].name) == length && strncmp(groups[i].name, name, length) == 0)
			return groups[i].set;
	return 0;
}

int columns_parse(const char *list, unsigned *ret, struct error *err)
{
	const char *name = list;
	unsigned set = 0;

	for (;;) {
		size_t length = strcspn(name, ",");
		unsigned group = find_group(name, length);

		if (group == 0)
			return error_usage(err, EINVAL,
					   "--columns \"%s\": allowed: response, service, lag, "
					   "submit, act, separated by commas, or all",
					   list);
		set |= group;
		if (name[length] == '\0')
			break;
		name += length + 1;
	}
	*ret = set;
	return 0;
}

static void raise(uint64_t *value, uint64_t to)
{
	if (to > *value)
		*value = to;
}

static void raise_share(struct share_of *share, uint64_t part, uint64_t whole)
{
	const struct ratio one = {1, 1};

	if (share->whole == 0 || excess_compare(share_excess(part, whole, one),
						share_excess(share->part, share->whole, one)) > 0)
		*share = (struct share_of){part, whole};
}

void columns_raise(struct column_figures *figures, const struct summary *sums,
		   size_t criterion_count)
{
	for (size_t i = 0; i < criterion_count; i++) {
		raise_share(&figures->over[i], sums->over[i], summary_total(sums));
		raise_share(&figures->act_over[i], sums->service_over[i], summary_total(sums));
	}
	for (int span = 0; span < SPAN_COUNT; span++) {
		raise(&figures->p99_ns[span], sums->p99_ns[span]);
		raise(&figures->p999_ns[span], sums->p999_ns[span]);
		raise(&figures->max_ns[span], sums->max_ns[span]);
	}
	raise(&figures->errors, sums->errors);
}

/* The percentiles' columns; the judged span's have no name in front. */
static const struct {
	unsigned set;
	enum span span;
	const char *headings[3];
} spans[] = {
    {COLUMNS_RESPONSE, SPAN_RESPONSE, {"p99 ms", "p99.9", "max ms"}},
    {COLUMNS_SERVICE, SPAN_SERVICE, {"svc p99", "svc p99.9", "svc max"}},
    {COLUMNS_LAG, SPAN_LAG, {"lag p99", "lag p99.9", "lag max"}},
    {COLUMNS_SUBMIT, SPAN_SUBMIT, {"sub p99", "sub p99.9", "sub max"}},
};

#define SPANS (sizeof(spans) / sizeof(spans[0]))

static void share_headings(struct table_row *row, const struct run_info *info, const char *before)
{
	char threshold[UNITS_TEXT_BYTES];

	for (size_t i = 0; i < info->criterion_count; i++)
		table_cell(row, "%s%%>%.20s", before,
			   units_format_duration(threshold, info->criteria[i].threshold_ns));
}

void columns_headings(struct table_row *row, const struct run_info *info, unsigned set)
{
	if (set & (COLUMNS_RESPONSE | COLUMNS_SHARES))
		share_headings(row, info, "");
	for (size_t i = 0; i < SPANS; i++)
		for (size_t j = 0; (set & spans[i].set) && j < 3; j++)
			table_cell(row, "%s", spans[i].headings[j]);
	if (set & COLUMNS_ACT)
		share_headings(row, info, "act");
}

static void share_cells(struct table_row *row, const struct run_info *info, size_t stream,
			const struct share_of *shares)
{
	char text[FIGURE_BYTES];

	for (size_t i = 0; i < info->criterion_count; i++) {
		struct ratio limit;
		bool limited = judge_limit(info, stream, i, &limit);

		table_cell(
		    row, "%s",
		    figure_share(text, shares[i].part, shares[i].whole, limited ? &limit : NULL));
	}
}

void columns_cells(struct table_row *row, const struct run_info *info, size_t stream,
		   const struct column_figures *figures, unsigned set)
{
	char text[FIGURE_BYTES];

	if (set & (COLUMNS_RESPONSE | COLUMNS_SHARES))
		share_cells(row, info, stream, figures->over);
	for (size_t i = 0; i < SPANS; i++) {
		enum span span = spans[i].span;

		if (!(set & spans[i].set))
			continue;
		table_cell(row, "%s", figure_ms(text, figures->p99_ns[span]));
		table_cell(row, "%s", figure_ms(text, figures->p999_ns[span]));
		table_cell(row, "%s", figure_ms(text, figures->max_ns[span]));
	}
	if (set & COLUMNS_ACT)
		share_cells(row, info, stream, figures->act_over);
}
