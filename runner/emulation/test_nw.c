#include <check.h>
#include <stdlib.h>

#include "runner/case/expect_nw.h"
#include "runner/emulation/fake_ran.h"
#include "runner/emulation/test_stage.h"

static void run_case(void (*body)(struct tc *t), enum strength strength)
{
	fake_ran_plan.messages = 0;
	stage_body(&fake_ran_ue, body, strength, NULL, NULL);
}

static void set_up(void)
{
	stage_role = ROLE_UE;
	profile = profile_builtin(ROLE_UE);
	ck_assert_ptr_nonnull(profile);
	fake_ran_plan = (struct fake_ran_plan){ .offered = -1, .sent = -1, .rejected = -1 };
}

static void tear_down(void)
{
	stage_clear(&stage);
	profile_free(profile);
}

/* One AMF, the IUT there, and its first UE registered. */
static struct nw_ue *registered(struct tc *t)
{
	struct nw_ue *ue;

	nw_amf_start(t);
	nw_iut_connects(t);
	ue = nw_ue(t);
	nw_registered(ue);
	return ue;
}

/* --- connecting --- */

static void connects(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_node *node;
	char hex[8];
	struct nw_guami guami;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	if (!nw_node_up(node) || nw_node_setups(node) != 1 || nw_node_at(amf, 0) != node ||
	    nw_node_at(amf, 1) || nw_tnl_count(amf) != 1)
		tc_fail(t, "no node");
	guami = nw_amf_guami(amf);
	nw_guami_hex(&guami, hex);
	if (strcmp(hex, "020040") != 0)
		tc_fail(t, "GUAMI %s", hex);
	/* NG Setup again, on the same association */
	tc_control(t, "ng-setup amf=1");
	expect_node(t, node, .type = NGAP_NG_SETUP_REQUEST);
	tc_sleep(t, US_PER_S);
	if (nw_node_setups(node) != 3 - 1 || !nw_node_up(node))
		tc_fail(t, "%u setups", nw_node_setups(node));
	/* a crash of ours, and the IUT comes back by itself */
	nw_amf_crash(amf);
	if (nw_node_up(node))
		tc_fail(t, "still up");
	tc_sleep(t, US_PER_S);
	nw_amf_resume(amf);
	nw_iut_returns(t);
	if (!nw_node_up(node))
		tc_fail(t, "not back");
	nw_abort(node);
	nw_iut_returns(t);
	nw_disconnect(node);
	nw_iut_returns(t);
	if (nw_node_setups(node) != 5 || nw_node_at(amf, 1))
		tc_fail(t, "%u setups in the end", nw_node_setups(node));
}

