#include "act/workload/schedule.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "act/base/clock.h"

static uint64_t min_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* position * period_num / period_den, as whole ns and the rest. */
static uint64_t periods_ns(const struct schedule_part *part, uint64_t position, uint64_t *ret_rest)
{
	unsigned __int128 product = (unsigned __int128)position * part->period_num;

	*ret_rest = (uint64_t)(product % part->period_den);
	return (uint64_t)(product / part->period_den);
}

static uint64_t position_of(const struct schedule *schedule, const struct schedule_part *part,
			    uint64_t k)
{
	return (k * schedule->stride + part->index) * SCHEDULE_PHASES + schedule->phase;
}

static uint64_t uniform_start_ns(const struct schedule *schedule, const struct schedule_part *part,
				 uint64_t k)
{
	uint64_t rest;

	return part->begin_ns + periods_ns(part, position_of(schedule, part, k), &rest);
}

/* Of the part, if it never ended: how many of all shares in its first `length_ns`. */
static uint64_t uniform_count_all(const struct schedule *schedule, const struct schedule_part *part,
				  uint64_t length_ns)
{
	/* start < end holds exactly for position * num < end * den. */
	unsigned __int128 product = (unsigned __int128)length_ns * part->period_den;
	unsigned __int128 positions = (product + part->period_num - 1) / part->period_num;

	if (positions <= schedule->phase)
		return 0;
	return (uint64_t)((positions - 1 - schedule->phase) / SCHEDULE_PHASES) + 1;
}

/* Likewise of this one. */
static uint64_t uniform_count(const struct schedule *schedule, const struct schedule_part *part,
			      uint64_t length_ns)
{
	uint64_t all = uniform_count_all(schedule, part, length_ns);

	return all <= part->index ? 0 : (all - 1 - part->index) / schedule->stride + 1;
}

static void block_draw(struct schedule_block *block, uint32_t upto)
{
	if (upto > SCHEDULE_BLOCK + 1)
		upto = SCHEDULE_BLOCK + 1;
	while (block->drawn < upto) {
		double before = block->drawn ? block->sum[block->drawn - 1] : 0.0;

		block->sum[block->drawn++] = before - log(random_unit(&block->random));
	}
}

static void block_begin(struct schedule_block *block, const struct schedule *schedule,
			uint64_t segment, uint64_t number)
{
	block->segment = segment;
	block->number = number;
	block->drawn = 0;
	if (segment >= schedule->part_count)
		return;
	const struct schedule_part *part = &schedule->parts[segment];
	uint64_t first = number * SCHEDULE_BLOCK;
	block->size = min_of(SCHEDULE_BLOCK, part->upto - part->first - first);
	block->from_ns = uniform_start_ns(schedule, part, first);
	block->upto_ns =
	    min_of(uniform_start_ns(schedule, part, first + block->size), part->end_ns);
	random_init(&block->random, part->seed, number);
}

static void block_make(struct schedule_block *block, const struct schedule *schedule,
		       const struct schedule_part *part, uint64_t number)
{
	uint64_t segment = (uint64_t)(part - schedule->parts);

	assert(segment < schedule->part_count);
	block_begin(block, schedule, segment, number);
	block_draw(block, SCHEDULE_BLOCK + 1);
}

/* The block must be drawn whole. */
static uint64_t block_start_ns(const struct schedule_block *block, uint32_t i)
{
	double share = block->sum[i] / block->sum[block->size];

	return block->from_ns + (uint64_t)(share * (double)(block->upto_ns - block->from_ns));
}

