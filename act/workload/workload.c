#include "act/workload/workload.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/workload/custom.h"
#include "act/workload/index.h"
#include "act/workload/phases.h"
#include "act/workload/storage.h"

typedef int compile_streams(const struct config *config, struct workload *ret, struct error *err);

/* A new workload is a line here. */
static compile_streams *const kinds[] = {
    [CONFIG_WORKLOAD_STORAGE] = workload_storage,
    [CONFIG_WORKLOAD_INDEX] = workload_index,
    [CONFIG_WORKLOAD_CUSTOM] = workload_custom,
};

double workload_phase_rate(const struct workload *workload, const struct workload_phase *phase)
{
	double most = 0;

	for (size_t device = 0; device < CONFIG_DEVICES_MAX; device++) {
		double sum = 0;

		for (size_t i = 0; i < workload->stream_count; i++)
			if (stream_is_on(&workload->streams[i], device))
				sum += ratio_to_double(phase->per_sec[i]);
		most = sum > most ? sum : most;
	}
	return most;
}

static int find_stream(const struct workload *workload, const char *name)
{
	for (size_t i = 0; i < workload->stream_count; i++)
		if (strcmp(workload->streams[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* Appends a phase of which `made` has the streams. All phases of a config have the same
 * streams in the same order, of which some may rest. */
static int append_phase(struct workload *workload, const struct workload *made,
			const struct workload_phase *like, struct error *err)
{
	if (workload->phase_count == PHASES_MAX)
		return error_usage(
		    err, EINVAL, "more phases than can be kept, steps included; allowed: up to %d",
		    PHASES_MAX);
	struct workload_phase *phase = &workload->phases[workload->phase_count];

	*phase = *like;
	for (size_t i = 0; i < made->stream_count; i++)
		phase->per_sec[i] = made->streams[i].per_sec;
	if (workload->phase_count++ == 0) {
		const struct workload_phase first = *phase;

		*workload = *made;
		workload->phases[0] = first;
		workload->phase_count = 1;
		return 0;
	}
	for (size_t i = 0; i < made->stream_count; i++)
		if (ratio_compare(workload->streams[i].per_sec, made->streams[i].per_sec) < 0)
			workload->streams[i].per_sec = made->streams[i].per_sec;
	return 0;
}

/* What the older tool's text tells is that of the phase with the highest rate. */
static void keep_text(struct workload *workload, const struct workload *made, double *highest)
{
	double rate = workload_phase_rate(workload, &workload->phases[workload->phase_count - 1]);

	if (rate <= *highest)
		return;
	*highest = rate;
	memcpy(workload->configuration, made->configuration, sizeof(made->configuration));
	memcpy(workload->derived, made->derived, sizeof(made->derived));
	workload->effective_load_read = made->effective_load_read;
	workload->effective_load_write = made->effective_load_write;
}

static int add_phases(const struct config *config, struct workload *workload, struct error *err)
{
	struct phase_cursor cursor = {0};
	struct workload_phase phase = {0};
	struct config one;
	struct workload made;
	double highest = 0;

	while (phase.end_ns < config->duration_ns) {
		phase.group = cursor.group;
		int rc = phases_next(config, &cursor, &one, phase.name, err);

		if (rc == 0)
			return error_usage(err, EINVAL,
					   "the phases end before the duration does; allowed: at "
					   "most the duration of all phases, or none given");
		if (rc > 0)
			rc = kinds[config->workload](&one, &made, err);
		if (rc == 0)
			rc = phases_apply(&one, &made, err);
		if (rc)
			return rc;
		uint64_t length_ns = one.phases[0].duration_ns;
		phase.start_ns = phase.end_ns;
		phase.end_ns += length_ns ? length_ns : config->slice_ns;
		if (phase.end_ns > config->duration_ns)
			phase.end_ns = config->duration_ns;
		phase.judged = one.phases[0].judge;
		rc = append_phase(workload, &made, &phase, err);
		if (rc)
			return rc;
		keep_text(workload, &made, &highest);
	}
	return 0;
}

static int add_only_phase(const struct config *config, struct workload *workload, struct error *err)
{
	const struct workload_phase phase = {.end_ns = config->duration_ns, .judged = true};
	struct workload made;
	int rc = kinds[config->workload](config, &made, err);

	return rc ? rc : append_phase(workload, &made, &phase, err);
}

static void drop_stream(struct workload *workload, size_t i)
{
	size_t behind = --workload->stream_count - i;

	memmove(&workload->streams[i], &workload->streams[i + 1],
		behind * sizeof(workload->streams[0]));
	for (size_t j = 0; j < workload->phase_count; j++) {
		struct ratio *rates = workload->phases[j].per_sec;

		memmove(&rates[i], &rates[i + 1], behind * sizeof(rates[0]));
	}
}

/* Streams that rest in all phases are none. */
static int drop_resting(const struct config *config, struct workload *workload, struct error *err)
{
	for (size_t i = workload->stream_count; i-- > 0;)
		if (workload->streams[i].per_sec.num == 0)
			drop_stream(workload, i);
	if (workload->stream_count == 0)
		return config_refuse(config, config->stream_count > 0 ? "streams" : "workload",
				     "no load at all", "at least one stream above 0 per second",
				     err);
	return 0;
}

static int refuse_judged(const struct config *config, const struct workload *workload,
			 const char *name, struct error *err)
{
	char problem[96];
	char allowed[STREAMS_MAX * (STREAM_NAME_BYTES + 2)] = "";
	size_t used = 0;

	snprintf(problem, sizeof(problem), "this load has no %s", name);
	for (size_t i = 0; i < workload->stream_count && used < sizeof(allowed); i++)
		used += (size_t)snprintf(allowed + used, sizeof(allowed) - used, "%s%s",
					 i ? ", " : "", workload->streams[i].name);
	return config_refuse(config, "judge", problem, allowed, err);
}

/* Those that the config names, or those of the workload that are there. */
static int choose_judged(const struct config *config, struct workload *workload, struct error *err)
{
	size_t count = 0;

	for (size_t i = 0; i < config->judged_count; i++) {
		if (find_stream(workload, config->judged[i]) < 0)
			return refuse_judged(config, workload, config->judged[i], err);
		snprintf(workload->judged[i], STREAM_NAME_BYTES, "%s", config->judged[i]);
	}
	if (config->judged_count > 0) {
		workload->judged_count = config->judged_count;
		return 0;
	}
	for (size_t i = 0; i < workload->judged_count; i++)
		if (find_stream(workload, workload->judged[i]) >= 0)
			memmove(workload->judged[count++], workload->judged[i], STREAM_NAME_BYTES);
	workload->judged_count = count;
	if (count > 0)
		return 0;
	for (size_t i = 0; i < workload->phase_count; i++)
		if (config->workload == CONFIG_WORKLOAD_CUSTOM && !config->stress &&
		    workload->phases[i].judged)
			return config_refuse(config, "judge", "no stream is judged",
					     "names of streams, or judge = true in one of them",
					     err);
	/* A load of writes alone is judged by its writes. */
	memcpy(workload->judged[workload->judged_count++], workload->streams[0].name,
	       STREAM_NAME_BYTES);
	return 0;
}

static int refuse_phase(const struct config_phase *from, const struct workload_phase *phase,
			struct error *err)
{
	return error_usage(err, EINVAL,
			   "%s: phases = %s: no stream that is judged is issued in it; allowed: "
			   "judge = false",
			   from->origin[0] ? from->origin : "config", phase->name);
}

/* In a phase that is judged there must be something to judge. */
static int check_phases(const struct config *config, const struct workload *workload,
			struct error *err)
{
	for (size_t i = 0; !config->stress && i < workload->phase_count; i++) {
		const struct workload_phase *phase = &workload->phases[i];
		bool any = false;

		for (size_t j = 0; j < workload->judged_count; j++)
			any |= phase->per_sec[find_stream(workload, workload->judged[j])].num > 0;
		if (phase->judged && !any)
			return refuse_phase(&config->phases[phase->group], phase, err);
	}
	return 0;
}

/* A device without any would be a mistake; in single phases it may have none. */
static int check_devices(const struct config *config, struct error *err)
{
	uint64_t used = config->workload == CONFIG_WORKLOAD_CUSTOM ? 0 : STREAM_ALL_DEVICES;

	for (size_t i = 0; i < config->stream_count; i++)
		used |=
		    config->streams[i].devices ? config->streams[i].devices : STREAM_ALL_DEVICES;
	for (size_t i = 0; i < config->target_count && i < 64; i++)
		if (!(used >> i & 1))
			return error_usage(err, EINVAL,
					   "%s: no stream is issued on it (device %zu); allowed: "
					   "each device has at least one",
					   config->targets[i].path, i + 1);
	return 0;
}

int workload_compile(const struct config *config, struct workload *ret, struct error *err)
{
	struct workload workload = {.phase_count = 0};
	int rc = config->phase_count > 0 ? add_phases(config, &workload, err)
					 : add_only_phase(config, &workload, err);

	if (rc == 0)
		rc = drop_resting(config, &workload, err);
	if (rc == 0)
		rc = choose_judged(config, &workload, err);
	if (rc == 0)
		rc = check_phases(config, &workload, err);
	if (rc == 0)
		rc = check_devices(config, err);
	if (rc)
		return rc;
	if (config->workload == CONFIG_WORKLOAD_CUSTOM)
		workload_custom_describe(config, &workload);
	*ret = workload;
	return 0;
}

static double total_rate(const struct workload *workload, const struct workload_phase *phase)
{
	double sum = 0;

	for (size_t i = 0; i < workload->stream_count; i++)
		sum += ratio_to_double(phase->per_sec[i]);
	return sum;
}

/* For its busiest device; of equals, that with most on all streams. */
static size_t find_hardest(const struct workload *workload)
{
	const struct workload_phase *phases = workload->phases;
	size_t hardest = 0;

	for (size_t i = 1; i < workload->phase_count; i++) {
		double more = workload_phase_rate(workload, &phases[i]) -
			      workload_phase_rate(workload, &phases[hardest]);

		if (more > 0 || (more == 0 && total_rate(workload, &phases[i]) >
						  total_rate(workload, &phases[hardest])))
			hardest = i;
	}
	return hardest;
}

/* Judges what is issued in the phase of those that are judged in the run. */
static void judge_phase(const struct workload *workload, size_t number, struct config *config)
{
	const struct workload_phase *phase = &workload->phases[number];

	config->judged_count = 0;
	for (size_t i = 0; i < workload->judged_count; i++)
		if (phase->per_sec[find_stream(workload, workload->judged[i])].num > 0)
			snprintf(config->judged[config->judged_count++], CONFIG_NAME_BYTES, "%.*s",
				 CONFIG_NAME_BYTES - 1, workload->judged[i]);
	config->phases[0].judge = config->judged_count > 0;
}

int workload_hardest_phase(const struct config *config, uint64_t duration_ns, struct config *ret,
			   struct error *err)
{
	struct workload workload;
	struct phase_cursor cursor = {0};
	char name[STREAM_NAME_BYTES];

	if (config->phase_count == 0) {
		*ret = *config;
		ret->duration_ns = duration_ns;
		return 0;
	}
	int rc = workload_compile(config, &workload, err);
	if (rc)
		return rc;
	size_t hardest = find_hardest(&workload);
	for (size_t i = 0; i <= hardest; i++) {
		rc = phases_next(config, &cursor, ret, name, err);
		if (rc <= 0)
			return rc;
	}
	ret->phases[0].duration_ns = duration_ns;
	ret->duration_ns = duration_ns;
	judge_phase(&workload, hardest, ret);
	return 0;
}
