#include <stdlib.h>
#include <strings.h>

#include "codecs/sbi/sbi.h"
#include "codecs/sbi/sbi_date.h"
#include "runner/emulation/json_patch.h"
#include "runner/emulation/sbi_nrf_private.h"

bool sbi_same_id(struct octets a, struct octets b)
{
	return a.len == b.len &&
	       strncasecmp((const char *)a.data, (const char *)b.data, a.len) == 0;
}

const char *sbi_nrf_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

static bool offers(const json_t *service, const char *names)
{
	const char *name = sbi_nrf_text(service, "serviceName");
	size_t len = strlen(name);

	/* the parameter is a list, parted by commas */
	for (const char *at = names; *name && (at = strstr(at, name)); at += len) {
		if ((at == names || at[-1] == ',') && (at[len] == ',' || at[len] == '\0'))
			return true;
	}
	return false;
}

bool sbi_nrf_has_service(const json_t *profile, const char *names)
{
	json_t *services = json_object_get(profile, "nfServices"), *service;
	const char *key;
	size_t i;

	json_array_foreach(services, i, service)
	{
		if (offers(service, names))
			return true;
	}
	services = json_object_get(profile, "nfServiceList");
	json_object_foreach(services, key, service)
	{
		if (offers(service, names))
			return true;
	}
	return false;
}

static void free_subscription(struct nrf_subscription *subscription)
{
	json_decref(subscription->data);
	free(subscription);
}

static void drop_expired(struct sbi_nrf *nrf)
{
	struct nrf_subscription **where = &nrf->subscriptions;

	while (*where) {
		struct nrf_subscription *subscription = *where;

		if (subscription->valid_until_ms > sbi_nrf_now_ms(nrf)) {
			where = &subscription->next;
			continue;
		}
		*where = subscription->next;
		nrf->subscription_count--;
		free_subscription(subscription);
	}
}

static struct nrf_subscription **find(struct sbi_nrf *nrf, struct octets id)
{
	struct nrf_subscription **where;

	drop_expired(nrf);
	for (where = &nrf->subscriptions; *where; where = &(*where)->next) {
		char number[16];
		struct text text;

		text_init(&text, number, sizeof(number));
		text_printf(&text, "%u", (*where)->number);
		if (octets_equal(id, OCTETS((uint8_t *)number, text.len)))
			return where;
	}
	return NULL;
}

static void answer_json(struct sbi_request *request, unsigned int status, const char *location,
			const json_t *json)
{
	char *body = json_dumps(json, JSON_COMPACT);

	if (body)
		sbi_answer(request, &(struct sbi_answer){ .status = status,
							  .location = location,
							  .body = HTTP_TEXT(body) });
	else
		sbi_answer_problem(request, 500, "INSUFFICIENT_RESOURCES", NULL);
	free(body);
}

/* --- the resource ----------------------------------------------------------------------------- */

static bool read_body(struct sbi_nrf *nrf, struct octets body, struct json_nf_subscription *typed,
		      struct json_fault *fault)
{
	struct sbi_uri uri;
	struct arena arena;

	arena_init(&arena, nrf->room, sizeof(nrf->room));
	if (json_read(&json_nf_subscription_object, typed, body, &arena, fault) != FINDING_NONE)
		return false;
	if (typed->nf_status_notification_uri.len < NRF_URI &&
	    sbi_uri_read(&uri, typed->nf_status_notification_uri, NULL) == FINDING_NONE)
		return true;
	*fault = (struct json_fault){ .rule = FINDING_SYNTAX,
				      .path = "$.nfStatusNotificationUri",
				      .reason = "must be an http or https URI" };
	return false;
}

static void set_validity(struct nrf_subscription *subscription,
			 const struct json_nf_subscription *typed)
{
	subscription->valid_until_ms =
		typed->validity_time.present ? typed->validity_time.value : INT64_MAX;
}

