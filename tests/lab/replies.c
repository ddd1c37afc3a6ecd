#include "tests/lab/replies.h"
#include "tests/lab/faults.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#define NS_PER_SEC UINT64_C(1000000000)

enum { WAITING_MAX = 1 << 16, TRUTH_MAX = 1 << 21, PRIORITY = 20 };

struct entry {
	struct reply reply;
	uint64_t number; /* keeps the order of those due together */
};

struct truth {
	uint64_t arrived_ns, due_ns, sent_ns, offset_bytes;
	uint32_t length_bytes;
	uint16_t error;
	bool is_read;
};

struct replies {
	replies_send *send;
	void *state;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool stopping;
	struct entry *heap; /* the earliest first */
	size_t waiting;
	uint64_t added;
	struct truth *truth; /* touched only as far as it is used */
	uint64_t sent;
	uint64_t reads, writes, failed;
};

uint64_t replies_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_SEC + (uint64_t)now.tv_nsec;
}

static bool earlier(const struct entry *a, const struct entry *b)
{
	return a->reply.due_ns != b->reply.due_ns ? a->reply.due_ns < b->reply.due_ns
						  : a->number < b->number;
}

static void swap(struct entry *a, struct entry *b)
{
	struct entry kept = *a;

	*a = *b;
	*b = kept;
}

