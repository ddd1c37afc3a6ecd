#include "act/device/direct.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define SMALL_BLOCK_BYTES 512
#define LARGE_BLOCK_BYTES 4096

static const char *file_system_name(int fd)
{
	static const struct {
		long magic;
		const char *name;
	} known[] = {
	    {EXT4_SUPER_MAGIC, "ext2/ext3/ext4"},
	    {BTRFS_SUPER_MAGIC, "btrfs"},
	    {TMPFS_MAGIC, "tmpfs"},
	    {RAMFS_MAGIC, "ramfs"},
	    {OVERLAYFS_SUPER_MAGIC, "overlayfs"},
	    {NFS_SUPER_MAGIC, "nfs"},
	    {F2FS_SUPER_MAGIC, "f2fs"},
	    {MSDOS_SUPER_MAGIC, "vfat"},
	    {SQUASHFS_MAGIC, "squashfs"},
	    {0x58465342, "xfs"},
	    {0x2fc12fc1, "zfs"},
	    {0x65735546, "fuse"},
	};
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return "unknown";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].magic == (long)fs.f_type)
			return known[i].name;
	return "unknown";
}

int direct_refused(const char *path, int fd, struct error *err)
{
	return error_environment(
	    err, EOPNOTSUPP,
	    "%s: no direct I/O (O_DIRECT) on its file system (type %s): put the "
	    "file on ext4 or xfs, or name a block device",
	    path, file_system_name(fd));
}

/* What statx says (Linux 6.1 and later): 0, or -ENOSYS when it says nothing. */
static int ask_kernel(int fd, uint32_t *ret_block_bytes)
{
#ifdef STATX_DIOALIGN
	struct statx stx;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) == 0 &&
	    (stx.stx_mask & STATX_DIOALIGN)) {
		*ret_block_bytes = stx.stx_dio_offset_align;
		return 0;
	}
#else
	(void)fd;
	(void)ret_block_bytes;
#endif
	return -ENOSYS;
}

/* Reads at the smallest offset that is not aligned to the large block. */
static int try_small_block(int fd, uint32_t *ret_block_bytes)
{
	int flags = fcntl(fd, F_GETFL);
	void *buffer;
	int rc = 0;

	if (posix_memalign(&buffer, LARGE_BLOCK_BYTES, SMALL_BLOCK_BYTES) != 0)
		return -ENOMEM;
	if (fcntl(fd, F_SETFL, flags | O_DIRECT) < 0) {
		rc = -errno;
		goto out;
	}
	if (pread(fd, buffer, SMALL_BLOCK_BYTES, SMALL_BLOCK_BYTES) >= 0)
		*ret_block_bytes = SMALL_BLOCK_BYTES;
	else if (errno == EINVAL)
		*ret_block_bytes = LARGE_BLOCK_BYTES;
	else
		rc = -errno;
	fcntl(fd, F_SETFL, flags);
out:
	free(buffer);
	return rc;
}

int direct_find_block(const char *path, int fd, uint32_t *ret_block_bytes, struct error *err)
{
	uint32_t block_bytes = 0;
	int rc = ask_kernel(fd, &block_bytes);

	if (rc < 0)
		rc = try_small_block(fd, &block_bytes);
	if (rc == -EINVAL || (rc == 0 && block_bytes == 0))
		return direct_refused(path, fd, err);
	if (rc < 0)
		return error_environment(err, -rc, "%s: cannot try direct I/O: %s", path,
					 strerror(-rc));
	*ret_block_bytes = block_bytes < SMALL_BLOCK_BYTES ? SMALL_BLOCK_BYTES : block_bytes;
	return 0;
}
