/*
 * The network's side against the reference UE and its NG-RAN nodes: two readings of the standards
 * that share no procedure meet over N2.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "fixtures/reference/reference.h"
#include "runner/case/expect_nw.h"
#include "runner/emulation/test_stage.h"

#define S US_PER_S

static void set_up(void)
{
	stage_role = ROLE_UE;
	profile = profile_builtin(ROLE_UE);
	ck_assert_ptr_nonnull(profile);
}

static void tear_down(void)
{
	stage_clear(&stage);
	profile_free(profile);
}

static struct nw_ue *registered(struct tc *t)
{
	struct nw_ue *ue;

	nw_amf_start(t);
	nw_iut_connects(t);
	ue = nw_ue(t);
	nw_registered(ue);
	return ue;
}

/* R: SERVICE REQUEST rejected with T3346; ends when the UE has it. */
static void back_off(struct tc *t, struct nw_ue *ue, uint32_t seconds)
{
	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
	nw_reject(ue, .t3346 = TIMER(seconds));
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	tc_sleep(t, S);
}

static void registration_rejected(struct tc *t)
{
	struct nw_ue *ue;

	nw_amf_start(t);
	nw_iut_connects(t);
	ue = nw_ue(t);
	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .secured = true);
	nw_reject(ue, .t3346 = TIMER(60));
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	expect_after(t, ue, nw_sent_at(ue), 60 * S, .type = REGISTRATION_REQUEST,
		     .registration = REG_INITIAL);
}

static void service_rejected(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	back_off(t, ue, 60);
	expect_after(t, ue, nw_sent_at(ue), 60 * S, .type = SERVICE_REQUEST);
}

static void update_rejected(struct tc *t)
{
	struct nw_ue *ue;

	nw_amf_start(t);
	nw_iut_connects(t);
	ue = nw_ue(t);
	nw_registration(ue, .one_tac = true);
	nw_registered(ue);
	nw_ue_without(ue, NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-move ue=%u tac=000002", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_MOBILITY);
	nw_reject(ue, .t3346 = TIMER(60));
	nw_ue_with(ue, NW_ACCEPT_REGISTRATION);
	expect_after(t, ue, nw_sent_at(ue), 60 * S, .type = REGISTRATION_REQUEST,
		     .registration = REG_MOBILITY, .identity = IDENTITY_GUTI);
}

static void plain_reject(struct tc *t)
{
	struct nw_ue *ue;

	nw_amf_start(t);
	nw_iut_connects(t);
	ue = nw_ue(t);
	nw_ue_without(ue, NW_AUTHENTICATE | NW_ACCEPT_REGISTRATION);
	tc_control(t, "ue-register ue=%u type=initial", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST);
	nw_reject(ue, .t3346 = TIMER(10), .protection = PROTECT_PLAIN);
	expect_between(t, ue, nw_sent_at(ue), 15 * 60 * S, 30 * 60 * S,
		       .type = REGISTRATION_REQUEST);
}

static void plain_service_reject(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	nw_ue_without(ue, NW_ACCEPT_SERVICE);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
	nw_reject(ue, .t3346 = TIMER(10), .protection = PROTECT_PLAIN);
	nw_ue_with(ue, NW_ACCEPT_SERVICE);
	expect_between(t, ue, nw_sent_at(ue), 15 * 60 * S, 30 * 60 * S);
}

static void paged(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	back_off(t, ue, 60);
	nw_idle(ue);
	nw_page(ue);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_MOBILE_TERMINATED),
		      .cause = RRC_MT_ACCESS);
	nw_idle(ue);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .initial = PRESENT);
}

static void both_accesses(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	nw_registered(ue, .access = ACCESS_NON_3GPP);
	back_off(t, ue, 60);
	tc_control(t, "ue-service ue=%u kind=data access=non-3gpp", nw_ue_number(ue));
	expect_silence(t, ue, nw_sent_at(ue), 60 * S);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .within = 20 * S);
}

static void notified(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	nw_registered(ue, .access = ACCESS_NON_3GPP);
	nw_connected(ue, .access = ACCESS_NON_3GPP);
	back_off(t, ue, 60);
	nw_notify(ue, .access = ACCESS_NON_3GPP);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_MOBILE_TERMINATED));
}

