/*
 * Processes of the supervisor: a fork with a pipe to it and a deadline. What a child has to say
 * comes as lines, the first character of which says what the line is; how it died, with a backtrace
 * where there is one, is seen from outside.
 */
#ifndef SPILLWAY_RUNNER_CASE_CHILD_H
#define SPILLWAY_RUNNER_CASE_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "codecs/text.h"

struct child;

/* Runs in the child; when it returns, the child ends by _exit(0). */
typedef void child_main(int fd, void *arg);
/* A line without its newline; terminated. It may be changed. */
typedef void child_line(struct child *child, char *line, size_t len);

struct child {
	void *arg; /* of the owner */
	child_line *line;

	pid_t pid; /* 0: not in use */
	int fd;
	uint64_t started, deadline; /* wall clock, us */
	char *buf;
	size_t len, size;
	bool timed_out, overflowed;
	bool crashed; /* lines of the crash are being collected */
	bool hard;    /* SIGKILL was sent */
	char crash[4096];
	int status; /* of waitpid, once ended */
};

/* Monotonic microseconds: the supervisor has no loop, its deadlines are of the wall. */
uint64_t child_now(void);

/* 0 or a negative errno. limit is in us. */
int child_start(struct child *child, child_main *body, void *body_arg, uint64_t limit);

/*
 * Hands out lines until one of the children ends, which is reaped; returns it, or NULL when none is
 * in use or *interrupted (may be NULL) was set.
 */
struct child *child_wait(struct child *children, size_t count,
			 const volatile sig_atomic_t *interrupted);
/* Kills and reaps a child that is still in use. */
void child_kill(struct child *child);

/* Why a child that did not finish its work ended: one sentence. */
void child_death(const struct child *child, struct text *out);

/*
 * In the child: called once when it crashes or is stopped, after the backtrace went out. Whatever
 * it does may fail; it is the last chance of what is still in a buffer.
 */
void child_last_words(void (*hook)(void *arg), void *arg);

/* In the child: one whole line. */
void child_say(int fd, char what, const char *text);

#endif
