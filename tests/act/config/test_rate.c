#include "act/config/rate.h"

#include <criterion/criterion.h>
#include <errno.h>

struct rate_case {
	const char *text;
	enum config_rate_unit unit;
	uint64_t num;
	uint64_t den;
	const char *printed; /* NULL: as `text` */
};

static const struct rate_case rates[] = {
    {"5000/s", CONFIG_RATE_PER_SEC, 5000, 1, NULL},
    {"0/s", CONFIG_RATE_PER_SEC, 0, 1, NULL},
    {"0.5/s", CONFIG_RATE_PER_SEC, 1, 2, NULL},
    {"100000000/s", CONFIG_RATE_PER_SEC, 100000000, 1, NULL},
    {"30x", CONFIG_RATE_LOAD, 30, 1, NULL},
    {"0.5 x", CONFIG_RATE_LOAD, 1, 2, "0.5x"},
    {"2/3x", CONFIG_RATE_LOAD, 2, 3, NULL},
    {"10000x", CONFIG_RATE_LOAD, 10000, 1, NULL},
    {"83.14%", CONFIG_RATE_SHARE, 4157, 5000, NULL},
    {"0%", CONFIG_RATE_SHARE, 0, 1, NULL},
    {"100%", CONFIG_RATE_SHARE, 1, 1, NULL},
    {"850MB/s", CONFIG_RATE_BYTES, 850000000, 1, NULL},
    {"1.5MiB/s", CONFIG_RATE_BYTES, 1572864, 1, "1536KiB/s"},
    {"0B/s", CONFIG_RATE_BYTES, 0, 1, NULL},
    {"1TB/s", CONFIG_RATE_BYTES, UINT64_C(1000000000000), 1, NULL},
};

Test(config_rate, texts_come_back)
{
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		const struct rate_case *c = &rates[i];
		struct config_rate rate = {.value = {0, 1}};
		char text[UNITS_TEXT_BYTES];

		cr_assert_eq(rate_parse(c->text, RATE_UNITS_ALL, &rate), 0, "%s", c->text);
		cr_expect_eq(rate.unit, c->unit, "%s", c->text);
		cr_expect_eq(ratio_compare(rate.value, ratio_make(c->num, c->den)), 0, "%s",
			     c->text);
		cr_expect_str_eq(config_format_rate(text, rate), c->printed ? c->printed : c->text);
	}
	char text[UNITS_TEXT_BYTES];
	cr_expect_str_eq(config_format_rate(text, (struct config_rate){.value = {0, 1}}), "");
}

static const struct {
	const char *text;
	const char *units;
	int rc;
} bad[] = {
    {"", RATE_UNITS_ALL, -EINVAL},
    {"s", RATE_UNITS_ALL, -EINVAL},
    {"/s", RATE_UNITS_ALL, -EINVAL},
    {"B/s", RATE_UNITS_ALL, -EINVAL},
    {"x", RATE_UNITS_ALL, -EINVAL},
    {"%", RATE_UNITS_ALL, -EINVAL},
    {"5", RATE_UNITS_ALL, -EINVAL},
    {"5s", RATE_UNITS_ALL, -EINVAL},
    {"5 per s", RATE_UNITS_ALL, -EINVAL},
    {"5/m", RATE_UNITS_ALL, -EINVAL},
    {"5//s", RATE_UNITS_ALL, -EINVAL},
    {"-5/s", RATE_UNITS_ALL, -EINVAL},
    {"5MB", RATE_UNITS_ALL, -EINVAL},
    {"5Mb/s", RATE_UNITS_ALL, -EINVAL},
    {"0.0000005MB/s", RATE_UNITS_ALL, -EINVAL},
    {"111111111111111111111111111111111111111111111111111MB/s", RATE_UNITS_ALL, -EINVAL},
    {"100000001/s", RATE_UNITS_ALL, -ERANGE},
    {"10000.5x", RATE_UNITS_ALL, -ERANGE},
    {"100.01%", RATE_UNITS_ALL, -ERANGE},
    {"1000001MB/s", RATE_UNITS_ALL, -ERANGE},
    {"99999999999999999999/s", RATE_UNITS_ALL, -ERANGE},
    {"30x", "s", -EINVAL},
    {"5%", "s", -EINVAL},
    {"5MB/s", "s", -EINVAL},
    {"5/s", "x", -EINVAL},
};

Test(config_rate, others_are_refused_and_change_nothing)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct config_rate rate = {CONFIG_RATE_LOAD, {7, 1}};

		cr_expect_eq(rate_parse(bad[i].text, bad[i].units, &rate), bad[i].rc, "%s",
			     bad[i].text);
		cr_expect(rate.unit == CONFIG_RATE_LOAD && rate.value.num == 7);
	}
}
