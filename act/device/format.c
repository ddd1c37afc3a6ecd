#include <errno.h>
#include <inttypes.h>
#include <linux/nvme_ioctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "act/device/clean.h"
#include "act/device/smart.h"
#include "act/device/sysfs.h"

/* NVM Express Base Specification, Identify and Format NVM. */

#define IDENTIFY       0x06
#define FORMAT_NVM     0x80
#define PAGE_BYTES     4096
#define OF_NAMESPACE   0
#define OF_CONTROLLER  1
#define LIST_OF_ACTIVE 2
/* In the controller's page. */
#define OACS_AT     256
#define OACS_FORMAT (1u << 1)
#define FNA_AT      524
#define FNA_ALL     3u /* formatting, and erasing, takes all namespaces */
/* In the namespace's page. */
#define FLBAS_AT      26
#define DPS_AT        29
#define ERASE_USER    (1u << 9)
#define FORMAT_MAX_MS (6u * 60 * 60 * 1000)

static int identify(int fd, uint32_t what, uint32_t nsid, void *page)
{
	struct nvme_admin_cmd command = {
	    .opcode = IDENTIFY,
	    .nsid = nsid,
	    .addr = (uintptr_t)page,
	    .data_len = PAGE_BYTES,
	    .cdw10 = what,
	};
	int rc = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command);

	return rc < 0 ? -errno : (rc > 0 ? -EIO : 0);
}

static int refuse(const struct device *device, const char *why, struct error *err)
{
	return error_usage(err, EOPNOTSUPP, "%s: cannot be formatted: %s; use another --clean",
			   device->name, why);
}

static int explain(const struct device *device, int rc, struct error *err)
{
	if (rc == -EACCES || rc == -EPERM)
		return error_environment(err, -rc, "%s: formatting needs root: %s", device->name,
					 strerror(-rc));
	return error_device(err, -rc, "%s: cannot be asked what it can format: %s", device->name,
			    strerror(-rc));
}

static int check_pages(const struct device *device, uint8_t *page, struct error *err)
{
	bool takes_all;
	int rc = identify(device->fd, OF_CONTROLLER, 0, page);

	if (rc < 0)
		return explain(device, rc, err);
	if (!(page[OACS_AT] & OACS_FORMAT))
		return refuse(device, "the drive has no Format NVM", err);
	takes_all = page[FNA_AT] & FNA_ALL;
	rc = identify(device->fd, LIST_OF_ACTIVE, 0, page);
	if (rc < 0)
		return explain(device, rc, err);
	/* A list of numbers of 4 bytes, which a 0 ends. */
	if (takes_all && (page[4] || page[5] || page[6] || page[7]))
		return refuse(device, "the drive would format its other namespaces, too", err);
	return 0;
}

int device_may_format(const struct device *device, struct error *err)
{
	uint8_t *page;
	int rc;

	if (!smart_has(device))
		return refuse(device, "it is not an NVMe drive", err);
	if (sysfs_is_partition(device->node_device))
		return refuse(device, "it is a partition", err);
	page = calloc(1, PAGE_BYTES);
	if (!page)
		return error_environment(err, ENOMEM, "%s: no memory to identify it", device->name);
	rc = check_pages(device, page, err);
	free(page);
	return rc;
}

/* The format that the namespace has now, as Format NVM takes it. */
static int present_format(const struct device *device, uint32_t nsid, uint32_t *ret)
{
	uint8_t *page = calloc(1, PAGE_BYTES);
	int rc = page ? identify(device->fd, OF_NAMESPACE, nsid, page) : -ENOMEM;

	if (!rc) {
		uint32_t flbas = page[FLBAS_AT];
		uint32_t dps = page[DPS_AT];

		*ret = (flbas & 0xf) | (flbas >> 4 & 1) << 4 | (dps & 7) << 5 |
		       (dps >> 3 & 1) << 8 | (flbas >> 5 & 3) << 12;
	}
	free(page);
	return rc;
}

int device_format(const struct device *device, struct error *err)
{
	struct nvme_admin_cmd command = {
	    .opcode = FORMAT_NVM,
	    .timeout_ms = FORMAT_MAX_MS,
	};
	int nsid = ioctl(device->fd, NVME_IOCTL_ID);
	int rc = nsid <= 0 ? -errno : present_format(device, (uint32_t)nsid, &command.cdw10);

	if (rc < 0)
		return explain(device, rc, err);
	command.nsid = (uint32_t)nsid;
	command.cdw10 |= ERASE_USER;
	rc = ioctl(device->fd, NVME_IOCTL_ADMIN_CMD, &command);
	if (rc < 0)
		return error_device(err, errno, "%s: formatting failed: %s", device->name,
				    strerror(errno));
	if (rc > 0)
		return error_device(err, EIO, "%s: the drive refused to be formatted (status 0x%x)",
				    device->name, (unsigned)rc);
	return 0;
}
