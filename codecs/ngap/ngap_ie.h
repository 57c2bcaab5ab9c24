/*
 * One IE: of a message, of an extension container, or of a choice-Extensions. Either typed, or
 * raw octets that are whatever somebody wants to send.
 */
#ifndef SPILLWAY_CODECS_NGAP_IE_H
#define SPILLWAY_CODECS_NGAP_IE_H

#include "codecs/per/per_types.h"

struct ngap_ie {
	uint16_t id;	     /* enum ngap_id, or any number */
	uint8_t criticality; /* enum ngap_criticality */
	uint16_t type;	     /* enum ngap_type: what value points to; NGAP_TYPE_RAW: not known */
	const void *value;   /* typed value; NULL: the IE is raw */
	struct octets raw;   /* content of the open type: as received, and sent if value is NULL */
};

/* ProtocolExtensionContainer */
struct ngap_ie_list {
	size_t count;
	const struct ngap_ie *items;
};

#endif
