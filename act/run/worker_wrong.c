#include <errno.h>
#include <string.h>

#include "act/run/worker_private.h"

/*
 * A read that shows wrong data is read again as long as one of our own writes to the place
 * was under way while it was read (where a write goes through a page cache, a read may see
 * half of it); the last reading decides. Its times stay those of the first.
 */

/* A read that met a write is read again so much later, for so long; a write that takes
 * longer, or never ended, is no excuse. */
#define READ_AGAIN_NS     (20 * NS_PER_MS)
#define READ_AGAIN_FOR_NS NS_PER_SEC
/* But so often at least, whatever this host did meanwhile. */
#define READ_TIMES_LEAST 4

_Static_assert(sizeof(struct payload_header) == WRONG_HEADER_BYTES, "described whole");

static bool only_zeros(const uint8_t *sector)
{
	return sector[0] == 0 && memcmp(sector, sector + 1, PAYLOAD_SECTOR_BYTES - 1) == 0;
}

static struct wrong_data describe(const struct worker *worker, const struct slot *slot,
				  uint32_t at_bytes)
{
	static const enum wrong_kind kinds[] = {
	    [PAYLOAD_GOOD] = WRONG_NOT,        [PAYLOAD_FOREIGN] = WRONG_FOREIGN,
	    [PAYLOAD_CORRUPT] = WRONG_CORRUPT, [PAYLOAD_MISPLACED] = WRONG_MISPLACED,
	    [PAYLOAD_STALE] = WRONG_STALE,
	};
	const uint8_t *sector = slot->buffer + at_bytes;
	struct payload_header found;
	struct wrong_data wrong = {
	    .offset_bytes = slot->offset_bytes + at_bytes,
	    .data_id = worker->setup.data_id,
	};

	wrong.kind = kinds[payload_check_sector(sector, wrong.offset_bytes, wrong.data_id, &found)];
	if (wrong.kind == WRONG_FOREIGN && only_zeros(sector))
		wrong.kind = WRONG_ZEROS;
	wrong.found_offset_bytes = found.offset_bytes;
	wrong.found_data_id = found.data_id;
	memcpy(wrong.header, sector, sizeof(wrong.header));
	return wrong;
}

/* The first wrong sector is at check->checked_bytes. */
static void fail(struct worker *worker, size_t stream, uint32_t index)
{
	struct share *share = &worker->shares[stream];
	const struct slot *slot = &share->slots[index];
	struct tally *tally = &worker->page->tallies[stream];
	const struct request_error error = {
	    .at_ns = share->checks[index].completed_ns,
	    .code = EBADMSG,
	    .wrong = describe(worker, slot, share->checks[index].checked_bytes),
	};

	if (tally->mismatches++ == 0)
		tally->mismatch_offset_bytes = error.wrong.offset_bytes;
	worker_note_error(worker, stream, slot, &error);
	worker_free_slot(share, index);
}

static bool met_own_write(const struct worker *worker, const struct check *check,
			  uint64_t offset_bytes)
{
	for (uint32_t i = 0; i < worker->setup.stride; i++)
		if (recent_writes_may_overlap(&worker->setup.recent[i], offset_bytes,
					      PAYLOAD_SECTOR_BYTES, check->read_from_ns,
					      check->read_upto_ns))
			return true;
	return false;
}

void worker_wrong_data(struct worker *worker, size_t stream, uint32_t index)
{
	const struct share *share = &worker->shares[stream];
	struct check *check = &share->checks[index];
	uint64_t bad_bytes = share->slots[index].offset_bytes + check->checked_bytes;
	bool in_time = check->times_read < READ_TIMES_LEAST ||
		       check->read_upto_ns < check->completed_ns + READ_AGAIN_FOR_NS;

	if (!in_time || !met_own_write(worker, check, bad_bytes)) {
		fail(worker, stream, index);
		return;
	}
	check->again_ns = worker_now(worker) + READ_AGAIN_NS;
	queue_push(&worker->doubtful, tag_make(stream, index));
}

static void read_again(struct worker *worker, uint64_t tag, uint64_t now_ns)
{
	struct share *share = &worker->shares[tag >> 32];
	struct slot *slot = &share->slots[(uint32_t)tag];

	slot->done_bytes = 0;
	slot->read_again = true;
	slot->submitted_ns = now_ns;
	worker_put_under_way(worker, share, (uint32_t)tag);
	worker->retries[worker->retry_count++] = tag;
}

uint64_t worker_wrong_again_ns(const struct worker *worker)
{
	if (worker->doubtful.count == 0)
		return UINT64_MAX;
	return find_check(worker, queue_at(&worker->doubtful, 0))->again_ns;
}

void worker_wrong_read_again(struct worker *worker, uint64_t now_ns)
{
	while (worker_wrong_again_ns(worker) <= now_ns) {
		uint64_t tag = queue_at(&worker->doubtful, 0);

		queue_drop_first(&worker->doubtful);
		read_again(worker, tag, now_ns);
	}
}

void worker_wrong_give_up(struct worker *worker)
{
	for (; worker->doubtful.count > 0; queue_drop_first(&worker->doubtful)) {
		uint64_t tag = queue_at(&worker->doubtful, 0);

		fail(worker, (size_t)(tag >> 32), (uint32_t)tag);
	}
}
