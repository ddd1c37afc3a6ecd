#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "act/io/uring_private.h"

#define SUBMIT_ENTRIES 256
#define REAP_MAX       64

/* Best first; older kernels refuse the newer flags with EINVAL. */
static const struct ring_kind {
	unsigned flags;
	const char *description;
} ring_kinds[] = {
    {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
     "single issuer, deferred task work"},
    {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
     "single issuer, cooperative task work"},
    {IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG, "cooperative task work"},
    {0, "plain ring"},
};

static int explain_refusal(int rc, struct error *err)
{
	if (rc == -EPERM || rc == -EACCES)
		return error_environment(
		    err, -rc,
		    "io_uring is refused (%s): set sysctl kernel.io_uring_disabled=0, or let the "
		    "container's seccomp profile allow io_uring_setup",
		    strerror(-rc));
	if (rc == -ENOSYS)
		return error_environment(err, -rc,
					 "this kernel has no io_uring: Linux 5.11 or newer with "
					 "CONFIG_IO_URING is needed");
	return error_environment(err, -rc, "io_uring cannot be set up: %s", strerror(-rc));
}

static int explain_memory(size_t bytes, int rc, struct error *err)
{
	struct rlimit limit = {0};

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (rc != -ENOMEM)
		return error_environment(err, -rc, "io_uring refuses the request buffers: %s",
					 strerror(-rc));
	return error_environment(err, ENOMEM,
				 "the memory-lock limit of %llu KiB is too small for %llu KiB of "
				 "request buffers: raise it (ulimit -l unlimited, or LimitMEMLOCK= "
				 "in systemd), run as root, or lower in-flight-cap",
				 (unsigned long long)limit.rlim_cur / 1024,
				 (unsigned long long)bytes / 1024);
}

int uring_create_ring(struct io_engine *engine, uint32_t requests_max, unsigned flags,
		      struct error *err)
{
	int rc = -EINVAL;

	for (size_t i = 0; rc == -EINVAL && i < sizeof(ring_kinds) / sizeof(ring_kinds[0]); i++) {
		struct io_uring_params params = {
		    .flags = ring_kinds[i].flags | IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP | flags,
		    .cq_entries = requests_max > SUBMIT_ENTRIES ? requests_max : SUBMIT_ENTRIES,
		};

		rc = io_uring_queue_init_params(SUBMIT_ENTRIES, &engine->ring, &params);
		if (rc == 0)
			snprintf(engine->description, sizeof(engine->description),
				 "io_uring%s: %s, registered file and buffers",
				 flags & IORING_SETUP_IOPOLL ? ", polled (IOPOLL)" : "",
				 ring_kinds[i].description);
		if (rc == 0 && (!(params.features & IORING_FEAT_EXT_ARG) ||
				params.cq_entries < requests_max)) {
			io_uring_queue_exit(&engine->ring);
			rc = -ENOSYS;
		}
	}
	return rc == 0 ? 0
		       : (rc == -ENOMEM ? explain_memory(0, rc, err) : explain_refusal(rc, err));
}

static int register_all(struct io_engine *engine, const struct io_setup *setup, struct error *err)
{
	struct iovec region = {.iov_base = setup->buffers, .iov_len = setup->buffers_bytes};
	int rc = io_uring_register_files(&engine->ring, &setup->fd, 1);

	if (rc < 0)
		return error_environment(err, -rc, "io_uring refuses the device: %s",
					 strerror(-rc));
	rc = io_uring_register_buffers(&engine->ring, &region, 1);
	if (rc < 0)
		return explain_memory(setup->buffers_bytes, rc, err);
	/* Both of these older kernels do without. */
	io_uring_register_ring_fd(&engine->ring); /* saves a little on each entry */
	if (setup->helper_cpus)
		io_uring_register_iowq_aff(&engine->ring, sizeof(*setup->helper_cpus),
					   setup->helper_cpus);
	return 0;
}

