/* Emulated UEs and nodes against the reference AMF, where the suites do not go. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codecs/nas/security/suci.h"
#include "fixtures/reference/reference.h"
#include "runner/emulation/sbi_core_case.h"
#include "runner/emulation/test_stage.h"

static void set_up(void)
{
	profile = profile_builtin(ROLE_AMF);
	ck_assert_ptr_nonnull(profile);
}

static void tear_down(void)
{
	stage_clear(&stage);
	profile_free(profile);
}

static void run_case(void (*body)(struct tc *t), const char *variant)
{
	stage_body(&reference_amf, body, SHALL, variant, NULL);
	ck_verdict(VERDICT_PASS);
	ck_assert_msg(stage.private.notes.count == 0, "note: %s", stage.private.notes.line[0]);
}

static void registered_twice(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	ue_deregister(ue);
	expect_nas(t, ue, .type = DEREGISTRATION_ACCEPT);
	ue_idle(ue);
	ue_registered(ue, .identity = IDENTITY_SUCI);
	ue_connected(ue);
}

START_TEST(test_concealed_identity)
{
	enum suci_protection_scheme scheme = _i ? SUCI_PROFILE_B : SUCI_PROFILE_A;
	struct profile_subscribers *s = &profile->subscribers;

	s->hn_key_count = 1;
	s->hn_keys[0].id = 7;
	s->hn_keys[0].scheme = _i ? 'B' : 'A';
	s->hn_keys[0].has_private_key = true;
	memset(s->hn_keys[0].private_key, 0x42, sizeof(s->hn_keys[0].private_key));
	ck_assert_int_eq(suci_public_key(scheme, s->hn_keys[0].private_key,
					 s->hn_keys[0].public_key, &s->hn_keys[0].public_key_len),
			 NAS_SECURITY_OK);
	run_case(registered_twice, NULL);
}
END_TEST

static void both_accesses(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct gnb *n3iwf = gnb_connect(t, .kind = NODE_N3IWF);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	ue_registered(ue, .via = n3iwf);
	if (!ue_is_registered(ue, gnb) || !ue_is_registered(ue, n3iwf))
		tc_fail(t, "not registered over both");
	for (int i = 0; i < 3; i++) {
		ue_connected(ue);
		ue_connected(ue, .via = n3iwf);
		ue_idle(ue);
		ue_idle(ue, .via = n3iwf);
	}
	/* a new key hierarchy on one access, taken over on the other */
	ue_registered(ue, .identity = IDENTITY_SUCI);
	ue_connected(ue, .via = n3iwf);
	ue_idle(ue, .via = n3iwf);
	ue_deregister(ue, .via = n3iwf);
	expect_nas(t, ue, .type = DEREGISTRATION_ACCEPT, .via = n3iwf);
	ue_idle(ue, .via = n3iwf);
	if (ue_is_registered(ue, n3iwf))
		tc_fail(t, "still registered over the N3IWF");
	ue_connected(ue);
}

START_TEST(test_both_accesses)
{
	static const char *const variants[] = { NULL, "amf-always-authenticates", "amf-snow-3g",
						"amf-zuc", "amf-identity-first" };

	run_case(both_accesses, variants[_i]);
}
END_TEST

static void snpn(struct tc *t)
{
	struct gnb *gnb;
	struct ue *ue;

	tc_control(t, "snpn state=on nid=%011llx localized=no",
		   (unsigned long long)t->profile->nid);
	gnb = gnb_connect(t, .snpn = true);
	ue = ue_new(gnb);
	ue_registered(ue);
	ue_connected(ue);
}

START_TEST(test_snpn)
{
	run_case(snpn, NULL);
}
END_TEST

static void session_and_reset(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	ue_pdu_session(ue, .psi = 3);
	if (ue_sessions(ue) != 1 << 3 || ue_is_connected(ue))
		tc_fail(t, "sessions %04x", ue_sessions(ue));
	ue_service_request(ue, SR_DATA);
	expect_nas(t, ue, .type = SERVICE_ACCEPT);
	gnb_reset(gnb);
	expect_ngap(t, gnb, .type = NGAP_NG_RESET_ACKNOWLEDGE);
	if (ue_is_connected(ue))
		tc_fail(t, "connected after NG RESET");
	gnb_configuration_update(gnb);
	expect_ngap(t, gnb, .type = NGAP_RAN_CONFIGURATION_UPDATE_ACKNOWLEDGE);
	ue_connected(ue);
	ue_idle(ue);
	tc_control(t, "downlink supi=%s kind=signalling", ue_supi(ue));
	expect_paging(t, ue);
	ue_service_request(ue, SR_MOBILE_TERMINATED);
	expect_nas(t, ue, .type = SERVICE_ACCEPT);
	gnb_abort(gnb);
	gnb_reconnect(gnb);
	ue_connected(ue);
}

