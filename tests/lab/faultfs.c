/*
 * faultfs MOUNTPOINT SIZE_BYTES [LOG]: a file system that misbehaves on request.
 *
 * MOUNTPOINT/data is a file of this size in memory, for direct I/O or to be put
 * under a loop device. A line that is written to MOUNTPOINT/control is a command
 * (see faults.h), or
 *
 *   release    answers what is held
 *   log        writes the answers so far to LOG; also done at the end
 *
 * One that is not understood fails with EINVAL. Reading control shows counts.
 * Runs in the foreground until it is unmounted, gets a signal, or who started it
 * is gone.
 */
#define FUSE_USE_VERSION 312

#include "tests/lab/faults.h"
#include "tests/lab/replies.h"

#include <errno.h>
#include <fuse_lowlevel.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#define FOREVER_S 86400.0

enum { CONTROL_BYTES = 256, IN_FLIGHT_MAX = 1024, SECTOR_BYTES = 512, PRIORITY = 20 };
enum { INODE_DATA = FUSE_ROOT_ID + 1, INODE_CONTROL };

static const struct {
	const char *name;
	fuse_ino_t inode;
} files[] = {{"data", INODE_DATA}, {"control", INODE_CONTROL}};

/* All of it but `replies` belongs to the one thread that takes requests. */
struct lab {
	struct faults faults;
	struct replies *replies;
	char *data;
	uint64_t size_bytes;
	const char *log; /* NULL: none */
};

static void initialize(void *state, struct fuse_conn_info *connection)
{
	(void)state;
	connection->want |= connection->capable & (FUSE_CAP_ASYNC_DIO | FUSE_CAP_ATOMIC_O_TRUNC);
	connection->max_background = IN_FLIGHT_MAX;
	connection->congestion_threshold = IN_FLIGHT_MAX;
}

static int attributes(const struct lab *lab, fuse_ino_t inode, struct stat *ret_attributes)
{
	if (inode < FUSE_ROOT_ID || inode > INODE_CONTROL)
		return -ENOENT;
	*ret_attributes = (struct stat){
	    .st_ino = inode,
	    .st_mode = inode == FUSE_ROOT_ID ? S_IFDIR | 0755 : S_IFREG | 0600,
	    .st_nlink = 1,
	    .st_size = inode == INODE_DATA ? (off_t)lab->size_bytes : 0,
	    .st_blocks = inode == INODE_DATA ? (blkcnt_t)(lab->size_bytes / SECTOR_BYTES) : 0,
	    .st_blksize = 4096,
	};
	return 0;
}

