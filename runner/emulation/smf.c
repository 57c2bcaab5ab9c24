/*
 * The tester's CP functions: associations, sessions, and the answers to what a UP function asks.
 * Only what a session needs to exist is in it: the cases are about load, not about packets.
 */
#include "runner/emulation/smf.h"

#include "runner/emulation/pfcp_private.h"

enum {
	SMF_SESSIONS_MAX = 1 << 16,
	UPLINK = 1, /* ids of PDR and FAR */
	DOWNLINK = 2,
	PRECEDENCE = 100,
};

struct smf {
	struct pfcp_end end;
	bool ovrl, load;
	bool may_release;
	bool associated;
	struct octets up_features;
	struct smf_session *sessions; /* newest first */
	uint64_t next_seid;
	unsigned int session_count;
};

struct smf_session {
	struct smf_session *next;
	struct smf *smf;
	uint64_t seid, up_seid;
	bool established;
	struct net_address up; /* of the UP F-SEID */
	unsigned int number;
	uint32_t ue_ip; /* host order */
};

struct pfcp_end *smf_end(struct smf *smf)
{
	return &smf->end;
}

struct octets smf_up_features(const struct smf *smf)
{
	return smf->up_features;
}

void smf_may_release(struct smf *smf)
{
	smf->may_release = true;
}

const struct net_address *smf_session_up(const struct smf_session *session)
{
	return session->established ? &session->up : NULL;
}

struct smf *smf_session_smf(const struct smf_session *session)
{
	return session->smf;
}

unsigned int smf_session_number(const struct smf_session *session)
{
	return session->number;
}

/* --- what the IUT asks ------------------------------------------------------------------------ */

static void *find_session(struct pfcp_end *end, uint64_t seid)
{
	const struct smf *smf = end->owner;

	for (struct smf_session *s = smf->sessions; s; s = s->next)
		if (s->seid == seid)
			return s;
	return NULL;
}

static void add_features(struct pfcp_message *msg, const struct smf *smf)
{
	uint8_t features[1] = { 0 };

	if (smf->ovrl)
		pfcp_set_flag(features, sizeof(features), PFCP_CP_FUNCTION_FEATURES_OVRL);
	if (smf->load)
		pfcp_set_flag(features, sizeof(features), PFCP_CP_FUNCTION_FEATURES_LOAD);
	pfcp_add(msg, NULL, PFCP_IE_CP_FUNCTION_FEATURES, OCTETS(features, sizeof(features)));
}

static void answer_node(struct smf *smf, const struct pfcp_received *m, enum pfcp_message_type type)
{
	struct pfcp_message msg = pfcp_build(&smf->end, type, 0);

	pfcp_add_node(&msg, &smf->end);
	pfcp_add_u8(&msg, NULL, PFCP_IE_CAUSE, PFCP_CAUSE_REQUEST_ACCEPTED);
	if (type == PFCP_ASSOCIATION_SETUP_RESPONSE) {
		pfcp_add_recovery(&msg, &smf->end);
		add_features(&msg, smf);
	}
	pfcp_answer(&smf->end, m, &msg);
}

static void answer_report(struct smf *smf, const struct pfcp_received *m)
{
	const struct smf_session *session = m->session;
	struct pfcp_message msg =
		pfcp_build(&smf->end, PFCP_SESSION_REPORT_RESPONSE, session ? session->up_seid : 0);

	pfcp_add_u8(&msg, NULL, PFCP_IE_CAUSE,
		    session ? PFCP_CAUSE_REQUEST_ACCEPTED : PFCP_CAUSE_SESSION_CONTEXT_NOT_FOUND);
	pfcp_answer(&smf->end, m, &msg);
}

/* The UP function has restarted: what it had of us is gone. */
static void lose_sessions(struct smf *smf)
{
	for (struct smf_session *s = smf->sessions; s; s = s->next)
		s->established = false;
}

