/*
 * The tester's UP functions, where the IUT is a CP function. Each has a Node ID, an address for
 * node related messages and any number of addresses for F-SEIDs; there can be several UP functions.
 * What they say about their load and overload is the case's to decide, down to the octet.
 *
 *	static void half_of_the_requests_are_sent(struct tc *t)
 *	{
 *		struct upf *upf = upf_start(t);
 *		struct upf_offered offered;
 *
 *		upf_iut_associates(t);		// restart; association is set up
 *		upf_offer_all_sent(t, "count=20 op=establish rate=20");	// the adapter is honest
 *		upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = UPF_SECONDS(60));
 *		upf_tell(upf);			// a Session Report Request carries it
 *		offered = upf_offer(t, "count=1000 op=establish rate=500");
 *		...share_judge(&test, offered.offered, offered.sent, ...)
 *	}
 *
 * By itself a UPF answers: Association Setup, Update and Release Request, Heartbeat Request,
 * Session Establishment, Modification and Deletion Request (accepting them; those about sessions
 * that do not exist get cause 65). None of these stands in the way of an expectation.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_UPF_H
#define SPILLWAY_RUNNER_EMULATION_UPF_H

#include "runner/emulation/pfcp_path.h"

struct upf;
struct upf_session;

struct upf_options {
	int unused_;
	/*
	 * How many addresses of tester.n4 it takes, the next that are not in use; 0: one. The first
	 * is that of its node related messages; F-SEIDs take turns over all of them.
	 */
	unsigned int addresses;
	pfcp_alter_fn *alter; /* as pfcp_bend */
	void *alter_arg;
};

/* A UP function that listens; na where tester.n4 has too few addresses. */
#define upf_start(t, ...) upf_start_with((t), &(struct upf_options){ .unused_ = 0, __VA_ARGS__ })
struct upf *upf_start_with(struct tc *t, const struct upf_options *options);
struct pfcp_end *upf_end(struct upf *upf);
/* As the control action `sessions up=` counts: the entry of tester.n4, from 1. */
unsigned int upf_number(const struct upf *upf);
/* As `sessions address=` counts, for the i-th address of it (from 0). */
unsigned int upf_address_number(const struct upf *upf, unsigned int address);

/*
 * Makes the IUT associate with every UP function that was started: asks the adapter for `restart`,
 * else `start`, and waits ixit connect-time. tc_unreachable where no Association Setup Request
 * comes at all, fail where only some UP functions get one.
 */
void upf_iut_associates(struct tc *t);
/* CP Function Features of the IUT's last Association Setup Request; empty: it had none. */
struct octets upf_cp_features(const struct upf *upf);
bool upf_associated(const struct upf *upf);

/*
 * Restarts: sessions and the association are gone, the Recovery Time Stamp is a later one. Tells
 * the IUT by Heartbeat Requests with that stamp until it sets up the association anew (waits ixit
 * connect-time, then fail).
 */
void upf_restart(struct upf *upf);

/* Session Establishment Requests are refused with this cause; 0: accepted again. */
void upf_refuse(struct upf *upf, uint8_t cause);

/* --- load and overload control information ---------------------------------------------------- */

/* Where it stands; sets of these. 0 means UPF_IN_SESSION_RESPONSES | UPF_IN_REPORT. */
enum upf_place {
	UPF_IN_ESTABLISHMENT = 1 << 0, /* Session Establishment Response */
	UPF_IN_MODIFICATION = 1 << 1,
	UPF_IN_DELETION = 1 << 2,
	UPF_IN_REPORT = 1 << 3, /* Session Report Request */
	/* where the standard has none */
	UPF_IN_HEARTBEAT_RESPONSE = 1 << 4,
	UPF_IN_HEARTBEAT_REQUEST = 1 << 5,
	UPF_IN_ASSOCIATION_SETUP = 1 << 6, /* the response */
	UPF_IN_ASSOCIATION_UPDATE = 1 << 7,
	UPF_IN_SESSION_RESPONSES = UPF_IN_ESTABLISHMENT | UPF_IN_MODIFICATION | UPF_IN_DELETION,
};

enum upf_member {
	UPF_SEQUENCE_NUMBER = 1 << 0,
	UPF_METRIC = 1 << 1,
	UPF_TIMER = 1 << 2,
	UPF_FLAGS = 1 << 3,
};

/* Timer octet of a whole number of seconds that the IE can say; else the rig's error. */
#define UPF_SECONDS(s) ((s) ? 0x100 | (unsigned int)pfcp_timer_encode(s) : 0x100)
/* Any octet: UPF_OCTET(0xe0). */
#define UPF_OCTET(o) (0x100 | (unsigned int)(o))

struct upf_information {
	int unused_;
	uint32_t sequence_number;
	uint8_t metric;
	unsigned int timer; /* UPF_SECONDS() or UPF_OCTET(); 0: 60 s. Not for load */
	bool node;	    /* AOCI = 1: the whole Node ID. Not for load */
	uint8_t flags;	    /* other bits of OCI Flags */
	unsigned int in;    /* set of upf_place; 0: the four messages that may have it */
	/* Only in messages about sessions whose F-SEID has this address, from 1; 0: all */
	unsigned int address;
	unsigned int without; /* set of upf_member that are left out */
	unsigned int limit;   /* so many messages carry it; 0: all until it is changed */
	/* Changes the grouped IE once it is built: members more, lengths that lie, ... */
	void (*alter)(struct pfcp_message *msg, struct pfcp_ie *ie, void *arg);
	void *alter_arg;
};

