#include "act/config/options.h"

#include <criterion/criterion.h>
#include <string.h>

Test(config_options, keys_are_unique_and_found)
{
	for (size_t i = 0; i < option_count; i++)
		cr_expect_eq(option_find(options[i].key), &options[i], "%s", options[i].key);
	cr_expect_null(option_find("Load"));
	cr_expect_null(option_find(""));
}

Test(config_options, help_is_one_line_of_the_right_width)
{
	for (size_t i = 0; i < option_count; i++) {
		const char *help = options[i].help;
		cr_expect(strlen(help) > 10 && strlen(help) <= 94, "%s", options[i].key);
		cr_expect_null(strchr(help, '\n'));
		cr_expect_neq(help[strlen(help) - 1], '.', "%s", options[i].key);
	}
}

static const struct option *nearest(const char *typed)
{
	const struct option_table table = {options, option_count};

	return option_nearest(table, typed);
}

Test(config_options, nearest_key_is_suggested)
{
	static const char *const typed[][2] = {
	    {"laod", "load"},
	    {"duraton", "duration"},
	    {"treshold", "thresholds"},
	    {"record-bytes", "record-size"},
	    {"device-names", "devices"},
	    {"DURATION", "duration"},
	    {"worker-per-devices", "workers-per-device"},
	};

	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++)
		cr_expect_str_eq(nearest(typed[i][0])->key, typed[i][1], "%s: %s", typed[i][0],
				 nearest(typed[i][0])->key);
}

Test(config_options, any_length_of_key_is_compared)
{
	char key[5000];

	memset(key, 'x', sizeof(key));
	key[sizeof(key) - 1] = '\0';
	cr_expect_null(nearest(""));
	cr_expect_null(nearest("out"));
	nearest(key);
}
