#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "act/base/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is accepted comes back the same from its own text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char input[256];
	char text[UNITS_TEXT_BYTES];
	uint64_t whole;
	uint64_t whole_again;
	struct ratio ratio;
	struct ratio again;

	if (size >= sizeof(input))
		return 0;
	memcpy(input, data, size);
	input[size] = '\0';
	if (units_parse_duration(input, &whole) == 0)
		assert(units_parse_duration(units_format_duration(text, whole), &whole_again) ==
			   0 &&
		       whole == whole_again);
	if (units_parse_size(input, &whole) == 0)
		assert(units_parse_size(units_format_size(text, whole), &whole_again) == 0 &&
		       whole == whole_again);
	if (units_parse_load(input, &ratio) == 0)
		assert(units_parse_load(units_format_load(text, ratio), &again) == 0 &&
		       ratio.num == again.num && ratio.den == again.den);
	if (units_parse_percent(input, &ratio) == 0)
		assert(units_parse_percent(units_format_percent(text, ratio), &again) == 0 &&
		       ratio.num == again.num && ratio.den == again.den);
	return 0;
}
