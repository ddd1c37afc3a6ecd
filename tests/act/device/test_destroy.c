/* Which words of --destroy-data name which device. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "act/device/guard.h"
#include "tests/support/scratch.h"

static const struct device drive = {
    .name = "/dev/../dev/actcert-no-drive",
    .path = "/dev/actcert-no-drive",
    .serial = "S1",
};
static const struct device without_serial = {.name = "/tmp/../dev", .path = "/dev"};
static const struct device file = {.name = "/tmp/../dev", .path = "/dev", .is_file = true};

Test(destroy, by_serial_and_by_path_only_without_one)
{
	static const struct {
		const struct device *device;
		const char *words[2];
		size_t count;
		int allowed;
	} rows[] = {
	    {&drive, {"S1"}, 1, 1},
	    {&drive, {"/dev/null", "S1"}, 2, 1},
	    {&drive, {"S1"}, 0, 0},
	    {&drive, {"S2", ""}, 2, 0},
	    {&drive, {"s1", "S"}, 2, 0},
	    {&drive, {"/dev/../dev/actcert-no-drive", "/dev"}, 2, 0},
	    {&drive, {"/dev/disk/by-id/actcert-nothing"}, 1, 0},
	    {&without_serial, {""}, 1, 0},
	    {&without_serial, {"/tmp/../dev"}, 1, 1},
	    {&without_serial, {"/dev"}, 1, 1},
	    {&without_serial, {"/usr/../dev/"}, 1, 1},
	    {&without_serial, {"/"}, 1, 0},
	    {&file, {"/tmp/../dev"}, 1, 1},
	    {&file, {"/dev"}, 1, 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct device_use use = {true, rows[i].words, rows[i].count};

		cr_expect(eq(int, guard_may_destroy(rows[i].device, &use), rows[i].allowed),
			  "row %zu", i);
	}
}

Test(destroy, tells_the_word)
{
	static const struct {
		struct device device;
		const char *word;
	} rows[] = {
	    {{.name = "/dev/sdx", .serial = "S-1.2"}, "S-1.2"},
	    {{.name = "/dev/sdx", .serial = "A B"}, "'A B'"},
	    {{.name = "/dev/sdx"}, "/dev/sdx"},
	    {{.name = "a file", .is_file = true}, "'a file'"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char word[GUARD_WORD_BYTES];

		guard_destroy_word(&rows[i].device, word);
		cr_expect(strcmp(word, rows[i].word) == 0, "row %zu: %s", i, word);
	}
}

static int check(const char *const *paths, size_t count, const char *word, struct error *err)
{
	const char *const words[] = {word};

	return device_check_destroy(paths, count, &(struct device_use){true, words, 1}, err);
}

Test(destroy, a_word_for_none_is_refused)
{
	char folder[SCRATCH_PATH_BYTES];
	char path[SCRATCH_PATH_BYTES];
	char missing[SCRATCH_PATH_BYTES];
	char link_path[SCRATCH_PATH_BYTES];
	struct error err = {0};

	scratch_make(folder);
	scratch_path(path, folder, "file");
	scratch_path(missing, folder, "missing");
	scratch_path(link_path, folder, "link");
	scratch_sparse(path, 4096);
	cr_assert(symlink(path, link_path) == 0);
	const char *const paths[] = {path, missing};

	cr_expect(eq(int, check(paths, 2, path, &err), 0), "%s", err.text);
	cr_expect(eq(int, check(paths, 2, link_path, &err), 0), "%s", err.text);
	cr_expect(eq(int, check(paths, 2, missing, &err), 0), "%s", err.text);
	cr_expect(eq(int, check(paths, 1, missing, &err), -EINVAL));
	cr_expect(eq(int, (int)err.status, (int)EXIT_USAGE));
	cr_expect(strstr(err.text, "names none") && strstr(err.text, path), "%s", err.text);
	cr_expect(eq(int, check(paths, 2, "", &err), -EINVAL));
	cr_expect(eq(int, check(paths, 0, path, &err), -EINVAL));
	cr_expect(
	    eq(int, device_check_destroy(paths, 2, &(struct device_use){.writes = true}, &err), 0));
	scratch_remove(folder);
}

static void expect_word(const char *word, const char *text)
{
	static const struct device devices[] = {
	    {.name = "a1", .path = "a1", .serial = "S1", .node_device = 1, .disk_device = 9},
	    {.name = "a2", .path = "a2", .serial = "S1", .node_device = 2, .disk_device = 9},
	    {.name = "b", .path = "/dev", .serial = "S 2", .node_device = 3, .disk_device = 3},
	    {.name = "c", .path = "c", .serial = "S3", .node_device = 4, .disk_device = 4},
	    {.name = "d", .path = "d", .serial = "S3", .node_device = 5, .disk_device = 5},
	    {.name = "e", .path = "e", .node_device = 6, .disk_device = 6},
	};
	const char *const words[] = {"S1", word};
	struct error err = {0};
	int rc = guard_check_words(devices, sizeof(devices) / sizeof(devices[0]),
				   &(struct device_use){true, words, 2}, &err);

	cr_expect(eq(int, rc, text ? -EINVAL : 0), "%s: %s", word, err.text);
	cr_expect(strcmp(err.text, text ? text : "") == 0, "%s: %s", word, err.text);
	cr_expect(eq(int, (int)err.status, text ? (int)EXIT_USAGE : 0));
}

Test(destroy, words_for_drives)
{
	expect_word("S1", NULL); /* two partitions of one drive */
	expect_word("S 2", NULL);
	expect_word("e", NULL);
	expect_word("S3", "--destroy-data S3: is the serial of both c and d; name the one by its "
			  "path in /dev/disk/by-id/");
	expect_word("/dev", "--destroy-data /dev: such a path may lead to another drive after the "
			    "next start; name this one by --destroy-data 'S 2'");
	expect_word("c", "--destroy-data c: such a path may lead to another drive after the next "
			 "start; name this one by --destroy-data S3");
	expect_word("S4", "--destroy-data S4: names none of the devices to be tested; a1 would "
			  "be named by --destroy-data S1");
}