void sbi_nrf_subscribe(struct sbi_request *request, void *arg)
{
	struct sbi_nrf *nrf = arg;
	struct octets body = request->message->body;
	struct json_nf_subscription typed;
	struct nrf_subscription *subscription;
	struct json_fault fault = { .path = "$", .reason = "cannot be kept" };
	char location[300], number[16];
	struct text text;

	if (!read_body(nrf, body, &typed, &fault)) {
		sbi_answer_fault(request, &fault);
		return;
	}
	drop_expired(nrf);
	subscription = nrf->subscription_count < SBI_NRF_SUBSCRIPTIONS_MAX
			       ? calloc(1, sizeof(*subscription))
			       : NULL;
	if (subscription)
		subscription->data = json_loadb((const char *)body.data, body.len, 0, NULL);
	if (!subscription || !subscription->data) {
		free(subscription);
		sbi_answer_problem(request, 500, "INSUFFICIENT_RESOURCES", NULL);
		return;
	}
	subscription->number = ++nrf->subscriptions_ever;
	text_init(&text, subscription->uri, sizeof(subscription->uri));
	text_write(&text, typed.nf_status_notification_uri.data,
		   typed.nf_status_notification_uri.len);
	set_validity(subscription, &typed);
	subscription->next = nrf->subscriptions;
	nrf->subscriptions = subscription;
	nrf->subscription_count++;
	snprintf(number, sizeof(number), "%u", subscription->number);
	json_object_set_new(subscription->data, "subscriptionId", json_string(number));
	snprintf(location, sizeof(location), "%s/nnrf-nfm/v1/subscriptions/%s",
		 sbi_server_root(nrf->server), number);
	answer_json(request, 201, location, subscription->data);
}

void sbi_nrf_prolong(struct sbi_request *request, void *arg)
{
	struct sbi_nrf *nrf = arg;
	struct octets body = request->message->body;
	struct nrf_subscription **where = find(nrf, request->ids[0]);
	struct json_nf_subscription typed;
	struct json_fault fault;
	char why[200] = "", *dumped = NULL;
	struct text text;
	json_t *patch, *data;

	if (!where) {
		sbi_answer_problem(request, 404, "SUBSCRIPTION_NOT_FOUND", NULL);
		return;
	}
	text_init(&text, why, sizeof(why));
	patch = body.len <= sizeof(nrf->room)
			? json_loadb((const char *)body.data, body.len, 0, NULL)
			: NULL;
	data = json_deep_copy((*where)->data);
	if (patch && data && json_patch(data, patch, &text) == 0)
		dumped = json_dumps(data, JSON_COMPACT);
	json_decref(patch);
	if (!dumped) {
		sbi_answer_problem(request, 400, "INVALID_MSG_FORMAT", why);
		json_decref(data);
	} else if (!read_body(nrf, HTTP_TEXT(dumped), &typed, &fault)) {
		sbi_answer_fault(request, &fault);
		json_decref(data);
	} else {
		json_decref((*where)->data);
		(*where)->data = data;
		set_validity(*where, &typed);
		answer_json(request, 200, NULL, data);
	}
	free(dumped);
}

