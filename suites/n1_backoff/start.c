/* TP/N1/UE/START: cause 22 with T3346 begins a back-off, whatever was rejected. */
#include "suites/n1_backoff/life.h"

#include <inttypes.h>

static const char *const again = "a second back-off is like the first";

static void registration_rejected(struct tc *t)
{
	struct back_off b;
	struct nw_ue *ue;

	nw_amf_start(t);
	ue = registering_ue(t, 0);
	b = sent_away(t, ue, 60);
	due(t, ue, b, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL, .secured = true);
	b = sent_away(t, ue, 60);
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	due(t, ue, b, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL, .why = again);
	comes_once(t, ue);
}

static void service_rejected(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off b = back_off(t, ue, 60);

	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	due(t, ue, b, .type = SERVICE_REQUEST, .protected = PRESENT,
	    .why = "the data is still to be sent (N1-U-13)");
	b = sent_away(t, ue, 60);
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	due(t, ue, b, .type = SERVICE_REQUEST, .why = again);
	comes_once(t, ue);
}

static void update_rejected(struct tc *t)
{
	struct nw_ue *ue = updating_ue(t);
	struct back_off b = sent_away(t, ue, 60);

	due(t, ue, b, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
	    .identity = IDENTITY_GUTI, .protected = PRESENT);
	b = sent_away(t, ue, 60);
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	due(t, ue, b, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
	    .identity = IDENTITY_GUTI, .protected = PRESENT);
	comes_once(t, ue);
}

static void periodic_rejected(struct tc *t)
{
	struct nw_ue *ue = new_ue(t);
	struct back_off b;

	nw_registration(ue, .t3512 = TIMER(30));
	nw_registered(ue);
	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_PERIODIC,
		      .within = 45 * US_PER_S, .secured = true,
		      .why = "a UE that updates periodically is to be sent away");
	b = sent_away(t, ue, 60);
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	due(t, ue, b, .type = REGISTRATION_REQUEST, .identity = IDENTITY_GUTI, .protected = PRESENT,
	    .why = "the update is still due (N1-U-13)");
	comes_once(t, ue);
}

static void answer_to_paging_rejected(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off b;

	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	nw_page(ue);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_MOBILE_TERMINATED),
		      .protected = PRESENT, .why = "a UE that answers paging is to be sent away");
	b = sent_away(t, ue, 60);
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	due(t, ue, b, .type = SERVICE_REQUEST, .protected = PRESENT,
	    .why = "the data is still to be sent (N1-U-13)");
	comes_once(t, ue);
}

static void answer_by_update_rejected(struct tc *t)
{
	struct nw_ue *ue = ue_in_one_area(t);
	struct back_off b = back_off_in_peace(t, ue, 60);

	leaves_area(t, ue);
	quiet_until(t, ue, &b, 5 * US_PER_S);
	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	nw_page(ue);
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
		      .cause = RRC_MT_ACCESS, .secured = true,
		      .why = "a UE that answers paging by an update is to be sent away");
	b = sent_away(t, ue, 60);
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	due(t, ue, b, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
	    .why = "the update is still due (N1-U-13)");
	comes_once(t, ue);
}

static void deregistered(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off b = { .us = 60 * US_PER_S };

	nw_connected(ue);
	nw_deregister(ue, .cause = NAS_5GMM_CONGESTION, .t3346 = TIMER(60));
	b.from = nw_sent_at(ue);
	expect_nas_of(t, ue, .type = DEREGISTRATION_ACCEPT_UE, .never = REGISTRATION_REQUEST);
	/* A network releases the connection of a UE that it has sent away. */
	nw_keep_connected(ue, false);
	nw_release(ue, ACCESS_3GPP);
	due(t, ue, b, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL);
	comes_once(t, ue);
}

static void for_both_accesses(struct nas_msg *msg, void *arg)
{
	static const uint8_t type = NAS_ACCESS_BOTH;

	(void)arg;
	nas_set(msg, NAS_IE_DEREGISTRATION_TYPE, OCTETS(&type, 1));
}

