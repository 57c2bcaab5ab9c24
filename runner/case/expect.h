/*
 * Expectations: what the IUT has to send, to whom, within which time.
 *
 * Everything received waits in the queue of its UE (one for NAS, one for the NGAP of that UE) or
 * node. An expectation takes the first message that matches. On its way it passes over what a
 * default behaviour answered and what is harmless; any other message ends the case at once, named
 * and printed against what was expected. So does silence.
 *
 * What an expectation passed over before its match is gone. Queues keep what came before the case
 * looked: forget_nas(), forget_ngap() drop it, and each thing that a UE sends drops what of its
 * queues may be passed over.
 *
 * Harmless in NAS: AUTHENTICATION and SECURITY MODE messages, IDENTITY REQUEST, CONFIGURATION
 * UPDATE COMMAND, DL NAS TRANSPORT; and what ue_harmless() says. Not harmless: 5GMM STATUS,
 * rejects, accepts, NOTIFICATION, DEREGISTRATION REQUEST.
 * Harmless in NGAP: OVERLOAD START, OVERLOAD STOP, AMF CONFIGURATION UPDATE, AMF STATUS
 * INDICATION, PAGING, traces and transfers; for a UE also context setup, modification, release and
 * PDU session resources. Not harmless: ERROR INDICATION, failures, NG RESET.
 * Harmless messages still match an expectation that names them, and .never.
 *
 * A whole case, to start from:
 *
 *	static void mobile_originated_request_is_rejected(struct tc *t)
 *	{
 *		struct gnb *gnb = gnb_connect(t);
 *		struct ue *ue = ue_new(gnb);
 *		const struct nas_received *reject;
 *
 *		ue_registered(ue);
 *		tc_control(t, "nas-congestion state=on t3346=%u", 1200u);
 *		ue_service_request(ue, SR_DATA);
 *		reject = expect_nas(t, ue, .type = SERVICE_REJECT, .never = SERVICE_ACCEPT,
 *				    .cause = NAS_5GMM_CONGESTION, .t3346 = PRESENT);
 *		if (received_t3346(reject).us != 1200 * US_PER_S)
 *			tc_violation(t, "T3346 is %" PRIu64 " us", received_t3346(reject).us);
 *		expect_ue_ngap(t, ue, .type = NGAP_UE_CONTEXT_RELEASE_COMMAND);
 *	}
 */
#ifndef SPILLWAY_RUNNER_CASE_EXPECT_H
#define SPILLWAY_RUNNER_CASE_EXPECT_H

#include "runner/emulation/crowd.h"
#include "runner/emulation/gnb.h"
#include "runner/emulation/ue.h"

/* A set of up to four message types for .type and .never: ONE_OF(SERVICE_ACCEPT, SERVICE_REJECT).
 */
static inline uint64_t one_of_(const uint16_t types[4])
{
	return (uint64_t)types[0] | (uint64_t)types[1] << 16 | (uint64_t)types[2] << 32 |
	       (uint64_t)types[3] << 48;
}
#define ONE_OF(...) one_of_((const uint16_t[4]){ __VA_ARGS__ })

enum presence {
	NOT_LOOKED_AT,
	PRESENT,
	ABSENT,
};

/* How a case ends where its expectation is not met. */
enum outcome {
	OUTCOME_DEFAULT,
	OUTCOME_VIOLATION, /* tc_violation: by the strength of the case */
	OUTCOME_FAIL,
	OUTCOME_INCONC,
	OUTCOME_RETURN, /* no verdict: the expectation returns NULL */
};

struct expectation {
	int unused_;
	uint64_t type;	/* the type expected, or ONE_OF() some; 0: any that is not harmless */
	uint64_t never; /* types that violate the requirement at once */
	/*
	 * us; 0: profile->response_time, and again for each message that is passed over, for NAS
	 * also of NGAP for this UE
	 */
	uint64_t within;
	/* NAS only: further conditions on the message of the expected type */
	int cause;		 /* 5GMM cause; 0: not looked at */
	int never_cause;	 /* this 5GMM cause violates the requirement, in whatever message */
	enum presence t3346;	 /* IEI 5F */
	enum presence protected; /* integrity protected, MAC right */
	struct gnb *via;	 /* came over this node; NULL: any */
	/* A sentence for the report, in place of the case's own purpose */
	const char *why;
	/*
	 * unmet: the right type with other conditions; default OUTCOME_VIOLATION.
	 * otherwise: a message that was not expected; default OUTCOME_FAIL. With OUTCOME_RETURN the
	 * message stays in its queue.
	 * silence: default tc_iut_dead.
	 * .never and .never_cause are OUTCOME_VIOLATION always.
	 */
	enum outcome unmet, otherwise, silence;
};
#define EXPECTATION(...) (&(struct expectation){ .unused_ = 0, __VA_ARGS__ })

/* The next NAS message of the IUT to this UE. Types: enum mm_message. */
#define expect_nas(t, ue, ...) expect_nas_with((t), (ue), EXPECTATION(__VA_ARGS__))
const struct nas_received *expect_nas_with(struct tc *t, struct ue *ue,
					   const struct expectation *expectation);

/* The next non-UE-associated message to this node. Types: enum ngap_message. */
#define expect_ngap(t, gnb, ...) expect_ngap_with((t), (gnb), EXPECTATION(__VA_ARGS__))
const struct ngap_received *expect_ngap_with(struct tc *t, struct gnb *gnb,
					     const struct expectation *expectation);

/* The next NGAP message for this UE that is no mere NAS transport. Types: enum ngap_message. */
#define expect_ue_ngap(t, ue, ...) expect_ue_ngap_with((t), (ue), EXPECTATION(__VA_ARGS__))
const struct ngap_received *expect_ue_ngap_with(struct tc *t, struct ue *ue,
						const struct expectation *expectation);

/*
 * PAGING with the UE's 5G-S-TMSI, at any node, since the UE sent its last message. Silence is
 * inconc unless .silence says otherwise (the catalogue's rule for EXEMPT/10 to 12).
 */
#define expect_paging(t, ue, ...) expect_paging_with((t), (ue), EXPECTATION(__VA_ARGS__))
const struct ngap_received *expect_paging_with(struct tc *t, struct ue *ue,
					       const struct expectation *expectation);

/*
 * Nothing of .type (0: nothing but harmless messages) comes within .within; the whole time is
 * waited for. What comes is OUTCOME_VIOLATION, or .unmet.
 */
#define expect_no_nas(t, ue, ...) expect_no_nas_with((t), (ue), EXPECTATION(__VA_ARGS__))
void expect_no_nas_with(struct tc *t, struct ue *ue, const struct expectation *expectation);
#define expect_no_ngap(t, gnb, ...) expect_no_ngap_with((t), (gnb), EXPECTATION(__VA_ARGS__))
void expect_no_ngap_with(struct tc *t, struct gnb *gnb, const struct expectation *expectation);

/* Time passes; what arrives is queued and default behaviours answer. */
void observe(struct tc *t, uint64_t us);

/* Drops what waits in the queues of a UE or node: a new part of a case begins. */
void forget_nas(struct ue *ue);
void forget_ngap(struct gnb *gnb);

#endif
