#include "act/prep/pump.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <string.h>

#include "tests/support/fake_disk.h"

#define BLOCKS 500
#define BYTES  ((uint64_t)BLOCKS * PUMP_BLOCK_BYTES)

static struct fake_disk disk;
static struct pump *pump;

/* Asks for blocks in their order and sees each come back once. */
struct walk {
	uint64_t next;
	uint64_t most_under_way;
	uint64_t done[BLOCKS];
	uint64_t done_count;
	uint64_t fail_after; /* `done` says -ECANCELED then; 0: never */
	uint64_t calls_after_end;
	bool ended;
};

static struct walk walk;

static void set_up(void)
{
	walk = (struct walk){0};
	fake_disk_init(&disk, BYTES);
	cr_assert(pump_open(&fake_engine, disk.fd, &disk.world.clock, &pump, NULL) == 0);
}

static void tear_down(void)
{
	pump_close(pump);
	fake_disk_release(&disk);
}

TestSuite(pump, .init = set_up, .fini = tear_down);

static bool next(void *state, struct pump_block *block)
{
	struct walk *self = state;

	self->calls_after_end += self->ended;
	if (self->next == BLOCKS) {
		self->ended = true;
		return false;
	}
	block->offset_bytes = self->next++ * PUMP_BLOCK_BYTES;
	block->length_bytes = PUMP_BLOCK_BYTES;
	if (self->next - self->done_count > self->most_under_way)
		self->most_under_way = self->next - self->done_count;
	return true;
}

static void prepare(void *state, const struct pump_block *block)
{
	(void)state;
	memset(block->buffer, (int)(block->offset_bytes / PUMP_BLOCK_BYTES % 251),
	       block->length_bytes);
}

static int done(void *state, const struct pump_block *block)
{
	struct walk *self = state;

	self->done[block->offset_bytes / PUMP_BLOCK_BYTES]++;
	self->done_count++;
	cr_expect(not(pump_touches(pump, block->offset_bytes, block->length_bytes)));
	return self->fail_after && self->done_count >= self->fail_after ? -ECANCELED : 0;
}

static struct pump_job job_of(enum io_op op)
{
	return (struct pump_job){
	    .op = op,
	    .next = next,
	    .prepare = op == IO_READ ? NULL : prepare,
	    .done = done,
	    .state = &walk,
	};
}

static int run(const struct pump_job *job, uint64_t *ret_failed_bytes)
{
	return pump_run(pump, job, ret_failed_bytes);
}

static void expect_all_once(void)
{
	for (size_t i = 0; i < BLOCKS; i++)
		cr_assert(eq(u64, walk.done[i], 1), "block %zu", i);
	cr_expect(eq(u64, walk.calls_after_end, 0));
	cr_expect(eq(u64, pump_lowest(pump), UINT64_MAX));
}

Test(pump, moves_every_block_once_with_a_deep_queue)
{
	struct pump_job job = job_of(IO_WRITE);

	cr_assert(eq(int, run(&job, NULL), 0));
	expect_all_once();
	cr_expect(eq(u64, walk.most_under_way, PUMP_DEPTH));
	cr_expect(fake_disk_has(&disk, 0, BYTES));
	walk = (struct walk){0};
	job = job_of(IO_READ);
	cr_assert(eq(int, run(&job, NULL), 0));
	expect_all_once();
}

Test(pump, short_requests_are_continued)
{
	struct pump_job job = job_of(IO_WRITE);

	disk.chop = 3;
	cr_assert(eq(int, run(&job, NULL), 0));
	expect_all_once();
	cr_expect(fake_disk_has(&disk, 0, BYTES));
	cr_expect(gt(u64, disk.world.requests, BLOCKS));
}

Test(pump, busy_requests_are_repeated)
{
	struct pump_job job = job_of(IO_WRITE);

	disk.fail_at = 100;
	disk.fail_result = -EAGAIN;
	cr_assert(eq(int, run(&job, NULL), 0));
	expect_all_once();
}

Test(pump, failed_request_ends_it)
{
	struct pump_job job = job_of(IO_WRITE);
	uint64_t failed_bytes = 0;

	disk.fail_at = 100;
	disk.fail_result = -EIO;
	cr_assert(eq(int, run(&job, &failed_bytes), -EIO));
	cr_expect(eq(u64, failed_bytes, 100 * PUMP_BLOCK_BYTES));
	cr_expect(eq(u64, walk.done[100], 0));
	cr_expect(lt(u64, walk.next, 100 + 2 * PUMP_DEPTH));
	cr_expect(eq(u64, pump_lowest(pump), UINT64_MAX)); /* the others were awaited */
}

Test(pump, caller_can_end_it)
{
	struct pump_job job = job_of(IO_WRITE);
	uint64_t failed_bytes;

	walk.fail_after = 50;
	cr_assert(eq(int, run(&job, &failed_bytes), -ECANCELED));
	cr_expect(eq(u64, walk.done_count, 50));
	cr_expect(eq(u64, pump_lowest(pump), UINT64_MAX));
}

Test(pump, silence_is_a_hang)
{
	struct pump_job job = job_of(IO_WRITE);
	uint64_t begun_ns = disk.world.now_ns;
	uint64_t failed_bytes = 0;

	disk.fail_at = 200;
	disk.fail_silent = true;
	cr_assert(eq(int, run(&job, &failed_bytes), -ETIMEDOUT));
	cr_expect(eq(u64, failed_bytes, 200 * PUMP_BLOCK_BYTES));
	cr_expect(eq(u64, walk.done_count, 200));
	cr_expect(ge(u64, disk.world.now_ns - begun_ns, PUMP_HANG_NS));
	cr_expect(lt(u64, disk.world.now_ns - begun_ns, PUMP_HANG_NS + 10 * NS_PER_SEC));
}

/* 500 blocks of 128 KiB at 16 MiB/s: 3.9 s. */
Test(pump, keeps_the_limit)
{
	struct pump_job job = job_of(IO_WRITE);
	uint64_t begun_ns = disk.world.now_ns;

	job.bytes_per_sec = 16 << 20;
	cr_assert(eq(int, run(&job, NULL), 0));
	expect_all_once();
	cr_expect(ge(u64, disk.world.now_ns - begun_ns, 3890 * NS_PER_MS));
	cr_expect(lt(u64, disk.world.now_ns - begun_ns, 4000 * NS_PER_MS));
}
