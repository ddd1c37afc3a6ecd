#include "analysis/reports/environment.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/build_interval.h"
#include "tests/support/capture.h"

static struct run_info info;

static void setup(void)
{
	build_info(&info, 1, 1);
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(environment, .init = setup, .fini = teardown);

Test(environment, remarks_only_on_what_spoils_latency)
{
	static const struct {
		const char *key, *value;
		size_t subject;
		const char *remark;
	} rows[] = {
	    {"governor", "performance", FACTS_HOST, ""},
	    {"governor", "powersave, performance", FACTS_HOST,
	     "environment: CPU frequency governor powersave, performance, not performance\n"},
	    {"clock_source", "tsc", FACTS_HOST, ""},
	    {"clock_source", "kvm-clock", FACTS_HOST, ""},
	    {"clock_source", "hpet", FACTS_HOST,
	     "environment: clock source hpet is slow to read\n"},
	    {"scheduler", "none", FACTS_DEVICE(0), ""},
	    {"scheduler", "mq-deadline", FACTS_DEVICE(0), ""},
	    {"scheduler", "bfq", FACTS_DEVICE(0),
	     "environment: /dev/a: I/O scheduler bfq delays requests\n"},
	    {"write_cache", "write back", FACTS_DEVICE(0), ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct capture capture;

		facts_release(info.environment);
		facts_add(info.environment, rows[i].subject, rows[i].key, rows[i].value);
		capture_start(&capture);
		environment_print(&info, capture.stream);
		capture_end(&capture);
		cr_expect(eq(int, strcmp(capture.text, rows[i].remark), 0), "%s", capture.text);
		free(capture.text);
	}
}

Test(environment, json_lists_all_devices_and_those_with_telemetry)
{
	const struct telemetry_sample sample = {.temperature_k = 300};
	json_t *environment = environment_json(&info);
	json_t *telemetry = environment_telemetry_json(&info);

	cr_assert(environment && telemetry);
	cr_expect(eq(sz, json_array_size(json_object_get(environment, "devices")), 1));
	cr_expect(eq(sz, json_object_size(json_object_get(environment, "host")), 0));
	cr_expect(eq(sz, json_array_size(telemetry), 0));
	json_decref(telemetry);
	json_decref(environment);
	telemetry_add(info.telemetry, &sample);
	telemetry = environment_telemetry_json(&info);
	cr_expect(eq(sz, json_array_size(telemetry), 1));
	json_decref(telemetry);
}
