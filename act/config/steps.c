#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/config/rate.h"

#define STEPS_MAX 128
/* Of a phase's name with the value of its step; the log's readers have room for it. */
#define STEP_NAME_MAX 47

size_t config_phase_steps(const struct config_phase *phase)
{
	struct ratio span;
	struct ratio count;
	struct ratio step = phase->step.value;

	if (phase->steps_of[0] == '\0')
		return 1;
	if (step.num == 0 ||
	    ratio_subtract(phase->step_upto.value, phase->step_from.value, &span) != 0 ||
	    ratio_multiply(span, ratio_make(step.den, step.num), &count) != 0)
		return 0;
	return (size_t)(count.num / count.den) + 1;
}

static int step_value(const struct config_phase *phase, size_t step, struct ratio *ret)
{
	struct ratio above;

	int rc = ratio_multiply(phase->step.value, ratio_make(step, 1), &above);
	return rc != 0 ? rc : ratio_add(phase->step_from.value, above, ret);
}

struct config_rate config_phase_step(const struct config_phase *phase, size_t step)
{
	struct config_rate rate = phase->step_from;

	/* steps_parse saw to it that each fits */
	step_value(phase, step, &rate.value);
	return rate;
}

/* Cuts `text` at the first `sign`, and finds what is behind it; NULL when there is none. */
static char *cut(char *text, const char *sign)
{
	char *at = strstr(text, sign);

	if (!at)
		return NULL;
	*at = '\0';
	return at + strlen(sign);
}

static const char *check_steps(const struct config_phase *phase)
{
	size_t count = config_phase_steps(phase);
	struct ratio value = {0, 1};

	if (phase->step_from.unit != phase->step_upto.unit ||
	    phase->step_from.unit != phase->step.unit)
		return "not all of one unit";
	if (phase->step.value.num == 0)
		return "steps of nothing never end";
	if (ratio_compare(phase->step_from.value, phase->step_upto.value) > 0)
		return "the last value is below the first";
	if (count == 0 || count > STEPS_MAX)
		return "more than 128 steps";
	for (size_t i = 0; i < count; i++) {
		struct config_rate rate;
		char text[UNITS_TEXT_BYTES];

		if (step_value(phase, i, &value) != 0)
			return "too many decimals";
		rate = config_phase_step(phase, i);
		config_format_rate(text, rate);
		if (strlen(phase->name) + 1 + strlen(text) > STEP_NAME_MAX)
			return "names of the phases too long with the values of the steps";
	}
	if (ratio_compare(value, phase->step_upto.value) != 0)
		return "the last value is no whole number of steps above the first";
	return NULL;
}

const char *steps_parse(const char *text, struct config_phase *phase)
{
	static const char form[] = "not of the form WHAT:FROM..TO:STEP";
	struct config_phase made = *phase;
	char copy[160];
	const char *units = RATE_UNITS_ALL;
	const char *problem = form;

	if (strlen(text) >= sizeof(copy))
		return "too long";
	snprintf(copy, sizeof(copy), "%s", text);
	char *from = cut(copy, ":");
	char *upto = from ? cut(from, "..") : NULL;
	char *step = upto ? cut(upto, ":") : NULL;
	if (!step || copy[0] == '\0')
		return form;
	if (strlen(copy) >= sizeof(made.steps_of))
		return "no stream has so long a name";
	snprintf(made.steps_of, sizeof(made.steps_of), "%.31s", copy);
	if (strcmp(copy, "load") == 0) {
		units = "x";
		problem = "its values are no loads as 30x";
	} else if (strcmp(copy, "rate") == 0) {
		units = "s";
		problem = "its values are no rates as 5000/s";
	}
	int rc = rate_parse(from, units, &made.step_from);
	if (rc == 0)
		rc = rate_parse(upto, units, &made.step_upto);
	if (rc == 0)
		rc = rate_parse(step, units, &made.step);
	if (rc != 0)
		return rc == -ERANGE ? "too large" : problem;
	problem = check_steps(&made);
	if (!problem)
		*phase = made;
	return problem;
}

void steps_format(const struct config_phase *phase, char *text, size_t size)
{
	char from[UNITS_TEXT_BYTES];
	char upto[UNITS_TEXT_BYTES];
	char step[UNITS_TEXT_BYTES];

	text[0] = '\0';
	if (phase->steps_of[0] != '\0')
		snprintf(text, size, "%s:%s..%s:%s", phase->steps_of,
			 config_format_rate(from, phase->step_from),
			 config_format_rate(upto, phase->step_upto),
			 config_format_rate(step, phase->step));
}
