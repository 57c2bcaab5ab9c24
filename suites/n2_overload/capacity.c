/* TP/N2/AMF/CAP and SAT: Relative AMF Capacity, and NG Setup at a saturated AMF. */
#include "suites/n2_overload/overload.h"

static void capacity_is_told_at_setup(struct tc *t)
{
	static const int capacity = 100;
	struct gnb *gnb;
	const struct ngap_received *response;
	int64_t told;

	tc_control(t, "capacity value=%d", capacity);
	gnb = gnb_connect(t);
	response = gnb_setup_response(gnb);
	if (!ngap_find(&response->pdu, NGAP_ID_RELATIVE_AMF_CAPACITY))
		tc_violation(t, "NG SETUP RESPONSE lacks Relative AMF Capacity (IE 86)");
	if (!ngap_get_int(&response->pdu, NGAP_ID_RELATIVE_AMF_CAPACITY, &told))
		tc_violation(t, "Relative AMF Capacity (IE 86) cannot be read");
	if (told != capacity)
		tc_violation(t, "the AMF's capacity is %d, NG SETUP RESPONSE says %d", capacity,
			     (int)told);
}

/* Waits until the node was told this capacity; what it was told last otherwise, -1: nothing. */
static int told_within(struct tc *t, struct gnb *gnb, int capacity, uint64_t us)
{
	uint64_t until = loop_now(t->loop) + us;
	int64_t told = -1;

	while (told != capacity && loop_now(t->loop) < until) {
		const struct ngap_received *update =
			expect_ngap(t, gnb, .type = NGAP_AMF_CONFIGURATION_UPDATE,
				    .within = until - loop_now(t->loop), .silence = OUTCOME_RETURN);

		if (!update)
			break;
		ngap_get_int(&update->pdu, NGAP_ID_RELATIVE_AMF_CAPACITY, &told);
	}
	return (int)told;
}

static void capacity_change_is_told(struct tc *t)
{
	static const uint64_t reaction = 30 * US_PER_S;
	struct gnb *gnbs[] = { gnb_connect(t), gnb_connect(t) };

	forget_ngap(gnbs[0]);
	forget_ngap(gnbs[1]);
	tc_control(t, "capacity value=0");
	for (size_t i = 0; i < 2; i++) {
		int told = told_within(t, gnbs[i], 0, reaction);

		if (told == 0)
			continue;
		serves(t, gnbs[i]);
		if (told < 0)
			tc_violation(t,
				     "the AMF's capacity became 0; within 30 s %s got no AMF "
				     "CONFIGURATION UPDATE with Relative AMF Capacity (IE 86)",
				     gnb_name(gnbs[i]));
		tc_violation(t, "the AMF's capacity became 0, %s was told %d", gnb_name(gnbs[i]),
			     told);
	}
}

static void saturated_amf_answers_setup(struct tc *t)
{
	struct gnb *early = gnb_connect(t);
	struct gnb *gnb;
	const struct ngap_received *answer;
	char cause[96];
	struct text text;

	tc_control(t, "load percent=150");
	gnb = gnb_connect(t, .no_setup = true);
	gnb_may_drop(gnb);
	gnb_ng_setup(gnb, NULL, NULL);
	answer = expect_ngap(t, gnb, .type = ONE_OF(NGAP_NG_SETUP_RESPONSE, NGAP_NG_SETUP_FAILURE));
	if (answer->pdu.message == NGAP_NG_SETUP_FAILURE) {
		text_init(&text, cause, sizeof(cause));
		received_ngap_cause(answer, &text);
		if (strcmp(cause, "misc/control-processing-overload") != 0)
			tc_violation(t,
				     "NG SETUP FAILURE of a saturated AMF has cause %s, not "
				     "misc/control-processing-overload",
				     cause);
		if (!ngap_find(&answer->pdu, NGAP_ID_TIME_TO_WAIT))
			tc_note(t, "NG SETUP FAILURE without Time To Wait");
	}
	if (!gnb_up(early))
		tc_violation(t, "the saturated AMF dropped a gNB that it served");
}

const struct test_case capacity_cases[CAPACITY_CASES] = {
	{ .id = "TP/N2/AMF/CAP/01",
	  .requirement = "N2-L-01",
	  .clause = "38.413 9.2.6.2, 9.3.1.32",
	  .strength = SHALL,
	  .role = ROLE_AMF,
	  .purpose = "NG SETUP RESPONSE tells the Relative AMF Capacity",
	  .stimulus = "NG Setup with an AMF of capacity 100",
	  .expect = "IE 86 is 100",
	  .run = capacity_is_told_at_setup },
	{ .id = "TP/N2/AMF/CAP/02",
	  .requirement = "N2-L-12",
	  .clause = "38.413 8.7.3, 23.501 5.19.3",
	  .strength = SHOULD,
	  .role = ROLE_AMF,
	  .purpose = "A changed capacity is told to connected nodes",
	  .stimulus = "The AMF's capacity becomes 0",
	  .expect = "AMF CONFIGURATION UPDATE with IE 86 = 0 within 30 s",
	  .run = capacity_change_is_told },
	{ .id = "TP/N2/AMF/SAT/01",
	  .requirement = "N2-A-14",
	  .clause = "38.413 8.7.1.3",
	  .strength = SHALL,
	  .role = ROLE_AMF,
	  .needs = NEEDS(ICS_N2_OVERLOAD),
	  .purpose = "A saturated AMF still answers NG SETUP REQUEST",
	  .stimulus = "NG SETUP REQUEST at a load of 150 %",
	  .expect = "NG SETUP RESPONSE, or FAILURE with cause control-processing-overload",
	  .run = saturated_amf_answers_setup },
};
