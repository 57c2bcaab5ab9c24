#include "runner/emulation/sbi_nrf.h"

#include <stdlib.h>

#include "codecs/sbi/sbi.h"
#include "codecs/sbi/sbi_date.h"
#include "runner/emulation/json_patch.h"
#include "runner/emulation/sbi_nrf_private.h"

#define NFM "/nnrf-nfm/v1/"

int64_t sbi_nrf_now_ms(const struct sbi_nrf *nrf)
{
	return nrf->epoch_ms + (int64_t)(loop_now(nrf->loop) / US_PER_MS);
}

static struct nrf_instance *find_instance(const struct sbi_nrf *nrf, struct octets id)
{
	for (struct nrf_instance *i = nrf->instances; i; i = i->next) {
		if (sbi_equal_nocase(id, i->id))
			return i;
	}
	return NULL;
}

/* --- instances -------------------------------------------------------------------------------- */

static void heart_stopped(struct timer *timer, void *arg)
{
	struct nrf_instance *instance = arg;

	(void)timer;
	json_object_set_new(instance->profile, "nfStatus", json_string("SUSPENDED"));
	sbi_nrf_tell(instance->nrf, instance, "NF_PROFILE_CHANGED");
}

/* One that misses two heart-beats is suspended; it stays known. */
static void heart_beats(struct nrf_instance *instance)
{
	if (!instance->own)
		timer_start(&instance->heart,
			    instance->nrf->heart_beat_s * 2 * US_PER_S + US_PER_S);
}

static struct nrf_instance *new_instance(struct sbi_nrf *nrf, struct octets id)
{
	struct nrf_instance *instance;
	struct text text;

	if (nrf->instance_count >= SBI_NRF_INSTANCES_MAX)
		return NULL;
	instance = calloc(1, sizeof(*instance));
	if (!instance)
		return NULL;
	instance->nrf = nrf;
	text_init(&text, instance->id, sizeof(instance->id));
	text_write(&text, id.data, id.len);
	timer_init(&instance->heart, nrf->loop, "NF heart-beat", heart_stopped, instance);
	instance->next = nrf->instances;
	nrf->instances = instance;
	nrf->instance_count++;
	return instance;
}

static void free_instance(struct nrf_instance *instance)
{
	timer_stop(&instance->heart);
	json_decref(instance->profile);
	free(instance);
}

static void drop_instance(struct sbi_nrf *nrf, struct nrf_instance *instance)
{
	struct nrf_instance **where = &nrf->instances;

	sbi_nrf_tell(nrf, instance, "NF_DEREGISTERED");
	while (*where != instance)
		where = &(*where)->next;
	*where = instance->next;
	nrf->instance_count--;
	free_instance(instance);
}

static char *dump(const json_t *value)
{
	return json_dumps(value, JSON_COMPACT);
}

/* The typed reader is the judge of a profile; what it does not know stays in the JSON. */
static bool read_profile(struct sbi_nrf *nrf, struct octets body, struct json_nf_profile *profile,
			 json_t **json, struct json_fault *fault)
{
	struct arena arena;

	arena_init(&arena, nrf->room, sizeof(nrf->room));
	*json = NULL;
	if (json_read(&json_nf_profile_object, profile, body, &arena, fault) != FINDING_NONE)
		return false;
	*json = json_loadb((const char *)body.data, body.len, 0, NULL);
	return *json != NULL;
}

static void set_instance(struct nrf_instance *instance, json_t *json, bool own)
{
	bool known = instance->profile != NULL;

	json_decref(instance->profile);
	instance->profile = json;
	instance->own = own;
	json_object_set_new(json, "heartBeatTimer",
			    json_integer((json_int_t)instance->nrf->heart_beat_s));
	timer_stop(&instance->heart);
	heart_beats(instance);
	sbi_nrf_tell(instance->nrf, instance, known ? "NF_PROFILE_CHANGED" : "NF_REGISTERED");
}

