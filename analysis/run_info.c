#include "analysis/run_info.h"

#include <errno.h>
#include <stdlib.h>

int run_info_init(struct run_info *info, size_t device_count, size_t stream_count)
{
	struct info_device *devices = calloc(device_count ? device_count : 1, sizeof(*devices));
	struct info_stream *streams = calloc(stream_count ? stream_count : 1, sizeof(*streams));

	if (!devices || !streams) {
		free(devices);
		free(streams);
		return -ENOMEM;
	}
	*info = (struct run_info){
	    .devices = devices,
	    .device_count = device_count,
	    .streams = streams,
	    .stream_count = stream_count,
	};
	return 0;
}

void run_info_release(struct run_info *info)
{
	free(info->devices);
	free(info->streams);
	info->devices = NULL;
	info->streams = NULL;
	info->device_count = 0;
	info->stream_count = 0;
}
