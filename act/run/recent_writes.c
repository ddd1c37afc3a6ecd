#include "act/run/recent_writes.h"

#include <errno.h>
#include <stdlib.h>

/* Times under_way_max; a quarter at most is under way, and half at most has failed, so that
 * there is always one to take. */
#define CAPACITY_FACTOR 4

/*
 * Each field is stored with release and loaded with acquire. Whoever looks at an entry
 * while it is taken anew may see parts of two writes. Nothing is missed by that: the
 * former write has ended, and whoever sees any part of the new one sees its end in
 * forgotten_ns, too; the new one has not been handed to the device yet.
 */
static uint64_t get(const _Atomic uint64_t *field)
{
	return atomic_load_explicit(field, memory_order_acquire);
}

static void set(_Atomic uint64_t *field, uint64_t value)
{
	atomic_store_explicit(field, value, memory_order_release);
}

int recent_writes_init(struct recent_writes *writes, uint32_t under_way_max)
{
	uint32_t capacity = (under_way_max > 0 ? under_way_max : 1) * CAPACITY_FACTOR;

	*writes = (struct recent_writes){.capacity = capacity};
	writes->entries = calloc(capacity, sizeof(*writes->entries));
	if (!writes->entries)
		return -ENOMEM;
	for (uint32_t i = 0; i < capacity; i++)
		atomic_init(&writes->entries[i].begun_ns, UINT64_MAX); /* no write at all */
	return 0;
}

void recent_writes_release(struct recent_writes *writes)
{
	free(writes->entries);
	writes->entries = NULL;
}

static void forget(struct recent_writes *writes, uint64_t ended_ns)
{
	if (ended_ns > get(&writes->forgotten_ns))
		set(&writes->forgotten_ns, ended_ns);
}

static uint32_t entry_after(const struct recent_writes *writes, uint32_t entry)
{
	return entry + 1 < writes->capacity ? entry + 1 : 0;
}

/* The oldest entry whose write is not under way. */
static uint32_t take_entry(struct recent_writes *writes)
{
	uint32_t entry = writes->next;

	while (get(&writes->entries[entry].ended_ns) == UINT64_MAX)
		entry = entry_after(writes, entry);
	writes->next = entry_after(writes, entry);
	return entry;
}

uint32_t recent_writes_begin(struct recent_writes *writes, uint64_t offset_bytes,
			     uint64_t length_bytes, uint64_t now_ns)
{
	uint32_t number = take_entry(writes);
	struct recent_write *entry = &writes->entries[number];

	forget(writes, get(&entry->ended_ns));
	set(&entry->offset_bytes, offset_bytes);
	set(&entry->length_bytes, length_bytes);
	set(&entry->begun_ns, now_ns);
	set(&entry->ended_ns, UINT64_MAX);
	return number;
}

void recent_writes_end(struct recent_writes *writes, uint32_t entry, uint64_t now_ns)
{
	set(&writes->entries[entry].ended_ns, now_ns);
}

void recent_writes_fail(struct recent_writes *writes, uint32_t entry)
{
	if (writes->failed < writes->capacity / 2) {
		writes->failed++;
		return;
	}
	forget(writes, UINT64_MAX);
	recent_writes_end(writes, entry, UINT64_MAX - 1);
}

static bool overlaps(const struct recent_write *entry, uint64_t offset_bytes, uint64_t length_bytes,
		     uint64_t from_ns, uint64_t upto_ns)
{
	uint64_t offset = get(&entry->offset_bytes);
	uint64_t length = get(&entry->length_bytes);
	uint64_t begun_ns = get(&entry->begun_ns);
	uint64_t ended_ns = get(&entry->ended_ns);

	return begun_ns <= upto_ns && ended_ns > from_ns && offset < offset_bytes + length_bytes &&
	       offset_bytes < offset + length;
}

bool recent_writes_may_overlap(const struct recent_writes *writes, uint64_t offset_bytes,
			       uint64_t length_bytes, uint64_t from_ns, uint64_t upto_ns)
{
	for (uint32_t i = 0; i < writes->capacity; i++)
		if (overlaps(&writes->entries[i], offset_bytes, length_bytes, from_ns, upto_ns))
			return true;
	/* After the entries: one that was taken anew before we looked is counted here. */
	return get(&writes->forgotten_ns) > from_ns;
}