static uint64_t poisson_count(const struct schedule *schedule, const struct schedule_part *part,
			      uint64_t length_ns)
{
	uint64_t count = uniform_count(schedule, part, length_ns);

	if (count == 0)
		return 0;
	/* The block that the uniform schedule is in at that moment is the one that
	 * this is in, too: their bounds are the same. */
	struct schedule_block block;
	uint64_t number = (count - 1) / SCHEDULE_BLOCK;
	block_make(&block, schedule, part, number);
	uint32_t low = 0;
	uint32_t high = (uint32_t)block.size;
	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (block_start_ns(&block, middle) - part->begin_ns < length_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return number * SCHEDULE_BLOCK + low;
}

static uint64_t part_count(const struct schedule *schedule, const struct schedule_part *part,
			   uint64_t length_ns)
{
	if (part->period_den == 0)
		return 0;
	return schedule->arrivals == SCHEDULE_UNIFORM ? uniform_count(schedule, part, length_ns)
						      : poisson_count(schedule, part, length_ns);
}

bool schedule_keeps(struct ratio per_sec)
{
	return per_sec.den > 0 && per_sec.num <= UINT64_MAX / 2 / SCHEDULE_PHASES &&
	       per_sec.den <= UINT64_MAX / 2 / NS_PER_SEC;
}

static int part_init(struct schedule_part *part, const struct schedule_segment *segment,
		     uint32_t stride, struct error *err)
{
	struct ratio rate = segment->per_sec;

	part->begin_ns = segment->begin_ns;
	if (rate.num == 0)
		return 0;
	if (!schedule_keeps(rate))
		return error_usage(err, ERANGE,
				   "a rate of %llu/%llu per second cannot be kept exactly",
				   (unsigned long long)rate.num, (unsigned long long)rate.den);
	struct ratio period = ratio_make(rate.den * NS_PER_SEC, rate.num * SCHEDULE_PHASES);

	part->period_num = period.num;
	part->period_den = period.den;
	part->step_ns = periods_ns(part, (uint64_t)stride * SCHEDULE_PHASES, &part->step_rest);
	return 0;
}

static int make_parts(struct schedule *schedule, const struct schedule_share *share,
		      struct error *err)
{
	uint64_t seed = random_mix(share->seed) ^ share->index;
	uint64_t count = 0;
	uint64_t count_all = 0;

	for (size_t i = 0; i < share->segment_count; i++) {
		const struct schedule_segment *segment = &share->segments[i];
		uint64_t length_ns = segment->end_ns - segment->begin_ns;
		struct schedule_part *part = &schedule->parts[i];
		int rc = part_init(part, segment, share->stride, err);

		if (rc)
			return rc;
		part->seed = i == 0 ? seed : random_mix(seed + i);
		part->first = count;
		part->index =
		    (uint32_t)((share->index + share->stride - count_all % share->stride) %
			       share->stride);
		part->end_ns = i + 1 < share->segment_count ? segment->end_ns : UINT64_MAX;
		if (i + 1 < share->segment_count && part->period_den) {
			count += uniform_count(schedule, part, length_ns);
			count_all += uniform_count_all(schedule, part, length_ns);
		} else if (part->period_den) {
			count = UINT64_MAX;
		}
		part->upto = count;
	}
	return 0;
}

/* The part of request n; NULL when it never comes. */
static const struct schedule_part *find_part(const struct schedule *schedule, uint64_t n)
{
	size_t low = 0;
	size_t high = schedule->part_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (schedule->parts[middle].upto <= n)
			low = middle + 1;
		else
			high = middle;
	}
	return low < schedule->part_count ? &schedule->parts[low] : NULL;
}

/* What comes behind the block being dealt: begins to be drawn. */
static void prepare_coming(struct schedule *schedule)
{
	const struct schedule_part *part = &schedule->parts[schedule->block->segment];
	uint64_t next = part->first + (schedule->block->number + 1) * SCHEDULE_BLOCK;

	if (next < part->upto) {
		block_begin(schedule->coming, schedule, schedule->block->segment,
			    schedule->block->number + 1);
	} else {
		const struct schedule_part *behind = find_part(schedule, part->upto);
		uint64_t segment =
		    behind ? (uint64_t)(behind - schedule->parts) : schedule->part_count;

		block_begin(schedule->coming, schedule, segment, 0);
	}
	/* It is ready in time without a pause, also when this one is cut off. */
	uint32_t left = (uint32_t)min_of(part->upto - (next - SCHEDULE_BLOCK), SCHEDULE_BLOCK);
	schedule->pace = (SCHEDULE_BLOCK + left - 1) / left;
}

static int make_blocks(struct schedule *schedule, struct error *err)
{
	const struct schedule_part *part = find_part(schedule, 0);

	schedule->block = malloc(sizeof(*schedule->block));
	schedule->coming = malloc(sizeof(*schedule->coming));
	if (!schedule->block || !schedule->coming)
		return error_environment(err, ENOMEM, "no memory for a schedule");
	if (!part)
		return 0;
	block_make(schedule->block, schedule, part, 0);
	prepare_coming(schedule);
	return 0;
}

