#include "runner/emulation/sbi_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/sbi/sbi.h"
#include "runner/net/transport.h"

enum { NF_PROFILE_MAX = 4096, RETRY_US = 1000 * 1000, HEART_BEAT_S = 10 };

/* Fixed instance ids: a case that follows takes the place of the one before at a foreign NRF. */
static const struct role_row {
	const char *word, *nf_type, *id;
	const char *services[4], *versions[4];
} roles[SBI_ROLE_COUNT] = {
	[SBI_ROLE_NRF] = { .word = "nrf" },
	[SBI_ROLE_AUSF] = { "ausf",
			    "AUSF",
			    "7c0f5a10-0001-4a6e-8f00-5b111a000001",
			    { "nausf-auth" },
			    { "v1" } },
	[SBI_ROLE_UDM] = { "udm",
			   "UDM",
			   "7c0f5a10-0002-4a6e-8f00-5b111a000002",
			   { "nudm-uecm", "nudm-sdm", "nudm-ueau" },
			   { "v1", "v2", "v1" } },
	[SBI_ROLE_PCF] = { "pcf",
			   "PCF",
			   "7c0f5a10-0003-4a6e-8f00-5b111a000003",
			   { "npcf-am-policy-control", "npcf-ue-policy-control" },
			   { "v1", "v1" } },
	[SBI_ROLE_NSSF] = { "nssf",
			    "NSSF",
			    "7c0f5a10-0004-4a6e-8f00-5b111a000004",
			    { "nnssf-nsselection" },
			    { "v2" } },
	[SBI_ROLE_SMF] = { "smf",
			   "SMF",
			   "7c0f5a10-0005-4a6e-8f00-5b111a000005",
			   { "nsmf-pdusession" },
			   { "v1" } },
	[SBI_ROLE_AMF] = { "amf",
			   "AMF",
			   "7c0f5a10-0006-4a6e-8f00-5b111a000006",
			   { "namf-comm", "namf-evts" },
			   { "v1", "v1" } },
};

static bool has_role(const struct profile *profile, enum sbi_role role)
{
	for (size_t i = 0; i < profile->sbi_role_count; i++) {
		if (strcmp(profile->sbi_roles[i], roles[role].word) == 0)
			return true;
	}
	return false;
}

const char *sbi_core_instance_id(enum sbi_role role)
{
	return roles[role].id;
}

struct sbi_server *sbi_core_server(struct sbi_core *core, enum sbi_role role)
{
	switch (role) {
	case SBI_ROLE_NRF:
		return core->nrf ? sbi_nrf_server(core->nrf) : NULL;
	case SBI_ROLE_AUSF:
		return core->ausf ? sbi_ausf_server(core->ausf) : NULL;
	case SBI_ROLE_UDM:
		return core->udm ? sbi_udm_server(core->udm) : NULL;
	case SBI_ROLE_PCF:
		return core->pcf ? sbi_pcf_server(core->pcf) : NULL;
	case SBI_ROLE_NSSF:
		return core->nssf ? sbi_nssf_server(core->nssf) : NULL;
	case SBI_ROLE_SMF:
		return core->smf ? sbi_smf_server(core->smf) : NULL;
	case SBI_ROLE_AMF:
		return core->amf ? sbi_amf_server(core->amf) : NULL;
	default:
		return NULL;
	}
}

/* --- profiles --------------------------------------------------------------------------------- */

struct profile_room {
	struct json_nf_service services[4];
	struct json_service_version versions[4];
	char full_versions[4][12];
	struct json_ip_end_point end_point;
	struct json_plmn_id plmn;
	struct octets addresses;
	struct json_snssai_smf_info smf_slices[PROFILE_LIST_MAX];
	struct json_smf_info smf_info;
	struct sbi_slices slices;
	char ip[64];
};

static const struct json_dnn_smf_info dnn = { .dnn = JSON_TEXT(SBI_DNN) };

/* The address alone, as its printed form has it before the port. */
static void write_ip(const struct sbi_core *core, char *ip, size_t size, bool *v6)
{
	char printed[64];
	struct text text;
	char *end;

	text_init(&text, printed, sizeof(printed));
	net_address_print(&core->profile->sbi, &text);
	*v6 = printed[0] == '[';
	end = *v6 ? strchr(printed, ']') : strrchr(printed, ':');
	if (end)
		*end = '\0';
	snprintf(ip, size, "%s", printed + *v6);
}

static void fill_profile(struct sbi_core *core, enum sbi_role role, struct json_nf_profile *p,
			 struct profile_room *room)
{
	const struct role_row *r = &roles[role];
	const struct profile *profile = core->profile;
	bool v6;
	size_t count = 0;

