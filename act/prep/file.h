#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/payload/label.h"

/*
 * Regular files to be prepared: made with all their room, and with a label, so that they
 * can be known as ours from the first moment on.
 */

/* What all sizes of files must be a multiple of. */
#define FILE_ALIGN_BYTES 4096

struct file_request {
	const char *path;
	uint64_t size_bytes;      /* multiple of FILE_ALIGN_BYTES, more than LABEL_AREA_BYTES */
	struct label label;       /* of a new preparation */
	const volatile int *stop; /* may be NULL */
};

/*
 * Opens the file, or makes it, and gives it exactly this size with all the room taken and
 * a label. A file of this size that has a label for it is left as it is. Checks first that
 * the file system has the room, and 5 % or 64 MiB more, whichever is more. What exists and is
 * no regular file is refused; the caller has had device_examine agree to the rest. Fills the
 * descriptor (O_DIRECT; the caller closes), the label that is on the file now, and whether
 * the file was made here. On failure a file that was made here is gone again.
 * Errors as those of fill_file.
 */
int file_make(const struct file_request *request, int *ret_fd, struct label *ret_label,
	      bool *ret_made, struct error *err);

/* Says what the failure `code` (a positive errno value) of writing the file means, and
 * returns -code. `fd` may be -1. */
int file_explain(const char *path, int fd, uint64_t size_bytes, int code, struct error *err);
