/* TP/N1/UE/UNPROT: a reject that anybody could have sent does not choose the back-off. */
#include "suites/n1_backoff/backoff.h"

#include <inttypes.h>
#include <stdlib.h>

/* The default range of TS 24.008 (N1-U-11). */
#define RANGE_MIN (15 * 60 * US_PER_S)
#define RANGE_MAX (30 * 60 * US_PER_S)

static void in_default_range(struct tc *t, struct nw_ue *ue, uint64_t sent, enum reg_type type,
			     enum ue_identity identity)
{
	expect_between(t, ue, sent, RANGE_MIN, RANGE_MAX, .type = REGISTRATION_REQUEST,
		       .registration = type, .identity = identity,
		       .why = "the value of an unprotected reject is not used, but a random one of "
			      "the default range");
}

static void plain_registration_reject(struct tc *t)
{
	uint32_t seconds = (uint32_t)t->test->param;
	struct nw_ue *ue;

	nw_amf_start(t);
	ue = registering_ue(t, NW_AUTHENTICATE);
	in_default_range(t, ue, reject(t, ue, .t3346 = TIMER(seconds), .protection = PROTECT_PLAIN),
			 REG_INITIAL, IDENTITY_DEFAULT);
}

static void plain_service_reject(struct tc *t)
{
	bool both = t->test->param;
	struct nw_ue *ue = both ? ue_on_both_accesses(t) : registered_ue(t);
	uint64_t sent;

	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
	sent = reject(t, ue, .t3346 = TIMER(10), .protection = PROTECT_PLAIN);
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	if (both) {
		tc_control(t, "ue-service ue=%u kind=data cancel=yes", nw_ue_number(ue));
		tc_control(t, "ue-service ue=%u kind=data access=non-3gpp", nw_ue_number(ue));
	}
	expect_between(t, ue, sent, RANGE_MIN, RANGE_MAX, .type = SERVICE_REQUEST,
		       .why = "the value of an unprotected reject is not used, but a random one of "
			      "the default range");
}

static void plain_update_reject(struct tc *t)
{
	struct nw_ue *ue = updating_ue(t);

	in_default_range(t, ue, reject(t, ue, .t3346 = TIMER(10), .protection = PROTECT_PLAIN),
			 REG_MOBILITY, IDENTITY_GUTI);
}

/* --- many values ------------------------------------------------------------------------------ */

enum {
	VALUES_LEAST = 20, /* UEs, or runs */
	ROUNDS_LEAST = 2,
	VALUES_MAX = VALUES_LEAST + VALUES_LEAST * ROUNDS_LEAST,
	/*
	 * Even where only whole minutes are drawn, fewer than four different ones among 20 come
	 * once in 1e11 runs. Of a uniform draw, 20 within a tenth of the range: once in 1e17.
	 */
	DISTINCT_LEAST = 4,
	SPREAD_PARTS = 10,
};

/* Two values nearer than this may be one, measured through the same delays. */
#define RESOLUTION (2 * US_PER_S)

static unsigned int ues_of(const struct profile *profile)
{
	uint32_t count = profile->subscribers.count;

	return count < VALUES_LEAST ? (count ? count : 1) : VALUES_LEAST;
}

static unsigned int rounds_of(const struct profile *profile)
{
	unsigned int ues = ues_of(profile), rounds = (VALUES_LEAST + ues - 1) / ues;

	return rounds < ROUNDS_LEAST ? ROUNDS_LEAST : rounds;
}

static int in_order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void judge_varied(struct tc *t, uint64_t *values, size_t count, const char *what)
{
	unsigned int distinct = 1;
	uint64_t spread;

	qsort(values, count, sizeof(*values), in_order);
	for (size_t i = 1; i < count; i++)
		distinct += values[i] - values[i - 1] > RESOLUTION;
	spread = values[count - 1] - values[0];
	tc_note(t, "%s: %zu values of %.1f to %.1f s, %u of them told apart", what, count,
		(double)values[0] / US_PER_S, (double)values[count - 1] / US_PER_S, distinct);
	if (distinct < DISTINCT_LEAST || spread < (RANGE_MAX - RANGE_MIN) / SPREAD_PARTS)
		tc_violation(t,
			     "%s: %zu values between %.1f and %.1f s, %u of them more than %.0f s "
			     "apart: not a random value of 15 to 30 min each",
			     what, count, (double)values[0] / US_PER_S,
			     (double)values[count - 1] / US_PER_S, distinct,
			     (double)RESOLUTION / US_PER_S);
}

/*
 * Each request is rejected where it comes, so that all UEs run at the same time; the case looks at
 * their queues one after the other. Between UEs the first values count, then the second ones of the
 * same UEs against them: a value that is computed from the SUPI is not random.
 */
