#pragma once
#include <stdlib.h>

#include "tests/act/config/memory_file.h"

/* What was told while a config was loaded, a line each, in which its file is called F. */
#define TOLD_BYTES 8192
struct told {
	const char *path;
	char text[TOLD_BYTES];
};

static inline void shorten_path(const char *from, const char *path, char *to, size_t size)
{
	size_t length = strlen(to);

	while (*from != '\0' && length + 1 < size) {
		size_t skip = strncmp(from, path, strlen(path)) == 0 ? strlen(path) : 1;
		to[length++] = skip > 1 ? 'F' : *from;
		from += skip;
	}
	to[length] = '\0';
}

static inline void tell(void *state, const char *line)
{
	struct told *told = state;

	cr_assert_eq(strpbrk(line, "\n\r"), NULL, "%s", line);
	shorten_path(line, told->path, told->text, sizeof(told->text));
	strcat(told->text, "\n");
}

/* Loads a text as a file, settles, checks and tells it: 0 or -errno, with the error's text. */
static inline int load_text_as(enum config_act act, struct config *config, const char *text,
			       struct told *told, char error[static ERROR_TEXT_BYTES])
{
	const struct config_notice notice = {.say = tell, .state = told};
	struct error err = {.text = ""};
	char path[64];

	*told = (struct told){.path = path};
	*error = '\0';
	int fd = memory_file(text, strlen(text), path);
	config_defaults(config);
	int rc = config_load_file(config, path, act, &notice, &err);
	if (rc == 0)
		rc = config_settle(config, &err);
	if (rc == 0)
		rc = config_check(config, &err);
	if (rc == 0)
		config_tell(config, &notice);
	close(fd);
	cr_assert((rc == 0) == (err.text[0] == '\0'), "%s", err.text);
	cr_assert(rc == 0 || err.status == EXIT_USAGE);
	shorten_path(err.text, path, error, ERROR_TEXT_BYTES);
	return rc;
}

static inline int load_text(struct config *config, const char *text, struct told *told,
			    char error[static ERROR_TEXT_BYTES])
{
	return load_text_as(CONFIG_ACT_BY_CONTENT, config, text, told, error);
}