static void heap_push(struct replies *replies, const struct reply *reply)
{
	struct entry *heap = replies->heap;
	size_t at = replies->waiting++;

	heap[at] = (struct entry){.reply = *reply, .number = replies->added++};
	for (; at && earlier(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2)
		swap(&heap[at], &heap[(at - 1) / 2]);
}

static void heap_sink(struct replies *replies, size_t at)
{
	struct entry *heap = replies->heap;

	for (;;) {
		size_t least = at, child = 2 * at + 1;

		for (size_t i = child; i < child + 2 && i < replies->waiting; i++)
			if (earlier(&heap[i], &heap[least]))
				least = i;
		if (least == at)
			return;
		swap(&heap[at], &heap[least]);
		at = least;
	}
}

static struct reply heap_pop(struct replies *replies)
{
	struct reply first = replies->heap[0].reply;

	replies->heap[0] = replies->heap[--replies->waiting];
	heap_sink(replies, 0);
	return first;
}

/* Called with the lock, which it gives up meanwhile. The time is taken before
 * the kernel has the answer: nobody can have seen it earlier. */
static void send_one(struct replies *replies, const struct reply *reply)
{
	uint64_t sent_ns = replies_now();

	if (replies->sent < TRUTH_MAX)
		replies->truth[replies->sent++] = (struct truth){
		    .arrived_ns = reply->arrived_ns,
		    .due_ns = reply->due_ns,
		    .sent_ns = sent_ns,
		    .offset_bytes = reply->offset_bytes,
		    .length_bytes = (uint32_t)reply->length_bytes,
		    .error = (uint16_t)reply->error,
		    .is_read = reply->is_read,
		};
	replies->reads += reply->is_read;
	replies->writes += !reply->is_read;
	replies->failed += reply->error != 0;
	pthread_mutex_unlock(&replies->lock);
	replies->send(replies->state, reply);
	pthread_mutex_lock(&replies->lock);
}

static void wait_until(struct replies *replies, uint64_t due_ns)
{
	struct timespec due = {
	    .tv_sec = (time_t)(due_ns / NS_PER_SEC),
	    .tv_nsec = (long)(due_ns % NS_PER_SEC),
	};

	if (due_ns == FAULTS_HELD)
		pthread_cond_wait(&replies->changed, &replies->lock);
	else
		pthread_cond_timedwait(&replies->changed, &replies->lock, &due);
}

static void *serve(void *state)
{
	struct replies *replies = state;

	prctl(PR_SET_TIMERSLACK, 1L);
	pthread_mutex_lock(&replies->lock);
	while (!replies->stopping) {
		uint64_t due_ns = replies->waiting ? replies->heap[0].reply.due_ns : FAULTS_HELD;

		if (due_ns <= replies_now()) {
			struct reply reply = heap_pop(replies);

			send_one(replies, &reply);
		} else {
			wait_until(replies, due_ns);
		}
	}
	while (replies->waiting) {
		struct reply reply = heap_pop(replies);

		reply.error = EIO;
		send_one(replies, &reply);
	}
	pthread_mutex_unlock(&replies->lock);
	return NULL;
}

static int start_thread(struct replies *replies)
{
	struct sched_param parameters = {.sched_priority = PRIORITY};
	pthread_condattr_t attributes;
	int rc;

	pthread_mutex_init(&replies->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&replies->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	rc = -pthread_create(&replies->thread, NULL, serve, replies);
	if (!rc)
		(void)pthread_setschedparam(replies->thread, SCHED_FIFO, &parameters);
	return rc;
}

static void release_memory(struct replies *replies)
{
	if (replies->truth != MAP_FAILED)
		munmap(replies->truth, TRUTH_MAX * sizeof(*replies->truth));
	free(replies->heap);
	free(replies);
}

int replies_new(replies_send *send, void *state, struct replies **ret_replies)
{
	struct replies *replies = calloc(1, sizeof(*replies));
	int rc;

	if (!replies)
		return -ENOMEM;
	replies->send = send;
	replies->state = state;
	replies->heap = calloc(WAITING_MAX, sizeof(*replies->heap));
	replies->truth = mmap(NULL, TRUTH_MAX * sizeof(*replies->truth), PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	rc = replies->heap && replies->truth != MAP_FAILED ? start_thread(replies) : -ENOMEM;
	if (rc < 0) {
		release_memory(replies);
		return rc;
	}
	*ret_replies = replies;
	return 0;
}

void replies_free(struct replies *replies)
{
	if (!replies)
		return;
	pthread_mutex_lock(&replies->lock);
	replies->stopping = true;
	pthread_cond_signal(&replies->changed);
	pthread_mutex_unlock(&replies->lock);
	pthread_join(replies->thread, NULL);
	pthread_cond_destroy(&replies->changed);
	pthread_mutex_destroy(&replies->lock);
	release_memory(replies);
}

void replies_add(struct replies *replies, const struct reply *reply)
{
	pthread_mutex_lock(&replies->lock);
	if (reply->due_ns <= replies_now() || replies->waiting == WAITING_MAX) {
		send_one(replies, reply);
	} else {
		heap_push(replies, reply);
		pthread_cond_signal(&replies->changed);
	}
	pthread_mutex_unlock(&replies->lock);
}

void replies_release(struct replies *replies)
{
	uint64_t now_ns = replies_now();

	pthread_mutex_lock(&replies->lock);
	for (size_t i = 0; i < replies->waiting; i++)
		if (replies->heap[i].reply.due_ns == FAULTS_HELD)
			replies->heap[i].reply.due_ns = now_ns;
	for (size_t i = replies->waiting / 2; i-- > 0;)
		heap_sink(replies, i);
	pthread_cond_signal(&replies->changed);
	pthread_mutex_unlock(&replies->lock);
}

void replies_count(struct replies *replies, uint64_t *ret_reads, uint64_t *ret_writes,
		   uint64_t *ret_failed, uint64_t *ret_waiting)
{
	pthread_mutex_lock(&replies->lock);
	*ret_reads = replies->reads;
	*ret_writes = replies->writes;
	*ret_failed = replies->failed;
	*ret_waiting = replies->waiting;
	pthread_mutex_unlock(&replies->lock);
}

void replies_write_truth(struct replies *replies, FILE *file)
{
	uint64_t count;

	pthread_mutex_lock(&replies->lock);
	count = replies->sent; /* earlier ones no longer change */
	pthread_mutex_unlock(&replies->lock);
	fprintf(file, "kind,arrived_ns,sent_ns,offset_bytes,length_bytes,errno,due_ns\n");
	for (uint64_t i = 0; i < count; i++) {
		const struct truth *one = &replies->truth[i];

		fprintf(file, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%d,%" PRIu64 "\n",
			one->is_read ? "read" : "write", one->arrived_ns, one->sent_ns,
			one->offset_bytes, one->length_bytes, one->error, one->due_ns);
	}
}
