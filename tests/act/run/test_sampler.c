#include "act/run/sampler.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

#define WAIT_NS (30 * NS_PER_SEC) /* for what comes at once on an idle host */

/* Descriptors that say nothing, in the place of drives. */
static struct device devices[3];
static atomic_uint asked;
static atomic_bool hangs;

static void setup(void)
{
	for (size_t i = 0; i < 3; i++) {
		devices[i] = (struct device){.fd = open("/dev/null", O_RDONLY | O_CLOEXEC)};
		devices[i].is_file = i == 1;
		cr_assert(ge(int, devices[i].fd, 0));
	}
}

static void teardown(void)
{
	for (size_t i = 0; i < 3; i++)
		close(devices[i].fd);
}

TestSuite(sampler, .init = setup, .fini = teardown);

/* No files, and one drive for each device but two for the last. */
static size_t open_drives(const struct device *device, int ret_fds[static SMART_DRIVES_MAX])
{
	size_t count = device->is_file ? 0 : device == &devices[2] ? 2 : 1;

	for (size_t i = 0; i < count; i++)
		ret_fds[i] = fcntl(device->fd, F_DUPFD_CLOEXEC, 0);
	return count;
}

static size_t open_none(const struct device *device, int ret_fds[static SMART_DRIVES_MAX])
{
	(void)device;
	ret_fds[0] = -1;
	return 0;
}

static int answer(int fd, struct telemetry_sample *ret)
{
	if (fcntl(fd, F_GETFD) < 0)
		return -errno;
	ret->temperature_k = 300 + atomic_fetch_add(&asked, 1);
	ret->media_errors = 1;
	return 0;
}

static int refuse(int fd, struct telemetry_sample *ret)
{
	(void)fd;
	(void)ret;
	atomic_fetch_add(&asked, 1);
	return -EACCES;
}

static int hang(int fd, struct telemetry_sample *ret)
{
	while (atomic_load(&hangs))
		clock_sleep(NS_PER_MS);
	return answer(fd, ret);
}

static struct sampler *make(sampler_ask *ask, uint64_t period_ns)
{
	const struct sampler_setup settings = {
	    .devices = devices,
	    .device_count = 3,
	    .clock = clock_real(),
	    .ask = ask,
	    .open = open_drives,
	    .period_ns = period_ns,
	};
	struct sampler *sampler = NULL;
	struct error err = {0};

	cr_assert(eq(int, sampler_new(&settings, &sampler, &err), 0), "%s", err.text);
	cr_assert_not_null(sampler);
	return sampler;
}

static void wait_until_asked(unsigned times)
{
	for (uint64_t ns = 0; ns < WAIT_NS && atomic_load(&asked) < times; ns += NS_PER_MS)
		clock_sleep(NS_PER_MS);
	cr_assert(ge(uint, atomic_load(&asked), times));
}

Test(sampler, samples_each_drive_at_the_start_and_the_end)
{
	struct sampler *sampler = make(answer, 3600 * NS_PER_SEC);
	struct telemetry_sample sample;
	uint64_t now_ns = clock_now(clock_real());

	sampler_finish(sampler, WAIT_NS);
	cr_assert(sampler_take(sampler, &sample));
	cr_expect(eq(sz, sample.device, 0));
	cr_expect(eq(u64, sample.media_errors, 1));
	cr_assert(sampler_take(sampler, &sample));
	cr_expect(eq(sz, sample.device, 2)); /* 1 is a file */
	cr_expect(eq(u64, sample.media_errors, 2));
	cr_expect(ge(u64, sample.temperature_k, 300));
	cr_expect(lt(u64, sample.at_ns, now_ns + 2 * WAIT_NS));
	cr_expect(eq(int, sampler_take(sampler, &sample), 0));
	unsigned before = atomic_load(&asked);
	sampler_finish(sampler, WAIT_NS);
	cr_expect(eq(uint, atomic_load(&asked), before + 3));
	cr_expect(sampler_take(sampler, &sample));
	sampler_free(sampler);
}

Test(sampler, samples_again_after_each_period)
{
	struct sampler *sampler = make(answer, NS_PER_MS);
	struct telemetry_sample sample;

	wait_until_asked(10);
	cr_expect(sampler_take(sampler, &sample));
	sampler_free(sampler);
}

Test(sampler, goes_on_without_a_drive_that_refuses)
{
	struct sampler *sampler = make(refuse, 3600 * NS_PER_SEC);
	struct telemetry_sample sample;

	sampler_finish(sampler, WAIT_NS);
	cr_expect(ge(uint, atomic_load(&asked), 2));
	cr_expect(eq(int, sampler_take(sampler, &sample), 0));
	sampler_free(sampler);
}

Test(sampler, waits_for_no_drive_that_hangs)
{
	struct telemetry_sample sample;
	struct sampler *sampler;

	atomic_store(&hangs, true);
	sampler = make(hang, 3600 * NS_PER_SEC);
	sampler_finish(sampler, 10 * NS_PER_MS);
	cr_expect(eq(int, sampler_take(sampler, &sample), 0));
	sampler_free(sampler);
	/* The drive comes back: the thread ends and frees what it has. */
	atomic_store(&hangs, false);
	wait_until_asked(1);
}

Test(sampler, needs_no_thread_without_drives)
{
	struct sampler_setup settings = {
	    .devices = devices,
	    .device_count = 3,
	    .clock = clock_real(),
	    .ask = answer,
	    .open = open_none,
	    .period_ns = NS_PER_MS,
	};
	struct sampler *sampler = NULL;
	struct telemetry_sample sample;
	struct error err;

	cr_assert(eq(int, sampler_new(&settings, &sampler, &err), 0));
	cr_expect(eq(ptr, sampler, NULL));
	settings.open = open_drives;
	settings.device_count = 0;
	cr_assert(eq(int, sampler_new(&settings, &sampler, &err), 0));
	cr_expect(eq(ptr, sampler, NULL));
	sampler_finish(sampler, WAIT_NS);
	cr_expect(eq(int, sampler_take(sampler, &sample), 0));
	sampler_free(sampler);
	cr_expect(eq(uint, atomic_load(&asked), 0));
}

Test(sampler, what_is_no_drive_tells_nothing)
{
	struct telemetry_sample sample;

	cr_expect(eq(int, sampler_ask_drive(devices[0].fd, &sample), -ENOTTY));
}
