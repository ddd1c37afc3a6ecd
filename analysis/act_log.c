#include "analysis/act_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/act_counts.h"
#include "analysis/act_head.h"
#include "analysis/act_lines.h"
#include "analysis/act_message.h"
#include "analysis/act_series.h"

struct act_log {
	struct act_lines lines;
	const char *name;
	struct act_head head;
	struct act_series series;
	struct act_block block;
	struct act_message message;
	enum act_section section;
	bool banner;
	bool blocks_begun;
	bool in_block;
	uint64_t highest_sec; /* of any block */
	uint64_t damaged;
	bool held; /* act_log_new has seen an event that is still to be handed out */
	enum act_event event;
};

static bool starts(const char *line, size_t length, const char *word)
{
	size_t size = strlen(word);

	return length >= size && !memcmp(line, word, size);
}

/* "After 3 sec:" */
static bool is_block(const struct act_log *log, const char *line, size_t length, uint64_t *ret)
{
	static const char suffix[] = " sec:";
	const char *word = log->head.grammar->block;
	size_t from = strlen(word);
	size_t tail = sizeof(suffix) - 1;

	return starts(line, length, word) && length > from + tail &&
	       !memcmp(line + length - tail, suffix, tail) &&
	       act_counts_number(line + from, length - from - tail, ret);
}

static bool is_zero(const struct act_head *head, const char *key)
{
	uint64_t rate;

	return act_head_number(head->configuration, key, &rate) && rate == 0;
}

/* Up to 4.x no list tells which histograms there will be; those that must come at
 * the end of each block show where the first is cut short. */
static int expect_old_names(struct act_log *log)
{
	const struct act_head *head = &log->head;
	size_t length;
	const char *commit = act_head_value(head->configuration, "commit-to-device", &length);
	bool writes = commit && length == 3 && !memcmp(commit, "yes", 3);
	int rc = 0;

	if (!head->grammar->bare_devices)
		return 0;
	if (!is_zero(head, "read-reqs-per-sec"))
		rc = act_series_expect(&log->series, &log->head, "READS", strlen("READS"));
	if (rc == 0 && writes && !is_zero(head, "write-reqs-per-sec"))
		rc = act_series_expect(&log->series, &log->head, "WRITES", strlen("WRITES"));
	return rc;
}

static int begin_block(struct act_log *log, uint64_t seconds)
{
	struct act_block *block = &log->block;
	uint64_t step = log->head.report_interval_sec;

	*block = (struct act_block){
	    .number = block->number + 1,
	    .line = log->lines.number,
	    .seconds = seconds,
	    .order = ACT_IN_ORDER,
	};
	if (seconds < log->highest_sec)
		block->order = ACT_BACKWARDS;
	else if (seconds == log->highest_sec)
		block->order = ACT_REPEATED;
	else if (seconds - log->highest_sec > step)
		block->order = ACT_GAP;
	if (seconds > log->highest_sec)
		log->highest_sec = seconds;
	if (!log->blocks_begun && expect_old_names(log) < 0)
		return -ENOMEM;
	log->in_block = true;
	log->blocks_begun = true;
	act_series_begin_block(&log->series, block->number);
	return 0;
}

static void end_block(struct act_log *log)
{
	log->in_block = false;
	log->block.complete = act_series_end_block(&log->series);
}

/* "requests-queued: 3" and its older spellings */
static bool take_queued(struct act_log *log, const char *line, size_t length)
{
	const char *colon = memchr(line, ':', length);
	uint64_t queued;

	if (!colon || !memmem(line, (size_t)(colon - line), "queued", strlen("queued")) ||
	    (size_t)(colon - line) + 2 > length || colon[1] != ' ' ||
	    !act_counts_number(colon + 2, length - (size_t)(colon - line) - 2, &queued))
		return false;
	log->block.queued = queued;
	return true;
}

/* A line within a block that is neither its heading nor its end: 0 or -ENOMEM. */
static int take_counts(struct act_log *log, const char *line, size_t length)
{
	size_t tag_length;
	uint64_t total;
	int rc;

	if (line[0] == ' ') {
		if (!act_series_buckets(&log->series, line, length))
			log->damaged++;
		return 0;
	}
	if (act_counts_heading(line, length, &tag_length, &total)) {
		rc = act_series_heading(&log->series, &log->head, line, tag_length, total);
		log->damaged += rc == -EINVAL;
		return rc == -EINVAL ? 0 : rc;
	}
	if (!take_queued(log, line, length)) {
		act_series_leave(&log->series); /* buckets that follow belong to it */
		log->damaged++;
	}
	return 0;
}

/* A line before the first block: 0 or -ENOMEM. */
static int take_head(struct act_log *log, const char *line, size_t length)
{
	const char *colon = memchr(line, ':', length);
	enum act_section title = act_head_title(&log->head, line, length);

	if (title != ACT_SECTION_NONE) {
		log->section = title;
	} else if (length == 0) {
		log->section = ACT_SECTION_NONE;
	} else if (log->section == ACT_SECTION_NAMES) {
		return act_series_expect(&log->series, &log->head, line, length);
	} else if (!colon || line[0] == '/') {
		act_head_size(&log->head, line, length);
	} else if (log->section == ACT_SECTION_CONFIGURATION) {
		return act_head_configuration(&log->head, line, length);
	} else if (log->section == ACT_SECTION_DERIVED || log->head.grammar->bare_devices) {
		act_head_derived(&log->head, line, length); /* below 5.x it has no title */
	}
	return 0;
}

