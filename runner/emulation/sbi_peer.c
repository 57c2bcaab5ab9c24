/* The tester's network functions: who they are, what they answer by themselves, and our NRF. */
#include "runner/emulation/sbi_peer.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "runner/emulation/sbi_private.h"
#include "runner/net/transport.h"

#define NF_INSTANCES "/nnrf-nfm/v1/nf-instances/"
#define DISCOVERY    "/nnrf-disc/v1/nf-instances"

bool sbi_octets_are(struct octets octets, const char *text)
{
	return octets.len == strlen(text) && memcmp(octets.data, text, octets.len) == 0;
}

bool sbi_octets_begin(struct octets octets, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	return octets.len >= len && (len == 0 || memcmp(octets.data, text, len) == 0);
}

/* --- the whole ---------------------------------------------------------------------------------
 */

static void take_down(void *arg)
{
	struct sbi *sbi = arg;

	for (struct sbi_peer *peer = sbi->peers; peer; peer = peer->next)
		sbi_server_stop(peer->server);
	sbi_nrf_stop(sbi->nrf);
	http_free(sbi->http);
	sbi_forget_tokens(sbi);
}

static void start_nrf(struct sbi *sbi);

struct sbi *sbi_of_case(struct tc *t)
{
	struct emulation *e = emulation_of(t);
	struct http_options options = { .sim = net_sim(t->net) };
	char buf[300];
	struct text why;

	if (e->sbi)
		return e->sbi;
	e->sbi = tc_alloc(t, sizeof(*e->sbi));
	e->sbi->e = e;
	e->sbi->t = t;
	e->sbi->scratch = tc_alloc(t, SBI_SCRATCH);
	random_init(&e->sbi->random, t->seed, "sbi");
	text_init(&why, buf, sizeof(buf));
	e->sbi->http = http_new(t->loop, &options, t->record, &why);
	if (!e->sbi->http)
		tc_error(t, "no HTTP/2: %s", buf);
	tc_at_end(t, take_down, e->sbi);
	sbi_take_keys(e->sbi);
	if (t->profile->role != ROLE_NRF && t->profile->has_sbi)
		start_nrf(e->sbi);
	return e->sbi;
}

int64_t sbi_now_ms(struct tc *t)
{
	return loop_epoch_ms(t->loop) + (int64_t)(loop_now(t->loop) / US_PER_MS);
}

int64_t sbi_now(struct tc *t)
{
	return sbi_now_ms(t) / 1000;
}

const struct http_tls *sbi_server_tls(const struct profile *profile, struct http_tls *tls)
{
	const struct profile_tls *files = &profile->sbi_tls;

	if (!files->cert)
		return NULL;
	*tls = (struct http_tls){ .ca = files->ca,
				  .cert = files->cert,
				  .key = files->key,
				  .client_certificate = files->ca != NULL };
	return tls;
}

const struct http_tls *sbi_client_tls(const struct profile *profile, struct http_tls *tls)
{
	const struct profile_tls *files = &profile->iut_sbi_tls;

	*tls = (struct http_tls){ .ca = files->ca,
				  .cert = files->cert,
				  .key = files->key,
				  .name = files->name[0] ? files->name : NULL };
	return tls;
}

/* --- our NRF -----------------------------------------------------------------------------------
 */

static void start_nrf(struct sbi *sbi)
{
	struct tc *t = sbi->t;
	struct http_tls tls;
	char buf[300];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	sbi->nrf = sbi_nrf_start(sbi->http, t->loop, "nrf", &t->profile->sbi,
				 &(struct sbi_nrf_options){
					 .epoch_ms = loop_epoch_ms(t->loop),
					 .tls = sbi_server_tls(t->profile, &tls),
					 .key = sbi->tokens ? sbi->token_key : NULL,
				 },
				 &why);
	if (!sbi->nrf)
		tc_error(t, "our NRF cannot be started: %s", buf);
}

struct sbi_nrf *sbi_nrf_of_case(struct tc *t)
{
	struct sbi *sbi = sbi_of_case(t);

