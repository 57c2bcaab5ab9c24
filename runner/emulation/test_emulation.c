#include <check.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/emulation/fake_amf.h"
#include "runner/emulation/test_stage.h"

static void run_case(void (*body)(struct tc *t), enum strength strength)
{
	fake_plan.sent = 0;
	stage_body(&fake_amf, body, strength, NULL, NULL);
}

static void set_up(void)
{
	profile = profile_builtin(ROLE_AMF);
	ck_assert_ptr_nonnull(profile);
	fake_plan = (struct fake_plan){ .nea = 2, .nia = 2 };
}

static void tear_down(void)
{
	stage_clear(&stage);
	profile_free(profile);
}

/* --- procedures --- */

static void whole_life(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	struct nas_guti guti;

	if (gnb_relative_capacity(gnb) != 100)
		tc_fail(t, "capacity %d", gnb_relative_capacity(gnb));
	ue_registered(ue);
	if (ue_is_connected(ue) || !ue_is_registered(ue, NULL) || !ue_guti(ue, &guti))
		tc_fail(t, "not registered and idle");
	if (!ue_in_tai_list(ue, gnb) || ue_t3512(ue) != 60 * US_PER_S)
		tc_fail(t, "TAI list or T3512");
	ue_service_request(ue, SR_DATA);
	expect_nas(t, ue, .type = SERVICE_ACCEPT, .never = SERVICE_REJECT, .protected = PRESENT);
	ue_idle(ue);
	ue_register(ue, REG_PERIODIC);
	expect_nas(t, ue, .type = REGISTRATION_ACCEPT);
	expect_ue_ngap(t, ue, .type = NGAP_UE_CONTEXT_RELEASE_COMMAND);
	ue_deregister(ue);
	expect_nas(t, ue, .type = DEREGISTRATION_ACCEPT);
	if (ue_is_registered(ue, NULL))
		tc_fail(t, "still registered");
}

START_TEST(test_whole_life)
{
	static const uint8_t algorithms[][2] = { { 0, 1 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 0, 2 } };

	fake_plan.nea = algorithms[_i][0];
	fake_plan.nia = algorithms[_i][1];
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_str_eq(fake_plan.last_identity, "999700000000001");
	ck_assert_uint_eq(fake_plan.bad_macs, 0);
	ck_assert_uint_eq(fake_plan.completes, 2);
	/* in SECURITY MODE COMPLETE, and with the periodic update, which has nothing to hide */
	ck_assert_uint_eq(fake_plan.containers, 1);
	ck_assert(fake_plan.last_had_s_tmsi);
	ck_assert_uint_eq(fake_plan.error_indications, 0);
}
END_TEST

START_TEST(test_null_integrity_is_refused)
{
	fake_plan.nea = fake_plan.nia = 0;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("no REGISTRATION ACCEPT");
	ck_assert_uint_eq(fake_plan.security_rejects, 1);
}
END_TEST

START_TEST(test_late_answers)
{
	/* Each answer takes two seconds of the five that the profile allows for one. */
	fake_plan.answers_late = 2000;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_PASS);
	fake_plan.answers_late = 6000;
	stage_clear(&stage);
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_ERROR); /* nothing was ever heard of the IUT */
}
END_TEST

START_TEST(test_connection_is_released_when_iut_does_not)
{
	fake_plan.keeps_connections = true;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_FAIL); /* the periodic update's connection stays: no release comes */
	ck_reason("no UEContextReleaseCommand");
	ck_assert_uint_ge(fake_plan.releases, 2);
}
END_TEST

START_TEST(test_wrong_autn)
{
	fake_plan.wrong_autn = true;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_assert_uint_eq(fake_plan.mac_failures, 1);
}
END_TEST

START_TEST(test_resynchronisation)
{
	fake_plan.old_sqn = true;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_plan.resynchronised, 1);
}
END_TEST

