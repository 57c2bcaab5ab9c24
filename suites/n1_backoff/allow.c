/* TP/N1/UE/ALLOW: what T3346 does not bar, and what it bars all the same. */
#include "suites/n1_backoff/life.h"

enum { R = 60 }; /* s */

static const char *const allowed = "T3346 does not bar it";

/* By SERVICE REQUEST of its type, or by registration for emergency services. */
static void emergency_call_with(struct tc *t, struct nw_ue *ue)
{
	const struct nas_received *m;

	tc_control(t, "ue-service ue=%u kind=emergency", nw_ue_number(ue));
	m = expect_nas_of(t, ue, .type = ONE_OF(SERVICE_REQUEST, REGISTRATION_REQUEST),
			  .cause = RRC_EMERGENCY, .initial = PRESENT,
			  .why = "emergency calls are always allowed");
	if (m->msg.type == NAS_SERVICE_REQUEST && received_service_type(m) != SR_EMERGENCY)
		tc_violation(t,
			     "%s asks for an emergency call with service type %d, not 3 "
			     "(emergency services)",
			     nw_ue_name(ue), received_service_type(m));
}

static void emergency_call_during(struct tc *t, uint32_t seconds)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off(t, ue, seconds);

	quiet_until(t, ue, &r, 5 * US_PER_S);
	emergency_call_with(t, ue);
}

static void emergency_call(struct tc *t)
{
	emergency_call_during(t, R);
}

static void emergency_call_in_long_back_off(struct tc *t)
{
	emergency_call_during(t, NAS_TIMER_2_MAX);
}

static void exempt_service(struct tc *t, const char *kind, enum sr_type service)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off(t, ue, R);

	quiet_until(t, ue, &r, 5 * US_PER_S);
	tc_control(t, "ue-service ue=%u kind=%s", nw_ue_number(ue), kind);
	at_once(t, ue, r, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		.service = SERVICE((int)service), .initial = PRESENT, .why = allowed);
}

static void emergency_fallback(struct tc *t)
{
	exempt_service(t, "emergency-fallback", SR_EMERGENCY_FALLBACK);
}

static void data_off_changes(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	quiet_until(t, ue, &r, 5 * US_PER_S);
	tc_control(t, "ue-service ue=%u kind=data-off", nw_ue_number(ue));
	at_once(t, ue, r, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		.service = SERVICE(SR_ELEVATED_SIGNALLING), .initial = PRESENT, .why = allowed);
	/* T3346 has let it pass, and runs on */
	tc_sleep(t, 3 * US_PER_S);
	nw_idle(ue);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	quiet_until(t, ue, &r, 30 * US_PER_S);
}

static void priority_call(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	quiet_until(t, ue, &r, 5 * US_PER_S);
	/* from now on, so that it was sent away as any other UE */
	tc_control(t, "ue-config ue=%u access-identities=1", nw_ue_number(ue));
	tc_control(t, "ue-service ue=%u kind=ims-voice", nw_ue_number(ue));
	at_once(t, ue, r, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		.service = SERVICE(SR_HIGH_PRIORITY), .cause = RRC_MPS_PRIORITY_ACCESS,
		.initial = PRESENT, .why = allowed);
}

/* --- exception data --- */

static const struct nas_received *exception_data(struct tc *t, struct nw_ue *ue)
{
	tc_control(t, "ue-service ue=%u kind=exception", nw_ue_number(ue));
	return expect_nas_of(t, ue, .type = ONE_OF(SERVICE_REQUEST, CONTROL_PLANE_SERVICE_REQUEST),
			     .never = REGISTRATION_REQUEST, .cause = RRC_MO_EXCEPTION_DATA,
			     .initial = PRESENT, .why = allowed);
}

static void exception_data_until_sent_away(struct tc *t)
{
	struct nw_ue *ue = new_ue(t);
	struct back_off r;

	nw_registration(ue, .t3512 = T3512_OF_CASES);
	if (t->profile->ics[ICS_NG_ENB]) /* NB-N1 mode is E-UTRA */
		tc_control(t, "ue-move ue=%u rat=eutra", nw_ue_number(ue));
	nw_registered(ue);
	r = back_off_in_peace(t, ue, R);
	quiet_until(t, ue, &r, 5 * US_PER_S);
	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	exception_data(t, ue);
	r.us = 2 * R * US_PER_S;
	r.from = reject(t, ue, .t3346 = TIMER(2 * R));
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	/* this T3346 came on a connection with cause mo-ExceptionData */
	tc_control(t, "ue-service ue=%u kind=exception", nw_ue_number(ue));
	due(t, ue, r, .type = ONE_OF(SERVICE_REQUEST, CONTROL_PLANE_SERVICE_REQUEST),
	    .why = "T3346 of a connection for exception data bars exception data");
	settled(t, ue);
	/* and the next one did not */
	r = back_off_in_peace(t, ue, R);
	exception_data(t, ue);
}

