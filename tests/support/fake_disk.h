#pragma once
#include <stdint.h>

#include "tests/support/fake_world.h"

/*
 * A disk in memory behind the fake engine: requests move data to and from a file
 * descriptor that label_read and label_write can use as well. What a write brings is there
 * only when it has completed, and completions come in any order, by a fixed seed.
 */

#define FAKE_DISK_WRITES_MAX 65536

struct fake_write {
	uint64_t offset_bytes;
	uint64_t length_bytes;
	uint64_t done_ns; /* in the world's time */
};

struct fake_disk {
	struct fake_world world;
	int fd; /* of the memory */
	uint64_t size_bytes;
	uint64_t service_min_ns; /* each request takes between this ... */
	uint64_t service_max_ns; /* ... and this */
	uint64_t fail_at;        /* the number of the request that gets ... */
	int32_t fail_result;     /* ... this; 0: none does */
	bool fail_silent;        /* it never comes back, nor do those after it */
	uint64_t chop;           /* every such request moves half of it only; 0: none */
	uint64_t state;          /* of the random numbers */
	struct fake_write *writes;
	size_t write_count;
};

void fake_disk_init(struct fake_disk *disk, uint64_t size_bytes);
void fake_disk_release(struct fake_disk *disk);

/* Whether all of these bytes have been written by requests that have completed by now. */
bool fake_disk_has(const struct fake_disk *disk, uint64_t from_bytes, uint64_t to_bytes);
