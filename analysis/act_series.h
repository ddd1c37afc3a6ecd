#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/act_head.h"
#include "analysis/act_log.h"

/* The histograms of a log, and the block that is being read. All zero when it begins. */
struct act_series {
	struct act_histogram *histograms;
	size_t count;
	size_t room;
	uint64_t block; /* number of the block */
	size_t current; /* the one whose buckets come; count: none */
	uint64_t sum;   /* of its buckets so far */
	bool writes;    /* devices that come now count writes (4.x) */
	size_t here;    /* histograms that the block has whole */
};

void act_series_release(struct act_series *series);

/* A line of HISTOGRAM NAMES: each block has it. 0 or -ENOMEM. */
int act_series_expect(struct act_series *series, struct act_head *head, const char *tag,
		      size_t length);

void act_series_begin_block(struct act_series *series, uint64_t number);
/* The heading of a histogram: 0, -EINVAL when it cannot be one (it comes twice; there
 * are too many), -ENOMEM. */
int act_series_heading(struct act_series *series, struct act_head *head, const char *tag,
		       size_t length, uint64_t total);
/* A line of buckets; false when it is damaged. */
bool act_series_buckets(struct act_series *series, const char *line, size_t length);
/* What follows belongs to no histogram. */
void act_series_leave(struct act_series *series);
/* Whether the block has every histogram, whole. */
bool act_series_end_block(struct act_series *series);
