#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "act/run/run_private.h"
#include "act/run/stop.h"

/* From "all are ready" to the start line. */
#define START_AHEAD_NS (50 * NS_PER_MS)
/* A stop takes effect so much later, so that all workers see it in time. */
#define STOP_AHEAD_NS (10 * NS_PER_MS)
/* A worker that does not run for the hang limit and so much longer is stuck in the
 * kernel; the run ends without it. */
#define STUCK_EXTRA_NS (5 * NS_PER_SEC)
#define ERRORS_TOLD    5
#define FAILURE_BYTES  128
#define LOOK_EVERY_NS  (100 * NS_PER_MS)
#define POLL_NS        (2 * NS_PER_MS)

/* A drive that hangs does not hold up the end of the run for longer. */
#define LAST_SAMPLE_WAIT_NS (2 * NS_PER_SEC)

struct execution {
	struct run *run;
	const struct run_observer *observer;
	uint64_t start_ns;
	struct run_end end;
	uint64_t errors_told;
	uint64_t looked_ns;  /* when this thread last looked for stuck workers */
	uint64_t patient_ns; /* none is called stuck before then */
};

static void end_early(struct execution *execution, enum end_reason reason, int lost_device)
{
	uint64_t now_ns = clock_now(execution->run->clock);
	uint64_t since_ns = now_ns > execution->start_ns ? now_ns - execution->start_ns : 0;
	struct worker_control *control = &execution->run->control;

	if (since_ns + STOP_AHEAD_NS >= control->duration_ns)
		return;
	execution->end.reason = reason;
	execution->end.device = lost_device > 0 ? (size_t)lost_device - 1 : 0;
	atomic_store(&control->end_ns, since_ns + STOP_AHEAD_NS);
}

/* Does anything ask the run to end before its time? */
static void look_around(struct execution *execution)
{
	struct worker_control *control = &execution->run->control;
	int lost = atomic_load(&control->lost_device);
	int lagging = atomic_load(&control->lagging_device);

	if (execution->end.reason != END_COMPLETED)
		return;
	if (stop_signal()) {
		execution->end.signal = stop_signal();
		end_early(execution, END_SIGNAL, 0);
	} else if (lost) {
		end_early(execution, END_DEVICE_LOST, lost);
	} else if (lagging) {
		end_early(execution, END_MAX_LAG, lagging);
	}
}

/* 1 + index of the device of a worker that the kernel holds; 0: none. */
static int stuck_device(struct execution *execution)
{
	const struct run *run = execution->run;
	uint64_t now_ns = clock_now(run->clock);
	uint64_t allowed_ns = run->config->hang_limit_ns + STUCK_EXTRA_NS;

	/* Where this thread did not run either, nothing can be said of the others. */
	if (now_ns > execution->looked_ns + NS_PER_SEC)
		execution->patient_ns = now_ns + allowed_ns;
	execution->looked_ns = now_ns;
	if (now_ns < execution->patient_ns)
		return 0;
	for (size_t i = 0; i < run->worker_count; i++)
		if (worker_alive_ns(run->workers[i]) < now_ns - execution->start_ns - allowed_ns)
			return (int)worker_device(run->workers[i]) + 1;
	return 0;
}

static void describe_failure(const struct request_error *error, char text[static FAILURE_BYTES])
{
	if (error->wrong.kind)
		snprintf(text, FAILURE_BYTES, "wrong data: the sector at %" PRIu64 " is %s",
			 error->wrong.offset_bytes, wrong_kind_name(error->wrong.kind));
	else
		snprintf(text, FAILURE_BYTES, "%s",
			 error->code == ETIMEDOUT ? "did not come back"
			 : error->code            ? strerror(error->code)
						  : "came back short");
}

static void tell_error(struct execution *execution, const struct request_error *error)
{
	const struct run_info *info = &execution->run->info;
	char failure[FAILURE_BYTES];
	char text[INFO_NAME_BYTES + FAILURE_BYTES + 256];

	if (!execution->observer->notice || execution->errors_told++ >= ERRORS_TOLD)
		return;
	describe_failure(error, failure);
	snprintf(text, sizeof(text), "%s: one of the %s, %" PRIu64 " bytes at %" PRIu64 ": %s%s",
		 info->devices[error->device].name, info->streams[error->stream].name,
		 error->length_bytes, error->offset_bytes, failure,
		 execution->errors_told == ERRORS_TOLD ? " (further ones are in run.log)" : "");
	execution->observer->notice(execution->observer->state, text);
}

/* A device that is gone, or another under its name, is told of. */
static bool is_same(const struct execution *execution, size_t device)
{
	struct error err = {0};

	if (device_check_identity(&execution->run->targets.devices[device], &err) == 0)
		return true;
	if (execution->observer->notice)
		execution->observer->notice(execution->observer->state, err.text);
	return false;
}

