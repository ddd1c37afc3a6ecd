#include "tests/lab/replies.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tests/lab/faults.h"

#define MS UINT64_C(1000000)

enum { REPLIES_MAX = 64 };

/* What was sent, in this order. */
struct sent {
	pthread_mutex_t lock;
	struct reply replies[REPLIES_MAX];
	uint64_t at_ns[REPLIES_MAX];
	size_t count;
};

static void note(void *state, const struct reply *reply)
{
	struct sent *sent = state;

	pthread_mutex_lock(&sent->lock);
	sent->at_ns[sent->count] = replies_now();
	sent->replies[sent->count++] = *reply;
	pthread_mutex_unlock(&sent->lock);
}

static size_t sent_count(struct sent *sent)
{
	size_t count;

	pthread_mutex_lock(&sent->lock);
	count = sent->count;
	pthread_mutex_unlock(&sent->lock);
	return count;
}

static void wait_for(struct sent *sent, size_t count)
{
	const struct timespec pause = {.tv_nsec = (long)MS};

	for (int i = 0; i < 20000 && sent_count(sent) < count; i++)
		nanosleep(&pause, NULL);
	cr_assert_eq(sent_count(sent), count);
}

static struct replies *start(struct sent *sent)
{
	struct replies *replies = NULL;

	*sent = (struct sent){.lock = PTHREAD_MUTEX_INITIALIZER};
	cr_assert_eq(replies_new(note, sent, &replies), 0);
	return replies;
}

static void add(struct replies *replies, uint64_t number, uint64_t due_ns)
{
	const struct reply reply = {
	    .arrived_ns = replies_now(),
	    .due_ns = due_ns,
	    .offset_bytes = number,
	    .length_bytes = 512,
	    .is_read = true,
	};

	replies_add(replies, &reply);
}

Test(replies, what_is_due_is_sent_at_once)
{
	struct sent sent;
	struct replies *replies = start(&sent);

	add(replies, 1, replies_now());
	cr_assert_eq(sent_count(&sent), 1);
	replies_free(replies);
	cr_assert_eq(sent.replies[0].error, 0);
}

Test(replies, the_others_are_sent_in_their_order_and_not_early)
{
	static const uint64_t after_ms[] = {50, 10, 30, 10, 40, 20, 30, 10};
	static const uint64_t order[] = {1, 3, 7, 5, 2, 6, 4, 0};
	enum { COUNT = sizeof(order) / sizeof(order[0]) };
	struct sent sent;
	struct replies *replies = start(&sent);
	uint64_t now_ns = replies_now() + 20 * MS;

	for (uint64_t i = 0; i < COUNT; i++)
		add(replies, i, now_ns + after_ms[i] * MS);
	wait_for(&sent, COUNT);
	replies_free(replies);
	for (size_t i = 0; i < COUNT; i++) {
		cr_assert_eq(sent.replies[i].offset_bytes, order[i], "place %zu", i);
		cr_assert_geq(sent.at_ns[i], sent.replies[i].due_ns);
		cr_assert_eq(sent.replies[i].error, 0);
	}
}

Test(replies, what_is_held_waits_for_release)
{
	uint64_t reads, writes, failed, waiting;
	struct sent sent;
	struct replies *replies = start(&sent);

	add(replies, 1, FAULTS_HELD);
	add(replies, 2, replies_now() + MS);
	add(replies, 3, FAULTS_HELD);
	wait_for(&sent, 1);
	cr_assert_eq(sent.replies[0].offset_bytes, 2);
	replies_count(replies, &reads, &writes, &failed, &waiting);
	cr_assert(reads == 1 && writes == 0 && failed == 0 && waiting == 2);

	replies_release(replies);
	wait_for(&sent, 3);
	replies_count(replies, &reads, &writes, &failed, &waiting);
	cr_assert(reads == 3 && writes == 0 && failed == 0 && waiting == 0);
	replies_free(replies);
}

Test(replies, what_is_left_at_the_end_fails)
{
	struct sent sent;
	struct replies *replies = start(&sent);

	add(replies, 1, FAULTS_HELD);
	add(replies, 2, replies_now() + 3600000 * MS);
	replies_free(replies);
	cr_assert_eq(sent.count, 2);
	for (size_t i = 0; i < sent.count; i++)
		cr_assert_eq(sent.replies[i].error, EIO);
	replies_free(NULL);
}

Test(replies, the_truth_is_what_was_sent)
{
	char *text = NULL;
	size_t length;
	struct sent sent;
	struct replies *replies = start(&sent);
	const struct reply failing = {
	    .arrived_ns = 7,
	    .due_ns = 8,
	    .offset_bytes = 4096,
	    .length_bytes = 1536,
	    .error = ENODATA,
	};
	uint64_t sent_ns, due_ns = replies_now() + MS;
	int end = 0;

	replies_add(replies, &failing);
	add(replies, 5, due_ns);
	wait_for(&sent, 2);
	FILE *file = open_memstream(&text, &length);

	cr_assert_not_null(file);
	replies_write_truth(replies, file);
	cr_assert_eq(fclose(file), 0);
	replies_free(replies);

	char line[160];
	cr_assert_eq(sscanf(text,
			    "kind,arrived_ns,sent_ns,offset_bytes,length_bytes,errno,due_ns\n"
			    "write,7,%" SCNu64 ",4096,1536,61,8\nread,%n",
			    &sent_ns, &end),
		     1);
	cr_assert_gt(end, 0, "%s", text);
	cr_assert_leq(sent_ns, sent.at_ns[0]);
	cr_assert_eq(sscanf(text + end, "%*u,%" SCNu64, &sent_ns), 1);
	cr_assert(sent_ns >= due_ns && sent_ns <= sent.at_ns[1]);
	snprintf(line, sizeof(line), "%" PRIu64 ",%" PRIu64 ",5,512,0,%" PRIu64 "\n",
		 sent.replies[1].arrived_ns, sent_ns, due_ns);
	cr_assert_str_eq(text + end, line);
	free(text);
}