static void answer_profile(struct sbi_request *request, unsigned int status, const char *location,
			   const json_t *profile)
{
	char *body = dump(profile);

	if (body)
		sbi_answer(request, &(struct sbi_answer){ .status = status,
							  .location = location,
							  .body = HTTP_TEXT(body) });
	else
		sbi_answer_problem(request, 500, "INSUFFICIENT_RESOURCES", NULL);
	free(body);
}

static void nf_register(struct sbi_request *request, void *arg)
{
	struct sbi_nrf *nrf = arg;
	struct nrf_instance *instance = find_instance(nrf, request->ids[0]);
	struct json_nf_profile profile;
	struct json_fault fault = { .path = "$", .reason = "cannot be kept" };
	char location[400];
	bool replaced = instance != NULL;
	json_t *json;

	if (!read_profile(nrf, request->message->body, &profile, &json, &fault)) {
		sbi_answer_fault(request, &fault);
		return;
	}
	if (!sbi_same_id(profile.nf_instance_id, request->ids[0])) {
		json_decref(json);
		sbi_answer_fault(request, &(struct json_fault){
						  .rule = FINDING_RANGE,
						  .path = "$.nfInstanceId",
						  .reason = "is not that of the URI",
					  });
		return;
	}
	if (!instance)
		instance = new_instance(nrf, request->ids[0]);
	if (!instance) {
		json_decref(json);
		sbi_answer_problem(request, 500, "INSUFFICIENT_RESOURCES", NULL);
		return;
	}
	set_instance(instance, json, false);
	snprintf(location, sizeof(location), "%s" NFM "nf-instances/%s",
		 sbi_server_root(nrf->server), instance->id);
	answer_profile(request, replaced ? 200 : 201, replaced ? NULL : location,
		       instance->profile);
}

static void nf_profile(struct sbi_request *request, void *arg)
{
	const struct nrf_instance *instance = find_instance(arg, request->ids[0]);

	if (instance)
		answer_profile(request, 200, NULL, instance->profile);
	else
		sbi_answer_problem(request, 404, "CONTEXT_NOT_FOUND", NULL);
}

static bool patches(const json_t *patch, const char *path)
{
	size_t i;
	json_t *operation;

	json_array_foreach(patch, i, operation)
	{
		if (strcmp(sbi_nrf_text(operation, "path"), path) == 0)
			return true;
	}
	return false;
}

/* What is only a heart-beat changes nothing that a subscriber would have to know. */
static bool only_says_registered(const json_t *patch)
{
	const json_t *first = json_array_get(patch, 0);

	return json_array_size(patch) == 1 &&
	       strcmp(sbi_nrf_text(first, "path"), "/nfStatus") == 0 &&
	       strcmp(sbi_nrf_text(first, "value"), "REGISTERED") == 0;
}

static void stamp_load(const struct sbi_nrf *nrf, json_t *profile, const json_t *patch)
{
	char stamp[64];
	struct text text;

	if (!patches(patch, "/load") || patches(patch, "/loadTimeStamp"))
		return;
	text_init(&text, stamp, sizeof(stamp));
	sbi_datetime_print(&text, sbi_nrf_now_ms(nrf));
	json_object_set_new(profile, "loadTimeStamp", json_string(stamp));
}

/* NULL where the patch or what it makes is wrong; then it is answered. */
static json_t *patched(struct sbi_nrf *nrf, struct sbi_request *request,
		       const struct nrf_instance *instance, const json_t *patch)
{
	json_t *profile = json_deep_copy(instance->profile), *read = NULL;
	struct json_nf_profile typed;
	struct json_fault fault = { .path = "$", .reason = "cannot be kept" };
	char why[200], *body;
	struct text text;

	text_init(&text, why, sizeof(why));
	if (!profile || json_patch(profile, patch, &text) != 0) {
		json_decref(profile);
		sbi_answer_problem(request, 400, "INVALID_MSG_FORMAT", why);
		return NULL;
	}
	stamp_load(nrf, profile, patch);
	body = dump(profile);
	json_decref(profile);
	if (!body || !read_profile(nrf, HTTP_TEXT(body), &typed, &read, &fault))
		sbi_answer_fault(request, &fault);
	free(body);
	return read;
}

