#include "act/prep/preparer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "act/device/label_io.h"

#define ROUND_SHARE 10 /* one part of these of the device is a round */

static void tell(const struct preparer *preparer, const char *text)
{
	preparer->notice(preparer->notice_state, preparer, text);
}

static double mb_per_sec(uint64_t bytes, uint64_t ns)
{
	return ns ? (double)bytes / 1e6 / ((double)ns / 1e9) : 0;
}

static uint64_t now_ns(void)
{
	return clock_now(clock_real());
}

static uint64_t now_s(void)
{
	return (uint64_t)time(NULL);
}

struct prep_status preparer_status(struct preparer *preparer)
{
	pthread_mutex_lock(&preparer->lock);
	struct prep_status status = preparer->status;
	pthread_mutex_unlock(&preparer->lock);
	return status;
}

static void begin_status(struct preparer *preparer, const struct prep_status *status)
{
	pthread_mutex_lock(&preparer->lock);
	preparer->status = *status;
	preparer->status.begun_ns = now_ns();
	preparer->status.done_bytes = status->begun_bytes;
	pthread_mutex_unlock(&preparer->lock);
}

static void set_done(void *state, uint64_t done_bytes)
{
	struct preparer *preparer = state;

	pthread_mutex_lock(&preparer->lock);
	preparer->status.done_bytes = done_bytes;
	pthread_mutex_unlock(&preparer->lock);
}

static uint64_t data_bytes(const struct preparer *preparer)
{
	return preparer->device.size_bytes - LABEL_AREA_BYTES;
}

static int save_label(struct preparer *preparer, struct error *err)
{
	return label_write(preparer->device.name, preparer->device.fd, &preparer->report.label,
			   err);
}

static int take_cleaned(void *state, uint64_t position_bytes, struct error *err)
{
	struct preparer *preparer = state;

	set_done(preparer, position_bytes - LABEL_AREA_BYTES);
	preparer->report.label.position_bytes = position_bytes;
	return save_label(preparer, err);
}

static int clean(struct preparer *preparer, struct error *err)
{
	uint64_t from_bytes = preparer->report.label.position_bytes;
	const struct clean_request request = {
	    .device = &preparer->device,
	    .method = preparer->clean,
	    .from_bytes = from_bytes,
	    .stop = preparer->stop,
	    .progress = take_cleaned,
	    .progress_state = preparer,
	};
	uint64_t begun_ns = now_ns();
	char text[128];

	if (preparer->clean == CLEAN_NONE)
		return 0;
	begin_status(preparer, &(struct prep_status){
				   .activity = PREP_CLEANS,
				   .begun_bytes = from_bytes - LABEL_AREA_BYTES,
				   .total_bytes = data_bytes(preparer),
			       });
	int rc = clean_run(&request, err);
	if (rc < 0)
		return rc;
	snprintf(text, sizeof(text), "cleaned (%s) in %.1f s", clean_name(preparer->clean),
		 (double)(now_ns() - begun_ns) / 1e9);
	tell(preparer, text);
	return 0;
}

static int fill(struct preparer *preparer, struct error *err)
{
	struct label *label = &preparer->report.label;
	uint64_t begun_ns = now_ns();
	uint64_t from_bytes = label->position_bytes;
	char text[128];

	begin_status(preparer, &(struct prep_status){
				   .activity = PREP_FILLS,
				   .number = label->pass + 1,
				   .numbers = label->passes,
				   .begun_bytes = from_bytes - LABEL_AREA_BYTES,
				   .total_bytes = data_bytes(preparer),
			       });
	int rc = writer_fill(&preparer->writer, err);
	uint64_t ns = now_ns() - begun_ns;
	uint64_t bytes = label->position_bytes - from_bytes;
	preparer->report.filled_bytes += bytes;
	preparer->report.fill_ns += ns;
	if (rc < 0)
		return rc;
	snprintf(text, sizeof(text), "filled, pass %" PRIu64 " of %" PRIu64 ": %.1f MB/s",
		 label->pass + 1, label->passes, mb_per_sec(bytes, ns));
	tell(preparer, text);
	return 0;
}

/* Rounds before this call do not count: the device has rested since. */
static bool judge_round(struct preparer *preparer, uint64_t bytes_per_sec)
{
	uint64_t window[LABEL_ROUNDS];
	struct steady_figures *figures = &preparer->report.figures;
	char text[256];
	bool steady = false;
	int used = snprintf(text, sizeof(text), "overwriting, round %" PRIu64 ": %.1f MB/s",
			    preparer->report.label.rounds, (double)bytes_per_sec / 1e6);

	if (preparer->new_rounds >= LABEL_ROUNDS && state_window(&preparer->report.label, window)) {
		steady = steady_judge(window, figures);
		snprintf(text + used, sizeof(text) - (size_t)used,
			 "; of the last %d: average %.1f MB/s, range %.2f %% (limit %d), slope "
			 "%.2f %% (limit %d): %s",
			 LABEL_ROUNDS, (double)figures->average / 1e6, figures->range_pct,
			 STEADY_RANGE_PCT, figures->slope_pct, STEADY_SLOPE_PCT,
			 steady ? "steady" : "not steady");
	}
	tell(preparer, text);
	return steady;
}

