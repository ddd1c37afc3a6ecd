#include "act/workload/rate.h"

#include <errno.h>
#include <stdio.h>

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

static int resolve(const struct config *config, const struct config_rate *rate,
		   const struct stream *stream, struct ratio *ret)
{
	uint64_t per_sec_1x = stream->op == STREAM_READ ? READS_PER_SEC_1X : WRITES_PER_SEC_1X;
	struct ratio mean;
	struct ratio whole;

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
	case CONFIG_RATE_SHARE:
		if (config->rate.unit == CONFIG_RATE_SHARE)
			return -EINVAL; /* of what? */
		if (resolve(config, &config->rate, stream, &whole))
			return -ERANGE;
		return ratio_multiply(rate->value, whole, ret);
	case CONFIG_RATE_NONE:
		break;
	}
	return -EINVAL;
}

int rate_per_sec(const struct config *config, const struct config_rate *rate,
		 const struct stream *stream, struct ratio *ret, struct error *err)
{
	struct ratio per_sec;
	char text[RATE_TEXT_BYTES];
	int rc = resolve(config, rate, stream, &per_sec);

	if (rc == 0)
		rc = ratio_multiply(per_sec, config->scale, &per_sec);
	if (rc == -EINVAL)
		return error_usage(err, EINVAL,
				   "%s: its rate is a share of the key rate, which is not given; "
				   "allowed: rate = \"10000/s\" and the like",
				   stream->name);
	if (rc)
		return error_usage(
		    err, ERANGE,
		    "%s: rate %s leaves the range of exact fractions; allowed: rounder "
		    "rates, sizes and weights",
		    stream->name, rate_format(text, rate));
	if (ratio_compare(per_sec, ratio_make(STREAM_PER_SEC_MAX, 1)) > 0)
		return error_usage(err, ERANGE,
				   "%s: %.0f per second and device cannot be kept; allowed: up to "
				   "%d per second",
				   stream->name, ratio_to_double(per_sec), STREAM_PER_SEC_MAX);
	*ret = per_sec;
	return 0;
}

static void format_per_sec(char text[static RATE_TEXT_BYTES], struct ratio value)
{
	char load[UNITS_TEXT_BYTES];
	size_t length;

	/* A decimal fraction where there is one. */
	units_format_load(load, value);
	for (length = 0; load[length] && load[length] != 'x'; length++)
		;
	snprintf(text, RATE_TEXT_BYTES, "%.*s/s", (int)length, load);
}

char *rate_format(char text[static RATE_TEXT_BYTES], const struct config_rate *rate)
{
	char part[UNITS_TEXT_BYTES];

	switch (rate->unit) {
	case CONFIG_RATE_NONE:
		text[0] = '\0';
		break;
	case CONFIG_RATE_PER_SEC:
		format_per_sec(text, rate->value);
		break;
	case CONFIG_RATE_LOAD:
		snprintf(text, RATE_TEXT_BYTES, "%s", units_format_load(part, rate->value));
		break;
	case CONFIG_RATE_SHARE:
		snprintf(text, RATE_TEXT_BYTES, "%s", units_format_percent(part, rate->value));
		break;
	case CONFIG_RATE_BYTES:
		units_format_size(part, rate->value.num / rate->value.den);
		snprintf(text, RATE_TEXT_BYTES, "%s/s", part);
		break;
	}
	return text;
}
