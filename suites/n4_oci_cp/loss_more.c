/*
 * TP/N4/CP/LOSS/X: small metrics, the messages that OCI comes in, what is throttled besides
 * establishments, and what is not.
 */
#include <inttypes.h>

#include "suites/n4_oci_cp/oci.h"

static void small_metric(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	upf_oci(upf, .sequence_number = 100, .metric = 9, .timer = LONG_VALIDITY);
	oci_tell(upf);
	oci_share_sent(t, 0.91, MODIFY);
}

/* One message type alone carries the information; arguments of an action that provokes it. */
static void told_in(struct tc *t, enum upf_place place, const char *provoked_by)
{
	struct upf *upf = oci_upf(t);

	upf_oci(upf, .sequence_number = 100, .metric = 50, .timer = LONG_VALIDITY, .node = true,
		.in = place);
	if (provoked_by)
		upf_offer(t, "%s up=%u", provoked_by, upf_number(upf));
	else
		upf_tell(upf);
	if (upf_oci_sent(upf) == 0)
		tc_inconc(t, "the IUT was asked for nothing that overload control information "
			     "could be in the answer to");
	oci_settle(t);
	oci_share_sent(t, 0.5, MODIFY);
}

static void told_in_establishment(struct tc *t)
{
	told_in(t, UPF_IN_ESTABLISHMENT, "op=establish count=3 rate=100");
}

static void told_in_modification(struct tc *t)
{
	told_in(t, UPF_IN_MODIFICATION, "op=modify count=3 rate=100");
}

static void told_in_deletion(struct tc *t)
{
	told_in(t, UPF_IN_DELETION, "op=delete count=3 rate=100");
}

static void told_in_report(struct tc *t)
{
	told_in(t, UPF_IN_REPORT, NULL);
}

static void told_in_rejection(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	upf_oci(upf, .sequence_number = 100, .metric = 50, .timer = LONG_VALIDITY, .node = true,
		.in = UPF_IN_ESTABLISHMENT);
	upf_refuse(upf, PFCP_CAUSE_PFCP_ENTITY_IN_CONGESTION);
	tc_control(t, "sessions op=establish count=3 rate=100 up=%u", upf_number(upf));
	oci_settle(t);
	if (upf_oci_sent(upf) == 0)
		tc_inconc(t, "the IUT establishes no session that could be refused");
	upf_refuse(upf, 0);
	oci_share_sent(t, 0.5, MODIFY);
}

static void all_types_are_throttled(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	upf_oci(upf, .sequence_number = 100, .metric = 100, .timer = LONG_VALIDITY, .node = true);
	oci_tell(upf);
	oci_none_sent(t, "establishments are throttled", "op=establish rate=200 count=200");
	oci_none_sent(t, "modifications are throttled", "op=modify rate=200 count=200");
	oci_none_sent(t, "deletions are throttled", "op=delete rate=100 count=15");
}

/* --- heartbeats --- */

#define HEARTBEAT_WAIT (130 * US_PER_S)

/* Counts what the UP function answers. */
static void count_heartbeat(struct pfcp_message *msg, void *arg)
{
	unsigned int *count = arg;

	if (msg->type == PFCP_HEARTBEAT_RESPONSE)
		++*count;
}

static bool counted(void *arg)
{
	const unsigned int *count = arg;

	return *count > 0;
}

static bool sends_heartbeat(struct tc *t, struct upf *upf)
{
	unsigned int *count = tc_alloc(t, sizeof(*count));

	pfcp_bend(upf_end(upf), count_heartbeat, count);
	return tc_wait(t, HEARTBEAT_WAIT, counted, count);
}

static void heartbeats_go_on(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	if (!sends_heartbeat(t, upf)) {
		tc_note(t, "the IUT sends no Heartbeat Request within %" PRIu64 " s",
			HEARTBEAT_WAIT / US_PER_S);
		return;
	}
	upf_oci(upf, .sequence_number = 100, .metric = 100, .timer = LONG_VALIDITY, .node = true);
	oci_tell(upf);
	oci_none_sent(t, "the metric is 100", MODIFY " count=200");
	if (!sends_heartbeat(t, upf))
		tc_violation(t,
			     "in overload the IUT sends no Heartbeat Request for %" PRIu64
			     " s any more, and before it did",
			     HEARTBEAT_WAIT / US_PER_S);
}

/* --- features --- */