void sbi_nrf_unsubscribe(struct sbi_request *request, void *arg)
{
	struct sbi_nrf *nrf = arg;
	struct nrf_subscription **where = find(nrf, request->ids[0]), *subscription;

	if (!where) {
		sbi_answer_problem(request, 404, "SUBSCRIPTION_NOT_FOUND", NULL);
		return;
	}
	subscription = *where;
	*where = subscription->next;
	nrf->subscription_count--;
	free_subscription(subscription);
	sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

/* --- notifications ---------------------------------------------------------------------------- */

static bool wants_event(const json_t *data, const char *event)
{
	json_t *events = json_object_get(data, "reqNotifEvents"), *item;
	size_t i;

	if (!json_is_array(events))
		return true;
	json_array_foreach(events, i, item)
	{
		if (json_is_string(item) && strcmp(json_string_value(item), event) == 0)
			return true;
	}
	return false;
}

/* subscrCond: an instance, a type, or a service; others are taken to fit. */
static bool fits(const json_t *condition, const struct nrf_instance *instance)
{
	const char *id = sbi_nrf_text(condition, "nfInstanceId");
	const char *type = sbi_nrf_text(condition, "nfType");
	const char *service = sbi_nrf_text(condition, "serviceName");

	return (!*id || strcasecmp(id, instance->id) == 0) &&
	       (!*type || strcmp(type, sbi_nrf_text(instance->profile, "nfType")) == 0) &&
	       (!*service || sbi_nrf_has_service(instance->profile, service));
}

static struct http_client *client_for(struct sbi_nrf *nrf, const struct sbi_uri *uri)
{
	struct net_address address;
	char host[64], authority[80], why[256];
	struct nrf_peer *peer;
	struct text text;

	text_init(&text, host, sizeof(host));
	text_write(&text, uri->host.data, uri->host.len);
	/* names are not resolved */
	if (text.truncated || net_address_parse(&address, host, uri->port) != 0)
		return NULL;
	text_init(&text, authority, sizeof(authority));
	net_address_print(&address, &text);
	for (size_t i = 0; i < nrf->peer_count; i++) {
		if (strcmp(nrf->peers[i].authority, authority) == 0)
			return nrf->peers[i].client;
	}
	if (nrf->peer_count == NRF_PEERS_MAX)
		return NULL;
	peer = &nrf->peers[nrf->peer_count];
	text_init(&text, why, sizeof(why));
	memcpy(peer->authority, authority, sizeof(authority));
	peer->client = http_client_new(nrf->http, "nrf", NULL, &address, NULL, NULL, &text);
	nrf->peer_count += peer->client != NULL;
	return peer->client;
}

static void notified(struct http_stream *stream, void *arg, const struct http_message *response)
{
	struct sbi_nrf *nrf = arg;

	(void)stream;
	if (http_status(response) / 100 == 2)
		nrf->notified++;
	else
		nrf->not_notified++;
}

static void not_notified(struct http_stream *stream, void *arg, enum http_failure failure,
			 const char *why)
{
	struct sbi_nrf *nrf = arg;

	(void)stream;
	(void)failure;
	(void)why;
	nrf->not_notified++;
}

static const struct http_client_handler handler = { notified, not_notified };

static void notify(struct sbi_nrf *nrf, const struct nrf_subscription *subscription,
		   struct octets body)
{
	struct http_header headers[] = {
		HTTP_HEADER(":method", "POST"),
		{ HTTP_TEXT(":path"), OCTETS(NULL, 0) },
		HTTP_HEADER("content-type", "application/json"),
		HTTP_HEADER("3gpp-sbi-callback", "Nnrf_NFManagement_NFStatusNotify"),
	};
	struct octets target = HTTP_TEXT(subscription->uri);
	struct http_client *client;
	struct sbi_uri uri;

	if (sbi_uri_read(&uri, target, NULL) != FINDING_NONE ||
	    !sbi_equal_nocase(uri.scheme, "http")) {
		nrf->not_notified++;
		return;
	}
	client = client_for(nrf, &uri);
	headers[1].value = uri.path.len ? OCTETS(uri.path.data,
						 (size_t)(target.data + target.len - uri.path.data))
					: HTTP_TEXT("/");
	if (!client || !http_request(client,
				     &(struct http_message){
					     .headers = headers, .header_count = 4, .body = body },
				     &handler, nrf, NULL))
		nrf->not_notified++;
}

void sbi_nrf_tell(struct sbi_nrf *nrf, const struct nrf_instance *instance, const char *event)
{
	char uri[400], *body;
	json_t *data;

	drop_expired(nrf);
	if (!nrf->subscriptions)
		return;
	snprintf(uri, sizeof(uri), "%s/nnrf-nfm/v1/nf-instances/%s", sbi_server_root(nrf->server),
		 instance->id);
	data = json_pack("{s:s,s:s}", "event", event, "nfInstanceUri", uri);
	if (strcmp(event, "NF_DEREGISTERED") != 0)
		json_object_set(data, "nfProfile", instance->profile);
	body = json_dumps(data, JSON_COMPACT);
	json_decref(data);
	for (const struct nrf_subscription *s = nrf->subscriptions; body && s; s = s->next) {
		if (wants_event(s->data, event) &&
		    fits(json_object_get(s->data, "subscrCond"), instance))
			notify(nrf, s, HTTP_TEXT(body));
	}
	free(body);
}

void sbi_nrf_forget_subscriptions(struct sbi_nrf *nrf)
{
	for (size_t i = 0; i < nrf->peer_count; i++)
		http_client_close(nrf->peers[i].client);
	while (nrf->subscriptions) {
		struct nrf_subscription *subscription = nrf->subscriptions;

		nrf->subscriptions = subscription->next;
		free_subscription(subscription);
	}
}

size_t sbi_nrf_subscriptions(const struct sbi_nrf *nrf)
{
	return nrf->subscription_count;
}

size_t sbi_nrf_notified(const struct sbi_nrf *nrf, size_t *failed)
{
	if (failed)
		*failed = nrf->not_notified;
	return nrf->notified;
}
