/*
 * Preloaded into a program that asks its device's size with an ioctl, this answers for
 * regular files, so that the program opens them as it opens devices: with O_DIRECT and
 * O_DSYNC. `goals` builds and uses it.
 */
#include <linux/fs.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int ioctl(int fd, unsigned long request, ...)
{
	struct stat st;
	va_list arguments;

	va_start(arguments, request);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	if (request == BLKGETSIZE64 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		*(uint64_t *)argument = (uint64_t)st.st_size;
		return 0;
	}
	return (int)syscall(SYS_ioctl, fd, request, argument);
}
