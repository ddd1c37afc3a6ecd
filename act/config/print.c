#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/config/config.h"
#include "act/config/group.h"
#include "act/config/options.h"

/* Groups are shown by their names. */
static bool show_item(const struct option *option, const struct config *config, size_t i,
		      char text[static LIST_ITEM_BYTES])
{
	if (!option_is_groups(option))
		return list_item(option, config, i, text);
	const struct group_kind *kind = group_kind_of(option);
	if (i >= group_count(kind, config))
		return false;
	value_format(&kind->members.options[0], group_at(kind, config, i), text);
	return true;
}

void option_show(const struct option *option, const struct config *config,
		 char text[static SHOWN_BYTES])
{
	char item[LIST_ITEM_BYTES];
	size_t length = 0;

	if (!option_is_list(option) && !option_is_groups(option)) {
		snprintf(text, SHOWN_BYTES, "%.79s", value_format(option, config, item));
		return;
	}
	text[0] = '\0';
	for (size_t i = 0; length < SHOWN_BYTES - 1 && show_item(option, config, i, item); i++) {
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

static void print_list(FILE *out, const struct option *option, const void *owner)
{
	char item[LIST_ITEM_BYTES];

	fputc('[', out);
	for (size_t i = 0; list_item(option, owner, i, item); i++) {
		fputs(i > 0 ? ", " : "", out);
		print_string(out, item);
	}
	fputc(']', out);
}

static void print_value(FILE *out, const struct option *option, const void *owner)
{
	char text[VALUE_BYTES];

	value_format(option, owner, text);
	/* libconfig's integers end where 63 bits do; a count may be a string too */
	bool bare = option->kind == OPTION_SWITCH || option->kind == OPTION_OVERRIDE ||
		    (option->kind == OPTION_COUNT && strlen(text) < 19);
	if (bare)
		fputs(text, out);
	else
		print_string(out, text);
}

/* What is as in a blank one is left out. */
static void print_group(FILE *out, const struct group_kind *kind, const void *group)
{
	fputs("\t{\n", out);
	for (size_t i = 0; i < kind->members.count; i++) {
		const struct option *member = &kind->members.options[i];
		if (!group_has(kind, group, member))
			continue;
		fprintf(out, "\t\t%s = ", member->key);
		if (option_is_list(member))
			print_list(out, member, group);
		else
			print_value(out, member, group);
		fputs(";\n", out);
	}
	fputs("\t}", out);
}

static void print_groups(FILE *out, const struct option *option, const struct config *config)
{
	const struct group_kind *kind = group_kind_of(option);
	size_t count = group_count(kind, config);

	fputc('(', out);
	for (size_t i = 0; i < count; i++) {
		fputs(i > 0 ? ",\n" : "\n", out);
		print_group(out, kind, group_at(kind, config, i));
	}
	fputs(count > 0 ? "\n)" : ")", out);
}

static void print_option(FILE *out, const struct option *option, const struct config *config)
{
	char allowed[ALLOWED_BYTES];

	option_allowed(option, allowed);
	fprintf(out, "# %s\n# (%s)\n%s = ", option->help, allowed, option->key);
	if (option_is_groups(option))
		print_groups(out, option, config);
	else if (option_is_list(option))
		print_list(out, option, config);
	else
		print_value(out, option, config);
	fputs("\n\n", out);
}

static void help_key(FILE *out, const char *indent, const struct option *option)
{
	char allowed[ALLOWED_BYTES];
	const char *initial = option->initial ? option->initial : "(needed)";
	bool list = option_is_list(option) || option_is_groups(option);

	option_allowed(option, allowed);
	fprintf(out, "%s  %-*s  %-7s", indent, 22 - (int)strlen(indent), option->key,
		*initial != '\0' ? initial : "(empty)");
	if (!list)
		fprintf(out, "  %s", allowed);
	fprintf(out, "\n%s      %s\n", indent, option->help);
	if (list)
		fprintf(out, "%s      (%s)\n", indent, allowed);
}

static void help_option(FILE *out, const struct option *option)
{
	help_key(out, "", option);
	if (!option_is_groups(option))
		return;
	const struct option_table members = group_kind_of(option)->members;
	for (size_t i = 0; i < members.count; i++)
		help_key(out, "    ", &members.options[i]);
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