static bool on_request(struct pfcp_end *end, struct pfcp_received *m)
{
	struct smf *smf = end->owner;

	switch (m->msg.type) {
	case PFCP_HEARTBEAT_REQUEST:
		pfcp_answer_heartbeat(end, m);
		return true;
	case PFCP_ASSOCIATION_SETUP_REQUEST:
		lose_sessions(smf);
		answer_node(smf, m, PFCP_ASSOCIATION_SETUP_RESPONSE);
		return true;
	case PFCP_ASSOCIATION_UPDATE_REQUEST:
		answer_node(smf, m, PFCP_ASSOCIATION_UPDATE_RESPONSE);
		return true;
	case PFCP_ASSOCIATION_RELEASE_REQUEST:
		if (!smf->may_release)
			emulation_end(end->n4->e, VERDICT_FAIL,
				      "%s: the IUT releases the association unasked; the last "
				      "message sent was %s",
				      end->name, end->last_sent);
		answer_node(smf, m, PFCP_ASSOCIATION_RELEASE_RESPONSE);
		lose_sessions(smf);
		smf->associated = false;
		return true;
	case PFCP_NODE_REPORT_REQUEST:
		answer_node(smf, m, PFCP_NODE_REPORT_RESPONSE);
		return true;
	case PFCP_SESSION_REPORT_REQUEST:
		answer_report(smf, m);
		/* of a case before: nothing that this one would have to expect */
		return !m->session;
	default:
		emulation_end(end->n4->e, VERDICT_FAIL, "%s: %s, which no UP function sends",
			      end->name, pfcp_message_name(m->msg.type));
		return false;
	}
}

static const struct pfcp_end_ops ops = {
	.request = on_request,
	.session = find_session,
};

/* --- node related requests -------------------------------------------------------------------- */

static const struct pfcp_received *ask(struct smf *smf, const struct net_address *to,
				       struct pfcp_message *msg, const struct smf_request *request,
				       uint64_t seid)
{
	if (request->priority) {
		msg->has_priority = true;
		msg->priority = (uint8_t)(request->priority - 1);
	}
	if (request->alter)
		request->alter(msg, request->alter_arg);
	return pfcp_finish(pfcp_begin_or_end(&smf->end, 0, to, msg, seid));
}

static const struct net_address *node_address(const struct smf *smf)
{
	return &smf->end.n4->e->t->profile->iut_n4;
}

const struct pfcp_received *smf_associate_with(struct smf *smf, const struct smf_request *request)
{
	struct pfcp_message msg = pfcp_build(&smf->end, PFCP_ASSOCIATION_SETUP_REQUEST, 0);
	const struct pfcp_received *response;

	pfcp_add_node(&msg, &smf->end);
	pfcp_add_recovery(&msg, &smf->end);
	add_features(&msg, smf);
	lose_sessions(smf);
	response = ask(smf, node_address(smf), &msg, request, 0);
	smf->associated = pfcp_cause_accepts(pfcp_cause(&response->msg));
	if (!pfcp_get(&response->msg.ies, PFCP_IE_UP_FUNCTION_FEATURES, &smf->up_features))
		smf->up_features = OCTETS(NULL, 0);
	return response;
}

const struct pfcp_received *smf_heartbeat_with(struct smf *smf, const struct smf_request *request)
{
	struct pfcp_message msg = pfcp_build(&smf->end, PFCP_HEARTBEAT_REQUEST, 0);

	pfcp_add_recovery(&msg, &smf->end);
	return ask(smf, node_address(smf), &msg, request, 0);
}

const struct pfcp_received *smf_update_with(struct smf *smf, const struct smf_request *request)
{
	struct pfcp_message msg = pfcp_build(&smf->end, PFCP_ASSOCIATION_UPDATE_REQUEST, 0);

	pfcp_add_node(&msg, &smf->end);
	add_features(&msg, smf);
	return ask(smf, node_address(smf), &msg, request, 0);
}

const struct pfcp_received *smf_release_with(struct smf *smf, const struct smf_request *request)
{
	struct pfcp_message msg = pfcp_build(&smf->end, PFCP_ASSOCIATION_RELEASE_REQUEST, 0);

	pfcp_add_node(&msg, &smf->end);
	lose_sessions(smf);
	smf->associated = false;
	return ask(smf, node_address(smf), &msg, request, 0);
}

struct smf *smf_start_with(struct tc *t, const struct smf_options *options)
{
	struct smf *smf = tc_alloc(t, sizeof(*smf));
	const struct pfcp_received *response;
	int cause;

