#include "act/run/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "act/run/worker_private.h"

/* The in-flight cap, when it is left to us: a quarter second of the share's
 * rate, within these bounds. */
#define SLOTS_MIN       16
#define SLOTS_BYTES_MAX (12U << 20)
#define SLOTS_MAX       32768
/* The kernel registers no larger region of buffers. */
#define BUFFERS_BYTES_MAX  (UINT64_C(1) << 30)
#define IDLE_BUFFERS_BYTES 4096
#define ADDRESS_SEED_STEP  0x10000
#define PHASE_STEP         27146 /* 65536 * (sqrt(2) - 1): no two streams start together */

static uint32_t choose_slots(const struct worker_setup *setup, const struct stream *stream,
			     uint32_t length)
{
	uint64_t cap = stream->in_flight_cap ? stream->in_flight_cap : setup->config->in_flight_cap;

	if (cap == 0) {
		double per_sec = ratio_to_double(stream->per_sec) / setup->stride;
		uint64_t most = SLOTS_BYTES_MAX / length;

		cap = (uint64_t)(per_sec / 4) + 1;
		if (cap > most)
			cap = most;
		if (cap < SLOTS_MIN)
			cap = SLOTS_MIN;
	}
	cap = cap > SLOTS_MAX / setup->workload->stream_count
		  ? SLOTS_MAX / setup->workload->stream_count
		  : cap;
	return (uint32_t)cap;
}

static struct address_range range_of(const struct device *device)
{
	return (struct address_range){
	    .first_bytes = LABEL_AREA_BYTES,
	    .end_bytes = device->size_bytes,
	    .logical_block_bytes = device->logical_block_bytes,
	};
}

int worker_check(const struct worker_setup *setup, struct error *err)
{
	const struct address_range range = range_of(setup->device);
	uint64_t buffers_bytes = 0;

	for (size_t i = 0; i < setup->workload->stream_count; i++) {
		const struct stream *stream = &setup->workload->streams[i];
		uint32_t length = 0;
		int rc = stream_is_on(stream, setup->device_index)
			     ? address_check(stream, &range, &length, err)
			     : 0;

		if (rc)
			return rc;
		if (length > 0)
			buffers_bytes += (uint64_t)choose_slots(setup, stream, length) * length;
	}
	if (buffers_bytes <= BUFFERS_BYTES_MAX)
		return 0;
	return config_refuse(setup->config, "in-flight-cap",
			     "the buffers of one worker would take more than 1 GiB",
			     "fewer requests, that of streams included, or more "
			     "workers-per-device",
			     err);
}

static enum io_op stream_io_op(const struct stream *stream)
{
	if (stream->op == STREAM_READ)
		return IO_READ;
	return stream->dsync ? IO_WRITE_DSYNC : IO_WRITE;
}

/* The phases of the run as the stream has them. */
static int share_init_schedule(struct worker *worker, size_t number, uint64_t seed,
			       struct error *err)
{
	const struct worker_setup *setup = &worker->setup;
	const struct workload *workload = setup->workload;
	struct schedule_segment segments[PHASES_MAX];
	uint64_t phase =
	    setup->device_index * SCHEDULE_PHASES / setup->device_count + number * PHASE_STEP;
	const struct schedule_share part = {
	    .segments = segments,
	    .segment_count = workload->phase_count,
	    .index = setup->index,
	    .stride = setup->stride,
	    .phase = (uint32_t)(phase % SCHEDULE_PHASES),
	    .seed = seed,
	    .arrivals = setup->config->arrivals == CONFIG_ARRIVALS_POISSON ? SCHEDULE_POISSON
									   : SCHEDULE_UNIFORM,
	};

	for (size_t i = 0; i < workload->phase_count; i++)
		segments[i] = (struct schedule_segment){
		    .begin_ns = workload->phases[i].start_ns,
		    .end_ns = workload->phases[i].end_ns,
		    .per_sec = workload->phases[i].per_sec[number],
		};
	return schedule_init(&worker->shares[number].schedule, &part, err);
}

