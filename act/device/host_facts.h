#pragma once
#include "act/base/facts.h"

/*
 * What about this host decides latencies: from /proc and /sys. Thread-safe, as
 * long as `facts` is the caller's.
 */

/* Adds what is known, for FACTS_HOST: machine, governor, cpufreq_driver, boost,
 * idle_driver, smt, mitigations, mitigations_option, numa_nodes, clock_source,
 * memory_bytes. `root` stands before /proc and /sys ("" but in tests). */
void host_facts_add(const char *root, struct facts *facts);
