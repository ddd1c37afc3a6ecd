#include "tests/support/compile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int open_text(const char *text, char path[static 64])
{
	size_t length = strlen(text);
	char *copy = strdup(text);
	int fd = memfd_create("config", MFD_CLOEXEC);

	for (size_t i = 0; copy && i < length; i++)
		if (copy[i] == '\'')
			copy[i] = '"';
	if (!copy || fd < 0 || write(fd, copy, length) != (ssize_t)length)
		abort();
	free(copy);
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

/* The path of the file, wherever it stands, becomes F. */
static void shorten(struct error *err, const char *path)
{
	char *found;

	while ((found = strstr(err->text, path))) {
		size_t length = strlen(path);

		*found = 'F';
		memmove(found + 1, found + length, strlen(found + length) + 1);
	}
}

int compile_try(const char *text, struct config *ret_config, struct workload *ret,
		struct error *err)
{
	char path[64];
	int fd = open_text(text, path);

	config_defaults(ret_config);
	int rc = config_parse_file(ret_config, path, err);
	close(fd);
	if (rc == 0 && ret_config->target_count == 0)
		rc = config_add_device(ret_config, "test", "/dev/a", err);
	if (rc == 0)
		rc = config_settle(ret_config, err);
	if (rc == 0)
		rc = config_check(ret_config, err);
	if (rc == 0)
		rc = workload_compile(ret_config, ret, err);
	if (rc)
		shorten(err, path);
	return rc;
}

struct workload compile(const char *text)
{
	struct config config;
	struct workload workload;
	struct error err = {0};

	if (compile_try(text, &config, &workload, &err)) {
		fprintf(stderr, "%s\n%s\n", text, err.text);
		abort();
	}
	return workload;
}

const struct stream *compile_find(const struct workload *workload, const char *name)
{
	for (size_t i = 0; i < workload->stream_count; i++)
		if (strcmp(workload->streams[i].name, name) == 0)
			return &workload->streams[i];
	return NULL;
}

static bool is_as_asked(const struct stream *stream, const struct compile_rate *rate)
{
	if (rate->num == 0)
		return !stream;
	return stream && stream->per_sec.num == rate->num && stream->per_sec.den == rate->den;
}

int compile_compare(const struct compile_case *one)
{
	struct workload workload = compile(one->text);
	int differ = 0;

	for (const struct compile_rate *rate = one->rates; rate->name; rate++) {
		const struct stream *stream = compile_find(&workload, rate->name);

		if (is_as_asked(stream, rate))
			continue;
		fprintf(stderr, "%s: %s: %" PRIu64 "/%" PRIu64 ", not %" PRIu64 "/%" PRIu64 "\n",
			one->what, rate->name, stream ? stream->per_sec.num : 0,
			stream ? stream->per_sec.den : 0, rate->num, rate->den);
		differ++;
	}
	return differ;
}
