/*
 * The tester's CP functions, where the IUT is a UP function. As many as there are addresses in
 * tester.n4, each with its own association and any number of sessions.
 *
 *	static void overload_reaches_the_cp(struct tc *t)
 *	{
 *		struct smf *smf = smf_start(t);			// associated
 *		struct smf_session *session = smf_established(smf);
 *		const struct pfcp_received *response;
 *
 *		tc_control(t, "overload metric=40 validity=60");
 *		response = smf_modify(session, .priority = PFCP_PRIORITY(3));
 *		if (pfcp_received_oci(response).metric != 40)
 *			tc_violation(t, "...");
 *	}
 *
 * By itself an SMF answers: Heartbeat Request, Association Setup Request (of a UP function that
 * restarted), Association Update Request, Association Release Request (which ends the case unless
 * smf_may_release allows it), Node Report Request, Session Report Request. All but those about
 * sessions of ours are harmless; Session Report Requests wait in the inbox for expect_pfcp.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SMF_H
#define SPILLWAY_RUNNER_EMULATION_SMF_H

#include "runner/emulation/pfcp_path.h"

struct smf;
struct smf_session;

struct smf_options {
	int unused_;
	unsigned int entry;    /* of tester.n4, from 1; 0: the next that is not in use */
	bool no_ovrl, no_load; /* bits of CP Function Features that are not set */
	bool dont_associate;   /* the port is opened, nothing sent */
	pfcp_alter_fn *alter;  /* of the Association Setup Request */
	void *alter_arg;
};

/*
 * A CP function with its association: fail where the IUT refuses it, tc_unreachable where it does
 * not answer; na where tester.n4 has no further address.
 */
#define smf_start(t, ...) smf_start_with((t), &(struct smf_options){ .unused_ = 0, __VA_ARGS__ })
struct smf *smf_start_with(struct tc *t, const struct smf_options *options);
struct pfcp_end *smf_end(struct smf *smf);
/* UP Function Features of the IUT as in its last Association Setup Response. */
struct octets smf_up_features(const struct smf *smf);
/* The association may be released by the IUT from now on: no verdict. */
void smf_may_release(struct smf *smf);

/* Of one request. */
struct smf_request {
	int unused_;
	int priority; /* PFCP_PRIORITY(0..15); 0: none */
	pfcp_alter_fn *alter;
	void *alter_arg;
};
#define SMF_REQUEST(...) (&(struct smf_request){ .unused_ = 0, __VA_ARGS__ })

/* Node related requests; each waits for the response, whatever its cause. */
#define smf_associate(smf, ...) smf_associate_with((smf), SMF_REQUEST(__VA_ARGS__))
const struct pfcp_received *smf_associate_with(struct smf *smf, const struct smf_request *request);
#define smf_heartbeat(smf, ...) smf_heartbeat_with((smf), SMF_REQUEST(__VA_ARGS__))
const struct pfcp_received *smf_heartbeat_with(struct smf *smf, const struct smf_request *request);
#define smf_update(smf, ...) smf_update_with((smf), SMF_REQUEST(__VA_ARGS__))
const struct pfcp_received *smf_update_with(struct smf *smf, const struct smf_request *request);
#define smf_release(smf, ...) smf_release_with((smf), SMF_REQUEST(__VA_ARGS__))
const struct pfcp_received *smf_release_with(struct smf *smf, const struct smf_request *request);

/*
 * Session requests, likewise. A session has two PDRs and two FARs: uplink, and downlink that is
 * buffered with a notification of the CP function, so that a report can come.
 */
struct smf_session *smf_session(struct smf *smf);
#define smf_establish(session, ...) smf_establish_with((session), SMF_REQUEST(__VA_ARGS__))
const struct pfcp_received *smf_establish_with(struct smf_session *session,
					       const struct smf_request *request);
#define smf_modify(session, ...) smf_modify_with((session), SMF_REQUEST(__VA_ARGS__))
const struct pfcp_received *smf_modify_with(struct smf_session *session,
					    const struct smf_request *request);
#define smf_delete(session, ...) smf_delete_with((session), SMF_REQUEST(__VA_ARGS__))
const struct pfcp_received *smf_delete_with(struct smf_session *session,
					    const struct smf_request *request);

/* A session that is there; inconc where the IUT refuses it: a precondition. */
struct smf_session *smf_established(struct smf *smf);
/* Where its UP F-SEID says that it is; NULL: not established. */
const struct net_address *smf_session_up(const struct smf_session *session);
struct smf *smf_session_smf(const struct smf_session *session);
/* As the control action `report session=N` counts: since the IUT's reset, over all CP functions. */
unsigned int smf_session_number(const struct smf_session *session);

#endif
