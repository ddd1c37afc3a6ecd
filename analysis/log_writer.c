#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/log.h"
#include "analysis/log_format.h"
#include "analysis/slicing.h"

struct log_writer {
	FILE *stream;
	const struct run_info *info;
	size_t tally_count;
	int failure;  /* errno of the last failed write */
	bool broken;  /* the last write failed: the file may end within a line */
	bool started; /* the banner is written */

	uint64_t (*power)[POWERS]; /* cumulative, by tally */
	uint64_t reached_ns;       /* planned end of the last interval */
	bool text_due;             /* counts came in since the last text */

	/* Histograms since the last payloads: [tally][SPAN_COUNT]. */
	struct histogram *window;
	bool window_open;
	uint64_t window_from_ns;
	uint64_t window_to_ns;
	uint64_t window_interval;

	struct request_error errors[LOG_ERRORS_PER_INTERVAL];
	size_t error_count;
	struct telemetry_sample samples[LOG_SAMPLES_PER_INTERVAL];
	size_t sample_count;
};

/* What is written at once, so that nothing follows a part that failed. */
struct page {
	FILE *out;
	char *text;
	size_t length;
	int error; /* of what could not be encoded */
};

static int page_open(struct page *page)
{
	*page = (struct page){0};
	page->out = open_memstream(&page->text, &page->length);
	return page->out ? 0 : -ENOMEM;
}

/* One line with one member; takes over `value`. */
static void page_line(struct page *page, const char *key, json_t *value)
{
	json_t *object = json_object();
	char *text = NULL;

	if (json_object_set_new(object, key, value) == 0)
		text = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII);
	if (text)
		fprintf(page->out, "# %s\n", text);
	else
		page->error = ENOMEM;
	free(text);
	json_decref(object);
}

/* errno of the failed write, or 0. */
static int write_text(FILE *stream, const char *text, size_t length)
{
	errno = 0;
	if (fwrite(text, 1, length, stream) == length && fflush(stream) == 0)
		return 0;
	clearerr(stream);
	return errno ? errno : EIO;
}

/* Closes the page and writes it; 0 or -errno. After a failure the next page
 * starts behind an empty line, which also ends a block of text. */
static int page_write(struct page *page, struct log_writer *writer)
{
	int failure = fclose(page->out) == 0 ? page->error : ENOMEM;

	if (!failure && writer->broken)
		failure = write_text(writer->stream, "\n\n", 2);
	if (!failure) {
		failure = write_text(writer->stream, page->text, page->length);
		writer->broken = failure != 0;
	}
	if (failure)
		writer->failure = failure;
	free(page->text);
	return -failure;
}

static void start(struct log_writer *writer)
{
	struct page page;

	if (writer->started)
		return;
	if (page_open(&page) < 0) {
		writer->failure = ENOMEM;
		return;
	}
	log_text_banner(page.out, writer->info);
	page_line(&page, "run", log_encode_run(writer->info));
	if (writer->info->environment->count > 0)
		page_line(&page, "environment", log_encode_environment(writer->info));
	writer->started = page_write(&page, writer) == 0;
}

int log_writer_new(FILE *stream, const struct run_info *info, struct log_writer **ret,
		   struct error *err)
{
	size_t count = info->device_count * info->stream_count;
	struct log_writer *writer;

	if (count > LOG_TALLIES_MAX)
		return error_usage(err, E2BIG, "%zu devices with %zu streams are too many to log",
				   info->device_count, info->stream_count);
	writer = calloc(1, sizeof(*writer));
	if (!writer)
		return error_environment(err, ENOMEM, "no memory for the log");
	writer->stream = stream;
	writer->info = info;
	writer->tally_count = count;
	writer->power = calloc(count + 1, sizeof(*writer->power));
	writer->window = calloc(count * SPAN_COUNT + 1, sizeof(*writer->window));
	if (!writer->power || !writer->window) {
		log_writer_free(writer);
		return error_environment(err, ENOMEM, "no memory for the log");
	}
	for (size_t i = 0; i < count * SPAN_COUNT; i++)
		histogram_init(&writer->window[i]);
	start(writer);
	*ret = writer;
	return 0;
}

void log_writer_free(struct log_writer *writer)
{
	if (!writer)
		return;
	free(writer->power);
	free(writer->window);
	free(writer);
}

static void collect(struct log_writer *writer, const struct interval *interval)
{
	if (!writer->window_open)
		writer->window_from_ns = interval->start_ns;
	writer->window_open = true;
	writer->window_to_ns = interval->end_ns;
	writer->window_interval = interval->number;
	writer->text_due = true;
	for (size_t i = 0; i < writer->tally_count; i++) {
		const struct tally *tally = &interval->tallies[i];

		for (size_t k = 0; k < POWERS; k++)
			writer->power[i][k] += tally->power[k];
		for (size_t span = 0; span < SPAN_COUNT; span++)
			histogram_merge(&writer->window[i * SPAN_COUNT + span], &tally->span[span]);
	}
}

