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
#define CONFIG_STREAMS_MAX  8
#define CONFIG_SIZES_MAX    16
#define CONFIG_PHASES_MAX   32
#define CONFIG_NAME_BYTES   32
#define CONFIG_PATH_BYTES   256
#define CONFIG_ORIGIN_BYTES 160

enum config_engine { CONFIG_ENGINE_URING, CONFIG_ENGINE_NULL, CONFIG_ENGINE_NOP };
enum config_arrivals { CONFIG_ARRIVALS_UNIFORM, CONFIG_ARRIVALS_POISSON };
enum config_verify { CONFIG_VERIFY_AUTO, CONFIG_VERIFY_ON, CONFIG_VERIFY_OFF };
enum config_workload { CONFIG_WORKLOAD_STORAGE, CONFIG_WORKLOAD_INDEX, CONFIG_WORKLOAD_CUSTOM };
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

/* How often a stream is issued on each of its devices. */
enum config_rate_unit {
	CONFIG_RATE_NONE,
	CONFIG_RATE_PER_SEC, /* "5000/s" */
	CONFIG_RATE_LOAD,    /* "30x": of 2000 reads/s or 1000 writes/s */
	CONFIG_RATE_SHARE,   /* "83.14%": of the key `rate` */
	CONFIG_RATE_BYTES,   /* "850MB/s": over the mean size of the stream's requests */
};

struct config_rate {
	enum config_rate_unit unit;
	struct ratio value; /* in that unit; a share as a fraction of 1 */
};

/* "4KiB:22.1" or "4KiB..8KiB:22.1"; weights are normalized. */
struct config_size {
	uint64_t min_bytes;
	uint64_t max_bytes;
	struct ratio weight;
};

/* What a group may say or leave to the rest of the config. */
enum config_choice { CONFIG_AS_DEFAULT, CONFIG_NO, CONFIG_YES };

/* A group of `streams`. */
struct config_stream {
	char name[CONFIG_NAME_BYTES];
	bool is_write;
	struct config_rate rate;
	struct config_size sizes[CONFIG_SIZES_MAX];
	size_t size_count;
	struct ratio random;      /* share of the requests at random places */
	struct ratio region_from; /* of the device */
	struct ratio region_upto;
	uint64_t devices;       /* bit i: it is issued on the device of number i + 1; 0: on all */
	uint64_t in_flight_cap; /* 0: the config's */
	enum config_choice odsync;
	enum config_choice judge; /* by default reads are judged, writes are not */
	struct config_criterion criteria[CONFIG_CRITERIA_MAX]; /* none: the config's */
	size_t criterion_count;
	char origin[CONFIG_ORIGIN_BYTES]; /* FILE:LINE */
};

/* What is different in a phase. */
struct config_phase_rate {
	char stream[CONFIG_NAME_BYTES];
	struct config_rate rate; /* CONFIG_RATE_NONE: the stream's own */
};

/* A group of `phases`. With `steps`, one phase for each value from `from` to `upto`. */
struct config_phase {
	char name[CONFIG_NAME_BYTES];
	uint64_t duration_ns; /* 0: a slice */
	bool judge;
	bool has_read_load;
	bool has_write_load;
	struct ratio read_load;
	struct ratio write_load;
	struct config_rate rate; /* instead of the key `rate`; CONFIG_RATE_NONE: as that */
	/* Only these streams are issued; none: all. */
	struct config_phase_rate streams[CONFIG_STREAMS_MAX];
	size_t stream_count;
	char steps_of[CONFIG_NAME_BYTES]; /* "load", "rate" or the name of a stream; "" no steps */
	struct config_rate step_from;
	struct config_rate step_upto;
	struct config_rate step;
	char origin[CONFIG_ORIGIN_BYTES];
};

struct config {
	/* targets: devices first, then files */
	struct config_target targets[CONFIG_DEVICES_MAX];
	size_t target_count;
	bool fill_files;

	/* load, per device */
	enum config_workload workload;
	struct ratio scale;      /* of all rates */
	struct config_rate rate; /* that of which streams have shares; per second */
	struct config_stream streams[CONFIG_STREAMS_MAX]; /* custom only */
	size_t stream_count;
	struct config_phase phases[CONFIG_PHASES_MAX];
	size_t phase_count;
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
	char judged[CONFIG_JUDGED_MAX]
		   [CONFIG_NAME_BYTES]; /* stream names; none: the workload's default */
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

/* Which program of ACT a config of it is for. */
enum config_act { CONFIG_ACT_BY_CONTENT, CONFIG_ACT_STORAGE, CONFIG_ACT_INDEX };

/* As config_parse_file, but the file may also be a config of ACT, of any version,
 * which is recognised by its content and sets every key that it says anything of
 * (import.h); one for act_index is of workload index. What of it has no meaning here, and
 * what could be misread, is told in lines, also when it fails later. */
int config_load_file(struct config *config, const char *path, enum config_act act,
		     const struct config_notice *notice, struct error *err);

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

/* "83.14%", "850MB/s"; empty for CONFIG_RATE_NONE. Returns `text`. */
char *config_format_rate(char text[static UNITS_TEXT_BYTES], struct config_rate rate);

/* How many phases a group stands for (1 without steps, 0 when they would never end), and
 * the value of one of its steps, from 0. */
size_t config_phase_steps(const struct config_phase *phase);
struct config_rate config_phase_step(const struct config_phase *phase, size_t step);

/* Sets what follows from other keys and was not set itself: `duration` is that of all
 * phases. After the last config_set, before config_check. */
int config_settle(struct config *config, struct error *err);

/* Checks what no single key can: at least one target, slice and duration,
 * record and large block, and so on. Opens nothing. */
int config_check(const struct config *config, struct error *err);

/* Tells what counts otherwise than it reads: weights that do not sum to 100, a line for each
 * stream. Of a config that config_check found right. */
void config_tell(const struct config *config, const struct config_notice *notice);

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
