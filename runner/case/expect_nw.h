/*
 * Expectations where the IUT is a UE or an NG-RAN node: what has to come from it, to which AMF, at
 * which moment - and above all, what must not come, and for how long.
 *
 * Everything works as in expect.h: each of the IUT's UEs has a queue for NAS and one for NGAP, each
 * of its nodes one for NGAP; an expectation takes the first message that matches, passes over what
 * a default behaviour answered or what is harmless, and any other message ends the case, named and
 * printed against what was expected.
 *
 * Harmless in NAS of a UE: AUTHENTICATION RESPONSE, AUTHENTICATION FAILURE, SECURITY MODE COMPLETE,
 * IDENTITY RESPONSE, REGISTRATION COMPLETE, CONFIGURATION UPDATE COMPLETE, UL NAS TRANSPORT that a
 * default behaviour answered. Not harmless: requests that nobody answered, SECURITY MODE REJECT,
 * 5GMM STATUS, NOTIFICATION RESPONSE.
 * Harmless in NGAP: acknowledgements and responses to what we sent, UE radio capability info,
 * RRC inactive transition reports, uplink transfers. Not harmless: ERROR INDICATION, failures.
 *
 * Three whole cases, to start from:
 *
 *	static void back_off_after_service_reject(struct tc *t)	// TP/N1/UE/START/02
 *	{
 *		struct nw_ue *ue;
 *
 *		nw_amf_start(t);
 *		nw_iut_connects(t);
 *		ue = nw_ue(t);
 *		nw_registered(ue);
 *		nw_ue_without(ue, NW_ACCEPT_SERVICE);
 *		tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
 *		expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_DATA));
 *		nw_reject(ue, .t3346 = TIMER(60));
 *		nw_ue_with(ue, NW_ACCEPT_SERVICE);
 *		// silent for 60 s, then the SERVICE REQUEST that is still needed
 *		expect_after(t, ue, nw_sent_at(ue), 60 * US_PER_S, .type = SERVICE_REQUEST);
 *	}
 *
 *	static void unprotected_value_is_not_used(struct tc *t)	// TP/N1/UE/UNPROT/01
 *	{
 *		...
 *		nw_ue_without(ue, NW_AUTHENTICATE | NW_ACCEPT_REGISTRATION);
 *		tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
 *		expect_nas_of(t, ue, .type = REGISTRATION_REQUEST);
 *		nw_reject(ue, .t3346 = TIMER(10), .protection = PROTECT_PLAIN);
 *		expect_between(t, ue, nw_sent_at(ue), 15 * 60 * US_PER_S, 30 * 60 * US_PER_S,
 *			       .type = REGISTRATION_REQUEST);
 *	}
 *
 *	static void half_of_the_data_is_sent(struct tc *t)	// TP/N2/RAN/TLR/01
 *	{
 *		struct share_test test = SHARE_TEST(0.5);
 *		struct nw_attempts sum = { 0 };
 *		...
 *		nw_attempts_all_sent(t, "cause=mo-Data count=20 rate=20");  // the adapter is honest
 *		nw_overload_start(node, .action = ACTION_1, .tlr = 50);
 *		do {
 *			nw_attempts_add(&sum, nw_attempts(t, "cause=mo-Data count=%u rate=100",
 *							  (unsigned int)test.step));
 *		} while (share_judge(&test, sum.offered, sum.sent, sum.offered >= test.last) ==
 *			 SHARE_UNDECIDED);
 *		...
 *	}
 */
#ifndef SPILLWAY_RUNNER_CASE_EXPECT_NW_H
#define SPILLWAY_RUNNER_CASE_EXPECT_NW_H

#include "runner/case/expect.h"
#include "runner/emulation/nw_overload.h"
#include "runner/case/stats.h"
#include "runner/emulation/nw_ue.h"

/* Values of which 0 is one: .service = SERVICE(SR_SIGNALLING). */
#define SERVICE(type) ((type) + 1)

/* Further conditions on a message of the IUT (struct nw_expectation extends struct expectation). */
struct nw_expectation {
	int unused_;
	uint64_t type; /* enum mm_message (NGAP: enum ngap_message) or ONE_OF(); 0: any not harmless
			*/
	uint64_t never;	 /* types that violate the requirement at once */
	uint64_t within; /* us; 0: profile->response_time */
	/* conditions on the message of the expected type; 0: not looked at */
	enum rrc_cause cause;	    /* of the INITIAL UE MESSAGE that carried it */
	enum reg_type registration; /* 5GS registration type */
	int service;		    /* SERVICE(SR_DATA), ... */
	enum ue_identity identity;  /* IDENTITY_SUCI, IDENTITY_GUTI (also a 5G-S-TMSI) */
	enum presence initial;	    /* came in an INITIAL UE MESSAGE, not over a connection */
	enum presence protected;    /* integrity protected, MAC right */
	/*
	 * expect_nas_of alone: returns only when the request can be answered protected, i.e. when
	 * NW_AUTHENTICATE has run to its end (SECURITY MODE COMPLETE), if it had to.
	 */
	bool secured;
	struct nw_amf *at;			/* came to this AMF; NULL: any */
	struct nw_node *node;			/* over this node; NULL: any */
	const char *why;			/* a sentence for the report */
	enum outcome unmet, otherwise, silence; /* as in struct expectation */
};
#define NW_EXPECTATION(...) (&(struct nw_expectation){ .unused_ = 0, __VA_ARGS__ })

