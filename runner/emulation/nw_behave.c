/*
 * What an AMF does by itself towards a UE: identify, authenticate, accept, release. Everything here
 * can be switched off, and then the case answers.
 */
#include <errno.h>

#include "runner/emulation/nw_private.h"

static void sending_failed(struct nw_connection *connection, const char *what, int error)
{
	if (error < 0 && error != -ENOTCONN)
		emulation_end(connection->amf->nw->e, VERDICT_ERROR, "%s: cannot send %s: %s",
			      connection->ue->name, what, strerror(-error));
}

/* --- the request that waits --- */

/* The reject that answers requests of this type by rule; NULL: none does. */
static const struct nw_options *rule_for(const struct nw_connection *connection, uint8_t type)
{
	const struct nw_ue *ue = connection->ue;
	const struct nw_amf *amf = connection->amf;

	if (type_in_set(ue->rejects, type))
		return &ue->reject;
	return type_in_set(amf->rejects, type) ? &amf->reject : NULL;
}

/* Whether a request of this type will be answered without the case doing anything. */
static bool answered_by_default(const struct nw_connection *connection, uint8_t type)
{
	unsigned int behaviours = nw_behaviours(connection);

	return rule_for(connection, type) ||
	       behaviours & (type == NAS_REGISTRATION_REQUEST ? NW_ACCEPT_REGISTRATION
							      : NW_ACCEPT_SERVICE);
}

static bool is_emergency(const struct nw_request *request)
{
	return request->type == NAS_REGISTRATION_REQUEST &&
	       (request->registration & 7) == NAS_REGISTRATION_EMERGENCY;
}

static void request_identity(struct nw_connection *connection)
{
	struct nas_msg msg = nas_build(connection->amf->nw->e, NAS_IDENTITY_REQUEST);

	connection->ue->access[connection->access].identifying = true;
	nas_add_u8(&msg, NAS_IE_IDENTITY_TYPE, NAS_IDENTITY_SUCI);
	nas_add_u8(&msg, NAS_IE_SPARE, 0);
	nw_answer(connection, &msg);
}

/* A SERVICE REQUEST of a UE that is unknown, or that its context does not fit (5.6.1.5). */
static void refuse_unknown(struct nw_connection *connection)
{
	const struct nw_options options = {
		.cause = NAS_5GMM_UE_IDENTITY_CANNOT_BE_DERIVED,
		.protection = PROTECT_PLAIN,
	};

	sending_failed(connection, "SERVICE REJECT", nw_submit_reject(connection, &options));
}

/* Identity and security first; true where the request can be answered now. */
static bool prepared(struct nw_connection *connection)
{
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];
	const struct nw_request *request = &access->request;
	unsigned int behaviours = nw_behaviours(connection);

	if (access->identifying || access->authentication.runs || access->candidate.valid)
		return false;
	if (request->integrity || access->secured)
		return true;
	if (request->type != NAS_REGISTRATION_REQUEST) {
		if (!(behaviours & NW_IDENTIFY))
			return true;
		refuse_unknown(connection);
		return false;
	}
	if (!ue->digits && behaviours & NW_IDENTIFY && !is_emergency(request)) {
		request_identity(connection);
		return false;
	}
	if (!(behaviours & NW_AUTHENTICATE))
		return true;
	if (ue->digits) {
		sending_failed(connection, "AUTHENTICATION REQUEST",
			       nw_start_authentication(connection, NW_OPTIONS()));
		return false;
	}
	if (is_emergency(request)) {
		nw_null_security(connection);
		return false;
	}
	return true; /* nobody whose keys we could have: the case, or a plain reject */
}

void nw_proceed(struct nw_connection *connection)
{
	struct nw_ue_access *access = &connection->ue->access[connection->access];
	const struct nw_options *rule;

	if (!access->request.waits || !connection->open || !prepared(connection))
		return;
	access->request.ready = true;
	rule = rule_for(connection, access->request.type);
	if (rule)
		sending_failed(connection, "a reject", nw_submit_reject(connection, rule));
	else if (answered_by_default(connection, access->request.type))
		sending_failed(connection, "an accept", nw_submit_accept(connection, NW_OPTIONS()));
}

/* --- what a message tells --- */

static void take_capability(struct nw_ue *ue, const struct nas_msg *msg)
{
	struct octets octets;

	if (!nas_get(msg, NAS_IE_UE_SECURITY_CAPABILITY, &octets) || octets.len < 2 ||
	    octets.len > sizeof(ue->capability_storage))
		return;
	memcpy(ue->capability_storage, octets.data, octets.len);
	ue->capability_octets = OCTETS(ue->capability_storage, octets.len);
	nas_get_ue_security_capability(msg, NAS_IE_UE_SECURITY_CAPABILITY, &ue->capability);
}

static void take_request(struct nw_ue *ue, struct nw_request *request, const struct nas_msg *msg)
{
	nas_get_u8(msg, NAS_IE_5GS_REGISTRATION_TYPE, &request->registration);
	nas_get_u8(msg, NAS_IE_SERVICE_TYPE, &request->service);
	request->follow_on = msg->type == NAS_REGISTRATION_REQUEST &&
			     request->registration & NAS_FOLLOW_ON_REQUEST;
	request->has_status = nas_get_psi(msg, NAS_IE_PDU_SESSION_STATUS, &request->status);
	take_capability(ue, msg);
}

