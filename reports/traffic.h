/*
 * What an IUT sent in one case, added up: by the tester's element that received it and by type of
 * message, how many there were, which values each field had, and how long the IUT took. Times of
 * day, the order between elements and what varies by nature (reports/varying.h) are left out, so
 * that the traffic of two runs can be compared.
 */
#ifndef SPILLWAY_REPORTS_TRAFFIC_H
#define SPILLWAY_REPORTS_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define uthash_nonfatal_oom		     1
#define uthash_nonfatal_oom_handler(element) ((void)(element))
#include <uthash.h>

#include "reports/fields.h"
#include "reports/varying.h"

enum {
	TRAFFIC_ORDER_MAX = 16,	   /* so many messages of a group are kept in their order */
	TRAFFIC_VALUES_MAX = 64,   /* different values of a field; beyond, it has `many` */
	TRAFFIC_DELAYS_MAX = 1024, /* of a group; later ones are not looked at */
	TRAFFIC_NAMES_MAX = 8,
};

struct traffic_value {
	size_t count;
	double number; /* NAN where it is none */
	UT_hash_handle hh;
	char text[];
};

struct traffic_field {
	size_t count; /* messages that have it */
	bool many;
	struct traffic_value *values;
	/* Of the n-th message of the group; NULL where that had no such field. */
	const struct traffic_value *order[TRAFFIC_ORDER_MAX];
	UT_hash_handle hh;
	char path[];
};

struct traffic_group {
	const char *lane, *proto, *type; /* in key */
	size_t kind;			 /* the lane's name without its number is so long */
	size_t count;
	bool merged; /* of several lanes: there is no order */
	struct traffic_field *fields;
	uint64_t *delays; /* us, since the tester last sent there or asked for a control action */
	size_t delay_count;
	UT_hash_handle hh;
	char key[];
};

struct traffic_lane;
struct traffic_request;

/* Values that were left out for a reason, and the first names of such fields. */
struct traffic_ignored {
	size_t values;
	char names[TRAFFIC_NAMES_MAX][64];
	size_t name_count;
};

struct traffic {
	struct traffic_group *groups;
	struct traffic_lane *lanes;
	struct traffic_request *requests; /* of the tester, that are not answered yet */
	size_t room;			  /* octets taken so far */
	uint64_t last_control;
	size_t messages; /* received and taken in */
	size_t torn;	 /* lines that are no JSON object, or too long */
	bool cut;	 /* there was more than what is taken in */
	struct traffic_ignored ignored[VARYING_COUNT];
};

/* Adds what events.jsonl holds. 0, or a negative errno: there is no such file, no memory. */
int traffic_read(struct traffic *traffic, const char *path, struct message_decoder *decoder);
void traffic_clear(struct traffic *traffic);

/*
 * Where one of them has more than so many lanes of a kind ("ue1", "ue2", ...), the groups of each
 * become those of one lane, "ue*", in both. Their order is lost.
 */
void traffic_merge_crowds(struct traffic *a, struct traffic *b, size_t by_name);

/* The number that a value is, "1560 s (26 min)", "40%"; NAN for "22 (Congestion)" and octets. */
double traffic_number(const char *text);
void traffic_ignore(struct traffic_ignored *ignored, const char *name, size_t values);

#endif
