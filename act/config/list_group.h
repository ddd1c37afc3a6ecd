#pragma once
#include "act/config/options.h"

/*
 * Items of the lists that groups have: sizes of a stream, streams of a phase. As those of
 * list.c, with the place in the group given. Private to act/config.
 */

int sizes_add(const struct setting *setting, struct config_size *sizes, size_t *count,
	      struct error *err);
/* One of `count` sizes. */
void sizes_format(const struct config_size *size, size_t count, char text[static LIST_ITEM_BYTES]);
int issued_add(const struct setting *setting, struct config_phase_rate *issued, size_t *count,
	       struct error *err);
void issued_format(const struct config_phase_rate *issued, char text[static LIST_ITEM_BYTES]);
