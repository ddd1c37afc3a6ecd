#pragma once
#include <stdbool.h>

#include "act/base/error.h"
#include "analysis/judge.h"
#include "analysis/log.h"

/*
 * What a run leaves behind in its directory: run.log as it goes, config.cfg,
 * and result.json, replaced at each slice. A disk that is full does not stop the
 * run; it is told once by record_trouble.
 */

struct record;

/* Makes `dir` (and the directories above it) if it is missing, and refuses one
 * that holds a run.log already. `config_text` goes to config.cfg. `info` must
 * live as long. */
int record_new(const char *dir, const struct run_info *info, const char *config_text,
	       struct record **ret, struct error *err);
void record_free(struct record *record);

/* Usage error when `dir` holds a run.log already, environment error when it cannot be
 * written; changes nothing. */
int record_check(const char *dir, struct error *err);

void record_interval(struct record *record, const struct interval *interval);
void record_sample(struct record *record, const struct telemetry_sample *sample);
void record_error(struct record *record, const struct request_error *error);
void record_end(struct record *record, const struct run_end *end);
void record_result(struct record *record, const struct result *result);

/* A line of trouble with the files that was not told yet; false when there is none. */
bool record_trouble(struct record *record, struct error *ret_trouble);
/* True when any part of the log could not be written. */
bool record_damaged(const struct record *record);
