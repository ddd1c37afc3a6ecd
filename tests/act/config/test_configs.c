#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "act/config/config.h"

#define CONFIGS TESTS_DIR "/../configs/"

static void read_job(const char *name, struct config *config)
{
	struct error err = {.text = ""};
	char path[512];

	snprintf(path, sizeof(path), CONFIGS "%s", name);
	config_defaults(config);
	cr_assert_eq(config_parse_file(config, path, &err), 0, "%s", err.text);
	/* those that leave the device to the command line */
	if (config->target_count == 0)
		cr_assert_eq(config_add_device(config, "--device", "/dev/nvme0n1", &err), 0);
	cr_assert_eq(config_check(config, &err), 0, "%s", err.text);
}

struct job {
	const char *name;
	uint64_t read_load;
	uint64_t write_load;
	uint64_t duration_s;
	uint64_t slice_s;
	bool stress;
	bool on_file;
	enum config_arrivals arrivals;
};

static const struct job jobs[] = {
    {"quickstart.cfg", 1, 1, 60, 10, false, true, CONFIG_ARRIVALS_UNIFORM},
    {"certify-30x.cfg", 30, 30, 86400, 3600, false, false, CONFIG_ARRIVALS_UNIFORM},
    {"stress-60x.cfg", 60, 60, 86400, 3600, true, false, CONFIG_ARRIVALS_UNIFORM},
    {"stress-300r-150w.cfg", 300, 150, 86400, 3600, true, false, CONFIG_ARRIVALS_UNIFORM},
    {"soak-nightly.cfg", 30, 30, 28800, 1800, false, false, CONFIG_ARRIVALS_POISSON},
};

Test(configs, each_job_says_what_its_name_promises)
{
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		const struct job *job = &jobs[i];
		struct config config;
		read_job(job->name, &config);
		cr_expect_eq(config.read_load.num, job->read_load, "%s", job->name);
		cr_expect_eq(config.write_load.num, job->write_load, "%s", job->name);
		cr_expect_eq(config.duration_ns, job->duration_s * 1000000000, "%s", job->name);
		cr_expect_eq(config.slice_ns, job->slice_s * 1000000000, "%s", job->name);
		cr_expect_eq(config.stress, job->stress, "%s", job->name);
		cr_expect_eq(config.targets[0].is_file, job->on_file, "%s", job->name);
		cr_expect_eq(config.arrivals, job->arrivals, "%s", job->name);
		cr_expect(config.odsync && config.defrag_reads, "%s", job->name);
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
