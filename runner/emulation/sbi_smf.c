#include "runner/emulation/sbi_smf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/nas/nas.h"
#include "codecs/nas/nas_value.h"
#include "codecs/sbi/multipart.h"
#include "codecs/sbi/sbi.h"
#include "runner/emulation/sm_accept.h"
#include "runner/net/transport.h"

#define SM_CONTEXTS "/nsmf-pdusession/v1/sm-contexts"
#define FAILURES    "/nsmf-callback/v1/n1-n2-failures"
#define BOUNDARY    "spillwaySessionPart"

enum { AMFS_MAX = 8, PSI_FIRST = 1, PSI_LAST = 15, SM_MAX = 256, ID_MAX = 40, BODY_MAX = 4096 };

struct session {
	struct sbi_smf *smf;
	uint64_t number; /* SM context reference, from 1; 0: none */
	char ue[ID_MAX]; /* SUPI, else PEI */
	uint8_t psi, pti;
	struct slice slice;
	bool has_slice;
	struct sbi_smf_session state;
	char status_uri[400];
	struct http_client *amf;
	struct timer transfer;
};

struct amf {
	struct net_address address;
	struct http_client *client;
};

struct sbi_smf {
	struct http *http;
	struct loop *loop;
	struct sbi_server *server;
	const struct profile *profile;
	struct session sessions[SBI_SESSIONS_MAX];
	uint64_t count;
	struct amf amfs[AMFS_MAX];
	size_t amf_count;
	const struct access_token_key *token_key; /* NULL: no access tokens */
	const char *nf_instance;
	int64_t epoch_ms;
	char amf_oci[600];
	_Alignas(max_align_t) uint8_t room[64 * 1024]; /* for reading a body */
};

/* --- sessions --------------------------------------------------------------------------------- */

static void forget(struct session *session)
{
	timer_stop(&session->transfer);
	session->state.active = session->state.user_plane = false;
}

static struct session *by_reference(struct sbi_smf *smf, struct octets reference)
{
	char digits[24];
	uint64_t number;

	if (reference.len >= sizeof(digits))
		return NULL;
	memcpy(digits, reference.data, reference.len);
	digits[reference.len] = '\0';
	number = strtoull(digits, NULL, 10);
	if (number == 0 || number > smf->count || smf->count - number >= SBI_SESSIONS_MAX)
		return NULL;
	return &smf->sessions[(number - 1) % SBI_SESSIONS_MAX];
}

/* The last one that there was. */
static const struct session *by_ue(const struct sbi_smf *smf, const char *ue, uint8_t psi)
{
	const struct session *found = NULL;

	for (size_t i = 0; i < SBI_SESSIONS_MAX; i++) {
		const struct session *s = &smf->sessions[i];

		if (s->number && s->psi == psi && strcmp(s->ue, ue) == 0 &&
		    (!found || s->number > found->number))
			found = s;
	}
	return found;
}

bool sbi_smf_session(const struct sbi_smf *smf, const char *supi, uint8_t pdu_session_id,
		     struct sbi_smf_session *session)
{
	const struct session *found = by_ue(smf, supi, pdu_session_id);

	if (found)
		*session = found->state;
	return found != NULL;
}

size_t sbi_smf_sessions(const struct sbi_smf *smf)
{
	size_t count = 0;

	for (size_t i = 0; i < SBI_SESSIONS_MAX; i++)
		count += smf->sessions[i].state.active;
	return count;
}

static void copy_text(char *to, size_t size, struct octets from)
{
	struct text text;

	text_init(&text, to, size);
	text_write(&text, from.data, from.len);
}

const char *sbi_smf_amf_oci(const struct sbi_smf *smf)
{
	return smf->amf_oci;
}

/* --- the AMF ---------------------------------------------------------------------------------- */

static void answered(struct http_stream *stream, void *arg, const struct http_message *response)
{
	struct session *session = arg;
	unsigned int status = http_status(response);
	const struct octets *oci = http_header(response, "3gpp-sbi-oci");

	(void)stream;
	copy_text(session->smf->amf_oci, sizeof(session->smf->amf_oci),
		  oci ? *oci : OCTETS(NULL, 0));
	if (status >= 200 && status < 300)
		session->state.transfers++;
	else
		session->state.transfers_failed++;
}

static void failed(struct http_stream *stream, void *arg, enum http_failure failure,
		   const char *why)
{
	struct session *session = arg;

	(void)stream;
	(void)failure;
	(void)why;
	session->state.transfers_failed++;
}

