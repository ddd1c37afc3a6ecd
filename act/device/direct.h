#pragma once
#include <stdint.h>

#include "act/base/error.h"

/* Direct I/O on files: whether there is any, and how finely. For act/device and
 * act/prep. */

/* Finds the smallest block that O_DIRECT takes on the regular file `path`, open
 * for reading as `fd`. An environment error when its file system has no direct I/O. */
int direct_find_block(const char *path, int fd, uint32_t *ret_block_bytes, struct error *err);

/* Makes the environment error that the file system of `fd`, open on `path`, has no
 * direct I/O: names its type and what to do. Returns -EOPNOTSUPP. */
int direct_refused(const char *path, int fd, struct error *err);
