#pragma once
#include <stdint.h>

#include "act/base/units.h"

/*
 * Figures as people read them, in reasons and reports. Integer arithmetic, so
 * that the same counts give the same text everywhere. Each function writes into
 * `text` and returns it.
 */

#define FIGURE_BYTES 64

/*
 * part/whole in percent, without the sign: two decimals, and as many more as it
 * takes not to mislead. Unless it is exactly so, the text is never 0 or 100 and
 * never `limit` or a value on the other side of it (4.996 against 5, not 5.00).
 * That holds down to differences of 10^-18 of the whole. `limit` may be NULL.
 * "-" when whole is 0.
 */
char *figure_share(char text[static FIGURE_BYTES], uint64_t part, uint64_t whole,
		   const struct ratio *limit);

/* A limit as "5 %", exact where it is a finite decimal. */
char *figure_limit(char text[static FIGURE_BYTES], struct ratio limit);

/* "540 000" */
char *figure_count(char text[static FIGURE_BYTES], uint64_t count);

/* "3 h 12 min": the largest unit and at most units_max - 1 after it, cut off
 * behind. Units: d (from 2 d on), h, min, s, ms, us, ns. */
char *figure_duration(char text[static FIGURE_BYTES], uint64_t ns, int units_max);

/* "02:00:00", hours as large as they get */
char *figure_clock(char text[static FIGURE_BYTES], uint64_t ns);

/* Milliseconds with three decimals, "0.412"; "-" for 0. */
char *figure_ms(char text[static FIGURE_BYTES], uint64_t ns);

/* count per second: two decimals below 1000/s, none above; "-" for no time. */
char *figure_rate(char text[static FIGURE_BYTES], uint64_t count, uint64_t duration_ns);

/* "1.92 TB", rounded; powers of 1000, as drives are sold. Below 1 kB "512 B". */
char *figure_bytes(char text[static FIGURE_BYTES], uint64_t bytes);
