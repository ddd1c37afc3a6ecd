#include "act/device/holder.h"

#include <string.h>
#include <unistd.h>

#include "act/device/sysfs_walk.h"

#define NAME_BYTES 160

/* Those who make devices by device mapper begin their UUIDs each in their own way. */
static const char *mapper_kind(const char *uuid)
{
	static const struct {
		const char *prefix;
		const char *kind;
	} known[] = {
	    {"LVM-", "LVM volume"},
	    {"mpath-", "multipath device"},
	    {"CRYPT-VERITY", "dm-verity volume"},
	    {"CRYPT-INTEGRITY", "dm-integrity volume"},
	    {"CRYPT-", "encrypted volume"},
	    {"DMRAID-", "dmraid array"},
	    {"VDO-", "VDO volume"},
	    {"stratis-", "Stratis volume"},
	};

	if (!strncmp(uuid, "part", 4) && strstr(uuid, "-mpath-"))
		return "partition of a multipath device";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strncmp(uuid, known[i].prefix, strlen(known[i].prefix)))
			return known[i].kind;
	return "device-mapper device";
}

static bool has(const char *folder, const char *entry)
{
	char path[PATH_MAX];

	sysfs_join(path, folder, entry);
	return access(path, F_OK) == 0;
}

void holder_describe(const char *folder, char text[static GUARD_TEXT_BYTES])
{
	char name[SYSFS_PATH_BYTES];
	char more[NAME_BYTES] = "";
	char uuid[NAME_BYTES] = "";

	sysfs_node(folder, name);
	guard_append(text, "%s", name);
	if (sysfs_read_entry(folder, "dm/name", more, sizeof(more))) {
		sysfs_read_entry(folder, "dm/uuid", uuid, sizeof(uuid));
		guard_append(text, " (%s %s)", mapper_kind(uuid), more);
	} else if (has(folder, "md")) {
		sysfs_read_entry(folder, "md/level", more, sizeof(more));
		guard_append(text, " (MD array%s%s)", more[0] ? ", " : "", more);
	} else if (has(folder, "bcache")) {
		guard_append(text, " (bcache)");
	} else if (sysfs_read_entry(folder, "loop/backing_file", more, sizeof(more))) {
		guard_append(text, " (loop device)");
	}
}
