#pragma once
#include <stdbool.h>

#include "act/config/config.h"

/*
 * Rates as people write them, and steps of them. Private to act/config.
 */

/* Units that may be taken: 's' 5000/s, 'x' 30x, '%' 83.14%, 'B' 850MB/s. */
#define RATE_UNITS_ALL "sx%B"

/* 0, -EINVAL (not of the form, or of none of the units) or -ERANGE (too large); *ret is
 * untouched on failure. */
int rate_parse(const char *text, const char *units, struct config_rate *ret);

/* "WHAT:FROM..TO:STEP" into the phase: NULL, or what is wrong with it. */
const char *steps_parse(const char *text, struct config_phase *phase);
/* Empty when there are none. */
void steps_format(const struct config_phase *phase, char *text, size_t size);
