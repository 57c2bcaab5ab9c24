/*
 * The network functions behind an AMF, asked as an AMF asks them, in virtual time: discovery,
 * authentication, subscription data, policy, slices, and a session from its request to its release.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/nas/nas_value.h"
#include "codecs/nas/security/key_derivation.h"
#include "codecs/nas/security/milenage.h"
#include "codecs/nas/security/suci.h"
#include "codecs/ngap/ngap.h"
#include "codecs/sbi/multipart.h"
#include "runner/emulation/sbi_core.h"

#define SUPI	"imsi-999700000000003"
#define NETWORK "5G:mnc070.mcc999.3gppnetwork.org"
#define UES	"/nausf-auth/v1/ue-authentications"

static struct loop *loop;
static struct sim_network *network;
static struct http *tester, *amf;
static struct profile *profile;
static struct sbi_core *core;
static struct http_client *clients[SBI_ROLE_COUNT];
static char why_buffer[300];
static struct text why;

/* the last answer */
static size_t ended_count;
static unsigned int status; /* 0: there was none */
static uint8_t body[20000];
static size_t body_len;
static char location[400], content_type[100];
static _Alignas(max_align_t) uint8_t room[256 * 1024];
static struct arena arena;

/* what the AMF's own server got */
static size_t transfers, notifications;
static unsigned int transfer_status;
static char transfer_path[200];
static struct http_message *transfer;

static void copy(char *to, size_t size, const struct octets *from)
{
	struct text text;

	text_init(&text, to, size);
	if (from)
		text_write(&text, from->data, from->len);
}

static void take_response(struct http_stream *stream, void *arg, const struct http_message *m)
{
	(void)stream;
	(void)arg;
	ended_count++;
	status = http_status(m);
	ck_assert_uint_lt(m->body.len, sizeof(body));
	body_len = m->body.len;
	if (body_len)
		memcpy(body, m->body.data, body_len);
	body[body_len] = '\0';
	copy(location, sizeof(location), http_header(m, "location"));
	copy(content_type, sizeof(content_type), http_header(m, "content-type"));
}

static void take_failure(struct http_stream *stream, void *arg, enum http_failure kind,
			 const char *reason)
{
	(void)stream;
	(void)arg;
	(void)kind;
	(void)reason;
	ended_count++;
	status = 0;
	body_len = 0;
	location[0] = content_type[0] = '\0';
}

static const struct http_client_handler handler = { take_response, take_failure };

static bool ended(void *arg)
{
	return ended_count >= *(size_t *)arg;
}

static unsigned int ask_with(enum sbi_role role, const char *method, const char *path,
			     const char *type, struct octets content)
{
	size_t wanted = ended_count + 1;
	const struct http_header headers[] = {
		HTTP_HEADER(":method", method),
		HTTP_HEADER(":path", path),
		HTTP_HEADER("content-type", type),
	};

	ck_assert_ptr_nonnull(http_request(
		clients[role],
		&(struct http_message){ .headers = headers, .header_count = 3, .body = content },
		&handler, NULL, &why));
	loop_run(loop, loop_now(loop) + 15 * US_PER_S, ended, &wanted);
	ck_assert_uint_eq(ended_count, wanted);
	return status;
}

static unsigned int ask(enum sbi_role role, const char *method, const char *path, const char *text)
{
	return ask_with(role, method, path, "application/json", HTTP_TEXT(text));
}

/* The answer's body as this type; a fault fails the test. */
static const void *answer_as(const struct json_object *object)
{
	struct json_fault fault = { 0 };
	void *value;

	arena_init(&arena, room, sizeof(room));
	value = arena_take(&arena, object->size);
	ck_assert_msg(json_read(object, value, OCTETS(body, body_len), &arena, &fault) ==
			      FINDING_NONE,
		      "%s: %s in %s", fault.path, fault.reason, (char *)body);
	return value;
}

static bool body_has(const char *text)
{
	return strstr((const char *)body, text) != NULL;
}

/* --- the AMF's server ------------------------------------------------------------------------- */

static void amf_request(struct http_stream *stream, void *arg, const struct http_message *request)
{
	const struct octets *path = http_header(request, ":path");
	char code[4];
	const struct http_header headers[] = { { HTTP_TEXT(":status"), { (uint8_t *)code, 3 } } };
	struct http_message answer = { .headers = headers, .header_count = 1 };

	(void)arg;
	ck_assert_ptr_nonnull(path);
	snprintf(code, sizeof(code), "%u", transfer_status);
	if (path->len > 10 && memcmp(path->data, "/namf-comm/", 11) == 0) {
		transfers++;
		copy(transfer_path, sizeof(transfer_path), path);
		free(transfer);
		transfer = http_message_copy(request);
		if (transfer_status == 200)
			answer.body = JSON_TEXT("{\"cause\":\"N1_N2_TRANSFER_INITIATED\"}");
	} else {
		notifications++;
	}
	http_respond(stream, &answer);
}

static const struct http_server_handler amf_handler = { amf_request, NULL };

/* --- the stage -------------------------------------------------------------------------------- */

