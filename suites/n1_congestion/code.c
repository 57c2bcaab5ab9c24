/* TP/N1/AMF/CODE: the coding of T3346, and where the IE belongs. */
#include <inttypes.h>

#include "suites/n1_congestion/congestion.h"

/* --- the value -------------------------------------------------------------------------------- */

static uint64_t seconds(const struct timer_ie *timer)
{
	return timer->us / US_PER_S;
}

/* T3346 of the reject of a new service request while this value is configured. */
static struct timer_ie t3346_when_configured(struct tc *t, struct ue *ue, uint32_t configured,
					     bool *exact)
{
	const struct nas_received *reject;

	*exact = order_exact_t3346(t, configured);
	reject = rejected_service_request(t, ue);
	if (received_cause(reject) != NAS_5GMM_CONGESTION)
		tc_inconc(t,
			  "the AMF rejects with cause %d, not 22: the value is none of "
			  "congestion",
			  received_cause(reject));
	return judged_t3346(t, reject);
}

static void judge_maximum(struct tc *t, const struct timer_ie *t3346, uint32_t configured,
			  uint64_t maximum, bool exact)
{
	/* An AMF that must spread values at the upper end can only spread them downwards. */
	uint64_t least = exact ? maximum : maximum / 2;

	if (seconds(t3346) < least)
		tc_violation(t,
			     "T3346 of %" PRIu32 " s, above the maximum of the coding, was sent as "
			     "octet %02x, %" PRIu64 " s, not clamped to %" PRIu64 " s",
			     configured, t3346->value.data[0], seconds(t3346), maximum);
}

static bool in_range(const struct profile *profile, uint64_t us)
{
	return us >= profile->t3346_min && us <= profile->t3346_max;
}

static void judge_exact(struct tc *t, const struct timer_ie *t3346, uint32_t configured)
{
	uint8_t legal[8];
	size_t count = nas_timer_octets(configured, NAS_TIMER_2, legal);

	for (size_t i = 0; i < count; i++)
		if (t3346->value.data[0] == legal[i])
			return;
	tc_violation(t,
		     "T3346 of %" PRIu32 " s is coded as octet %02x, which reads as %" PRIu64
		     " s; %02x is right",
		     configured, t3346->value.data[0], seconds(t3346), legal[0]);
}

static void values(struct tc *t)
{
	static const uint32_t configured[] = { 10, 20 * 60, 186 * 60 };
	enum { COUNT = sizeof(configured) / sizeof(configured[0]) };
	struct gnb *gnb = gnb_connect(t);
	struct ue *ues[COUNT];
	size_t tried = 0;

	for (size_t i = 0; i < COUNT; i++) {
		ues[i] = ue_new(gnb);
		ue_registered(ues[i]);
	}
	for (size_t i = 0; i < COUNT; i++) {
		struct timer_ie t3346;
		bool exact;

		if (!in_range(t->profile, configured[i] * US_PER_S)) {
			tc_note(t, "%" PRIu32 " s is outside the profile's range of T3346",
				configured[i]);
			continue;
		}
		tried++;
		t3346 = t3346_when_configured(t, ues[i], configured[i], &exact);
		if (exact) {
			judge_exact(t, &t3346, configured[i]);
			continue;
		}
		tc_note(t,
			"%" PRIu32 " s configured, with the AMF's own jitter: octet %02x, "
			"%" PRIu64 " s",
			configured[i], t3346.value.data[0], seconds(&t3346));
		if (!in_range(t->profile, t3346.us))
			tc_violation(t, "T3346 is %" PRIu64 " s, outside the profile's range",
				     seconds(&t3346));
	}
	if (tried == 0)
		tc_na(t, "none of the values lies in the profile's range of T3346");
}

static void above_maximum(struct tc *t)
{
	/* One second more, a multiple of 32 units, and one that leaves a small rest */
	static const uint32_t configured[] = { 11161, 32 * 360, 12000, 65536 };
	enum { COUNT = sizeof(configured) / sizeof(configured[0]) };
	struct gnb *gnb = gnb_connect(t);
	uint64_t maximum = t->profile->t3346_max / US_PER_S;
	struct ue *ues[COUNT];

	if (maximum > NAS_TIMER_2_MAX)
		maximum = NAS_TIMER_2_MAX;
	maximum = nas_timer_floor((uint32_t)maximum, NAS_TIMER_2);
	for (size_t i = 0; i < COUNT; i++) {
		ues[i] = ue_new(gnb);
		ue_registered(ues[i]);
	}
	for (size_t i = 0; i < COUNT; i++) {
		bool exact;
		struct timer_ie t3346 = t3346_when_configured(t, ues[i], configured[i], &exact);

		judge_maximum(t, &t3346, configured[i], maximum, exact);
		/* registrations may have a path of their own to the value */
		t3346 = judged_t3346(t, rejected_registration(t, ue_new(gnb), REG_INITIAL));
		judge_maximum(t, &t3346, configured[i], maximum, exact);
	}
}

