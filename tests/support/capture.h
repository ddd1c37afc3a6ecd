#pragma once
#include <stdio.h>

/* What a function prints to a stream, as one heap string; the caller frees it. */
struct capture {
	char *text;
	size_t length;
	FILE *stream;
};

FILE *capture_start(struct capture *capture);
/* Closes the stream; capture->text is whole then. */
void capture_end(struct capture *capture);