static void begin(void)
{
	static const char *const words[] = { "nrf", "ausf", "udm", "pcf", "nssf", "smf", "amf" };
	struct net_address address;
	struct http_options side;

	text_init(&why, why_buffer, sizeof(why_buffer));
	ended_count = transfers = notifications = 0;
	transfer_status = 200;
	transfer = NULL;
	loop = loop_new(LOOP_VIRTUAL, 1);
	network = sim_network_new(loop, &(struct sim_conditions){ 0 });
	side = (struct http_options){ .sim = network };
	tester = http_new(loop, &side, NULL, &why);
	amf = http_new(loop, &side, NULL, &why);
	profile = profile_builtin(ROLE_AMF);
	ck_assert_ptr_nonnull(profile);
	net_address_parse(&profile->sbi, "127.0.0.40", 7777);
	profile->has_sbi = true;
	profile->sbi_port = 7777;
	profile->sbi_on_demand = false;
	profile->sbi_role_count = 0;
	for (size_t i = 0; i < SBI_ROLE_COUNT; i++)
		strcpy(profile->sbi_roles[profile->sbi_role_count++], words[i]);
	core = sbi_core_start(tester, loop, profile, 0, &why);
	ck_assert_msg(core != NULL, "%s", why_buffer);
	for (size_t i = 0; i < SBI_ROLE_COUNT; i++) {
		net_address_parse(&address, "127.0.0.40", (uint16_t)(7777 + i));
		clients[i] = http_client_new(amf, words[i], NULL, &address, NULL, NULL, &why);
		ck_assert_ptr_nonnull(clients[i]);
	}
	net_address_parse(&address, "127.0.0.5", 7777);
	ck_assert_ptr_nonnull(http_listen(amf, "amf", &address, NULL, &amf_handler, NULL, &why));
}

static void end(void)
{
	sbi_core_stop(core);
	http_free(tester);
	http_free(amf);
	sim_network_free(network);
	loop_free(loop);
	profile_free(profile);
	free(transfer);
}

static void run_for_ms(uint64_t ms)
{
	loop_run(loop, loop_now(loop) + ms * US_PER_MS, NULL, NULL);
}

/* --- NRF -------------------------------------------------------------------------------------- */

START_TEST(each_is_discovered)
{
	static const struct {
		const char *type, *service, *port;
	} nfs[] = {
		{ "AUSF", "nausf-auth", "\"port\":7778" },
		{ "UDM", "nudm-sdm", "\"port\":7779" },
		{ "UDM", "nudm-uecm", "\"port\":7779" },
		{ "PCF", "npcf-am-policy-control", "\"port\":7780" },
		{ "NSSF", "nnssf-nsselection", "\"port\":7781" },
		{ "SMF", "nsmf-pdusession", "\"port\":7782" },
		{ "AMF", "namf-comm", "\"port\":7783" },
	};
	char path[200];

	for (size_t i = 0; i < sizeof(nfs) / sizeof(*nfs); i++) {
		const struct json_search_result *found;

		snprintf(path, sizeof(path),
			 "/nnrf-disc/v1/nf-instances?target-nf-type=%s&requester-nf-type=AMF&"
			 "service-names=%s",
			 nfs[i].type, nfs[i].service);
		ck_assert_uint_eq(ask(SBI_ROLE_NRF, "GET", path, ""), 200);
		ck_assert(body_has(nfs[i].port));
		found = answer_as(&json_search_result_object);
		ck_assert_uint_eq(found->nf_instances.count, 1);
	}
}
END_TEST

/* --- AUSF ------------------------------------------------------------------------------------- */

static unsigned int authenticate(const char *identity, const char *more)
{
	char text[700];

	snprintf(text, sizeof(text),
		 "{\"supiOrSuci\":\"%s\",\"servingNetworkName\":\"" NETWORK "\"%s}", identity,
		 more);
	return ask(SBI_ROLE_AUSF, "POST", UES, text);
}

struct usim {
	uint8_t rand[16], sqn[6], res_star[16], k_ausf[32], k_seaf[32];
};

/* The UE's end: AUTN is checked, and the answer made, from K alone. */
static void usim_takes(const struct json_av_5g_aka *av, struct usim *u)
{
	const struct profile_subscribers *s = &profile->subscribers;
	const struct octets name = HTTP_TEXT(NETWORK);
	uint8_t ck[16], ik[16], ak[6], res[8], mac[8], hres[16];

	memcpy(u->rand, av->rand.data, 16);
	ck_assert_int_eq(milenage_f2345(s->k, s->opc, u->rand, res, ck, ik, ak, NULL), 0);
	for (size_t i = 0; i < 6; i++)
		u->sqn[i] = av->autn.data[i] ^ ak[i];
	ck_assert_int_eq(milenage_f1(s->k, s->opc, u->rand, u->sqn, s->amf, mac, NULL), 0);
	ck_assert_mem_eq(av->autn.data + 6, s->amf, 2);
	ck_assert_mem_eq(av->autn.data + 8, mac, 8);
	derive_res_star(ck, ik, name, u->rand, OCTETS(res, 8), u->res_star);
	derive_hres_star(u->rand, u->res_star, hres);
	ck_assert_mem_eq(av->hxres_star.data, hres, 16);
	derive_k_ausf(ck, ik, name, av->autn.data, u->k_ausf);
	derive_k_seaf(u->k_ausf, name, u->k_seaf);
}

static unsigned int confirm(const char *href, const uint8_t res_star[16])
{
	char hex[33], text[80];
	struct text t;
	const char *path = strstr(href, UES);

	ck_assert_ptr_nonnull(path);
	text_init(&t, hex, sizeof(hex));
	text_hex(&t, res_star, 16);
	snprintf(text, sizeof(text), "{\"resStar\":\"%s\"}", hex);
	return ask(SBI_ROLE_AUSF, "PUT", path, text);
}

