#include "act/workload/workload.h"

#include "act/workload/storage.h"

static void add_only_phase(const struct config *config, struct workload *workload)
{
	struct workload_phase *phase = &workload->phases[workload->phase_count++];

	*phase = (struct workload_phase){.end_ns = config->duration_ns, .judged = true};
	for (size_t i = 0; i < workload->stream_count; i++)
		phase->per_sec[i] = workload->streams[i].per_sec;
}

int workload_compile(const struct config *config, struct workload *ret, struct error *err)
{
	int rc = workload_storage(config, ret, err);

	if (rc == 0)
		add_only_phase(config, ret);
	return rc;
}