	smf->ovrl = !options->no_ovrl;
	smf->load = !options->no_load;
	smf->end.owner = smf;
	smf->end.ops = &ops;
	pfcp_end_open(&smf->end, t, PFCP_END_CP, options->entry, 1);
	smf->next_seid = random_u64(&smf->end.n4->random) >> 1 | 1;
	if (options->dont_associate)
		return smf;
	response = smf_associate(smf, .alter = options->alter, .alter_arg = options->alter_arg);
	cause = pfcp_cause(&response->msg);
	if (!smf->associated)
		tc_fail(t, "%s: the IUT refuses the association, cause %d (%s)", smf->end.name,
			cause, pfcp_cause_name(cause));
	return smf;
}

/* --- sessions --------------------------------------------------------------------------------- */

struct smf_session *smf_session(struct smf *smf)
{
	struct tc *t = smf->end.n4->e->t;
	struct smf_session *session;

	if (smf->session_count == SMF_SESSIONS_MAX)
		tc_error(t, "%s: more than %d sessions in a case", smf->end.name, SMF_SESSIONS_MAX);
	session = tc_alloc(t, sizeof(*session));
	*session = (struct smf_session){
		.next = smf->sessions,
		.smf = smf,
		.seid = smf->next_seid++,
		/* 10.SMF.0.1 and so on: one UE has one session */
		.ue_ip = UINT32_C(10) << 24 | smf->end.entry << 16 | ++smf->session_count,
	};
	smf->sessions = session;
	return session;
}

static void add_ue_ip(struct pfcp_message *msg, struct pfcp_ie *pdi,
		      const struct smf_session *session, bool destination)
{
	struct pfcp_ue_ip_address ip = { .has_ipv4 = true, .destination = destination };

	for (unsigned int i = 0; i < 4; i++)
		ip.ipv4[i] = (uint8_t)(session->ue_ip >> (24 - 8 * i));
	pfcp_add_ue_ip_address(msg, pdi, &ip);
}

/* The N3 end of the tunnel: the UP function chooses it where it can (FTUP). */
static void add_f_teid(struct pfcp_message *msg, struct pfcp_ie *pdi,
		       const struct smf_session *session)
{
	const struct net_address *up = node_address(session->smf);
	struct pfcp_f_teid f_teid = { .has_ipv4 = true };

	if (up->sa.sa_family == AF_INET6) {
		f_teid.has_ipv4 = false;
		f_teid.has_ipv6 = true;
		memcpy(f_teid.ipv6, &up->v6.sin6_addr, 16);
	} else {
		memcpy(f_teid.ipv4, &up->v4.sin_addr, 4);
	}
	if (pfcp_flag(session->smf->up_features, PFCP_UP_FUNCTION_FEATURES_FTUP))
		f_teid.choose = true;
	else
		f_teid.teid = session->ue_ip;
	pfcp_add_f_teid(msg, pdi, &f_teid);
}

static void add_apply_action(struct pfcp_message *msg, struct pfcp_ie *far, bool forward)
{
	uint8_t action[1] = { 0 };

	if (forward) {
		pfcp_set_flag(action, sizeof(action), PFCP_APPLY_ACTION_FORW);
	} else {
		pfcp_set_flag(action, sizeof(action), PFCP_APPLY_ACTION_BUFF);
		pfcp_set_flag(action, sizeof(action), PFCP_APPLY_ACTION_NOCP);
	}
	pfcp_add(msg, far, PFCP_IE_APPLY_ACTION, OCTETS(action, sizeof(action)));
}

static void add_rules(struct pfcp_message *msg, const struct smf_session *session, uint16_t id)
{
	struct pfcp_ie *pdr = pfcp_add_group(msg, NULL, PFCP_IE_CREATE_PDR), *pdi, *far;
	bool uplink = id == UPLINK;

	pfcp_add_u16(msg, pdr, PFCP_IE_PDR_ID, id);
	pfcp_add_u32(msg, pdr, PFCP_IE_PRECEDENCE, PRECEDENCE);
	pdi = pfcp_add_group(msg, pdr, PFCP_IE_PDI);
	pfcp_add_u8(msg, pdi, PFCP_IE_SOURCE_INTERFACE,
		    uplink ? PFCP_INTERFACE_ACCESS : PFCP_INTERFACE_CORE);
	if (uplink)
		add_f_teid(msg, pdi, session);
	add_ue_ip(msg, pdi, session, !uplink);
	if (uplink)
		pfcp_add_u8(msg, pdr, PFCP_IE_OUTER_HEADER_REMOVAL, PFCP_REMOVE_GTP_U_UDP_IPV4);
	pfcp_add_u32(msg, pdr, PFCP_IE_FAR_ID, id);
	far = pfcp_add_group(msg, NULL, PFCP_IE_CREATE_FAR);
	pfcp_add_u32(msg, far, PFCP_IE_FAR_ID, id);
	add_apply_action(msg, far, uplink);
	if (uplink)
		pfcp_add_u8(msg, pfcp_add_group(msg, far, PFCP_IE_FORWARDING_PARAMETERS),
			    PFCP_IE_DESTINATION_INTERFACE, PFCP_INTERFACE_CORE);
}

