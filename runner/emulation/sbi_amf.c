#include "runner/emulation/sbi_amf.h"

#include <stdio.h>
#include <stdlib.h>

#include "codecs/nas/nas.h"
#include "codecs/sbi/multipart.h"
#include "codecs/sbi/sbi.h"
#include "runner/net/transport.h"

#define CONTEXTS "/namf-comm/v1/ue-contexts"
#define EVENTS	 "/namf-evts/v1/subscriptions"
#define STATUS	 "/namf-callback/v1/sm-context-status"
#define BOUNDARY "spillwayAmfPart"

enum { ROOM = 64 * 1024, BODY_MAX = 4096, SM_PATH_MAX = 300 };

struct session {
	struct sbi_amf *amf;
	bool used;
	unsigned int status;
	struct http_client *smf;
	char path[SM_PATH_MAX]; /* of the SM context; "": it was not created */
};

struct sbi_amf {
	struct http *http;
	struct sbi_server *server;
	const struct profile *profile;
	const char *nf_instance;
	struct sbi_amf_transfers transfers;
	size_t subscriptions, contexts;
	unsigned long long ever;
	struct session sessions[SBI_AMF_SESSIONS_MAX];
	_Alignas(max_align_t) uint8_t room[ROOM]; /* for reading a body */
};

