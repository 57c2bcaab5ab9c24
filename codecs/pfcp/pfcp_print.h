/*
 * PFCP messages for people: an indented tree, "path = value" lines that two messages can be
 * compared by, or one line for ladders.
 */
#ifndef SPILLWAY_CODECS_PFCP_PFCP_PRINT_H
#define SPILLWAY_CODECS_PFCP_PFCP_PRINT_H

#include "codecs/pfcp/pfcp.h"
#include "codecs/text.h"

enum pfcp_print_form {
	PFCP_PRINT_TREE, /* indented, a field a line */
	PFCP_PRINT_FLAT, /* "path = value", a field a line */
};

/*
 * The whole message, values as far as their form is known and octets where not. In the flat form a
 * path is "Session Modification Response/Overload Control Information/Metric"; a repeated IE has
 * "[2]" and so on behind its name.
 */
void pfcp_print(struct text *text, const struct pfcp_message *msg, enum pfcp_print_form form);

/* "Session Modification Response seq 258 SEID 1: Cause 1 (Request accepted), OCI seq 1000 metric 30
 * validity 20 s". No newline. */
void pfcp_print_line(struct text *text, const struct pfcp_message *msg);

/* Decodes and prints any datagram, also one that is no PFCP. arena is left as it was. */
void pfcp_print_pdu(struct text *text, struct octets pdu, struct arena *arena,
		    enum pfcp_print_form form);
void pfcp_print_pdu_line(struct text *text, struct octets pdu, struct arena *arena);

#endif
