#include <stdio.h>

#include "act/config/config.h"

static void tell_weights(const struct config_stream *stream, const struct config_notice *notice)
{
	struct ratio sum = {0, 1};
	char text[UNITS_TEXT_BYTES];
	char line[CONFIG_ORIGIN_BYTES + 128];

	for (size_t i = 0; i < stream->size_count; i++) {
		if (ratio_add(sum, stream->sizes[i].weight, &sum) != 0)
			return;
	}
	if (ratio_compare(sum, ratio_make(100, 1)) == 0)
		return;
	snprintf(line, sizeof(line),
		 "%s: the weights in the sizes of %s sum to %s, not to 100: they are normalised",
		 stream->origin, stream->name, units_format_weight(text, sum));
	notice->say(notice->state, line);
}

void config_tell(const struct config *config, const struct config_notice *notice)
{
	for (size_t i = 0; i < config->stream_count; i++)
		tell_weights(&config->streams[i], notice);
}
