#pragma once
#include <stdint.h>

/*
 * Searches the highest rate that is still good: doubles while it is (or halves
 * while it is not), then bisects, until the bounds lie within a sixteenth.
 * Whether a rate is good is taken to fall with the rate, but may be spoilt by
 * chance: one that is not is measured again.
 */
struct selftest_search {
	uint64_t start; /* where to begin, from min to max */
	uint64_t min;   /* above 0; below it nothing is tried */
	uint64_t max;
	/* Is it good? 1: yes, 0: no, negative: end the search here and now. */
	int (*measure)(void *state, uint64_t rate);
	void *state;
};

/* The highest rate that was good, 0 for none. */
uint64_t selftest_search(const struct selftest_search *search);
