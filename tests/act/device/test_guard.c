#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <string.h>

#include "act/device/guard.h"
#include "tests/support/scratch.h"
#include "tests/support/sysfs_tree.h"

Test(guard, geometry)
{
	static const struct sysfs_file files[] = {
	    {"sda/queue/zoned", "none\n"},
	    {"sdb/queue/zoned", "host-managed\n"},
	    {"sdb/sdb1/partition", "1\n"},
	    {"sdc/size", "1\n"},
	};
	static const struct {
		const char *folder;
		uint64_t size_bytes;
		const char *text; /* NULL: fine */
		int code;
	} rows[] = {
	    {"sda", 1 << 20, NULL, 0},
	    {"sda", INT64_MAX, NULL, 0},
	    {"sda", (uint64_t)INT64_MAX + 1, "at most 9223372036854775807 can be", -EFBIG},
	    {"sda", 0, "X: refused: it has no medium (size 0)", -ENOMEDIUM},
	    {"sdb", 1 << 20, "X: refused: it is zoned (host-managed)", -EOPNOTSUPP},
	    {"sdb/sdb1", 1 << 20, "X: refused: it is zoned (host-managed)", -EOPNOTSUPP},
	    {"sdc", 1 << 20, NULL, 0}, /* a kernel that knows nothing of zones */
	};
	char folder[SCRATCH_PATH_BYTES];

	scratch_make(folder);
	sysfs_tree_make(folder, files, sizeof(files) / sizeof(files[0]));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct device device = {.name = "X", .size_bytes = rows[i].size_bytes};
		struct error err = {0};
		char path[SCRATCH_PATH_BYTES];

		scratch_path(path, folder, rows[i].folder);
		cr_expect(eq(int, guard_geometry(&device, path, &err), rows[i].code), "row %zu", i);
		if (rows[i].text)
			cr_expect(strstr(err.text, rows[i].text) != NULL, "%s", err.text);
	}
	scratch_remove(folder);
}

Test(guard, text_that_does_not_fit_is_cut_off)
{
	char text[GUARD_TEXT_BYTES] = "";

	for (int i = 0; i < GUARD_TEXT_BYTES; i++)
		guard_append(text, "%d", i % 10);
	cr_expect(eq(sz, strlen(text), GUARD_TEXT_BYTES - 1));
	cr_expect(strncmp(text, "01234567890", 11) == 0);
}
