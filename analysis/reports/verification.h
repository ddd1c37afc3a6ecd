#pragma once
#include <stdio.h>

#include "analysis/judge.h"

/* One line for each device: how much of what was read from it was verified and what was
 * wrong, or why it was not. Nothing where the log does not know. */
void verification_print(const struct result *result, FILE *out);
