#include "act/config/options.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct config, field)

/* clang-format off */
const struct option options[] = {
{"devices", OPTION_DEVICES, 0, "", NULL, NULL,
 "Block devices to test; their data is lost", "What is tested"},
{"files", OPTION_FILES, 0, "", NULL, NULL,
 "Files to test instead of devices, made where they are missing", NULL},
{"fill-files", OPTION_SWITCH, AT(fill_files), "true", NULL, NULL,
 "Write files in full before the run, so that no read hits a hole", NULL},

{"workload", OPTION_CHOICE, AT(workload), "storage", "storage index custom", NULL,
 "What the load is of: a database's storage, its index, or the streams given",
 "Load of each device"},
{"scale", OPTION_PERCENT, AT(scale), "100%", "0.0001%", "10000%",
 "Of all rates; 1% for a smoke test", NULL},
{"load", OPTION_BOTH, AT(read_load), "1x", "0x", "10000x",
 "Sets read-load and write-load; 1x is 2000 reads/s and 1000 writes/s", NULL},
{"read-load", OPTION_LOAD, AT(read_load), "1x", "0x", "10000x",
 "Multiple of 2000 reads/s", NULL},
{"write-load", OPTION_LOAD, AT(write_load), "1x", "0x", "10000x",
 "Multiple of 1000 record writes/s, which reach the device as large blocks", NULL},
{"record-size", OPTION_SIZE, AT(record_bytes), "1536B", "1B", "8MiB",
 "Size of a record, rounded up to 16 bytes", NULL},
{"record-size-max", OPTION_SIZE, AT(record_max_bytes), "0B", "0B", "8MiB",
 "Sizes are uniform from record-size to this; 0B: all records have record-size", NULL},
{"large-block", OPTION_SIZE, AT(large_block_bytes), "128KiB", "4KiB", "8MiB",
 "Size of large-block writes and of defragmentation reads, a power of 2", NULL},
{"replication-factor", OPTION_COUNT, AT(replication_factor), "1", "1", "16",
 "Each client write is written this often", NULL},
{"update-share", OPTION_PERCENT, AT(update_share), "0%", "0%", "100%",
 "Share of the client writes that read their record first", NULL},
{"defrag-lwm", OPTION_PERCENT, AT(defrag_lwm), "50%", "0%", "99%",
 "Blocks filled less than this are rewritten: amplifies writes by 100 / (100 - lwm)", NULL},
{"defrag-reads", OPTION_SWITCH, AT(defrag_reads), "true", NULL, NULL,
 "Read a large block for each one that is written", NULL},
{"commit-to-device", OPTION_SWITCH, AT(commit_to_device), "false", NULL, NULL,
 "Write each record by itself instead of in large blocks", NULL},
{"tomb-raider", OPTION_SWITCH, AT(tomb_raider), "false", NULL, NULL,
 "Read the whole device in sequence beside the load, in large blocks", NULL},
{"tomb-raider-sleep", OPTION_DURATION, AT(tomb_raider_sleep_ns), "1ms", "10us", "1h",
 "Pause between two of these reads", NULL},
{"compress", OPTION_PERCENT, AT(compress), "100%", "1%", "100%",
 "Size of the written data after compression; 100% is random data", NULL},
{"odsync", OPTION_SWITCH, AT(odsync), "true", NULL, NULL,
 "Each write is durable when it completes", NULL},
{"verify", OPTION_CHOICE, AT(verify), "auto", "auto on off", NULL,
 "Check every sector that is read; auto: on devices that carry a complete preparation", NULL},
{"rate", OPTION_RATE, AT(rate), "", "s", NULL,
 "Common rate of which streams have shares", NULL},
{"streams", OPTION_STREAMS, 0, "", NULL, NULL,
 "Streams of a custom workload", NULL},
{"phases", OPTION_PHASES, 0, "", NULL, NULL,
 "Parts of the run, one after the other; what a phase does not say is as for the whole run", NULL},

{"duration", OPTION_DURATION, AT(duration_ns), "24h", "1s", "8760h",
 "Length of the run, a multiple of interval; with phases that of all where it is not set", "Time and judgement"},
{"slice", OPTION_DURATION, AT(slice_ns), "1h", "1s", "8760h",
 "Length of what is judged one by one, a multiple of interval", NULL},
{"interval", OPTION_DURATION, AT(interval_ns), "1s", "1s", "1h",
 "Shortest period in the log, in whole seconds", NULL},
{"stress", OPTION_SWITCH, AT(stress), "false", NULL, NULL,
 "Pass on completing the load without errors, whatever the latency", NULL},
{"thresholds", OPTION_CRITERIA, AT(criteria), "1ms:5%,8ms:1%,64ms:0.1%", NULL, NULL,
 "Share of the requests of a slice that may be over each threshold", NULL},
{"judge", OPTION_NAMES, AT(judged), "", NULL, NULL,
 "Streams whose latency decides; empty: those of the workload", NULL},
{"hang-limit", OPTION_DURATION, AT(hang_limit_ns), "30s", "1s", "1h",
 "A request out for longer counts as failed; so long without success, the run ends", NULL},
{"max-lag", OPTION_DURATION, AT(max_lag_ns), "0s", "0s", "24h",
 "Stop when a device is this far behind its plan; 0s: never", NULL},
{"microsecond-histograms", OPTION_SWITCH, AT(microsecond_histograms), "false", NULL, NULL,
 "Microseconds instead of milliseconds in the older tool's part of the log", NULL},

{"engine", OPTION_CHOICE, AT(engine), "uring", "uring null nop", NULL,
 "What does the I/O; null and nop do none, to measure this host alone", "How the load is issued"},
{"polled", OPTION_SWITCH, AT(polled), "false", NULL, NULL,
 "Poll the device instead of taking interrupts (io_uring IOPOLL, as hipri of fio)", NULL},
{"arrivals", OPTION_CHOICE, AT(arrivals), "uniform", "uniform poisson", NULL,
 "Requests evenly spaced, or at random moments as from many clients", NULL},
{"wait", OPTION_CHOICE, AT(wait), "auto", "auto precise eco", NULL,
 "How a worker waits: spinning before each start, or in ticks (never for certification)", NULL},
{"tick", OPTION_DURATION, AT(tick_ns), "100us", "10us", "10ms",
 "Length of a tick when wait is eco", NULL},
{"workers-per-device", OPTION_COUNT, AT(workers_per_device), "1", "1", "64",
 "Threads that share the load of one device", NULL},
{"cpus", OPTION_CPUS, AT(cpus), "auto", NULL, NULL,
 "CPUs that the workers are bound to", NULL},
{"batch", OPTION_COUNT, AT(batch), "8", "1", "256",
 "Most requests that are due together and submitted in one call", NULL},
{"in-flight-cap", OPTION_COUNT, AT(in_flight_cap), "0", "0", "32768",
 "Most requests in flight per stream and worker; 0: chosen from rate and memory", NULL},
{"seed", OPTION_COUNT, AT(seed), "0", "0", "18446744073709551615",
 "Of all that is random; the same seed gives the same load; 0: chosen at start", NULL},
{"selftest", OPTION_DURATION, AT(selftest_ns), "5s", "0s", "60s",
 "Before the run, see so long what load this host can issue, for the log; 0s: no", NULL},
};
/* clang-format on */

