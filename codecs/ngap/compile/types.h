/*
 * The types of the module as asn1c's descriptors tell them, brought into the few facts that our own
 * tables are made of.
 */
#ifndef SPILLWAY_CODECS_NGAP_COMPILE_TYPES_H
#define SPILLWAY_CODECS_NGAP_COMPILE_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include <INTEGER.h>
#include <asn_application.h>
#include <constr_CHOICE.h>
#include <constr_SEQUENCE.h>
#include <constr_SET_OF.h>

#define MAX_TYPES 1000
#define MAX_NAME  120

enum kind {
	INTEGER,
	ENUMERATED,
	BITS_64,
	BIT_STRING,
	OCTET_STRING,
	PRINTABLE_STRING,
	VISIBLE_STRING,
	UTF8_STRING,
	SEQUENCE,
	SEQUENCE_OF,
	CHOICE,
	IE_LIST, /* ProtocolIE-Container, ProtocolExtensionContainer */
	IE,	 /* ProtocolIE-SingleContainer */
};

struct type {
	asn_TYPE_descriptor_t *td;
	enum kind kind;
	char snake[MAX_NAME];
	char upper[MAX_NAME];
	bool extensible;
	long lower;
	long bound;
	bool unbounded;
	unsigned long min_bits; /* 0: not known yet */
	bool emitted;
};

extern struct type types[MAX_TYPES];
extern size_t type_count;

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Says what is wrong and ends the program. */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format, ...);

/* Fills types from asn1c's tables. */
void read_types(void);

/* The standard's name in lower, and in upper case, with '_' between its words. */
void snake(const char *name, char *out);
void upper(const char *name, char *out);

struct type *type_of(const asn_TYPE_descriptor_t *td);

/* Is there a type of this name in upper case? */
bool is_named(const char *upper_name);

/* How a range is written; the rules of X.691 11.5.7. bits: of a bit field, or of a length. */
const char *form_of(const struct type *type, long range_minus_1, unsigned int *bits);

/* Least length of an encoding, padding left out. */
unsigned long min_bits(struct type *type);

#endif
