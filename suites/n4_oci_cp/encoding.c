/* TP/N4/CP/ENC: information that is odd, wrong, or where it does not belong. */
#include <inttypes.h>

#include "suites/n4_oci_cp/oci.h"

static void metric_above_100(struct tc *t)
{
	static const uint8_t metrics[] = { 101, 127, 128, 255 };
	struct upf *upf = oci_upf(t);

	for (uint32_t i = 0; i < sizeof(metrics); i++) {
		tc_note(t, "metric %u", metrics[i]);
		upf_oci(upf, .sequence_number = 10 + i, .metric = metrics[i],
			.timer = LONG_VALIDITY);
		oci_tell(upf);
		oci_all_sent(t, "metrics above 100 are taken as 0", MODIFY " count=500");
	}
	upf_oci(upf, .sequence_number = 20, .metric = 50, .timer = LONG_VALIDITY);
	oci_tell(upf);
	oci_something_shed(t, MODIFY " count=200");
}

static void first_instance_counts(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = LONG_VALIDITY);
	upf_oci_more(upf, .sequence_number = 11, .metric = 0, .timer = LONG_VALIDITY);
	oci_tell(upf);
	oci_share_sent(t, 0.5, MODIFY);
}

/*
 * Every session response has information that is to be treated as absent. Whether the IUT sheds by
 * it nevertheless is not judged here; what it sent has to come to its end.
 */
static void procedures_complete(struct tc *t, struct upf *upf)
{
	static const char *const operations[] = { "establish", "modify", "delete" };
	uint64_t failed, offered, sent;

	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		struct upf_count *count = upf_count_start(t);
		struct upf_session *session;

		tc_control(t, "sessions op=%s count=5 rate=100 up=%u", operations[i],
			   upf_number(upf));
		offered = oci_figure(t, "offered");
		failed = oci_figure(t, "failed");
		oci_settle(t);
		upf_count_stop(count);
		sent = upf_counted(count, .type = i == 0   ? PFCP_SESSION_ESTABLISHMENT_REQUEST
						  : i == 1 ? PFCP_SESSION_MODIFICATION_REQUEST
							   : PFCP_SESSION_DELETION_REQUEST);
		if (sent > 0 && failed + sent > offered)
			tc_violation(t,
				     "%" PRIu64 " of %" PRIu64
				     " procedures (%s) fail whose responses were accepting, and "
				     "had only an optional IE wrong",
				     failed + sent - offered, sent, operations[i]);
		session = upf_session(upf, 0);
		if (session)
			oci_session_kept(t, upf, "an optional IE of a response was wrong");
	}
}

static void timer_is_missing(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	upf_oci(upf, .sequence_number = 10, .metric = 50, .without = UPF_TIMER,
		.in = UPF_IN_SESSION_RESPONSES);
	procedures_complete(t, upf);
}

/* The Timer IE says that it is longer than the group that it is in. */
static void lie_about_the_timer(struct pfcp_message *msg, struct pfcp_ie *ie, void *arg)
{
	(void)msg;
	(void)arg;
	for (struct pfcp_ie *member = ie->ies.first; member; member = member->next)
		if (member->type == PFCP_IE_TIMER)
			pfcp_lie(member, 9);
}

static void length_is_wrong(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	upf_oci(upf, .sequence_number = 10, .metric = 50, .in = UPF_IN_SESSION_RESPONSES,
		.alter = lie_about_the_timer);
	procedures_complete(t, upf);
}

struct before {
	const struct upf *upf;
	uint64_t sent;
};

static bool heartbeat_had_it(void *arg)
{
	const struct before *before = arg;

	return upf_oci_sent(before->upf) > before->sent;
}

