#include "analysis/base64.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

Test(base64, matches_rfc_4648)
{
	static const char *const cases[][2] = {
	    {"", ""},
	    {"f", "Zg=="},
	    {"fo", "Zm8="},
	    {"foo", "Zm9v"},
	    {"foob", "Zm9vYg=="},
	    {"fooba", "Zm9vYmE="},
	    {"foobar", "Zm9vYmFy"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t count = strlen(cases[i][0]);
		char *text = base64_encode((const uint8_t *)cases[i][0], count);
		uint8_t *bytes;
		size_t decoded;

		cr_expect(eq(int, strcmp(text, cases[i][1]), 0), "%s", text);
		cr_assert(eq(int, base64_decode(text, strlen(text), &bytes, &decoded), 0));
		cr_expect(eq(sz, decoded, count));
		cr_expect(eq(int, memcmp(bytes, cases[i][0], count), 0));
		free(bytes);
		free(text);
	}
}

Test(base64, refuses_what_is_none)
{
	static const char *const texts[] = {"Z", "Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9\n", "Zm 9"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		uint8_t *bytes;
		size_t count;

		cr_expect(
		    eq(int, base64_decode(texts[i], strlen(texts[i]), &bytes, &count), -EINVAL),
		    "%s", texts[i]);
	}
}
