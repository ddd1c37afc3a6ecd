#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/act_judge.h"
#include "analysis/act_log.h"
#include "analysis/reports/report.h"

/*
 * Any bytes as a log of the older tool: the reader must neither crash nor run on, what it
 * calls complete must add up, and the same comes out whether it reads all at once or in
 * pieces. Whatever it is, it is judged and reported, and never passes with nothing in it.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
	const uint8_t *data;
	size_t length;
	size_t piece;
};

static ssize_t read_bytes(void *context, void *buffer, size_t size)
{
	struct bytes *bytes = context;

	size = size > bytes->piece ? bytes->piece : size;
	size = size > bytes->length ? bytes->length : size;
	if (size > 0)
		memcpy(buffer, bytes->data, size);
	bytes->data += size;
	bytes->length -= size;
	return (ssize_t)size;
}

static void check_block(const struct act_log *log, uint64_t *hash)
{
	const struct act_block *block = act_log_block(log);

	*hash = *hash * 31 + block->seconds * 7 + block->complete + block->line;
	for (size_t i = 0; i < act_log_histogram_count(log); i++) {
		const struct act_histogram *histogram = act_log_histogram(log, i);
		uint64_t sum = 0;

		for (size_t k = 0; k < ACT_BUCKETS; k++) {
			sum += histogram->buckets[k];
			assert(k < histogram->used || histogram->buckets[k] == 0);
		}
		assert(histogram->block <= block->number);
		assert(!histogram->whole || sum == histogram->total);
		assert(!block->complete || (histogram->whole && histogram->block == block->number));
		*hash = *hash * 31 + histogram->total;
	}
}

/* What the log says, as one number. */
static uint64_t read_all(const uint8_t *data, size_t size, size_t piece)
{
	struct bytes bytes = {data, size, piece};
	struct act_log *log = NULL;
	enum act_event event = ACT_BLOCK;
	uint64_t hash = 1;
	struct error err;

	if (act_log_new((struct act_source){read_bytes, &bytes}, "fuzz", &log, &err) < 0)
		return 0;
	while (event != ACT_NO_MORE) {
		int rc = act_log_next(log, &event, &err);

		assert(rc == 0);
		if (event == ACT_BLOCK)
			check_block(log, &hash);
		if (event == ACT_MESSAGE)
			hash = hash * 31 + act_log_message(log)->line;
	}
	if (act_log_last_block(log))
		check_block(log, &hash);
	hash += act_log_damaged_lines(log);
	act_log_free(log);
	return hash;
}

static void check_result(const struct result *result, FILE *out)
{
	assert((result->verdict == VERDICT_PASS) == (result->exit_status == EXIT_PASS));
	for (size_t i = 0; i < result->slice_count; i++) {
		assert(verdict_gravest(result->verdict, result->slices[i]->verdict) ==
		       result->verdict);
		for (size_t k = 0; k < result->info->stream_count; k++)
			assert(!judge_is_judged(result->info, k) ||
			       result->slices[i]->verdict != VERDICT_PASS ||
			       summary_total(&result->slices[i]->all.streams[k]) > 0);
	}
	assert(result->slice_count > 0 || result->verdict != VERDICT_PASS);
	report_find("text")->write(result, "fuzz", out);
	report_find("json")->write(result, "fuzz", out);
}

static void judge(const uint8_t *data, size_t size, FILE *out)
{
	struct bytes bytes = {data, size, size};
	struct judge_options options = {.slice_ns = 2 * NS_PER_SEC};
	const struct result *result;
	struct act_log *log = NULL;
	struct act_judge *act_judge = NULL;
	struct error err;

	if (act_log_new((struct act_source){read_bytes, &bytes}, "fuzz", &log, &err) < 0)
		return;
	int rc = act_judge_new(log, &options, &act_judge, &err);

	assert(rc == 0);
	if (act_judge_log(log, act_judge, &result, &err) == 0)
		check_result(result, out);
	act_judge_free(act_judge);
	act_log_free(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *out = fopen("/dev/null", "we");
	uint64_t whole = read_all(data, size, size + 1);
	uint64_t pieces = read_all(data, size, 3);

	assert(out && whole == pieces);
	judge(data, size, out);
	fclose(out);
	return 0;
}