START_TEST(test_connects)
{
	run_case(connects, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_int_eq(fake_ran_plan.capacity, 50);
	ck_assert_uint_eq(fake_ran_plan.responses, 5);
}
END_TEST

START_TEST(test_connects_by_itself)
{
	fake_ran_plan.no_restart = true;
	run_case(connects, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert(strstr(stage.private.notes.line[0], "neither restart nor start"));
}
END_TEST

START_TEST(test_never_connects)
{
	fake_ran_plan.never_connects = true;
	run_case(connects, SHALL);
	ck_verdict(VERDICT_ERROR);
	ck_reason("127.0.0.31");
	ck_assert(stage.private.unreachable);
	ck_assert_uint_lt(stage.iut_us, 61 * US_PER_S);
}
END_TEST

START_TEST(test_no_setup)
{
	fake_ran_plan.no_setup = true;
	run_case(connects, SHALL);
	ck_verdict(VERDICT_ERROR);
	ck_reason("no NG SETUP REQUEST");
}
END_TEST

START_TEST(test_foreign_plmn)
{
	fake_ran_plan.foreign_plmn = true;
	run_case(connects, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_assert_uint_gt(fake_ran_plan.failures, 0);
}
END_TEST

static void refuses(struct tc *t)
{
	struct nw_amf *amf =
		nw_amf_start(t, .refuse_setup = true,
			     .refuse_cause = NGAP_CAUSE_MISC_OM_INTERVENTION, .time_to_wait = 20);

	nw_iut_connects(t);
	if (nw_node_up(nw_node_at(amf, 0)))
		tc_fail(t, "set up");
}

START_TEST(test_refuses)
{
	run_case(refuses, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_ran_plan.failures, 1);
}
END_TEST

static void may_not_drop(struct tc *t)
{
	nw_amf_start(t);
	nw_iut_connects(t);
	tc_control(t, "restart");
	tc_sleep(t, US_PER_S);
}

static void may_drop(struct tc *t)
{
	nw_may_drop(t);
	may_not_drop(t);
}

START_TEST(test_dropping)
{
	run_case(may_not_drop, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("the IUT dropped the association of amf1/gnb1");
	stage_clear(&stage);
	run_case(may_drop, SHALL);
	ck_verdict(VERDICT_PASS);
}
END_TEST

static void several(struct tc *t)
{
	struct nw_amf *amfs[3];

	for (int i = 0; i < 3; i++)
		amfs[i] = nw_amf_start(t, .capacity = i == 2 ? NW_ZERO : 0);
	nw_iut_connects(t);
	for (int i = 0; i < 3; i++)
		if (!nw_node_up(nw_node(amfs[i], NODE_GNB)) ||
		    nw_amf_number(amfs[i]) != 1 + (unsigned int)i)
			tc_fail(t, "AMF %d", i);
	nw_amf_capacity(amfs[1], 0);
	expect_node(t, nw_node(amfs[1], NODE_GNB),
		    .type = NGAP_AMF_CONFIGURATION_UPDATE_ACKNOWLEDGE);
	nw_status_indication(amfs[0], NULL, "amf2");
	tc_sleep(t, US_PER_S);
	expect_no_node(t, nw_node(amfs[0], NODE_GNB), .within = US_PER_S);
}

START_TEST(test_several)
{
	run_case(several, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_int_eq(fake_ran_plan.capacity, 0);
	ck_assert_uint_eq(fake_ran_plan.updates, 1);
	ck_assert_uint_eq(fake_ran_plan.status_indications, 1);
	ck_assert_uint_eq(fake_ran_plan.responses, 3);
}
END_TEST

static void too_many(struct tc *t)
{
	for (int i = 0; i < 5; i++)
		nw_amf_start(t);
}

START_TEST(test_too_many)
{
	run_case(too_many, SHALL);
	ck_verdict(VERDICT_NA);
}
END_TEST

static void two_associations(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t, .several_tnl = true);
	struct nw_node *node;

	nw_iut_connects(t);
	node = nw_node(amf, NODE_GNB);
	if (nw_amf_number(amf) != 4 || nw_tnl_count(amf) != 2)
		tc_fail(t, "AMF %u", nw_amf_number(amf));
	expect_node(t, node, .type = NGAP_RAN_CONFIGURATION_UPDATE);
	nw_tnl_weight(amf, 0, 7);
	expect_node(t, node, .type = NGAP_AMF_CONFIGURATION_UPDATE_ACKNOWLEDGE);
	tc_sleep(t, US_PER_S);
}

START_TEST(test_two_associations)
{
	run_case(two_associations, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_ran_plan.added, 1);
	ck_assert_uint_eq(fake_ran_plan.weights[0], 7);
	ck_assert_uint_eq(fake_ran_plan.weights[1], 0);
}
END_TEST

START_TEST(test_one_association)
{
	fake_ran_plan.one_association = true;
	run_case(two_associations, SHALL);
	ck_verdict(VERDICT_NA);
	ck_reason("1 of 2 TNL associations");
}
END_TEST

START_TEST(test_association_of_nobody)
{
	fake_ran_plan.setup_on_update = true;
	run_case(two_associations, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("Global RAN Node ID");
}
END_TEST

/* --- UEs --- */

static void whole_life(struct tc *t)
{
	struct nw_ue *ue = registered(t);
	const struct nas_received *m;
	struct nas_guti guti, other;

	if (nw_ue_number(ue) != 1 || strcmp(nw_ue_supi(ue), "imsi-999700000000001") != 0)
		tc_fail(t, "UE %u %s", nw_ue_number(ue), nw_ue_supi(ue));
	if (!nw_ue_is_registered(ue, ACCESS_3GPP) || nw_ue_is_connected(ue, ACCESS_3GPP) ||
	    !nw_ue_has_context(ue) || !nw_ue_guti(ue, &guti))
		tc_fail(t, "not registered and idle");
	/* nothing is left of it, and once more is nothing */
	nw_registered(ue);
	tc_control(t, "ue-service ue=1 kind=data");
	m = expect_nas_of(t, ue, .type = SERVICE_REQUEST, .cause = RRC_MO_DATA,
			  .service = SERVICE(SR_DATA), .initial = PRESENT, .protected = PRESENT,
			  .identity = IDENTITY_GUTI);
	if (received_follow_on(m) || received_registration_type(m) != 0)
		tc_fail(t, "a SERVICE REQUEST of another kind");
	expect_ngap_of(t, ue, .type = NGAP_UE_CONTEXT_RELEASE_COMPLETE);
	nw_connected(ue);
	nw_configuration_update(ue, .acknowledge = true);
	expect_nas_of(t, ue, .type = CONFIGURATION_UPDATE_COMPLETE, .protected = PRESENT);
	tc_sleep(t, 10 * US_PER_S);
	if (!nw_ue_is_connected(ue, ACCESS_3GPP))
		tc_fail(t, "not kept");
	nw_dl_nas_transport(ue);
	nw_idle(ue);
	nw_page(ue);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .cause = RRC_MT_ACCESS,
		      .service = SERVICE(SR_MOBILE_TERMINATED));
	nw_idle(ue);
	tc_control(t, "ue-register ue=1 type=mobility");
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY,
		      .protected = PRESENT, .secured = true);
	tc_sleep(t, US_PER_S);
	if (!nw_ue_guti(ue, &other) || nas_guti_equal(&guti, &other))
		tc_fail(t, "the same 5G-GUTI");
	tc_control(t, "ue-deregister ue=1 switch-off=no");
	expect_nas_of(t, ue, .type = DEREGISTRATION_REQUEST_UE);
	tc_sleep(t, US_PER_S);
	if (nw_ue_is_registered(ue, ACCESS_3GPP) || nw_ue_is_connected(ue, ACCESS_3GPP))
		tc_fail(t, "still there");
}

START_TEST(test_whole_life)
{
	fake_ran_plan.behind = _i ? 700 : 0;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_ran_plan.bad_macs, 0);
	ck_assert_uint_eq(fake_ran_plan.contexts, 5);
	ck_assert_msg(stage.private.notes.count == 0, "note: %s", stage.private.notes.line[0]);
}
END_TEST

START_TEST(test_resynchronisation)
{
	fake_ran_plan.stale_sqn = true;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_PASS);
}
END_TEST

START_TEST(test_unknown_guti)
{
	fake_ran_plan.unknown_guti = true;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_PASS);
}
END_TEST

