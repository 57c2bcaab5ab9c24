#include "runner/emulation/sbi_udm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UECM "/nudm-uecm/v1/*/registrations"
#define SDM  "/nudm-sdm/v2/*"
#define UEAU "/nudm-ueau/v1/*"

enum { HAS_AMF_3GPP = 1, HAS_AMF_NON_3GPP = 2 };

struct sbi_udm {
	struct sbi_server *server;
	struct sbi_subscribers *subscribers;
	uint8_t *registered; /* of each subscriber */
	uint64_t subscriptions, subscriptions_ever, events;
	struct sbi_slices slices;
	_Alignas(max_align_t) uint8_t room[64 * 1024]; /* for reading a body */
};

void sbi_slices_of(struct sbi_slices *slices, const struct profile *profile)
{
	slices->count = profile->slice_count;
	for (size_t i = 0; i < slices->count; i++) {
		const struct slice *slice = &profile->slices[i];

		slices->items[i] = (struct json_snssai){ .sst = JSON_INT(slice->sst) };
		if (!slice->has_sd)
			continue;
		snprintf(slices->sd[i], sizeof(slices->sd[i]), "%06x",
			 (unsigned int)(slice->sd & 0xffffff));
		slices->items[i].sd = HTTP_TEXT(slices->sd[i]);
	}
}

/* The subscriber of the URI; SBI_NO_SUBSCRIBER: answered. */
static uint32_t subscriber_of(struct sbi_udm *udm, struct sbi_request *request)
{
	uint32_t subscriber = sbi_subscriber_of(udm->subscribers, request->ids[0]);

	if (subscriber == SBI_NO_SUBSCRIBER)
		sbi_answer_problem(request, 404, "USER_NOT_FOUND", NULL);
	return subscriber;
}

/* The request's own URI, below our root. */
static void own_uri(const struct sbi_udm *udm, const struct sbi_request *request,
		    unsigned long long number, char *uri, size_t size)
{
	struct text text;

	text_init(&text, uri, size);
	text_puts(&text, sbi_server_root(udm->server));
	text_write(&text, request->path.data, request->path.len);
	if (number)
		text_printf(&text, "/%llu", number);
}

/* --- Nudm_UECM -------------------------------------------------------------------------------- */

static void created(struct sbi_udm *udm, struct sbi_request *request, unsigned long long number,
		    bool is_new)
{
	char uri[500];

	own_uri(udm, request, number, uri, sizeof(uri));
	sbi_answer(request, &(struct sbi_answer){ .status = is_new ? 201 : 200,
						  .body = request->message->body,
						  .location = is_new ? uri : NULL });
}

static void amf_registers(struct sbi_request *request, struct sbi_udm *udm, uint8_t access)
{
	uint32_t subscriber = subscriber_of(udm, request);
	struct json_amf_3gpp_registration registration;
	struct arena arena;
	bool is_new;

	arena_init(&arena, udm->room, sizeof(udm->room));
	if (subscriber == SBI_NO_SUBSCRIBER ||
	    !sbi_read_body(request, &json_amf_3gpp_registration_object, &registration,
			   request->message->body, &arena))
		return;
	is_new = !(udm->registered[subscriber] & access);
	udm->registered[subscriber] |= access;
	created(udm, request, 0, is_new);
}

static void amf_registers_3gpp(struct sbi_request *request, void *arg)
{
	amf_registers(request, arg, HAS_AMF_3GPP);
}

static void amf_registers_non_3gpp(struct sbi_request *request, void *arg)
{
	amf_registers(request, arg, HAS_AMF_NON_3GPP);
}

