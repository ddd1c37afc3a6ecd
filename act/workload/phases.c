#include "act/workload/phases.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/workload/rate.h"

/* "FILE:LINE: phases = NAME: problem; allowed: ..." */
static int refuse(const struct config_phase *phase, const char *problem, const char *allowed,
		  struct error *err)
{
	return error_usage(err, EINVAL, "%s: phases = %s: %s; allowed: %s",
			   phase->origin[0] ? phase->origin : "config", phase->name, problem,
			   allowed);
}

static bool steps_are_of(const struct config_phase *phase, const char *what)
{
	return strcmp(phase->steps_of, what) == 0;
}

static bool steps_are_of_stream(const struct config_phase *phase)
{
	return phase->steps_of[0] && !steps_are_of(phase, "load") && !steps_are_of(phase, "rate");
}

static void override(const struct config_phase *phase, size_t step, struct config *config)
{
	struct config_rate value = config_phase_step(phase, step);

	if (phase->has_read_load)
		config->read_load = phase->read_load;
	if (phase->has_write_load)
		config->write_load = phase->write_load;
	if (phase->rate.unit != CONFIG_RATE_NONE)
		config->rate = phase->rate;
	if (steps_are_of(phase, "rate"))
		config->rate = value;
	if (steps_are_of(phase, "load"))
		config->read_load = config->write_load = value.value;
}

/* The step alone is what the phase has steps of then. */
static void keep_step(struct config_phase *phase, size_t step)
{
	phase->step_from = config_phase_step(phase, step);
	phase->step_upto = phase->step_from;
}

static void name_phase(const struct config_phase *phase, char ret_name[static STREAM_NAME_BYTES])
{
	char value[UNITS_TEXT_BYTES];
	char name[CONFIG_NAME_BYTES + 1 + UNITS_TEXT_BYTES];

	snprintf(name, sizeof(name), "%s", phase->name);
	if (phase->steps_of[0])
		snprintf(name, sizeof(name), "%s %s", phase->name,
			 config_format_rate(value, phase->step_from));
	snprintf(ret_name, STREAM_NAME_BYTES, "%.*s", STREAM_NAME_BYTES - 1, name);
}

int phases_next(const struct config *config, struct phase_cursor *cursor, struct config *ret,
		char ret_name[static STREAM_NAME_BYTES], struct error *err)
{
	if (cursor->group == config->phase_count)
		return 0;
	const struct config_phase *phase = &config->phases[cursor->group];
	size_t steps = config_phase_steps(phase);

	if (steps == 0)
		return refuse(phase, "its steps would never end",
			      "steps of more than 0 that rise from the first value to the last",
			      err);
	*ret = *config;
	override(phase, cursor->step, ret);
	ret->phases[0] = *phase;
	ret->phase_count = 1;
	if (phase->steps_of[0])
		keep_step(&ret->phases[0], cursor->step);
	name_phase(&ret->phases[0], ret_name);
	if (++cursor->step >= steps)
		*cursor = (struct phase_cursor){.group = cursor->group + 1};
	return 1;
}

static struct stream *find_stream(struct workload *workload, const char *name)
{
	for (size_t i = 0; i < workload->stream_count; i++)
		if (strcmp(workload->streams[i].name, name) == 0)
			return &workload->streams[i];
	return NULL;
}

static int refuse_name(const struct config_phase *phase, const struct workload *workload,
		       const char *name, struct error *err)
{
	char problem[128];
	char allowed[STREAMS_MAX * (STREAM_NAME_BYTES + 2)] = "";
	size_t used = 0;

	snprintf(problem, sizeof(problem), "there is no stream of the name \"%s\"", name);
	for (size_t i = 0; i < workload->stream_count && used < sizeof(allowed); i++)
		used += (size_t)snprintf(allowed + used, sizeof(allowed) - used, "%s%s",
					 i ? ", " : "", workload->streams[i].name);
	return refuse(phase, problem, allowed, err);
}

static int set_stream_rate(const struct config *config, const struct config_rate *rate,
			   struct stream *stream, struct error *err)
{
	const struct config_phase *phase = &config->phases[0];
	int rc = rate_per_sec(config, rate, stream, &stream->per_sec, err);

	if (rc) {
		char prefix[CONFIG_NAME_BYTES + 16];

		snprintf(prefix, sizeof(prefix), "phases = %s", phase->name);
		error_prefix(err, prefix);
		error_prefix(err, phase->origin[0] ? phase->origin : "config");
	}
	return rc;
}

static const struct config_phase_rate *find_rate(const struct config_phase *phase, const char *name)
{
	for (size_t i = 0; i < phase->stream_count; i++)
		if (strcmp(phase->streams[i].stream, name) == 0)
			return &phase->streams[i];
	return NULL;
}

static int apply_list(const struct config *config, struct workload *workload, struct error *err)
{
	const struct config_phase *phase = &config->phases[0];

	for (size_t i = 0; i < phase->stream_count; i++)
		if (!find_stream(workload, phase->streams[i].stream))
			return refuse_name(phase, workload, phase->streams[i].stream, err);
	for (size_t i = 0; phase->stream_count > 0 && i < workload->stream_count; i++) {
		struct stream *stream = &workload->streams[i];
		const struct config_phase_rate *listed = find_rate(phase, stream->name);

		if (!listed) {
			stream->per_sec = ratio_make(0, 1);
		} else if (listed->rate.unit != CONFIG_RATE_NONE) {
			int rc = set_stream_rate(config, &listed->rate, stream, err);

			if (rc)
				return rc;
		}
	}
	return 0;
}

int phases_apply(const struct config *config, struct workload *workload, struct error *err)
{
	const struct config_phase *phase = &config->phases[0];
	int rc = apply_list(config, workload, err);

	if (rc || !steps_are_of_stream(phase))
		return rc;
	struct stream *stream = find_stream(workload, phase->steps_of);
	if (!stream)
		return refuse_name(phase, workload, phase->steps_of, err);
	if (phase->stream_count > 0 && !find_rate(phase, phase->steps_of))
		return refuse(phase, "its steps are of a stream that it does not have",
			      "steps of one of its streams, of load or of rate", err);
	return set_stream_rate(config, &phase->step_from, stream, err);
}
