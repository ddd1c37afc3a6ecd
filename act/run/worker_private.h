#pragma once
#include "act/run/worker.h"
#include "act/workload/address.h"

/* Shared by the files of the worker; nobody else includes it. */

/* A submission that takes this long is looked at: who held it? */
#define SUBMIT_HELD_NS (500 * NS_PER_US)
/* Later than this without the device's doing counts as the host's lag. */
#define HOST_LATE_NS (100 * NS_PER_US)
/* At the planned end, what is due may still be issued for so long. */
#define END_GRACE_NS NS_PER_SEC
/* Writes are filled ahead of time, piece by piece, when there is this much of it. */
#define PREPARE_NS    (4 * NS_PER_US)
#define PREPARE_BYTES 16384
/* How often it is looked at whether the device still does anything. */
#define CHECK_EVERY_NS NS_PER_SEC
#define REAP_MAX       64

struct slot {
	uint64_t intended_ns;
	uint64_t submitted_ns; /* the first time */
	uint64_t offset_bytes;
	uint32_t length_bytes;
	uint32_t done_bytes;
	uint8_t *buffer;
	bool busy;
	bool held; /* issued late because the device held the worker up */
};

/* The worker's share of one stream. */
struct share {
	const struct stream *stream;
	enum io_op op;
	struct schedule schedule;
	struct address address;
	struct slot *slots;
	uint32_t slot_count;
	uint32_t *free; /* stack of the indexes of idle slots */
	uint32_t free_count;
	uint64_t next_ns;      /* intended start of the next request */
	uint64_t held_from_ns; /* requests intended since then are late because of the device */
	bool prepared;         /* the top of `free` has its address already, */
	uint32_t filled_bytes; /* and so much of its payload, */
	uint64_t sequence;     /* for the write of this number */
};

struct worker {
	struct worker_setup setup;
	struct share shares[STREAMS_MAX];
	size_t share_count;
	struct io_engine *engine;
	uint8_t *buffers;
	size_t buffers_bytes;
	uint32_t slots_total;
	uint64_t start_ns;
	uint64_t interval; /* number of the one under way */
	struct tally_ring ring;
	struct tally_page *page;
	uint64_t in_flight;
	uint32_t unsubmitted; /* queued in the engine, not handed over */
	uint64_t *retries;    /* tags to resubmit, a stack of slots_total */
	uint32_t retry_count;
	uint64_t sequence; /* of the last write */
	struct random random;
	uint64_t sleeps;           /* thread_sleeps after the last wait */
	uint64_t overflows;        /* of the engine, up to the last interval */
	uint64_t failing_since_ns; /* first failure since the last success; UINT64_MAX: none */
	uint64_t last_success_ns;
	uint64_t next_check_ns;
	bool done;
};

/* tag <-> (share, slot) */
static inline uint64_t tag_make(size_t share, uint32_t slot)
{
	return (uint64_t)share << 32 | slot;
}

/* worker_issue.c: queues what is due and submits it. */
void worker_resubmit(struct worker *worker);
void worker_issue(struct worker *worker, uint64_t end_ns);
void worker_prepare_writes(struct worker *worker);
bool worker_may_issue(const struct worker *worker, uint64_t end_ns, uint64_t now_ns);

/* worker_reap.c: takes completions, and gives requests up. */
void worker_reap(struct worker *worker);
void worker_give_up(struct worker *worker, uint64_t now_ns);
/* Age of the oldest request under way, 0 when there is none. */
uint64_t worker_oldest_ns(const struct worker *worker, uint64_t now_ns);
