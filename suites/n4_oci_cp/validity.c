/* TP/N4/CP/VAL and END: how long overload control information holds (TS 29.244 6.2.4.3.2.2). */
#include <inttypes.h>

#include "suites/n4_oci_cp/oci.h"

/* What an IUT may take to notice that a period is over, and the way of the message. */
#define TOLERANCE US_PER_S

/* Says it once, in a Session Report Request; the instant when it was. */
static uint64_t say_once(struct upf *upf, uint32_t sequence_number, uint8_t metric,
			 unsigned int timer)
{
	upf_oci(upf, .sequence_number = sequence_number, .metric = metric, .timer = timer,
		.in = UPF_IN_REPORT, .limit = 1);
	upf_tell(upf);
	return loop_now(pfcp_end_tc(upf_end(upf))->loop);
}

static void ends_with_its_validity(struct tc *t)
{
	struct upf *upf = oci_upf(t);
	uint64_t from = say_once(upf, 10, 50, UPF_SECONDS(20));

	oci_share_of_these(t, 0.5, "from the first second on", "op=modify rate=100 count=1000");
	tc_timer_until(t, "tester", "validity of the OCI", from + 13 * US_PER_S);
	oci_share_of_these(t, 0.5, "13 to 18 s after it came", "op=modify rate=100 count=500");
	tc_timer_until(t, "tester", "validity of the OCI", from + 20 * US_PER_S + TOLERANCE);
	oci_all_sent(t, "21 s after it came OCI of 20 s is over", "op=modify rate=26 count=1000");
}

static void equal_number_does_not_restart(struct tc *t)
{
	struct upf *upf = oci_upf(t);
	struct upf_offered sum = { .offered = 0 };
	uint64_t from;

	/* every session response repeats it, octet by octet; so does one report a second */
	upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = UPF_SECONDS(20));
	upf_tell(upf);
	from = loop_now(t->loop);
	for (unsigned int second = 1; second <= 8; second++) {
		upf_offered_add(&sum, oci_offer(t, "op=modify rate=200 count=150"));
		upf_tell(upf);
		tc_timer_until(t, "tester", "validity of the OCI", from + second * 2 * US_PER_S);
	}
	oci_judge(t, 0.5, "while OCI of 20 s is repeated", &sum);
	upf_no_oci(upf);
	tc_timer_until(t, "tester", "validity of the OCI", from + 20 * US_PER_S + TOLERANCE);
	oci_all_sent(t, "21 s after it first came OCI of 20 s is over, though it was repeated",
		     "op=modify rate=100 count=1000");
}

static void newer_restarts(struct tc *t)
{
	struct upf *upf = oci_upf(t);
	uint64_t from = say_once(upf, 10, 50, UPF_SECONDS(20));

	tc_timer_until(t, "tester", "validity of the OCI", from + 10 * US_PER_S);
	say_once(upf, 11, 50, UPF_SECONDS(20));
	oci_share_of_these(t, 0.5, "within the first period", "op=modify rate=170 count=1000");
	tc_timer_until(t, "tester", "validity of the OCI", from + 21 * US_PER_S);
	oci_share_of_these(t, 0.5, "when the first period would be over, but not the second",
			   "op=modify rate=170 count=1000");
	tc_timer_until(t, "tester", "validity of the OCI", from + 29 * US_PER_S);
	say_once(upf, 12, 50, UPF_SECONDS(20));
	tc_timer_until(t, "tester", "validity of the OCI", from + 31 * US_PER_S);
	oci_share_of_these(t, 0.5, "when the second period would be over, but not the third",
			   "op=modify rate=170 count=1000");
}

/* In force until shortly before the end, and not shortly after it. */
static void holds_for(struct tc *t, struct upf *upf, uint32_t sequence_number, uint8_t timer,
		      uint64_t seconds)
{
	uint64_t from = say_once(upf, sequence_number, 50, UPF_OCTET(timer));

	tc_note(t, "timer %02x", timer);
	tc_timer_until(t, "tester", "validity of the OCI", from + seconds * US_PER_S * 9 / 10);
	oci_share_of_these(t, 0.5, "after nine tenths of its validity",
			   "op=modify rate=500 count=1000");
	tc_timer_until(t, "tester", "validity of the OCI", from + seconds * US_PER_S + TOLERANCE);
	oci_all_sent(t, "a second after its validity is over", "op=modify rate=500 count=1000");
}

static void units_of_the_timer(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	holds_for(t, upf, 10, 0x21, 60);
	holds_for(t, upf, 11, 0x41, 600);
	holds_for(t, upf, 12, 0x61, 3600);
}

static void ten_hours(struct tc *t)
{
	holds_for(t, oci_upf(t), 10, 0x81, 36000);
}

static void other_units_are_minutes(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	holds_for(t, upf, 10, 0xa1, 60);
	holds_for(t, upf, 11, 0xc1, 60);
}

static void infinite(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	say_once(upf, 10, 50, UPF_OCTET(0xe0));
	tc_timer(t, "tester", "validity of the OCI", 300 * US_PER_S);
	oci_share_sent(t, 0.5, MODIFY);
	say_once(upf, 11, 0, UPF_OCTET(0xe0));
	oci_settle(t);
	oci_all_sent(t, "metric 0 ends what is infinite", MODIFY " count=200");
}

static void stopped(struct tc *t)
{
	struct upf *upf = oci_upf(t);
	struct upf_offered offered;

	say_once(upf, 10, 50, UPF_SECONDS(60));
	oci_something_shed(t, MODIFY " count=200");
	say_once(upf, 11, 50, UPF_OCTET(0x00));
	oci_settle(t);
	offered = oci_offer(t, MODIFY " count=1000");
	if (offered.sent != offered.offered)
		tc_violation(t,
			     "timer 00 is stopped, OCI with it no longer valid: offered %" PRIu64
			     ", sent %" PRIu64,
			     offered.offered, offered.sent);
}

