#pragma once
#include <stdio.h>

#include "act/base/error.h"
#include "analysis/judge.h"

/*
 * result.json, as described by result.schema.json. All counts are exact
 * integers (INT64_MAX stands for larger ones). Names that are not UTF-8 are
 * written as in the log.
 */

#define REPORT_JSON_VERSION 1

/* 0, -ENOMEM, or -EIO when `out` failed. */
int report_json(const struct result *result, FILE *out);

/* Writes it to "<path>.tmp", syncs it, and moves it to `path`, so that there is a
 * whole file at all times. Environment errors name the file. */
int report_json_replace(const char *path, const struct result *result, struct error *err);
