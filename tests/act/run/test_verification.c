#include "act/run/verification.h"

#include <criterion/criterion.h>
#include <string.h>

#define GIB (UINT64_C(1) << 30)

static const struct {
	const char *name;
	const char *engine, *verify;
	bool labelled;
	struct label label;
	const char *reason; /* empty: verified */
} cases[] = {
    {"done", "uring", "auto", true, {.device_bytes = GIB, .stage = LABEL_DONE}, ""},
    {"overwriting", "uring", "on", true, {.device_bytes = GIB, .stage = LABEL_OVERWRITE}, ""},
    {"off", "uring", "off", true, {.device_bytes = GIB, .stage = LABEL_DONE}, "verify = off"},
    {"not ours", "uring", "auto", false, {.stage = 0}, "it carries no preparation of actcert"},
    {"in the middle",
     "uring",
     "auto",
     true,
     {.device_bytes = GIB, .stage = LABEL_FILL, .position_bytes = GIB / 100 * 43 + 100},
     "its preparation is not complete: fill at 43 %"},
    {"at the beginning",
     "uring",
     "auto",
     true,
     {.device_bytes = GIB, .stage = LABEL_CLEAN},
     "its preparation is not complete: clean at 0 %"},
    {"of another size",
     "uring",
     "auto",
     true,
     {.device_bytes = 2 * GIB, .stage = LABEL_DONE},
     "its preparation was made for 2147483648 bytes, not 1073741824"},
    {"null",
     "null",
     "on",
     true,
     {.device_bytes = GIB, .stage = LABEL_DONE},
     "engine null reads nothing"},
    {"nop", "nop", "auto", false, {.stage = 0}, "engine nop reads nothing"},
};

static void configure(struct config *config, const char *engine, const char *verify)
{
	config_defaults(config);
	cr_assert_eq(config_set(config, "test", "engine", engine, NULL), 0);
	cr_assert_eq(config_set(config, "--verify", "verify", verify, NULL), 0);
}

Test(verification, is_where_all_is_known_to_be_ours)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct device device = {
		    .name = "/dev/a",
		    .size_bytes = GIB,
		    .labelled = cases[i].labelled,
		    .label = cases[i].label,
		};
		struct config config;
		char text[VERIFICATION_BYTES];

		configure(&config, cases[i].engine, cases[i].verify);
		verification_explain(&config, &device, text);
		cr_expect_str_eq(text, cases[i].reason, "%s", cases[i].name);
	}
}

Test(verification, is_refused_where_it_must_be_and_cannot)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct device device = {
		    .name = "/dev/a",
		    .size_bytes = GIB,
		    .labelled = cases[i].labelled,
		    .label = cases[i].label,
		};
		bool refused = cases[i].reason[0] && strcmp(cases[i].engine, "uring") == 0 &&
			       strcmp(cases[i].verify, "off") != 0;
		struct config config;
		struct error err = {0};

		configure(&config, cases[i].engine, cases[i].verify);
		if (refused)
			cr_expect_eq(verification_check(&config, &device, &err), 0,
				     "only asked for");
		configure(&config, cases[i].engine, refused ? "on" : cases[i].verify);
		cr_expect_eq(verification_check(&config, &device, &err) != 0, refused, "%s",
			     cases[i].name);
		if (!refused)
			continue;
		cr_expect_not_null(strstr(err.text, "/dev/a"), "%s", err.text);
		cr_expect_not_null(strstr(err.text, cases[i].reason), "%s", err.text);
		cr_expect_not_null(strstr(err.text, "--verify"), "%s", err.text);
	}
}
