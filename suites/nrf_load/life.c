/* NFs that live, and NFs that do not: heart-beats; and an NRF that is overloaded itself. */
#include "suites/nrf_load/nrf.h"

enum { HEART_BEAT = 2 /* s, that is asked for */ };

/* Time within which an NF without heart-beats has to be gone: five of them. */
#define GONE_AFTER 5

static void beat(struct tc *t, struct sbi_peer *peer, unsigned int timer, unsigned int times)
{
	for (unsigned int i = 0; i < times; i++) {
		tc_timer(t, "tester", "time between heart-beats", timer * US_PER_S * 3 / 4);
		nrfl_must_succeed(t, nrfl_heart_beat(peer), "a heart-beat");
	}
}

static void dies(struct tc *t)
{
	struct sbi_peer *consumer = nrfl_consumer(t),
			*peer = nrfl_producer(t, .load = SBI_VALUE(10));
	unsigned int timer = nrfl_register_for(peer, HEART_BEAT);

	beat(t, peer, timer, 3);
	if (!nrfl_is_offered(consumer, peer))
		tc_violation(t, "an NF that keeps its heart-beats is not offered");
	tc_timer(t, "tester", "heart-beat timer", GONE_AFTER * timer * US_PER_S);
	if (nrfl_is_offered(consumer, peer))
		tc_violation(
			t,
			"an NF is offered as REGISTERED, %u s after its last heart-beat, with a "
			"heartBeatTimer of %u s",
			GONE_AFTER * timer, timer);
}

static void comes_back(struct tc *t)
{
	struct sbi_peer *consumer = nrfl_consumer(t),
			*peer = nrfl_producer(t, .load = SBI_VALUE(10));
	unsigned int timer = nrfl_register_for(peer, HEART_BEAT);
	const struct sbi_response *response;

	tc_timer(t, "tester", "heart-beat timer", GONE_AFTER * timer * US_PER_S);
	response = nrfl_heart_beat(peer);
	/* An NRF may have forgotten it: then it registers anew. */
	if (response->status == 404)
		nrfl_register_for(peer, HEART_BEAT);
	else
		nrfl_must_succeed(t, response, "a heart-beat of an NF that was suspended");
	if (!nrfl_is_offered(consumer, peer))
		tc_violation(t, "an NF whose heart-beats came back is not offered");
}

static void load_is_a_beat(struct tc *t)
{
	struct sbi_peer *consumer = nrfl_consumer(t),
			*peer = nrfl_producer(t, .load = SBI_VALUE(10));
	unsigned int timer = nrfl_register_for(peer, HEART_BEAT);

	for (unsigned int i = 0; i < 8; i++) {
		tc_timer(t, "tester", "time between heart-beats", timer * US_PER_S * 3 / 4);
		/* Before the next one, which would bring it back. */
		if (!nrfl_is_offered(consumer, peer))
			tc_violation(
				t,
				"an NF whose heart-beats have a load is not offered, %u s after "
				"its registration",
				(i + 1) * timer * 3 / 4);
		nrfl_must_succeed(t,
				  nrfl_patch(peer,
					     "[{\"op\":\"replace\",\"path\":\"/nfStatus\","
					     "\"value\":\"REGISTERED\"},{\"op\":\"replace\","
					     "\"path\":\"/load\",\"value\":%u}]",
					     20 + 5 * i),
				  "a heart-beat with a load");
	}
}

/* --- overload of the NRF ------------------------------------------------------------------------
 */

enum { STORM = 300, NFS_MAX = 3 };

