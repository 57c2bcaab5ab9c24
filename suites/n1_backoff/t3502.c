/* TP/N1/UE/T3502: the pause after five failures, which is no part of a back-off. */
#include "suites/n1_backoff/backoff.h"

static void no_addition(struct tc *t)
{
	struct back_off b = { .us = 60 * US_PER_S };
	struct nw_ue *ue;

	nw_amf_start(t);
	ue = registering_ue(t, 0);
	b.from = reject(t, ue, .t3346 = TIMER(60), .t3502 = TIMER(12 * 60));
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	due(t, ue, b, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
	    .why = "T3502 is not started in addition to T3346");
	comes_once(t, ue);
}

static void unprotected_value(struct tc *t)
{
	struct nw_ue *ue;
	uint64_t sent;

	start_home_amf(t);
	ue = registering_ue(t, NW_AUTHENTICATE);
	sent = five_failures(t, ue, REG_INITIAL,
			     NW_OPTIONS(.t3502 = TIMER(60), .protection = PROTECT_PLAIN));
	expect_after(t, ue, sent, T3502_DEFAULT, .type = REGISTRATION_REQUEST,
		     .registration = REG_INITIAL,
		     .why = "T3502 of an unprotected reject is not used, but the default");
}

/* A registered UE: five failures of updates inside its registration area, rejected like this. */
static uint64_t failures_with(struct tc *t, struct nw_ue *ue, const struct nw_options *options)
{
	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-register ue=%u type=mobility", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
		      .secured = true);
	return five_failures(t, ue, REG_MOBILITY, options);
}

static uint64_t failures(struct tc *t, struct nw_ue *ue)
{
	return failures_with(t, ue, NW_OPTIONS(.cause = NAS_5GMM_CONGESTION));
}

static struct nw_ue *registered_with(struct tc *t, struct nw_timer t3502)
{
	struct nw_ue *ue = nw_ue(t);

	nw_iut_connects(t);
	nw_registration(ue, .t3512 = T3512_OF_CASES, .t3502 = t3502);
	nw_registered(ue);
	return ue;
}

static void paused(struct tc *t, struct nw_ue *ue, uint64_t pause, const char *why)
{
	expect_after(t, ue, failures(t, ue), pause, .type = REGISTRATION_REQUEST,
		     .registration = REG_MOBILITY, .identity = IDENTITY_GUTI, .why = why);
}

static void zero(struct tc *t)
{
	/* above what the UE and its connection need, and below T3511 */
	uint64_t at_once =
		t->profile->response_time < 7 * US_PER_S ? t->profile->response_time : 7 * US_PER_S;
	struct nw_ue *ue;

	start_home_amf(t);
	ue = registered_with(t, TIMER_OCTET(0x00));
	expect_between(t, ue, failures(t, ue), 0, at_once - nw_tolerance(0),
		       .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
		       .why = "with T3502 zero its expiry action is executed at once");
}

static void signalled_by_accept(struct tc *t)
{
	start_home_amf(t);
	paused(t, registered_with(t, TIMER(20 * 60)), 20 * 60 * US_PER_S,
	       "T3502 of REGISTRATION ACCEPT is valid in the whole registration area");
}

static void signalled_by_update_reject(struct tc *t)
{
	struct nw_ue *ue;

	start_home_amf(t);
	ue = registered_with(t, TIMER(2 * 60));
	expect_after(t, ue, failures_with(t, ue, NW_OPTIONS(.t3502 = TIMER(30))), 2 * 60 * US_PER_S,
		     .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
		     .why = "T3502 of a reject counts for initial registration only");
}

static void deactivated(struct tc *t)
{
	start_home_amf(t);
	paused(t, registered_with(t, TIMER_OCTET(NAS_TIMER_OCTET_DEACTIVATED)), T3502_DEFAULT,
	       "T3502 deactivated means its default");
}

/* REGISTRATION ACCEPT with T3502, then one without: which of them counts depends on its kind. */
static void accepted_without(struct tc *t)
{
	bool periodic = t->test->param == REG_PERIODIC;
	struct nw_ue *ue;

	start_home_amf(t);
	ue = registered_with(t, TIMER(2 * 60));
	nw_registration(ue, .t3512 = T3512_OF_CASES);
	tc_control(t, "ue-register ue=%u type=%s", nw_ue_number(ue),
		   periodic ? "periodic" : "mobility");
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST,
		      .registration = (enum reg_type)t->test->param);
	tc_sleep(t, US_PER_S);
	nw_idle(ue);
	paused(t, ue, periodic ? 2 * 60 * US_PER_S : T3502_DEFAULT,
	       periodic ? "an accept without T3502 leaves it as it is after a periodic update"
			: "an accept without T3502 means its default");
}

