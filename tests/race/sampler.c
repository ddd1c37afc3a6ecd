/* One thread samples without a pause while another takes the samples, asks for a
 * last one and goes, with a drive that is slow to answer or not. */
#include "act/run/sampler.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define RUNS  50
#define TAKES 200

static int answer(int fd, struct telemetry_sample *ret)
{
	ret->temperature_k = (uint64_t)fd;
	return 0;
}

static int answer_late(int fd, struct telemetry_sample *ret)
{
	clock_sleep(2 * NS_PER_MS);
	return answer(fd, ret);
}

static size_t open_one(const struct device *device, int ret_fds[static SMART_DRIVES_MAX])
{
	ret_fds[0] = fcntl(device->fd, F_DUPFD_CLOEXEC, 0);
	return 1;
}

static int run(const struct device *devices, sampler_ask *ask)
{
	const struct sampler_setup setup = {
	    .devices = devices,
	    .device_count = 2,
	    .clock = clock_real(),
	    .ask = ask,
	    .open = open_one,
	    .period_ns = NS_PER_US,
	};
	struct sampler *sampler = NULL;
	struct telemetry_sample sample;
	struct error err;
	int wrong = 0;

	if (sampler_new(&setup, &sampler, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	for (int i = 0; i < TAKES; i++)
		if (sampler_take(sampler, &sample))
			wrong |= sample.temperature_k == 0 || sample.device > 1;
	sampler_finish(sampler, NS_PER_MS);
	sampler_free(sampler);
	return wrong;
}

int main(void)
{
	struct device devices[2] = {0};
	int wrong = 0;

	for (int i = 0; i < 2; i++)
		devices[i].fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	for (int i = 0; i < RUNS; i++)
		wrong |= run(devices, i % 2 ? answer : answer_late);
	clock_sleep(50 * NS_PER_MS); /* until the threads that were left alone are gone */
	for (int i = 0; i < 2; i++)
		close(devices[i].fd);
	return wrong;
}
