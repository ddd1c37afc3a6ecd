#include <string.h>

#include "act/config/check.h"

/* Keys that do nothing in some of the workloads. */

#define OF(workload) (1u << CONFIG_WORKLOAD_##workload)

static const struct {
	const char *key;
	unsigned workloads; /* in which it has a meaning */
	const char *allowed;
} keys[] = {
    {"read-load", OF(STORAGE) | OF(INDEX), "scale, or rates in the streams of a custom workload"},
    {"write-load", OF(STORAGE) | OF(INDEX), "scale, or rates in the streams of a custom workload"},
    {"replication-factor", OF(STORAGE) | OF(INDEX), "workloads storage and index"},
    {"defrag-lwm", OF(STORAGE) | OF(INDEX), "workloads storage and index"},
    {"record-size", OF(STORAGE), "workload storage"},
    {"record-size-max", OF(STORAGE), "workload storage"},
    {"large-block", OF(STORAGE), "workload storage"},
    {"update-share", OF(STORAGE), "workload storage"},
    {"defrag-reads", OF(STORAGE), "workload storage"},
    {"commit-to-device", OF(STORAGE), "workload storage"},
    {"tomb-raider", OF(STORAGE), "workload storage"},
    {"tomb-raider-sleep", OF(STORAGE), "workload storage"},
    {"rate", OF(CUSTOM), "load, or workload custom"},
};

/* Their defaults may be written, as in a printed config. */
int check_meaning(const struct config *config, struct error *err)
{
	char value[VALUE_BYTES];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct option *option = option_find(keys[i].key);

		if (keys[i].workloads >> config->workload & 1 ||
		    strcmp(value_format(option, config, value), option->initial) == 0)
			continue;
		return check_refuse_pair(config, option->key, "workload",
					 "means nothing to this load", keys[i].allowed, err);
	}
	return 0;
}