static void back_off_resets(struct tc *t)
{
	struct back_off b;
	struct nw_ue *ue;

	start_home_amf(t);
	ue = registering_ue(t, 0);
	for (int attempt = 1; attempt < 5; attempt++)
		retried(t, ue, reject(t, ue), REG_INITIAL);
	b = sent_away(t, ue, 60);
	due(t, ue, b, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL, .secured = true);
	expect_after(
		t, ue, five_failures(t, ue, REG_INITIAL, NW_OPTIONS(.t3502 = TIMER(60))),
		60 * US_PER_S, .type = REGISTRATION_REQUEST,
		.why = "the counter is 0 when T3346 starts: the fifth failure after it, and no "
		       "earlier one, starts T3502");
}

static void plain_rejects_after_protected(struct tc *t)
{
	struct nw_ue *ue;
	uint64_t sent;

	start_home_amf(t);
	ue = registering_ue(t, 0);
	sent = reject(t, ue, .t3502 = TIMER(60));
	/* anybody may have sent the others */
	nw_ue_without(ue, NW_AUTHENTICATE);
	for (int attempt = 2; attempt <= 5; attempt++) {
		expect_after(t, ue, sent, T3511, .type = REGISTRATION_REQUEST,
			     .registration = REG_INITIAL);
		sent = reject(t, ue, .protection = PROTECT_PLAIN);
	}
	expect_after(t, ue, sent, 60 * US_PER_S, .type = REGISTRATION_REQUEST,
		     .registration = REG_INITIAL,
		     .why = "T3502 of a protected reject is valid until another protected one");
}

static void accept_resets(struct tc *t)
{
	struct nw_ue *ue;

	start_home_amf(t);
	ue = registering_ue(t, 0);
	nw_registration(ue, .t3512 = T3512_OF_CASES, .t3502 = TIMER(60));
	for (int attempt = 1; attempt < 4; attempt++)
		retried(t, ue, reject(t, ue), REG_INITIAL);
	nw_accept(ue);
	settled(t, ue);
	paused(t, ue, 60 * US_PER_S,
	       "the counter is 0 when the UE is registered: the fifth failure after it, and no "
	       "earlier one, starts T3502");
}

static void unanswered(struct tc *t)
{
	const struct nas_received *m;
	struct nw_ue *ue;

	nw_amf_start(t);
	ue = nw_ue(t);
	nw_ue_without(ue, NW_AUTHENTICATE | NW_ACCEPT_REGISTRATION);
	nw_iut_connects(t);
	tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
	m = expect_nas_of(t, ue, .type = REGISTRATION_REQUEST);
	for (int attempt = 1; attempt < 3; attempt++)
		m = expect_after(
			t, ue, m->time, T3510 + T3511, .type = REGISTRATION_REQUEST,
			.why = "without an answer T3510 ends the attempt, and T3511 starts "
			       "the next one");
}

static void remove_t3512(struct nas_msg *msg, void *arg)
{
	(void)arg;
	if (msg->type == NAS_REGISTRATION_ACCEPT)
		nas_remove(msg, NAS_IE_T3512_VALUE);
}

static void periodic_by_default(struct tc *t)
{
	struct nw_ue *ue = new_ue(t);

	nw_registration(ue, .alter = remove_t3512);
	nw_registered(ue);
	expect_after(t, ue, nw_idle_since(ue), T3512_DEFAULT, .type = REGISTRATION_REQUEST,
		     .registration = REG_PERIODIC,
		     .why = "without a value of the network T3512 is 54 min");
}

#define FOUR_ATTEMPTS (4 * T3511)

#define T3502(number, row, ...)                                                      \
	.id = "TP/N1/UE/T3502/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, .needs = NEEDS(ICS_NAS_CONGESTION), __VA_ARGS__

