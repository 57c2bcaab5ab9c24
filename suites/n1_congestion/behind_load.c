/* TP/N1/AMF/SBI: what an AMF says of its own load, to the NRF and as a producer to an SMF. */
#include <inttypes.h>
#include <stdlib.h>

#include "suites/n1_congestion/behind.h"

enum {
	PSI = 5,
	LOAD = 60,
	TOLERANCE = 10,	 /* points: an AMF may measure on top of what it is told */
	HEART_BEATS = 3, /* one may just have gone, one may be lost */
	OVERLOAD = 120,
};

/* --- at the NRF ------------------------------------------------------------------------------ */

#define INSTANCES "/nnrf-nfm/v1/nf-instances/"

/* What the AMF registered itself as. */
struct registration {
	struct sbi_core *core;
	char id[64];
	struct json_nf_profile profile;
	uint8_t *room;
};

enum { ROOM = 128 * 1024 };

/* The instance whose profile says that it is an AMF, as it stands now. */
static bool read_profile(struct registration *r)
{
	char *json = sbi_nrf_profile(r->core->nrf, r->id);
	struct json_fault fault;
	struct arena arena;
	bool good;

	if (!json)
		return false;
	arena_init(&arena, r->room, ROOM);
	good = json_read(&json_nf_profile_object, &r->profile, HTTP_TEXT(json), &arena, &fault) ==
		       FINDING_NONE &&
	       octets_equal(r->profile.nf_type, HTTP_TEXT("AMF"));
	free(json);
	return good;
}

static bool is_registered(void *arg)
{
	struct registration *r = arg;
	struct sbi_server *nrf = sbi_nrf_server(r->core->nrf);
	const size_t count = sbi_server_received_count(nrf), prefix = strlen(INSTANCES);

	for (size_t i = 0; i < count; i++) {
		const struct sbi_received *received = sbi_server_received(nrf, i);

		if (!received || !octets_equal(received->method, HTTP_TEXT("PUT")) ||
		    received->path.len <= prefix || received->path.len - prefix >= sizeof(r->id) ||
		    memcmp(received->path.data, INSTANCES, prefix) != 0)
			continue;
		memcpy(r->id, received->path.data + prefix, received->path.len - prefix);
		r->id[received->path.len - prefix] = '\0';
		if (read_profile(r))
			return true;
	}
	return false;
}

static uint64_t heart_beats(void)
{
	return (uint64_t)HEART_BEATS * SBI_NRF_HEART_BEAT * US_PER_S;
}

static struct registration await_registration(struct tc *t)
{
	struct registration r = { .core = behind(t, SBI_ROLE_NRF), .room = tc_alloc(t, ROOM) };

	gnb_connect(t);
	if (!tc_wait(t, heart_beats() + t->profile->response_time, is_registered, &r))
		tc_violation(t, "the AMF does not register at the NRF");
	return r;
}

static bool load_is_told(void *arg)
{
	struct registration *r = arg;

	return read_profile(r) && r->profile.load.present &&
	       r->profile.load.value >= LOAD - TOLERANCE &&
	       r->profile.load.value <= LOAD + TOLERANCE;
}

static void load_at_nrf(struct tc *t)
{
	struct registration r = await_registration(t);

	tc_control(t, "load percent=%d", LOAD);
	if (tc_wait(t, heart_beats(), load_is_told, &r))
		return;
	if (read_profile(&r) && r.profile.load.present)
		tc_violation(t, "at a load of %d %% the NRF has been told %" PRId64 " %%", LOAD,
			     r.profile.load.value);
	tc_violation(t, "at a load of %d %% the NRF has been told of no load", LOAD);
}

/* --- as a producer --------------------------------------------------------------------------- */

/* The metric of the first OCI in the AMF's last answer to the SMF; -1: there was none. */
static int metric_told(struct tc *t, const struct sbi_core *core)
{
	const struct octets line = HTTP_TEXT(sbi_smf_amf_oci(core->smf));
	uint8_t room[4096];
	struct sbi_load oci;
	struct arena arena;
	size_t found = 0;

	if (!line.len)
		return -1;
	arena_init(&arena, room, sizeof(room));
	sbi_oci_read(&oci, 1, &found, &line, 1, SBI_REL_18, &arena, DECODE_LENIENT, NULL);
	if (!found || oci.fault.rule != FINDING_NONE)
		tc_violation(t, "3gpp-Sbi-Oci of the AMF breaks its grammar: %.*s", (int)line.len,
			     (const char *)line.data);
	return oci.metric;
}

static void oci_of_amf(struct tc *t)
{
	struct registration r = await_registration(t);
	struct sbi_core *core = behind(t, SBI_ROLE_SMF);
	struct gnb *gnb;
	struct ue *ue;
	int metric;

	if (r.profile.olc_h_support_ind != JSON_YES)
		tc_na(t, "the AMF does not say that it supports OLC-H");
	gnb = gnb_connect(t);
	ue = ue_new(gnb);
	ue_registered(ue);
	ue_pdu_session(ue, .psi = PSI);
	tc_control(t, "load percent=%d", OVERLOAD);
	ue_downlink(ue, "data");
	metric = metric_told(t, core);
	if (metric <= 0)
		tc_violation(t, "at a load of %d %% the AMF's answer to an SMF has %s", OVERLOAD,
			     metric < 0 ? "no 3gpp-Sbi-Oci" : "a 3gpp-Sbi-Oci with metric 0");
	tc_control(t, "load percent=0");
	ue_downlink(ue, "data");
	metric = metric_told(t, core);
	if (metric > 0)
		tc_violation(t,
			     "the overload is over, and the AMF's answer to an SMF has metric %d",
			     metric);
}

#define BEHIND(number, row, where)                                                              \
	.id = "TP/N1/AMF/SBI/" number, .role = ROLE_AMF, .strength = SHALL, .requirement = row, \
	.clause = where

const struct test_case behind_load_cases[BEHIND_LOAD_CASES] = {
	{ BEHIND("X10", "NR-04", "29.510 5.2.2.3.2"), .needs = NEEDS(ICS_LCI),
	  .purpose = "An AMF registers at the NRF, with heart-beats that tell its load",
	  .stimulus = "Control action load percent=60",
	  .expect = "NFRegister, and NFUpdate with a load of 50 to 70",
	  .iut_time_us = (uint64_t)SBI_NRF_HEART_BEAT * US_PER_S, .run = load_at_nrf },
	{ BEHIND("X11", "SB-S-06", "29.500 6.4.3.1"),
	  .purpose = "An overloaded AMF says so in its answers to an SMF, until it is over",
	  .stimulus = "Load 120 %, then 0; N1N2MessageTransfer of the SMF each time",
	  .expect = "3gpp-Sbi-Oci with a metric above 0, then with 0 or none", .run = oci_of_amf },
};
