/* TP/SBI/CLI/TS, VAL, END: which information counts, and for how long (TS 29.500 6.4.3.4). */
#include <inttypes.h>

#include "suites/sbi_oci_client/client.h"

enum { SHORT = 5, MIDDLE = 20, TOLERANCE_US = 1000000, HOUR = 3600 };

static void newest_timestamp_wins(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);
	/* two timestamps within one minute, and one of long before */
	int64_t base = sbi_now(t) / 60 * 60 + 10;

	sbi_oci(producer, .metric = 20, .validity = CLI_LONG, .timestamp = SBI_VALUE(base));
	cli_tell(producer);
	sbi_oci(producer, .metric = 60, .validity = CLI_LONG, .timestamp = SBI_VALUE(base + 1));
	cli_tell(producer);
	cli_share(t, 0.4, NULL, "%s", "");
	sbi_oci(producer, .metric = 0, .validity = CLI_LONG, .timestamp = SBI_VALUE(base - 300));
	cli_tell(producer);
	cli_share(t, 0.4, NULL, "%s", "");
}

static void equal_timestamp_prolongs_nothing(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);
	struct sbi_offered o;
	uint64_t told;

	sbi_oci(producer, .metric = 50, .validity = MIDDLE);
	told = cli_tell(producer);
	/* every answer repeats it, to the end */
	o = sbi_offer(t, "count=1500 rate=100");
	cli_judge(t, 0.5, "within the validity of 20 s", o.offered, o.sent);
	sbi_no_oci(producer);
	tc_timer_until(t, "tester", "validity of the OCI", told + MIDDLE * US_PER_S + TOLERANCE_US);
	cli_all_sent(t, "20 s after the OCI came first, though it was repeated since",
		     "count=200 rate=%d", CLI_RATE);
}

static void validity_ends(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);
	struct sbi_count count;
	uint64_t told;

	sbi_oci(producer, .metric = 100, .validity = SHORT);
	told = cli_tell(producer);
	sbi_no_oci(producer);
	count = sbi_count_start(t);
	tc_control(t, "operations rate=50 duration=20");
	sbi_count_stop(&count);
	if (sbi_counted(&count, .before = told + SHORT * US_PER_S - TOLERANCE_US))
		tc_violation(t,
			     "%" PRIu64 " requests come within the validity of 5 s, at metric 100",
			     sbi_counted(&count, .before = told + SHORT * US_PER_S - TOLERANCE_US));
	cli_all_sent(t, "20 s after OCI with a validity of 5 s", "count=200 rate=%d", CLI_RATE);
	if (sbi_counted(&count, .after = told + SHORT * US_PER_S + TOLERANCE_US,
			.before = told + 15 * US_PER_S) < 400)
		tc_violation(t,
			     "the rate is not full from 6 to 15 s after OCI with a validity of "
			     "5 s: %" PRIu64 " of some 450 requests",
			     sbi_counted(&count, .after = told + SHORT * US_PER_S + TOLERANCE_US,
					 .before = told + 15 * US_PER_S));
}

static void validity_counts_from_reception(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);
	uint64_t told;

	sbi_oci(producer, .metric = 50, .validity = 60, .later = -HOUR);
	told = cli_tell(producer);
	cli_share(t, 0.5, NULL, "%s", "");
	sbi_no_oci(producer);
	tc_timer_until(t, "tester", "validity of the OCI", told + 60 * US_PER_S + TOLERANCE_US);
	sbi_oci(producer, .metric = 50, .validity = SHORT, .later = HOUR);
	told = cli_tell(producer);
	cli_something_shed(t, "count=100 rate=100");
	sbi_no_oci(producer);
	tc_timer_until(t, "tester", "validity of the OCI", told + SHORT * US_PER_S + TOLERANCE_US);
	cli_all_sent(t, "6 s after OCI with a validity of 5 s of a clock that is an hour ahead",
		     "count=200 rate=%d", CLI_RATE);
}

