/*
 * Cost of making written data: GB/s, and the share of a core that 150x writes
 * (3529.4 blocks of 128 KiB a second) take. Buffers rotate over more than the
 * second-level cache holds, as those of a ring do.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "act/payload/payload.h"

#define BLOCK_BYTES    (128u << 10)
#define BUFFER_BYTES   (16u << 20)
#define BLOCKS_PER_LEG 8192
#define LEGS           7
#define BLOCKS_PER_SEC (150 * 1000 / 85.0 * 2) /* 85 records of 1536 bytes in a block, twice */

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

int main(void)
{
	struct payload_pool *pool;
	struct error err;
	struct random random;
	double sec[LEGS];
	char *buffer = aligned_alloc(4096, BUFFER_BYTES);

	if (!buffer || payload_pool_new((struct ratio){1, 1}, 1, &pool, &err) < 0)
		return 1;
	random_init(&random, 1, 0);
	for (int leg = 0; leg < LEGS; leg++) {
		double start = cpu_sec();

		for (uint64_t i = 0; i < BLOCKS_PER_LEG; i++)
			payload_fill(pool, &random, buffer + i * BLOCK_BYTES % BUFFER_BYTES,
				     BLOCK_BYTES, i * BLOCK_BYTES, i, 1);
		sec[leg] = (cpu_sec() - start) / BLOCKS_PER_LEG;
	}
	qsort(sec, LEGS, sizeof(sec[0]), compare);
	printf("payload: %.1f GB/s, %.1f us for 128 KiB, %.2f %% of a core at 150x writes\n",
	       BLOCK_BYTES / sec[LEGS / 2] / 1e9, sec[LEGS / 2] * 1e6,
	       sec[LEGS / 2] * BLOCKS_PER_SEC * 100);
	payload_pool_free(pool);
	free(buffer);
	return 0;
}
