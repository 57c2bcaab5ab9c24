/*
 * TP/N2/RAN/SLICE: slice items concern UEs that ask for nothing but what the item lists (TS 38.413
 * 8.7.7.2), on resume those that are allowed nothing else (TS 23.501 5.19.5.2 c).
 */
#include <inttypes.h>

#include "suites/n2_ran/ran.h"

static void only_match(struct tc *t)
{
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	const struct nw_slice_item item = { .slices = &s.a, .slice_count = 1 };

	nothing_is_lost(t, "cause=mo-Signalling nssai=%s count=20 rate=100", s.a_word);
	nw_overload_start(node, .items = &item, .item_count = 1);
	settle(t);
	none_is_sent(t, "only S-NSSAIs of the item are requested",
		     "cause=mo-Signalling nssai=%s count=100 rate=100", s.a_word);
	all_are_sent(t, "an S-NSSAI outside the item is requested",
		     "cause=mo-Signalling nssai=%s count=100 rate=100", s.b_word);
	all_are_sent(t, "an S-NSSAI outside the item is requested too",
		     "cause=mo-Signalling nssai=%s,%s count=100 rate=100", s.a_word, s.b_word);
	all_are_sent(t, "no NSSAI is requested (N2-R-15)",
		     "cause=mo-Signalling count=100 rate=100");
}

static void slice_reduction(struct tc *t)
{
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	const struct nw_slice_item item = { .slices = &s.a, .slice_count = 1, .tlr = 80 };

	nothing_is_lost(t, "cause=mo-Signalling nssai=%s count=20 rate=100", s.a_word);
	/* the AMF's own reduction is another one, and action 0 does not concern mo-Signalling */
	nw_overload_start(node, .action = ACTION_0, .tlr = 30, .items = &item, .item_count = 1);
	settle(t);
	share_is_sent(t, 0.2, "cause=mo-Signalling nssai=%s rate=200", s.a_word);
}

static void slice_action(struct tc *t)
{
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	const struct nw_slice_item item = { .slices = &s.a, .slice_count = 1, .action = ACTION_0 };

	nothing_is_lost(t, "cause=mo-Data nssai=%s count=20 rate=100", s.a_word);
	nw_overload_start(node, .items = &item, .item_count = 1);
	settle(t);
	none_is_sent(t, "the slice's action 0 rejects mo-Data",
		     "cause=mo-Data nssai=%s count=100 rate=100", s.a_word);
	all_are_sent(t, "the slice's action 0 does not concern mo-Signalling",
		     "cause=mo-Signalling nssai=%s count=100 rate=100", s.a_word);
}

static void item_of_two(struct tc *t)
{
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	const struct slice both[] = { s.a, s.b };
	const struct nw_slice_item item = { .slices = both, .slice_count = 2 };

	nothing_is_lost(t, "cause=mo-Signalling nssai=%s count=20 rate=100", s.b_word);
	nw_overload_start(node, .items = &item, .item_count = 1);
	settle(t);
	none_is_sent(t, "the first S-NSSAI of the item is requested",
		     "cause=mo-Signalling nssai=%s count=100 rate=100", s.a_word);
	none_is_sent(t, "the second S-NSSAI of the item is requested",
		     "cause=mo-Signalling nssai=%s count=100 rate=100", s.b_word);
	none_is_sent(t, "both S-NSSAIs of the item are requested",
		     "cause=mo-Signalling nssai=%s,%s count=100 rate=100", s.a_word, s.b_word);
	all_are_sent(t, "an S-NSSAI outside the item is requested too",
		     "cause=mo-Signalling nssai=%s,%s count=100 rate=100", s.a_word, s.c_word);
	all_are_sent(t, "an S-NSSAI outside the item is requested too",
		     "cause=mo-Signalling nssai=%s,%s count=100 rate=100", s.c_word, s.b_word);
}

static void sd_counts(struct tc *t)
{
	struct three_slices s = three_slices(t);
	const struct slice bare = { .sst = s.a.sst };
	const struct slice full = { .sst = s.a.sst, .has_sd = true, .sd = 0x010203 };
	struct three_slices with_sd = s;
	const struct nw_slice_item item = { .slices = &bare, .slice_count = 1 };
	struct nw_node *node;

	with_sd.a = full;
	node = gnb_with_slices(t, &with_sd, &bare);
	nothing_is_lost(t, "cause=mo-Signalling nssai=%u count=20 rate=100", bare.sst);
	nothing_is_lost(t, "cause=mo-Signalling nssai=%u-010203 count=20 rate=100", bare.sst);
	nw_overload_start(node, .items = &item, .item_count = 1);
	settle(t);
	none_is_sent(t, "the S-NSSAI without SD stands in the item",
		     "cause=mo-Signalling nssai=%u count=100 rate=100", bare.sst);
	all_are_sent(t, "an S-NSSAI with SD is another one than that without",
		     "cause=mo-Signalling nssai=%u-010203 count=100 rate=100", bare.sst);
}

