#include "runner/emulation/sbi_server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/sbi/sbi.h"
#include "runner/core/random.h"

enum {
	FIELDS_MAX = 8, /* that every answer has */
	ROOT_MAX = 128,
	BODY_MAX = 256 * 1024,
};

struct kept {
	struct sbi_received received;
	struct http_message *copy;
	size_t octets; /* about */
};

/* An answer that waits for its time. */
struct later {
	struct sbi_server *server;
	struct later *next, **where;
	struct http_stream *stream;
	struct http_message *answer;
	enum sbi_action action;
	size_t number; /* of the request */
	struct timer timer;
};

struct sbi_held {
	struct sbi_server *server;
	struct sbi_held *next, **where;
	struct http_stream *stream;
	size_t number; /* of the request */
	void (*gone)(void *arg);
	void *arg;
};

struct sbi_server {
	struct http *http;
	struct http_server *listener;
	struct loop *loop;
	struct random random;
	const struct sbi_route *routes;
	size_t route_count;
	void *arg;
	char name[32];
	char root[ROOT_MAX];
	struct sbi_rule rules[SBI_RULES_MAX];
	bool used[SBI_RULES_MAX];
	uint64_t left[SBI_RULES_MAX];	   /* times that a rule still applies */
	unsigned int order[SBI_RULES_MAX]; /* newest first */
	size_t rule_count;
	struct http_header fields[FIELDS_MAX];
	size_t field_count;
	struct kept *kept; /* SBI_RECEIVED_MAX, as a ring */
	size_t count;
	size_t first; /* whose copy is still kept */
	size_t octets;
	struct later *later;
	struct sbi_held *held;
	struct sbi_guard guard;
	char token_fault[200];
};

static bool same(struct octets octets, const char *text)
{
	return octets.len == strlen(text) && memcmp(octets.data, text, octets.len) == 0;
}

static bool begins(struct octets octets, const char *text)
{
	size_t len = strlen(text);

	return octets.len >= len && memcmp(octets.data, text, len) == 0;
}

/* --- what was received ------------------------------------------------------------------------ */

static struct kept *kept_at(const struct sbi_server *server, size_t number)
{
	return &server->kept[number % SBI_RECEIVED_MAX];
}

size_t sbi_server_received_count(const struct sbi_server *server)
{
	return server->count;
}

const struct sbi_received *sbi_server_received(const struct sbi_server *server, size_t number)
{
	if (number >= server->count || number < server->first)
		return NULL;
	return &kept_at(server, number)->received;
}

size_t sbi_server_count(const struct sbi_server *server, const char *method, const char *path,
			uint64_t since_us)
{
	size_t found = 0;

	for (size_t i = server->first; i < server->count; i++) {
		const struct sbi_received *r = &kept_at(server, i)->received;

		found += r->t_us >= since_us && (!method || same(r->method, method)) &&
			 (!path || begins(r->path, path));
	}
	return found;
}

static void split_path(struct octets target, struct octets *path, struct octets *query)
{
	const uint8_t *mark = memchr(target.data, '?', target.len);

	*path = mark ? OCTETS(target.data, (size_t)(mark - target.data)) : target;
	*query = mark ? OCTETS(mark + 1, target.len - path->len - 1) : OCTETS(NULL, 0);
}

static uint8_t priority_of(const struct http_message *message)
{
	const struct octets *value = http_header(message, "3gpp-sbi-message-priority");
	uint8_t priority = SBI_PRIORITY_DEFAULT;

	if (value)
		sbi_priority_read(&priority, *value, NULL);
	return priority;
}

static void forget_first(struct sbi_server *server)
{
	struct kept *kept = kept_at(server, server->first++);

	server->octets -= kept->octets;
	free(kept->copy);
	memset(kept, 0, sizeof(*kept));
}

static size_t size_of(const struct http_message *message)
{
	size_t size = sizeof(*message) + message->body.len;

	for (size_t i = 0; i < message->header_count; i++)
		size += sizeof(message->headers[i]) + message->headers[i].name.len +
			message->headers[i].value.len;
	return size;
}

