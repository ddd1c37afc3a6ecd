#pragma once
#include <stddef.h>
#include <stdint.h>

/* Base64 with padding, RFC 4648 section 4. */

/* Heap string, the caller frees it; NULL when memory is short. */
char *base64_encode(const uint8_t *bytes, size_t count);

/* Takes exactly `length` characters; line breaks and blanks are not allowed.
 * *ret is on the heap (never NULL) and the caller's to free. -EINVAL or -ENOMEM. */
int base64_decode(const char *text, size_t length, uint8_t **ret, size_t *ret_count);