static void newer_one_restarts(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);
	struct sbi_offered o;
	uint64_t first;

	sbi_oci(producer, .metric = 50, .validity = MIDDLE);
	first = cli_tell(producer);
	tc_timer_until(t, "tester", "validity of the OCI", first + MIDDLE * US_PER_S / 2);
	sbi_oci(producer, .metric = 50, .validity = CLI_LONG);
	cli_tell(producer);
	sbi_no_oci(producer);
	tc_timer_until(t, "tester", "validity of the OCI",
		       first + MIDDLE * US_PER_S + TOLERANCE_US);
	o = sbi_offer(t, "count=1000 rate=%d", CLI_RATE);
	cli_judge(t, 0.5, "after the validity of the first OCI, within that of a newer one",
		  o.offered, o.sent);
}

static void zero_ends(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);

	sbi_oci(producer, .metric = 50, .validity = CLI_LONG);
	cli_tell(producer);
	cli_something_shed(t, "count=200 rate=%d", CLI_RATE);
	sbi_oci(producer, .metric = 0, .validity = CLI_LONG);
	cli_tell(producer);
	cli_all_sent(t, "newer OCI has metric 0", "count=1000 rate=%d", CLI_RATE);
}

static void absence_does_not_end(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);

	sbi_oci(producer, .metric = 50, .validity = CLI_LONG);
	cli_tell(producer);
	sbi_no_oci(producer);
	cli_tell(producer);
	cli_share(t, 0.5, NULL, "%s", "");
}

#define TIME(what, requires, where)                                          \
	.id = "TP/SBI/CLI/" what, .role = ROLE_NF_CLIENT, .strength = SHALL, \
	.needs = NEEDS(ICS_OLC_H), .requirement = requires, .clause = "29.500 " where

const struct test_case cli_validity_cases[CLI_VALIDITY_CASES] = {
	{ TIME("TS/01", "SB-C-05", "6.4.3.4.2"),
	  .purpose = "OCI with a newer timestamp overwrites, one with an older is discarded",
	  .stimulus = "Metric 20, one second newer 60, five minutes older 0",
	  .expect = "40 % sent after the second, and after the third", .iut_time_us = 35 * US_PER_S,
	  .run = newest_timestamp_wins },
	{ TIME("TS/02", "SB-C-06", "6.4.3.4.2, 6.4.3.4.4"),
	  .purpose = "OCI that is repeated with an equal timestamp prolongs nothing",
	  .stimulus = "Metric 50, validity 20 s, the same in every answer for 17 s",
	  .expect = "All sent 20 s after the first", .iut_time_us = 25 * US_PER_S,
	  .run = equal_timestamp_prolongs_nothing },
	{ TIME("VAL/01", "SB-C-06", "6.4.3.4.4"),
	  .purpose = "At the end of its validity OCI is not enforced any more",
	  .stimulus = "Metric 100, validity 5 s; operations for 20 s",
	  .expect = "None for 5 s, then all", .iut_time_us = 25 * US_PER_S, .run = validity_ends },
	{ TIME("VAL/02", "SB-C-06", "6.4.3.4.4"),
	  .purpose = "Validity is counted from reception, not from the sender's timestamp",
	  .stimulus = "OCI of a clock an hour behind, validity 60 s; then an hour ahead, 5 s",
	  .expect = "Enforced in both cases, and for no longer", .iut_time_us = 80 * US_PER_S,
	  .run = validity_counts_from_reception },
	{ TIME("VAL/X01", "SB-C-06", "6.4.3.4.4"),
	  .purpose = "OCI with a newer timestamp restarts the validity",
	  .stimulus = "Validity 20 s; 10 s later newer OCI with an hour",
	  .expect = "50 % sent after 20 s", .iut_time_us = 30 * US_PER_S,
	  .run = newer_one_restarts },
	{ TIME("END/01", "SB-C-07", "6.4.3.4.3"), .purpose = "Metric 0 ends the reduction",
	  .stimulus = "Metric 50, then newer OCI with metric 0; 1,000 operations",
	  .expect = "All sent", .iut_time_us = 12 * US_PER_S, .run = zero_ends },
	{ TIME("END/02", "SB-C-08", "6.4.3.4.3"),
	  .purpose = "Responses without OCI do not end the reduction",
	  .stimulus = "Metric 50, then responses without OCI", .expect = "50 % sent",
	  .iut_time_us = 15 * US_PER_S, .run = absence_does_not_end },
};