START_TEST(test_session_and_reset)
{
	run_case(session_and_reset, NULL);
}
END_TEST

/* The peers that the profile names are there, and the reference AMF uses them. */
static void with_peers(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct sbi_core *core = sbi_core_of_case(t);
	struct ue *ue = ue_new(gnb);

	for (enum sbi_role role = 0; role < SBI_ROLE_COUNT; role++) {
		if (!sbi_core_server(core, role))
			tc_fail(t, "role %d is not played", role);
	}
	ue_registered(ue);
	if (sbi_ausf_authenticated(core->ausf, NULL) != 1)
		tc_fail(t, "the AUSF has not authenticated the UE");
	ue_can_be_paged(ue);
	if (sbi_smf_sessions(core->smf) != 1)
		tc_fail(t, "the session is not at the SMF");
	ue_downlink(ue, "data");
	expect_paging(t, ue);
}

static void without_peers(struct tc *t)
{
	gnb_connect(t);
	if (sbi_core_of_case(t))
		tc_fail(t, "there are peers that nobody asked for");
}

static void play(const char *const *roles, size_t count)
{
	profile->sbi_on_demand = false;
	profile->sbi_role_count = 0;
	for (size_t i = 0; i < count; i++)
		strcpy(profile->sbi_roles[profile->sbi_role_count++], roles[i]);
	ck_assert_int_eq(net_address_parse(&profile->sbi, "127.0.0.40", 7777), 0);
	profile->has_sbi = true;
	profile->sbi_port = 7777;
}

START_TEST(test_peers)
{
	static const char *const all[] = { "nrf", "ausf", "udm", "pcf", "nssf", "smf", "amf" };

	run_case(without_peers, NULL);
	stage_clear(&stage);
	play(all, sizeof(all) / sizeof(*all));
	run_case(with_peers, NULL);
}
END_TEST

/* Nobody is there to register with: the rig's fault. */
START_TEST(test_peers_without_nrf)
{
	static const char *const one[] = { "ausf" };

	play(one, 1);
	ck_assert(profile_set_sbi_nrf(profile, "http://127.0.0.10:7777"));
	stage_body(&reference_amf, with_peers, SHALL, NULL, NULL);
	ck_verdict(VERDICT_ERROR);
	ck_reason("tester.sbi.nrf does not take");
}
END_TEST

/*
 * Answers that make no sense, from each of them in turn: the UE is told something, and the AMF
 * serves the next one as soon as they make sense again. Sanitizers watch.
 */
static void nonsense(struct tc *t)
{
	static const struct octets bodies[] = {
		JSON_TEXT(""),
		JSON_TEXT("{"),
		JSON_TEXT("[[[[]]]]"),
		JSON_TEXT("{\"authType\":\"5G_AKA\",\"5gAuthData\":{},\"_links\":{}}"),
		JSON_TEXT("{\"nssai\":{\"defaultSingleNssais\":[{\"sst\":999}]}}"),
		JSON_TEXT("--x\r\n\r\n--x--"),
	};
	static const unsigned int statuses[] = { 200, 201, 204, 301, 401, 404, 429, 500, 503, 599 };
	static const enum sbi_role answering[] = { SBI_ROLE_NRF, SBI_ROLE_AUSF, SBI_ROLE_UDM,
						   SBI_ROLE_PCF, SBI_ROLE_SMF };
	static const enum sbi_action actions[] = { SBI_RESET, SBI_RESET_MIDWAY, SBI_DROP };
	struct gnb *gnb = gnb_connect(t);
	struct sbi_core *core = sbi_core_of_case(t);
	enum { BODIES = 6, STATUSES = 10, ACTIONS = 3, TURNS = BODIES * STATUSES + ACTIONS };

	for (size_t i = 0; i < sizeof(answering) / sizeof(*answering) * TURNS; i++) {
		struct sbi_server *server = sbi_core_server(core, answering[i / TURNS]);
		size_t turn = i % TURNS;
		struct sbi_rule rule = {
			.status = statuses[turn / BODIES % STATUSES],
			.body = bodies[turn % BODIES],
			.content_type =
				turn % 2 ? "multipart/related; boundary=x" : "application/json",
			.headers = { { JSON_TEXT("retry-after"), JSON_TEXT("-1") },
				     { JSON_TEXT("location"), JSON_TEXT("http://") } },
			.header_count = 2,
		};
		struct ue *ue = ue_new(gnb);

		if (turn >= BODIES * STATUSES)
			rule = (struct sbi_rule){ .action = actions[turn - BODIES * STATUSES] };
		sbi_server_rule(server, &rule);
		ue_register(ue, REG_INITIAL, .follow_on = true);
		expect_nas(t, ue, .type = ONE_OF(REGISTRATION_ACCEPT, REGISTRATION_REJECT));
		if (ue_is_connected(ue) && ue_is_registered(ue, NULL)) {
			ue_pdu_session_request(ue, .psi = 1, .request_type = NAS_REQUEST_INITIAL);
			expect_nas(t, ue, .type = DL_NAS_TRANSPORT);
		}
		sbi_server_no_rule(server, -1);
	}
	ue_registered(ue_new(gnb));
}

