/* Requests of the tester's network functions, and what became of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/emulation/sbi_private.h"
#include "runner/net/http_secrets.h"
#include "runner/net/transport.h"

enum {
	FIELDS_MAX = 20,
	BODY_PRINTED = 2000,
	CONNECTIONS = 2, /* to one IUT */
	STREAMS = 200,
};

/* --- what is kept -------------------------------------------------------------------------------
 */

static struct octets put(uint8_t **at, struct octets octets)
{
	struct octets copy = OCTETS(*at, octets.len);

	if (octets.len)
		memcpy(*at, octets.data, octets.len);
	*at += octets.len;
	return copy;
}

const struct http_message *sbi_keep(struct sbi *sbi, const struct http_message *message)
{
	size_t count = message->header_count + message->trailer_count, size;
	struct http_message *copy;
	struct http_header *fields;
	uint8_t *at;

	size = sizeof(*copy) + count * sizeof(*fields) + message->body.len;
	for (size_t i = 0; i < message->header_count; i++)
		size += message->headers[i].name.len + message->headers[i].value.len;
	for (size_t i = 0; i < message->trailer_count; i++)
		size += message->trailers[i].name.len + message->trailers[i].value.len;
	if (sbi->e->octets + size > RECEIVED_OCTETS_MAX) {
		emulation_end(sbi->e, VERDICT_FAIL,
			      "the IUT floods the tester: more than %d MiB of messages in one case",
			      RECEIVED_OCTETS_MAX >> 20);
		return NULL;
	}
	sbi->e->octets += size;
	copy = tc_alloc(sbi->t, size);
	fields = (struct http_header *)(copy + 1);
	at = (uint8_t *)(fields + count);
	*copy = (struct http_message){ .headers = fields,
				       .header_count = message->header_count,
				       .trailers = fields + message->header_count,
				       .trailer_count = message->trailer_count };
	for (size_t i = 0; i < count; i++) {
		const struct http_header *from =
			i < message->header_count ? &message->headers[i]
						  : &message->trailers[i - message->header_count];

		fields[i].name = put(&at, from->name);
		fields[i].value = put(&at, from->value);
	}
	copy->body = put(&at, message->body);
	return copy;
}

/* --- what is said of load -----------------------------------------------------------------------
 */

typedef enum finding_rule read_fn(struct sbi_load *elements, size_t max, size_t *found,
				  const struct octets *lines, size_t count,
				  enum sbi_release release, struct arena *arena,
				  enum decode_mode mode, struct findings *findings);

static const char *say_fault(struct tc *t, const struct finding *finding)
{
	char buf[200], *copy;
	struct text text;

	text_init(&text, buf, sizeof(buf));
	sbi_finding_print(&text, finding);
	copy = tc_alloc(t, text.len + 1);
	memcpy(copy, buf, text.len + 1);
	return copy;
}

static struct sbi_loads loads_of(struct tc *t, const struct http_message *message, const char *name,
				 read_fn *read)
{
	struct sbi *sbi = sbi_of_case(t);
	struct sbi_loads loads = { .count = 0 };
	struct octets lines[HTTP_HEADERS_MAX];
	struct sbi_load *kept;
	struct finding first = { .rule = FINDING_NONE };
	struct findings findings = { .items = &first, .max = 1 };
	struct arena arena;
	size_t found = 0, used;

	loads.lines = message ? http_headers(message, name, lines, HTTP_HEADERS_MAX) : 0;
	if (loads.lines > HTTP_HEADERS_MAX)
		loads.lines = HTTP_HEADERS_MAX;
	if (loads.lines == 0)
		return loads;
	loads.text = lines[0];
	arena_init(&arena, sbi->scratch, SBI_SCRATCH);
	read(sbi->elements, SBI_ELEMENTS_MAX, &found, lines, loads.lines, SBI_REL_18, &arena,
	     DECODE_LENIENT, &findings);
	if (found > SBI_ELEMENTS_MAX)
		found = SBI_ELEMENTS_MAX;
	if (findings.count)
		loads.fault = say_fault(t, &first);
	if (found == 0) {
		if (!loads.fault)
			loads.fault = "no element";
		return loads;
	}
	used = arena.used + _Alignof(max_align_t);
	kept = tc_alloc(t, found * sizeof(*kept));
	arena_init(&arena, tc_alloc(t, used), used);
	sbi->e->octets += found * sizeof(*kept) + used;
	read(kept, found, &found, lines, loads.lines, SBI_REL_18, &arena, DECODE_LENIENT, NULL);
	loads.items = kept;
	loads.count = found < SBI_ELEMENTS_MAX ? found : SBI_ELEMENTS_MAX;
	return loads;
}