/* After errors, all of them from one device as a rule. */
static void check_failing(struct execution *execution, const struct request_error *errors,
			  size_t count)
{
	if (count == 0 || execution->end.reason != END_COMPLETED)
		return;
	if (!is_same(execution, errors[count - 1].device))
		end_early(execution, END_DEVICE_CHANGED, (int)errors[count - 1].device + 1);
}

/* At the end, unless something graver is known of a device already. */
static void check_all(struct execution *execution)
{
	for (size_t i = 0; i < execution->run->targets.count; i++) {
		if (execution->end.reason != END_COMPLETED || is_same(execution, i))
			continue;
		execution->end.reason = END_DEVICE_CHANGED;
		execution->end.device = i;
	}
}

static void tell_trouble(const struct execution *execution)
{
	struct error trouble;

	while (record_trouble(execution->run->record, &trouble))
		if (execution->observer->notice)
			execution->observer->notice(execution->observer->state, trouble.text);
}

/* Puts samples of telemetry that came in into the log and before the reports. */
static void take_samples(const struct execution *execution)
{
	struct run *run = execution->run;
	struct telemetry_sample sample;

	while (sampler_take(run->sampler, &sample)) {
		sample.at_ns -=
		    sample.at_ns < execution->start_ns ? sample.at_ns : execution->start_ns;
		record_sample(run->record, &sample);
		telemetry_add(run->info.telemetry, &sample);
	}
}

static void take_interval(struct execution *execution, const struct interval *interval)
{
	const struct run_observer *observer = execution->observer;
	struct run *run = execution->run;
	const struct request_error *errors;
	size_t error_count = reporter_errors(run->reporter, &errors);

	for (size_t i = 0; i < error_count; i++) {
		record_error(run->record, &errors[i]);
		tell_error(execution, &errors[i]);
	}
	check_failing(execution, errors, error_count);
	take_samples(execution);
	record_interval(run->record, interval);
	const struct slice *slice = judge_interval(run->judge, interval);
	if (observer->interval)
		observer->interval(observer->state, interval, run->judge);
	if (slice) {
		const struct result *so_far = judge_peek(run->judge);

		record_result(run->record, so_far);
		if (observer->slice)
			observer->slice(observer->state, so_far, slice);
	}
	tell_trouble(execution);
}

/* Sleeps until something may have happened. */
static void rest(const struct execution *execution, uint64_t next_ns)
{
	uint64_t now_ns = clock_now(execution->run->clock);
	uint64_t gap_ns = next_ns > now_ns ? next_ns - now_ns + POLL_NS : POLL_NS;

	clock_sleep(gap_ns < LOOK_EVERY_NS ? gap_ns : LOOK_EVERY_NS);
}

static void follow(struct execution *execution)
{
	struct run *run = execution->run;
	uint64_t next_ns = execution->start_ns + run->config->interval_ns;

	while (!reporter_finished(run->reporter)) {
		const struct interval *interval;

		int stuck = stuck_device(execution);

		if (stuck) {
			execution->end.reason = END_DEVICE_LOST;
			execution->end.device = (size_t)stuck - 1;
			run->stuck = true;
			return;
		}
		look_around(execution);
		if (reporter_collect(run->reporter, atomic_load(&run->control.end_ns), &interval)) {
			take_interval(execution, interval);
			next_ns += run->config->interval_ns;
		} else {
			rest(execution, next_ns);
		}
	}
}

const struct result *run_execute(struct run *run, const struct run_observer *observer)
{
	static const struct run_observer nobody;
	struct execution execution = {
	    .run = run,
	    .observer = observer ? observer : &nobody,
	    .end = {.reason = END_COMPLETED},
	};

	execution.start_ns = clock_now(run->clock) + START_AHEAD_NS;
	execution.looked_ns = execution.start_ns;
	execution.patient_ns = execution.start_ns + run->config->hang_limit_ns + STUCK_EXTRA_NS;
	crew_start(run->crew, execution.start_ns);
	follow(&execution);
	execution.end.at_ns = run->stuck ? clock_now(run->clock) - execution.start_ns
					 : atomic_load(&run->control.end_ns);
	check_all(&execution);
	sampler_finish(run->sampler, LAST_SAMPLE_WAIT_NS);
	take_samples(&execution);
	record_end(run->record, &execution.end);
	execution.end.log_disk_full = record_damaged(run->record);
	const struct result *result = judge_finish(run->judge, &execution.end);
	record_result(run->record, result);
	tell_trouble(&execution);
	return result;
}
