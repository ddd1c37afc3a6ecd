#include "act/device/label_io.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd;

static void set_up(void)
{
	fd = memfd_create("device", MFD_CLOEXEC);
	cr_assert(fd >= 0 && ftruncate(fd, 2 * LABEL_AREA_BYTES) == 0);
}

static void tear_down(void)
{
	close(fd);
}

TestSuite(label_io, .init = set_up, .fini = tear_down);

static struct label write_label(uint64_t generation)
{
	struct label label = {
	    .generation = generation, .data_id = 10 * generation, .compress = {1, 1}};

	cr_assert(label_write("device", fd, &label, NULL) == 0);
	return label;
}

Test(label_io, the_newer_copy_is_read_whichever_it_is)
{
	struct label found;

	cr_expect(eq(int, label_read("device", fd, &found, NULL), 0));
	for (uint64_t generation = 0; generation < 4; generation++) {
		struct label written = write_label(generation);

		cr_assert(eq(int, label_read("device", fd, &found, NULL), 1));
		cr_expect(memcmp(&found, &written, sizeof(found)) == 0);
		cr_expect(eq(u64, found.generation, generation + 1));
	}
}

Test(label_io, clearing_leaves_nothing_in_its_area_and_all_behind_it)
{
	static uint8_t data[2 * LABEL_AREA_BYTES];
	struct label found;

	memset(data, 0x55, sizeof(data));
	cr_assert(pwrite(fd, data, sizeof(data), 0) == (ssize_t)sizeof(data));
	write_label(1);
	cr_assert(eq(int, label_clear("device", fd, NULL), 0));
	cr_expect(eq(int, label_read("device", fd, &found, NULL), 0));
	cr_assert(pread(fd, data, sizeof(data), 0) == (ssize_t)sizeof(data));
	for (size_t i = 0; i < sizeof(data); i++)
		cr_assert(eq(u8, data[i], i < LABEL_AREA_BYTES ? 0 : 0x55), "byte %zu", i);
}

Test(label_io, failures_are_the_device_s)
{
	struct label label = {.compress = {1, 1}};
	struct error err = {0};
	int full = open("/dev/full", O_RDWR | O_CLOEXEC);

	cr_assert(lt(int, label_write("device", full, &label, &err), 0));
	cr_expect(eq(int, (int)err.status, EXIT_DEVICE));
	err = (struct error){0};
	cr_assert(lt(int, label_clear("device", full, &err), 0));
	cr_expect(eq(int, (int)err.status, EXIT_DEVICE));
	close(full);
}
