#include "runner/core/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { WRITER_BUFFER = 64 * 1024 };

int writer_open(struct writer *writer, int dir, const char *name)
{
	*writer = (struct writer){ .fd = -1 };
	writer->buf = malloc(WRITER_BUFFER);
	if (!writer->buf)
		return -ENOMEM;
	writer->size = WRITER_BUFFER;
	writer->fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (writer->fd < 0) {
		free(writer->buf);
		writer->buf = NULL;
		return -errno;
	}
	return 0;
}

void writer_flush(struct writer *writer)
{
	size_t done = 0;

	while (done < writer->used && writer->error == 0) {
		ssize_t n = write(writer->fd, writer->buf + done, writer->used - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			writer->error = -errno;
	}
	writer->used = 0;
}

int writer_close(struct writer *writer)
{
	if (writer->fd < 0)
		return writer->error;
	writer_flush(writer);
	/* Some file systems report a full disk only here. */
	if (close(writer->fd) != 0 && writer->error == 0)
		writer->error = -errno;
	writer->fd = -1;
	free(writer->buf);
	writer->buf = NULL;
	return writer->error;
}

char *writer_room(struct writer *writer, size_t max)
{
	if (writer->fd < 0 || writer->error)
		return NULL;
	if (max > writer->size - writer->used)
		writer_flush(writer);
	if (writer->error)
		return NULL;
	if (max > writer->size) {
		char *buf = realloc(writer->buf, max);

		if (!buf) {
			writer->error = -ENOMEM;
			return NULL;
		}
		writer->buf = buf;
		writer->size = max;
	}
	return writer->buf + writer->used;
}

void writer_commit(struct writer *writer, size_t len)
{
	writer->used += len;
	writer->total += len;
}
