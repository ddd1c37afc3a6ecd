#include "act/cmd/devices.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "act/cmd/cmd.h"
#include "tests/support/capture.h"

#define COUNT 5

static struct listed items[COUNT];
static const struct device_list list = {.items = items, .count = COUNT};
static const struct device_list none = {0};
static struct capture capture;

static void set_name(struct listed *item, const char *name)
{
	snprintf(item->device.name, sizeof(item->device.name), "%s", name);
}

/* A prepared NVMe drive, one being filled, a partition in use, a loop device whose
 * file has grown, and one that nobody may look into. */
static void setup(void)
{
	setenv("TZ", "UTC", 1);
	for (size_t i = 0; i < COUNT; i++) {
		items[i] = (struct listed){.numa_node = -1, .device.size_bytes = 64000000};
		items[i].device.logical_block_bytes = 512;
		items[i].device.physical_block_bytes = 4096;
		items[i].label_known = i < 4;
		items[i].device.labelled = i < 2 || i == 3;
		items[i].device.label = (struct label){
		    .data_id = 0xabc + i,
		    .device_bytes = i == 3 ? 32000000 : 64000000,
		    .begun_s = 1796063000,
		    .finished_s = i == 1 ? 0 : 1796063880, /* 2026-11-30 18:38:00 */
		    .stage = i == 1 ? LABEL_FILL : LABEL_DONE,
		    .passes = 1,
		    .position_bytes = i == 1 ? 27600000 : 0,
		};
	}
	set_name(&items[0], "/dev/nvme0n1");
	strcpy(items[0].device.model, "Model \"A\" 1.92T");
	strcpy(items[0].device.serial, "S1");
	strcpy(items[0].device.firmware, "F1");
	strcpy(items[0].scheduler, "none");
	items[0].numa_node = 1;
	items[0].smart_known = true;
	items[0].smart.used_pct = 3;
	items[0].smart.temperature_k = 311;
	set_name(&items[1], "/dev/nvme1n1");
	strcpy(items[1].device.serial, "S2");
	strcpy(items[1].device.label.serial, "S9");
	items[1].smart_known = true; /* but not its temperature */
	set_name(&items[2], "/dev/nvme1n1p1");
	strcpy(items[2].drive, "/dev/nvme1n1");
	items[2].state = LISTED_REFUSED;
	strcpy(items[2].reason, "it is mounted at /srv");
	set_name(&items[3], "/dev/loop0");
	strcpy(items[3].backing, "/srv/image");
	set_name(&items[4], "/dev/sda");
	items[4].state = LISTED_UNKNOWN;
	strcpy(items[4].reason, "run as root");
}

static void teardown(void)
{
	free(capture.text);
	capture.text = NULL;
}

TestSuite(devices, .init = setup, .fini = teardown);

Test(devices, the_tables)
{
	static const char want[] =
	    "DEVICE              SIZE  PREPARATION                      STATE\n"
	    "/dev/nvme0n1    64.00 MB  complete, made 2026-11-30 18:38  free\n"
	    "/dev/nvme1n1    64.00 MB  fill 43 %, label of drive S9     free\n"
	    "/dev/nvme1n1p1  64.00 MB  none                             refused: it is mounted "
	    "at /srv\n"
	    "/dev/loop0      64.00 MB  made for another size, 32.00 MB  free\n"
	    "/dev/sda        64.00 MB  unknown                          unknown: run as root\n"
	    "\n"
	    "DEVICE        MODEL            SERIAL  FIRMWARE  BLOCK     SCHED  NUMA  USED  TEMP\n"
	    "/dev/nvme0n1  Model \"A\" 1.92T  S1      F1        512/4096  none      1   3 %  38 C\n"
	    "/dev/nvme1n1  -                S2      -         512/4096  -         -   0 %     -\n"
	    "/dev/loop0    (/srv/image)     -       -         512/4096  -         -     -     -\n"
	    "/dev/sda      -                -       -         512/4096  -         -     -     -\n";

	cr_assert_eq(devices_print_table(&list, capture_start(&capture)), 0);
	capture_end(&capture);
	cr_expect_str_eq(capture.text, want, "%s", capture.text);
}

Test(devices, overwriting_and_its_speed)
{
	static const struct {
		uint64_t stage, overwrite, steady;
		const char *want;
	} rows[] = {
	    {LABEL_OVERWRITE, 1, 0, "  complete, overwriting is not finished  "},
	    {LABEL_DONE, 1, 1, "  complete, made 2026-11-30 18:38, steady  "},
	    {LABEL_DONE, 1, 0, "  complete, made 2026-11-30 18:38, not steady  "},
	    {LABEL_DONE, 0, 0, "  complete, made 2026-11-30 18:38  "},
	};
	const struct device_list one = {.items = items, .count = 1};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		items[0].device.label.stage = rows[i].stage;
		items[0].device.label.overwrite = rows[i].overwrite;
		items[0].device.label.steady = rows[i].steady;
		cr_assert_eq(devices_print_table(&one, capture_start(&capture)), 0);
		capture_end(&capture);
		cr_expect(strstr(capture.text, rows[i].want), "%s", capture.text);
		teardown();
	}
}

