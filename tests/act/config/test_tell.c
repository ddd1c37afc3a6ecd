#include <criterion/criterion.h>

#include "tests/act/config/import_text.h"

#define CUSTOM                                                                                     \
	"devices = [\"/dev/a\"]\nworkload = \"custom\"\n"                                          \
	"streams = (\n{ name = \"a\"; op = \"read\"; rate = \"1/s\"; sizes = "

static const struct {
	const char *sizes;
	const char *told;
} cases[] = {
    {"[\"4KiB\"]", ""},
    {"[\"4KiB:100\"]", ""},
    {"[\"4KiB:22.1\", \"8KiB:37.3\", \"16KiB:40.6\"]", ""},
    {"[\"4KiB:22.1\", \"8KiB:37.3\", \"16KiB:19.12\"]",
     "F:4: the weights in the sizes of a sum to 78.52, not to 100: they are normalised\n"},
    {"[\"4KiB:1\", \"8KiB:2\"]",
     "F:4: the weights in the sizes of a sum to 3, not to 100: they are normalised\n"},
    {"[\"4KiB:99.999999\", \"8KiB:0.000002\"]",
     "F:4: the weights in the sizes of a sum to 100.000001, not to 100: they are normalised\n"},
    {"[\"4KiB:50\"]",
     "F:4: the weights in the sizes of a sum to 50, not to 100: they are normalised\n"},
    {"[\"4KiB:1\", \"8KiB:2\"]; },\n{ name = \"b\"; op = \"read\"; rate = \"1/s\"; sizes = "
     "[\"4KiB:1\"]",
     "F:4: the weights in the sizes of a sum to 3, not to 100: they are normalised\n"
     "F:5: the weights in the sizes of b sum to 1, not to 100: they are normalised\n"},
};

Test(config_tell, weights_that_are_normalised_are_told)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[512];
		char error[ERROR_TEXT_BYTES];
		struct config config;
		struct told told;

		snprintf(text, sizeof(text), CUSTOM "%s; })\n", cases[i].sizes);
		cr_assert_eq(load_text(&config, text, &told, error), 0, "%s", error);
		cr_expect_str_eq(told.text, cases[i].told);
	}
}

Test(config_tell, there_is_nothing_to_tell_of_the_defaults)
{
	char error[ERROR_TEXT_BYTES];
	struct config config;
	struct told told;

	cr_assert_eq(load_text(&config, "devices = [\"/dev/a\"]\n", &told, error), 0);
	cr_expect_str_eq(told.text, "");
}
