#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/base/units.h"

/*
 * What a run was asked to do. A plain value that owns nothing: copy it as you
 * like. Which keys there are, their units, ranges and defaults stand in the
 * options table (options.c) and nowhere else.
 *
 * (config_init and config_read_file are names of libconfig, hence
 * config_defaults and config_parse_file.)
 *
 * No function here is thread-safe on one and the same config. Errors are usage
 * errors of one line: "ORIGIN: KEY = VALUE: what is wrong; allowed: what is",
 * where ORIGIN is FILE:LINE or the command-line option.
 */

#define CONFIG_DEVICES_MAX  64
#define CONFIG_CRITERIA_MAX 8
#define CONFIG_JUDGED_MAX   8
#define CONFIG_KEYS_MAX     48
#define CONFIG_PATH_BYTES   256
#define CONFIG_ORIGIN_BYTES 160

enum config_engine { CONFIG_ENGINE_URING, CONFIG_ENGINE_NULL, CONFIG_ENGINE_NOP };
enum config_arrivals { CONFIG_ARRIVALS_UNIFORM, CONFIG_ARRIVALS_POISSON };
enum config_verify { CONFIG_VERIFY_AUTO, CONFIG_VERIFY_ON, CONFIG_VERIFY_OFF };
enum config_wait { CONFIG_WAIT_AUTO, CONFIG_WAIT_PRECISE, CONFIG_WAIT_ECO };

struct config_target {
	char path[CONFIG_PATH_BYTES];
	bool is_file;        /* given as PATH:SIZE; made and filled by us if it is missing */
	uint64_t size_bytes; /* files only */
};

struct config_criterion {
	uint64_t threshold_ns;
	struct ratio limit; /* share of requests that may take as long or longer */
};

struct config {
	/* targets: devices first, then files */
	struct config_target targets[CONFIG_DEVICES_MAX];
	size_t target_count;
	bool fill_files;

	/* load, per device */
	struct ratio read_load;
	struct ratio write_load;
	uint64_t record_bytes;
	uint64_t record_max_bytes; /* 0: all records have record_bytes */
	uint64_t large_block_bytes;
	uint64_t replication_factor;
	struct ratio update_share;
	struct ratio defrag_lwm;
	bool defrag_reads;
	bool commit_to_device;
	bool tomb_raider;
	uint64_t tomb_raider_sleep_ns;
	enum config_verify verify;
	struct ratio compress; /* size of written data after compression, share of its size */
	bool odsync;

	/* time and judgement */
	uint64_t duration_ns;
	uint64_t slice_ns;
	uint64_t interval_ns;
	bool stress;
	struct config_criterion criteria[CONFIG_CRITERIA_MAX];
	size_t criterion_count;
	char judged[CONFIG_JUDGED_MAX][32]; /* stream names; none: the workload's default */
	size_t judged_count;
	uint64_t hang_limit_ns;
	uint64_t max_lag_ns; /* 0: never stop for lag */
	bool microsecond_histograms;

	/* how the load is issued */
	enum config_engine engine;
	bool polled; /* engine uring only */
	enum config_arrivals arrivals;
	enum config_wait wait;
	uint64_t tick_ns; /* eco only */
	uint64_t workers_per_device;
	char cpus[64]; /* "auto", "none" or a list as "2-5,8" */
	uint64_t batch;
	uint64_t in_flight_cap; /* per stream and worker; 0: chosen from rate and memory */
	uint64_t seed;          /* 0: chosen at start */
	uint64_t selftest_ns;   /* of this host before the run; 0: none */

	/* private: where each key was set, in the order of the options table; "" is the default */
	char origins[CONFIG_KEYS_MAX][CONFIG_ORIGIN_BYTES];
};

/* All defaults of the options table. */
void config_defaults(struct config *config);

/* Reads a libconfig file over what is there: a list in it replaces the list, and
 * the order of its keys does not matter. Opens `path` for reading and nothing
 * else (@include is refused). On failure `config` may be set in part. */
int config_parse_file(struct config *config, const char *path, struct error *err);

/* Takes one line at a time that people should see beside what a file gives. */
struct config_notice {
	void (*say)(void *state, const char *line);
	void *state;
};

/* As config_parse_file, but the file may also be a config of ACT, of any version,
 * which is recognised by its content and sets every key that it says anything of
 * (import.h). What of it has no meaning here, and what could be misread, is told in
 * lines, also when it fails later. */
int config_load_file(struct config *config, const char *path, const struct config_notice *notice,
		     struct error *err);

/* Sets one key from text, as --set KEY=VALUE does; lists are comma-separated and
 * replace the list, "" empties it. `origin` ("--load") stands in error texts
 * where FILE:LINE would. "load" sets read-load and write-load.
 * On failure a list may be set in part. */
int config_set(struct config *config, const char *origin, const char *key, const char *value,
	       struct error *err);

/* Adds a device to the list, or a file given as "PATH:SIZE". Refuses the same
 * path twice. */
int config_add_device(struct config *config, const char *origin, const char *path,
		      struct error *err);
int config_add_file(struct config *config, const char *origin, const char *path_and_size,
		    struct error *err);

/* Checks what no single key can: at least one target, slice and duration,
 * record and large block, and so on. Opens nothing. */
int config_check(const struct config *config, struct error *err);

/* For checks made elsewhere: stores "ORIGIN: KEY = VALUE: problem; allowed: ..."
 * about a key's present value (`key` must be one of the table) and returns
 * -EINVAL. */
int config_refuse(const struct config *config, const char *key, const char *problem,
		  const char *allowed, struct error *err);

/* The whole config as text that config_parse_file reads back to an equal value,
 * with each key's help as a comment. Heap string, the caller frees it; NULL when
 * memory is short. */
char *config_print(const struct config *config);

/* The table as text for `actcert run --help`: each key with default, range and
 * help, at most 100 columns wide. Heap string, the caller frees it; NULL when
 * memory is short. */
char *config_help(void);
