#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/cmd/cmd.h"

/*
 * The programs of ACT, by whose names this one may be called. Each takes the older
 * one's arguments, and the options of our command behind them.
 */

static int run_as(const char *program, int argc, char **argv, enum config_act act)
{
	char name[] = "run";

	if (argc < 2) {
		fprintf(stderr,
			"usage: %s CONFIG [OPTION]...   (options of actcert run; its log goes to "
			"standard output, too)\n",
			program);
		return EXIT_USAGE;
	}
	argv[0] = name;
	return cmd_run_as_act(argc, argv, act);
}

int cmd_act_storage(int argc, char **argv)
{
	return run_as("act_storage", argc, argv, CONFIG_ACT_STORAGE);
}

int cmd_act_index(int argc, char **argv)
{
	return run_as("act_index", argc, argv, CONFIG_ACT_INDEX);
}

/* The older one writes zeros first. */
int cmd_act_prep(int argc, char **argv)
{
	char name[] = "prep";
	char option[] = "--clean";
	char method[] = "zero";
	char *zeroing[] = {name, option, method};
	size_t count = sizeof(zeroing) / sizeof(zeroing[0]);

	if (argc < 2) {
		fputs("usage: act_prep DEVICE... [OPTION]...   (options of actcert prep)\n",
		      stderr);
		return EXIT_USAGE;
	}
	char **arguments = calloc((size_t)argc + count, sizeof(*arguments));
	if (!arguments)
		return EXIT_ENVIRONMENT;
	memcpy(arguments, zeroing, sizeof(zeroing));
	memcpy(arguments + count, argv + 1, (size_t)(argc - 1) * sizeof(*argv));
	int status = cmd_prep((int)count + argc - 1, arguments);
	free(arguments);
	return status;
}
