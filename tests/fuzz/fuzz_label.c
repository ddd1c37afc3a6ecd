#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "act/payload/label.h"
#include "act/prep/state.h"

/* Any bytes where a device has its label, as they are and as numbers with a true checksum
 * around them: what is accepted comes back the same, and what is decided on it can be
 * carried out. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decide(const struct label *label, bool overwrite)
{
	const struct state_wish wish = {
	    .device_bytes = label->device_bytes,
	    .serial = label->serial,
	    .data_id = 1,
	    .now_s = 1,
	    .overwrite = overwrite,
	};
	uint64_t window[LABEL_ROUNDS];
	struct state_plan plan;

	state_decide(&wish, label, &plan);
	assert(plan.label.position_bytes >= LABEL_AREA_BYTES);
	if (plan.decision == STATE_RESUME)
		assert(plan.label.position_bytes <= label->device_bytes &&
		       plan.label.stage < LABEL_DONE);
	state_take_round(&plan.label, 1);
	state_window(&plan.label, window);
	state_advance(&plan.label, 2);
	assert(plan.label.stage <= LABEL_DONE);
}

static void check(const uint8_t area[LABEL_COPIES * LABEL_BYTES])
{
	uint8_t block[LABEL_BYTES];
	struct label label;
	struct label back;

	if (!label_newest(area, &label))
		return;
	label_encode(&label, block);
	assert(label_decode(block, &back) == 0 && memcmp(&label, &back, sizeof(label)) == 0);
	decide(&label, false);
	decide(&label, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t area[LABEL_COPIES * LABEL_BYTES];
	struct label labels[LABEL_COPIES] = {0};

	memset(area, 0, sizeof(area));
	memcpy(area, data, size < sizeof(area) ? size : sizeof(area));
	check(area);
	memcpy(labels, data, size < sizeof(labels) ? size : sizeof(labels));
	for (size_t i = 0; i < LABEL_COPIES; i++)
		label_encode(&labels[i], area + i * LABEL_BYTES);
	check(area);
	return 0;
}
