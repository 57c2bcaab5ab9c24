/* TP/N2/RAN/ACT: which RRC causes each Overload Action concerns (TS 38.413 8.7.7.2). */
#include <inttypes.h>

#include "suites/n2_ran/ran.h"

enum { CAUSES = 10, EMERGENCY_COLUMN = 0 };

static const enum rrc_cause causes[CAUSES] = {
	RRC_EMERGENCY,
	RRC_HIGH_PRIORITY_ACCESS,
	RRC_MT_ACCESS,
	RRC_MO_SIGNALLING,
	RRC_MO_DATA,
	RRC_MO_VOICE_CALL,
	RRC_MO_VIDEO_CALL,
	RRC_MO_SMS,
	RRC_MPS_PRIORITY_ACCESS,
	RRC_MCS_PRIORITY_ACCESS,
};

/*
 * Sent, rejected; L: rejected where the action is read literally, sent is over-permissive.
 * Columns in the order above.
 */
static const char decisions[4][CAUSES + 1] = {
	"SSSSRRRRSS",
	"SSSRRRRRSS",
	"SLSRRRRRLL",
	"LSSRRRRRSS",
};

static void judge_cause(struct tc *t, unsigned int action, size_t column)
{
	const char *cause = rrc_cause_name(causes[column]);
	char decision = decisions[action][column];
	struct nw_attempts a = offer(t, "cause=%s count=100 rate=100", cause);

	tc_note(t, "action %u, %s: offered %" PRIu64 ", sent %" PRIu64, action, cause, a.offered,
		a.sent);
	if (decision == 'S' && a.sent != a.offered)
		tc_violation(t,
			     "action %u does not concern %s: offered %" PRIu64 ", sent %" PRIu64
			     " instead of all",
			     action, cause, a.offered, a.sent);
	if (decision == 'R' && a.sent)
		tc_violation(t,
			     "action %u rejects %s: offered %" PRIu64 ", sent %" PRIu64
			     " instead of none",
			     action, cause, a.offered, a.sent);
	if (decision == 'L' && a.sent)
		tc_should(t, "N2-R-02",
			  "read literally, action %u rejects %s: offered %" PRIu64
			  ", sent %" PRIu64,
			  action, cause, a.offered, a.sent);
}

static void decision_matrix(struct tc *t)
{
	unsigned int action = (unsigned int)t->test->param;
	struct nw_node *node = gnb_of_one_amf(t);

	for (size_t i = 0; i < CAUSES; i++)
		nothing_is_lost(t, "cause=%s count=10 rate=100", rrc_cause_name(causes[i]));
	nw_overload_start(node, .action = nw_action_of(action));
	settle(t);
	for (size_t i = 0; i < CAUSES; i++)
		judge_cause(t, action, i);
}

/* The IUT is another kind of node from now on. */
static struct nw_node *become(struct tc *t, struct nw_amf *amf, enum node_kind kind,
			      const char *word)
{
	nw_may_drop(t);
	tc_control(t, "ran-config node=%s", word);
	return nw_node(amf, kind);
}

static void exception_data(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_node *node;

	nw_iut_connects(t);
	node = become(t, amf, NODE_NG_ENB, "ng-enb");
	nothing_is_lost(t, "cause=mo-ExceptionData count=10 rate=100");
	nothing_is_lost(t, "cause=mo-Data count=10 rate=100");
	nothing_is_lost(t, "cause=emergency count=10 rate=100");
	nw_overload_start(node, .action = ACTION_3);
	settle(t);
	none_is_sent(t, "action 3 rejects mo-Data", "cause=mo-Data count=100 rate=100");
	all_are_sent(t, "action 3 keeps mo-ExceptionData",
		     "cause=mo-ExceptionData count=100 rate=100");
	all_are_sent(t, "action 3 keeps mt-Access", "cause=mt-Access count=100 rate=100");
	judge_cause(t, 3, EMERGENCY_COLUMN);
}

static void non_3gpp(struct tc *t)
{
	/* emergency, highPriorityAccess, mo-Signalling, mo-Data: what each such UE may give */
	static const size_t columns[] = { EMERGENCY_COLUMN, 1, 3, 4 };
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_node *node;

	nw_iut_connects(t);
	node = become(t, amf, NODE_N3IWF, "n3iwf");
	for (size_t i = 0; i < 4; i++)
		nothing_is_lost(t, "cause=%s count=10 rate=100",
				rrc_cause_name(causes[columns[i]]));
	for (unsigned int action = 0; action < 4; action++) {
		nw_overload_start(node, .action = nw_action_of(action));
		settle(t);
		for (size_t i = 0; i < 4; i++)
			judge_cause(t, action, columns[i]);
	}
}