static void support_is_announced(struct tc *t)
{
	struct upf *upf = oci_upf(t);
	struct upf_offered offered;

	upf_oci(upf, .sequence_number = 100, .metric = 50, .timer = LONG_VALIDITY);
	oci_tell(upf);
	offered = oci_offer(t, MODIFY " count=200");
	if (offered.sent == offered.offered)
		tc_fail(t,
			"overload control information has no effect (N4-C-02): sent %" PRIu64
			" of %" PRIu64,
			offered.sent, offered.offered);
	if (!pfcp_flag(upf_cp_features(upf), PFCP_CP_FUNCTION_FEATURES_OVRL))
		tc_violation(t, "the IUT acts on overload control information, and OVRL is not "
				"among its CP Function Features");
}

static void overload_without_load_control(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	if (upf_lci_sent(upf))
		tc_error(t, "load control information was sent");
	upf_oci(upf, .sequence_number = 100, .metric = 50, .timer = LONG_VALIDITY);
	oci_tell(upf);
	oci_share_sent(t, 0.5, MODIFY);
}

static void share_at_any_rate(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	upf_oci(upf, .sequence_number = 100, .metric = 50, .timer = LONG_VALIDITY);
	oci_tell(upf);
	oci_share_sent(t, 0.5, "op=modify rate=250");
	oci_share_sent(t, 0.5, "op=modify rate=1000");
}

#define LOSS(number, how_strong, requires, where)                               \
	.id = "TP/N4/CP/LOSS/" number, .role = ROLE_CP, .strength = how_strong, \
	.needs = NEEDS(ICS_OCI), .requirement = requires, .clause = "29.244 " where

#define TOLD_IN(number, message, body)                                                   \
	{                                                                                \
		LOSS(number, SHALL, "N4-C-01", "6.2.4.3.3"),                             \
			.purpose = "OCI in a " message " is acted on",                   \
			.stimulus = "OCI with metric 50, in " message "s alone",         \
			.expect = "50 % sent", .iut_time_us = 10 * US_PER_S, .run = body \
	}

const struct test_case cp_loss_more_cases[LOSS_MORE_CASES] = {
	{ LOSS("X01", SHALL, "N4-C-02", "6.2.4.4.2.1"),
	  .purpose = "A small metric is a reduction too", .stimulus = "OCI with metric 9",
	  .expect = "91 % sent", .iut_time_us = 15 * US_PER_S, .run = small_metric },
	TOLD_IN("X02", "Session Establishment Response", told_in_establishment),
	TOLD_IN("X03", "Session Modification Response", told_in_modification),
	TOLD_IN("X04", "Session Deletion Response", told_in_deletion),
	TOLD_IN("X05", "Session Report Request", told_in_report),
	TOLD_IN("X06", "rejecting Session Establishment Response", told_in_rejection),
	{ LOSS("X07", SHALL, "N4-C-29", "6.2.4.4.1"),
	  .purpose = "All session requests are throttled, not establishments alone",
	  .stimulus = "OCI with metric 100; establishments, modifications, deletions",
	  .expect = "0 sent of each", .iut_time_us = 10 * US_PER_S,
	  .run = all_types_are_throttled },
	{ LOSS("X08", SHOULD, "N4-C-29", "6.2.4.4.1"),
	  .purpose = "Heartbeats keep the path alive in overload",
	  .stimulus = "OCI with metric 100 for longer than the heartbeat interval",
	  .expect = "Heartbeat Requests go on, if there were any", .iut_time_us = 150 * US_PER_S,
	  .run = heartbeats_go_on },
	{ LOSS("X09", SHOULD, "N4-C-28", "8.2.58"),
	  .purpose = "A CP function that acts on OCI announces OVRL",
	  .stimulus = "Association setup; OCI with metric 50",
	  .expect = "CP Function Features with OVRL", .iut_time_us = 5 * US_PER_S,
	  .run = support_is_announced },
	{ LOSS("X10", SHALL, "N4-C-27", "6.2.4.1"),
	  .purpose = "Overload control does not need load control",
	  .stimulus = "OCI with metric 50 of a UP function that never sends LCI",
	  .expect = "50 % sent", .iut_time_us = 10 * US_PER_S,
	  .run = overload_without_load_control },
	{ LOSS("X11", SHALL, "N4-C-02", "6.2.4.4.2.1"),
	  .purpose = "The reduction is a share of the requests, whatever their rate",
	  .stimulus = "OCI with metric 50; procedures at one rate, then at four times that",
	  .expect = "50 % sent at both", .iut_time_us = 25 * US_PER_S, .run = share_at_any_rate },
};
