#include "act/payload/crc32c.h"

#include <string.h>

#ifdef __x86_64__
#include <nmmintrin.h>
#endif

/* What the polynomial 0x1EDC6F41 (bit-reversed) leaves of a byte: the sum of
 * what it leaves of each of its bits. */
#define ENTRY(n)                                                                                   \
	(((n)&1 ? 0xf26b8303u : 0) ^ ((n)&2 ? 0xe13b70f7u : 0) ^ ((n)&4 ? 0xc79a971fu : 0) ^       \
	 ((n)&8 ? 0x8ad958cfu : 0) ^ ((n)&16 ? 0x105ec76fu : 0) ^ ((n)&32 ? 0x20bd8edeu : 0) ^     \
	 ((n)&64 ? 0x417b1dbcu : 0) ^ ((n)&128 ? 0x82f63b78u : 0))
#define ENTRIES4(n)  ENTRY(n), ENTRY((n) + 1), ENTRY((n) + 2), ENTRY((n) + 3)
#define ENTRIES16(n) ENTRIES4(n), ENTRIES4((n) + 4), ENTRIES4((n) + 8), ENTRIES4((n) + 12)
#define ENTRIES64(n) ENTRIES16(n), ENTRIES16((n) + 16), ENTRIES16((n) + 32), ENTRIES16((n) + 48)

static const uint32_t byte_table[256] = {ENTRIES64(0), ENTRIES64(64), ENTRIES64(128),
					 ENTRIES64(192)};

static inline uint32_t step(uint32_t state, uint8_t byte)
{
	return state >> 8 ^ byte_table[(state ^ byte) & 0xff];
}

uint32_t crc32c_by_table(uint32_t crc, const void *data, size_t length)
{
	const uint8_t *bytes = data;
	uint32_t state = ~crc;

	for (size_t i = 0; i < length; i++)
		state = step(state, bytes[i]);
	return ~state;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) static uint32_t crc32c_by_sse42(uint32_t crc, const void *data,
								  size_t length)
{
	const uint8_t *bytes = data;
	uint64_t state = ~crc;

	for (; length >= 8; length -= 8, bytes += 8) {
		uint64_t word;

		memcpy(&word, bytes, sizeof(word));
		state = _mm_crc32_u64(state, word);
	}
	for (; length; length--, bytes++)
		state = _mm_crc32_u8((uint32_t)state, *bytes);
	return ~(uint32_t)state;
}

static inline uint64_t load_word(const uint8_t *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* The instruction takes three cycles, and one can begin in each. */
__attribute__((target("sse4.2"))) static void
crc32c_three_by_sse42(uint32_t crc[3], const uint8_t *const data[3], size_t length)
{
	uint64_t first = ~crc[0], second = ~crc[1], third = ~crc[2];

	for (size_t at = 0; at < length; at += 8) {
		first = _mm_crc32_u64(first, load_word(data[0] + at));
		second = _mm_crc32_u64(second, load_word(data[1] + at));
		third = _mm_crc32_u64(third, load_word(data[2] + at));
	}
	crc[0] = ~(uint32_t)first;
	crc[1] = ~(uint32_t)second;
	crc[2] = ~(uint32_t)third;
}
#endif

uint32_t crc32c(uint32_t crc, const void *data, size_t length)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("sse4.2"))
		return crc32c_by_sse42(crc, data, length);
#endif
	return crc32c_by_table(crc, data, length);
}

void crc32c_three_by_table(uint32_t crc[3], const uint8_t *const data[3], size_t length)
{
	for (int i = 0; i < 3; i++)
		crc[i] = crc32c_by_table(crc[i], data[i], length);
}

void crc32c_three(uint32_t crc[3], const uint8_t *const data[3], size_t length)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("sse4.2")) {
		crc32c_three_by_sse42(crc, data, length);
		return;
	}
#endif
	crc32c_three_by_table(crc, data, length);
}

void crc32c_join_init(struct crc32c_join *join, size_t length)
{
	for (unsigned row = 0; row < 4; row++) {
		uint32_t *table = join->table[row];

		table[0] = 0;
		for (unsigned n = 1; n < 256; n++) {
			unsigned lowest = n & -n;
			uint32_t state = (uint32_t)lowest << 8 * row;

			if (n != lowest) {
				table[n] = table[n ^ lowest] ^ table[lowest];
				continue;
			}
			for (size_t i = 0; i < length; i++)
				state = step(state, 0);
			table[n] = state;
		}
	}
}
