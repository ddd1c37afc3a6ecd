#include "act/prep/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct label new_label(const struct state_wish *wish, const struct label *old)
{
	struct label label = {
	    .generation = old ? old->generation : 0,
	    .data_id = wish->data_id,
	    .device_bytes = wish->device_bytes,
	    .begun_s = wish->now_s,
	    .stage = LABEL_CLEAN,
	    .passes = wish->passes ? wish->passes : 1,
	    .position_bytes = LABEL_AREA_BYTES,
	    .compress = wish->compress.den ? wish->compress : (struct ratio){1, 1},
	    .overwrite = wish->overwrite,
	};

	snprintf(label.serial, sizeof(label.serial), "%s", wish->serial);
	return label;
}

/* What the asked options have against the label; NULL: nothing. */
static const char *difference(const struct state_wish *wish, const struct label *old)
{
	if (wish->passes && wish->passes != old->passes)
		return "passes";
	if (wish->compress.den && ratio_compare(wish->compress, old->compress) != 0)
		return "compress";
	return NULL;
}

/* Why the preparation that the label tells of is not this device's; NULL: it is. */
static const char *estrangement(const struct state_wish *wish, const struct label *old)
{
	if (old->device_bytes != wish->device_bytes)
		return "its label is for another size";
	if (strcmp(old->serial, wish->serial) != 0)
		return "its label is for another drive";
	if (old->position_bytes < LABEL_AREA_BYTES || old->position_bytes > wish->device_bytes)
		return "its label tells of no possible position";
	return NULL;
}

static void begin(const struct state_wish *wish, const struct label *old, struct state_plan *plan)
{
	plan->decision = STATE_BEGIN;
	plan->label = new_label(wish, old);
}

static void decide_when_done(const struct state_wish *wish, const struct label *old,
			     struct state_plan *plan)
{
	const char *differs = difference(wish, old);

	plan->decision = STATE_READY;
	if (differs) {
		snprintf(plan->reason, sizeof(plan->reason),
			 "it is prepared, with another value of %s: --restart prepares it anew",
			 differs);
	} else if (wish->overwrite && !old->steady) {
		plan->decision = STATE_RESUME;
		plan->label.stage = LABEL_OVERWRITE;
		plan->label.overwrite = 1;
		plan->label.finished_s = 0;
		plan->label.position_bytes = LABEL_AREA_BYTES;
		snprintf(plan->reason, sizeof(plan->reason),
			 "it is prepared; random overwriting follows");
	} else {
		snprintf(plan->reason, sizeof(plan->reason),
			 "it is prepared: nothing to do without --restart");
	}
}

void state_decide(const struct state_wish *wish, const struct label *old, struct state_plan *ret)
{
	struct state_plan plan = {0};
	const char *why;

	if (!old || wish->restart) {
		begin(wish, old, &plan);
	} else if ((why = estrangement(wish, old)) != NULL) {
		begin(wish, old, &plan);
		snprintf(plan.reason, sizeof(plan.reason), "%s: beginning anew", why);
	} else if (old->stage == LABEL_DONE) {
		plan.label = *old;
		decide_when_done(wish, old, &plan);
	} else if ((why = difference(wish, old)) != NULL) {
		begin(wish, old, &plan);
		snprintf(plan.reason, sizeof(plan.reason),
			 "it was begun with another value of %s: beginning anew", why);
	} else {
		plan.decision = STATE_RESUME;
		plan.label = *old;
		if (wish->overwrite)
			plan.label.overwrite = 1;
		snprintf(plan.reason, sizeof(plan.reason),
			 "going on with its %s%s at %" PRIu64 " of %" PRIu64 " bytes",
			 label_stage_name(old->stage),
			 old->stage == LABEL_FILL && old->pass ? " (a later pass)" : "",
			 old->position_bytes, old->device_bytes);
	}
	*ret = plan;
}

void state_advance(struct label *label, uint64_t now_s)
{
	label->position_bytes = LABEL_AREA_BYTES;
	if (label->stage == LABEL_CLEAN) {
		label->stage = LABEL_FILL;
		label->pass = 0;
	} else if (label->stage == LABEL_FILL && label->pass + 1 < label->passes) {
		label->pass++;
	} else if (label->stage == LABEL_FILL && label->overwrite) {
		label->stage = LABEL_OVERWRITE;
	} else {
		label->stage = LABEL_DONE;
		label->finished_s = now_s;
	}
}

void state_take_round(struct label *label, uint64_t bytes_per_sec)
{
	label->round_bytes_per_sec[label->rounds % LABEL_ROUNDS] = bytes_per_sec;
	label->rounds++;
}

bool state_window(const struct label *label, uint64_t ret_rounds[static LABEL_ROUNDS])
{
	if (label->rounds < LABEL_ROUNDS)
		return false;
	for (uint64_t i = 0; i < LABEL_ROUNDS; i++)
		ret_rounds[i] = label->round_bytes_per_sec[(label->rounds + i) % LABEL_ROUNDS];
	return true;
}