static void configured(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	back_off(t, ue, 60);
	nw_idle(ue);
	nw_keep_connected(ue, true);
	tc_control(t, "ue-service ue=%u kind=data-off", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_ELEVATED_SIGNALLING));
	tc_sleep(t, S);
	nw_configuration_update(ue, .acknowledge = true);
	tc_sleep(t, S);
	nw_idle(ue);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST);
}

static void deregistered(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	nw_connected(ue);
	nw_deregister(ue, .cause = 22, .t3346 = TIMER(60));
	expect_nas_of(t, ue, .type = DEREGISTRATION_ACCEPT_UE);
	expect_after(t, ue, nw_sent_at(ue), 60 * S, .type = REGISTRATION_REQUEST);
}

static void registers_again(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	nw_connected(ue);
	nw_deregister(ue, .cause = 22, .t3346 = TIMER(1800), .reregister = true);
	expect_nas_of(t, ue, .type = DEREGISTRATION_ACCEPT_UE);
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST, .registration = REG_INITIAL,
		      .within = 10 * S);
}

static void moves_away(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	back_off(t, ue, 60);
	tc_control(t, "ue-move ue=%u plmn=99972 equivalent=no", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = REGISTRATION_REQUEST);
}

static void emergency(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	back_off(t, ue, 60);
	tc_control(t, "ue-service ue=%u kind=emergency", nw_ue_number(ue));
	expect_nas_of(t, ue, .type = SERVICE_REQUEST, .service = SERVICE(SR_EMERGENCY),
		      .cause = RRC_EMERGENCY);
}

static void power_cycle(struct tc *t)
{
	struct nw_ue *ue = registered(t);
	uint64_t on;

	back_off(t, ue, 120);
	tc_sleep(t, 30 * S);
	tc_control(t, "ue-power ue=%u state=off", nw_ue_number(ue));
	tc_sleep(t, 20 * S);
	on = loop_now(t->loop);
	tc_control(t, "ue-power ue=%u state=on clock=kept", nw_ue_number(ue));
	expect_after(t, ue, on, 70 * S, .type = REGISTRATION_REQUEST);
}

static void user_deregisters(struct tc *t)
{
	struct nw_ue *ue = registered(t);
	uint64_t from;

	back_off(t, ue, 60);
	from = nw_sent_at(ue);
	tc_control(t, "ue-deregister ue=%u switch-off=no", nw_ue_number(ue));
	tc_sleep(t, 3 * S);
	tc_control(t, "ue-service ue=%u kind=data", nw_ue_number(ue));
	expect_after(t, ue, from, 60 * S, .type = REGISTRATION_REQUEST);
}

static void reselects(struct tc *t)
{
	struct nw_ue *ue = registered(t);

	back_off(t, ue, 60);
	tc_control(t, "ue-move ue=%u cell=3 rat=eutra", nw_ue_number(ue));
	expect_after(t, ue, nw_sent_at(ue), 60 * S, .type = SERVICE_REQUEST);
}

static void (*const bodies[])(struct tc *t) = {
	registration_rejected,
	service_rejected,
	update_rejected,
	plain_reject,
	plain_service_reject,
	paged,
	both_accesses,
	notified,
	configured,
	deregistered,
	registers_again,
	moves_away,
	emergency,
	power_cycle,
	user_deregisters,
	reselects,
};

START_TEST(test_agree)
{
	stage_body(&reference_ue, bodies[_i], SHALL, NULL, getenv("SPILLWAY_EVIDENCE"));
	ck_verdict(VERDICT_PASS);
}
END_TEST

START_TEST(test_variants)
{
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		stage_body(&reference_ue, bodies[i], SHALL, reference_ue.variants[_i].name, NULL);
		ck_assert_msg(stage.private.verdict == VERDICT_PASS, "%s, body %zu: %s",
			      reference_ue.variants[_i].name, i, stage.private.reason);
		stage_clear(&stage);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("emulation against the reference UE");
	TCase *tc = tcase_create("agree");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, test_agree, 0, sizeof bodies / sizeof *bodies);
	tcase_add_loop_test(tc, test_variants, 0, (int)reference_ue.variant_count);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
