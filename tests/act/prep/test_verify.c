#include "act/prep/verify.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/payload/label.h"
#include "tests/support/fake_disk.h"

#define BYTES   (LABEL_AREA_BYTES + 100 * (uint64_t)PUMP_BLOCK_BYTES + 512)
#define DATA_ID UINT64_C(0x1122334455667788)

static struct fake_disk disk;
static struct payload_pool *pool;
static struct pump *pump;
static struct random numbers;
static struct verify_report report;
static int stop;

static void put(uint64_t from_bytes, uint64_t length_bytes, uint64_t for_bytes, uint64_t data_id)
{
	uint8_t *data = malloc(length_bytes);

	payload_fill(pool, &numbers, data, length_bytes, for_bytes, 1, data_id);
	cr_assert(pwrite(disk.fd, data, length_bytes, (off_t)from_bytes) == (ssize_t)length_bytes);
	free(data);
}

static void set_up(void)
{
	random_init(&numbers, 1, 1);
	fake_disk_init(&disk, BYTES);
	cr_assert(payload_pool_new((struct ratio){1, 1}, 1, &pool, NULL) == 0);
	cr_assert(pump_open(&fake_engine, disk.fd, &disk.world.clock, &pump, NULL) == 0);
	put(LABEL_AREA_BYTES, BYTES - LABEL_AREA_BYTES, LABEL_AREA_BYTES, DATA_ID);
}

static void tear_down(void)
{
	pump_close(pump);
	payload_pool_free(pool);
	fake_disk_release(&disk);
}

TestSuite(verify, .init = set_up, .fini = tear_down);

static int run(struct error *err)
{
	const struct verify_request request = {
	    .name = "disk",
	    .device_bytes = BYTES,
	    .data_id = DATA_ID,
	    .pump = pump,
	    .stop = &stop,
	};

	return verify_run(&request, &report, err);
}

static void expect_bad(size_t i, uint64_t offset_bytes, enum payload_fault fault, const char *word)
{
	char text[VERIFY_TEXT_BYTES];
	char offset[32];

	cr_expect(eq(u64, report.first[i].offset_bytes, offset_bytes));
	cr_expect(eq(int, (int)report.first[i].fault, (int)fault));
	verify_describe(text, &report.first[i], DATA_ID);
	snprintf(offset, sizeof(offset), "at %llu:", (unsigned long long)offset_bytes);
	cr_expect(strstr(text, offset) && strstr(text, word) && strstr(text, "1122334455667788"),
		  "%s", text);
}

Test(verify, good_data)
{
	cr_assert(eq(int, run(NULL), 0));
	cr_expect(eq(u64, report.sectors, (BYTES - LABEL_AREA_BYTES) / 512));
	cr_expect(eq(u64, report.bad, 0));
}

Test(verify, every_fault_in_its_place)
{
	static const uint64_t at = LABEL_AREA_BYTES + 5000 * 512;
	static const uint8_t zeros[512];
	uint8_t byte;

	cr_assert(pwrite(disk.fd, zeros, 512, (off_t)LABEL_AREA_BYTES) == 512);
	cr_assert(pread(disk.fd, &byte, 1, (off_t)at + 300) == 1);
	byte ^= 1;
	cr_assert(pwrite(disk.fd, &byte, 1, (off_t)at + 300) == 1);
	put(at + 512, 512, at + 1024, DATA_ID); /* swapped */
	put(at + 1024, 512, at + 512, DATA_ID);
	put(BYTES - 512, 512, BYTES - 512, 99);
	cr_assert(eq(int, run(NULL), 0));
	cr_expect(eq(u64, report.bad, 5));
	cr_assert(eq(sz, report.shown, 5));
	expect_bad(0, LABEL_AREA_BYTES, PAYLOAD_FOREIGN, "missing");
	expect_bad(1, at, PAYLOAD_CORRUPT, "corrupt");
	expect_bad(2, at + 512, PAYLOAD_MISPLACED, "misplaced");
	expect_bad(3, at + 1024, PAYLOAD_MISPLACED, "misplaced");
	expect_bad(4, BYTES - 512, PAYLOAD_STALE, "stale");
	cr_expect(eq(u64, report.first[2].found.offset_bytes, at + 1024));
	cr_expect(eq(u64, report.first[4].found.data_id, 99));
}

/* Blocks come back in any order, and only the first faults are kept. */
Test(verify, many_faults)
{
	for (uint64_t i = 0; i < 90; i++)
		put(LABEL_AREA_BYTES + i * PUMP_BLOCK_BYTES, 512, 0, DATA_ID);
	cr_assert(eq(int, run(NULL), 0));
	cr_expect(eq(u64, report.bad, 90));
	cr_assert(eq(sz, report.shown, VERIFY_SHOWN));
	for (size_t i = 0; i < VERIFY_SHOWN; i++)
		cr_expect(
		    eq(u64, report.first[i].offset_bytes, LABEL_AREA_BYTES + i * PUMP_BLOCK_BYTES));
}

Test(verify, unreadable_device)
{
	struct error err = {0};

	disk.fail_at = 10;
	disk.fail_result = -EIO;
	cr_assert(eq(int, run(&err), -EIO));
	cr_expect(eq(int, (int)err.status, EXIT_DEVICE));
	cr_expect(strstr(err.text, "disk: reading at 2359296 failed") != NULL, "%s", err.text);
}

Test(verify, can_be_stopped)
{
	struct error err = {0};

	stop = 1;
	cr_assert(eq(int, run(&err), -EINTR));
	cr_expect(eq(u64, report.sectors, 0));
}
