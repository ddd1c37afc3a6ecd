#include "act/prep/state.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#define BYTES (UINT64_C(64) << 20)

static struct state_wish wish(void)
{
	return (struct state_wish){
	    .device_bytes = BYTES,
	    .serial = "S1",
	    .data_id = 77,
	    .now_s = 1000,
	};
}

static struct label label_at(enum label_stage stage)
{
	return (struct label){
	    .generation = 9,
	    .data_id = 5,
	    .device_bytes = BYTES,
	    .begun_s = 900,
	    .finished_s = stage == LABEL_DONE ? 950 : 0,
	    .stage = stage,
	    .passes = 2,
	    .pass = 1,
	    .position_bytes = stage == LABEL_FILL ? BYTES / 2 : LABEL_AREA_BYTES,
	    .compress = {1, 2},
	    .serial = "S1",
	};
}

static struct state_plan decide(const struct state_wish *wish, const struct label *old)
{
	struct state_plan plan;

	state_decide(wish, old, &plan);
	return plan;
}

static void expect_anew(const struct state_plan *plan, uint64_t generation)
{
	cr_expect(eq(int, plan->decision, STATE_BEGIN));
	cr_expect(eq(u64, plan->label.data_id, 77));
	cr_expect(eq(u64, plan->label.stage, LABEL_CLEAN));
	cr_expect(eq(u64, plan->label.position_bytes, LABEL_AREA_BYTES));
	cr_expect(eq(u64, plan->label.generation, generation)); /* or an old copy would count */
	cr_expect(eq(u64, plan->label.rounds, 0));
}

Test(state, a_new_device_is_begun)
{
	struct state_wish asked = wish();
	struct state_plan plan = decide(&asked, NULL);

	expect_anew(&plan, 0);
	cr_expect(eq(u64, plan.label.passes, 1));
	cr_expect(eq(u64, plan.label.compress.num, 1));
	cr_expect(eq(u64, plan.label.device_bytes, BYTES));
	cr_expect(eq(u64, plan.label.begun_s, 1000));
	cr_expect(strcmp(plan.label.serial, "S1") == 0);
	cr_expect(strcmp(plan.reason, "") == 0);
}

Test(state, what_is_asked_goes_into_the_label)
{
	struct state_wish asked = wish();

	asked.passes = 3;
	asked.compress = (struct ratio){1, 4};
	asked.overwrite = true;
	struct state_plan plan = decide(&asked, NULL);
	cr_expect(eq(u64, plan.label.passes, 3));
	cr_expect(eq(u64, plan.label.compress.den, 4));
	cr_expect(eq(u64, plan.label.overwrite, 1));
}

Test(state, an_unfinished_one_goes_on)
{
	for (int stage = LABEL_CLEAN; stage < LABEL_DONE; stage++) {
		struct state_wish asked = wish();
		struct label old = label_at((enum label_stage)stage);
		struct state_plan plan = decide(&asked, &old);

		cr_expect(eq(int, plan.decision, STATE_RESUME));
		cr_expect(memcmp(&plan.label, &old, sizeof(old)) == 0);
		cr_expect(strstr(plan.reason, label_stage_name((uint64_t)stage)) != NULL, "%s",
			  plan.reason);
		/* Also with the same options named. */
		asked.passes = 2;
		asked.compress = (struct ratio){1, 2};
		cr_expect(eq(int, decide(&asked, &old).decision, STATE_RESUME));
	}
}

Test(state, overwriting_can_be_asked_for_later)
{
	struct state_wish asked = wish();
	struct label old = label_at(LABEL_FILL);

	asked.overwrite = true;
	cr_expect(eq(u64, decide(&asked, &old).label.overwrite, 1));
	old = label_at(LABEL_DONE);
	struct state_plan plan = decide(&asked, &old);
	cr_expect(eq(int, plan.decision, STATE_RESUME));
	cr_expect(eq(u64, plan.label.stage, LABEL_OVERWRITE));
	cr_expect(eq(u64, plan.label.data_id, 5));
	cr_expect(eq(u64, plan.label.finished_s, 0));
	old.steady = 1;
	cr_expect(eq(int, decide(&asked, &old).decision, STATE_READY));
}

struct row {
	const char *what;
	enum label_stage stage;
	void (*change)(struct state_wish *asked, struct label *old);
	enum state_decision decision;
	const char *word; /* in the reason */
};

static void restart(struct state_wish *asked, struct label *old)
{
	(void)old;
	asked->restart = true;
}

