/* TP/N1/UE/ABN: cause 22 without a usable T3346 is an attempt that failed, and no back-off. */
#include "suites/n1_backoff/backoff.h"

/* What T3346 may look like in a reject where it is not usable; one a reject. */
struct unusable {
	size_t count;
	struct nw_timer values[3];
};
enum { VALUE_ABSENT, VALUE_ZERO, VALUE_DEACTIVATED, VALUES };
static const struct unusable unusable[VALUES] = {
	[VALUE_ABSENT] = { 1, { { .kind = NW_TIMER_ABSENT } } },
	/* zero in whatever unit */
	[VALUE_ZERO] = { 3,
			 { { NW_TIMER_OCTET, 0x00 },
			   { NW_TIMER_OCTET, 0x20 },
			   { NW_TIMER_OCTET, 0x40 } } },
	/* deactivated whatever the value bits */
	[VALUE_DEACTIVATED] = { 2, { { NW_TIMER_OCTET, 0xe0 }, { NW_TIMER_OCTET, 0xe5 } } },
};

static void add_empty_t3346(struct nas_msg *msg, void *arg)
{
	static const uint8_t empty[] = { 0x5f, 0 };

	(void)arg;
	nas_append_any(msg, 0, NAS_FORMAT_RAW, OCTETS(empty, sizeof(empty)));
}

static void attempt_failed(struct tc *t)
{
	const struct unusable *of = &unusable[t->test->param];
	struct nw_ue *ue;

	nw_amf_start(t);
	ue = registering_ue(t, 0);
	for (size_t i = 0; i < of->count; i++)
		retried(t, ue, reject(t, ue, .t3346 = of->values[i]), REG_INITIAL);
	/* an IE that is malformed is as good as none (7.7.1) */
	if (t->test->param == VALUE_ABSENT)
		retried(t, ue, reject(t, ue, .alter = add_empty_t3346), REG_INITIAL);
}

static void update_failed(struct tc *t)
{
	struct nw_ue *ue = updating_ue(t);

	for (size_t kind = 0; kind < VALUES; kind++)
		retried(t, ue, reject(t, ue, .t3346 = unusable[kind].values[0]), REG_MOBILITY);
}

static void attempts_end(struct tc *t)
{
	static const uint64_t pauses[] = { T3502_DEFAULT, 2 * 60 * US_PER_S };
	struct nw_ue *ue;

	start_home_amf(t);
	ue = registering_ue(t, 0);
	for (size_t i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++) {
		struct nw_timer t3502 = TIMER((uint32_t)(pauses[i] / US_PER_S));
		uint64_t sent;

		if (pauses[i] == T3502_DEFAULT)
			t3502.kind = NW_TIMER_ABSENT;
		sent = five_failures(t, ue, REG_INITIAL, NW_OPTIONS(.t3502 = t3502));
		expect_after(t, ue, sent, pauses[i], .type = REGISTRATION_REQUEST,
			     .registration = REG_INITIAL, .secured = true,
			     .why = "the fifth failure starts T3502, 12 min or as signalled");
	}
}

static void service_failed(struct tc *t)
{
	struct nw_ue *ue = registered_ue(t);

	for (size_t kind = 0; kind < VALUES; kind++) {
		nw_ue_without(ue, NW_ACCEPT_SERVICE);
		tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
		expect_nas_of(t, ue, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
			      .protected = PRESENT, .silence = OUTCOME_VIOLATION,
			      .why = "the UE is registered, and nothing bars its request");
		nw_reject(ue, .t3346 = unusable[kind].values[0]);
		nw_ue_with(ue, NW_ACCEPT_SERVICE);
		/* it may ask again by itself, but need not register */
		expect_no_nas_of(t, ue, .type = REGISTRATION_REQUEST,
				 .why = "the UE stays 5GMM-REGISTERED");
		nw_idle(ue);
	}
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .never = REGISTRATION_REQUEST,
		      .protected = PRESENT, .silence = OUTCOME_VIOLATION,
		      .why = "the UE is registered, and nothing bars its request");
}

#define ABNORMAL(number, row, ...)                                                 \
	.id = "TP/N1/UE/ABN/" number, .requirement = "N1-U-" row, .role = ROLE_UE, \
	.strength = SHALL, .needs = NEEDS(ICS_NAS_CONGESTION), __VA_ARGS__
#define NEXT_AFTER_T3511 "REGISTRATION REQUEST after T3511, 10 s"

const struct test_case abnormal_cases[ABNORMAL_CASES] = {
	{ ABNORMAL("01", "06", .clause = "24.501 5.5.1.2.5, 5.5.1.2.7 d"),
	  .purpose = "Cause 22 without T3346 is an attempt that failed",
	  .stimulus = "REGISTRATION REJECT with cause 22 and no T3346, and with one of no octets",
	  .expect = NEXT_AFTER_T3511, .iut_time_us = 25 * US_PER_S, .run = attempt_failed,
	  .param = VALUE_ABSENT },
	{ ABNORMAL("02", "06", .clause = "24.501 5.5.1.2.5, 5.5.1.2.7 d"),
	  .purpose = "Cause 22 with T3346 zero is an attempt that failed",
	  .stimulus = "REGISTRATION REJECT with cause 22 and T3346 zero, in each unit",
	  .expect = NEXT_AFTER_T3511, .iut_time_us = 35 * US_PER_S, .run = attempt_failed,
	  .param = VALUE_ZERO },
	{ ABNORMAL("03", "06", .clause = "24.501 5.5.1.2.5, 5.5.1.2.7 d"),
	  .purpose = "Cause 22 with T3346 deactivated is an attempt that failed",
	  .stimulus = "REGISTRATION REJECT with cause 22 and T3346 deactivated, by two codings",
	  .expect = NEXT_AFTER_T3511, .iut_time_us = 25 * US_PER_S, .run = attempt_failed,
	  .param = VALUE_DEACTIVATED },
	{ ABNORMAL("04", "07", .clause = "24.501 5.5.1.2.7 d"),
	  .purpose = "The fifth failure starts T3502, with its default or the value of a reject",
	  .stimulus = "Five REGISTRATION REJECTs with cause 22 and no T3346; again, with T3502 "
		      "2 min, protected",
	  .expect = "10 s between attempts, no sixth attempt before T3502: 12 min, then 2 min",
	  .iut_time_us = 16 * 60 * US_PER_S, .run = attempts_end },
	{ ABNORMAL("05", "08", .clause = "24.501 5.6.1.7 i"),
	  .purpose = "SERVICE REJECT with cause 22 without usable T3346 bars nothing",
	  .stimulus = "SERVICE REJECT with cause 22 without T3346, with zero, with deactivated",
	  .expect = "The UE stays registered, and asks for service when it is needed",
	  .iut_time_us = 25 * US_PER_S, .run = service_failed },
	{ ABNORMAL("X01", "06", .clause = "24.501 5.5.1.3.5, 5.5.1.3.7"),
	  .purpose = "Cause 22 without usable T3346 is an update that failed",
	  .stimulus = "REGISTRATION REJECT of a mobility update with cause 22 without T3346, with "
		      "zero, with deactivated",
	  .expect = "A mobility update after T3511, 10 s, each time", .iut_time_us = 40 * US_PER_S,
	  .run = update_failed },
};
