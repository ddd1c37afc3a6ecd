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
	bool held;                  /* issued late because the device held the worker up */
	struct counted counted;     /* while it was pending */
	uint64_t submit_ns;         /* how long the submission call took */
	uint64_t debt_ns;           /* worker's when it was submitted */
	uint64_t hiccups_before_ns; /* worker's hiccup_ns when it was submitted */
	uint32_t older;        /* neighbours among the busy slots, in the order of submission; */
	uint32_t newer;        /* SLOT_NONE at the ends */
	bool read_again;       /* asked for by worker_wrong.c; its timing stands in the check */
	uint32_t recent_write; /* of a write, where those are noted */
};

#define SLOT_NONE UINT32_MAX

/* A read that is back and is to be verified. */
struct check {
	struct timing timing;  /* of the request: what the check takes is not in it */
	uint64_t completed_ns; /* the first time */
	uint64_t read_from_ns; /* the device was asked for what is in the buffer now, */
	uint64_t read_upto_ns; /* and had answered */
	uint64_t again_ns;     /* when it is read again, should it be doubtful */
	uint32_t checked_bytes;
	uint32_t times_read;
};

/* First in, first out. */
struct tag_queue {
	uint64_t *tags; /* [mask + 1], a power of 2 */
	uint32_t mask;
	uint32_t first;
	uint32_t count;
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
	uint32_t oldest; /* busy slots, SLOT_NONE when there is none */
	uint32_t newest;
	struct check *checks;    /* of each slot; NULL when nothing is verified */
	uint32_t checking_count; /* slots that are back but not verified yet */
	uint64_t next_ns;        /* intended start of the next request */
	/* Requests below this number were counted over the i-th threshold while they
	 * waited to be issued. */
	uint64_t counted_below[THRESHOLDS_MAX];
	uint64_t device_below[THRESHOLDS_MAX]; /* likewise, as the device's doing */
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
	uint64_t sequence;            /* of the last write */
	struct tag_queue unchecked;   /* reads to be verified; empty when nothing is, */
	uint64_t unchecked_bytes;     /* and what is left of them */
	struct tag_queue doubtful;    /* reads to be repeated, by check.again_ns */
	struct recent_writes *recent; /* this worker's own; NULL when nothing is verified */
	struct random random;
	uint64_t sleeps;      /* thread_sleeps after the last wait */
	uint64_t preemptions; /* thread_preemptions at the last interval's end */
	/* The last moment at which the worker is known to have run: now, but for what it did
	 * since, so that the clock is read only where time has passed. */
	uint64_t ran_ns;
	uint64_t hiccup_ns; /* all hiccups so far */
	/* After a hiccup the worker is behind and issues in a burst: until that is worked
	 * off, delays up to this are the host's, whatever the device looks like. */
	uint64_t debt_ns;
	uint64_t caught_up_ns;     /* since then nothing is late; UINT64_MAX: it is */
	uint64_t overflows;        /* of the engine, up to the last interval */
	uint64_t failing_since_ns; /* first failure since the last success; UINT64_MAX: none */
	uint64_t next_check_ns;
	uint64_t checked_hiccup_ns; /* hiccup_ns at the last check */
	_Atomic uint64_t alive_ns;
	bool done;
};

/* Now; notes a hiccup when the worker was not run for long since it last asked. */
uint64_t worker_tick(struct worker *worker);
/* Now, after a call that may take its time. */
uint64_t worker_resume(struct worker *worker);
void worker_note_hiccup(struct worker *worker, uint64_t from_ns, uint64_t upto_ns);

/* tag <-> (share, slot) */
static inline uint64_t tag_make(size_t share, uint32_t slot)
{
	return (uint64_t)share << 32 | slot;
}

static inline void queue_push(struct tag_queue *queue, uint64_t tag)
{
	queue->tags[(queue->first + queue->count++) & queue->mask] = tag;
}

static inline uint64_t queue_at(const struct tag_queue *queue, uint32_t i)
{
	return queue->tags[(queue->first + i) & queue->mask];
}

static inline void queue_drop_first(struct tag_queue *queue)
{
	queue->first = (queue->first + 1) & queue->mask;
	queue->count--;
}

static inline struct check *find_check(const struct worker *worker, uint64_t tag)
{
	return &worker->shares[tag >> 32].checks[(uint32_t)tag];
}

/* worker_issue.c: queues what is due and submits it. */
void worker_resubmit(struct worker *worker);
void worker_issue(struct worker *worker, uint64_t end_ns);
void worker_prepare_writes(struct worker *worker);
bool worker_may_issue(const struct worker *worker, uint64_t end_ns, uint64_t now_ns);

/* worker_slot.c: a slot is idle, or under way (among its share's busy slots), or back and
 * in the queue `unchecked` or `doubtful`. */
void worker_put_under_way(struct worker *worker, struct share *share, uint32_t index);
void worker_take_back(struct worker *worker, struct share *share, uint32_t index);
void worker_free_slot(struct share *share, uint32_t index);

/* worker_reap.c: takes completions, and gives requests up. */
void worker_reap(struct worker *worker);
void worker_give_up(struct worker *worker, uint64_t now_ns);
void worker_note_error(struct worker *worker, size_t stream, const struct slot *slot,
		       const struct request_error *what);
/* Age of the oldest request under way, 0 when there is none. */
uint64_t worker_oldest_ns(const struct worker *worker, uint64_t now_ns);
/* What the request has taken up to now. */
struct timing worker_timing(const struct worker *worker, const struct slot *slot, uint64_t now_ns);

/* worker_verify.c: checks what was read, apart from the load. */
int worker_verify_init(struct worker *worker, struct error *err);
void worker_verify_release(struct worker *worker);
/* Takes a read that is back whole; it is the caller's no more. */
void worker_verify_later(struct worker *worker, size_t stream, uint32_t index, uint64_t now_ns);
/* A piece of what is left to be verified: as much as the time to the next request allows,
 * but always enough for the rest not to grow. */
void worker_verify_some(struct worker *worker, uint64_t now_ns);
/* All of it. */
void worker_verify_all(struct worker *worker);
/* All of it when a share has no idle slot left: those that wait for this must not look as
 * if the device kept them. */
void worker_verify_for_room(struct worker *worker);
/* Counts those that are back but not verified, as worker_count_pending does. */
void worker_verify_count_pending(struct worker *worker);

/* worker_wrong.c: a read is back whose data are wrong, from check.checked_bytes on: it is an
 * error, or doubtful, to be read again later. */
void worker_wrong_data(struct worker *worker, size_t stream, uint32_t index);
/* When the next is to be read again, UINT64_MAX: none; has those asked for that are due. */
uint64_t worker_wrong_again_ns(const struct worker *worker);
void worker_wrong_read_again(struct worker *worker, uint64_t now_ns);
/* Judges what is doubtful by what was read last: there is no time to read it again. */
void worker_wrong_give_up(struct worker *worker);

/* worker_debt.c: whether the last hiccup is worked off. */
void worker_settle_debt(struct worker *worker, uint64_t now_ns);

/* worker_pending.c: at an interval's end, counts what is due and not back. */
void worker_count_pending(struct worker *worker, uint64_t upto_ns);
/* Thresholds that request n was counted for before it was issued. */
struct counted worker_counted_waiting(const struct worker *worker, const struct share *share,
				      uint64_t n);
