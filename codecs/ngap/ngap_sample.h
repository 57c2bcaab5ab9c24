/*
 * Messages composed from the tables, so that every IE of every message and every extension is
 * reached: for tests, oracles and fuzzing seeds.
 */
#ifndef SPILLWAY_CODECS_NGAP_SAMPLE_H
#define SPILLWAY_CODECS_NGAP_SAMPLE_H

#include "codecs/ngap/ngap.h"

enum ngap_sample {
	NGAP_SAMPLE_LEAST, /* least values, nothing optional, first alternatives */
	NGAP_SAMPLE_MOST,  /* greatest values, everything optional, every typed extension */
	NGAP_SAMPLE_LAST,  /* as MOST, but the last alternatives, and known values of later releases
			    */
	NGAP_SAMPLE_COUNT
};

/*
 * The message with every IE that has a type in ngap_ies.def, or, with only >= 0, with the only one
 * in that row. Octet strings that carry another protocol are valid in it. pdu->error tells if the
 * arena was too small.
 */
void ngap_sample(struct ngap_pdu *pdu, enum ngap_message message, enum ngap_sample kind, int only,
		 struct arena *arena);

struct per_node;

/*
 * A value of one type on its own, node->size octets in the arena; name is that of the field, which
 * decides what an octet string holds. NULL if the arena is too small.
 */
void *ngap_sample_value(const struct per_node *node, const char *name, enum ngap_sample kind,
			struct arena *arena);

#endif
