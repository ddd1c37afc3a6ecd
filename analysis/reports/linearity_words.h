#pragma once
#include "analysis/figures.h"
#include "analysis/linearity.h"

/* A comparison in words. */

#define LINEARITY_WORDS_BYTES 1024

/* "holds", "lost", "invalid" */
const char *linearity_outcome_name(enum linearity_outcome outcome);
/* "serial", "name", "alike", "none" */
const char *linearity_match_name(enum linearity_match match);

/* Each writes into `text` and returns it. */
/* With what a device is compared: "the same serial number, S1" */
char *linearity_explain_match(char text[static LINEARITY_WORDS_BYTES],
			      const struct linearity *linearity, size_t device);
/* One sentence about one device, without its name: "holds: PASS alone and together" */
char *linearity_conclude_device(char text[static LINEARITY_WORDS_BYTES],
				const struct linearity *linearity, size_t device);
/* One sentence about all. */
char *linearity_conclude(char text[static LINEARITY_WORDS_BYTES],
			 const struct linearity *linearity);
/* "+0.25", "-25.00"; without a sign what is zero as shown */
char *linearity_signed(char text[static FIGURE_BYTES], double change);
