#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "act/base/error.h"
#include "analysis/linearity.h"

/* Part of linearity.c: whether two runs had the same job. */

/* Whether the stream is issued on the device, in whichever phase. */
bool linearity_issues(const struct run_info *info, size_t device, size_t stream);

/* Compares the job of a device with that which it, or what stands for it, had alone, and
 * adds the differences that leave a comparison its sense. A usage error for one that does
 * not; -ENOMEM. */
int linearity_check_device(struct linearity *linearity, size_t device, struct error *err);
/* The same for all that devices have in common, of one run alone. */
int linearity_check_run(struct linearity *linearity, size_t alone, struct error *err);
