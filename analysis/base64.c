#include "analysis/base64.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const uint8_t *bytes, size_t count)
{
	char *text = malloc((count + 2) / 3 * 4 + 1);
	char *at = text;

	if (!text)
		return NULL;
	for (size_t i = 0; i < count; i += 3) {
		size_t left = count - i;
		uint32_t group = (uint32_t)bytes[i] << 16;

		if (left > 1)
			group |= (uint32_t)bytes[i + 1] << 8;
		if (left > 2)
			group |= bytes[i + 2];
		*at++ = digits[group >> 18];
		*at++ = digits[group >> 12 & 63];
		*at++ = left > 1 ? digits[group >> 6 & 63] : '=';
		*at++ = left > 2 ? digits[group & 63] : '=';
	}
	*at = '\0';
	return text;
}

#define NO_DIGIT 64

static void fill_values(uint8_t values[static 256])
{
	memset(values, NO_DIGIT, 256);
	for (uint8_t i = 0; i < 64; i++)
		values[(unsigned char)digits[i]] = i;
}

int base64_decode(const char *text, size_t length, uint8_t **ret, size_t *ret_count)
{
	uint8_t values[256];
	size_t padding = 0;

	if (length % 4)
		return -EINVAL;
	while (padding < 2 && padding < length && text[length - 1 - padding] == '=')
		padding++;

	uint8_t *bytes = malloc(length / 4 * 3 + 1);
	if (!bytes)
		return -ENOMEM;
	fill_values(values);

	uint8_t *at = bytes;
	uint32_t group = 0;

	for (size_t i = 0; i < length; i++) {
		uint8_t value = i < length - padding ? values[(unsigned char)text[i]] : 0;

		if (value == NO_DIGIT) {
			free(bytes);
			return -EINVAL;
		}
		group = group << 6 | value;
		if (i % 4 == 3) {
			*at++ = (uint8_t)(group >> 16);
			*at++ = (uint8_t)(group >> 8);
			*at++ = (uint8_t)group;
		}
	}
	*ret = bytes;
	*ret_count = length / 4 * 3 - padding;
	return 0;
}