	memset(room, 0, sizeof(*room));
	write_ip(core, room->ip, sizeof(room->ip), &v6);
	room->addresses = HTTP_TEXT(room->ip);
	if (v6)
		room->end_point.ipv6_address = room->addresses;
	else
		room->end_point.ipv4_address = room->addresses;
	room->end_point.port = JSON_INT(profile->sbi_port + (int)role);
	room->plmn.mcc = OCTETS((const uint8_t *)profile->plmn.digits, 3);
	room->plmn.mnc = HTTP_TEXT(profile->plmn.digits + 3);
	for (; count < 4 && r->services[count]; count++) {
		snprintf(room->full_versions[count], sizeof(room->full_versions[count]), "%c.0.0",
			 r->versions[count][1]);
		room->versions[count] = (struct json_service_version){
			.api_version_in_uri = HTTP_TEXT(r->versions[count]),
			.api_full_version = HTTP_TEXT(room->full_versions[count]),
		};
		room->services[count] = (struct json_nf_service){
			.service_instance_id = HTTP_TEXT(r->services[count]),
			.service_name = HTTP_TEXT(r->services[count]),
			.versions = { &room->versions[count], 1 },
			.scheme = HTTP_TEXT(profile->sbi_tls.cert ? "https" : "http"),
			.nf_service_status = JSON_TEXT("REGISTERED"),
			.ip_end_points = { &room->end_point, 1 },
		};
	}
	*p = (struct json_nf_profile){
		.nf_instance_id = HTTP_TEXT(r->id),
		.nf_type = HTTP_TEXT(r->nf_type),
		.nf_status = JSON_TEXT("REGISTERED"),
		.heart_beat_timer = JSON_INT(HEART_BEAT_S),
		.plmn_list = { &room->plmn, 1 },
		.priority = JSON_INT(1),
		.capacity = JSON_INT(100),
		.load = JSON_INT(0),
		.nf_services = { room->services, count },
	};
	if (v6) {
		p->ipv6_addresses.items = &room->addresses;
		p->ipv6_addresses.count = 1;
	} else {
		p->ipv4_addresses.items = &room->addresses;
		p->ipv4_addresses.count = 1;
	}
	if (role != SBI_ROLE_SMF)
		return;
	sbi_slices_of(&room->slices, profile);
	for (size_t i = 0; i < room->slices.count; i++)
		room->smf_slices[i] =
			(struct json_snssai_smf_info){ .snssai = &room->slices.items[i],
						       .dnn_smf_info_list = { &dnn, 1 } };
	room->smf_info.snssai_smf_info_list.items = room->smf_slices;
	room->smf_info.snssai_smf_info_list.count = room->slices.count;
	p->smf_info = &room->smf_info;
}

static struct octets write_profile(struct sbi_core *core, enum sbi_role role,
				   char out[NF_PROFILE_MAX])
{
	struct json_nf_profile profile;
	struct profile_room room;
	struct text text;

	fill_profile(core, role, &profile, &room);
	text_init(&text, out, NF_PROFILE_MAX);
	json_write(&text, &json_nf_profile_object, &profile);
	return OCTETS((uint8_t *)out, text.truncated ? 0 : text.len);
}

/* --- with a foreign NRF ----------------------------------------------------------------------- */

struct sbi_registration {
	struct sbi_core *core;
	enum sbi_role role;
	bool wanted, registered;
	uint64_t heart_beat_us;
	struct timer timer; /* the next try, or heart-beat */
};

static void ask_nrf(struct sbi_registration *r);

static void due(struct timer *timer, void *arg)
{
	(void)timer;
	ask_nrf(arg);
}

/* What the NRF wants; an answer without a profile changes nothing. */
static void take_heart_beat(struct sbi_registration *r, const struct http_message *response)
{
	uint8_t memory[64 * 1024];
	struct json_nf_profile profile;
	struct json_fault fault;
	struct arena arena;

	arena_init(&arena, memory, sizeof(memory));
	if (response->body.len && response->body.len < 16384 &&
	    json_read(&json_nf_profile_object, &profile, response->body, &arena, &fault) ==
		    FINDING_NONE &&
	    profile.heart_beat_timer.present && profile.heart_beat_timer.value > 0)
		r->heart_beat_us = (uint64_t)profile.heart_beat_timer.value * US_PER_S;
}

static void nrf_answers(struct http_stream *stream, void *arg, const struct http_message *response)
{
	struct sbi_registration *r = arg;
	unsigned int status = http_status(response);

	(void)stream;
	r->registered = status >= 200 && status < 300;
	if (r->registered)
		take_heart_beat(r, response);
	timer_start(&r->timer, r->registered ? r->heart_beat_us : RETRY_US);
}

static void nrf_fails(struct http_stream *stream, void *arg, enum http_failure failure,
		      const char *why)
{
	struct sbi_registration *r = arg;

	(void)stream;
	(void)failure;
	(void)why;
	r->registered = false;
	timer_start(&r->timer, RETRY_US);
}

