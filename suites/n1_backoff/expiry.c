/* TP/N1/UE/EXP: what the UE does when T3346 expires. */
#include <inttypes.h>

#include "suites/n1_backoff/life.h"

enum { R = 60, CROWD = 200 };

static void need_is_gone(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	quiet_until(t, ue, &r, 2 * r.us);
}

static void expired_while_connected(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);
	struct back_off r = back_off_in_peace(t, ue, R);

	connected_by_exemption(t, ue);
	quiet_until(t, ue, &r, r.us + nw_tolerance(r.us));
	if (!nw_ue_is_connected(ue, ACCESS_3GPP))
		tc_inconc(t, "%s has left its connection before T3346 was over", nw_ue_name(ue));
	nw_idle(ue);
	tc_sleep(t, US_PER_S);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		      .initial = PRESENT, .silence = OUTCOME_VIOLATION,
		      .why = "T3346 was over while the UE was connected");
}

/* --- a crowd --- */

static unsigned int rejected(struct nw_ue *const *ues, unsigned int count)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < count; i++)
		n += nw_ue_requests(ues[i]) > 0 && !nw_ue_is_connected(ues[i], ACCESS_3GPP);
	return n;
}

struct crowd_of {
	struct nw_ue *const *ues;
	unsigned int count;
};

static bool all_rejected(void *arg)
{
	const struct crowd_of *crowd = arg;

	return rejected(crowd->ues, crowd->count) == crowd->count;
}

/* Says how those that come back spread; there is nothing to be judged. */
static void burst(struct tc *t)
{
	unsigned int count =
		t->profile->subscribers.count < CROWD ? t->profile->subscribers.count : CROWD;
	struct nw_ue **ues = tc_alloc(t, count * sizeof(*ues));
	struct crowd_of crowd = { .ues = ues, .count = count };
	struct nw_amf *amf = nw_amf_start(t);
	uint64_t first, last, largest = 0, before = 0, early = 0, came;
	const uint64_t own = R * US_PER_S;
	struct nw_count *counter;

	nw_iut_connects(t);
	nw_amf_rejects(amf, REGISTRATION_REQUEST, NW_OPTIONS(.t3346 = TIMER(R)));
	for (unsigned int i = 0; i < count; i++)
		ues[i] = nw_ue(t);
	first = loop_now(t->loop);
	for (unsigned int i = 0; i < count; i++)
		tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ues[i]));
	tc_wait(t, R * US_PER_S / 2, all_rejected, &crowd);
	last = loop_now(t->loop);
	tc_note(t, "%u of %u UEs were rejected with T3346 %u s within %.3f s", rejected(ues, count),
		count, (unsigned int)R, (double)(last - first) / (double)US_PER_S);

	nw_amf_rejects(amf, 0, NULL);
	counter = nw_count_start(t);
	for (uint64_t s = 0; last + s * US_PER_S <= first + 2 * R * US_PER_S; s++) {
		tc_sleep(t, US_PER_S);
		came = nw_counted(counter) - before;
		before += came;
		if (loop_now(t->loop) < first + own - nw_tolerance(own))
			early += came;
		largest = came > largest ? came : largest;
	}
	tc_note(t,
		"%" PRIu64 " requests came back, %" PRIu64
		" of them before any T3346 was over; the fullest second had %" PRIu64,
		before, early, largest);
}

#define EXPIRY(number, row, ...)                                                   \
	.id = "TP/N1/UE/EXP/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.needs = NEEDS(ICS_NAS_CONGESTION), __VA_ARGS__

const struct test_case expired_cases[EXPIRED_CASES] = {
	{ EXPIRY("01", "13", .clause = "24.501 5.6.1.5", .strength = SHALL),
	  .purpose = "What is not needed any more is not sent when T3346 expires",
	  .stimulus = "The need is gone before T3346 expires", .expect = "No request",
	  .iut_time_us = 125 * US_PER_S, .run = need_is_gone },
	{ EXPIRY("02", "13", .clause = "24.501 5.5.1.2.5", .strength = MAY),
	  .purpose = "How many come back at once after equal values of T3346",
	  .stimulus = "200 UEs are rejected with T3346 60 s",
	  .expect = "Each comes back after its own T3346; the burst is measured, not judged",
	  .iut_time_us = 130 * US_PER_S, .run = burst },
	{ EXPIRY("X01", "13", .clause = "24.501 5.3.9, 5.6.1.5", .strength = SHALL),
	  .purpose = "T3346 expires in 5GMM-CONNECTED mode as well",
	  .stimulus =
		  "UE in back-off, connected by an exemption until T3346 is over; it is released "
		  "and wants to send data",
	  .expect = "SERVICE REQUEST at once", .iut_time_us = 80 * US_PER_S,
	  .run = expired_while_connected },
};
