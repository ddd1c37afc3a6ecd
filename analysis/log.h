#pragma once
#include <stdio.h>

#include "act/base/error.h"
#include "analysis/interval.h"
#include "analysis/log_wait.h"
#include "analysis/run_info.h"

/*
 * run.log: the older tool's text of version 6, whose numbers are cumulative, and
 * lines "# {...}" of one JSON object each, whose numbers are of one interval.
 * Only analysis/log_*.c know the format; log_format.md describes it.
 *
 * Neither a writer nor a reader may be used by two threads at a time.
 */

struct log_writer;

/* Starts a log on a stream that the caller opened and owns; writes banner,
 * configuration and the lines "run" and "environment". `info` must stay until the writer is freed.
 * A failing write (disk full) is no error here: it is remembered, and writing
 * is tried again at the next interval. -ENOMEM, or -E2BIG when there are more
 * than 4096 pairs of device and stream. */
int log_writer_new(FILE *stream, const struct run_info *info, struct log_writer **ret,
		   struct error *err);
void log_writer_free(struct log_writer *writer);

/* Writes one interval and flushes. Payloads of the histograms collected since
 * the last ones go with it when a multiple of 30 s or of the slice was reached.
 * Intervals come with rising numbers; their devices and streams are those of
 * `info`. */
void log_write_interval(struct log_writer *writer, const struct interval *interval);
/* Lists an error with the next interval or end; at most 100 each time, further
 * ones are left out (tallies count them all). */
void log_write_error(struct log_writer *writer, const struct request_error *error);
/* Tells a sample of telemetry with the next interval or end; at most 128 each time.
 * What reports know of it, info->telemetry, is not touched. */
void log_write_sample(struct log_writer *writer, const struct telemetry_sample *sample);
/* The last line; flushes. Payloads not yet written go out before it. */
void log_write_end(struct log_writer *writer, const struct run_end *end);

/* errno of the last write that failed, 0 when all was written. */
int log_writer_failure(const struct log_writer *writer);

struct log_reader;

enum log_event { LOG_INTERVAL, LOG_ERROR, LOG_END, LOG_FINISHED };

/* Opens a log and reads up to its "run" line. The stream stays the caller's and
 * need not be seekable. `name` stands in error texts and must stay as long as
 * the reader. A log of the older tool, or none at all, is refused with a usage
 * error; -EIO and -ENOMEM are errors of the environment. */
int log_reader_new(FILE *stream, const char *name, struct log_reader **ret, struct error *err);
/* The same for a log that is still being written: at the end of what is there, here
 * and in log_reader_next, `wait` is asked, which must stay as long as the reader. An
 * interval is delivered when the line behind it, or behind its payloads, is there. */
int log_reader_follow(FILE *stream, const char *name, const struct log_wait *wait,
		      struct log_reader **ret, struct error *err);
void log_reader_free(struct log_reader *reader);

/* The reader's own; valid as long as the reader. The older tool's text in it is
 * empty. What `environment` and `telemetry` point to fills up as events are read. */
const struct run_info *log_reader_info(const struct log_reader *reader);

/* The next event: 0 and *ret_event; or, when the file cannot be read (-EIO) or
 * memory is short, an error of the environment. What is wrong in the file is no
 * error: damaged lines are left out and counted, so that an interval can be
 * missing, which its successor's number shows; numbers only rise. A last line
 * that was cut off by a crash is left out, and LOG_FINISHED follows, as it does
 * after LOG_END. The values are valid until the next call.
 *
 * An interval holds histograms only where payloads stand with it: for all
 * intervals since the payloads before. */
int log_reader_next(struct log_reader *reader, enum log_event *ret_event, struct error *err);
const struct interval *log_reader_interval(const struct log_reader *reader);
const struct request_error *log_reader_error(const struct log_reader *reader);
const struct run_end *log_reader_end(const struct log_reader *reader);

/* Lines so far that should have been ours but could not be read. */
uint64_t log_reader_damaged_lines(const struct log_reader *reader);