/* Returns its number; the copy may be missing where there is no memory. */
static size_t keep(struct sbi_server *server, struct http_stream *stream,
		   const struct http_message *message)
{
	struct kept *kept = kept_at(server, server->count);
	size_t octets = size_of(message);
	const struct octets *method, *target;

	while (server->first < server->count &&
	       (server->count - server->first == SBI_RECEIVED_MAX ||
		server->octets + octets > SBI_RECEIVED_OCTETS_MAX))
		forget_first(server);
	memset(kept, 0, sizeof(*kept));
	kept->octets = octets;
	server->octets += octets;
	kept->copy = http_message_copy(message);
	kept->received.t_us = loop_now(server->loop);
	kept->received.priority = priority_of(message);
	kept->received.connection = http_stream_connection(stream);
	if (kept->copy) {
		kept->received.message = kept->copy;
		method = http_header(kept->copy, ":method");
		target = http_header(kept->copy, ":path");
		kept->received.method = method ? *method : OCTETS(NULL, 0);
		if (target)
			split_path(*target, &kept->received.path, &kept->received.query);
	}
	return server->count++;
}

static struct sbi_received *received(struct sbi_server *server, size_t number)
{
	return number >= server->first ? &kept_at(server, number)->received : NULL;
}

/* --- rules ------------------------------------------------------------------------------------ */

int sbi_server_rule(struct sbi_server *server, const struct sbi_rule *rule)
{
	unsigned int number = 0;

	while (number < SBI_RULES_MAX && server->used[number])
		number++;
	if (number == SBI_RULES_MAX)
		return -ENOSPC;
	server->rules[number] = *rule;
	server->left[number] = rule->times ? rule->times : UINT64_MAX;
	server->used[number] = true;
	memmove(server->order + 1, server->order, server->rule_count * sizeof(server->order[0]));
	server->order[0] = number;
	server->rule_count++;
	return (int)number;
}

void sbi_server_no_rule(struct sbi_server *server, int number)
{
	size_t count = 0;

	for (size_t i = 0; i < server->rule_count; i++) {
		unsigned int each = server->order[i];

		if (number < 0 || each == (unsigned int)number)
			server->used[each] = false;
		else
			server->order[count++] = each;
	}
	server->rule_count = count;
}

static const struct sbi_rule *rule_for(struct sbi_server *server, const struct sbi_request *request)
{
	for (size_t i = 0; i < server->rule_count; i++) {
		unsigned int number = server->order[i];
		const struct sbi_rule *rule = &server->rules[number];

		if ((rule->method && !same(request->method, rule->method)) ||
		    (rule->path && !begins(request->path, rule->path)) ||
		    (rule->above && request->priority <= rule->above) || !server->left[number])
			continue;
		if (rule->share > 0 && random_unit(&server->random) >= rule->share)
			continue;
		if (server->left[number] != UINT64_MAX)
			server->left[number]--;
		return rule;
	}
	return NULL;
}

void sbi_server_fields(struct sbi_server *server, const struct http_header *fields, size_t count)
{
	server->field_count = count < FIELDS_MAX ? count : FIELDS_MAX;
	for (size_t i = 0; i < server->field_count; i++)
		server->fields[i] = fields[i];
}

/* --- answers ---------------------------------------------------------------------------------- */

static void later_free(struct later *later)
{
	timer_stop(&later->timer);
	*later->where = later->next;
	if (later->next)
		later->next->where = later->where;
	free(later->answer);
	free(later);
}

static void send_now(struct sbi_server *server, struct http_stream *stream, size_t number,
		     const struct http_message *answer, enum sbi_action action)
{
	struct sbi_received *r = received(server, number);

	if (action == SBI_RESET_MIDWAY) {
		http_respond_partly(stream, answer, HTTP_INTERNAL_ERROR);
		return;
	}
	if (http_respond(stream, answer) == 0 && r)
		r->status = http_status(answer);
}

static void later_fires(struct timer *timer, void *arg)
{
	struct later *later = arg;
	struct http_message *answer = later->answer;

	(void)timer;
	later->answer = NULL;
	send_now(later->server, later->stream, later->number, answer, later->action);
	free(answer);
	later_free(later);
}

