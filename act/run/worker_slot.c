#include "act/run/worker_private.h"

void worker_put_under_way(struct worker *worker, struct share *share, uint32_t index)
{
	struct slot *slot = &share->slots[index];

	slot->older = share->newest;
	slot->newer = SLOT_NONE;
	if (share->newest == SLOT_NONE)
		share->oldest = index;
	else
		share->slots[share->newest].newer = index;
	share->newest = index;
	worker->in_flight++;
}

void worker_take_back(struct worker *worker, struct share *share, uint32_t index)
{
	const struct slot *slot = &share->slots[index];

	if (slot->older == SLOT_NONE)
		share->oldest = slot->newer;
	else
		share->slots[slot->older].newer = slot->newer;
	if (slot->newer == SLOT_NONE)
		share->newest = slot->older;
	else
		share->slots[slot->newer].older = slot->older;
	worker->in_flight--;
}

void worker_free_slot(struct share *share, uint32_t index)
{
	share->slots[index].busy = false;
	/* A prepared slot stays on top of the stack. */
	if (share->prepared) {
		share->free[share->free_count] = share->free[share->free_count - 1];
		share->free[share->free_count - 1] = index;
	} else {
		share->free[share->free_count] = index;
	}
	share->free_count++;
}