static int share_init_slots(struct worker *worker, struct share *share, struct error *err)
{
	share->slot_count =
	    choose_slots(&worker->setup, share->stream, address_length_max(&share->address));
	share->free_count = share->slot_count;
	share->slots = calloc(share->slot_count, sizeof(*share->slots));
	share->free = calloc(share->slot_count, sizeof(*share->free));
	if (!share->slots || !share->free)
		return error_environment(err, ENOMEM, "no memory for %u requests",
					 share->slot_count);
	worker->slots_total += share->slot_count;
	worker->buffers_bytes += (size_t)share->slot_count * address_length_max(&share->address);
	return 0;
}

static int share_init(struct worker *worker, size_t number, struct error *err)
{
	const struct worker_setup *setup = &worker->setup;
	struct share *share = &worker->shares[number];
	uint64_t seed =
	    random_mix(setup->seed + (setup->device_index + 1) * ADDRESS_SEED_STEP + number);
	const struct stream *stream = &setup->workload->streams[number];
	const struct address_range range = range_of(setup->device);

	share->stream = stream;
	share->op = stream_io_op(stream);
	share->held_from_ns = UINT64_MAX;
	share->oldest = SLOT_NONE;
	share->newest = SLOT_NONE;
	share->next_ns = SCHEDULE_NEVER;
	if (!stream_is_on(stream, setup->device_index))
		return 0; /* no slots, no schedule, and nothing is ever due */
	int rc =
	    address_init(&share->address, stream, &range, setup->index, setup->stride, ~seed, err);
	if (rc == 0)
		rc = share_init_schedule(worker, number, seed, err);
	if (rc == 0)
		rc = share_init_slots(worker, share, err);
	if (rc == 0)
		share->next_ns = schedule_take_ns(&share->schedule);
	return rc;
}

/* On some devices all streams may rest in the phases that are run. */
static void provide_for_idleness(struct worker *worker)
{
	if (worker->slots_total > 0)
		return;
	worker->slots_total = 1;
	worker->buffers_bytes = IDLE_BUFFERS_BYTES;
}

