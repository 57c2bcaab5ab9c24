/* How a consumer selects producers by what the NRF and they themselves say. IUT = consumer. */
#include "suites/nrf_load/nrf.h"

enum { SELECTIONS = 4000, PEERS_MAX = 4 };

#define PRODUCER(t, ...) sbi_peer_start((t), .services = NRF_SERVICE, __VA_ARGS__)

/* Requests of one offer at each peer. */
static uint64_t counted(const struct sbi_offered *o, const struct sbi_peer *peer)
{
	return sbi_counted(&o->count, .at = peer, .method = "POST");
}

static void judge_split(struct tc *t, struct sbi_peer *const *peers, const double *shares,
			size_t count, const struct sbi_offered *o)
{
	uint64_t observed[PEERS_MAX];
	double p;

	for (size_t i = 0; i < count; i++) {
		observed[i] = counted(o, peers[i]);
		tc_note(t, "%s: %" PRIu64 " of %" PRIu64 " requests, %.1f %% expected",
			sbi_peer_name(peers[i]), observed[i], o->sent, 100 * shares[i]);
		if (shares[i] == 0 && observed[i])
			tc_violation(
				t,
				"%s got %" PRIu64
				" requests, while producers of a better priority were available",
				sbi_peer_name(peers[i]), observed[i]);
	}
	p = stats_split(observed, shares, count);
	if (p < t->profile->false_alarm)
		tc_violation(t,
			     "the split does not follow the capacities: chi-square p = %.2g, less "
			     "than %.2g",
			     p, t->profile->false_alarm);
}

static void by_capacity(struct tc *t)
{
	struct sbi_peer *const peers[] = {
		PRODUCER(t, .priority = SBI_VALUE(0), .capacity = SBI_VALUE(100)),
		PRODUCER(t, .priority = SBI_VALUE(0), .capacity = SBI_VALUE(300)),
		PRODUCER(t, .priority = SBI_VALUE(1), .capacity = SBI_VALUE(1000)),
	};
	static const double shares[] = { 0.25, 0.75, 0 };
	struct sbi_offered o;

	sbi_iut_starts(t);
	o = sbi_offer_all_sent(t, "count=%d rate=500", SELECTIONS);
	judge_split(t, peers, shares, 3, &o);
}

/* Producers that are registered, and cannot be reached. */
static void next_priority(struct tc *t)
{
	struct sbi_peer *next;
	struct sbi_offered o;
	uint64_t there;

	PRODUCER(t, .priority = SBI_VALUE(0), .capacity = SBI_VALUE(100), .deaf = true);
	PRODUCER(t, .priority = SBI_VALUE(0), .capacity = SBI_VALUE(300), .deaf = true);
	next = PRODUCER(t, .priority = SBI_VALUE(1), .capacity = SBI_VALUE(10));
	sbi_iut_starts(t);
	o = sbi_offer(t, "count=200 rate=50");
	there = counted(&o, next);
	tc_note(t, "%" PRIu64 " of %" PRIu64 " operations reached the producer of priority 1",
		there, o.offered);
	/* A few may fail while it is found out who is away. */
	if (there < o.offered * 9 / 10)
		tc_violation(t,
			     "the producers of priority 0 are away, and only %" PRIu64
			     " of %" PRIu64 " operations go to the one of priority 1",
			     there, o.offered);
}

/* The same where they answer, and are not able to serve. */
static void next_priority_of_503(struct tc *t)
{
	static const struct sbi_rule away = { .status = 503, .cause = "NF_CONGESTION" };
	struct sbi_peer *first = PRODUCER(t, .priority = SBI_VALUE(0), .capacity = SBI_VALUE(100));
	struct sbi_peer *next = PRODUCER(t, .priority = SBI_VALUE(1), .capacity = SBI_VALUE(10));
	struct sbi_offered o;
	uint64_t there;

	sbi_iut_starts(t);
	sbi_offer_all_sent(t, "count=20 rate=50");
	sbi_server_rule(sbi_peer_server(first), &away);
	o = sbi_offer(t, "count=200 rate=50");
	there = counted(&o, next);
	tc_note(t, "%" PRIu64 " of %" PRIu64 " operations reached the producer of priority 1",
		there, o.offered);
	if (there < o.offered / 2)
		tc_violation(t,
			     "the producer of priority 0 answers 503, and only %" PRIu64
			     " of %" PRIu64 " operations go to the one of priority 1",
			     there, o.offered);
}