static void put_errors(struct page *page, const struct log_writer *writer)
{
	for (size_t i = 0; i < writer->error_count; i++)
		page_line(page, "error", log_encode_error(writer->info, &writer->errors[i]));
}

static void put_samples(struct page *page, struct log_writer *writer)
{
	for (size_t i = 0; i < writer->sample_count; i++)
		page_line(page, "telemetry", log_encode_sample(writer->info, &writer->samples[i]));
	writer->sample_count = 0;
}

static void put_payloads(struct page *page, const struct log_writer *writer)
{
	for (size_t i = 0; i < writer->tally_count * SPAN_COUNT; i++) {
		size_t tally = i / SPAN_COUNT;
		struct log_payload payload = {
		    .device = tally / writer->info->stream_count,
		    .stream = tally % writer->info->stream_count,
		    .span = i % SPAN_COUNT,
		    .interval = writer->window_interval,
		    .from_ns = writer->window_from_ns,
		    .to_ns = writer->window_to_ns,
		};

		if (writer->window[i].total)
			page_line(page, "histogram",
				  log_encode_histogram(writer->info, &payload, &writer->window[i]));
	}
}

static void close_window(struct log_writer *writer)
{
	for (size_t i = 0; i < writer->tally_count * SPAN_COUNT; i++)
		histogram_clear(&writer->window[i]);
	writer->window_open = false;
}

static void put_text(struct page *page, struct log_writer *writer, uint64_t seconds)
{
	log_text_block(page->out, writer->info, seconds, (const uint64_t(*)[POWERS])writer->power);
	writer->text_due = false;
}

static bool passes_multiple(uint64_t from_ns, uint64_t to_ns, uint64_t period_ns)
{
	return to_ns / period_ns > from_ns / period_ns;
}

/* Whether the slice ends that was under way at from_ns. */
static bool ends_slice(const struct run_info *info, uint64_t from_ns, uint64_t number)
{
	struct slice_place place;

	slicing_find(info, from_ns / info->interval_ns, &place);
	return place.end <= number + 1;
}

void log_write_interval(struct log_writer *writer, const struct interval *interval)
{
	uint64_t from_ns = writer->reached_ns;
	uint64_t to_ns = (interval->number + 1) * writer->info->interval_ns;
	bool with_payloads = passes_multiple(from_ns, to_ns, LOG_PAYLOAD_NS) ||
			     ends_slice(writer->info, from_ns, interval->number);
	struct page page;

	assert(interval->device_count == writer->info->device_count &&
	       interval->stream_count == writer->info->stream_count);
	writer->reached_ns = to_ns;
	collect(writer, interval);
	start(writer);
	if (page_open(&page) < 0) {
		writer->failure = ENOMEM;
		return;
	}
	put_errors(&page, writer);
	writer->error_count = 0;
	put_samples(&page, writer);
	/* The text knows whole seconds only. */
	if (to_ns % NS_PER_SEC == 0)
		put_text(&page, writer, to_ns / NS_PER_SEC);
	if (with_payloads)
		put_payloads(&page, writer);
	page_line(&page, "interval", log_encode_interval(writer->info, interval));
	/* Payloads that did not get to the file come with the next ones. */
	if (page_write(&page, writer) == 0 && with_payloads)
		close_window(writer);
}

void log_write_error(struct log_writer *writer, const struct request_error *error)
{
	if (writer->error_count < LOG_ERRORS_PER_INTERVAL)
		writer->errors[writer->error_count++] = *error;
}

void log_write_sample(struct log_writer *writer, const struct telemetry_sample *sample)
{
	if (writer->sample_count < LOG_SAMPLES_PER_INTERVAL)
		writer->samples[writer->sample_count++] = *sample;
}

void log_write_end(struct log_writer *writer, const struct run_end *end)
{
	struct page page;

	start(writer);
	if (page_open(&page) < 0) {
		writer->failure = ENOMEM;
		return;
	}
	/* Directly behind the last interval, so that the reader gives them with it. */
	if (writer->window_open)
		put_payloads(&page, writer);
	close_window(writer);
	put_errors(&page, writer);
	writer->error_count = 0;
	put_samples(&page, writer);
	if (writer->text_due)
		put_text(&page, writer, writer->reached_ns / NS_PER_SEC + 1);
	page_line(&page, "end", log_encode_end(writer->info, end));
	page_write(&page, writer);
}

int log_writer_failure(const struct log_writer *writer)
{
	return writer->failure;
}