START_TEST(test_wrong_res)
{
	fake_ran_plan.wrong_res = true;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_ERROR);
	ck_reason("are k and opc of the profile");
}
END_TEST

START_TEST(test_plain_complete)
{
	fake_ran_plan.plain_complete = true;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_INCONC);
	ck_reason("without integrity protection");
}
END_TEST

static void both_accesses(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_ue *ue;

	nw_iut_connects(t);
	nw_node(amf, NODE_N3IWF);
	ue = nw_ue(t);
	nw_registered(ue);
	tc_control(t, "ue-register ue=1 type=initial access=non-3gpp");
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .node = nw_node(amf, NODE_N3IWF),
		      .secured = true);
	tc_sleep(t, US_PER_S);
	if (!nw_ue_is_registered(ue, ACCESS_NON_3GPP) || !nw_ue_is_registered(ue, ACCESS_3GPP))
		tc_fail(t, "not registered over both");
	nw_connected(ue, .access = ACCESS_NON_3GPP);
	nw_notify(ue);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .node = nw_node(amf, NODE_GNB),
		      .protected = PRESENT);
}

START_TEST(test_both_accesses)
{
	fake_ran_plan.n3iwf = true;
	run_case(both_accesses, SHALL);
	ck_verdict(VERDICT_PASS);
}
END_TEST

/* --- rejects and back-off --- */

static void service_backs_off(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
	nw_reject(ue, .t3346 = TIMER(60));
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	expect_after(t, ue, nw_sent_at(ue), 60 * US_PER_S, .type = SERVICE_REQUEST,
		     .identity = IDENTITY_GUTI);
}

