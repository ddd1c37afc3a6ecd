#include "act/config/config.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct set_case {
	const char *key;
	const char *value;
	const char *error; /* NULL: accepted */
};

static const struct set_case set_cases[] = {
    {"load", "30x", NULL},
    {"load", "0.5 x", NULL},
    {"load", "30", "--set: load = 30: 30 has no unit; allowed: 0x to 10000x"},
    {"batch", "64", NULL},
    {"batch", "5000000000", "--set: batch = 5000000000: too large; allowed: 1 to 256"},
    {"batch", "99999999999999999999999",
     "--set: batch = 99999999999999999999999: too large; allowed: 1 to 256"},
    {"batch", "", "--set: batch =: not a whole number; allowed: 1 to 256"},
    {"batch", " 8", "--set: batch =  8: not a whole number; allowed: 1 to 256"},
    {"batch", "+8", "--set: batch = +8: not a whole number; allowed: 1 to 256"},
    {"seed", "18446744073709551615", NULL},
    {"stress", "true", NULL},
    {"stress", "false", NULL},
    {"stress", "yes", "--set: stress = yes: not a switch; allowed: true or false"},
    {"engine", "null", NULL},
    {"engine", "nul", "--set: engine = nul: no such choice; allowed: one of uring, null, nop"},
    {"engine", "uring null",
     "--set: engine = uring null: no such choice; allowed: one of uring, null, nop"},
    {"cpus", "0,2-5", NULL},
    {"devices", "/dev/a,/dev/b", NULL},
    {"devices", "/dev/a, /dev/b,", NULL},
    {"devices", "", NULL},
    {"devices", "/dev/a,/dev/a",
     "--set: devices = /dev/a: named twice; allowed: a list of at most 64 paths, all different"},
    {"devices", "/dev/a,,/dev/b",
     "--set: devices =: empty path; allowed: a list of at most 64 paths, all different"},
    {"thresholds", "1ms:5%, 8ms:1%", NULL},
    {"judge", "reads,large-block-reads", NULL},
    {"judge", "", NULL},
    {"judge", "reads large-block-reads",
     "--set: judge = reads large-block-reads: not a name; allowed: a list of at most 8 names of "
     "streams"},
    {"out", "dir", "--set: out = dir: unknown key; allowed: the keys listed by actcert run --help"},
    {"stres", "true",
     "--set: stres = true: unknown key, the nearest is stress; allowed: the keys listed by actcert "
     "run --help"},
    {"a\nb", "c\x1b",
     "--set: a?b = c?: unknown key; allowed: the keys listed by actcert run --help"},
};

Test(config, set_accepts_and_refuses)
{
	for (size_t i = 0; i < sizeof(set_cases) / sizeof(set_cases[0]); i++) {
		const struct set_case *c = &set_cases[i];
		struct config config;
		struct error err = {.text = ""};
		config_defaults(&config);
		int rc = config_set(&config, "--set", c->key, c->value, &err);
		cr_expect((rc == 0) == !c->error, "%s=%s", c->key, c->value);
		cr_expect_str_eq(err.text, c->error ? c->error : "", "%s", err.text);
	}
}

Test(config, defaults_need_only_a_target)
{
	struct config config;
	struct error err;

	config_defaults(&config);
	cr_expect_eq(config_check(&config, &err), -EINVAL);
	cr_expect_eq(config_add_device(&config, "--device", "/dev/a", &err), 0);
	cr_expect_eq(config_check(&config, &err), 0);
	cr_expect_eq(config.duration_ns, UINT64_C(86400000000000));
	cr_expect_eq(config.criterion_count, 3);
	cr_expect_eq(config.judged_count, 0);
	cr_expect(config.fill_files && config.defrag_reads && config.odsync);
}

Test(config, load_sets_both_and_the_last_one_wins)
{
	struct config config;

	config_defaults(&config);
	cr_assert_eq(config_set(&config, "a", "read-load", "5x", NULL), 0);
	cr_assert_eq(config_set(&config, "b", "load", "2x", NULL), 0);
	cr_assert_eq(config_set(&config, "c", "write-load", "3x", NULL), 0);
	cr_expect_eq(config.read_load.num, 2);
	cr_expect_eq(config.write_load.num, 3);
}

Test(config, targets_are_devices_first_and_all_different)
{
	struct config config;
	struct error err;

	config_defaults(&config);
	cr_assert_eq(config_add_file(&config, "--file", "f:1GiB", &err), 0);
	cr_assert_eq(config_add_device(&config, "--device", "d", &err), 0);
	cr_assert_eq(config_add_device(&config, "--device", "e", &err), 0);
	cr_expect_str_eq(config.targets[0].path, "d");
	cr_expect_str_eq(config.targets[1].path, "e");
	cr_expect_str_eq(config.targets[2].path, "f");
	cr_expect_eq(config_add_device(&config, "--device", "f", &err), -EEXIST);
	cr_expect_str_eq(err.text, "--device: devices = f: named twice; allowed: a list of at most "
				   "64 paths, all different");
	cr_expect_eq(config.target_count, 3);
	cr_assert_eq(config_set(&config, "--set", "devices", "g", &err), 0);
	cr_expect_eq(config.target_count, 2);
	cr_expect_str_eq(config.targets[0].path, "g");
	cr_expect_str_eq(config.targets[1].path, "f");
}

Test(config, there_is_room_for_64_targets)
{
	struct config config;
	struct error err;
	char path[16];

	config_defaults(&config);
	for (int i = 0; i < CONFIG_DEVICES_MAX; i++) {
		snprintf(path, sizeof(path), "/dev/%d", i);
		cr_assert_eq(config_add_device(&config, "test", path, &err), 0);
	}
	cr_expect_eq(config_add_device(&config, "test", "/dev/x", &err), -ERANGE);
	cr_expect_eq(config_add_file(&config, "test", "x:1GiB", &err), -ERANGE);
	cr_expect_eq(config.target_count, CONFIG_DEVICES_MAX);
}

Test(config, errors_found_later_name_the_origin)
{
	struct config config;
	struct error err;

	config_defaults(&config);
	cr_expect_eq(config_refuse(&config, "load", "bad", "good", &err), -EINVAL);
	cr_expect_str_eq(err.text, "default: load = 1x: bad; allowed: good");
	cr_assert_eq(config_set(&config, "--load", "load", "2x", &err), 0);
	cr_expect_eq(config_refuse(&config, "write-load", "bad", "good", &err), -EINVAL);
	cr_expect_str_eq(err.text, "--load: write-load = 2x: bad; allowed: good");
	cr_expect_eq(config_refuse(&config, "thresholds", "bad", "good", &err), -EINVAL);
	cr_expect_str_eq(err.text,
			 "default: thresholds = 1ms:5%,8ms:1%,64ms:0.1%: bad; allowed: good");
	cr_expect_eq(err.status, EXIT_USAGE);
}
