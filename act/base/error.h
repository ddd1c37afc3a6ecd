#pragma once
/*
 * One error, told once. A function that fails returns -errno and fills the last
 * argument; whoever prints it (main.c and cmd/ only) prints error.text on one
 * line and ends with error.status.
 *
 * Functions leave their `ret_*` outputs untouched when they fail.
 */

/* Exit statuses of the program; 128 + n stands for signal n. */
enum exit_status {
	EXIT_PASS = 0,        /* every slice of every device passed */
	EXIT_FAIL = 1,        /* the device is too slow, or did not keep its load */
	EXIT_USAGE = 2,       /* arguments, configuration, or a refused device */
	EXIT_ENVIRONMENT = 3, /* permissions, memory-lock limit, io_uring or O_DIRECT refused */
	EXIT_DEVICE = 4,      /* request errors, or the device is lost */
	EXIT_INVALID = 5,     /* the harness could not do its part: no statement on the device */
};

#define ERROR_TEXT_BYTES 1024

struct error {
	enum exit_status status;
	char text[ERROR_TEXT_BYTES]; /* one line, no newline at the end */
};

/* Each stores the formatted text with its status in *err and returns -code
 * (code is a positive errno value). `err` may be NULL. Not thread-safe on one
 * and the same err. */
int error_usage(struct error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int error_environment(struct error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int error_device(struct error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts `prefix` and ": " in front of err->text, cutting the end off if it must. */
void error_prefix(struct error *err, const char *prefix);
