/*
 * What a decoder or a check saw that the standard does not allow.
 *
 * A finding is not a verdict: the lenient mode of a decoder accepts what it can and records
 * findings; the strict mode refuses at the first one. Presence and criticality checks are passes
 * of their own and yield findings too.
 */
#ifndef SPILLWAY_CODECS_FINDING_H
#define SPILLWAY_CODECS_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum decode_mode {
	DECODE_LENIENT, /* accept, record findings */
	DECODE_STRICT,	/* the first finding refuses the message */
};

enum finding_rule {
	FINDING_NONE = 0,
	FINDING_TRUNCATED, /* the input ends inside a field */
	FINDING_TRAILING,  /* octets after the end of the message or of an open type */
	FINDING_PADDING,   /* padding bits that are not zero */
	FINDING_LENGTH,	   /* a length that the field does not allow */
	FINDING_LENGTH_NOT_MINIMAL,
	FINDING_RANGE,		  /* a value outside its constraint */
	FINDING_NOT_COMPREHENDED, /* extension value or alternative that this release does not know
				   */
	FINDING_EMPTY_OPEN_TYPE,
	FINDING_SYNTAX, /* anything else that cannot be decoded */
	FINDING_TOO_DEEP,
	FINDING_NO_MEMORY, /* the caller's arena is too small for this input */
	FINDING_MISSING,   /* a mandatory IE is absent */
	FINDING_DUPLICATE,
	FINDING_ORDER,
	FINDING_CRITICALITY, /* an IE carries another criticality than the standard says */
	FINDING_UNKNOWN_IE,
	FINDING_UNKNOWN_MESSAGE,
	FINDING_RESERVED, /* reserved or spare coding in use */
};

struct finding {
	enum finding_rule rule;
	uint32_t bit;	   /* offset of the offending field from the start of the input, in bits */
	int32_t ie;	   /* id or IEI of the IE concerned, -1 where there is none */
	uint8_t reaction;  /* for checks: what the clause asks for; the codec's own enum, else 0 */
	const char *field; /* name of the field in the standard, static storage, never NULL */
};

/* A caller's array. Findings past max are counted, not stored. */
struct findings {
	struct finding *items;
	size_t max;
	size_t count;
};

/* Short text of a rule ("truncated"), static storage; never NULL. */
const char *finding_rule_name(enum finding_rule rule);

/* findings may be NULL: then nothing is recorded. */
static inline void finding_add(struct findings *findings, struct finding finding)
{
	if (!findings)
		return;
	if (findings->count < findings->max)
		findings->items[findings->count] = finding;
	findings->count++;
}

#endif
