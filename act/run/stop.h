#pragma once

/*
 * SIGINT, SIGTERM and SIGHUP ask the run to stop: it judges what was measured
 * and ends with 128 + n. A second one ends the process at once. The flag is the
 * program's only mutable state at file scope.
 */

/* Takes the three signals over; SIGPIPE is ignored, so that a closed terminal
 * does not end a run. Call once. */
void stop_install(void);

/* The signal that asked to stop, 0 while none did. Any thread. */
int stop_signal(void);

/* The same as a flag for those who only look whether it is non-zero. */
const volatile int *stop_flag(void);
