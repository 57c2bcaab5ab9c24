/* Load that rises, falls and wavers: what the AMF asks of its nodes at each step. */
#include "suites/n2_overload/overload.h"

static const uint64_t recovery_time = 60 * US_PER_S;

static void set_load(struct tc *t, unsigned int percent)
{
	tc_control(t, "load percent=%u", percent);
}

/* Takes what came since, follows it, and returns the shares then asked for. */
static struct shares follow(struct tc *t, struct gnb *gnb, const struct shares *before, char *said,
			    size_t size)
{
	const struct ngap_received *m = last_overload_message(t, gnb, t->profile->response_time);
	struct overload overload;
	struct text text;

	text_init(&text, said, size);
	if (!m) {
		text_puts(&text, "nothing new");
		return *before;
	}
	if (m->pdu.message == NGAP_OVERLOAD_STOP) {
		text_puts(&text, "OVERLOAD STOP");
		return no_overload();
	}
	overload = overload_of(t, m);
	print_overload(&overload, &text);
	return shares_of(&overload);
}

/* Drives the load up over all levels; returns the shares at the top. */
static struct shares climb(struct tc *t, struct gnb *gnb, bool judge)
{
	struct shares before = no_overload();
	char said[96];

	set_load(t, load_below_levels(t));
	for (size_t i = 0; i < t->profile->load_level_count; i++) {
		struct shares after;

		forget_ngap(gnb);
		set_load(t, load_of_level(t, i) + 1);
		after = follow(t, gnb, &before, said, sizeof(said));
		tc_note(t, "load %u %%: %s", load_of_level(t, i) + 1, said);
		if (judge && some_falls(&before, &after) && !some_rises(&before, &after))
			tc_violation(t, "the load rose to %u %%, and the AMF lets more through: %s",
				     load_of_level(t, i) + 1, said);
		before = after;
	}
	serves(t, gnb);
	return before;
}

static bool is_overload(const struct shares *shares)
{
	struct shares none = no_overload();

	return some_rises(&none, shares);
}

static void rising_load(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct shares top = climb(t, gnb, true);

	if (!is_overload(&top))
		tc_violation(t, "at the highest load level the nodes are asked to reject nothing");
}

static void falling_load(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct shares before = climb(t, gnb, false);
	char said[96];

	if (!is_overload(&before))
		tc_inconc(t, "the highest load level gave no OVERLOAD START: nothing to recover "
			     "from");
	for (size_t i = t->profile->load_level_count; i-- > 1;) {
		/* Just inside the level below, past any sensible hysteresis. */
		unsigned int percent = load_of_level(t, i - 1) + 1;
		struct shares after;

		set_load(t, percent);
		after = follow(t, gnb, &before, said, sizeof(said));
		tc_note(t, "load %u %%: %s", percent, said);
		if (some_rises(&before, &after) && !some_falls(&before, &after))
			tc_violation(t,
				     "the load fell to %u %%, and the AMF asks to reject more: %s",
				     percent, said);
		before = after;
	}
	if (!is_overload(&before))
		tc_pass(t);
	set_load(t, load_below_levels(t));
	expect_ngap(t, gnb, .type = NGAP_OVERLOAD_STOP, .within = recovery_time,
		    .why = "a node must not be left in overload state");
}

/* Counts changes between overload and none, and remembers when they were. */
struct toggles {
	bool on;
	size_t count;
	uint64_t at[1024];
};

static void count_toggle(const struct ngap_received *m, void *arg)
{
	struct toggles *toggles = arg;
	bool start = m->pdu.message == NGAP_OVERLOAD_START;

	if (!start && m->pdu.message != NGAP_OVERLOAD_STOP)
		return;
	if (start != toggles->on && toggles->count < sizeof(toggles->at) / sizeof(toggles->at[0]))
		toggles->at[toggles->count++] = m->time;
	toggles->on = start;
}

/* The most changes that any window of this length holds. */
static size_t densest(const struct toggles *toggles, uint64_t window)
{
	size_t most = 0;

	for (size_t first = 0, last = 0; last < toggles->count; last++) {
		while (toggles->at[last] - toggles->at[first] >= window)
			first++;
		if (last - first + 1 > most)
			most = last - first + 1;
	}
	return most;
}

