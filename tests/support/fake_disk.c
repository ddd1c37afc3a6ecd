#include "tests/support/fake_disk.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/base/random.h"

static void move(struct fake_disk *disk, const struct io_request *request, uint32_t length,
		 uint64_t done_ns)
{
	ssize_t moved;

	if (request->op == IO_READ) {
		moved = pread(disk->fd, request->buffer, length, (off_t)request->offset_bytes);
	} else {
		moved = pwrite(disk->fd, request->buffer, length, (off_t)request->offset_bytes);
		assert(disk->write_count < FAKE_DISK_WRITES_MAX);
		disk->writes[disk->write_count++] = (struct fake_write){
		    .offset_bytes = request->offset_bytes,
		    .length_bytes = length,
		    .done_ns = done_ns,
		};
	}
	assert(moved == (ssize_t)length);
}

static struct fake_answer answer(void *state, uint64_t number, const struct io_request *request)
{
	struct fake_disk *disk = state;
	uint64_t spread_ns = disk->service_max_ns - disk->service_min_ns + 1;
	struct fake_answer reply = {
	    .service_ns = disk->service_min_ns + random_mix(++disk->state) % spread_ns,
	    .result = (int32_t)request->length_bytes,
	};

	if (disk->fail_silent && number >= disk->fail_at)
		return (struct fake_answer){.never = true};
	if (disk->fail_result && number == disk->fail_at) {
		reply.result = disk->fail_result;
		return reply;
	}
	if (disk->chop && number % disk->chop == 0 && request->length_bytes > 4096)
		reply.result = (int32_t)(request->length_bytes / 2 / 4096 * 4096);
	move(disk, request, (uint32_t)reply.result, disk->world.now_ns + reply.service_ns);
	return reply;
}

void fake_disk_init(struct fake_disk *disk, uint64_t size_bytes)
{
	*disk = (struct fake_disk){
	    .fd = memfd_create("disk", MFD_CLOEXEC),
	    .size_bytes = size_bytes,
	    .service_min_ns = NS_PER_MS,
	    .service_max_ns = 20 * NS_PER_MS,
	    .writes = calloc(FAKE_DISK_WRITES_MAX, sizeof(struct fake_write)),
	};
	assert(disk->fd >= 0 && disk->writes && ftruncate(disk->fd, (off_t)size_bytes) == 0);
	fake_world_init(&disk->world, answer, disk);
}

void fake_disk_release(struct fake_disk *disk)
{
	close(disk->fd);
	free(disk->writes);
}

bool fake_disk_has(const struct fake_disk *disk, uint64_t from_bytes, uint64_t to_bytes)
{
	while (from_bytes < to_bytes) {
		uint64_t reached_bytes = from_bytes;

		for (size_t i = 0; i < disk->write_count; i++) {
			const struct fake_write *write = &disk->writes[i];
			uint64_t end_bytes = write->offset_bytes + write->length_bytes;

			if (write->done_ns <= disk->world.now_ns &&
			    write->offset_bytes <= from_bytes && end_bytes > reached_bytes)
				reached_bytes = end_bytes;
		}
		if (reached_bytes == from_bytes)
			return false;
		from_bytes = reached_bytes;
	}
	return true;
}