static void send_later(struct sbi_server *server, struct http_stream *stream, size_t number,
		       const struct http_message *answer, const struct sbi_rule *rule)
{
	struct later *later = calloc(1, sizeof(*later));

	if (!later)
		return;
	later->answer = http_message_copy(answer);
	if (!later->answer) {
		free(later);
		return;
	}
	later->server = server;
	later->stream = stream;
	later->number = number;
	later->action = rule->action;
	later->next = server->later;
	later->where = &server->later;
	if (later->next)
		later->next->where = &later->next;
	server->later = later;
	timer_init(&later->timer, server->loop, "SBI answer", later_fires, later);
	timer_start(&later->timer, rule->delay_us);
}

struct composed {
	struct http_header headers[5 + FIELDS_MAX + SBI_RULE_HEADERS_MAX];
	size_t count;
	char status[4];
};

static void add_field(struct composed *c, const char *name, struct octets value)
{
	c->headers[c->count++] = (struct http_header){ HTTP_TEXT(name), value };
}

static size_t number_of(const struct http_stream *stream)
{
	return (size_t)(uintptr_t)http_stream_user(stream) - 1;
}

static void send_answer(struct sbi_request *request, const struct sbi_answer *answer)
{
	struct sbi_server *server = request->server;
	const struct sbi_rule *rule = request->rule;
	struct composed c = { .count = 0 };
	struct http_message message = { .headers = c.headers, .body = answer->body };
	struct text text;

	text_init(&text, c.status, sizeof(c.status));
	text_printf(&text, "%u", answer->status);
	add_field(&c, ":status", HTTP_TEXT(c.status));
	if (answer->body.len)
		add_field(&c, "content-type",
			  HTTP_TEXT(answer->content_type ? answer->content_type
							 : "application/json"));
	if (answer->location)
		add_field(&c, "location", HTTP_TEXT(answer->location));
	if (answer->challenge)
		add_field(&c, "www-authenticate", HTTP_TEXT(answer->challenge));
	for (size_t i = 0; i < server->field_count; i++)
		c.headers[c.count++] = server->fields[i];
	for (size_t i = 0; rule && i < rule->header_count && i < SBI_RULE_HEADERS_MAX; i++)
		c.headers[c.count++] = rule->headers[i];
	message.header_count = c.count;
	if (rule && rule->delay_us)
		send_later(server, request->stream, number_of(request->stream), &message, rule);
	else
		send_now(server, request->stream, number_of(request->stream), &message,
			 rule ? rule->action : SBI_ANSWER);
	request->stream = NULL;
}

/* --- answers of somebody else ------------------------------------------------------------------
 */

struct sbi_held *sbi_hold(struct sbi_request *request, void (*gone)(void *arg), void *arg)
{
	struct sbi_server *server = request->server;
	struct sbi_held *held = request->stream ? calloc(1, sizeof(*held)) : NULL;
	struct sbi_received *r;

	if (!held)
		return NULL;
	*held = (struct sbi_held){ .server = server,
				   .next = server->held,
				   .where = &server->held,
				   .stream = request->stream,
				   .number = number_of(request->stream),
				   .gone = gone,
				   .arg = arg };
	if (held->next)
		held->next->where = &held->next;
	server->held = held;
	request->stream = NULL;
	r = received(server, held->number);
	if (r)
		r->passed_on = true;
	return held;
}

static void held_free(struct sbi_held *held)
{
	*held->where = held->next;
	if (held->next)
		held->next->where = held->where;
	free(held);
}

void sbi_answer_held(struct sbi_held *held, const struct http_message *answer)
{
	struct sbi_server *server = held->server;
	struct http_header headers[HTTP_HEADERS_MAX];
	size_t count = answer->header_count;
	struct http_message message = { .headers = headers, .body = answer->body };

	if (count > HTTP_HEADERS_MAX - FIELDS_MAX)
		count = HTTP_HEADERS_MAX - FIELDS_MAX;
	memcpy(headers, answer->headers, count * sizeof(headers[0]));
	for (size_t i = 0; i < server->field_count; i++)
		headers[count++] = server->fields[i];
	message.header_count = count;
	send_now(server, held->stream, held->number, &message, SBI_ANSWER);
	held_free(held);
}

