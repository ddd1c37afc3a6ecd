#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/log.h"
#include "analysis/log_lines.h"
#include "tests/support/log_sample.h"

/* Logs that a crash, a full disk or anything else left incomplete. */

static void make_info(struct run_info *info)
{
	sample_info(info, 1);
	info->stream_count = 2;
}

/* A file whose disk takes `room` more bytes. */
struct disk {
	size_t room;
	char *data;
	size_t length;
};

static ssize_t disk_write(void *cookie, const char *data, size_t length)
{
	struct disk *disk = cookie;
	size_t taken = length < disk->room ? length : disk->room;

	if (taken < length)
		errno = ENOSPC;
	if (!taken)
		return 0;
	disk->data = realloc(disk->data, disk->length + taken);
	memcpy(disk->data + disk->length, data, taken);
	disk->length += taken;
	disk->room -= taken;
	return (ssize_t)taken;
}

static FILE *disk_open(struct disk *disk)
{
	return fopencookie(disk, "w", (cookie_io_functions_t){.write = disk_write});
}

#define ROOM_ALL SIZE_MAX

/* Writes `count` intervals and an end. From the interval `full_from` on the disk
 * takes `room` bytes; from `full_to` on it takes all. */
static int write_log(const struct run_info *info, struct disk *disk, uint64_t count,
		     uint64_t full_from, uint64_t full_to, size_t room)
{
	FILE *stream = disk_open(disk);
	struct run_end end = {.reason = END_COMPLETED, .log_disk_full = true};
	struct log_writer *writer = NULL;
	struct interval interval;
	struct random random;
	struct error err;

	random_init(&random, 1, 0);
	interval_init(&interval, info->device_count, info->stream_count);
	cr_assert(eq(int, log_writer_new(stream, info, &writer, &err), 0));
	for (uint64_t i = 0; i < count; i++) {
		if (i == full_from)
			disk->room = room;
		if (i == full_to)
			disk->room = ROOM_ALL;
		interval_clear(&interval);
		sample_interval(&interval, info, i, 20, &random);
		log_write_interval(writer, &interval);
	}
	log_write_end(writer, &end);

	int failure = log_writer_failure(writer);

	log_writer_free(writer);
	fclose(stream);
	interval_release(&interval);
	return failure;
}

static void write_whole_log(const struct run_info *info, struct disk *disk, uint64_t count)
{
	*disk = (struct disk){.room = ROOM_ALL};
	cr_assert(eq(int, write_log(info, disk, count, count, count, 0), 0));
}

/* What a reader finds. */
struct found {
	int rc; /* of log_reader_new */
	enum exit_status status;
	uint64_t intervals;
	uint64_t numbers; /* bit n: interval n */
	uint64_t damaged;
	uint64_t errors;
	bool end;
	/* Requests of the last stream in the histograms, and in the counts. */
	uint64_t in_histograms;
	uint64_t in_counts;
};

static void take_interval(struct found *found, const struct interval *interval)
{
	const struct tally *tally = interval_tally(interval, 0, interval->stream_count - 1);

	found->intervals++;
	found->numbers |= UINT64_C(1) << interval->number;
	found->in_counts += tally->completed;
	found->in_histograms += tally->span[SPAN_RESPONSE].total;
}

static struct found read_stream(FILE *stream)
{
	struct found found = {0};
	struct log_reader *reader = NULL;
	struct error err = {0};
	enum log_event event;

	found.rc = log_reader_new(stream, "run.log", &reader, &err);
	found.status = err.status;
	if (found.rc < 0)
		return found;
	while (log_reader_next(reader, &event, &err) == 0 && event != LOG_FINISHED) {
		if (event == LOG_INTERVAL)
			take_interval(&found, log_reader_interval(reader));
		found.errors += event == LOG_ERROR;
		found.end |= event == LOG_END;
	}
	found.damaged = log_reader_damaged_lines(reader);
	log_reader_free(reader);
	return found;
}

