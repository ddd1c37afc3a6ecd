#include "act/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 4, 0))) static int
error_store(struct error *err, enum exit_status status, int code, const char *format, va_list args)
{
	if (err) {
		err->status = status;
		vsnprintf(err->text, sizeof(err->text), format, args);
	}
	return -code;
}

int error_usage(struct error *err, int code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int rc = error_store(err, EXIT_USAGE, code, format, args);
	va_end(args);
	return rc;
}

int error_environment(struct error *err, int code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int rc = error_store(err, EXIT_ENVIRONMENT, code, format, args);
	va_end(args);
	return rc;
}

int error_device(struct error *err, int code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int rc = error_store(err, EXIT_DEVICE, code, format, args);
	va_end(args);
	return rc;
}

void error_prefix(struct error *err, const char *prefix)
{
	char text[ERROR_TEXT_BYTES];

	if (!err)
		return;
	memcpy(text, err->text, sizeof(text));
	snprintf(err->text, sizeof(err->text), "%.200s: %.*s", prefix,
		 (int)(sizeof(err->text) - 203), text);
}