START_TEST(test_wrong_replayed_capabilities)
{
	fake_plan.wrong_capabilities = true;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_assert_uint_eq(fake_plan.security_rejects, 1);
	ck_assert_uint_ge(stage.private.notes.count, 1);
}
END_TEST

START_TEST(test_setup_failure)
{
	fake_plan.setup_failure = true;
	run_case(whole_life, SHALL);
	ck_verdict(VERDICT_INCONC);
	ck_reason("NG SETUP FAILURE");
	ck_reason("control-processing-overload");
}
END_TEST

/* --- expectations --- */

static void reject_expected(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);
	const struct nas_received *m;

	ue_registered(ue);
	ue_service_request(ue, SR_DATA, .cause = RRC_MO_VOICE_CALL);
	m = expect_nas(t, ue, .type = SERVICE_REJECT, .never = SERVICE_ACCEPT, .cause = 22,
		       .t3346 = PRESENT, .protected = PRESENT);
	if (received_t3346(m).us != 1800 * US_PER_S || received_t3346(m).unit != 1 ||
	    received_t3346(m).number != 30 || ue_t3346(ue).us != 1800 * US_PER_S)
		tc_fail(t, "T3346 is %" PRIu64 " us", received_t3346(m).us);
	expect_ue_ngap(t, ue, .type = NGAP_UE_CONTEXT_RELEASE_COMMAND);
	expect_no_nas(t, ue, .within = US_PER_S);
}

