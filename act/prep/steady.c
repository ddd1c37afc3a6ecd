#include "act/prep/steady.h"

#include <assert.h>

#define N LABEL_ROUNDS

/* With x as the round's number less that of the middle one, the fitted line's slope is
 * sum(x * y) / sum(x * x), and it changes by N - 1 times that over the window. */
#define SUM_OF_SQUARES 10
_Static_assert(N == 5, "4 + 1 + 0 + 1 + 4 squares");

static uint64_t spread(const uint64_t *rounds)
{
	uint64_t least = rounds[0], most = rounds[0];

	for (int i = 1; i < N; i++) {
		least = rounds[i] < least ? rounds[i] : least;
		most = rounds[i] > most ? rounds[i] : most;
	}
	return most - least;
}

bool steady_judge(const uint64_t rounds[static LABEL_ROUNDS], struct steady_figures *ret_figures)
{
	__int128 sum = 0, products = 0;
	uint64_t range = spread(rounds);

	for (int i = 0; i < N; i++) {
		assert(rounds[i] >> 56 == 0);
		sum += rounds[i];
		products += (__int128)rounds[i] * (i - N / 2);
	}
	__int128 change = products < 0 ? -products : products; /* times (N-1)/SUM_OF_SQUARES */
	if (ret_figures) {
		double average = (double)sum / N;
		double slope = (double)products * (N - 1) / SUM_OF_SQUARES;

		*ret_figures = (struct steady_figures){
		    .average = (uint64_t)(sum / N),
		    .range = range,
		    .slope = (int64_t)(products * (N - 1) / SUM_OF_SQUARES),
		    .range_pct = sum ? 100 * (double)range / average : 0,
		    .slope_pct = sum ? 100 * slope / average : 0,
		};
	}
	return sum > 0 && (__int128)range * 100 * N <= STEADY_RANGE_PCT * sum &&
	       change * (N - 1) * 100 * N <= STEADY_SLOPE_PCT * sum * SUM_OF_SQUARES;
}
