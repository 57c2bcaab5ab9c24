/*
 * trace.pcapng: the messages of a case as packets that Wireshark opens.
 *
 * Messages come as whole NGAP PDUs or PFCP messages; the IP, SCTP and DATA chunk or UDP headers
 * around them are made here, also where there was no packet (simulated links) or no right to see
 * one (kernel SCTP). What was protected on the wire is on a second interface in plain text, and so
 * are the frames of HTTP/2: they come with their addresses but without TCP, in which Wireshark
 * would not look for them on a port of an operator's choice. What the case says for itself is on a
 * third one.
 */
#ifndef SPILLWAY_RUNNER_CORE_CAPTURE_H
#define SPILLWAY_RUNNER_CORE_CAPTURE_H

#include "runner/core/record.h"
#include "runner/core/writer.h"

struct flow;

struct capture {
	struct writer writer;
	uint64_t base; /* us since 1970 at the loop's time 0 */
	/*
	 * Verification tags and TSNs count from here. Where traces of several cases are merged they
	 * must differ, or Wireshark takes the associations of the second for repetitions.
	 */
	uint32_t salt;
	struct flow *flows;
	uint32_t crc[256];
};

/* 0 or a negative errno. */
int capture_open(struct capture *capture, int dir, const char *name, uint64_t base);
int capture_close(struct capture *capture);
/* Messages of a protocol without a form on the wire here (events) leave no trace. */
void capture_message(struct capture *capture, uint64_t t_us, const struct record_message *message);
/*
 * A packet of text, which is its comment too: what the case is for, what was asked of the IUT, the
 * verdict. note is UTF-8 without control characters; it is cut at 60,000 octets.
 */
void capture_note(struct capture *capture, uint64_t t_us, const char *note);

#endif
