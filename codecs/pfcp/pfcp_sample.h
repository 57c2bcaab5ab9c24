/*
 * A sound message of every kind and a sound value of every IE, made from the tables: for tests,
 * for tshark, and as seeds of the fuzzers.
 */
#ifndef SPILLWAY_CODECS_PFCP_PFCP_SAMPLE_H
#define SPILLWAY_CODECS_PFCP_PFCP_SAMPLE_H

#include "codecs/pfcp/pfcp.h"

enum pfcp_sample {
	PFCP_SAMPLE_LEAST, /* mandatory members, the shortest values */
	PFCP_SAMPLE_MOST,  /* every member, values with all their parts */
};

#define PFCP_SAMPLE_SIZE  128	  /* octets that a value takes at most */
#define PFCP_SAMPLE_ARENA 1000000 /* takes any sample message */

/* Appends an IE with a sound value, a grouped one with its members. */
struct pfcp_ie *pfcp_sample_ie(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
			       enum pfcp_sample kind);

/* A message without findings, with sequence number 1, and SEID 1 for session messages. */
void pfcp_sample_message(struct pfcp_message *msg, enum pfcp_message_type type,
			 enum pfcp_sample kind, struct arena *arena);

#endif