/* --- the place -------------------------------------------------------------------------------- */

/* A message with IEI 5F that has no such IE in the standard; the first one. */
struct misplaced {
	bool seen;
	uint8_t type;
	unsigned int messages;
};

static void look_for_misplaced(const struct nas_received *m, void *arg)
{
	struct misplaced *misplaced = arg;
	uint8_t type = received_type(m);

	misplaced->messages++;
	if (type == REGISTRATION_REJECT || type == SERVICE_REJECT || type == DEREGISTRATION_REQUEST)
		return;
	if (misplaced->seen || !received_iei(m, 0x5f))
		return;
	misplaced->seen = true;
	misplaced->type = type;
}

struct cast {
	struct ue *resident; /* stays registered */
	struct ue *visitor;  /* comes and goes */
};

/* Whatever the AMF answers is not what the case is about; the type of the answer. */
static uint8_t any_answer(struct tc *t, struct ue *ue)
{
	return received_type(
		expect_nas(t, ue, .why = "a congested AMF answers, by accept or reject"));
}

static void end_of_procedure(struct ue *ue)
{
	ue_idle(ue);
	forget_nas(ue);
}

/* Whether the UE can go on as registered: a reject may have taken its identity away. */
static bool is_known(struct tc *t, struct ue *ue)
{
	struct nas_guti guti;

	if (ue_guti(ue, &guti))
		return true;
	ue_register(ue, REG_INITIAL, .cause = RRC_EMERGENCY, .identity = IDENTITY_SUCI);
	any_answer(t, ue);
	end_of_procedure(ue);
	return ue_guti(ue, &guti);
}

static void service(struct tc *t, const struct cast *cast, int type)
{
	if (!is_known(t, cast->resident))
		return;
	ue_service_request(cast->resident, (enum sr_type)type);
	any_answer(t, cast->resident);
	end_of_procedure(cast->resident);
}

static void update(struct tc *t, const struct cast *cast, int type)
{
	ue_register(cast->resident, (enum reg_type)type);
	any_answer(t, cast->resident);
	end_of_procedure(cast->resident);
}

static void emergency_update(struct tc *t, const struct cast *cast, int type)
{
	ue_register(cast->resident, (enum reg_type)type, .cause = RRC_EMERGENCY);
	any_answer(t, cast->resident);
	end_of_procedure(cast->resident);
}

/* An exempt request; whether it was served, so that the AMF knows the UE. */
static bool is_served(struct tc *t, struct ue *ue)
{
	if (!is_known(t, ue))
		return false;
	ue_service_request(ue, SR_EMERGENCY);
	return any_answer(t, ue) == SERVICE_ACCEPT;
}

static void paged_service(struct tc *t, const struct cast *cast, int type)
{
	struct ue *ue = cast->resident;
	bool known = is_served(t, ue);

	end_of_procedure(ue);
	if (known && tc_control_try(t, "downlink supi=%s kind=signalling", ue_supi(ue)))
		expect_paging(t, ue, .within = US_PER_S, .silence = OUTCOME_RETURN);
	service(t, cast, type);
}

static void arrival(struct tc *t, const struct cast *cast, int type)
{
	ue_register(cast->visitor, (enum reg_type)type, .identity = IDENTITY_SUCI);
	any_answer(t, cast->visitor);
	end_of_procedure(cast->visitor);
}

static void emergency_arrival(struct tc *t, const struct cast *cast, int type)
{
	ue_register(cast->visitor, (enum reg_type)type, .cause = RRC_EMERGENCY,
		    .identity = IDENTITY_SUCI);
	any_answer(t, cast->visitor);
	end_of_procedure(cast->visitor);
}

static void departure(struct tc *t, const struct cast *cast, int unused)
{
	(void)unused;
	if (!ue_is_registered(cast->visitor, NULL))
		return;
	ue_deregister(cast->visitor);
	any_answer(t, cast->visitor);
	end_of_procedure(cast->visitor);
}

static void ordered_departure(struct tc *t, const struct cast *cast, int unused)
{
	struct ue *ue = cast->visitor;

	if (!ue_is_registered(ue, NULL))
		return;
	if (is_served(t, ue) &&
	    tc_control_try(t, "deregister supi=%s reregister=no cause=22 t3346=60", ue_supi(ue)))
		any_answer(t, ue);
	end_of_procedure(ue);
	departure(t, cast, unused);
}