static void values_differ(struct tc *t)
{
	unsigned int ues = ues_of(t->profile), rounds = rounds_of(t->profile), same = 0;
	struct nw_ue *ue[VALUES_LEAST];
	uint64_t at[VALUES_LEAST], first[VALUES_LEAST], values[VALUES_MAX];
	size_t count = 0;

	nw_amf_start(t);
	for (unsigned int i = 0; i < ues; i++) {
		ue[i] = nw_ue(t);
		nw_ue_without(ue[i], NW_AUTHENTICATE | NW_ACCEPT_REGISTRATION);
		nw_ue_rejects(ue[i], REGISTRATION_REQUEST,
			      NW_OPTIONS(.t3346 = TIMER(20 * 60), .protection = PROTECT_PLAIN));
	}
	nw_iut_connects(t);
	for (unsigned int i = 0; i < ues; i++) {
		tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue[i]));
		at[i] = expect_nas_of(t, ue[i], .type = REGISTRATION_REQUEST)->time;
	}
	for (unsigned int round = 0; round < rounds; round++) {
		for (unsigned int i = 0; i < ues; i++) {
			const struct nas_received *m =
				expect_between(t, ue[i], at[i], RANGE_MIN, RANGE_MAX,
					       .type = REGISTRATION_REQUEST);
			uint64_t value = m->time - at[i];

			at[i] = m->time;
			if (round == 0)
				first[i] = value;
			else if (round == 1)
				same += llabs((long long)(value - first[i])) <=
					(long long)RESOLUTION;
			values[count++] = value;
		}
		if (ues == VALUES_LEAST && round == 0)
			judge_varied(t, values, count, "over the UEs");
	}
	judge_varied(t, values, count, "over UEs and runs");
	if (ues == VALUES_LEAST && same > ues / 4 * 3)
		tc_violation(t, "%u of %u UEs have taken the same value twice", same, ues);
}

static uint64_t values_time(const struct profile *profile)
{
	return rounds_of(profile) * RANGE_MAX + ues_of(profile) * US_PER_S;
}

/* --- causes that need protection -------------------------------------------------------------- */

/* On the connection of the request, in its place; the request goes on waiting. */
static void forge_rejects(struct nw_ue *ue, enum nas_message_type type, const int causes[2])
{
	for (int i = 0; i < 2; i++) {
		struct nas_msg *msg = nw_ue_message(ue, type);

		nas_add_u8(msg, NAS_IE_5GMM_CAUSE, (uint8_t)causes[i]);
		nw_ue_send(ue, msg, .protection = PROTECT_PLAIN);
	}
	tc_sleep(nw_ue_tc(ue), US_PER_S);
}

/*
 * What a UE says about what it discards is its own affair: 5GMM STATUS says no more than that, and
 * whether it has discarded it shows in how it goes on.
 */
static void registration_completes(struct tc *t, struct nw_ue *ue, const char *why)
{
	enum { REPORTS_MAX = 4 };

	for (int reports = 0; reports <= REPORTS_MAX; reports++) {
		const struct nas_received *m = expect_nas_of(
			t, ue, .type = ONE_OF(REGISTRATION_COMPLETE, MM_STATUS),
			.never = REGISTRATION_REQUEST, .silence = OUTCOME_VIOLATION, .why = why);

		if (m->msg.type == NAS_REGISTRATION_COMPLETE)
			return;
	}
	tc_violation(t, "%s: it goes on with 5GMM STATUS alone", nw_ue_name(ue));
}

static const int causes_76[2] = { 76, 78 }, causes_81[2] = { 81, 82 };

static void registration_goes_on(struct tc *t)
{
	struct nw_ue *ue;

	nw_amf_start(t);
	ue = registering_ue(t, NW_AUTHENTICATE);
	forge_rejects(ue, NAS_REGISTRATION_REJECT,
		      t->test->param == causes_76[0] ? causes_76 : causes_81);
	nw_ue_with(ue, NW_AUTHENTICATE | NW_ACCEPT_REGISTRATION);
	nw_authenticate(ue);
	registration_completes(t, ue, "the reject is discarded, and the registration goes on");
}

/* After security mode even cause 22 needs protection, and a right MAC. */
static void nothing_plain_counts(struct tc *t)
{
	static const enum ue_protection protections[] = { PROTECT_PLAIN, PROTECT_WRONG_MAC };
	int octet = nas_timer_encode(20, NAS_TIMER_2);
	struct nw_ue *ue;

	nw_amf_start(t);
	ue = registering_ue(t, 0);
	for (size_t i = 0; i < sizeof(protections) / sizeof(protections[0]); i++) {
		struct nas_msg *msg = nw_ue_message(ue, NAS_REGISTRATION_REJECT);

		nas_add_u8(msg, NAS_IE_5GMM_CAUSE, NAS_5GMM_CONGESTION);
		nas_add_u8(msg, NAS_IE_T3346_VALUE, (uint8_t)octet);
		nw_ue_send(ue, msg, .protection = protections[i]);
	}
	tc_sleep(t, US_PER_S);
	nw_accept(ue);
	registration_completes(t, ue,
			       "after security mode a reject without a right MAC is discarded, and "
			       "the registration goes on");
}

static void service_goes_on(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);

	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
	forge_rejects(ue, NAS_SERVICE_REJECT, causes_76);
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	nw_accept(ue);
	expect_no_nas_of(t, ue, .why = "the reject is discarded, and the service request goes on");
	nw_idle(ue);
	nw_page(ue);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		      .silence = OUTCOME_VIOLATION,
		      .why = "the reject is discarded, and the UE is registered as before");
}

