#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "act/config/config.h"

/*
 * The one table of options, and how texts become values and texts again. Private
 * to act/config. Adding an option is one line in options.c and one field in
 * struct config.
 */

enum option_kind {
	OPTION_SWITCH,   /* bool */
	OPTION_COUNT,    /* uint64_t */
	OPTION_DURATION, /* uint64_t, ns */
	OPTION_SIZE,     /* uint64_t, bytes */
	OPTION_LOAD,     /* struct ratio */
	OPTION_BOTH,     /* two struct ratio, one behind the other; sets, but is never printed */
	OPTION_PERCENT,  /* struct ratio */
	OPTION_CHOICE,   /* enum, in the order of `min` */
	OPTION_CPUS,     /* char[64] */
	OPTION_DEVICES,  /* from here on lists, whose place in struct config is their kind's */
	OPTION_FILES,
	OPTION_CRITERIA,
	OPTION_STREAMS,
};

struct option {
	const char *key;
	enum option_kind kind;
	size_t offset;       /* in struct config */
	const char *initial; /* as for --set */
	const char *min;     /* of a choice and of streams: the words, separated by blanks */
	const char *max;     /* NULL where there is no range */
	const char *help;    /* one line, no full stop */
	const char *group;   /* heading, at the first option of a group */
};

extern const struct option options[];
extern const size_t option_count;

/* NULL when there is none of this name. */
const struct option *option_find(const char *key);
/* The option whose key is nearest to what was typed; NULL when none is near. */
const struct option *option_nearest(const char *key);
/* Letters to change, add or leave out until `typed` is the key. */
size_t option_distance(const char *key, const char *typed);

/* One attempt to set one option, for the functions below and their errors. */
struct setting {
	struct config *config;
	const char *origin;
	const struct option *option;
	const char *text; /* the value, or one item of a list */
};

#define ALLOWED_BYTES 160

/* "10us to 1h", "true or false": what the option takes. */
void option_allowed(const struct option *option, char text[static ALLOWED_BYTES]);

/* Stores "ORIGIN: KEY = TEXT: problem; allowed: ..." and returns -code. */
int setting_refuse(const struct setting *setting, struct error *err, int code, const char *format,
		   ...) __attribute__((format(printf, 4, 5)));
/* Stores "ORIGIN: KEY = VALUE: problem; allowed: ..." and returns -code. */
int option_refuse(struct error *err, int code, const char *origin, const char *key,
		  const char *value, const char *problem, const char *allowed);
/* The same for a key that no option has. */
int option_refuse_unknown(const char *origin, const char *key, const char *value,
			  struct error *err);
/* Remembers where the option was set. */
void setting_note_origin(const struct setting *setting);

static inline bool option_is_list(const struct option *option)
{
	return option->kind >= OPTION_DEVICES;
}

/* Single values (value.c): set from text; write as text (returns `text`). */
#define VALUE_BYTES 64
int value_set(const struct setting *setting, struct error *err);
char *value_format(const struct option *option, const struct config *config,
		   char text[static VALUE_BYTES]);

/* Lists (list.c): empty it; add the item `setting->text`; the i-th item as text
 * (at least LIST_ITEM_BYTES; false behind the last). */
#define LIST_ITEM_BYTES (CONFIG_PATH_BYTES + UNITS_TEXT_BYTES)
void list_clear(const struct setting *setting);
int list_add(const struct setting *setting, struct error *err);
bool list_item(const struct option *option, const struct config *config, size_t i,
	       char text[static LIST_ITEM_BYTES]);

#define SHOWN_BYTES 80
/* Text for one line of a terminal: no control characters, cut off when long. */
void text_tame(const char *text, char shown[static SHOWN_BYTES]);
/* The value of any option as it is shown in an error, lists with commas; cut off
 * when it is long. */
void option_show(const struct option *option, const struct config *config,
		 char text[static SHOWN_BYTES]);

/* Reads the text of a libconfig file over what is there (file.c); `path` is for
 * errors. */
int file_parse_text(struct config *config, const char *path, const char *text, struct error *err);