static void nf_update(struct sbi_request *request, void *arg)
{
	struct sbi_nrf *nrf = arg;
	struct nrf_instance *instance = find_instance(nrf, request->ids[0]);
	struct octets body = request->message->body;
	json_t *patch, *profile;
	bool heart_beat, suspended;

	if (!instance) {
		sbi_answer_problem(request, 404, "CONTEXT_NOT_FOUND", NULL);
		return;
	}
	patch = body.len <= sizeof(nrf->room)
			? json_loadb((const char *)body.data, body.len, 0, NULL)
			: NULL;
	profile = patch ? patched(nrf, request, instance, patch) : NULL;
	if (!profile) {
		if (!patch)
			sbi_answer_problem(request, 400, "INVALID_MSG_FORMAT", NULL);
		json_decref(patch);
		return;
	}
	suspended = strcmp(sbi_nrf_text(instance->profile, "nfStatus"), "SUSPENDED") == 0;
	heart_beat = only_says_registered(patch);
	json_decref(instance->profile);
	json_decref(patch);
	instance->profile = profile;
	heart_beats(instance);
	if (!heart_beat || suspended)
		sbi_nrf_tell(nrf, instance, "NF_PROFILE_CHANGED");
	if (heart_beat)
		sbi_answer(request, &(struct sbi_answer){ .status = 204 });
	else
		answer_profile(request, 200, NULL, instance->profile);
}

