#pragma once
#include <stdint.h>

#include "act/base/error.h"
#include "analysis/judge.h"
#include "analysis/reports/table.h"

/*
 * Which latencies a table shows, in groups, and their cells. From left to right:
 * the shares over each threshold by response time, percentiles and maximum of
 * response, service, lag and submission, and the shares by service time alone,
 * which is what closed-loop threads as the older tool's would have recorded.
 */

enum columns {
	COLUMNS_RESPONSE = 1,
	COLUMNS_SERVICE = 2,
	COLUMNS_LAG = 4,
	COLUMNS_SUBMIT = 8,
	COLUMNS_ACT = 16,
	COLUMNS_ALL = 31,
	COLUMNS_SHARES = 32, /* of COLUMNS_RESPONSE these alone */
};

/* "response,service", "all": adds to nothing and sets *ret to enum columns, or'ed.
 * A usage error names what is allowed. */
int columns_parse(const char *list, unsigned *ret, struct error *err);

/* Exact, so that shares of different wholes can be compared. */
struct share_of {
	uint64_t part;
	uint64_t whole;
};

/* What a row shows: of one summary, or the largest of several. All zero: of none. */
struct column_figures {
	struct share_of over[THRESHOLDS_MAX];
	struct share_of act_over[THRESHOLDS_MAX];
	uint64_t p99_ns[SPAN_COUNT];
	uint64_t p999_ns[SPAN_COUNT];
	uint64_t max_ns[SPAN_COUNT];
	uint64_t errors;
};

/* Raises each figure to that of `sums` where that is larger; `criterion_count`
 * shares are looked at. */
void columns_raise(struct column_figures *figures, const struct summary *sums,
		   size_t criterion_count);

/* Appends the headings, and the cells of a stream, of the groups in `set`. */
void columns_headings(struct table_row *row, const struct run_info *info, unsigned set);
void columns_cells(struct table_row *row, const struct run_info *info, size_t stream,
		   const struct column_figures *figures, unsigned set);