static const struct http_client_handler nrf_handler = { nrf_answers, nrf_fails };

/* Registers, or where it has, says that it still is there. */
static void ask_nrf(struct sbi_registration *r)
{
	static const char beat[] =
		"[{\"op\":\"replace\",\"path\":\"/nfStatus\",\"value\":\"REGISTERED\"}]";
	char path[120], body[NF_PROFILE_MAX];
	const struct octets profile = write_profile(r->core, r->role, body);

	snprintf(path, sizeof(path), "/nnrf-nfm/v1/nf-instances/%s", roles[r->role].id);
	const struct http_header headers[] = {
		HTTP_HEADER(":method", r->registered ? "PATCH" : "PUT"),
		HTTP_HEADER(":path", path),
		HTTP_HEADER("content-type",
			    r->registered ? "application/json-patch+json" : "application/json"),
	};

	if (!http_request(
		    r->core->foreign_nrf,
		    &(struct http_message){ .headers = headers,
					    .header_count = 3,
					    .body = r->registered ? HTTP_TEXT(beat) : profile },
		    &nrf_handler, r, NULL))
		timer_start(&r->timer, RETRY_US);
}

static bool register_all(struct sbi_core *core, struct text *why)
{
	const struct profile *profile = core->profile;
	struct http_tls tls = { .ca = profile->sbi_tls.ca,
				.cert = profile->sbi_tls.cert,
				.key = profile->sbi_tls.key };

	core->registrations = calloc(SBI_ROLE_COUNT, sizeof(*core->registrations));
	if (!core->registrations) {
		text_puts(why, "out of memory");
		return false;
	}
	core->foreign_nrf = http_client_new(core->http, "nfs", NULL, &profile->sbi_nrf,
					    profile->sbi_nrf_https ? &tls : NULL, NULL, why);
	if (!core->foreign_nrf)
		return false;
	for (enum sbi_role role = SBI_ROLE_AUSF; role < SBI_ROLE_COUNT; role++) {
		struct sbi_registration *r = &core->registrations[role];

		*r = (struct sbi_registration){ .core = core,
						.role = role,
						.heart_beat_us = HEART_BEAT_S * US_PER_S };
		timer_init(&r->timer, core->loop, "NFRegister", due, r);
		r->wanted = sbi_core_server(core, role) != NULL;
		if (r->wanted)
			ask_nrf(r);
	}
	return true;
}

