#pragma once
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>

#include "act/base/error.h"
#include "act/config/config.h"
#include "act/device/list.h"

/*
 * The subcommands. Each takes the arguments from its own name on (argv[0] is
 * "run"), prints its results to stdout and its errors to stderr, and returns the
 * exit status of the program (enum exit_status, or 128 + n on signal n).
 */
int cmd_run(int argc, char **argv);
int cmd_prep(int argc, char **argv);
int cmd_analyze(int argc, char **argv);
int cmd_selftest(int argc, char **argv);
int cmd_devices(int argc, char **argv);

/* As cmd_run, but as the programs of ACT did: the log goes to stdout as it is written, and
 * all else to stderr; a config of ACT is one for that program. */
int cmd_run_as_act(int argc, char **argv, enum config_act act);

/* The programs of ACT; argv[0] is what this program was called as. */
int cmd_act_storage(int argc, char **argv);
int cmd_act_index(int argc, char **argv);
int cmd_act_prep(int argc, char **argv);
int cmd_act_latency(int argc, char **argv);

/* For what getopt_long returned '?': a usage error that names the option. Set
 * opterr to 0 before, so that this is the only line. */
int cmd_refuse_option(char *const *argv, struct error *err);

/* Where CONFIG stands among the options of `argv`: *ret_path, or NULL without one.
 * Refuses what is no option, and a second CONFIG. getopt can begin anew behind. */
int cmd_find_config(int argc, char **argv, const struct option *options, const char **ret_path,
		    struct error *err);

/* Reads a config file, also one of ACT. What it has to tell goes to stderr. */
int cmd_load_config(struct config *config, const char *path, enum config_act act,
		    struct error *err);

/* Prints to stderr what a checked config has to tell. */
void cmd_tell(const struct config *config);

/* --set KEY=VALUE */
int cmd_set(struct config *config, const char *text, struct error *err);

/* The number that an option was given, within these bounds; `option` as "--passes". */
int cmd_take_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *ret,
		    struct error *err);

/* Prints the error to stderr and returns its status. */
int cmd_complain(const struct error *err);

/* For a run that names no device: prints which of the list could be tested, and
 * when that is exactly one, the whole command to type: these arguments (argv[0] is
 * "run") with the device. */
void cmd_suggest(const struct device_list *list, int argc, const char *const *argv, FILE *out);
