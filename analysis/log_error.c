#include <errno.h>
#include <string.h>

#include "analysis/log_fields.h"
#include "analysis/log_format.h"

/* The "error" line: one failed request and, where it is a read that returned wrong
 * data, what was expected and what was found. */

static const struct field error_fields[] = {
    FIELD(FIELD_U64, request_error, at_ns),        FIELD(FIELD_U64, request_error, offset_bytes),
    FIELD(FIELD_U64, request_error, length_bytes), FIELD(FIELD_INT, request_error, code),
    FIELD(FIELD_U64, request_error, done_bytes),
};
static const struct field_table error_table = FIELD_TABLE(error_fields);

/* The members "expected" and "found" of "wrong" have the same names. */
struct identity {
	uint64_t offset_bytes;
	uint64_t data_id;
};

static const struct field identity_fields[] = {
    FIELD(FIELD_U64, identity, offset_bytes),
    FIELD(FIELD_HEX, identity, data_id),
};
static const struct field_table identity_table = FIELD_TABLE(identity_fields);

static const struct field wrong_fields[] = {
    FIELD(FIELD_BYTES, wrong_data, header),
};
static const struct field_table wrong_table = FIELD_TABLE(wrong_fields);

static bool says_what_it_is(const struct wrong_data *wrong)
{
	return wrong->kind == WRONG_MISPLACED || wrong->kind == WRONG_STALE;
}

static json_t *encode_wrong(const struct wrong_data *wrong)
{
	const struct identity expected = {wrong->offset_bytes, wrong->data_id};
	const struct identity found = {wrong->found_offset_bytes, wrong->found_data_id};
	json_t *object = json_object();

	if (json_object_set_new(object, "kind", json_string(wrong_kind_name(wrong->kind))) < 0 ||
	    json_object_set_new(object, "expected", fields_encode(&identity_table, &expected)) <
		0 ||
	    (says_what_it_is(wrong) &&
	     json_object_set_new(object, "found", fields_encode(&identity_table, &found)) < 0) ||
	    fields_add(object, fields_encode(&wrong_table, wrong)) < 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static const char *what_failed(const struct request_error *error)
{
	const char *name = error->code ? strerrorname_np(error->code) : "short";

	if (error->wrong.kind)
		return "wrong data";
	return name ? name : "unknown";
}

json_t *log_encode_error(const struct run_info *info, const struct request_error *error)
{
	json_t *object = log_encode_names(info, error->device, error->stream);

	if (!object || fields_add(object, fields_encode(&error_table, error)) < 0 ||
	    json_object_set_new(object, "what", json_string(what_failed(error))) < 0 ||
	    (error->wrong.kind &&
	     json_object_set_new(object, "wrong", encode_wrong(&error->wrong)) < 0)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static int decode_kind(const json_t *value, enum wrong_kind *ret)
{
	const char *name = json_string_value(value);

	for (int i = WRONG_NOT + 1; name && i < WRONG_KINDS; i++) {
		if (!strcmp(name, wrong_kind_name((enum wrong_kind)i))) {
			*ret = (enum wrong_kind)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* Into a zeroed *ret; one that is not there is nothing wrong. */
static int decode_wrong(const json_t *object, struct wrong_data *ret)
{
	struct identity expected;
	struct identity found = {0};
	const char *key;

	if (!object)
		return 0;
	if (decode_kind(json_object_get(object, "kind"), &ret->kind) < 0 ||
	    fields_decode(&identity_table, json_object_get(object, "expected"), &expected, &key) <
		0 ||
	    (says_what_it_is(ret) &&
	     fields_decode(&identity_table, json_object_get(object, "found"), &found, &key) < 0) ||
	    fields_decode(&wrong_table, object, ret, &key) < 0)
		return -EINVAL;
	ret->offset_bytes = expected.offset_bytes;
	ret->data_id = expected.data_id;
	ret->found_offset_bytes = found.offset_bytes;
	ret->found_data_id = found.data_id;
	return 0;
}

int log_decode_error(const struct run_info *info, const json_t *object, struct request_error *ret)
{
	struct request_error error = {0};
	const char *key;

	if (log_decode_names(info, object, &error.device, &error.stream) < 0 ||
	    fields_decode(&error_table, object, &error, &key) < 0 ||
	    decode_wrong(json_object_get(object, "wrong"), &error.wrong) < 0)
		return -EINVAL;
	*ret = error;
	return 0;
}