static const struct http_client_handler transfer_handler = { answered, failed };

static void heard(struct http_stream *stream, void *arg, const struct http_message *response)
{
	(void)stream;
	(void)arg;
	(void)response;
}

static void not_heard(struct http_stream *stream, void *arg, enum http_failure failure,
		      const char *why)
{
	(void)stream;
	(void)arg;
	(void)failure;
	(void)why;
}

static const struct http_client_handler notify_handler = { heard, not_heard };

/* NULL: the URI names no address, or there are too many AMFs. */
static struct http_client *amf_of(struct sbi_smf *smf, struct octets callback)
{
	struct net_address address = smf->profile->iut_sbi;
	bool https = smf->profile->iut_sbi_https;
	struct http_tls tls = { .ca = smf->profile->iut_sbi_tls.ca,
				.cert = smf->profile->iut_sbi_tls.cert,
				.key = smf->profile->iut_sbi_tls.key };
	char host[80], why_room[200];
	struct sbi_uri uri;
	struct text why;

	if (!smf->profile->iut_sbi_uri) {
		if (sbi_uri_read(&uri, callback, NULL) != FINDING_NONE ||
		    uri.host.len >= sizeof(host))
			return NULL;
		memcpy(host, uri.host.data, uri.host.len);
		host[uri.host.len] = '\0';
		https = sbi_equal_nocase(uri.scheme, "https");
		if (net_address_parse(&address, host, uri.port) != 0)
			return NULL;
	}
	for (size_t i = 0; i < smf->amf_count; i++) {
		if (net_address_equal(&smf->amfs[i].address, &address))
			return smf->amfs[i].client;
	}
	if (smf->amf_count == AMFS_MAX)
		return NULL;
	text_init(&why, why_room, sizeof(why_room));
	smf->amfs[smf->amf_count] = (struct amf){
		.address = address,
		.client = http_client_new(smf->http, "smf", NULL, &address, https ? &tls : NULL,
					  NULL, &why),
	};
	return smf->amfs[smf->amf_count].client ? smf->amfs[smf->amf_count++].client : NULL;
}

/* The AMF's services want a token, callbacks do not (TS 29.500 6.7.3). */
static bool print_bearer(const struct sbi_smf *smf, const char *path, struct text *out)
{
	const struct sbi_bearer_for to = {
		.key = smf->token_key,
		.consumer = smf->nf_instance,
		.nf_type = "AMF",
		.nf_instance = "",
		.service = sbi_service_of(HTTP_TEXT(path)),
		.now = (smf->epoch_ms + (int64_t)(loop_now(smf->loop) / US_PER_MS)) / 1000,
	};
	char buf[200];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	return sbi_bearer_print(out, BEARER_GOOD, &to, &why) == 0;
}

static void post(struct session *session, const char *path, const char *content_type,
		 struct octets body, const struct http_client_handler *handler)
{
	char bearer[SBI_BEARER_MAX];
	struct text text;
	struct http_header headers[] = {
		HTTP_HEADER(":method", "POST"),
		HTTP_HEADER(":path", path),
		HTTP_HEADER("content-type", content_type),
		HTTP_HEADER("authorization", ""),
	};
	size_t count = 3;

	text_init(&text, bearer, sizeof(bearer));
	if (session->smf->token_key && handler == &transfer_handler &&
	    print_bearer(session->smf, path, &text))
		headers[count++].value = HTTP_TEXT(bearer);
	if (!http_request(session->amf,
			  &(struct http_message){
				  .headers = headers, .header_count = count, .body = body },
			  handler, session, NULL) &&
	    handler == &transfer_handler)
		session->state.transfers_failed++;
}

/* The AMF may let go of what it keeps for the session. */
static void tell_released(struct session *session)
{
	static const struct json_status_info info = { .resource_status = JSON_TEXT("RELEASED") };
	static const struct json_sm_context_status_notification notification = { .status_info =
											 &info };
	const char *path = strstr(session->status_uri, "://");
	char body[200];
	struct text text;

	path = path ? strchr(path + 3, '/') : NULL;
	if (!path || !session->amf)
		return;
	text_init(&text, body, sizeof(body));
	json_write(&text, &json_sm_context_status_notification_object, &notification);
	post(session, path, "application/json", OCTETS((uint8_t *)body, text.len), &notify_handler);
}