static void not_expected_there(struct tc *t)
{
	enum { HEARTBEAT_WAIT = 130 };
	struct upf *upf = upf_start(t);
	struct before before = { .upf = upf };

	upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = LONG_VALIDITY, .node = true,
		.in = UPF_IN_ASSOCIATION_SETUP | UPF_IN_HEARTBEAT_REQUEST |
		      UPF_IN_HEARTBEAT_RESPONSE);
	oci_associate(t);
	/* requests of ours are answered all the same; those of the IUT come when it likes */
	upf_heartbeat(upf);
	oci_establish(t, upf, 20);
	before.sent = upf_oci_sent(upf);
	if (!tc_wait(t, HEARTBEAT_WAIT * US_PER_S, heartbeat_had_it, &before))
		tc_note(t, "the IUT sends no Heartbeat Request within %d s", HEARTBEAT_WAIT);
	oci_settle(t);
	if (!upf_associated(upf) || upf_session_count(upf) == 0)
		tc_violation(t, "OCI in a heartbeat makes the IUT give up the path: its sessions "
				"are gone");
	oci_session_kept(t, upf, "OCI was in a heartbeat");
	oci_all_sent(t, "OCI in node related messages is not there", MODIFY " count=1000");
	upf_heartbeat(upf);
	if (!upf_associated(upf))
		tc_violation(t, "OCI in a heartbeat makes the IUT give up the path");
}

static void add_members(struct pfcp_message *msg, struct pfcp_ie *ie, void *arg)
{
	static const uint8_t octets[] = { 1, 2, 3 };

	(void)arg;
	pfcp_add_vendor(msg, ie, PFCP_IE_VENDOR + 1, 65000, OCTETS(octets, sizeof(octets)));
	/* a type that the standard does not have (yet) */
	pfcp_add(msg, ie, 0x7f01, OCTETS(octets, sizeof(octets)));
}

static void unknown_members(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = LONG_VALIDITY,
		.alter = add_members);
	oci_tell(upf);
	oci_share_sent(t, 0.5, MODIFY);
}

#define ENCODING(number, requires, where, seconds)                                                 \
	.id = "TP/N4/CP/ENC/" number, .role = ROLE_CP, .strength = SHALL, .needs = NEEDS(ICS_OCI), \
	.requirement = requires, .clause = "29.244 " where, .iut_time_us = (seconds)*US_PER_S

const struct test_case cp_encoding_cases[ENCODING_CASES] = {
	{ ENCODING("01", "N4-C-12", "8.2.34", 15), .purpose = "A metric above 100 counts as 0",
	  .stimulus = "Metric 101, 127, 128, 255; 500 procedures each", .expect = "All sent",
	  .run = metric_above_100 },
	{ ENCODING("02", "N4-C-18", "7.6.10", 10),
	  .purpose = "Of repeated OCI in one message the first counts",
	  .stimulus = "Two IEs 54, with metric 50 and 0", .expect = "50 % sent",
	  .run = first_instance_counts },
	{ ENCODING("03", "N4-C-19", "7.2.3.2, 7.6.6", 15),
	  .purpose = "OCI without its Timer does not harm the message that it is in",
	  .stimulus = "Accepting responses with OCI that lacks its Timer",
	  .expect = "The procedures complete, the sessions stay", .run = timer_is_missing },
	{ ENCODING("04", "N4-C-20", "7.6.9", 140),
	  .purpose = "OCI in a message that has none is passed over",
	  .stimulus = "IE 54 in heartbeats and the Association Setup Response; 1,000 procedures",
	  .expect = "All sent, the path stays", .run = not_expected_there },
	{ ENCODING("X01", "N4-C-19", "7.6.6, 7.6.8", 15),
	  .purpose = "A wrong length inside OCI does not harm the message that it is in",
	  .stimulus = "Accepting responses with OCI whose Timer is longer than OCI",
	  .expect = "The procedures complete, the sessions stay", .run = length_is_wrong },
	{ ENCODING("X02", "N4-C-22", "6.2.4.3.1, 7.6.7", 10),
	  .purpose = "Members of OCI that are not known are passed over",
	  .stimulus = "OCI with a vendor's IE and an unknown one among its members",
	  .expect = "50 % sent", .run = unknown_members },
};
