#pragma once
#include <stddef.h>
#include <stdint.h>

#include "act/base/units.h"

/* Shares as whole numbers out of a whole. Pure. */

#define APPORTION_MAX 16

/* `share` (at most 1) of `total`, rounded to the nearest. */
uint32_t apportion_part(uint32_t total, struct ratio share);

/*
 * Deals `total` to `count` (at most APPORTION_MAX) shares that add up to 1: each gets what it is
 * due, rounded down or up to a whole number; up those that lose most otherwise (the
 * method of the largest remainder), of equals the first. Together they have `total`.
 */
void apportion(uint32_t total, const struct ratio *shares, size_t count, uint32_t *ret_counts);
