#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "act/config/config.h"

#define CONFIGS TESTS_DIR "/../configs/"

struct job {
	const char *name;
	enum config_workload workload;
	uint64_t read_load; /* not of custom workloads */
	uint64_t write_load;
	uint64_t duration_s;
	uint64_t slice_s;
	size_t devices; /* 0: it is on a file */
	size_t streams;
	size_t phases; /* steps included */
	bool stress;
	bool no_defrag_reads;
	bool commit_to_device;
	enum config_arrivals arrivals;
};

#define STORAGE CONFIG_WORKLOAD_STORAGE
#define INDEX   CONFIG_WORKLOAD_INDEX
#define CUSTOM  CONFIG_WORKLOAD_CUSTOM

static const struct job jobs[] = {
    {"quickstart.cfg", STORAGE, 1, 1, 60, 10, .devices = 0},
    {"certify-10x.cfg", STORAGE, 10, 10, 86400, 3600, .devices = 1},
    {"certify-30x.cfg", STORAGE, 30, 30, 86400, 3600, .devices = 1},
    {"certify-60x.cfg", STORAGE, 60, 60, 86400, 3600, .devices = 1},
    {"certify-100x.cfg", STORAGE, 100, 100, 86400, 3600, .devices = 1},
    {"stress-60x.cfg", STORAGE, 60, 60, 86400, 3600, .devices = 1, .stress = true},
    {"stress-300r-150w.cfg", STORAGE, 300, 150, 86400, 3600, .devices = 1, .stress = true},
    {"soak-nightly.cfg", STORAGE, 30, 30, 28800, 1800, .devices = 1,
     .arrivals = CONFIG_ARRIVALS_POISSON},
    {"index-30x.cfg", INDEX, 30, 30, 86400, 3600, .devices = 1},
    {"commit-to-device-30x.cfg", STORAGE, 30, 30, 86400, 3600, .devices = 1,
     .commit_to_device = true},
    {"engine-memory.cfg", STORAGE, 0, 30, 86400, 3600, .devices = 1, .no_defrag_reads = true},
    {"mix-oracle.cfg", CUSTOM, 0, 0, 3600, 300, .devices = 1, .streams = 2},
    {"mix-sql-server.cfg", CUSTOM, 0, 0, 3600, 300, .devices = 1, .streams = 2},
    {"mix-vdi.cfg", CUSTOM, 0, 0, 3600, 300, .devices = 1, .streams = 2},
    {"mix-vsi.cfg", CUSTOM, 0, 0, 3600, 300, .devices = 1, .streams = 2},
    {"mix-70-30-4k.cfg", CUSTOM, 0, 0, 3600, 300, .devices = 1, .streams = 2},
    {"mix-70-30-8k.cfg", CUSTOM, 0, 0, 3600, 300, .devices = 1, .streams = 2},
    {"mix-70-30-16k.cfg", CUSTOM, 0, 0, 3600, 300, .devices = 1, .streams = 2},
    {"write-pressure.cfg", CUSTOM, 0, 0, 86 * 60, 60, .devices = 1, .streams = 2, .phases = 86},
    {"noisy-neighbour.cfg", CUSTOM, 0, 0, 70 * 60, 600, .devices = 6, .streams = 2, .phases = 7},
    {"ramp-up.cfg", STORAGE, 30, 30, 50 * 60, 300, .devices = 1, .phases = 10},
    {"idle-recovery.cfg", STORAGE, 30, 30, 90 * 60, 60, .devices = 1, .phases = 7},
};

/* Most jobs leave the devices to the command line. */
static void read_job(const struct job *job, struct config *config)
{
	struct error err = {.text = ""};
	char path[512];

	snprintf(path, sizeof(path), CONFIGS "%s", job->name);
	config_defaults(config);
	cr_assert_eq(config_parse_file(config, path, &err), 0, "%s", err.text);
	cr_expect_eq(config->target_count, job->devices == 0, "%s names devices", job->name);
	for (size_t i = 1; i <= job->devices; i++) {
		snprintf(path, sizeof(path), "/dev/nvme0n%zu", i);
		cr_assert_eq(config_add_device(config, "--device", path, &err), 0);
	}
	cr_assert_eq(config_settle(config, &err), 0, "%s", err.text);
	cr_assert_eq(config_check(config, &err), 0, "%s", err.text);
}

static size_t count_phases(const struct config *config)
{
	size_t count = 0;

	for (size_t i = 0; i < config->phase_count; i++)
		count += config_phase_steps(&config->phases[i]);
	return count;
}

Test(configs, each_job_says_what_its_name_promises)
{
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		const struct job *job = &jobs[i];
		struct config config;
		read_job(job, &config);
		cr_expect_eq(config.workload, job->workload, "%s", job->name);
		if (job->workload != CUSTOM) {
			cr_expect_eq(config.read_load.num, job->read_load, "%s", job->name);
			cr_expect_eq(config.write_load.num, job->write_load, "%s", job->name);
		}
		cr_expect_eq(config.duration_ns, job->duration_s * 1000000000, "%s", job->name);
		cr_expect_eq(config.slice_ns, job->slice_s * 1000000000, "%s", job->name);
		cr_expect_eq(config.stream_count, job->streams, "%s", job->name);
		cr_expect_eq(count_phases(&config), job->phases, "%s", job->name);
		cr_expect_eq(config.stress, job->stress, "%s", job->name);
		cr_expect_eq(config.targets[0].is_file, job->devices == 0, "%s", job->name);
		cr_expect_eq(config.arrivals, job->arrivals, "%s", job->name);
		cr_expect_eq(config.commit_to_device, job->commit_to_device, "%s", job->name);
		cr_expect_eq(config.defrag_reads, !job->no_defrag_reads, "%s", job->name);
		cr_expect(config.odsync, "%s", job->name);
	}
}

Test(configs, there_is_no_job_that_is_not_tested)
{
	DIR *dir = opendir(CONFIGS);
	size_t found = 0;

	cr_assert(dir);
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		const char *dot = strrchr(entry->d_name, '.');
		found += dot && strcmp(dot, ".cfg") == 0;
	}
	closedir(dir);
	cr_expect_eq(found, sizeof(jobs) / sizeof(jobs[0]));
}
