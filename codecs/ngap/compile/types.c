/* Reads asn1c's descriptors: names, bounds, and how their ranges are written in aligned PER. */
#include "codecs/ngap/compile/types.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Made by asn1c_tables.sh, in the order of the module, ended by NULL. */
extern asn_TYPE_descriptor_t *const asn1c_types[];

struct type types[MAX_TYPES];
size_t type_count;

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "ngap_compile: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(1);
}

/* Words that the rule of snake() would cut apart. */
static const char *const words[][2] = {
	{ "QoS", "Qos" },	   { "NRenc", "NR-enc" },     { "NRint", "NR-int" },
	{ "UTRAenc", "UTRA-enc" }, { "UTRAint", "UTRA-int" }, { "NSSAIin", "NSSAI-in" },
	{ "nRCGI", "nR-CGI" },
};

void snake(const char *name, char *out)
{
	char in[MAX_NAME];
	size_t n = 0;

	if (strlen(name) + 20 > sizeof(in))
		die("name too long: %s", name);
	strcpy(in, name);
	for (size_t i = 0; i < COUNT(words); i++) {
		char *at = strstr(in, words[i][0]);
		size_t was = strlen(words[i][0]);
		size_t is = strlen(words[i][1]);

		if (!at)
			continue;
		memmove(at + is, at + was, strlen(at + was) + 1);
		memcpy(at, words[i][1], is);
	}
	if (islower((unsigned char)in[0]) && isupper((unsigned char)in[1]))
		in[0] = (char)toupper((unsigned char)in[0]);
	for (size_t i = 0; in[i]; i++) {
		unsigned char c = (unsigned char)in[i];
		unsigned char next = (unsigned char)in[i + 1];

		if (c == '-') {
			out[n++] = '_';
			continue;
		}
		if (i && isupper(c) && out[n - 1] != '_') {
			unsigned char after = next ? (unsigned char)in[i + 2] : 0;
			bool plural = next == 's' && (!after || after == '-' || isupper(after));

			if (islower((unsigned char)in[i - 1]) || (islower(next) && !plural))
				out[n++] = '_';
		}
		out[n++] = (char)tolower(c);
	}
	out[n] = 0;
}

void upper(const char *name, char *out)
{
	snake(name, out);
	for (; *out; out++)
		*out = (char)toupper((unsigned char)*out);
}

struct type *type_of(const asn_TYPE_descriptor_t *td)
{
	for (size_t i = 0; i < type_count; i++)
		if (types[i].td == td)
			return &types[i];
	die("no type for %s: give it a name in the module", td->name);
}

bool is_named(const char *upper_name)
{
	for (size_t i = 0; i < type_count; i++)
		if (strcmp(types[i].upper, upper_name) == 0)
			return true;
	return false;
}

const char *form_of(const struct type *type, long range_minus_1, unsigned int *bits)
{
	unsigned long range = (unsigned long)range_minus_1;

	*bits = 0;
	if (range == 0)
		return "PER_NO_BITS";
	if (range < 255) {
		while (range >> *bits)
			++*bits;
		return "PER_BIT_FIELD";
	}
	if (range == 255)
		return "PER_ONE_OCTET";
	if (range <= 65535)
		return "PER_TWO_OCTETS";
	if (type->kind != INTEGER)
		die("%s: range", type->td->name);
	unsigned int octets = 1;

	while (range >> (8 * octets))
		octets++;
	while ((octets - 1) >> *bits)
		++*bits;
	return "PER_LONG";
}

static void read_bounds(struct type *type, const asn_per_constraint_t *c)
{
	type->extensible = c && (c->flags & APC_EXTENSIBLE);
	if (!c || !(c->flags & APC_CONSTRAINED)) {
		type->unbounded = true;
		type->lower = 0;
		type->bound = 0;
		return;
	}
	type->lower = c->lower_bound;
	type->bound = c->upper_bound;
}