/* param: enum nas_access_type that the DEREGISTRATION REQUEST over non-3GPP access is for */
static void deregistered_over_non_3gpp(struct tc *t)
{
	bool both = t->test->param == NAS_ACCESS_BOTH;
	struct nw_ue *ue = ue_on_both_accesses(t);
	struct nw_node *wanted = node_of_kind(ue, both ? NODE_GNB : NODE_N3IWF);
	const struct nas_received *m;
	struct back_off b = { .us = 60 * US_PER_S };

	nw_connected(ue, .access = ACCESS_NON_3GPP);
	nw_deregister(ue, .access = ACCESS_NON_3GPP, .cause = NAS_5GMM_CONGESTION,
		      .t3346 = TIMER(60), .alter = both ? for_both_accesses : NULL);
	b.from = nw_sent_at(ue);
	expect_nas_of(t, ue, .type = DEREGISTRATION_ACCEPT_UE, .never = REGISTRATION_REQUEST);
	nw_keep_connected(ue, false);
	nw_release(ue, ACCESS_NON_3GPP);
	quiet_until(t, ue, &b, 5 * US_PER_S);
	/* it may want to be registered by itself, or not */
	tc_control(t, "ue-register ue=%u type=initial access=%s", nw_ue_number(ue),
		   both ? "3gpp" : "non-3gpp");
	m = due(t, ue, b, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
		.why = "the network has de-registered it there with T3346");
	if (m->carrier->node != wanted)
		expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
			      .node = wanted, .silence = OUTCOME_VIOLATION,
			      .why = "the network has de-registered it there too");
}

/*
 * An emergency call that is rejected as any other request: the UE may repeat it, by registration as
 * well, until nobody wants it any more; all of that is rejected alike, and the last reject counts.
 */
static void emergency_call_rejected(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off b = { .us = 60 * US_PER_S };

	nw_ue_rejects(ue, ONE_OF(SERVICE_REQUEST, REGISTRATION_REQUEST),
		      NW_OPTIONS(.t3346 = TIMER(60)));
	tc_control(t, "ue-service ue=%u kind=emergency", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_EMERGENCY),
		      .unmet = OUTCOME_INCONC, .why = "an emergency call is to be sent away");
	settled(t, ue);
	tc_control(t, "ue-service ue=%u kind=emergency cancel=yes", nw_ue_number(ue));
	settled(t, ue);
	nw_ue_rejects(ue, 0, NULL);
	if (!nw_ue_is_registered(ue, ACCESS_3GPP))
		tc_inconc(t, "%s has left its registration for the emergency call", nw_ue_name(ue));
	/* the request before it was answered at this very instant */
	b.from = nw_sent_at(ue) + 1;
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	due(t, ue, b, .type = SERVICE_REQUEST,
	    .why = "a reject of whatever request starts T3346, which bars data");
}

/*
 * A UE with access identity 1 is not barred by T3346, and so says nothing about it: it has the
 * identity only for as long as it takes to be rejected once more. What it asks for until then, as
 * often as it likes, is rejected alike, and the last reject counts.
 */
static struct back_off rejected_with_priority(struct tc *t, struct nw_ue *ue, uint32_t seconds)
{
	unsigned int number = nw_ue_number(ue);
	struct back_off b = { .us = seconds * US_PER_S };

	forget_nas_of(ue);
	nw_ue_rejects(ue, SERVICE_REQUEST, NW_OPTIONS(.t3346 = TIMER(seconds)));
	tc_control(t, "ue-config ue=%u access-identities=1", number);
	tc_control(t, "ue-service ue=%u kind=high-priority", number);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_HIGH_PRIORITY),
		      .why = "T3346 does not bar high priority access (N1-U-43)");
	settled(t, ue);
	tc_control(t, "ue-service ue=%u kind=high-priority cancel=yes", number);
	tc_control(t, "ue-config ue=%u access-identities=0", number);
	settled(t, ue);
	nw_ue_rejects(ue, 0, NULL);
	/* the request before it was answered at this very instant */
	b.from = nw_sent_at(ue) + 1;
	tc_control(t, "ue-service ue=%u kind=data", number);
	return b;
}