const size_t option_count = sizeof(options) / sizeof(options[0]);
_Static_assert(sizeof(options) / sizeof(options[0]) <= CONFIG_KEYS_MAX, "room for origins");

const struct option *option_find_in(struct option_table table, const char *key)
{
	for (size_t i = 0; i < table.count; i++) {
		if (strcmp(table.options[i].key, key) == 0)
			return &table.options[i];
	}
	return NULL;
}

const struct option *option_find(const char *key)
{
	return option_find_in((struct option_table){options, option_count}, key);
}

#define TYPED_MAX 40

/* Levenshtein distance but for case, one row at a time; `typed` counts up to
 * TYPED_MAX. */
size_t option_distance(const char *key, const char *typed)
{
	size_t row[TYPED_MAX + 1];
	size_t length = strnlen(typed, TYPED_MAX);

	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 0; key[i] != '\0'; i++) {
		size_t diagonal = row[0];
		row[0] = i + 1;
		for (size_t j = 0; j < length; j++) {
			size_t best = diagonal + (key[i] != tolower((unsigned char)typed[j]));
			diagonal = row[j + 1];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j + 1] + 1 < best)
				best = row[j + 1] + 1;
			row[j + 1] = best;
		}
	}
	return row[length];
}

const struct option *option_nearest(struct option_table table, const char *key)
{
	const struct option *nearest = NULL;
	size_t best = strlen(key) / 2 + 1;

	for (size_t i = 0; i < table.count; i++) {
		size_t steps = option_distance(table.options[i].key, key);
		if (steps < best) {
			best = steps;
			nearest = &table.options[i];
		}
	}
	return nearest;
}

