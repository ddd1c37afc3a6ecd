#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "act/base/units.h"

/*
 * What a prepared device or file carries at its very beginning: which preparation
 * it has gone through, and how far. The first LABEL_AREA_BYTES hold two copies of
 * the label, LABEL_BYTES each, and nothing else is ever read or written there.
 * A new label replaces the older copy, so that one of them is whole at any moment.
 *
 * On the device a label is little-endian: LABEL_MAGIC (16 bytes), version and crc32c (of
 * the LABEL_BYTES with this field as zero) of 4 bytes each, then the fields of struct
 * label in their order (8 bytes for each number, texts as they are), then zeros.
 */

#define LABEL_BYTES        4096
#define LABEL_COPIES       2
#define LABEL_AREA_BYTES   (UINT64_C(1) << 20)
#define LABEL_MAGIC        "actcert label\n\0"
#define LABEL_VERSION      1
#define LABEL_SERIAL_BYTES 64
/* Rounds of random overwriting that are looked at for a steady state. */
#define LABEL_ROUNDS 5

enum label_stage {
	LABEL_CLEAN,     /* discards or zeroes */
	LABEL_FILL,      /* writes everything, from the first sector to the last */
	LABEL_OVERWRITE, /* at random places, until the speed is steady */
	LABEL_DONE,
	LABEL_STAGES
};

struct label {
	uint64_t generation;   /* the greater one of the two copies counts */
	uint64_t data_id;      /* of this preparation: in the header of each sector */
	uint64_t device_bytes; /* size of the device it was made for */
	uint64_t begun_s;      /* Unix time */
	uint64_t finished_s;   /* 0: not yet */
	uint64_t stage;        /* enum label_stage */
	uint64_t passes;       /* of filling, in all */
	uint64_t pass;         /* from 0: the one under way */
	/* What is before it in this stage (pass, round) is done, and synced. */
	uint64_t position_bytes;
	struct ratio compress;
	uint64_t overwrite; /* 1: random overwriting is part of this preparation */
	uint64_t steady;    /* 1: and its speed was found to be steady */
	uint64_t rounds;    /* of overwriting, finished */
	/* Of the last rounds; the latest is [(rounds - 1) % LABEL_ROUNDS]. */
	uint64_t round_bytes_per_sec[LABEL_ROUNDS];
	char serial[LABEL_SERIAL_BYTES]; /* of the device it was made for; empty: none */
};

/* Pure, thread-safe. */
void label_encode(const struct label *label, uint8_t block[LABEL_BYTES]);
/* 0, or -EINVAL when the block is no whole label of this version; then nothing is
 * stored. */
int label_decode(const uint8_t block[LABEL_BYTES], struct label *ret);
/* The newer one of the copies; false when none is whole. */
bool label_newest(const uint8_t area[LABEL_COPIES * LABEL_BYTES], struct label *ret);

/* Whether all of a device of this size has been written with sectors of data_id. */
static inline bool label_is_complete(const struct label *label, uint64_t device_bytes)
{
	return label->device_bytes == device_bytes &&
	       (label->stage == LABEL_DONE || label->stage == LABEL_OVERWRITE);
}

/* "clean", "fill", "overwrite", "done" */
const char *label_stage_name(uint64_t stage);
