#include "analysis/run_info.h"

#include <errno.h>
#include <stdlib.h>

const char *wrong_kind_name(enum wrong_kind kind)
{
	static const char *const names[WRONG_KINDS] = {
	    [WRONG_NOT] = "",
	    [WRONG_ZEROS] = "zeros",
	    [WRONG_FOREIGN] = "foreign",
	    [WRONG_CORRUPT] = "corrupt",
	    [WRONG_MISPLACED] = "misplaced",
	    [WRONG_STALE] = "stale",
	};

	return names[kind];
}

int run_info_init(struct run_info *info, size_t device_count, size_t stream_count)
{
	struct info_device *devices = calloc(device_count ? device_count : 1, sizeof(*devices));
	struct info_stream *streams = calloc(stream_count ? stream_count : 1, sizeof(*streams));
	struct facts *environment = calloc(1, sizeof(*environment));
	struct telemetry *telemetry = calloc(1, sizeof(*telemetry));

	if (!devices || !streams || !environment || !telemetry ||
	    telemetry_init(telemetry, device_count) < 0) {
		free(devices);
		free(streams);
		free(environment);
		free(telemetry);
		return -ENOMEM;
	}
	*info = (struct run_info){
	    .devices = devices,
	    .device_count = device_count,
	    .streams = streams,
	    .stream_count = stream_count,
	    .environment = environment,
	    .telemetry = telemetry,
	};
	return 0;
}

int run_info_add_phases(struct run_info *info, size_t phase_count)
{
	size_t streams = info->stream_count ? info->stream_count : 1;
	struct info_phase *phases = calloc(phase_count ? phase_count : 1, sizeof(*phases));
	struct ratio *rates = calloc((phase_count ? phase_count : 1) * streams, sizeof(*rates));

	if (!phases || !rates) {
		free(phases);
		free(rates);
		return -ENOMEM;
	}
	phases[0].per_sec = rates; /* one piece for all */
	for (size_t i = 0; i < phase_count; i++)
		phases[i].per_sec = rates + i * streams;
	info->phases = phases;
	info->phase_count = phase_count;
	return 0;
}

void run_info_release(struct run_info *info)
{
	if (info->phases)
		free(info->phases[0].per_sec);
	free(info->phases);
	info->phases = NULL;
	info->phase_count = 0;
	if (info->environment)
		facts_release(info->environment);
	if (info->telemetry)
		telemetry_release(info->telemetry);
	free(info->environment);
	free(info->telemetry);
	free(info->devices);
	free(info->streams);
	info->environment = NULL;
	info->telemetry = NULL;
	info->devices = NULL;
	info->streams = NULL;
	info->device_count = 0;
	info->stream_count = 0;
}

/* Index of the threshold among those of the run; criterion_count when it is not. */
static size_t find_threshold(const struct run_info *info, uint64_t threshold_ns)
{
	size_t i = 0;

	while (i < info->criterion_count && info->criteria[i].threshold_ns != threshold_ns)
		i++;
	return i;
}

static const char *check_stream(const struct run_info *info, const struct info_stream *stream)
{
	for (size_t i = 0; i < stream->criterion_count; i++) {
		const struct info_criterion *own = &stream->criteria[i];

		if (own->limit.den == 0)
			return "streams: a limit has the denominator 0";
		if (i > 0 && own->threshold_ns <= stream->criteria[i - 1].threshold_ns)
			return "streams: thresholds are not rising";
		if (find_threshold(info, own->threshold_ns) == info->criterion_count)
			return "streams: a threshold is not among those of the run";
	}
	return NULL;
}

const char *run_info_check(const struct run_info *info)
{
	const char *wrong = NULL;
	uint64_t end_ns = 0;

	for (size_t i = 0; !wrong && i < info->stream_count; i++)
		wrong = check_stream(info, &info->streams[i]);
	for (size_t i = 0; !wrong && i < info->phase_count; i++) {
		const struct info_phase *phase = &info->phases[i];

		if (phase->start_ns != end_ns || phase->end_ns <= phase->start_ns)
			return "phases: each must begin where the one before ends";
		if (phase->start_ns % info->interval_ns > 0)
			return "phases: they must change at whole intervals";
		end_ns = phase->end_ns;
	}
	if (!wrong && info->phase_count > 0 && end_ns != info->duration_ns)
		return "phases: the last must end when the run does";
	return wrong;
}

/* Devices from 64 on have no bit: every stream is issued on them. */
static bool has_device(const struct info_stream *stream, size_t device)
{
	return stream->devices == 0 || device >= 64 || (stream->devices >> device & 1);
}

bool run_info_is_issued(const struct run_info *info, size_t phase, size_t device, size_t stream)
{
	bool found = false;

	if (phase < info->phase_count && info->phases[phase].per_sec[stream].num == 0)
		return false;
	if (device < info->device_count)
		return has_device(&info->streams[stream], device);
	for (size_t i = 0; i < info->device_count && !found; i++)
		found = has_device(&info->streams[stream], i);
	return found;
}

bool run_end_names_device(enum end_reason reason)
{
	return reason == END_DEVICE_LOST || reason == END_MAX_LAG || reason == END_DEVICE_CHANGED;
}
