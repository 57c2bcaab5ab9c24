/* TP/N1/AMF/DESYNC: the UEs that a congested AMF turns away must not all come back at once. */
#include <inttypes.h>

#include "suites/n1_congestion/congestion.h"
#include "suites/n1_congestion/dispersion.h"

enum { JUDGED_MIN = 200 };

static void judge(struct tc *t, const uint64_t *values, const uint64_t *instants, size_t count)
{
	struct dispersion found;
	enum dispersion_fault fault = dispersion_judge(t->profile, values, instants, count, &found);
	const struct spread *spread = &found.spread;

	if (fault == DISPERSION_NO_MEMORY)
		tc_error(t, "out of memory");
	if (fault == DISPERSION_NO_CHOICE)
		tc_na(t, "the profile's range of T3346 leaves the AMF a single code");
	tc_note(t,
		"%zu rejects, %zu codes to choose from: %zu values; the most frequent, %" PRIu64
		" s, has %.1f %%; the fullest second of expiries has %.1f %%",
		count, found.codes, spread->distinct, spread->top, 100 * spread->top_share,
		100 * spread->bin_share);
	switch (fault) {
	case DISPERSION_FEW_VALUES:
		tc_violation(t,
			     "%zu rejected UEs got %zu different values of T3346, fewer than %zu",
			     count, spread->distinct, found.values_min);
	case DISPERSION_ONE_VALUE:
		tc_violation(t,
			     "a T3346 of %" PRIu64 " s went to %.1f %% of %zu rejected UEs, more "
			     "than %.0f %%",
			     spread->top, 100 * spread->top_share, count, 100 * found.value_max);
	case DISPERSION_ONE_SECOND:
		tc_violation(t,
			     "T3346 ends for %.1f %% of %zu rejected UEs within the same second, "
			     "more than %.1f %%",
			     100 * spread->bin_share, count, 100 * found.second_max);
	default:
		break;
	}
}

/* T3346 is to come from the whole range that the profile states, where the adapter can say so. */
static void congest_with_jitter(struct tc *t, struct ue *control)
{
	uint64_t base = (t->profile->t3346_min + US_PER_S - 1) / US_PER_S;
	uint64_t top = t->profile->t3346_max / US_PER_S;

	if (tc_control_try(t, "nas-congestion state=on t3346=%" PRIu64 " spread=%" PRIu64, base,
			   top > base ? top - base : 0)) {
		tc_note(t, "the jitter is the AMF's own");
		order_congestion(t);
	}
	/* Whether it shows is seen by the crowd's answers. */
	(void)congestion_begins(t, control);
}

static void judge_answers(struct tc *t, const struct crowd *crowd)
{
	uint32_t count = crowd_count(crowd), silent = 0, judged = 0;
	uint64_t *values = tc_alloc(t, count * sizeof(*values));
	uint64_t *instants = tc_alloc(t, count * sizeof(*instants));

	for (uint32_t i = 0; i < count; i++) {
		const struct crowd_answer *answer = crowd_answer(crowd, i);

		silent += answer->outcome == CROWD_SILENT;
		if (answer->outcome != CROWD_REJECTED || answer->cause != NAS_5GMM_CONGESTION ||
		    answer->t3346.state != NAS_TIMER_RUNS)
			continue;
		values[judged] = answer->t3346.us / US_PER_S;
		instants[judged] = answer->answered + answer->t3346.us;
		judged++;
	}
	if (judged < JUDGED_MIN && silent > count - JUDGED_MIN)
		tc_iut_dead(t, "%" PRIu32 " of %" PRIu32 " requests got no answer", silent, count);
	if (judged < JUDGED_MIN)
		tc_inconc(t,
			  "only %" PRIu32 " of %" PRIu32 " UEs were rejected with cause 22 and a "
			  "T3346; %d are needed",
			  judged, count, JUDGED_MIN);
	judge(t, values, instants, judged);
}

static void registrations(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct crowd *crowd = crowd_new(t, &gnb, 1, 300);
	struct ue *control = ue_new(gnb);

	ue_registered(control);
	congest_with_jitter(t, control);
	crowd_run(crowd, CROWD_REGISTRATION, 10 * US_PER_S);
	judge_answers(t, crowd);
}

static void service_requests(struct tc *t)
{
	bool slowly = t->test->param;
	struct gnb *gnb = gnb_connect(t);
	struct crowd *crowd = crowd_new(t, &gnb, 1, slowly ? 600 : 300);
	struct ue *control = ue_new(gnb);

	crowd_registered(crowd);
	ue_registered(control);
	congest_with_jitter(t, control);
	crowd_run(crowd, CROWD_SERVICE_REQUEST, slowly ? 60 * US_PER_S : US_PER_S);
	judge_answers(t, crowd);
}

#define DESYNC(number, ...)                                                                     \
	.id = "TP/N1/AMF/DESYNC/" number, .role = ROLE_AMF, .strength = SHOULD,                 \
	.requirement = "N1-A-25", .clause = "24.501 5.3.9", .needs = NEEDS(ICS_NAS_CONGESTION), \
	__VA_ARGS__
#define CONGESTED "AMF congested: "

const struct test_case desync_cases[DESYNC_CASES] = {
	{ DESYNC("01", .iut_time_us = 10 * US_PER_S),
	  .purpose = "Rejected registrations get T3346 values that do not expire together",
	  .stimulus = CONGESTED "300 initial registrations, evenly over 10 s",
	  .expect = "At least 3 values, none for more than 60 %; no second with more than 10 % of "
		    "the expiries",
	  .run = registrations },
	{ DESYNC("02", .iut_time_us = 5 * US_PER_S),
	  .purpose = "A burst of rejected service requests is spread out",
	  .stimulus = CONGESTED "300 service requests within 1 s",
	  .expect = "At least 3 values, none for more than 60 %; no second with more than 10 % of "
		    "the expiries",
	  .run = service_requests, .param = false },
	{ DESYNC("03", .iut_time_us = 65 * US_PER_S),
	  .purpose = "Expiry instants are spread, not values alone",
	  .stimulus = CONGESTED "600 service requests at a constant rate over 60 s",
	  .expect = "No second holds more than 10 % of the expiries", .run = service_requests,
	  .param = true },
};
