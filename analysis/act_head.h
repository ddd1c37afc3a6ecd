#pragma once
#include <stddef.h>

#include "analysis/act_log.h"

/* What act_log.c fills while it reads the lines before the first block. */

enum act_section {
	ACT_SECTION_NONE,
	ACT_SECTION_CONFIGURATION,
	ACT_SECTION_DERIVED,
	ACT_SECTION_NAMES
};

int act_head_init(struct act_head *head); /* 0 or -ENOMEM */
void act_head_release(struct act_head *head);

/* The section that a line is the title of; keeps the title. NONE when it is no title. */
enum act_section act_head_title(struct act_head *head, const char *line, size_t length);

/* Takes a line "key: value" of the configuration or of what is derived: 0 or -ENOMEM. */
int act_head_configuration(struct act_head *head, const char *line, size_t length);
void act_head_derived(struct act_head *head, const char *line, size_t length);

/* Index of the device of that name, which is added when there is none: 0, -E2BIG or
 * -ENOMEM. */
int act_head_device(struct act_head *head, const char *name, size_t length, size_t *ret);
/* device_count when there is none. */
size_t act_head_find_device(const struct act_head *head, const char *name, size_t length);

/* Takes the size from a line "/dev/sda size = 123 bytes, ...", if it is one. */
void act_head_size(struct act_head *head, const char *line, size_t length);