/* --- bodies of several parts ------------------------------------------------------------------ */

static const struct json_binary_ref n1_ref = { .content_id = JSON_TEXT("n1") };
static const struct json_binary_ref n2_ref = { .content_id = JSON_TEXT("n2") };

/* The JSON part, and those of N1 and N2 that are not empty. */
static struct octets write_parts(char *body, struct octets json, struct octets n1, struct octets n2)
{
	struct multipart_part parts[3] = {
		{ .content_type = JSON_TEXT("application/json"), .body = json },
	};
	size_t count = 1;
	struct text text;

	if (n1.len)
		parts[count++] =
			(struct multipart_part){ .content_type = JSON_TEXT(MULTIPART_5GNAS),
						 .content_id = n1_ref.content_id,
						 .body = n1 };
	if (n2.len)
		parts[count++] = (struct multipart_part){ .content_type = JSON_TEXT(MULTIPART_NGAP),
							  .content_id = n2_ref.content_id,
							  .body = n2 };
	text_init(&text, body, BODY_MAX);
	multipart_write(&text, parts, count, BOUNDARY);
	return OCTETS((uint8_t *)body, text.truncated ? 0 : text.len);
}

static void content_type(char *to, size_t size)
{
	struct text text;

	text_init(&text, to, size);
	multipart_content_type(&text, BOUNDARY);
}

struct incoming {
	struct multipart parts;
	bool has_parts;
	struct octets json;
};

static bool split(struct sbi_request *request, struct incoming *in)
{
	const struct octets *type = http_header(request->message, "content-type");
	struct octets body = request->message->body;

	*in = (struct incoming){ .json = body };
	if (!type || !multipart_is(*type))
		return true;
	if (multipart_read(&in->parts, *type, body, NULL) != FINDING_NONE || in->parts.count == 0) {
		sbi_answer_problem(request, 400, "INVALID_MSG_FORMAT", "multipart/related");
		return false;
	}
	in->has_parts = true;
	in->json = in->parts.parts[0].body;
	return true;
}

/* The part that a reference is to; empty: there is none. */
static struct octets part_of(const struct incoming *in, const struct json_binary_ref *reference)
{
	const struct multipart_part *part =
		reference && in->has_parts ? multipart_find(&in->parts, reference->content_id)
					   : NULL;

	return part ? part->body : OCTETS(NULL, 0);
}

/* --- 5GSM ------------------------------------------------------------------------------------- */

static bool read_sm(struct nas_msg *sm, struct octets n1, struct arena *arena)
{
	return n1.len && nas_decode(sm, n1, arena, DECODE_LENIENT, NULL) == FINDING_NONE &&
	       sm->epd == NAS_EPD_5GSM && sm->pdu_session_id >= PSI_FIRST &&
	       sm->pdu_session_id <= PSI_LAST;
}

static void begin_sm(const struct session *session, struct nas_msg *sm, enum nas_message_type type,
		     uint8_t pti, struct arena *arena)
{
	nas_init(sm, type, arena);
	sm->pdu_session_id = session->psi;
	sm->pti = pti;
}

static struct octets end_sm(const struct nas_msg *sm, uint8_t out[SM_MAX])
{
	int len = nas_encode(sm, out, SM_MAX);

	return OCTETS(out, len > 0 ? (size_t)len : 0);
}

static struct octets accept_message(const struct session *session, uint8_t out[SM_MAX])
{
	uint8_t memory[NAS_ARENA_SIZE];
	struct arena arena;
	struct nas_msg sm;

	arena_init(&arena, memory, sizeof(memory));
	begin_sm(session, &sm, NAS_PDU_SESSION_ESTABLISHMENT_ACCEPT, session->pti, &arena);
	sm_accept_fill(&sm, (uint32_t)session->number);
	return end_sm(&sm, out);
}

static struct octets caused(const struct session *session, enum nas_message_type type, uint8_t pti,
			    int cause, uint8_t out[SM_MAX])
{
	uint8_t memory[NAS_ARENA_SIZE];
	struct arena arena;
	struct nas_msg sm;

	arena_init(&arena, memory, sizeof(memory));
	begin_sm(session, &sm, type, pti, &arena);
	if (cause >= 0)
		nas_add_u8(&sm, NAS_IE_5GSM_CAUSE, (uint8_t)cause);
	return end_sm(&sm, out);
}

/* --- creation --------------------------------------------------------------------------------- */