START_TEST(authentication)
{
	const struct json_ue_authentication_ctx *ctx;
	const struct json_confirmation_data_response *result;
	char href[300], again[300];
	struct usim usim;
	size_t failed;

	ck_assert_uint_eq(authenticate("suci-0-999-70-0-0-0-0000000003", ""), 201);
	ck_assert_str_eq(content_type, "application/3gppHal+json");
	ck_assert(strstr(location, "http://127.0.0.40:7778" UES "/1") == location);
	ctx = answer_as(&json_ue_authentication_ctx_object);
	ck_assert_uint_eq(ctx->links.count, 1);
	ck_assert(octets_equal(ctx->links.items[0].key, JSON_TEXT("5g-aka")));
	copy(href, sizeof(href), &ctx->links.items[0].href);
	usim_takes(ctx->auth_data, &usim);
	ck_assert_uint_eq(confirm(href, usim.res_star), 200);
	result = answer_as(&json_confirmation_data_response_object);
	ck_assert(octets_equal(result->auth_result, JSON_TEXT("AUTHENTICATION_SUCCESS")));
	ck_assert(octets_equal(result->supi, JSON_TEXT(SUPI)));
	ck_assert(octets_equal(result->kseaf, OCTETS(usim.k_seaf, 32)));
	ck_assert_uint_eq(sbi_ausf_authenticated(core->ausf, &failed), 1);
	ck_assert_uint_eq(failed, 0);

	/* another vector each time; a wrong answer gives no key */
	ck_assert_uint_eq(authenticate(SUPI, ""), 201);
	ctx = answer_as(&json_ue_authentication_ctx_object);
	copy(again, sizeof(again), &ctx->links.items[0].href);
	ck_assert_str_ne(again, href);
	ck_assert_mem_ne(ctx->auth_data->rand.data, usim.rand, 16);
	ck_assert_uint_eq(confirm(again, usim.res_star), 200);
	ck_assert(body_has("AUTHENTICATION_FAILURE"));
	ck_assert(!body_has("kseaf"));
	sbi_ausf_authenticated(core->ausf, &failed);
	ck_assert_uint_eq(failed, 1);
	ck_assert_uint_eq(ask(SBI_ROLE_AUSF, "DELETE", strstr(again, UES), ""), 204);
	ck_assert_uint_eq(confirm(again, usim.res_star), 404);
}
END_TEST

START_TEST(who_is_not_known)
{
	ck_assert_uint_eq(authenticate("suci-0-999-70-0-0-0-9900000003", ""), 404);
	ck_assert(body_has("USER_NOT_FOUND"));
	ck_assert_uint_eq(authenticate("suci-0-999-70-0-0-0", ""), 404);
	ck_assert_uint_eq(authenticate("suci-0-999-70-0-1-1-zz", ""), 404);
	ck_assert_uint_eq(authenticate("suci-0-999-70-0-0-0-000000000000000000003", ""), 404);
	ck_assert_uint_eq(authenticate("imsi-99970000000000a", ""), 404);
	ck_assert_uint_eq(ask(SBI_ROLE_AUSF, "POST", UES,
			      "{\"supiOrSuci\":\"" SUPI "\",\"servingNetworkName\":\"5G:x\"}"),
			  403);
	ck_assert_uint_eq(ask(SBI_ROLE_AUSF, "POST", UES, "{\"supiOrSuci\":\"" SUPI "\"}"), 400);
	ck_assert(body_has("servingNetworkName"));
	ck_assert_uint_eq(ask(SBI_ROLE_AUSF, "POST", UES, "{"), 400);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "GET", "/nudm-sdm/v2/imsi-1/am-data", ""), 404);
}
END_TEST

START_TEST(resynchronisation)
{
	static const uint8_t no_amf[2];
	const struct profile_subscribers *s = &profile->subscribers;
	const uint8_t sqn_ms[6] = { 0, 0, 1, 0, 0, 0x20 };
	uint8_t auts[14], ak[6];
	char rand_hex[33], auts_hex[29], more[200];
	struct text t;
	struct usim usim;

	ck_assert_uint_eq(authenticate(SUPI, ""), 201);
	usim_takes(((const struct json_ue_authentication_ctx *)answer_as(
			    &json_ue_authentication_ctx_object))
			   ->auth_data,
		   &usim);
	milenage_f2345(s->k, s->opc, usim.rand, NULL, NULL, NULL, NULL, ak);
	for (size_t i = 0; i < 6; i++)
		auts[i] = sqn_ms[i] ^ ak[i];
	milenage_f1(s->k, s->opc, usim.rand, sqn_ms, no_amf, NULL, auts + 6);
	text_init(&t, rand_hex, sizeof(rand_hex));
	text_hex(&t, usim.rand, 16);
	text_init(&t, auts_hex, sizeof(auts_hex));
	text_hex(&t, auts, 14);
	snprintf(more, sizeof(more), ",\"resynchronizationInfo\":{\"rand\":\"%s\",\"auts\":\"%s\"}",
		 rand_hex, auts_hex);
	ck_assert_uint_eq(authenticate(SUPI, more), 201);
	usim_takes(((const struct json_ue_authentication_ctx *)answer_as(
			    &json_ue_authentication_ctx_object))
			   ->auth_data,
		   &usim);
	ck_assert_int_gt(memcmp(usim.sqn, sqn_ms, 6), 0);
	/* the same AUTS is not that of another RAND */
	rand_hex[0] = rand_hex[0] == '0' ? '1' : '0';
	snprintf(more, sizeof(more), ",\"resynchronizationInfo\":{\"rand\":\"%s\",\"auts\":\"%s\"}",
		 rand_hex, auts_hex);
	ck_assert_uint_eq(authenticate(SUPI, more), 403);
}
END_TEST

