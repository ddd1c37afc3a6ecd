#include "tests/lab/faults.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MS  UINT64_C(1000000)
#define NOW (1000 * MS)

static void obey(struct faults *faults, const char *line)
{
	cr_assert_eq(faults_command(faults, line, NOW), 0, "refused: %s", line);
}

static struct fate read_at(struct faults *faults, uint64_t offset_bytes)
{
	return faults_decide(faults, true, offset_bytes, 4096, NOW);
}

static struct fate write_at(struct faults *faults, uint64_t offset_bytes)
{
	return faults_decide(faults, false, offset_bytes, 4096, NOW);
}

static bool is_well(const struct fate *fate)
{
	return fate->due_ns == NOW && !fate->error && !fate->shortened && !fate->corrupt &&
	       !fate->misplaced && !fate->dropped;
}

static const char *const accepted[] = {
    "",
    " ",
    "delay 0",
    "delay 18446744073709551615",
    " delay  5 ",
    "delay-share 3/100 2000000",
    "delay-share 0 5",
    "slow-reads-above 2000000 100000000",
    "stall 4294967295",
    "hang",
    "hang 0",
    "hang 7",
    "fail 1 EIO",
    "fail 3/5 ENODATA 4",
    "fail-at 0 5 EIO",
    "short 1/1",
    "corrupt 2",
    "misplace 0/3",
    "drop-writes",
    "reset",
};

static const char *const refused[] = {
    "nonsense",
    "Delay 5",
    "delay",
    "delay 1s",
    "delay -1",
    "delay +1",
    "delay 0x10",
    "delay 18446744073709551616",
    "delay 1 2",
    "delay-share 3/100",
    "delay-share 3 /100 5",
    "delay-share 101/100 5",
    "delay-share /100 5",
    "delay-share 3/ 5",
    "delay-share -3/100 5",
    "slow-reads-above 2MB 5",
    "slow-reads-above 5",
    "stall",
    "stall 4294967296",
    "stall 99999999999999999999",
    "hang x",
    "hang 1 2",
    "fail 10",
    "fail 10 EWRONG",
    "fail 10 5",
    "fail 10 EIO x",
    "fail 10 EIO 1 2",
    "fail-at 0 5",
    "fail-at 0 EIO 5",
    "short 3/2",
    "short 1 2",
    "corrupt one",
    "misplace",
    "drop-writes 1",
    "reset now",
};

Test(faults, obeys_what_it_understands)
{
	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
		struct faults faults = {0};

		obey(&faults, accepted[i]);
	}
}

Test(faults, a_refused_command_changes_nothing)
{
	struct faults faults = {0};
	struct faults before;

	obey(&faults, "delay 5");
	obey(&faults, "fail 3/5 EIO 4");
	obey(&faults, "short 2");
	memcpy(&before, &faults, sizeof(before));
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		cr_assert_eq(faults_command(&faults, refused[i], NOW), -EINVAL, "obeyed: %s",
			     refused[i]);
		cr_assert_eq(memcmp(&faults, &before, sizeof(before)), 0, "changed by: %s",
			     refused[i]);
	}
}

Test(faults, without_any_all_is_well)
{
	struct faults faults = {0};

	for (uint64_t i = 0; i < 10; i++) {
		struct fate of_read = read_at(&faults, i * 4096);
		struct fate of_write = write_at(&faults, i * 4096);

		cr_assert(is_well(&of_read) && is_well(&of_write));
	}
}

static const struct {
	const char *text;
	uint64_t hits, of;
} shares[] = {
    {"3/100", 3, 100}, {"1", 1, 1}, {"7", 1, 7}, {"2/3", 2, 3}, {"5/5", 5, 5}, {"0/4", 0, 4},
};