void option_list_words(const char *words, char text[static ALLOWED_BYTES])
{
	size_t length = 0;

	for (; *words != '\0' && length + 3 < ALLOWED_BYTES; words++) {
		if (*words == ' ')
			text[length++] = ',';
		text[length++] = *words;
	}
	text[length] = '\0';
}

bool option_is_name(const char *text, const char *others)
{
	bool plain = false;

	for (size_t i = 0; text[i] != '\0'; i++) {
		plain = islower((unsigned char)text[i]) || isdigit((unsigned char)text[i]);
		if (!plain && (i == 0 || !strchr(others, text[i])))
			return false;
	}
	return plain;
}

bool option_has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (; *words != '\0'; words += strspn(words, " ")) {
		size_t next = strcspn(words, " ");
		if (next == length && strncmp(words, word, length) == 0)
			return true;
		words += next;
	}
	return false;
}

static const char *allowed_rate(const struct option *option)
{
	return strcmp(option->min, "s") == 0 ? "a rate as 5000/s"
					     : "a rate as 5000/s, 30x, 83.14% or 850MB/s";
}

void option_allowed(const struct option *option, char text[static ALLOWED_BYTES])
{
	static const char *const fixed[] = {
	    [OPTION_SWITCH] = "true or false",
	    [OPTION_OVERRIDE] = "true or false",
	    [OPTION_CPUS] = "auto, none or a list as 2-5,8",
	    [OPTION_REGION] = "FROM..UPTO, from 0% to 100%",
	    [OPTION_NUMBERS] = "numbers from 1 to 64 in quotes, as \"1-3,5\"",
	    [OPTION_STEPS] = "WHAT:FROM..TO:STEP as load:1x..10x:1x",
	    [OPTION_DEVICES] = "a list of at most 64 paths, all different",
	    [OPTION_FILES] = "a list of at most 64 PATH:SIZE, all different",
	    [OPTION_CRITERIA] = "a list of 1 to 8 TIME:SHARE as 1ms:5%, times rising",
	    [OPTION_NAMES] = "a list of at most 8 names of streams",
	    [OPTION_SIZES] = "a list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1",
	    [OPTION_ISSUED] = "a list of at most 8 NAME or NAME:RATE as reads:500/s",
	    [OPTION_STREAMS] = "a list of at most 8 groups as ( { KEY = VALUE; ... }, ... )",
	    [OPTION_PHASES] = "a list of at most 32 groups as ( { KEY = VALUE; ... }, ... )",
	};
	char words[ALLOWED_BYTES];

	switch (option->kind) {
	case OPTION_CHOICE:
	case OPTION_EITHER:
		option_list_words(option->min, words);
		snprintf(text, ALLOWED_BYTES, "one of %.140s", words);
		break;
	case OPTION_RATE:
		snprintf(text, ALLOWED_BYTES, "%s", allowed_rate(option));
		break;
	case OPTION_NAME:
		snprintf(text, ALLOWED_BYTES, "1 to 31 of a-z, 0-9, and -%s between",
			 strchr(option->min, ' ') ? " and blanks" : "");
		break;
	default:
		if (option->max)
			snprintf(text, ALLOWED_BYTES, "%s to %s", option->min, option->max);
		else
			snprintf(text, ALLOWED_BYTES, "%s", fixed[option->kind]);
	}
}
