/*
 * TP/N4/CP/PRIO: emergency and MPS are throttled last (TS 29.244 6.2.4.5.1).
 *
 * On the wire a request need not say what it is about, so each class is an action of its own, both
 * at the same time; what the adapter says of one class is checked against what came of both.
 */
#include <inttypes.h>

#include "suites/n4_oci_cp/oci.h"

enum { WARM_UP = 1000, COUNTED = 2000, RATE = 500 };

struct two_classes {
	uint64_t normal, normal_failed;
	uint64_t priority, priority_failed;
	uint64_t sent;
};

/* So many procedures, of which `percent` have this priority. */
static struct two_classes offer_two_classes(struct tc *t, const char *priority,
					    unsigned int percent, unsigned int count)
{
	unsigned int some = count * percent / 100, rate = RATE * percent / 100;
	struct upf_count *counted = upf_count_start(t);
	struct control_action *first, *second;
	struct two_classes of = { .sent = 0 };

	first = tc_control_start(t, "sessions op=establish priority=normal count=%u rate=%u",
				 count - some, RATE - rate);
	second = tc_control_start(t, "sessions op=establish priority=%s count=%u rate=%u", priority,
				  some, rate);
	tc_control_finish(t, first);
	of.normal = oci_figure(t, "offered");
	of.normal_failed = oci_figure(t, "failed");
	tc_control_finish(t, second);
	of.priority = oci_figure(t, "offered");
	of.priority_failed = oci_figure(t, "failed");
	oci_settle(t);
	upf_count_stop(counted);
	of.sent = upf_counted(counted, .type = PFCP_SESSION_ESTABLISHMENT_REQUEST);
	if (of.sent + of.normal_failed + of.priority_failed != of.normal + of.priority)
		tc_error(t,
			 "the control adapter's figures do not fit: offered %" PRIu64
			 " normal and %" PRIu64 " %s, failed %" PRIu64 " and %" PRIu64
			 ", and %" PRIu64 " came",
			 of.normal, of.priority, priority, of.normal_failed, of.priority_failed,
			 of.sent);
	return of;
}

/* More than the bound above what may be sent: one side of the share test. */
static void not_above(struct tc *t, double stated, uint64_t offered, uint64_t sent)
{
	struct share_test test = oci_share_test(t, stated);
	char figures[512];
	struct text text;

	text_init(&text, figures, sizeof(figures));
	tc_share(t, "all classes together", &test, offered, sent, &text);
	tc_note(t, "all classes together: %s", figures);
	if ((double)sent > (double)offered * stated &&
	    share_p_value(&test, offered, sent) < test.error)
		tc_violation(t, "the reduction is not met: %s", figures);
}

static void say(struct upf *upf, uint8_t metric)
{
	upf_oci(upf, .sequence_number = 10, .metric = metric, .timer = LONG_VALIDITY, .node = true);
	oci_tell(upf);
}

static void priority_is_spared(struct tc *t, const char *priority, uint8_t metric)
{
	struct upf *upf = oci_upf(t);
	struct two_classes of;

	say(upf, metric);
	/* the IUT gets to know how many of which there are */
	offer_two_classes(t, priority, 20, WARM_UP);
	of = offer_two_classes(t, priority, 20, COUNTED);
	tc_note(t,
		"of %" PRIu64 " normal procedures %" PRIu64 " are sent (%.1f %%; where %s bears "
		"nothing: %.1f %%), of %" PRIu64 " %s ones %" PRIu64,
		of.normal, of.normal - of.normal_failed,
		100.0 * (double)(of.normal - of.normal_failed) / (double)of.normal, priority,
		(100.0 - metric - 20) / 0.8, of.priority, priority,
		of.priority - of.priority_failed);
	if (of.normal_failed == 0)
		tc_fail(t, "overload control information has no effect (N4-C-02)");
	if (of.priority_failed && of.normal_failed < of.normal)
		tc_violation(t,
			     "%" PRIu64 " %s procedures are shed while %" PRIu64
			     " normal ones are sent",
			     of.priority_failed, priority, of.normal - of.normal_failed);
	not_above(t, 1 - metric / 100.0, of.normal + of.priority, of.sent);
}

static void emergency_is_spared(struct tc *t)
{
	priority_is_spared(t, "emergency", 50);
}

