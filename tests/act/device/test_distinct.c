#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <string.h>

#include "act/device/device.h"

#define DISK(number, ...)                                                                          \
	{                                                                                          \
		.name = "A" #number, .node_device = (number), .disk_device = (number),             \
		.size_bytes = 1000, .model = "M", __VA_ARGS__                                      \
	}
#define PART(number, of, start, size, ...)                                                         \
	{                                                                                          \
		.name = "A" #number, .node_device = (number), .disk_device = (of),                 \
		.start_bytes = (start), .size_bytes = (size), .model = "M", __VA_ARGS__            \
	}

Test(distinct, pairs)
{
	static const struct {
		struct device a, b;
		const char *text; /* NULL: distinct */
	} rows[] = {
	    {DISK(1), DISK(2), NULL},
	    {DISK(1), DISK(1), "A1 and A1 are one and the same device: name one of them"},
	    {DISK(1), PART(2, 1, 100, 100), "A1 and A2 are a drive and a part of it: name one"},
	    {PART(2, 1, 0, 100), DISK(1), "A2 and A1 are a drive and a part of it"},
	    {PART(2, 1, 0, 100), PART(3, 1, 100, 100), NULL},
	    {PART(2, 1, 0, 101), PART(3, 1, 100, 100), "a part of it"},
	    {PART(2, 1, 50, 10), PART(3, 4, 50, 10), NULL},
	    /* Two paths to one unit */
	    {DISK(1, .wwid = "W1"), DISK(2, .wwid = "W1"), "are two paths to one drive, W1"},
	    {DISK(1, .wwid = "W1"), PART(3, 2, 500, 100, .wwid = "W1"), "two paths to one"},
	    {PART(3, 1, 0, 500, .wwid = "W1"), PART(4, 2, 500, 100, .wwid = "W1"), NULL},
	    {DISK(1, .serial = "S1"), DISK(2, .serial = "S1"), "two paths to one drive, S1"},
	    {DISK(1, .serial = "S1", .wwid = "W1"), DISK(2, .serial = "S1"), "drive, S1"},
	    {DISK(1, .serial = "S1"), DISK(2, .serial = "S2"), NULL},
	    /* Two namespaces of one drive */
	    {DISK(1, .serial = "S1", .wwid = "W1"), DISK(2, .serial = "S1", .wwid = "W2"), NULL},
	    /* Files */
	    {{.name = "f", .is_file = true, .node_device = 1, .node_inode = 5},
	     {.name = "g", .is_file = true, .node_device = 1, .node_inode = 5},
	     "f and g are one and the same file"},
	    {{.name = "f", .is_file = true, .node_device = 1, .node_inode = 5},
	     {.name = "g", .is_file = true, .node_device = 1, .node_inode = 6},
	     NULL},
	    {{.name = "f", .is_file = true, .node_device = 1, .node_inode = 5, .size_bytes = 9},
	     DISK(1),
	     NULL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct device pair[] = {rows[i].a, rows[i].b};
		struct error err = {0};
		int rc = device_check_distinct(pair, 2, &err);

		cr_expect(eq(int, rc, rows[i].text ? -EEXIST : 0), "row %zu: %s", i, err.text);
		if (rows[i].text)
			cr_expect(strstr(err.text, rows[i].text) != NULL, "row %zu: %s", i,
				  err.text);
		cr_expect(eq(int, (int)err.status, rows[i].text ? (int)EXIT_USAGE : 0));
	}
}

Test(distinct, any_two_of_many)
{
	const struct device many[] = {DISK(1), DISK(2), PART(5, 2, 10, 10), DISK(3)};
	struct error err = {0};

	cr_expect(eq(int, device_check_distinct(many, 0, &err), 0));
	cr_expect(eq(int, device_check_distinct(many, 2, &err), 0));
	cr_expect(eq(int, device_check_distinct(many, 4, &err), -EEXIST));
	cr_expect(strncmp(err.text, "A2 and A5 ", 10) == 0, "%s", err.text);
}
