#include "act/run/environment.h"

#include <gnu/libc-version.h>

#include "act/device/facts.h"
#include "act/device/host_facts.h"

void environment_record(const struct targets *targets, struct facts *facts)
{
	host_facts_add("", facts);
	facts_add(facts, FACTS_HOST, "glibc", gnu_get_libc_version());
	facts_add(facts, FACTS_HOST, "built_with", ACTCERT_BUILT_WITH);
	for (size_t i = 0; i < targets->count; i++)
		device_facts_add(&targets->devices[i], FACTS_DEVICE(i), facts);
}
