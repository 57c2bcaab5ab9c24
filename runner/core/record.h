/*
 * The event record of one case: what happened on the wire, what was asked of the IUT, what the case
 * decided; events.jsonl, log.txt and trace.pcapng of design/cli.md. Everything from a peer is
 * written escaped. The last messages are also kept in memory for the ladder of a failure.
 */
#ifndef SPILLWAY_RUNNER_CORE_RECORD_H
#define SPILLWAY_RUNNER_CORE_RECORD_H

#include "codecs/octets.h"
#include "codecs/text.h"
#include "runner/core/loop.h"

struct record;

enum record_level {
	RECORD_ERROR,
	RECORD_WARN,
	RECORD_INFO,
	RECORD_DEBUG,
};

struct record_message {
	const char *link; /* the element at our end: "gnb1", "n3iwf1", "ue1" */
	bool sent;	  /* by the tester; else received */
	/* "ngap", "nas" (plain text of a protected message), "pfcp", "http2" (frames); "sctp"
	 * (events) */
	const char *proto;
	const char *summary; /* one line; NULL: the record has the codec make it */
	const char *local;   /* printable addresses with port; may be NULL */
	const char *peer;
	int32_t stream; /* of SCTP or HTTP/2, -1 where there is none */
	uint32_t ppid;	/* host order; 0 where there is none */
	struct octets data;
};

/*
 * Opens the record of a case in the directory dir, which must exist. dir NULL keeps everything in
 * memory only (ladder). Returns NULL with errno set. Write errors later (a full disk) are
 * remembered: record_error().
 */
struct record *record_open(const char *dir, struct loop *loop);
/* Flushes and closes; returns 0 or a negative errno of the first write that failed. */
int record_close(struct record *record);
int record_error(const struct record *record);
/* Writes out what is buffered, by write(2) alone: may be called from a signal handler. */
void record_flush(struct record *record);

/*
 * Messages beyond 256 MiB of events.jsonl are counted in log.txt and otherwise not kept.
 *
 * Every function below accepts record == NULL and then does nothing.
 */
/* Once, first: which case it is. Stands in the capture alone; each may be NULL. */
void record_case(struct record *record, const char *id, const char *clause, const char *purpose);
void record_message(struct record *record, const struct record_message *message);
void record_control(struct record *record, const char *action, const char *outcome);
/*
 * A timer of an element, or what a case waits for: "T3346", "silence". what is "given" (sent to a
 * UE, or by an AMF: us is its value), "started" (it is to take us), "expired" or "stopped" (it took
 * us).
 */
void record_timer(struct record *record, const char *owner, const char *name, const char *what,
		  uint64_t us);
void record_verdict(struct record *record, const char *verdict, const char *reason);
__attribute__((format(printf, 3, 4))) void
record_log(struct record *record, enum record_level level, const char *format, ...);
/* The level up to which record_log writes; the default is RECORD_INFO. */
void record_set_level(struct record *record, enum record_level level);

/* Hears each message, control action and timer when it happens, as a line of the ladder. */
void record_watch(struct record *record, void (*seen)(void *arg, const char *line), void *arg);

/* The last (at most) n messages, control actions and timers as a text ladder, one line each. */
void record_ladder(const struct record *record, unsigned int n, struct text *out);

#endif
