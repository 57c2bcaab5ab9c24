/* TP/N1/UE/KEEP, beyond the purposes: T3346 of a UE with two accesses, in one PLMN and in two. */
#include "suites/n1_backoff/life.h"

enum { R = 60 }; /* s */

static const struct nas_received *over(struct tc *t, struct nw_ue *ue, const struct nas_received *m,
				       const struct nw_node *node)
{
	if (m->carrier->node != node)
		tc_violation(t, "%s: its %s came over %s, not over %s", nw_ue_name(ue),
			     nas_message_name(m->msg.type), nw_node_name(m->carrier->node),
			     nw_node_name(node));
	return m;
}

/* R over non-3GPP access, with data that waits there. */
static struct back_off non_3gpp_back_off(struct tc *t, struct nw_ue *ue)
{
	struct back_off r = { .us = R * US_PER_S };

	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=%u kind=data access=non-3gpp", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .protected = PRESENT,
		      .node = node_of_kind(ue, NODE_N3IWF),
		      .why = "a registered UE is to be sent away");
	r.from = reject(t, ue, .t3346 = TIMER(R), .access = ACCESS_NON_3GPP);
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	return r;
}

static void first_access_waits(struct tc *t)
{
	struct nw_ue *ue = ue_on_both_accesses(t);
	struct nw_node *gnb = node_of_kind(ue, NODE_GNB);
	struct back_off r = non_3gpp_back_off(t, ue);

	tc_control(t, "ue-service ue=%u kind=data access=non-3gpp cancel=yes", nw_ue_number(ue));
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	over(t, ue,
	     due(t, ue, r, .type = SERVICE_REQUEST,
		 .why = "in one PLMN T3346 of non-3GPP access is that of 3GPP access"),
	     gnb);
}

static void other_plmn_goes_on(struct tc *t)
{
	const struct plmn *other = other_plmn(t);
	struct nw_ue *ue = registered_ue(t);
	struct nw_node *n3iwf = node_of_kind(ue, NODE_N3IWF);
	struct back_off r;

	tc_control(t, "ue-access ue=%u access=non-3gpp state=up plmn=%s", nw_ue_number(ue),
		   other->digits);
	nw_registered(ue, .access = ACCESS_NON_3GPP);
	r = back_off_in_peace(t, ue, R);
	quiet_until(t, ue, &r, 5 * US_PER_S);
	tc_control(t, "ue-service ue=%u kind=data access=non-3gpp", nw_ue_number(ue));
	over(t, ue,
	     at_once(t, ue, r, .type = SERVICE_REQUEST, .initial = PRESENT,
		     .why = "T3346 is of the PLMN that has sent it"),
	     n3iwf);
}

static void paging_stops_one_plmn(struct tc *t)
{
	const struct plmn *other = other_plmn(t);
	struct nw_ue *ue = new_ue(t);
	struct nw_node *n3iwf;
	struct back_off r;

	nw_registration(ue, .t3512 = T3512_OF_CASES);
	tc_control(t, "ue-access ue=%u access=non-3gpp state=up plmn=%s", nw_ue_number(ue),
		   other->digits);
	nw_registered(ue, .access = ACCESS_NON_3GPP);
	nw_registered(ue);
	n3iwf = node_of_kind(ue, NODE_N3IWF);
	r = non_3gpp_back_off(t, ue);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	at_once(t, ue, r, .type = SERVICE_REQUEST, .initial = PRESENT,
		.node = node_of_kind(ue, NODE_GNB), .why = "T3346 is of the PLMN that has sent it");
	settled(t, ue);
	nw_page(ue);
	at_once(t, ue, r, .type = SERVICE_REQUEST, .service = SERVICE(SR_MOBILE_TERMINATED),
		.initial = PRESENT, .node = node_of_kind(ue, NODE_GNB));
	settled(t, ue);
	over(t, ue,
	     due(t, ue, r, .type = SERVICE_REQUEST,
		 .why = "paging in one PLMN does not stop T3346 of another"),
	     n3iwf);
}

static void power_cycle_of_one_plmn(struct tc *t)
{
	const struct plmn *other = other_plmn(t);
	struct nw_ue *ue = new_ue(t);
	struct nw_node *n3iwf;
	struct back_off r;

	nw_registration(ue, .t3512 = T3512_OF_CASES);
	tc_control(t, "ue-access ue=%u access=non-3gpp state=up plmn=%s", nw_ue_number(ue),
		   other->digits);
	nw_registered(ue, .access = ACCESS_NON_3GPP);
	nw_registered(ue);
	n3iwf = node_of_kind(ue, NODE_N3IWF);
	r = non_3gpp_back_off(t, ue);
	tc_control(t, "ue-service ue=%u kind=data access=non-3gpp cancel=yes", nw_ue_number(ue));
	tc_control(t, "ue-power ue=%u state=off", nw_ue_number(ue));
	quiet_until(t, ue, &r, 10 * US_PER_S);
	tc_control(t, "ue-power ue=%u state=on clock=kept", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
		      .node = node_of_kind(ue, NODE_GNB),
		      .why = "no T3346 runs in the PLMN of 3GPP access");
	settled(t, ue);
	tc_control(t, "ue-register ue=%u type=initial access=non-3gpp", nw_ue_number(ue));
	over(t, ue,
	     due(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
		 .why = "a power cycle does not end T3346 of non-3GPP access"),
	     n3iwf);
}