/* --- UEs -------------------------------------------------------------------------------------- */

/* The next NAS message of this UE. Its NGAP message is ->carrier. */
#define expect_nas_of(t, ue, ...) expect_nas_of_with((t), (ue), NW_EXPECTATION(__VA_ARGS__))
const struct nas_received *expect_nas_of_with(struct tc *t, struct nw_ue *ue,
					      const struct nw_expectation *expectation);
/* As expect_nas_of, of whichever UE of the IUT (also strangers) first; ->nw_ue says which. */
#define expect_nas_of_any(t, ...) expect_nas_of_any_with((t), NW_EXPECTATION(__VA_ARGS__))
const struct nas_received *expect_nas_of_any_with(struct tc *t,
						  const struct nw_expectation *expectation);
/* The next NGAP message for this UE that carries no NAS. */
#define expect_ngap_of(t, ue, ...) expect_ngap_of_with((t), (ue), NW_EXPECTATION(__VA_ARGS__))
const struct ngap_received *expect_ngap_of_with(struct tc *t, struct nw_ue *ue,
						const struct nw_expectation *expectation);

/*
 * Nothing of .type (0: no REGISTRATION REQUEST, SERVICE REQUEST or CONTROL PLANE SERVICE REQUEST,
 * and no other message that begins a connection, readable or not, but DEREGISTRATION REQUEST) from
 * this UE until .within from now. What comes is a violation (or .unmet). In contrast to
 * expect_silence without tolerance.
 */
#define expect_no_nas_of(t, ue, ...) expect_no_nas_of_with((t), (ue), NW_EXPECTATION(__VA_ARGS__))
void expect_no_nas_of_with(struct tc *t, struct nw_ue *ue,
			   const struct nw_expectation *expectation);

/* --- instants --------------------------------------------------------------------------------- */

/* Tolerance of a timer: 10 % or 2 s, whichever is larger. */
uint64_t nw_tolerance(uint64_t us);

/*
 * For all of these: from is an instant in loop time (nw_sent_at(ue), m->time, loop_now()); .type 0
 * means any request, as in expect_no_nas_of; messages that came before `from` are forgotten.
 * Messages that are too early, too late or not there are OUTCOME_VIOLATION (or .unmet).
 */

/* Silence until from + us (less the tolerance); returns at that moment. */
#define expect_silence(t, ue, from, us, ...) \
	expect_silence_with((t), (ue), (from), (us), NW_EXPECTATION(__VA_ARGS__))
void expect_silence_with(struct tc *t, struct nw_ue *ue, uint64_t from, uint64_t us,
			 const struct nw_expectation *expectation);
/* Silence for us (+- tolerance), and then the message. The conditions of the expectation hold. */
#define expect_after(t, ue, from, us, ...) \
	expect_after_with((t), (ue), (from), (us), NW_EXPECTATION(__VA_ARGS__))
const struct nas_received *expect_after_with(struct tc *t, struct nw_ue *ue, uint64_t from,
					     uint64_t us, const struct nw_expectation *expectation);
/* The same where the length is only known to lie in min to max (- and + tolerance). */
#define expect_between(t, ue, from, min, max, ...) \
	expect_between_with((t), (ue), (from), (min), (max), NW_EXPECTATION(__VA_ARGS__))
const struct nas_received *expect_between_with(struct tc *t, struct nw_ue *ue, uint64_t from,
					       uint64_t min, uint64_t max,
					       const struct nw_expectation *expectation);

/* --- nodes ------------------------------------------------------------------------------------ */

/* The next non-UE-associated message of this node. */
#define expect_node(t, node, ...) expect_node_with((t), (node), NW_EXPECTATION(__VA_ARGS__))
const struct ngap_received *expect_node_with(struct tc *t, struct nw_node *node,
					     const struct nw_expectation *expectation);
#define expect_no_node(t, node, ...) expect_no_node_with((t), (node), NW_EXPECTATION(__VA_ARGS__))
void expect_no_node_with(struct tc *t, struct nw_node *node,
			 const struct nw_expectation *expectation);
/*
 * ERROR INDICATION of the node about a message of ours (procedure code; -1: any). Fields that the
 * message does not have are -1; .ie and .type_of_error are those of the first entry of the list.
 */
struct nw_error_report {
	int cause_group; /* enum ngap_cause_choice */
	int cause;
	int procedure_code, triggering_message, procedure_criticality;
	int ie, ie_criticality, type_of_error;
};
bool received_error_report(const struct ngap_received *m, struct nw_error_report *report);

void forget_nas_of(struct nw_ue *ue);
void forget_node(struct nw_node *node);

/* --- what is in a message --------------------------------------------------------------------- */

