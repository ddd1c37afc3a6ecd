#include "act/workload/schedule.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "act/base/clock.h"

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static uint64_t uniform_start_ns(const struct schedule *schedule, uint64_t n)
{
	uint64_t position =
	    (n * schedule->stride + schedule->index) * SCHEDULE_PHASES + schedule->phase;

	return (uint64_t)((unsigned __int128)position * schedule->period_num /
			  schedule->period_den);
}

static uint64_t uniform_count_before(const struct schedule *schedule, uint64_t end_ns)
{
	/* start < end holds exactly for position * num < end * den. */
	unsigned __int128 product = (unsigned __int128)end_ns * schedule->period_den;
	uint64_t positions =
	    (uint64_t)((product + schedule->period_num - 1) / schedule->period_num);

	if (positions <= schedule->phase)
		return 0;
	uint64_t last = (positions - 1 - schedule->phase) / SCHEDULE_PHASES;
	if (last < schedule->index)
		return 0;
	return (last - schedule->index) / schedule->stride + 1;
}

static void block_begin(struct schedule_block *block, uint64_t seed, uint64_t number)
{
	block->number = number;
	block->drawn = 0;
	random_init(&block->random, seed, number);
}

static void block_draw(struct schedule_block *block, uint32_t upto)
{
	while (block->drawn < upto) {
		double before = block->drawn ? block->sum[block->drawn - 1] : 0.0;

		block->sum[block->drawn++] = before - log(random_unit(&block->random));
	}
}

/* The block must be drawn whole. */
static uint64_t block_start_ns(const struct schedule *schedule, const struct schedule_block *block,
			       uint32_t i)
{
	uint64_t from = uniform_start_ns(schedule, block->number * SCHEDULE_BLOCK);
	uint64_t upto = uniform_start_ns(schedule, (block->number + 1) * SCHEDULE_BLOCK);
	double part = block->sum[i] / block->sum[SCHEDULE_BLOCK];

	return from + (uint64_t)(part * (double)(upto - from));
}

int schedule_init(struct schedule *schedule, const struct schedule_share *share, struct error *err)
{
	struct ratio rate = share->per_sec;

	if (rate.num == 0 || rate.den == 0 || rate.num > UINT64_MAX / 2 / SCHEDULE_PHASES ||
	    rate.den > UINT64_MAX / 2 / NS_PER_SEC || share->stride == 0 ||
	    share->index >= share->stride || share->phase >= SCHEDULE_PHASES)
		return error_usage(err, ERANGE,
				   "a rate of %llu/%llu per second cannot be kept exactly",
				   (unsigned long long)rate.num, (unsigned long long)rate.den);

	uint64_t num = rate.den * NS_PER_SEC;
	uint64_t den = rate.num * SCHEDULE_PHASES;
	uint64_t divisor = greatest_common_divisor(num, den);
	struct schedule made = {
	    .arrivals = share->arrivals,
	    .index = share->index,
	    .stride = share->stride,
	    .phase = share->phase,
	    .period_num = num / divisor,
	    .period_den = den / divisor,
	    .seed = random_mix(share->seed) ^ share->index,
	};
	if (share->arrivals == SCHEDULE_POISSON) {
		made.block = malloc(sizeof(*made.block));
		made.coming = malloc(sizeof(*made.coming));
		if (!made.block || !made.coming) {
			schedule_release(&made);
			return error_environment(err, ENOMEM, "no memory for a schedule");
		}
		block_begin(made.block, made.seed, 0);
		block_draw(made.block, SCHEDULE_BLOCK + 1);
		block_begin(made.coming, made.seed, 1);
	}
	*schedule = made;
	return 0;
}

void schedule_release(struct schedule *schedule)
{
	free(schedule->block);
	free(schedule->coming);
	schedule->block = NULL;
	schedule->coming = NULL;
}

uint64_t schedule_start_ns(const struct schedule *schedule, uint64_t n)
{
	if (schedule->arrivals == SCHEDULE_UNIFORM)
		return uniform_start_ns(schedule, n);

	struct schedule_block block;
	block_begin(&block, schedule->seed, n / SCHEDULE_BLOCK);
	block_draw(&block, SCHEDULE_BLOCK + 1);
	return block_start_ns(schedule, &block, (uint32_t)(n % SCHEDULE_BLOCK));
}

uint64_t schedule_take_ns(struct schedule *schedule)
{
	uint64_t n = schedule->next++;

	if (schedule->arrivals == SCHEDULE_UNIFORM)
		return uniform_start_ns(schedule, n);

	uint32_t i = (uint32_t)(n % SCHEDULE_BLOCK);
	if (i == 0 && n > 0) {
		struct schedule_block *done = schedule->block;

		schedule->block = schedule->coming;
		schedule->coming = done;
		block_draw(schedule->block, SCHEDULE_BLOCK + 1);
		block_begin(done, schedule->seed, schedule->block->number + 1);
	}
	/* One gap a request: the next block is ready in time without a pause. */
	block_draw(schedule->coming, i + 1);
	return block_start_ns(schedule, schedule->block, i);
}

uint64_t schedule_count_before(const struct schedule *schedule, uint64_t end_ns)
{
	uint64_t count = uniform_count_before(schedule, end_ns);

	if (schedule->arrivals == SCHEDULE_UNIFORM || count == 0)
		return count;

	/* The block that the uniform schedule is in at end_ns is the one that
	 * this is in, too: their bounds are the same. */
	struct schedule_block block;
	uint64_t number = (count - 1) / SCHEDULE_BLOCK;
	block_begin(&block, schedule->seed, number);
	block_draw(&block, SCHEDULE_BLOCK + 1);
	uint32_t low = 0;
	uint32_t high = SCHEDULE_BLOCK;
	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (block_start_ns(schedule, &block, middle) < end_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return number * SCHEDULE_BLOCK + low;
}