/* 2 min, in units of 1 min: a GPRS timer 2 */
static void short_supervision(struct nas_msg *msg, void *arg)
{
	static const uint8_t value[] = { 0x22 };

	(void)arg;
	nas_add(msg, NAS_IE_NON_3GPP_DEREGISTRATION_TIMER, OCTETS(value, sizeof(value)));
}

static void registration_outlives(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct nw_node *n3iwf = node_of_kind(ue, NODE_N3IWF);
	struct back_off r;
	uint64_t later;

	nw_registration(ue, .t3512 = T3512_OF_CASES, .alter = short_supervision);
	nw_registered(ue, .access = ACCESS_NON_3GPP);
	r = back_off_in_peace(t, ue, 10 * R);
	later = r.us + nw_tolerance(r.us) + US_PER_S;
	quiet_until(t, ue, &r, later);
	/* T3346 and 4 min are not over */
	forget_nas_of(ue);
	tc_control(t, "ue-service ue=%u kind=data access=non-3gpp", nw_ue_number(ue));
	over(t, ue,
	     expect_nas_of(t, ue, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
			   .initial = PRESENT,
			   .why = "the registration over non-3GPP access outlives T3346"),
	     n3iwf);
}

static void access_comes_back(struct tc *t)
{
	struct nw_ue *ue = ue_on_both_accesses(t);
	struct nw_node *n3iwf = node_of_kind(ue, NODE_N3IWF);
	struct back_off r = back_off_in_peace(t, ue, R);

	quiet_until(t, ue, &r, 5 * US_PER_S);
	tc_control(t, "ue-access ue=%u access=non-3gpp state=down", nw_ue_number(ue));
	quiet_until(t, ue, &r, 10 * US_PER_S);
	tc_control(t, "ue-access ue=%u access=non-3gpp state=up", nw_ue_number(ue));
	over(t, ue,
	     due(t, ue, r, .type = SERVICE_REQUEST,
		 .why = "the service request of an access that comes waits for T3346"),
	     n3iwf);
}

#define KEEP(number, row, text)                                                    \
	.id = "TP/N1/UE/KEEP/" number, .requirement = "N1-U-" row, .clause = text, \
	.strength = SHALL, .role = ROLE_UE,                                        \
	.needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_NON_3GPP)

const struct test_case both_access_cases[BOTH_ACCESS_CASES] = {
	{ KEEP("X05", "20", "24.501 5.3.9"),
	  .purpose = "T3346 of non-3GPP access bars 3GPP access in the same PLMN too",
	  .stimulus = "UE on both accesses, sent away over non-3GPP access, wants data over 3GPP",
	  .expect = "Silence until T3346 expires, then SERVICE REQUEST over 3GPP access",
	  .iut_time_us = 70 * US_PER_S, .run = first_access_waits },
	{ KEEP("X06", "21", "23.501 5.19.7.2"),
	  .purpose = "T3346 does not bar another access in another PLMN",
	  .stimulus = "UE registered in two PLMNs, sent away over 3GPP access, wants data over "
		      "non-3GPP access",
	  .expect = "SERVICE REQUEST over non-3GPP access at once", .iut_time_us = 15 * US_PER_S,
	  .run = other_plmn_goes_on },
	{ KEEP("X07", "34", "24.501 5.3.7"),
	  .purpose = "A registration over non-3GPP access outlives T3346",
	  .stimulus = "Non-3GPP de-registration timer 2 min, T3346 10 min; data after its expiry",
	  .expect = "SERVICE REQUEST over non-3GPP access, no registration",
	  .iut_time_us = 12 * 60 * US_PER_S, .run = registration_outlives },
	{ KEEP("X08", "44", "24.501 5.6.1.1 f"),
	  .purpose = "Non-3GPP access that is established waits for T3346",
	  .stimulus = "UE on both accesses in back-off loses non-3GPP access and gets it again",
	  .expect = "Silence until T3346 expires, then SERVICE REQUEST over non-3GPP access",
	  .iut_time_us = 70 * US_PER_S, .run = access_comes_back },
	{ KEEP("X11", "21", "23.501 5.19.7.2; 24.501 5.3.9"),
	  .purpose = "Paging in one PLMN does not stop T3346 of the other access in another",
	  .stimulus = "UE registered in two PLMNs, sent away over non-3GPP access, wants data over "
		      "3GPP access, and is paged there",
	  .expect = "SERVICE REQUESTs over 3GPP access at once; silence over non-3GPP access until "
		    "T3346 expires, then SERVICE REQUEST",
	  .iut_time_us = 70 * US_PER_S, .run = paging_stops_one_plmn },
	{ KEEP("X12", "28", "24.501 5.3.9"),
	  .purpose = "A power cycle does not end T3346 of non-3GPP access",
	  .stimulus = "UE registered in two PLMNs, sent away over non-3GPP access, is switched off "
		      "and on",
	  .expect = "Registration over 3GPP access; over non-3GPP access only when T3346 is over",
	  .iut_time_us = 75 * US_PER_S, .run = power_cycle_of_one_plmn },
};
