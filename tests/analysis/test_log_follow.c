#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/log.h"
#include "tests/support/scratch.h"

/* A log that is still being written: its bytes come in pieces, between which the
 * stream is at its end. */

struct growing {
	const char *text;
	size_t length;
	size_t position;
	size_t piece;
	size_t there; /* up to here it has been written */
	size_t waits;
	size_t waits_max;
};

static ssize_t read_there(void *context, char *buffer, size_t size)
{
	struct growing *growing = context;
	size_t left = growing->there - growing->position;
	size_t taken = left < size ? left : size;

	memcpy(buffer, growing->text + growing->position, taken);
	growing->position += taken;
	return (ssize_t)taken;
}

static bool grow(void *context)
{
	struct growing *growing = context;
	size_t left = growing->length - growing->there;

	if (growing->waits++ == growing->waits_max)
		return false;
	growing->there += left < growing->piece ? left : growing->piece;
	return true;
}

struct found {
	int rc;
	size_t intervals;
	uint64_t completed;
	uint64_t sampled;
	bool ended;
	uint64_t damaged;
};

static void take(struct found *found, const struct interval *interval)
{
	size_t count = interval->device_count * interval->stream_count;

	found->intervals++;
	for (size_t i = 0; i < count; i++) {
		found->completed += interval->tallies[i].completed;
		found->sampled += interval->tallies[i].span[SPAN_RESPONSE].total;
	}
}

static struct found read_growing(struct growing *growing)
{
	const struct log_wait wait = {grow, growing};
	FILE *stream = fopencookie(growing, "r", (cookie_io_functions_t){.read = read_there});
	enum log_event event = LOG_INTERVAL;
	struct log_reader *reader = NULL;
	struct found found = {0};
	struct error err;

	found.rc = log_reader_follow(stream, "growing", &wait, &reader, &err);
	while (found.rc == 0 && event != LOG_FINISHED) {
		found.rc = log_reader_next(reader, &event, &err);
		if (found.rc == 0 && event == LOG_INTERVAL)
			take(&found, log_reader_interval(reader));
		found.ended |= found.rc == 0 && event == LOG_END;
	}
	if (reader)
		found.damaged = log_reader_damaged_lines(reader);
	log_reader_free(reader);
	fclose(stream);
	return found;
}

static struct growing golden(size_t piece, size_t waits_max)
{
	struct growing growing = {.piece = piece, .waits_max = waits_max};

	growing.text = scratch_read(TESTS_DIR "/golden/run_v1.log", &growing.length);
	return growing;
}

Test(log_follow, pieces_are_read_as_the_whole)
{
	static const size_t pieces[] = {7, 1000, 4096, 65537, SIZE_MAX};
	struct growing whole = golden(SIZE_MAX, SIZE_MAX);

	whole.there = whole.length;

	struct found expected = read_growing(&whole);

	cr_expect_eq(expected.rc, 0);
	cr_expect_gt(expected.intervals, 2);
	cr_expect(expected.ended);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct growing growing = golden(pieces[i], SIZE_MAX);
		struct found found = read_growing(&growing);

		cr_expect_eq(found.rc, 0);
		cr_expect_eq(found.intervals, expected.intervals, "in pieces of %zu", pieces[i]);
		cr_expect_eq(found.completed, expected.completed);
		cr_expect_eq(found.sampled, expected.sampled, "in pieces of %zu", pieces[i]);
		cr_expect(found.ended);
		cr_expect_eq(found.damaged, 0);
		cr_expect_gt(growing.waits, 0);
		free((void *)(uintptr_t)growing.text);
	}
	free((void *)(uintptr_t)whole.text);
}

Test(log_follow, it_ends_when_nothing_is_waited_for)
{
	struct growing growing = golden(20000, 2);
	struct found found = read_growing(&growing);

	cr_expect_eq(found.rc, 0);
	cr_expect_gt(found.intervals, 0);
	cr_expect_not(found.ended);
	cr_expect_eq(growing.waits, 3);
	free((void *)(uintptr_t)growing.text);

	/* Before there is anything to read. */
	growing = golden(20000, 0);
	cr_expect_eq(read_growing(&growing).rc, -EINVAL);
	free((void *)(uintptr_t)growing.text);
}
