#pragma once
#include <stddef.h>
#include <stdio.h>

/*
 * Names in a log may hold any bytes that a path may hold. Private to the log.
 */

/* In JSON: the name itself when it is UTF-8 without a backslash. Otherwise \\
 * stands for a backslash and \xHH for each byte that is no printable ASCII
 * character, so that no two names become equal. Heap string, the caller frees
 * it; NULL when memory is short. */
char *log_name_escape(const char *name);
/* The reverse: 0, or -EINVAL when it is wrong or takes more than size - 1 bytes. */
int log_name_unescape(const char *text, char *ret, size_t size);

/* In the older tool's text: \xHH for each byte that is no printable ASCII
 * character and for \ ( ) #, which have a meaning there. */
void log_text_name(FILE *out, const char *name);
/* The same for a device. One that does not begin with / or . gets "./" in front,
 * because a histogram is found there by the beginning of its name. */
void log_text_device(FILE *out, const char *name);
/* Lines "key: value": empty ones are left out, and bytes that are no printable
 * ASCII character, and # at a line's beginning, become \xHH. */
void log_text_lines(FILE *out, const char *lines);