static void waver(struct tc *t, uint64_t us)
{
	unsigned int threshold = load_of_level(t, 0);
	uint64_t until = loop_now(t->loop) + us;

	while (loop_now(t->loop) < until) {
		set_load(t, threshold - 3 + (unsigned int)random_below(&t->random, 7));
		tc_sleep(t, US_PER_S);
	}
}

static void load_noise(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct toggles *toggles = tc_alloc(t, sizeof(*toggles));
	size_t most;

	watch_ngap(t, count_toggle, toggles);
	waver(t, 5 * 60 * US_PER_S);
	most = densest(toggles, t->profile->max_toggles_window);
	tc_note(t, "%zu changes in 5 min, at most %zu in %u s", toggles->count, most,
		(unsigned int)(t->profile->max_toggles_window / US_PER_S));
	if (most > t->profile->max_toggles)
		tc_violation(t,
			     "%zu changes between overload and none within %u s, the profile "
			     "allows %u",
			     most, (unsigned int)(t->profile->max_toggles_window / US_PER_S),
			     (unsigned int)t->profile->max_toggles);
	/* An AMF that reacts to no load at all cannot be judged by its calm. */
	forget_ngap(gnb);
	if (!toggles->on) {
		set_load(t, load_of_level(t, t->profile->load_level_count - 1) + 1);
		expect_ngap(t, gnb, .type = NGAP_OVERLOAD_START, .silence = OUTCOME_INCONC);
	}
}

static void nas_control_is_coupled(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	const struct nas_received *answer;
	size_t i = 0;

	while (i < t->profile->load_level_count && !t->profile->load_levels[i].nas_congestion)
		i++;
	if (i == t->profile->load_level_count)
		tc_na(t, "no load level of the profile has nas-congestion: yes");
	set_load(t, load_of_level(t, i) + 1);
	tc_sleep(t, t->profile->response_time);
	ue_register(ue, REG_INITIAL);
	answer = expect_nas(t, ue, .type = ONE_OF(REGISTRATION_REJECT, REGISTRATION_ACCEPT));
	if (received_type(answer) == REGISTRATION_ACCEPT)
		tc_inconc(t, "the AMF served the request, as it may");
	if (received_cause(answer) != NAS_5GMM_CONGESTION)
		tc_violation(t, "at this load the request was rejected with cause %d, not 22",
			     received_cause(answer));
	if (received_t3346(answer).state != NAS_TIMER_RUNS)
		tc_violation(t, "at this load the request was rejected with cause 22 but no "
				"usable T3346");
}

static void load_gives_overload_start(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct shares top = climb(t, gnb, false);

	if (!is_overload(&top))
		tc_violation(t, "the AMF restricts no node at its highest load level");
}

static void emergency_survives(struct tc *t)
{
	static const unsigned int beyond = 150;
	struct gnb *gnb = gnb_connect(t);
	bool started = false;

	load_of_level(t, 0);
	for (size_t i = 0; i <= t->profile->load_level_count; i++) {
		const struct ngap_received *m;
		struct overload overload;
		bool blocks;

		forget_ngap(gnb);
		set_load(t, i < t->profile->load_level_count ? load_of_level(t, i) + 1 : beyond);
		m = last_overload_message(t, gnb, t->profile->response_time);
		if (!m || m->pdu.message != NGAP_OVERLOAD_START)
			continue;
		started = true;
		overload = overload_of(t, m);
		blocks = overload.has_action && overload.action == 3;
		for (size_t k = 0; k < overload.item_count && k < OVERLOAD_SLICES_MAX; k++)
			blocks |= overload.items[k].has_action && overload.items[k].action == 3;
		if (blocks)
			tc_violation(t, "overload action 3 keeps emergency calls from an AMF that "
					"supports emergency services");
	}
	serves(t, gnb);
	if (!started)
		tc_inconc(t, "no load gave an OVERLOAD START");
}