/* Profiles A and B with keys of the profile. */
START_TEST(concealed_identity)
{
	static const uint8_t msin[] = { 0x00, 0x00, 0x00, 0x00, 0x30 };
	const enum suci_protection_scheme scheme = _i ? SUCI_PROFILE_B : SUCI_PROFILE_A;
	uint8_t private_key[32], public_key[33], ephemeral[32], output[128];
	size_t public_len = 0, len = 0;
	char hex[257], suci[400];
	struct text t;

	memset(private_key, 0x31, sizeof(private_key));
	memset(ephemeral, 0x52, sizeof(ephemeral));
	ck_assert_int_eq(suci_public_key(scheme, private_key, public_key, &public_len), 0);
	ck_assert_int_eq(suci_conceal(scheme, OCTETS(public_key, public_len), ephemeral,
				      OCTETS(msin, sizeof(msin)), output, sizeof(output), &len),
			 0);
	profile->subscribers.hn_key_count = 1;
	profile->subscribers.hn_keys[0].id = 7;
	profile->subscribers.hn_keys[0].scheme = _i ? 'B' : 'A';
	profile->subscribers.hn_keys[0].has_private_key = true;
	memcpy(profile->subscribers.hn_keys[0].private_key, private_key, 32);
	text_init(&t, hex, sizeof(hex));
	text_hex(&t, output, len);
	snprintf(suci, sizeof(suci), "suci-0-999-70-0-%d-7-%s", (int)scheme, hex);
	ck_assert_uint_eq(authenticate(suci, ""), 201);
	/* a key that the home network does not have, and an output that was altered */
	snprintf(suci, sizeof(suci), "suci-0-999-70-0-%d-8-%s", (int)scheme, hex);
	ck_assert_uint_eq(authenticate(suci, ""), 404);
	hex[2 * len - 1] = hex[2 * len - 1] == '0' ? '1' : '0';
	snprintf(suci, sizeof(suci), "suci-0-999-70-0-%d-7-%s", (int)scheme, hex);
	ck_assert_uint_eq(authenticate(suci, ""), 404);
}
END_TEST

/* --- UDM -------------------------------------------------------------------------------------- */

#define GUAMI "{\"plmnId\":{\"mcc\":\"999\",\"mnc\":\"70\"},\"amfId\":\"020040\"}"

START_TEST(amf_registration)
{
	static const char registers[] =
		"{\"amfInstanceId\":\"54804518-4191-46b3-955c-ac631f953ed8\",\"deregCallbackUri\":"
		"\"http://127.0.0.5:7777/namf-callback/v1/" SUPI "/dereg-notify\",\"guami\":" GUAMI
		",\"ratType\":\"NR\"}";
	static const char purges[] = "{\"guami\":" GUAMI ",\"purgeFlag\":true}";
	static const char path[] = "/nudm-uecm/v1/" SUPI "/registrations/amf-3gpp-access";

	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "PUT", path, registers), 201);
	ck_assert(strstr(location, path) != NULL);
	ck_assert(sbi_udm_has_amf(core->udm, 2, false));
	ck_assert(!sbi_udm_has_amf(core->udm, 2, true));
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "PUT", path, registers), 200);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "PATCH", path, purges), 204);
	ck_assert(!sbi_udm_has_amf(core->udm, 2, false));
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "PUT", path, "{}"), 400);
}
END_TEST

START_TEST(subscription_data)
{
	const struct json_am_data *am;
	const struct json_smf_select_data *selection;
	const struct json_subscription_data_sets *sets;

	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "GET", "/nudm-sdm/v2/" SUPI "/am-data?x=y", ""), 200);
	am = answer_as(&json_am_data_object);
	ck_assert_uint_eq(am->nssai->default_single_nssais.count, 1);
	ck_assert_uint_eq(am->nssai->single_nssais.count, profile->slice_count);
	ck_assert_int_eq(am->nssai->single_nssais.items[0].sst.value, profile->slices[0].sst);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "GET", "/nudm-sdm/v2/" SUPI "/smf-select-data", ""),
			  200);
	selection = answer_as(&json_smf_select_data_object);
	ck_assert_uint_eq(selection->subscribed_snssai_infos.count, profile->slice_count);
	ck_assert(body_has("\"1-010203\":"));
	ck_assert(body_has("\"dnn\":\"internet\""));
	ck_assert_uint_eq(
		ask(SBI_ROLE_UDM, "GET", "/nudm-sdm/v2/" SUPI "/ue-context-in-smf-data", ""), 200);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "GET", "/nudm-sdm/v2/" SUPI "/nssai", ""), 200);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "GET", "/nudm-sdm/v2/" SUPI "/sm-data", ""), 200);
	ck_assert(body_has("\"5qi\":9"));
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "GET",
			      "/nudm-sdm/v2/" SUPI "?dataset-names=AM%2CSMF_SEL%2CUEC_SMF", ""),
			  200);
	sets = answer_as(&json_subscription_data_sets_object);
	ck_assert_ptr_nonnull(sets->am_data);
	ck_assert_ptr_nonnull(sets->smf_sel_data);
	ck_assert_ptr_nonnull(sets->uec_smf_data);
	ck_assert_uint_eq(sets->sm_data.count, 0);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "GET", "/nudm-sdm/v2/" SUPI "?dataset-names=SM", ""),
			  200);
	sets = answer_as(&json_subscription_data_sets_object);
	ck_assert_ptr_null(sets->am_data);
	ck_assert_uint_eq(sets->sm_data.count, profile->slice_count);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "GET", "/nudm-sdm/v2/" SUPI, ""), 400);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "POST", "/nudm-sdm/v2/" SUPI "/sdm-subscriptions",
			      "{\"nfInstanceId\":\"1\",\"callbackReference\":\"http://127.0.0.5/\","
			      "\"monitoredResourceUris\":[\"http://127.0.0.40/\"]}"),
			  201);
	ck_assert_uint_eq(sbi_udm_subscriptions(core->udm), 1);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "DELETE", strstr(location, "/nudm-sdm"), ""), 204);
	ck_assert_uint_eq(sbi_udm_subscriptions(core->udm), 0);
}
END_TEST