/* --- deactivated --- */

static void deactivated_bars_nothing_urgent(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);

	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .protected = PRESENT);
	reject(t, ue, .t3346 = TIMER_OCTET(0xe0));
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	wants_no_data(t, ue);
	tc_sleep(t, 5 * US_PER_S);
	nw_idle(ue); /* nothing bars the UE: it may have asked for its data again */
	emergency_call_with(t, ue);
}

#define ALLOW(number, row, text, ...)                                               \
	.id = "TP/N1/UE/ALLOW/" number, .requirement = "N1-U-" row, .clause = text, \
	.role = ROLE_UE, .strength = SHALL, .needs = NEEDS(ICS_NAS_CONGESTION) | __VA_ARGS__

const struct test_case allow_cases[ALLOW_CASES] = {
	{ ALLOW("01", "40", "24.501 5.3.9", NEEDS(ICS_EMERGENCY)),
	  .purpose = "T3346 does not bar emergency calls",
	  .stimulus = "An emergency call of a UE in back-off",
	  .expect = "SERVICE REQUEST for emergency services, or emergency registration",
	  .iut_time_us = 10 * US_PER_S, .run = emergency_call },
	{ ALLOW("02", "43", "24.501 5.6.1.7 c", NEEDS(ICS_EMERGENCY_FALLBACK)),
	  .purpose = "T3346 does not bar emergency services fallback",
	  .stimulus = "Emergency services fallback of a UE in back-off",
	  .expect = "SERVICE REQUEST with service type emergency services fallback",
	  .iut_time_us = 10 * US_PER_S, .run = emergency_fallback },
	{ ALLOW("03", "43", "24.501 5.6.1.7 c", NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "T3346 does not bar a UE with access identity 1",
	  .stimulus = "A call of a UE in back-off that has access identity 1",
	  .expect = "SERVICE REQUEST with service type high priority access, cause "
		    "mps-PriorityAccess",
	  .iut_time_us = 10 * US_PER_S, .run = priority_call },
	{ ALLOW("04", "43", "24.501 5.6.1.7 c", NEEDS(ICS_PS_DATA_OFF)),
	  .purpose = "T3346 does not bar the report of the 3GPP PS data off status",
	  .stimulus = "The PS data off status of a UE in back-off changes; when that is served the "
		      "UE wants to send data",
	  .expect = "SERVICE REQUEST with service type elevated signalling, and no other",
	  .iut_time_us = 40 * US_PER_S, .run = data_off_changes },
	{ ALLOW("05", "43", "24.501 5.6.1.7 c", NEEDS(ICS_CP_CIOT)),
	  .purpose = "T3346 does not bar exception data, unless it came on a connection for such",
	  .stimulus = "Exception data of a UE in back-off is rejected with T3346 120 s, and wanted "
		      "again; and once more in another back-off",
	  .expect = "SERVICE REQUEST with cause mo-ExceptionData; then none for 120 s; then again",
	  .iut_time_us = 150 * US_PER_S, .run = exception_data_until_sent_away },
	{ ALLOW("06", "40", "24.501 5.3.9", NEEDS(ICS_EMERGENCY)),
	  .purpose = "T3346 that was received as deactivated does not bar emergency calls",
	  .stimulus = "SERVICE REJECT with cause 22 and T3346 deactivated; an emergency call",
	  .expect = "SERVICE REQUEST for emergency services, or emergency registration",
	  .iut_time_us = 10 * US_PER_S, .run = deactivated_bars_nothing_urgent },
	{ ALLOW("X13", "40", "24.501 5.3.9", NEEDS(ICS_EMERGENCY)),
	  .purpose = "The longest T3346 does not bar emergency calls either",
	  .stimulus = "An emergency call of a UE that was sent away for 186 min",
	  .expect = "SERVICE REQUEST for emergency services, or emergency registration",
	  .iut_time_us = 10 * US_PER_S, .run = emergency_call_in_long_back_off },
};
