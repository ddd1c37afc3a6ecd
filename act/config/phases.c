#include <stdio.h>
#include <string.h>

#include "act/config/group.h"

#define AT(field) offsetof(struct config_phase, field)

/* clang-format off */
static const struct option members[] = {
{"name", OPTION_NAME, AT(name), NULL, "- ", NULL,
 "Of the phase", NULL},
{"duration", OPTION_DURATION, AT(duration_ns), "0s", "0s", "8760h",
 "Its length, a multiple of interval; 0s: a slice", NULL},
{"judge", OPTION_SWITCH, AT(judge), "true", NULL, NULL,
 "Latency decides in it; errors always do", NULL},
{"load", OPTION_BOTH, AT(read_load), "", "0x", "10000x",
 "Sets read-load and write-load", NULL},
{"read-load", OPTION_LOAD, AT(read_load), "", "0x", "10000x",
 "Instead of the key read-load", NULL},
{"write-load", OPTION_LOAD, AT(write_load), "", "0x", "10000x",
 "Instead of the key write-load", NULL},
{"rate", OPTION_RATE, AT(rate), "", "s", NULL,
 "Instead of the key rate", NULL},
{"streams", OPTION_ISSUED, AT(streams), "", NULL, NULL,
 "Only these are issued, at rates of their own where they are given; empty: all", NULL},
{"steps", OPTION_STEPS, AT(steps_of), "", NULL, NULL,
 "One phase for each value of WHAT: load, rate, or a stream by its name; TO included", NULL},
};
/* clang-format on */

static const struct config_phase blank = {
    .judge = true,
    .read_load = {0, 1},
    .write_load = {0, 1},
    .rate = {.value = {0, 1}},
    .step_from = {.value = {0, 1}},
    .step_upto = {.value = {0, 1}},
    .step = {.value = {0, 1}},
};

static bool is_given(const void *group, const struct option *member)
{
	const struct config_phase *phase = group;

	if (member->offset == AT(read_load))
		return phase->has_read_load;
	return member->offset != AT(write_load) || phase->has_write_load;
}

static int finish(const struct setting *group, uint64_t given, struct error *err)
{
	const struct config *config = group->config;
	struct config_phase *phase = group->group;

	for (size_t i = 0; i < group_phases.members.count; i++) {
		if (!(given >> i & 1))
			continue;
		bool both = members[i].kind == OPTION_BOTH;
		phase->has_read_load |= members[i].offset == AT(read_load);
		phase->has_write_load |= both || members[i].offset == AT(write_load);
	}
	snprintf(phase->origin, sizeof(phase->origin), "%s", group->origin);
	for (const struct config_phase *other = config->phases; other < phase; other++) {
		if (strcmp(other->name, phase->name) == 0)
			return group_refuse(group, "name", phase->name, "named twice",
					    "names that differ", err);
	}
	return 0;
}

const struct group_kind group_phases = {
    .option = OPTION_PHASES,
    .what = "phase",
    .members = {members, sizeof(members) / sizeof(members[0])},
    .offset = offsetof(struct config, phases),
    .count_offset = offsetof(struct config, phase_count),
    .size = sizeof(struct config_phase),
    .max = CONFIG_PHASES_MAX,
    .blank = &blank,
    .is_given = is_given,
    .finish = finish,
};
