#include "suites/n1_backoff/backoff.h"

#include <inttypes.h>

/* How long a radio side takes between a reject's arrival and its effect on the UE. */
#define SETTLING_TIME US_PER_S

struct nw_ue *new_ue(struct tc *t)
{
	nw_amf_start(t);
	nw_iut_connects(t);
	return nw_ue(t);
}

struct nw_ue *registered_ue(struct tc *t)
{
	struct nw_ue *ue = new_ue(t);

	nw_registration(ue, .t3512 = T3512_OF_CASES);
	nw_registered(ue);
	return ue;
}

struct nw_amf *start_home_amf(struct tc *t)
{
	return nw_amf_start(t, .plmns = &t->profile->plmn, .plmn_count = 1);
}

struct nw_ue *registering_ue(struct tc *t, unsigned int without)
{
	struct nw_ue *ue = nw_ue(t);

	/* before the IUT connects: it may begin by itself */
	nw_ue_without(ue, NW_ACCEPT_REGISTRATION | without);
	nw_iut_connects(t);
	tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
		      .secured = !(without & NW_AUTHENTICATE),
		      .why = "a UE that registers is to be sent away");
	return ue;
}

struct nw_ue *ue_on_both_accesses(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);

	nw_registered(ue, .access = ACCESS_NON_3GPP);
	return ue;
}

struct nw_ue *ue_in_one_area(struct tc *t)
{
	struct nw_ue *ue;

	if (t->profile->tac_count < 2)
		tc_na(t, "the profile has one TAC: the UE cannot leave its registration area");
	ue = new_ue(t);
	nw_registration(ue, .t3512 = T3512_OF_CASES, .one_tac = true);
	nw_registered(ue);
	return ue;
}

void leaves_area(struct tc *t, struct nw_ue *ue)
{
	tc_control(t, "ue-move ue=%u tac=%06" PRIx32, nw_ue_number(ue), t->profile->tacs[1]);
}

struct nw_ue *updating_ue(struct tc *t)
{
	struct nw_ue *ue = ue_in_one_area(t);

	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	leaves_area(t, ue);
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
		      .secured = true, .why = "a UE that updates is to be sent away");
	return ue;
}

struct released {
	const struct nw_ue *ue;
	uint64_t from;
};

static bool released(void *arg)
{
	const struct released *released = arg;

	return nw_idle_since(released->ue) >= released->from;
}

void settled(struct tc *t, struct nw_ue *ue)
{
	struct released after = { .ue = ue, .from = nw_sent_at(ue) };

	if (!tc_wait(t, t->profile->response_time, released, &after))
		tc_iut_dead(t, "%s: no UE CONTEXT RELEASE COMPLETE after its reject",
			    nw_ue_name(ue));
	tc_sleep(t, SETTLING_TIME);
}

uint64_t reject_with(struct tc *t, struct nw_ue *ue, const struct nw_options *options)
{
	uint64_t sent;

	nw_reject_with(ue, options);
	sent = nw_sent_at(ue);
	settled(t, ue);
	return sent;
}

struct back_off sent_away(struct tc *t, struct nw_ue *ue, uint32_t seconds)
{
	return (struct back_off){ .from = reject(t, ue, .t3346 = TIMER(seconds)),
				  .us = seconds * US_PER_S };
}

struct back_off back_off_of(struct tc *t, struct nw_ue *ue, struct nw_timer t3346, uint32_t seconds)
{
	struct back_off back_off = { .us = seconds * US_PER_S };

	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .protected = PRESENT,
		      .why = "a registered UE is to be sent away");
	nw_reject(ue, .t3346 = t3346);
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	back_off.from = nw_sent_at(ue);
	settled(t, ue);
	return back_off;
}

struct back_off back_off(struct tc *t, struct nw_ue *ue, uint32_t seconds)
{
	return back_off_of(t, ue, TIMER(seconds), seconds);
}

static void attempt_after(struct tc *t, struct nw_ue *ue, uint64_t sent, enum reg_type type,
			  bool secured)
{
	expect_after(t, ue, sent, T3511, .type = REGISTRATION_REQUEST, .registration = type,
		     .secured = secured,
		     .why = "an attempt that failed is repeated when T3511 expires");
}

void retried(struct tc *t, struct nw_ue *ue, uint64_t sent, enum reg_type type)
{
	attempt_after(t, ue, sent, type, true);
}

uint64_t five_failures(struct tc *t, struct nw_ue *ue, enum reg_type type,
		       const struct nw_options *options)
{
	for (int attempt = 1;; attempt++) {
		uint64_t sent = reject_with(t, ue, options);

		if (attempt == 5)
			return sent;
		attempt_after(t, ue, sent, type, options->protection != PROTECT_PLAIN);
	}
}

void comes_once(struct tc *t, struct nw_ue *ue)
{
	expect_no_nas_of(t, ue, .type = REGISTRATION_REQUEST,
			 .why = "it was accepted, and need not register again");
}
