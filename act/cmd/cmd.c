#include "act/cmd/cmd.h"

#include <errno.h>
#include <getopt.h>

int cmd_refuse_option(char *const *argv, struct error *err)
{
	return error_usage(err, EINVAL,
			   "%s: unknown option, or its value is missing; allowed: what "
			   "`actcert %s --help` lists",
			   argv[optind - 1], argv[0]);
}
