#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "act/base/clock.h"
#include "act/run/run_private.h"
#include "act/workload/plan_text.h"
#include "act/workload/rate.h"
#include "act/workload/workload.h"

/* Lines of a table that nobody reads whole. */
#define PHASES_SHOWN 12

static void format_bytes(char text[32], double bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
	size_t unit = 0;

	while (bytes >= 1000 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		bytes /= 1000;
		unit++;
	}
	snprintf(text, 32, unit ? "%.2f %s" : "%.0f %s", bytes, units[unit]);
}

static void print_verification(const struct info_device *device, FILE *out)
{
	if (device->verified)
		fputs("             every sector that is read is verified\n", out);
	else
		fprintf(out, "             reads are not verified: %s\n", device->not_verified);
}

static void print_devices(const struct run *run, FILE *out)
{
	for (size_t i = 0; i < run->targets.count; i++) {
		const struct device *device = &run->targets.devices[i];
		char size[32];

		format_bytes(size, (double)device->size_bytes);
		fprintf(out, "  device     %s  %s  %" PRIu32 "-byte blocks", device->name, size,
			device->logical_block_bytes);
		if (device->model[0])
			fprintf(out, "  %s", device->model);
		if (device->serial[0])
			fprintf(out, "  serial %s", device->serial);
		if (!run->ops->needs_device)
			fputs("  (made up)", out);
		else if (device->is_file)
			fputs("  (file)", out);
		fputc('\n', out);
		if (run->ops->needs_device && !device->nowait)
			fputs("             takes no RWF_NOWAIT: requests may go through kernel "
			      "worker threads\n",
			      out);
		print_verification(&run->info.devices[i], out);
	}
}

/* The load of a drive of which several partitions are tested. */
static void print_drives(const struct run *run, FILE *out)
{
	const struct device *devices = run->targets.devices;

	for (size_t i = 0; i < run->targets.count; i++) {
		unsigned before = 0;
		unsigned count = 0;

		for (size_t j = 0; devices[i].disk_device && j < run->targets.count; j++) {
			bool same = devices[j].disk_device == devices[i].disk_device;
			before += same && j < i;
			count += same;
		}
		if (before > 0 || count < 2)
			continue;
		fprintf(out, "             the drive of %s has %u of the devices", devices[i].name,
			count);
		/* a custom workload may have other streams on each */
		if (run->config->workload != CONFIG_WORKLOAD_CUSTOM)
			fprintf(out, ", together %gx reads, %gx writes",
				count * run->workload.effective_load_read,
				count * run->workload.effective_load_write);
		fputc('\n', out);
	}
}

static double mean_bytes(const struct stream *stream)
{
	struct ratio mean;

	if (rate_mean_bytes(stream, &mean) == 0)
		return ratio_to_double(mean);
	return ((double)stream->size_min_bytes + (double)stream->size_max_bytes) / 2;
}

static double devices_of(const struct run *run, const struct stream *stream)
{
	double count = 0;

	for (size_t i = 0; i < run->targets.count; i++)
		count += stream_is_on(stream, i);
	return count;
}

/* What is not as it mostly is. */
static void print_special(const struct run *run, FILE *out)
{
	for (size_t i = 0; i < run->workload.stream_count; i++) {
		const struct stream *stream = &run->workload.streams[i];
		bool mixed = stream->size_count > 1;
		bool region = stream->region_from.num > 0 ||
			      stream->region_upto.num < stream->region_upto.den;
		bool some = stream->devices != STREAM_ALL_DEVICES;
		char text[PLAN_TEXT_BYTES];

		if (mixed)
			fprintf(out, "  %-20s sizes %s\n", stream->name, plan_sizes(text, stream));
		if (stream->random.num < stream->random.den)
			fprintf(out, "  %-20s %s\n", stream->name, plan_places(text, stream));
		if (region)
			fprintf(out, "  %-20s region %s\n", stream->name,
				plan_region(text, stream));
		if (some)
			fprintf(out, "  %-20s devices %s\n", stream->name,
				plan_devices(text, stream));
	}
}

/* Bytes that the whole run writes on all devices. */
static double bytes_written(const struct run *run)
{
	const struct workload *workload = &run->workload;
	double sum = 0;

	for (size_t i = 0; i < workload->phase_count; i++) {
		const struct workload_phase *phase = &workload->phases[i];
		double seconds = (double)(phase->end_ns - phase->start_ns) / (double)NS_PER_SEC;

		for (size_t j = 0; j < workload->stream_count; j++)
			if (workload->streams[j].op == STREAM_WRITE)
				sum += ratio_to_double(phase->per_sec[j]) * seconds *
				       devices_of(run, &workload->streams[j]) *
				       mean_bytes(&workload->streams[j]);
	}
	return sum;
}

/* What is told of writes that are durable when they complete. */
static const char *explain_dsync(const struct workload *workload)
{
	size_t writes = 0;
	size_t durable = 0;

	for (size_t i = 0; i < workload->stream_count; i++) {
		writes += workload->streams[i].op == STREAM_WRITE;
		durable += workload->streams[i].dsync;
	}
	if (durable == 0)
		return "";
	return durable == writes ? ", each write O_DSYNC" : ", those of some streams O_DSYNC";
}

