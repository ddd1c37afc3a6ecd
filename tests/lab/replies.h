#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Answers that are due later. A thread of its own sends each at its time, in the
 * order of these times; all that was sent is remembered as the ground truth.
 * All functions may be called from any thread, except new and free.
 */

struct replies;

struct reply {
	void *request; /* of the sender */
	uint64_t arrived_ns, due_ns;
	uint64_t offset_bytes, length_bytes;
	int error; /* errno or 0 */
	bool is_read, shortened, corrupt;
};

/* Sends an answer; called without locks. */
typedef void replies_send(void *state, const struct reply *reply);

uint64_t replies_now(void); /* CLOCK_MONOTONIC, ns */

/* Starts the thread, with real-time priority where that is allowed. Returns 0 or
 * -errno. */
int replies_new(replies_send *send, void *state, struct replies **ret_replies);
/* Stops the thread; what is not yet due fails with EIO. */
void replies_free(struct replies *replies);

/* Sends the answer at its time; at once when that has come. */
void replies_add(struct replies *replies, const struct reply *reply);
/* What is held (FAULTS_HELD) is due now. */
void replies_release(struct replies *replies);

/* Requests answered so far, those that failed among them, and those still to be
 * answered. */
void replies_count(struct replies *replies, uint64_t *ret_reads, uint64_t *ret_writes,
		   uint64_t *ret_failed, uint64_t *ret_waiting);
/* Writes a line of CSV for each answer, of the first two million: what it was,
 * when it arrived, when its answer was handed to the kernel, and when it was due. */
void replies_write_truth(struct replies *replies, FILE *file);
