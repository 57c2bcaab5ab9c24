/* TP/N1/UE/STOP: what ends T3346 before its time. */
#include "suites/n1_backoff/life.h"

enum { R = 60 }; /* s, of condition "R" */

/* The proof that T3346 has stopped: data that the user wants now is asked for now. */
static void data_goes_at_once(struct tc *t, struct nw_ue *ue, struct back_off r)
{
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	/* After DL NAS TRANSPORT that is a should, and then silence is no more than a warning. */
	at_once(t, ue, r, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		.initial = PRESENT, .silence = OUTCOME_VIOLATION,
		.why = "T3346 is stopped, and not only passed by");
}

/* After so long of T3346. */
static struct back_off paging_answered(struct tc *t, struct nw_ue *ue, uint64_t us)
{
	struct nw_node *gnb = nw_ue_node(ue);
	struct back_off r = back_off_in_peace(t, ue, R);

	quiet_until(t, ue, &r, us);
	nw_page(ue);
	at_once(t, ue, r, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		.service = SERVICE(SR_MOBILE_TERMINATED), .cause = RRC_MT_ACCESS,
		.initial = PRESENT, .protected = PRESENT, .node = gnb,
		.why = "paging ends the back-off");
	settled(t, ue);
	return r;
}

static void paging_is_answered(struct tc *t)
{
	paging_answered(t, registered_ue(t), 40 * US_PER_S);
}

static void paging_stops(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);

	data_goes_at_once(t, ue, paging_answered(t, ue, 5 * US_PER_S));
}

static void paging_stops_on_both_accesses(struct tc *t)
{
	struct nw_ue *ue = ue_on_both_accesses(t);
	struct nw_node *n3iwf = node_of_kind(ue, NODE_N3IWF);
	struct back_off r;

	r = back_off_in_peace(t, ue, R);
	nw_page(ue);
	at_once(t, ue, r, .type = SERVICE_REQUEST, .service = SERVICE(SR_MOBILE_TERMINATED),
		.node = node_of_kind(ue, NODE_GNB), .why = "paging ends the back-off");
	settled(t, ue);
	tc_control(t, "ue-service ue=%u kind=data access=non-3gpp", nw_ue_number(ue));
	at_once(t, ue, r, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		.initial = PRESENT, .node = n3iwf,
		.why = "in one PLMN paging stops T3346 for both accesses");
}

static void paging_for_other_access_stops(struct tc *t)
{
	struct nw_ue *ue = ue_on_both_accesses(t);
	struct nw_node *n3iwf = node_of_kind(ue, NODE_N3IWF);
	struct back_off r = back_off_in_peace(t, ue, R);

	nw_page(ue, .access = ACCESS_NON_3GPP);
	at_once(t, ue, r, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		.service = SERVICE(SR_MOBILE_TERMINATED), .initial = PRESENT, .protected = PRESENT,
		.node = n3iwf, .why = "non-3GPP access is there, and answers for itself");
	settled(t, ue);
	data_goes_at_once(t, ue, r);
}

static void paging_after_rejected_update(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r;

	/* inside its area: only the reject makes the state */
	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-register ue=%u type=mobility", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
		      .protected = PRESENT, .why = "a registered UE is to be sent away");
	r = sent_away(t, ue, R);
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	quiet_until(t, ue, &r, 5 * US_PER_S);
	nw_page(ue);
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .never = SERVICE_REQUEST,
		.registration = REG_MOBILITY, .identity = IDENTITY_GUTI, .cause = RRC_MT_ACCESS,
		.initial = PRESENT,
		.why = "a UE whose update was rejected is in ATTEMPTING-REGISTRATION-UPDATE");
}

/* Connected over non-3GPP access, sent away over 3GPP access, idle there. */
static struct back_off back_off_beside_connection(struct tc *t, struct nw_ue *ue)
{
	struct back_off r = { .us = R * US_PER_S };

	nw_connected(ue, .access = ACCESS_NON_3GPP);
	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .protected = PRESENT,
		      .node = node_of_kind(ue, NODE_GNB),
		      .why = "a registered UE is to be sent away");
	nw_reject(ue, .t3346 = TIMER(R));
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	r.from = nw_sent_at(ue);
	nw_release(ue, ACCESS_3GPP);
	settled(t, ue);
	wants_no_data(t, ue);
	return r;
}