static void look_up(fuse_req_t request, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param entry = {
	    .attr_timeout = FOREVER_S,
	    .entry_timeout = FOREVER_S,
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (parent == FUSE_ROOT_ID && strcmp(name, files[i].name) == 0)
			entry.ino = files[i].inode;
	if (attributes(fuse_req_userdata(request), entry.ino, &entry.attr) < 0)
		fuse_reply_err(request, ENOENT);
	else
		fuse_reply_entry(request, &entry);
}

static void get_attributes(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
	struct stat found;

	(void)file;
	if (attributes(fuse_req_userdata(request), inode, &found) < 0)
		fuse_reply_err(request, ENOENT);
	else
		fuse_reply_attr(request, &found, FOREVER_S);
}

/* Of sizes and modes nothing changes. */
static void set_attributes(fuse_req_t request, fuse_ino_t inode, struct stat *wanted, int which,
			   struct fuse_file_info *file)
{
	(void)wanted;
	(void)which;
	get_attributes(request, inode, file);
}

static void open_file(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
	if (inode == FUSE_ROOT_ID) {
		fuse_reply_err(request, EISDIR);
		return;
	}
	file->direct_io = 1;
	fuse_reply_open(request, file);
}

/* In whole sectors, so that direct I/O can go on from there. */
static uint64_t half(uint64_t length_bytes)
{
	return length_bytes / 2 / SECTOR_BYTES * SECTOR_BYTES;
}

/* Sends an answer, as struct replies asks for it. */
static void send_reply(void *state, const struct reply *reply)
{
	struct lab *lab = state;
	char *from = lab->data + reply->offset_bytes;
	size_t length = reply->shortened ? half(reply->length_bytes) : reply->length_bytes;
	fuse_req_t request = reply->request;

	if (reply->error) {
		fuse_reply_err(request, reply->error);
	} else if (!reply->is_read) {
		fuse_reply_write(request, length);
	} else if (reply->corrupt && length) {
		char wrong = (char)(from[length / 2] ^ 1);
		struct iovec parts[] = {
		    {.iov_base = from, .iov_len = length / 2},
		    {.iov_base = &wrong, .iov_len = 1},
		    {.iov_base = from + length / 2 + 1, .iov_len = length - length / 2 - 1},
		};

		fuse_reply_iov(request, parts, 3);
	} else {
		fuse_reply_buf(request, from, length);
	}
}

/* Takes a request for data: `from` holds what is written, NULL reads. */
static void take(fuse_req_t request, const char *from, size_t length, off_t offset)
{
	struct lab *lab = fuse_req_userdata(request);
	uint64_t now_ns = replies_now();
	uint64_t start = (uint64_t)offset < lab->size_bytes ? (uint64_t)offset : lab->size_bytes;
	uint64_t room = lab->size_bytes - start;
	struct reply reply = {
	    .request = request,
	    .arrived_ns = now_ns,
	    .offset_bytes = start,
	    .length_bytes = length < room ? length : room,
	    .is_read = !from,
	};
	struct fate fate =
	    faults_decide(&lab->faults, reply.is_read, start, reply.length_bytes, now_ns);
	uint64_t target = start;

	reply.due_ns = fate.due_ns;
	reply.error = fate.error;
	reply.shortened = fate.shortened;
	reply.corrupt = fate.corrupt;
	if (from && !room)
		reply.error = ENOSPC;
	if (fate.misplaced && reply.length_bytes * 2 <= room)
		target += reply.length_bytes;
	if (from && !fate.dropped)
		memcpy(lab->data + target, from, reply.length_bytes);
	replies_add(lab->replies, &reply);
}

static int write_log(const struct lab *lab)
{
	FILE *file;

	if (!lab->log)
		return 0;
	file = fopen(lab->log, "we");
	if (!file)
		return -errno;
	replies_write_truth(lab->replies, file);
	return fclose(file) ? -errno : 0;
}

static int obey(struct lab *lab, const char *line)
{
	if (strcmp(line, "release") == 0) {
		lab->faults.hang_left = 0;
		replies_release(lab->replies);
		return 0;
	}
	if (strcmp(line, "log") == 0)
		return write_log(lab);
	return faults_command(&lab->faults, line, replies_now());
}

static void control(fuse_req_t request, const char *text, size_t length)
{
	char line[CONTROL_BYTES];
	int rc = -EINVAL;

	if (length < sizeof(line)) {
		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		line[strcspn(line, "\n")] = '\0';
		rc = obey(fuse_req_userdata(request), line);
	}
	if (rc < 0)
		fuse_reply_err(request, -rc);
	else
		fuse_reply_write(request, length);
}

static void show_counts(fuse_req_t request, size_t length, off_t offset)
{
	struct lab *lab = fuse_req_userdata(request);
	uint64_t reads, writes, failed, waiting;
	char text[CONTROL_BYTES];
	size_t all, from;

	replies_count(lab->replies, &reads, &writes, &failed, &waiting);
	all = (size_t)snprintf(text, sizeof(text),
			       "reads %" PRIu64 "\nwrites %" PRIu64 "\nfailed %" PRIu64
			       "\nwaiting %" PRIu64 "\n",
			       reads, writes, failed, waiting);
	from = (size_t)offset < all ? (size_t)offset : all;
	fuse_reply_buf(request, text + from, length < all - from ? length : all - from);
}

static void read_file(fuse_req_t request, fuse_ino_t inode, size_t length, off_t offset,
		      struct fuse_file_info *file)
{
	(void)file;
	if (inode == INODE_CONTROL)
		show_counts(request, length, offset);
	else
		take(request, NULL, length, offset);
}

static void write_file(fuse_req_t request, fuse_ino_t inode, const char *from, size_t length,
		       off_t offset, struct fuse_file_info *file)
{
	(void)file;
	if (inode == INODE_CONTROL)
		control(request, from, length);
	else
		take(request, from, length, offset);
}

static const struct fuse_lowlevel_ops operations = {
    .init = initialize,
    .lookup = look_up,
    .getattr = get_attributes,
    .setattr = set_attributes,
    .open = open_file,
    .read = read_file,
    .write = write_file,
};

/* Mounts and serves; returns 0 or 1. */
static int serve(struct lab *lab, const char *mountpoint)
{
	char name[] = "faultfs", option[] = "-ofsname=faultfs";
	char *words[] = {name, option, NULL};
	struct fuse_args arguments = FUSE_ARGS_INIT(2, words);
	struct fuse_session *session =
	    fuse_session_new(&arguments, &operations, sizeof(operations), lab);
	struct sched_param parameters = {.sched_priority = PRIORITY};
	int rc = -1;

	if (!session)
		return 1;
	if (fuse_set_signal_handlers(session) < 0)
		goto out;
	if (fuse_session_mount(session, mountpoint) == 0) {
		/* Without it the delays are less exact. */
		(void)sched_setscheduler(0, SCHED_FIFO, &parameters);
		rc = fuse_session_loop(session);
		write_log(lab);
		replies_free(lab->replies);
		lab->replies = NULL;
		fuse_session_unmount(session);
	}
	fuse_remove_signal_handlers(session);
out:
	fuse_session_destroy(session);
	fuse_opt_free_args(&arguments);
	return rc < 0;
}

int main(int argc, char **argv)
{
	struct lab lab = {.log = argc > 3 ? argv[3] : NULL};
	int rc = 1;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: faultfs MOUNTPOINT SIZE_BYTES [LOG]\n");
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* a test that is killed leaves no mount */
	lab.size_bytes = strtoull(argv[2], NULL, 10);
	lab.data = mmap(NULL, lab.size_bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (lab.data == MAP_FAILED || replies_new(send_reply, &lab, &lab.replies) < 0) {
		fprintf(stderr, "faultfs: no memory or thread to be had\n");
		return 1;
	}
	/* Or each small write would take a large page. */
	(void)madvise(lab.data, lab.size_bytes, MADV_NOHUGEPAGE);
	rc = serve(&lab, argv[1]);
	replies_free(lab.replies);
	munmap(lab.data, lab.size_bytes);
	return rc;
}
