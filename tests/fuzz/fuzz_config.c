#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int parse_bytes(struct config *config, const void *data, size_t size, struct error *err)
{
	char path[64];

	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	assert(fd >= 0);
	ssize_t written = write(fd, data, size);
	assert(written == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	config_defaults(config);
	int rc = config_parse_file(config, path, err);
	close(fd);
	if (rc == 0)
		rc = config_settle(config, err);
	return rc == 0 ? config_check(config, err) : rc;
}

static int is_one_line(const char *text)
{
	if (*text == '\0')
		return 0;
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return 0;
	}
	return 1;
}

/*
 * Any bytes are either refused in one line, or give a config that comes back the
 * same when it is printed and read again. Nothing is opened but the input:
 * @include is refused.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config config;
	struct config again;
	struct error err = {.text = ""};

	int rc = parse_bytes(&config, data, size, &err);
	if (rc != 0) {
		assert(rc < 0 && err.status == EXIT_USAGE && is_one_line(err.text));
		return 0;
	}
	char *first = config_print(&config);
	assert(first);
	rc = parse_bytes(&again, first, strlen(first), &err);
	if (rc != 0) {
		fprintf(stderr, "%s\n%s", err.text, first);
		abort();
	}
	char *second = config_print(&again);
	assert(second && strcmp(first, second) == 0);
	assert(again.seed == config.seed && again.target_count == config.target_count);
	assert(ratio_compare(again.read_load, config.read_load) == 0);
	free(first);
	free(second);
	return 0;
}