/* --- which load counts --------------------------------------------------------------------------
 */

/*
 * Two producers that are alike but for the load: the one that is said to be heavier has to get
 * significantly less than half.
 */
static void heavier_gets_less(struct tc *t, const struct sbi_peer *heavier, const char *why)
{
	struct sbi_offered o;
	uint64_t there;
	double p;

	/* What the first answers say has to have come. */
	sbi_offer(t, "count=100 rate=200");
	o = sbi_offer_all_sent(t, "count=1000 rate=200");
	there = counted(&o, heavier);
	p = stats_binomial_lower(o.sent, there, 0.5);
	tc_note(t, "%" PRIu64 " of %" PRIu64 " requests went to %s, whose load is 90 %% (%s)",
		there, o.sent, sbi_peer_name(heavier), why);
	if (p > 1e-4)
		tc_violation(
			t,
			"%s has a load of 90 %%, %s, the other one 10 %%, and yet it gets %" PRIu64
			" of %" PRIu64 " requests",
			sbi_peer_name(heavier), why, there, o.sent);
}

static void newer_lci(struct tc *t)
{
	int64_t old = sbi_now(t) - 600;
	struct sbi_peer *heavy = PRODUCER(t, .capacity = SBI_VALUE(100), .load = SBI_VALUE(10),
					  .load_time = SBI_VALUE(old));

	PRODUCER(t, .capacity = SBI_VALUE(100), .load = SBI_VALUE(10), .load_time = SBI_VALUE(old));
	sbi_iut_starts(t);
	sbi_lci(heavy, .metric = 90);
	heavier_gets_less(t, heavy, "by its LCI, which is newer than what the NRF says");
}

static void older_lci(struct tc *t)
{
	int64_t now = sbi_now(t);
	struct sbi_peer *heavy = PRODUCER(t, .capacity = SBI_VALUE(100), .load = SBI_VALUE(90),
					  .load_time = SBI_VALUE(now));

	PRODUCER(t, .capacity = SBI_VALUE(100), .load = SBI_VALUE(10), .load_time = SBI_VALUE(now));
	sbi_iut_starts(t);
	sbi_lci(heavy, .metric = 10, .timestamp = SBI_VALUE(now - 3600));
	heavier_gets_less(t, heavy, "as the NRF says, which is newer than its LCI");
}

static void service_level(struct tc *t)
{
	struct sbi_peer *const peers[] = {
		PRODUCER(t, .priority = SBI_VALUE(0), .capacity = SBI_VALUE(1000),
			 .service_priority = SBI_VALUE(5), .service_capacity = SBI_VALUE(1000)),
		PRODUCER(t, .priority = SBI_VALUE(9), .capacity = SBI_VALUE(1000),
			 .service_priority = SBI_VALUE(1), .service_capacity = SBI_VALUE(100)),
		PRODUCER(t, .priority = SBI_VALUE(9), .capacity = SBI_VALUE(100),
			 .service_priority = SBI_VALUE(1), .service_capacity = SBI_VALUE(300)),
	};
	static const double shares[] = { 0, 0.25, 0.75 };
	struct sbi_offered o;

	sbi_iut_starts(t);
	o = sbi_offer_all_sent(t, "count=2000 rate=500");
	judge_split(t, peers, shares, 3, &o);
}

/* A load of all has no say in who is asked where there is but one. */
static void full_load_is_served(struct tc *t)
{
	struct sbi_peer *only = PRODUCER(t, .capacity = SBI_VALUE(0), .load = SBI_VALUE(100),
					 .load_time = SBI_VALUE(sbi_now(t)));
	struct sbi_offered o;

	sbi_iut_starts(t);
	o = sbi_offer(t, "count=200 rate=100");
	tc_note(t, "%" PRIu64 " of %" PRIu64 " operations reached it", counted(&o, only),
		o.offered);
	if (counted(&o, only) < o.offered)
		tc_violation(t,
			     "the only producer has load 100 and capacity 0, and %" PRIu64
			     " of %" PRIu64 " operations do not reach it: load is no overload",
			     o.offered - counted(&o, only), o.offered);
}