/* Its client is gone; all: the server is. */
static void forget_held(struct sbi_server *server, const struct http_stream *stream)
{
	for (struct sbi_held *held = server->held, *next; held; held = next) {
		next = held->next;
		if (stream && held->stream != stream)
			continue;
		held->gone(held->arg);
		held_free(held);
	}
}

/* --- answers of rules --------------------------------------------------------------------------
 */

/* What the rule says, in the place of a default answer. */
static void answer_by_rule(struct sbi_request *request)
{
	const struct sbi_rule *rule = request->rule;
	char body[512];
	struct text text;
	const struct json_problem_details problem = {
		.status = JSON_INT(rule->status),
		.cause = rule->cause ? HTTP_TEXT(rule->cause) : OCTETS(NULL, 0),
	};
	struct sbi_answer answer = { .status = rule->status };

	text_init(&text, body, sizeof(body));
	if (rule->body.data) {
		answer.body = rule->body;
		answer.content_type = rule->content_type;
	} else if (rule->status >= 400) {
		json_write(&text, &json_problem_details_object, &problem);
		answer.body = OCTETS((uint8_t *)body, text.len);
		answer.content_type = "application/problem+json";
	}
	send_answer(request, &answer);
}

void sbi_answer(struct sbi_request *request, const struct sbi_answer *answer)
{
	struct sbi_answer changed = *answer;

	if (!request->stream)
		return;
	if (request->rule && request->rule->status) {
		answer_by_rule(request);
		return;
	}
	if (request->rule && request->rule->body.data) {
		changed.body = request->rule->body;
		changed.content_type = request->rule->content_type;
	}
	send_answer(request, &changed);
}

void sbi_answer_json(struct sbi_request *request, unsigned int status, const char *location,
		     const struct json_object *object, const void *value)
{
	char *body = malloc(BODY_MAX);
	struct text text;

	if (!body) {
		sbi_answer_problem(request, 500, "INSUFFICIENT_RESOURCES", NULL);
		return;
	}
	text_init(&text, body, BODY_MAX);
	json_write(&text, object, value);
	if (text.truncated)
		sbi_answer_problem(request, 500, "INSUFFICIENT_RESOURCES", NULL);
	else
		sbi_answer(request,
			   &(struct sbi_answer){ .status = status,
						 .location = location,
						 .body = OCTETS((uint8_t *)body, text.len) });
	free(body);
}

static void answer_details(struct sbi_request *request, const struct json_problem_details *problem)
{
	char body[2048];
	struct text text;

	text_init(&text, body, sizeof(body));
	json_write(&text, &json_problem_details_object, problem);
	sbi_answer(request, &(struct sbi_answer){
				    .status = (unsigned int)problem->status.value,
				    .body = OCTETS((uint8_t *)body, text.truncated ? 0 : text.len),
				    .content_type = "application/problem+json" });
}

void sbi_answer_problem(struct sbi_request *request, unsigned int status, const char *cause,
			const char *detail)
{
	answer_details(request, &(struct json_problem_details){
					.status = JSON_INT(status),
					.cause = cause ? HTTP_TEXT(cause) : OCTETS(NULL, 0),
					.detail = detail ? HTTP_TEXT(detail) : OCTETS(NULL, 0),
				});
}

void sbi_answer_fault(struct sbi_request *request, const struct json_fault *fault)
{
	const struct json_invalid_param param = {
		.param = HTTP_TEXT(fault->path),
		.reason = HTTP_TEXT(fault->reason),
	};
	const char *cause = fault->rule == FINDING_MISSING  ? "MANDATORY_IE_MISSING"
			    : strcmp(fault->path, "$") == 0 ? "INVALID_MSG_FORMAT"
							    : "OPTIONAL_IE_INCORRECT";

	answer_details(request, &(struct json_problem_details){
					.status = JSON_INT(400),
					.cause = HTTP_TEXT(cause),
					.invalid_params = { &param, 1 },
				});
}

bool sbi_read_body(struct sbi_request *request, const struct json_object *object, void *value,
		   struct octets body, struct arena *arena)
{
	struct json_fault fault;

	if (json_read(object, value, body, arena, &fault) == FINDING_NONE)
		return true;
	sbi_answer_fault(request, &fault);
	return false;
}

