#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "act/device/list.h"

/*
 * The list of devices as text. Each returns 0, or -ENOMEM when memory is short;
 * then what was printed says nothing.
 */

/* Two tables: what may be written, and what the drives are. On a terminal they
 * keep to its width. */
int devices_print_table(const struct device_list *list, FILE *out);

/* {"devices": [...]}, in the shape that README.md documents. */
int devices_print_json(const struct device_list *list, FILE *out);
