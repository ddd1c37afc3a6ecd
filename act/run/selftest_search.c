#include "act/run/selftest_search.h"

#define RESOLUTION 16

/* What is known so far. */
struct bounds {
	uint64_t good; /* 0: none yet */
	uint64_t bad;  /* 0: none yet */
};

static int measure(const struct selftest_search *search, struct bounds *bounds, uint64_t rate)
{
	int good = search->measure(search->state, rate);

	if (good == 0)
		good = search->measure(search->state, rate);
	if (good > 0)
		bounds->good = rate;
	else if (good == 0)
		bounds->bad = rate;
	return good;
}

/* The next rate to try; 0 when all is known. */
static uint64_t next_rate(const struct selftest_search *search, const struct bounds *bounds)
{
	if (bounds->bad == 0) {
		if (bounds->good == search->max)
			return 0;
		return bounds->good > search->max / 2 ? search->max : bounds->good * 2;
	}
	if (bounds->good == 0) {
		if (bounds->bad == search->min)
			return 0;
		return bounds->bad / 2 < search->min ? search->min : bounds->bad / 2;
	}
	if (bounds->bad - bounds->good <= bounds->good / RESOLUTION ||
	    bounds->bad - bounds->good < 2)
		return 0;
	return bounds->good + (bounds->bad - bounds->good) / 2;
}

uint64_t selftest_search(const struct selftest_search *search)
{
	struct bounds bounds = {0};
	uint64_t rate = search->start;

	while (rate > 0 && measure(search, &bounds, rate) >= 0)
		rate = next_rate(search, &bounds);
	return bounds.good;
}
