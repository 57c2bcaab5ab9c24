/* TP/N2/AMF/SEQ: to whom START and STOP go, and what does not disturb them. */
#include <inttypes.h>

#include "suites/n2_overload/overload.h"

static void stop_goes_where_start_went(struct tc *t)
{
	enum { NODES = 4 };
	struct gnb *gnb[NODES];
	bool started[NODES] = { false };

	for (size_t i = 0; i < NODES; i++)
		gnb[i] = gnb_connect(t);
	order_overload(t, "action=1 tlr=50 gnbs=%" PRIu32 ",%" PRIu32, gnb_id(gnb[0]),
		       gnb_id(gnb[2]));
	for (size_t i = 0; i < NODES; i++) {
		bool addressed = i == 0 || i == 2;

		started[i] = expect_ngap(t, gnb[i], .type = NGAP_OVERLOAD_START,
					 .within = addressed ? 0 : US_PER_S,
					 .silence = addressed ? OUTCOME_DEFAULT : OUTCOME_RETURN) !=
			     NULL;
		if (started[i] && !addressed)
			tc_note(t, "%s got OVERLOAD START although it was not addressed",
				gnb_name(gnb[i]));
	}

	end_overload(t);
	for (size_t i = 0; i < NODES; i++) {
		if (!started[i])
			continue;
		if (!expect_ngap(t, gnb[i], .type = NGAP_OVERLOAD_STOP, .silence = OUTCOME_RETURN))
			tc_violation(t,
				     "%s got OVERLOAD START but no OVERLOAD STOP: it is left in "
				     "overload state",
				     gnb_name(gnb[i]));
	}
	for (size_t i = 0; i < NODES; i++) {
		if (!started[i] && expect_ngap(t, gnb[i], .type = NGAP_OVERLOAD_STOP,
					       .within = US_PER_S, .silence = OUTCOME_RETURN))
			tc_note(t, "%s got OVERLOAD STOP without OVERLOAD START", gnb_name(gnb[i]));
	}
}

/* Recovery reaches a node that was told in the course of the overload, too. */
static void stop_reaches(struct tc *t, struct gnb *gnb)
{
	end_overload(t);
	if (!expect_ngap(t, gnb, .type = NGAP_OVERLOAD_STOP, .silence = OUTCOME_RETURN))
		tc_fail(t, "%s got no OVERLOAD STOP: it is left in overload state (N2-A-05)",
			gnb_name(gnb));
}

static void late_gnb_is_told(struct tc *t)
{
	struct gnb *early = gnb_connect(t);
	struct gnb *late;

	start_overload(t, early, NULL, "action=1 tlr=50");
	late = gnb_connect(t, .no_setup = true);
	gnb_ng_setup(late, NULL, NULL);
	expect_ngap(t, late, .type = NGAP_NG_SETUP_RESPONSE);
	if (!expect_ngap(t, late, .type = NGAP_OVERLOAD_START, .silence = OUTCOME_RETURN))
		tc_violation(t, "no OVERLOAD START after the NG SETUP RESPONSE to a gNB that came "
				"during overload; NG Setup has cleared what it knew");
	stop_reaches(t, late);
}

static void returning_gnb_is_told_again(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);

	start_overload(t, gnb, NULL, "action=1 tlr=50");
	gnb_abort(gnb);
	tc_sleep(t, US_PER_S);
	forget_ngap(gnb);
	gnb_reconnect(gnb);
	if (!expect_ngap(t, gnb, .type = NGAP_OVERLOAD_START, .silence = OUTCOME_RETURN))
		tc_violation(t, "no OVERLOAD START to a gNB that lost its association and set up "
				"again during overload");
	stop_reaches(t, gnb);
}

static void new_setup_is_told_again(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);

	start_overload(t, gnb, NULL, "action=1 tlr=50");
	forget_ngap(gnb);
	gnb_ng_setup(gnb, NULL, NULL);
	expect_ngap(t, gnb, .type = NGAP_NG_SETUP_RESPONSE);
	if (!expect_ngap(t, gnb, .type = NGAP_OVERLOAD_START, .silence = OUTCOME_RETURN))
		tc_violation(t, "no OVERLOAD START after a second NG Setup on the association, "
				"which has cleared what the gNB knew");
}

