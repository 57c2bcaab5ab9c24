/*
 * The constant tables that the build makes of ngap.asn and ngap_ies.def: for the files of this
 * folder, and for the fuzzers, which make values of every type.
 */
#ifndef SPILLWAY_CODECS_NGAP_TABLES_H
#define SPILLWAY_CODECS_NGAP_TABLES_H

#include "codecs/ngap/ngap.h"
#include "codecs/per/per.h"

/* What the foreign node of a container points to: the extensions that the enclosing type has. */
struct ngap_ie_set {
	const struct ngap_ie_row *rows;
	uint16_t count;
	bool single;   /* a ProtocolIE-SingleContainer, not a list */
	uint8_t lower; /* least number of fields of a list */
};

/* IEs that a message has at most; asserted where the tables are made. */
#define NGAP_ROWS_MAX 128

extern const struct per_node ngap_nodes[NGAP_TYPE_COUNT];
extern const struct ngap_message_info ngap_message_infos[NGAP_MESSAGE_COUNT];

#endif
