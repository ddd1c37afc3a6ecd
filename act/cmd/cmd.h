#pragma once
#include "act/base/error.h"

/*
 * The subcommands. Each takes the arguments from its own name on (argv[0] is
 * "run"), prints its results to stdout and its errors to stderr, and returns the
 * exit status of the program (enum exit_status, or 128 + n on signal n).
 */
int cmd_run(int argc, char **argv);
int cmd_analyze(int argc, char **argv);
int cmd_selftest(int argc, char **argv);

/* For what getopt_long returned '?': a usage error that names the option. Set
 * opterr to 0 before, so that this is the only line. */
int cmd_refuse_option(char *const *argv, struct error *err);
