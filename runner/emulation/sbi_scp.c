/*
 * An SCP that the tester plays (TS 29.500 6.10): what comes is passed on to the producer that
 * 3gpp-Sbi-Target-apiRoot names, and so is the answer, with what the SCP has to say of itself. A
 * consumer says where to, and is not trusted: only producers of the case are asked.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/emulation/sbi_private.h"
#include "runner/net/transport.h"

enum { CONNECTIONS = 4, STREAMS = 200, FIELDS_MAX = 64 };

#define TARGET "3gpp-sbi-target-apiroot"

/* A request that waits for the producer. */
struct passing {
	struct sbi_peer *scp;
	struct sbi_held *held;	    /* where it came from */
	struct http_stream *stream; /* where it went */
};

/* --- answers -----------------------------------------------------------------------------------
 */

static struct http_header via_of(const struct sbi_peer *scp)
{
	return (struct http_header){ HTTP_TEXT("via"), HTTP_TEXT(scp->via) };
}

static void answer_itself(struct sbi_held *held, const struct sbi_peer *scp, unsigned int status,
			  const char *cause)
{
	const struct json_problem_details problem = { .status = JSON_INT(status),
						      .cause = HTTP_TEXT(cause) };
	char body[128], digits[8];
	struct text text;

	snprintf(digits, sizeof(digits), "%u", status % 1000);
	text_init(&text, body, sizeof(body));
	json_write(&text, &json_problem_details_object, &problem);
	const struct http_header headers[] = {
		HTTP_HEADER(":status", digits),
		HTTP_HEADER("content-type", "application/problem+json"),
		HTTP_HEADER("server", sbi_scp_server_field(scp)),
	};
	sbi_answer_held(held, &(struct http_message){ .headers = headers,
						      .header_count = 3,
						      .body = OCTETS((uint8_t *)body, text.len) });
}

static void on_response(struct http_stream *stream, void *arg, const struct http_message *response)
{
	struct passing *passing = arg;
	struct http_header headers[FIELDS_MAX + 1];
	size_t count = response->header_count < FIELDS_MAX ? response->header_count : FIELDS_MAX;

	(void)stream;
	memcpy(headers, response->headers, count * sizeof(headers[0]));
	headers[count++] = via_of(passing->scp);
	sbi_answer_held(passing->held, &(struct http_message){ .headers = headers,
							       .header_count = count,
							       .body = response->body });
	free(passing);
}

static void on_failed(struct http_stream *stream, void *arg, enum http_failure failure,
		      const char *why)
{
	struct passing *passing = arg;

	(void)stream;
	(void)failure;
	(void)why;
	answer_itself(passing->held, passing->scp, 504, "TARGET_NF_NOT_REACHABLE");
	free(passing);
}

static const struct http_client_handler handler = { on_response, on_failed };

static void on_gone(void *arg)
{
	struct passing *passing = arg;

	if (passing->stream)
		http_cancel(passing->stream);
	free(passing);
}

/* --- requests ----------------------------------------------------------------------------------
 */

/* The producer of the case whose apiRoot this is; NULL: none. */
static struct sbi_peer *target_of(const struct sbi_peer *scp, const struct http_message *message)
{
	const struct octets *field = http_header(message, TARGET);
	struct octets root = field ? *field : OCTETS(NULL, 0);

	if (root.len && root.data[root.len - 1] == '/')
		root.len--;
	for (struct sbi_peer *peer = scp->sbi->peers; peer; peer = peer->next)
		if (!peer->options.scp && sbi_equal_nocase(root, peer->root))
			return peer;
	return NULL;
}

static struct http_client *client_to(struct sbi_peer *scp, const struct sbi_peer *to)
{
	const struct profile_tls *files = &scp->sbi->t->profile->sbi_tls;
	/* both ends are ours: there is nobody to be found out */
	const struct http_tls tls = { .cert = files->cert, .key = files->key };
	struct net_address local = scp->address;
	struct sbi_client *c;
	char buf[200];
	struct text why;

