/* TP/N2/AMF/FMT: what OVERLOAD START and OVERLOAD STOP look like. */
#include "suites/n2_overload/overload.h"

static const unsigned int all_of_start =
	IE_OVERLOAD_RESPONSE | IE_TRAFFIC_LOAD_REDUCTION | IE_NSSAI_LIST | IE_GUAMI_LIST;

/* As control actions want it: SST, or SST-SD. */
static void name_slice(const struct slice *slice, struct text *out)
{
	text_printf(out, "%u", slice->sst);
	if (slice->has_sd)
		text_printf(out, "-%06x", (unsigned int)slice->sd);
}

static void start_is_well_formed(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	const struct ngap_received *start = start_overload(t, gnb, NULL, "action=1 tlr=50");
	char name[32];
	struct text word;

	well_formed(t, start, all_of_start, NGAP_CRITICALITY_IGNORE);
	if (!t->profile->ics[ICS_N2_OVERLOAD_SLICES] || t->profile->slice_count == 0)
		return;
	text_init(&word, name, sizeof(name));
	name_slice(&t->profile->slices[0], &word);
	start = start_overload(t, gnb, start, "action=1 tlr=50 slices=%s slice-tlr=70", name);
	well_formed(t, start, all_of_start, NGAP_CRITICALITY_IGNORE);
}

static void every_action(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	const struct ngap_received *start = NULL;

	for (unsigned int action = 0; action < 4; action++) {
		struct octets response;

		start = start_overload(t, gnb, start, "action=%u", action);
		response = ie_octets(start, NGAP_ID_AMF_OVERLOAD_RESPONSE);
		if (response.len == 0)
			tc_violation(t, "action %u: AMF Overload Response (IE 2) is missing",
				     action);
		if (response.len != 1 || response.data[0] != action << 4)
			tc_violation(t, "action %u: IE 2 is octet %02x (length %zu), not %02x",
				     action, response.data[0], response.len, action << 4);
	}
}

static void exact_reductions(struct tc *t)
{
	static const int reductions[] = { 1, 50, 99 };
	struct gnb *gnb = gnb_connect(t);
	const struct ngap_received *start = NULL;

	for (size_t i = 0; i < sizeof(reductions) / sizeof(reductions[0]); i++) {
		struct overload overload;

		start = start_overload(t, gnb, start, "action=1 tlr=%d", reductions[i]);
		overload = overload_of(t, start);
		if (!overload.has_tlr)
			tc_violation(t, "reduction %d %%: IE 9 is missing, or outside 1 to 99",
				     reductions[i]);
		if (overload.tlr != reductions[i])
			tc_violation(t, "reduction %d %% configured, IE 9 says %d %%",
				     reductions[i], overload.tlr);
	}
}

static void reduction_of_everything(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	const struct ngap_received *start = start_overload(t, gnb, NULL, "action=1 tlr=100");
	struct octets reduction = ie_octets(start, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION);

	if (ngap_find(&start->pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION))
		tc_violation(t,
			     "a reduction of 100 %% is told by leaving IE 9 out; it came, content "
			     "%02x",
			     reduction.len > 0 ? reduction.data[0] : 0);
	if (!overload_of(t, start).has_action)
		tc_violation(t, "START names no traffic: IE 2 is missing");
}

static void reduction_of_nothing(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	const struct ngap_received *m;
	struct overload overload;

	/* It does send START where there is something to reduce. */
	start_overload(t, gnb, NULL, "action=1 tlr=50");
	end_overload(t);
	expect_ngap(t, gnb, .type = NGAP_OVERLOAD_STOP);
	forget_ngap(gnb);

	order_overload(t, "action=1 tlr=0");
	m = last_overload_message(t, gnb, t->profile->response_time);
	serves(t, gnb);
	if (!m || m->pdu.message == NGAP_OVERLOAD_STOP)
		return;
	overload = overload_of(t, m);
	if (ngap_find(&m->pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION))
		tc_violation(t, "a reduction of 0 %% was sent as IE 9 with %s%d",
			     overload.has_tlr ? "" : "an illegal value, read as ", overload.tlr);
	if (overload.has_action || overload.item_count > 0)
		tc_violation(t, "a reduction of 0 %% gave an OVERLOAD START that rejects all of "
				"the traffic it names");
}

