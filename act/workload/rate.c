#include "act/workload/rate.h"

#include <errno.h>
#include <stdio.h>

#include "act/workload/schedule.h"

int rate_mean_bytes(const struct stream *stream, struct ratio *ret)
{
	struct ratio mean = {0, 1};

	for (size_t i = 0; i < stream->size_count; i++) {
		const struct stream_size *size = &stream->sizes[i];
		struct ratio part;

		if (ratio_multiply(ratio_make(size->min_bytes + size->max_bytes, 2), size->share,
				   &part) ||
		    ratio_add(mean, part, &mean))
			return -ERANGE;
	}
	*ret = mean;
	return 0;
}

/* A rate that needs no other; -EINVAL for what is none. */
static int resolve_alone(const struct config_rate *rate, const struct stream *stream,
			 struct ratio *ret)
{
	uint64_t per_sec_1x = stream->op == STREAM_READ ? READS_PER_SEC_1X : WRITES_PER_SEC_1X;
	struct ratio mean;

	switch (rate->unit) {
	case CONFIG_RATE_PER_SEC:
		*ret = rate->value;
		return 0;
	case CONFIG_RATE_LOAD:
		return ratio_multiply(rate->value, ratio_make(per_sec_1x, 1), ret);
	case CONFIG_RATE_BYTES:
		if (rate_mean_bytes(stream, &mean))
			return -ERANGE;
		return ratio_multiply(rate->value, ratio_make(mean.den, mean.num), ret);
	case CONFIG_RATE_SHARE: /* of what? */
	case CONFIG_RATE_NONE:
		break;
	}
	return -EINVAL;
}

static int resolve(const struct config *config, const struct config_rate *rate,
		   const struct stream *stream, struct ratio *ret)
{
	struct ratio whole;

	if (rate->unit != CONFIG_RATE_SHARE)
		return resolve_alone(rate, stream, ret);
	int rc = resolve_alone(&config->rate, stream, &whole);
	return rc ? rc : ratio_multiply(rate->value, whole, ret);
}

int rate_per_sec(const struct config *config, const struct config_rate *rate,
		 const struct stream *stream, struct ratio *ret, struct error *err)
{
	struct ratio per_sec;
	char text[UNITS_TEXT_BYTES];
	int rc = resolve(config, rate, stream, &per_sec);

	if (rc == 0)
		rc = ratio_multiply(per_sec, config->scale, &per_sec);
	if (rc == -EINVAL)
		return error_usage(
		    err, EINVAL,
		    "streams = %s: its rate is a share of the key rate, which is not given; "
		    "allowed: rate = \"10000/s\" and the like",
		    stream->name);
	if (rc || !schedule_keeps(per_sec))
		return error_usage(
		    err, ERANGE,
		    "streams = %s: rate %s leaves the range of exact fractions; allowed: rounder "
		    "rates, sizes and weights",
		    stream->name, config_format_rate(text, *rate));
	if (ratio_compare(per_sec, ratio_make(STREAM_PER_SEC_MAX, 1)) > 0)
		return error_usage(
		    err, ERANGE,
		    "streams = %s: %.0f per second and device cannot be kept; allowed: up to "
		    "%d per second",
		    stream->name, ratio_to_double(per_sec), STREAM_PER_SEC_MAX);
	*ret = per_sec;
	return 0;
}