/* --- access tokens ---------------------------------------------------------------------------- */

void sbi_server_guard(struct sbi_server *server, const struct sbi_guard *guard)
{
	server->guard = *guard;
}

const char *sbi_server_token_fault(const struct sbi_server *server)
{
	return server->token_fault;
}

static enum sbi_token look_at_token(struct sbi_server *server, const struct sbi_request *request)
{
	char fault[sizeof(server->token_fault)] = "";
	struct text why;
	enum sbi_token token;

	text_init(&why, fault, sizeof(fault));
	token = sbi_guard_look(&server->guard, request->message, request->path,
			       loop_now(server->loop), &why);
	if (fault[0])
		memcpy(server->token_fault, fault, sizeof(fault));
	return token;
}

static void answer_unauthorized(struct sbi_request *request, enum sbi_token token)
{
	static const struct json_problem_details problem = { .status = JSON_INT(401) },
						 forbidden = { .status = JSON_INT(403) };
	const bool scope = token == SBI_TOKEN_OTHER_SCOPE;
	char challenge[ROOT_MAX + 80], body[128];
	struct text text;

	text_init(&text, body, sizeof(body));
	json_write(&text, &json_problem_details_object, scope ? &forbidden : &problem);
	snprintf(challenge, sizeof(challenge), "Bearer realm=\"%s\"%s", request->server->root,
		 scope			      ? ", error=\"insufficient_scope\""
		 : token == SBI_TOKEN_MISSING ? ""
					      : ", error=\"invalid_token\"");
	sbi_answer(request, &(struct sbi_answer){ .status = scope ? 403 : 401,
						  .body = OCTETS((uint8_t *)body, text.len),
						  .content_type = "application/problem+json",
						  .challenge = challenge });
}

/* --- requests --------------------------------------------------------------------------------- */

/* Segment by segment. */
static bool route_fits(const char *route, struct octets path, struct octets ids[SBI_IDS_MAX])
{
	size_t at = 0, count = 0;

	if (strcmp(route, "**") == 0)
		return true;
	while (*route) {
		if (*route == '*') {
			size_t start = at;

			while (at < path.len && path.data[at] != '/')
				at++;
			if (at == start || count == SBI_IDS_MAX)
				return false;
			ids[count++] = OCTETS(path.data + start, at - start);
			route++;
		} else if (at == path.len || path.data[at] != (uint8_t)*route) {
			return false;
		} else {
			at++;
			route++;
		}
	}
	return at == path.len;
}

static void handle(struct sbi_request *request, enum sbi_token token)
{
	struct sbi_server *server = request->server;
	bool known = false;

	if (token > SBI_TOKEN_GOOD) {
		answer_unauthorized(request, token);
		return;
	}

	for (size_t i = 0; i < server->route_count; i++) {
		const struct sbi_route *route = &server->routes[i];

		if (!route_fits(route->path, request->path, request->ids))
			continue;
		known = true;
		if (route->method && !same(request->method, route->method))
			continue;
		route->handle(request, server->arg);
		return;
	}
	if (known)
		sbi_answer_problem(request, 405, NULL, NULL);
	else
		sbi_answer_problem(request, 404, "RESOURCE_URI_STRUCTURE_NOT_FOUND", NULL);
}

/* The default behaviour runs, and its answer goes nowhere. */
static void handle_unheard(const struct sbi_request *request, enum sbi_token token)
{
	struct sbi_request unheard = *request;

	unheard.stream = NULL;
	unheard.rule = NULL;
	handle(&unheard, token);
}

