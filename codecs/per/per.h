/*
 * Aligned PER (X.691) driven by a constant table of nodes, one node for each type: a small
 * interpreter instead of generated code for each type, so that a type costs a few dozen octets of
 * constant data and there is one place where a length can be read wrongly.
 *
 * Open types whose type depends on something outside PER (an id beside it) are "foreign" nodes:
 * the protocol's codec reads and writes them with the primitives of per_decode.h and per_encode.h.
 *
 * C shapes of values: INTEGER int64_t; ENUMERATED a 4-octet enum; BIT STRING uint64_t or struct
 * per_bits; OCTET STRING and character strings struct octets; SEQUENCE OF struct per_list;
 * CHOICE a 4-octet enum (1 is the first alternative) and a union; optional components are
 * pointers, NULL is absent.
 */
#ifndef SPILLWAY_CODECS_PER_PER_H
#define SPILLWAY_CODECS_PER_PER_H

#include "codecs/per/per_types.h"

#define likely(x) __builtin_expect(!!(x), 1)

enum per_kind {
	PER_INTEGER,
	PER_ENUMERATED,
	PER_BITS_64, /* fixed size up to 64, not extensible: uint64_t */
	PER_BIT_STRING,
	PER_OCTET_STRING,
	PER_PRINTABLE_STRING,
	PER_VISIBLE_STRING,
	PER_UTF8_STRING,
	PER_SEQUENCE,
	PER_SEQUENCE_OF,
	PER_CHOICE,
	PER_FOREIGN,
};

/* How a number within bounds is written (X.691 11.5, 11.9). */
enum per_form {
	PER_NO_BITS,	/* range of one */
	PER_BIT_FIELD,	/* range up to 255: bits */
	PER_ONE_OCTET,	/* range of 256: aligned */
	PER_TWO_OCTETS, /* range up to 64K: aligned */
	PER_LONG,	/* values only: number of octets in bits, then aligned octets */
	PER_GENERAL,	/* sizes only: general length determinant, maybe in fragments */
};

struct per_member {
	const struct per_node *node;
	const char *name;
	uint32_t offset; /* in the C struct */
	bool optional;
};

struct per_node {
	uint8_t kind; /* enum per_kind */
	uint8_t form; /* enum per_form: of the value, size, root enumeration or choice index */
	uint8_t bits; /* of PER_BIT_FIELD; of the length in PER_LONG */
	bool extensible;
	uint16_t count;	    /* members; names of an ENUMERATED, extension values included */
	uint16_t optionals; /* SEQUENCE: members that are optional */
	uint32_t size;	    /* of the C value */
	uint32_t additions; /* offset of the additions of an extensible SEQUENCE */
	int64_t lower;	    /* bounds of what form writes */
	int64_t upper;
	const struct per_member *members; /* components, alternatives, or the one element */
	const void *foreign;		  /* PER_FOREIGN: whatever the protocol's codec needs */
	const char *name;		  /* of the type */
	const char *const *names;	  /* ENUMERATED */
	uint32_t min_bits; /* least length of an encoding: bounds counts before memory is taken */
};

/* Every SEQUENCE OF; items points to an array of the element's C type. */
struct per_list {
	size_t count;
	const void *items;
};

/* Nesting that no sane message reaches. */
#define PER_DEPTH_MAX 48

/* Fragments of the general length determinant (X.691 11.9.3.8). */
#define PER_FRAGMENT	 16384
#define PER_FRAGMENT_MAX 4

#endif
