#include "act/cmd/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "act/base/units.h"

int cmd_refuse_option(char *const *argv, struct error *err)
{
	return error_usage(err, EINVAL,
			   "%s: unknown option, or its value is missing; allowed: what "
			   "`actcert %s --help` lists",
			   argv[optind - 1], argv[0]);
}

int cmd_find_config(int argc, char **argv, const struct option *options, const char **ret_path,
		    struct error *err)
{
	const char *path = NULL;
	int code;

	opterr = 0;
	while ((code = getopt_long(argc, argv, "h", options, NULL)) != -1)
		if (code == '?')
			return cmd_refuse_option(argv, err);
	if (optind < argc)
		path = argv[optind++];
	if (optind < argc)
		return error_usage(err, EINVAL, "%s: one CONFIG at most", argv[optind]);
	optind = 0;
	*ret_path = path;
	return 0;
}

int cmd_take_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *ret,
		    struct error *err)
{
	uint64_t value = 0;

	if (units_parse_count(text, &value) < 0 || value < min || value > max)
		return error_usage(err, EINVAL,
				   "%s %s: allowed: a number from %" PRIu64 " to %" PRIu64, option,
				   text, min, max);
	*ret = value;
	return 0;
}

static void say_line(void *state, const char *line)
{
	fprintf(state, "actcert: %s\n", line);
}

int cmd_load_config(struct config *config, const char *path, enum config_act act, struct error *err)
{
	const struct config_notice notice = {.say = say_line, .state = stderr};

	return config_load_file(config, path, act, &notice, err);
}

void cmd_tell(const struct config *config)
{
	const struct config_notice notice = {.say = say_line, .state = stderr};

	config_tell(config, &notice);
}

int cmd_set(struct config *config, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');
	char key[64];

	if (!equals || (size_t)(equals - text) >= sizeof(key))
		return error_usage(err, EINVAL, "--set %s: allowed: KEY=VALUE", text);
	snprintf(key, sizeof(key), "%.*s", (int)(equals - text), text);
	return config_set(config, "--set", key, equals + 1, err);
}

int cmd_complain(const struct error *err)
{
	fprintf(stderr, "actcert: %s\n", err->text);
	return (int)err->status;
}
