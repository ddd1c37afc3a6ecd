#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "analysis/act_log.h"

/* Fills *message when the line tells of trouble, all but its `line`. */
bool act_message_parse(const struct act_head *head, const char *line, size_t length,
		       struct act_message *message);
