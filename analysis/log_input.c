#include "analysis/log_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "analysis/act_grammar.h"

#define HEAD_BYTES     ((size_t)64 << 10)
#define INFLATE_BUFFER (256U << 10)

struct log_input {
	gzFile file;
	size_t head_start; /* what was looked at, but not taken, is head[start..end) */
	size_t head_end;
	char head[HEAD_BYTES];
};

int log_input_new(int fd, struct log_input **ret)
{
	struct log_input *input = malloc(sizeof(*input));
	int own = input ? dup(fd) : -1;

	if (!input || own < 0)
		goto fail;
	input->head_start = input->head_end = 0;
	input->file = gzdopen(own, "rb"); /* which reads what is not gzip as it is */
	if (!input->file)
		goto fail;
	gzbuffer(input->file, INFLATE_BUFFER);
	*ret = input;
	return 0;
fail:
	if (own >= 0)
		close(own);
	free(input);
	return -ENOMEM;
}

void log_input_free(struct log_input *input)
{
	if (!input)
		return;
	gzclose_r(input->file);
	free(input);
}

static ssize_t read_file(struct log_input *input, void *buffer, size_t size)
{
	unsigned piece = size > (1U << 30) ? 1U << 30 : (unsigned)size;
	int got = gzread(input->file, buffer, piece);
	int code;

	if (got > 0)
		return got;
	gzerror(input->file, &code);
	if (code == Z_ERRNO)
		return errno ? -errno : -EIO;
	if (code == Z_MEM_ERROR)
		return -ENOMEM;
	if (code == Z_DATA_ERROR)
		return -EBADMSG;
	gzclearerr(input->file); /* the end, so far */
	return 0;
}

ssize_t log_input_read(struct log_input *input, void *buffer, size_t size)
{
	size_t held = input->head_end - input->head_start;

	if (held == 0)
		return read_file(input, buffer, size);
	if (held > size)
		held = size;
	memcpy(buffer, input->head + input->head_start, held);
	input->head_start += held;
	return (ssize_t)held;
}

int log_input_kind(struct log_input *input, enum log_kind *ret)
{
	while (input->head_end < HEAD_BYTES) {
		ssize_t got =
		    read_file(input, input->head + input->head_end, HEAD_BYTES - input->head_end);

		if (got < 0)
			return (int)got;
		if (got == 0)
			break;
		input->head_end += (size_t)got;
	}
	*ret = act_grammar_recognises(input->head, input->head_end) ? LOG_KIND_ACT : LOG_KIND_OWN;
	return 0;
}

static ssize_t stream_read(void *cookie, char *buffer, size_t size)
{
	ssize_t got = log_input_read(cookie, buffer, size);

	if (got < 0)
		errno = (int)-got;
	return got < 0 ? -1 : got;
}

FILE *log_input_stream(struct log_input *input)
{
	return fopencookie(input, "r", (cookie_io_functions_t){.read = stream_read});
}