bool sbi_core_registered(const struct sbi_core *core)
{
	for (enum sbi_role role = 0; core->registrations && role < SBI_ROLE_COUNT; role++) {
		if (core->registrations[role].wanted && !core->registrations[role].registered)
			return false;
	}
	return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool enter_all(struct sbi_core *core, struct text *why)
{
	char body[NF_PROFILE_MAX];

	for (enum sbi_role role = SBI_ROLE_AUSF; role < SBI_ROLE_COUNT; role++) {
		if (sbi_core_server(core, role) &&
		    sbi_nrf_enter(core->nrf, write_profile(core, role, body), why) != 0)
			return false;
	}
	return true;
}

static struct net_address at(const struct sbi_core *core, enum sbi_role role)
{
	struct net_address address = core->profile->sbi;

	net_address_set_port(&address, (uint16_t)(core->profile->sbi_port + role));
	return address;
}

/* Where sessions are found: our NRF, or the foreign one. */
static void nrf_root(const struct sbi_core *core, char *root, size_t size)
{
	struct text text;
	const bool https =
		core->nrf ? core->profile->sbi_tls.cert != NULL : core->profile->sbi_nrf_https;
	const struct net_address address = core->nrf || !core->profile->has_sbi_nrf
						   ? at(core, SBI_ROLE_NRF)
						   : core->profile->sbi_nrf;

	text_init(&text, root, size);
	text_puts(&text, https ? "https://" : "http://");
	net_address_print(&address, &text);
}

static bool start_one(struct sbi_core *core, enum sbi_role role, const struct http_tls *tls,
		      int64_t epoch_ms, struct text *why)
{
	const struct net_address local = at(core, role);
	char root[100];

	switch (role) {
	case SBI_ROLE_NRF:
		core->nrf = sbi_nrf_start(
			core->http, core->loop, "nrf", &local,
			&(struct sbi_nrf_options){ .epoch_ms = epoch_ms, .tls = tls }, why);
		return core->nrf != NULL;
	case SBI_ROLE_AUSF:
		core->ausf = sbi_ausf_start(core->http, core->loop, &local, tls, &core->subscribers,
					    why);
		return core->ausf != NULL;
	case SBI_ROLE_UDM:
		core->udm =
			sbi_udm_start(core->http, core->loop, &local, tls, &core->subscribers, why);
		return core->udm != NULL;
	case SBI_ROLE_PCF:
		core->pcf = sbi_pcf_start(core->http, core->loop, &local, tls, why);
		return core->pcf != NULL;
	case SBI_ROLE_NSSF:
		nrf_root(core, root, sizeof(root));
		core->nssf = sbi_nssf_start(core->http, core->loop, &local, tls, core->profile,
					    root, why);
		return core->nssf != NULL;
	case SBI_ROLE_SMF:
		core->smf = sbi_smf_start(core->http, core->loop, &local, tls, core->profile, why);
		return core->smf != NULL;
	case SBI_ROLE_AMF:
		core->amf = sbi_amf_start(core->http, core->loop, &local, tls, core->profile,
					  roles[role].id, why);
		return core->amf != NULL;
	default:
		return true;
	}
}

/* --- access tokens ---------------------------------------------------------------------------- */

static struct access_token_key *take_key(const struct profile_oauth2 *oauth2, struct text *why)
{
	return oauth2->key ? access_token_key_file(oauth2->key, why)
			   : access_token_secret(HTTP_TEXT(oauth2->secret), why);
}

/* Our NRF gives them, our producers want them, and our SMF shows one to the AMF. */
static void use_tokens(struct sbi_core *core, int64_t epoch_ms)
{
	static const char *const services[SBI_ROLE_COUNT] = {
		[SBI_ROLE_AUSF] = "nausf-auth",
		[SBI_ROLE_UDM] = "nudm-uecm,nudm-sdm,nudm-ueau",
		[SBI_ROLE_PCF] = "npcf-am-policy-control,npcf-ue-policy-control",
		[SBI_ROLE_NSSF] = "nnssf-nsselection",
		[SBI_ROLE_SMF] = "nsmf-pdusession",
		[SBI_ROLE_AMF] = "namf-comm,namf-evts",
	};

	if (core->nrf)
		sbi_nrf_set_key(core->nrf, core->token_key);
	for (enum sbi_role role = SBI_ROLE_AUSF; role < SBI_ROLE_COUNT; role++) {
		struct sbi_server *server = sbi_core_server(core, role);

		if (server)
			sbi_server_guard(server,
					 &(struct sbi_guard){ .key = core->token_key,
							      .nf_type = roles[role].nf_type,
							      .nf_instance = roles[role].id,
							      .services = services[role],
							      .epoch_ms = epoch_ms });
	}
	if (core->smf)
		sbi_smf_show_tokens(core->smf, core->token_key, roles[SBI_ROLE_SMF].id, epoch_ms);
}

struct sbi_core *sbi_core_start(struct http *http, struct loop *loop, const struct profile *profile,
				int64_t epoch_ms, struct text *why)
{
	struct sbi_core *core = calloc(1, sizeof(*core));
	struct http_tls tls = { .ca = profile->sbi_tls.ca,
				.cert = profile->sbi_tls.cert,
				.key = profile->sbi_tls.key,
				.client_certificate = profile->sbi_tls.ca != NULL };

	if (!core || !sbi_subscribers_init(&core->subscribers, profile, loop_seed(loop))) {
		text_puts(why, "out of memory");
		free(core);
		return NULL;
	}
	core->http = http;
	core->loop = loop;
	core->profile = profile;
	if (profile->sbi_oauth2.on && !(core->token_key = take_key(&profile->sbi_oauth2, why))) {
		sbi_core_stop(core);
		return NULL;
	}
	for (enum sbi_role role = 0; role < SBI_ROLE_COUNT; role++) {
		if (has_role(profile, role) &&
		    !start_one(core, role, profile->sbi_tls.cert ? &tls : NULL, epoch_ms, why)) {
			sbi_core_stop(core);
			return NULL;
		}
	}
	if (core->token_key)
		use_tokens(core, epoch_ms);
	if ((core->nrf && !enter_all(core, why)) ||
	    (!core->nrf && profile->has_sbi_nrf && !register_all(core, why))) {
		sbi_core_stop(core);
		return NULL;
	}
	return core;
}

void sbi_core_stop(struct sbi_core *core)
{
	if (!core)
		return;
	for (enum sbi_role role = 0; core->registrations && role < SBI_ROLE_COUNT; role++) {
		if (core->registrations[role].core)
			timer_stop(&core->registrations[role].timer);
	}
	http_client_close(core->foreign_nrf);
	free(core->registrations);
	sbi_amf_stop(core->amf);
	sbi_smf_stop(core->smf);
	sbi_nssf_stop(core->nssf);
	sbi_pcf_stop(core->pcf);
	sbi_udm_stop(core->udm);
	sbi_ausf_stop(core->ausf);
	sbi_nrf_stop(core->nrf);
	access_token_key_free(core->token_key);
	sbi_subscribers_clear(&core->subscribers);
	free(core);
}
