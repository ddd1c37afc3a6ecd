#include <ctype.h>
#include <string.h>

#include "act/base/clock.h"
#include "act/config/import.h"
#include "act/config/options.h"

#define SECONDS "whole seconds as 86400, or a time with its unit as 24h"
#define MICROS  "whole microseconds as 1000, or a time with its unit as 1ms"
#define BYTES   "whole bytes as 1536, or a size as 1536B, 2KiB"
#define KBYTES  "a power of 2 from 4 to 8192 (KiB), or a size as 128KiB"
#define MBYTES  "whole MiB as 1024, or a size as 1GiB"
#define RATE    "a whole number of requests per second, over all devices"
#define COUNT   "a whole number"
#define PERCENT "a whole number of percent"
#define YES_NO  "yes or no"

#define OPEN_LOOP                                                                                  \
	"requests are issued at their planned times, not by threads that wait for each other"
#define OWN_QUEUE "each device has a queue of its own"
#define ALIGNED   "buffers are always aligned, and each write has data of its own"

/* clang-format off */
const struct old_key old_keys[] = {
{"device-names", OLD_DEVICES, NULL, 0, "paths, separated by commas"},
{"file-size-mbytes", OLD_SIZE, NULL, UINT64_C(1) << 20, MBYTES},
{"test-duration-sec", OLD_DURATION, "duration", NS_PER_SEC, SECONDS},
{"report-interval-sec", OLD_DURATION, NULL, NS_PER_SEC, SECONDS},
{"read-reqs-per-sec", OLD_COUNT, NULL, 0, RATE},
{"write-reqs-per-sec", OLD_COUNT, NULL, 0, RATE},
{"record-bytes", OLD_SIZE, "record-size", 1, BYTES},
{"record-bytes-range-max", OLD_SIZE, "record-size-max", 1, BYTES},
{"large-block-op-kbytes", OLD_SIZE, "large-block", 1024, KBYTES},
{"replication-factor", OLD_COUNT, "replication-factor", 0, COUNT},
{"update-pct", OLD_PERCENT, "update-share", 0, PERCENT},
{"defrag-lwm-pct", OLD_PERCENT, "defrag-lwm", 0, PERCENT},
{"no-defrag-reads", OLD_SWITCH_NOT, "defrag-reads", 0, YES_NO},
{"commit-to-device", OLD_SWITCH, "commit-to-device", 0, YES_NO},
{"tomb-raider", OLD_SWITCH, "tomb-raider", 0, YES_NO},
{"tomb-raider-sleep-usec", OLD_DURATION, NULL, NS_PER_US, MICROS},
{"disable-odsync", OLD_SWITCH_NOT, "odsync", 0, YES_NO},
{"microsecond-histograms", OLD_SWITCH, "microsecond-histograms", 0, YES_NO},
{"compress-pct", OLD_PERCENT, "compress", 0, PERCENT},
{"max-lag-sec", OLD_DURATION, NULL, NS_PER_SEC, SECONDS},
/* of ACT 1 and 2 */
{"read-req-num-512-blocks", OLD_SIZE, "record-size", 512, "whole blocks of 512 bytes as 3"},
{"large-block-ops-per-sec", OLD_COUNT, NULL, 0, RATE},
/* without a meaning here */
{"service-threads", OLD_DEAD, NULL, 0, OPEN_LOOP},
{"cache-threads", OLD_INDEX, NULL, 0, OPEN_LOOP},
{"queue-per-device", OLD_DEAD, NULL, 0, OWN_QUEUE},
{"num-devices", OLD_DEAD, NULL, 0, "devices are counted in device-names"},
{"num-queues", OLD_DEAD, NULL, 0, OWN_QUEUE},
{"threads-per-queue", OLD_DEAD, NULL, 0, OPEN_LOOP},
{"transaction-queues", OLD_DEAD, NULL, 0, OWN_QUEUE},
{"transaction-threads", OLD_DEAD, NULL, 0, OPEN_LOOP},
{"max-reqs-queued", OLD_DEAD, NULL, 0, "nothing is queued; max-lag-sec limits how far it may be behind"},
{"use-valloc", OLD_DEAD, NULL, 0, ALIGNED},
{"num-write-buffers", OLD_DEAD, NULL, 0, ALIGNED},
{"commit-min-bytes", OLD_DEAD, NULL, 0, "a write is its record, rounded up to the device's block"},
{"scheduler-mode", OLD_DEAD, NULL, 0, "the scheduler is left as it is, and recorded"},
{"trace", OLD_DEAD, NULL, 0, "everything is in the log"},
};
/* clang-format on */

const size_t old_key_count = sizeof(old_keys) / sizeof(old_keys[0]);
_Static_assert(sizeof(old_keys) / sizeof(old_keys[0]) <= OLD_KEYS_MAX, "room for entries");

static bool is_same(const char *key, const char *name, size_t length)
{
	if (strlen(key) != length)
		return false;
	for (size_t i = 0; i < length; i++) {
		int c = name[i] == '_' ? '-' : tolower((unsigned char)name[i]);
		if (key[i] != c)
			return false;
	}
	return true;
}

const struct old_key *old_key_find(const char *name, size_t length)
{
	for (size_t i = 0; i < old_key_count; i++) {
		if (is_same(old_keys[i].name, name, length))
			return &old_keys[i];
	}
	return NULL;
}

const struct old_key *old_key_nearest(const char *name)
{
	const struct old_key *nearest = NULL;
	size_t best = strlen(name) / 2 + 1;

	for (size_t i = 0; i < old_key_count; i++) {
		size_t steps = option_distance(old_keys[i].name, name);
		if (steps < best) {
			best = steps;
			nearest = &old_keys[i];
		}
	}
	return nearest;
}