	if (!sbi->nrf)
		tc_na(t, "tester.sbi.address is missing: there is no NRF of the tester");
	return sbi->nrf;
}

/* The newest request to the NRF since `from` that is of this kind; SIZE_MAX: none. */
static size_t newest(struct sbi *sbi, size_t from, const char *method, const char *path)
{
	struct sbi_server *server = sbi_nrf_server(sbi->nrf);

	for (size_t i = sbi_server_received_count(server); i > from; i--) {
		const struct sbi_received *r = sbi_server_received(server, i - 1);

		if (r && sbi_octets_are(r->method, method) && sbi_octets_begin(r->path, path))
			return i - 1;
	}
	return SIZE_MAX;
}

struct starting {
	struct sbi *sbi;
	size_t from;
	bool wants_discovery;
};

static bool has_started(void *arg)
{
	const struct starting *s = arg;

	return s->wants_discovery ? newest(s->sbi, s->from, "GET", DISCOVERY) != SIZE_MAX
				  : newest(s->sbi, s->from, "PUT", NF_INSTANCES) != SIZE_MAX;
}

void sbi_iut_starts(struct tc *t)
{
	struct sbi *sbi = sbi_of_case(t);
	struct sbi_nrf *nrf = sbi_nrf_of_case(t);
	struct starting s = { .sbi = sbi,
			      .from = sbi_server_received_count(sbi_nrf_server(nrf)),
			      .wants_discovery = t->profile->role == ROLE_NF_CLIENT };
	const char *trouble = http_server_trouble(sbi_server_http(sbi_nrf_server(nrf)));
	char where[64], why[320];
	struct text text;

	if (!tc_control_try(t, "restart"))
		tc_control_try(t, "start");
	if (tc_wait(t, t->profile->connect_time, has_started, &s)) {
		t->iut_answered = true;
		/* What it does with what it found, or was told, takes it a moment. */
		tc_sleep(t, 200 * US_PER_MS);
		return;
	}
	if (newest(sbi, s.from, "PUT", NF_INSTANCES) != SIZE_MAX) {
		tc_note(t, "the IUT registers at our NRF, and discovers nothing there");
		t->iut_answered = true;
		return;
	}
	text_init(&text, where, sizeof(where));
	net_address_print(&t->profile->sbi, &text);
	text_init(&text, why, sizeof(why));
	if (*trouble)
		text_printf(&text, "the last connection to it failed: %s", trouble);
	else
		text_puts(&text, "is it configured with it?");
	if (t->iut_answered)
		tc_inconc(t,
			  "no %s of the IUT at our NRF (%s) within %" PRIu64
			  " s after its start, though it answers requests: %s",
			  s.wants_discovery ? "discovery" : "NFRegister", where,
			  t->profile->connect_time / US_PER_S, why);
	tc_unreachable(t,
		       "no %s of the IUT at our NRF (%s) within %" PRIu64 " s after its start: %s",
		       s.wants_discovery ? "discovery" : "NFRegister", where,
		       t->profile->connect_time / US_PER_S, why);
}

const struct json_nf_profile *sbi_iut_profile(struct tc *t)
{
	struct sbi *sbi = sbi_of_case(t);
	const struct sbi_received *r;
	struct json_nf_profile *profile;
	struct json_fault fault;
	struct arena arena;
	size_t number, size;
	uint8_t *octets;

	if (!sbi->nrf)
		return NULL;
	number = newest(sbi, 0, "PUT", NF_INSTANCES);
	if (number == SIZE_MAX)
		return NULL;
	if (number + 1 == sbi->iut_profile_number)
		return sbi->iut_profile;
	r = sbi_server_received(sbi_nrf_server(sbi->nrf), number);
	if (!r || !r->message)
		return NULL;
	size = 16 * r->message->body.len + 65536;
	octets = tc_alloc(t, r->message->body.len + 1);
	if (r->message->body.len)
		memcpy(octets, r->message->body.data, r->message->body.len);
	profile = tc_alloc(t, sizeof(*profile));
	arena_init(&arena, tc_alloc(t, size), size);
	sbi->iut_profile_number = number + 1;
	sbi->iut_profile_octets = OCTETS(octets, r->message->body.len);
	sbi->iut_profile = profile;
	if (json_read(&json_nf_profile_object, profile, sbi->iut_profile_octets, &arena, &fault) !=
	    FINDING_NONE) {
		tc_note(t, "the NFProfile that the IUT registers with: %s: %s", fault.path,
			fault.reason);
		sbi->iut_profile = NULL;
	}
	return sbi->iut_profile;
}

