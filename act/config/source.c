#include "act/config/source.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int source_read(const char *path, char **ret_text, struct error *err)
{
	struct stat stat_buffer;

	/* before opening: opening a device or a terminal may have effects */
	if (stat(path, &stat_buffer) != 0)
		return error_usage(err, errno, "%.300s: %s", path, strerror(errno));
	if (!S_ISREG(stat_buffer.st_mode) && !S_ISFIFO(stat_buffer.st_mode))
		return error_usage(err, EINVAL,
				   "%.300s: not a config file; devices are named with --device",
				   path);
	FILE *file = fopen(path, "re");
	if (!file)
		return error_usage(err, errno, "%.300s: %s", path, strerror(errno));

	int rc = 0;
	char *text = malloc(SOURCE_BYTES_MAX + 2);
	if (!text) {
		rc = error_environment(err, ENOMEM, "out of memory");
		goto out;
	}
	size_t length = fread(text, 1, SOURCE_BYTES_MAX + 1, file);
	if (ferror(file))
		rc = error_usage(err, EIO, "%.300s: cannot be read", path);
	else if (length > SOURCE_BYTES_MAX)
		rc = error_usage(err, EFBIG, "%.300s: longer than 1 MiB", path);
	else if (memchr(text, '\0', length))
		rc = error_usage(err, EINVAL, "%.300s: not a text file (NUL byte)", path);
	if (rc != 0)
		goto out;
	if (length == 0 || text[length - 1] != '\n')
		text[length++] = '\n';
	text[length] = '\0';
	*ret_text = text;
	text = NULL;
out:
	free(text);
	fclose(file);
	return rc;
}

/* With its quotes; 0 when it has no end. */
static size_t string_length(const char *text)
{
	size_t length = 1;

	while (text[length] != '\0' && text[length] != '"')
		length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
	return text[length] == '"' ? length + 1 : 0;
}

static size_t comment_length(const char *text)
{
	if (text[0] == '/' && text[1] == '*') {
		const char *end = strstr(text + 2, "*/");
		return end ? (size_t)(end - text) + 2 : strlen(text);
	}
	if (text[0] == '#' || (text[0] == '/' && text[1] == '/'))
		return strcspn(text, "\n");
	return 0;
}

#define DIGITS  "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Length of what is copied as it is: a string, name, fraction or comment; 0 at
 * anything else. */
static size_t opaque_length(const char *text)
{
	if (*text == '"')
		return string_length(text);
	if (isalpha((unsigned char)*text) || *text == '*')
		return strspn(text, LETTERS DIGITS "-_*");
	size_t number = strspn(text, DIGITS ".");
	return memchr(text, '.', number) ? number : comment_length(text);
}

/* What is wrong with the piece of `length` bytes at `text`, of which `digits` are
 * a whole number; `before` is the last character in front of it that is neither
 * blank nor comment. NULL: nothing. */
static const char *find_problem(const char *text, size_t length, size_t digits, char before)
{
	char next = text[length];

	if (*text == '@')
		return "@include is not supported";
	if (*text == '"' && length == 1)
		return "string without an end";
	if (*text == '"' && (before == '\0' || !strchr("=:,([\"", before)))
		return "string out of place";
	if (isdigit((unsigned char)*text) && (isalpha((unsigned char)next) || next == '%') &&
	    !(digits > 0 && next == 'L'))
		return "value with a unit, but not in quotes";
	return NULL;
}

#define DEPTH_MAX 16

/* The brackets that are open. */
struct brackets {
	char open[DEPTH_MAX];
	size_t depth;
};

/* False when there are too many. */
static bool follow_bracket(struct brackets *brackets, char c)
{
	if (c == '(' || c == '[' || c == '{') {
		if (brackets->depth == DEPTH_MAX)
			return false;
		brackets->open[brackets->depth++] = c;
	}
	if (brackets->depth > 0 && (c == ')' || c == ']' || c == '}'))
		brackets->depth--;
	return true;
}

/* A comma ends a setting, and is not between items of a list. */
static bool ends_setting(const struct brackets *brackets)
{
	return brackets->depth == 0 || brackets->open[brackets->depth - 1] == '{';
}

unsigned source_protect(const char *text, char *ret, const char **ret_problem)
{
	unsigned line = 1;
	char before = '\0';
	struct brackets brackets = {.depth = 0};

	while (*text != '\0') {
		size_t length = opaque_length(text);
		size_t digits = length > 0 ? 0 : strspn(text, DIGITS);

		if (length == 0)
			length = digits > 0 ? digits : 1;
		const char *problem = find_problem(text, length, digits, before);
		if (problem) {
			*ret_problem = problem;
			return line;
		}
		if (length == 1 && !follow_bracket(&brackets, *text)) {
			*ret_problem = "too many brackets in each other";
			return line;
		}
		if (!isspace((unsigned char)*text) && comment_length(text) == 0)
			before = *text == ',' && ends_setting(&brackets) ? ';' : *text;
		for (size_t i = 0; i < length; i++)
			line += text[i] == '\n';
		ret = mempcpy(ret, text, length);
		text += length;
		if (digits > 0 && *text != 'L')
			*ret++ = 'L';
	}
	*ret = '\0';
	return 0;
}

void source_line(const char *text, unsigned number, char *ret, size_t size)
{
	for (; number > 1 && *text != '\0'; number--) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	text += strspn(text, " \t");
	size_t length = strcspn(text, "\n");
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	size_t kept = length < size ? length : size - 1;
	for (size_t i = 0; i < kept; i++)
		ret[i] = (char)(iscntrl((unsigned char)text[i]) ? '?' : text[i]);
	ret[kept] = '\0';
}
