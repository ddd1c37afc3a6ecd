#include "analysis/reports/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/reports/environment.h"
#include "analysis/reports/json_value.h"
#include "analysis/reports/run_json.h"
#include "analysis/slice.h"

static const char *end_name(const struct result *result)
{
	static const char *const names[END_REASONS] = {
	    [END_NONE] = "none",       [END_COMPLETED] = "completed",
	    [END_SIGNAL] = "signal",   [END_DEVICE_LOST] = "device lost",
	    [END_MAX_LAG] = "max lag", [END_DEVICE_CHANGED] = "device changed",
	};

	return names[result->end.reason];
}

static json_t *encode_end(const struct result *result)
{
	const struct run_end *end = &result->end;
	bool at_device = run_end_names_device(end->reason);
	json_t *object = json_object();

	json_put(&object, "reason", json_string(end_name(result)));
	if (end->reason == END_SIGNAL)
		json_put(&object, "signal", json_integer(end->signal));
	if (at_device && end->device < result->info->device_count)
		json_put(&object, "device", json_text(result->info->devices[end->device].name));
	json_put(&object, "at_s", json_seconds(end->at_ns));
	json_put(&object, "log_disk_full", json_boolean(end->log_disk_full));
	return object;
}

/* A limit that the stream does not have is null. */
static json_t *encode_thresholds(const struct run_info *info, size_t stream,
				 const struct summary *sums)
{
	json_t *array = json_array();
	struct ratio limit;

	for (size_t i = 0; i < info->criterion_count; i++) {
		json_t *object = json_object();

		json_put(&object, "threshold_ns", json_count(info->criteria[i].threshold_ns));
		json_put(&object, "limit",
			 judge_limit(info, stream, i, &limit) ? json_ratio(limit) : json_null());
		json_put(&object, "over", json_count(sums->over[i]));
		json_put(&object, "service_over", json_count(sums->service_over[i]));
		json_put(&object, "device_over", json_count(sums->device_over[i]));
		json_put(&object, "hiccup_over", json_count(sums->hiccup_over[i]));
		json_add(&array, object);
	}
	return array;
}

/* Percentiles of nothing are null. */
static json_t *encode_latency(const struct summary *sums, enum span span)
{
	json_t *object = json_object();
	bool sampled = sums->sampled > 0;

	json_put(&object, "mean_ns", sampled ? json_count(sums->mean_ns[span]) : json_null());
	json_put(&object, "p50_ns", sampled ? json_count(sums->p50_ns[span]) : json_null());
	json_put(&object, "p99_ns", sampled ? json_count(sums->p99_ns[span]) : json_null());
	json_put(&object, "p999_ns", sampled ? json_count(sums->p999_ns[span]) : json_null());
	json_put(&object, "max_ns",
		 sums->completed > 0 ? json_count(sums->max_ns[span]) : json_null());
	json_put(&object, "overflow", json_count(sums->overflow[span]));
	return object;
}

static json_t *encode_stream(const struct run_info *info, size_t stream, const struct summary *sums)
{
	json_t *object = json_object();

	json_put(&object, "name", json_text(info->streams[stream].name));
	json_put(&object, "judged", json_boolean(judge_is_judged(info, stream)));
	json_put(&object, "planned", json_count(sums->planned));
	json_put(&object, "issued", json_count(sums->issued));
	json_put(&object, "completed", json_count(sums->completed));
	json_put(&object, "errors", json_count(sums->errors));
	json_put(&object, "pending", json_count(sums->pending));
	json_put(&object, "settled", json_count(sums->settled));
	json_put(&object, "bytes", json_count(sums->bytes));
	json_put(&object, "verified_sectors", json_count(sums->verified_sectors));
	json_put(&object, "mismatches", json_count(sums->mismatches));
	json_put(&object, "mismatch_offset_bytes",
		 sums->mismatches > 0 ? json_count(sums->mismatch_offset_bytes) : json_null());
	json_put(&object, "torn", json_count(sums->torn));
	json_put(&object, "missed_host", json_count(sums->missed_host));
	json_put(&object, "missed_device", json_count(sums->missed_device));
	json_put(&object, "thresholds", encode_thresholds(info, stream, sums));
	json_put(&object, "sampled", json_count(sums->sampled));
	for (int span = 0; span < SPAN_COUNT; span++)
		json_put(&object, span_name((enum span)span),
			 encode_latency(sums, (enum span)span));
	return object;
}