/* N2 resources to be set up, with the accept for the UE or without. */
static void send_transfer(struct session *session, bool with_accept)
{
	uint8_t n1_room[SM_MAX], n2_room[N2_TRANSFER_MAX];
	char body[BODY_MAX], json[1024], type[80], path[200], sd[8];
	struct json_snssai slice = { .sst = JSON_INT(session->slice.sst) };
	const struct json_n1_message_container n1 = { .n1_message_class = JSON_TEXT("SM"),
						      .n1_message_content = &n1_ref };
	const struct json_n2_info_content content = { .ngap_ie_type =
							      JSON_TEXT("PDU_RES_SETUP_REQ"),
						      .ngap_data = &n2_ref };
	const struct json_n2_sm_information sm = {
		.pdu_session_id = JSON_INT(session->psi),
		.n2_info_content = &content,
		.snssai = session->has_slice ? &slice : NULL,
	};
	const struct json_n2_info_container n2 = { .n2_information_class = JSON_TEXT("SM"),
						   .sm_info = &sm };
	struct json_n1_n2_transfer_req transfer = {
		.n1_message_container = with_accept ? &n1 : NULL,
		.n2_info_container = &n2,
		.pdu_session_id = JSON_INT(session->psi),
	};
	char failure_uri[200];
	const struct octets accept =
		with_accept ? accept_message(session, n1_room) : OCTETS(NULL, 0);
	struct text text;

	if (session->slice.has_sd) {
		snprintf(sd, sizeof(sd), "%06x", (unsigned int)(session->slice.sd & 0xffffff));
		slice.sd = HTTP_TEXT(sd);
	}
	/* for a UE that does not answer paging (TS 29.518 5.2.2.3.1.2) */
	snprintf(failure_uri, sizeof(failure_uri), "%s" FAILURES "/%" PRIu64,
		 sbi_server_root(session->smf->server), session->number);
	if (!with_accept)
		transfer.failure_uri = HTTP_TEXT(failure_uri);
	text_init(&text, json, sizeof(json));
	json_write(&text, &json_n1_n2_transfer_req_object, &transfer);
	content_type(type, sizeof(type));
	snprintf(path, sizeof(path), "/namf-comm/v1/ue-contexts/%s/n1-n2-messages", session->ue);
	post(session, path, type,
	     write_parts(body, OCTETS((uint8_t *)json, text.len), accept,
			 n2_setup_transfer(session->psi, n2_room)),
	     &transfer_handler);
}

static void transfer_now(struct timer *timer, void *arg)
{
	(void)timer;
	send_transfer(arg, true);
}

uint8_t sbi_smf_downlink(struct sbi_smf *smf, const char *supi)
{
	for (size_t i = 0; i < SBI_SESSIONS_MAX; i++) {
		struct session *session = &smf->sessions[i];

		if (!session->state.active || session->state.user_plane ||
		    strcmp(session->ue, supi) != 0)
			continue;
		send_transfer(session, false);
		return session->psi;
	}
	return 0;
}

static void take_slice(struct session *session, const struct json_snssai *slice)
{
	char digits[8] = "";

	if (!slice)
		return;
	session->has_slice = true;
	session->slice.sst = (uint8_t)slice->sst.value;
	if (slice->sd.len != 6)
		return;
	memcpy(digits, slice->sd.data, 6);
	session->slice.has_sd = true;
	session->slice.sd = (uint32_t)strtoul(digits, NULL, 16);
}

static struct session *new_session(struct sbi_smf *smf, const struct json_sm_context_create_data *c,
				   const struct nas_msg *sm)
{
	struct session *session = &smf->sessions[smf->count % SBI_SESSIONS_MAX];

	if (session->number)
		forget(session);
	*session = (struct session){
		.smf = smf,
		.number = ++smf->count,
		.psi = sm->pdu_session_id,
		.pti = sm->pti,
		.state = { .active = true, .n1_messages = 1, .last_n1 = sm->type }
	};
	copy_text(session->ue, sizeof(session->ue), c->supi.len ? c->supi : c->pei);
	copy_text(session->status_uri, sizeof(session->status_uri), c->sm_context_status_uri);
	take_slice(session, c->snssai);
	session->amf = amf_of(smf, c->sm_context_status_uri);
	timer_init(&session->transfer, smf->loop, "N1N2MessageTransfer", transfer_now, session);
	return session;
}

