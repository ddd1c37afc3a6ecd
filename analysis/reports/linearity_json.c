#include <errno.h>

#include "act/base/error.h"
#include "analysis/reports/json_value.h"
#include "analysis/reports/linearity.h"
#include "analysis/reports/linearity_words.h"

#define LINEARITY_JSON_VERSION 1

static json_t *encode_run(const struct linearity_run *run)
{
	json_t *object = json_object();

	json_put(&object, "log", json_text(run->log));
	json_put(&object, "run_id", json_text(run->result->info->run_id));
	json_put(&object, "devices", json_count(run->result->info->device_count));
	json_put(&object, "verdict", json_string(verdict_name(run->result->verdict)));
	json_put(&object, "reason", json_text(run->result->reason));
	json_put(&object, "caveat", json_text(run->result->info->caveat));
	return object;
}

static json_t *encode_differences(const struct linearity *linearity)
{
	json_t *array = json_array();

	for (size_t i = 0; i < linearity->difference_count; i++) {
		const struct linearity_difference *one = &linearity->differences[i];
		json_t *object = json_object();

		json_put(&object, "log", json_text(linearity->runs[one->alone].log));
		json_put(&object, "what", json_text(one->what));
		json_put(&object, "alone", json_text(one->in_alone));
		json_put(&object, "together", json_text(one->in_together));
		json_add(&array, object);
	}
	return array;
}

/* 0 is not known. */
static json_t *encode_ns(uint64_t ns)
{
	return ns > 0 ? json_count(ns) : json_null();
}

static json_t *encode_side(const struct linearity_side *side)
{
	const struct summary *sums = side->sums;
	json_t *object = json_object();

	json_put(&object, "verdict", json_string(verdict_name(side->verdict)));
	json_put(&object, "measured_ns", json_count(side->measured_ns));
	json_put(&object, "planned", json_count(sums->planned));
	json_put(&object, "completed", json_count(sums->completed));
	json_put(&object, "errors", json_count(sums->errors));
	json_put(&object, "total", json_count(summary_total(sums)));
	json_put(&object, "p50_ns", encode_ns(sums->p50_ns[SPAN_RESPONSE]));
	json_put(&object, "p99_ns", encode_ns(sums->p99_ns[SPAN_RESPONSE]));
	json_put(&object, "p999_ns", encode_ns(sums->p999_ns[SPAN_RESPONSE]));
	json_put(&object, "max_ns", encode_ns(sums->max_ns[SPAN_RESPONSE]));
	return object;
}

static json_t *encode_number(bool known, double number)
{
	return known ? json_real(number) : json_null();
}

static json_t *encode_thresholds(const struct linearity_stream *stream)
{
	json_t *array = json_array();

	for (size_t i = 0; i < stream->threshold_count; i++) {
		json_t *object = json_object();
		double points = 0;
		bool known = linearity_share_change(stream, i, &points);

		json_put(&object, "threshold_ns", json_count(stream->threshold_ns[i]));
		json_put(&object, "limit", json_ratio(stream->limit[i]));
		json_put(&object, "over_alone",
			 json_count(stream->alone.sums->over[stream->alone_over[i]]));
		json_put(&object, "over_together",
			 json_count(stream->together.sums->over[stream->together_over[i]]));
		json_put(&object, "change_points", encode_number(known, points));
		json_add(&array, object);
	}
	return array;
}

static json_t *encode_stream(const struct linearity_stream *stream, const char *name)
{
	json_t *object = json_object();
	double change = 0;
	bool known = linearity_rate_change(stream, &change);

	json_put(&object, "name", json_text(name));
	json_put(&object, "alone", encode_side(&stream->alone));
	json_put(&object, "together", encode_side(&stream->together));
	json_put(&object, "rate_change_pct", encode_number(known, change));
	json_put(&object, "thresholds", encode_thresholds(stream));
	known = linearity_times(stream->alone.sums->p999_ns[SPAN_RESPONSE],
				stream->together.sums->p999_ns[SPAN_RESPONSE], &change);
	json_put(&object, "p999_times", encode_number(known, change));
	return object;
}

static json_t *encode_device(const struct linearity *linearity, size_t device)
{
	const struct linearity_device *one = &linearity->devices[device];
	const struct result *together = linearity->runs[linearity->together].result;
	bool compared = one->match != LINEARITY_NOT_COMPARED;
	const struct result *alone = linearity->runs[one->alone].result;
	char text[LINEARITY_WORDS_BYTES];
	struct linearity_stream stream;
	json_t *object = json_object();
	json_t *streams = json_array();

	for (size_t i = 0; i < together->info->stream_count; i++)
		if (linearity_take_stream(linearity, device, i, &stream))
			json_add(&streams, encode_stream(&stream, together->info->streams[i].name));
	json_put(&object, "name", json_text(together->info->devices[device].name));
	json_put(&object, "serial", json_text(together->info->devices[device].serial));
	json_put(&object, "match", json_string(linearity_match_name(one->match)));
	json_put(&object, "log_alone",
		 compared ? json_text(linearity->runs[one->alone].log) : json_null());
	json_put(&object, "verdict_alone",
		 compared ? json_string(verdict_name(alone->device_totals[0].verdict))
			  : json_null());
	json_put(&object, "verdict_together",
		 json_string(verdict_name(together->device_totals[device].verdict)));
	json_put(&object, "outcome", json_string(linearity_outcome_name(one->outcome)));
	json_put(&object, "reason", json_text(linearity_conclude_device(text, linearity, device)));
	json_put(&object, "streams", streams);
	return object;
}

static json_t *encode(const struct linearity *linearity)
{
	char text[LINEARITY_WORDS_BYTES];
	json_t *object = json_object();
	json_t *alone = json_array();
	json_t *devices = json_array();

	for (size_t i = 0; i < linearity->run_count; i++)
		if (i != linearity->together)
			json_add(&alone, encode_run(&linearity->runs[i]));
	for (size_t i = 0; i < linearity->device_count; i++)
		json_add(&devices, encode_device(linearity, i));
	json_put(&object, "linearity_version", json_integer(LINEARITY_JSON_VERSION));
	json_put(&object, "outcome", json_string(linearity_outcome_name(linearity->outcome)));
	json_put(&object, "reason", json_text(linearity_conclude(text, linearity)));
	json_put(&object, "exit_status", json_integer(linearity_exit_status(linearity)));
	json_put(&object, "alone", alone);
	json_put(&object, "together", encode_run(&linearity->runs[linearity->together]));
	json_put(&object, "differences", encode_differences(linearity));
	json_put(&object, "devices", devices);
	return object;
}

int report_linearity_json(const struct linearity *linearity, FILE *out)
{
	json_t *object = encode(linearity);
	int rc = 0;

	if (!object)
		return -ENOMEM;
	if (json_dumpf(object, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) < 0 ||
	    fputc('\n', out) == EOF)
		rc = -EIO;
	json_decref(object);
	return rc;
}
