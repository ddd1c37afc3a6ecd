#include "analysis/share.h"

int share_compare(uint64_t part, uint64_t whole, struct ratio limit)
{
	uint128 share = (uint128)part * limit.den;
	uint128 bound = (uint128)whole * limit.num;

	return (share > bound) - (share < bound);
}

struct excess share_excess(uint64_t part, uint64_t whole, struct ratio limit)
{
	struct excess excess = {(uint128)part * limit.den, (uint128)whole * limit.num};

	if (excess.num == 0)
		excess.den = 1;
	return excess;
}

/* Cross-multiplying would need 256 bits; comparing the whole parts, then the
 * remainders upside down, as Euclid's algorithm does, needs none more. */
int excess_compare(struct excess a, struct excess b)
{
	int sign = 1;

	for (;;) {
		if (a.den == 0 || b.den == 0)
			return sign * ((a.den == 0) - (b.den == 0));
		uint128 whole_a = a.num / a.den;
		uint128 whole_b = b.num / b.den;

		if (whole_a != whole_b)
			return whole_a > whole_b ? sign : -sign;
		a = (struct excess){a.den, a.num % a.den};
		b = (struct excess){b.den, b.num % b.den};
		sign = -sign;
	}
}