START_TEST(test_peers_without_sense)
{
	static const char *const all[] = { "nrf", "ausf", "udm", "pcf", "nssf", "smf" };

	play(all, sizeof(all) / sizeof(*all));
	stage_body(&reference_amf, nonsense, SHALL, NULL, NULL);
	ck_verdict(VERDICT_PASS);
}
END_TEST

static void refused(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	/* a MAC that is wrong, and a COUNT that was used: the AMF must not serve these */
	ue_service_request(ue, SR_DATA, .protection = PROTECT_WRONG_MAC);
	expect_nas(t, ue, .type = SERVICE_REJECT, .cause = NAS_5GMM_UE_IDENTITY_CANNOT_BE_DERIVED);
}

START_TEST(test_wrong_mac_is_refused)
{
	stage_body(&reference_amf, refused, SHALL, NULL, NULL);
	ck_verdict(VERDICT_PASS);
}
END_TEST

static void emergency(struct tc *t)
{
	struct gnb *gnb = gnb_connect(t, .kind = NODE_NG_ENB);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue, .type = REG_EMERGENCY, .stay_connected = true);
	ue_pdu_session(ue, .request_type = NAS_REQUEST_INITIAL_EMERGENCY, .psi = 1,
		       .stay_connected = true);
}

START_TEST(test_emergency)
{
	run_case(emergency, NULL);
}
END_TEST

/* Everything that the tester sends is to dissect without a fault. */
START_TEST(test_dissected)
{
	void (*const bodies[])(struct tc * t) = { both_accesses, snpn, session_and_reset,
						  emergency };
	char dir[] = "/tmp/spillway-emulation-XXXXXX";
	char command[512], line[512];
	FILE *tshark;

	if (system("tshark --version >/dev/null 2>&1") != 0) {
		fprintf(stderr, "no tshark: what is sent was not dissected\n");
		return;
	}
	ck_assert_ptr_nonnull(mkdtemp(dir));
	stage_body(&reference_amf, bodies[_i], SHALL, "amf-null-ciphering", dir);
	ck_verdict(VERDICT_PASS);
	snprintf(command, sizeof(command),
		 "tshark -r %s/trace.pcapng -Y '_ws.malformed or _ws.expert.severity >= 0x600000' "
		 "2>/dev/null",
		 dir);
	tshark = popen(command, "r");
	ck_assert_ptr_nonnull(tshark);
	line[0] = '\0';
	ck_assert_msg(!fgets(line, sizeof(line), tshark), "%s", line);
	ck_assert_int_eq(pclose(tshark), 0);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

static Suite *emulation_suite(void)
{
	Suite *suite = suite_create("emulation and reference AMF");
	TCase *tcase = tcase_create("amf");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_concealed_identity, 0, 2);
	tcase_add_loop_test(tcase, test_both_accesses, 0, 5);
	tcase_add_test(tcase, test_snpn);
	tcase_add_test(tcase, test_session_and_reset);
	tcase_add_test(tcase, test_peers);
	tcase_add_test(tcase, test_peers_without_nrf);
	tcase_add_test(tcase, test_peers_without_sense);
	tcase_add_test(tcase, test_wrong_mac_is_refused);
	tcase_add_test(tcase, test_emergency);
	tcase_add_loop_test(tcase, test_dissected, 0, 4);
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
