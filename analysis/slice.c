#include "analysis/slice.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct judgement *slice_judgement(struct slice *slice, size_t number)
{
	return number == 0 ? &slice->all : &slice->devices[number - 1];
}

struct slice *slice_new(size_t device_count, size_t stream_count)
{
	size_t judgements_bytes = device_count * sizeof(struct judgement);
	size_t streams_bytes = stream_count * sizeof(struct summary);
	char *memory =
	    calloc(1, sizeof(struct slice) + judgements_bytes + (device_count + 1) * streams_bytes);

	if (!memory)
		return NULL;

	struct slice *slice = (struct slice *)(void *)memory;

	memory += sizeof(*slice);
	slice->devices = (struct judgement *)(void *)memory;
	memory += judgements_bytes;
	for (size_t i = 0; i <= device_count; i++, memory += streams_bytes)
		slice_judgement(slice, i)->streams = (struct summary *)(void *)memory;
	return slice;
}

void slice_free(struct slice *slice)
{
	if (slice)
		free(slice->all.reasons); /* the start of the one piece for all */
	free(slice);
}

int slice_set_reasons(struct slice *slice, const struct reason_list *lists, size_t device_count)
{
	size_t count = 0;

	for (size_t i = 0; i <= device_count; i++) {
		slice_judgement(slice, i)->verdict = reason_verdict(&lists[i]);
		slice->verdict = verdict_gravest(slice->verdict, reason_verdict(&lists[i]));
		count += lists[i].count;
	}
	if (count == 0)
		return 0;

	struct reason *reasons = calloc(count, sizeof(*reasons));

	if (!reasons)
		return -ENOMEM;
	for (size_t i = 0; i <= device_count; i++) {
		struct judgement *judgement = slice_judgement(slice, i);

		judgement->reasons = reasons;
		judgement->reason_count = lists[i].count;
		memcpy(reasons, lists[i].items, lists[i].count * sizeof(*reasons));
		reasons += lists[i].count;
	}
	return 0;
}

const struct reason *judgement_find_reason(const struct judgement *judgement, enum verdict verdict)
{
	for (size_t i = 0; i < judgement->reason_count; i++)
		if (judgement->reasons[i].verdict == verdict)
			return &judgement->reasons[i];
	return NULL;
}

/* The device's first reason for the slice's verdict; NULL when it has none, or only what
 * holds for all devices, which is not its fault. */
static const struct reason *own_reason(const struct slice *slice, size_t device)
{
	const struct reason *all = judgement_find_reason(&slice->all, slice->verdict);
	const struct reason *own = judgement_find_reason(&slice->devices[device], slice->verdict);

	return own && all && strcmp(own->text, all->text) == 0 ? NULL : own;
}

void slice_explain(const struct run_info *info, const struct slice *slice,
		   char text[static REASON_BYTES])
{
	const struct reason *all = judgement_find_reason(&slice->all, slice->verdict);
	size_t first = info->device_count;
	size_t count = 0;
	int used;

	for (size_t i = 0; i < info->device_count && info->device_count > 1; i++) {
		if (!own_reason(slice, i))
			continue;
		if (count++ == 0)
			first = i;
	}
	if (count == 0) {
		snprintf(text, REASON_BYTES, "%s", all ? all->text : "");
		return;
	}
	used = snprintf(text, REASON_BYTES, "%.60s: %.*s", info->devices[first].name,
			count > 1 ? 150 : 190, own_reason(slice, first)->text);
	if (count > 1)
		snprintf(text + used, REASON_BYTES - (size_t)used, "; %zu of %zu devices %s", count,
			 info->device_count, verdict_name(slice->verdict));
}