static const struct procedure {
	void (*run)(struct tc *t, const struct cast *cast, int type);
	int type;
} procedures[] = {
	{ service, SR_DATA },
	{ arrival, REG_INITIAL },
	{ service, SR_EMERGENCY },
	{ emergency_arrival, REG_INITIAL },
	{ service, SR_HIGH_PRIORITY },
	{ update, REG_MOBILITY },
	{ departure, 0 },
	{ emergency_update, REG_MOBILITY },
	{ emergency_arrival, REG_EMERGENCY },
	{ service, SR_ELEVATED_SIGNALLING },
	{ departure, 0 },
	{ update, REG_PERIODIC },
	{ paged_service, SR_MOBILE_TERMINATED },
	{ emergency_arrival, REG_INITIAL },
	{ emergency_update, REG_PERIODIC },
	{ ordered_departure, 0 },
	{ service, SR_SIGNALLING },
};

/*
 * Against a slow IUT in real time every kind of procedure is tried once, and then only what fits
 * into the time.
 */
static bool time_is_up(const struct tc *t, uint64_t began)
{
	static const uint64_t patience = 120 * US_PER_S;

	return t->profile->live && loop_now(t->loop) - began > patience;
}

static void only_in_rejects(struct tc *t)
{
	enum { PROCEDURES = 100, KINDS = sizeof(procedures) / sizeof(procedures[0]) };
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct cast cast = { .resident = ue_new(gnb), .visitor = ue_new(gnb) };
	struct misplaced *misplaced = tc_alloc(t, sizeof(*misplaced));
	uint64_t began;
	size_t done = 0;

	ue_registered(cast.resident);
	watch_nas(t, look_for_misplaced, misplaced);
	congest(t, &control);
	began = loop_now(t->loop);
	while (done < PROCEDURES && (done < KINDS || !time_is_up(t, began))) {
		const struct procedure *procedure = &procedures[done % KINDS];

		procedure->run(t, &cast, procedure->type);
		done++;
		/* The control UE comes now and then: else the AMF's supervision of it ends. */
		if (done % KINDS == 0)
			still_congested(t, &control);
	}
	still_congested(t, &control);
	tc_note(t, "%zu procedures, %u downlink NAS messages", done, misplaced->messages);
	if (misplaced->seen)
		tc_violation(t,
			     "%s carries a T3346 value (IEI 5F), which only REGISTRATION "
			     "REJECT, SERVICE REJECT and DEREGISTRATION REQUEST have",
			     nas_message_name(misplaced->type));
}

static void no_t3502(struct tc *t)
{
	enum { T3502 = 0x16 };
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	const struct nas_received *reject;

	ue_registered(ue);
	order_congestion(t);
	reject = rejected_service_request(t, ue);
	if (received_iei(reject, T3502))
		tc_violation(t, "SERVICE REJECT carries T3502 (IEI 16), which it does not have");
	ue_idle(ue);

	ue_register(ue, REG_MOBILITY);
	reject = expect_nas(t, ue, .type = ONE_OF(REGISTRATION_REJECT, REGISTRATION_ACCEPT));
	if (received_type(reject) == REGISTRATION_REJECT && received_iei(reject, T3502))
		tc_should(t, "N1-A-31",
			  "REGISTRATION REJECT of a mobility update carries T3502 "
			  "(IEI 16), which is for initial registration");
}

#define CODE(number, ...)                                                    \
	.id = "TP/N1/AMF/CODE/" number, .role = ROLE_AMF, .strength = SHALL, \
	.needs = NEEDS(ICS_NAS_CONGESTION), __VA_ARGS__
#define CONGESTED "AMF congested: "

const struct test_case code_cases[CODE_CASES] = {
	{ CODE("01", .requirement = "N1-A-26", .clause = "24.501 9.11.2.4"),
	  .purpose = "T3346 is a GPRS timer 2 with the configured value",
	  .stimulus = CONGESTED "T3346 configured as 10 s, 20 min and 186 min, a service request "
				"each",
	  .expect = "Octets 05, 34, 5F or of equal value, length 1; with the AMF's own jitter any "
		    "legal coding in the profile's range",
	  .run = values },
	{ CODE("02", .requirement = "N1-A-26", .clause = "24.501 9.11.2.4"),
	  .purpose = "A T3346 above 186 min is clamped",
	  .stimulus = CONGESTED "T3346 configured above 11,160 s, a service request and a "
				"registration each",
	  .expect = "The largest value, not deactivated, zero or a rest", .run = above_maximum },
	{ CODE("03", .requirement = "N1-A-23", .clause = "24.501 8.2.9, 8.2.14, 8.2.18"),
	  .purpose = "T3346 stands only in messages that have it",
	  .stimulus = CONGESTED "100 procedures of every kind",
	  .expect = "IEI 5F only in REGISTRATION REJECT, SERVICE REJECT and DEREGISTRATION REQUEST",
	  .iut_time_us = 20 * US_PER_S, .run = only_in_rejects },
	{ CODE("04", .requirement = "N1-A-31", .clause = "24.501 5.3.8, 8.2.9.3, 8.2.18"),
	  .purpose = "SERVICE REJECT has no T3502",
	  .stimulus = CONGESTED "a service request, and a mobility registration update",
	  .expect = "SERVICE REJECT without IEI 16", .run = no_t3502 },
};
