/*
 * Whole procedures as preconditions: registered, connected, idle, with a PDU session. They end the
 * case where they do not succeed, by default with inconc: what the case is about was not reached.
 */
#include <errno.h>

#include "runner/case/expect.h"
#include "runner/emulation/emulation.h"

#define OWN_RELEASE (100 * US_PER_MS) /* what the IUT gets for a release of its own accord */

static enum outcome outcome_of(const struct ue_options *options)
{
	return options->otherwise == VERDICT_FAIL ? OUTCOME_FAIL : OUTCOME_INCONC;
}

static const struct nas_received *accepted(struct ue *ue, const struct ue_options *options,
					   enum mm_message type, const char *why)
{
	enum outcome outcome = outcome_of(options);

	return expect_nas(ue->e->t, ue, .type = type, .otherwise = outcome, .unmet = outcome,
			  .via = options->via, .why = why);
}

void ue_registered_with(struct ue *ue, const struct ue_options *options)
{
	struct ue_options with = *options;

	with.follow_on = options->follow_on || options->stay_connected;
	ue_register_with(ue, options->type ? options->type : REG_INITIAL, &with);
	accepted(ue, options, REGISTRATION_ACCEPT, "precondition: the UE is registered");
	if (!options->stay_connected)
		ue_idle_with(ue, options);
}

void ue_connected_with(struct ue *ue, const struct ue_options *options)
{
	enum access access = ue_choose(ue, options);

	if (ue->access[access].connection)
		return;
	ue_service_request_with(ue, SR_SIGNALLING, options);
	accepted(ue, options, SERVICE_ACCEPT, "precondition: the UE is CM-CONNECTED");
	if (!ue->access[access].connection)
		tc_inconc(ue->e->t, "%s was released right after SERVICE ACCEPT", ue->name);
}

struct idle_wait {
	const struct ue *ue;
	enum access access;
};

static bool is_idle(void *arg)
{
	const struct idle_wait *wait = arg;

	return !wait->ue->access[wait->access].connection;
}

void ue_idle_with(struct ue *ue, const struct ue_options *options)
{
	struct tc *t = ue->e->t;
	struct idle_wait wait = { .ue = ue, .access = ue_choose(ue, options) };
	const struct ue_access *a = &ue->access[wait.access];
	int error;

	if (!tc_wait(t, OWN_RELEASE, is_idle, &wait)) {
		error = gnb_release_request(a->gnb, a->connection);
		if (error == -ENOTCONN)
			tc_iut_dead(t, "%s has no association any more", a->gnb->name);
		if (error)
			tc_error(t, "%s: cannot ask for the release of %s", a->gnb->name, ue->name);
		if (!tc_wait(t, t->profile->response_time, is_idle, &wait))
			tc_iut_dead(t,
				    "%s: UE CONTEXT RELEASE REQUEST for %s is not answered by UE "
				    "CONTEXT RELEASE COMMAND within %llu ms",
				    a->gnb->name, ue->name,
				    (unsigned long long)(t->profile->response_time / US_PER_MS));
	}
	queue_drop_skippable(&ue->ngap);
	queue_drop_skippable(&ue->nas);
}

void ue_pdu_session_with(struct ue *ue, const struct ue_options *options)
{
	enum { TRANSPORTS_MAX = 8 }; /* messages for the UE before the one that matters */
	struct tc *t = ue->e->t;
	unsigned int psi = options->psi ? options->psi : 5;
	const struct nas_msg *sm;

	ue_connected_with(ue, options);
	ue_pdu_session_request_with(ue, options);
	for (int i = 0; i < TRANSPORTS_MAX && !(ue->sessions >> psi & 1); i++) {
		const struct nas_received *m = accepted(ue, options, DL_NAS_TRANSPORT,
							"precondition: a PDU session is up");

		sm = received_sm(m);
		if (sm && sm->type == NAS_PDU_SESSION_ESTABLISHMENT_REJECT)
			tc_inconc(t, "%s: PDU SESSION ESTABLISHMENT REJECT, 5GSM cause %d",
				  ue->name, nas_cause(sm));
		if (received_cause(m) >= 0)
			tc_inconc(t, "%s: the PDU session request comes back with 5GMM cause %d",
				  ue->name, received_cause(m));
	}
	if (!(ue->sessions >> psi & 1))
		tc_inconc(t, "%s: no PDU SESSION ESTABLISHMENT ACCEPT", ue->name);
	if (!options->stay_connected)
		ue_idle_with(ue, options);
}