START_TEST(test_reject_as_expected)
{
	fake_plan.service_cause = 22;
	fake_plan.t3346 = 0x3e;
	run_case(reject_expected, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_int_eq(fake_plan.last_cause, NGAP_RRC_ESTABLISHMENT_CAUSE_MO_VOICE_CALL);
}
END_TEST

START_TEST(test_never)
{
	run_case(reject_expected, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("SERVICE ACCEPT");
	ck_reason("must not come");
	ck_detail("! message");
	ck_detail("clause: 24.501 0.0");
	ck_detail("octets received: 7e004e");
}
END_TEST

START_TEST(test_never_by_strength)
{
	run_case(reject_expected, SHOULD);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(stage.private.warnings.count, 1);
}
END_TEST

START_TEST(test_other_cause)
{
	fake_plan.service_cause = 111;
	run_case(reject_expected, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_detail("! 5GMM cause       expected 22 (Congestion)");
	ck_detail("received 111 (Protocol error, unspecified)");
	ck_detail("! T3346 value");
	ck_detail("  protection");
}
END_TEST

START_TEST(test_plain_reject)
{
	fake_plan.service_cause = 22;
	fake_plan.t3346 = 0x3e;
	fake_plan.plain_reject = true;
	run_case(reject_expected, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_detail("! protection");
}
END_TEST

START_TEST(test_wrong_mac)
{
	fake_plan.service_cause = 22;
	fake_plan.t3346 = 0x3e;
	fake_plan.wrong_mac_reject = true;
	run_case(reject_expected, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("no SERVICE REJECT");
	ck_reason("discarded");
}
END_TEST

static void accept_expected(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	ue_service_request(ue, SR_HIGH_PRIORITY);
	expect_nas(t, ue, .type = SERVICE_ACCEPT);
}

START_TEST(test_unexpected_message_ends_at_once)
{
	fake_plan.service_cause = 22;
	run_case(accept_expected, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("expected SERVICE ACCEPT, received SERVICE REJECT");
	/* at once, not after the response time */
	ck_assert_uint_lt(stage.iut_us, US_PER_S);
}
END_TEST

static void outcomes(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	if (expect_ngap(t, gnb, .type = NGAP_OVERLOAD_START, .silence = OUTCOME_RETURN))
		tc_fail(t, "OVERLOAD START from nowhere");
	ue_service_request(ue, SR_DATA);
	if (expect_nas(t, ue, .type = SERVICE_ACCEPT, .otherwise = OUTCOME_RETURN))
		tc_fail(t, "SERVICE ACCEPT from nowhere");
	expect_nas(t, ue, .type = ONE_OF(SERVICE_ACCEPT, SERVICE_REJECT), .cause = 22);
	expect_paging(t, ue);
}

START_TEST(test_outcomes)
{
	fake_plan.service_cause = 22;
	run_case(outcomes, SHALL);
	ck_verdict(VERDICT_INCONC);
	ck_reason("no PAGING");
}
END_TEST

/* --- sending what no UE would
 * --------------------------------------------------------------------- */

static void reverse(struct nas_msg *msg, void *arg)
{
	(void)arg;
	for (uint16_t i = 0; i < msg->count / 2; i++) {
		struct nas_item item = msg->items[i];

		msg->items[i] = msg->items[msg->count - 1 - i];
		msg->items[msg->count - 1 - i] = item;
	}
}

static void cause_twice(struct ngap_pdu *pdu, void *arg)
{
	(void)arg;
	ngap_add_enum(pdu, NGAP_ID_RRC_ESTABLISHMENT_CAUSE, 4);
}

static void bent_messages(struct tc *t)
{
	static const uint8_t octets[] = { 0x7e, 0x00, 0xff, 0x01, 0x02 };
	struct gnb *gnb = gnb_connect(t);
	struct gnb *other = gnb_connect(t, .tac = 2);
	struct ue *ue = ue_new(gnb);
	struct nas_msg *status;
	struct ngap_pdu *pdu;

	ue_registered(ue, .stay_connected = true);
	status = ue_message(ue, NAS_5GMM_STATUS);
	nas_add_u8(status, NAS_IE_5GMM_CAUSE, 98);
	ue_send(ue, status);
	ue_send(ue, status, .protection = PROTECT_OLD_COUNT);
	ue_send(ue, status, .protection = PROTECT_WRONG_MAC);
	ue_send(ue, status, .protection = PROTECT_PLAIN);
	ue_send_octets(ue, OCTETS(octets, sizeof(octets)));
	ue_send_octets(ue, OCTETS(octets, sizeof(octets)), .protection = PROTECT_CIPHERED);
	ue_idle(ue);
	ue_register(ue, REG_MOBILITY, .via = other, .alter = reverse);
	expect_nas(t, ue, .type = REGISTRATION_ACCEPT);
	ue_idle(ue, .via = other);
	ue_service_request(ue, SR_SIGNALLING, .alter_ngap = cause_twice);
	expect_nas(t, ue, .type = SERVICE_ACCEPT);
	ue_connection_lost(ue);
	ue_service_request(ue, SR_SIGNALLING, .no_ue_context_request = true);
	expect_nas(t, ue, .type = SERVICE_ACCEPT);

	pdu = gnb_message(gnb, NGAP_OVERLOAD_STOP); /* in the wrong direction */
	gnb_send(gnb, pdu);
	gnb_error_indication(gnb, NGAP_CAUSE_PROTOCOL_SEMANTIC_ERROR, 22);
	gnb_reset(gnb);
	gnb_configuration_update(gnb);
	observe(t, US_PER_S);
	if (!gnb_up(gnb) || !gnb_up(other))
		tc_fail(t, "association lost");
	gnb_abort(gnb);
	gnb_reconnect(gnb);
	if (!gnb_up(gnb))
		tc_fail(t, "association does not come back");
}

START_TEST(test_bent_messages)
{
	run_case(bent_messages, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_plan.bad_macs, 2);
	ck_assert_uint_ge(fake_plan.error_indications, 1);
}
END_TEST

static void every_kind(struct tc *t)
{
	/* IPv4 and UDP, no data, between documentation addresses */
	static const uint8_t data[] = {
		0x45, 0, 0,   28, 0, 0, 0, 0, 64, 17, 0xf6, 0xcd, 192, 0,
		2,    1, 192, 0,  2, 2, 0, 9, 0,  9,  0,    8,	  0,   0,
	};
	struct gnb *gnb = gnb_connect(t);
	struct gnb *n3iwf = gnb_connect(t, .kind = NODE_N3IWF);
	struct gnb *ng_enb = gnb_connect(t, .kind = NODE_NG_ENB, .only_tac = true);
	struct gnb *snpn = gnb_connect(t, .snpn = true);
	struct ue *ue = ue_new(gnb), *second = ue_new(snpn);
	struct nas_s_tmsi never = { .amf_set_id = 1, .tmsi = 0x12345678 };

	ue_prefers_control_plane(ue);
	ue_registered(ue);
	ue_also_behind(ue, n3iwf);
	ue_register(ue, REG_INITIAL, .via = n3iwf);
	ue_register(ue, REG_EMERGENCY, .identity = IDENTITY_SUCI, .via = ng_enb);
	ue_move(ue, gnb);
	ue_register(ue, REG_MOBILITY, .discontinuous_coverage = true, .follow_on = true);
	ue_control_plane_service_request(ue, .data = OCTETS(data, sizeof(data)));
	ue_connection_lost(ue);
	ue_control_plane_service_request(ue, .data = OCTETS(data, sizeof(data)));
	ue_control_plane_service_request(ue, .pdu_session_status = 0x20);
	ue_pdu_session_request(ue, .psi = 7);
	ue_data_off_request(ue, .psi = 7);
	ue_ul_nas_transport(ue, NAS_PAYLOAD_SMS, OCTETS(data, sizeof(data)));
	ue_connection_lost(ue);
	ue_service_request(ue, SR_EMERGENCY_FALLBACK, .s_tmsi = &never);
	ue_connection_lost(ue);
	ue_service_request(ue, SR_DATA, .uplink_data_status = 0x80, .pdu_session_status = 0x80);
	ue_connection_lost(ue);
	ue_deregister(ue, .switch_off = true);
	ue_register(second, REG_INITIAL);
	observe(t, 100 * US_PER_MS);
}

START_TEST(test_every_kind_of_message)
{
	/* The fake AMF decodes each strictly, and aborts where that fails. */
	run_case(every_kind, SHALL);
	ck_assert_int_ne(stage.private.verdict, VERDICT_NONE);
	ck_assert_int_ne(stage.private.verdict, VERDICT_ERROR);
}
END_TEST

/* --- crowds --- */

static void crowd_rejected(struct tc *t)
{
	struct gnb *gnbs[] = { gnb_connect(t), gnb_connect(t) };
	struct crowd *crowd = crowd_new(t, gnbs, 2, 300);
	uint64_t first = UINT64_MAX, last = 0;

	crowd_registered(crowd);
	fake_plan.service_cause = 22;
	fake_plan.t3346 = 0x05;
	crowd_run(crowd, CROWD_SERVICE_REQUEST, US_PER_S);
	for (uint32_t i = 0; i < crowd_count(crowd); i++) {
		const struct crowd_answer *a = crowd_answer(crowd, i);

		if (a->outcome != CROWD_REJECTED || a->type != SERVICE_REJECT || a->cause != 22 ||
		    a->t3346.us != 10 * US_PER_S || a->answered <= a->sent)
			tc_fail(t, "UE %u: outcome %d", i, (int)a->outcome);
		first = a->sent < first ? a->sent : first;
		last = a->sent > last ? a->sent : last;
		if (ue_is_connected(crowd_ue(crowd, i)))
			tc_fail(t, "UE %u is still connected", i);
	}
	if (last - first < 990 * US_PER_MS || last - first > US_PER_S)
		tc_fail(t, "spread over %" PRIu64 " us", last - first);
}

START_TEST(test_crowd)
{
	run_case(crowd_rejected, SHALL);
	ck_verdict(VERDICT_PASS);
	ck_assert_uint_eq(fake_plan.registrations, 300);
	ck_assert_uint_eq(fake_plan.bad_macs, 0);
}
END_TEST

static void crowd_silent(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct crowd *crowd = crowd_new(t, &gnb, 1, 20);

	crowd_registered(crowd);
}

START_TEST(test_crowd_without_answers)
{
	fake_plan.wrong = FAKE_SILENT;
	fake_plan.at = 9;
	run_case(crowd_silent, SHALL);
	ck_verdict(VERDICT_FAIL);
	ck_reason("not answered");
}
END_TEST

/* --- watching --- */

static void count_nas(const struct nas_received *m, void *arg)
{
	unsigned int *types = arg;

	types[m->msg.type]++;
}

static void watched(struct tc *t)
{
	unsigned int types[256] = { 0 };
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	watch_nas(t, count_nas, types);
	ue_registered(ue);
	if (types[AUTHENTICATION_REQUEST] != 1 || types[SECURITY_MODE_COMMAND] != 1 ||
	    types[REGISTRATION_ACCEPT] != 1)
		tc_fail(t, "the watcher missed something");
}

START_TEST(test_watcher)
{
	run_case(watched, SHALL);
	ck_verdict(VERDICT_PASS);
}
END_TEST

/* --- concealed identities
 * ------------------------------------------------------------------------- */

static void only_register(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	ue_register(ue, REG_INITIAL);
	expect_nas(t, ue, .type = AUTHENTICATION_REQUEST);
}

START_TEST(test_concealed_identity)
{
	/* Public key of the profile A test data, TS 33.501 C.4.3 */
	static const uint8_t key[32] = {
		0x5a, 0x8d, 0x38, 0x86, 0x48, 0x20, 0x19, 0x7c, 0x33, 0x94, 0xb9,
		0x26, 0x13, 0xb2, 0x0b, 0x91, 0x63, 0x3c, 0xbd, 0x89, 0x71, 0x19,
		0x27, 0x3b, 0xf8, 0xe4, 0xa6, 0xf4, 0xee, 0xc0, 0xa6, 0x50,
	};

	profile->subscribers.hn_key_count = 1;
	profile->subscribers.hn_keys[0].id = 27;
	profile->subscribers.hn_keys[0].scheme = 'A';
	profile->subscribers.hn_keys[0].public_key_len = sizeof(key);
	memcpy(profile->subscribers.hn_keys[0].public_key, key, sizeof(key));
	run_case(only_register, SHALL);
	ck_verdict(VERDICT_PASS);
	/* The fake AMF cannot reveal it: it sees no MSIN. */
	ck_assert_str_eq(fake_plan.last_identity, "");
}
END_TEST

/* --- hostile peers
 * -------------------------------------------------------------------------------- */

static void busy_case(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	ue_service_request(ue, SR_DATA);
	expect_nas(t, ue, .type = SERVICE_ACCEPT);
	ue_idle(ue);
	ue_deregister(ue);
	expect_nas(t, ue, .type = DEREGISTRATION_ACCEPT);
	expect_ue_ngap(t, ue, .type = NGAP_UE_CONTEXT_RELEASE_COMMAND);
}

enum { BUSY_MESSAGES = 9 }; /* that the fake AMF sends in it */

/* What the case holds, which it gives back only at its end; 0 where a sanitizer has the heap. */
static size_t held_octets(void)
{
	return mallinfo2().uordblks;
}

static bool is_flood(enum fake_wrong wrong)
{
	return wrong == FAKE_FLOOD || wrong == FAKE_FLOOD_STATUS;
}

START_TEST(test_hostile_peer)
{
	enum fake_wrong wrong = (enum fake_wrong)(_i / BUSY_MESSAGES);
	unsigned int at = (unsigned int)(_i % BUSY_MESSAGES);

	if (is_flood(wrong) && at % 4 != 0)
		return; /* these take long */
	fake_plan.wrong = wrong;
	fake_plan.at = at;
	run_case(busy_case, SHALL);
	ck_assert_msg(stage.private.verdict != VERDICT_NONE, "%s at message %u: no verdict",
		      fake_wrong_name(wrong), at);
	ck_assert_msg(stage.private.verdict != VERDICT_ERROR || at == 0,
		      "%s at message %u: error, %s", fake_wrong_name(wrong), at,
		      stage.private.reason);
	ck_assert_msg(stage.iut_us < 60 * US_PER_S, "%s at message %u: took %" PRIu64 " us",
		      fake_wrong_name(wrong), at, stage.iut_us);
	switch (wrong) {
	case FAKE_SILENT:
	case FAKE_GARBAGE:
	case FAKE_TRUNCATED:
	case FAKE_WRONG_PPID:
	case FAKE_HUGE:
	case FAKE_FLOOD_STATUS:
	case FAKE_SHUTDOWN:
	case FAKE_ABORT:
		ck_assert_msg(stage.private.verdict == VERDICT_FAIL ||
				      (at == 0 && stage.private.verdict == VERDICT_ERROR),
			      "%s at message %u: %s", fake_wrong_name(wrong), at,
			      verdict_name(stage.private.verdict));
		break;
	case FAKE_RIGHT:
		ck_verdict(VERDICT_PASS);
		ck_assert_uint_eq(fake_plan.sent, BUSY_MESSAGES);
		break;
	default:
		break;
	}
	ck_assert_msg(held_octets() < (size_t)256 << 20, "%s at message %u: %zu octets",
		      fake_wrong_name(wrong), at, held_octets());
}
END_TEST

START_TEST(test_flipped_bits)
{
	for (unsigned int i = 0; i < 40 * BUSY_MESSAGES; i++) {
		fake_plan = (struct fake_plan){ .nea = 2, .nia = 2 };
		fake_plan.wrong = FAKE_FLIPPED;
		fake_plan.at = i % BUSY_MESSAGES;
		stage_seed = 1 + i;
		run_case(busy_case, SHALL);
		ck_assert_msg(stage.private.verdict == VERDICT_PASS ||
				      stage.private.verdict == VERDICT_FAIL ||
				      stage.private.verdict == VERDICT_INCONC,
			      "seed %" PRIu64 ": %s, %s", stage_seed,
			      verdict_name(stage.private.verdict), stage.private.reason);
		ck_assert_uint_lt(stage.iut_us, 60 * US_PER_S);
		if (i + 1 < 40 * BUSY_MESSAGES)
			stage_clear(&stage);
	}
	stage_seed = 1;
}
END_TEST

static Suite *emulation_suite(void)
{
	Suite *suite = suite_create("emulation");
	TCase *tcase;

	tcase = tcase_create("procedures");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_whole_life, 0, 5);
	tcase_add_test(tcase, test_null_integrity_is_refused);
	tcase_add_test(tcase, test_late_answers);
	tcase_add_test(tcase, test_connection_is_released_when_iut_does_not);
	tcase_add_test(tcase, test_wrong_autn);
	tcase_add_test(tcase, test_resynchronisation);
	tcase_add_test(tcase, test_wrong_replayed_capabilities);
	tcase_add_test(tcase, test_setup_failure);
	tcase_add_test(tcase, test_reject_as_expected);
	tcase_add_test(tcase, test_never);
	tcase_add_test(tcase, test_never_by_strength);
	tcase_add_test(tcase, test_other_cause);
	tcase_add_test(tcase, test_plain_reject);
	tcase_add_test(tcase, test_wrong_mac);
	tcase_add_test(tcase, test_unexpected_message_ends_at_once);
	tcase_add_test(tcase, test_outcomes);
	tcase_add_test(tcase, test_bent_messages);
	tcase_add_test(tcase, test_crowd);
	tcase_add_test(tcase, test_crowd_without_answers);
	tcase_add_test(tcase, test_watcher);
	tcase_add_test(tcase, test_concealed_identity);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("kinds");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_every_kind_of_message);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("hostile");
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_flipped_bits);
	tcase_add_loop_test(tcase, test_hostile_peer, 0, FAKE_WRONGS * BUSY_MESSAGES);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(emulation_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
