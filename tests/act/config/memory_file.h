#pragma once
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/config/config.h"

/* Makes a file that exists in memory only; its path in `path`. The caller closes
 * the descriptor. */
static inline int memory_file(const char *bytes, size_t length, char path[static 64])
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	cr_assert(fd >= 0);
	cr_assert(write(fd, bytes, length) == (ssize_t)length);
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

/* Reads `bytes` over `config`, settles and checks it: 0, or -errno with the error's text
 * in `text`, in which the file is called F. */
static inline int parse_bytes(struct config *config, const char *bytes, size_t length,
			      char text[static ERROR_TEXT_BYTES])
{
	struct error err = {.status = EXIT_PASS, .text = ""};
	char path[64];
	char *to = text;

	int fd = memory_file(bytes, length, path);
	int rc = config_parse_file(config, path, &err);
	if (rc == 0)
		rc = config_settle(config, &err);
	if (rc == 0)
		rc = config_check(config, &err);
	close(fd);
	cr_assert(rc <= 0);
	cr_assert((rc == 0) == (err.text[0] == '\0'), "%s", err.text);
	cr_assert(rc == 0 || err.status == EXIT_USAGE);
	for (const char *from = err.text; *from != '\0';) {
		size_t skip = strncmp(from, path, strlen(path)) == 0 ? strlen(path) : 1;
		*to++ = skip > 1 ? 'F' : *from;
		from += skip;
	}
	*to = '\0';
	return rc;
}

static inline int parse_text(struct config *config, const char *bytes,
			     char text[static ERROR_TEXT_BYTES])
{
	return parse_bytes(config, bytes, strlen(bytes), text);
}
