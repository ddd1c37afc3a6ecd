#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/facts.h"
#include "act/base/units.h"
#include "analysis/interval.h"
#include "analysis/telemetry.h"

/*
 * What must be known of a run to read and judge its intervals. The first JSON
 * line of a log carries all of it but `environment` and `telemetry`, which are
 * for reports and fill up later. A plain value; what it points to is on the heap,
 * shared by plain copies, and freed by run_info_release.
 */

#define INFO_NAME_BYTES 256
#define INFO_JUDGED_MAX 8

struct info_device {
	char name[INFO_NAME_BYTES]; /* the path as the user gave it */
	bool is_file;
	uint64_t size_bytes;
	uint64_t logical_block_bytes;
	uint64_t physical_block_bytes;
	char model[64]; /* empty when unknown, like the next two */
	char serial[64];
	char firmware[32];
	bool verified;          /* what is read from it is checked */
	char not_verified[128]; /* why not; empty when it is, or not known */
};

struct info_criterion {
	uint64_t threshold_ns;
	struct ratio limit; /* of all requests; a share equal to the limit passes */
};

struct info_stream {
	char name[64];
	bool is_write;
	bool large_block;
	struct ratio per_sec; /* planned, per device; where there are phases, the highest */
	uint64_t size_min_bytes;
	uint64_t size_max_bytes;
	uint64_t devices; /* bit i: it is issued on device i; 0: on all, as on those from 64 on */
	/* Limits of its own, of thresholds that are among those of the run; with none,
	 * the run's count. */
	struct info_criterion criteria[THRESHOLDS_MAX];
	size_t criterion_count;
};

/* A part of the run with rates of its own. Slices begin anew with each phase. */
struct info_phase {
	char name[64];
	uint64_t start_ns; /* since the start of the run */
	uint64_t end_ns;
	bool judged;           /* false: only errors decide */
	struct ratio *per_sec; /* [stream_count], planned, per device; 0: the stream rests */
};

struct run_info {
	char version[32]; /* of actcert; "ACT 6.6" for a log of the older tool */
	char run_id[24];  /* 16 hex digits; empty for the older tool, like what follows */
	char started[40]; /* ISO 8601 with zone */
	char host[64];
	char kernel[96];
	char cpu[96];
	uint64_t cpus;
	char engine[16];
	char arrivals[16];
	/* Why this can be no certification (a file, the null engine...); empty when it can. */
	char caveat[192];
	uint64_t duration_ns;
	uint64_t slice_ns;
	uint64_t interval_ns;
	bool stress;
	bool microsecond_histograms;
	/* Thresholds rising. One that only streams of their own criteria have has the limit
	 * 1, which nothing exceeds. */
	struct info_criterion criteria[THRESHOLDS_MAX];
	size_t criterion_count;
	char judged[INFO_JUDGED_MAX][64]; /* names of streams */
	size_t judged_count;
	struct info_device *devices;
	size_t device_count;
	struct info_stream *streams;
	size_t stream_count;
	struct info_phase *phases; /* one behind the other; none: the run is one */
	size_t phase_count;
	struct facts *environment;   /* at the start of the run */
	struct telemetry *telemetry; /* so far */
	/* Text of the older tool's blocks; written, but not read back. */
	char title[32];    /* "ACT-STORAGE" */
	char subtitle[48]; /* "Storage device IO test" */
	/* Lines "key: value", no newline within a value; report-interval-sec and
	 * microsecond-histograms must be among them. */
	char configuration[4096];
	char derived[1024];
};

/* Why a run ended. */
enum end_reason {
	END_NONE,        /* the log just stops: killed, or the host went down */
	END_COMPLETED,   /* the planned duration was reached */
	END_SIGNAL,      /* stopped by a signal */
	END_DEVICE_LOST, /* a device failed every request, or returned none, for the hang limit */
	END_MAX_LAG,     /* further behind than max-lag */
	END_DEVICE_CHANGED, /* a device is gone, or another is under its name or in its place */
	END_REASONS
};

struct run_end {
	enum end_reason reason;
	int signal;         /* END_SIGNAL only */
	size_t device;      /* of END_DEVICE_LOST, END_MAX_LAG and END_DEVICE_CHANGED: index */
	uint64_t at_ns;     /* since the start of the run */
	bool log_disk_full; /* parts of the log could not be written */
};

/* Whether run_end.device says something. */
bool run_end_names_device(enum end_reason reason);

/* What is wrong with the data of a read. */
enum wrong_kind {
	WRONG_NOT,       /* nothing, or it was not looked at */
	WRONG_ZEROS,     /* nothing but zeros */
	WRONG_FOREIGN,   /* somebody else's data */
	WRONG_CORRUPT,   /* begins like ours, but its checksum is wrong */
	WRONG_MISPLACED, /* whole, but written for another place */
	WRONG_STALE,     /* whole and in its place, but of another preparation or device */
	WRONG_KINDS
};

#define WRONG_HEADER_BYTES 32

/* The first wrong sector of a read. */
struct wrong_data {
	enum wrong_kind kind;
	uint64_t offset_bytes; /* where it was read, and what it should say it is for */
	uint64_t data_id;      /* of the preparation that it should be of */
	/* What it says itself; known when it is misplaced or stale. */
	uint64_t found_offset_bytes;
	uint64_t found_data_id;
	uint8_t header[WRONG_HEADER_BYTES]; /* as read */
};

/* "zeros", "foreign", "corrupt", "misplaced", "stale"; empty for WRONG_NOT */
const char *wrong_kind_name(enum wrong_kind kind);

/* One failed request, for the log. */
struct request_error {
	size_t device;
	size_t stream;
	uint64_t at_ns; /* since the start of the run */
	uint64_t offset_bytes;
	uint64_t length_bytes;
	int code; /* positive errno; 0: short transfer or end of device */
	uint64_t done_bytes;
	struct wrong_data wrong; /* code EBADMSG only */
};

/* Takes zeroed memory for the arrays but the phases: 0 or -ENOMEM. */
int run_info_init(struct run_info *info, size_t device_count, size_t stream_count);
/* Takes zeroed memory for phases, after run_info_init: 0 or -ENOMEM. */
int run_info_add_phases(struct run_info *info, size_t phase_count);
void run_info_release(struct run_info *info);

/* What phases and limits of streams must keep to, as a log can hold anything: NULL, or what
 * is wrong ("phases: ..."). Phases follow one another from 0 to the planned end and change
 * at whole intervals; a stream's own thresholds rise and are among those of the run. */
const char *run_info_check(const struct run_info *info);

/* Whether the stream is to be issued on the device in the phase: device_count means on any
 * of them, phase_count (or a run without) whatever the phase. */
bool run_info_is_issued(const struct run_info *info, size_t phase, size_t device, size_t stream);
