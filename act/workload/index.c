#include "act/workload/index.h"

#include <stdio.h>

#include "act/base/clock.h"
#include "act/workload/model.h"
#include "act/workload/rate.h"

#define INDEX_BYTES 4096

/* All rates that follow from the config, per device. */
struct index_model {
	struct ratio read_load; /* times the scale, like all that follows */
	struct ratio write_load;
	struct ratio client_writes;
	struct ratio transactions;
	struct ratio cache;
	struct ratio reads;
};

static int model_rates(const struct config *config, struct index_model *model)
{
	struct ratio kept =
	    ratio_make(config->defrag_lwm.den - config->defrag_lwm.num, config->defrag_lwm.den);
	struct ratio writes;
	struct ratio reads;

	if (ratio_multiply(config->read_load, config->scale, &model->read_load) ||
	    ratio_multiply(config->write_load, config->scale, &model->write_load))
		return -1;
	if (ratio_multiply(model->read_load, ratio_make(READS_PER_SEC_1X, 1), &reads) ||
	    ratio_multiply(model->write_load, ratio_make(WRITES_PER_SEC_1X, 1), &writes) ||
	    ratio_multiply(writes, ratio_make(config->replication_factor, 1),
			   &model->client_writes))
		return -1;
	if (ratio_add(reads, model->client_writes, &model->transactions) ||
	    ratio_multiply(model->client_writes, ratio_make(kept.den, kept.num), &model->cache) ||
	    ratio_add(model->transactions, model->cache, &model->reads))
		return -1;
	return 0;
}

static int add_streams(const struct config *config, const struct index_model *model,
		       struct workload *workload, struct error *err)
{
	const struct stream reads = {
	    .name = "reads",
	    .op = STREAM_READ,
	    .random = {1, 1},
	    .per_sec = model->reads,
	    .size_min_bytes = INDEX_BYTES,
	    .size_max_bytes = INDEX_BYTES,
	    .align_bytes = INDEX_BYTES,
	};
	struct stream writes = reads;
	bool of_writes = ratio_compare(model->cache, model->transactions) > 0; /* most of them */
	int rc =
	    model_add_stream(workload, &reads, config, of_writes ? "write-load" : "read-load", err);

	if (rc)
		return rc;
	snprintf(writes.name, sizeof(writes.name), "writes");
	writes.op = STREAM_WRITE;
	writes.dsync = config->odsync;
	writes.per_sec = model->cache;
	return model_add_stream(workload, &writes, config, "write-load", err);
}

/* The older tool's lines; its request rates are over all devices together. */
static void describe(const struct config *config, const struct index_model *model,
		     struct workload *workload)
{
	double devices = (double)config->target_count;

	snprintf(workload->configuration, sizeof(workload->configuration),
		 "test-duration-sec: %llu\n"
		 "report-interval-sec: %llu\n"
		 "microsecond-histograms: %s\n"
		 "read-reqs-per-sec: %.0f\n"
		 "write-reqs-per-sec: %.0f\n"
		 "replication-factor: %llu\n"
		 "defrag-lwm-pct: %g\n"
		 "disable-odsync: %s\n"
		 "max-lag-sec: %llu\n",
		 (unsigned long long)(config->duration_ns / NS_PER_SEC),
		 (unsigned long long)(config->interval_ns / NS_PER_SEC),
		 model_yes_no(config->microsecond_histograms),
		 devices * READS_PER_SEC_1X * ratio_to_double(model->read_load),
		 devices * WRITES_PER_SEC_1X * ratio_to_double(model->write_load),
		 (unsigned long long)config->replication_factor,
		 100.0 * ratio_to_double(config->defrag_lwm), model_yes_no(!config->odsync),
		 (unsigned long long)(config->max_lag_ns / NS_PER_SEC));
	snprintf(workload->derived, sizeof(workload->derived),
		 "service-thread-reads-per-sec: %.0f\n"
		 "cache-thread-reads-and-writes-per-sec: %.0f\n",
		 devices * ratio_to_double(model->transactions),
		 devices * ratio_to_double(model->cache));
}

int workload_index(const struct config *config, struct workload *ret, struct error *err)
{
	struct workload workload = {
	    .title = "ACT-INDEX",
	    .subtitle = "Index device IO test",
	    .judged = {"reads"},
	    .judged_count = 1,
	};
	struct index_model model;

	if (model_rates(config, &model))
		return model_refuse_rates(config, err);
	int rc = add_streams(config, &model, &workload, err);
	if (rc)
		return rc;
	describe(config, &model, &workload);
	workload.effective_load_read = ratio_to_double(model.reads) / READS_PER_SEC_1X;
	workload.effective_load_write = ratio_to_double(model.client_writes) / WRITES_PER_SEC_1X;
	*ret = workload;
	return 0;
}
