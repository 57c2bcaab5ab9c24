/* Values of NGAP types, changed within what their type can express. */
#ifndef SPILLWAY_FUZZ_NGAP_VARY_H
#define SPILLWAY_FUZZ_NGAP_VARY_H

#include "codecs/ngap/ngap_sample.h"
#include "codecs/ngap/ngap_tables.h"
#include "fuzz/mutator/mutator.h"

struct vary {
	struct arena *arena; /* for what is new in a value */
	struct chance *chance;
	enum mutation_mode mode;   /* of NAS messages inside */
	enum mutation_fault fault; /* the rule that was broken in one */
};

/*
 * Changes one part of a value of this node, at random. What the value points to is not written to,
 * but for structures of the arena that it was decoded into.
 */
void ngap_vary(struct vary *v, const struct per_node *node, void *value);

/* A new value; NULL if there is no room. */
void *ngap_new_value(struct vary *v, const struct per_node *node, const char *name);

#endif