/* One region for all buffers: page-aligned, since lengths are whole blocks. */
static int map_buffers(struct worker *worker, struct error *err)
{
	void *region = mmap(NULL, worker->buffers_bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (region == MAP_FAILED)
		return error_environment(err, ENOMEM, "no memory for %zu MiB of request buffers",
					 worker->buffers_bytes >> 20);
	worker->buffers = region;
	uint8_t *next = region;
	for (size_t i = 0; i < worker->share_count; i++) {
		struct share *share = &worker->shares[i];

		for (uint32_t j = 0; j < share->slot_count; j++) {
			share->slots[j].buffer = next;
			/* Lowest addresses on top: a light load stays in few pages. */
			share->free[j] = share->slot_count - 1 - j;
			next += address_length_max(&share->address);
		}
	}
	return 0;
}

int worker_new(const struct worker_setup *setup, struct worker **ret, struct error *err)
{
	int rc = worker_check(setup, err);

	if (rc)
		return rc;
	struct worker *worker = calloc(1, sizeof(*worker));
	if (!worker)
		return error_environment(err, ENOMEM, "no memory for a worker");
	worker->setup = *setup;
	worker->failing_since_ns = UINT64_MAX;
	worker->caught_up_ns = UINT64_MAX;
	random_init(&worker->random, setup->seed,
		    ((uint64_t)setup->device_index << 32) + setup->index);
	/* Sequences of all workers are distinct. */
	worker->sequence = ((uint64_t)setup->device_index * setup->stride + setup->index) << 48;
	while (rc == 0 && worker->share_count < setup->workload->stream_count)
		rc = share_init(worker, worker->share_count++, err);
	if (rc)
		goto fail;
	provide_for_idleness(worker);
	rc = worker_verify_init(worker, err);
	if (rc)
		goto fail;
	worker->retries = calloc(worker->slots_total, sizeof(*worker->retries));
	rc = worker->retries ? tally_ring_init(&worker->ring, worker->share_count) : -ENOMEM;
	if (rc) {
		rc = error_environment(err, ENOMEM, "no memory for a worker");
		goto fail;
	}
	rc = map_buffers(worker, err);
	if (rc)
		goto fail;
	worker->page = tally_ring_page(&worker->ring);
	*ret = worker;
	return 0;
fail:
	worker_free(worker);
	return rc;
}

void worker_free(struct worker *worker)
{
	if (!worker)
		return;
	worker_verify_release(worker);
	for (size_t i = 0; i < worker->share_count; i++) {
		schedule_release(&worker->shares[i].schedule);
		address_release(&worker->shares[i].address);
		free(worker->shares[i].slots);
		free(worker->shares[i].free);
	}
	if (worker->buffers)
		munmap(worker->buffers, worker->buffers_bytes);
	tally_ring_release(&worker->ring);
	free(worker->retries);
	free(worker);
}

int worker_open(struct worker *worker, const cpu_set_t *helper_cpus, struct error *err)
{
	const struct io_setup setup = {
	    .fd = worker->setup.device->fd,
	    .buffers = worker->buffers,
	    .buffers_bytes = worker->buffers_bytes,
	    .requests_max = worker->slots_total,
	    .clock = worker->setup.clock,
	    .helper_cpus = helper_cpus,
	};

	int rc = worker->setup.ops->open(&setup, &worker->engine, err);
	if (rc && worker->setup.config->polled)
		error_prefix(err, worker->setup.device->name);
	return rc;
}

void worker_close(struct worker *worker)
{
	if (worker->engine)
		worker->setup.ops->close(worker->engine);
	worker->engine = NULL;
}

const char *worker_describe_engine(const struct worker *worker)
{
	return worker->setup.ops->describe(worker->engine);
}

void worker_start(struct worker *worker, uint64_t start_ns)
{
	worker->start_ns = start_ns;
	worker->sleeps = worker->setup.thread_sleeps();
	worker->preemptions = worker->setup.thread_preemptions();
	worker->ran_ns = worker_now(worker);
}

uint64_t worker_now(const struct worker *worker)
{
	return clock_now(worker->setup.clock) - worker->start_ns;
}

uint64_t worker_tick(struct worker *worker)
{
	uint64_t now_ns = worker_now(worker);

	if (now_ns - worker->ran_ns >= HICCUP_MIN_NS)
		worker_note_hiccup(worker, worker->ran_ns, now_ns);
	worker->ran_ns = now_ns;
	return now_ns;
}

uint64_t worker_resume(struct worker *worker)
{
	return worker->ran_ns = worker_now(worker);
}

/* After a wait that should have ended at until_ns: more is a hiccup. */
static void wake_up(struct worker *worker, uint64_t until_ns)
{
	uint64_t asleep_ns = worker->ran_ns;
	uint64_t now_ns = worker_resume(worker);

	if (until_ns < asleep_ns)
		until_ns = asleep_ns;
	if (now_ns >= until_ns + HICCUP_MIN_NS)
		worker_note_hiccup(worker, until_ns, now_ns);
	worker->sleeps = worker->setup.thread_sleeps();
}

void worker_wait(struct worker *worker, uint64_t until_ns)
{
	worker_tick(worker);
	worker->setup.ops->wait(worker->engine, worker->start_ns + until_ns);
	wake_up(worker, until_ns);
}

void worker_sleep(struct worker *worker, uint64_t ns)
{
	uint64_t until_ns = worker_tick(worker) + ns;

	clock_sleep(ns);
	wake_up(worker, until_ns);
}

uint64_t worker_alive_ns(const struct worker *worker)
{
	return atomic_load_explicit(&worker->alive_ns, memory_order_relaxed);
}

uint64_t worker_in_flight(const struct worker *worker)
{
	return worker->in_flight;
}

bool worker_done(const struct worker *worker)
{
	return worker->done;
}

struct tally_ring *worker_ring(struct worker *worker)
{
	return &worker->ring;
}

uint64_t worker_planned_before(const struct worker *worker, size_t stream, uint64_t end_ns)
{
	return schedule_count_before(&worker->shares[stream].schedule, end_ns);
}

size_t worker_device(const struct worker *worker)
{
	return worker->setup.device_index;
}
