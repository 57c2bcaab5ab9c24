/*
 * NGAP messages for people: indented text, one line, or flat fields that two messages can be
 * compared by.
 */
#ifndef SPILLWAY_CODECS_NGAP_PRINT_H
#define SPILLWAY_CODECS_NGAP_PRINT_H

#include "codecs/ngap/ngap.h"
#include "codecs/text.h"

/* The whole message, a field a line, from this indentation on. */
void ngap_print(const struct ngap_pdu *pdu, unsigned int indent, struct text *out);

/* One line without its end: "OverloadStart: AMFOverloadResponse, AMFTrafficLoadReduction...". */
void ngap_print_summary(const struct ngap_pdu *pdu, struct text *out);

/* One value of a type, as ngap_print prints it. */
void ngap_print_value(enum ngap_type type, const void *value, unsigned int indent,
		      struct text *out);

/*
 * Calls fn for each leaf in wire order: path is "GUAMI.pLMNIdentity" or
 * "SupportedTAList[0].tAC", with "#2" after the name of an IE that is there a second time; value
 * is text (enumeration names, decimal numbers, hexadecimal octets). Both live during the call
 * only. The fields "procedureCode", "criticality" and each IE's "X.criticality" come as well. A
 * value longer than 1,024 octets in hexadecimal is cut, and says so.
 */
typedef void ngap_field_fn(void *context, const char *path, const char *value);
void ngap_fields(const struct ngap_pdu *pdu, ngap_field_fn *fn, void *context);

/* ngap_fields as lines "path = value". */
void ngap_print_flat(const struct ngap_pdu *pdu, struct text *out);

#endif
