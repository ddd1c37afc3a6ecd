#pragma once
#include "act/base/error.h"
#include "analysis/act_log.h"
#include "analysis/judge.h"
#include "analysis/judge_options.h"

/*
 * An old log -> slices -> verdict: the rules of verdict.md as far as such a log holds
 * evidence. Memory grows with the number of slices only.
 */

struct act_judge;

/* Judges what `log` still has to tell, and what it has now; both must stay. Thresholds may
 * be any, see struct act_edge. 0 or -ENOMEM. */
int act_judge_new(const struct act_log *log, const struct judge_options *options,
		  struct act_judge **ret, struct error *err);
void act_judge_free(struct act_judge *judge);

/* Takes the log's current block or message: 0; a usage error when the options do not
 * fit the log (no such histogram), -ENOMEM. */
int act_judge_block(struct act_judge *judge, struct error *err);
int act_judge_message(struct act_judge *judge, struct error *err);

/* What is known so far, of a run that goes on: never PASS; the slice under way is not in
 * it. NULL before the first block. Valid until the next call. */
const struct result *act_judge_peek(struct act_judge *judge);

/* Ends the last slice and judges the run: 0 and *ret, which belongs to the judge, or an
 * error as above. Call it once. */
int act_judge_finish(struct act_judge *judge, const struct result **ret, struct error *err);

/* All of that: reads the log up to its end, a block cut short there included. */
int act_judge_log(struct act_log *log, struct act_judge *judge, const struct result **ret,
		  struct error *err);