static void print_streams(const struct run *run, FILE *out)
{
	double read_per_sec = 0;
	double write_per_sec = 0;
	const char *most = run->workload.phase_count > 1 ? "at most " : "";
	char text[32];

	fprintf(out, "  %-20s %14s %14s %10s %14s\n", "stream", "per s, device", "per s, total",
		"size", "bytes/s, total");
	for (size_t i = 0; i < run->workload.stream_count; i++) {
		const struct stream *stream = &run->workload.streams[i];
		double per_sec = ratio_to_double(stream->per_sec);
		double total = per_sec * devices_of(run, stream);
		double bytes = total * mean_bytes(stream);
		char size[32];

		format_bytes(size, mean_bytes(stream));
		format_bytes(text, bytes);
		fprintf(out, "  %-20s %14.2f %14.2f %10s %14s\n", stream->name, per_sec, total,
			size, text);
		*(stream->op == STREAM_READ ? &read_per_sec : &write_per_sec) += bytes;
	}
	print_special(run, out);
	format_bytes(text, read_per_sec);
	fprintf(out, "  reads      %s%s/s", most, text);
	format_bytes(text, write_per_sec);
	fprintf(out, ", writes %s%s/s", most, text);
	format_bytes(text, bytes_written(run));
	fprintf(out, "; %s will be written in total%s\n", text, explain_dsync(&run->workload));
}

/* As many as there is room for; the others in one line. */
static void print_phases(const struct run *run, FILE *out)
{
	const struct workload *workload = &run->workload;
	size_t shown =
	    workload->phase_count <= PHASES_SHOWN ? workload->phase_count : PHASES_SHOWN - 1;
	char text[UNITS_TEXT_BYTES];

	if (!workload->phases[0].name[0])
		return;
	fprintf(out, "  %-32s %12s %14s\n", "phase", "duration", "per s, device");
	for (size_t i = 0; i < shown; i++) {
		const struct workload_phase *phase = &workload->phases[i];

		fprintf(out, "  %-32s %12s %14.2f   %s\n", phase->name,
			units_format_duration(text, phase->end_ns - phase->start_ns),
			workload_phase_rate(workload, phase),
			phase->judged ? "judged" : "not judged");
	}
	if (shown < workload->phase_count)
		fprintf(out, "  and %zu more phases, %s\n", workload->phase_count - shown,
			units_format_duration(text, run->config->duration_ns -
							workload->phases[shown].start_ns));
}

/* Those at which everything is allowed are other streams' own. */
static void print_limits(const struct info_criterion *criteria, size_t count, FILE *out)
{
	const char *separator = ": at most";

	for (size_t i = 0; i < count; i++) {
		char limit[UNITS_TEXT_BYTES];
		char threshold[UNITS_TEXT_BYTES];

		if (criteria[i].limit.num == criteria[i].limit.den)
			continue;
		fprintf(out, "%s %s over %s", separator,
			units_format_percent(limit, criteria[i].limit),
			units_format_duration(threshold, criteria[i].threshold_ns));
		separator = ",";
	}
	fputs(" in each slice\n", out);
}

static void print_criteria(const struct run *run, FILE *out)
{
	const struct run_info *info = &run->info;

	if (info->stress) {
		fputs("  judged     stress: the load must be completed without errors; latency is "
		      "shown, not judged\n",
		      out);
		return;
	}
	fputs("  judged    ", out);
	for (size_t i = 0; i < info->judged_count; i++)
		fprintf(out, "%s %s", i ? "," : "", info->judged[i]);
	print_limits(info->criteria, info->criterion_count, out);
	for (size_t i = 0; i < info->stream_count; i++) {
		const struct info_stream *stream = &info->streams[i];

		if (stream->criterion_count == 0 || !judge_is_judged(info, i))
			continue;
		fprintf(out, "             %s by limits of its own", stream->name);
		print_limits(stream->criteria, stream->criterion_count, out);
	}
}

static void print_times(const struct run *run, FILE *out)
{
	char duration[UNITS_TEXT_BYTES];
	char slice[UNITS_TEXT_BYTES];
	time_t end = time(NULL) + (time_t)(run->config->duration_ns / NS_PER_SEC);
	struct tm local;
	char text[40];

	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %Z", localtime_r(&end, &local));
	fprintf(out, "  time       %s in slices of %s, until %s\n",
		units_format_duration(duration, run->config->duration_ns),
		units_format_duration(slice, run->config->slice_ns), text);
}

static void print_load(const struct run *run, FILE *out)
{
	const struct config *config = run->config;
	const char *most = run->workload.phase_count > 1 ? "at most " : "";
	char text[UNITS_TEXT_BYTES];

	if (config->workload == CONFIG_WORKLOAD_CUSTOM)
		fprintf(out,
			"  load       %zu streams of the config's own (%sas many as %gx reads, "
			"%gx writes)",
			run->workload.stream_count, most, run->workload.effective_load_read,
			run->workload.effective_load_write);
	else
		fprintf(
		    out, "  load       %gx reads, %gx writes per device (effective: %s%gx, %gx)",
		    ratio_to_double(config->read_load), ratio_to_double(config->write_load), most,
		    run->workload.effective_load_read, run->workload.effective_load_write);
	if (ratio_compare(config->scale, ratio_make(1, 1)) != 0)
		fprintf(out, ", scaled to %s", units_format_percent(text, config->scale));
	fprintf(out, ", %s arrivals\n", run->info.arrivals);
}

void run_print_plan(const struct run *run, FILE *out)
{
	fprintf(out, "actcert %s  run %s  log in %s\n", ACTCERT_VERSION, run->info.run_id,
		run->request.out_dir);
	print_devices(run, out);
	print_load(run, out);
	print_drives(run, out);
	print_streams(run, out);
	print_phases(run, out);
	fprintf(out, "  engine     %s\n", run->engine_text);
	fprintf(out, "  workers    %zu, wait %s\n", run->worker_count, crew_describe(run->crew));
	print_criteria(run, out);
	if (run->info.caveat[0])
		fprintf(out, "  caveat     not a certification: %s\n", run->info.caveat);
	print_times(run, out);
}