struct sbi_loads sbi_oci_of(struct tc *t, const struct http_message *message)
{
	return loads_of(t, message, "3gpp-sbi-oci", sbi_oci_read);
}

struct sbi_loads sbi_lci_of(struct tc *t, const struct http_message *message)
{
	return loads_of(t, message, "3gpp-sbi-lci", sbi_lci_read);
}

int sbi_priority_of(const struct http_message *message)
{
	const struct octets *value =
		message ? http_header(message, "3gpp-sbi-message-priority") : NULL;
	uint8_t priority;

	if (!value)
		return -1;
	return sbi_priority_read(&priority, *value, NULL) == FINDING_NONE ? priority : -2;
}

/* --- answers ------------------------------------------------------------------------------------
 */

static void read_cause(struct sbi_exchange *x)
{
	const struct http_message *m = x->response.message;
	const struct octets *type = http_header(m, "content-type");
	struct sbi *sbi = x->peer->sbi;
	struct json_problem_details problem;
	struct json_fault fault;
	struct arena arena;
	struct text text;

	x->response.cause = x->cause;
	if (!type || m->body.len > 65536 || x->response.status < 300)
		return;
	arena_init(&arena, sbi->scratch, SBI_SCRATCH);
	if (json_read(&json_problem_details_object, &problem, m->body, &arena, &fault) !=
	    FINDING_NONE)
		return;
	text_init(&text, x->cause, sizeof(x->cause));
	text_write(&text, problem.cause.data, problem.cause.len);
}

static void on_response(struct http_stream *stream, void *arg, const struct http_message *response)
{
	struct sbi_exchange *x = arg;
	struct sbi *sbi = x->peer->sbi;
	struct tc *t = sbi->t;

	(void)stream;
	x->stream = NULL;
	t->iut_answered = true;
	if (sbi->e->ended)
		return;
	x->response.message = sbi_keep(sbi, response);
	if (!x->response.message)
		return;
	x->response.time = loop_now(t->loop);
	x->response.exchange = x;
	x->response.status = http_status(x->response.message);
	x->response.oci = sbi_oci_of(t, x->response.message);
	x->response.lci = sbi_lci_of(t, x->response.message);
	read_cause(x);
	x->end = SBI_ANSWERED;
}

static void on_failed(struct http_stream *stream, void *arg, enum http_failure failure,
		      const char *why)
{
	struct sbi_exchange *x = arg;

	(void)stream;
	x->stream = NULL;
	x->failure = failure;
	snprintf(x->why, sizeof(x->why), "%s", why);
	x->end = SBI_FAILED;
	if (failure == HTTP_RESET || failure == HTTP_PROTOCOL || failure == HTTP_LIMIT)
		x->peer->sbi->t->iut_answered = true;
}

static const struct http_client_handler handler = { on_response, on_failed };

/* --- requests -----------------------------------------------------------------------------------
 */

static struct http_client *client_to(struct sbi_peer *peer, const struct net_address *address,
				     bool https)
{
	struct tc *t = peer->sbi->t;
	struct net_address local = peer->address;
	struct http_tls tls;
	struct sbi_client *c;
	char buf[300];
	struct text why;

	for (size_t i = 0; i < peer->client_count; i++)
		if (net_address_equal(&peer->clients[i].address, address) &&
		    peer->clients[i].https == https)
			return peer->clients[i].client;
	if (peer->client_count == SBI_CLIENTS_MAX)
		tc_error(t, "%s: more than %d targets", peer->name, SBI_CLIENTS_MAX);
	c = &peer->clients[peer->client_count];
	net_address_set_port(&local, 0);
	text_init(&why, buf, sizeof(buf));
	c->address = *address;
	c->https = https;
	c->client = http_client_new(
		peer->sbi->http, peer->name, &local, address,
		https ? sbi_client_tls(t->profile, &tls) : NULL,
		&(struct http_client_options){ .connections = CONNECTIONS, .streams = STREAMS },
		&why);
	if (!c->client)
		tc_error(t, "%s: no client: %s", peer->name, buf);
	peer->client_count++;
	return c->client;
}

