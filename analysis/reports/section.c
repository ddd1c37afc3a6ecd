#include "analysis/reports/section.h"

#include "analysis/figures.h"

static size_t count_devices(const struct run_info *info, size_t stream)
{
	size_t count = 0;

	for (size_t i = 0; i < info->device_count; i++)
		count += run_info_is_issued(info, info->phase_count, i, stream);
	return count;
}

static void print_stream(const struct result *result, size_t stream, unsigned columns,
			 section_print *print, FILE *out)
{
	const struct run_info *info = result->info;
	size_t devices = count_devices(info, stream);
	bool each = info->device_count > 1 && (devices == 1 || judge_is_judged(info, stream));
	struct section section = {result, 0, stream, columns};

	if (info->device_count == 1 || devices != 1)
		print(&section, out);
	for (size_t i = 0; each && i < info->device_count; i++) {
		section.judgement = i + 1;
		if (run_info_is_issued(info, info->phase_count, i, stream))
			print(&section, out);
	}
}

void sections_print(const struct result *result, bool judged, unsigned columns,
		    section_print *print, FILE *out)
{
	for (size_t i = 0; i < result->info->stream_count; i++)
		if (judge_is_judged(result->info, i) == judged)
			print_stream(result, i, columns, print, out);
}

/* "5 % over 1 ms, 1 % over 8 ms" */
static void print_limits(const struct run_info *info, size_t stream, FILE *out)
{
	const char *between = "";
	struct ratio limit;
	char text[FIGURE_BYTES];
	char threshold[FIGURE_BYTES];

	for (size_t i = 0; i < info->criterion_count; i++) {
		if (!judge_limit(info, stream, i, &limit))
			continue;
		fprintf(out, "%s%s over %s", between, figure_limit(text, limit),
			figure_duration(threshold, info->criteria[i].threshold_ns, 7));
		between = ", ";
	}
}

void section_print_title(const struct section *section, FILE *out)
{
	const struct run_info *info = section->result->info;
	const char *device = section->judgement       ? info->devices[section->judgement - 1].name
			     : info->device_count > 1 ? "all devices"
						      : info->devices[0].name;

	fprintf(out, "\n%s, %s (", info->streams[section->stream].name, device);
	if (!judge_is_judged(info, section->stream))
		fputs("not judged", out);
	else if (info->stress)
		fputs("stress: latency is shown, not judged", out);
	else
		print_limits(info, section->stream, out);
	fputs(")\n", out);
}

const struct summary *section_sums(const struct section *section, const struct judgement *all,
				   const struct judgement *devices)
{
	const struct judgement *of = section->judgement ? &devices[section->judgement - 1] : all;

	return &of->streams[section->stream];
}

const char *section_verdict(const struct section *section, size_t phase, enum verdict verdict)
{
	const struct run_info *info = section->result->info;
	size_t device = section->judgement ? section->judgement - 1 : info->device_count;
	bool judged = judge_is_judged(info, section->stream) &&
		      run_info_is_issued(info, phase, device, section->stream);

	if (!judged ||
	    (phase < info->phase_count && !info->phases[phase].judged && verdict == VERDICT_PASS))
		return "-";
	return verdict_name(verdict);
}