static void overloaded(struct tc *t)
{
	struct sbi_peer *consumer = nrfl_consumer(t);
	struct sbi_peer *nfs[NFS_MAX] = { nrfl_producer(t, .load = SBI_VALUE(10)),
					  nrfl_producer(t, .load = SBI_VALUE(20)) };
	struct sbi_exchange *asked[STORM];
	unsigned int timer = 0, refused = 0, served = 0, unanswered = 0, told = 0;

	for (size_t i = 0; i < 2; i++)
		timer = nrfl_register_for(nfs[i], HEART_BEAT);
	tc_control(t, "load percent=150");
	for (size_t i = 0; i < STORM; i++) {
		asked[i] = sbi_ask(consumer, .path = "/nnrf-disc/v1/nf-instances?target-nf-type=SMF"
						     "&requester-nf-type=AMF");
		tc_sleep(t, 5 * US_PER_MS);
	}
	sbi_finish_all(t, asked, STORM);
	for (size_t i = 0; i < STORM; i++) {
		const struct sbi_response *response = sbi_response(asked[i]);

		if (!response) {
			unanswered++;
			continue;
		}
		told += response->oci.lines > 0;
		if (response->status == 200) {
			served++;
			continue;
		}
		refused++;
		if (response->status != 503 && response->status != 429 &&
		    response->status / 100 != 3)
			tc_should(t, "NR-09", "overload refuses discovery with %u, not 503",
				  response->status);
		if (response->status == 503 && strcmp(response->cause, "NF_CONGESTION") != 0)
			tc_should(t, "NR-09", "503 has the cause \"%s\", not NF_CONGESTION",
				  response->cause);
		if (http_header(response->message, "retry-after"))
			continue;
	}
	tc_note(t,
		"of %d discoveries %u were served, %u refused, %u not answered; %u answers had "
		"3gpp-Sbi-Oci",
		STORM, served, refused, unanswered, told);
	if (!refused && !told)
		tc_violation(t,
			     "overload shows neither by a status nor by 3gpp-Sbi-Oci (%u of %d "
			     "discoveries were served, %u not answered)",
			     served, STORM, unanswered);
	/* Heart-beats for longer than an NF lives without. */
	for (unsigned int i = 0; i < 2 * GONE_AFTER; i++) {
		tc_timer(t, "tester", "time between heart-beats", timer * US_PER_S / 2);
		for (size_t k = 0; k < 2; k++) {
			const struct sbi_response *response = nrfl_heart_beat(nfs[k]);

			if (response->status == 404)
				nrfl_violation(
					t, response,
					"overload of the NRF has made it forget a registered "
					"NF");
			if (response->status / 100 != 2)
				tc_note(t, "a heart-beat in overload is answered with %u",
					response->status);
		}
	}
	tc_control(t, "load percent=0");
	for (size_t k = 0; k < 2; k++)
		if (!nrfl_is_offered(consumer, nfs[k]))
			tc_violation(
				t,
				"%s kept its heart-beats during the NRF's overload, and is not "
				"offered after it",
				sbi_peer_name(nfs[k]));
}

static uint64_t beats(const struct profile *profile)
{
	(void)profile;
	return (GONE_AFTER + 4) * HEART_BEAT * US_PER_S;
}

const struct test_case nrfl_life_cases[NRF_LIFE_CASES] = {
	{ .id = "TP/NRF/HB/01",
	  .requirement = "NR-07",
	  .clause = "29.510 5.2.2.3",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "An NF whose heart-beats stop is not offered as available",
	  .stimulus = "Three heart-beats, then none for five times the heartBeatTimer; discovery",
	  .expect = "It is not in the search result, or not as REGISTERED",
	  .iut_time = beats,
	  .run = dies },
	{ .id = "TP/NRF/HB/X01",
	  .requirement = "NR-07",
	  .clause = "29.510 5.2.2.3",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "An NF whose heart-beats come back is offered again",
	  .stimulus = "No heart-beat for long, then one; discovery",
	  .expect = "It is in the search result as REGISTERED",
	  .iut_time = beats,
	  .run = comes_back },
	{ .id = "TP/NRF/HB/X02",
	  .requirement = "NR-07",
	  .clause = "29.510 5.2.2.3",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "A heart-beat with a load is a heart-beat",
	  .stimulus = "Eight heart-beats with a new load each; discovery between them",
	  .expect = "It is in the search result as REGISTERED",
	  .iut_time_us = 13 * US_PER_S,
	  .run = load_is_a_beat },
	{ .id = "TP/NRF/OVL/01",
	  .requirement = "NR-09",
	  .clause = "29.500 6.4",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "An NRF in overload says so, and keeps those who are registered",
	  .stimulus = "Load of 150 %, 300 discoveries; heart-beats of two NFs",
	  .expect = "503 (or overload control information); both are offered afterwards",
	  .iut_time_us = 13 * US_PER_S,
	  .run = overloaded },
};
