#include <errno.h>
#include <string.h>

#include "act/device/device.h"

static int refuse(const struct device *a, const struct device *b, const char *text,
		  const char *what, struct error *err)
{
	return error_usage(err, EEXIST, "%s and %s %s%s: name one of them", a->name, b->name, text,
			   what);
}

static bool overlap(const struct device *a, const struct device *b)
{
	return a->start_bytes < b->start_bytes + b->size_bytes &&
	       b->start_bytes < a->start_bytes + a->size_bytes;
}

/* What both have decides: the wwid is of one namespace or unit, a serial may be that of
 * the whole drive or array. */
static const char *common_identity(const struct device *a, const struct device *b)
{
	if (a->wwid[0] && b->wwid[0])
		return strcmp(a->wwid, b->wwid) == 0 ? a->wwid : NULL;
	return a->serial[0] && !strcmp(a->serial, b->serial) && !strcmp(a->model, b->model) &&
		       a->size_bytes == b->size_bytes
		   ? a->serial
		   : NULL;
}

static int check_pair(const struct device *a, const struct device *b, struct error *err)
{
	const char *identity;

	if (a->node_device == b->node_device && a->node_inode == b->node_inode)
		return refuse(a, b, "are one and the same ", a->is_file ? "file" : "device", err);
	if (a->is_file || b->is_file || !overlap(a, b))
		return 0;
	if (a->disk_device == b->disk_device)
		return refuse(a, b, "are a drive and a part of it", "", err);
	identity = common_identity(a, b);
	return identity ? refuse(a, b, "are two paths to one drive, ", identity, err) : 0;
}

int device_check_distinct(const struct device *devices, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++) {
			int rc = check_pair(&devices[j], &devices[i], err);

			if (rc)
				return rc;
		}
	return 0;
}