struct target {
	struct net_address address;
	bool https;
	char path[1024];
};

static void of_uri(struct tc *t, const char *text, struct target *target)
{
	struct sbi_uri uri;
	char host[80];

	if (sbi_uri_read(&uri, sbi_octets(text), NULL) != FINDING_NONE ||
	    uri.host.len >= sizeof(host) || uri.path.len + uri.query.len + 3 > sizeof(target->path))
		tc_inconc(t, "\"%.200s\" is no URI that can be asked", text);
	memcpy(host, uri.host.data, uri.host.len);
	host[uri.host.len] = '\0';
	if (net_address_parse(&target->address, host, uri.port) != 0)
		tc_inconc(t, "\"%.200s\" names a host, and not its IP address", text);
	target->https = sbi_equal_nocase(uri.scheme, "https");
	snprintf(target->path, sizeof(target->path), "%s%.*s%s%.*s", uri.path.len ? "" : "/",
		 (int)uri.path.len, (const char *)uri.path.data, uri.has_query ? "?" : "",
		 (int)uri.query.len, (const char *)uri.query.data);
}

/* A path of the IUT's apiRoot. */
static void of_iut(struct tc *t, const char *path, struct target *target)
{
	struct sbi_uri uri;
	size_t prefix = 0;

	if (!t->profile->iut_sbi_uri)
		tc_na(t, "iut.sbi.uri is missing: there is no server of the IUT");
	if (sbi_uri_read(&uri, sbi_octets(t->profile->iut_sbi_uri), NULL) == FINDING_NONE)
		prefix = uri.path.len && uri.path.data[uri.path.len - 1] == '/' ? uri.path.len - 1
										: uri.path.len;
	target->address = t->profile->iut_sbi;
	target->https = t->profile->iut_sbi_https;
	if (prefix + strlen(path) >= sizeof(target->path))
		tc_error(t, "a path that is too long: %.60s", path);
	snprintf(target->path, sizeof(target->path), "%.*s%s", (int)prefix,
		 prefix ? (const char *)uri.path.data : "", path);
}

struct composed {
	struct http_header fields[FIELDS_MAX];
	size_t count;
	char user_agent[96], priority[16], oci[1024], bearer[SBI_BEARER_MAX];
};

static void add(struct composed *c, const char *name, const char *value)
{
	if (c->count < FIELDS_MAX)
		c->fields[c->count++] = (struct http_header){ HTTP_TEXT(name), HTTP_TEXT(value) };
}

static void compose(struct composed *c, struct sbi_peer *peer, const struct sbi_ask *ask,
		    const char *path)
{
	struct text oci, bearer;

	c->count = 0;
	add(c, ":method", ask->method ? ask->method : ask->body ? "POST" : "GET");
	add(c, ":path", path);
	snprintf(c->user_agent, sizeof(c->user_agent), "%s-%s", sbi_peer_type(peer), peer->id);
	add(c, "user-agent", c->user_agent);
	add(c, "accept", "application/json, application/problem+json");
	if (ask->body)
		add(c, "content-type", ask->content_type ? ask->content_type : "application/json");
	if (ask->priority) {
		snprintf(c->priority, sizeof(c->priority), "%d", ask->priority - 1);
		add(c, "3gpp-sbi-message-priority", c->priority);
	}
	if (ask->oci) {
		text_init(&oci, c->oci, sizeof(c->oci));
		sbi_oci_print(&oci, ask->oci);
		add(c, "3gpp-sbi-oci", c->oci);
	}
	text_init(&bearer, c->bearer, sizeof(c->bearer));
	if (!ask->uri)
		sbi_peer_bearer(peer, ask->bearer, ask->path ? ask->path : "/", &bearer);
	if (bearer.len)
		add(c, "authorization", c->bearer);
	for (size_t i = 0; i < sizeof(ask->fields) / sizeof(ask->fields[0]); i++)
		if (ask->fields[i].name)
			add(c, ask->fields[i].name, ask->fields[i].value);
}

struct sbi_exchange *sbi_ask_with(struct sbi_peer *peer, const struct sbi_ask *ask)
{
	struct sbi *sbi = peer->sbi;
	struct tc *t = sbi->t;
	uint64_t timeout = ask->timeout ? ask->timeout : t->profile->response_time;
	struct sbi_exchange *x;
	struct composed composed;
	struct target target;
	struct http_message message = { .headers = composed.fields };
	struct http_client *client;
	char buf[300];
	struct text why;

