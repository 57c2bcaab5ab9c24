/*
 * A recorded message as flat fields, path and value, whatever its protocol, so that the messages of
 * two records can be compared by what they say and not by their octets.
 */
#ifndef SPILLWAY_REPORTS_FIELDS_H
#define SPILLWAY_REPORTS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "codecs/octets.h"
#include "codecs/text.h"

enum {
	MESSAGE_FIELDS_MAX = 4096,
	MESSAGE_OCTETS_MAX = 1 << 20,
	MESSAGE_TYPE_MAX = 160,
};

struct message_field {
	const char *path;  /* "5GMM cause", "Cause.nas", "3gpp-sbi-oci/Period-of-Validity" */
	const char *value; /* text, one line unless the sender put a line break into a string */
};

/* Room for one message at a time, to be used again for the next one. */
struct message_decoder {
	/*
	 * "SERVICE REJECT", "OverloadStart", "Session Report Request", "GET /nnrf-disc/v1/..."
	 * (with identifiers left out), "answer"; what no codec takes is "undecodable ngap".
	 */
	char type[MESSAGE_TYPE_MAX];
	size_t count;
	bool cut; /* there is more than what fits */
	struct message_field fields[MESSAGE_FIELDS_MAX];
	uint8_t *arena;
	char *flat;	 /* what the codecs print */
	char *room;	 /* paths and values of the fields */
	struct text out; /* over room */
};

/* NULL without memory. */
struct message_decoder *message_decoder_new(void);
void message_decoder_free(struct message_decoder *decoder);

/*
 * Takes a message apart; proto as in events.jsonl. The fields live until the next call. Octets that
 * cannot be decoded have one field, their number: they may be ciphered, or hold a key.
 */
void message_decode(struct message_decoder *decoder, const char *proto, struct octets data);

/* For those who take a protocol apart: adds a field; what does not fit is remembered in cut. */
void message_add(struct message_decoder *decoder, const char *path, const char *value);
/* HTTP/2 frames of the record's canonical form (runner/net/http_record.c). */
bool message_decode_http(struct message_decoder *decoder, struct octets data);

#endif
