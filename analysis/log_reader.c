#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/log.h"
#include "analysis/log_format.h"
#include "analysis/log_lines.h"

/* A "run" line that comes later than this is none. */
#define HEAD_BYTES_MAX ((uint64_t)16 << 20)

struct log_reader {
	struct lines lines;
	const char *name;
	struct run_info info;
	struct interval interval;
	struct request_error error;
	struct run_end end;
	/* For each histogram in `interval`, the interval that its payload belongs
	 * to: [tally][SPAN_COUNT]. */
	uint64_t *belongs_to;
	uint64_t next_number; /* the lowest that an interval may have */
	uint64_t damaged;
	bool delivered; /* `interval` is with the caller */
	bool ended;
};

static bool has_prefix(const struct line *line, const char *prefix)
{
	size_t length = strlen(prefix);

	return line->length >= length && !memcmp(line->text, prefix, length);
}

/* The object of a line "# {...}"; NULL when it is none. */
static json_t *parse(const struct line *line)
{
	return json_loadb(line->text + 2, line->length - 2, JSON_REJECT_DUPLICATES, NULL);
}

/* The value of the line's first member, borrowed, and its key; NULL if there is
 * none. */
static const json_t *first_member(json_t *root, const char **ret_key)
{
	void *iterator = json_object_iter(root);

	if (!iterator)
		return NULL;
	*ret_key = json_object_iter_key(iterator);
	return json_object_iter_value(iterator);
}

static int fail(const struct log_reader *reader, int code, struct error *err)
{
	return error_environment(err, code, "%s:%" PRIu64 ": cannot be read: %s", reader->name,
				 reader->lines.number, strerror(code));
}

static size_t histogram_count(const struct log_reader *reader)
{
	return reader->info.device_count * reader->info.stream_count * SPAN_COUNT;
}

/* 1 when it was the "run" line, 0 when it was another. */
static int take_head_line(struct log_reader *reader, const struct line *line, struct error *err)
{
	json_t *root = has_prefix(line, LOG_JSON_PREFIX) ? parse(line) : NULL;
	const char *wrong = "";
	const char *key = "";
	const json_t *value = first_member(root, &key);
	int rc = 0;

	if (value && !strcmp(key, "run")) {
		rc = log_decode_run(value, &reader->info, &wrong);
		if (rc == -EINVAL)
			error_usage(err, EINVAL, "%s:%" PRIu64 ": wrong \"run\" line: %s",
				    reader->name, reader->lines.number, wrong);
		else if (rc < 0)
			fail(reader, -rc, err);
		else
			rc = 1;
	}
	json_decref(root);
	return rc;
}

static int find_run(struct log_reader *reader, struct error *err)
{
	uint64_t bytes = 0;
	bool older_tool = false;

	while (bytes < HEAD_BYTES_MAX) {
		struct line line;
		int rc = lines_peek(&reader->lines, &line);

		if (rc == 0)
			break;
		if (rc == -E2BIG) {
			bytes += LINE_BYTES_MAX;
			continue;
		}
		if (rc < 0)
			return fail(reader, -rc, err);
		rc = take_head_line(reader, &line, err);
		older_tool |= has_prefix(&line, "ACT version") || has_prefix(&line, "Aerospike");
		bytes += line.length + 1;
		lines_advance(&reader->lines, &line);
		if (rc)
			return rc < 0 ? rc : 0;
	}
	return error_usage(err, EINVAL, "%s: %s", reader->name,
			   older_tool ? "a log of ACT, not of actcert: it has no \"run\" line"
				      : "not a log of actcert");
}

static int prepare(struct log_reader *reader)
{
	size_t count = histogram_count(reader);

	reader->belongs_to = calloc(count, sizeof(*reader->belongs_to));
	if (!reader->belongs_to)
		return -ENOMEM;
	return interval_init(&reader->interval, reader->info.device_count,
			     reader->info.stream_count);
}

int log_reader_follow(FILE *stream, const char *name, const struct log_wait *wait,
		      struct log_reader **ret, struct error *err)
{
	struct log_reader *reader = calloc(1, sizeof(*reader));
	int rc;

	if (!reader || lines_init(&reader->lines, stream) < 0) {
		free(reader);
		return error_environment(err, ENOMEM, "%s: no memory", name);
	}
	reader->name = name;
	reader->lines.wait = wait;
	rc = find_run(reader, err);
	if (rc == 0 && prepare(reader) < 0)
		rc = fail(reader, ENOMEM, err);
	if (rc < 0)
		log_reader_free(reader);
	else
		*ret = reader;
	return rc;
}

int log_reader_new(FILE *stream, const char *name, struct log_reader **ret, struct error *err)
{
	return log_reader_follow(stream, name, NULL, ret, err);
}

void log_reader_free(struct log_reader *reader)
{
	if (!reader)
		return;
	lines_release(&reader->lines);
	run_info_release(&reader->info);
	interval_release(&reader->interval);
	free(reader->belongs_to);
	free(reader);
}

/* Puts a payload into the interval that is being collected. */
static int take_payload(struct log_reader *reader, const struct log_payload *payload,
			const json_t *object)
{
	struct tally *tally = interval_tally(&reader->interval, payload->device, payload->stream);
	struct histogram *histogram = &tally->span[payload->span];
	size_t at = (size_t)(tally - reader->interval.tallies) * SPAN_COUNT + payload->span;

	reader->belongs_to[at] = payload->interval;
	histogram_clear(histogram); /* a payload whose interval was lost */
	return log_decode_histogram(object, histogram);
}