START_TEST(vectors_for_an_ausf)
{
	const struct json_authentication_info_result *result;

	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "POST",
			      "/nudm-ueau/v1/" SUPI "/security-information/generate-auth-data",
			      "{\"servingNetworkName\":\"" NETWORK "\",\"ausfInstanceId\":\"1\"}"),
			  200);
	result = answer_as(&json_authentication_info_result_object);
	ck_assert(octets_equal(result->supi, JSON_TEXT(SUPI)));
	ck_assert_uint_eq(result->authentication_vector->kausf.len, 32);
}
END_TEST

/* --- PCF, NSSF -------------------------------------------------------------------------------- */

START_TEST(policies_and_slices)
{
	const struct json_authorized_slices *slices;
	char path[300];

	ck_assert_uint_eq(ask(SBI_ROLE_PCF, "POST", "/npcf-am-policy-control/v1/policies",
			      "{\"notificationUri\":\"http://127.0.0.5/\",\"supi\":\"" SUPI
			      "\",\"suppFeat\":\"\"}"),
			  201);
	answer_as(&json_policy_association_object);
	ck_assert_uint_eq(sbi_pcf_associations(core->pcf), 1);
	snprintf(path, sizeof(path), "%s/update", strstr(location, "/npcf"));
	ck_assert_uint_eq(ask(SBI_ROLE_PCF, "POST", path, "{}"), 200);
	ck_assert(body_has("{\"resourceUri\":\"http://127.0.0.40:7780/npcf-am-policy-control/v1/"
			   "policies/1\"}"));
	path[strlen(path) - strlen("/update")] = '\0';
	ck_assert_uint_eq(ask(SBI_ROLE_PCF, "DELETE", path, ""), 204);
	ck_assert_uint_eq(sbi_pcf_associations(core->pcf), 0);
	ck_assert_uint_eq(ask(SBI_ROLE_PCF, "POST", "/npcf-am-policy-control/v1/policies", "{}"),
			  400);

	ck_assert_uint_eq(ask(SBI_ROLE_NSSF, "GET",
			      "/nnssf-nsselection/v2/network-slice-information?nf-type=AMF&nf-id=1"
			      "&slice-info-request-for-pdu-session=%7B%7D",
			      ""),
			  200);
	slices = answer_as(&json_authorized_slices_object);
	ck_assert_ptr_nonnull(slices->nsi_information);
	ck_assert(body_has("http://127.0.0.40:7777/nnrf-disc/v1/nf-instances"));
	ck_assert_uint_eq(ask(SBI_ROLE_NSSF, "GET",
			      "/nnssf-nsselection/v2/network-slice-information?nf-type=AMF&nf-id=1"
			      "&slice-info-request-for-registration=%7B%7D",
			      ""),
			  200);
	slices = answer_as(&json_authorized_slices_object);
	ck_assert_uint_eq(slices->allowed_nssai_list.items[0].allowed_snssai_list.count,
			  profile->slice_count);
	ck_assert_uint_eq(
		ask(SBI_ROLE_NSSF, "GET", "/nnssf-nsselection/v2/network-slice-information", ""),
		400);
}
END_TEST

/* --- SMF -------------------------------------------------------------------------------------- */

static const char create_json[] =
	"{\"supi\":\"" SUPI "\",\"pduSessionId\":5,\"dnn\":\"internet\",\"sNssai\":{\"sst\":1,"
	"\"sd\":\"010203\"},\"servingNfId\":\"1\",\"servingNetwork\":{\"mcc\":\"999\",\"mnc\":"
	"\"70\"},\"n1SmMsg\":{\"contentId\":\"nas-part\"},\"anType\":\"3GPP_ACCESS\","
	"\"smContextStatusUri\":\"http://127.0.0.5:7777/namf-callback/v1/" SUPI
	"/sm-context-status/5\"}";

/* A request with an N1 part of this type. */
static unsigned int send_n1(const char *path, const char *json, enum nas_message_type type)
{
	uint8_t memory[4096], nas[100];
	char content[4096];
	struct arena nas_arena;
	struct text text;
	struct nas_msg msg;
	int len;

	arena_init(&nas_arena, memory, sizeof(memory));
	nas_init(&msg, type, &nas_arena);
	msg.pdu_session_id = 5;
	msg.pti = 9;
	if (type == NAS_PDU_SESSION_ESTABLISHMENT_REQUEST)
		nas_add(&msg, NAS_IE_INTEGRITY_MAXIMUM_DATA_RATE, JSON_TEXT("\xff\xff"));
	len = nas_encode(&msg, nas, sizeof(nas));
	ck_assert_int_gt(len, 0);
	text_init(&text, content, sizeof(content));
	multipart_write(
		&text,
		(struct multipart_part[]){
			{ .content_type = JSON_TEXT("application/json"), .body = HTTP_TEXT(json) },
			{ .content_type = JSON_TEXT(MULTIPART_5GNAS),
			  .content_id = JSON_TEXT("nas-part"),
			  .body = OCTETS(nas, (size_t)len) },
		},
		2, "amfPart");
	return ask_with(SBI_ROLE_SMF, "POST", path, "multipart/related; boundary=amfPart",
			OCTETS((uint8_t *)content, text.len));
}