static void take_request(struct http_stream *stream, void *arg, const struct http_message *message)
{
	struct sbi_server *server = arg;
	size_t number = keep(server, stream, message);
	const struct octets *method = http_header(message, ":method");
	const struct octets *target = http_header(message, ":path");
	struct sbi_request request = {
		.server = server,
		.stream = stream,
		.message = message,
		.priority = priority_of(message),
	};
	enum sbi_token token;

	http_stream_set_user(stream, (void *)(uintptr_t)(number + 1));
	if (!method || !target) {
		http_reset(stream, HTTP_PROTOCOL_ERROR);
		return;
	}
	request.method = *method;
	split_path(*target, &request.path, &request.query);
	token = look_at_token(server, &request);
	kept_at(server, number)->received.token = token;
	request.rule = rule_for(server, &request);
	if (!request.rule) {
		handle(&request, token);
		return;
	}
	if (request.rule->do_default &&
	    (request.rule->status || request.rule->action != SBI_ANSWER))
		handle_unheard(&request, token);
	switch (request.rule->action) {
	case SBI_RESET:
		http_reset(stream, HTTP_INTERNAL_ERROR);
		return;
	case SBI_DROP:
		http_stream_drop(stream);
		return;
	case SBI_SILENCE:
		return;
	case SBI_ANSWER:
	case SBI_RESET_MIDWAY:
		break;
	}
	if (request.rule->status)
		answer_by_rule(&request);
	else
		handle(&request, token);
}

static void take_gone(struct http_stream *stream, void *arg, const char *why)
{
	struct sbi_server *server = arg;
	struct sbi_received *r = received(server, number_of(stream));

	(void)why;
	if (r)
		r->gone = true;
	forget_held(server, stream);
	for (struct later *l = server->later, *next; l; l = next) {
		next = l->next;
		if (l->stream == stream)
			later_free(l);
	}
}

static int hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void decode(struct octets from, char *value, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < from.len && n + 1 < size; i++) {
		int high, low;

		if (from.data[i] == '%' && i + 2 < from.len &&
		    (high = hex_digit(from.data[i + 1])) >= 0 &&
		    (low = hex_digit(from.data[i + 2])) >= 0) {
			value[n++] = (char)(high << 4 | low);
			i += 2;
		} else {
			value[n++] = from.data[i] == '+' ? ' ' : (char)from.data[i];
		}
	}
	value[n] = '\0';
}

bool sbi_query(struct octets query, const char *name, char *value, size_t size)
{
	size_t len = strlen(name);

	while (query.len) {
		const uint8_t *end = memchr(query.data, '&', query.len);
		size_t n = end ? (size_t)(end - query.data) : query.len;

		if (n > len && memcmp(query.data, name, len) == 0 && query.data[len] == '=') {
			decode(OCTETS(query.data + len + 1, n - len - 1), value, size);
			return true;
		}
		n += end != NULL;
		query = OCTETS(query.data + n, query.len - n);
	}
	return false;
}

static const struct http_server_handler handler = { take_request, take_gone };

struct sbi_server *sbi_server_start(struct http *http, struct loop *loop, const char *name,
				    const struct net_address *local, const struct http_tls *tls,
				    const struct sbi_route *routes, size_t route_count, void *arg,
				    struct text *why)
{
	struct sbi_server *server = calloc(1, sizeof(*server));
	struct text text;

	if (!server || !(server->kept = calloc(SBI_RECEIVED_MAX, sizeof(*server->kept)))) {
		text_puts(why, "out of memory");
		free(server);
		return NULL;
	}
	server->http = http;
	text_init(&text, server->name, sizeof(server->name));
	text_puts(&text, name);
	server->loop = loop;
	server->routes = routes;
	server->route_count = route_count;
	server->arg = arg;
	random_init(&server->random, loop_seed(loop), name);
	server->listener = http_listen(http, name, local, tls, &handler, server, why);
	if (!server->listener) {
		free(server->kept);
		free(server);
		return NULL;
	}
	text_init(&text, server->root, sizeof(server->root));
	text_puts(&text, tls ? "https://" : "http://");
	net_address_print(http_server_local(server->listener), &text);
	return server;
}

void sbi_server_stop(struct sbi_server *server)
{
	if (!server)
		return;
	http_server_close(server->listener);
	while (server->later)
		later_free(server->later);
	forget_held(server, NULL);
	for (size_t i = 0; i < SBI_RECEIVED_MAX; i++)
		free(server->kept[i].copy);
	free(server->kept);
	free(server);
}

struct http_server *sbi_server_http(struct sbi_server *server)
{
	return server->listener;
}

const char *sbi_server_name(const struct sbi_server *server)
{
	return server->name;
}

const char *sbi_server_root(const struct sbi_server *server)
{
	return server->root;
}
