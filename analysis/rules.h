#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/judge.h"

/*
 * The rules of verdict.md for one slice: from its sums to reasons. Pure.
 */

/* Reasons being collected, gravest first; when there are too many, the last of
 * the least grave are left out. */
struct reason_list {
	struct reason items[REASONS_MAX];
	size_t count;
};

void reason_add(struct reason_list *list, enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* PASS when there is no reason. */
enum verdict reason_verdict(const struct reason_list *list);

/* What happened to the measurement itself, over one slice. */
struct slice_facts {
	uint64_t intervals;
	uint64_t lost_ns;        /* of measurement that is missing */
	uint64_t late_intervals; /* whose counts are mixed with their neighbours' */
	int64_t clock_jump_ns;   /* the largest in size */
	uint64_t queue_overflows;
	uint64_t hiccups; /* of this host, see struct interval */
	uint64_t cpu_idle_ticks;
	uint64_t cpu_total_ticks; /* 0: not known */
};

/* At least this share of the planned requests must be issued. */
extern const struct ratio rules_issued_min;

/* Fewer than 5 % of the CPU time were idle. */
int rules_host_saturated(uint64_t idle_ticks, uint64_t total_ticks);

/* Whose sums they are. */
struct rules_scope {
	size_t phase;        /* index */
	bool judged;         /* false: only errors decide */
	size_t device;       /* info->device_count: all of them together */
	size_t device_count; /* that the sums are of */
};

/* Adds the reasons why nothing measured in the slice can be trusted. They hold
 * for all devices. In a slice that is not judged it is only those for which errors could
 * have been overlooked. */
void rules_measurement(const struct slice_facts *facts, bool judged, struct reason_list *list);

/* Adds the reasons that lie in the sums of each stream. */
void rules_streams(const struct run_info *info, const struct slice_facts *facts,
		   const struct summary *streams, const struct rules_scope *scope,
		   struct reason_list *list);
