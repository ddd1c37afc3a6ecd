#pragma once
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/units.h"

/*
 * Struct members <-> members of a JSON object, by tables, so that writing and
 * reading cannot differ. Private to the log.
 *
 * JSON integers are signed here: a larger value than INT64_MAX is written as
 * INT64_MAX. Text may hold any bytes: log_name_escape tells how.
 */

enum field_type {
	FIELD_U64,
	FIELD_COUNT,  /* uint64_t, left out when 0 */
	FIELD_COUNTS, /* uint64_t[], zeros at the end left out; left out when all are 0 */
	FIELD_I64,
	FIELD_INT,
	FIELD_BOOL,
	FIELD_FLAG, /* bool, left out when false */
	FIELD_RATIO,
	FIELD_TEXT,  /* char[] */
	FIELD_NOTE,  /* char[], left out when empty */
	FIELD_HEX,   /* uint64_t as 16 hexadecimal digits: all 64 bits count */
	FIELD_BYTES, /* uint8_t[], two hexadecimal digits each */
};

struct field {
	const char *key;
	enum field_type type;
	size_t offset;
	size_t size; /* of the member in bytes */
};

#define FIELD(type, structure, member)                                                             \
	{                                                                                          \
#member, type, offsetof(struct structure, member),                                 \
		    sizeof(((struct structure *)NULL)->member)                                     \
	}

struct field_table {
	const struct field *fields;
	size_t count;
};

#define FIELD_TABLE(array)                                                                         \
	{                                                                                          \
		array, sizeof(array) / sizeof((array)[0])                                          \
	}

/* A new integer, at most INT64_MAX; NULL when memory is short. */
json_t *fields_u64(uint64_t value);

/* A new object with all members of *base, or NULL when memory is short. */
json_t *fields_encode(const struct field_table *table, const void *base);

/* Fills *base from the object. Unknown members are ignored; -EINVAL when one is
 * missing, of another type, or does not fit, with its key in *ret_key. */
int fields_decode(const struct field_table *table, const json_t *object, void *base,
		  const char **ret_key);

/* The same for `count` values of `size` bytes, one behind the other; decoding takes as many
 * as the array has, which the caller has made room for. */
json_t *fields_encode_array(const struct field_table *table, const void *base, size_t size,
			    size_t count);
int fields_decode_array(const struct field_table *table, const json_t *array, void *base,
			size_t size, const char **ret_key);

/* A fraction as {"num": ..., "den": ...}; -EINVAL also for the denominator 0. */
json_t *fields_encode_ratio(struct ratio ratio);
int fields_decode_ratio(const json_t *object, struct ratio *ret);

/* Appends the members of `more`, which is given away, to `object`: 0, or -1 when either
 * is NULL or memory is short. */
int fields_add(json_t *object, json_t *more);

/* Sets a member to a string; NULL objects and short memory give -ENOMEM. */
int fields_set_name(json_t *object, const char *key, const char *name);
/* The string member as raw bytes: 0, or -EINVAL when it is none or does not fit. */
int fields_get_name(const json_t *object, const char *key, char *ret, size_t size);
