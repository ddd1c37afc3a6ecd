#include "act/device/host_facts.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/device/sysfs.h"

#define CPUS_FOLDER "/sys/devices/system/cpu"

struct line_fact {
	const char *key;
	const char *file;
};

static const struct line_fact line_facts[] = {
    {"machine", "/sys/class/dmi/id/product_name"},
    {"cpufreq_driver", CPUS_FOLDER "/cpu0/cpufreq/scaling_driver"},
    {"boost", CPUS_FOLDER "/cpufreq/boost"},
    {"no_turbo", CPUS_FOLDER "/intel_pstate/no_turbo"},
    {"idle_driver", CPUS_FOLDER "/cpuidle/current_driver"},
    {"smt", CPUS_FOLDER "/smt/control"},
    {"numa_nodes", "/sys/devices/system/node/online"},
    {"clock_source", "/sys/devices/system/clocksource/clocksource0/current_clocksource"},
};

static void add_lines(const char *root, struct facts *facts)
{
	for (size_t i = 0; i < sizeof(line_facts) / sizeof(line_facts[0]); i++) {
		char path[PATH_MAX];
		char value[FACT_VALUE_BYTES];

		snprintf(path, sizeof(path), "%s%s", root, line_facts[i].file);
		if (sysfs_read_line(path, value, sizeof(value)))
			facts_add(facts, FACTS_HOST, line_facts[i].key, value);
	}
}

/* The governors of all CPUs, each once: "performance", "performance, powersave". */
static void add_governor(const char *root, struct facts *facts)
{
	char path[PATH_MAX];
	char governor[64];
	char all[FACT_VALUE_BYTES] = "";
	DIR *folder;
	struct dirent *entry;

	snprintf(path, sizeof(path), "%s" CPUS_FOLDER, root);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		size_t used = strlen(all);

		if (strncmp(entry->d_name, "cpu", 3) != 0 || !isdigit(entry->d_name[3]))
			continue;
		snprintf(path, sizeof(path), "%s" CPUS_FOLDER "/%s/cpufreq/scaling_governor", root,
			 entry->d_name);
		if (sysfs_read_line(path, governor, sizeof(governor)) && !strstr(all, governor))
			snprintf(all + used, sizeof(all) - used, "%s%s", used ? ", " : "",
				 governor);
	}
	if (folder)
		closedir(folder);
	facts_add(facts, FACTS_HOST, "governor", all);
}

/* "13 not affected, 5 mitigated, 1 vulnerable (mds)" */
static void add_mitigations(const char *root, struct facts *facts)
{
	char path[PATH_MAX];
	char line[256];
	char names[128] = "";
	char text[FACT_VALUE_BYTES];
	unsigned unaffected = 0;
	unsigned vulnerable = 0;
	unsigned mitigated = 0;
	DIR *folder;
	struct dirent *entry;

	snprintf(path, sizeof(path), "%s" CPUS_FOLDER "/vulnerabilities", root);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		size_t used = strlen(names);

		snprintf(path, sizeof(path), "%s" CPUS_FOLDER "/vulnerabilities/%s", root,
			 entry->d_name);
		if (entry->d_name[0] == '.' || !sysfs_read_line(path, line, sizeof(line)))
			continue;
		if (strcasestr(line, "vulnerable")) {
			vulnerable++;
			snprintf(names + used, sizeof(names) - used, "%s%.60s", used ? ", " : "",
				 entry->d_name);
		} else if (strstr(line, "Not affected")) {
			unaffected++;
		} else if (strstr(line, "Mitigation")) {
			mitigated++;
		}
	}
	if (!folder)
		return;
	closedir(folder);
	snprintf(text, sizeof(text), "%u not affected, %u mitigated, %u vulnerable%s%s%s",
		 unaffected, mitigated, vulnerable, vulnerable ? " (" : "", names,
		 vulnerable ? ")" : "");
	if (unaffected + mitigated + vulnerable > 0)
		facts_add(facts, FACTS_HOST, "mitigations", text);
}

/* What the kernel was started with decides what of them is on. */
static void add_mitigations_option(const char *root, struct facts *facts)
{
	static const char option[] = "mitigations=";
	char path[PATH_MAX];
	char *line = NULL;
	char *rest = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/cmdline", root);
	file = fopen(path, "re");
	if (!file)
		return;
	if (getline(&line, &room, file) > 0)
		for (char *word = strtok_r(line, " \n", &rest); word;
		     word = strtok_r(NULL, " \n", &rest))
			if (!strncmp(word, option, strlen(option)))
				facts_add(facts, FACTS_HOST, "mitigations_option",
					  word + strlen(option));
	free(line);
	fclose(file);
}

static void add_memory(const char *root, struct facts *facts)
{
	char path[PATH_MAX];
	char line[256];
	uint64_t kib;
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	file = fopen(path, "re");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "MemTotal: %" SCNu64 " kB", &kib) == 1)
			facts_add_number(facts, FACTS_HOST, "memory_bytes", kib * 1024);
	fclose(file);
}

void host_facts_add(const char *root, struct facts *facts)
{
	add_lines(root, facts);
	add_governor(root, facts);
	add_mitigations(root, facts);
	add_mitigations_option(root, facts);
	add_memory(root, facts);
}
