#include "act/cmd/prep_screen.h"

#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "act/base/clock.h"
#include "analysis/figures.h"

#define LINE_NS (30 * NS_PER_SEC)

static double mb_per_sec(uint64_t bytes, uint64_t ns)
{
	return ns ? (double)bytes * 1000 / (double)ns : 0;
}

void prep_screen_clear(struct prep_screen *screen)
{
	if (screen->line_open)
		fputs("\r\033[K", stderr);
	screen->line_open = false;
}

void prep_screen_notice(void *state, const char *name, const char *text)
{
	struct prep_screen *screen = state;
	time_t now = time(NULL);
	char stamp[32];
	struct tm utc;

	prep_screen_clear(screen);
	if (!screen->quiet)
		fprintf(stderr, "%s: %s\n", name, text);
	if (!screen->log)
		return;
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	fprintf(screen->log, "%s %s: %s\n", stamp, name, text);
	fflush(screen->log);
}

/* "filling 2/3 45.1 % 2113.4 MB/s 00:03:20 left", on average since it began */
static char *describe(char *text, size_t size, const struct prep_status *status, uint64_t now_ns)
{
	uint64_t ns = now_ns > status->begun_ns ? now_ns - status->begun_ns : 0;
	uint64_t moved = status->done_bytes - status->begun_bytes;
	uint64_t left = status->total_bytes - status->done_bytes;
	char number[48] = "";
	char clock[FIGURE_BYTES] = "-";

	if (status->activity == PREP_WAITS || status->activity == PREP_ENDED) {
		snprintf(text, size, "%s", prep_activity_name(status->activity));
		return text;
	}
	if (status->numbers > 1)
		snprintf(number, sizeof(number), " %" PRIu64 "/%" PRIu64, status->number,
			 status->numbers);
	else if (status->number > 0 && status->numbers == 0)
		snprintf(number, sizeof(number), " %" PRIu64, status->number);
	if (moved > 0)
		figure_clock(clock, (uint64_t)((double)left / (double)moved * (double)ns));
	snprintf(text, size, "%s%s %.1f %% %.1f MB/s %s left", prep_activity_name(status->activity),
		 number,
		 status->total_bytes
		     ? 100 * (double)status->done_bytes / (double)status->total_bytes
		     : 0,
		 mb_per_sec(moved, ns), clock);
	return text;
}

static void show_on_terminal(struct prep_screen *screen, const struct prep_status *statuses,
			     size_t count, uint64_t now_ns)
{
	struct winsize size = {0};
	char line[1024] = "";
	char text[160];
	size_t used = 0;

	for (size_t i = 0; i < count && used < sizeof(line) - 1; i++) {
		if (statuses[i].activity == PREP_ENDED ||
		    (count > 1 && statuses[i].activity == PREP_WAITS))
			continue;
		used += (size_t)snprintf(line + used, sizeof(line) - used, "%s%s: %s",
					 used ? "  " : "", prep_name(screen->prep, i),
					 describe(text, sizeof(text), &statuses[i], now_ns));
	}
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 &&
	    size.ws_col < sizeof(line))
		line[size.ws_col - 1] = '\0';
	prep_screen_clear(screen);
	fputs(line, stderr);
	fflush(stderr);
	screen->line_open = true;
}

void prep_screen_progress(void *state, const struct prep_status *statuses, size_t count)
{
	struct prep_screen *screen = state;
	uint64_t now_ns = clock_now(clock_real());
	char text[160];

	if (screen->quiet)
		return;
	if (screen->terminal) {
		show_on_terminal(screen, statuses, count, now_ns);
		return;
	}
	if (screen->next_line_ns == 0)
		screen->next_line_ns = now_ns + LINE_NS;
	if (now_ns < screen->next_line_ns)
		return;
	screen->next_line_ns = now_ns + LINE_NS;
	for (size_t i = 0; i < count; i++)
		if (statuses[i].activity != PREP_ENDED && statuses[i].activity != PREP_WAITS)
			fprintf(stderr, "%s: %s\n", prep_name(screen->prep, i),
				describe(text, sizeof(text), &statuses[i], now_ns));
}

static const char *outcome_text(const struct prep_report *report)
{
	switch (report->outcome) {
	case PREP_PREPARED:
		return "prepared";
	case PREP_READY:
		return "is prepared";
	case PREP_NOT_STEADY:
		return "prepared, but its speed did not become steady";
	case PREP_MISMATCH:
		return "MISMATCH";
	case PREP_STOPPED:
		return "stopped; the same command goes on";
	case PREP_FAILED:
		return "FAILED";
	case PREP_HANGS:
		return "HANGS";
	}
	return "?";
}

void prep_screen_complain(const struct prep_report *report)
{
	char text[VERIFY_TEXT_BYTES];

	if (report->outcome == PREP_FAILED)
		fprintf(stderr, "actcert: %s\n", report->err.text);
	for (size_t i = 0; i < report->verify.shown; i++)
		fprintf(stderr, "%s: %s\n", report->name,
			verify_describe(text, &report->verify.first[i], report->label.data_id));
	if (report->verify.bad > report->verify.shown)
		fprintf(stderr, "%s: and %" PRIu64 " more\n", report->name,
			report->verify.bad - report->verify.shown);
}

void prep_screen_report(const struct prep_report *report)
{
	const struct verify_report *verify = &report->verify;
	char count[FIGURE_BYTES];

	printf("%s: %s, %s bytes, preparation %016" PRIx64, report->name, outcome_text(report),
	       figure_count(count, report->device_bytes), report->label.data_id);
	if (report->filled_bytes > 0)
		printf(", filled %s bytes at %.1f MB/s", figure_count(count, report->filled_bytes),
		       mb_per_sec(report->filled_bytes, report->fill_ns));
	if (report->rounds > 0)
		printf(", %s after %" PRIu64 " rounds at %.1f MB/s",
		       report->label.steady ? "steady" : "not steady", report->rounds,
		       (double)report->figures.average / 1e6);
	if (verify->sectors > 0)
		printf(", %s sectors verified at %.1f MB/s, %" PRIu64 " bad",
		       figure_count(count, verify->sectors),
		       mb_per_sec(verify->sectors * PAYLOAD_SECTOR_BYTES, report->verify_ns),
		       verify->bad);
	putchar('\n');
}