static json_t *print_json(const struct device_list *of)
{
	json_t *root;

	cr_assert_eq(devices_print_json(of, capture_start(&capture)), 0);
	capture_end(&capture);
	root = json_loads(capture.text, 0, NULL);
	cr_assert(root, "%s", capture.text);
	return root;
}

static void expect_json(const json_t *device, const char *format, const char *key)
{
	json_t *want = json_loads(format, JSON_DECODE_ANY, NULL);
	json_t *value = json_object_get(device, key);

	cr_assert(want, "%s", format);
	cr_expect(value && json_equal(value, want), "%s: %s", key, capture.text);
	json_decref(want);
}

Test(devices, as_json)
{
	json_t *root = print_json(&list);
	json_t *devices = json_object_get(root, "devices");
	const json_t *first = json_array_get(devices, 0);

	cr_assert_eq(json_array_size(devices), COUNT);
	expect_json(first, "\"/dev/nvme0n1\"", "device");
	expect_json(first, "null", "drive");
	expect_json(first, "\"Model \\\"A\\\" 1.92T\"", "model");
	expect_json(first, "64000000", "size_bytes");
	expect_json(first, "512", "logical_block_bytes");
	expect_json(first, "4096", "physical_block_bytes");
	expect_json(first, "1", "numa_node");
	expect_json(first, "3", "used_pct");
	expect_json(first, "38", "temperature_c");
	expect_json(first, "\"free\"", "state");
	expect_json(first, "null", "reason");
	expect_json(first,
		    "{\"state\": \"complete\", \"data_id\": \"0000000000000abc\","
		    " \"stage\": \"done\", \"stage_pct\": 100, \"begun_s\": 1796063000,"
		    " \"finished_s\": 1796063880, \"device_bytes\": 64000000,"
		    " \"serial\": null, \"steady\": null}",
		    "preparation");
	expect_json(json_array_get(devices, 1),
		    "{\"state\": \"incomplete\", \"data_id\": \"0000000000000abd\","
		    " \"stage\": \"fill\", \"stage_pct\": 43, \"begun_s\": 1796063000,"
		    " \"finished_s\": null, \"device_bytes\": 64000000,"
		    " \"serial\": \"S9\", \"steady\": null}",
		    "preparation");
	expect_json(json_array_get(devices, 1), "null", "temperature_c");
	expect_json(json_array_get(devices, 2), "\"/dev/nvme1n1\"", "drive");
	expect_json(json_array_get(devices, 2), "\"it is mounted at /srv\"", "reason");
	expect_json(json_array_get(devices, 3), "\"/srv/image\"", "backing");
	expect_json(json_array_get(devices, 4),
		    "{\"state\": null, \"data_id\": null, \"stage\": null, \"stage_pct\": null,"
		    " \"begun_s\": null, \"finished_s\": null, \"device_bytes\": null,"
		    " \"serial\": null, \"steady\": null}",
		    "preparation");
	json_decref(root);
}

Test(devices, every_object_has_the_same_keys)
{
	json_t *root = print_json(&list);
	json_t *devices = json_object_get(root, "devices");
	json_t *first = json_array_get(devices, 0);
	const char *key;
	json_t *value;

	for (size_t i = 1; i < COUNT; i++) {
		cr_expect_eq(json_object_size(json_array_get(devices, i)), json_object_size(first));
		json_object_foreach(first, key, value)
		{
			cr_expect(json_object_get(json_array_get(devices, i), key), "%s", key);
		}
	}
	json_decref(root);
}

Test(devices, none_at_all)
{
	json_t *root = print_json(&none);

	cr_expect_eq(json_array_size(json_object_get(root, "devices")), 0);
	json_decref(root);
	teardown();
	cr_assert_eq(devices_print_table(&none, capture_start(&capture)), 0);
	capture_end(&capture);
}

static void expect_suggestion(const struct device_list *of, const char *const *argv, int argc,
			      const char *want)
{
	cmd_suggest(of, argc, argv, capture_start(&capture));
	capture_end(&capture);
	cr_expect_str_eq(capture.text, want);
	teardown();
}

Test(devices, the_only_device_is_suggested_and_no_other)
{
	static const char *const argv[] = {"run", "my job.cfg", "--out", "it's",
					   "",    "--load",     "3x"};
	static const char *const bare[] = {"run"};
	static const char nothing[] =
	    "No device is free and prepared: `actcert devices` shows what "
	    "is here, `actcert prep` prepares.\n";
	const struct device_list known = {.items = items, .count = 4};
	char text[512];

	expect_suggestion(&known, argv, 7,
			  "One device is free and prepared; to test it, which overwrites it:\n"
			  "  actcert run 'my job.cfg' --out 'it'\\''s' '' --load 3x "
			  "--device /dev/nvme0n1\n");
	items[1].device.label.stage = LABEL_DONE;
	expect_suggestion(&known, bare, 1,
			  "2 devices are free and prepared: /dev/nvme0n1, /dev/nvme1n1; `actcert "
			  "devices` tells more.\n");
	items[0].state = items[1].state = LISTED_REFUSED;
	expect_suggestion(&known, bare, 1, nothing);
	expect_suggestion(&none, bare, 1, nothing);
	snprintf(text, sizeof(text),
		 "%s1 of the 5 devices here could not be looked at; /dev/sda: run as root\n",
		 nothing);
	expect_suggestion(&list, bare, 1, text);
}