START_TEST(test_back_off)
{
	run_case(service_backs_off, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert(fake_ran_plan.last_reject_protected);
	ck_assert_uint_eq(fake_ran_plan.last_t3346, 0x1e);
	ck_assert_uint_eq(fake_ran_plan.last_reject_cause, 22);
	ck_assert_uint_gt(stage.iut_us, 59 * US_PER_S);
}
END_TEST

START_TEST(test_back_off_within_tolerance)
{
	static const uint64_t lengths[] = { 54500, 65500 };

	fake_ran_plan.back_off = lengths[_i] * US_PER_MS;
	run_case(service_backs_off, SHALL);
	ck_verdict(VERDICT_PASS);
}
END_TEST

START_TEST(test_back_off_too_short)
{
	if (_i == 0)
		fake_ran_plan.ignores_back_off = true;
	else
		fake_ran_plan.back_off = 53 * US_PER_S;
	run_case(service_backs_off, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("where silence of 60 s (- 6 s) is due");
	ck_detail("SERVICE REQUEST");
}
END_TEST

/* No request, but no silence either. */
START_TEST(test_back_off_not_silent)
{
	static const char *const reasons[] = {
		"UL NAS TRANSPORT, Payload container type 2 (SMS)",
		"a first NAS message that cannot be read",
	};

	fake_ran_plan.early_transport = _i == 0;
	fake_ran_plan.early_unreadable = _i == 1;
	run_case(service_backs_off, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason(reasons[_i]);
}
END_TEST

START_TEST(test_back_off_too_long)
{
	if (_i == 0)
		fake_ran_plan.never_retries = true;
	else
		fake_ran_plan.back_off = 67 * US_PER_S;
	run_case(service_backs_off, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("no SERVICE REQUEST until 66.000 s");
	ck_assert_uint_lt(stage.iut_us, 80 * US_PER_S);
}
END_TEST

START_TEST(test_violation_by_strength)
{
	fake_ran_plan.ignores_back_off = true;
	run_case(service_backs_off, SHOULD);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(stage.private.warnings.count, 1);
}
END_TEST

START_TEST(test_registers_instead)
{
	fake_ran_plan.falls_to_suci = true;
	run_case(service_backs_off, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("expected SERVICE REQUEST, received REGISTRATION REQUEST");
	/* within the silence any request counts, whatever is expected after it */
	stage_clear(&stage);
	fake_ran_plan.back_off = 5 * US_PER_S;
	run_case(service_backs_off, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("where silence of 60 s");
}
END_TEST

static void registration_reject_after_security(struct tc *t)
{
	struct nw_ue *ue;

	nw_amf_start(t);
	nw_iut_connects(t);
	ue = nw_ue(t);
	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-register ue=1 type=initial");
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .identity = IDENTITY_SUCI,
		      .registration = REG_INITIAL, .secured = true);
	nw_reject(ue, .t3346 = TIMER(120), .t3502 = TIMER(720));
	expect_silence(t, ue, nw_sent_at(ue), 120 * US_PER_S);
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .within = 30 * US_PER_S,
		      .secured = true);
	nw_accept(ue);
	tc_sleep(t, US_PER_S);
	if (!nw_ue_is_registered(ue, ACCESS_3GPP) || nw_ue_requests(ue) != 2)
		tc_fail(t, "not accepted");
}

START_TEST(test_registration_reject)
{
	run_case(registration_reject_after_security, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert(fake_ran_plan.last_reject_protected);
	ck_assert_uint_eq(fake_ran_plan.last_t3502, 0x2c);
	ck_assert_uint_eq(fake_ran_plan.last_t3346, 0x22);
}
END_TEST

static void forgets_to_wait(struct tc *t)
{
	struct nw_ue *ue;

	nw_amf_start(t);
	nw_iut_connects(t);
	ue = nw_ue(t);
	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-register ue=1 type=initial");
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST);
	nw_reject(ue, .t3346 = TIMER(120));
}

START_TEST(test_reject_before_security)
{
	run_case(forgets_to_wait, SHALL);
	ck_verdict(VERDICT_ERROR);
	ck_reason("expect its request with .secured");
}
END_TEST

static void plain_reject(struct tc *t)
{
	struct nw_ue *ue;

	nw_amf_start(t);
	nw_iut_connects(t);
	ue = nw_ue(t);
	nw_ue_without(ue, NW_AUTHENTICATE | NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-register ue=1 type=initial");
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST);
	nw_reject(ue, .t3346 = TIMER_OCTET(t->test->param ? 0xe0 : 0x05),
		  .protection = PROTECT_PLAIN);
	expect_between(t, ue, nw_sent_at(ue), 900 * US_PER_S, 1800 * US_PER_S,
		       .type = REGISTRATION_REQUEST);
}

START_TEST(test_plain_reject)
{
	static const struct {
		uint64_t back_off;
		enum verdict verdict;
	} rows[] = { { 10, VERDICT_FAIL },   { 800, VERDICT_FAIL },  { 815, VERDICT_PASS },
		     { 1400, VERDICT_PASS }, { 1975, VERDICT_PASS }, { 1985, VERDICT_FAIL } };

	fake_ran_plan.back_off = rows[_i].back_off * US_PER_S;
	run_case(plain_reject, SHALL);
	ck_verdict(rows[_i].verdict);
	ck_assert(!fake_ran_plan.last_reject_protected);
}
END_TEST

static void deregistered(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	nw_connected(ue);
	nw_deregister(ue, .cause = 22, .t3346 = TIMER(60));
	expect_nas_of(t, ue, .type = DEREGISTRATION_ACCEPT_UE);
	nw_keep_connected(ue, false);
	expect_after(t, ue, nw_sent_at(ue), 60 * US_PER_S, .type = REGISTRATION_REQUEST);
	nw_idle(ue);
	nw_registered(ue);
	nw_connected(ue);
	nw_deregister(ue, .reregister = true, .cause = 22, .t3346 = TIMER(1800));
	expect_nas_of(t, ue, .type = DEREGISTRATION_ACCEPT_UE);
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST);
}

START_TEST(test_deregistered)
{
	run_case(deregistered, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_ran_plan.deregistrations, 2);
}
END_TEST

static void many_are_rejected(struct tc *t)
{
	enum { UES = 200 };
	struct nw_amf *amf = nw_amf_start(t);
	struct nw_ue *ues[UES];
	uint64_t rejected_at[UES];

	nw_iut_connects(t);
	nw_amf_rejects(amf, REGISTRATION_REQUEST, NW_OPTIONS(.t3346 = TIMER(60)));
	for (unsigned int i = 0; i < UES; i++) {
		ues[i] = nw_ue(t);
		tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ues[i]));
	}
	tc_sleep(t, 5 * US_PER_S);
	for (unsigned int i = 0; i < UES; i++)
		rejected_at[i] = nw_sent_at(ues[i]);
	nw_amf_rejects(amf, 0, NULL);
	for (unsigned int i = 0; i < UES; i++)
		expect_after(t, ues[i], rejected_at[i], 60 * US_PER_S,
			     .type = REGISTRATION_REQUEST);
}

START_TEST(test_many_are_rejected)
{
	run_case(many_are_rejected, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_ran_plan.rejects, 200);
}
END_TEST

static void wrong_conditions(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	tc_control(t, "ue-service ue=1 kind=data");
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_HIGH_PRIORITY),
		      .cause = RRC_MPS_PRIORITY_ACCESS);
}

