#include "analysis/act_grammar.h"

#include <string.h>

#define BANNER_LINES_MAX 64

static const struct act_name OLD_NAMES[] = {
    {"LARGE BLOCK READS", "large-block-reads", ACT_LARGE_READS},
    {"LARGE BLOCK WRITES", "large-block-writes", ACT_LARGE_WRITES},
    {"RAW READS", "device-reads", ACT_DEVICE_READS},
    {"READS", "reads", ACT_READS},
    {"RAW WRITES", "device-writes", ACT_DEVICE_WRITES},
    {"WRITES", "writes", ACT_WRITES},
    {0},
};

static const struct act_name NAMES[] = {
    {"reads", "reads", ACT_READS},
    {"trans-reads", "trans-reads", ACT_READS}, /* 5.x, index */
    {"device-reads", "device-reads", ACT_DEVICE_READS},
    {"large-block-reads", "large-block-reads", ACT_LARGE_READS},
    {"large-block-writes", "large-block-writes", ACT_LARGE_WRITES},
    {"writes", "writes", ACT_WRITES},
    {"device-writes", "device-writes", ACT_DEVICE_WRITES},
    {0},
};

static const struct act_grammar GRAMMARS[] = {
    {1, 1, "After ", true, true, false, OLD_NAMES},
    {2, 4, "After ", true, false, false, OLD_NAMES},
    {5, 5, "after ", false, false, false, NAMES},
    {6, 6, "after ", false, false, true, NAMES},
};

/* A number of at most three digits at *text. */
static bool take_number(const char **text, const char *end, unsigned *ret)
{
	const char *start = *text;
	unsigned number = 0;

	for (; *text < end && **text >= '0' && **text <= '9'; (*text)++) {
		if (*text - start == 3)
			return false;
		number = number * 10 + (unsigned)(**text - '0');
	}
	*ret = number;
	return *text > start;
}

bool act_grammar_banner(const char *line, size_t length, unsigned *ret_major, unsigned *ret_minor)
{
	static const char *const prefixes[] = {"ACT version ", "Aerospike act version "};
	static const char first[] = "Aerospike act - ";
	unsigned major = 1;
	unsigned minor = 0;

	if (length >= sizeof(first) - 1 && !memcmp(line, first, sizeof(first) - 1)) {
		*ret_major = major;
		*ret_minor = minor;
		return true;
	}
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t skip = strlen(prefixes[i]);
		const char *text = line + skip;

		if (length <= skip || memcmp(line, prefixes[i], skip) != 0 ||
		    !take_number(&text, line + length, &major))
			continue;
		if (text < line + length && *text == '.') {
			text++;
			if (!take_number(&text, line + length, &minor))
				return false;
		}
		*ret_major = major;
		*ret_minor = minor;
		return true;
	}
	return false;
}

const struct act_grammar *act_grammar_find(unsigned major)
{
	for (size_t i = 0; i < sizeof(GRAMMARS) / sizeof(GRAMMARS[0]); i++)
		if (major >= GRAMMARS[i].major_min && major <= GRAMMARS[i].major_max)
			return &GRAMMARS[i];
	return NULL;
}

/* Our own log has a banner of 6.x too, but lines "# {...}" with it; it begins with
 * our name. */
bool act_grammar_recognises(const char *text, size_t length)
{
	static const char own[] = "actcert ";
	const char *end = text + length;
	unsigned major;
	unsigned minor;

	if (length >= sizeof(own) - 1 && !memcmp(text, own, sizeof(own) - 1))
		return false;
	if (memmem(text, length, "\n# {", 4))
		return false;
	for (int i = 0; i < BANNER_LINES_MAX && text < end; i++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t line = (size_t)((newline ? newline : end) - text);

		if (act_grammar_banner(text, line, &major, &minor))
			return true;
		text += line + 1;
	}
	return false;
}

const struct act_name *act_grammar_name(const struct act_grammar *grammar, const char *tag)
{
	for (const struct act_name *name = grammar->names; name->tag; name++)
		if (!strcmp(name->tag, tag))
			return name;
	return NULL;
}
