#include "act/run/describe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "act/base/clock.h"
#include "act/run/host.h"
#include "act/run/verification.h"

static void copy_text(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
}

static void describe_devices(const struct config *config, const struct targets *targets,
			     struct run_info *info)
{
	for (size_t i = 0; i < targets->count; i++) {
		const struct device *device = &targets->devices[i];
		struct info_device *to = &info->devices[i];

		copy_text(to->name, sizeof(to->name), device->name);
		copy_text(to->model, sizeof(to->model), device->model);
		copy_text(to->serial, sizeof(to->serial), device->serial);
		copy_text(to->firmware, sizeof(to->firmware), device->firmware);
		to->is_file = device->is_file;
		to->size_bytes = device->size_bytes;
		to->logical_block_bytes = device->logical_block_bytes;
		to->physical_block_bytes = device->physical_block_bytes;
		verification_explain(config, device, to->not_verified);
		to->verified = !to->not_verified[0];
	}
}

/* Bits of the devices that there are; 0 for all of them. */
static uint64_t describe_mask(uint64_t devices, size_t device_count)
{
	uint64_t all = device_count < 64 ? (UINT64_C(1) << device_count) - 1 : UINT64_MAX;

	return (devices & all) == all ? 0 : devices;
}

static void describe_streams(const struct workload *workload, struct run_info *info)
{
	for (size_t i = 0; i < workload->stream_count; i++) {
		const struct stream *stream = &workload->streams[i];
		struct info_stream *to = &info->streams[i];

		copy_text(to->name, sizeof(to->name), stream->name);
		to->is_write = stream->op == STREAM_WRITE;
		to->large_block = stream->large_block;
		to->per_sec = stream->per_sec;
		to->size_min_bytes = stream->size_min_bytes;
		to->size_max_bytes = stream->size_max_bytes;
		to->devices = describe_mask(stream->devices, info->device_count);
		to->criterion_count = stream->criterion_count;
		for (size_t k = 0; k < stream->criterion_count; k++) {
			to->criteria[k].threshold_ns = stream->criteria[k].threshold_ns;
			to->criteria[k].limit = stream->criteria[k].limit;
		}
	}
}

/* The only phase of a run has a name when it was asked for as one. */
static int describe_phases(const struct workload *workload, struct run_info *info,
			   struct error *err)
{
	size_t count = workload->phase_count;

	if (count == 0 || (count == 1 && !workload->phases[0].name[0]))
		return 0;
	if (run_info_add_phases(info, count) < 0)
		return error_environment(err, ENOMEM, "no memory for the description of the run");
	for (size_t i = 0; i < count; i++) {
		const struct workload_phase *phase = &workload->phases[i];
		struct info_phase *to = &info->phases[i];

		copy_text(to->name, sizeof(to->name), phase->name);
		to->start_ns = phase->start_ns;
		to->end_ns = phase->end_ns;
		to->judged = phase->judged;
		memcpy(to->per_sec, phase->per_sec,
		       workload->stream_count * sizeof(to->per_sec[0]));
	}
	return 0;
}

/* Puts a threshold in its place unless it is there: 0 or -E2BIG. */
static int add_threshold(struct info_criterion *criteria, size_t *count, uint64_t threshold_ns,
			 struct ratio limit)
{
	size_t place = 0;

	while (place < *count && criteria[place].threshold_ns < threshold_ns)
		place++;
	if (place < *count && criteria[place].threshold_ns == threshold_ns)
		return 0;
	if (*count == THRESHOLDS_MAX)
		return -E2BIG;
	memmove(&criteria[place + 1], &criteria[place], (*count - place) * sizeof(criteria[0]));
	criteria[place] = (struct info_criterion){threshold_ns, limit};
	++*count;
	return 0;
}

/* The config's criteria, and the thresholds that only streams have, with no limit. */
static int all_criteria(const struct config *config, const struct workload *workload,
			struct info_criterion criteria[static THRESHOLDS_MAX], size_t *ret_count,
			struct error *err)
{
	const struct ratio no_limit = {1, 1};
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < config->criterion_count; i++)
		rc = add_threshold(criteria, &count, config->criteria[i].threshold_ns,
				   config->criteria[i].limit);
	for (size_t i = 0; i < workload->stream_count; i++) {
		const struct stream *stream = &workload->streams[i];

		for (size_t k = 0; rc == 0 && k < stream->criterion_count; k++)
			rc = add_threshold(criteria, &count, stream->criteria[k].threshold_ns,
					   no_limit);
	}
	if (rc < 0)
		return error_usage(err, -rc,
				   "thresholds: those of the config and of all streams together "
				   "are too many; allowed: at most %d",
				   THRESHOLDS_MAX);
	*ret_count = count;
	return 0;
}

