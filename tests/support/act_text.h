#pragma once
#include <stddef.h>

#include "analysis/act_log.h"

/* A log of the older tool in memory, of which only a part may be there yet. */
struct act_text {
	const char *text;
	size_t at;
	size_t length; /* what is there */
	size_t piece;  /* bytes handed out at a time */
};

struct act_text act_text(const char *text);
struct act_source act_text_source(struct act_text *text);
