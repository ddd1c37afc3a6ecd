/* Log pages put together byte by byte, as the NVM Express Base Specification has
 * them. */
#include "act/device/smart.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void put(uint8_t *page, size_t offset, size_t bytes, uint64_t value)
{
	for (size_t i = 0; i < bytes; i++)
		page[offset + i] = i < 8 ? (uint8_t)(value >> 8 * i) : 0;
}

/* What a drive at work tells: 47 C, 3 % used, some throttling. */
static void fill_page(uint8_t page[SMART_PAGE_BYTES])
{
	memset(page, 0, SMART_PAGE_BYTES);
	put(page, 0, 1, 0x02);
	put(page, 1, 2, 320);
	put(page, 3, 1, 99);
	put(page, 4, 1, 10);
	put(page, 5, 1, 3);
	put(page, 32, 16, 1000);
	put(page, 48, 16, 2000001);
	put(page, 64, 16, 77);  /* host reads: not of interest */
	put(page, 80, 16, 88);  /* host writes */
	put(page, 96, 16, 99);  /* controller busy time */
	put(page, 112, 16, 12); /* power cycles */
	put(page, 128, 16, 8760);
	put(page, 144, 16, 4);
	put(page, 160, 16, 5);
	put(page, 176, 16, 6);
	put(page, 192, 4, 7);
	put(page, 196, 4, 8);
	put(page, 200, 2, 310); /* sensor 1 */
	put(page, 216, 4, 9);
	put(page, 220, 4, 10);
	put(page, 224, 4, 11);
	put(page, 228, 4, UINT32_MAX);
}

Test(smart, reads_each_field_at_its_place)
{
	uint8_t page[SMART_PAGE_BYTES];
	struct smart smart;

	fill_page(page);
	smart_parse(page, &smart);
	cr_expect(eq(u8, smart.critical_warning, 2));
	cr_expect(eq(u16, smart.temperature_k, 320));
	cr_expect(eq(u8, smart.spare_pct, 99));
	cr_expect(eq(u8, smart.spare_threshold_pct, 10));
	cr_expect(eq(u8, smart.used_pct, 3));
	cr_expect(eq(u64, smart.read_bytes, 512000000));
	cr_expect(eq(u64, smart.written_bytes, 2000001 * UINT64_C(512000)));
	cr_expect(eq(u64, smart.power_cycles, 12));
	cr_expect(eq(u64, smart.power_on_hours, 8760));
	cr_expect(eq(u64, smart.unsafe_shutdowns, 4));
	cr_expect(eq(u64, smart.media_errors, 5));
	cr_expect(eq(u64, smart.error_log_entries, 6));
	cr_expect(eq(u32, smart.warm_min, 7));
	cr_expect(eq(u32, smart.hot_min, 8));
	cr_expect(eq(u32, smart.light_throttles, 9));
	cr_expect(eq(u32, smart.heavy_throttles, 10));
	cr_expect(eq(u32, smart.light_throttled_s, 11));
	cr_expect(eq(u32, smart.heavy_throttled_s, UINT32_MAX));
}

Test(smart, counters_of_128_bits_stop_at_the_largest_number)
{
	static const struct {
		size_t byte; /* of the counter, that is set to ... */
		uint8_t value;
		uint64_t counter;
		uint64_t bytes; /* for data units */
	} rows[] = {
	    {0, 255, 255, 255 * UINT64_C(512000)},
	    {3, 1, UINT64_C(1) << 24, (UINT64_C(1) << 24) * 512000},
	    {6, 1, UINT64_C(1) << 48, INT64_MAX},
	    {7, 0x7f, UINT64_C(0x7f) << 56, INT64_MAX},
	    {7, 0x80, INT64_MAX, INT64_MAX},
	    {8, 1, INT64_MAX, INT64_MAX},
	    {15, 255, INT64_MAX, INT64_MAX},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t page[SMART_PAGE_BYTES] = {0};
		struct smart smart;

		page[48 + rows[i].byte] = rows[i].value;
		page[160 + rows[i].byte] = rows[i].value;
		smart_parse(page, &smart);
		cr_expect(eq(u64, smart.media_errors, rows[i].counter), "row %zu", i);
		cr_expect(eq(u64, smart.written_bytes, rows[i].bytes), "row %zu", i);
	}
}

Test(smart, other_devices_have_none)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const struct device file = {.is_file = true, .node_device = 1, .fd = fd};
	const struct device made_up = {.fd = -1};
	const struct device memory = {.node_device = 0x0101, .fd = fd}; /* /dev/ram1 at most */
	int fds[SMART_DRIVES_MAX];
	struct smart smart;

	cr_expect(eq(int, smart_has(&file), 0));
	cr_expect(eq(int, smart_has(&made_up), 0));
	cr_expect(eq(int, smart_has(&memory), 0));
	cr_expect(eq(sz, smart_open(&file, fds), 0));
	cr_expect(eq(sz, smart_open(&made_up, fds), 0));
	cr_expect(eq(sz, smart_open(&memory, fds), 0));
	cr_expect(eq(int, smart_read(fd, &smart), -ENOTTY));
	close(fd);
	cr_expect(eq(int, smart_read(-1, &smart), -EBADF));
}