static void notification_stops(struct tc *t)
{
	struct nw_ue *ue = ue_on_both_accesses(t);
	struct nw_node *n3iwf = node_of_kind(ue, NODE_N3IWF);
	struct back_off r = back_off_beside_connection(t, ue);
	const struct nas_received *m;

	nw_notify(ue, .access = ACCESS_3GPP);
	m = at_once(t, ue, r,
		    .type = ONE_OF(SERVICE_REQUEST, REGISTRATION_REQUEST, NOTIFICATION_RESPONSE),
		    .why = "NOTIFICATION is answered, and ends the back-off");
	if (m->msg.type == NAS_NOTIFICATION_RESPONSE)
		tc_note(t, "the UE answers by NOTIFICATION RESPONSE although it has a cell");
	else if (m->carrier->node == n3iwf)
		tc_violation(t,
			     "%s answers the NOTIFICATION for 3GPP access by %s over non-3GPP "
			     "access",
			     nw_ue_name(ue), nas_message_name(m->msg.type));
	if (m->msg.type == NAS_SERVICE_REQUEST && received_service_type(m) != SR_MOBILE_TERMINATED)
		tc_violation(t,
			     "%s answers the NOTIFICATION by SERVICE REQUEST with service type "
			     "%d, not 2 (mobile terminated services)",
			     nw_ue_name(ue), received_service_type(m));
	tc_sleep(t, US_PER_S);
	nw_idle(ue, .access = ACCESS_3GPP);
	nw_idle(ue, .access = ACCESS_NON_3GPP);
	tc_sleep(t, US_PER_S);
	data_goes_at_once(t, ue, r);
}

/* param: whether CONFIGURATION UPDATE COMPLETE is asked for */
static void configuration_update_stops(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	connected_by_exemption(t, ue);
	nw_configuration_update(ue, .acknowledge = t->test->param, .keep_connected = true);
	if (t->test->param)
		expect_nas_of(t, ue, .type = CONFIGURATION_UPDATE_COMPLETE, .protected = PRESENT,
			      .why = "the command asks for it");
	else
		expect_no_nas_of(t, ue, .type = CONFIGURATION_UPDATE_COMPLETE,
				 .why = "the command does not ask for it");
	nw_idle(ue);
	tc_sleep(t, US_PER_S);
	data_goes_at_once(t, ue, r);
}

static void downlink_transport_stops(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	connected_by_exemption(t, ue);
	nw_dl_nas_transport(ue, .keep_connected = true);
	/* what the UE makes of its content is not looked at */
	nw_ue_harmless(ue, MM_STATUS);
	nw_ue_harmless(ue, UL_NAS_TRANSPORT);
	tc_sleep(t, 2 * US_PER_S);
	nw_idle(ue);
	tc_sleep(t, US_PER_S);
	data_goes_at_once(t, ue, r);
}

static void reregistration_stops(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	connected_by_exemption(t, ue);
	nw_deregister(ue, .cause = 22, .t3346 = TIMER(30 * 60), .reregister = true);
	expect_nas_of(t, ue, .type = DEREGISTRATION_ACCEPT_UE, .protected = PRESENT);
	nw_keep_connected(ue, false);
	nw_release(ue, ACCESS_3GPP);
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .never = SERVICE_REQUEST,
		.registration = REG_INITIAL, .initial = PRESENT,
		.why = "re-registration is required: cause and T3346 do not count");
}

static void other_plmn_stops(struct tc *t)
{
	const struct plmn *other = other_plmn(t);
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);
	const struct nas_received *m;

	quiet_until(t, ue, &r, 5 * US_PER_S);
	moves_to(t, ue, other, false);
	m = at_once(t, ue, r, .type = REGISTRATION_REQUEST, .never = SERVICE_REQUEST,
		    .initial = PRESENT, .why = "T3346 is one of another PLMN");
	if (!came_from(m, other))
		tc_violation(t, "%s registers, but not in PLMN %s", nw_ue_name(ue), other->digits);
	settled(t, ue);
	/* stopped when a procedure began there, and so also where it was started */
	forget_nas_of(ue);
	moves_to(t, ue, &t->profile->plmn, false);
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .initial = PRESENT,
		.why = "T3346 was stopped by the registration in the other PLMN");
}

#define STOP_OF(number, row, ...) \
	.id = "TP/N1/UE/STOP/" number, .requirement = "N1-U-" row, .role = ROLE_UE, __VA_ARGS__
#define STOP(number, row, ...) STOP_OF(number, row, .strength = SHALL, __VA_ARGS__)

