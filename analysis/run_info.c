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

bool run_end_names_device(enum end_reason reason)
{
	return reason == END_DEVICE_LOST || reason == END_MAX_LAG || reason == END_DEVICE_CHANGED;
}