struct octets sbi_iut_profile_octets(struct tc *t)
{
	struct sbi *sbi = sbi_of_case(t);

	sbi_iut_profile(t);
	return sbi->iut_profile_octets;
}

/* --- what a peer answers by itself -------------------------------------------------------------
 */

static void serve(struct sbi_request *request, void *arg)
{
	struct sbi_peer *peer = arg;
	struct sbi *sbi = peer->sbi;
	char location[400];

	sbi->last_arrival = loop_now(sbi->t->loop);
	sbi->arrived++;
	sbi->t->iut_answered = true;
	if (sbi_octets_begin(request->path, "/callback/")) {
		sbi_answer(request, &(struct sbi_answer){ .status = 204 });
	} else if (sbi_octets_are(request->method, "GET")) {
		sbi_answer(request, &(struct sbi_answer){ .status = 200, .body = HTTP_TEXT("{}") });
	} else if (sbi_octets_are(request->method, "POST")) {
		snprintf(location, sizeof(location), "%s%.*s/%" PRIu64, peer->root,
			 (int)(request->path.len < 200 ? request->path.len : 200),
			 (const char *)request->path.data, ++peer->created);
		sbi_answer(request, &(struct sbi_answer){ .status = 201,
							  .body = HTTP_TEXT("{}"),
							  .location = location });
	} else {
		sbi_answer(request, &(struct sbi_answer){ .status = 204 });
	}
}

static const struct sbi_route routes[] = { { NULL, "**", serve } };
static const struct sbi_route scp_routes[] = { { NULL, "**", sbi_scp_serve } };

/* --- who a peer is -----------------------------------------------------------------------------
 */

static void make_id(struct sbi_peer *peer)
{
	uint8_t octets[16];
	char hex[33];
	struct text text;

	random_bytes(&peer->sbi->random, octets, sizeof(octets));
	octets[6] = (uint8_t)((octets[6] & 0x0f) | 0x40);
	octets[8] = (uint8_t)((octets[8] & 0x3f) | 0x80);
	text_init(&text, hex, sizeof(hex));
	text_hex(&text, octets, sizeof(octets));
	snprintf(peer->id, sizeof(peer->id), "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12,
		 hex + 16, hex + 20);
}

const char *sbi_peer_type(const struct sbi_peer *peer)
{
	if (peer->options.nf_type)
		return peer->options.nf_type;
	return strcmp(peer->sbi->t->profile->iut_nf_type, "AMF") == 0 ? "SMF" : "AMF";
}

/* Sets are named in lower case, TS 23.003 28.12, 28.13. */
static void name_sets(struct sbi_peer *peer)
{
	const char *digits = peer->sbi->t->profile->plmn.digits;
	const char *mnc = strlen(digits) == 6 ? "" : "0";
	char type[33];
	size_t len = peer->options.services ? strcspn(peer->options.services, ",") : 0;

	if (!digits[0])
		digits = "00101", mnc = "0";
	snprintf(type, sizeof(type), "%s", sbi_peer_type(peer));
	for (char *c = type; *c; c++)
		*c = (char)(*c >= 'A' && *c <= 'Z' ? *c | 0x20 : *c);
	snprintf(peer->service, sizeof(peer->service), "%.*s", (int)len,
		 len ? peer->options.services : "");
	snprintf(peer->service_instance, sizeof(peer->service_instance), "%s-%u",
		 len ? peer->service : "none", peer->entry);
	if (peer->options.set)
		snprintf(peer->set_id, sizeof(peer->set_id), "set%s.%sset.5gc.mnc%s%s.mcc%.3s",
			 peer->options.set, type, mnc, digits + 3, digits);
	if (peer->options.service_set)
		snprintf(peer->service_set, sizeof(peer->service_set),
			 "set%s.sn%s.nfi54804518-4191-46b3-955c-ac631f953ed8.5gc.mnc%s%s.mcc%.3s",
			 peer->options.service_set, peer->service, mnc, digits + 3, digits);
}

