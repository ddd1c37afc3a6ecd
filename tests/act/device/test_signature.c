/* Signatures, in files: hand-made where few bytes do it. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/base/random.h"
#include "act/device/signature.h"
#include "act/payload/label.h"
#include "act/payload/payload.h"
#include "tests/support/scratch.h"

#define SIZE_BYTES (8 << 20)

static char folder[SCRATCH_PATH_BYTES];
static char path[SCRATCH_PATH_BYTES];
static int fd;

static void make_file(void)
{
	scratch_make(folder);
	scratch_path(path, folder, "image");
	scratch_sparse(path, SIZE_BYTES);
	fd = open(path, O_RDWR | O_CLOEXEC);
	cr_assert(ge(int, fd, 0));
}

static void remove_file(void)
{
	close(fd);
	scratch_remove(folder);
}

TestSuite(signature, .init = make_file, .fini = remove_file);

static void put(off_t offset, const void *data, size_t length)
{
	cr_assert(eq(i64, pwrite(fd, data, length, offset), (int64_t)length));
}

/* The last page of a swap area's first 4 KiB, with a label. */
static void put_swap(off_t offset, const char *label)
{
	static const uint32_t version = 1, last_page = 100;

	put(offset + 1024, &version, sizeof(version));
	put(offset + 1028, &last_page, sizeof(last_page));
	put(offset + 1052, label, strlen(label));
	put(offset + 4086, "SWAPSPACE2", 10);
}

static void expect(uint64_t offset, uint64_t size, const char *text)
{
	char found[GUARD_TEXT_BYTES] = "";
	int count = signature_find(fd, offset, size, found);

	cr_expect(eq(int, count, text[0] ? 1 : 0), "%s", found);
	cr_expect(strcmp(found, text) == 0, "%s", found);
}

Test(signature, nothing_is_on_zeros)
{
	expect(0, SIZE_BYTES, "");
}

Test(signature, is_found_with_its_label)
{
	put_swap(0, "na\"me\n2");
	expect(0, SIZE_BYTES, "swap signature (label \"na?me?2\", at offset 4086)");
}

Test(signature, is_looked_for_in_the_part_alone)
{
	put_swap(1 << 20, "x");
	expect(0, SIZE_BYTES, "");
	expect(1 << 20, SIZE_BYTES / 2, "swap signature (label \"x\", at offset 4086)");
	expect(2 << 20, SIZE_BYTES / 2, "");
}

Test(signature, partition_table_of_dos)
{
	static const uint8_t entry[] = {0, 0, 0, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 16, 0, 0};

	put(446, entry, sizeof(entry));
	put(440, "\x78\x56\x34\x12", 4);
	put(510, "\x55\xaa", 2);
	expect(0, SIZE_BYTES, "dos partition table (uuid 12345678, at offset 510)");
}

/* A RAID superblock of version 1.0 is 8 KiB before the end. */
Test(signature, raid_at_the_end)
{
	static const uint32_t magic = 0xa92b4efc, major = 1;
	static const off_t at = SIZE_BYTES - 8192;
	static const uint64_t sector = (uint64_t)at / 512;
	char found[GUARD_TEXT_BYTES] = "";

	put(at, &magic, 4);
	put(at + 4, &major, 4);
	put(at + 32, "disks", 5);
	put(at + 144, &sector, 8);
	cr_expect(eq(int, signature_find(fd, 0, SIZE_BYTES, found), 1));
	cr_expect(strncmp(found, "linux_raid_member signature (label \"disks\"", 41) == 0, "%s",
		  found);
	cr_expect(strstr(found, "at offset 8380416)") != NULL, "%s", found);
}

/* What we write ourselves: the label, then sectors to the end. */
Test(signature, is_none_of_ours)
{
	const struct label label = {.generation = 1, .data_id = 7, .compress = {1, 1}};
	struct payload_pool *pool;
	struct random random;
	uint8_t *data = calloc(1, SIZE_BYTES);
	struct error err = {0};

	random_init(&random, 1, 0);
	cr_assert(eq(int, payload_pool_new((struct ratio){1, 1}, 1, &pool, &err), 0));
	payload_fill(pool, &random, data + LABEL_AREA_BYTES, SIZE_BYTES - LABEL_AREA_BYTES,
		     LABEL_AREA_BYTES, 1, 7);
	label_encode(&label, data);
	label_encode(&label, data + LABEL_BYTES);
	put(0, data, SIZE_BYTES);
	expect(0, SIZE_BYTES, "");
	payload_pool_free(pool);
	free(data);
}

Test(signature, what_cannot_be_read_is_an_error)
{
	char found[GUARD_TEXT_BYTES] = "";
	int write_only = open(path, O_WRONLY | O_CLOEXEC);

	cr_expect(lt(int, signature_find(write_only, 0, SIZE_BYTES, found), 0));
	close(write_only);
}
