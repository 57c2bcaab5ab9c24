/*
 * TP/N4/CP/SEQ: which overload control information is newer (TS 29.244 6.2.4.3.2.1).
 *
 * The standard asks to take a larger number, and to be ready for a smaller one after roll-over or a
 * restart of the UP function. It does not say how a receiver tells roll-over from a late message,
 * nor how far apart two numbers may be: numbers half the range away, and FFFFFFFF after a
 * roll-over, are larger in one reading and older in another. No case gives a verdict on these.
 */
#include <inttypes.h>

#include "suites/n4_oci_cp/oci.h"

static void say(struct upf *upf, uint32_t sequence_number, uint8_t metric)
{
	upf_oci(upf, .sequence_number = sequence_number, .metric = metric, .timer = LONG_VALIDITY,
		.in = UPF_IN_REPORT);
	oci_tell(upf);
}

static void larger_overwrites(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	say(upf, 10, 20);
	oci_share_sent(t, 0.8, MODIFY);
	say(upf, 11, 60);
	oci_share_sent(t, 0.4, MODIFY);
}

static void smaller_is_late(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	say(upf, 11, 60);
	oci_share_sent(t, 0.4, MODIFY);
	say(upf, 10, 0);
	oci_share_sent(t, 0.4, MODIFY);
}

/* Metric 60 with one number, then no overload with the other one. */
static void accepts_after(struct tc *t, struct upf *upf, uint32_t before, uint32_t after)
{
	say(upf, before, 60);
	oci_something_shed(t, MODIFY " count=200");
	say(upf, after, 0);
	tc_note(t, "sequence number %08" PRIX32 ", then %08" PRIX32, before, after);
	oci_all_sent(t, "newer information says that there is no overload any more",
		     MODIFY " count=200");
}

static void rolls_over(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	accepts_after(t, upf, UINT32_MAX, 0);
	/* and with a CP function that knows of no number yet */
	upf_no_oci(upf);
	oci_associate(t);
	oci_establish(t, upf, 20);
	accepts_after(t, upf, UINT32_MAX, 1);
	say(upf, 2, 20);
	oci_share_sent(t, 0.8, MODIFY);
}

static void restart_begins_anew(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	say(upf, 1000, 50);
	oci_share_sent(t, 0.5, MODIFY);
	upf_no_oci(upf);
	oci_restart(upf);
	/* an IUT that goes by the old information sheds some of these */
	oci_offer(t, "op=establish rate=100 count=100");
	say(upf, 1, 20);
	oci_share_sent(t, 0.8, MODIFY);
}

static void larger_at_every_boundary(struct tc *t)
{
	static const uint32_t boundaries[] = { 0xff, 0x7fff, 0xffff, 0xffffff, 0x7fffffff };
	struct upf *upf = oci_upf(t);

	for (size_t i = 0; i < sizeof(boundaries) / sizeof(*boundaries); i++)
		accepts_after(t, upf, boundaries[i], boundaries[i] + 1);
}

static void rolls_over_by_more_than_one(struct tc *t)
{
	struct upf *upf = oci_upf(t);

	accepts_after(t, upf, 0xfffffff0, 10);
}

static void late_after_roll_over(struct tc *t)
{
	struct upf *upf = oci_upf(t);
	struct upf_offered offered;

	say(upf, UINT32_MAX, 20);
	oci_something_shed(t, MODIFY " count=200");
	say(upf, 5, 60);
	oci_share_sent(t, 0.4, MODIFY);
	say(upf, 4, 0);
	oci_share_sent(t, 0.4, MODIFY);
	say(upf, UINT32_MAX, 0);
	offered = oci_offer(t, MODIFY " count=200");
	tc_note(t, "the number from before the roll-over, late: %s (the standard leaves it open)",
		offered.sent == offered.offered ? "taken for a larger one" : "discarded");
}

#define SEQUENCE(number, requires)                                                                 \
	.id = "TP/N4/CP/SEQ/" number, .role = ROLE_CP, .strength = SHALL, .needs = NEEDS(ICS_OCI), \
	.requirement = requires, .clause = "29.244 6.2.4.3.2.1"

const struct test_case cp_sequence_cases[SEQUENCE_CASES] = {
	{ SEQUENCE("01", "N4-C-05"),
	  .purpose = "OCI with a larger sequence number takes the place of the stored one",
	  .stimulus = "Sequence number 10 with metric 20, then 11 with metric 60",
	  .expect = "80 %, then 40 % sent", .iut_time_us = 20 * US_PER_S,
	  .run = larger_overwrites },
	{ SEQUENCE("02", "N4-C-06"),
	  .purpose = "OCI with a smaller sequence number is late and changes nothing",
	  .stimulus = "Sequence number 11 with metric 60, then 10 with metric 0",
	  .expect = "40 % sent before and after", .iut_time_us = 20 * US_PER_S,
	  .run = smaller_is_late },
	{ SEQUENCE("03", "N4-C-08"),
	  .purpose = "After FFFFFFFF the sequence numbers 0 and 1 are newer. Where the standard is "
		     "silent (how far a number may have rolled over) nothing is judged",
	  .stimulus = "Sequence number FFFFFFFF with metric 60, then 0 (and, anew, 1) with "
		      "metric 0; then 2 with metric 20",
	  .expect = "Full rate after each; then 80 % sent", .iut_time_us = 25 * US_PER_S,
	  .run = rolls_over },
	{ SEQUENCE("04", "N4-C-08"),
	  .purpose = "A UP function that restarted begins its sequence numbers anew",
	  .stimulus = "Sequence number 1000 with metric 50; restart with a new Recovery Time "
		      "Stamp, new association; sequence number 1 with metric 20",
	  .expect = "50 %, then 80 % sent", .iut_time_us = 60 * US_PER_S,
	  .run = restart_begins_anew },
	{ SEQUENCE("X01", "N4-C-05"),
	  .purpose = "A sequence number that is larger by one is newer, wherever a bit carries",
	  .stimulus = "Metric 60 with FF, 7FFF, FFFF, FFFFFF, 7FFFFFFF; metric 0 with the next "
		      "number each time",
	  .expect = "Full rate after each", .iut_time_us = 30 * US_PER_S,
	  .run = larger_at_every_boundary },
	{ SEQUENCE("X02", "N4-C-08"),
	  .purpose = "Sequence numbers roll over in steps of more than one too, as those do that "
		     "are the time of generation",
	  .stimulus = "Sequence number FFFFFFF0 with metric 60, then 0000000A with metric 0",
	  .expect = "Full rate", .iut_time_us = 10 * US_PER_S, .run = rolls_over_by_more_than_one },
	{ SEQUENCE("X03", "N4-C-06"),
	  .purpose = "After roll-over a smaller sequence number is still late. Whether FFFFFFFF is "
		     "late then, or larger, the standard leaves open: it is reported, not judged",
	  .stimulus = "FFFFFFFF with metric 20, 5 with metric 60, then 4 with metric 0",
	  .expect = "40 % sent before and after 4", .iut_time_us = 25 * US_PER_S,
	  .run = late_after_roll_over },
};