START_TEST(test_conditions)
{
	run_case(wrong_conditions, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("RRC cause mo-Data, not mps-PriorityAccess");
	ck_detail("! service type");
}
END_TEST

static void silent_ue(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	nw_ue_numbered(t, 2);
	tc_control(t, "ue-register ue=2 type=initial");
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
}

START_TEST(test_answers_for_another_ue)
{
	run_case(silent_ue, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("ue1: no SERVICE REQUEST within 5000 ms");
	ck_reason("ue2 sent ");
}
END_TEST

static void any_of_them(struct tc *t)
{
	const struct nas_received *m;
	struct nw_ue *ue;

	nw_amf_start(t);
	nw_iut_connects(t);
	tc_control(t, "ue-register ue=7 type=initial");
	tc_control(t, "ue-register ue=3 type=initial");
	for (int i = 0; i < 2; i++) {
		m = expect_nas_of_any(t, .type = REGISTRATION_REQUEST);
		if (nw_ue_number(m->nw_ue) != (i ? 3 : 7))
			tc_fail(t, "ue %u first", nw_ue_number(m->nw_ue));
	}
	/* a new USIM */
	ue = nw_ue_numbered(t, 3);
	nw_ue_is(ue, 6);
	if (strcmp(nw_ue_supi(ue), "imsi-999700000000007") != 0)
		tc_fail(t, "it is %s", nw_ue_supi(ue));
}

START_TEST(test_any)
{
	run_case(any_of_them, SHALL);
	ck_verdict(VERDICT_PASS);
}
END_TEST

static void emergency_without_usim(struct tc *t)
{
	const struct nas_received *m;

	nw_amf_start(t);
	nw_iut_connects(t);
	tc_control(t, "ue-register ue=1 type=emergency");
	m = expect_nas_of_any(t, .type = REGISTRATION_REQUEST, .registration = REG_EMERGENCY,
			      .secured = true);
	tc_sleep(t, US_PER_S);
	if (!nw_ue_is_registered(m->nw_ue, ACCESS_3GPP) || nw_ue_supi(m->nw_ue)[0])
		tc_fail(t, "%s is not registered", nw_ue_name(m->nw_ue));
}

START_TEST(test_emergency_without_usim)
{
	fake_ran_plan.has_no_usim = true;
	run_case(emergency_without_usim, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_ran_plan.bad_macs, 0);
}
END_TEST

static void without_guti(struct nas_msg *msg, void *arg)
{
	unsigned int *bent = arg;

	if (msg->type == NAS_REGISTRATION_ACCEPT)
		*bent += (unsigned int)nas_remove(msg, NAS_IE_5G_GUTI);
}

static void without_key(struct ngap_pdu *pdu, void *arg)
{
	unsigned int *bent = arg;

	*bent += (unsigned int)ngap_remove(pdu, NGAP_ID_SECURITY_KEY);
}

static void bends(struct tc *t)
{
	struct nw_amf *amf = nw_amf_start(t);
	unsigned int nas = 0, ngap = 0;
	struct nw_ue *ue;

	nw_iut_connects(t);
	ue = nw_ue(t);
	nw_bend(ue, without_guti, &nas);
	nw_amf_bend(amf, without_key, &ngap);
	tc_control(t, "ue-register ue=1 type=initial");
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST);
	expect_no_nas_of(t, ue, .type = REGISTRATION_COMPLETE, .within = 2 * US_PER_S);
	nw_bend(ue, NULL, NULL);
	nw_amf_bend(amf, NULL, NULL);
	nw_idle(ue);
	if (nas != 1 || ngap != 1)
		tc_fail(t, "%u NAS and %u NGAP messages are bent", nas, ngap);
}

START_TEST(test_bent_messages)
{
	run_case(bends, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_ran_plan.completes, 0);
}
END_TEST

static Suite *nw_suite(void)
{
	Suite *suite = suite_create("network");
	TCase *tcase = tcase_create("connecting");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, test_connects);
	tcase_add_test(tcase, test_connects_by_itself);
	tcase_add_test(tcase, test_never_connects);
	tcase_add_test(tcase, test_no_setup);
	tcase_add_test(tcase, test_foreign_plmn);
	tcase_add_test(tcase, test_refuses);
	tcase_add_test(tcase, test_dropping);
	tcase_add_test(tcase, test_several);
	tcase_add_test(tcase, test_too_many);
	tcase_add_test(tcase, test_two_associations);
	tcase_add_test(tcase, test_one_association);
	tcase_add_test(tcase, test_association_of_nobody);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("UEs");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, test_whole_life, 0, 2);
	tcase_add_test(tcase, test_resynchronisation);
	tcase_add_test(tcase, test_unknown_guti);
	tcase_add_test(tcase, test_wrong_res);
	tcase_add_test(tcase, test_plain_complete);
	tcase_add_test(tcase, test_both_accesses);
	tcase_add_test(tcase, test_back_off);
	tcase_add_loop_test(tcase, test_back_off_within_tolerance, 0, 2);
	tcase_add_loop_test(tcase, test_back_off_too_short, 0, 2);
	tcase_add_loop_test(tcase, test_back_off_not_silent, 0, 2);
	tcase_add_loop_test(tcase, test_back_off_too_long, 0, 2);
	tcase_add_test(tcase, test_violation_by_strength);
	tcase_add_test(tcase, test_registers_instead);
	tcase_add_test(tcase, test_registration_reject);
	tcase_add_test(tcase, test_reject_before_security);
	tcase_add_loop_test(tcase, test_plain_reject, 0, 6);
	tcase_add_test(tcase, test_deregistered);
	tcase_add_test(tcase, test_many_are_rejected);
	tcase_add_test(tcase, test_conditions);
	tcase_add_test(tcase, test_answers_for_another_ue);
	tcase_add_test(tcase, test_any);
	tcase_add_test(tcase, test_emergency_without_usim);
	tcase_add_test(tcase, test_bent_messages);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(nw_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
