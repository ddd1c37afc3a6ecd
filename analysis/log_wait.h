#pragma once
#include <stdbool.h>

/*
 * For a log that is still being written. The reader calls `more` at the end of
 * what is there: it waits a while and returns true, after which the stream is read
 * again, or false when nothing more will come.
 */
struct log_wait {
	bool (*more)(void *context);
	void *context;
};