	if (sbi->exchanges++ >= SBI_EXCHANGES_MAX)
		tc_error(t, "more than %d requests in a case", SBI_EXCHANGES_MAX);
	if (ask->uri)
		of_uri(t, ask->uri, &target);
	else
		of_iut(t, ask->path ? ask->path : "/", &target);
	client = client_to(peer, &target.address, target.https);
	compose(&composed, peer, ask, target.path);
	message.header_count = composed.count;
	if (ask->body)
		message.body = sbi_octets(ask->body);
	x = tc_alloc(t, sizeof(*x));
	x->peer = peer;
	x->priority = ask->priority ? ask->priority - 1 : -1;
	x->limit = loop_now(t->loop) + timeout;
	snprintf(x->what, sizeof(x->what), "%.*s %.90s", (int)composed.fields[0].value.len,
		 (const char *)composed.fields[0].value.data, target.path);
	text_init(&why, x->to, sizeof(x->to));
	net_address_print(&target.address, &why);
	text_init(&why, buf, sizeof(buf));
	x->stream = http_request(client, &message, &handler, x, &why);
	if (!x->stream)
		tc_error(t, "%s: nothing can be sent: %s", peer->name, buf);
	return x;
}

/* --- operations of the profile ------------------------------------------------------------------
 */

static bool subscribes(const struct profile_operation *operation)
{
	return operation->body && strstr(operation->body, "{callback}");
}

static size_t find_operation(struct tc *t, bool subscribing)
{
	for (size_t i = 0; i < t->profile->operation_count; i++)
		if (subscribes(&t->profile->operations[i]) == subscribing)
			return i;
	return SIZE_MAX;
}

size_t sbi_subscribing(struct tc *t)
{
	return find_operation(t, true);
}

size_t sbi_plain(struct tc *t)
{
	return find_operation(t, false);
}

static const char *with_callback(struct sbi_peer *peer, const char *body, size_t number)
{
	const char *mark = strstr(body, "{callback}");
	char path[24], *out;
	const char *uri;
	size_t size;

	if (!mark)
		return body;
	snprintf(path, sizeof(path), "%zu", number);
	uri = sbi_peer_callback_uri(peer, path);
	size = strlen(body) + strlen(uri) + 1;
	out = tc_alloc(peer->sbi->t, size);
	snprintf(out, size, "%.*s%s%s", (int)(mark - body), body, uri, mark + strlen("{callback}"));
	return out;
}

struct sbi_exchange *sbi_operation_with(struct sbi_peer *peer, size_t i, const struct sbi_ask *ask)
{
	struct tc *t = peer->sbi->t;
	const struct profile_operation *operation = &t->profile->operations[i];
	struct sbi_ask asked = *ask;

	if (i >= t->profile->operation_count)
		tc_na(t, "the profile has no operation %zu (ixit.operations)", i + 1);
	asked.method = operation->method;
	asked.path = operation->path;
	if (operation->body && !ask->body)
		asked.body = with_callback(peer, operation->body, i);
	return sbi_ask_with(peer, &asked);
}

/* --- waiting ------------------------------------------------------------------------------------
 */

static bool has_ended(void *arg)
{
	const struct sbi_exchange *x = arg;

	return x->end != SBI_PENDING;
}

/* The client itself waits longer than we do. */
static void await(struct sbi_exchange *x)
{
	struct tc *t = x->peer->sbi->t;
	uint64_t now = loop_now(t->loop);

	if (x->end != SBI_PENDING || tc_wait(t, x->limit > now ? x->limit - now : 0, has_ended, x))
		return;
	http_cancel(x->stream);
	x->stream = NULL;
	x->end = SBI_FAILED;
	x->failure = HTTP_TIMEOUT;
	snprintf(x->why, sizeof(x->why), "no answer in time");
}

const struct sbi_response *sbi_finish_try(struct sbi_exchange *x)
{
	await(x);
	return sbi_response(x);
}