/* The parts of a message: the type of its N1 part, and its N2 part. */
static uint8_t n1_of(struct octets type, struct octets content, struct octets *n2)
{
	uint8_t memory[NAS_ARENA_SIZE];
	struct arena nas_arena;
	struct multipart parts;
	struct nas_msg sm = { 0 };

	*n2 = OCTETS(NULL, 0);
	ck_assert_int_eq(multipart_read(&parts, type, content, NULL), FINDING_NONE);
	for (size_t i = 0; i < parts.count; i++) {
		const struct multipart_part *part = &parts.parts[i];

		arena_init(&nas_arena, memory, sizeof(memory));
		if (octets_equal(part->content_type, JSON_TEXT(MULTIPART_5GNAS)))
			ck_assert_int_eq(
				nas_decode(&sm, part->body, &nas_arena, DECODE_STRICT, NULL),
				FINDING_NONE);
		if (octets_equal(part->content_type, JSON_TEXT(MULTIPART_NGAP)))
			*n2 = part->body;
	}
	return sm.type;
}

static void check_setup_transfer(struct octets n2)
{
	const void *value = NULL;

	arena_init(&arena, room, sizeof(room));
	ck_assert_int_eq(ngap_decode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_REQUEST_TRANSFER,
					   n2, &arena, DECODE_STRICT, NULL, &value),
			 0);
}

/* Sets a session up; the path of its SM context. */
static void session_up(char path[300])
{
	struct octets n2;

	ck_assert_uint_eq(send_n1("/nsmf-pdusession/v1/sm-contexts", create_json,
				  NAS_PDU_SESSION_ESTABLISHMENT_REQUEST),
			  201);
	snprintf(path, 300, "%s", strstr(location, "/nsmf"));
	ck_assert_uint_eq(transfers, 0);
	run_for_ms(100);
	ck_assert_uint_eq(transfers, 1);
	ck_assert_str_eq(transfer_path, "/namf-comm/v1/ue-contexts/" SUPI "/n1-n2-messages");
	ck_assert_uint_eq(n1_of(*http_header(transfer, "content-type"), transfer->body, &n2),
			  NAS_PDU_SESSION_ESTABLISHMENT_ACCEPT);
	check_setup_transfer(n2);
}

static unsigned int modify(const char *path, const char *json)
{
	char modify_path[320];

	snprintf(modify_path, sizeof(modify_path), "%s/modify", path);
	return ask(SBI_ROLE_SMF, "POST", modify_path, json);
}

START_TEST(session)
{
	static const char failures[] = "http://127.0.0.40:7782/nsmf-callback/v1/n1-n2-failures/1";
	static const char n1_json[] = "{\"n1SmMsg\":{\"contentId\":\"nas-part\"}}";
	static const char exempt_json[] = "{\"n1SmMsg\":{\"contentId\":\"nas-part\"},"
					  "\"exemptionInd\":{\"dnnCongestion\":true}}";
	struct sbi_smf_session s;
	char path[300], modify_path[320], release_path[320];
	struct octets n2;

	session_up(path);
	snprintf(modify_path, sizeof(modify_path), "%s/modify", path);
	snprintf(release_path, sizeof(release_path), "%s/release", path);
	ck_assert(sbi_smf_session(core->smf, SUPI, 5, &s));
	ck_assert(s.active);
	ck_assert_uint_eq(s.transfers, 1);
	ck_assert_uint_eq(s.transfers_failed, 0);

	/* resources set up, taken away, and activated anew */
	ck_assert_uint_eq(modify(path, "{\"n2SmInfoType\":\"PDU_RES_SETUP_RSP\"}"), 200);
	sbi_smf_session(core->smf, SUPI, 5, &s);
	ck_assert(s.user_plane);
	ck_assert_uint_eq(modify(path, "{\"upCnxState\":\"DEACTIVATED\"}"), 200);
	ck_assert(body_has("DEACTIVATED"));
	sbi_smf_session(core->smf, SUPI, 5, &s);
	ck_assert(!s.user_plane && s.active);
	ck_assert_uint_eq(modify(path, "{\"upCnxState\":\"ACTIVATING\"}"), 200);
	ck_assert_uint_eq(n1_of(HTTP_TEXT(content_type), OCTETS(body, body_len), &n2), 0);
	check_setup_transfer(n2);

	/* data for it; none where the resources are there */
	ck_assert_uint_eq(sbi_smf_downlink(core->smf, SUPI), 5);
	run_for_ms(100);
	ck_assert_uint_eq(transfers, 2);
	ck_assert_uint_eq(n1_of(*http_header(transfer, "content-type"), transfer->body, &n2), 0);
	check_setup_transfer(n2);
	ck_assert_uint_eq(modify(path, "{\"n2SmInfoType\":\"PDU_RES_SETUP_RSP\"}"), 200);
	ck_assert_uint_eq(sbi_smf_downlink(core->smf, SUPI), 0);
	/* the AMF has to be told where failures go, and uses it */
	ck_assert_ptr_nonnull(
		memmem(transfer->body.data, transfer->body.len, failures, strlen(failures)));
	ck_assert_uint_eq(ask(SBI_ROLE_SMF, "POST", strstr(failures, "/nsmf"), "{}"), 204);
	sbi_smf_session(core->smf, SUPI, 5, &s);
	ck_assert_uint_eq(s.unreached, 1);

	/* 5GSM of the UE */
	ck_assert_uint_eq(send_n1(modify_path, exempt_json, NAS_PDU_SESSION_MODIFICATION_REQUEST),
			  200);
	ck_assert_uint_eq(n1_of(HTTP_TEXT(content_type), OCTETS(body, body_len), &n2),
			  NAS_PDU_SESSION_MODIFICATION_COMMAND);
	sbi_smf_session(core->smf, SUPI, 5, &s);
	ck_assert(s.exempted);
	ck_assert_uint_eq(s.last_n1, NAS_PDU_SESSION_MODIFICATION_REQUEST);
	ck_assert_uint_eq(s.n1_messages, 2);
	ck_assert_uint_eq(send_n1(modify_path, n1_json, NAS_PDU_SESSION_RELEASE_REQUEST), 200);
	ck_assert(body_has("PDU_RES_REL_CMD"));
	ck_assert_uint_eq(n1_of(HTTP_TEXT(content_type), OCTETS(body, body_len), &n2),
			  NAS_PDU_SESSION_RELEASE_COMMAND);
	ck_assert_uint_eq(n2.len, 1);
	ck_assert_uint_eq(modify(path, "{\"n2SmInfoType\":\"PDU_RES_REL_RSP\"}"), 204);
	ck_assert_uint_eq(send_n1(modify_path, n1_json, NAS_PDU_SESSION_RELEASE_COMPLETE), 204);
	run_for_ms(100);
	ck_assert_uint_eq(notifications, 1);
	ck_assert_uint_eq(sbi_smf_sessions(core->smf), 0);
	ck_assert_uint_eq(modify(path, "{\"upCnxState\":\"ACTIVATING\"}"), 404);
	ck_assert_uint_eq(ask(SBI_ROLE_SMF, "POST", release_path, "{}"), 204);
}
END_TEST