static void put_number(struct text *out, const char *name, int64_t value)
{
	if (value)
		text_printf(out, ",\"%s\":%" PRId64, name, value - 1);
}

static void put_time(struct text *out, int64_t value)
{
	if (!value)
		return;
	text_puts(out, ",\"loadTimeStamp\":\"");
	sbi_datetime_print(out, (value - 1) * 1000);
	text_putc(out, '"');
}

static void put_ip(struct text *out, const struct sbi_peer *peer)
{
	char host[80];
	struct text text;
	bool v6 = peer->address.sa.sa_family == AF_INET6;

	text_init(&text, host, sizeof(host));
	net_address_print(&peer->address, &text);
	*strrchr(host, ':') = '\0';
	if (v6)
		host[strcspn(host, "]")] = '\0';
	text_puts(out, v6 ? host + 1 : host);
}

static void put_service(struct text *out, const struct sbi_peer *peer, const char *name, size_t len)
{
	const struct sbi_peer_options *o = &peer->options;
	bool v6 = peer->address.sa.sa_family == AF_INET6;

	text_printf(
		out,
		"{\"serviceInstanceId\":\"%.*s-%u\",\"serviceName\":\"%.*s\","
		"\"versions\":[{\"apiVersionInUri\":\"v1\",\"apiFullVersion\":\"1.0.0\"}],"
		"\"scheme\":\"%s\",\"nfServiceStatus\":\"REGISTERED\",\"ipEndPoints\":[{\"%s\":\"",
		(int)len, name, peer->entry, (int)len, name,
		strncmp(peer->root, "https", 5) == 0 ? "https" : "http",
		v6 ? "ipv6Address" : "ipv4Address");
	put_ip(out, peer);
	text_printf(out, "\",\"transport\":\"TCP\",\"port\":%u}]",
		    net_address_port(&peer->address));
	put_number(out, "priority", o->service_priority);
	put_number(out, "capacity", o->service_capacity);
	put_number(out, "load", o->service_load);
	if (o->service_load)
		put_time(out, o->load_time);
	if (peer->service_set[0])
		text_printf(out, ",\"nfServiceSetIdList\":[\"%s\"]", peer->service_set);
	if (peer->sbi->tokens)
		text_puts(out, ",\"oauth2Required\":true");
	text_putc(out, '}');
}

static void put_slices(struct text *out, const struct profile *profile, bool with_dnns)
{
	for (size_t i = 0; i < profile->slice_count; i++) {
		const struct slice *slice = &profile->slices[i];

		text_puts(out, i ? "," : "");
		if (with_dnns)
			text_puts(out, "{\"sNssai\":");
		text_printf(out, "{\"sst\":%u", slice->sst);
		if (slice->has_sd)
			text_printf(out, ",\"sd\":\"%06X\"", slice->sd);
		text_putc(out, '}');
		if (with_dnns)
			text_puts(out, ",\"dnnSmfInfoList\":[{\"dnn\":\"internet\"},"
				       "{\"dnn\":\"ims\"}]}");
	}
}

