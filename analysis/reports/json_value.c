#include "analysis/reports/json_value.h"

#include <stdlib.h>

#include "act/base/clock.h"
#include "analysis/log_name.h"

void json_put(json_t **object, const char *key, json_t *value)
{
	if (json_object_set_new(*object, key, value) < 0) {
		json_decref(*object);
		*object = NULL;
	}
}

void json_add(json_t **array, json_t *value)
{
	if (json_array_append_new(*array, value) < 0) {
		json_decref(*array);
		*array = NULL;
	}
}

json_t *json_count(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

json_t *json_seconds(uint64_t ns)
{
	return json_real((double)ns / (double)NS_PER_SEC);
}

json_t *json_ratio(struct ratio ratio)
{
	json_t *object = json_object();

	json_put(&object, "num", json_count(ratio.num));
	json_put(&object, "den", json_count(ratio.den));
	return object;
}

json_t *json_text(const char *text)
{
	char *escaped = log_name_escape(text);
	json_t *string = escaped ? json_string(escaped) : NULL;

	free(escaped);
	return string;
}
