/*
 * What the cases of n2-overload share: driving an AMF into N2 overload, and reading what it asks of
 * the nodes as the share of each RRC cause that it wants to have rejected.
 */
#ifndef SPILLWAY_SUITES_N2_OVERLOAD_OVERLOAD_H
#define SPILLWAY_SUITES_N2_OVERLOAD_OVERLOAD_H

#include "runner/case/expect.h"

/* The tables of the files of this suite; suite.c joins them. */
enum { FORMAT_CASES = 10, LOAD_CASES = 7, SEQUENCE_CASES = 6, CAPACITY_CASES = 3 };
extern const struct test_case format_cases[FORMAT_CASES];
extern const struct test_case load_cases[LOAD_CASES];
extern const struct test_case sequence_cases[SEQUENCE_CASES];
extern const struct test_case capacity_cases[CAPACITY_CASES];

/*
 * The next OVERLOAD START at this node within the response time whose content is not that of
 * before (NULL: any): an AMF may repeat what it said at any time. Where nothing but repetitions
 * come, the last of them.
 */
const struct ngap_received *next_start(struct tc *t, struct gnb *gnb,
				       const struct ngap_received *before);

/*
 * Control action n2-overload state=on with these arguments, and the next_start() that it gives.
 * What waited in the node's queue before is forgotten.
 */
__attribute__((format(printf, 4, 5))) const struct ngap_received *
start_overload(struct tc *t, struct gnb *gnb, const struct ngap_received *before,
	       const char *arguments, ...);

/* The same action for all nodes; awaits nothing. */
__attribute__((format(printf, 2, 3))) void order_overload(struct tc *t, const char *arguments, ...);

/* Control action n2-overload state=off; awaits nothing. */
void end_overload(struct tc *t);

/* The AMF still serves this node: silence that was asked for must not be that of a dead AMF. */
void serves(struct tc *t, struct gnb *gnb);

/* The content of an OVERLOAD START; violates the case where it cannot be read. */
struct overload overload_of(struct tc *t, const struct ngap_received *start);

/* The IE of this id as octets on the wire; empty when absent. */
struct octets ie_octets(const struct ngap_received *m, enum ngap_id id);

/*
 * A message without what 38.413 forbids: no finding of decoder or clause 10 check, no IE but those
 * of the set (bit set over the four ids below). An OVERLOAD START may carry what a later release
 * added: an id unknown to us, criticality ignore.
 */
enum overload_ie {
	IE_OVERLOAD_RESPONSE = 1 << 0,
	IE_TRAFFIC_LOAD_REDUCTION = 1 << 1,
	IE_NSSAI_LIST = 1 << 2,
	IE_GUAMI_LIST = 1 << 3,
};
void well_formed(struct tc *t, const struct ngap_received *m, unsigned int allowed,
		 enum ngap_criticality procedure_criticality);

/* NGAP RRCEstablishmentCause values 0 to 9, TS 38.413 9.3.1.111. */
enum { RRC_CAUSES = 10 };

/* Percent of the attempts of each cause that a node is asked to reject. */
struct shares {
	int rejected[RRC_CAUSES];
};

/* Nothing is rejected. */
struct shares no_overload(void);
/* What a START asks for AMF-wide (TS 38.413 8.7.7.2; no reduction stated: 100 %). */
struct shares shares_of(const struct overload *overload);
/* Whether some cause is rejected more, or less, in b than in a. */
bool some_rises(const struct shares *a, const struct shares *b);
bool some_falls(const struct shares *a, const struct shares *b);
/* "action 1, reduction 50 %" */
void print_overload(const struct overload *overload, struct text *out);

/*
 * The last START or STOP that came to the node within the time, the whole of which is waited for;
 * NULL: none.
 */
const struct ngap_received *last_overload_message(struct tc *t, struct gnb *gnb, uint64_t us);

/* The load of the profile's level i, and a load below all levels. na where there are no levels. */
unsigned int load_of_level(struct tc *t, size_t i);
unsigned int load_below_levels(struct tc *t);

#endif