const struct test_case stop_cases[STOP_CASES] = {
	{ STOP("01", "22", .clause = "24.501 5.3.9, 5.6.2.2.1", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "Paging is answered while T3346 runs",
	  .stimulus = "PAGING of a UE in back-off",
	  .expect = "SERVICE REQUEST with service type mobile terminated services, cause mt-Access",
	  .iut_time_us = 45 * US_PER_S, .run = paging_is_answered },
	{ STOP("02", "22", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "Paging stops T3346, it does not only pass by it",
	  .stimulus = "PAGING is answered and released; then the user wants to send data",
	  .expect = "SERVICE REQUEST at once", .iut_time_us = 10 * US_PER_S, .run = paging_stops },
	{ STOP("03", "22", .clause = "24.501 5.3.9",
	       .needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_NON_3GPP)),
	  .purpose = "Paging over 3GPP access stops T3346 for non-3GPP access in the same PLMN too",
	  .stimulus = "UE on both accesses in back-off is paged; then it wants data over non-3GPP",
	  .expect = "SERVICE REQUEST over non-3GPP access at once", .iut_time_us = 10 * US_PER_S,
	  .run = paging_stops_on_both_accesses },
	{ STOP("04", "23", .clause = "24.501 5.6.3.2, 5.3.9",
	       .needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_NON_3GPP) | NEEDS(ICS_NOTIFICATION)),
	  .purpose = "NOTIFICATION stops T3346 and is answered",
	  .stimulus = "UE on both accesses in back-off, connected over non-3GPP access, gets "
		      "NOTIFICATION for 3GPP access; later it wants data",
	  .expect = "SERVICE REQUEST or REGISTRATION REQUEST over 3GPP access; later SERVICE "
		    "REQUEST at once",
	  .iut_time_us = 10 * US_PER_S, .run = notification_stops },
	{ STOP("05", "25", .clause = "24.501 5.4.4.3", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "CONFIGURATION UPDATE COMMAND stops T3346",
	  .stimulus = "UE in back-off, connected by an exemption, gets CONFIGURATION UPDATE "
		      "COMMAND that asks for an answer; later it wants data",
	  .expect = "CONFIGURATION UPDATE COMPLETE; later SERVICE REQUEST at once",
	  .iut_time_us = 10 * US_PER_S, .run = configuration_update_stops, .param = true },
	{ STOP("06", "05", .clause = "24.501 5.5.2.3.2", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "De-registered with re-registration required, the UE registers whatever cause "
		     "and T3346 say",
	  .stimulus = "DEREGISTRATION REQUEST with re-registration required, cause 22, T3346 30 "
		      "min for a UE in back-off",
	  .expect = "DEREGISTRATION ACCEPT, and initial registration at once",
	  .iut_time_us = 10 * US_PER_S, .run = reregistration_stops },
	{ STOP("07", "29", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "T3346 ends when the UE registers in a PLMN that is not equivalent",
	  .stimulus = "UE in back-off moves to a PLMN that is not equivalent, and back",
	  .expect = "REGISTRATION REQUEST there at once, and here too",
	  .iut_time_us = 15 * US_PER_S, .run = other_plmn_stops },
	{ STOP("X01", "25", .clause = "24.501 5.4.4.3", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "CONFIGURATION UPDATE COMMAND stops T3346 also where it asks for no answer",
	  .stimulus = "as STOP/05, without request for acknowledgement",
	  .expect = "no CONFIGURATION UPDATE COMPLETE; later SERVICE REQUEST at once",
	  .iut_time_us = 15 * US_PER_S, .run = configuration_update_stops, .param = false },
	/* stage 2 alone says so: a UE by the letter of stage 3 is warned of */
	{ STOP_OF("X02", "26", .strength = SHOULD, .clause = "23.501 5.19.7.2",
		  .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "DL NAS TRANSPORT stops T3346",
	  .stimulus = "UE in back-off, connected by an exemption, gets DL NAS TRANSPORT; later it "
		      "wants data",
	  .expect = "SERVICE REQUEST at once", .iut_time_us = 10 * US_PER_S,
	  .run = downlink_transport_stops },
	{ STOP("X03", "24", .clause = "24.501 5.6.1.7 c",
	       .needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_NON_3GPP)),
	  .purpose = "Paging for non-3GPP access stops T3346 and is answered there",
	  .stimulus =
		  "UE on both accesses in back-off is paged with access type non-3GPP; later it "
		  "wants data",
	  .expect = "SERVICE REQUEST over non-3GPP access; later one over 3GPP access at once",
	  .iut_time_us = 10 * US_PER_S, .run = paging_for_other_access_stops },
	{ STOP("X04", "02", .clause = "24.501 5.5.1.3.5, 5.5.1.3.2 d",
	       .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "A UE whose update was rejected with T3346 answers paging by an update",
	  .stimulus = "REGISTRATION REJECT of a mobility update with cause 22 and T3346; PAGING",
	  .expect = "REGISTRATION REQUEST for mobility updating, no SERVICE REQUEST",
	  .iut_time_us = 15 * US_PER_S, .run = paging_after_rejected_update },
};
