#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/base/facts.h"
#include "act/config/config.h"
#include "analysis/judge.h"

/*
 * What load this host can issue, and how exactly: runs on an engine that does no
 * I/O, so that whatever is late is late because of this host. Opens no device.
 */

/* A rate is issued exactly when 99.9 % of the requests are at most so late. */
#define SELFTEST_LAG_NS UINT64_C(50000)

/* One run: all streams together, but for the lag, which is that of the stream
 * that one-line displays speak of. */
struct selftest_leg {
	uint64_t planned;
	uint64_t issued;
	uint64_t lag_p50_ns;
	uint64_t lag_p99_ns;
	uint64_t lag_p999_ns;
	uint64_t lag_max_ns;
	uint64_t hiccups; /* see struct interval */
	uint64_t hiccup_ns;
	uint64_t hiccup_max_ns;
	uint64_t cpu_ns;     /* used by all threads ... */
	uint64_t elapsed_ns; /* ... in this time */
};

struct selftest_report {
	struct selftest_leg asked; /* the load asked for */
	/* The highest rate of each worker, in requests per second, that was issued
	 * exactly; where none was, the rate tried whose lag came nearest. 0: none
	 * was tried. And the leg that showed it. */
	uint64_t per_sec;
	bool exact;
	struct selftest_leg leg;
	uint64_t legs;                 /* of the search */
	bool certifiable;              /* the load asked for, on this host */
	char reason[2 * REASON_BYTES]; /* in one sentence */
	int signal;                    /* that ended it before its time; 0: none */
};

struct selftest_request {
	const struct config *config; /* checked; with an engine that does no I/O */
	uint64_t duration_ns;        /* of all together, about; from 2 s */
};

/* 0, or a usage or environment error. Uses a directory below $TMPDIR meanwhile. */
int selftest(const struct selftest_request *request, struct selftest_report *ret,
	     struct error *err);

/* Adds the report as facts about the host, for a run's log: selftest (the reason),
 * selftest_certifiable (0 or 1), selftest_planned and so on. */
void selftest_record(const struct selftest_report *report, struct facts *facts);

/* Whether the result of a run without I/O says that this host can certify: the
 * run must pass, and, unless in stress mode, the host alone may take no more than
 * a tenth of any limit. Fills *ret_reason. */
bool selftest_judge(const struct result *result, char ret_reason[static 2 * REASON_BYTES]);
