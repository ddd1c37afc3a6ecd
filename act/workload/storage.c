#include "act/workload/storage.h"

#include <stdio.h>

#include "act/base/clock.h"
#include "act/workload/model.h"
#include "act/workload/rate.h"

#define RECORD_STEP_BYTES 16

/* All rates that follow from the config. */
struct model {
	uint64_t record_min_bytes;
	uint64_t record_max_bytes;
	struct ratio read_load; /* times the scale, like all that follows */
	struct ratio write_load;
	struct ratio reads;
	struct ratio client_writes;
	struct ratio blocks;
	struct ratio large_reads;
	struct ratio large_writes;
	struct ratio tomb_raider;
};

static uint64_t record_stored_bytes(uint64_t bytes)
{
	return (bytes + RECORD_STEP_BYTES - 1) / RECORD_STEP_BYTES * RECORD_STEP_BYTES;
}

static int model_rates(const struct config *config, struct model *model)
{
	uint64_t average = (model->record_min_bytes + model->record_max_bytes) / 2;
	struct ratio share_kept =
	    ratio_make(config->defrag_lwm.den - config->defrag_lwm.num, config->defrag_lwm.den);
	struct ratio amplification = ratio_make(share_kept.den, share_kept.num);
	struct ratio writes;
	struct ratio updates;
	struct ratio reads;
	int rc = 0;

	rc |= ratio_multiply(config->read_load, config->scale, &model->read_load);
	rc |= ratio_multiply(config->write_load, config->scale, &model->write_load);
	if (config->tomb_raider)
		rc |= ratio_multiply(ratio_make(NS_PER_SEC, config->tomb_raider_sleep_ns),
				     config->scale, &model->tomb_raider);
	if (rc)
		return rc;
	rc |= ratio_multiply(model->read_load, ratio_make(READS_PER_SEC_1X, 1), &reads);
	rc |= ratio_multiply(model->write_load, ratio_make(WRITES_PER_SEC_1X, 1), &writes);
	if (rc)
		return rc;
	rc |= ratio_multiply(writes, config->update_share, &updates);
	rc |= ratio_multiply(writes, ratio_make(config->replication_factor, 1),
			     &model->client_writes);
	if (rc)
		return rc;
	rc |= ratio_add(reads, updates, &model->reads);
	rc |= ratio_multiply(model->client_writes,
			     ratio_make(1, config->large_block_bytes / average), &model->blocks);
	if (rc)
		return rc;
	rc |= ratio_multiply(model->blocks, amplification, &model->large_reads);
	if (config->commit_to_device) /* the rewritten part only: amplification - 1 */
		amplification.num -= amplification.den;
	rc |= ratio_multiply(model->blocks, ratio_make(amplification.num, amplification.den),
			     &model->large_writes);
	if (!config->defrag_reads)
		model->large_reads = ratio_make(0, 1);
	return rc;
}

static int add_streams(const struct config *config, const struct model *model,
		       struct workload *workload, struct error *err)
{
	const struct stream streams[] = {
	    {.name = "reads",
	     .op = STREAM_READ,
	     .random = {1, 1},
	     .per_sec = model->reads,
	     .size_min_bytes = model->record_min_bytes,
	     .size_max_bytes = model->record_max_bytes},
	    {.name = "large-block-reads",
	     .op = STREAM_READ,
	     .random = {1, 1},
	     .large_block = true,
	     .per_sec = model->large_reads,
	     .size_min_bytes = config->large_block_bytes,
	     .size_max_bytes = config->large_block_bytes,
	     .align_bytes = config->large_block_bytes},
	    {.name = "large-block-writes",
	     .op = STREAM_WRITE,
	     .random = {1, 1},
	     .large_block = true,
	     .dsync = config->odsync,
	     .per_sec = model->large_writes,
	     .size_min_bytes = config->large_block_bytes,
	     .size_max_bytes = config->large_block_bytes,
	     .align_bytes = config->large_block_bytes},
	    {.name = "writes",
	     .op = STREAM_WRITE,
	     .random = {1, 1},
	     .dsync = config->odsync,
	     .per_sec = config->commit_to_device ? model->client_writes : ratio_make(0, 1),
	     .size_min_bytes = model->record_min_bytes,
	     .size_max_bytes = model->record_max_bytes},
	    {.name = "tomb-raider-reads",
	     .op = STREAM_READ,
	     .random = {0, 1},
	     .large_block = true,
	     .per_sec = model->tomb_raider,
	     .size_min_bytes = config->large_block_bytes,
	     .size_max_bytes = config->large_block_bytes,
	     .align_bytes = config->large_block_bytes},
	};

