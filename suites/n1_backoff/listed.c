/*
 * TP/N1/UE/ALLOW, beyond the purposes: the lists of what T3346 does not bar, item by item, for UEs
 * that are not registered, that have to update, and that are connected; and what is on none of
 * them.
 */
#include "suites/n1_backoff/life.h"

enum { R = 60 }; /* s */

static const char *const allowed = "T3346 does not bar it";

/* Not registered: the REGISTRATION REQUEST was sent away. From then on the network serves it. */
static struct back_off unregistered_back_off(struct tc *t, struct nw_ue **ue)
{
	struct back_off r;

	nw_amf_start(t);
	*ue = registering_ue(t, 0);
	r = sent_away(t, *ue, R);
	nw_ue_with(*ue, NW_ACCEPT_REGISTRATION);
	quiet_until(t, *ue, &r, 5 * US_PER_S);
	return r;
}

/* In ATTEMPTING-REGISTRATION-UPDATE: it has left its area, and nothing else is wanted. */
static struct back_off attempting_back_off(struct tc *t, struct nw_ue **ue)
{
	struct back_off r;

	*ue = ue_in_one_area(t);
	r = back_off_in_peace(t, *ue, R);
	leaves_area(t, *ue);
	quiet_until(t, *ue, &r, 5 * US_PER_S);
	return r;
}

static void emergency_registration(struct tc *t)
{
	struct nw_ue *ue;
	struct back_off r = unregistered_back_off(t, &ue);

	tc_control(t, "ue-service ue=%u kind=emergency", nw_ue_number(ue));
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_EMERGENCY,
		.cause = RRC_EMERGENCY, .initial = PRESENT, .why = allowed);
}

static void priority_registration(struct tc *t)
{
	struct nw_ue *ue;
	struct back_off r = unregistered_back_off(t, &ue);

	tc_control(t, "ue-config ue=%u access-identities=1", nw_ue_number(ue));
	tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
		.cause = RRC_MPS_PRIORITY_ACCESS, .initial = PRESENT, .why = allowed);
}

static void exception_registration(struct tc *t)
{
	struct nw_ue *ue;
	struct back_off r = unregistered_back_off(t, &ue);

	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-service ue=%u kind=exception", nw_ue_number(ue));
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
		.cause = RRC_MO_EXCEPTION_DATA, .initial = PRESENT, .secured = true,
		.why = allowed);
	r = sent_away(t, ue, R);
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-service ue=%u kind=exception", nw_ue_number(ue));
	due(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
	    .why = "this T3346 came on a connection with cause mo-ExceptionData");
}

static void connected_update(struct tc *t)
{
	struct nw_ue *ue = ue_in_one_area(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	connected_by_exemption(t, ue);
	leaves_area(t, ue);
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
		.initial = ABSENT, .why = "in 5GMM-CONNECTED mode T3346 does not bar updates");
}

static void priority_update(struct tc *t)
{
	struct nw_ue *ue = ue_in_one_area(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	tc_control(t, "ue-config ue=%u access-identities=1", nw_ue_number(ue));
	quiet_until(t, ue, &r, 5 * US_PER_S);
	leaves_area(t, ue);
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .never = SERVICE_REQUEST,
		.registration = REG_MOBILITY, .cause = RRC_MPS_PRIORITY_ACCESS, .initial = PRESENT,
		.why = allowed);
}

static void emergency_update(struct tc *t)
{
	struct nw_ue *ue;
	struct back_off r = attempting_back_off(t, &ue);

	tc_control(t, "ue-service ue=%u kind=emergency", nw_ue_number(ue));
	/* for mobility, or for emergency services */
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .never = SERVICE_REQUEST,
		.cause = RRC_EMERGENCY, .initial = PRESENT,
		.why = "an emergency call of a UE in ATTEMPTING-REGISTRATION-UPDATE");
}

