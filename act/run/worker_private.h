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
	uint32_t older; /* neighbours among the busy slots, in the order of submission; */
	uint32_t newer; /* SLOT_NONE at the ends */
};

#define SLOT_NONE UINT32_MAX

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
	uint64_t next_ns; /* intended start of the next request */
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
	uint64_t sequence; /* of the last write */
	struct random random;
	uint64_t sleeps;      /* thread_sleeps after the last wait */
	uint64_t preemptions; /* thread_preemptions at the last interval's end */
	uint64_t ran_ns;      /* the last moment at which the worker is known to have run */
	uint64_t hiccup_ns;   /* all hiccups so far */
	/* After a hiccup the worker is behind and issues in a burst: until that is worked
	 * off, delays up to this are the host's, whatever the device looks like. */
	uint64_t debt_ns;
	uint64_t caught_up_ns;     /* since then nothing is late; UINT64_MAX: it is */
	uint64_t overflows;        /* of the engine, up to the last interval */
	uint64_t failing_since_ns; /* first failure since the last success; UINT64_MAX: none */
	uint64_t last_success_ns;
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
/* What the request has taken up to now. */
struct timing worker_timing(const struct worker *worker, const struct slot *slot, uint64_t now_ns);

/* worker_debt.c: whether the last hiccup is worked off. */
void worker_settle_debt(struct worker *worker, uint64_t now_ns);

/* worker_pending.c: at an interval's end, counts what is due and not back. */
void worker_count_pending(struct worker *worker, uint64_t upto_ns);
/* Thresholds that request n was counted for before it was issued. */
struct counted worker_counted_waiting(const struct worker *worker, const struct share *share,
				      uint64_t n);
