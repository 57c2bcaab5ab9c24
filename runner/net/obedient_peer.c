#include "runner/net/obedient_peer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned int restarts, messages;
static uint64_t octets;

static bool is(const char *order, const char *name, unsigned long *number)
{
	size_t len = strlen(name);

	if (strncmp(order, name, len) != 0)
		return false;
	if (number)
		*number = strtoul(order + len, NULL, 10);
	return true;
}

static void flood(struct link *link, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		uint32_t number = (uint32_t)i;

		link_send(link, 1, NGAP_PPID, OCTETS((uint8_t *)&number, sizeof(number)));
	}
}

static void big(struct link *link, unsigned long len)
{
	uint8_t *data = malloc(len);

	if (!data)
		return;
	for (unsigned long i = 0; i < len; i++)
		data[i] = (uint8_t)(i * 7 + i / 251);
	link_send(link, 2, NGAP_PPID, OCTETS(data, len));
	free(data);
}

static void say_stats(struct link *link)
{
	char buf[100];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	text_printf(&text, "%u messages %llu octets %u restarts", messages,
		    (unsigned long long)octets, restarts);
	link_send(link, 0, NGAP_PPID, OCTETS((uint8_t *)buf, text.len));
}

static void on_message(struct link *link, void *arg, const struct link_message *message)
{
	char order[32] = "";
	unsigned long number;

	(void)arg;
	if (message->data.len == 0 || message->data.data[0] != '!') {
		messages++;
		octets += message->data.len;
		/* A silent one is only counted. */
		if (message->ppid != 99)
			link_send(link, message->stream, message->ppid, message->data);
		return;
	}
	memcpy(order, message->data.data,
	       message->data.len < sizeof(order) ? message->data.len : sizeof(order) - 1);
	if (is(order, "!abort", NULL)) {
		link_close(link, true);
	} else if (is(order, "!shutdown", NULL)) {
		link_send(link, 0, NGAP_PPID, OCTETS((const uint8_t *)"bye", 3));
		link_close(link, false);
	} else if (is(order, "!die", NULL)) {
		raise(SIGKILL);
	} else if (is(order, "!flood", &number)) {
		flood(link, number);
	} else if (is(order, "!big", &number)) {
		big(link, number);
	} else if (is(order, "!stats", NULL)) {
		say_stats(link);
	}
}

static void on_down(struct link *link, void *arg, enum link_down_reason reason)
{
	(void)arg;
	(void)reason;
	link_close(link, false);
}

static void on_restart(struct link *link, void *arg)
{
	(void)link;
	(void)arg;
	restarts++;
}

static const struct link_handler handler = {
	.message = on_message,
	.down = on_down,
	.restart = on_restart,
};

static void on_accept(struct link *link, void *arg)
{
	link_set_handler(link, &handler, arg);
}

struct net *obedient_peer(struct loop *loop, const struct net_options *options,
			  const struct net_address *local, struct text *why)
{
	struct net *net = net_new(loop, options, NULL, why);

	if (net && !net_listen(net, "peer", local, on_accept, NULL, why)) {
		net_free(net);
		return NULL;
	}
	return net;
}
