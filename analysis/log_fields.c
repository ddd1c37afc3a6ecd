#include "analysis/log_fields.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/log_name.h"

#define BYTES_MAX 64 /* of a FIELD_BYTES */

json_t *fields_u64(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

json_t *fields_encode_ratio(struct ratio ratio)
{
	return json_pack("{s:o, s:o}", "num", fields_u64(ratio.num), "den", fields_u64(ratio.den));
}

static json_t *encode_counts(const uint64_t *counts, size_t size)
{
	json_t *array = json_array();
	size_t count = size / sizeof(*counts);

	while (count && !counts[count - 1])
		count--;
	for (size_t i = 0; i < count; i++) {
		if (json_array_append_new(array, fields_u64(counts[i])) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *encode_name(const char *name)
{
	char *text = log_name_escape(name);
	json_t *string = text ? json_string(text) : NULL;

	free(text);
	return string;
}

static json_t *encode_bytes(const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * BYTES_MAX];

	for (size_t i = 0; i < size; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 0xf];
	}
	return json_stringn(text, 2 * size);
}

static json_t *encode_field(const struct field *field, const void *at)
{
	switch (field->type) {
	case FIELD_U64:
	case FIELD_COUNT:
		return fields_u64(*(const uint64_t *)at);
	case FIELD_COUNTS:
		return encode_counts(at, field->size);
	case FIELD_I64:
		return json_integer(*(const int64_t *)at);
	case FIELD_INT:
		return json_integer(*(const int *)at);
	case FIELD_BOOL:
	case FIELD_FLAG:
		return json_boolean(*(const bool *)at);
	case FIELD_RATIO:
		return fields_encode_ratio(*(const struct ratio *)at);
	case FIELD_TEXT:
	case FIELD_NOTE:
		return encode_name(at);
	case FIELD_HEX:
		return json_sprintf("%016" PRIx64, *(const uint64_t *)at);
	case FIELD_BYTES:
		return encode_bytes(at, field->size);
	}
	return NULL;
}

static bool may_be_missing(const struct field *field)
{
	return field->type == FIELD_COUNT || field->type == FIELD_COUNTS ||
	       field->type == FIELD_FLAG || field->type == FIELD_NOTE;
}

static bool all_zero(const void *at, size_t size)
{
	const unsigned char *bytes = at;

	return !bytes[0] && (size == 1 || !memcmp(bytes, bytes + 1, size - 1));
}

/* Behind the end of a text anything may stand. */
static bool is_nothing(const struct field *field, const void *at)
{
	return all_zero(at, field->type == FIELD_NOTE ? 1 : field->size);
}

json_t *fields_encode(const struct field_table *table, const void *base)
{
	json_t *object = json_object();

	for (size_t i = 0; object && i < table->count; i++) {
		const struct field *field = &table->fields[i];
		const void *at = (const char *)base + field->offset;

		if (may_be_missing(field) && is_nothing(field, at))
			continue;
		if (json_object_set_new(object, field->key, encode_field(field, at)) < 0) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static int decode_u64(const json_t *value, uint64_t *ret)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return -EINVAL;
	*ret = (uint64_t)json_integer_value(value);
	return 0;
}

static int decode_counts(const json_t *array, uint64_t *counts, size_t size)
{
	if (!json_is_array(array) || json_array_size(array) > size / sizeof(*counts))
		return -EINVAL;
	memset(counts, 0, size);
	for (size_t i = 0; i < json_array_size(array); i++) {
		if (decode_u64(json_array_get(array, i), &counts[i]) < 0)
			return -EINVAL;
	}
	return 0;
}

int fields_decode_ratio(const json_t *object, struct ratio *ret)
{
	struct ratio ratio;

	if (decode_u64(json_object_get(object, "num"), &ratio.num) < 0 ||
	    decode_u64(json_object_get(object, "den"), &ratio.den) < 0 || !ratio.den)
		return -EINVAL;
	*ret = ratio;
	return 0;
}

static int decode_signed(const struct field *field, const json_t *value, void *at)
{
	json_int_t number = json_integer_value(value);

	if (!json_is_integer(value))
		return -EINVAL;
	if (field->type == FIELD_I64) {
		*(int64_t *)at = number;
		return 0;
	}
	if (number < INT_MIN || number > INT_MAX)
		return -EINVAL;
	*(int *)at = (int)number;
	return 0;
}

static int decode_bool(const json_t *value, bool *ret)
{
	if (!json_is_boolean(value))
		return -EINVAL;
	*ret = json_is_true(value);
	return 0;
}

/* One hexadecimal digit, -1 for anything else. */
static int decode_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static int decode_bytes(const json_t *value, uint8_t *ret, size_t size)
{
	const char *text = json_string_value(value);
	uint8_t bytes[BYTES_MAX];

	if (!text || json_string_length(value) != 2 * size)
		return -EINVAL;
	for (size_t i = 0; i < size; i++) {
		int high = decode_digit(text[2 * i]);
		int low = decode_digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return -EINVAL;
		bytes[i] = (uint8_t)(high << 4 | low);
	}
	memcpy(ret, bytes, size);
	return 0;
}

static int decode_hex(const json_t *value, uint64_t *ret)
{
	uint8_t bytes[sizeof(*ret)];
	uint64_t number = 0;
	int rc = decode_bytes(value, bytes, sizeof(bytes));

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < sizeof(bytes); i++)
		number = number << 8 | bytes[i];
	*ret = number;
	return 0;
}

static int decode_field(const struct field *field, const json_t *value, void *at)
{
	switch (field->type) {
	case FIELD_U64:
	case FIELD_COUNT:
		return decode_u64(value, at);
	case FIELD_COUNTS:
		return decode_counts(value, at, field->size);
	case FIELD_I64:
	case FIELD_INT:
		return decode_signed(field, value, at);
	case FIELD_BOOL:
	case FIELD_FLAG:
		return decode_bool(value, at);
	case FIELD_RATIO:
		return fields_decode_ratio(value, at);
	case FIELD_HEX:
		return decode_hex(value, at);
	case FIELD_BYTES:
		return decode_bytes(value, at, field->size);
	case FIELD_TEXT:
	case FIELD_NOTE:
		return json_is_string(value)
			   ? log_name_unescape(json_string_value(value), at, field->size)
			   : -EINVAL;
	}
	return -EINVAL;
}

int fields_decode(const struct field_table *table, const json_t *object, void *base,
		  const char **ret_key)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		const json_t *value = json_object_get(object, field->key);
		void *at = (char *)base + field->offset;

		if (!value && may_be_missing(field)) {
			memset(at, 0, field->size);
			continue;
		}
		if (decode_field(field, value, at) < 0) {
			*ret_key = field->key;
			return -EINVAL;
		}
	}
	return 0;
}

json_t *fields_encode_array(const struct field_table *table, const void *base, size_t size,
			    size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < count; i++) {
		json_t *object = fields_encode(table, (const char *)base + i * size);

		if (json_array_append_new(array, object) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

int fields_decode_array(const struct field_table *table, const json_t *array, void *base,
			size_t size, const char **ret_key)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		int rc = fields_decode(table, json_array_get(array, i), (char *)base + i * size,
				       ret_key);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int fields_add(json_t *object, json_t *more)
{
	int rc = more ? json_object_update(object, more) : -1;

	json_decref(more);
	return rc;
}

int fields_set_name(json_t *object, const char *key, const char *name)
{
	return json_object_set_new(object, key, encode_name(name)) < 0 ? -ENOMEM : 0;
}

int fields_get_name(const json_t *object, const char *key, char *ret, size_t size)
{
	const json_t *value = json_object_get(object, key);

	return json_is_string(value) ? log_name_unescape(json_string_value(value), ret, size)
				     : -EINVAL;
}