static int take_histogram(struct log_reader *reader, const json_t *object)
{
	struct log_payload payload;
	int rc = log_decode_payload(&reader->info, object, &payload);

	return rc < 0 ? rc : take_payload(reader, &payload, object);
}

/* Drops payloads whose interval was lost. */
static void drop_others(struct log_reader *reader)
{
	for (size_t i = 0; i < histogram_count(reader); i++) {
		if (reader->belongs_to[i] != reader->interval.number)
			histogram_clear(
			    &reader->interval.tallies[i / SPAN_COUNT].span[i % SPAN_COUNT]);
	}
}

/* The payload on this line, if it belongs to the interval just read: 1 when it
 * was taken, 0 when not. */
static int take_trailing(struct log_reader *reader, const struct line *line)
{
	json_t *root = has_prefix(line, LOG_HISTOGRAM_PREFIX) ? parse(line) : NULL;
	const json_t *object = json_object_get(root, "histogram");
	struct log_payload payload;
	int rc = 0;

	if (object && log_decode_payload(&reader->info, object, &payload) == 0 &&
	    payload.interval == reader->interval.number) {
		rc = take_payload(reader, &payload, object);
		reader->damaged += rc == -EINVAL;
		rc = rc == -ENOMEM ? rc : 1;
	}
	json_decref(root);
	return rc;
}

/* Payloads that stand behind the last interval of a run. */
static int take_all_trailing(struct log_reader *reader)
{
	struct line line;

	int rc;

	while ((rc = lines_peek(&reader->lines, &line)) == 1) {
		rc = take_trailing(reader, &line);
		if (rc <= 0)
			return rc;
		lines_advance(&reader->lines, &line);
	}
	reader->damaged += rc == -E2BIG;
	return 0; /* what is wrong with the file, the next call will see */
}

static int take_interval(struct log_reader *reader, const json_t *object)
{
	int rc = log_decode_interval(&reader->info, object, &reader->interval);

	if (rc == 0 && reader->interval.number < reader->next_number)
		rc = -EINVAL;
	if (rc < 0) {
		interval_clear(&reader->interval);
		return rc;
	}
	reader->next_number = reader->interval.number + 1;
	drop_others(reader);
	return take_all_trailing(reader);
}

static int take_sample(struct log_reader *reader, const json_t *object)
{
	struct telemetry_sample sample;
	int rc = log_decode_sample(&reader->info, object, &sample);

	if (rc == 0)
		telemetry_add(reader->info.telemetry, &sample);
	return rc;
}

/* 0 and *ret_event (untouched when the line is no event), -EINVAL or -ENOMEM. */
static int take_object(struct log_reader *reader, const char *key, const json_t *object,
		       enum log_event *ret_event)
{
	enum log_event event;
	int rc;

	if (!strcmp(key, "histogram"))
		return take_histogram(reader, object);
	if (!strcmp(key, "environment"))
		return log_decode_environment(&reader->info, object);
	if (!strcmp(key, "telemetry"))
		return take_sample(reader, object);
	if (!strcmp(key, "interval")) {
		event = LOG_INTERVAL;
		rc = take_interval(reader, object);
		reader->delivered = rc == 0;
	} else if (!strcmp(key, "error")) {
		event = LOG_ERROR;
		rc = log_decode_error(&reader->info, object, &reader->error);
	} else if (!strcmp(key, "end")) {
		event = LOG_END;
		rc = log_decode_end(&reader->info, object, &reader->end);
		reader->ended = rc == 0;
	} else {
		return strcmp(key, "run") ? 0 : -EINVAL; /* others are of newer versions */
	}
	if (rc == 0)
		*ret_event = event;
	return rc;
}

/* Takes over `root`, which is NULL when the line was no JSON. */
static int take_root(struct log_reader *reader, json_t *root, enum log_event *ret_event)
{
	const char *key = "";
	const json_t *object = first_member(root, &key);
	int rc = object ? take_object(reader, key, object, ret_event) : -EINVAL;

	json_decref(root);
	return rc;
}

/* The next of our lines: 1 and its JSON (NULL when it is none), 0 at the end, or
 * an error of lines_peek. */
static int next_root(struct log_reader *reader, json_t **ret)
{
	struct line line;
	int rc;

	while ((rc = lines_peek(&reader->lines, &line)) == 1) {
		bool ours = has_prefix(&line, LOG_JSON_PREFIX);

		if (ours)
			*ret = parse(&line);
		lines_advance(&reader->lines, &line);
		if (ours)
			break;
	}
	return rc;
}

int log_reader_next(struct log_reader *reader, enum log_event *ret_event, struct error *err)
{
	enum log_event event = LOG_FINISHED;

	if (reader->delivered)
		interval_clear(&reader->interval);
	reader->delivered = false;
	while (!reader->ended && event == LOG_FINISHED) {
		json_t *root;
		int rc = next_root(reader, &root);

		if (rc == 0)
			break;
		if (rc == 1)
			rc = take_root(reader, root, &event);
		if (rc == -EINVAL || rc == -E2BIG)
			reader->damaged++;
		else if (rc < 0)
			return fail(reader, -rc, err);
	}
	*ret_event = event;
	return 0;
}

const struct run_info *log_reader_info(const struct log_reader *reader)
{
	return &reader->info;
}

const struct interval *log_reader_interval(const struct log_reader *reader)
{
	return &reader->interval;
}

const struct request_error *log_reader_error(const struct log_reader *reader)
{
	return &reader->error;
}

const struct run_end *log_reader_end(const struct log_reader *reader)
{
	return &reader->end;
}

uint64_t log_reader_damaged_lines(const struct log_reader *reader)
{
	return reader->damaged;
}