static int overwrite(struct preparer *preparer, struct error *err)
{
	struct label *label = &preparer->report.label;
	const struct writer_round limits = {
	    .bytes = data_bytes(preparer) / ROUND_SHARE,
	    .ns = preparer->options->round_ns,
	};
	bool steady = false;

	label->steady = 0;
	while (!steady && preparer->new_rounds < preparer->options->rounds_max) {
		uint64_t bytes_per_sec;

		begin_status(preparer, &(struct prep_status){
					   .activity = PREP_OVERWRITES,
					   .number = preparer->new_rounds + 1,
					   .total_bytes = limits.bytes,
				       });
		int rc = writer_overwrite(&preparer->writer, &limits, &bytes_per_sec, err);
		if (rc < 0)
			return rc;
		preparer->new_rounds++;
		preparer->report.rounds = preparer->new_rounds;
		state_take_round(label, bytes_per_sec);
		steady = judge_round(preparer, bytes_per_sec);
		label->steady = steady;
		rc = save_label(preparer, err);
		if (rc < 0)
			return rc;
	}
	if (!steady)
		preparer->report.outcome = PREP_NOT_STEADY;
	return 0;
}

static int open_pump(struct preparer *preparer, struct error *err)
{
	return pump_open(preparer->ops, preparer->device.fd, clock_real(), &preparer->pump, err);
}

static int open_writer(struct preparer *preparer, struct error *err)
{
	struct label *label = &preparer->report.label;
	int rc = payload_pool_new(label->compress, label->data_id, &preparer->pool, err);

	if (rc < 0)
		return rc;
	preparer->writer = (struct writer){
	    .name = preparer->device.name,
	    .fd = preparer->device.fd,
	    .label = label,
	    .pool = preparer->pool,
	    .pump = preparer->pump,
	    .clock = clock_real(),
	    .stop = preparer->stop,
	    .bytes_per_sec = preparer->options->bytes_per_sec,
	    .progress = set_done,
	    .progress_state = preparer,
	};
	random_init(&preparer->writer.random, label->data_id, label->generation);
	return 0;
}

static int run_stage(struct preparer *preparer, struct error *err)
{
	switch (preparer->report.label.stage) {
	case LABEL_CLEAN:
		return clean(preparer, err);
	case LABEL_FILL:
		return fill(preparer, err);
	default:
		return overwrite(preparer, err);
	}
}

/* Each stage begins with a label that says so. */
static int prepare(struct preparer *preparer, struct error *err)
{
	struct label *label = &preparer->report.label;
	int rc = open_writer(preparer, err);

	if (rc == 0 && preparer->plan.decision == STATE_BEGIN)
		rc = label_clear(preparer->device.name, preparer->device.fd, err);
	preparer->report.outcome = PREP_PREPARED;
	while (rc == 0 && label->stage != LABEL_DONE) {
		rc = save_label(preparer, err);
		if (rc == 0)
			rc = run_stage(preparer, err);
		if (rc == 0)
			state_advance(label, now_s());
	}
	return rc < 0 ? rc : save_label(preparer, err);
}

static int verify(struct preparer *preparer, struct error *err)
{
	struct prep_report *report = &preparer->report;
	uint64_t begun_ns = now_ns();
	const struct verify_request request = {
	    .name = preparer->device.name,
	    .device_bytes = preparer->device.size_bytes,
	    .data_id = report->label.data_id,
	    .pump = preparer->pump,
	    .stop = preparer->stop,
	    .bytes_per_sec = preparer->options->bytes_per_sec,
	    .progress = set_done,
	    .progress_state = preparer,
	};

	begin_status(preparer, &(struct prep_status){
				   .activity = PREP_VERIFIES,
				   .total_bytes = data_bytes(preparer),
			       });
	int rc = verify_run(&request, &report->verify, err);
	report->verify_ns = now_ns() - begun_ns;
	report->verified = rc == 0;
	if (report->verify.bad > 0)
		report->outcome = PREP_MISMATCH;
	return rc;
}

void preparer_work(struct preparer *preparer)
{
	struct prep_report *report = &preparer->report;
	struct error *err = &report->err;
	int rc = open_pump(preparer, err);

	if (rc == 0 && preparer->plan.decision != STATE_READY)
		rc = prepare(preparer, err);
	if (rc == 0 && preparer->options->verify)
		rc = verify(preparer, err);
	if (rc == -EINTR && preparer->stop && *preparer->stop)
		report->outcome = PREP_STOPPED;
	else if (rc < 0)
		report->outcome = PREP_FAILED;
	/* What failed was perhaps no longer there: that is then the error to be told. */
	if (report->outcome == PREP_FAILED)
		device_check_identity(&preparer->device, err);
	pump_close(preparer->pump);
	if (rc != -ETIMEDOUT) /* else it may be read from still */
		payload_pool_free(preparer->pool);
	begin_status(preparer, &(struct prep_status){.activity = PREP_ENDED});
}