const struct test_case t3502_cases[T3502_CASES] = {
	{ T3502("01", "54", .clause = "24.501 5.5.1.2.5"),
	  .purpose = "T3502 is not started in addition to T3346",
	  .stimulus = "REGISTRATION REJECT with cause 22, T3346 60 s and T3502 12 min, protected",
	  .expect = "REGISTRATION REQUEST after 60 s", .iut_time_us = 75 * US_PER_S,
	  .run = no_addition },
	{ T3502("02", "51", .clause = "24.501 5.3.8"),
	  .purpose = "T3502 of an unprotected reject is not used",
	  .stimulus = "Five plain REGISTRATION REJECTs with cause 22, no T3346, and T3502 1 min",
	  .expect = "T3511 between attempts, then a pause of 12 min",
	  .iut_time_us = FOUR_ATTEMPTS + T3502_DEFAULT, .run = unprotected_value },
	{ T3502("03", "53", .clause = "24.501 5.5.1.2.7"),
	  .purpose = "With T3502 zero what its expiry does is done at once",
	  .stimulus = "REGISTRATION ACCEPT with T3502 zero; then five failures of updates",
	  .expect = "A sixth attempt at once", .iut_time_us = FOUR_ATTEMPTS + 5 * US_PER_S,
	  .run = zero },
	{ T3502("X01", "50", .clause = "24.501 5.3.8"),
	  .purpose = "T3502 of REGISTRATION ACCEPT is the pause after five failures",
	  .stimulus = "REGISTRATION ACCEPT with T3502 20 min; then five failures of updates",
	  .expect = "A pause of 20 min", .iut_time_us = FOUR_ATTEMPTS + 20 * 60 * US_PER_S,
	  .run = signalled_by_accept },
	{ T3502("X02", "52", .clause = "24.501 5.3.8, 10.2"),
	  .purpose = "T3502 deactivated means its default",
	  .stimulus = "REGISTRATION ACCEPT with T3502 deactivated; then five failures of updates",
	  .expect = "A pause of 12 min", .iut_time_us = FOUR_ATTEMPTS + T3502_DEFAULT,
	  .run = deactivated },
	{ T3502("X03", "52", .clause = "24.501 5.3.8, 10.2"),
	  .purpose = "A later REGISTRATION ACCEPT without T3502 means its default",
	  .stimulus = "REGISTRATION ACCEPT with T3502 2 min; a mobility update accepted without; "
		      "then five failures of updates",
	  .expect = "A pause of 12 min", .iut_time_us = FOUR_ATTEMPTS + T3502_DEFAULT,
	  .run = accepted_without, .param = REG_MOBILITY },
	{ T3502("X04", "52", .clause = "24.501 5.3.8, 10.2"),
	  .purpose = "A periodic update accepted without T3502 leaves it as it is",
	  .stimulus = "REGISTRATION ACCEPT with T3502 2 min; a periodic update accepted without; "
		      "then five failures of updates",
	  .expect = "A pause of 2 min", .iut_time_us = FOUR_ATTEMPTS + 130 * US_PER_S,
	  .run = accepted_without, .param = REG_PERIODIC },
	{ T3502("X05", "54", .clause = "24.501 5.5.1.2.5"),
	  .purpose = "A back-off sets the registration attempt counter back",
	  .stimulus = "Four REGISTRATION REJECTs with cause 22 and no T3346, one with T3346 60 s, "
		      "then five without and with T3502 1 min",
	  .expect = "After the back-off five attempts with T3511 between them, then T3502",
	  .iut_time_us = 2 * FOUR_ATTEMPTS + 125 * US_PER_S, .run = back_off_resets },
	{ T3502("X06", "55", .clause = "24.501 10.2, 5.5.1.2.7 c"),
	  .purpose = "T3510 is 15 s, and T3511 10 s",
	  .stimulus = "REGISTRATION REQUESTs that nobody answers",
	  .expect = "25 s between attempts", .iut_time_us = 60 * US_PER_S, .run = unanswered },
	{ T3502("X07", "55", .clause = "24.501 10.2"),
	  .purpose = "T3512 is 54 min where the network gives no value",
	  .stimulus = "REGISTRATION ACCEPT without T3512",
	  .expect = "A periodic update after 54 min", .iut_time_us = T3512_DEFAULT,
	  .run = periodic_by_default },
	{ T3502("X08", "51", .clause = "24.501 5.3.8"),
	  .purpose = "T3502 in the reject of an update is not used",
	  .stimulus = "REGISTRATION ACCEPT with T3502 2 min; then five updates rejected with cause "
		      "22, no T3346, and T3502 30 s",
	  .expect = "A pause of 2 min", .iut_time_us = FOUR_ATTEMPTS + 130 * US_PER_S,
	  .run = signalled_by_update_reject },
	{ T3502("X09", "51", .clause = "24.501 5.3.8"),
	  .purpose = "T3502 of a protected reject outlives unprotected ones",
	  .stimulus = "A protected REGISTRATION REJECT with cause 22, no T3346, and T3502 1 min; "
		      "then four plain ones without T3502",
	  .expect = "A pause of 1 min", .iut_time_us = FOUR_ATTEMPTS + 65 * US_PER_S,
	  .run = plain_rejects_after_protected },
	{ T3502("X10", "53", .clause = "24.501 5.5.1.2.4, 5.5.1.3.7"),
	  .purpose = "REGISTRATION ACCEPT sets the registration attempt counter back",
	  .stimulus = "Three REGISTRATION REJECTs with cause 22 and no T3346, then ACCEPT with "
		      "T3502 1 min; then five failures of updates",
	  .expect = "Five attempts with T3511 between them, then a pause of 1 min",
	  .iut_time_us = 2 * FOUR_ATTEMPTS + 65 * US_PER_S, .run = accept_resets },
};