static void weight_is_no_overload_tool(struct tc *t)
{
	enum { FEW = 4 };
	struct gnb *gnb = gnb_connect(t);
	int capacity = gnb_relative_capacity(gnb);
	uint64_t until = loop_now(t->loop) + 600 * US_PER_S;
	unsigned int changes = 0;
	bool high = false;

	load_of_level(t, 0);
	while (loop_now(t->loop) < until) {
		high = !high;
		set_load(t, high ? load_of_level(t, t->profile->load_level_count - 1) + 1
				 : load_below_levels(t));
		tc_sleep(t, 30 * US_PER_S);
		if (gnb_relative_capacity(gnb) != capacity)
			changes++;
		capacity = gnb_relative_capacity(gnb);
	}
	serves(t, gnb);
	tc_note(t, "%u changes of the Relative AMF Capacity in 10 min", changes);
	if (changes > FEW)
		tc_violation(t,
			     "the Relative AMF Capacity changed %u times in 10 min of changing "
			     "load; weights are not meant to follow load",
			     changes);
}

#define LOAD(number, ...)                                                                 \
	.id = "TP/N2/AMF/SEQ/" number, .role = ROLE_AMF, .needs = NEEDS(ICS_N2_OVERLOAD), \
	__VA_ARGS__

const struct test_case load_cases[LOAD_CASES] = {
	{ LOAD("01", .requirement = "N2-A-04", .clause = "23.501 5.19.5.2", .strength = SHOULD),
	  .purpose = "More load never lets more through",
	  .stimulus = "The load rises over the levels of the profile",
	  .expect = "The share rejected falls for no RRC cause unless it rises for another",
	  .iut_time_us = 20 * US_PER_S, .run = rising_load },
	{ LOAD("02", .requirement = "N2-A-06", .clause = "23.501 5.19.5.2", .strength = SHALL),
	  .purpose = "Recovery lets more through, and ends",
	  .stimulus = "The load falls over the levels of the profile",
	  .expect = "The share rejected rises for no RRC cause unless it falls for another; "
		    "OVERLOAD STOP at the end",
	  .iut_time_us = 40 * US_PER_S, .run = falling_load },
	{ LOAD("07", .requirement = "N2-A-17", .clause = "-", .strength = SHOULD),
	  .purpose = "Noise around a threshold does not make overload control flutter",
	  .stimulus = "Five minutes of load that wavers around the first level",
	  .expect = "No more changes in any window than the profile allows",
	  .iut_time_us = 310 * US_PER_S, .run = load_noise },
	{ .id = "TP/N2/AMF/SEQ/08",
	  .requirement = "N2-A-15",
	  .clause = "23.501 5.19.5.2, 24.501 5.5.1.2.5",
	  .strength = SHALL,
	  .role = ROLE_AMF,
	  .needs = NEEDS(ICS_N2_OVERLOAD) | NEEDS(ICS_NAS_CONGESTION),
	  .purpose = "A request that leaks through meets NAS congestion control",
	  .stimulus = "REGISTRATION REQUEST at a load level with NAS congestion control",
	  .expect = "REGISTRATION REJECT, cause 22, T3346",
	  .iut_time_us = 6 * US_PER_S,
	  .run = nas_control_is_coupled },
	{ LOAD("X02", .requirement = "N2-A-01", .clause = "23.501 5.19.5.2", .strength = SHOULD),
	  .purpose = "An overloaded AMF restricts the load of its nodes",
	  .stimulus = "The load rises over the levels of the profile", .expect = "OVERLOAD START",
	  .iut_time_us = 20 * US_PER_S, .run = load_gives_overload_start },
	{ .id = "TP/N2/AMF/SEQ/X03",
	  .requirement = "N2-A-11",
	  .clause = "23.501 5.19.5.2",
	  .strength = SHOULD,
	  .role = ROLE_AMF,
	  .needs = NEEDS(ICS_N2_OVERLOAD) | NEEDS(ICS_EMERGENCY),
	  .purpose = "No load makes the AMF shut out emergency calls",
	  .stimulus = "The load rises over all levels and to 150 %",
	  .expect = "No OVERLOAD START with action 3",
	  .iut_time_us = 25 * US_PER_S,
	  .run = emergency_survives },
	{ .id = "TP/N2/AMF/CAP/X01",
	  .requirement = "N2-L-08",
	  .clause = "23.501 5.19.3",
	  .strength = SHOULD,
	  .role = ROLE_AMF,
	  .needs = NEEDS(ICS_N2_OVERLOAD),
	  .purpose = "The weight factor does not follow the load",
	  .stimulus = "Ten minutes in which the load changes between low and high",
	  .expect = "At most a few changes of the Relative AMF Capacity",
	  .iut_time_us = 600 * US_PER_S,
	  .run = weight_is_no_overload_tool },
};
