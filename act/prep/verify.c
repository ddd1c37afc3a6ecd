#include "act/prep/verify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "act/payload/label.h"

struct verification {
	const struct verify_request *request;
	struct verify_report *report;
	uint64_t next_bytes;
	uint64_t done_bytes;
};

static bool next_block(void *state, struct pump_block *block)
{
	struct verification *self = state;
	const struct verify_request *request = self->request;
	uint64_t left_bytes = request->device_bytes - self->next_bytes;

	if (left_bytes == 0 || (request->stop && *request->stop))
		return false;
	block->offset_bytes = self->next_bytes;
	block->length_bytes =
	    left_bytes < PUMP_BLOCK_BYTES ? (uint32_t)left_bytes : PUMP_BLOCK_BYTES;
	self->next_bytes += block->length_bytes;
	return true;
}

/* Blocks come back in any order: keeps the lowest ones, in order. */
static void take_bad(struct verify_report *report, const struct verify_bad *bad)
{
	size_t at = report->shown;

	report->bad++;
	while (at > 0 && report->first[at - 1].offset_bytes > bad->offset_bytes)
		at--;
	if (at == VERIFY_SHOWN)
		return;
	if (report->shown < VERIFY_SHOWN)
		report->shown++;
	memmove(&report->first[at + 1], &report->first[at],
		(report->shown - at - 1) * sizeof(report->first[0]));
	report->first[at] = *bad;
}

static void check_sector(struct verification *self, const uint8_t *sector, uint64_t offset_bytes)
{
	struct verify_bad bad = {.offset_bytes = offset_bytes};

	bad.fault = payload_check_sector(sector, offset_bytes, self->request->data_id, &bad.found);
	if (bad.fault == PAYLOAD_GOOD)
		return;
	memcpy(bad.head, sector, sizeof(bad.head));
	take_bad(self->report, &bad);
}

static int check_block(void *state, const struct pump_block *block)
{
	struct verification *self = state;
	const struct verify_request *request = self->request;
	const uint8_t *data = block->buffer;
	size_t at = 0;

	while (at < block->length_bytes) {
		at += payload_check(data + at, block->length_bytes - at, block->offset_bytes + at,
				    request->data_id);
		if (at < block->length_bytes) {
			check_sector(self, data + at, block->offset_bytes + at);
			at += PAYLOAD_SECTOR_BYTES;
		}
	}
	self->report->sectors += block->length_bytes / PAYLOAD_SECTOR_BYTES;
	self->done_bytes += block->length_bytes;
	if (request->progress)
		request->progress(request->progress_state, self->done_bytes);
	return 0;
}

int verify_run(const struct verify_request *request, struct verify_report *ret, struct error *err)
{
	struct verification self = {
	    .request = request,
	    .report = ret,
	    .next_bytes = LABEL_AREA_BYTES,
	};
	const struct pump_job job = {
	    .op = IO_READ,
	    .next = next_block,
	    .done = check_block,
	    .state = &self,
	    .bytes_per_sec = request->bytes_per_sec,
	};
	uint64_t failed_bytes = 0;

	*ret = (struct verify_report){0};
	int rc = pump_run(request->pump, &job, &failed_bytes);
	if (rc == -ETIMEDOUT)
		return error_device(err, ETIMEDOUT,
				    "%s: hangs: of the reads under way none came back for %" PRIu64
				    " s",
				    request->name, PUMP_HANG_NS / NS_PER_SEC);
	if (rc < 0)
		return error_device(err, -rc, "%s: reading at %" PRIu64 " failed: %s",
				    request->name, failed_bytes, strerror(-rc));
	if (self.next_bytes < request->device_bytes)
		return error_environment(err, EINTR, "%s: interrupted while it was being verified",
					 request->name);
	return 0;
}

const char *verify_fault_name(enum payload_fault fault)
{
	switch (fault) {
	case PAYLOAD_GOOD:
		return "good";
	case PAYLOAD_FOREIGN:
		return "missing";
	case PAYLOAD_CORRUPT:
		return "corrupt";
	case PAYLOAD_MISPLACED:
		return "misplaced";
	case PAYLOAD_STALE:
		return "stale";
	}
	return "bad";
}

char *verify_describe(char text[static VERIFY_TEXT_BYTES], const struct verify_bad *bad,
		      uint64_t data_id)
{
	char hex[2 * sizeof(bad->head) + 1];
	char found[128] = "";

	for (size_t i = 0; i < sizeof(bad->head); i++)
		snprintf(hex + 2 * i, 3, "%02x", bad->head[i]);
	switch (bad->fault) {
	case PAYLOAD_FOREIGN:
		snprintf(found, sizeof(found), "no sector of ours");
		break;
	case PAYLOAD_CORRUPT:
		snprintf(found, sizeof(found), "one whose checksum is wrong");
		break;
	default:
		snprintf(found, sizeof(found),
			 "that of offset %" PRIu64 ", preparation %016" PRIx64,
			 bad->found.offset_bytes, bad->found.data_id);
	}
	snprintf(text, VERIFY_TEXT_BYTES,
		 "%s sector at %" PRIu64 ": expected that of preparation %016" PRIx64
		 ", found %s (begins %s)",
		 verify_fault_name(bad->fault), bad->offset_bytes, data_id, found, hex);
	return text;
}