START_TEST(session_by_the_network)
{
	char path[300], release_path[320];
	struct sbi_smf_session s;

	/* the AMF does not take the transfer */
	transfer_status = 504;
	session_up(path);
	sbi_smf_session(core->smf, SUPI, 5, &s);
	ck_assert_uint_eq(s.transfers_failed, 1);
	/* the same identity again takes the place of the first */
	ck_assert_uint_eq(send_n1("/nsmf-pdusession/v1/sm-contexts", create_json,
				  NAS_PDU_SESSION_ESTABLISHMENT_REQUEST),
			  201);
	ck_assert_uint_eq(sbi_smf_sessions(core->smf), 1);
	snprintf(release_path, sizeof(release_path), "%s/release", strstr(location, "/nsmf"));
	ck_assert_uint_eq(ask(SBI_ROLE_SMF, "POST", release_path, "{\"cause\":\"REL_DUE_TO_X\"}"),
			  204);
	ck_assert_uint_eq(sbi_smf_sessions(core->smf), 0);
	/* no transfer for a session that is gone */
	run_for_ms(100);
	ck_assert_uint_eq(transfers, 1);
}
END_TEST

START_TEST(nonsense_to_the_smf)
{
	ck_assert_uint_eq(ask(SBI_ROLE_SMF, "POST", "/nsmf-pdusession/v1/sm-contexts", create_json),
			  403);
	ck_assert_uint_eq(send_n1("/nsmf-pdusession/v1/sm-contexts", create_json,
				  NAS_PDU_SESSION_RELEASE_REQUEST),
			  403);
	ck_assert_uint_eq(ask_with(SBI_ROLE_SMF, "POST", "/nsmf-pdusession/v1/sm-contexts",
				   "multipart/related; boundary=x", JSON_TEXT("--x")),
			  400);
	ck_assert_uint_eq(modify("/nsmf-pdusession/v1/sm-contexts/1", "{}"), 404);
	ck_assert_uint_eq(
		modify("/nsmf-pdusession/v1/sm-contexts/99999999999999999999999999", "{}"), 404);
	ck_assert_uint_eq(sbi_smf_sessions(core->smf), 0);
}
END_TEST

/* --- anything else that a case wants ---------------------------------------------------------- */

START_TEST(rules)
{
	struct sbi_rule refuse = { .path = "/nudm-sdm/", .status = 503, .times = 1 };
	const struct sbi_rule wrong = { .path = UES, .body = JSON_TEXT("[]"), .times = 1 };
	const struct sbi_rule reset = { .method = "POST", .action = SBI_RESET, .times = 1 };

	refuse.headers[0] = (struct http_header)HTTP_HEADER("retry-after", "3");
	refuse.header_count = 1;
	sbi_server_rule(sbi_core_server(core, SBI_ROLE_UDM), &refuse);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "GET", "/nudm-sdm/v2/" SUPI "/am-data", ""), 503);
	ck_assert_uint_eq(ask(SBI_ROLE_UDM, "GET", "/nudm-sdm/v2/" SUPI "/am-data", ""), 200);
	sbi_server_rule(sbi_core_server(core, SBI_ROLE_AUSF), &wrong);
	ck_assert_uint_eq(authenticate(SUPI, ""), 201);
	ck_assert_str_eq((char *)body, "[]");
	sbi_server_rule(sbi_core_server(core, SBI_ROLE_PCF), &reset);
	ck_assert_uint_eq(ask(SBI_ROLE_PCF, "POST", "/npcf-am-policy-control/v1/policies", "{}"),
			  0);
}
END_TEST

/* --- an NRF that is not ours ------------------------------------------------------------------ */

