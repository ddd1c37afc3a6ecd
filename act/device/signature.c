#include "act/device/signature.h"

#include <blkid/blkid.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 64 /* of a label, which anybody may have made up */

/* For people, on one line; empty when there is none. */
static void copy_value(blkid_probe probe, const char *name, char ret[static VALUE_BYTES])
{
	const char *value = NULL;

	ret[0] = '\0';
	if (blkid_probe_lookup_value(probe, name, &value, NULL) < 0 || !value)
		return;
	strncpy(ret, value, VALUE_BYTES - 1);
	ret[VALUE_BYTES - 1] = '\0';
	for (char *c = ret; *c; c++)
		*c = iscntrl((unsigned char)*c) || *c == '"' ? '?' : *c;
}

/* What one step of the probe has found; false when that is no signature. */
static bool append_found(blkid_probe probe, bool is_first, char *text)
{
	char type[VALUE_BYTES], usage[VALUE_BYTES], label[VALUE_BYTES], uuid[VALUE_BYTES];
	char offset[VALUE_BYTES];
	const char *kind = "signature";

	copy_value(probe, "TYPE", type);
	copy_value(probe, "USAGE", usage);
	copy_value(probe, "LABEL", label);
	copy_value(probe, "UUID", uuid);
	copy_value(probe, "SBMAGIC_OFFSET", offset);
	if (!strcmp(usage, "filesystem"))
		kind = "file system";
	if (!type[0]) {
		copy_value(probe, "PTTYPE", type);
		copy_value(probe, "PTUUID", uuid);
		copy_value(probe, "PTMAGIC_OFFSET", offset);
		kind = "partition table";
	}
	if (!type[0])
		return false;
	guard_append(text, "%s%s %s (", is_first ? "" : ", ", type, kind);
	if (label[0])
		guard_append(text, "label \"%s\", ", label);
	if (uuid[0])
		guard_append(text, "uuid %s, ", uuid);
	guard_append(text, "at offset %s)", offset[0] ? offset : "0");
	return true;
}

static int set_up(blkid_probe probe, int fd, uint64_t offset_bytes, uint64_t size_bytes)
{
	/* A checksum that does not fit may be the only thing that is damaged. */
	int flags = BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_LABEL |
		    BLKID_SUBLKS_UUID | BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_BADCSUM;

	if (blkid_probe_set_device(probe, fd, (blkid_loff_t)offset_bytes,
				   (blkid_loff_t)size_bytes) < 0 ||
	    blkid_probe_enable_superblocks(probe, 1) < 0 ||
	    blkid_probe_set_superblocks_flags(probe, flags) < 0 ||
	    blkid_probe_enable_partitions(probe, 1) < 0 ||
	    /* A GPT at the end is one, also when its other half is gone. */
	    blkid_probe_set_partitions_flags(probe, BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT) < 0)
		return errno ? -errno : -EIO;
	return 0;
}

int signature_find(int fd, uint64_t offset_bytes, uint64_t size_bytes,
		   char text[static GUARD_TEXT_BYTES])
{
	blkid_probe probe = blkid_new_probe();
	int count = 0;
	int rc;

	if (!probe)
		return -ENOMEM;
	/* What is in memory may be older than what was written to a partition. */
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	errno = 0;
	rc = set_up(probe, fd, offset_bytes, size_bytes);
	while (rc == 0) {
		errno = 0;
		rc = blkid_do_probe(probe);
		if (rc == 0)
			count += append_found(probe, count == 0, text);
		else if (rc < 0)
			rc = errno ? -errno : -EIO;
	}
	blkid_free_probe(probe);
	return rc < 0 ? rc : count;
}