/* From now on messages carry this, and no other overload control information. */
#define upf_oci(upf, ...) \
	upf_oci_with((upf), &(struct upf_information){ .unused_ = 0, __VA_ARGS__ })
void upf_oci_with(struct upf *upf, const struct upf_information *information);
/* A further instance behind those there are. */
#define upf_oci_more(upf, ...) \
	upf_oci_more_with((upf), &(struct upf_information){ .unused_ = 0, __VA_ARGS__ })
void upf_oci_more_with(struct upf *upf, const struct upf_information *information);
void upf_no_oci(struct upf *upf);
#define upf_lci(upf, ...) \
	upf_lci_with((upf), &(struct upf_information){ .unused_ = 0, __VA_ARGS__ })
void upf_lci_with(struct upf *upf, const struct upf_information *information);
void upf_no_lci(struct upf *upf);
/* Messages so far that carried overload (load) control information; loop time of the first. */
uint64_t upf_oci_sent(const struct upf *upf);
uint64_t upf_lci_sent(const struct upf *upf);
/* When the last message with overload control information was sent; LOOP_NEVER: never. */
uint64_t upf_oci_sent_at(const struct upf *upf);

/* --- sessions and requests of ours --------------------------------------------------------------
 */

/* The newest session that is there, at this address (from 1; 0: any); NULL: none. */
struct upf_session *upf_session(struct upf *upf, unsigned int address);
size_t upf_session_count(const struct upf *upf);
/* The address of its F-SEID, from 0. */
unsigned int upf_session_address(const struct upf_session *session);

/* A Session Report Request (downlink data), with what upf_oci and upf_lci say. Sends only. */
struct pfcp_exchange *upf_report(struct upf_session *session);
/*
 * The current information reaches the IUT now: a Session Report Request about the newest session
 * (at the address of the information), and its response is waited for: a refusal of it is inconc,
 * silence kills (tc_iut_dead). Without a session of this UP function: error.
 */
void upf_tell(struct upf *upf);
/* A Heartbeat Request; waits for the response. */
const struct pfcp_received *upf_heartbeat(struct upf *upf);

/* --- counting ----------------------------------------------------------------------------------
 */

/* Requests of the IUT that came first (repetitions are not counted), at all UP functions. */
struct upf_count;
struct upf_count *upf_count_start(struct tc *t);
void upf_count_stop(struct upf_count *count);

/* Which ones: everything 0 or NULL counts all session requests. */
struct upf_which {
	int unused_;
	enum pfcp_message_type type; /* 0: the three session requests */
	const struct upf *at;
	unsigned int address; /* of .at, that it came to, from 1 */
	int priority;	      /* PFCP_PRIORITY(n); 0: any */
	bool no_priority;     /* those without MP */
	int class;	      /* what upf_classify's function made of them; 0: any */
	uint64_t after;	      /* arrived at or after this instant */
	uint64_t before;      /* and before this one; 0: any */
};
#define upf_counted(count, ...) \
	upf_counted_with((count), &(struct upf_which){ .unused_ = 0, __VA_ARGS__ })
uint64_t upf_counted_with(const struct upf_count *count, const struct upf_which *which);
/* Arrival of the last of them; LOOP_NEVER: none. */
uint64_t upf_last_counted(const struct upf_count *count);
/* Sorts requests as they come; the class is a number from 1. NULL: no longer. */
void upf_classify(struct tc *t, int (*classify)(const struct pfcp_message *msg));

/* The control action `sessions` and what came of it. */
struct upf_offered {
	uint64_t offered; /* as the adapter says */
	/*
	 * Requests that came, over all UP functions: of the type that op= means, since a CP
	 * function may follow one up with others; of all session requests where it names none.
	 */
	uint64_t sent;
	bool has_failed, has_redirected; /* the adapter told */
	uint64_t failed, redirected;
	const struct upf_count *count; /* for upf_counted() */
};
/*
 * Runs "sessions" with these arguments ("count=1000 op=establish rate=100 up=1") and counts what
 * comes while it runs and until nothing has come for 1 s. The adapter's figures are checked: no
 * `offered`, another number than asked for, more sent (by 2 % or 2, whichever is larger) or more
 * failed than offered, or more redirected than sent is `error` with all figures. A procedure that
 * was neither sent nor failed is for the case to judge; one may have been sent and fail then.
 */
__attribute__((format(printf, 2, 3))) struct upf_offered upf_offer(struct tc *t, const char *format,
								   ...);
/* The same before any overload: where not all that was offered is sent, `error`. */
__attribute__((format(printf, 2, 3))) struct upf_offered
upf_offer_all_sent(struct tc *t, const char *format, ...);
void upf_offered_add(struct upf_offered *sum, struct upf_offered more);

#endif
