#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "act/config/import.h"
#include "act/config/options.h"

#define BLANKS     " \t\r\v\f"
#define WORD       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
#define KEY_MAX    64
#define PROSE_MIN  3 /* words; fewer may be a key and its value */
#define TYPING_MAX 3 /* letters by which a key is mistyped at most */
#define BOM        "\xef\xbb\xbf"

/* A line without blanks around it, cut out of the text in place. */
static char *strip(char *line)
{
	line += strspn(line, BLANKS);
	size_t length = strlen(line);
	while (length > 0 && strchr(BLANKS, line[length - 1]))
		length--;
	line[length] = '\0';
	return line;
}

enum evidence { NONE, WEAK_NATIVE, WEAK_OLD, NATIVE, OLD };

/* What the line at `line`, of `length` bytes, says of the format. */
static enum evidence weigh(const char *line, size_t length)
{
	const char *end = line + length;

	while (line < end && strchr(BLANKS, *line))
		line++;
	while (end > line && strchr(BLANKS, end[-1]))
		end--;
	size_t word = strspn(line, WORD);
	const char *sign = line + word + strspn(line + word, " \t");
	if (word == 0 || word >= KEY_MAX || sign >= end || (*sign != ':' && *sign != '='))
		return NONE;
	char key[KEY_MAX];
	memcpy(key, line, word);
	key[word] = '\0';
	/* libconfig takes a colon, too */
	bool colon = *sign == ':';
	bool native_end = strchr(";,[({", end[-1]) != NULL;
	if (old_key_find(key, word) && !option_find(key))
		return colon ? OLD : WEAK_OLD;
	if (option_find(key) && (!colon || !old_key_find(key, word)))
		return NATIVE;
	return colon && !native_end ? WEAK_OLD : WEAK_NATIVE;
}

bool import_recognise(const char *text)
{
	enum evidence weak = NONE;

	if (strncmp(text, BOM, strlen(BOM)) == 0)
		text += strlen(BOM);
	while (*text != '\0') {
		if (strncmp(text, "/*", 2) == 0) {
			const char *close = strstr(text + 2, "*/");
			if (!close)
				break;
			text = close + 2;
		}
		size_t length = strcspn(text, "\n");
		enum evidence evidence = weigh(text, length);
		if (evidence == OLD || evidence == NATIVE)
			return evidence == OLD;
		if (weak == NONE)
			weak = evidence;
		text += length + (text[length] == '\n');
	}
	return weak == WEAK_OLD;
}

/* "read reqs-per-sec" is no prose: with hyphens it would be a key. */
static bool begins_with_key(const char *line)
{
	for (size_t i = 0; i < old_key_count; i++) {
		const char *key = old_keys[i].name;
		const char *at = line;

		while (*key != '\0' && *at != '\0' &&
		       (*key == tolower((unsigned char)*at) ||
			(*key == '-' && (*at == ' ' || *at == '_')))) {
			key++;
			at++;
		}
		/* "trace" alone may be just a word */
		bool compound = strchr(old_keys[i].name, '-') != NULL;
		if (compound && *key == '\0' && !isalnum((unsigned char)*at))
			return true;
	}
	return false;
}

static bool looks_like_value(const char *text)
{
	static const char *const words[] = {"yes", "no", "true", "false", "on", "off"};

	text += strspn(text, BLANKS);
	if (*text == '/' || isdigit((unsigned char)*text))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(text, words[i]) == 0)
			return true;
	}
	return false;
}

/* A line that somebody forgot to make a comment, and that cannot be meant as a key. */
static bool is_prose(const char *line)
{
	char first[KEY_MAX] = "";
	size_t words = 0;
	const char *at = line;

	while (*at != '\0') {
		size_t length = strcspn(at, BLANKS);
		if (words++ == 0)
			snprintf(first, sizeof(first), "%.*s", (int)(length < 60 ? length : 60),
				 at);
		at += length;
		at += strspn(at, BLANKS);
	}
	const char *second = line + strcspn(line, BLANKS);
	second += strspn(second, BLANKS);
	const struct old_key *nearest = old_key_nearest(first);
	bool mistyped = nearest && option_distance(nearest->name, first) <= TYPING_MAX &&
			strlen(first) > 2 * TYPING_MAX;
	const char *colon = strchr(line, ':');
	return words >= PROSE_MIN && *second != '=' && !mistyped && !begins_with_key(line) &&
	       !(colon && looks_like_value(colon + 1));
}

static int refuse_key(const struct import *import, unsigned line, const char *name,
		      const char *value, struct error *err)
{
	const struct old_key *nearest = old_key_nearest(name);
	char problem[ALLOWED_BYTES] = "unknown key";

	if (nearest)
		snprintf(problem, sizeof(problem), "unknown key, the nearest is %s", nearest->name);
	return import_refuse(import, line, name, value, problem, "the keys of ACT 1.x to 6.6", err);
}

static int take_entry(struct import *import, unsigned line, const char *name, char *value,
		      struct error *err)
{
	const struct old_key *key = old_key_find(name, strlen(name));
	char problem[ALLOWED_BYTES];

	if (!key)
		return refuse_key(import, line, name, value, err);
	struct old_entry *entry = &import->entries[key - old_keys];
	if (entry->line > 0 && strcmp(entry->value, value) != 0) {
		snprintf(problem, sizeof(problem), "line %u says something else", entry->line);
		return import_refuse(import, line, key->name, value, problem, "each key once", err);
	}
	if (entry->line == 0)
		*entry = (struct old_entry){.line = line, .value = value};
	return 0;
}

static int take_line(struct import *import, unsigned number, char *line, struct error *err)
{
	char shown[SHOWN_BYTES];
	char *comment = strchr(line, '#');

	if (comment) {
		import_find_titles(import, number, comment);
		*comment = '\0';
	}
	line = strip(line);
	if (*line == '\0')
		return 0;
	size_t word = strspn(line, WORD);
	char *colon = line + word + strspn(line + word, " \t");
	if (word > 0 && *colon == ':') {
		line[word] = '\0';
		return take_entry(import, number, line, strip(colon + 1), err);
	}
	if (is_prose(line)) {
		import_find_titles(import, number, line);
		text_tame(line, shown);
		import_say(import, number,
			   "left out, as it is neither KEY: VALUE nor a comment: %s", shown);
		return 0;
	}
	text_tame(line, shown);
	return error_usage(err, EINVAL,
			   "%s:%u: %s: neither KEY: VALUE nor a comment; allowed: KEY: VALUE "
			   "lines, comments begin with #",
			   import->path, number, shown);
}

int import_lines(struct import *import, char *text, struct error *err)
{
	unsigned number = 1;
	int rc = 0;

	if (strncmp(text, BOM, strlen(BOM)) == 0)
		text += strlen(BOM);
	for (; rc == 0 && *text != '\0'; number++) {
		char *line = text;
		size_t length = strcspn(text, "\n");

		text += length + (text[length] == '\n');
		line[length] = '\0';
		rc = take_line(import, number, line, err);
	}
	return rc;
}
