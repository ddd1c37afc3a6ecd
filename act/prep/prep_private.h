#pragma once
#include <pthread.h>
#include <stdbool.h>

#include "act/prep/prep.h"
#include "act/prep/preparer.h"

/* What prep.c and prep_targets.c share; nobody else includes it. */

struct member {
	struct prep *prep;
	pthread_t thread;
	bool started; /* and not joined */
	bool running; /* under prep->lock */
	struct preparer preparer;
	struct prep_report lost; /* in place of the preparer's, when its thread hangs */
};

struct prep {
	const struct prep_request *request;
	const struct prep_observer *observer;
	pthread_mutex_t lock; /* of the observer and of `running` */
	pthread_cond_t ended;
	size_t count;
	struct member crew[];
};

/* Looks at all targets and makes a plan for each. Opens none for writing. */
int prep_examine(struct prep *prep, struct error *err);
/* Makes files that are missing and opens what is worked on. */
int prep_open(struct prep *prep, struct error *err);
