#pragma once
#include "act/base/error.h"
#include "act/payload/label.h"

/* The label of an open device or file. `name` is for the error's text. */

/* Reads the newer copy: 1, 0 when there is none, or -errno (a device error). `fd` may
 * have O_DIRECT or not. */
int label_read(const char *name, int fd, struct label *ret, struct error *err);

/* Writes the label as its next generation (which it adds to *label) over the older copy
 * and has it made durable: 0 or -errno (a device error). The caller has made durable
 * what the label speaks of. */
int label_write(const char *name, int fd, struct label *label, struct error *err);

/* Makes all of the label's area zeros, durably: no label, and nothing of what was there before. 0
 * or -errno (a device error). */
int label_clear(const char *name, int fd, struct error *err);