/* At no time are there more or fewer than the share, rounded down. */
Test(faults, shares_are_exact)
{
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		struct faults faults = {0};
		char line[64];
		uint64_t hit = 0;

		snprintf(line, sizeof(line), "corrupt %s", shares[i].text);
		obey(&faults, line);
		for (uint64_t n = 1; n <= 1000; n++) {
			hit += read_at(&faults, 0).corrupt;
			cr_assert_eq(hit, n * shares[i].hits / shares[i].of, "%s: %lu of %lu",
				     shares[i].text, (unsigned long)hit, (unsigned long)n);
		}
	}
}

Test(faults, a_share_starts_anew_with_its_command_and_ends_with_0)
{
	struct faults faults = {0};

	obey(&faults, "short 2");
	cr_assert(!read_at(&faults, 0).shortened);
	obey(&faults, "short 2");
	cr_assert(!read_at(&faults, 0).shortened);
	cr_assert(read_at(&faults, 0).shortened);
	obey(&faults, "short 0");
	for (int i = 0; i < 4; i++)
		cr_assert(!read_at(&faults, 0).shortened);
}

Test(faults, delays_add_up)
{
	struct faults faults = {0};

	obey(&faults, "delay 10");
	obey(&faults, "delay-share 2 2000000");
	cr_assert_eq(read_at(&faults, 0).due_ns, NOW + 10);
	cr_assert_eq(write_at(&faults, 0).due_ns, NOW + 10, "writes are not of the share");
	cr_assert_eq(read_at(&faults, 0).due_ns, NOW + 10 + 2 * MS);
	cr_assert_eq(read_at(&faults, 0).due_ns, NOW + 10);
}

/* Writes 4096 bytes and reads them this often, evenly, for 3 s. Returns how many of the
 * reads were slow. */
static int slow_reads(struct faults *faults, uint64_t per_sec, uint64_t *now_ns)
{
	int slow = 0;

	for (uint64_t i = 0; i < 3 * per_sec; i++) {
		uint64_t at_ns = *now_ns + i * 1000 * MS / per_sec;

		cr_assert_eq(faults_decide(faults, false, 0, 4096, at_ns).due_ns, at_ns);
		slow += faults_decide(faults, true, 0, 4096, at_ns).due_ns == at_ns + 7;
	}
	*now_ns += 3000 * MS;
	return slow;
}

Test(faults, reads_are_slow_while_more_is_written)
{
	struct faults faults = {0};
	uint64_t now_ns = NOW;

	obey(&faults, "slow-reads-above 819200 7"); /* 200 of these writes */
	cr_assert_eq(slow_reads(&faults, 200, &now_ns), 0);
	/* Two in a hundredth become three: with two of the first hundredth and one of the
	 * second there are still 200 at most. */
	cr_assert_eq(slow_reads(&faults, 300, &now_ns), 3 * 300 - 3);
	/* Three become one: there are 298 in the first hundredth, and 200 in the 50th. */
	cr_assert_eq(slow_reads(&faults, 100, &now_ns), 49);
	cr_assert_eq(slow_reads(&faults, 200, &now_ns), 0);
	obey(&faults, "slow-reads-above 819200 0");
	cr_assert_eq(slow_reads(&faults, 1000, &now_ns), 0);
}

/* So far back in time, in ms, what was written is forgotten. */
static const struct {
	uint64_t ago_ms;
	bool slow;
} pauses[] = {
    {0, true}, {500, true}, {990, true}, {1000, false}, {1001, false}, {5000, false},
};

Test(faults, what_was_written_is_forgotten_after_a_second)
{
	for (size_t i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++) {
		struct faults faults = {0};
		uint64_t now_ns = NOW + pauses[i].ago_ms * MS;

		obey(&faults, "slow-reads-above 4095 7");
		cr_assert_eq(read_at(&faults, 0).due_ns, NOW);
		write_at(&faults, 0);
		for (int j = 0; j < 2; j++)
			cr_assert_eq(faults_decide(&faults, true, 0, 4096, now_ns).due_ns,
				     now_ns + (pauses[i].slow ? 7 : 0), "%lu ms",
				     (unsigned long)pauses[i].ago_ms);
	}
}