const struct test_case nrfl_selection_cases[NRF_SELECTION_CASES] = {
	{ .id = "TP/NRF/SEL/01",
	  .requirement = "NR-02",
	  .clause = "29.510 6.1.6.2.2 note 4",
	  .strength = SHALL,
	  .role = ROLE_NF_CLIENT,
	  .purpose = "Among producers of the best priority, capacity is the weight of selection",
	  .stimulus = "Priorities 0, 0, 1 and capacities 100, 300, 1000; 4000 operations",
	  .expect = "Requests 1:3:0, by chi-square",
	  .iut_time_us = 12 * US_PER_S,
	  .run = by_capacity },
	{ .id = "TP/NRF/SEL/02",
	  .requirement = "NR-02",
	  .clause = "29.510 6.1.6.2.2 note 4",
	  .strength = SHALL,
	  .role = ROLE_NF_CLIENT,
	  .purpose = "The next priority is used where the producers of the best one are away",
	  .stimulus = "Producers of priority 0 that refuse connections, one of priority 1",
	  .expect = "Nine operations in ten reach the one of priority 1",
	  .iut_time_us = 7 * US_PER_S,
	  .run = next_priority },
	{ .id = "TP/NRF/SEL/03",
	  .requirement = "SB-L-02",
	  .clause = "29.500 6.3.3.1",
	  .strength = SHALL,
	  .role = ROLE_NF_CLIENT,
	  .purpose = "LCI that is newer than the load at the NRF decides",
	  .stimulus = "Two producers with load 10 at the NRF; one tells LCI 90 later",
	  .expect = "It gets significantly less than half",
	  .needs = NEEDS(ICS_LCI),
	  .iut_time_us = 9 * US_PER_S,
	  .run = newer_lci },
	{ .id = "TP/NRF/SEL/X01",
	  .requirement = "SB-L-02",
	  .clause = "29.500 6.3.3.1",
	  .strength = SHALL,
	  .role = ROLE_NF_CLIENT,
	  .purpose = "The load at the NRF that is newer than LCI decides",
	  .stimulus = "Loads 90 and 10 at the NRF; LCI 10 of the first, an hour older",
	  .expect = "The first gets significantly less than half",
	  .needs = NEEDS(ICS_LCI),
	  .iut_time_us = 9 * US_PER_S,
	  .run = older_lci },
	{ .id = "TP/NRF/SEL/X02",
	  .requirement = "NR-10",
	  .clause = "29.510 6.1.6.2.3",
	  .strength = SHOULD,
	  .role = ROLE_NF_CLIENT,
	  .purpose = "Priority and capacity of a service go before those of the instance",
	  .stimulus = "Three producers whose services say another order than their instances",
	  .expect = "Requests 0:1:3, as the services say",
	  .iut_time_us = 8 * US_PER_S,
	  .run = service_level },
	{ .id = "TP/NRF/SEL/X03",
	  .requirement = "NR-02",
	  .clause = "29.510 6.1.6.2.2 note 4",
	  .strength = SHALL,
	  .role = ROLE_NF_CLIENT,
	  .purpose = "The next priority is used where the best one answers 503",
	  .stimulus = "A producer of priority 0 that begins to answer 503, one of priority 1",
	  .expect = "At least half of the operations reach the one of priority 1",
	  .iut_time_us = 8 * US_PER_S,
	  .run = next_priority_of_503 },
	{ .id = "TP/NRF/SEL/X04",
	  .requirement = "SB-L-01",
	  .clause = "29.500 6.3.1",
	  .strength = SHALL,
	  .role = ROLE_NF_CLIENT,
	  .purpose = "A full load at the NRF keeps nobody from asking the only producer",
	  .stimulus = "One producer with load 100 and capacity 0",
	  .expect = "All operations reach it",
	  .iut_time_us = 5 * US_PER_S,
	  .run = full_load_is_served },
};