static void error_indication_is_harmless(struct tc *t)
{
	struct gnb *complaining = gnb_connect(t);
	struct gnb *other = gnb_connect(t);

	start_overload(t, complaining, NULL, "action=1 tlr=50");
	expect_ngap(t, other, .type = NGAP_OVERLOAD_START);
	gnb_error_indication(complaining, NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_REJECT,
			     NGAP_PROCEDURE_OVERLOAD_START);
	expect_no_ngap(t, other, .type = NGAP_OVERLOAD_STOP);
	serves(t, complaining);
	serves(t, other);

	forget_ngap(complaining);
	stop_reaches(t, other);
	if (!expect_ngap(t, complaining, .type = NGAP_OVERLOAD_STOP, .silence = OUTCOME_RETURN))
		tc_should(t, "N2-A-05",
			  "no OVERLOAD STOP to the gNB that answered START with ERROR INDICATION");
}

static void silent_gnb_does_not_stall(struct tc *t)
{
	static const int reductions[] = { 20, 40, 60, 80 };
	struct gnb *silent = gnb_connect(t);
	struct gnb *other = gnb_connect(t);
	const struct ngap_received *told_silent = NULL, *told_other = NULL;

	for (size_t i = 0; i < sizeof(reductions) / sizeof(reductions[0]); i++) {
		struct overload at_silent, at_other;

		forget_ngap(other);
		told_silent =
			start_overload(t, silent, told_silent, "action=1 tlr=%d", reductions[i]);
		told_other = next_start(t, other, told_other);
		at_silent = overload_of(t, told_silent);
		at_other = overload_of(t, told_other);
		if (at_silent.tlr != reductions[i] || at_other.tlr != reductions[i])
			tc_violation(t,
				     "the AMF went to a reduction of %d %%, the nodes were told "
				     "%d %% and %d %%",
				     reductions[i], at_silent.tlr, at_other.tlr);
	}
	end_overload(t);
	expect_ngap(t, silent, .type = NGAP_OVERLOAD_STOP);
	expect_ngap(t, other, .type = NGAP_OVERLOAD_STOP);
}

#define SEQUENCE(number, ...)                                                             \
	.id = "TP/N2/AMF/SEQ/" number, .role = ROLE_AMF, .needs = NEEDS(ICS_N2_OVERLOAD), \
	__VA_ARGS__

const struct test_case sequence_cases[SEQUENCE_CASES] = {
	{ SEQUENCE("03", .requirement = "N2-A-05", .clause = "23.501 5.19.5.2", .strength = SHALL),
	  .purpose = "OVERLOAD STOP goes to the nodes that got OVERLOAD START",
	  .stimulus = "START to gNBs 1 and 3 of 4, then recovery",
	  .expect = "OVERLOAD STOP at gNBs 1 and 3", .run = stop_goes_where_start_went },
	{ SEQUENCE("04", .requirement = "N2-A-12", .clause = "38.413 8.7.1.1", .strength = SHOULD),
	  .purpose = "A gNB that sets up during overload is told",
	  .stimulus = "A second gNB performs NG Setup while overload is active",
	  .expect = "OVERLOAD START to it after the NG SETUP RESPONSE", .run = late_gnb_is_told },
	{ SEQUENCE("05", .requirement = "N2-A-12", .clause = "38.413 8.7.1.1", .strength = SHOULD),
	  .purpose = "A gNB that comes back during overload is told again",
	  .stimulus = "Association lost and NG Setup again while overload is active",
	  .expect = "OVERLOAD START again", .run = returning_gnb_is_told_again },
	{ SEQUENCE("06", .requirement = "N2-A-13", .clause = "38.413 8.7.5, 10", .strength = SHALL),
	  .purpose = "ERROR INDICATION in answer to OVERLOAD START disturbs nobody",
	  .stimulus = "One of two gNBs answers START with ERROR INDICATION",
	  .expect = "Both associations stay and serve; the other gNB gets no STOP",
	  .run = error_indication_is_harmless },
	{ SEQUENCE("X01", .requirement = "N2-A-16", .clause = "38.413 8.7.7", .strength = SHALL),
	  .purpose = "The AMF waits for no answer to OVERLOAD START",
	  .stimulus = "Four changes of the reduction and the end, the gNBs saying nothing",
	  .expect = "Each START and the STOP come at both gNBs", .run = silent_gnb_does_not_stall },
	{ SEQUENCE("X04", .requirement = "N2-A-12", .clause = "38.413 8.7.1.1", .strength = SHOULD),
	  .purpose = "A gNB that sets up again on its association is told again",
	  .stimulus = "NG Setup on an association that had START, while overload is active",
	  .expect = "OVERLOAD START after the NG SETUP RESPONSE", .run = new_setup_is_told_again },
};
