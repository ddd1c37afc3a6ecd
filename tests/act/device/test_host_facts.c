#include "act/device/host_facts.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scratch.h"
#include "tests/support/sysfs_tree.h"

#define CPU "sys/devices/system/cpu/"

static char root[SCRATCH_PATH_BYTES];
static struct facts facts;

static void setup(void)
{
	scratch_make(root);
	facts = (struct facts){0};
}

static void teardown(void)
{
	facts_release(&facts);
	scratch_remove(root);
}

TestSuite(host_facts, .init = setup, .fini = teardown);

static void expect_fact(const char *key, const char *want)
{
	const char *value = facts_get(&facts, FACTS_HOST, key);

	if (!want)
		cr_expect(eq(int, value == NULL, 1), "%s: %s", key, value);
	else
		cr_expect(value && !strcmp(value, want), "%s: %s", key, value ? value : "(none)");
}

Test(host_facts, of_a_made_up_host)
{
	static const struct sysfs_file files[] = {
	    {CPU "cpu0/cpufreq/scaling_governor", "performance\n"},
	    {CPU "cpu0/cpufreq/scaling_driver", "intel_pstate\n"},
	    {CPU "cpu1/cpufreq/scaling_governor", "performance\n"},
	    {CPU "cpu1/other", "x\n"},
	    {CPU "cpuidle/current_driver", "intel_idle\n"},
	    {CPU "smt/control", "on\n"},
	    {CPU "intel_pstate/no_turbo", "0\n"},
	    {CPU "vulnerabilities/mds", "Vulnerable: Clear CPU buffers attempted\n"},
	    {CPU "vulnerabilities/meltdown", "Mitigation: PTI\n"},
	    {CPU "vulnerabilities/l1tf", "Not affected\n"},
	    {CPU "vulnerabilities/srbds", "Not affected\n"},
	    {"sys/devices/system/node/online", "0-1\n"},
	    {"sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"},
	    {"sys/class/dmi/id/product_name", "A Server\n"},
	    {"proc/cmdline", "root=/dev/sda quiet mitigations=off ro\n"},
	    {"proc/meminfo", "MemTotal:       1024 kB\nMemFree:   1 kB\n"},
	};

	sysfs_tree_make(root, files, sizeof(files) / sizeof(files[0]));
	host_facts_add(root, &facts);
	expect_fact("governor", "performance");
	expect_fact("cpufreq_driver", "intel_pstate");
	expect_fact("idle_driver", "intel_idle");
	expect_fact("smt", "on");
	expect_fact("no_turbo", "0");
	expect_fact("boost", NULL);
	expect_fact("mitigations", "2 not affected, 1 mitigated, 1 vulnerable (mds)");
	expect_fact("mitigations_option", "off");
	expect_fact("numa_nodes", "0-1");
	expect_fact("clock_source", "tsc");
	expect_fact("machine", "A Server");
	expect_fact("memory_bytes", "1048576");
}

Test(host_facts, of_cpus_with_several_governors)
{
	static const struct sysfs_file files[] = {
	    {CPU "cpu0/cpufreq/scaling_governor", "powersave\n"},
	    {CPU "cpu1/cpufreq/scaling_governor", "performance\n"},
	    {CPU "vulnerabilities/l1tf", "Not affected\n"},
	    {"proc/cmdline", "quiet\n"},
	};
	const char *governor;

	sysfs_tree_make(root, files, sizeof(files) / sizeof(files[0]));
	host_facts_add(root, &facts);
	governor = facts_get(&facts, FACTS_HOST, "governor");
	cr_assert_not_null(governor);
	cr_expect(strstr(governor, "powersave") && strstr(governor, "performance"), "%s", governor);
	expect_fact("mitigations", "1 not affected, 0 mitigated, 0 vulnerable");
	expect_fact("mitigations_option", NULL);
}

Test(host_facts, of_a_host_that_tells_nothing)
{
	host_facts_add(root, &facts);
	cr_expect(eq(sz, facts.count, 0));
}

Test(host_facts, of_this_host)
{
	const char *memory;

	host_facts_add("", &facts);
	memory = facts_get(&facts, FACTS_HOST, "memory_bytes");
	cr_assert_not_null(memory);
	cr_expect(gt(u64, strtoull(memory, NULL, 10), 1 << 20));
}
