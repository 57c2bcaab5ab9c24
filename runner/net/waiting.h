/* Messages of a link that its transport has no room for yet, in the order in which they were sent.
 */
#ifndef SPILLWAY_RUNNER_NET_WAITING_H
#define SPILLWAY_RUNNER_NET_WAITING_H

#include "codecs/octets.h"

struct waiting {
	struct waiting *next;
	uint16_t stream;
	uint32_t ppid;
	size_t len;
	uint8_t data[];
};

struct waiting_list {
	struct waiting *first, **last;
};

void waiting_init(struct waiting_list *list);
/* Copies the message to the end of the list. 0 or -ENOMEM. */
int waiting_add(struct waiting_list *list, uint16_t stream, uint32_t ppid, struct octets data);
/* Takes the first one out and frees it; returns its length. */
size_t waiting_drop_first(struct waiting_list *list);
void waiting_clear(struct waiting_list *list);

#endif