static void create(struct sbi_request *request, void *arg)
{
	struct sbi_smf *smf = arg;
	struct json_sm_context_create_data data;
	struct json_sm_context_created_data created = { 0 };
	struct incoming in;
	struct session *session, *old;
	struct arena arena;
	struct nas_msg sm;
	char location[200];

	arena_init(&arena, smf->room, sizeof(smf->room));
	if (!split(request, &in) ||
	    !sbi_read_body(request, &json_sm_context_create_data_object, &data, in.json, &arena))
		return;
	if (!read_sm(&sm, part_of(&in, data.n1_sm_msg), &arena) ||
	    sm.type != NAS_PDU_SESSION_ESTABLISHMENT_REQUEST ||
	    (data.pdu_session_id.present && data.pdu_session_id.value != sm.pdu_session_id)) {
		sbi_answer_problem(request, 403, "N1_SM_ERROR",
				   "no PDU SESSION ESTABLISHMENT REQUEST of this session");
		return;
	}
	session = new_session(smf, &data, &sm);
	if (!session->amf) {
		forget(session);
		sbi_answer_problem(request, 400, "MANDATORY_IE_INCORRECT",
				   "smContextStatusUri: no IP address");
		return;
	}
	/* A session that the UE had under this identity is no more (TS 29.502 5.2.2.2.1). */
	for (size_t i = 0; i < SBI_SESSIONS_MAX; i++) {
		old = &smf->sessions[i];
		if (old != session && old->state.active && old->psi == session->psi &&
		    strcmp(old->ue, session->ue) == 0)
			forget(old);
	}
	snprintf(location, sizeof(location), "%s" SM_CONTEXTS "/%" PRIu64,
		 sbi_server_root(smf->server), session->number);
	created.pdu_session_id = JSON_INT(session->psi);
	created.snssai = data.snssai;
	sbi_answer_json(request, 201, location, &json_sm_context_created_data_object, &created);
	timer_start(&session->transfer, SBI_SMF_TRANSFER_US);
}

/* --- updates ---------------------------------------------------------------------------------- */

static void answer_update(struct sbi_request *request, struct json_sm_context_updated_data *updated,
			  struct octets n1, struct octets n2)
{
	char body[BODY_MAX], json[1024], type[80];
	struct text text;

	if (n1.len)
		updated->n1_sm_msg = &n1_ref;
	if (n2.len)
		updated->n2_sm_info = &n2_ref;
	if (!n1.len && !n2.len) {
		sbi_answer_json(request, 200, NULL, &json_sm_context_updated_data_object, updated);
		return;
	}
	text_init(&text, json, sizeof(json));
	json_write(&text, &json_sm_context_updated_data_object, updated);
	content_type(type, sizeof(type));
	sbi_answer(request,
		   &(struct sbi_answer){
			   .status = 200,
			   .body = write_parts(body, OCTETS((uint8_t *)json, text.len), n1, n2),
			   .content_type = type });
}

