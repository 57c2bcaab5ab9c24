/* TP/N1/UE/KEEP: what T3346 outlives, and for how long. */
#include "suites/n1_backoff/life.h"

enum { R = 60, LONG_R = 120, VERY_LONG_R = 30 * 60 }; /* s */

static void equivalent_plmn_keeps(struct tc *t)
{
	const struct plmn *plmn = equivalent_plmn(t);
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off(t, ue, R);

	quiet_until(t, ue, &r, 20 * US_PER_S);
	moves_to(t, ue, plmn, true);
	/* its data, or the update that the TAI list asks for */
	due(t, ue, r, .type = ONE_OF(REGISTRATION_REQUEST, SERVICE_REQUEST),
	    .why = "T3346 runs on in an equivalent PLMN");
}

static void deregistration_keeps(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	quiet_until(t, ue, &r, 15 * US_PER_S);
	/* a UE may do this without a message */
	tc_control(t, "ue-deregister ue=%u switch-off=no", nw_ue_number(ue));
	quiet_until(t, ue, &r, 25 * US_PER_S);
	tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
	due(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
	    .why = "de-registration is no way around T3346");
}

static void cell_selection_keeps(struct tc *t)
{
	const struct plmn *other = other_plmn(t);
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	/* so that there is nothing for it to begin in the other PLMN */
	tc_control(t, "ue-deregister ue=%u switch-off=no", nw_ue_number(ue));
	quiet_until(t, ue, &r, 10 * US_PER_S);
	moves_to(t, ue, other, false);
	expect_no_nas_of(t, ue, .within = 5 * US_PER_S, .unmet = OUTCOME_INCONC,
			 .why = "a UE that nobody wants registered was to begin nothing");
	moves_to(t, ue, &t->profile->plmn, false);
	tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
	due(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
	    .why = "a procedure in another PLMN stops T3346, a cell there does not");
}

/* --- power --- */

/* Off at `off` from the reject and on again at `on`; when it was on, and how much is left then. */
static struct back_off power_cycle(struct tc *t, struct nw_ue *ue, const struct back_off *r,
				   uint64_t off, uint64_t on, const char *clock)
{
	bool kept = clock[0] == 'k';
	struct back_off rest;
	uint64_t gone;

	quiet_until(t, ue, r, off);
	tc_control(t, "ue-power ue=%u state=off", nw_ue_number(ue));
	gone = loop_now(t->loop);
	quiet_until(t, ue, r, on);
	if (nw_ue_is_connected(ue, ACCESS_3GPP))
		nw_idle(ue);
	rest.from = loop_now(t->loop);
	tc_control(t, "ue-power ue=%u state=on clock=%s", nw_ue_number(ue), clock);
	rest.us = (kept ? rest.from : gone) - r->from;
	rest.us = r->us > rest.us ? r->us - rest.us : 0;
	return rest;
}

static void power_cycle_keeps(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off(t, ue, LONG_R);
	struct back_off rest = power_cycle(t, ue, &r, 30 * US_PER_S, 50 * US_PER_S, "kept");

	due(t, ue, rest, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
	    .why = "what was left at switch-off, less the time switched off");
}

/* Not registered, and for moments only, twice. */
static void quick_power_cycles(struct tc *t)
{
	struct back_off r, rest;
	struct nw_ue *ue;

	nw_amf_start(t);
	ue = registering_ue(t, 0);
	r = sent_away(t, ue, LONG_R);
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	power_cycle(t, ue, &r, 15 * US_PER_S, 18 * US_PER_S, "kept");
	rest = power_cycle(t, ue, &r, 40 * US_PER_S, 43 * US_PER_S, "kept");
	due(t, ue, rest, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
	    .why = "a second power cycle counts as the first did");
}

static void power_cycle_outlasts(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off(t, ue, R);

	power_cycle(t, ue, &r, 10 * US_PER_S, 80 * US_PER_S, "kept");
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
		      .why = "T3346 has expired while the UE was switched off");
}

