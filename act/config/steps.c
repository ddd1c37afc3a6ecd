#include "act/config/config.h"

/* a as a multiple of the step from b on, if it is one within 64 bits. */
static bool steps_between(const struct config_phase *phase, uint64_t *ret)
{
	struct ratio from = phase->step_from.value;
	struct ratio upto = phase->step_upto.value;
	struct ratio step = phase->step.value;
	unsigned __int128 rise = (unsigned __int128)upto.num * from.den;
	unsigned __int128 base = (unsigned __int128)from.num * upto.den;

	if (step.num == 0 || rise < base)
		return false;
	struct ratio times;
	struct ratio difference;
	if (rise - base > UINT64_MAX)
		return false;
	difference = ratio_make((uint64_t)(rise - base), from.den * upto.den);
	if (ratio_multiply(difference, ratio_make(step.den, step.num), &times))
		return false;
	*ret = times.num / times.den;
	return true;
}

size_t config_phase_steps(const struct config_phase *phase)
{
	uint64_t steps;

	if (!phase->steps_of[0])
		return 1;
	if (!steps_between(phase, &steps) || steps >= SIZE_MAX - 1)
		return 0;
	return (size_t)steps + 1;
}

struct config_rate config_phase_step(const struct config_phase *phase, size_t step)
{
	struct config_rate rate = phase->step_from;
	struct ratio rise;

	if (ratio_multiply(phase->step.value, ratio_make(step, 1), &rise) == 0)
		ratio_add(rate.value, rise, &rate.value);
	return rate;
}