#define UNPROTECTED(number, row, ...)                                                 \
	.id = "TP/N1/UE/UNPROT/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, __VA_ARGS__
#define NEEDS_CONGESTION .needs = NEEDS(ICS_NAS_CONGESTION)

const struct test_case unprotected_cases[UNPROTECTED_CASES] = {
	{ UNPROTECTED("01", "11", .clause = "24.501 5.5.1.2.5", NEEDS_CONGESTION),
	  .purpose = "A short T3346 of an unprotected REGISTRATION REJECT is not used",
	  .stimulus = "Plain REGISTRATION REJECT with cause 22 and T3346 10 s",
	  .expect = "The next request after a time of the default range, 15 to 30 min",
	  .iut_time_us = RANGE_MAX, .run = plain_registration_reject, .param = 10 },
	{ UNPROTECTED("02", "60", .clause = "24.501 5.5.1.2.5", NEEDS_CONGESTION),
	  .purpose = "An attacker cannot block a UE for longer than the default range",
	  .stimulus = "Plain REGISTRATION REJECT with cause 22 and T3346 186 min",
	  .expect = "The next request after 15 to 30 min", .iut_time_us = RANGE_MAX,
	  .run = plain_registration_reject, .param = 186 * 60 },
	{ UNPROTECTED("03", "11", .clause = "24.501 5.5.1.2.5", NEEDS_CONGESTION),
	  .purpose = "The time after an unprotected reject is drawn at random each time",
	  .stimulus =
		  "20 UEs, each rejected twice by a plain REGISTRATION REJECT with cause 22 and "
		  "T3346 20 min",
	  .expect = "Values of 15 to 30 min that differ between UEs and between runs",
	  .iut_time = values_time, .run = values_differ },
	{ UNPROTECTED("04", "11", .clause = "24.501 5.6.1.5", NEEDS_CONGESTION),
	  .purpose = "T3346 of an unprotected SERVICE REJECT is not used",
	  .stimulus = "Plain SERVICE REJECT with cause 22 and T3346 10 s",
	  .expect = "The next request after a time of the default range, 15 to 30 min",
	  .iut_time_us = RANGE_MAX, .run = plain_service_reject },
	{ UNPROTECTED("X01", "61", .clause = "24.501 5.5.1.2.5", NEEDS_CONGESTION),
	  .purpose = "A plain reject with cause 76 or 78 is discarded",
	  .stimulus = "Plain REGISTRATION REJECT with cause 76 and 78; then the network goes on",
	  .expect = "The registration is completed", .iut_time_us = 5 * US_PER_S,
	  .run = registration_goes_on, .param = 76 },
	{ UNPROTECTED("X02", "11", .clause = "24.501 5.5.1.3.5", NEEDS_CONGESTION),
	  .purpose = "T3346 of an unprotected reject of a mobility update is not used",
	  .stimulus = "Plain REGISTRATION REJECT of a mobility update with cause 22 and T3346 10 s",
	  .expect = "A mobility update after 15 to 30 min", .iut_time_us = RANGE_MAX,
	  .run = plain_update_reject },
	{ UNPROTECTED("X03", "61", .clause = "24.501 5.5.1.2.5 (release 18)", NEEDS_CONGESTION),
	  .purpose = "A plain reject with cause 81 or 82 is discarded",
	  .stimulus = "Plain REGISTRATION REJECT with cause 81 and 82; then the network goes on",
	  .expect = "The registration is completed", .iut_time_us = 5 * US_PER_S,
	  .run = registration_goes_on, .param = 81 },
	{ UNPROTECTED("X04", "61", .clause = "24.501 5.6.1.5", NEEDS_CONGESTION),
	  .purpose = "A plain SERVICE REJECT with cause 76 or 78 is discarded",
	  .stimulus = "Plain SERVICE REJECT with cause 76 and 78; then SERVICE ACCEPT, and PAGING",
	  .expect = "No other request than the answer to paging", .iut_time_us = 10 * US_PER_S,
	  .run = service_goes_on },
	{ UNPROTECTED("X05", "20", .clause = "24.501 5.3.9, 5.6.1.5",
		      .needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_NON_3GPP)),
	  .purpose = "The time after an unprotected reject counts for both accesses",
	  .stimulus =
		  "Plain SERVICE REJECT over 3GPP access with cause 22 and T3346 10 s; then data "
		  "over non-3GPP access, in the same PLMN",
	  .expect = "The next request after 15 to 30 min", .iut_time_us = RANGE_MAX,
	  .run = plain_service_reject, .param = true },
	{ UNPROTECTED("X06", "60", .clause = "24.501 4.4.4.2", NEEDS_CONGESTION),
	  .purpose = "After security mode nobody can send a UE away without the right MAC",
	  .stimulus = "Security mode; REGISTRATION REJECT with cause 22 and T3346 20 s, plain and "
		      "with a wrong MAC; REGISTRATION ACCEPT",
	  .expect = "REGISTRATION COMPLETE", .iut_time_us = 5 * US_PER_S,
	  .run = nothing_plain_counts },
};