static struct found read_log(const char *data, size_t length)
{
	FILE *stream =
	    length ? fmemopen((void *)(uintptr_t)data, length, "r") : fopen("/dev/null", "re");
	struct found found = read_stream(stream);

	fclose(stream);
	return found;
}

/* Complete lines that begin with `prefix`. */
static uint64_t count_lines(const char *data, size_t length, const char *prefix)
{
	uint64_t count = 0;

	for (const char *end = data + length; data < end;) {
		const char *newline = memchr(data, '\n', (size_t)(end - data));

		if (!newline)
			break;
		count += (size_t)(newline - data) >= strlen(prefix) &&
			 !memcmp(data, prefix, strlen(prefix));
		data = newline + 1;
	}
	return count;
}

Test(log_damage, a_log_cut_anywhere_yields_all_finished_intervals)
{
	struct run_info info;
	struct disk disk;

	make_info(&info);
	info.stream_count = 1;
	info.slice_ns = 2 * info.interval_ns;
	write_whole_log(&info, &disk, 3); /* payloads before the second and after the third */
	for (size_t cut = 0; cut <= disk.length; cut++) {
		struct found found = read_log(disk.data, cut);

		if (!count_lines(disk.data, cut, "# {\"run\"")) {
			cr_assert(lt(int, found.rc, 0));
			cr_assert(eq(int, found.status, EXIT_USAGE));
			continue;
		}
		cr_assert(eq(int, found.rc, 0));
		cr_assert(eq(u64, found.intervals, count_lines(disk.data, cut, "# {\"interval\"")));
		cr_assert(eq(u64, found.end, count_lines(disk.data, cut, "# {\"end\"")));
		cr_assert(eq(u64, found.damaged, 0), "cut at %zu", cut);
	}
	free(disk.data);
	run_info_release(&info);
}

Test(log_damage, a_full_disk_costs_only_what_did_not_fit)
{
	struct run_info info;

	make_info(&info);
	info.slice_ns = info.interval_ns; /* payloads with every interval */
	for (size_t room = 0; room < 4000; room += 13) {
		struct disk disk = {.room = ROOM_ALL};
		int failure = write_log(&info, &disk, 6, 2, 4, room);
		struct found found = read_log(disk.data, disk.length);

		cr_assert(eq(int, failure, ENOSPC), "room %zu", room);
		cr_assert(eq(int, found.rc, 0));
		cr_assert(eq(u64, found.numbers & 063, 063), "room %zu", room);
		cr_assert(le(u64, found.damaged, 2), "room %zu", room);
		cr_assert(found.end);
		/* Histograms of what did not fit come later. */
		cr_assert(eq(u64, found.in_histograms, 6 * 20), "room %zu", room);
		free(disk.data);
	}
	run_info_release(&info);
}

Test(log_damage, a_disk_full_from_the_start_gets_the_run_line_later)
{
	struct run_info info;

	make_info(&info);
	for (size_t room = 0; room < 1500; room += 7) {
		struct disk disk = {.room = room};
		int failure = write_log(&info, &disk, 5, 9, 2, 0);
		struct found found = read_log(disk.data, disk.length);

		cr_assert(eq(int, failure, ENOSPC));
		cr_assert(eq(int, found.rc, 0));
		cr_assert(eq(u64, found.numbers & 034, 034), "room %zu", room);
		cr_assert(found.end);
		free(disk.data);
	}
	run_info_release(&info);
}

Test(log_damage, a_disk_that_is_always_full_is_told)
{
	FILE *stream = fopen("/dev/full", "we");
	struct run_end end = {.reason = END_COMPLETED};
	struct log_writer *writer = NULL;
	struct interval interval;
	struct run_info info;
	struct error err;

	make_info(&info);
	interval_init(&interval, info.device_count, info.stream_count);
	cr_assert(eq(int, log_writer_new(stream, &info, &writer, &err), 0));
	cr_assert(eq(int, log_writer_failure(writer), ENOSPC));
	log_write_interval(writer, &interval);
	log_write_end(writer, &end);
	cr_assert(eq(int, log_writer_failure(writer), ENOSPC));
	log_writer_free(writer);
	fclose(stream);
	interval_release(&interval);
	run_info_release(&info);
}