static void nf_deregister(struct sbi_request *request, void *arg)
{
	struct nrf_instance *instance = find_instance(arg, request->ids[0]);

	if (!instance) {
		sbi_answer_problem(request, 404, "CONTEXT_NOT_FOUND", NULL);
		return;
	}
	drop_instance(arg, instance);
	sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

static void nf_list(struct sbi_request *request, void *arg)
{
	struct sbi_nrf *nrf = arg;
	json_t *items = json_array(), *list;
	char type[64];
	bool narrowed = sbi_query(request->query, "nf-type", type, sizeof(type));

	for (const struct nrf_instance *i = nrf->instances; i; i = i->next) {
		char href[400];

		if (narrowed && strcmp(sbi_nrf_text(i->profile, "nfType"), type) != 0)
			continue;
		snprintf(href, sizeof(href), "%s" NFM "nf-instances/%s",
			 sbi_server_root(nrf->server), i->id);
		json_array_append_new(items, json_pack("{s:s}", "href", href));
	}
	list = json_pack("{s:{s:o}}", "_links", "item", items);
	answer_profile(request, 200, NULL, list);
	json_decref(list);
}

/* --- discovery -------------------------------------------------------------------------------- */

/* NULL, or a member that lists the types that may discover it, without the one that asks. */
static bool may_see(const json_t *profile, const char *requester)
{
	json_t *allowed = json_object_get(profile, "allowedNfTypes"), *type;
	size_t i;

	if (!json_is_array(allowed))
		return true;
	json_array_foreach(allowed, i, type)
	{
		if (json_is_string(type) && strcmp(json_string_value(type), requester) == 0)
			return true;
	}
	return false;
}

static void discover(struct sbi_request *request, void *arg)
{
	struct sbi_nrf *nrf = arg;
	char target[64], requester[64], id[64], services[512];
	bool by_id = sbi_query(request->query, "target-nf-instance-id", id, sizeof(id));
	bool by_service = sbi_query(request->query, "service-names", services, sizeof(services));
	json_t *found, *result;

	if (!sbi_query(request->query, "target-nf-type", target, sizeof(target)) ||
	    !sbi_query(request->query, "requester-nf-type", requester, sizeof(requester))) {
		sbi_answer_problem(request, 400, "MANDATORY_QUERY_PARAM_MISSING",
				   "target-nf-type and requester-nf-type are mandatory");
		return;
	}
	found = json_array();
	for (const struct nrf_instance *i = nrf->instances; i; i = i->next) {
		if (strcmp(sbi_nrf_text(i->profile, "nfType"), target) == 0 &&
		    strcmp(sbi_nrf_text(i->profile, "nfStatus"), "REGISTERED") == 0 &&
		    (!by_id || sbi_equal_nocase(HTTP_TEXT(id), i->id)) &&
		    (!by_service || sbi_nrf_has_service(i->profile, services)) &&
		    may_see(i->profile, requester))
			/* in the order of registration */
			json_array_insert(found, 0, i->profile);
	}
	result = json_pack("{s:i,s:o}", "validityPeriod", SBI_NRF_VALIDITY, "nfInstances", found);
	answer_profile(request, 200, NULL, result);
	json_decref(result);
}

/* --- access tokens ---------------------------------------------------------------------------- */

static void token_error(struct sbi_request *request, const char *error)
{
	sbi_answer_json(request, 400, NULL, &json_access_token_err_object,
			&(struct json_access_token_err){ .error = HTTP_TEXT(error) });
}

static void access_token(struct sbi_request *request, void *arg)
{
	struct sbi_nrf *nrf = arg;
	struct octets form = request->message->body;
	char grant[64], consumer[64], type[64], scope[512], target[80], aud[90];
	char made[ACCESS_TOKEN_MAX];
	char why[200];
	struct text text, why_text;
	bool by_instance;

	text_init(&text, made, sizeof(made));
	text_init(&why_text, why, sizeof(why));
	if (!nrf->key) {
		sbi_answer_problem(request, 404, "RESOURCE_URI_STRUCTURE_NOT_FOUND", NULL);
		return;
	}
	by_instance = sbi_query(form, "targetNfInstanceId", target, sizeof(target));
	if (!sbi_query(form, "grant_type", grant, sizeof(grant)) ||
	    !sbi_query(form, "nfInstanceId", consumer, sizeof(consumer)) ||
	    !sbi_query(form, "scope", scope, sizeof(scope)) ||
	    !(by_instance || sbi_query(form, "targetNfType", target, sizeof(target)))) {
		token_error(request, "invalid_request");
		return;
	}
	if (strcmp(grant, "client_credentials") != 0) {
		token_error(request, "unsupported_grant_type");
		return;
	}
	/* 6.3.5.2.2: a consumer that is not registered says of which type it is */
	if (!find_instance(nrf, HTTP_TEXT(consumer)) &&
	    !sbi_query(form, "nfType", type, sizeof(type))) {
		token_error(request, "invalid_client");
		return;
	}
	snprintf(aud, sizeof(aud), by_instance ? "[\"%s\"]" : "\"%s\"", target);
	if (strpbrk(target, "\"\\") ||
	    access_token_issue(&text, nrf->key,
			       &(struct access_token){
				       .iss = HTTP_TEXT(nrf->instance_id),
				       .sub = HTTP_TEXT(consumer),
				       .aud = HTTP_TEXT(aud),
				       .scope = HTTP_TEXT(scope),
				       .exp = sbi_nrf_now_ms(nrf) / 1000 + nrf->token_lifetime_s,
			       },
			       &why_text) != 0) {
		token_error(request, "invalid_request");
		return;
	}
	sbi_answer_json(request, 200, NULL, &json_access_token_rsp_object,
			&(struct json_access_token_rsp){
				.access_token = OCTETS((uint8_t *)made, text.len),
				.token_type = JSON_TEXT("Bearer"),
				.expires_in = JSON_INT(nrf->token_lifetime_s),
				.scope = HTTP_TEXT(scope),
			});
}

/* --- the whole -------------------------------------------------------------------------------- */

static const struct sbi_route routes[] = {
	{ "PUT", NFM "nf-instances/*", nf_register },
	{ "GET", NFM "nf-instances/*", nf_profile },
	{ "PATCH", NFM "nf-instances/*", nf_update },
	{ "DELETE", NFM "nf-instances/*", nf_deregister },
	{ "GET", NFM "nf-instances", nf_list },
	{ "POST", NFM "subscriptions", sbi_nrf_subscribe },
	{ "PATCH", NFM "subscriptions/*", sbi_nrf_prolong },
	{ "DELETE", NFM "subscriptions/*", sbi_nrf_unsubscribe },
	{ "GET", "/nnrf-disc/v1/nf-instances", discover },
	{ "POST", "/oauth2/token", access_token },
};

struct sbi_nrf *sbi_nrf_start(struct http *http, struct loop *loop, const char *name,
			      const struct net_address *local,
			      const struct sbi_nrf_options *options, struct text *why)
{
	static const struct sbi_nrf_options none;
	struct sbi_nrf *nrf = calloc(1, sizeof(*nrf));

	if (!nrf) {
		text_puts(why, "out of memory");
		return NULL;
	}
	if (!options)
		options = &none;
	nrf->http = http;
	nrf->loop = loop;
	nrf->heart_beat_s = options->heart_beat_s ? options->heart_beat_s : SBI_NRF_HEART_BEAT;
	nrf->epoch_ms = options->epoch_ms;
	nrf->key = options->key;
	nrf->token_lifetime_s = SBI_NRF_TOKEN_LIFETIME;
	nrf->instance_id = options->instance_id ? options->instance_id : SBI_NRF_ID;
	nrf->server = sbi_server_start(http, loop, name, local, options->tls, routes,
				       sizeof(routes) / sizeof(routes[0]), nrf, why);
	if (!nrf->server) {
		free(nrf);
		return NULL;
	}
	return nrf;
}

void sbi_nrf_stop(struct sbi_nrf *nrf)
{
	if (!nrf)
		return;
	sbi_server_stop(nrf->server);
	sbi_nrf_forget_subscriptions(nrf);
	while (nrf->instances) {
		struct nrf_instance *instance = nrf->instances;

		nrf->instances = instance->next;
		free_instance(instance);
	}
	free(nrf);
}

struct sbi_server *sbi_nrf_server(struct sbi_nrf *nrf)
{
	return nrf->server;
}

void sbi_nrf_set_key(struct sbi_nrf *nrf, const struct access_token_key *key)
{
	nrf->key = key;
}

void sbi_nrf_set_token_lifetime(struct sbi_nrf *nrf, unsigned int lifetime_s)
{
	nrf->token_lifetime_s = lifetime_s ? lifetime_s : SBI_NRF_TOKEN_LIFETIME;
}

int sbi_nrf_enter(struct sbi_nrf *nrf, struct octets body, struct text *why)
{
	struct json_fault fault = { .path = "$", .reason = "cannot be kept" };
	struct json_nf_profile profile;
	struct nrf_instance *instance;
	json_t *json;

	if (!read_profile(nrf, body, &profile, &json, &fault)) {
		json_fault_print(why, &fault);
		return -1;
	}
	instance = find_instance(nrf, profile.nf_instance_id);
	if (!instance)
		instance = new_instance(nrf, profile.nf_instance_id);
	if (!instance) {
		json_decref(json);
		text_puts(why, "there are too many instances");
		return -1;
	}
	set_instance(instance, json, true);
	return 0;
}

bool sbi_nrf_remove(struct sbi_nrf *nrf, const char *instance_id)
{
	struct nrf_instance *instance = find_instance(nrf, HTTP_TEXT(instance_id));

	if (instance)
		drop_instance(nrf, instance);
	return instance != NULL;
}

char *sbi_nrf_profile(const struct sbi_nrf *nrf, const char *instance_id)
{
	const struct nrf_instance *instance = find_instance(nrf, HTTP_TEXT(instance_id));

	return instance ? dump(instance->profile) : NULL;
}

const char *sbi_nrf_status(const struct sbi_nrf *nrf, const char *instance_id)
{
	const struct nrf_instance *instance = find_instance(nrf, HTTP_TEXT(instance_id));

	return instance ? sbi_nrf_text(instance->profile, "nfStatus") : NULL;
}

size_t sbi_nrf_instances(const struct sbi_nrf *nrf)
{
	return nrf->instance_count;
}