static void clock_is_lost(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off(t, ue, LONG_R);
	struct back_off rest = power_cycle(t, ue, &r, 30 * US_PER_S, 50 * US_PER_S, "lost");

	due(t, ue, rest, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
	    .why = "how long it was switched off is not known: all that was left at switch-off");
}

static void other_usim_ends(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off(t, ue, R);

	quiet_until(t, ue, &r, 10 * US_PER_S);
	tc_control(t, "ue-power ue=%u state=off", nw_ue_number(ue));
	quiet_until(t, ue, &r, 15 * US_PER_S);
	if (nw_ue_is_connected(ue, ACCESS_3GPP))
		nw_idle(ue);
	nw_ue_is(ue, tc_iut_ue(t));
	tc_control(t, "ue-usim ue=%u supi=%s", nw_ue_number(ue), nw_ue_supi(ue));
	tc_control(t, "ue-power ue=%u state=on", nw_ue_number(ue));
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
		.why = "T3346 is bound to the USIM that is gone");
}

/* --- places --- */

static void area_change_waits(struct tc *t)
{
	struct nw_ue *ue = ue_in_one_area(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	quiet_until(t, ue, &r, 15 * US_PER_S);
	leaves_area(t, ue);
	due(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
	    .identity = IDENTITY_GUTI, .why = "the update waits for T3346, and then comes");
}

static void paging_is_answered_by_update(struct tc *t)
{
	struct nw_ue *ue = ue_in_one_area(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	leaves_area(t, ue);
	quiet_until(t, ue, &r, 15 * US_PER_S);
	nw_page(ue);
	at_once(t, ue, r, .type = REGISTRATION_REQUEST, .never = SERVICE_REQUEST,
		.registration = REG_MOBILITY, .identity = IDENTITY_GUTI, .cause = RRC_MT_ACCESS,
		.initial = PRESENT,
		.why = "in ATTEMPTING-REGISTRATION-UPDATE paging is answered by an update");
}

static void reselection_keeps(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off(t, ue, R);

	quiet_until(t, ue, &r, 10 * US_PER_S);
	tc_control(t, "ue-move ue=%u cell=3", nw_ue_number(ue));
	quiet_until(t, ue, &r, 20 * US_PER_S);
	if (t->profile->ics[ICS_NG_ENB])
		tc_control(t, "ue-move ue=%u cell=5 rat=eutra", nw_ue_number(ue));
	else
		tc_note(t, "no ng-enb in the profile: the change of the radio access technology "
			   "is left out");
	due(t, ue, r, .type = SERVICE_REQUEST, .why = "reselection does not touch T3346");
}

/* --- two accesses --- */

static void other_access_waits(struct tc *t)
{
	struct nw_ue *ue = ue_on_both_accesses(t);
	struct nw_node *n3iwf = node_of_kind(ue, NODE_N3IWF);
	struct back_off r = back_off_in_peace(t, ue, R);
	const struct nas_received *m;

	quiet_until(t, ue, &r, 5 * US_PER_S);
	tc_control(t, "ue-service ue=%u kind=data access=non-3gpp", nw_ue_number(ue));
	m = due(t, ue, r, .type = SERVICE_REQUEST,
		.why = "in one PLMN T3346 of one access is that of the other");
	if (m->carrier->node != n3iwf)
		tc_violation(t, "%s was to ask for service over non-3GPP access, and asks over %s",
			     nw_ue_name(ue), nw_node_name(m->carrier->node));
}

/* --- what it does not begin, and what it does not hold up --- */

static void stays_in_plmn(struct tc *t)
{
	const struct nas_received *m;
	struct back_off r;
	struct nw_ue *ue;

	nw_amf_start(t);
	ue = registering_ue(t, 0);
	r = sent_away(t, ue, VERY_LONG_R);
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	m = due(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
		.why = "T3346 is no reason to look for another PLMN");
	for (size_t i = 0; i < t->profile->other_plmn_count; i++)
		if (came_from(m, &t->profile->other_plmns[i]))
			tc_violation(t, "%s has gone to PLMN %s while T3346 ran", nw_ue_name(ue),
				     t->profile->other_plmns[i].digits);
}

static void mico_keeps(struct tc *t)
{
	struct nw_ue *ue = new_ue(t);
	struct back_off r;

	tc_control(t, "ue-config ue=%u mico=yes", nw_ue_number(ue));
	nw_registration(ue, .t3512 = T3512_OF_CASES, .mico = true);
	nw_registered(ue);
	r = back_off(t, ue, R);
	due(t, ue, r, .type = SERVICE_REQUEST, .why = "MICO mode does not touch T3346");
}

static void update_goes_first(struct tc *t)
{
	struct nw_ue *ue = ue_in_one_area(t);
	struct back_off r = back_off(t, ue, R);

	leaves_area(t, ue);
	due(t, ue, r, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
	    .why = "in ATTEMPTING-REGISTRATION-UPDATE data waits for the update");
}

static void user_deregisters(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	quiet_until(t, ue, &r, 5 * US_PER_S);
	tc_control(t, "ue-deregister ue=%u switch-off=no", nw_ue_number(ue));
	at_once(t, ue, r, .type = DEREGISTRATION_REQUEST_UE,
		.never = ONE_OF(REGISTRATION_REQUEST, SERVICE_REQUEST),
		.silence = OUTCOME_VIOLATION, .why = "T3346 does not bar de-registration");
}

#define KEEP_OF(number, row, ...) \
	.id = "TP/N1/UE/KEEP/" number, .requirement = "N1-U-" row, .role = ROLE_UE, __VA_ARGS__
#define KEEP(number, row, ...) KEEP_OF(number, row, .strength = SHALL, __VA_ARGS__)

const struct test_case keep_cases[KEEP_CASES] = {
	{ KEEP("01", "30", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "T3346 runs on in an equivalent PLMN",
	  .stimulus = "UE in back-off moves to an equivalent PLMN",
	  .expect = "Silence until T3346 expires, then a request", .iut_time_us = 70 * US_PER_S,
	  .run = equivalent_plmn_keeps },
	{ KEEP("02", "27", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "De-registration by the user does not end T3346",
	  .stimulus = "UE in back-off is de-registered by its user, who then wants to register",
	  .expect = "Silence but for DEREGISTRATION REQUEST until T3346 expires, then "
		    "REGISTRATION REQUEST",
	  .iut_time_us = 70 * US_PER_S, .run = deregistration_keeps },
	{ KEEP("03", "28", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "A power cycle does not end T3346; the time switched off counts once",
	  .stimulus = "T3346 120 s; switched off after 30 s, on after 50 s",
	  .expect = "Silence for 70 s after switch-on, then REGISTRATION REQUEST",
	  .iut_time_us = 130 * US_PER_S, .run = power_cycle_keeps },
	{ KEEP("04", "28", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "T3346 that is over at switch-on is over",
	  .stimulus = "T3346 60 s; switched off after 10 s, on after 80 s",
	  .expect = "REGISTRATION REQUEST at once", .iut_time_us = 90 * US_PER_S,
	  .run = power_cycle_outlasts },
	{ KEEP("05", "28", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "Without a clock T3346 goes on with what was left at switch-off",
	  .stimulus = "T3346 120 s; switched off after 30 s, on after 50 s, the clock is lost",
	  .expect = "Silence for 90 s after switch-on, then REGISTRATION REQUEST",
	  .iut_time_us = 150 * US_PER_S, .run = clock_is_lost },
	{ KEEP("06", "28", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "T3346 is bound to the USIM",
	  .stimulus = "UE in back-off is switched off, gets another USIM, is switched on",
	  .expect = "REGISTRATION REQUEST of the other subscriber at once",
	  .iut_time_us = 20 * US_PER_S, .run = other_usim_ends },
	{ KEEP("07", "31", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "An update for a new registration area waits for T3346",
	  .stimulus = "UE in back-off leaves its registration area",
	  .expect = "Silence until T3346 expires, then REGISTRATION REQUEST for mobility updating",
	  .iut_time_us = 70 * US_PER_S, .run = area_change_waits },
	{ KEEP("08", "31", .clause = "24.501 5.3.9, 5.6.2.2.1", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "In ATTEMPTING-REGISTRATION-UPDATE paging is answered by an update",
	  .stimulus = "UE in back-off leaves its registration area and is paged",
	  .expect = "REGISTRATION REQUEST for mobility updating, no SERVICE REQUEST",
	  .iut_time_us = 20 * US_PER_S, .run = paging_is_answered_by_update },
	{ KEEP("09", "32", .clause = "23.501 5.19.7.2", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "Reselection inside the PLMN does not stop T3346",
	  .stimulus = "UE in back-off changes cell, and radio access technology",
	  .expect = "Silence until T3346 expires, then SERVICE REQUEST",
	  .iut_time_us = 70 * US_PER_S, .run = reselection_keeps },
	{ KEEP("10", "20", .clause = "24.501 5.3.9",
	       .needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_NON_3GPP)),
	  .purpose = "T3346 of 3GPP access bars non-3GPP access in the same PLMN too",
	  .stimulus = "UE on both accesses, sent away over 3GPP access, wants data over non-3GPP",
	  .expect = "Silence until T3346 expires, then SERVICE REQUEST over non-3GPP access",
	  .iut_time_us = 70 * US_PER_S, .run = other_access_waits },
	{ KEEP("X01", "12", .clause = "24.501 5.5.1.2.5; 23.501 5.19.7.2",
	       .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "T3346 is no reason to leave the PLMN",
	  .stimulus = "Registration rejected with T3346 30 min; there are cells of other PLMNs",
	  .expect = "Silence until T3346 expires, then REGISTRATION REQUEST in the same PLMN",
	  .iut_time_us = 31 * 60 * US_PER_S, .run = stays_in_plmn },
	{ KEEP("X02", "33", .clause = "24.501 5.3.6", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "MICO mode does not stop T3346",
	  .stimulus = "A UE in MICO mode is rejected with T3346, and goes to CM-IDLE",
	  .expect = "Silence until T3346 expires, then SERVICE REQUEST",
	  .iut_time_us = 70 * US_PER_S, .run = mico_keeps },
	{ KEEP("X03", "35", .clause = "24.501 5.1.3.2.1.4.4", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "In ATTEMPTING-REGISTRATION-UPDATE no data is asked for before the update",
	  .stimulus = "UE in back-off that has data to send leaves its registration area",
	  .expect = "Silence until T3346 expires, then REGISTRATION REQUEST",
	  .iut_time_us = 70 * US_PER_S, .run = update_goes_first },
	{ KEEP_OF("X04", "45", .strength = SHOULD, .clause = "24.501 5.3.9 d; 23.501 5.19.7.2",
		  .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "T3346 does not keep the user from de-registering",
	  .stimulus = "UE in back-off is de-registered by its user",
	  .expect = "DEREGISTRATION REQUEST", .iut_time_us = 10 * US_PER_S,
	  .run = user_deregisters },
	{ KEEP("X09", "28", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "Two power cycles do not end T3346 of a UE that is not registered",
	  .stimulus = "Registration rejected with T3346 120 s; switched off after 15 s and after "
		      "40 s, each time for 3 s",
	  .expect = "Silence for 77 s after the second switch-on, then REGISTRATION REQUEST",
	  .iut_time_us = 130 * US_PER_S, .run = quick_power_cycles },
	{ KEEP("X10", "29", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION)),
	  .purpose = "To select a cell of another PLMN does not stop T3346",
	  .stimulus = "UE in back-off is de-registered by its user, moves to a PLMN that is not "
		      "equivalent and back, and is to register",
	  .expect = "Silence until T3346 expires, then REGISTRATION REQUEST",
	  .iut_time_us = 70 * US_PER_S, .run = cell_selection_keeps },
};
