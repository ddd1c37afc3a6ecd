#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/config/config.h"
#include "act/workload/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

static void expect_line(void *state, const char *line)
{
	(void)state;
	assert(is_one_line(line));
}

static int load_bytes(struct config *config, const void *data, size_t size, struct error *err)
{
	const struct config_notice notice = {.say = expect_line};
	char path[64];

	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	assert(fd >= 0);
	ssize_t written = write(fd, data, size);
	assert(written == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	config_defaults(config);
	int rc = config_load_file(config, path, CONFIG_ACT_BY_CONTENT, &notice, err);
	if (rc == 0)
		rc = config_settle(config, err);
	if (rc == 0)
		rc = config_check(config, err);
	close(fd);
	return rc;
}

/*
 * Any bytes, as an old config or as one of ours, are either refused in one line, or
 * give a config that is printed as a native one with the same plan.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config config;
	struct config again;
	struct workload workload;
	struct workload workload_again;
	struct error err = {.text = ""};

	int rc = load_bytes(&config, data, size, &err);
	if (rc != 0) {
		assert(rc < 0 && err.status == EXIT_USAGE && is_one_line(err.text));
		return 0;
	}
	char *first = config_print(&config);
	assert(first);
	rc = load_bytes(&again, first, strlen(first), &err);
	if (rc != 0) {
		fprintf(stderr, "%s\n%s", err.text, first);
		abort();
	}
	char *second = config_print(&again);
	assert(second && strcmp(first, second) == 0);
	assert(ratio_compare(again.read_load, config.read_load) == 0);
	assert(ratio_compare(again.write_load, config.write_load) == 0);
	rc = workload_compile(&config, &workload, &err);
	assert(workload_compile(&again, &workload_again, NULL) == rc);
	assert(rc != 0 || strcmp(workload.derived, workload_again.derived) == 0);
	free(first);
	free(second);
	return 0;
}
