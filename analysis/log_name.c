#include "analysis/log_name.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_printable(char c)
{
	return c >= ' ' && c <= '~';
}

static bool is_plain(const char *name)
{
	json_t *string = strchr(name, '\\') ? NULL : json_string(name);

	json_decref(string);
	return string != NULL;
}

char *log_name_escape(const char *name)
{
	if (is_plain(name))
		return strdup(name);

	char *text = malloc(4 * strlen(name) + 1);
	char *at = text;

	if (!text)
		return NULL;
	for (; *name; name++) {
		if (*name == '\\')
			at = stpcpy(at, "\\\\");
		else if (is_printable(*name))
			*at++ = *name;
		else
			at += sprintf(at, "\\x%02x", (unsigned char)*name);
	}
	*at = '\0';
	return text;
}

static int hex_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* The byte behind a backslash; returns how many characters it took, 0 if wrong. */
static size_t unescape_one(const char *text, char *ret)
{
	if (text[0] == '\\') {
		*ret = '\\';
		return 1;
	}
	if (text[0] != 'x' || !isxdigit((unsigned char)text[1]) ||
	    !isxdigit((unsigned char)text[2]))
		return 0;
	*ret = (char)(hex_value(text[1]) << 4 | hex_value(text[2]));
	return *ret ? 3 : 0;
}

int log_name_unescape(const char *text, char *ret, size_t size)
{
	size_t length = 0;

	while (*text) {
		char byte = *text++;

		if (byte == '\\') {
			size_t taken = unescape_one(text, &byte);

			if (!taken)
				return -EINVAL;
			text += taken;
		}
		if (length + 1 >= size)
			return -EINVAL;
		ret[length++] = byte;
	}
	memset(ret + length, 0, size - length);
	return 0;
}

static void put_byte(FILE *out, char byte, const char *special)
{
	if (is_printable(byte) && !strchr(special, byte))
		fputc(byte, out);
	else
		fprintf(out, "\\x%02x", (unsigned char)byte);
}

void log_text_name(FILE *out, const char *name)
{
	for (; *name; name++)
		put_byte(out, *name, "\\()#");
}

void log_text_device(FILE *out, const char *name)
{
	if (name[0] != '/' && name[0] != '.')
		fputs("./", out);
	log_text_name(out, name);
}

void log_text_lines(FILE *out, const char *lines)
{
	bool at_start = true;

	for (; *lines; lines++) {
		if (*lines != '\n')
			put_byte(out, *lines, at_start ? "#" : "");
		else if (!at_start)
			fputc('\n', out);
		at_start = *lines == '\n';
	}
	if (!at_start)
		fputc('\n', out);
}