static void replaced(struct tc *t)
{
	static const uint32_t seconds[] = { 120, 20 };
	struct nw_ue *ue = registered_ue(t);

	for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
		struct back_off b;

		back_off(t, ue, 60);
		b = rejected_with_priority(t, ue, seconds[i]);
		due(t, ue, b, .type = SERVICE_REQUEST,
		    .why = "the second T3346 replaces what is left of the first one, 60 s");
		nw_idle(ue);
	}
}

static void units(struct tc *t)
{
	static const struct {
		uint8_t octet;
		uint32_t minutes;
	} values[] = { { 0x21, 1 }, { 0x41, 6 }, { 0x62, 2 } };
	struct nw_ue *ue = registered_ue(t);

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct back_off b =
			back_off_of(t, ue, TIMER_OCTET(values[i].octet), values[i].minutes * 60);

		due(t, ue, b, .type = SERVICE_REQUEST);
		nw_idle(ue);
	}
}

static void longest(struct tc *t)
{
	static const uint32_t seconds = NAS_TIMER_2_MAX;
	struct back_off b;
	struct nw_ue *ue;

	nw_amf_start(t);
	ue = nw_ue(t);
	nw_iut_connects(t);
	nw_registration(ue, .t3512 = TIMER(10 * 3600));
	nw_registered(ue);
	b = back_off(t, ue, seconds);
	due(t, ue, b, .type = SERVICE_REQUEST);
}

#define START(number, row, ...)                                                      \
	.id = "TP/N1/UE/START/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, __VA_ARGS__
#define NEEDS_CONGESTION .needs = NEEDS(ICS_NAS_CONGESTION)