/* purgeFlag: the AMF has no context any more. */
static void amf_updates(struct sbi_request *request, struct sbi_udm *udm, uint8_t access)
{
	uint32_t subscriber = subscriber_of(udm, request);
	struct json_amf_3gpp_registration_modification modification;
	struct arena arena;

	arena_init(&arena, udm->room, sizeof(udm->room));
	if (subscriber == SBI_NO_SUBSCRIBER ||
	    !sbi_read_body(request, &json_amf_3gpp_registration_modification_object, &modification,
			   request->message->body, &arena))
		return;
	if (modification.purge_flag == JSON_YES)
		udm->registered[subscriber] &= (uint8_t)~access;
	sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

static void amf_updates_3gpp(struct sbi_request *request, void *arg)
{
	amf_updates(request, arg, HAS_AMF_3GPP);
}

static void amf_updates_non_3gpp(struct sbi_request *request, void *arg)
{
	amf_updates(request, arg, HAS_AMF_NON_3GPP);
}

static void smf_registers(struct sbi_request *request, void *arg)
{
	if (subscriber_of(arg, request) != SBI_NO_SUBSCRIBER)
		created(arg, request, 0, true);
}

static void smf_deregisters(struct sbi_request *request, void *arg)
{
	if (subscriber_of(arg, request) != SBI_NO_SUBSCRIBER)
		sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

/* --- Nudm_SDM --------------------------------------------------------------------------------- */

static const struct json_ambr bit_rate = { .uplink = JSON_TEXT("1 Gbps"),
					   .downlink = JSON_TEXT("1 Gbps") };

static struct json_nssai nssai_of(const struct sbi_udm *udm)
{
	return (struct json_nssai){
		.default_single_nssais = { udm->slices.items, 1 },
		.single_nssais = { udm->slices.items, udm->slices.count },
	};
}

static void am_data(struct sbi_request *request, void *arg)
{
	const struct json_nssai nssai = nssai_of(arg);
	const struct json_am_data data = { .subscribed_ue_ambr = &bit_rate, .nssai = &nssai };

	if (subscriber_of(arg, request) != SBI_NO_SUBSCRIBER)
		sbi_answer_json(request, 200, NULL, &json_am_data_object, &data);
}

static void nssai(struct sbi_request *request, void *arg)
{
	const struct json_nssai data = nssai_of(arg);

	if (subscriber_of(arg, request) != SBI_NO_SUBSCRIBER)
		sbi_answer_json(request, 200, NULL, &json_nssai_object, &data);
}

/* Items and keys of the map of slices. */
struct selection {
	struct json_snssai_info infos[PROFILE_LIST_MAX];
	char keys[PROFILE_LIST_MAX][16];
	struct json_smf_select_data data;
};

static void select_smf(const struct sbi_udm *udm, struct selection *s)
{
	static const struct json_dnn_info dnn = { .dnn = JSON_TEXT(SBI_DNN),
						  .default_dnn_indicator = JSON_YES };

	for (size_t i = 0; i < udm->slices.count; i++) {
		snprintf(s->keys[i], sizeof(s->keys[i]), "%d%s%s",
			 (int)udm->slices.items[i].sst.value, udm->slices.sd[i][0] ? "-" : "",
			 udm->slices.sd[i]);
		s->infos[i] = (struct json_snssai_info){ .key = HTTP_TEXT(s->keys[i]),
							 .dnn_infos = { &dnn, 1 } };
	}
	s->data.subscribed_snssai_infos.items = s->infos;
	s->data.subscribed_snssai_infos.count = udm->slices.count;
}

static void smf_select_data(struct sbi_request *request, void *arg)
{
	struct selection s;

	select_smf(arg, &s);
	if (subscriber_of(arg, request) != SBI_NO_SUBSCRIBER)
		sbi_answer_json(request, 200, NULL, &json_smf_select_data_object, &s.data);
}

/* No session is known before the AMF asks for one. */
static const struct json_pdu_session_in_smf no_session;
static const struct json_ue_context_in_smf_data no_sessions = { .pdu_sessions = { &no_session,
										  0 } };

static void ue_context_in_smf_data(struct sbi_request *request, void *arg)
{
	if (subscriber_of(arg, request) != SBI_NO_SUBSCRIBER)
		sbi_answer_json(request, 200, NULL, &json_ue_context_in_smf_data_object,
				&no_sessions);
}

static void session_data(const struct sbi_udm *udm, struct json_sm_data items[PROFILE_LIST_MAX])
{
	static const struct octets types[] = { JSON_TEXT("IPV4"), JSON_TEXT("IPV6"),
					       JSON_TEXT("IPV4V6") };
	static const struct octets modes[] = { JSON_TEXT("SSC_MODE_1") };
	static const struct json_pdu_session_types sessions = {
		.default_session_type = JSON_TEXT("IPV4"), .allowed_session_types = { types, 3 }
	};
	static const struct json_ssc_modes ssc = { .default_ssc_mode = JSON_TEXT("SSC_MODE_1"),
						   .allowed_ssc_modes = { modes, 1 } };
	static const struct json_arp arp = { .priority_level = { true, 8 },
					     .preempt_cap = JSON_TEXT("NOT_PREEMPT"),
					     .preempt_vuln = JSON_TEXT("NOT_PREEMPTABLE") };
	static const struct json_subscribed_default_qos qos = { .five_qi = { true, 9 },
								.arp = &arp };
	static const struct json_dnn_configuration configuration = { .key = JSON_TEXT(SBI_DNN),
								     .pdu_session_types = &sessions,
								     .ssc_modes = &ssc,
								     .qos_profile = &qos,
								     .session_ambr = &bit_rate };

	for (size_t i = 0; i < udm->slices.count; i++)
		items[i] = (struct json_sm_data){ .single_nssai = &udm->slices.items[i],
						  .dnn_configurations = { &configuration, 1 } };
}

/* A list, of one item for each slice. */
static void sm_data(struct sbi_request *request, void *arg)
{
	const struct sbi_udm *udm = arg;
	struct json_sm_data items[PROFILE_LIST_MAX];
	char body[16384];
	struct text text;

	if (subscriber_of(arg, request) == SBI_NO_SUBSCRIBER)
		return;
	session_data(udm, items);
	text_init(&text, body, sizeof(body));
	json_write_list(&text, &json_sm_data_object, items, udm->slices.count);
	sbi_answer(request, &(struct sbi_answer){ .status = 200,
						  .body = OCTETS((uint8_t *)body, text.len) });
}

/* Whether a list, parted by commas, has this word. */
static bool lists(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += len) {
		if ((at == list || at[-1] == ',') && (at[len] == '\0' || at[len] == ','))
			return true;
	}
	return false;
}

/* Several at a time, TS 29.503 5.2.2.2.7. */
static void data_sets(struct sbi_request *request, void *arg)
{
	const struct sbi_udm *udm = arg;
	const struct json_nssai nssai = nssai_of(udm);
	const struct json_am_data am = { .subscribed_ue_ambr = &bit_rate, .nssai = &nssai };
	struct json_sm_data sessions[PROFILE_LIST_MAX];
	struct json_subscription_data_sets sets = { 0 };
	struct selection selection;
	char names[300];

	if (subscriber_of(arg, request) == SBI_NO_SUBSCRIBER)
		return;
	if (!sbi_query(request->query, "dataset-names", names, sizeof(names))) {
		sbi_answer_problem(request, 400, "MANDATORY_QUERY_PARAM_MISSING", "dataset-names");
		return;
	}
	select_smf(udm, &selection);
	session_data(udm, sessions);
	if (lists(names, "AM"))
		sets.am_data = &am;
	if (lists(names, "SMF_SEL"))
		sets.smf_sel_data = &selection.data;
	if (lists(names, "UEC_SMF"))
		sets.uec_smf_data = &no_sessions;
	if (lists(names, "SM")) {
		sets.sm_data.items = sessions;
		sets.sm_data.count = udm->slices.count;
	}
	sbi_answer_json(request, 200, NULL, &json_subscription_data_sets_object, &sets);
}

static void subscribe(struct sbi_request *request, void *arg)
{
	struct sbi_udm *udm = arg;
	struct json_sdm_subscription subscription;
	struct arena arena;

	arena_init(&arena, udm->room, sizeof(udm->room));
	if (subscriber_of(udm, request) == SBI_NO_SUBSCRIBER ||
	    !sbi_read_body(request, &json_sdm_subscription_object, &subscription,
			   request->message->body, &arena))
		return;
	udm->subscriptions++;
	created(udm, request, ++udm->subscriptions_ever, true);
}

static void prolong(struct sbi_request *request, void *arg)
{
	(void)arg;
	sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

/* Also one of an earlier case, whose UDM is no more. */
static void unsubscribe(struct sbi_request *request, void *arg)
{
	struct sbi_udm *udm = arg;

	if (udm->subscriptions)
		udm->subscriptions--;
	sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

/* --- Nudm_UEAuthentication -------------------------------------------------------------------- */

static void generate_auth_data(struct sbi_request *request, void *arg)
{
	struct sbi_udm *udm = arg;
	uint32_t subscriber = subscriber_of(udm, request);
	struct json_authentication_info_request info;
	struct json_av_5g_he_aka av = { .av_type = JSON_TEXT("5G_HE_AKA") };
	struct json_authentication_info_result result = { .auth_type = JSON_TEXT("5G_AKA"),
							  .authentication_vector = &av };
	struct sbi_vector vector;
	char supi[SBI_SUPI_MAX];
	struct arena arena;

	arena_init(&arena, udm->room, sizeof(udm->room));
	if (subscriber == SBI_NO_SUBSCRIBER ||
	    !sbi_read_body(request, &json_authentication_info_request_object, &info,
			   request->message->body, &arena))
		return;
	if ((info.resynchronization_info &&
	     !sbi_resynchronise(udm->subscribers, subscriber,
				info.resynchronization_info->rand.data,
				info.resynchronization_info->auts.data)) ||
	    !sbi_serving_network_known(udm->subscribers, info.serving_network_name) ||
	    !sbi_vector_make(udm->subscribers, subscriber, info.serving_network_name, &vector)) {
		sbi_answer_problem(request, 403, "AUTHENTICATION_REJECTED", NULL);
		return;
	}
	sbi_subscriber_supi(udm->subscribers, subscriber, supi);
	av.rand = OCTETS(vector.rand, sizeof(vector.rand));
	av.autn = OCTETS(vector.autn, sizeof(vector.autn));
	av.xres_star = OCTETS(vector.xres_star, sizeof(vector.xres_star));
	av.kausf = OCTETS(vector.k_ausf, sizeof(vector.k_ausf));
	result.supi = HTTP_TEXT(supi);
	sbi_answer_json(request, 200, NULL, &json_authentication_info_result_object, &result);
}

static void auth_event(struct sbi_request *request, void *arg)
{
	struct sbi_udm *udm = arg;

	if (subscriber_of(udm, request) != SBI_NO_SUBSCRIBER)
		created(udm, request, ++udm->events, true);
}

static const struct sbi_route routes[] = {
	{ "PUT", UECM "/amf-3gpp-access", amf_registers_3gpp },
	{ "PATCH", UECM "/amf-3gpp-access", amf_updates_3gpp },
	{ "PUT", UECM "/amf-non-3gpp-access", amf_registers_non_3gpp },
	{ "PATCH", UECM "/amf-non-3gpp-access", amf_updates_non_3gpp },
	{ "PUT", UECM "/smf-registrations/*", smf_registers },
	{ "DELETE", UECM "/smf-registrations/*", smf_deregisters },
	{ "GET", SDM, data_sets },
	{ "GET", SDM "/am-data", am_data },
	{ "GET", SDM "/nssai", nssai },
	{ "GET", SDM "/smf-select-data", smf_select_data },
	{ "GET", SDM "/ue-context-in-smf-data", ue_context_in_smf_data },
	{ "GET", SDM "/sm-data", sm_data },
	{ "POST", SDM "/sdm-subscriptions", subscribe },
	{ "PATCH", SDM "/sdm-subscriptions/*", prolong },
	{ "DELETE", SDM "/sdm-subscriptions/*", unsubscribe },
	{ "POST", UEAU "/security-information/generate-auth-data", generate_auth_data },
	{ "POST", UEAU "/auth-events", auth_event },
};

struct sbi_udm *sbi_udm_start(struct http *http, struct loop *loop, const struct net_address *local,
			      const struct http_tls *tls, struct sbi_subscribers *subscribers,
			      struct text *why)
{
	struct sbi_udm *udm = calloc(1, sizeof(*udm));

	if (!udm || !(udm->registered = calloc(subscribers->profile->subscribers.count + 1, 1))) {
		text_puts(why, "out of memory");
		free(udm);
		return NULL;
	}
	udm->subscribers = subscribers;
	sbi_slices_of(&udm->slices, subscribers->profile);
	udm->server = sbi_server_start(http, loop, "udm", local, tls, routes,
				       sizeof(routes) / sizeof(*routes), udm, why);
	if (!udm->server) {
		free(udm->registered);
		free(udm);
		return NULL;
	}
	return udm;
}

void sbi_udm_stop(struct sbi_udm *udm)
{
	if (!udm)
		return;
	sbi_server_stop(udm->server);
	free(udm->registered);
	free(udm);
}

struct sbi_server *sbi_udm_server(struct sbi_udm *udm)
{
	return udm->server;
}

bool sbi_udm_has_amf(const struct sbi_udm *udm, uint32_t subscriber, bool non_3gpp)
{
	return udm->registered[subscriber] & (non_3gpp ? HAS_AMF_NON_3GPP : HAS_AMF_3GPP);
}

size_t sbi_udm_subscriptions(const struct sbi_udm *udm)
{
	return udm->subscriptions;
}