Test(faults, a_stall_ends_for_all_at_once)
{
	struct faults faults = {0};

	obey(&faults, "stall 100");
	cr_assert_eq(faults_decide(&faults, true, 0, 4096, NOW).due_ns, NOW + 100 * MS);
	cr_assert_eq(faults_decide(&faults, false, 0, 4096, NOW + 60 * MS).due_ns, NOW + 100 * MS);
	cr_assert_eq(faults_decide(&faults, true, 0, 4096, NOW + 100 * MS).due_ns, NOW + 100 * MS);
	cr_assert_eq(faults_decide(&faults, true, 0, 4096, NOW + 101 * MS).due_ns, NOW + 101 * MS);
}

Test(faults, holds_as_many_as_told)
{
	struct faults faults = {0};

	obey(&faults, "hang 2");
	cr_assert_eq(read_at(&faults, 0).due_ns, FAULTS_HELD);
	cr_assert_eq(write_at(&faults, 0).due_ns, FAULTS_HELD);
	cr_assert_eq(read_at(&faults, 0).due_ns, NOW);
	obey(&faults, "hang");
	for (int i = 0; i < 1000; i++)
		cr_assert_eq(read_at(&faults, 0).due_ns, FAULTS_HELD);
}

Test(faults, fails_as_many_reads_as_told)
{
	struct faults faults = {0};
	int failed = 0;

	obey(&faults, "fail 3/5 EIO 4");
	for (int i = 0; i < 100; i++) {
		cr_assert_eq(write_at(&faults, 0).error, 0);
		int error = read_at(&faults, 0).error;

		cr_assert(error == 0 || error == EIO);
		failed += error != 0;
	}
	cr_assert_eq(failed, 4);
	obey(&faults, "fail 1 ENODATA");
	for (int i = 0; i < 100; i++)
		cr_assert_eq(read_at(&faults, 0).error, ENODATA);
}

static const struct {
	uint64_t offset_bytes, length_bytes;
	int error;
} near_bad_bytes[] = {
    {4096, 4096, 0}, {4096, 4097, ENODATA}, {8192, 1, ENODATA},   {8193, 1, ENODATA},
    {8194, 4096, 0}, {0, 65536, ENODATA},   {8193, 512, ENODATA}, {0, 8192, 0},
};

Test(faults, bad_bytes_fail_what_touches_them)
{
	struct faults faults = {0};

	obey(&faults, "fail-at 8192 8194 ENODATA");
	for (size_t i = 0; i < sizeof(near_bad_bytes) / sizeof(near_bad_bytes[0]); i++)
		cr_assert_eq(faults_decide(&faults, true, near_bad_bytes[i].offset_bytes,
					   near_bad_bytes[i].length_bytes, NOW)
				 .error,
			     near_bad_bytes[i].error, "case %zu", i);
	cr_assert_eq(write_at(&faults, 8192).error, 0);
}

Test(faults, damage_is_of_reads_or_of_writes)
{
	struct faults faults = {0};

	obey(&faults, "short 1");
	obey(&faults, "corrupt 1");
	obey(&faults, "misplace 1");
	obey(&faults, "drop-writes");
	struct fate of_read = read_at(&faults, 0);
	struct fate of_write = write_at(&faults, 0);

	cr_assert(of_read.shortened && of_read.corrupt && !of_read.misplaced && !of_read.dropped);
	cr_assert(!of_write.shortened && !of_write.corrupt && of_write.misplaced &&
		  of_write.dropped);
}

Test(faults, reset_ends_all)
{
	struct faults faults = {0};

	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++)
		obey(&faults, accepted[i]);
	obey(&faults, "stall 1000");
	obey(&faults, "hang");
	obey(&faults, "reset");
	struct fate of_read = read_at(&faults, 0);
	struct fate of_write = write_at(&faults, 0);

	cr_assert(is_well(&of_read) && is_well(&of_write));
}
