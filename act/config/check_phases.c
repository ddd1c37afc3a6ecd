#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/config/check.h"

#define STEPS_MAX 128

static int refuse(const struct config_phase *phase, const struct config *config, const char *key,
		  const char *value, const char *problem, const char *allowed, struct error *err)
{
	char name[64];

	snprintf(name, sizeof(name), "phases[%zu].%s", (size_t)(phase - config->phases) + 1, key);
	return option_refuse(err, EINVAL, phase->origin, name, value, problem, allowed);
}

static bool steps_are_of(const struct config_phase *phase, const char *what)
{
	return strcmp(phase->steps_of, what) == 0;
}

/* The highest load of a phase, which is zero only if there is none. */
static struct ratio highest_load(const struct config *config, const struct config_phase *phase,
				 bool writes)
{
	if (steps_are_of(phase, "load"))
		return phase->step_upto.value;
	if (writes)
		return phase->has_write_load ? phase->write_load : config->write_load;
	return phase->has_read_load ? phase->read_load : config->read_load;
}

static bool has_load(const struct config *config, bool writes)
{
	if (config->phase_count == 0)
		return (writes ? config->write_load : config->read_load).num > 0;
	for (size_t i = 0; i < config->phase_count; i++) {
		if (highest_load(config, &config->phases[i], writes).num > 0)
			return true;
	}
	return false;
}

bool check_has_reads(const struct config *config)
{
	return has_load(config, false);
}

bool check_has_writes(const struct config *config)
{
	return has_load(config, true);
}

/* How the phase issues a stream of the config: NULL when it does not. */
static const struct config_rate *issued_rate(const struct config_phase *phase, const char *name,
					     const struct config_rate *own)
{
	if (steps_are_of(phase, name))
		return &phase->step_from;
	for (size_t i = 0; i < phase->stream_count; i++) {
		const struct config_phase_rate *issued = &phase->streams[i];
		if (strcmp(issued->stream, name) == 0)
			return issued->rate.unit == CONFIG_RATE_NONE ? own : &issued->rate;
	}
	return phase->stream_count == 0 ? own : NULL;
}

static int check_names(const struct config *config, const struct config_phase *phase,
		       struct error *err)
{
	const char *of = phase->steps_of;
	char names[ALLOWED_BYTES];
	bool issued = phase->stream_count == 0;

	check_stream_names(config, names);
	for (size_t i = 0; i < phase->stream_count; i++) {
		const char *name = phase->streams[i].stream;
		if (!check_is_stream(config, name))
			return refuse(phase, config, "streams", name, "no such stream", names, err);
		issued = issued || strcmp(name, of) == 0;
	}
	if (of[0] == '\0' || steps_are_of(phase, "load") || steps_are_of(phase, "rate"))
		return 0;
	if (!check_is_stream(config, of))
		return refuse(phase, config, "steps", of, "no such stream", names, err);
	if (!issued)
		return refuse(phase, config, "steps", of, "not issued in this phase",
			      "streams that it has in its key streams", err);
	return 0;
}

/* A phase is called as a step of another is: "up 30x". */
static int check_step_names(const struct config *config, const struct config_phase *phase,
			    struct error *err)
{
	size_t length = strlen(phase->name);
	size_t steps = phase->steps_of[0] != '\0' ? config_phase_steps(phase) : 0;

	for (size_t i = 0; i < config->phase_count; i++) {
		const struct config_phase *other = &config->phases[i];
		char value[UNITS_TEXT_BYTES];

		if (other->steps_of[0] != '\0' || strncmp(other->name, phase->name, length) != 0 ||
		    other->name[length] != ' ')
			continue;
		for (size_t step = 0; step < steps; step++) {
			config_format_rate(value, config_phase_step(phase, step));
			if (strcmp(other->name + length + 1, value) == 0)
				return refuse(other, config, "name", other->name,
					      "a step of another phase has this name",
					      "names that differ", err);
		}
	}
	return 0;
}

/* Keys that would do nothing. */
static int check_own_keys(const struct config *config, const struct config_phase *phase,
			  struct error *err)
{
	bool custom = config->workload == CONFIG_WORKLOAD_CUSTOM;
	char value[UNITS_TEXT_BYTES];

