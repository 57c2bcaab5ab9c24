#include "runner/net/waiting.h"

#include <errno.h>
#include <stdlib.h>

void waiting_init(struct waiting_list *list)
{
	list->first = NULL;
	list->last = &list->first;
}

int waiting_add(struct waiting_list *list, uint16_t stream, uint32_t ppid, struct octets data)
{
	struct waiting *waiting = malloc(sizeof(*waiting) + data.len);

	if (!waiting)
		return -ENOMEM;
	*waiting = (struct waiting){ .stream = stream, .ppid = ppid, .len = data.len };
	memcpy(waiting->data, data.data, data.len);
	*list->last = waiting;
	list->last = &waiting->next;
	return 0;
}

size_t waiting_drop_first(struct waiting_list *list)
{
	struct waiting *first = list->first;
	size_t len = first->len;

	list->first = first->next;
	if (!list->first)
		list->last = &list->first;
	free(first);
	return len;
}

void waiting_clear(struct waiting_list *list)
{
	while (list->first)
		waiting_drop_first(list);
}
