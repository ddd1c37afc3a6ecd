#include "act/prep/writer.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/device/label_io.h"
#include "act/prep/verify.h"
#include "tests/support/fake_disk.h"

#define BYTES   (LABEL_AREA_BYTES + 200 * (uint64_t)PUMP_BLOCK_BYTES + 4096)
#define DATA_ID UINT64_C(0xabcdef)

static struct fake_disk disk;
static struct payload_pool *pool;
static struct pump *pump;
static struct label label;
static struct writer writer;
static int stop;
static uint64_t last_done;
static uint64_t saves; /* seen on the disk */
static uint64_t stop_at;

/* At any moment the label on the disk speaks the truth. */
static void watch(void *state, uint64_t done_bytes)
{
	struct label saved;

	(void)state;
	if (label_read("disk", disk.fd, &saved, NULL) == 1) {
		cr_assert(fake_disk_has(&disk, LABEL_AREA_BYTES, saved.position_bytes));
		saves = saved.generation;
	}
	last_done = done_bytes;
	if (stop_at && done_bytes >= stop_at)
		stop = 1;
}

static void set_up(void)
{
	fake_disk_init(&disk, BYTES);
	/* Slow enough for many labels: 100 ms to 1 s for each block, 32 at a time. */
	disk.service_min_ns = 100 * NS_PER_MS;
	disk.service_max_ns = NS_PER_SEC;
	cr_assert(payload_pool_new((struct ratio){1, 1}, 1, &pool, NULL) == 0);
	cr_assert(pump_open(&fake_engine, disk.fd, &disk.world.clock, &pump, NULL) == 0);
	label = (struct label){
	    .data_id = DATA_ID,
	    .device_bytes = BYTES,
	    .stage = LABEL_FILL,
	    .passes = 1,
	    .position_bytes = LABEL_AREA_BYTES,
	    .compress = {1, 1},
	};
	writer = (struct writer){
	    .name = "disk",
	    .fd = disk.fd,
	    .label = &label,
	    .pool = pool,
	    .pump = pump,
	    .clock = &disk.world.clock,
	    .stop = &stop,
	    .progress = watch,
	};
	random_init(&writer.random, 1, 1);
}

static void tear_down(void)
{
	pump_close(pump);
	payload_pool_free(pool);
	fake_disk_release(&disk);
}

TestSuite(writer, .init = set_up, .fini = tear_down);

static struct verify_report verify(void)
{
	const struct verify_request request = {
	    .name = "disk",
	    .device_bytes = BYTES,
	    .data_id = DATA_ID,
	    .pump = pump,
	};
	struct verify_report report;
	struct error err = {0};

	cr_assert(verify_run(&request, &report, &err) == 0, "%s", err.text);
	cr_expect(eq(u64, report.sectors, (BYTES - LABEL_AREA_BYTES) / 512));
	return report;
}

static struct label saved_label(void)
{
	struct label saved = {0};

	cr_assert(label_read("disk", disk.fd, &saved, NULL) == 1);
	return saved;
}

Test(writer, fills_everything_with_a_true_label)
{
	struct error err = {0};

	cr_assert(writer_fill(&writer, &err) == 0, "%s", err.text);
	cr_expect(eq(u64, last_done, BYTES - LABEL_AREA_BYTES));
	cr_expect(gt(u64, saves, 5)); /* 200 blocks at 32 in half a second */
	cr_expect(eq(u64, saved_label().position_bytes, BYTES));
	cr_expect(eq(u64, verify().bad, 0));
}

Test(writer, goes_on_where_the_label_says)
{
	label.position_bytes = LABEL_AREA_BYTES + 150 * (uint64_t)PUMP_BLOCK_BYTES;
	writer.progress = NULL;
	cr_assert(writer_fill(&writer, NULL) == 0);
	cr_expect(not(fake_disk_has(&disk, LABEL_AREA_BYTES, LABEL_AREA_BYTES + 4096)));
	cr_expect(eq(u64, verify().bad, 150 * (uint64_t)PUMP_BLOCK_BYTES / 512));
}

