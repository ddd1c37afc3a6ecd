#pragma once
#include <stdint.h>

#include "act/base/units.h"

/* Shares are compared as integers, never as floating-point numbers. */

typedef unsigned __int128 uint128;

/* <0, 0, >0 as part/whole is less than, equal to or greater than `limit`; 0/0
 * is equal to any. Exact. */
int share_compare(uint64_t part, uint64_t whole, struct ratio limit);

/* How many times its limit a share is, as an exact fraction num/den; den is 0
 * for a share above a limit of 0. */
struct excess {
	uint128 num;
	uint128 den;
};

/* A share of nothing (whole 0) has no excess: 0/1. */
struct excess share_excess(uint64_t part, uint64_t whole, struct ratio limit);

/* <0, 0, >0 as a is less than, equal to or greater than b; exact. */
int excess_compare(struct excess a, struct excess b);
