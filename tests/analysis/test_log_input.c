#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "analysis/log_input.h"

static int make_file(const void *text, size_t length)
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	cr_assert(ge(int, fd, 0));
	cr_assert(write(fd, text, length) == (ssize_t)length);
	cr_assert(lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static int make_gzip(const char *text, size_t repeat)
{
	int fd = memfd_create("log", MFD_CLOEXEC);
	gzFile file = gzdopen(dup(fd), "wb");

	for (size_t i = 0; i < repeat; i++)
		cr_assert(gzwrite(file, text, (unsigned)strlen(text)) > 0);
	gzclose(file);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static size_t read_all(struct log_input *input, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	while ((got = log_input_read(input, text + length, size - length)) > 0)
		length += (size_t)got;
	cr_assert(eq(int, (int)got, 0));
	return length;
}

Test(log_input, kinds_and_the_same_bytes_after)
{
	static const struct {
		const char *text;
		enum log_kind kind;
	} logs[] = {
	    {"\nACT version 6.6\nStorage device IO test\n", LOG_KIND_ACT},
	    {"\nAerospike act - device IO test\n", LOG_KIND_ACT},
	    {"actcert 1.0\nACT version 6.6\n# {\"run\":{}}\n", LOG_KIND_OWN},
	    {"something else\n", LOG_KIND_OWN},
	    {"", LOG_KIND_OWN},
	};

	for (size_t i = 0; i < 2 * sizeof(logs) / sizeof(logs[0]); i++) {
		const char *text = logs[i / 2].text;
		int fd = i % 2 && *text ? make_gzip(text, 1) : make_file(text, strlen(text));
		struct log_input *input;
		enum log_kind kind;
		char bytes[100];

		cr_assert(eq(int, log_input_new(fd, &input), 0));
		cr_assert(eq(int, log_input_kind(input, &kind), 0));
		cr_assert(eq(int, (int)kind, (int)logs[i / 2].kind), "%s", text);
		cr_assert(eq(sz, read_all(input, bytes, sizeof(bytes)), strlen(text)));
		cr_assert(not(memcmp(bytes, text, strlen(text))));
		log_input_free(input);
		close(fd);
	}
}

/* More than what is looked at first, in gzip, as a stream. */
Test(log_input, stream)
{
	static const char line[] = "0123456789abcdef\n";
	int fd = make_gzip(line, 100000);
	struct log_input *input;
	enum log_kind kind;
	char text[32];
	size_t lines = 0;

	cr_assert(eq(int, log_input_new(fd, &input), 0));
	cr_assert(eq(int, log_input_kind(input, &kind), 0));

	FILE *stream = log_input_stream(input);

	cr_assert(stream != NULL);
	while (fgets(text, sizeof(text), stream)) {
		cr_assert(not(strcmp(text, line)));
		lines++;
	}
	cr_assert(feof(stream));
	cr_assert(eq(sz, lines, 100000));
	fclose(stream);
	log_input_free(input);
	close(fd);
}

Test(log_input, a_file_that_grows)
{
	int fd = make_file("one\n", 4);
	struct log_input *input;
	char text[100];

	cr_assert(eq(int, log_input_new(fd, &input), 0));
	cr_assert(eq(sz, read_all(input, text, sizeof(text)), 4));
	cr_assert(eq(sz, read_all(input, text, sizeof(text)), 0));
	cr_assert(pwrite(fd, "two\n", 4, 4) == 4);
	cr_assert(eq(sz, read_all(input, text, sizeof(text)), 4));
	cr_assert(not(memcmp(text, "two\n", 4)));
	log_input_free(input);
	close(fd);
}

Test(log_input, damaged_gzip_and_what_cannot_be_read)
{
	int good = make_gzip("ACT version 6.6\n", 1000);
	unsigned char bytes[4096];
	ssize_t length = read(good, bytes, sizeof(bytes));
	struct log_input *input;
	enum log_kind kind;

	cr_assert(length > 30);
	memset(bytes + 12, 0xff, (size_t)length - 12);

	int bad = make_file(bytes, (size_t)length);

	cr_assert(eq(int, log_input_new(bad, &input), 0));
	cr_assert(eq(int, log_input_kind(input, &kind), -EBADMSG));
	log_input_free(input);
	close(bad);
	close(good);

	int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	cr_assert(eq(int, log_input_new(folder, &input), 0));
	cr_assert(eq(int, log_input_kind(input, &kind), -EISDIR));
	log_input_free(input);
	close(folder);
}
