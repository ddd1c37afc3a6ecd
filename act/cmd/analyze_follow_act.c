#include <inttypes.h>
#include <stdio.h>

#include "act/cmd/analyze.h"
#include "act/cmd/follow.h"
#include "analysis/act_judge.h"
#include "analysis/act_log.h"

#define GRACE_SEC 1

/* Whether the run is over; such a log has no line that says so. */
static bool is_over(const struct act_log *log, enum act_event event)
{
	uint64_t duration_sec = act_log_head(log)->duration_sec;

	return (event == ACT_MESSAGE && act_log_message(log)->kind == ACT_MESSAGE_STOPPED) ||
	       (event == ACT_BLOCK && duration_sec > 0 &&
		act_log_block(log)->seconds >= duration_sec);
}

static int take_block(struct analyze_telling *telling, struct act_judge *judge, struct error *err)
{
	int rc = act_judge_block(judge, err);
	const struct result *result = rc == 0 ? act_judge_peek(judge) : NULL;

	if (result && result->slice_count > telling->slices)
		rc = analyze_tell_slices(telling, result, err);
	return rc;
}

static int judge_live(struct analyze_telling *telling, struct act_log *log, struct act_judge *judge,
		      struct follow *follow, struct error *err)
{
	enum act_event event = ACT_BLOCK;
	int rc = 0;

	while (rc == 0 && event != ACT_NO_MORE && !follow_signal(follow)) {
		rc = act_log_next(log, &event, err);
		if (rc == 0 && event == ACT_BLOCK)
			rc = take_block(telling, judge, err);
		if (rc == 0 && event == ACT_MESSAGE)
			rc = act_judge_message(judge, err);
		/* One more block may come after a message. */
		if (rc == 0 && is_over(log, event))
			follow_end_within(follow,
					  act_log_head(log)->report_interval_sec + GRACE_SEC);
	}
	if (rc == 0 && !follow->signal && act_log_last_block(log))
		rc = take_block(telling, judge, err);
	return rc;
}

int analyze_follow_act(struct analyze_telling *telling, struct follow *follow, int *ret_status,
		       struct error *err)
{
	const struct result *result = NULL;
	struct act_judge *judge = NULL;
	struct act_log *log = NULL;
	int rc = act_log_new((struct act_source){follow_read, follow}, telling->path, &log, err);

	if (rc == 0)
		rc = act_judge_new(log, &telling->arguments->options, &judge, err);
	if (rc == 0)
		rc = judge_live(telling, log, judge, follow, err);
	if (rc == 0 && !follow->signal)
		rc = act_judge_finish(judge, &result, err);
	if (rc == 0 && follow->signal)
		result = act_judge_peek(judge);
	if (rc == 0 && act_log_damaged_lines(log) > 0)
		fprintf(stderr, "actcert: %s: %" PRIu64 " lines could not be read\n", telling->path,
			act_log_damaged_lines(log));
	if (rc == 0 && result)
		rc = analyze_tell_end(telling, result, err);
	if (rc == 0)
		*ret_status =
		    result && !follow->signal ? result->exit_status : 128 + follow->signal;
	act_judge_free(judge);
	act_log_free(log);
	return rc;
}