static void start_has_an_effect(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Data count=50 rate=100");
	nw_overload_start(node, .action = ACTION_1);
	settle(t);
	something_is_refused(t, "cause=mo-Data count=100 rate=100");
}

static void no_reduction_means_all(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Data count=50 rate=100");
	nw_overload_start(node, .action = ACTION_0);
	settle(t);
	none_is_sent(t, "without reduction no traffic that is marked for rejection is sent",
		     "cause=mo-Data count=1000 rate=200");
}

#define ACTION(number, ...) \
	.id = "TP/N2/RAN/ACT/" number, .role = ROLE_RAN, .strength = SHALL, __VA_ARGS__

#define MATRIX(number, action, kept)                                                            \
	{                                                                                       \
		ACTION(number, .requirement = "N2-R-02", .clause = "38.413 8.7.7.2, 9.3.1.105", \
		       .needs = NEEDS(ICS_N2_OVERLOAD)),                                        \
			.purpose = "Overload Action " #action                                   \
				   " concerns its RRC causes and no other",                     \
			.stimulus = "OVERLOAD START with action " #action                       \
				    " and no reduction; 100 attempts per RRC cause",            \
			.expect = kept, .iut_time_us = 15 * US_PER_S, .run = decision_matrix,   \
			.param = action                                                         \
	}

const struct test_case action_cases[ACTION_CASES] = {
	MATRIX("00", 0, "0 of mo-Data, mo-SMS, mo-VoiceCall, mo-VideoCall; all of the others"),
	MATRIX("01", 1,
	       "0 of mo-Data, mo-SMS, mo-VoiceCall, mo-VideoCall, mo-Signalling; all of "
	       "the others"),
	MATRIX("02", 2, "All of emergency and mt-Access; 0 of mo-*; high priority is recorded"),
	MATRIX("03", 3,
	       "All of highPriorityAccess, mps, mcs, mt-Access; 0 of mo-*; emergency is "
	       "recorded"),
	{ ACTION("04", .requirement = "N2-R-02", .clause = "38.413 9.3.1.105",
		 .needs = NEEDS(ICS_N2_OVERLOAD) | NEEDS(ICS_NG_ENB)),
	  .purpose = "Overload Action 3 keeps mo-ExceptionData on E-UTRA",
	  .stimulus = "An ng-eNB; OVERLOAD START with action 3; 100 attempts per RRC cause",
	  .expect = "All of mo-ExceptionData and mt-Access, 0 of mo-Data; emergency is recorded",
	  .iut_time_us = 10 * US_PER_S, .run = exception_data },
	{ ACTION("X01", .requirement = "N2-R-18", .clause = "23.501 5.19.5.2",
		 .needs = NEEDS(ICS_N2_OVERLOAD) | NEEDS(ICS_NON_3GPP)),
	  .purpose = "An N3IWF restricts the establishment of connections in the same way",
	  .stimulus = "An N3IWF; OVERLOAD START with each action in turn; 100 attempts of "
		      "emergency, highPriorityAccess, mo-Signalling, mo-Data",
	  .expect = "As a gNB does: what an action names 0, the others all",
	  .iut_time_us = 25 * US_PER_S, .run = non_3gpp },
	{ ACTION("X02", .requirement = "N2-R-01", .clause = "38.413 8.7.7.2",
		 .needs = NEEDS(ICS_N2_OVERLOAD)),
	  .purpose = "An AMF that has sent OVERLOAD START is taken for overloaded",
	  .stimulus = "OVERLOAD START with action 1; 100 mo-Data", .expect = "Some are refused",
	  .iut_time_us = 5 * US_PER_S, .run = start_has_an_effect },
	{ ACTION("X03", .requirement = "N2-R-03", .clause = "38.413 8.7.7.2",
		 .needs = NEEDS(ICS_N2_OVERLOAD)),
	  .purpose = "Without reduction nothing that is marked for rejection is sent",
	  .stimulus = "OVERLOAD START with action 0; 1,000 mo-Data", .expect = "None is sent",
	  .iut_time_us = 10 * US_PER_S, .run = no_reduction_means_all },
};
