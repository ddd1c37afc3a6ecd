#include "act/run/host.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CALIBRATION_WAITS   40
#define CALIBRATION_WAIT_NS (200 * NS_PER_US)
#define CALIBRATION_RANK    36 /* of the waits, in rising order of lateness */

void host_cpu_ticks(struct host_ticks *ret)
{
	/* user nice system idle iowait irq softirq steal; guest time is in user */
	uint64_t ticks[8] = {0};
	FILE *file = fopen("/proc/stat", "re");

	*ret = (struct host_ticks){0};
	if (!file)
		return;
	int fields = fscanf(file,
			    "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
			    " %" SCNu64 " %" SCNu64 " %" SCNu64,
			    &ticks[0], &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5],
			    &ticks[6], &ticks[7]);
	fclose(file);
	if (fields < 5)
		return;
	for (size_t i = 0; i < 8; i++)
		ret->total += ticks[i];
	ret->idle = ticks[3] + ticks[4];
	ret->steal = ticks[7];
}

void host_cpu_model(char *text, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[512];

	text[0] = '\0';
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		char *value = strchr(line, ':');

		if (strncmp(line, "model name", 10) != 0 || !value)
			continue;
		value += 1 + strspn(value + 1, " ");
		value[strcspn(value, "\n")] = '\0';
		snprintf(text, size, "%s", value);
		break;
	}
	fclose(file);
}

void host_name(char *text, size_t size)
{
	if (gethostname(text, size) != 0)
		text[0] = '\0';
	text[size - 1] = '\0';
}

void host_kernel(char *text, size_t size)
{
	struct utsname names;

	text[0] = '\0';
	if (uname(&names) == 0)
		snprintf(text, size, "%s %s", names.release, names.machine);
}

uint64_t host_thread_sleeps(void)
{
	struct rusage usage = {0};

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nvcsw;
}

uint64_t host_thread_preemptions(void)
{
	struct rusage usage = {0};

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nivcsw;
}

static bool is_helper(const char *thread)
{
	char path[64 + 256];
	char name[16] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%s/comm", thread);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = '\0';
	fclose(file);
	return strncmp(name, "iou-wrk", 7) == 0;
}

uint32_t host_helper_threads(void)
{
	DIR *threads = opendir("/proc/self/task");
	const struct dirent *entry;
	uint32_t count = 0;

	if (!threads)
		return 0;
	while ((entry = readdir(threads)))
		count += entry->d_name[0] != '.' && is_helper(entry->d_name);
	closedir(threads);
	return count;
}

uint32_t host_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	return (uint32_t)CPU_COUNT(&set);
}

int host_cpu(uint32_t n)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &set) && n-- == 0)
			return cpu;
	return -1;
}

int host_pin_thread(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0 ? 0 : -errno;
}

static int compare_times(const void *a, const void *b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return (*left > *right) - (*left < *right);
}

uint64_t host_calibrate_wait_ns(const struct clock *clock)
{
	uint64_t late_ns[CALIBRATION_WAITS];

	/* The default slack of 50 us is for saving power, not for us. */
	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	for (size_t i = 0; i < CALIBRATION_WAITS; i++) {
		uint64_t from_ns = clock_now(clock);

		clock_sleep(CALIBRATION_WAIT_NS);
		uint64_t took_ns = clock_now(clock) - from_ns;
		late_ns[i] = took_ns > CALIBRATION_WAIT_NS ? took_ns - CALIBRATION_WAIT_NS : 0;
	}
	qsort(late_ns, CALIBRATION_WAITS, sizeof(late_ns[0]), compare_times);
	return late_ns[CALIBRATION_RANK];
}