/* Adds the members verdict, reasons and streams. */
static void put_judgement(json_t **object, const struct run_info *info,
			  const struct judgement *judgement, enum verdict verdict)
{
	json_t *reasons = json_array();
	json_t *streams = json_array();

	for (size_t i = 0; i < judgement->reason_count; i++) {
		const struct reason *reason = &judgement->reasons[i];
		json_t *item = json_object();

		json_put(&item, "verdict", json_string(verdict_name(reason->verdict)));
		json_put(&item, "text", json_text(reason->text));
		json_add(&reasons, item);
	}
	for (size_t i = 0; i < info->stream_count; i++)
		json_add(&streams, encode_stream(info, i, &judgement->streams[i]));
	json_put(object, "verdict", json_string(verdict_name(verdict)));
	json_put(object, "reasons", reasons);
	json_put(object, "streams", streams);
}

static json_t *encode_devices(const struct run_info *info, const struct judgement *devices)
{
	json_t *array = json_array();

	for (size_t i = 0; i < info->device_count; i++) {
		json_t *object = json_object();

		json_put(&object, "name", json_text(info->devices[i].name));
		put_judgement(&object, info, &devices[i], devices[i].verdict);
		json_add(&array, object);
	}
	return array;
}

/* null for a run without phases */
static json_t *encode_phase_name(const struct run_info *info, size_t phase)
{
	return phase < info->phase_count ? json_text(info->phases[phase].name) : json_null();
}

static json_t *encode_slice(const struct run_info *info, const struct slice *slice)
{
	json_t *object = json_object();

	json_put(&object, "number", json_count(slice->number));
	json_put(&object, "phase", encode_phase_name(info, slice->phase));
	json_put(&object, "judged", json_boolean(slice->judged));
	json_put(&object, "start_s", json_seconds(slice->start_ns));
	json_put(&object, "duration_s", json_seconds(slice->duration_ns));
	json_put(&object, "start_ns", json_count(slice->start_ns));
	json_put(&object, "duration_ns", json_count(slice->duration_ns));
	json_put(&object, "partial", json_boolean(slice->partial));
	json_put(&object, "intervals", json_count(slice->intervals));
	json_put(&object, "cpu_idle_ticks", json_count(slice->cpu_idle_ticks));
	json_put(&object, "cpu_total_ticks", json_count(slice->cpu_total_ticks));
	put_judgement(&object, info, &slice->all, slice->verdict);
	json_put(&object, "devices", encode_devices(info, slice->devices));
	return object;
}

static json_t *encode_rates(const struct run_info *info, const struct ratio *per_sec)
{
	json_t *array = json_array();

	for (size_t i = 0; i < info->stream_count; i++) {
		json_t *object = json_object();

		json_put(&object, "name", json_text(info->streams[i].name));
		json_put(&object, "per_sec", json_ratio(per_sec[i]));
		json_add(&array, object);
	}
	return array;
}

