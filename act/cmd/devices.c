#include "act/cmd/devices.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "act/cmd/cmd.h"

static const char usage[] =
    "usage: actcert devices [DEVICE]... [--format table|json]\n"
    "\n"
    "Lists the drives and partitions of this host, or those named: what they are, whether\n"
    "`actcert run` and `actcert prep` may write them, and which preparation they carry.\n"
    "Writes nothing. Run it as root: others may not look into devices.\n"
    "\n"
    "  --format FORMAT  table (default) or json\n"
    "  -h, --help       this text\n"
    "\n"
    "STATE is `free`, `refused` and why, or `unknown` and why nobody could look.\n"
    "PREPARATION is `complete` when all of the device was written by actcert, and says\n"
    "when; `fill 43 %` and the like when that was not finished; or `none`.\n"
    "USED (of the rated life) and TEMP are what NVMe drives tell. BLOCK is the logical\n"
    "and the physical block in bytes.\n"
    "Left out, unless named, are RAM disks and devices without a medium.\n"
    "\n"
    "Exit status: 0 listed, 2 usage, 3 environment.\n";

struct arguments {
	bool json;
	bool help;
};

static int take_format(struct arguments *arguments, const char *text, struct error *err)
{
	arguments->json = strcmp(text, "json") == 0;
	if (arguments->json || strcmp(text, "table") == 0)
		return 0;
	return error_usage(err, EINVAL, "--format \"%s\": one of table, json is needed", text);
}

static int parse(struct arguments *arguments, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"format", required_argument, NULL, 'f'},
	    {"help", no_argument, NULL, 'h'},
	    {0},
	};
	int option;
	int rc = 0;

	opterr = 0;
	while (rc == 0 && (option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == '?')
			rc = cmd_refuse_option(argv, err);
		else if (option == 'f')
			rc = take_format(arguments, optarg, err);
		else
			arguments->help = true;
	}
	return rc;
}

static int print(const struct arguments *arguments, const struct device_list *list,
		 struct error *err)
{
	int rc =
	    arguments->json ? devices_print_json(list, stdout) : devices_print_table(list, stdout);

	if (rc < 0)
		return error_environment(err, -rc, "no list: %s", strerror(-rc));
	if (fflush(stdout) == EOF)
		return error_environment(err, errno, "stdout: cannot be written: %s",
					 strerror(errno));
	return 0;
}

int cmd_devices(int argc, char **argv)
{
	struct arguments arguments = {0};
	struct device_list list = {0};
	struct error err = {0};
	int rc;

	if (parse(&arguments, argc, argv, &err) < 0)
		return cmd_complain(&err);
	if (arguments.help) {
		fputs(usage, stdout);
		return EXIT_PASS;
	}
	if (optind < argc)
		rc = device_list_named((const char *const *)argv + optind, (size_t)(argc - optind),
				       &list, &err);
	else
		rc = device_list_all(&list, &err);
	if (rc == 0)
		rc = print(&arguments, &list, &err);
	device_list_release(&list);
	return rc == 0 ? EXIT_PASS : cmd_complain(&err);
}