static void coverage_gap(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);
	const struct nas_received *m;

	quiet_until(t, ue, &r, 5 * US_PER_S);
	tc_control(t, "ue-service ue=%u kind=coverage-gap", nw_ue_number(ue));
	m = at_once(t, ue, r, .type = REGISTRATION_REQUEST, .never = SERVICE_REQUEST,
		    .registration = REG_MOBILITY, .initial = PRESENT, .protected = PRESENT,
		    .why = allowed);
	if (!nas_find(&m->msg, NAS_IE_UNAVAILABILITY_INFORMATION))
		tc_violation(t,
			     "%s updates, but does not say that it will be unavailable: no "
			     "Unavailability information",
			     nw_ue_name(ue));
}

/* param: the access identity; each has its RRC cause */
static void other_identity(struct tc *t)
{
	bool mcs = t->test->param == 2;
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	tc_control(t, "ue-config ue=%u access-identities=%d", nw_ue_number(ue), t->test->param);
	quiet_until(t, ue, &r, 5 * US_PER_S);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	at_once(t, ue, r, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		.service = SERVICE(SR_HIGH_PRIORITY),
		.cause = mcs ? RRC_MCS_PRIORITY_ACCESS : RRC_HIGH_PRIORITY_ACCESS,
		.initial = PRESENT, .why = allowed);
}

/* --- on no list --- */

static void calls_and_signalling(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	quiet_until(t, ue, &r, 5 * US_PER_S);
	tc_control(t, "ue-service ue=%u kind=ims-voice", nw_ue_number(ue));
	quiet_until(t, ue, &r, 20 * US_PER_S);
	tc_control(t, "ue-service ue=%u kind=signalling", nw_ue_number(ue));
	due(t, ue, r, .type = SERVICE_REQUEST, .why = "T3346 bars calls and signalling");
}

static void periodic_update(struct tc *t)
{
	struct nw_ue *ue = new_ue(t);
	struct back_off r;

	nw_registration(ue, .t3512 = TIMER(R / 2));
	nw_registered(ue);
	r = back_off_in_peace(t, ue, R);
	due(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_PERIODIC,
	    .why = "T3512 has expired meanwhile");
}

static void data_without_registration(struct tc *t)
{
	struct nw_ue *ue;
	struct back_off r = unregistered_back_off(t, &ue);

	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	due(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
	    .why = "T3346 bars the registration that data needs");
}

#define LISTED(number, row, text, ...)                                              \
	.id = "TP/N1/UE/ALLOW/" number, .requirement = "N1-U-" row, .clause = text, \
	.role = ROLE_UE, .strength = SHALL, .needs = NEEDS(ICS_NAS_CONGESTION) | __VA_ARGS__