	if (custom && steps_are_of(phase, "load"))
		return refuse(phase, config, "steps", "load", "a custom workload has no load",
			      "steps of rate or of a stream", err);
	if (custom && phase->has_read_load)
		return refuse(phase, config, "read-load",
			      units_format_load(value, phase->read_load),
			      "a custom workload has no load", "rates of streams", err);
	if (custom && phase->has_write_load)
		return refuse(phase, config, "write-load",
			      units_format_load(value, phase->write_load),
			      "a custom workload has no load", "rates of streams", err);
	if (!custom && steps_are_of(phase, "rate"))
		return refuse(phase, config, "steps", "rate", "only a custom workload has shares",
			      "steps of load or of a stream", err);
	if (!custom && phase->rate.unit != CONFIG_RATE_NONE)
		return refuse(phase, config, "rate", config_format_rate(value, phase->rate),
			      "only a custom workload has shares of a rate", "load", err);
	return 0;
}

/* A share is of something. */
static int check_shares(const struct config *config, const struct config_phase *phase,
			struct error *err)
{
	char value[UNITS_TEXT_BYTES];
	char problem[ALLOWED_BYTES];

	if (config->rate.unit != CONFIG_RATE_NONE || phase->rate.unit != CONFIG_RATE_NONE ||
	    steps_are_of(phase, "rate"))
		return 0;
	for (size_t i = 0; i < config->stream_count; i++) {
		const struct config_stream *stream = &config->streams[i];
		const struct config_rate *rate = issued_rate(phase, stream->name, &stream->rate);
		if (!rate || rate->unit != CONFIG_RATE_SHARE)
			continue;
		snprintf(problem, sizeof(problem), "none, but %s is %s of it", stream->name,
			 config_format_rate(value, *rate));
		return refuse(phase, config, "rate", "", problem,
			      "a rate as 5000/s, here or as the key rate of all", err);
	}
	return 0;
}

/* At its lowest step nothing is issued. */
static bool is_idle(const struct config *config, const struct config_phase *phase)
{
	bool none = steps_are_of(phase, "rate") && phase->step_from.value.num == 0;

	if (config->workload != CONFIG_WORKLOAD_CUSTOM) {
		if (steps_are_of(phase, "load"))
			return phase->step_from.value.num == 0;
		return highest_load(config, phase, false).num == 0 &&
		       highest_load(config, phase, true).num == 0;
	}
	if (!steps_are_of(phase, "rate"))
		none =
		    (phase->rate.unit != CONFIG_RATE_NONE ? phase->rate : config->rate).value.num ==
		    0;
	for (size_t i = 0; i < config->stream_count; i++) {
		const struct config_stream *stream = &config->streams[i];
		const struct config_rate *rate = issued_rate(phase, stream->name, &stream->rate);
		if (rate && rate->value.num > 0 && !(none && rate->unit == CONFIG_RATE_SHARE))
			return false;
	}
	return true;
}

static int check_phase(const struct config *config, const struct config_phase *phase,
		       struct error *err)
{
	char value[UNITS_TEXT_BYTES];
	uint64_t interval_ns = config->interval_ns;

	if (phase->duration_ns % interval_ns != 0)
		return refuse(phase, config, "duration",
			      units_format_duration(value, phase->duration_ns),
			      "not a multiple of interval", "multiples of interval", err);
	int rc = check_names(config, phase, err);
	if (rc == 0)
		rc = check_step_names(config, phase, err);
	if (rc == 0)
		rc = check_own_keys(config, phase, err);
	if (rc == 0)
		rc = check_shares(config, phase, err);
	if (rc == 0 && phase->judge && is_idle(config, phase))
		rc = refuse(phase, config, "judge", "true", "nothing is issued in it",
			    "judge = false in an idle phase", err);
	return rc;
}

int check_phases(const struct config *config, struct error *err)
{
	size_t count = 0;

	for (size_t i = 0; i < config->phase_count; i++) {
		int rc = check_phase(config, &config->phases[i], err);
		if (rc != 0)
			return rc;
		count += config_phase_steps(&config->phases[i]);
	}
	if (count > STEPS_MAX)
		return config_refuse(config, "phases", "too many with their steps",
				     "up to 128 phases", err);
	return 0;
}
