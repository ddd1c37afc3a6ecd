#include "act/workload/custom.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/base/clock.h"
#include "act/workload/address.h"
#include "act/workload/model.h"
#include "act/workload/rate.h"

/* "FILE:LINE: streams = NAME: problem; allowed: ..." */
static int refuse(const struct config_stream *from, const char *problem, const char *allowed,
		  struct error *err)
{
	return error_usage(err, EINVAL, "%s: streams = %s: %s; allowed: %s",
			   from->origin[0] ? from->origin : "config", from->name, problem, allowed);
}

static int add_weights(const struct config_stream *from, struct ratio *ret)
{
	struct ratio sum = {0, 1};

	for (size_t i = 0; i < from->size_count; i++)
		if (ratio_add(sum, from->sizes[i].weight, &sum))
			return -ERANGE;
	*ret = sum;
	return 0;
}

static int add_sizes(const struct config_stream *from, struct stream *stream, struct error *err)
{
	struct ratio sum;

	if (add_weights(from, &sum))
		return refuse(from, "the sum of the weights is no exact fraction",
			      "weights of fewer digits", err);
	stream->size_count = from->size_count;
	stream->size_min_bytes = UINT64_MAX;
	for (size_t i = 0; i < from->size_count; i++) {
		const struct config_size *size = &from->sizes[i];
		struct stream_size *to = &stream->sizes[i];

		*to = (struct stream_size){size->min_bytes, size->max_bytes, {1, 1}};
		if (from->size_count > 1 &&
		    (sum.num == 0 ||
		     ratio_multiply(size->weight, ratio_make(sum.den, sum.num), &to->share)))
			return refuse(from, "a weight is no exact share of all",
				      "weights above 0 of fewer digits", err);
		if (ratio_compare(to->share, ratio_make(1, ADDRESS_DECK)) < 0)
			return refuse(from, "a size would have less than one request of 10000",
				      "weights of at least 0.01 % of all", err);
		if (to->min_bytes < stream->size_min_bytes)
			stream->size_min_bytes = to->min_bytes;
		if (to->max_bytes > stream->size_max_bytes)
			stream->size_max_bytes = to->max_bytes;
	}
	return 0;
}

static void add_criteria(const struct config_stream *from, struct stream *stream)
{
	stream->criterion_count = from->criterion_count;
	for (size_t i = 0; i < from->criterion_count; i++)
		stream->criteria[i] = (struct stream_criterion){from->criteria[i].threshold_ns,
								from->criteria[i].limit};
}

static int make_stream(const struct config *config, const struct config_stream *from,
		       struct stream *ret, struct error *err)
{
	struct stream stream = {
	    .op = from->is_write ? STREAM_WRITE : STREAM_READ,
	    .random = from->random,
	    .region_from = from->region_from,
	    .region_upto = from->region_upto,
	    .devices = from->devices ? from->devices : STREAM_ALL_DEVICES,
	    .in_flight_cap = from->in_flight_cap,
	    .dsync =
		from->is_write &&
		(from->odsync == CONFIG_AS_DEFAULT ? config->odsync : from->odsync == CONFIG_YES),
	};
	int rc = add_sizes(from, &stream, err);

	snprintf(stream.name, sizeof(stream.name), "%s", from->name);
	if (rc)
		return rc;
	add_criteria(from, &stream);
	bool of_nothing =
	    from->rate.unit == CONFIG_RATE_SHARE && config->rate.unit == CONFIG_RATE_NONE;
	if (config->phase_count > 0 && (of_nothing || from->rate.unit == CONFIG_RATE_NONE)) {
		stream.per_sec = ratio_make(0, 1); /* phases give it, or it rests in them */
		*ret = stream;
		return 0;
	}
	if (from->rate.unit == CONFIG_RATE_NONE)
		return refuse(from, "no rate", "rate = \"5000/s\" and the like", err);
	rc = rate_per_sec(config, &from->rate, &stream, &stream.per_sec, err);
	if (rc) {
		error_prefix(err, from->origin[0] ? from->origin : "config");
		return rc;
	}
	*ret = stream;
	return 0;
}

static void choose_judged(const struct config *config, struct workload *workload)
{
	bool reads = false;
	bool chosen = false;

	for (size_t i = 0; i < config->stream_count; i++) {
		reads |= !config->streams[i].is_write;
		chosen |= config->streams[i].judge != CONFIG_AS_DEFAULT;
	}
	for (size_t i = 0; i < config->stream_count; i++) {
		const struct config_stream *from = &config->streams[i];
		bool by_default = !from->is_write || (!reads && !chosen);

		if (from->judge == CONFIG_YES || (from->judge == CONFIG_AS_DEFAULT && by_default))
			snprintf(workload->judged[workload->judged_count++], STREAM_NAME_BYTES,
				 "%s", from->name);
	}
}

/* On the device that has the most of them. */
static double busiest_per_sec(const struct workload *workload, enum stream_op op)
{
	double most = 0;

	for (size_t device = 0; device < CONFIG_DEVICES_MAX; device++) {
		double sum = 0;

		for (size_t i = 0; i < workload->stream_count; i++)
			if (workload->streams[i].op == op &&
			    stream_is_on(&workload->streams[i], device))
				sum += ratio_to_double(workload->streams[i].per_sec);
		most = sum > most ? sum : most;
	}
	return most;
}

void workload_custom_describe(const struct config *config, struct workload *workload)
{
	size_t room = sizeof(workload->configuration);
	size_t used = (size_t)snprintf(workload->configuration, room,
				       "test-duration-sec: %llu\n"
				       "report-interval-sec: %llu\n"
				       "microsecond-histograms: %s\n"
				       "max-lag-sec: %llu\n",
				       (unsigned long long)(config->duration_ns / NS_PER_SEC),
				       (unsigned long long)(config->interval_ns / NS_PER_SEC),
				       model_yes_no(config->microsecond_histograms),
				       (unsigned long long)(config->max_lag_ns / NS_PER_SEC));

	for (size_t i = 0; i < workload->stream_count && used < room; i++) {
		const struct stream *stream = &workload->streams[i];

		used += (size_t)snprintf(
		    workload->configuration + used, room - used,
		    "stream-%zu: %s %s %.2f/s per device, %llu ... %llu bytes\n", i + 1,
		    stream->name, stream->op == STREAM_READ ? "read" : "write",
		    ratio_to_double(stream->per_sec), (unsigned long long)stream->size_min_bytes,
		    (unsigned long long)stream->size_max_bytes);
	}
	workload->effective_load_read = busiest_per_sec(workload, STREAM_READ) / READS_PER_SEC_1X;
	workload->effective_load_write =
	    busiest_per_sec(workload, STREAM_WRITE) / WRITES_PER_SEC_1X;
}

int workload_custom(const struct config *config, struct workload *ret, struct error *err)
{
	struct workload workload = {.title = "ACT-CUSTOM", .subtitle = "Custom device IO test"};

	for (size_t i = 0; i < config->stream_count; i++) {
		int rc = make_stream(config, &config->streams[i],
				     &workload.streams[workload.stream_count++], err);

		if (rc)
			return rc;
	}
	choose_judged(config, &workload);
	*ret = workload;
	return 0;
}