/* Replaces the first `from` by `to` (heap strings). */
static char *replace(char *log, const char *from, const char *to)
{
	char *at = strstr(log, from);
	char *changed = NULL;

	cr_assert(ne(ptr, at, NULL), "%s", from);
	*at = '\0';
	cr_assert(gt(int, asprintf(&changed, "%s%s%s", log, to, at + strlen(from)), 0));
	free(log);
	return changed;
}

Test(log_damage, damaged_lines_are_left_out_and_counted)
{
	/* What is changed in a log of 4 intervals; what is found then. */
	static const struct {
		const char *from, *to;
		uint64_t intervals, damaged;
	} cases[] = {
	    {"after 2 sec", "after 2 sec", 4, 0},
	    {"after 2 sec", "aft\033[1m", 4, 0},
	    {"after 2 sec", "# a remark\nafter 2 sec", 4, 0},
	    {"after 2 sec", "# {\"weather\":[1]}\nafter 2 sec", 4, 0},
	    {"after 2 sec", "# {\"telemetry\":[1]}\nafter 2 sec", 4, 1},
	    {"after 2 sec", "# {\"environment\":{\"host\":{}}}\nafter 2 sec", 4, 1},
	    {"after 2 sec", "# {}\nafter 2 sec", 4, 1},
	    {"after 2 sec", "# {\nafter 2 sec", 4, 1},
	    {"after 2 sec", "# {\"run\":{}}\nafter 2 sec", 4, 1},
	    {"after 2 sec", "# {\"end\":{\"reason\":\"?\"}}\nafter 2 sec", 4, 1},
	    {"after 2 sec", "# {\"error\":7}\nafter 2 sec", 4, 1},
	    {"after 2 sec", "# {\"histogram\":{\"device\":\"x\"}}\nafter 2 sec", 4, 1},
	    {"\"number\":1,", "\"number\":1,\"new\":[null,{}],", 4, 0},
	    {"\"number\":1,", "\"number\":\"1\",", 3, 1},
	    {"\"number\":1,", "\"number\":1.0,", 3, 1},
	    {"\"number\":1,", "\"number\":-1,", 3, 1},
	    {"\"number\":1,", "\"number\":1,\"number\":1,", 3, 1},
	    {"\"number\":1,", "", 3, 1},
	    {"\"number\":1,", "\"number\":0,", 3, 1},
	    {"\"number\":1,", "\"number\":9000000000000000,", 3, 1},
	    {"\"number\":1,", "\"number\":99999999999999999999,", 3, 1},
	    {"\"end_ns\":2000000000", "\"end_ns\":9000000000000000000", 3, 1},
	    {"\"end_ns\":2000000000", "\"end_ns\":1", 3, 1},
	    {"\"counts\":[", "\"counts\":[{},", 3, 1},
	    {"\"counts\":[", "\"counts\":[],\"old\":[", 3, 1},
	    {"\"stream\":\"reads\"", "\"stream\":\"writes\"", 4, 1},
	    {"\"reads\",\"planned\"", "\"writes\",\"planned\"", 3, 1},
	    {"\"power\":[", "\"power\":[\"\",", 3, 1},
	    {"\"power\":[",
	     "\"power\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
	     "0,0,0,0,0,0,0,0,0,0,0,0,",
	     3, 1},
	    {"\"max\":", "\"max\":-", 3, 1},
	    {"\"hdr\":\"HIST", "\"hdr\":\"TSIH", 4, 1},
	    {"\"span\":\"lag\"", "\"span\":\"leg\"", 4, 1},
	    {"\"total\":20,", "\"total\":21,", 4, 1},
	    {"\"min_ns\":", "\"min_ns\":1", 4, 1},
	    {"\"reason\":\"completed\"", "\"reason\":\"signal\"", 4, 0},
	};
	struct run_info info;
	struct disk disk;

	make_info(&info);
	info.slice_ns = info.interval_ns;
	write_whole_log(&info, &disk, 4);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *log = strndup(disk.data, disk.length);

		log = replace(log, cases[i].from, cases[i].to);

		struct found found = read_log(log, strlen(log));

		cr_expect(eq(u64, found.intervals, cases[i].intervals), "case %zu", i);
		cr_expect(eq(u64, found.damaged, cases[i].damaged), "case %zu", i);
		cr_expect(found.end, "case %zu", i);
		free(log);
	}
	free(disk.data);
	run_info_release(&info);
}

