#include "tests/lab/faults.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS   UINT64_C(1000000)
#define NS_PER_PART (1000 * NS_PER_MS / FAULTS_PARTS)

enum { ARGUMENTS_MAX = 3, ARGUMENT_BYTES = 24, ERRNO_MAX = 133 };

struct arguments {
	char text[ARGUMENTS_MAX][ARGUMENT_BYTES];
	int count;
};

static int parse_number(const char *text, uint64_t *ret_value)
{
	char *end;
	uint64_t value;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end)
		return -EINVAL;
	*ret_value = value;
	return 0;
}

static int parse_share(const char *text, struct share *ret_share)
{
	struct share share = {.hits = 1};
	char hits[ARGUMENT_BYTES];
	const char *slash = strchr(text, '/');

	if (slash) {
		snprintf(hits, sizeof(hits), "%.*s", (int)(slash - text), text);
		if (parse_number(hits, &share.hits) < 0)
			return -EINVAL;
	}
	if (parse_number(slash ? slash + 1 : text, &share.of) < 0 ||
	    (share.of && share.hits > share.of))
		return -EINVAL;
	*ret_share = share;
	return 0;
}

static int parse_errno(const char *text, int *ret_errno)
{
	for (int i = 1; i <= ERRNO_MAX; i++) {
		const char *name = strerrorname_np(i);

		if (name && strcmp(name, text) == 0) {
			*ret_errno = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int command_delay(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	(void)now_ns;
	return parse_number(in->text[0], &faults->delay_ns);
}

static int command_delay_share(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	(void)now_ns;
	return parse_share(in->text[0], &faults->slow) < 0 ||
		       parse_number(in->text[1], &faults->slow_ns) < 0
		   ? -EINVAL
		   : 0;
}

static int command_slow_reads_above(struct faults *faults, const struct arguments *in,
				    uint64_t now_ns)
{
	(void)now_ns;
	return parse_number(in->text[0], &faults->pressure_bytes_per_sec) < 0 ||
		       parse_number(in->text[1], &faults->pressed_ns) < 0
		   ? -EINVAL
		   : 0;
}

static int command_stall(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	uint64_t length_ms;

	if (parse_number(in->text[0], &length_ms) < 0 || length_ms > UINT32_MAX)
		return -EINVAL;
	faults->stall_end_ns = now_ns + length_ms * NS_PER_MS;
	return 0;
}

static int command_hang(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	(void)now_ns;
	faults->hang_left = UINT64_MAX;
	return in->count ? parse_number(in->text[0], &faults->hang_left) : 0;
}

static int command_fail(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	(void)now_ns;
	faults->fail_left = UINT64_MAX;
	if (parse_share(in->text[0], &faults->fail) < 0 ||
	    parse_errno(in->text[1], &faults->fail_errno) < 0)
		return -EINVAL;
	return in->count > 2 ? parse_number(in->text[2], &faults->fail_left) : 0;
}

static int command_fail_at(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	(void)now_ns;
	return parse_number(in->text[0], &faults->bad_from) < 0 ||
		       parse_number(in->text[1], &faults->bad_to) < 0 ||
		       parse_errno(in->text[2], &faults->bad_errno) < 0
		   ? -EINVAL
		   : 0;
}

static int command_short(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	(void)now_ns;
	return parse_share(in->text[0], &faults->shortened);
}

static int command_corrupt(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	(void)now_ns;
	return parse_share(in->text[0], &faults->corrupt);
}

static int command_misplace(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	(void)now_ns;
	return parse_share(in->text[0], &faults->misplace);
}

static int command_drop_writes(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	(void)in;
	(void)now_ns;
	faults->drop_writes = true;
	return 0;
}

static int command_reset(struct faults *faults, const struct arguments *in, uint64_t now_ns)
{
	(void)in;
	(void)now_ns;
	*faults = (struct faults){0};
	return 0;
}

static const struct {
	const char *name;
	int least, most; /* arguments */
	int (*obey)(struct faults *faults, const struct arguments *in, uint64_t now_ns);
} commands[] = {
    {"delay", 1, 1, command_delay},
    {"delay-share", 2, 2, command_delay_share},
    {"slow-reads-above", 2, 2, command_slow_reads_above},
    {"stall", 1, 1, command_stall},
    {"hang", 0, 1, command_hang},
    {"fail", 2, 3, command_fail},
    {"fail-at", 3, 3, command_fail_at},
    {"short", 1, 1, command_short},
    {"corrupt", 1, 1, command_corrupt},
    {"misplace", 1, 1, command_misplace},
    {"drop-writes", 0, 0, command_drop_writes},
    {"reset", 0, 0, command_reset},
};

int faults_command(struct faults *faults, const char *line, uint64_t now_ns)
{
	struct faults changed = *faults;
	struct arguments in = {.count = 0};
	char name[ARGUMENT_BYTES], rest[2];
	int words;

	words =
	    sscanf(line, "%23s %23s %23s %23s %1s", name, in.text[0], in.text[1], in.text[2], rest);
	if (words == EOF)
		return 0;
	in.count = words - 1;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].name, name) != 0)
			continue;
		if (in.count < commands[i].least || in.count > commands[i].most ||
		    commands[i].obey(&changed, &in, now_ns) < 0)
			return -EINVAL;
		*faults = changed;
		return 0;
	}
	return -EINVAL;
}