static void take_f_seid(struct smf_session *session, const struct pfcp_received *response)
{
	struct smf *smf = session->smf;
	struct emulation *e = smf->end.n4->e;
	struct pfcp_f_seid f_seid;
	struct octets value;

	if (!pfcp_cause_accepts(pfcp_cause(&response->msg)))
		return;
	if (!pfcp_get(&response->msg.ies, PFCP_IE_F_SEID, &value) ||
	    pfcp_f_seid_decode(&f_seid, value) != FINDING_NONE)
		tc_fail(e->t, "%s: a Session Establishment Response that accepts has no UP F-SEID",
			smf->end.name);
	if (!pfcp_f_seid_address(&f_seid, e->t->profile, &session->up))
		tc_fail(e->t, "%s: the UP F-SEID has no address of the IP version in use",
			smf->end.name);
	session->up_seid = f_seid.seid;
	session->established = true;
	session->number = ++smf->end.n4->established;
}

const struct pfcp_received *smf_establish_with(struct smf_session *session,
					       const struct smf_request *request)
{
	struct smf *smf = session->smf;
	struct pfcp_message msg = pfcp_build(&smf->end, PFCP_SESSION_ESTABLISHMENT_REQUEST, 0);
	const struct pfcp_received *response;
	struct pfcp_f_seid f_seid;

	pfcp_add_node(&msg, &smf->end);
	pfcp_f_seid_at(&f_seid, session->seid, pfcp_end_address(&smf->end, 0));
	pfcp_add_f_seid(&msg, NULL, &f_seid);
	add_rules(&msg, session, UPLINK);
	add_rules(&msg, session, DOWNLINK);
	pfcp_add_u8(&msg, NULL, PFCP_IE_PDN_TYPE, PFCP_PDN_TYPE_IPV4);
	response = ask(smf, node_address(smf), &msg, request, session->seid);
	take_f_seid(session, response);
	return response;
}

static void there(const struct smf_session *session)
{
	struct tc *t = session->smf->end.n4->e->t;

	if (!session->established)
		tc_error(t, "%s: the case works on a session that is not established",
			 session->smf->end.name);
}

const struct pfcp_received *smf_modify_with(struct smf_session *session,
					    const struct smf_request *request)
{
	struct smf *smf = session->smf;
	struct pfcp_message msg =
		pfcp_build(&smf->end, PFCP_SESSION_MODIFICATION_REQUEST, session->up_seid);
	struct pfcp_ie *far;

	there(session);
	/* The downlink stays buffered: the session has to be able to report. */
	far = pfcp_add_group(&msg, NULL, PFCP_IE_UPDATE_FAR);
	pfcp_add_u32(&msg, far, PFCP_IE_FAR_ID, DOWNLINK);
	add_apply_action(&msg, far, false);
	return ask(smf, &session->up, &msg, request, session->seid);
}

const struct pfcp_received *smf_delete_with(struct smf_session *session,
					    const struct smf_request *request)
{
	struct smf *smf = session->smf;
	struct pfcp_message msg =
		pfcp_build(&smf->end, PFCP_SESSION_DELETION_REQUEST, session->up_seid);
	const struct pfcp_received *response;

	there(session);
	response = ask(smf, &session->up, &msg, request, session->seid);
	if (pfcp_cause_accepts(pfcp_cause(&response->msg)))
		session->established = false;
	return response;
}

struct smf_session *smf_established(struct smf *smf)
{
	struct smf_session *session = smf_session(smf);
	const struct pfcp_received *response = smf_establish(session);
	int cause = pfcp_cause(&response->msg);

	if (!session->established)
		tc_inconc(smf->end.n4->e->t, "%s: no session can be established: cause %d (%s)",
			  smf->end.name, cause, pfcp_cause_name(cause));
	return session;
}
