/* For a run without a device: what it could be run on. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "act/cmd/cmd.h"
#include "act/device/list.h"

/* A word of a command line, in quotes where a shell would change it. */
static void print_word(const char *word, FILE *out)
{
	static const char plain[] = "%+,-./:=@_";
	bool quoted = word[0] == '\0';

	for (const char *c = word; *c && !quoted; c++)
		quoted = !isalnum((unsigned char)*c) && !strchr(plain, *c);
	if (!quoted) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (const char *c = word; *c; c++)
		fputs(*c == '\'' ? "'\\''" : (char[]){*c, '\0'}, out);
	fputc('\'', out);
}

static void print_command(int argc, const char *const *argv, const char *device, FILE *out)
{
	fputs("  actcert", out);
	for (int i = 0; i < argc; i++) {
		fputc(' ', out);
		print_word(argv[i], out);
	}
	fputs(" --device ", out);
	print_word(device, out);
	fputc('\n', out);
}

static void print_names(const struct device_list *list, FILE *out)
{
	const char *before = "";

	for (size_t i = 0; i < list->count; i++) {
		if (!listed_is_ready(&list->items[i]))
			continue;
		fprintf(out, "%s%s", before, list->items[i].device.name);
		before = ", ";
	}
}

void cmd_suggest(const struct device_list *list, int argc, const char *const *argv, FILE *out)
{
	const struct listed *unknown = NULL; /* the first of them */
	size_t ready = 0, unknowns = 0;
	const char *name = "";

	for (size_t i = 0; i < list->count; i++) {
		const struct listed *item = &list->items[i];

		if (item->state == LISTED_UNKNOWN && unknowns++ == 0)
			unknown = item;
		if (listed_is_ready(item)) {
			name = item->device.name;
			ready++;
		}
	}
	if (ready == 1) {
		fprintf(out, "One device is free and prepared; to test it, which overwrites it:\n");
		print_command(argc, argv, name, out);
	} else if (ready > 1) {
		fprintf(out, "%zu devices are free and prepared: ", ready);
		print_names(list, out);
		fputs("; `actcert devices` tells more.\n", out);
	} else {
		fputs("No device is free and prepared: `actcert devices` shows what is here, "
		      "`actcert prep` prepares.\n",
		      out);
	}
	if (unknown)
		fprintf(out, "%zu of the %zu devices here could not be looked at; %s: %s\n",
			unknowns, list->count, unknown->device.name, unknown->reason);
}
