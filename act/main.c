#include <stdio.h>
#include <string.h>

#include "act/base/error.h"
#include "act/cmd/cmd.h"

static const struct command {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *help;
} commands[] = {
    {"run", cmd_run, "put the load on devices or files and say PASS, FAIL or INVALID"},
    {"prep", cmd_prep, "fill devices with verified data, to their steady state; read it back"},
    {"devices", cmd_devices, "list the drives here: what they are, what may be written"},
    {"analyze", cmd_analyze, "judge the log of a run, also by other slices and limits"},
    {"selftest", cmd_selftest, "find out what load this host can issue, and how exactly"},
};

/* Links to this program, by whose names it does as the programs of ACT did. */
static const struct command old_programs[] = {
    {"act_storage", cmd_act_storage, NULL},
    {"act_index", cmd_act_index, NULL},
    {"act_prep", cmd_act_prep, NULL},
    {"act_latency", cmd_act_latency, NULL},
};

static void print_usage(FILE *out)
{
	fputs("actcert " ACTCERT_VERSION ": certifies SSDs for low-latency databases\n"
	      "usage: actcert COMMAND [ARGUMENT]...\n",
	      out);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
	fputs("`actcert COMMAND --help` tells more.\n"
	      "exit status: 0 PASS, 1 FAIL, 2 usage, 3 environment, 4 device error, 5 INVALID,\n"
	      "128 + n on signal n\n",
	      out);
}

int main(int argc, char **argv)
{
	const char *program = argc > 0 ? basename(argv[0]) : "";
	const char *name = argc > 1 ? argv[1] : "";

	for (size_t i = 0; i < sizeof(old_programs) / sizeof(old_programs[0]); i++)
		if (strcmp(old_programs[i].name, program) == 0)
			return old_programs[i].main(argc, argv);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].main(argc - 1, argv + 1);
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
		print_usage(stdout);
		return EXIT_PASS;
	}
	if (strcmp(name, "--version") == 0) {
		puts("actcert " ACTCERT_VERSION);
		return EXIT_PASS;
	}
	if (name[0])
		fprintf(stderr, "actcert: no such command: %s\n", name);
	print_usage(stderr);
	return EXIT_USAGE;
}
