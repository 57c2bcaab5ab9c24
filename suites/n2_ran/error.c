/* TP/N2/RAN/ERR: OVERLOAD START that is not as it should be (TS 38.413 clause 10). */
#include <inttypes.h>

#include "suites/n2_ran/ran.h"

enum { PROCEDURE_OVERLOAD_START = 22, UNKNOWN_IE = 65000 };

/* Nothing of the message is in force. */
static void nothing_is_applied(struct tc *t, const char *why)
{
	static const char *const causes[] = { "mo-Data", "mo-Signalling", "mo-SMS", "mt-Access",
					      "emergency" };

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		all_are_sent(t, why, "cause=%s count=100 rate=200", causes[i]);
}

static struct nw_node *gnb_that_serves(struct tc *t)
{
	struct nw_node *node = gnb_of_one_amf(t);

	nothing_is_lost(t, "cause=mo-Data count=20 rate=100");
	forget_node(node);
	return node;
}

static struct nw_error_report error_report(struct tc *t, struct nw_node *node, const char *why)
{
	const struct ngap_received *m = expect_node(t, node, .type = NGAP_ERROR_INDICATION,
						    .silence = OUTCOME_VIOLATION, .why = why);
	struct nw_error_report report;

	if (!received_error_report(m, &report))
		tc_violation(t, "ERROR INDICATION cannot be read");
	if (ngap_find(&m->pdu, NGAP_ID_AMF_UE_NGAP_ID) ||
	    ngap_find(&m->pdu, NGAP_ID_RAN_UE_NGAP_ID))
		tc_violation(t, "ERROR INDICATION about OVERLOAD START has UE NGAP IDs");
	return report;
}

/* The Criticality Diagnostics that 10.3.4.2 asks for, about this IE. */
static void diagnostics(struct tc *t, const struct nw_error_report *report, int ie,
			enum ngap_criticality criticality)
{
	if (report->procedure_code != PROCEDURE_OVERLOAD_START ||
	    report->triggering_message != NGAP_TRIGGERING_MESSAGE_INITIATING_MESSAGE ||
	    report->procedure_criticality != NGAP_CRITICALITY_IGNORE)
		tc_violation(t,
			     "Criticality Diagnostics (-1: absent): procedure code %d, triggering "
			     "message %d, procedure criticality %d; expected %d, %d "
			     "(initiating-message), %d (ignore)",
			     report->procedure_code, report->triggering_message,
			     report->procedure_criticality, PROCEDURE_OVERLOAD_START,
			     NGAP_TRIGGERING_MESSAGE_INITIATING_MESSAGE, NGAP_CRITICALITY_IGNORE);
	if (report->ie != ie || report->ie_criticality != (int)criticality ||
	    report->type_of_error != NGAP_TYPE_OF_ERROR_NOT_UNDERSTOOD)
		tc_violation(t,
			     "Criticality Diagnostics (-1: absent): IE %d, criticality %d, type of "
			     "error %d; expected IE %d, %d, %d (not-understood)",
			     report->ie, report->ie_criticality, report->type_of_error, ie,
			     (int)criticality, NGAP_TYPE_OF_ERROR_NOT_UNDERSTOOD);
}

static void action_not_understood(struct tc *t)
{
	static const enum nw_action actions[] = { ACTION_EXTENDED, ACTION_CHOICE_EXTENSION };
	struct nw_node *node = gnb_that_serves(t);

	for (size_t i = 0; i < 2; i++) {
		struct nw_error_report report;

		nw_overload_start(node, .action = actions[i], .tlr = 40);
		report = error_report(t, node,
				      "AMF Overload Response has criticality reject and is not "
				      "understood");
		diagnostics(t, &report, NGAP_ID_AMF_OVERLOAD_RESPONSE, NGAP_CRITICALITY_REJECT);
		settle(t);
		nothing_is_applied(t, "nothing of a START whose action is not understood may be "
				      "executed");
	}
}

static void falsely_constructed(struct tc *t)
{
	struct nw_node *node = gnb_that_serves(t);
	struct nw_error_report report;

	nw_overload_start(node, .action = ACTION_1, .tlr = 60,
			  .fault = (enum nw_start_fault)t->test->param);
	report = error_report(t, node, "the message is falsely constructed (10.3.6)");
	if (report.cause_group != NGAP_CAUSE_CHOICE_PROTOCOL ||
	    report.cause != NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_FALSELY_CONSTRUCTED_MESSAGE)
		tc_violation(t,
			     "ERROR INDICATION has cause group %d, cause %d; expected group %d "
			     "(protocol), cause %d (abstract-syntax-error-falsely-constructed-"
			     "message)",
			     report.cause_group, report.cause, NGAP_CAUSE_CHOICE_PROTOCOL,
			     NGAP_CAUSE_PROTOCOL_ABSTRACT_SYNTAX_ERROR_FALSELY_CONSTRUCTED_MESSAGE);
	settle(t);
	nothing_is_applied(t, "nothing of a falsely constructed START may be executed");
}

static void is_executed(struct tc *t, const char *why)
{
	settle(t);
	none_is_sent(t, why, "cause=mo-Data count=100 rate=100");
	all_are_sent(t, why, "cause=mo-Signalling count=100 rate=100");
}

static void unknown_ie_is_skipped(struct tc *t)
{
	struct nw_node *node = gnb_that_serves(t);

	nw_overload_start(node, .action = ACTION_0, .unknown_ie = UNKNOWN_IE,
			  .unknown_criticality = NGAP_CRITICALITY_IGNORE);
	expect_no_node(t, node, .type = NGAP_ERROR_INDICATION, .within = US_PER_S,
		       .why = "the unknown IE has criticality ignore");
	is_executed(t, "START with an unknown IE of criticality ignore is executed as action 0");
}

