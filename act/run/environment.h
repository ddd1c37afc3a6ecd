#pragma once
#include "act/base/facts.h"
#include "act/run/targets.h"

/* Adds what is known of this host, of the program's libraries and of the devices. */
void environment_record(const struct targets *targets, struct facts *facts);