static void read_type(struct type *type)
{
	asn_TYPE_descriptor_t *td = type->td;
	const asn_per_constraints_t *c;
	per_type_decoder_f *decoder;
	unsigned int tag;

	td->free_struct(td, NULL, 1);
	snake(td->name, type->snake);
	upper(td->name, type->upper);
	c = td->per_constraints;
	decoder = td->uper_decoder;
	if (strcmp(td->name, "ProtocolIE-SingleContainer") == 0 ||
	    strcmp(td->name, "ProtocolIE-Field") == 0 ||
	    strcmp(td->name, "ProtocolExtensionField") == 0) {
		type->kind = IE;
		return;
	}
	if (strcmp(td->name, "ProtocolIE-Container") == 0 ||
	    strcmp(td->name, "ProtocolExtensionContainer") == 0) {
		type->kind = IE_LIST;
		read_bounds(type, &c->size);
		return;
	}
	if (decoder == CHOICE_decode_uper) {
		type->kind = CHOICE;
		read_bounds(type, &c->value);
		if (type->extensible)
			die("%s: extensible CHOICE is not supported", td->name);
		return;
	}
	if (decoder == SET_OF_decode_uper) {
		type->kind = SEQUENCE_OF;
		read_bounds(type, c ? &c->size : NULL);
		return;
	}
	if (decoder == SEQUENCE_decode_uper) {
		const asn_SEQUENCE_specifics_t *specifics = td->specifics;

		type->kind = SEQUENCE;
		type->extensible = specifics->ext_after >= 0;
		if (type->extensible && specifics->ext_after < td->elements_count - 1)
			die("%s: known additions are not supported", td->name);
		return;
	}
	tag = td->all_tags[td->all_tags_count - 1] >> 2;
	switch (tag) {
	case 2:
		type->kind = INTEGER;
		read_bounds(type, c ? &c->value : NULL);
		if (type->unbounded)
			die("%s: INTEGER without bounds", td->name);
		return;
	case 3:
		type->kind = BIT_STRING;
		read_bounds(type, c ? &c->size : NULL);
		if (!type->unbounded && !type->extensible && type->lower == type->bound &&
		    type->bound <= 64)
			type->kind = BITS_64;
		return;
	case 4:
		type->kind = OCTET_STRING;
		break;
	case 10:
		type->kind = ENUMERATED;
		read_bounds(type, &c->value);
		return;
	case 12:
		/* The SIZE of a UTF8String is not visible to PER (X.691 10.3.9). */
		type->kind = UTF8_STRING;
		type->unbounded = true;
		return;
	case 19:
		type->kind = PRINTABLE_STRING;
		break;
	case 26:
		type->kind = VISIBLE_STRING;
		break;
	default:
		die("%s: universal tag %u is not supported", td->name, tag);
	}
	read_bounds(type, c ? &c->size : NULL);
}

/* Least number of bits of a number within the type's bounds, padding left out. */
static unsigned long form_bits(const struct type *type)
{
	unsigned int bits;
	const char *form = form_of(type, type->bound - type->lower, &bits);

	if (strcmp(form, "PER_ONE_OCTET") == 0)
		return 8;
	if (strcmp(form, "PER_TWO_OCTETS") == 0)
		return 16;
	if (strcmp(form, "PER_LONG") == 0)
		return bits + 8;
	return bits;
}

unsigned long min_bits(struct type *type)
{
	asn_TYPE_descriptor_t *td = type->td;
	unsigned long least = (unsigned long)-1;

	if (type->min_bits)
		return type->min_bits;
	unsigned long sum = type->extensible;

	switch (type->kind) {
	case SEQUENCE:
		for (int i = 0; i < td->elements_count; i++)
			sum += td->elements[i].optional ? 1
							: min_bits(type_of(td->elements[i].type));
		break;
	case CHOICE:
		for (int i = 0; i < td->elements_count; i++) {
			unsigned long one = min_bits(type_of(td->elements[i].type));

			if (one < least)
				least = one;
		}
		sum += least + form_bits(type);
		break;
	case INTEGER:
		sum += form_bits(type);
		if (type->extensible && sum > 17)
			sum = 17; /* outside the root: a length and an octet */
		break;
	case ENUMERATED:
		sum += form_bits(type);
		break;
	case IE:
		sum += 32;
		break;
	case SEQUENCE_OF:
		if (!type->unbounded)
			sum += (unsigned long)type->lower * min_bits(type_of(td->elements[0].type));
		break;
	case BITS_64:
	case BIT_STRING:
		if (!type->unbounded && !type->extensible)
			sum += (unsigned long)type->lower;
		break;
	case IE_LIST:
		sum += 16;
		break;
	default:
		if (!type->unbounded && !type->extensible)
			sum += 8 * (unsigned long)type->lower;
		break;
	}
	type->min_bits = sum;
	return sum;
}

void read_types(void)
{
	for (; asn1c_types[type_count]; type_count++) {
		if (type_count == MAX_TYPES)
			die("too many types");
		types[type_count].td = asn1c_types[type_count];
		read_type(&types[type_count]);
	}
}