/* Takes one line: 1 and *ret_event when it makes an event, 0 when not, -ENOMEM. The
 * heading of a block that ends another is not taken: *ret_keep. */
static int take_line(struct act_log *log, const char *line, size_t length, bool *ret_keep,
		     enum act_event *ret_event)
{
	uint64_t seconds;

	if (is_block(log, line, length, &seconds)) {
		if (log->in_block) {
			end_block(log);
			*ret_keep = true;
			*ret_event = ACT_BLOCK;
			return 1;
		}
		return begin_block(log, seconds);
	}
	if (log->in_block && length == 0) {
		end_block(log);
		*ret_event = ACT_BLOCK;
		return 1;
	}
	if (length > 0 && line[0] == '#')
		return 0; /* ours */
	if (line[0] != ' ' && act_message_parse(&log->head, line, length, &log->message)) {
		log->message.line = log->lines.number;
		*ret_event = ACT_MESSAGE;
		return 1;
	}
	if (log->in_block)
		return take_counts(log, line, length);
	if (!log->blocks_begun)
		return take_head(log, line, length);
	log->damaged += length > 0 && line[0] == ' ';
	return 0;
}

static int fail(const struct act_log *log, int code, struct error *err)
{
	return error_environment(err, code, "%s:%" PRIu64 ": cannot be read: %s", log->name,
				 log->lines.number, strerror(code));
}

static int next_event(struct act_log *log, enum act_event *ret, struct error *err)
{
	const char *line;
	size_t length;
	int rc;

	while ((rc = act_lines_peek(&log->lines, &line, &length)) == 1) {
		bool keep = false;

		rc = take_line(log, line, length, &keep, ret);
		if (!keep)
			act_lines_advance(&log->lines);
		if (rc)
			break;
	}
	if (rc < 0)
		return fail(log, -rc, err);
	if (rc == 0)
		*ret = ACT_NO_MORE;
	return 0;
}

int act_log_next(struct act_log *log, enum act_event *ret_event, struct error *err)
{
	if (!log->held)
		return next_event(log, ret_event, err);
	log->held = false;
	*ret_event = log->event;
	return 0;
}

bool act_log_last_block(struct act_log *log)
{
	const char *line;
	size_t length;
	uint64_t seconds;

	if (act_lines_rest(&log->lines, &line, &length) && length > 0) {
		if (log->in_block)
			take_counts(log, line, length);
		else if (is_block(log, line, length, &seconds))
			begin_block(log, seconds);
	}
	if (!log->in_block)
		return false;
	end_block(log);
	return true;
}

/* The lines up to the banner. */
static int find_banner(struct act_log *log, struct error *err)
{
	struct act_head *head = &log->head;
	const char *line;
	size_t length;
	bool found = false;
	int rc;

	while (!found && (rc = act_lines_peek(&log->lines, &line, &length)) == 1) {
		found = act_grammar_banner(line, length, &head->major, &head->minor);
		act_lines_advance(&log->lines);
	}
	if (!found && rc < 0)
		return fail(log, -rc, err);
	if (!found)
		return error_usage(err, EINVAL, "%s: not a log of ACT: it names no version",
				   log->name);
	head->grammar = act_grammar_find(head->major);
	if (!head->grammar)
		return error_usage(err, EINVAL,
				   "%s: a log of ACT %u.%u: versions 1.x to 6.x can be read",
				   log->name, head->major, head->minor);
	return 0;
}

int act_log_new(struct act_source source, const char *name, struct act_log **ret, struct error *err)
{
	struct act_log *log = calloc(1, sizeof(*log));
	int rc;

	if (!log)
		return error_environment(err, ENOMEM, "%s: no memory", name);
	log->name = name;
	rc = act_lines_init(&log->lines, source);
	if (rc == 0)
		rc = act_head_init(&log->head);
	if (rc < 0) {
		error_environment(err, -rc, "%s: no memory", name);
		goto out;
	}
	rc = find_banner(log, err);
	if (rc == 0)
		rc = next_event(log, &log->event, err);
	if (rc < 0)
		goto out;
	log->held = true;
	*ret = log;
	log = NULL;
out:
	act_log_free(log);
	return rc;
}

void act_log_free(struct act_log *log)
{
	if (!log)
		return;
	act_lines_release(&log->lines);
	act_head_release(&log->head);
	act_series_release(&log->series);
	free(log);
}

const struct act_head *act_log_head(const struct act_log *log)
{
	return &log->head;
}

const struct act_block *act_log_block(const struct act_log *log)
{
	return &log->block;
}

const struct act_message *act_log_message(const struct act_log *log)
{
	return &log->message;
}

size_t act_log_histogram_count(const struct act_log *log)
{
	return log->series.count;
}

const struct act_histogram *act_log_histogram(const struct act_log *log, size_t index)
{
	return &log->series.histograms[index];
}

const struct act_histogram *act_log_find(const struct act_log *log, const char *name)
{
	for (size_t i = 0; i < log->series.count; i++) {
		const struct act_histogram *histogram = &log->series.histograms[i];

		if (!strcmp(histogram->name, name) || !strcmp(histogram->tag, name))
			return histogram;
	}
	return NULL;
}

uint64_t act_log_damaged_lines(const struct act_log *log)
{
	return log->damaged + log->lines.too_long;
}