const struct test_case listed_cases[LISTED_CASES] = {
	{ LISTED("X01", "41", "24.501 5.5.1.2.7 a", NEEDS(ICS_EMERGENCY)),
	  .purpose = "T3346 does not bar registration for emergency services",
	  .stimulus = "An emergency call of a UE whose registration was rejected with T3346",
	  .expect = "REGISTRATION REQUEST for emergency services, cause emergency",
	  .iut_time_us = 10 * US_PER_S, .run = emergency_registration },
	{ LISTED("X02", "41", "24.501 5.5.1.2.7 a", NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "T3346 does not bar the initial registration of a UE with access identity 1",
	  .stimulus = "A UE whose registration was rejected with T3346 gets access identity 1",
	  .expect = "REGISTRATION REQUEST, cause mps-PriorityAccess", .iut_time_us = 10 * US_PER_S,
	  .run = priority_registration },
	{ LISTED("X03", "41", "24.501 5.5.1.2.7 a", NEEDS(ICS_CP_CIOT)),
	  .purpose = "T3346 does not bar the initial registration for exception data, unless it "
		     "came on a connection for such",
	  .stimulus = "Exception data of a UE whose registration was rejected with T3346; it is "
		      "rejected as well, and wanted again",
	  .expect = "REGISTRATION REQUEST, cause mo-ExceptionData; then none until T3346 expires",
	  .iut_time_us = 80 * US_PER_S, .run = exception_registration },
	{ LISTED("X04", "42", "24.501 5.5.1.3.7 a", 0),
	  .purpose = "T3346 does not bar updates in 5GMM-CONNECTED mode",
	  .stimulus = "UE in back-off, connected by an exemption, leaves its registration area",
	  .expect = "REGISTRATION REQUEST for mobility updating over the connection",
	  .iut_time_us = 10 * US_PER_S, .run = connected_update },
	{ LISTED("X05", "42", "24.501 5.5.1.3.7 a", NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "T3346 does not bar the update of a UE with access identity 1",
	  .stimulus = "UE in back-off gets access identity 1 and leaves its registration area",
	  .expect = "REGISTRATION REQUEST for mobility updating, cause mps-PriorityAccess",
	  .iut_time_us = 15 * US_PER_S, .run = priority_update },
	{ LISTED("X06", "42", "24.501 5.5.1.3.7 a", NEEDS(ICS_EMERGENCY)),
	  .purpose = "T3346 does not bar the update that an emergency call needs",
	  .stimulus = "UE in back-off leaves its registration area; an emergency call",
	  .expect = "REGISTRATION REQUEST, cause emergency", .iut_time_us = 15 * US_PER_S,
	  .run = emergency_update },
	{ LISTED("X07", "40", "24.501 5.3.9", NEEDS(ICS_DISCONTINUOUS_COVERAGE)),
	  .purpose = "T3346 does not bar the report of unavailability by discontinuous coverage",
	  .stimulus = "UE in back-off is about to lose coverage",
	  .expect = "REGISTRATION REQUEST for mobility updating with Unavailability information",
	  .iut_time_us = 10 * US_PER_S, .run = coverage_gap },
	{ LISTED("X08", "43", "24.501 5.6.1.7 c", 0), .purpose = "T3346 bars calls and signalling",
	  .stimulus = "UE in back-off wants an IMS voice call, then signalling",
	  .expect = "Silence until T3346 expires, then SERVICE REQUEST",
	  .iut_time_us = 70 * US_PER_S, .run = calls_and_signalling },
	{ LISTED("X09", "42", "24.501 5.5.1.3.7 a", 0), .purpose = "T3346 bars periodic updates",
	  .stimulus = "T3512 expires before T3346 does",
	  .expect = "Silence until T3346 expires, then REGISTRATION REQUEST for periodic updating",
	  .iut_time_us = 70 * US_PER_S, .run = periodic_update },
	{ LISTED("X10", "41", "24.501 5.5.1.2.7 a", 0),
	  .purpose = "T3346 bars the registration that data needs",
	  .stimulus = "A UE whose registration was rejected with T3346 wants to send data",
	  .expect = "Silence until T3346 expires, then REGISTRATION REQUEST",
	  .iut_time_us = 70 * US_PER_S, .run = data_without_registration },
	{ LISTED("X11", "43", "24.501 5.6.1.7 c, table 4.5.6.1", NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "T3346 does not bar a UE with access identity 2",
	  .stimulus = "UE in back-off gets access identity 2 and wants to send data",
	  .expect = "SERVICE REQUEST with service type high priority access, cause "
		    "mcs-PriorityAccess",
	  .iut_time_us = 10 * US_PER_S, .run = other_identity, .param = 2 },
	{ LISTED("X12", "43", "24.501 5.6.1.7 c, table 4.5.6.1", NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "T3346 does not bar a UE with access identity 15",
	  .stimulus = "UE in back-off gets access identity 15 and wants to send data",
	  .expect = "SERVICE REQUEST with service type high priority access, cause "
		    "highPriorityAccess",
	  .iut_time_us = 10 * US_PER_S, .run = other_identity, .param = 15 },
};
