#include <inttypes.h>

#include "analysis/figures.h"
#include "analysis/run_verdict.h"
#include "analysis/slice.h"

/* The sentence on a run with phases: it speaks of the phase in which things went wrong
 * first, as that is where the device's limit lies. */

static bool has_verdict(const struct result *result, size_t phase, enum verdict verdict)
{
	return result->phases[phase].slice_count > 0 && result->phases[phase].verdict == verdict;
}

static size_t first_phase(const struct result *result, enum verdict verdict)
{
	size_t phase = 0;

	while (phase + 1 < result->info->phase_count && !has_verdict(result, phase, verdict))
		phase++;
	return phase;
}

/* Of the judged phases before `end`, those that passed, or all that there were. */
static size_t count_judged(const struct result *result, size_t end, bool passed_only)
{
	size_t count = 0;

	for (size_t i = 0; i < end; i++)
		count += result->info->phases[i].judged &&
			 (!passed_only || has_verdict(result, i, VERDICT_PASS));
	return count;
}

static const char *first_name(const struct result *result)
{
	return result->verdict == VERDICT_FAIL ? "first to fail" : "first INVALID";
}

/* "; 20 phases before it passed" */
static void append_before(struct result *result, size_t first)
{
	size_t before = count_judged(result, first, false);
	size_t passed = count_judged(result, first, true);

	if (passed > 0 && passed == before)
		run_append(result, "; %zu phase%s before it passed", passed,
			   passed == 1 ? "" : "s");
	else if (before > 0)
		run_append(result, "; %zu of %zu phases before it passed", passed, before);
}

static void append_count(struct result *result)
{
	size_t phases = result->info->phase_count;
	size_t count = 0;

	for (size_t i = 0; i < phases; i++)
		count += has_verdict(result, i, result->verdict);
	if (phases > 1)
		run_append(result, "; %zu of %zu phases %s", count, phases,
			   verdict_name(result->verdict));
}

void run_explain_phases(struct result *result)
{
	const struct run_info *info = result->info;
	size_t first = first_phase(result, result->verdict);
	const struct slice *slice = result->slices[result->phases[first].worst];
	const struct slice *worst = result->slices[result->worst];
	bool of_first = true;
	char text[REASON_BYTES];
	char start[FIGURE_BYTES];

	/* Failed requests and wrong data are told before anything else. */
	if (run_slice_has_errors(info, worst) && !run_slice_has_errors(info, slice)) {
		slice = worst;
		of_first = slice->phase == first;
	}
	slice_explain(info, slice, text);
	if (of_first && info->phase_count > 1)
		run_append(result, "%s: ", first_name(result));
	else
		run_append(result, "phase ");
	run_append(result, "'%.48s' (slice %" PRIu64 ", from %s): %.200s",
		   info->phases[slice->phase].name, slice->number,
		   figure_clock(start, slice->start_ns), text);
	if (of_first)
		append_before(result, first);
	else
		run_append(result, "; %s: '%.48s'", first_name(result), info->phases[first].name);
	append_count(result);
}