static bool request_input(struct nw_connection *connection, const struct nas_received *m)
{
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];

	access->request = (struct nw_request){
		.waits = true,
		.type = m->msg.type,
		.integrity = m->integrity,
	};
	take_request(ue, &access->request, &m->msg);
	/* A new request ends what was going on for the one before (5.5.1.2.8 d to f). */
	access->identifying = false;
	access->authentication.runs = false;
	access->candidate.valid = false;
	nw_proceed(connection);
	return answered_by_default(connection, m->msg.type);
}

static bool deregistration_input(struct nw_connection *connection, const struct nas_received *m)
{
	struct nw_ue *ue = connection->ue;
	struct nas_msg msg;
	uint8_t type = 0;

	nas_get_u8(&m->msg, NAS_IE_DEREGISTRATION_TYPE, &type);
	if (type & NAS_ACCESS_3GPP)
		ue->access[ACCESS_3GPP].registered = false;
	if (type & NAS_ACCESS_NON_3GPP)
		ue->access[ACCESS_NON_3GPP].registered = false;
	ue->access[connection->access].request.waits = false;
	if (!(nw_behaviours(connection) & NW_ACCEPT_DEREGISTRATION))
		return false;
	if (!(type & NAS_DEREGISTRATION_SWITCH_OFF)) {
		msg = nas_build(ue->nw->e, NAS_DEREGISTRATION_ACCEPT_UE_ORIGINATING);
		nw_answer(connection, &msg);
	}
	nw_release_now(connection);
	return true;
}

static void security_mode_complete(struct nw_connection *connection, const struct nas_received *m)
{
	struct nw_ue *ue = connection->ue;
	struct nw_ue_access *access = &ue->access[connection->access];
	uint8_t memory[NAS_ARENA_SIZE];
	struct octets container;
	struct arena arena;
	struct nas_msg whole;

	if (!access->candidate.valid)
		return;
	access->context = access->candidate;
	access->candidate.valid = false;
	access->secured = true;
	arena_init(&arena, memory, sizeof(memory));
	/* The whole initial message (4.4.6 f): what was left out of it before counts as well. */
	if (access->request.waits && nas_get(&m->msg, NAS_IE_NAS_MESSAGE_CONTAINER, &container) &&
	    nas_decode(&whole, container, &arena, DECODE_LENIENT, NULL) == FINDING_NONE &&
	    whole.type == access->request.type)
		take_request(ue, &access->request, &whole);
	nw_proceed(connection);
}

static void identity_response(struct nw_connection *connection, const struct nas_received *m)
{
	struct nas_identity identity;
	struct nw_ue *ue;

	connection->ue->access[connection->access].identifying = false;
	if (!nas_get_identity(&m->msg, NAS_IE_MOBILE_IDENTITY, &identity) ||
	    identity.type != NAS_IDENTITY_SUCI)
		return;
	ue = nw_ue_by_suci(connection->amf->nw, &identity.suci);
	if (!ue) {
		emulation_end(connection->amf->nw->e, VERDICT_ERROR,
			      "%s says that it is none of the profile's subscribers: are "
			      "subscribers and hn-keys those of the IUT?",
			      connection->ue->name);
		return;
	}
	nw_ue_becomes(connection, ue);
	nw_proceed(connection);
}

bool nw_behave(struct nw_connection *connection, const struct nas_received *m)
{
	struct nw_ue_access *access = &connection->ue->access[connection->access];

	switch (m->msg.type) {
	case NAS_REGISTRATION_REQUEST:
	case NAS_SERVICE_REQUEST:
	case NAS_CONTROL_PLANE_SERVICE_REQUEST:
		return request_input(connection, m);
	case NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING:
		return deregistration_input(connection, m);
	case NAS_DEREGISTRATION_ACCEPT_UE_TERMINATED:
		if (access->deregistering) {
			access->deregistering = false;
			access->registered = false;
			nw_release_now(connection);
		}
		return false;
	case NAS_REGISTRATION_COMPLETE:
		if (access->accepted) {
			access->accepted = false;
			access->registered = true;
			if (!connection->ue->apart)
				connection->ue->has_old_guti = false;
		}
		nw_release_later(connection);
		return true;
	case NAS_IDENTITY_RESPONSE:
		identity_response(connection, m);
		return true;
	case NAS_AUTHENTICATION_RESPONSE:
		nw_authentication_response(connection, m);
		return true;
	case NAS_AUTHENTICATION_FAILURE:
		nw_authentication_failure(connection, m);
		return true;
	case NAS_SECURITY_MODE_COMPLETE:
		security_mode_complete(connection, m);
		return true;
	case NAS_CONFIGURATION_UPDATE_COMPLETE:
		nw_release_later(connection);
		return true;
	case NAS_UL_NAS_TRANSPORT: {
		bool answered = nw_session_input(connection, m);

		nw_release_later(connection);
		return answered;
	}
	default:
		return false;
	}
}
