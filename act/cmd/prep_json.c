/* What became of each device, for programs. */
#include <errno.h>
#include <inttypes.h>

#include "act/cmd/prep_screen.h"
#include "act/prep/state.h"
#include "analysis/reports/json_value.h"

static const char *const outcomes[] = {
    [PREP_PREPARED] = "prepared", [PREP_READY] = "ready",   [PREP_NOT_STEADY] = "not steady",
    [PREP_MISMATCH] = "mismatch", [PREP_FAILED] = "failed", [PREP_STOPPED] = "stopped",
    [PREP_HANGS] = "hangs",
};

static json_t *encode_id(uint64_t data_id)
{
	char text[32];

	snprintf(text, sizeof(text), "%016" PRIx64, data_id);
	return json_string(text);
}

static json_t *encode_bad(const struct verify_bad *bad)
{
	bool readable = bad->fault != PAYLOAD_FOREIGN && bad->fault != PAYLOAD_CORRUPT;
	char hex[2 * sizeof(bad->head) + 1];
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(bad->head); i++)
		snprintf(hex + 2 * i, 3, "%02x", bad->head[i]);
	json_put(&object, "offset_bytes", json_count(bad->offset_bytes));
	json_put(&object, "fault", json_string(verify_fault_name(bad->fault)));
	json_put(&object, "found_offset_bytes",
		 readable ? json_count(bad->found.offset_bytes) : json_null());
	json_put(&object, "found_data_id", readable ? encode_id(bad->found.data_id) : json_null());
	json_put(&object, "head", json_string(hex));
	return object;
}

static json_t *encode_verify(const struct prep_report *report)
{
	const struct verify_report *verify = &report->verify;
	json_t *object = json_object();
	json_t *first = json_array();

	if (verify->sectors == 0) {
		json_decref(object);
		json_decref(first);
		return json_null();
	}
	for (size_t i = 0; i < verify->shown; i++)
		json_add(&first, encode_bad(&verify->first[i]));
	json_put(&object, "whole", json_boolean(report->verified));
	json_put(&object, "sectors", json_count(verify->sectors));
	json_put(&object, "bad", json_count(verify->bad));
	json_put(&object, "first_bad", first);
	json_put(&object, "seconds", json_seconds(report->verify_ns));
	return object;
}

static json_t *encode_overwrite(const struct prep_report *report)
{
	const struct label *label = &report->label;
	uint64_t window[LABEL_ROUNDS];
	json_t *object = json_object();
	json_t *rounds = json_array();

	for (size_t i = 0; state_window(label, window) && i < LABEL_ROUNDS; i++)
		json_add(&rounds, json_count(window[i]));
	json_put(&object, "steady", json_boolean(label->steady));
	json_put(&object, "rounds", json_count(label->rounds));
	json_put(&object, "last_bytes_per_sec", rounds);
	return object;
}

static json_t *encode(const struct prep_report *report)
{
	const struct label *label = &report->label;
	json_t *object = json_object();

	json_put(&object, "device", json_text(report->name));
	json_put(&object, "device_bytes", json_count(report->device_bytes));
	json_put(&object, "outcome", json_string(outcomes[report->outcome]));
	json_put(&object, "error", report->err.text[0] ? json_text(report->err.text) : json_null());
	json_put(&object, "data_id", encode_id(label->data_id));
	json_put(&object, "stage", json_string(label_stage_name(label->stage)));
	json_put(&object, "passes", json_count(label->passes));
	json_put(&object, "compress", json_ratio(label->compress));
	json_put(&object, "filled_bytes", json_count(report->filled_bytes));
	json_put(&object, "fill_seconds", json_seconds(report->fill_ns));
	json_put(&object, "overwrite", label->overwrite ? encode_overwrite(report) : json_null());
	json_put(&object, "verify", encode_verify(report));
	return object;
}

int prep_screen_json(const struct prep *prep, FILE *out)
{
	json_t *root = json_object();
	json_t *array = json_array();
	int rc = -ENOMEM;

	for (size_t i = 0; i < prep_count(prep); i++)
		json_add(&array, encode(prep_report(prep, i)));
	json_put(&root, "devices", array);
	if (root && json_dumpf(root, out, JSON_INDENT(2)) == 0) {
		fputc('\n', out);
		rc = 0;
	}
	json_decref(root);
	return rc;
}