/* Its verdict and slices are null when nothing of it was measured. */
static json_t *encode_phase(const struct result *result, size_t number)
{
	const struct run_info *info = result->info;
	const struct info_phase *plan = &info->phases[number];
	const struct phase_result *phase = &result->phases[number];
	bool measured = phase->slice_count > 0;
	json_t *object = json_object();

	json_put(&object, "number", json_count(number + 1));
	json_put(&object, "name", json_text(plan->name));
	json_put(&object, "judged", json_boolean(plan->judged));
	json_put(&object, "start_s", json_seconds(plan->start_ns));
	json_put(&object, "end_s", json_seconds(plan->end_ns));
	json_put(&object, "start_ns", json_count(plan->start_ns));
	json_put(&object, "end_ns", json_count(plan->end_ns));
	json_put(&object, "planned", encode_rates(info, plan->per_sec));
	json_put(&object, "measured_ns", json_count(phase->measured_ns));
	json_put(&object, "partial", json_boolean(phase->partial));
	json_put(&object, "slices", json_count(phase->slice_count));
	json_put(&object, "first_slice",
		 measured ? json_count(result->slices[phase->first]->number) : json_null());
	json_put(&object, "worst_slice",
		 measured ? json_count(result->slices[phase->worst]->number) : json_null());
	put_judgement(&object, info, &phase->all, phase->verdict);
	json_put(&object, "devices", encode_devices(info, phase->devices));
	if (!measured)
		json_put(&object, "verdict", json_null());
	return object;
}

static json_t *encode_phases(const struct result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->info->phase_count; i++)
		json_add(&array, encode_phase(result, i));
	return array;
}

static json_t *encode_result(const struct result *result)
{
	const struct run_info *info = result->info;
	json_t *slices = json_array();
	json_t *object = json_object();

	for (size_t i = 0; i < result->slice_count; i++)
		json_add(&slices, encode_slice(info, result->slices[i]));
	json_put(&object, "schema_version", json_integer(REPORT_JSON_VERSION));
	json_put(&object, "complete", json_boolean(result->complete));
	json_put(&object, "reason", json_text(result->reason));
	json_put(&object, "exit_status", json_integer(result->exit_status));
	put_judgement(&object, info, &result->total, result->verdict);
	json_put(&object, "devices", encode_devices(info, result->device_totals));
	json_put(&object, "measured_s", json_seconds(result->measured_ns));
	json_put(&object, "measured_ns", json_count(result->measured_ns));
	json_put(&object, "worst_slice",
		 result->worst < result->slice_count
		     ? json_count(result->slices[result->worst]->number)
		     : json_null());
	json_put(&object, "first_failed_phase",
		 encode_phase_name(info, result->first_failed_phase));
	json_put(&object, "phases", encode_phases(result));
	json_put(&object, "end", encode_end(result));
	json_put(&object, "run", run_json(info));
	json_put(&object, "environment", environment_json(info));
	json_put(&object, "telemetry", environment_telemetry_json(info));
	json_put(&object, "slices", slices);
	return object;
}

int report_json(const struct result *result, FILE *out)
{
	json_t *object = encode_result(result);
	int rc = 0;

	if (!object)
		return -ENOMEM;
	if (json_dumpf(object, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) < 0 ||
	    fputc('\n', out) == EOF)
		rc = -EIO;
	json_decref(object);
	return rc;
}

/* Closes `file` in any case. */
static int write_synced(const struct result *result, FILE *file)
{
	int rc = report_json(result, file);

	if (rc == 0 && (fflush(file) == EOF || fsync(fileno(file)) < 0))
		rc = -errno;
	if (fclose(file) == EOF && rc == 0)
		rc = -errno;
	return rc;
}

int report_json_replace(const char *path, const struct result *result, struct error *err)
{
	char *temporary = NULL;
	FILE *file;
	int rc;

	if (asprintf(&temporary, "%s.tmp", path) < 0)
		return error_environment(err, ENOMEM, "%s: not enough memory", path);
	file = fopen(temporary, "we");
	rc = file ? write_synced(result, file) : -errno;
	if (rc == 0 && rename(temporary, path) < 0)
		rc = -errno;
	if (rc < 0) {
		error_environment(err, -rc, "%s: cannot be written: %s", path, strerror(-rc));
		if (file)
			unlink(temporary);
	}
	free(temporary);
	return rc;
}
