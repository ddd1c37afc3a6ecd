#include "act/prep/fill.h"

#include <errno.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "act/base/clock.h"
#include "act/device/label_io.h"
#include "act/prep/file.h"
#include "act/prep/pump.h"
#include "act/prep/state.h"
#include "act/prep/writer.h"

#define PROGRESS_NS (NS_PER_SEC / 2)

struct filler {
	const struct fill_request *request;
	uint64_t next_progress_ns;
};

static void report(void *state, uint64_t filled_bytes)
{
	struct filler *filler = state;
	const struct fill_request *request = filler->request;
	uint64_t done_bytes = LABEL_AREA_BYTES + filled_bytes;
	uint64_t now_ns = clock_now(clock_real());

	if (!request->progress ||
	    (now_ns < filler->next_progress_ns && done_bytes < request->size_bytes))
		return;
	filler->next_progress_ns = now_ns + PROGRESS_NS;
	request->progress(request->progress_state, done_bytes, request->size_bytes);
}

static struct label new_label(const struct fill_request *request)
{
	return (struct label){
	    .data_id = request->data_id,
	    .device_bytes = request->size_bytes,
	    .begun_s = (uint64_t)time(NULL),
	    .stage = LABEL_FILL,
	    .passes = 1,
	    .position_bytes = LABEL_AREA_BYTES,
	    .compress = request->compress,
	};
}

/* A filling that was cut short is gone on with when its data are of the kind that is
 * asked for now; another unfinished preparation is begun anew. */
static void choose_beginning(const struct fill_request *request, struct label *label)
{
	uint64_t generation = label->generation;

	if (label->stage == LABEL_FILL && ratio_compare(label->compress, request->compress) == 0 &&
	    label->position_bytes >= LABEL_AREA_BYTES &&
	    label->position_bytes <= label->device_bytes)
		return;
	*label = new_label(request);
	label->generation = generation;
}

static int fill(struct filler *filler, int fd, struct pump *pump, struct label *label,
		struct error *err)
{
	const struct fill_request *request = filler->request;
	struct writer writer = {
	    .name = request->path,
	    .fd = fd,
	    .label = label,
	    .pool = request->pool,
	    .pump = pump,
	    .clock = clock_real(),
	    .stop = request->stop,
	    .progress = report,
	    .progress_state = filler,
	};
	int rc = 0;

	choose_beginning(request, label);
	random_init(&writer.random, label->data_id, label->generation);
	while (rc == 0 && label->stage == LABEL_FILL) {
		/* First the label: what is overwritten next was perhaps complete. */
		rc = label_write(request->path, fd, label, err);
		if (rc < 0)
			return rc;
		rc = writer_fill(&writer, err);
		if (rc < 0)
			return file_explain(request->path, fd, request->size_bytes, -rc, err);
		label->overwrite = 0;
		state_advance(label, (uint64_t)time(NULL));
	}
	return label_write(request->path, fd, label, err);
}

int fill_file(const struct fill_request *request, struct error *err)
{
	struct filler filler = {.request = request};
	const struct file_request file = {
	    .path = request->path,
	    .size_bytes = request->size_bytes,
	    .label = new_label(request),
	    .stop = request->stop,
	};
	struct pump *pump = NULL;
	struct label label;
	bool made;
	int fd;
	int rc = file_make(&file, &fd, &label, &made, err);

	if (rc < 0)
		return rc;
	if (request->fill && !label_is_complete(&label, request->size_bytes)) {
		rc = pump_open(request->ops, fd, clock_real(), &pump, err);
		if (!rc)
			rc = fill(&filler, fd, pump, &label, err);
		pump_close(pump);
	}
	if (!rc)
		report(&filler, request->size_bytes - LABEL_AREA_BYTES);
	else if (made)
		unlink(request->path);
	close(fd);
	return rc;
}
