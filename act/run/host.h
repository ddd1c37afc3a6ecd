#pragma once
#include <stddef.h>
#include <stdint.h>

#include "act/base/clock.h"

/* What this host does besides: read from /proc; missing values are zero or empty. */

/* CPU time over all CPUs since boot, in clock ticks. */
struct host_ticks {
	uint64_t idle;
	uint64_t steal; /* taken by the hypervisor */
	uint64_t total;
};
void host_cpu_ticks(struct host_ticks *ret);

/* Name of the CPU model, host and kernel, cut off to `size` bytes. */
void host_cpu_model(char *text, size_t size);
void host_name(char *text, size_t size);
void host_kernel(char *text, size_t size);

/* How often the calling thread has slept of its own accord (waited in the
 * kernel), as against having been interrupted. */
uint64_t host_thread_sleeps(void);
/* How often it was ready, but another one ran. */
uint64_t host_thread_preemptions(void);

/* Threads that the kernel has made in this process for io_uring's sake, to issue
 * what would have waited (io-wq). */
uint32_t host_helper_threads(void);

/* CPUs that this process may use: how many, and the n-th one's number (-1 when
 * there is none). */
uint32_t host_cpus(void);
int host_cpu(uint32_t n);

/* Binds the calling thread to one CPU: 0 or -errno. */
int host_pin_thread(int cpu);

/* Lets the calling thread's timers end as exactly as the kernel can, and returns
 * by how much they still end late (a high percentile of some short waits). */
uint64_t host_calibrate_wait_ns(const struct clock *clock);
