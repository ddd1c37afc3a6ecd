#include "act/workload/model.h"

#include <stdio.h>

#include "act/workload/rate.h"
#include "act/workload/schedule.h"

int model_add_stream(struct workload *workload, const struct stream *stream,
		     const struct config *config, const char *key, struct error *err)
{
	char problem[128];

	if (ratio_compare(stream->per_sec, ratio_make(STREAM_PER_SEC_MAX, 1)) > 0) {
		snprintf(problem, sizeof(problem),
			 "%.0f %.48s per second and device cannot be kept",
			 ratio_to_double(stream->per_sec), stream->name);
		return config_refuse(config, key, problem, "up to 100000000 per second", err);
	}
	if (!schedule_keeps(stream->per_sec))
		return model_refuse_rates(config, err);
	struct stream *added = &workload->streams[workload->stream_count++];
	*added = *stream;
	added->sizes[0] =
	    (struct stream_size){stream->size_min_bytes, stream->size_max_bytes, ratio_make(1, 1)};
	added->size_count = 1;
	added->region_from = ratio_make(0, 1);
	added->region_upto = ratio_make(1, 1);
	added->devices = STREAM_ALL_DEVICES;
	return 0;
}

int model_refuse_rates(const struct config *config, struct error *err)
{
	return config_refuse(config, "read-load",
			     "the rates that follow from the load leave the range of exact "
			     "fractions",
			     "rounder multipliers, sizes and percentages", err);
}

const char *model_yes_no(bool value)
{
	return value ? "yes" : "no";
}
