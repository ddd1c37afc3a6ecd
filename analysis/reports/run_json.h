#pragma once
#include <jansson.h>

#include "analysis/run_info.h"

/* The member "run" of result.json: who ran what where. NULL when memory is short. */
json_t *run_json(const struct run_info *info);
