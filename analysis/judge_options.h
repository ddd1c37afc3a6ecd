#pragma once
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "analysis/run_info.h"

/*
 * Judging a run by other rules than its own. A plain value; all zero means: as
 * the run was asked to.
 */
struct judge_options {
	uint64_t slice_ns;                              /* 0: the run's */
	struct info_criterion criteria[THRESHOLDS_MAX]; /* thresholds rising */
	size_t criterion_count;                         /* 0: the run's */
	char judged[INFO_JUDGED_MAX][64];               /* names of streams */
	size_t judged_count;                            /* 0: the run's */
};

/* Each takes one argument as the command line gives it ("1h", "1ms:5%",
 * "reads") and adds it; usage errors say what is allowed. */
int judge_options_set_slice(struct judge_options *options, const char *text, struct error *err);
int judge_options_add_criterion(struct judge_options *options, const char *text, struct error *err);
int judge_options_add_judged(struct judge_options *options, const char *text, struct error *err);

/*
 * *ret_info becomes a copy of `info` with the options in place; its arrays stay
 * those of `info`. A slice is rounded up to whole intervals. ret_index[i] says
 * which of the thresholds counted by the run criterion i of the copy is. A usage
 * error when it counts no such threshold, or `info` cannot be judged by.
 */
int judge_options_apply(const struct judge_options *options, const struct run_info *info,
			struct run_info *ret_info, size_t ret_index[static THRESHOLDS_MAX],
			struct error *err);
