#pragma once
/*
 * Loop devices with direct I/O for tests: a block device over a file. Needs root
 * and /dev/loop-control; a test that gets an error skips.
 */

#define LOOP_PATH_BYTES 64

/* Puts a free loop device over `file` with sectors of `sector_bytes` (512 or
 * 4096; the file's size should be a multiple), with partitions allowed. Fills
 * `ret_path` ("/dev/loop7") and returns 0, or -errno. Undo with loop_detach. */
int loop_attach(const char *file, unsigned sector_bytes, char ret_path[LOOP_PATH_BYTES]);

/* Takes the device away, also when it is not there (any more). Unmount first. */
void loop_detach(const char *path);