Test(log_damage, a_wrong_run_line_is_refused)
{
	static const char *const cases[][2] = {
	    {"\"format\":1,", "\"format\":2,"},
	    {"\"format\":1,", ""},
	    {"\"interval_ns\":1000000000", "\"interval_ns\":0"},
	    {"\"slice_ns\":5000000000", "\"slice_ns\":0"},
	    {"\"duration_ns\":172800000000000", "\"duration_ns\":9223372036854775807"},
	    {"\"stress\":true", "\"stress\":1"},
	    {"\"version\":\"1.2.3\"", "\"version\":\"1.2.3 and more than 31 characters\""},
	    {"\"threshold_ns\":8000000", "\"threshold_ns\":1000000"},
	    {"\"den\":20", "\"den\":0"},
	    {"\"judged\":[", "\"judged\":[5,"},
	    {"\"devices\":[", "\"devices\":[],\"old\":["},
	    {"\"streams\":[", "\"streams\":7,\"old\":["},
	    {"\"name\":\"reads\"", "\"name\":\"\\\\q\""},
	    {"{\"run\":", "{\"walk\":"},
	};
	struct run_info info;
	struct disk disk;

	make_info(&info);
	write_whole_log(&info, &disk, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *log = strndup(disk.data, disk.length);

		log = replace(log, cases[i][0], cases[i][1]);

		struct found found = read_log(log, strlen(log));

		cr_expect(lt(int, found.rc, 0), "case %zu", i);
		cr_expect(eq(int, found.status, EXIT_USAGE), "case %zu", i);
		free(log);
	}
	free(disk.data);
	run_info_release(&info);
}

Test(log_damage, what_is_no_log_of_ours_is_refused)
{
	static const char *const files[] = {
	    "",
	    "\n",
	    "ACT version 6.6\nStorage device IO test\n\nafter 1 sec:\nreads (5 total)\n",
	    "{\"run\":{}}\n",
	    "# {\"interval\":{}}\n",
	    "\x7f"
	    "ELF\x02\x01\x01",
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct found found = read_log(files[i], strlen(files[i]));

		cr_expect(eq(int, found.rc, -EINVAL), "%s", files[i]);
		cr_expect(eq(int, found.status, EXIT_USAGE));
	}
}

Test(log_damage, a_file_without_end_is_refused)
{
	FILE *stream = fopen("/dev/zero", "re");
	struct found found = read_stream(stream);

	cr_assert(eq(int, found.rc, -EINVAL));
	fclose(stream);
}

Test(log_damage, a_directory_cannot_be_read)
{
	FILE *stream = fopen("/tmp", "re");
	struct found found = read_stream(stream);

	cr_assert(eq(int, found.rc, -EIO));
	cr_assert(eq(int, found.status, EXIT_ENVIRONMENT));
	fclose(stream);
}

Test(log_damage, a_line_too_long_is_left_out)
{
	size_t length = LINE_BYTES_MAX + 10;
	char *line = malloc(length + 1);
	struct run_info info;
	struct disk disk;

	memset(line, 'x', length);
	line[length] = '\0';
	memcpy(line, "# {\"x\":", 7);
	make_info(&info);
	write_whole_log(&info, &disk, 3);

	char *log = strndup(disk.data, disk.length);

	memcpy(line + length - 2, "}\n", 2);
	log = replace(log, "after 2 sec", line);

	struct found found = read_log(log, strlen(log));

	cr_assert(eq(u64, found.intervals, 3));
	cr_assert(eq(u64, found.damaged, 1));
	free(log);
	free(line);
	free(disk.data);
	run_info_release(&info);
}