const char *sbi_peer_profile(struct sbi_peer *peer)
{
	const struct sbi_peer_options *o = &peer->options;
	const struct profile *profile = peer->sbi->t->profile;
	const char *digits = profile->plmn.digits;
	bool v6 = peer->address.sa.sa_family == AF_INET6;
	struct text out;

	text_init(&out, peer->profile, sizeof(peer->profile));
	text_printf(&out,
		    "{\"nfInstanceId\":\"%s\",\"nfType\":\"%s\",\"nfStatus\":\"REGISTERED\","
		    "\"%s\":[\"",
		    peer->id, sbi_peer_type(peer), v6 ? "ipv6Addresses" : "ipv4Addresses");
	put_ip(&out, peer);
	text_puts(&out, "\"]");
	if (digits[0])
		text_printf(&out, ",\"plmnList\":[{\"mcc\":\"%.3s\",\"mnc\":\"%s\"}]", digits,
			    digits + 3);
	if (profile->slice_count) {
		text_puts(&out, ",\"sNssais\":[");
		put_slices(&out, profile, false);
		text_putc(&out, ']');
		if (strcmp(sbi_peer_type(peer), "SMF") == 0) {
			text_puts(&out, ",\"smfInfo\":{\"sNssaiSmfInfoList\":[");
			put_slices(&out, profile, true);
			text_puts(&out, "]}");
		}
	}
	put_number(&out, "priority", o->priority);
	put_number(&out, "capacity", o->capacity);
	put_number(&out, "load", o->load);
	if (o->load)
		put_time(&out, o->load_time);
	if (peer->set_id[0])
		text_printf(&out, ",\"nfSetIdList\":[\"%s\"]", peer->set_id);
	if (!o->no_olc_h)
		text_puts(&out, ",\"olcHSupportInd\":true");
	if (!o->no_lc_h)
		text_puts(&out, ",\"lcHSupportInd\":true");
	if (o->services && o->services[0]) {
		text_puts(&out, ",\"nfServices\":[");
		for (const char *at = o->services; *at;) {
			size_t len = strcspn(at, ",");

			put_service(&out, peer, at, len);
			at += len;
			if (*at)
				at++, text_putc(&out, ',');
		}
		text_putc(&out, ']');
	}
	text_putc(&out, '}');
	if (out.truncated)
		tc_error(peer->sbi->t, "%s: its NFProfile is too long", peer->name);
	return peer->profile;
}

static void enter(struct sbi_peer *peer)
{
	struct sbi *sbi = peer->sbi;
	char buf[300];
	struct text why;

	if (!sbi->nrf || peer->options.unknown || peer->options.scp)
		return;
	text_init(&why, buf, sizeof(buf));
	if (sbi_nrf_enter(sbi->nrf, sbi_octets(sbi_peer_profile(peer)), &why) != 0)
		tc_error(sbi->t, "%s: our own NRF does not take its profile: %s", peer->name, buf);
}

static void listen_at(struct sbi_peer *peer)
{
	struct tc *t = peer->sbi->t;
	struct http_tls tls;
	char buf[300];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	peer->server = sbi_server_start(peer->sbi->http, t->loop, peer->name, &peer->address,
					sbi_server_tls(t->profile, &tls),
					peer->options.scp ? scp_routes : routes, 1, peer, &why);
	if (!peer->server)
		tc_error(t, "%s cannot be started: %s", peer->name, buf);
	sbi_set_fields(peer);
	if (peer->sbi->tokens)
		sbi_peer_guard(peer);
}

static unsigned int free_entry(struct sbi *sbi, unsigned int asked)
{
	const struct profile *profile = sbi->t->profile;

	for (size_t i = asked ? asked - 1 : 0; i < profile->sbi_address_count; i++)
		if (!sbi->taken[i] || asked)
			return (unsigned int)i + 1;
	tc_na(sbi->t, "tester.sbi.addresses has too few addresses: %zu",
	      profile->sbi_address_count);
}

struct sbi_peer *sbi_peer_start_with(struct tc *t, const struct sbi_peer_options *options)
{
	struct sbi *sbi = sbi_of_case(t);
	struct sbi_peer *peer = tc_alloc(t, sizeof(*peer)), **last = &sbi->peers;
	struct text text;