/* Resumes in overload: what came to the AMF, as far as can be seen, violates the requirement. */
static void resume_is_refused(struct tc *t, const struct held *held, bool on_wire, const char *why)
{
	struct nw_attempts a =
		nw_attempts(t, "cause=mo-Data resume=yes ue=%u count=10 rate=1", held->number);

	if (on_wire && a.has_rejected && a.sent + a.uplink + a.rejected != a.offered)
		tc_error(t,
			 "what the adapter says does not fit: of %" PRIu64 " resumes %" PRIu64
			 " came, and it says that %" PRIu64 " were rejected",
			 a.offered, a.sent + a.uplink, a.rejected);
	if (a.sent + a.uplink > 0)
		tc_violation(t,
			     "%s, and a UE in RRC_INACTIVE resumes: offered %" PRIu64
			     ", UPLINK NAS TRANSPORT or INITIAL UE MESSAGE of %" PRIu64,
			     why, a.offered, a.sent + a.uplink);
	if (!on_wire && a.rejected != a.offered)
		tc_violation(t,
			     "%s, and a UE in RRC_INACTIVE resumes: offered %" PRIu64
			     ", rejected %" PRIu64,
			     why, a.offered, a.rejected);
}

static void resume(struct tc *t)
{
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	struct held held = hold_ue(t, nw_node_amf(node), s.c_word, &s.a);
	const struct nw_slice_item item = { .slices = held.allowed,
					    .slice_count = held.allowed_count };
	struct nw_attempts before;
	bool on_wire;

	tc_control(t, "inactive ue=%u", held.number);
	settle(t);
	before = nw_attempts(t, "cause=mo-Data resume=yes ue=%u count=10 rate=1", held.number);
	on_wire = before.sent + before.uplink >= before.offered;
	if (!on_wire && before.sent + before.uplink)
		tc_inconc(t,
			  "no overload is on, and of %" PRIu64 " resumes only %" PRIu64
			  " show in UPLINK NAS TRANSPORT",
			  before.offered, before.sent + before.uplink);
	if (!on_wire && !before.has_rejected)
		tc_na(t, "a resumed connection shows neither in an UPLINK NAS TRANSPORT nor in the "
			 "adapter's \"rejected\"");
	if (before.rejected)
		tc_error(t,
			 "no overload is on, and of %" PRIu64 " resumes %" PRIu64 " are rejected",
			 before.offered, before.rejected);
	tc_control(t, "inactive ue=%u", held.number);
	nw_overload_start(node, .items = &item, .item_count = 1);
	settle(t);
	resume_is_refused(t, &held, on_wire, "the Allowed NSSAI has only S-NSSAIs of the item");
	nw_overload_start(node, .action = ACTION_1);
	settle(t);
	resume_is_refused(t, &held, on_wire, "action 1 names mo-Data (23.501 5.19.5.2)");
}

static void none_requested(struct tc *t)
{
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	const struct slice all[] = { s.a, s.b, s.c };
	const struct nw_slice_item item = { .slices = all, .slice_count = 3 };

	nothing_is_lost(t, "cause=mo-Data count=20 rate=100");
	nw_overload_start(node, .items = &item, .item_count = 1);
	settle(t);
	something_is_refused(t, "cause=mo-Data nssai=%s count=50 rate=100", s.c_word);
	all_are_sent(t, "a UE that gives no requested NSSAI matches no slice item",
		     "cause=mo-Data count=200 rate=100");
}

static void refused_after_setup(struct tc *t)
{
	static const char *const causes[] = { "mt-Access", "mo-Signalling", "mo-Data" };
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	const struct nw_slice_item item = { .slices = &s.a, .slice_count = 1, .action = ACTION_3 };

	for (size_t i = 0; i < 3; i++)
		nothing_is_lost(t, "cause=%s nssai=%s count=10 rate=100", causes[i], s.a_word);
	nw_overload_start(node, .items = &item, .item_count = 1);
	settle(t);
	all_are_sent(t, "the slice's action 3 keeps mt-Access",
		     "cause=mt-Access nssai=%s count=100 rate=100", s.a_word);
	for (size_t i = 1; i < 3; i++)
		none_is_sent(t,
			     "however the connection that was set up to hear the requested NSSAI "
			     "ends, the AMF does not get to know of it",
			     "cause=%s nssai=%s count=100 rate=100", causes[i], s.a_word);
}

