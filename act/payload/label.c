#include "act/payload/label.h"

#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "act/payload/crc32c.h"

#define VERSION_AT 16
#define CRC_AT     20
#define NUMBERS_AT 24
/* All of the struct before the serial number is numbers. */
#define NUMBERS   (offsetof(struct label, serial) / sizeof(uint64_t))
#define SERIAL_AT (NUMBERS_AT + NUMBERS * sizeof(uint64_t))

_Static_assert(sizeof(LABEL_MAGIC) == VERSION_AT, "format on disk");
_Static_assert(offsetof(struct label, serial) == 19 * sizeof(uint64_t), "format on disk");
_Static_assert(sizeof(struct ratio) == 2 * sizeof(uint64_t), "format on disk");
_Static_assert(SERIAL_AT + LABEL_SERIAL_BYTES <= LABEL_BYTES, "format on disk");

static uint32_t checksum(const uint8_t *block)
{
	static const uint8_t zeros[4];
	uint32_t crc = crc32c(0, block, CRC_AT);

	crc = crc32c(crc, zeros, sizeof(zeros));
	return crc32c(crc, block + NUMBERS_AT, LABEL_BYTES - NUMBERS_AT);
}

static void put_u32(uint8_t *to, uint32_t value)
{
	value = htole32(value);
	memcpy(to, &value, sizeof(value));
}

static uint32_t get_u32(const uint8_t *from)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return le32toh(value);
}

void label_encode(const struct label *label, uint8_t block[LABEL_BYTES])
{
	uint64_t numbers[NUMBERS];

	memset(block, 0, LABEL_BYTES);
	memcpy(block, LABEL_MAGIC, VERSION_AT);
	put_u32(block + VERSION_AT, LABEL_VERSION);
	memcpy(numbers, label, sizeof(numbers));
	for (size_t i = 0; i < NUMBERS; i++)
		numbers[i] = htole64(numbers[i]);
	memcpy(block + NUMBERS_AT, numbers, sizeof(numbers));
	memcpy(block + SERIAL_AT, label->serial, strnlen(label->serial, LABEL_SERIAL_BYTES - 1));
	put_u32(block + CRC_AT, checksum(block));
}

int label_decode(const uint8_t block[LABEL_BYTES], struct label *ret)
{
	struct label label = {0};
	uint64_t numbers[NUMBERS];

	if (memcmp(block, LABEL_MAGIC, VERSION_AT) != 0 ||
	    get_u32(block + VERSION_AT) != LABEL_VERSION ||
	    get_u32(block + CRC_AT) != checksum(block))
		return -EINVAL;
	memcpy(numbers, block + NUMBERS_AT, sizeof(numbers));
	for (size_t i = 0; i < NUMBERS; i++)
		numbers[i] = le64toh(numbers[i]);
	memcpy(&label, numbers, sizeof(numbers));
	memcpy(label.serial, block + SERIAL_AT,
	       strnlen((const char *)block + SERIAL_AT, LABEL_SERIAL_BYTES - 1));
	if (label.stage >= LABEL_STAGES || label.compress.den == 0)
		return -EINVAL;
	*ret = label;
	return 0;
}

bool label_newest(const uint8_t area[LABEL_COPIES * LABEL_BYTES], struct label *ret)
{
	struct label copy, newest;
	bool found = false;

	for (size_t i = 0; i < LABEL_COPIES; i++) {
		if (label_decode(area + i * LABEL_BYTES, &copy) < 0 ||
		    (found && copy.generation <= newest.generation))
			continue;
		newest = copy;
		found = true;
	}
	if (found)
		*ret = newest;
	return found;
}

const char *label_stage_name(uint64_t stage)
{
	static const char *const names[LABEL_STAGES] = {"clean", "fill", "overwrite", "done"};

	return stage < LABEL_STAGES ? names[stage] : "unknown";
}
