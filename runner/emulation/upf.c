/*
 * The tester's UP functions: associations, sessions, and what they answer. What stands about load
 * and overload in their messages is put there by upf_information.c.
 */
#include "runner/emulation/upf.h"

#include <inttypes.h>

#include "runner/emulation/upf_private.h"

struct pfcp_end *upf_end(struct upf *upf)
{
	return &upf->end;
}

unsigned int upf_number(const struct upf *upf)
{
	return upf->end.entry;
}

unsigned int upf_address_number(const struct upf *upf, unsigned int address)
{
	const struct profile *profile = upf->end.n4->e->t->profile;

	for (size_t i = 0; i < profile->n4_count; i++)
		if (pfcp_same_host(&profile->n4[i], pfcp_end_address(&upf->end, address)))
			return (unsigned int)i + 1;
	return 0;
}

struct octets upf_cp_features(const struct upf *upf)
{
	return OCTETS(upf->cp_features, upf->cp_features_len);
}

bool upf_associated(const struct upf *upf)
{
	return upf->associated;
}

void upf_refuse(struct upf *upf, uint8_t cause)
{
	upf->refuse = cause;
}

/* --- sessions --------------------------------------------------------------------------------- */

static void *find_session(struct pfcp_end *end, uint64_t seid)
{
	struct upf *upf = end->owner;
	uint64_t i = seid - upf->first_seid;

	return i < upf->session_count && upf->sessions[i]->established ? upf->sessions[i] : NULL;
}

/* NULL: the bound is reached, and the case was ended. */
static struct upf_session *new_session(struct upf *upf)
{
	struct emulation *e = upf->end.n4->e;
	struct upf_session *session;

	if (upf->session_count == upf->session_max) {
		size_t max = upf->session_max ? 2 * upf->session_max : 1024;
		struct upf_session **sessions;

		if (max > UPF_SESSIONS_MAX) {
			emulation_end(e, VERDICT_FAIL,
				      "%s: the IUT floods the tester: more than %d sessions",
				      upf->end.name, UPF_SESSIONS_MAX);
			return NULL;
		}
		sessions = tc_alloc(e->t, max * sizeof(*sessions));
		if (upf->session_count)
			memcpy(sessions, upf->sessions, upf->session_count * sizeof(*sessions));
		upf->sessions = sessions;
		upf->session_max = max;
	}
	session = tc_alloc(e->t, sizeof(*session));
	session->upf = upf;
	session->seid = upf->first_seid + upf->session_count;
	session->address = (unsigned int)(upf->session_count % upf->end.port_count);
	upf->sessions[upf->session_count++] = session;
	return session;
}

static void lose_sessions(struct upf *upf)
{
	for (size_t i = 0; i < upf->session_count; i++)
		upf->sessions[i]->established = false;
	upf->established = 0;
}

struct upf_session *upf_session(struct upf *upf, unsigned int address)
{
	for (size_t i = upf->session_count; i > 0; i--) {
		struct upf_session *session = upf->sessions[i - 1];

		if (session->established && (!address || session->address == address - 1))
			return session;
	}
	return NULL;
}

size_t upf_session_count(const struct upf *upf)
{
	return upf->established;
}

unsigned int upf_session_address(const struct upf_session *session)
{
	return session->address;
}

/* --- what the IUT asks ------------------------------------------------------------------------ */

static struct pfcp_message build_node(struct upf *upf, enum pfcp_message_type type)
{
	struct pfcp_message msg = pfcp_build(&upf->end, type, 0);

	pfcp_add_node(&msg, &upf->end);
	pfcp_add_u8(&msg, NULL, PFCP_IE_CAUSE, PFCP_CAUSE_REQUEST_ACCEPTED);
	return msg;
}

static void answer_association(struct upf *upf, const struct pfcp_received *m)
{
	struct pfcp_message msg = build_node(upf, PFCP_ASSOCIATION_SETUP_RESPONSE);
	uint8_t features[2] = { 0 };
	struct octets value = OCTETS(NULL, 0);

	/* An association that there was is replaced, its sessions are gone (6.2.6.2.2). */
	lose_sessions(upf);
	upf->associated = true;
	upf->associations++;
	pfcp_get(&m->msg.ies, PFCP_IE_CP_FUNCTION_FEATURES, &value);
	upf->cp_features_len =
		value.len < sizeof(upf->cp_features) ? value.len : sizeof(upf->cp_features);
	if (value.len)
		memcpy(upf->cp_features, value.data, upf->cp_features_len);
	pfcp_add_recovery(&msg, &upf->end);
	pfcp_set_flag(features, sizeof(features), PFCP_UP_FUNCTION_FEATURES_FTUP);
	pfcp_add(&msg, NULL, PFCP_IE_UP_FUNCTION_FEATURES, OCTETS(features, sizeof(features)));
	upf_inform(upf, &msg, UPF_IN_ASSOCIATION_SETUP, NULL);
	pfcp_answer(&upf->end, m, &msg);
}