static void describe_judgement(const struct config *config, const struct workload *workload,
			       struct run_info *info)
{
	info->judged_count = config->judged_count ? config->judged_count : workload->judged_count;
	for (size_t i = 0; i < info->judged_count; i++)
		copy_text(info->judged[i], sizeof(info->judged[i]),
			  config->judged_count ? config->judged[i] : workload->judged[i]);
	info->duration_ns = config->duration_ns;
	info->slice_ns = config->slice_ns;
	info->interval_ns = config->interval_ns;
	info->stress = config->stress;
	info->microsecond_histograms = config->microsecond_histograms;
}

static void describe_older_tool(const struct workload *workload, const struct targets *targets,
				struct run_info *info)
{
	size_t room = sizeof(info->configuration);
	size_t used = 0;

	copy_text(info->title, sizeof(info->title), workload->title);
	copy_text(info->subtitle, sizeof(info->subtitle), workload->subtitle);
	copy_text(info->derived, sizeof(info->derived), workload->derived);
	used += (size_t)snprintf(info->configuration, room, "device-names:");
	for (size_t i = 0; i < targets->count && used < room / 2; i++)
		used += (size_t)snprintf(info->configuration + used, room - used, " %s",
					 targets->devices[i].name);
	snprintf(info->configuration + used, room - used, "\nnum-devices: %zu\n%s", targets->count,
		 workload->configuration);
}

/* The gravest alone. */
static void describe_caveat(const struct config *config, const struct targets *targets,
			    struct run_info *info)
{
	size_t files = 0;

	for (size_t i = 0; i < targets->count; i++)
		files += targets->devices[i].is_file;
	if (config->engine != CONFIG_ENGINE_URING)
		snprintf(info->caveat, sizeof(info->caveat),
			 "engine %s reads and writes nothing; this measures the host alone",
			 info->engine);
	else if (config->wait == CONFIG_WAIT_ECO)
		copy_text(info->caveat, sizeof(info->caveat),
			  "wait eco adds its tick to every latency");
	else if (files > 0)
		copy_text(info->caveat, sizeof(info->caveat),
			  "a file shares its disk with everything else on this machine");
}

static void describe_host(struct run_info *info)
{
	time_t now = time(NULL);
	struct tm local;

	copy_text(info->version, sizeof(info->version), ACTCERT_VERSION);
	strftime(info->started, sizeof(info->started), "%Y-%m-%dT%H:%M:%S%z",
		 localtime_r(&now, &local));
	host_name(info->host, sizeof(info->host));
	host_kernel(info->kernel, sizeof(info->kernel));
	host_cpu_model(info->cpu, sizeof(info->cpu));
	info->cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
}

int describe_run(const struct config *config, const struct workload *workload,
		 const struct targets *targets, const char *engine, uint64_t run_id,
		 struct run_info *ret, struct error *err)
{
	static const char *const arrivals[] = {"uniform", "poisson"};
	int rc;

	memset(ret, 0, sizeof(*ret));
	if (run_info_init(ret, targets->count, workload->stream_count))
		return error_environment(err, ENOMEM, "no memory for the description of the run");
	snprintf(ret->run_id, sizeof(ret->run_id), "%016llx", (unsigned long long)run_id);
	copy_text(ret->engine, sizeof(ret->engine), engine);
	copy_text(ret->arrivals, sizeof(ret->arrivals), arrivals[config->arrivals]);
	describe_host(ret);
	describe_caveat(config, targets, ret);
	describe_devices(config, targets, ret);
	describe_streams(workload, ret);
	describe_judgement(config, workload, ret);
	describe_older_tool(workload, targets, ret);
	rc = all_criteria(config, workload, ret->criteria, &ret->criterion_count, err);
	if (rc == 0)
		rc = describe_phases(workload, ret, err);
	if (rc < 0)
		run_info_release(ret);
	return rc;
}

int describe_scale(const struct config *config, const struct workload *workload,
		   struct tally_scale *ret, struct error *err)
{
	struct info_criterion criteria[THRESHOLDS_MAX] = {0};
	size_t count;
	int rc = all_criteria(config, workload, criteria, &count, err);

	if (rc)
		return rc;
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < count; i++)
		ret->threshold_ns[i] = criteria[i].threshold_ns;
	ret->threshold_count = count;
	ret->power_unit_ns = config->microsecond_histograms ? NS_PER_US : NS_PER_MS;
	return 0;
}