Test(writer, stopped_and_gone_on_with)
{
	struct error err = {0};

	stop_at = 80 * PUMP_BLOCK_BYTES;
	cr_assert(eq(int, writer_fill(&writer, &err), -EINTR));
	cr_expect(eq(int, (int)err.status, EXIT_ENVIRONMENT));
	label = saved_label();
	cr_expect(ge(u64, label.position_bytes, LABEL_AREA_BYTES + stop_at));
	cr_expect(lt(u64, label.position_bytes, BYTES));
	stop = 0;
	stop_at = 0;
	cr_assert(eq(int, writer_fill(&writer, &err), 0));
	cr_expect(eq(u64, verify().bad, 0));
}

Test(writer, failure_leaves_the_last_label)
{
	struct error err = {0};
	uint64_t failed_bytes = LABEL_AREA_BYTES + 120 * (uint64_t)PUMP_BLOCK_BYTES;

	disk.fail_at = 120;
	disk.fail_result = -EIO;
	cr_assert(eq(int, writer_fill(&writer, &err), -EIO));
	cr_expect(eq(int, (int)err.status, EXIT_DEVICE));
	cr_expect(strstr(err.text, "16777216") != NULL, "%s", err.text);
	cr_expect(le(u64, saved_label().position_bytes, failed_bytes));
	cr_expect(fake_disk_has(&disk, LABEL_AREA_BYTES, saved_label().position_bytes));
}

Test(writer, overwriting_stays_verifiable)
{
	const struct writer_round limits = {.bytes = 64 << 20, .ns = 3600 * NS_PER_SEC};
	uint64_t bytes_per_sec = 0;

	cr_assert(writer_fill(&writer, NULL) == 0);
	writer.progress = NULL;
	disk.write_count = 0;
	disk.service_min_ns = disk.service_max_ns = NS_PER_SEC;
	cr_assert(writer_overwrite(&writer, &limits, &bytes_per_sec, NULL) == 0);
	/* 512 blocks in 16 times a second */
	cr_expect(eq(u64, bytes_per_sec, 32 * PUMP_BLOCK_BYTES));
	cr_expect(eq(sz, disk.write_count, 512));
	cr_expect(eq(u64, verify().bad, 0));
	cr_expect(eq(u64, label.position_bytes, BYTES));
}

/* No two writes under way touch each other, even where places are few. */
Test(writer, overwriting_never_overlaps)
{
	const struct writer_round limits = {.bytes = 64 << 20, .ns = 3600 * NS_PER_SEC};
	uint64_t bytes_per_sec;

	label.device_bytes = LABEL_AREA_BYTES + 40 * (uint64_t)PUMP_BLOCK_BYTES;
	writer.progress = NULL;
	disk.service_min_ns = disk.service_max_ns = NS_PER_SEC;
	cr_assert(writer_overwrite(&writer, &limits, &bytes_per_sec, NULL) == 0);
	for (size_t i = 0; i < disk.write_count; i++)
		for (size_t j = i + 1; j < disk.write_count; j++)
			cr_assert(disk.writes[i].offset_bytes != disk.writes[j].offset_bytes ||
				  disk.writes[i].done_ns != disk.writes[j].done_ns);
}

Test(writer, round_ends_by_its_time)
{
	const struct writer_round limits = {.bytes = UINT64_MAX, .ns = 10 * NS_PER_SEC};
	uint64_t begun_ns = disk.world.now_ns;
	uint64_t bytes_per_sec;

	writer.progress = NULL;
	cr_assert(writer_overwrite(&writer, &limits, &bytes_per_sec, NULL) == 0);
	cr_expect(ge(u64, disk.world.now_ns - begun_ns, 10 * NS_PER_SEC));
	cr_expect(lt(u64, disk.world.now_ns - begun_ns, 12 * NS_PER_SEC));
}
