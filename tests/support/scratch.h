#pragma once
#include <stddef.h>
#include <stdint.h>

/* A folder of its own for a test, on a real disk where there is one: O_DIRECT
 * works there. Failures end the process: no test can go on without. */

#define SCRATCH_PATH_BYTES 160

/* Makes an empty folder; remove it with scratch_remove. */
void scratch_make(char ret_folder[SCRATCH_PATH_BYTES]);
/* Removes the folder and all in it; mounts in it must be gone. */
void scratch_remove(const char *folder);

/* Path of `name` in the folder. */
void scratch_path(char ret_path[SCRATCH_PATH_BYTES], const char *folder, const char *name);

/* Makes or replaces a file with these bytes. */
void scratch_write(const char *path, const void *data, size_t length);
/* Makes or replaces a file of this size without content (sparse). */
void scratch_sparse(const char *path, uint64_t size_bytes);
/* Whole content of a file, and a '\0' behind it; *ret_length is its size. The caller frees. */
void *scratch_read(const char *path, size_t *ret_length);