/* Whether the next request is one of the share. */
static bool share_hits(struct share *share)
{
	uint64_t before;

	if (!share->of)
		return false;
	before = share->seen * share->hits / share->of;
	share->seen++;
	return share->seen * share->hits / share->of > before;
}

/* Forgets what is older than a second. */
static void recent_forget(struct recent *recent, uint64_t now_ns)
{
	uint64_t part = now_ns / NS_PER_PART;

	for (int i = 0; i < FAULTS_PARTS && recent->part + (uint64_t)i < part; i++) {
		uint64_t *oldest = &recent->bytes[(part - (uint64_t)i) % FAULTS_PARTS];

		recent->sum_bytes -= *oldest;
		*oldest = 0;
	}
	if (recent->part < part)
		recent->part = part;
}

static void recent_add(struct recent *recent, uint64_t bytes)
{
	recent->bytes[recent->part % FAULTS_PARTS] += bytes;
	recent->sum_bytes += bytes;
}

static uint64_t due(struct faults *faults, bool is_read, uint64_t now_ns)
{
	uint64_t due_ns = now_ns < faults->stall_end_ns ? faults->stall_end_ns : now_ns;

	due_ns += faults->delay_ns;
	if (is_read && share_hits(&faults->slow))
		due_ns += faults->slow_ns;
	if (is_read && faults->written.sum_bytes > faults->pressure_bytes_per_sec)
		due_ns += faults->pressed_ns;
	if (!faults->hang_left)
		return due_ns;
	if (faults->hang_left != UINT64_MAX)
		faults->hang_left--;
	return FAULTS_HELD;
}

static int error_of_read(struct faults *faults, uint64_t offset_bytes, uint64_t length_bytes)
{
	if (offset_bytes < faults->bad_to && offset_bytes + length_bytes > faults->bad_from)
		return faults->bad_errno;
	if (!faults->fail_left || !share_hits(&faults->fail))
		return 0;
	faults->fail_left--;
	return faults->fail_errno;
}

struct fate faults_decide(struct faults *faults, bool is_read, uint64_t offset_bytes,
			  uint64_t length_bytes, uint64_t now_ns)
{
	struct fate fate = {0};

	recent_forget(&faults->written, now_ns);
	fate.due_ns = due(faults, is_read, now_ns);
	if (is_read) {
		fate.error = error_of_read(faults, offset_bytes, length_bytes);
		fate.shortened = share_hits(&faults->shortened);
		fate.corrupt = share_hits(&faults->corrupt);
	} else {
		fate.misplaced = share_hits(&faults->misplace);
		fate.dropped = faults->drop_writes;
		recent_add(&faults->written, length_bytes);
	}
	return fate;
}