/* F-TEIDs that the CP function leaves to be chosen. */
static void add_created_pdrs(struct upf *upf, struct pfcp_message *msg,
			     const struct pfcp_received *m, const struct upf_session *session)
{
	const struct net_address *local = pfcp_end_address(&upf->end, session->address);

	for (const struct pfcp_ie *pdr = pfcp_find(&m->msg.ies, PFCP_IE_CREATE_PDR); pdr;
	     pdr = pfcp_find_next(pdr, PFCP_IE_CREATE_PDR)) {
		const struct pfcp_ie *pdi = pfcp_find(&pdr->ies, PFCP_IE_PDI);
		struct pfcp_f_teid f_teid;
		struct pfcp_ie *created;
		struct octets value;
		uint16_t id;

		if (!pdi || !pfcp_get(&pdi->ies, PFCP_IE_F_TEID, &value) ||
		    pfcp_f_teid_decode(&f_teid, value) != FINDING_NONE || !f_teid.choose ||
		    !pfcp_get_u16(&pdr->ies, PFCP_IE_PDR_ID, &id))
			continue;
		f_teid = (struct pfcp_f_teid){ .teid = ++upf->last_teid };
		if (local->sa.sa_family == AF_INET6) {
			f_teid.has_ipv6 = true;
			memcpy(f_teid.ipv6, &local->v6.sin6_addr, 16);
		} else {
			f_teid.has_ipv4 = true;
			memcpy(f_teid.ipv4, &local->v4.sin_addr, 4);
		}
		created = pfcp_add_group(msg, NULL, PFCP_IE_CREATED_PDR);
		pfcp_add_u16(msg, created, PFCP_IE_PDR_ID, id);
		pfcp_add_f_teid(msg, created, &f_teid);
	}
}

/* The rule that downlink data is reported by. */
static uint16_t report_pdr(const struct pfcp_received *m)
{
	uint16_t id = 1;

	for (const struct pfcp_ie *pdr = pfcp_find(&m->msg.ies, PFCP_IE_CREATE_PDR); pdr;
	     pdr = pfcp_find_next(pdr, PFCP_IE_CREATE_PDR)) {
		const struct pfcp_ie *pdi = pfcp_find(&pdr->ies, PFCP_IE_PDI);
		uint8_t interface = 0;

		pfcp_get_u16(&pdr->ies, PFCP_IE_PDR_ID, &id);
		if (pdi && pfcp_get_u8(&pdi->ies, PFCP_IE_SOURCE_INTERFACE, &interface) &&
		    (interface & 15) == PFCP_INTERFACE_CORE)
			break;
	}
	return id;
}

static void answer_establishment(struct upf *upf, const struct pfcp_received *m)
{
	struct emulation *e = upf->end.n4->e;
	struct upf_session *session = NULL;
	struct pfcp_f_seid cp = { .seid = 0 }, up;
	uint8_t cause = upf->refuse ? upf->refuse : PFCP_CAUSE_REQUEST_ACCEPTED;
	struct net_address at;
	struct pfcp_message msg;
	struct octets value;

	if (!pfcp_get(&m->msg.ies, PFCP_IE_F_SEID, &value) ||
	    pfcp_f_seid_decode(&cp, value) != FINDING_NONE ||
	    !pfcp_f_seid_address(&cp, e->t->profile, &at))
		emulation_end(e, VERDICT_FAIL,
			      "%s: a Session Establishment Request without a CP F-SEID of the IP "
			      "version in use",
			      upf->end.name);
	else if (pfcp_cause_accepts(cause))
		session = new_session(upf);
	if (e->ended)
		return;
	msg = pfcp_build(&upf->end, PFCP_SESSION_ESTABLISHMENT_RESPONSE, cp.seid);
	pfcp_add_node(&msg, &upf->end);
	pfcp_add_u8(&msg, NULL, PFCP_IE_CAUSE, cause);
	if (session) {
		session->established = true;
		upf->established++;
		session->cp_seid = cp.seid;
		session->cp = at;
		session->pdr = report_pdr(m);
		pfcp_f_seid_at(&up, session->seid, pfcp_end_address(&upf->end, session->address));
		pfcp_add_f_seid(&msg, NULL, &up);
		add_created_pdrs(upf, &msg, m, session);
	}
	upf_inform(upf, &msg, UPF_IN_ESTABLISHMENT, session);
	pfcp_answer(&upf->end, m, &msg);
}