static void emergency_is_spared_at_75(struct tc *t)
{
	priority_is_spared(t, "emergency", 75);
}

static void mps_is_spared(struct tc *t)
{
	priority_is_spared(t, "mps", 50);
}

static void reduction_is_met(struct tc *t)
{
	struct upf *upf = oci_upf(t);
	struct upf_offered offered;

	say(upf, 50);
	oci_offer(t, "op=establish mix=normal:20,emergency:80 rate=500 count=1000");
	offered = oci_offer(t, "op=establish mix=normal:20,emergency:80 rate=500 count=2000");
	not_above(t, 0.5, offered.offered, offered.sent);
}

/* --- message priority --- */

enum { NO_PRIORITY = 17 }; /* classes 1 to 16 are message priorities 0 to 15 */

static int class_of(const struct pfcp_message *msg)
{
	return msg->has_priority ? msg->priority + 1 : NO_PRIORITY;
}

/* The class of what an action brings; 0 where it is none, or more than one. */
static int class_offered(struct tc *t, const char *priority)
{
	struct upf_offered offered =
		upf_offer_all_sent(t, "op=establish rate=100 count=10 priority=%s", priority);

	for (int class = 1; class <= NO_PRIORITY; class ++)
		if (upf_counted(offered.count, .class = class,
				.type = PFCP_SESSION_ESTABLISHMENT_REQUEST) == offered.offered)
			return class;
	return 0;
}

static void emergency_has_the_higher_priority(struct tc *t)
{
	int normal, emergency;

	upf_start(t);
	oci_associate(t);
	upf_classify(t, class_of);
	normal = class_offered(t, "normal");
	emergency = class_offered(t, "emergency");
	if (!normal || !emergency)
		tc_violation(t, "requests for the same have different message priorities");
	if (normal == NO_PRIORITY && emergency == NO_PRIORITY) {
		tc_note(t, "the IUT uses no message priority, which is its operator's choice");
		return;
	}
	tc_note(t, "message priority of normal requests: %d, of emergency: %d (%d: none)",
		normal - 1, emergency - 1, NO_PRIORITY - 1);
	if (emergency > normal)
		tc_violation(t,
			     "an emergency request has message priority %d, a normal one %d, and "
			     "0 is the highest",
			     emergency - 1, normal - 1);
}

#define PRIORITY(number, requires, where, seconds)                                   \
	.id = "TP/N4/CP/PRIO/" number, .role = ROLE_CP, .strength = SHALL,           \
	.requirement = requires, .clause = "29.244 " where, .needs = NEEDS(ICS_OCI), \
	.iut_time_us = (seconds)*US_PER_S

const struct test_case cp_priority_cases[PRIORITY_CASES] = {
	{ PRIORITY("01", "N4-C-15", "6.2.4.5.1", 20),
	  .purpose = "Emergency is spared while other requests can bear the reduction",
	  .stimulus = "Metric 50; 20 % emergency; the first 1,000 procedures are not counted",
	  .expect = "No emergency shed; 50 % sent in all", .run = emergency_is_spared },
	{ PRIORITY("02", "N4-C-17", "6.2.4.5.1", 20),
	  .purpose = "Where others cannot bear the reduction priority requests are shed too",
	  .stimulus = "Metric 50; 80 % emergency; the first 1,000 procedures are not counted",
	  .expect = "Not more than 50 % sent in all", .run = reduction_is_met },
	{ PRIORITY("X01", "N4-C-15", "6.2.4.5.1", 20),
	  .purpose = "Emergency is spared at a high metric too",
	  .stimulus = "Metric 75; 20 % emergency", .expect = "No emergency shed; 25 % sent in all",
	  .run = emergency_is_spared_at_75 },
	{ PRIORITY("X02", "N4-C-15", "6.2.4.5.1", 20),
	  .purpose = "MPS is spared while other requests can bear the reduction",
	  .stimulus = "Metric 50; 20 % MPS", .expect = "No MPS shed; 50 % sent in all",
	  .run = mps_is_spared },
	{ PRIORITY("X03", "N4-C-23", "6.2.4.5.2", 5),
	  .purpose = "Where message priority is used, emergency does not get the lower one",
	  .stimulus = "Establishments of normal and of emergency sessions",
	  .expect = "No message priority, or emergency's is not below",
	  .run = emergency_has_the_higher_priority },
};
