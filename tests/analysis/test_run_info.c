#include "analysis/run_info.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

Test(run_info, starts_empty_with_its_arrays)
{
	struct run_info info;

	cr_assert(eq(int, run_info_init(&info, 3, 2), 0));
	cr_assert(eq(sz, info.device_count, 3));
	cr_assert(eq(sz, info.stream_count, 2));
	cr_assert(eq(sz, info.criterion_count, 0));
	cr_assert(eq(chr, info.devices[2].name[0], '\0'));
	cr_assert(eq(u64, info.streams[1].size_max_bytes, 0));
	run_info_release(&info);
	cr_assert(eq(ptr, info.devices, NULL));
	cr_assert(eq(sz, info.device_count, 0));
	run_info_release(&info);
}

Test(run_info, may_have_no_devices)
{
	struct run_info info;

	cr_assert(eq(int, run_info_init(&info, 0, 0), 0));
	run_info_release(&info);
}
