#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "act/config/import.h"

#define TITLE_BYTES 32

static void add_title(struct import *import, unsigned line, const char *text, size_t length)
{
	struct old_title title = {.line = line};
	char load[TITLE_BYTES];

	if (length >= sizeof(load) - 1 || import->title_count == TITLES_MAX)
		return;
	snprintf(load, sizeof(load), "%.*sx", (int)length, text);
	if (units_parse_load(load, &title.load) == 0 && title.load.num > 0)
		import->titles[import->title_count++] = title;
}

void import_find_titles(struct import *import, unsigned line, const char *text)
{
	const char *at = text;

	while ((at = strpbrk(at, "0123456789"))) {
		size_t length = strspn(at, "0123456789.");
		bool begins =
		    at == text || (!isalnum((unsigned char)at[-1]) && !strchr("./", at[-1]));
		if (begins && (at[length] == 'x' || at[length] == 'X') &&
		    !isalnum((unsigned char)at[length + 1]))
			add_title(import, line, at, length);
		at += length;
	}
}

/* Where the name of a drive ends in that of its partition, as the kernel names them:
 * sda1, nvme0n1p1. The whole length where it is none. */
static size_t drive_length(const char *path)
{
	static const char *const lettered[] = {"sd", "vd", "hd", "xvd"};
	const char *name = strrchr(path, '/');
	size_t length = strlen(path);
	size_t end = length;

	name = name ? name + 1 : path;
	while (end > 0 && isdigit((unsigned char)path[end - 1]))
		end--;
	if (end == length || path + end <= name)
		return length;
	for (size_t i = 0; i < sizeof(lettered) / sizeof(lettered[0]); i++) {
		if (strncmp(name, lettered[i], strlen(lettered[i])) == 0)
			return end;
	}
	bool numbered = end >= 2 && path[end - 1] == 'p' && isdigit((unsigned char)path[end - 2]);
	return numbered ? end - 1 : length;
}

/* How many of the targets are on the drive of the i-th; ret_first: it is the first. */
static uint64_t count_on_drive(const struct config *config, size_t i, bool *ret_first)
{
	const char *path = config->targets[i].path;
	size_t length = drive_length(path);
	uint64_t count = 0;

	*ret_first = true;
	for (size_t j = 0; j < config->target_count; j++) {
		const char *other = config->targets[j].path;
		bool same = !config->targets[j].is_file && drive_length(other) == length &&
			    strncmp(path, other, length) == 0;
		*ret_first = *ret_first && !(same && j < i);
		count += same;
	}
	return count;
}

/* Tells each drive that has several of the devices; returns the most on one. */
static uint64_t tell_drives(const struct import *import)
{
	const struct config *config = import->config;
	uint64_t most = 1;

	for (size_t i = 0; i < config->target_count && !config->targets[i].is_file; i++) {
		const char *path = config->targets[i].path;
		bool first;
		uint64_t count = count_on_drive(config, i, &first);

		if (count < 2 || !first)
			continue;
		most = count > most ? count : most;
		import_say(import, 0,
			   "%.*s has %llu of the devices as partitions: %gx reads, %gx writes "
			   "on that drive",
			   (int)drive_length(path), path, (unsigned long long)count,
			   (double)count * ratio_to_double(config->read_load),
			   (double)count * ratio_to_double(config->write_load));
	}
	return most;
}

static bool is_titled(const struct import *import, struct ratio load)
{
	for (size_t i = 0; i < import->title_count; i++) {
		if (ratio_compare(import->titles[i].load, load) == 0)
			return true;
	}
	return false;
}

void import_tell_load(const struct import *import, bool write_exact)
{
	const struct config *config = import->config;
	double reads = ratio_to_double(config->read_load);
	double writes = ratio_to_double(config->write_load);
	struct ratio drive_reads;
	struct ratio drive_writes;

	import_say(import, 0,
		   "%gx reads and %gx writes per device; its rates are over all devices, here %zu",
		   reads, writes, config->target_count);
	struct ratio count = ratio_make(tell_drives(import), 1);
	if (import->title_count == 0 ||
	    ratio_multiply(config->read_load, count, &drive_reads) != 0 ||
	    ratio_multiply(config->write_load, count, &drive_writes) != 0)
		return;
	const struct old_title *title = &import->titles[0];
	if (ratio_compare(title->load, drive_reads) == 0 &&
	    (!write_exact || is_titled(import, drive_writes)))
		return;
	import_say(import, title->line, "%s %gx, but its rates come to %gx reads and %gx writes%s",
		   title->line > 0 ? "this line says" : "its name says",
		   ratio_to_double(title->load), ratio_to_double(drive_reads),
		   ratio_to_double(drive_writes),
		   count.num > 1 ? " on each drive" : " on each device");
}