static noreturn void end_unanswered(const struct sbi_exchange *x)
{
	struct tc *t = x->peer->sbi->t;

	switch (x->failure) {
	case HTTP_REFUSED:
	case HTTP_TLS:
		if (!t->iut_answered)
			tc_unreachable(t, "%s: %s cannot be reached: %s", x->peer->name, x->to,
				       x->why);
		tc_iut_dead(t, "%s: %s takes no connection any more: %s", x->peer->name, x->to,
			    x->why);
	case HTTP_OWN:
		tc_error(t, "%s: %s: %s", x->peer->name, x->what, x->why);
	case HTTP_RESET:
	case HTTP_PROTOCOL:
	case HTTP_LIMIT:
		tc_fail(t, "%s: %s: no answer but %s: %s", x->peer->name, x->what,
			http_failure_name(x->failure), x->why);
	case HTTP_LOST:
	case HTTP_CLOSED:
	case HTTP_TIMEOUT:
		break;
	}
	tc_iut_dead(t, "%s: no answer from %s to %s: %s", x->peer->name, x->to, x->what, x->why);
}

const struct sbi_response *sbi_finish(struct sbi_exchange *x)
{
	const struct sbi_response *response = sbi_finish_try(x);

	if (!response)
		end_unanswered(x);
	return response;
}

struct all {
	struct sbi_exchange *const *exchanges;
	size_t count, next;
};

static bool all_ended(void *arg)
{
	struct all *all = arg;

	while (all->next < all->count && all->exchanges[all->next]->end != SBI_PENDING)
		all->next++;
	return all->next == all->count;
}

void sbi_finish_all(struct tc *t, struct sbi_exchange *const *exchanges, size_t count)
{
	struct all all = { .exchanges = exchanges, .count = count };
	uint64_t limit = 0, now = loop_now(t->loop);

	for (size_t i = 0; i < count; i++)
		limit = exchanges[i]->limit > limit ? exchanges[i]->limit : limit;
	tc_wait(t, limit > now ? limit - now : 0, all_ended, &all);
	for (size_t i = 0; i < count; i++)
		await(exchanges[i]);
}

enum sbi_end sbi_exchange_end(const struct sbi_exchange *x)
{
	return x->end;
}

enum http_failure sbi_failure(const struct sbi_exchange *x)
{
	return x->failure;
}

const char *sbi_failure_why(const struct sbi_exchange *x)
{
	return x->why;
}

const struct sbi_response *sbi_response(const struct sbi_exchange *x)
{
	return x->end == SBI_ANSWERED ? &x->response : NULL;
}

int sbi_asked_priority(const struct sbi_exchange *x)
{
	return x->priority;
}

const void *sbi_read(struct tc *t, const struct sbi_response *response,
		     const struct json_object *object)
{
	size_t size = 16 * response->message->body.len + 65536;
	void *out = tc_alloc(t, object->size);
	struct json_fault fault;
	struct arena arena;
	char buf[4096];
	struct text text;

	arena_init(&arena, tc_alloc(t, size), size);
	if (json_read(object, out, response->message->body, &arena, &fault) == FINDING_NONE)
		return out;
	text_init(&text, buf, sizeof(buf));
	sbi_print(&text, response->message);
	tc_detail(t, buf);
	tc_violation(t, "the body of the answer to %s is no %s: %s: %s", response->exchange->what,
		     object->name, fault.path, fault.reason);
}

static void put_octets(struct text *out, struct octets octets, size_t max)
{
	for (size_t i = 0; i < octets.len && i < max; i++) {
		uint8_t c = octets.data[i];

		if (c >= ' ' && c < 0x7f)
			text_putc(out, (char)c);
		else
			text_printf(out, "\\x%02x", c);
	}
	if (octets.len > max)
		text_printf(out, "... (%zu octets)", octets.len);
}

void sbi_print(struct text *out, const struct http_message *message)
{
	for (size_t i = 0; i < message->header_count; i++) {
		put_octets(out, message->headers[i].name, 60);
		text_puts(out, ": ");
		if (http_is_secret_field(message->headers[i].name))
			text_puts(out, "(not shown)");
		else
			put_octets(out, message->headers[i].value, 400);
		text_putc(out, '\n');
	}
	if (message->body.len) {
		uint8_t body[BODY_PRINTED];
		size_t len = message->body.len < sizeof(body) ? message->body.len : sizeof(body);

		memcpy(body, message->body.data, len);
		http_blot_body(body, len);
		put_octets(out, OCTETS(body, len), sizeof(body));
		if (message->body.len > len)
			text_printf(out, "... (%zu octets)", message->body.len);
		text_putc(out, '\n');
	}
}