START_TEST(foreign_nrf)
{
	struct net_address address;
	struct sbi_core *second;
	struct sbi_nrf *nrf;

	net_address_parse(&address, "127.0.0.10", 7777);
	net_address_parse(&profile->sbi, "127.0.0.50", 7777);
	strcpy(profile->sbi_roles[0], "udr"); /* no NRF of ours */
	ck_assert(profile_set_sbi_nrf(profile, "http://127.0.0.10:7777"));
	second = sbi_core_start(tester, loop, profile, 0, &why);
	ck_assert_msg(second != NULL, "%s", why_buffer);
	/* it is not there yet */
	run_for_ms(3000);
	ck_assert(!sbi_core_registered(second));
	nrf = sbi_nrf_start(amf, loop, "other nrf", &address, NULL, &why);
	ck_assert_ptr_nonnull(nrf);
	run_for_ms(3000);
	ck_assert(sbi_core_registered(second));
	ck_assert_uint_eq(sbi_nrf_instances(nrf), 6);
	/* heart-beats keep it so */
	run_for_ms(60000);
	ck_assert(sbi_core_registered(second));
	ck_assert_str_eq(sbi_nrf_status(nrf, "7c0f5a10-0005-4a6e-8f00-5b111a000005"), "REGISTERED");
	/* one that has lost them gets them again */
	sbi_nrf_remove(nrf, "7c0f5a10-0005-4a6e-8f00-5b111a000005");
	run_for_ms(15000);
	ck_assert_uint_eq(sbi_nrf_instances(nrf), 6);
	sbi_core_stop(second);
	sbi_nrf_stop(nrf);
}
END_TEST

/* --- AMF -------------------------------------------------------------------------------------- */

#define UE_CONTEXT "/namf-comm/v1/ue-contexts/imsi-999700000000007"

/* Both ends are ours: what the SMF sends for a session of the AMF comes to it. */
START_TEST(session_of_our_amf)
{
	struct net_address smf;
	struct sbi_smf_session at_smf;
	struct sbi_amf_transfers taken;
	int number;

	net_address_parse(&smf, "127.0.0.40", 7777 + SBI_ROLE_SMF);
	/* the SMF's transfers go to the AMF under test, which is ours here */
	ck_assert(profile_set_iut_sbi(profile, "http://127.0.0.40:7783"));
	number = sbi_amf_create(core->amf, &smf, "imsi-999700000000007", 9);
	ck_assert_int_ge(number, 0);
	ck_assert_uint_eq(sbi_amf_status(core->amf, number), 0);
	run_for_ms(200);
	ck_assert_uint_eq(sbi_amf_status(core->amf, number), 201);
	ck_assert(sbi_smf_session(core->smf, "imsi-999700000000007", 9, &at_smf));
	ck_assert(at_smf.active);
	ck_assert_uint_eq(at_smf.transfers, 1);
	taken = sbi_amf_transfers(core->amf);
	ck_assert_uint_eq(taken.count, 1);
	ck_assert_uint_eq(taken.pdu_session_id, 9);
	ck_assert_uint_gt(taken.n1_len, 0);
	ck_assert_uint_gt(taken.n2_len, 0);
	sbi_amf_release(core->amf, number);
	run_for_ms(200);
	ck_assert_uint_eq(sbi_amf_status(core->amf, number), 204);
	ck_assert_uint_eq(sbi_smf_sessions(core->smf), 0);
	ck_assert_uint_eq(sbi_amf_status(core->amf, -1), 0);
	sbi_amf_release(core->amf, SBI_AMF_SESSIONS_MAX);
}
END_TEST

START_TEST(services_of_our_amf)
{
	ck_assert_uint_eq(ask(SBI_ROLE_AMF, "POST", UE_CONTEXT "/n1-n2-messages", "{}"), 200);
	ck_assert_uint_eq(ask(SBI_ROLE_AMF, "POST", UE_CONTEXT "/n1-n2-messages", "["), 400);
	ck_assert_uint_eq(sbi_amf_transfers(core->amf).count, 1);
	ck_assert_uint_eq(
		ask(SBI_ROLE_AMF, "POST", UE_CONTEXT "/n1-n2-messages/subscriptions", "{}"), 201);
	ck_assert_ptr_nonnull(strstr(location, "/n1-n2-messages/subscriptions/1"));
	ck_assert_uint_eq(ask(SBI_ROLE_AMF, "POST", "/namf-evts/v1/subscriptions", "{}"), 201);
	ck_assert_uint_eq(sbi_amf_subscriptions(core->amf), 2);
	ck_assert_uint_eq(ask(SBI_ROLE_AMF, "DELETE", "/namf-evts/v1/subscriptions/2", ""), 204);
	ck_assert_uint_eq(sbi_amf_subscriptions(core->amf), 1);
	ck_assert_uint_eq(ask(SBI_ROLE_AMF, "PUT", UE_CONTEXT, "{}"), 201);
	ck_assert_uint_eq(sbi_amf_contexts(core->amf), 1);
	ck_assert_uint_eq(ask(SBI_ROLE_AMF, "POST", UE_CONTEXT "/release", "{}"), 204);
	ck_assert_uint_eq(sbi_amf_contexts(core->amf), 0);
	ck_assert_uint_eq(ask(SBI_ROLE_AMF, "POST", UE_CONTEXT "/transfer", "{}"), 404);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("network functions behind an AMF");
	TCase *tcase = tcase_create("all");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, each_is_discovered);
	tcase_add_test(tcase, authentication);
	tcase_add_test(tcase, who_is_not_known);
	tcase_add_test(tcase, resynchronisation);
	tcase_add_loop_test(tcase, concealed_identity, 0, 2);
	tcase_add_test(tcase, amf_registration);
	tcase_add_test(tcase, subscription_data);
	tcase_add_test(tcase, vectors_for_an_ausf);
	tcase_add_test(tcase, policies_and_slices);
	tcase_add_test(tcase, session);
	tcase_add_test(tcase, session_of_our_amf);
	tcase_add_test(tcase, services_of_our_amf);
	tcase_add_test(tcase, session_by_the_network);
	tcase_add_test(tcase, nonsense_to_the_smf);
	tcase_add_test(tcase, rules);
	tcase_add_test(tcase, foreign_nrf);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
