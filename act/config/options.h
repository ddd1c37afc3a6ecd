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
	OPTION_RATE,     /* struct config_rate, of the units in `min` */
	OPTION_CHOICE,   /* enum, in the order of `min` */
	OPTION_EITHER,   /* bool, the second of the two words in `min` */
	OPTION_OVERRIDE, /* enum config_choice, a switch where it is given */
	OPTION_CPUS,     /* char[64] */
	OPTION_NAME,     /* char[CONFIG_NAME_BYTES], of the characters in `min` */
	OPTION_REGION,   /* two struct ratio, one behind the other */
	OPTION_NUMBERS,  /* uint64_t, a set of bits; none when it is not given */
	OPTION_STEPS,    /* in struct config_phase */
	OPTION_DEVICES,  /* from here on lists; in struct config */
	OPTION_FILES,
	OPTION_CRITERIA, /* struct config_criterion[CONFIG_CRITERIA_MAX], and their count */
	OPTION_NAMES,    /* char[CONFIG_JUDGED_MAX][CONFIG_NAME_BYTES], and their count */
	OPTION_SIZES,    /* struct config_size[CONFIG_SIZES_MAX], and their count */
	OPTION_ISSUED,   /* struct config_phase_rate[CONFIG_STREAMS_MAX], and their count */
	OPTION_STREAMS,  /* from here on lists of groups, in struct config (group.h) */
	OPTION_PHASES,
};

struct option {
	const char *key;
	enum option_kind kind;
	size_t offset;       /* in struct config, or in that of the group */
	const char *initial; /* as for --set; NULL: a group must have it */
	const char *min;     /* of a choice: the words, separated by blanks */
	const char *max;     /* NULL where there is no range */
	const char *help;    /* one line, no full stop */
	const char *group;   /* heading, at the first option of a group */
};

/* A table of options. */
struct option_table {
	const struct option *options;
	size_t count;
};

extern const struct option options[];
extern const size_t option_count;

/* NULL when there is none of this name. */
const struct option *option_find(const char *key);
const struct option *option_find_in(struct option_table table, const char *key);
/* The option whose key is nearest to what was typed; NULL when none is near. */
const struct option *option_nearest(struct option_table table, const char *key);
/* Letters to change, add or leave out until `typed` is the key. */
size_t option_distance(const char *key, const char *typed);

/* One attempt to set one option, for the functions below and their errors. */
struct setting {
	struct config *config;
	const char *origin;
	const struct option *option;
	const char *text;   /* the value, or one item of a list */
	void *group;        /* what has the option, where it is not the config */
	const char *prefix; /* of the key in a group, as "streams[1]."; may be NULL */
};

#define ALLOWED_BYTES 160

/* "10us to 1h", "true or false": what the option takes. */
void option_allowed(const struct option *option, char text[static ALLOWED_BYTES]);
/* "uring null" as "uring, null". */
void option_list_words(const char *words, char text[static ALLOWED_BYTES]);

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

/* The field of the option that is set. */
static inline void *setting_field(const struct setting *setting)
{
	return (char *)(setting->group ? setting->group : setting->config) +
	       setting->option->offset;
}

static inline bool option_is_groups(const struct option *option)
{
	return option->kind >= OPTION_STREAMS;
}

static inline bool option_is_list(const struct option *option)
{
	return option->kind >= OPTION_DEVICES && !option_is_groups(option);
}

/* A text, not empty, of small letters, digits and, between those, the characters in
 * `others`. */
bool option_is_name(const char *text, const char *others);
/* Whether it is one of `words`, which blanks separate. */
bool option_has_word(const char *words, const char *word);

/* Single values (value.c, value_group.c): set from text; write as text (returns `text`).
 * `owner` is the config or the group that has the option. */
#define VALUE_BYTES 256
int value_set(const struct setting *setting, struct error *err);
int value_set_of_group(const struct setting *setting, struct error *err);
char *value_format(const struct option *option, const void *owner, char text[static VALUE_BYTES]);
char *value_format_of_group(const struct option *option, const void *owner,
			    char text[static VALUE_BYTES]);

/* Lists (list.c): empty it; add the item `setting->text`; the i-th item as
 * text (at least LIST_ITEM_BYTES; false behind the last). */
#define LIST_ITEM_BYTES (CONFIG_PATH_BYTES + UNITS_TEXT_BYTES)
void list_clear(const struct setting *setting);
int list_add(const struct setting *setting, struct error *err);
bool list_item(const struct option *option, const void *owner, size_t i,
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
/* Sets an option that is a list of groups from its text "( { KEY = VALUE; ... }, ... )". */
int file_set_groups(const struct setting *setting, struct error *err);