static void other_passes(struct state_wish *asked, struct label *old)
{
	(void)old;
	asked->passes = 4;
}

static void other_compress(struct state_wish *asked, struct label *old)
{
	(void)old;
	asked->compress = (struct ratio){1, 1};
}

static void other_size(struct state_wish *asked, struct label *old)
{
	(void)asked;
	old->device_bytes += 4096;
}

static void other_drive(struct state_wish *asked, struct label *old)
{
	(void)asked;
	strcpy(old->serial, "S2");
}

static void position_behind_the_end(struct state_wish *asked, struct label *old)
{
	(void)asked;
	old->position_bytes = BYTES + 512;
}

static void position_in_the_label(struct state_wish *asked, struct label *old)
{
	(void)asked;
	old->position_bytes = 0;
}

static void nothing(struct state_wish *asked, struct label *old)
{
	(void)asked;
	(void)old;
}

static const struct row rows[] = {
    {"done", LABEL_DONE, nothing, STATE_READY, "nothing to do"},
    {"done, other passes", LABEL_DONE, other_passes, STATE_READY, "passes"},
    {"done, other compress", LABEL_DONE, other_compress, STATE_READY, "compress"},
    {"done, restart", LABEL_DONE, restart, STATE_BEGIN, ""},
    {"done, another size", LABEL_DONE, other_size, STATE_BEGIN, "size"},
    {"done, a copy from another drive", LABEL_DONE, other_drive, STATE_BEGIN, "drive"},
    {"filling, restart", LABEL_FILL, restart, STATE_BEGIN, ""},
    {"filling, other passes", LABEL_FILL, other_passes, STATE_BEGIN, "passes"},
    {"filling, other compress", LABEL_FILL, other_compress, STATE_BEGIN, "compress"},
    {"filling, another size", LABEL_FILL, other_size, STATE_BEGIN, "size"},
    {"filling, behind the end", LABEL_FILL, position_behind_the_end, STATE_BEGIN, "position"},
    {"filling, in the label", LABEL_FILL, position_in_the_label, STATE_BEGIN, "position"},
};

Test(state, decisions)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct state_wish asked = wish();
		struct label old = label_at(rows[i].stage);

		rows[i].change(&asked, &old);
		struct state_plan plan = decide(&asked, &old);
		cr_expect(eq(int, plan.decision, rows[i].decision), "%s", rows[i].what);
		cr_expect(strstr(plan.reason, rows[i].word) != NULL, "%s: %s", rows[i].what,
			  plan.reason);
		if (rows[i].decision == STATE_BEGIN)
			expect_anew(&plan, 9);
	}
}

Test(state, stages_follow_each_other)
{
	struct label label = label_at(LABEL_CLEAN);

	label.overwrite = 1;
	label.position_bytes = BYTES;
	state_advance(&label, 1);
	cr_expect(eq(u64, label.stage, LABEL_FILL));
	cr_expect(eq(u64, label.pass, 0));
	cr_expect(eq(u64, label.position_bytes, LABEL_AREA_BYTES));
	state_advance(&label, 2);
	cr_expect(eq(u64, label.stage, LABEL_FILL));
	cr_expect(eq(u64, label.pass, 1));
	state_advance(&label, 3);
	cr_expect(eq(u64, label.stage, LABEL_OVERWRITE));
	cr_expect(eq(u64, label.finished_s, 0));
	state_advance(&label, 4);
	cr_expect(eq(u64, label.stage, LABEL_DONE));
	cr_expect(eq(u64, label.finished_s, 4));
}

Test(state, without_overwriting_filling_is_the_last)
{
	struct label label = label_at(LABEL_FILL);

	state_advance(&label, 4);
	cr_expect(eq(u64, label.stage, LABEL_DONE));
}

Test(state, the_window_is_in_order)
{
	struct label label = {0};
	uint64_t window[LABEL_ROUNDS] = {0};

	for (uint64_t i = 1; i < LABEL_ROUNDS; i++)
		state_take_round(&label, i);
	cr_expect(not(state_window(&label, window)));
	for (uint64_t i = LABEL_ROUNDS; i <= 13; i++) {
		state_take_round(&label, i);
		cr_assert(state_window(&label, window));
		for (uint64_t j = 0; j < LABEL_ROUNDS; j++)
			cr_expect(eq(u64, window[j], i - LABEL_ROUNDS + 1 + j));
	}
	cr_expect(eq(u64, label.rounds, 13));
}