static void two_items(struct tc *t)
{
	struct three_slices s = three_slices(t);
	struct nw_node *node = gnb_with_slices(t, &s, NULL);
	const struct nw_slice_item item[] = {
		{ .slices = &s.a, .slice_count = 1 },
		{ .slices = &s.b, .slice_count = 1 },
	};
	const struct nw_slice_item swapped[] = { item[1], item[0] };

	nothing_is_lost(t, "cause=mo-Signalling nssai=%s count=20 rate=100", s.a_word);
	nothing_is_lost(t, "cause=mo-Signalling nssai=%s count=20 rate=100", s.b_word);
	for (int i = 0; i < 2; i++) {
		nw_overload_start(node, .items = i ? swapped : item, .item_count = 2);
		settle(t);
		none_is_sent(t, "one of the two items lists the S-NSSAI requested",
			     "cause=mo-Signalling nssai=%s count=100 rate=100", s.a_word);
		none_is_sent(t, "one of the two items lists the S-NSSAI requested",
			     "cause=mo-Signalling nssai=%s count=100 rate=100", s.b_word);
		all_are_sent(t, "no item lists the S-NSSAI requested",
			     "cause=mo-Signalling nssai=%s count=100 rate=100", s.c_word);
	}
}

#define SLICE(number, requires)                                               \
	.id = "TP/N2/RAN/SLICE/" number, .role = ROLE_RAN, .strength = SHALL, \
	.requirement = requires, .clause = "38.413 8.7.7.2",                  \
	.needs = NEEDS(ICS_N2_OVERLOAD) | NEEDS(ICS_N2_OVERLOAD_SLICES),      \
	.iut_time_us = 10 * US_PER_S

const struct test_case slice_cases[SLICE_CASES] = {
	{ SLICE("01", "N2-R-13"),
	  .purpose = "A slice item concerns UEs that request nothing but its S-NSSAIs",
	  .stimulus = "Item {A}; set-up with requested NSSAI {A}, {B}, {A,B}, none",
	  .expect = "{A} 0, the others all sent", .run = only_match },
	{ SLICE("02", "N2-R-12"), .purpose = "The slice's own reduction holds for its UEs",
	  .stimulus = "Item {A} with reduction 80 beside an AMF-wide reduction of 30; up to 4,000 "
		      "attempts with {A}",
	  .expect = "20 % sent", .run = slice_reduction },
	{ SLICE("03", "N2-R-13"),
	  .purpose = "The slice's action names the traffic of its UEs that is concerned",
	  .stimulus = "Item {A} with action 0; {A} with mo-Signalling and mo-Data",
	  .expect = "mo-Signalling all, mo-Data 0", .run = slice_action },
	{ SLICE("04", "N2-R-13"),
	  .purpose = "Every S-NSSAI requested is compared with every one of the item",
	  .stimulus = "Item {A,B}; {A}, {B}, {A,B}, {A,C}, {C,B}",
	  .expect = "The first three 0, the others all sent", .run = item_of_two },
	{ SLICE("05", "N2-R-13"), .purpose = "An S-NSSAI without SD does not match one with SD",
	  .stimulus = "Item SST alone; requested SST alone, and SST with SD 010203",
	  .expect = "SST alone 0, with SD all sent", .run = sd_counts },
	{ .id = "TP/N2/RAN/SLICE/06",
	  .role = ROLE_RAN,
	  .strength = SHALL,
	  .requirement = "N2-R-14",
	  .clause = "23.501 5.19.5.2 c",
	  .needs = NEEDS(ICS_N2_OVERLOAD) | NEEDS(ICS_N2_OVERLOAD_SLICES) | NEEDS(ICS_RRC_INACTIVE),
	  .purpose = "On resume the Allowed NSSAI takes the place of the requested one",
	  .stimulus = "A UE in RRC_INACTIVE with Allowed NSSAI {A}; item {A}; resume; then an "
		      "AMF-wide action 1; resume",
	  .expect = "The resume is filtered both times",
	  .iut_time_us = 55 * US_PER_S,
	  .run = resume },
	{ SLICE("X01", "N2-R-15"), .purpose = "A UE that requests no NSSAI matches no slice item",
	  .stimulus = "Item {A,B,C}; set-up without requested NSSAI", .expect = "All sent",
	  .run = none_requested },
	{ SLICE("X02", "N2-R-30"),
	  .purpose = "What a slice item refuses does not reach the AMF, however RRC ends it",
	  .stimulus = "Item {A} with action 3; {A} with mt-Access, mo-Signalling, mo-Data",
	  .expect = "mt-Access all, no INITIAL UE MESSAGE of the others",
	  .run = refused_after_setup },
	{ SLICE("X03", "N2-R-13"), .purpose = "Each of two slice items holds, in either order",
	  .stimulus = "Items {A}, {B}; then {B}, {A}; set-up with {A}, {B}, {C}",
	  .expect = "{A} and {B} 0, {C} all", .run = two_items },
};