static void all_of_one_instance(struct tc *t)
{
	struct upf *upf = oci_upf(t);
	uint64_t from;

	say_once(upf, 10, 50, UPF_SECONDS(20));
	oci_something_shed(t, MODIFY " count=200");
	from = say_once(upf, 11, 70, UPF_SECONDS(120));
	tc_timer_until(t, "tester", "validity of the OCI", from + 30 * US_PER_S);
	oci_share_of_these(t, 0.3, "30 s after the newer OCI, of 120 s",
			   "op=modify rate=500 count=1000");
	from = say_once(upf, 12, 30, UPF_SECONDS(10));
	oci_share_of_these(t, 0.7, "at once after the newest OCI, of 10 s",
			   "op=modify rate=500 count=1000");
	tc_timer_until(t, "tester", "validity of the OCI", from + 10 * US_PER_S + TOLERANCE);
	oci_all_sent(t, "the newest OCI holds for 10 s, though the one before held for longer",
		     MODIFY " count=1000");
}

static void metric_0_ends(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	say_once(upf, 10, 50, LONG_VALIDITY);
	oci_something_shed(t, MODIFY " count=200");
	say_once(upf, 11, 0, LONG_VALIDITY);
	oci_settle(t);
	oci_all_sent(t, "newer OCI has metric 0", MODIFY " count=1000");
}

static void absence_ends_nothing(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	say_once(upf, 10, 50, LONG_VALIDITY);
	oci_settle(t);
	/* responses without OCI are what every one of these gets */
	oci_share_sent(t, 0.5, MODIFY);
}

#define VALIDITY(name, how_strong, requires, where, seconds)                                      \
	.id = "TP/N4/CP/" name, .role = ROLE_CP, .strength = how_strong, .needs = NEEDS(ICS_OCI), \
	.requirement = requires, .clause = "29.244 " where, .iut_time_us = (seconds)*US_PER_S

const struct test_case cp_validity_cases[VALIDITY_CASES] = {
	{ VALIDITY("VAL/01", SHALL, "N4-C-09", "6.2.4.3.2.2", 65),
	  .purpose = "OCI holds for its period of validity, not less and not more",
	  .stimulus = "Metric 50 for 20 s, then silence; procedures for 60 s",
	  .expect = "50 % sent for 20 s, then all", .run = ends_with_its_validity },
	{ VALIDITY("VAL/02", SHALL, "N4-C-07", "6.2.4.3.2.1", 40),
	  .purpose = "The same OCI again does not restart its period of validity",
	  .stimulus = "Metric 50 for 20 s, repeated with every message for 16 s",
	  .expect = "Full rate 20 s after the first", .run = equal_number_does_not_restart },
	{ VALIDITY("VAL/03", SHALL, "N4-C-09", "6.2.4.3.2.2", 45),
	  .purpose = "Newer OCI restarts the period of validity",
	  .stimulus = "Metric 50 for 20 s; newer OCI of the same content after 10 s and 29 s",
	  .expect = "50 % sent all the time", .run = newer_restarts },
	{ VALIDITY("VAL/04", SHALL, "N4-C-21", "8.2.35", 4300),
	  .purpose = "Units 001, 010, 011 of the Timer are 1 min, 10 min, 1 h",
	  .stimulus = "Metric 50 with timer 21, 41, 61",
	  .expect = "In force for 1 min, 10 min, 1 h", .run = units_of_the_timer },
	{ VALIDITY("END/01", SHALL, "N4-C-10", "6.2.4.3.2.3", 10),
	  .purpose = "Metric 0 ends the overload before its validity is over",
	  .stimulus = "Metric 50; newer OCI with metric 0", .expect = "Full rate",
	  .run = metric_0_ends },
	{ VALIDITY("END/02", SHALL, "N4-C-11", "6.2.4.3.2.3", 15),
	  .purpose = "Messages without OCI do not end the overload",
	  .stimulus = "Metric 50, once; then responses without OCI", .expect = "50 % sent",
	  .run = absence_ends_nothing },
	{ VALIDITY("VAL/X01", SHALL, "N4-C-21", "8.2.35", 36050),
	  .purpose = "Unit 100 of the Timer is 10 h", .stimulus = "Metric 50 with timer 81",
	  .expect = "In force for 10 h", .run = ten_hours },
	{ VALIDITY("VAL/X02", SHALL, "N4-C-21", "8.2.35", 140),
	  .purpose = "Units that the standard does not have are minutes",
	  .stimulus = "Metric 50 with timer A1, C1", .expect = "In force for 1 min each",
	  .run = other_units_are_minutes },
	{ VALIDITY("VAL/X03", SHALL, "N4-C-21", "8.2.35", 320),
	  .purpose = "Unit 111 of the Timer is infinite",
	  .stimulus = "Metric 50 with timer E0; after 5 min newer OCI with metric 0",
	  .expect = "50 % sent until then", .run = infinite },
	{ VALIDITY("VAL/X04", SHOULD, "N4-C-21", "8.2.35", 10),
	  .purpose = "OCI whose Timer is stopped is no longer valid",
	  .stimulus = "Metric 50 with timer 00", .expect = "Full rate", .run = stopped },
	{ VALIDITY("VAL/X05", SHALL, "N4-C-13", "6.2.4.3.1", 60),
	  .purpose = "Metric and period of validity of one OCI go together",
	  .stimulus = "Metric 50 for 20 s; 70 for 120 s; 30 s later 30 for 10 s",
	  .expect = "30 % sent beyond 20 s; 70 % for 10 s; then all", .run = all_of_one_instance },
};