static bool same_slice(const struct slice *a, const struct slice *b)
{
	return a->sst == b->sst && a->has_sd == b->has_sd && (!a->has_sd || a->sd == b->sd);
}

static void print_slice(const struct slice *slice, struct text *out)
{
	text_printf(out, "SST %u", slice->sst);
	if (slice->has_sd)
		text_printf(out, " SD %06x", (unsigned int)slice->sd);
	else
		text_puts(out, " without SD");
}

/* The one item of IE 49, which has to name this slice and no other. */
static struct overload_slice item_of(struct tc *t, const struct ngap_received *start,
				     const struct slice *slice)
{
	char expected_name[48], got_name[48];
	struct text expected, got;
	struct overload overload = overload_of(t, start);

	text_init(&expected, expected_name, sizeof(expected_name));
	text_init(&got, got_name, sizeof(got_name));
	print_slice(slice, &expected);
	if (overload.item_count == 0 || overload.items[0].slice_count == 0)
		tc_violation(t, "overload of slice %s: no Overload Start NSSAI List (IE 49)",
			     expected_name);
	if (overload.item_count > 1 || overload.items[0].slice_count > 1)
		tc_violation(t, "overload of one slice (%s): IE 49 names more than one",
			     expected_name);
	print_slice(&overload.items[0].slices[0], &got);
	if (!same_slice(&overload.items[0].slices[0], slice))
		tc_violation(t, "overload of slice %s: IE 49 names %s", expected_name, got_name);
	return overload.items[0];
}

static const struct ngap_received *one_slice(struct tc *t, struct gnb *gnb,
					     const struct ngap_received *start,
					     const struct slice *slice)
{
	static const int reductions[] = { 80, 25, 1, 100 };
	char name[32];
	struct text word;

	text_init(&word, name, sizeof(name));
	name_slice(slice, &word);
	for (int action = 0; action < 4; action++) {
		int reduction = reductions[action];
		struct overload_slice item;

		start = start_overload(t, gnb, start,
				       "action=0 tlr=10 slices=%s slice-action=%d slice-tlr=%d",
				       name, action, reduction);
		item = item_of(t, start, slice);
		if (!item.has_action || item.action != action)
			tc_violation(t, "overload of slice %s: its overload action is not %d", name,
				     action);
		if (reduction == 100 && item.has_tlr)
			tc_violation(t,
				     "overload of slice %s: all of its traffic is meant, which "
				     "is told by no reduction; it says %d %%",
				     name, item.tlr);
		if (reduction < 100 && (!item.has_tlr || item.tlr != reduction))
			tc_violation(t, "overload of slice %s: its reduction is not %d %%", name,
				     reduction);
	}
	return start;
}

static void slices_are_named(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	const struct ngap_received *start = NULL;
	const struct slice *with_sd = NULL, *without_sd = NULL;

	for (size_t i = 0; i < t->profile->slice_count; i++) {
		const struct slice *slice = &t->profile->slices[i];

		if (slice->has_sd && !with_sd)
			with_sd = slice;
		if (!slice->has_sd && !without_sd)
			without_sd = slice;
	}
	if (!with_sd && !without_sd)
		tc_na(t, "the profile names no slices");
	if (with_sd)
		start = one_slice(t, gnb, start, with_sd);
	else
		tc_note(t, "no slice with SD in the profile: that form was not tried");
	if (without_sd)
		one_slice(t, gnb, start, without_sd);
	else
		tc_note(t, "no slice without SD in the profile: that form was not tried");
}

static void only_supported_slices(struct tc *t)
{
	const struct profile *profile = t->profile;
	char first[32], second[32];
	struct text words[2];
	struct gnb *gnb;
	struct overload overload;

	if (profile->slice_count < 2)
		tc_na(t, "the profile names fewer than two slices");
	text_init(&words[0], first, sizeof(first));
	text_init(&words[1], second, sizeof(second));
	name_slice(&profile->slices[0], &words[0]);
	name_slice(&profile->slices[1], &words[1]);
	gnb = gnb_connect(t, .slices = &profile->slices[1], .slice_count = 1);
	overload = overload_of(t, start_overload(t, gnb, NULL,
						 "action=0 tlr=10 slices=%s,%s slice-tlr=50", first,
						 second));
	for (size_t i = 0; i < overload.item_count && i < OVERLOAD_SLICES_MAX; i++)
		for (size_t k = 0; k < overload.items[i].slice_count && k < OVERLOAD_SLICES_MAX;
		     k++)
			if (!same_slice(&overload.items[i].slices[k], &profile->slices[1]))
				tc_violation(t, "IE 49 names a slice that this gNB does not "
						"support");
}