static void answer_nothing(struct sbi_request *request)
{
	sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

/* 201, with the request's body as what was made, below the request's own path. */
static void answer_made(struct sbi_amf *amf, struct sbi_request *request)
{
	char location[500];
	struct text text;

	text_init(&text, location, sizeof(location));
	text_puts(&text, sbi_server_root(amf->server));
	text_write(&text, request->path.data, request->path.len);
	text_printf(&text, "/%llu", ++amf->ever);
	sbi_answer(request, &(struct sbi_answer){ .status = 201,
						  .body = request->message->body,
						  .location = location });
}

/* --- Namf_Communication ------------------------------------------------------------------------
 */

static size_t part_len(const struct multipart *parts, const struct json_binary_ref *reference)
{
	const struct multipart_part *part =
		reference ? multipart_find(parts, reference->content_id) : NULL;

	return part ? part->body.len : 0;
}

static void transfer(struct sbi_request *request, void *arg)
{
	static const struct json_n1_n2_transfer_rsp taken = { .cause = JSON_TEXT(
								      "N1_N2_TRANSFER_INITIATED") };
	struct sbi_amf *amf = arg;
	const struct octets *type = http_header(request->message, "content-type");
	struct json_n1_n2_transfer_req data;
	const struct json_n2_sm_information *sm;
	struct multipart parts = { .count = 0 };
	struct octets json = request->message->body;
	struct arena arena;

	arena_init(&arena, amf->room, sizeof(amf->room));
	if (type && multipart_is(*type)) {
		if (multipart_read(&parts, *type, json, NULL) != FINDING_NONE || !parts.count) {
			sbi_answer_problem(request, 400, "INVALID_MSG_FORMAT", "multipart/related");
			return;
		}
		json = parts.parts[0].body;
	}
	if (!sbi_read_body(request, &json_n1_n2_transfer_req_object, &data, json, &arena))
		return;
	sm = data.n2_info_container ? data.n2_info_container->sm_info : NULL;
	amf->transfers = (struct sbi_amf_transfers){
		.count = amf->transfers.count + 1,
		.pdu_session_id =
			data.pdu_session_id.present ? (uint8_t)data.pdu_session_id.value : 0,
		.n1_len = data.n1_message_container
				  ? part_len(&parts, data.n1_message_container->n1_message_content)
				  : 0,
		.n2_len = sm && sm->n2_info_content
				  ? part_len(&parts, sm->n2_info_content->ngap_data)
				  : 0,
	};
	sbi_answer_json(request, 200, NULL, &json_n1_n2_transfer_rsp_object, &taken);
}

static void subscribe(struct sbi_request *request, void *arg)
{
	struct sbi_amf *amf = arg;

	amf->subscriptions++;
	answer_made(amf, request);
}

static void unsubscribe(struct sbi_request *request, void *arg)
{
	struct sbi_amf *amf = arg;

	if (amf->subscriptions)
		amf->subscriptions--;
	answer_nothing(request);
}

/* CreateUEContext: a UE comes from another AMF. */
static void take_context(struct sbi_request *request, void *arg)
{
	struct sbi_amf *amf = arg;

	amf->contexts++;
	sbi_answer(request, &(struct sbi_answer){ .status = 201, .body = request->message->body });
}

static void release_context(struct sbi_request *request, void *arg)
{
	struct sbi_amf *amf = arg;

	if (amf->contexts)
		amf->contexts--;
	answer_nothing(request);
}

/* UEContextTransfer: no UE of another AMF was ever here. */
static void no_context(struct sbi_request *request, void *arg)
{
	(void)arg;
	sbi_answer_problem(request, 404, "CONTEXT_NOT_FOUND", NULL);
}

static void noted(struct sbi_request *request, void *arg)
{
	(void)arg;
	answer_nothing(request);
}

static const struct sbi_route routes[] = {
	{ "POST", CONTEXTS "/*/n1-n2-messages", transfer },
	{ "POST", CONTEXTS "/*/n1-n2-messages/subscriptions", subscribe },
	{ "DELETE", CONTEXTS "/*/n1-n2-messages/subscriptions/*", unsubscribe },
	{ "PUT", CONTEXTS "/*", take_context },
	{ "POST", CONTEXTS "/*/release", release_context },
	{ "POST", CONTEXTS "/*/transfer", no_context },
	{ "POST", EVENTS, subscribe },
	{ "DELETE", EVENTS "/*", unsubscribe },
	{ "POST", STATUS "/*", noted },
};

/* --- as a consumer of an SMF -------------------------------------------------------------------
 */

static void answered(struct http_stream *stream, void *arg, const struct http_message *response)
{
	struct session *session = arg;
	const struct octets *location = http_header(response, "location");
	struct sbi_uri uri;
	struct text text;

	(void)stream;
	session->status = http_status(response);
	if (session->status != 201 || !location ||
	    sbi_uri_read(&uri, *location, NULL) != FINDING_NONE)
		return;
	text_init(&text, session->path, sizeof(session->path));
	text_write(&text, uri.path.data, uri.path.len);
	if (text.truncated)
		session->path[0] = '\0';
}

static void failed(struct http_stream *stream, void *arg, enum http_failure failure,
		   const char *why)
{
	(void)stream;
	(void)arg;
	(void)failure;
	(void)why;
}

static const struct http_client_handler handler = { answered, failed };

static bool post(struct session *session, const char *path, const char *type, struct octets body)
{
	const struct http_header headers[] = {
		HTTP_HEADER(":method", "POST"),
		HTTP_HEADER(":path", path),
		HTTP_HEADER("content-type", type),
	};

	return http_request(session->smf,
			    &(struct http_message){
				    .headers = headers, .header_count = 3, .body = body },
			    &handler, session, NULL) != NULL;
}

static struct octets request_message(uint8_t pdu_session_id, uint8_t out[64])
{
	static const uint8_t full_rate[2] = { 0xff, 0xff };
	uint8_t memory[NAS_ARENA_SIZE];
	struct arena arena;
	struct nas_msg sm;
	int len;

	arena_init(&arena, memory, sizeof(memory));
	nas_init(&sm, NAS_PDU_SESSION_ESTABLISHMENT_REQUEST, &arena);
	sm.pdu_session_id = pdu_session_id;
	sm.pti = 1;
	nas_add(&sm, NAS_IE_INTEGRITY_MAXIMUM_DATA_RATE, OCTETS(full_rate, sizeof(full_rate)));
	len = nas_encode(&sm, out, 64);
	return OCTETS(out, len > 0 ? (size_t)len : 0);
}

static struct octets creation(const struct sbi_amf *amf, const char *supi, uint8_t pdu_session_id,
			      char body[BODY_MAX])
{
	static const struct json_binary_ref n1_ref = { .content_id = JSON_TEXT("n1") };
	const struct json_plmn_id_nid plmn = {
		.mcc = OCTETS((const uint8_t *)amf->profile->plmn.digits, 3),
		.mnc = HTTP_TEXT(amf->profile->plmn.digits + 3),
	};
	char uri[200], json[1024];
	uint8_t n1[64];
	struct text text;
	struct json_sm_context_create_data data = {
		.supi = HTTP_TEXT(supi),
		.pdu_session_id = JSON_INT(pdu_session_id),
		.dnn = JSON_TEXT("internet"),
		.serving_nf_id = HTTP_TEXT(amf->nf_instance),
		.serving_network = &plmn,
		.request_type = JSON_TEXT("INITIAL_REQUEST"),
		.n1_sm_msg = &n1_ref,
		.an_type = JSON_TEXT("3GPP_ACCESS"),
	};
	struct multipart_part parts[2] = {
		{ .content_type = JSON_TEXT("application/json") },
		{ .content_type = JSON_TEXT(MULTIPART_5GNAS),
		  .content_id = n1_ref.content_id,
		  .body = request_message(pdu_session_id, n1) },
	};

	snprintf(uri, sizeof(uri), "%s" STATUS "/%u", sbi_server_root(amf->server), pdu_session_id);
	data.sm_context_status_uri = HTTP_TEXT(uri);
	text_init(&text, json, sizeof(json));
	json_write(&text, &json_sm_context_create_data_object, &data);
	parts[0].body = OCTETS((uint8_t *)json, text.len);
	text_init(&text, body, BODY_MAX);
	multipart_write(&text, parts, 2, BOUNDARY);
	return OCTETS((uint8_t *)body, text.truncated ? 0 : text.len);
}

int sbi_amf_create(struct sbi_amf *amf, const struct net_address *smf, const char *supi,
		   uint8_t pdu_session_id)
{
	const struct profile_tls *files = &amf->profile->iut_sbi_tls;
	const struct http_tls tls = { .ca = files->ca, .cert = files->cert, .key = files->key };
	char body[BODY_MAX], type[100], why_room[200];
	struct session *session;
	struct text text;
	int number = 0;

	while (number < SBI_AMF_SESSIONS_MAX && amf->sessions[number].used)
		number++;
	if (number == SBI_AMF_SESSIONS_MAX)
		return -1;
	session = &amf->sessions[number];
	text_init(&text, why_room, sizeof(why_room));
	session->smf = http_client_new(amf->http, "amf", NULL, smf,
				       amf->profile->iut_sbi_https ? &tls : NULL, NULL, &text);
	if (!session->smf)
		return -1;
	session->amf = amf;
	session->used = true;
	text_init(&text, type, sizeof(type));
	multipart_content_type(&text, BOUNDARY);
	return post(session, "/nsmf-pdusession/v1/sm-contexts", type,
		    creation(amf, supi, pdu_session_id, body))
		       ? number
		       : -1;
}

static struct session *session_of(struct sbi_amf *amf, int number)
{
	return number >= 0 && number < SBI_AMF_SESSIONS_MAX && amf->sessions[number].used
		       ? &amf->sessions[number]
		       : NULL;
}

void sbi_amf_release(struct sbi_amf *amf, int number)
{
	struct session *session = session_of(amf, number);
	char path[SM_PATH_MAX + 16];

	if (!session || !session->path[0])
		return;
	snprintf(path, sizeof(path), "%s/release", session->path);
	session->path[0] = '\0';
	session->status = 0;
	post(session, path, "application/json", HTTP_TEXT("{}"));
}

unsigned int sbi_amf_status(const struct sbi_amf *amf, int number)
{
	return number >= 0 && number < SBI_AMF_SESSIONS_MAX ? amf->sessions[number].status : 0;
}

/* --- the whole ---------------------------------------------------------------------------------
 */

struct sbi_amf *sbi_amf_start(struct http *http, struct loop *loop, const struct net_address *local,
			      const struct http_tls *tls, const struct profile *profile,
			      const char *nf_instance, struct text *why)
{
	struct sbi_amf *amf = calloc(1, sizeof(*amf));

	if (!amf) {
		text_puts(why, "out of memory");
		return NULL;
	}
	amf->http = http;
	amf->profile = profile;
	amf->nf_instance = nf_instance;
	amf->server = sbi_server_start(http, loop, "amf", local, tls, routes,
				       sizeof(routes) / sizeof(*routes), amf, why);
	if (!amf->server) {
		free(amf);
		return NULL;
	}
	return amf;
}

void sbi_amf_stop(struct sbi_amf *amf)
{
	if (!amf)
		return;
	for (size_t i = 0; i < SBI_AMF_SESSIONS_MAX; i++)
		http_client_close(amf->sessions[i].smf);
	sbi_server_stop(amf->server);
	free(amf);
}

struct sbi_server *sbi_amf_server(struct sbi_amf *amf)
{
	return amf->server;
}

struct sbi_amf_transfers sbi_amf_transfers(const struct sbi_amf *amf)
{
	return amf->transfers;
}

size_t sbi_amf_subscriptions(const struct sbi_amf *amf)
{
	return amf->subscriptions;
}

size_t sbi_amf_contexts(const struct sbi_amf *amf)
{
	return amf->contexts;
}
