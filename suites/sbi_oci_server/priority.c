/* Which requests a producer refuses: those of low priority first. */
#include "suites/sbi_oci_server/server.h"

enum { EACH = 100, CLASSES_MAX = 4 };

/* One kind of request, and what became of EACH of them. */
struct class
{
	int priority; /* SBI_VALUE(); 0: no header field */
	const char *name;
	unsigned int refused, unanswered;
};

static double share(const struct class *c)
{
	return (double)(c->refused + c->unanswered) / EACH;
}

/* EACH requests of every class in turn, 500 a second, at a load of so much. */
static void offer(struct srv *srv, unsigned int percent, struct class *classes, size_t count)
{
	struct tc *t = srv->t;
	struct sbi_exchange *asked[CLASSES_MAX * EACH];

	tc_control(t, "load percent=%u", percent);
	for (size_t i = 0; i < count * EACH; i++) {
		asked[i] = sbi_operation(srv->consumer, srv->plain,
					 .priority = classes[i % count].priority);
		tc_sleep(t, 2 * US_PER_MS);
	}
	sbi_finish_all(t, asked, count * EACH);
	for (size_t k = 0; k < count; k++)
		classes[k].refused = classes[k].unanswered = 0;
	for (size_t i = 0; i < count * EACH; i++) {
		const struct sbi_response *response = sbi_response(asked[i]);

		classes[i % count].unanswered += response == NULL;
		classes[i % count].refused += response && response->status >= 300;
	}
	for (size_t k = 0; k < count; k++)
		tc_note(t, "load %u %%: %u of %d requests with %s are refused, %u get no answer",
			percent, classes[k].refused, EACH, classes[k].name, classes[k].unanswered);
}

static bool is_touched(const struct class *classes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (share(&classes[i]) > 0)
			return true;
	return false;
}

static noreturn void untouched(struct tc *t)
{
	tc_inconc(t, "nothing is refused at a load of up to 150 %%: there is no order to see");
}

static void low_first(struct tc *t)
{
	struct srv *srv = srv_start(t);
	struct class classes[] = {
		{ .priority = SBI_VALUE(0), .name = "priority 0" },
		{ .priority = SBI_VALUE(24), .name = "priority 24" },
		{ .priority = SBI_VALUE(31), .name = "priority 31" },
	};
	bool touched = false;

	for (unsigned int percent = 100; percent <= 150; percent += 10) {
		offer(srv, percent, classes, 3);
		touched |= is_touched(classes, 3);
		for (size_t high = 0; high < 2; high++) {
			const struct class *h = &classes[high], *l = &classes[high + 1];

			/* A few of the higher ones may go while nearly none of the lower are left.
			 */
			if (share(h) <= 0.05 || share(l) >= 0.95 || share(h) < share(l) - 0.1)
				continue;
			tc_should(
				t, "SB-S-19",
				"load %u %%: %.0f %% of requests with %s are refused, and %.0f %% "
				"of those with %s",
				percent, share(h) * 100, h->name, share(l) * 100, l->name);
		}
	}
	if (!touched)
		untouched(t);
}

static void absent_is_24(struct tc *t)
{
	struct srv *srv = srv_start(t);
	struct class classes[] = {
		{ .priority = 0, .name = "no priority" },
		{ .priority = SBI_VALUE(23), .name = "priority 23" },
		{ .priority = SBI_VALUE(24), .name = "priority 24" },
		{ .priority = SBI_VALUE(25), .name = "priority 25" },
	};
	bool told_apart = false, touched = false;

	for (unsigned int percent = 100; percent <= 150; percent += 10) {
		double difference;

		offer(srv, percent, classes, 4);
		touched |= is_touched(classes, 4);
		difference = share(&classes[0]) - share(&classes[2]);
		told_apart |= share(&classes[3]) - share(&classes[1]) > 0.5;
		/* Seven sigma for shares that are the same. */
		if (difference > 0.5 || difference < -0.5)
			tc_should(t, "SB-S-20",
				  "load %u %%: %.0f %% of requests without a priority are refused, "
				  "and %.0f %% of those with priority 24",
				  percent, share(&classes[0]) * 100, share(&classes[2]) * 100);
	}
	if (!touched)
		untouched(t);
	if (!told_apart)
		tc_inconc(
			t,
			"priorities 23 and 25 are treated alike at all loads: whether none counts "
			"as 24 does not show");
}

static void priority_users(struct tc *t)
{
	struct srv *srv = srv_start(t);
	struct class classes[] = {
		{ .priority = SBI_VALUE(2), .name = "priority 2 (MPS)" },
		{ .priority = SBI_VALUE(6), .name = "priority 6 (emergency)" },
		{ .priority = SBI_VALUE(24), .name = "priority 24" },
	};
	bool touched = false;

	for (unsigned int percent = 110; percent <= 150; percent += 10) {
		offer(srv, percent, classes, 3);
		touched |= is_touched(classes, 3);
		for (size_t i = 0; i < 2; i++)
			if (share(&classes[i]) > 0.05 && share(&classes[2]) < 0.95)
				tc_violation(t,
					     "load %u %%: %.0f %% of requests with %s are refused, "
					     "while %.0f %% of those with priority 24 are served",
					     percent, share(&classes[i]) * 100, classes[i].name,
					     100 - share(&classes[2]) * 100);
	}
	if (!touched)
		untouched(t);
}

const struct test_case srv_priority_cases[SRV_PRIORITY_CASES] = {
	{ .id = "TP/SBI/SRV/PRIO/01",
	  .requirement = "SB-S-19",
	  .clause = "29.500 6.8.2, 6.8.6",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Overload refuses requests of low priority before those of high priority",
	  .stimulus = "Load of 100 to 150 %; requests with the priorities 0, 24 and 31",
	  .expect = "31 is refused before 24, and 24 before 0",
	  .iut_time_us = 6 * US_PER_S,
	  .run = low_first },
	{ .id = "TP/SBI/SRV/PRIO/02",
	  .requirement = "SB-S-20",
	  .clause = "29.500 6.8.4",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "A request without a priority has priority 24",
	  .stimulus = "Load of 100 to 150 %; requests without one, and with 23, 24 and 25",
	  .expect = "No difference between none and 24",
	  .iut_time_us = 7 * US_PER_S,
	  .run = absent_is_24 },
	{ .id = "TP/SBI/SRV/PRIO/X01",
	  .requirement = "SB-S-21",
	  .clause = "29.500 6.4.1",
	  .strength = SHOULD,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Priority users and emergencies are served on in overload",
	  .stimulus = "Load of 110 to 150 %; requests with the priorities 2, 6 and 24",
	  .expect = "2 and 6 served as long as some of 24 are",
	  .iut_time_us = 6 * US_PER_S,
	  .run = priority_users },
};