	peer->sbi = sbi;
	peer->options = *options;
	peer->entry = free_entry(sbi, options->entry);
	sbi->taken[peer->entry - 1] = true;
	peer->address = t->profile->sbi_addresses[peer->entry - 1];
	if (options->port)
		net_address_set_port(&peer->address, options->port);
	snprintf(peer->name, sizeof(peer->name), "%s%u", options->scp ? "scp" : "nf", peer->entry);
	make_id(peer);
	name_sets(peer);
	sbi_scp_name(peer);
	text_init(&text, peer->root, sizeof(peer->root));
	text_puts(&text, t->profile->sbi_tls.cert ? "https://" : "http://");
	net_address_print(&peer->address, &text);
	while (*last)
		last = &(*last)->next;
	*last = peer;
	if (!options->deaf)
		listen_at(peer);
	enter(peer);
	return peer;
}

void sbi_peer_change(struct sbi_peer *peer, const struct sbi_peer_options *options)
{
	unsigned int entry = peer->options.entry;

	peer->options = *options;
	peer->options.entry = entry;
	name_sets(peer);
	enter(peer);
}

void sbi_peer_stop(struct sbi_peer *peer)
{
	if (peer->sbi->nrf)
		sbi_nrf_remove(peer->sbi->nrf, peer->id);
	sbi_server_stop(peer->server);
	peer->server = NULL;
}

void sbi_peer_resume(struct sbi_peer *peer)
{
	if (!peer->server)
		listen_at(peer);
	enter(peer);
}

struct tc *sbi_peer_tc(const struct sbi_peer *peer)
{
	return peer->sbi->t;
}

const char *sbi_peer_name(const struct sbi_peer *peer)
{
	return peer->name;
}

const struct net_address *sbi_peer_address(const struct sbi_peer *peer)
{
	return &peer->address;
}

const char *sbi_peer_root(const struct sbi_peer *peer)
{
	return peer->root;
}

const char *sbi_peer_id(const struct sbi_peer *peer)
{
	return peer->id;
}

struct sbi_server *sbi_peer_server(struct sbi_peer *peer)
{
	return peer->server;
}

/* --- callbacks ---------------------------------------------------------------------------------
 */

/* A member whose name says that it is a URI for notifications, at any depth of a few. */
static const char *find_callback(const json_t *value, unsigned int depth)
{
	const char *key, *found = NULL;
	json_t *member;
	size_t i;

	if (depth > 4)
		return NULL;
	if (json_is_object(value)) {
		json_object_foreach((json_t *)(uintptr_t)value, key, member)
		{
			size_t len = strlen(key);
			const char *text = json_string_value(member);

			if (text && strncmp(text, "http", 4) == 0 &&
			    ((len > 3 && strcasecmp(key + len - 3, "uri") == 0) ||
			     strcmp(key, "callbackReference") == 0))
				return text;
			if (!found)
				found = find_callback(member, depth + 1);
		}
	} else if (json_is_array(value)) {
		json_array_foreach(value, i, member)
		{
			if (!found)
				found = find_callback(member, depth + 1);
		}
	}
	return found;
}

const char *sbi_peer_callback(const struct sbi_peer *peer)
{
	struct sbi_server *server = peer->server;

	for (size_t i = server ? sbi_server_received_count(server) : 0; i > 0; i--) {
		const struct sbi_received *r = sbi_server_received(server, i - 1);
		json_t *body;
		const char *uri;
		char *copy;

		if (!r || !r->message)
			break;
		if (r->message->body.len == 0 || r->message->body.len > 65536)
			continue;
		body = json_loadb((const char *)r->message->body.data, r->message->body.len, 0,
				  NULL);
		uri = find_callback(body, 0);
		copy = uri ? tc_alloc(peer->sbi->t, strlen(uri) + 1) : NULL;
		if (copy)
			memcpy(copy, uri, strlen(uri) + 1);
		json_decref(body);
		if (copy)
			return copy;
	}
	return "";
}

const char *sbi_peer_callback_uri(struct sbi_peer *peer, const char *path)
{
	size_t size = strlen(peer->root) + strlen(path) + 16;
	char *uri = tc_alloc(peer->sbi->t, size);

	snprintf(uri, size, "%s/callback/%s", peer->root, path);
	return uri;
}
