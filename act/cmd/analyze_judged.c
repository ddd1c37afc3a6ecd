#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "act/cmd/analyze.h"

void analyze_warn(const struct log_reader *reader, const char *path)
{
	uint64_t damaged = log_reader_damaged_lines(reader);

	if (damaged > 0)
		fprintf(stderr, "actcert: %s: %" PRIu64 " lines could not be read\n", path,
			damaged);
}

/* Feeds all of the log to the judge. */
static int judge_log(struct log_reader *reader, struct judge *judge, struct run_end *ret_end,
		     struct error *err)
{
	enum log_event event = LOG_INTERVAL;
	int rc = 0;

	while (rc == 0 && event != LOG_FINISHED) {
		rc = log_reader_next(reader, &event, err);
		if (rc == 0 && event == LOG_INTERVAL)
			judge_interval(judge, log_reader_interval(reader));
		if (rc == 0 && event == LOG_END)
			*ret_end = *log_reader_end(reader);
	}
	return rc;
}

int analyze_judge(const struct analyze_arguments *arguments, const char *path,
		  struct analyze_judged *judged, struct error *err)
{
	struct run_end end = {.reason = END_NONE};
	int rc;

	judged->stream = log_input_stream(judged->source.input);
	if (!judged->stream)
		return error_environment(err, ENOMEM, "%s: not enough memory", path);
	rc = log_reader_new(judged->stream, path, &judged->reader, err);
	if (rc < 0)
		return rc;
	rc =
	    judge_new_as(log_reader_info(judged->reader), &arguments->options, &judged->judge, err);
	if (rc < 0) {
		error_prefix(err, path);
		return rc;
	}
	rc = judge_log(judged->reader, judged->judge, &end, err);
	if (rc < 0)
		return rc;
	judged->result = judge_finish(judged->judge, &end);
	analyze_warn(judged->reader, path);
	return 0;
}

void analyze_judged_close(struct analyze_judged *judged)
{
	judge_free(judged->judge);
	log_reader_free(judged->reader);
	if (judged->stream)
		fclose(judged->stream);
	if (judged->source.input)
		analyze_close(&judged->source);
}

int analyze_open(const char *path, struct analyze_source *ret, struct error *err)
{
	struct analyze_source source = {
	    .fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)};
	int rc;

	if (source.fd < 0)
		return error_usage(err, errno, "%s: %s", path, strerror(errno));
	rc = log_input_new(source.fd, &source.input);
	if (rc == 0)
		rc = log_input_kind(source.input, &source.kind);
	if (rc < 0) {
		error_environment(err, -rc, "%s: cannot be read: %s", path, strerror(-rc));
		analyze_close(&source);
		return rc;
	}
	*ret = source;
	return 0;
}

void analyze_close(struct analyze_source *source)
{
	log_input_free(source->input);
	if (source->fd != STDIN_FILENO)
		close(source->fd);
}
