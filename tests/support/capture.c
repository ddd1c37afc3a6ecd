#include "tests/support/capture.h"

#include <stdlib.h>

FILE *capture_start(struct capture *capture)
{
	capture->stream = open_memstream(&capture->text, &capture->length);
	if (!capture->stream)
		abort();
	return capture->stream;
}

void capture_end(struct capture *capture)
{
	if (fclose(capture->stream) != 0)
		abort();
}