static void answer_session(struct upf *upf, const struct pfcp_received *m,
			   enum pfcp_message_type type, enum upf_place place)
{
	struct upf_session *session = m->session;
	struct pfcp_message msg = pfcp_build(&upf->end, type, session ? session->cp_seid : 0);

	pfcp_add_u8(&msg, NULL, PFCP_IE_CAUSE,
		    session ? PFCP_CAUSE_REQUEST_ACCEPTED : PFCP_CAUSE_SESSION_CONTEXT_NOT_FOUND);
	if (session)
		upf_inform(upf, &msg, place, session);
	if (session && place == UPF_IN_DELETION) {
		session->established = false;
		upf->established--;
	}
	pfcp_answer(&upf->end, m, &msg);
}

static bool on_request(struct pfcp_end *end, struct pfcp_received *m)
{
	struct upf *upf = end->owner;
	struct pfcp_message msg;

	switch (m->msg.type) {
	case PFCP_HEARTBEAT_REQUEST:
		msg = pfcp_build(end, PFCP_HEARTBEAT_RESPONSE, 0);
		pfcp_add_recovery(&msg, end);
		upf_inform(upf, &msg, UPF_IN_HEARTBEAT_RESPONSE, NULL);
		pfcp_answer(end, m, &msg);
		return true;
	case PFCP_ASSOCIATION_SETUP_REQUEST:
		answer_association(upf, m);
		return true;
	case PFCP_ASSOCIATION_UPDATE_REQUEST:
		msg = build_node(upf, PFCP_ASSOCIATION_UPDATE_RESPONSE);
		upf_inform(upf, &msg, UPF_IN_ASSOCIATION_UPDATE, NULL);
		pfcp_answer(end, m, &msg);
		return true;
	case PFCP_ASSOCIATION_RELEASE_REQUEST:
		msg = build_node(upf, PFCP_ASSOCIATION_RELEASE_RESPONSE);
		pfcp_answer(end, m, &msg);
		lose_sessions(upf);
		upf->associated = false;
		return true;
	case PFCP_PFD_MANAGEMENT_REQUEST:
		msg = pfcp_build(end, PFCP_PFD_MANAGEMENT_RESPONSE, 0);
		pfcp_add_u8(&msg, NULL, PFCP_IE_CAUSE, PFCP_CAUSE_REQUEST_ACCEPTED);
		pfcp_answer(end, m, &msg);
		return true;
	case PFCP_SESSION_ESTABLISHMENT_REQUEST:
		answer_establishment(upf, m);
		return true;
	case PFCP_SESSION_MODIFICATION_REQUEST:
		answer_session(upf, m, PFCP_SESSION_MODIFICATION_RESPONSE, UPF_IN_MODIFICATION);
		return true;
	case PFCP_SESSION_DELETION_REQUEST:
		answer_session(upf, m, PFCP_SESSION_DELETION_RESPONSE, UPF_IN_DELETION);
		return true;
	default:
		emulation_end(end->n4->e, VERDICT_FAIL, "%s: %s, which no CP function sends",
			      end->name, pfcp_message_name(m->msg.type));
		return false;
	}
}

static const struct pfcp_end_ops ops = {
	.request = on_request,
	.session = find_session,
	.arrived = upf_note_request,
};

/* --- coming and going ------------------------------------------------------------------------- */

struct upf *upf_start_with(struct tc *t, const struct upf_options *options)
{
	struct upf *upf = tc_alloc(t, sizeof(*upf));

	upf->end.owner = upf;
	upf->end.ops = &ops;
	upf->end.alter = options->alter;
	upf->end.alter_arg = options->alter_arg;
	upf->oci_sent_at = LOOP_NEVER;
	pfcp_end_open(&upf->end, t, PFCP_END_UP, 0, options->addresses ? options->addresses : 1);
	upf->first_seid = random_u64(&upf->end.n4->random) >> 1 | 1;
	return upf;
}

static bool all_associated(void *arg)
{
	const struct n4 *n4 = arg;

	for (const struct pfcp_end *end = n4->ends; end; end = end->next)
		if (end->kind == PFCP_END_UP && !((const struct upf *)end->owner)->associated)
			return false;
	return true;
}

