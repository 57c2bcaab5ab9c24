/*
 * A buffered file that takes whole records: what a killed process leaves ends, as far as possible,
 * with a complete line. The first write that fails is remembered, and nothing is written after it.
 */
#ifndef SPILLWAY_RUNNER_CORE_WRITER_H
#define SPILLWAY_RUNNER_CORE_WRITER_H

#include "codecs/text.h"

struct writer {
	int fd;	   /* -1: not open; then everything is dropped */
	int error; /* negative errno */
	char *buf;
	size_t size;
	size_t used;
	uint64_t total; /* octets committed so far */
};

/* Creates or empties the file name in the directory dir; 0 or a negative errno. */
int writer_open(struct writer *writer, int dir, const char *name);
/* 0 or the negative errno of the first failure. */
int writer_close(struct writer *writer);
/* Only write(2): may be called from a signal handler. */
void writer_flush(struct writer *writer);

/*
 * Room for one record of at most so many octets; NULL where the file is not open, has failed or
 * there is no memory. writer_commit takes over the octets actually filled in.
 */
char *writer_room(struct writer *writer, size_t max);
void writer_commit(struct writer *writer, size_t len);

#endif
