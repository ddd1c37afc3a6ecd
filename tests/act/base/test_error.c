#include "act/base/error.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

Test(error, each_kind_has_its_exit_status)
{
	struct error err;

	cr_expect_eq(error_usage(&err, EINVAL, "%s = %d", "a", 1), -EINVAL);
	cr_expect_eq(err.status, EXIT_USAGE);
	cr_expect_str_eq(err.text, "a = 1");
	cr_expect_eq(error_environment(&err, ENOMEM, "b"), -ENOMEM);
	cr_expect_eq(err.status, EXIT_ENVIRONMENT);
	cr_expect_str_eq(err.text, "b");
	cr_expect_eq(error_device(&err, EIO, "c"), -EIO);
	cr_expect_eq(err.status, EXIT_DEVICE);
	cr_expect_str_eq(err.text, "c");
}

Test(error, nobody_has_to_listen)
{
	cr_expect_eq(error_usage(NULL, EINVAL, "x"), -EINVAL);
	error_prefix(NULL, "x");
}

Test(error, long_texts_are_cut)
{
	char text[2 * ERROR_TEXT_BYTES];
	struct error err;

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	error_usage(&err, EINVAL, "%s", text);
	cr_expect_eq(strlen(err.text), ERROR_TEXT_BYTES - 1);
	error_prefix(&err, "drive");
	cr_expect_eq(strncmp(err.text, "drive: xxx", 10), 0);
	cr_expect_lt(strlen(err.text), ERROR_TEXT_BYTES);
	error_prefix(&err, text);
	cr_expect_lt(strlen(err.text), ERROR_TEXT_BYTES);
	cr_expect_eq(err.text[200], ':');
}

Test(error, a_prefix_keeps_text_and_status)
{
	struct error err;

	error_device(&err, EIO, "lost");
	error_prefix(&err, "/dev/a");
	cr_expect_str_eq(err.text, "/dev/a: lost");
	cr_expect_eq(err.status, EXIT_DEVICE);
}