void upf_iut_associates(struct tc *t)
{
	struct n4 *n4 = n4_of_case(t);
	const char *missing = NULL;
	bool any = false;

	for (struct pfcp_end *end = n4->ends; end; end = end->next) {
		if (end->kind != PFCP_END_UP)
			continue;
		any = true;
		((struct upf *)end->owner)->associated = false;
	}
	if (!any)
		tc_error(t, "no UP function is started that the IUT could associate with");
	if (!tc_control_try(t, "restart") && !tc_control_try(t, "start"))
		tc_note(t,
			"the adapter has neither restart nor start: the IUT has connect-time, "
			"%" PRIu64 " s, to associate by itself",
			t->profile->connect_time / US_PER_S);
	if (tc_wait(t, t->profile->connect_time, all_associated, n4))
		return;
	for (struct pfcp_end *end = n4->ends; end; end = end->next)
		if (end->kind == PFCP_END_UP && !((struct upf *)end->owner)->associated)
			missing = end->name;
	if (!t->iut_answered)
		tc_unreachable(t, "no Association Setup Request from the IUT within %" PRIu64 " s",
			       t->profile->connect_time / US_PER_S);
	tc_fail(t, "%s got no Association Setup Request within %" PRIu64 " s", missing,
		t->profile->connect_time / US_PER_S);
}

struct comeback {
	const struct upf *upf;
	unsigned int associations;
};

static bool came_back(void *arg)
{
	const struct comeback *comeback = arg;

	return comeback->upf->associations > comeback->associations;
}

static struct pfcp_exchange *send_heartbeat(struct upf *upf)
{
	struct pfcp_message msg = pfcp_build(&upf->end, PFCP_HEARTBEAT_REQUEST, 0);

	pfcp_add_recovery(&msg, &upf->end);
	upf_inform(upf, &msg, UPF_IN_HEARTBEAT_REQUEST, NULL);
	return pfcp_begin_or_end(&upf->end, 0, &upf->end.n4->e->t->profile->iut_n4, &msg, 0);
}

void upf_restart(struct upf *upf)
{
	struct tc *t = upf->end.n4->e->t;
	struct comeback comeback = { .upf = upf, .associations = upf->associations };

	lose_sessions(upf);
	upf->associated = false;
	upf->end.recovery++;
	for (struct pfcp_exchange *x = upf->end.exchanges; x; x = x->next)
		if (!x->response)
			pfcp_give_up(x);
	send_heartbeat(upf);
	if (!tc_wait(t, t->profile->connect_time, came_back, &comeback))
		tc_fail(t,
			"%s: no new Association Setup Request within %" PRIu64 " s after a "
			"Heartbeat Request with a later Recovery Time Stamp",
			upf->end.name, t->profile->connect_time / US_PER_S);
}

/* --- requests of ours ---------------------------------------------------------------------------
 */

const struct pfcp_received *upf_heartbeat(struct upf *upf)
{
	return pfcp_finish(send_heartbeat(upf));
}

struct pfcp_exchange *upf_report(struct upf_session *session)
{
	struct upf *upf = session->upf;
	struct pfcp_message msg =
		pfcp_build(&upf->end, PFCP_SESSION_REPORT_REQUEST, session->cp_seid);
	uint8_t type[1] = { 0 };

	pfcp_set_flag(type, sizeof(type), PFCP_REPORT_TYPE_DLDR);
	pfcp_add(&msg, NULL, PFCP_IE_REPORT_TYPE, OCTETS(type, sizeof(type)));
	pfcp_add_u16(&msg, pfcp_add_group(&msg, NULL, PFCP_IE_DOWNLINK_DATA_REPORT), PFCP_IE_PDR_ID,
		     session->pdr);
	upf_inform(upf, &msg, UPF_IN_REPORT, session);
	return pfcp_begin_or_end(&upf->end, session->address, &session->cp, &msg, session->seid);
}

void upf_tell(struct upf *upf)
{
	struct tc *t = upf->end.n4->e->t;
	struct upf_session *session = upf_session(upf, upf_informed_address(upf));
	const struct pfcp_received *response;
	int cause;

	if (!session)
		tc_error(t, "%s: there is no session whose report could tell the IUT anything",
			 upf->end.name);
	response = pfcp_finish(upf_report(session));
	cause = pfcp_cause(&response->msg);
	if (!pfcp_cause_accepts(cause))
		tc_inconc(t, "%s: the IUT refuses a Session Report Request: cause %d (%s)",
			  upf->end.name, cause, pfcp_cause_name(cause));
}
