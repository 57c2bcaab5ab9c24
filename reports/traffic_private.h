/*
 * Between the files of reports/traffic.h: adding up, and reading what is added up.
 */
#ifndef SPILLWAY_REPORTS_TRAFFIC_PRIVATE_H
#define SPILLWAY_REPORTS_TRAFFIC_PRIVATE_H

#include "reports/traffic.h"

enum { TRAFFIC_KEY_MAX = 512 };

struct traffic_lane {
	size_t kind;
	bool sent;
	uint64_t last_sent;
	UT_hash_handle hh;
	char name[];
};

struct traffic_request {
	UT_hash_handle hh;
	char *type; /* behind key */
	char key[];
};

/* NULL where there are too many, or there is no memory. */
struct traffic_lane *traffic_find_lane(struct traffic *traffic, const char *name);
/* kind: the lane's name without its number is so long. */
struct traffic_group *traffic_find_group(struct traffic *traffic, const char *lane, size_t kind,
					 const char *proto, const char *type);
/* A field of the message that group->count was raised for. */
void traffic_add_field(struct traffic *traffic, struct traffic_group *group,
		       const struct message_field *from);
void traffic_add_delay(struct traffic *traffic, struct traffic_group *group, uint64_t delay);
void traffic_forget_requests(struct traffic *traffic);

#endif
