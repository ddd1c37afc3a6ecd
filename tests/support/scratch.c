#include "tests/support/scratch.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void need(int holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	abort();
}

void scratch_make(char ret_folder[SCRATCH_PATH_BYTES])
{
	snprintf(ret_folder, SCRATCH_PATH_BYTES, "/var/tmp/actcert-test-XXXXXX");
	need(mkdtemp(ret_folder) != NULL, ret_folder);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

void scratch_remove(const char *folder)
{
	nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void scratch_path(char ret_path[SCRATCH_PATH_BYTES], const char *folder, const char *name)
{
	int length = snprintf(ret_path, SCRATCH_PATH_BYTES, "%s/%s", folder, name);

	need(length < SCRATCH_PATH_BYTES, "too long a path");
}

void scratch_write(const char *path, const void *data, size_t length)
{
	FILE *file = fopen(path, "we");

	need(file != NULL, path);
	need(fwrite(data, 1, length, file) == length, path);
	need(fclose(file) == 0, path);
}

void scratch_sparse(const char *path, uint64_t size_bytes)
{
	scratch_write(path, "", 0);
	need(truncate(path, (off_t)size_bytes) == 0, path);
}

void *scratch_read(const char *path, size_t *ret_length)
{
	FILE *file = fopen(path, "re");
	struct stat st;
	size_t length;
	char *data;

	need(file != NULL, path);
	need(fstat(fileno(file), &st) == 0, path);
	length = (size_t)st.st_size;
	data = malloc(length + 1);
	need(data != NULL, path);
	need(fread(data, 1, length, file) == length, path);
	fclose(file);
	data[length] = '\0';
	*ret_length = length;
	return data;
}