int uring_open_ring(const struct io_setup *setup, unsigned flags, struct io_engine **ret,
		    struct error *err)
{
	struct io_engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return error_environment(err, ENOMEM, "no memory for a ring");
	engine->clock = setup->clock;
	int rc = uring_create_ring(engine, setup->requests_max, flags, err);
	if (rc) {
		free(engine);
		return rc;
	}
	rc = register_all(engine, setup, err);
	if (rc) {
		io_uring_queue_exit(&engine->ring);
		free(engine);
		return rc;
	}
	*ret = engine;
	return 0;
}

static int uring_open(const struct io_setup *setup, struct io_engine **ret, struct error *err)
{
	return uring_open_ring(setup, 0, ret, err);
}

int uring_probe(struct error *err)
{
	struct io_engine engine;
	int rc = uring_create_ring(&engine, 1, 0, err);

	if (rc == 0)
		io_uring_queue_exit(&engine.ring);
	return rc;
}

int uring_queue(struct io_engine *engine, const struct io_request *request)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&engine->ring);

	if (!sqe)
		return -EAGAIN;
	if (request->op == IO_READ)
		io_uring_prep_read_fixed(sqe, 0, request->buffer, request->length_bytes,
					 request->offset_bytes, 0);
	else
		io_uring_prep_write_fixed(sqe, 0, request->buffer, request->length_bytes,
					  request->offset_bytes, 0);
	if (request->op == IO_WRITE_DSYNC)
		sqe->rw_flags = RWF_DSYNC;
	io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	io_uring_sqe_set_data64(sqe, request->tag);
	engine->in_flight++;
	return 0;
}

int uring_submit(struct io_engine *engine)
{
	int rc = io_uring_submit(&engine->ring);

	if (rc == -EBUSY || rc == -EINTR || rc == -EAGAIN)
		return -EAGAIN;
	if (rc < 0)
		return rc;
	return io_uring_sq_ready(&engine->ring) ? -EAGAIN : 0;
}

uint32_t uring_reap(struct io_engine *engine, struct io_completion *completions, uint32_t max)
{
	struct io_uring_cqe *cqes[REAP_MAX];
	/* Enters the kernel only when it has flagged task work or an overflow. */
	uint32_t count =
	    io_uring_peek_batch_cqe(&engine->ring, cqes, max < REAP_MAX ? max : REAP_MAX);

	for (uint32_t i = 0; i < count; i++)
		completions[i] = (struct io_completion){
		    .tag = io_uring_cqe_get_data64(cqes[i]),
		    .result = cqes[i]->res,
		};
	io_uring_cq_advance(&engine->ring, count);
	engine->in_flight -= count;
	return count;
}

void uring_wait(struct io_engine *engine, uint64_t until_ns)
{
	uint64_t now_ns = clock_now(engine->clock);
	struct io_uring_cqe *cqe;

	if (until_ns <= now_ns)
		return;
	uint64_t gap_ns = until_ns - now_ns;
	struct __kernel_timespec gap = {
	    .tv_sec = (int64_t)(gap_ns / NS_PER_SEC),
	    .tv_nsec = (int64_t)(gap_ns % NS_PER_SEC),
	};
	io_uring_wait_cqe_timeout(&engine->ring, &cqe, &gap);
}

uint64_t uring_overflows(const struct io_engine *engine)
{
	return *engine->ring.cq.koverflow;
}

const char *uring_describe(const struct io_engine *engine)
{
	return engine->description;
}

void uring_close(struct io_engine *engine)
{
	/* The kernel ends a ring some time later, but the device and the locked memory may be
	 * wanted at once. (Older ones would wait here for a request that never comes back.) */
	if (engine->in_flight == 0) {
		io_uring_unregister_buffers(&engine->ring);
		io_uring_unregister_files(&engine->ring);
	}
	io_uring_queue_exit(&engine->ring);
	free(engine);
}

const struct io_engine_ops io_engine_uring = {
    .name = "uring",
    .needs_device = 1,
    .probe = uring_probe,
    .open = uring_open,
    .queue = uring_queue,
    .submit = uring_submit,
    .reap = uring_reap,
    .wait = uring_wait,
    .overflows = uring_overflows,
    .describe = uring_describe,
    .close = uring_close,
};