	for (size_t i = 0; i < scp->client_count; i++)
		if (net_address_equal(&scp->clients[i].address, &to->address))
			return scp->clients[i].client;
	if (scp->client_count == SBI_CLIENTS_MAX)
		return NULL;
	c = &scp->clients[scp->client_count];
	net_address_set_port(&local, 0);
	text_init(&why, buf, sizeof(buf));
	c->address = to->address;
	c->client = http_client_new(
		scp->sbi->http, scp->name, &local, &to->address, files->cert ? &tls : NULL,
		&(struct http_client_options){ .connections = CONNECTIONS, .streams = STREAMS },
		&why);
	scp->client_count += c->client != NULL;
	return c->client;
}

/* Everything but where it was sent to. */
static size_t compose(struct http_header headers[FIELDS_MAX + 1], const struct sbi_peer *scp,
		      const struct http_message *message)
{
	size_t count = 0;

	for (size_t i = 0; i < message->header_count && count < FIELDS_MAX; i++) {
		const struct octets name = message->headers[i].name;

		if (!sbi_octets_are(name, ":scheme") && !sbi_octets_are(name, ":authority") &&
		    !sbi_octets_are(name, TARGET))
			headers[count++] = message->headers[i];
	}
	headers[count++] = via_of(scp);
	return count;
}

void sbi_scp_serve(struct sbi_request *request, void *arg)
{
	struct sbi_peer *scp = arg;
	struct sbi_peer *to = target_of(scp, request->message);
	struct http_client *client = to ? client_to(scp, to) : NULL;
	struct passing *passing;
	struct http_header headers[FIELDS_MAX + 1];

	scp->sbi->last_arrival = loop_now(scp->sbi->t->loop);
	scp->sbi->arrived++;
	scp->sbi->t->iut_answered = true;
	if (!request->stream)
		return;
	if (!client) {
		sbi_answer_problem(request, 400, "MANDATORY_IE_INCORRECT",
				   "3gpp-Sbi-Target-apiRoot names no producer of this case");
		return;
	}
	passing = calloc(1, sizeof(*passing));
	if (!passing || !(passing->held = sbi_hold(request, on_gone, passing))) {
		free(passing);
		sbi_answer_problem(request, 500, "INSUFFICIENT_RESOURCES", NULL);
		return;
	}
	passing->scp = scp;
	passing->stream = http_request(
		client,
		&(struct http_message){ .headers = headers,
					.header_count = compose(headers, scp, request->message),
					.body = request->message->body },
		&handler, passing, NULL);
	if (!passing->stream) {
		answer_itself(passing->held, scp, 504, "TARGET_NF_NOT_REACHABLE");
		free(passing);
	}
}

void sbi_scp_name(struct sbi_peer *peer)
{
	const char *digits = peer->sbi->t->profile->plmn.digits;

	if (!digits[0])
		digits = "00101";
	snprintf(peer->fqdn, sizeof(peer->fqdn), "scp%u.scp.5gc.mnc%s%s.mcc%.3s.3gppnetwork.org",
		 peer->entry, strlen(digits) == 6 ? "" : "0", digits + 3, digits);
	snprintf(peer->via, sizeof(peer->via), "2.0 SCP-%s", peer->fqdn);
}

/* --- as a case sees it -------------------------------------------------------------------------
 */

const char *sbi_scp_server_field(const struct sbi_peer *scp)
{
	return scp->via + strlen("2.0 ");
}

struct sbi_scope sbi_scope_scp(const struct sbi_peer *scp)
{
	return (struct sbi_scope){ .kind = SBI_SCOPE_SCP_FQDN, .id = HTTP_TEXT(scp->fqdn) };
}

void sbi_use_scp(struct sbi_peer *scp)
{
	struct tc *t = scp->sbi->t;

	if (!tc_control_try(t, "nf-config scp=%s fqdn=%s", scp->root, scp->fqdn))
		tc_na(t, "the control adapter cannot have the IUT go by way of an SCP (nf-config "
			 "scp=URI "
			 "fqdn=FQDN)");
}

bool sbi_came_by(const struct sbi_received *received, const struct sbi_peer *scp)
{
	const struct octets *via = received->message ? http_header(received->message, "via") : NULL;

	return via && sbi_octets_are(*via, scp->via);
}
