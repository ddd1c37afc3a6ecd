#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/config/config.h"
#include "act/config/options.h"

void option_show(const struct option *option, const struct config *config,
		 char text[static SHOWN_BYTES])
{
	char item[LIST_ITEM_BYTES];
	size_t length = 0;

	if (!option_is_list(option)) {
		snprintf(text, SHOWN_BYTES, "%s", value_format(option, config, item));
		return;
	}
	text[0] = '\0';
	for (size_t i = 0; length < SHOWN_BYTES - 1 && list_item(option, config, i, item); i++) {
		int wanted =
		    snprintf(text + length, SHOWN_BYTES - length, "%s%s", i > 0 ? "," : "", item);
		length += (size_t)wanted;
	}
}

static void print_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void print_list(FILE *out, const struct option *option, const struct config *config)
{
	char item[LIST_ITEM_BYTES];

	fputc('[', out);
	for (size_t i = 0; list_item(option, config, i, item); i++) {
		fputs(i > 0 ? ", " : "", out);
		print_string(out, item);
	}
	fputc(']', out);
}

static void print_value(FILE *out, const struct option *option, const struct config *config)
{
	char text[VALUE_BYTES];

	value_format(option, config, text);
	/* libconfig's integers end where 63 bits do; a count may be a string too */
	bool bare =
	    option->kind == OPTION_SWITCH || (option->kind == OPTION_COUNT && strlen(text) < 19);
	if (bare)
		fputs(text, out);
	else
		print_string(out, text);
}

static void print_option(FILE *out, const struct option *option, const struct config *config)
{
	char allowed[ALLOWED_BYTES];

	option_allowed(option, allowed);
	fprintf(out, "# %s\n# (%s)\n%s = ", option->help, allowed, option->key);
	if (option_is_list(option))
		print_list(out, option, config);
	else
		print_value(out, option, config);
	fputs("\n\n", out);
}

static void help_option(FILE *out, const struct option *option)
{
	char allowed[ALLOWED_BYTES];
	const char *initial = *option->initial != '\0' ? option->initial : "(empty)";

	option_allowed(option, allowed);
	fprintf(out, "  %-22s  %-7s", option->key, initial);
	if (!option_is_list(option))
		fprintf(out, "  %s", allowed);
	fprintf(out, "\n      %s\n", option->help);
	if (option_is_list(option))
		fprintf(out, "      (%s)\n", allowed);
}

/* Closing may move the text. */
static char *finish(FILE *out, char **text)
{
	bool failed = ferror(out);

	if (fclose(out) != 0 || failed) {
		free(*text);
		return NULL;
	}
	return *text;
}

char *config_print(const struct config *config)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("# Configuration of actcert " ACTCERT_VERSION ": actcert run THIS-FILE\n\n", out);
	for (size_t i = 0; i < option_count; i++) {
		if (options[i].group)
			fprintf(out, "# ---- %s ----\n\n", options[i].group);
		if (options[i].kind != OPTION_BOTH)
			print_option(out, &options[i], config);
	}
	return finish(out, &text);
}

char *config_help(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < option_count; i++) {
		if (options[i].group)
			fprintf(out, "%s%s\n", i > 0 ? "\n" : "", options[i].group);
		help_option(out, &options[i]);
	}
	return finish(out, &text);
}