static void order_of_ies(struct tc *t)
{
	static const enum ngap_id order[] = {
		NGAP_ID_AMF_OVERLOAD_RESPONSE,
		NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION,
		NGAP_ID_OVERLOAD_START_NSSAI_LIST,
		NGAP_ID_GUAMI_LIST,
	};
	struct gnb *gnb = gnb_connect(t);
	const struct ngap_received *start;
	char name[32];
	struct text word;
	size_t at = 0;

	if (t->profile->slice_count == 0)
		tc_na(t, "the profile names no slices");
	text_init(&word, name, sizeof(name));
	name_slice(&t->profile->slices[0], &word);
	start = start_overload(t, gnb, NULL, "action=2 tlr=40 slices=%s slice-action=0", name);
	for (size_t i = 0; i < 3; i++)
		if (!ngap_find(&start->pdu, order[i]))
			tc_violation(t, "IE %u (%s) is missing", (unsigned int)order[i],
				     ngap_ie_name((uint16_t)order[i]));
	for (size_t i = 0; i < start->pdu.count; i++) {
		if (strcmp(ngap_ie_name(start->pdu.ies[i].id), "unknown") == 0)
			continue;
		while (at < 4 && order[at] != start->pdu.ies[i].id)
			at++;
		if (at == 4)
			tc_violation(t, "IE %u (%s) is out of the order 2, 9, 49, 451",
				     start->pdu.ies[i].id, ngap_ie_name(start->pdu.ies[i].id));
	}
}

static void stop_is_well_formed(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);

	start_overload(t, gnb, NULL, "action=1 tlr=50");
	end_overload(t);
	well_formed(t, expect_ngap(t, gnb, .type = NGAP_OVERLOAD_STOP), IE_GUAMI_LIST,
		    NGAP_CRITICALITY_REJECT);
}

static void judge_stream(struct tc *t, const struct ngap_received *m, uint64_t earlier)
{
	const char *name = ngap_message_name(m->pdu.message);
	uint64_t bit = m->stream < 64 ? UINT64_C(1) << m->stream : 0;

	if (ngap_find(&m->pdu, NGAP_ID_AMF_UE_NGAP_ID) ||
	    ngap_find(&m->pdu, NGAP_ID_RAN_UE_NGAP_ID))
		tc_violation(t, "%s carries the NGAP id of a UE", name);
	if (gnb_ue_streams(m->gnb) & bit)
		tc_violation(t, "%s came on stream %u, which carries UE-associated signalling",
			     name, m->stream);
	if (!(earlier & bit))
		tc_should(t, "N2-A-08",
			  "%s came on stream %u, not on that of earlier non-UE-associated messages",
			  name, m->stream);
}

static void stream_of_overload(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	uint64_t earlier = gnb_non_ue_streams(gnb);

	ue_registered(ue);
	judge_stream(t, start_overload(t, gnb, NULL, "action=0 tlr=50"), earlier);
	end_overload(t);
	judge_stream(t, expect_ngap(t, gnb, .type = NGAP_OVERLOAD_STOP), earlier);
	/* The stream must not become one of UE signalling afterwards either. */
	ue_connected(ue);
	if (gnb_ue_streams(gnb) & earlier)
		tc_violation(t, "UE-associated signalling came on the stream of NG Setup");
}

#define FORMAT(number, ...) \
	.id = "TP/N2/AMF/FMT/" number, .role = ROLE_AMF, .strength = SHALL, __VA_ARGS__

