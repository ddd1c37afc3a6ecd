/*
 * Cost of making written data: GB/s, and the share of a core that 150x writes
 * (3529.4 blocks of 128 KiB a second) take; and of checking what was read: sectors/s, for
 * records of 1536 bytes and for large blocks, and the share of a core that the reads of
 * 30x take. Buffers rotate over more than the second-level cache holds, as those of a
 * ring do.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "act/payload/payload.h"

#define BLOCK_BYTES         (128u << 10)
#define BUFFER_BYTES        (16u << 20)
#define BLOCKS_PER_LEG      8192
#define LEGS                7
#define RECORD_BYTES        1536u
#define READS_PER_SEC       60000.0
#define BLOCKS_PER_SEC      (150 * 1000 / 85.0 * 2) /* 85 records of 1536 bytes in a block, twice */
#define BLOCK_READS_PER_SEC (BLOCKS_PER_SEC / 5)

static double cpu_sec(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double sec[static LEGS])
{
	qsort(sec, LEGS, sizeof(sec[0]), compare);
	return sec[LEGS / 2];
}

static void fill_all(const struct payload_pool *pool, struct random *random, char *buffer)
{
	for (uint64_t at = 0; at < BUFFER_BYTES; at += BLOCK_BYTES)
		payload_fill(pool, random, buffer + at, BLOCK_BYTES, at, at, 1);
}

static void bench_fill(const struct payload_pool *pool, struct random *random, char *buffer)
{
	double sec[LEGS];

	for (int leg = 0; leg < LEGS; leg++) {
		double start = cpu_sec();

		for (uint64_t i = 0; i < BLOCKS_PER_LEG; i++)
			payload_fill(pool, random, buffer + i * BLOCK_BYTES % BUFFER_BYTES,
				     BLOCK_BYTES, i * BLOCK_BYTES, i, 1);
		sec[leg] = (cpu_sec() - start) / BLOCKS_PER_LEG;
	}
	printf("payload: %.1f GB/s, %.1f us for 128 KiB, %.2f %% of a core at 150x writes\n",
	       BLOCK_BYTES / median(sec) / 1e9, median(sec) * 1e6,
	       median(sec) * BLOCKS_PER_SEC * 100);
}

/* Seconds for one read of this length. */
static double bench_check(const char *buffer, size_t length)
{
	size_t reads = BUFFER_BYTES / length;
	double sec[LEGS];

	for (int leg = 0; leg < LEGS; leg++) {
		double start = cpu_sec();

		for (size_t pass = 0; pass < 20; pass++)
			for (size_t i = 0; i < reads; i++) {
				/* As soon as it is back, while the one before is checked */
				payload_prefetch(buffer + (i + 1) % reads * length, length);
				if (payload_check(buffer + i * length, length, i * length, 1) !=
				    length)
					abort();
			}
		sec[leg] = (cpu_sec() - start) / (double)(20 * reads);
	}
	printf("check:   %.1f million sectors/s (%.1f GB/s) in reads of %zu bytes, %.0f ns each\n",
	       (double)length / PAYLOAD_SECTOR_BYTES / median(sec) / 1e6,
	       (double)length / median(sec) / 1e9, length, median(sec) * 1e9);
	return median(sec);
}

int main(void)
{
	struct payload_pool *pool;
	struct error err;
	struct random random;
	char *buffer = aligned_alloc(4096, BUFFER_BYTES);

	if (!buffer || payload_pool_new((struct ratio){1, 1}, 1, &pool, &err) < 0)
		return 1;
	random_init(&random, 1, 0);
	bench_fill(pool, &random, buffer);
	fill_all(pool, &random, buffer);
	double record = bench_check(buffer, RECORD_BYTES);
	double block = bench_check(buffer, BLOCK_BYTES);
	printf("check:   %.2f %% of a core at 30x, %.0f ns for each of its reads\n",
	       100 * (record * READS_PER_SEC + block * BLOCK_READS_PER_SEC),
	       1e9 * (record * READS_PER_SEC + block * BLOCK_READS_PER_SEC) /
		   (READS_PER_SEC + BLOCK_READS_PER_SEC));
	payload_pool_free(pool);
	free(buffer);
	return 0;
}