const struct test_case start_cases[START_CASES] = {
	{ START("01", "01", .clause = "24.501 5.5.1.2.5", NEEDS_CONGESTION),
	  .purpose = "A UE whose registration was rejected stays silent during its T3346",
	  .stimulus =
		  "REGISTRATION REJECT with cause 22 and T3346 60 s, integrity protected, twice",
	  .expect = "No request for 60 s, then one REGISTRATION REQUEST; again",
	  .iut_time_us = 135 * US_PER_S, .run = registration_rejected },
	{ START("02", "03", .clause = "24.501 5.6.1.5", NEEDS_CONGESTION),
	  .purpose = "A UE whose service request was rejected stays silent during its T3346",
	  .stimulus = "SERVICE REJECT with cause 22 and T3346 60 s, integrity protected, twice",
	  .expect = "No request for 60 s, then SERVICE REQUEST; again",
	  .iut_time_us = 135 * US_PER_S, .run = service_rejected },
	{ START("03", "02", .clause = "24.501 5.5.1.3.5", NEEDS_CONGESTION),
	  .purpose = "A UE whose mobility update was rejected keeps its 5G-GUTI for the next one",
	  .stimulus =
		  "REGISTRATION REJECT of a mobility update with cause 22 and T3346 60 s, twice",
	  .expect = "No request for 60 s, then a mobility update with 5G-GUTI; again",
	  .iut_time_us = 135 * US_PER_S, .run = update_rejected },
	{ START("04", "04", .clause = "24.501 5.5.2.3.2", NEEDS_CONGESTION),
	  .purpose = "A UE that the network de-registers with T3346 registers when it is over",
	  .stimulus = "DEREGISTRATION REQUEST without re-registration, cause 22, T3346 60 s",
	  .expect = "DEREGISTRATION ACCEPT; REGISTRATION REQUEST after 60 s",
	  .iut_time_us = 75 * US_PER_S, .run = deregistered },
	{ START("05", "09", .clause = "24.501 5.3.9, 5.6.1.5",
		.needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "A new T3346 replaces the one that runs, be it longer or shorter",
	  .stimulus = "In a back-off of 60 s a SERVICE REQUEST of type 5 is rejected with T3346 "
		      "120 s; then the same with 20 s",
	  .expect = "Silence of 120 s (20 s) from the second reject, then SERVICE REQUEST",
	  .iut_time_us = 170 * US_PER_S, .run = replaced },
	{ START("X01", "10", .clause = "24.501 5.6.1.5, 9.11.2.4", NEEDS_CONGESTION),
	  .purpose = "T3346 is as long as unit and value say",
	  .stimulus =
		  "SERVICE REJECT with T3346 coded as 1 x 1 min, 1 x 6 min, and 2 x a unit that "
		  "is not defined, which counts as 1 min",
	  .expect = "SERVICE REQUEST after 1 min, 6 min, 2 min", .iut_time_us = 600 * US_PER_S,
	  .run = units },
	{ START("X02", "10", .clause = "24.501 5.6.1.5, 9.11.2.4", NEEDS_CONGESTION),
	  .purpose = "The longest T3346 is kept in full",
	  .stimulus = "SERVICE REJECT with cause 22 and T3346 186 min, integrity protected",
	  .expect = "SERVICE REQUEST after 186 min", .iut_time_us = NAS_TIMER_2_MAX * US_PER_S,
	  .run = longest },
	{ START("X03", "02", .clause = "24.501 5.5.1.3.5", NEEDS_CONGESTION),
	  .purpose = "A UE whose periodic update was rejected stays silent during its T3346",
	  .stimulus = "REGISTRATION REJECT of a periodic update with cause 22 and T3346 60 s",
	  .expect = "No request for 60 s, then an update with 5G-GUTI",
	  .iut_time_us = 115 * US_PER_S, .run = periodic_rejected },
	{ START("X04", "03", .clause = "24.501 5.6.1.5", NEEDS_CONGESTION),
	  .purpose = "A UE whose answer to paging was rejected stays silent during its T3346",
	  .stimulus = "SERVICE REJECT of an answer to paging with cause 22 and T3346 60 s; data to "
		      "send",
	  .expect = "No request for 60 s, then a SERVICE REQUEST", .iut_time_us = 75 * US_PER_S,
	  .run = answer_to_paging_rejected },
	{ START("X05", "02", .clause = "24.501 5.5.1.3.5", NEEDS_CONGESTION),
	  .purpose = "A UE whose update in answer to paging was rejected stays silent during T3346",
	  .stimulus = "UE in back-off leaves its registration area and is paged; its update is "
		      "rejected with cause 22 and T3346 60 s",
	  .expect = "No request for 60 s, then a mobility update", .iut_time_us = 85 * US_PER_S,
	  .run = answer_by_update_rejected },
	{ START("X06", "03", .clause = "24.501 5.6.1.5, 5.6.1.6",
		.needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_EMERGENCY)),
	  .purpose = "A UE whose emergency call was rejected with T3346 sends no data during it",
	  .stimulus = "SERVICE REJECT of an emergency call with cause 22 and T3346 60 s; data",
	  .expect = "No request for 60 s, then SERVICE REQUEST", .iut_time_us = 75 * US_PER_S,
	  .run = emergency_call_rejected },
	{ START("X07", "04", .clause = "24.501 5.5.2.3.2",
		.needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_NON_3GPP)),
	  .purpose = "A UE that is de-registered for non-3GPP access with T3346 waits for it there",
	  .stimulus = "DEREGISTRATION REQUEST for non-3GPP access, cause 22, T3346 60 s; "
		      "registration is wanted there",
	  .expect = "DEREGISTRATION ACCEPT; REGISTRATION REQUEST over non-3GPP access after 60 s",
	  .iut_time_us = 75 * US_PER_S, .run = deregistered_over_non_3gpp,
	  .param = NAS_ACCESS_NON_3GPP },
	{ START("X08", "04", .clause = "24.501 5.5.2.3.2, 5.3.9",
		.needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_NON_3GPP)),
	  .purpose = "A UE that is de-registered for both accesses with T3346 waits on both",
	  .stimulus = "DEREGISTRATION REQUEST for both accesses, cause 22, T3346 60 s; "
		      "registration is wanted over 3GPP access",
	  .expect = "DEREGISTRATION ACCEPT; REGISTRATION REQUEST for initial registration after "
		    "60 s",
	  .iut_time_us = 75 * US_PER_S, .run = deregistered_over_non_3gpp,
	  .param = NAS_ACCESS_BOTH },
};
