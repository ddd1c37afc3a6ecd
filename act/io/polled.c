#include <errno.h>
#include <string.h>

#include "act/io/uring_private.h"

/* io_uring without interrupts (IOPOLL): completions are found by asking the device,
 * which each call into the kernel does once. */

#define PROBE_BYTES 4096 /* a multiple of every logical block */

static int refuse(int rc, struct error *err)
{
	return error_environment(
	    err, -rc,
	    "no polled completions (%s): its driver has no poll queues in use; boot with "
	    "nvme.poll_queues=N (or the like of another driver), or leave polled off",
	    strerror(-rc));
}

/* What the kernel thinks of polling here, it tells with the first request. */
static int read_first_block(struct io_engine *engine, const struct io_setup *setup,
			    struct error *err)
{
	const struct io_request request = {
	    .op = IO_READ,
	    .buffer = setup->buffers,
	    .length_bytes =
		setup->buffers_bytes < PROBE_BYTES ? (uint32_t)setup->buffers_bytes : PROBE_BYTES,
	};
	struct io_uring_cqe *cqe;
	int rc;

	do {
		rc = uring_queue(engine, &request);
		if (rc == 0)
			rc = io_uring_submit_and_wait(&engine->ring, 1);
		if (rc >= 0)
			rc = io_uring_wait_cqe(&engine->ring, &cqe);
		if (rc < 0)
			return error_environment(err, -rc, "io_uring refuses to poll: %s",
						 strerror(-rc));
		rc = cqe->res;
		io_uring_cqe_seen(&engine->ring, cqe);
		engine->in_flight--;
	} while (rc == -EAGAIN || rc == -EINTR);
	if (rc == -EOPNOTSUPP || rc == -EINVAL)
		return refuse(rc, err);
	return rc < 0 ? error_device(err, -rc, "its first block cannot be read: %s", strerror(-rc))
		      : 0;
}

static int polled_open(const struct io_setup *setup, struct io_engine **ret, struct error *err)
{
	struct io_engine *engine;
	int rc = uring_open_ring(setup, IORING_SETUP_IOPOLL, &engine, err);

	if (rc)
		return rc;
	rc = read_first_block(engine, setup, err);
	if (rc) {
		uring_close(engine);
		return rc;
	}
	*ret = engine;
	return 0;
}

static uint32_t polled_reap(struct io_engine *engine, struct io_completion *completions,
			    uint32_t max)
{
	if (engine->in_flight > 0 && io_uring_cq_ready(&engine->ring) == 0)
		io_uring_get_events(&engine->ring);

	return uring_reap(engine, completions, max);
}

static void polled_wait(struct io_engine *engine, uint64_t until_ns)
{
	uint64_t now_ns = clock_now(engine->clock);

	if (engine->in_flight == 0) {
		if (until_ns > now_ns)
			clock_sleep(until_ns - now_ns);
		return;
	}
	while (clock_now(engine->clock) < until_ns && io_uring_cq_ready(&engine->ring) == 0)
		io_uring_get_events(&engine->ring);
}

const struct io_engine_ops io_engine_polled = {
    .name = "uring, polled",
    .needs_device = 1,
    .probe = uring_probe,
    .open = polled_open,
    .queue = uring_queue,
    .submit = uring_submit,
    .reap = polled_reap,
    .wait = polled_wait,
    .overflows = uring_overflows,
    .describe = uring_describe,
    .close = uring_close,
};