/* All take NULL and messages of another type: RRC_DEFAULT, 0, -1, false. */
enum rrc_cause received_rrc_cause(const struct nas_received *m); /* of its INITIAL UE MESSAGE */
enum rrc_cause received_initial_cause(const struct ngap_received *m);
enum reg_type received_registration_type(const struct nas_received *m);
int received_service_type(const struct nas_received *m);
bool received_follow_on(const struct nas_received *m);
/* False where the message has none; octets in it live as long as the message. */
bool received_identity(const struct nas_received *m, struct nas_identity *identity);
bool received_s_tmsi(const struct ngap_received *m, struct nas_s_tmsi *s_tmsi);
const char *rrc_cause_name(enum rrc_cause cause); /* "mo-Data": as control actions want it */

/* --- counting -----------------------------------------------------------------------------------
 */

/* What a counter has seen of INITIAL UE MESSAGEs, at all AMFs. */
struct nw_count;

/* Counts from now on; as many counters at a time as a case likes. */
struct nw_count *nw_count_start(struct tc *t);
void nw_count_stop(struct nw_count *count);

/* Which ones: everything 0 or NULL counts all. */
struct nw_which {
	int unused_;
	enum rrc_cause cause;
	const struct nw_amf *at;
	const struct nw_node *node;
	int tnl; /* TNL association of .at or .node, from 1 */
	/*
	 * Requested NSSAI (IE of the INITIAL UE MESSAGE, else the one in the NAS message where that
	 * can be read), else its Allowed NSSAI: exactly these S-NSSAIs, in any order.
	 */
	const struct slice *nssai;
	size_t nssai_count;
	const struct nw_guami *guami; /* the 5G-S-TMSI's set and pointer, or the GUAMI IE */
	uint64_t after;		      /* arrived at or after this instant */
};
#define nw_counted(count, ...) \
	nw_counted_with((count), &(struct nw_which){ .unused_ = 0, __VA_ARGS__ })
uint64_t nw_counted_with(const struct nw_count *count, const struct nw_which *which);
/* The last of them; NULL: none. received_s_tmsi() and received_initial_cause() read it. */
#define nw_last_counted(count, ...) \
	nw_last_counted_with((count), &(struct nw_which){ .unused_ = 0, __VA_ARGS__ })
const struct ngap_received *nw_last_counted_with(const struct nw_count *count,
						 const struct nw_which *which);
/* UPLINK NAS TRANSPORTs at all AMFs since the counter began. */
uint64_t nw_counted_uplinks(const struct nw_count *count);

/* --- attempts --------------------------------------------------------------------------------- */

/* The control action `attempts` and what came of it. */
struct nw_attempts {
	uint64_t offered;  /* as the adapter says */
	uint64_t sent;	   /* INITIAL UE MESSAGEs that came, over all AMFs */
	uint64_t uplink;   /* UPLINK NAS TRANSPORTs that came meanwhile (resume=yes) */
	uint64_t foreign;  /* of those sent: with another RRC cause than asked for */
	bool has_rejected; /* the adapter told */
	uint64_t rejected;
	bool has_wait_time;
	double wait_time;	      /* s */
	const struct nw_count *count; /* for nw_counted() */
};

/*
 * Runs "attempts" with these arguments ("cause=mo-Data count=1000 rate=100 nssai=1-010203"), counts
 * what comes while it runs and until nothing has come for 1 s, and checks the adapter's figures
 * against it: no `offered`, fewer or more offered than asked for, more sent than offered, or a sum
 * of sent and rejected that is not what was offered (2 % or 2, whichever is larger) is `error` with
 * all figures. Each INITIAL UE MESSAGE is answered by UE CONTEXT RELEASE COMMAND alone
 * (NW_RELEASE_AT_ONCE), unless the AMF's default behaviour NW_RELEASE is off.
 */
__attribute__((format(printf, 2, 3))) struct nw_attempts nw_attempts(struct tc *t,
								     const char *format, ...);
/*
 * The same before any overload: where not all that was offered is sent, or something is said to be
 * rejected, either the adapter lies or the way to the AMF is broken, and no share can be judged:
 * `error` with both figures.
 */
__attribute__((format(printf, 2, 3))) struct nw_attempts
nw_attempts_all_sent(struct tc *t, const char *format, ...);
void nw_attempts_add(struct nw_attempts *sum, struct nw_attempts more);

/*
 * A UE at the radio side that is connected, and nothing more: no NAS is understood or answered, and
 * what it sends is found by expect_ngap_of(t, ue, .type = NGAP_UPLINK_NAS_TRANSPORT).
 */
struct nw_held {
	struct nw_ue *ue;
	unsigned int number; /* for ue=N of `uplink`, `inactive` and `attempts resume=yes` */
};
/*
 * One attempt with these arguments ("cause=mo-Signalling nssai=2"), answered by INITIAL CONTEXT
 * SETUP REQUEST with this Allowed NSSAI (count 0: the profile's slices). The connection stays.
 * inconc where the node does not complete the setup; error where the attempt does not come.
 */
__attribute__((format(printf, 4, 5))) struct nw_held
nw_hold(struct tc *t, const struct slice *allowed, size_t count, const char *format, ...);

#endif
