#pragma once
#include <jansson.h>
#include <stdint.h>

#include "act/base/units.h"

/*
 * JSON values whose errors need one check only: a container into which anything
 * could not be put is dropped and becomes NULL, and NULL put into a container
 * makes that NULL in turn.
 */

/* Puts `value` into *object and takes it over. */
void json_put(json_t **object, const char *key, json_t *value);
void json_add(json_t **array, json_t *value);

/* INT64_MAX for larger values: JSON integers are signed here. */
json_t *json_count(uint64_t value);
/* ns as seconds. */
json_t *json_seconds(uint64_t ns);
/* {"num": 1, "den": 20} */
json_t *json_ratio(struct ratio ratio);
/* Text of any bytes: escaped as in the log when it is not UTF-8. */
json_t *json_text(const char *text);