	static const char *const keys[] = {"read-load", "write-load", "write-load", "write-load",
					   "tomb-raider-sleep"};

	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
		int rc = model_add_stream(workload, &streams[i], config, keys[i], err);
		if (rc)
			return rc;
	}
	return 0;
}

static void choose_judged(const struct config *config, struct workload *workload)
{
	static const char *const judged[] = {"reads", "writes"};
	const size_t count = config->commit_to_device ? 2 : 1;

	workload->judged_count = count;
	for (size_t i = 0; i < count; i++)
		snprintf(workload->judged[i], STREAM_NAME_BYTES, "%s", judged[i]);
}

/* The older tool's lines; its request rates are over all devices together. */
static void describe(const struct config *config, const struct model *model,
		     struct workload *workload)
{
	double devices = (double)config->target_count;
	char *text = workload->configuration;
	size_t room = sizeof(workload->configuration);
	int used;

	used = snprintf(text, room,
			"test-duration-sec: %llu\n"
			"report-interval-sec: %llu\n"
			"microsecond-histograms: %s\n"
			"read-reqs-per-sec: %.0f\n"
			"write-reqs-per-sec: %.0f\n"
			"record-bytes: %llu\n"
			"record-bytes-range-max: %llu\n"
			"large-block-op-kbytes: %llu\n"
			"replication-factor: %llu\n"
			"update-pct: %g\n"
			"defrag-lwm-pct: %g\n",
			(unsigned long long)(config->duration_ns / NS_PER_SEC),
			(unsigned long long)(config->interval_ns / NS_PER_SEC),
			model_yes_no(config->microsecond_histograms),
			devices * READS_PER_SEC_1X * ratio_to_double(model->read_load),
			devices * WRITES_PER_SEC_1X * ratio_to_double(model->write_load),
			(unsigned long long)config->record_bytes,
			(unsigned long long)config->record_max_bytes,
			(unsigned long long)config->large_block_bytes / 1024,
			(unsigned long long)config->replication_factor,
			100.0 * ratio_to_double(config->update_share),
			100.0 * ratio_to_double(config->defrag_lwm));
	if (used > 0 && (size_t)used < room)
		snprintf(text + used, room - (size_t)used,
			 "no-defrag-reads: %s\n"
			 "compress-pct: %g\n"
			 "disable-odsync: %s\n"
			 "commit-to-device: %s\n"
			 "tomb-raider: %s\n"
			 "tomb-raider-sleep-usec: %llu\n"
			 "max-lag-sec: %llu\n",
			 model_yes_no(!config->defrag_reads),
			 100.0 * ratio_to_double(config->compress), model_yes_no(!config->odsync),
			 model_yes_no(config->commit_to_device), model_yes_no(config->tomb_raider),
			 (unsigned long long)(config->tomb_raider_sleep_ns / NS_PER_US),
			 (unsigned long long)(config->max_lag_ns / NS_PER_SEC));
	snprintf(workload->derived, sizeof(workload->derived),
		 "record-stored-bytes: %llu ... %llu\n"
		 "internal-read-reqs-per-sec: %.0f\n"
		 "internal-write-reqs-per-sec: %.0f\n"
		 "large-block-reads-per-sec: %.2f\n"
		 "large-block-writes-per-sec: %.2f\n",
		 (unsigned long long)model->record_min_bytes,
		 (unsigned long long)model->record_max_bytes,
		 devices * ratio_to_double(model->reads),
		 config->commit_to_device ? devices * ratio_to_double(model->client_writes) : 0.0,
		 devices * ratio_to_double(model->large_reads),
		 devices * ratio_to_double(model->large_writes));
}

int workload_storage(const struct config *config, struct workload *ret, struct error *err)
{
	struct model model = {
	    .record_min_bytes = record_stored_bytes(config->record_bytes),
	    .tomb_raider = {0, 1},
	};
	struct workload workload = {.title = "ACT-STORAGE", .subtitle = "Storage device IO test"};

	model.record_max_bytes = config->record_max_bytes
				     ? record_stored_bytes(config->record_max_bytes)
				     : model.record_min_bytes;
	if (model_rates(config, &model))
		return model_refuse_rates(config, err);
	int rc = add_streams(config, &model, &workload, err);
	if (rc)
		return rc;
	choose_judged(config, &workload);
	describe(config, &model, &workload);
	workload.effective_load_read = ratio_to_double(model.reads) / READS_PER_SEC_1X;
	workload.effective_load_write = ratio_to_double(model.client_writes) / WRITES_PER_SEC_1X;
	*ret = workload;
	return 0;
}
