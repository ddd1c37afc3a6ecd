#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/base/clock.h"
#include "act/config/config.h"
#include "act/config/options.h"

#define YEAR_NS (8760 * 3600 * NS_PER_SEC) /* the longest duration that the table takes */

/* Of all phases; false when it is longer than a run may be. */
static bool sum_phases(const struct config *config, uint64_t *ret_ns)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < config->phase_count; i++) {
		const struct config_phase *phase = &config->phases[i];
		uint64_t each = phase->duration_ns > 0 ? phase->duration_ns : config->slice_ns;
		uint64_t length;

		if (__builtin_mul_overflow(each, config_phase_steps(phase), &length) ||
		    __builtin_add_overflow(sum, length, &sum))
			return false;
	}
	*ret_ns = sum;
	return sum <= YEAR_NS;
}

int config_settle(struct config *config, struct error *err)
{
	const char *set_at = config->origins[option_find("duration") - options];
	char problem[ALLOWED_BYTES];
	char text[UNITS_TEXT_BYTES];
	uint64_t sum_ns;

	if (config->phase_count == 0)
		return 0;
	if (!sum_phases(config, &sum_ns))
		return config_refuse(config, "phases", "together longer than a run may be",
				     "up to 8760h", err);
	if (set_at[0] == '\0') {
		config->duration_ns = sum_ns;
		return 0;
	}
	if (config->duration_ns <= sum_ns)
		return 0;
	snprintf(problem, sizeof(problem), "longer than all phases, which take %s",
		 units_format_duration(text, sum_ns));
	return config_refuse(config, "duration", problem,
			     "up to that, or not to set it, which is all phases", err);
}
