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
	}
}

static void describe_judgement(const struct config *config, const struct workload *workload,
			       struct run_info *info)
{
	for (size_t i = 0; i < config->criterion_count; i++) {
		info->criteria[i].threshold_ns = config->criteria[i].threshold_ns;
		info->criteria[i].limit = config->criteria[i].limit;
	}
	info->criterion_count = config->criterion_count;
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
	return 0;
}

void describe_scale(const struct config *config, struct tally_scale *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < config->criterion_count; i++)
		ret->threshold_ns[i] = config->criteria[i].threshold_ns;
	ret->threshold_count = config->criterion_count;
	ret->power_unit_ns = config->microsecond_histograms ? NS_PER_US : NS_PER_MS;
}