static void unknown_ie_is_reported(struct tc *t)
{
	struct nw_node *node = gnb_that_serves(t);
	struct nw_error_report report;

	nw_overload_start(node, .action = ACTION_0, .unknown_ie = UNKNOWN_IE,
			  .unknown_criticality = NGAP_CRITICALITY_NOTIFY);
	report = error_report(t, node, "the unknown IE has criticality notify");
	diagnostics(t, &report, UNKNOWN_IE, NGAP_CRITICALITY_NOTIFY);
	is_executed(t, "START with an unknown IE of criticality notify is executed as action 0");
}

static void impossible_reduction(struct tc *t)
{
	struct nw_node *node = gnb_that_serves(t);

	nw_overload_start(node, .action = ACTION_1, .tlr = 100, .on_purpose = true);
	settle(t);
	if (!nw_node_up(node))
		tc_violation(t, "a START with an impossible reduction cost the association");
	nothing_is_applied(t, "a reduction of 100, which its type does not have, may not be "
			      "applied");
}

static void whole_list(struct tc *t)
{
	enum { ITEMS = 1024, MIDDLE = 600 };
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	struct nw_slice_item *items = tc_alloc(t, ITEMS * sizeof(*items));
	struct slice *fillers = tc_alloc(t, ITEMS * sizeof(*fillers));

	for (size_t i = 0; i < ITEMS; i++) {
		fillers[i] = (struct slice){ .sst = 255, .has_sd = true, .sd = (uint32_t)i + 1 };
		items[i] = (struct nw_slice_item){ .slices = &fillers[i], .slice_count = 1 };
	}
	items[0].slices = &s.a;
	items[MIDDLE].slices = &s.b;
	items[ITEMS - 1].slices = &s.c;
	nothing_is_lost(t, "cause=mo-Signalling nssai=%s count=20 rate=100", s.a_word);
	nothing_is_lost(t, "cause=mo-Signalling nssai=%s count=20 rate=100", s.c_word);
	nw_overload_start(node, .items = items, .item_count = ITEMS);
	settle(t);
	none_is_sent(t, "the first of 1,024 items",
		     "cause=mo-Signalling nssai=%s count=100 rate=100", s.a_word);
	none_is_sent(t, "an item in the middle of 1,024",
		     "cause=mo-Signalling nssai=%s count=100 rate=100", s.b_word);
	none_is_sent(t, "the last of 1,024 items",
		     "cause=mo-Signalling nssai=%s count=100 rate=100", s.c_word);
	all_are_sent(t, "a UE that requests no NSSAI matches no item",
		     "cause=mo-Signalling count=100 rate=100");
}

#define IN_ERROR(number, ...)                                               \
	.id = "TP/N2/RAN/ERR/" number, .role = ROLE_RAN, .strength = SHALL, \
	.needs = NEEDS(ICS_N2_OVERLOAD), .iut_time_us = 10 * US_PER_S, __VA_ARGS__

const struct test_case error_cases[ERROR_CASES] = {
	{ IN_ERROR("01", .requirement = "N2-R-21", .clause = "38.413 10.3.4.2"),
	  .purpose = "A START whose action is not understood is reported and not executed",
	  .stimulus = "Extended OverloadAction, then choice-Extensions, each with a reduction",
	  .expect = "ERROR INDICATION about IE 2, not understood; nothing applied",
	  .run = action_not_understood },
	{ IN_ERROR("02", .requirement = "N2-R-23", .clause = "38.413 10.3.6"),
	  .purpose = "A START with IEs in the wrong order is reported and not executed",
	  .stimulus = "IE 9 before IE 2",
	  .expect = "ERROR INDICATION, falsely constructed message; nothing applied",
	  .run = falsely_constructed, .param = START_WRONG_ORDER },
	{ IN_ERROR("03", .requirement = "N2-R-22", .clause = "38.413 10.3.4.2"),
	  .purpose = "An unknown IE with criticality ignore is skipped",
	  .stimulus = "START with action 0 and IE 65000, criticality ignore",
	  .expect = "Executed, no ERROR INDICATION", .run = unknown_ie_is_skipped },
	{ IN_ERROR("04", .requirement = "N2-R-22", .clause = "38.413 10.3.4.2"),
	  .purpose = "An unknown IE with criticality notify is reported",
	  .stimulus = "START with action 0 and IE 65000, criticality notify",
	  .expect = "Executed, and ERROR INDICATION about IE 65000",
	  .run = unknown_ie_is_reported },
	{ IN_ERROR("05", .requirement = "N2-R-25", .clause = "38.413 10.2, 9.3.1.106"),
	  .purpose = "An impossible reduction is not applied",
	  .stimulus = "START with action 1 and a reduction coded as C6 (100)",
	  .expect = "Nothing applied, the node serves", .run = impossible_reduction },
	{ IN_ERROR("06", .requirement = "N2-R-12", .clause = "38.413 9.2.6.14"),
	  .purpose = "A list of 1,024 slice items is applied as a whole",
	  .stimulus = "START with 1,024 slice items; requested NSSAI of the first, one in the "
		      "middle, and the last",
	  .expect = "0 sent", .run = whole_list },
	{ IN_ERROR("X01", .requirement = "N2-R-23", .clause = "38.413 10.3.6"),
	  .purpose = "A START with an IE that occurs twice is reported and not executed",
	  .stimulus = "IE 2 twice",
	  .expect = "ERROR INDICATION, falsely constructed message; nothing applied",
	  .run = falsely_constructed, .param = START_ACTION_TWICE },
};
