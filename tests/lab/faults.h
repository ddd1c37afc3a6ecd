#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * Which requests of the laboratory's file go wrong, and how. Everything follows
 * from the commands and the order of the requests: shares are exact. Nothing
 * here waits or does I/O. Not thread-safe.
 */

#define FAULTS_HELD UINT64_MAX /* due only when it is released */

/* `hits` of each `of` requests, evenly spread; none when `of` is 0. */
struct share {
	uint64_t hits, of, seen;
};

#define FAULTS_PARTS 100 /* of a second */

/* Bytes written in the last second, by when their writes arrived. */
struct recent {
	uint64_t bytes[FAULTS_PARTS];
	uint64_t part; /* number of the latest, which is under way */
	uint64_t sum_bytes;
};

struct faults {
	uint64_t delay_ns; /* of every request */
	struct share slow; /* of reads: these take slow_ns more */
	uint64_t slow_ns;
	struct recent written;
	uint64_t pressure_bytes_per_sec; /* above it, reads take pressed_ns more */
	uint64_t pressed_ns;
	uint64_t stall_end_ns;
	uint64_t hang_left; /* so many requests are held */
	struct share fail;  /* of reads */
	uint64_t fail_left;
	int fail_errno;
	uint64_t bad_from, bad_to; /* bytes that cannot be read */
	int bad_errno;
	struct share shortened; /* of reads: half of the data */
	struct share corrupt;   /* of reads: one byte is wrong */
	struct share misplace;  /* of writes: stored one length further on */
	bool drop_writes;
};

/* What becomes of one request. */
struct fate {
	uint64_t due_ns; /* of the answer; FAULTS_HELD */
	int error;       /* errno or 0 */
	bool shortened, corrupt, misplaced, dropped;
};

/*
 * Obeys one command; an empty line is none. SHARE is K (every K-th) or N/M (N of
 * M); a share starts anew with its command, and 0 ends it.
 *
 *   delay NS                    every request takes so long
 *   delay-share SHARE NS        these reads take so much longer
 *   slow-reads-above RATE NS    reads take so much longer while more than RATE bytes were
 *                               written in the last second, counted in hundredths of it
 *   stall MS                    what arrives in this time is answered at its end
 *   hang [COUNT]                all or so many requests are held until released
 *   fail SHARE ERRNO [COUNT]    these reads fail, COUNT in all
 *   fail-at FROM TO ERRNO       reads of any of these bytes fail
 *   short SHARE                 these reads return half of their data, in whole sectors
 *   corrupt SHARE               these reads return one wrong byte
 *   misplace SHARE              these writes go one length further on
 *   drop-writes                 writes succeed and change nothing
 *   reset                       none of all this; what is held stays held
 *
 * ERRNO is a name, as EIO. Returns 0, or -EINVAL and changes nothing.
 */
int faults_command(struct faults *faults, const char *line, uint64_t now_ns);

/* Decides on a request that arrives now. */
struct fate faults_decide(struct faults *faults, bool is_read, uint64_t offset_bytes,
			  uint64_t length_bytes, uint64_t now_ns);