/* Turns to a part, at its first request. Apart, because it is rare and divides. */
static __attribute__((noinline)) void enter_part(struct schedule *schedule,
						 const struct schedule_part *part)
{
	schedule->now = part;
	if (part->period_den)
		schedule->start_ns =
		    part->begin_ns +
		    periods_ns(part, position_of(schedule, part, 0), &schedule->start_rest);
}

int schedule_init(struct schedule *schedule, const struct schedule_share *share, struct error *err)
{
	struct schedule made = {
	    .arrivals = share->arrivals,
	    .stride = share->stride,
	    .phase = share->phase,
	    .part_count = share->segment_count,
	};
	int rc;

	if (share->stride == 0 || share->index >= share->stride ||
	    share->phase >= SCHEDULE_PHASES || share->segment_count == 0)
		return error_usage(err, ERANGE, "%u of %u shares cannot be kept exactly",
				   share->index, share->stride);
	made.parts = calloc(share->segment_count, sizeof(*made.parts));
	if (!made.parts)
		return error_environment(err, ENOMEM, "no memory for a schedule");
	rc = make_parts(&made, share, err);
	if (rc == 0)
		enter_part(&made, made.parts);
	if (rc == 0 && share->arrivals == SCHEDULE_POISSON)
		rc = make_blocks(&made, err);
	if (rc)
		schedule_release(&made);
	else
		*schedule = made;
	return rc;
}

void schedule_release(struct schedule *schedule)
{
	free(schedule->parts);
	free(schedule->block);
	free(schedule->coming);
	schedule->parts = NULL;
	schedule->block = NULL;
	schedule->coming = NULL;
}

uint64_t schedule_start_ns(const struct schedule *schedule, uint64_t n)
{
	const struct schedule_part *part = find_part(schedule, n);

	if (!part)
		return SCHEDULE_NEVER;
	uint64_t k = n - part->first;
	if (schedule->arrivals == SCHEDULE_UNIFORM)
		return uniform_start_ns(schedule, part, k);

	struct schedule_block block;
	block_make(&block, schedule, part, k / SCHEDULE_BLOCK);
	return block_start_ns(&block, (uint32_t)(k % SCHEDULE_BLOCK));
}

static uint64_t uniform_take_ns(struct schedule *schedule)
{
	const struct schedule_part *part = schedule->now;
	uint64_t start_ns = schedule->start_ns;

	schedule->start_ns += part->step_ns;
	schedule->start_rest += part->step_rest; /* both are below 2^63: schedule_keeps */
	if (schedule->start_rest >= part->period_den) {
		schedule->start_rest -= part->period_den;
		schedule->start_ns++;
	}
	return start_ns;
}

static uint64_t poisson_take_ns(struct schedule *schedule, uint64_t n)
{
	uint32_t i = (uint32_t)((n - schedule->now->first) % SCHEDULE_BLOCK);

	if (i == 0 && n > 0) {
		struct schedule_block *done = schedule->block;

		schedule->block = schedule->coming;
		schedule->coming = done;
		block_draw(schedule->block, SCHEDULE_BLOCK + 1);
		prepare_coming(schedule);
	}
	if (schedule->coming->segment < schedule->part_count)
		block_draw(schedule->coming, (i + 1) * schedule->pace);
	return block_start_ns(schedule->block, i);
}

uint64_t schedule_take_ns(struct schedule *schedule)
{
	uint64_t n = schedule->next++;

	while (n >= schedule->now->upto) {
		if (schedule->now + 1 == schedule->parts + schedule->part_count)
			return SCHEDULE_NEVER;
		enter_part(schedule, schedule->now + 1);
	}
	if (schedule->arrivals == SCHEDULE_UNIFORM)
		return uniform_take_ns(schedule);
	return poisson_take_ns(schedule, n);
}

uint64_t schedule_count_before(const struct schedule *schedule, uint64_t end_ns)
{
	if (schedule->part_count == 0)
		return 0;

	size_t low = 0; /* the segment that end_ns is in, or ends */
	size_t high = schedule->part_count - 1;
	while (low < high) {
		size_t middle = (low + high + 1) / 2;

		if (schedule->parts[middle].begin_ns < end_ns)
			low = middle;
		else
			high = middle - 1;
	}
	const struct schedule_part *part = &schedule->parts[low];
	if (end_ns <= part->begin_ns)
		return 0;
	uint64_t count = part_count(schedule, part, end_ns - part->begin_ns);
	return part->first + min_of(count, part->upto - part->first);
}