static void answer_nothing(struct sbi_request *request)
{
	sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

static void take_n1(struct session *session, struct sbi_request *request, const struct nas_msg *sm)
{
	struct json_sm_context_updated_data updated = { 0 };
	uint8_t n1[SM_MAX], n2[N2_TRANSFER_MAX];

	switch (sm->type) {
	case NAS_PDU_SESSION_MODIFICATION_REQUEST:
		answer_update(
			request, &updated,
			caused(session, NAS_PDU_SESSION_MODIFICATION_COMMAND, sm->pti, -1, n1),
			OCTETS(NULL, 0));
		return;
	case NAS_PDU_SESSION_RELEASE_REQUEST:
		updated.n2_sm_info_type = JSON_TEXT("PDU_RES_REL_CMD");
		answer_update(request, &updated,
			      caused(session, NAS_PDU_SESSION_RELEASE_COMMAND, sm->pti,
				     NAS_5GSM_REGULAR_DEACTIVATION, n1),
			      n2_release_transfer(n2));
		return;
	case NAS_PDU_SESSION_RELEASE_COMPLETE:
		answer_nothing(request);
		forget(session);
		tell_released(session);
		return;
	default: /* completions, and what this SMF has no answer for */
		answer_nothing(request);
		return;
	}
}

static bool is(struct octets value, const char *text)
{
	return value.len == strlen(text) && memcmp(value.data, text, value.len) == 0;
}

static void update(struct sbi_request *request, void *arg)
{
	struct sbi_smf *smf = arg;
	struct session *session = by_reference(smf, request->ids[0]);
	struct json_sm_context_updated_data updated = { 0 };
	struct json_sm_context_update_data data;
	uint8_t n2[N2_TRANSFER_MAX];
	struct incoming in;
	struct arena arena;
	struct nas_msg sm;

	arena_init(&arena, smf->room, sizeof(smf->room));
	if (!session || !session->state.active) {
		sbi_answer_problem(request, 404, "CONTEXT_NOT_FOUND", NULL);
		return;
	}
	if (!split(request, &in) ||
	    !sbi_read_body(request, &json_sm_context_update_data_object, &data, in.json, &arena))
		return;
	if (read_sm(&sm, part_of(&in, data.n1_sm_msg), &arena)) {
		session->state.n1_messages++;
		session->state.last_n1 = sm.type;
		session->state.exempted = data.exemption_ind.len > 0;
		take_n1(session, request, &sm);
	} else if (is(data.up_cnx_state, "ACTIVATING")) {
		updated.up_cnx_state = JSON_TEXT("ACTIVATING");
		updated.n2_sm_info_type = JSON_TEXT("PDU_RES_SETUP_REQ");
		answer_update(request, &updated, OCTETS(NULL, 0),
			      n2_setup_transfer(session->psi, n2));
	} else if (is(data.up_cnx_state, "DEACTIVATED")) {
		session->state.user_plane = false;
		updated.up_cnx_state = JSON_TEXT("DEACTIVATED");
		answer_update(request, &updated, OCTETS(NULL, 0), OCTETS(NULL, 0));
	} else if (is(data.n2_sm_info_type, "PDU_RES_SETUP_RSP")) {
		session->state.user_plane = true;
		updated.up_cnx_state = JSON_TEXT("ACTIVATED");
		answer_update(request, &updated, OCTETS(NULL, 0), OCTETS(NULL, 0));
	} else if (is(data.n2_sm_info_type, "PDU_RES_REL_RSP") ||
		   is(data.n2_sm_info_type, "PDU_RES_SETUP_FAIL")) {
		session->state.user_plane = false;
		answer_nothing(request);
	} else {
		if (data.release == JSON_YES)
			forget(session);
		answer_nothing(request);
	}
}

/* Also one of an earlier case, whose SMF is no more. */
static void release(struct sbi_request *request, void *arg)
{
	struct session *session = by_reference(arg, request->ids[0]);

	if (session)
		forget(session);
	answer_nothing(request);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The AMF could not reach the UE. */
static void unreached(struct sbi_request *request, void *arg)
{
	struct session *session = by_reference(arg, request->ids[0]);

	if (session)
		session->state.unreached++;
	answer_nothing(request);
}

static const struct sbi_route routes[] = {
	{ "POST", FAILURES "/*", unreached },
	{ "POST", SM_CONTEXTS, create },
	{ "POST", SM_CONTEXTS "/*/modify", update },
	{ "POST", SM_CONTEXTS "/*/release", release },
};

struct sbi_smf *sbi_smf_start(struct http *http, struct loop *loop, const struct net_address *local,
			      const struct http_tls *tls, const struct profile *profile,
			      struct text *why)
{
	struct sbi_smf *smf = calloc(1, sizeof(*smf));

	if (!smf) {
		text_puts(why, "out of memory");
		return NULL;
	}
	smf->http = http;
	smf->loop = loop;
	smf->profile = profile;
	smf->server = sbi_server_start(http, loop, "smf", local, tls, routes,
				       sizeof(routes) / sizeof(*routes), smf, why);
	if (!smf->server) {
		free(smf);
		return NULL;
	}
	return smf;
}

void sbi_smf_stop(struct sbi_smf *smf)
{
	if (!smf)
		return;
	for (size_t i = 0; i < SBI_SESSIONS_MAX; i++)
		if (smf->sessions[i].number)
			forget(&smf->sessions[i]);
	for (size_t i = 0; i < smf->amf_count; i++)
		http_client_close(smf->amfs[i].client);
	sbi_server_stop(smf->server);
	free(smf);
}

void sbi_smf_show_tokens(struct sbi_smf *smf, const struct access_token_key *key,
			 const char *nf_instance, int64_t epoch_ms)
{
	smf->token_key = key;
	smf->nf_instance = nf_instance;
	smf->epoch_ms = epoch_ms;
}

struct sbi_server *sbi_smf_server(struct sbi_smf *smf)
{
	return smf->server;
}