const struct test_case format_cases[FORMAT_CASES] = {
	{ FORMAT("01", .requirement = "N2-A-02", .clause = "38.413 9.2.6.14"),
	  .purpose = "OVERLOAD START is well formed",
	  .stimulus = "The AMF is driven into N2 overload",
	  .expect = "OVERLOAD START: procedure code 22, criticality ignore, only its own IEs with "
		    "their criticality",
	  .needs = NEEDS(ICS_N2_OVERLOAD), .run = start_is_well_formed },
	{ FORMAT("02", .requirement = "N2-A-02", .clause = "38.413 9.3.1.105"),
	  .purpose = "Each overload action has its code",
	  .stimulus = "The AMF is configured with actions 0 to 3 in turn",
	  .expect = "IE 2 is octet 00, 10, 20, 30", .needs = NEEDS(ICS_N2_OVERLOAD),
	  .run = every_action },
	{ FORMAT("03", .requirement = "N2-A-03", .clause = "38.413 9.3.1.106"),
	  .purpose = "The traffic load reduction is the one configured",
	  .stimulus = "Reductions of 1, 50 and 99 %", .expect = "IE 9 has exactly these values",
	  .needs = NEEDS(ICS_N2_OVERLOAD), .run = exact_reductions },
	{ FORMAT("04", .requirement = "N2-A-03", .clause = "38.413 9.3.1.106, 8.7.7.2"),
	  .purpose = "A reduction of 100 % is told by leaving the indication out",
	  .stimulus = "A reduction of 100 %", .expect = "OVERLOAD START without IE 9",
	  .needs = NEEDS(ICS_N2_OVERLOAD), .run = reduction_of_everything },
	{ FORMAT("05", .requirement = "N2-A-03", .clause = "38.413 9.3.1.106"),
	  .purpose = "A reduction of 0 % rejects nothing", .stimulus = "A reduction of 0 %",
	  .expect = "No OVERLOAD START, or one that names no traffic; no IE 9",
	  .needs = NEEDS(ICS_N2_OVERLOAD), .run = reduction_of_nothing },
	{ FORMAT("06", .requirement = "N2-A-10", .clause = "23.501 5.19.5.2, 38.413 9.2.6.14"),
	  .purpose = "An overloaded slice is named as it is",
	  .stimulus = "Overload of one slice with SD, then of one without",
	  .expect = "IE 49 with that S-NSSAI, SD present as configured, its action and reduction",
	  .needs = NEEDS(ICS_N2_OVERLOAD) | NEEDS(ICS_N2_OVERLOAD_SLICES),
	  .run = slices_are_named },
	{ FORMAT("07", .requirement = "N2-A-02", .clause = "38.413 9.2.6.14, 10.3.6"),
	  .purpose = "The IEs of OVERLOAD START come in their order",
	  .stimulus = "Overload with action, reduction and slice",
	  .expect = "IEs 2, 9, 49 in this order",
	  .needs = NEEDS(ICS_N2_OVERLOAD) | NEEDS(ICS_N2_OVERLOAD_SLICES), .run = order_of_ies },
	{ FORMAT("08", .requirement = "N2-A-07", .clause = "38.413 9.2.6.15"),
	  .purpose = "OVERLOAD STOP is well formed", .stimulus = "The overload ends",
	  .expect = "OVERLOAD STOP: procedure code 23, criticality reject, no IE but a GUAMI List",
	  .needs = NEEDS(ICS_N2_OVERLOAD), .run = stop_is_well_formed },
	{ FORMAT("09", .requirement = "N2-A-08", .clause = "38.413 8.7.7.1, 38.412"),
	  .purpose = "Overload signalling is not UE-associated",
	  .stimulus = "Overload begins and ends while a UE is served",
	  .expect = "START and STOP on the stream of non-UE-associated signalling, without UE ids",
	  .needs = NEEDS(ICS_N2_OVERLOAD), .run = stream_of_overload },
	{ .id = "TP/N2/AMF/FMT/X01",
	  .role = ROLE_AMF,
	  .strength = SHOULD,
	  .requirement = "N2-A-10",
	  .clause = "23.501 5.19.5.2",
	  .purpose = "A gNB is told only of slices that it supports",
	  .stimulus = "Overload of two slices, the gNB supporting one of them",
	  .expect = "IE 49 without the other",
	  .needs = NEEDS(ICS_N2_OVERLOAD) | NEEDS(ICS_N2_OVERLOAD_SLICES),
	  .run = only_supported_slices },
};
