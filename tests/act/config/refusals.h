#pragma once
#include <criterion/criterion.h>
#include <string.h>

#include "tests/act/config/memory_file.h"

/* A config's text, and the one line by which it is refused; NULL: it is accepted. */
struct refusal {
	const char *text;
	const char *error;
};

static inline void expect_refusals(const struct refusal *refusals, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = refusals[i].text;
		const char *expected = refusals[i].error ? refusals[i].error : "";
		struct config config;
		char error[ERROR_TEXT_BYTES];

		config_defaults(&config);
		parse_text(&config, text, error);
		cr_expect_str_eq(error, expected, "%s\n  %s", text, error);
		cr_expect_null(strchr(error, '\n'));
	}
}
