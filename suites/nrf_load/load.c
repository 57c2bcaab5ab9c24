/* Load that changes while an NF is registered, and who hears of it. */
#include <stdio.h>

#include "suites/nrf_load/nrf.h"

static void print_time(char *out, size_t size, int64_t seconds)
{
	struct text text;

	text_init(&text, out, size);
	sbi_datetime_print(&text, seconds * 1000);
}

static const struct json_nf_profile *found(struct tc *t, struct sbi_peer *consumer,
					   const struct sbi_peer *peer)
{
	const struct json_nf_profile *profile = nrfl_find(consumer, peer);

	if (!profile)
		tc_violation(t, "a registered producer is not discovered");
	return profile;
}

static void must_have_load(struct tc *t, const struct json_nf_profile *profile, unsigned int load)
{
	if (!profile->load.present || profile->load.value != load)
		tc_violation(t, "the load was changed to %u, and discovery shows %" PRId64, load,
			     profile->load.present ? profile->load.value : -1);
}

static void with_time_stamp(struct tc *t)
{
	struct sbi_peer *consumer = nrfl_consumer(t);
	struct sbi_peer *peer =
		nrfl_producer(t, .load = SBI_VALUE(10), .load_time = SBI_VALUE(sbi_now(t) - 3600));
	char stamp[48];

	nrfl_register(peer);
	for (unsigned int load = 70; load <= 100; load += 15) {
		int64_t at = sbi_now(t) - 1800 + load;
		const struct json_nf_profile *profile;

		print_time(stamp, sizeof(stamp), at);
		nrfl_must_succeed(
			t,
			nrfl_patch(peer,
				   "[{\"op\":\"replace\",\"path\":\"/load\",\"value\":%u},"
				   "{\"op\":\"replace\",\"path\":\"/loadTimeStamp\","
				   "\"value\":\"%s\"}]",
				   load, stamp),
			"a change of load and loadTimeStamp");
		profile = found(t, consumer, peer);
		must_have_load(t, profile, load);
		if (!profile->load_time_stamp.present)
			tc_violation(t, "loadTimeStamp %s was sent, and discovery shows none",
				     stamp);
		if (profile->load_time_stamp.value / 1000 != at)
			tc_violation(t,
				     "loadTimeStamp %s was sent, and discovery shows one that is "
				     "%" PRId64 " s off",
				     stamp, profile->load_time_stamp.value / 1000 - at);
	}
}

static void without_time_stamp(struct tc *t)
{
	struct sbi_peer *consumer = nrfl_consumer(t);
	int64_t old = sbi_now(t) - 3600;
	struct sbi_peer *peer =
		nrfl_producer(t, .load = SBI_VALUE(10), .load_time = SBI_VALUE(old));
	const struct json_nf_profile *profile;

	nrfl_register(peer);
	nrfl_must_succeed(
		t, nrfl_patch(peer, "[{\"op\":\"replace\",\"path\":\"/load\",\"value\":55}]"),
		"a change of load");
	profile = found(t, consumer, peer);
	must_have_load(t, profile, 55);
	if (!profile->load_time_stamp.present)
		tc_violation(t, "a load without a time stamp has none in the search result either");
	/* The clock of the NRF need not be ours. */
	if (profile->load_time_stamp.value / 1000 == old)
		tc_violation(t,
			     "a new load without a time stamp is discovered with the time stamp of "
			     "the old one");
}

static void notified(struct tc *t)
{
	enum { STEPS = 20 };
	struct sbi_peer *consumer = nrfl_consumer(t);
	struct sbi_peer *peer =
		nrfl_producer(t, .load = SBI_VALUE(10), .load_time = SBI_VALUE(sbi_now(t)));
	const struct sbi_response *response;
	struct sbi_count count;
	uint64_t notifications;
	char body[512];

	nrfl_register(peer);
	snprintf(body, sizeof(body),
		 "{\"nfStatusNotificationUri\":\"%s\",\"reqNfType\":\"AMF\","
		 "\"subscrCond\":{\"nfInstanceId\":\"%s\"},"
		 "\"reqNotifEvents\":[\"NF_PROFILE_CHANGED\"]}",
		 sbi_peer_callback_uri(consumer, "load"), sbi_peer_id(peer));
	response =
		sbi_finish(sbi_ask(consumer, .path = "/nnrf-nfm/v1/subscriptions", .body = body));
	nrfl_must_succeed(t, response, "a subscription to changes of a profile");
	tc_sleep(t, US_PER_S);
	count = sbi_count_start(t);
	for (unsigned int i = 1; i <= STEPS; i++) {
		nrfl_must_succeed(
			t,
			nrfl_patch(peer, "[{\"op\":\"replace\",\"path\":\"/load\",\"value\":%u}]",
				   10 + i),
			"a heart-beat with a load");
		tc_sleep(t, US_PER_S);
	}
	tc_sleep(t, 2 * US_PER_S);
	notifications = sbi_counted(&count, .at = consumer, .path = "/callback/");
	tc_note(t, "%" PRIu64 " notifications of %d steps of one point, one each second",
		notifications, STEPS);
	if (notifications > STEPS)
		tc_violation(t,
			     "%d heart-beats, whose load is one point higher each time, cause "
			     "%" PRIu64 " notifications",
			     STEPS, notifications);
}

static void patch_beyond(struct tc *t)
{
	static const char *const values[] = { "101", "-1", "\"50\"", "1000" };
	struct sbi_peer *consumer = nrfl_consumer(t);
	struct sbi_peer *peer =
		nrfl_producer(t, .load = SBI_VALUE(10), .load_time = SBI_VALUE(sbi_now(t)));

	nrfl_register(peer);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const struct sbi_response *response = nrfl_patch(
			peer, "[{\"op\":\"replace\",\"path\":\"/load\",\"value\":%s}]", values[i]);

		if (response->status / 100 == 2)
			nrfl_violation(t, response, "a heart-beat with load %s is accepted with %u",
				       values[i], response->status);
	}
	must_have_load(t, found(t, consumer, peer), 10);
}

static void of_a_service(struct tc *t)
{
	struct sbi_peer *consumer = nrfl_consumer(t);
	struct sbi_peer *peer =
		nrfl_producer(t, .load = SBI_VALUE(10), .service_load = SBI_VALUE(10),
			      .load_time = SBI_VALUE(sbi_now(t)));
	const struct json_nf_service *service;

	nrfl_register(peer);
	nrfl_must_succeed(t,
			  nrfl_patch(peer, "[{\"op\":\"replace\",\"path\":\"/nfServices/0/load\","
					   "\"value\":80}]"),
			  "a change of the load of a service");
	service = nrfl_service(found(t, consumer, peer));
	if (!service || !service->load.present || service->load.value != 80)
		tc_violation(t,
			     "the load of a service was changed to 80, and discovery shows "
			     "%" PRId64,
			     service && service->load.present ? service->load.value : -1);
}

const struct test_case nrfl_load_value_cases[NRF_LOAD_CASES] = {
	{ .id = "TP/NRF/LOAD/01",
	  .requirement = "NR-04",
	  .clause = "29.510 5.2.2.3",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "A load that changes is in the next search result, with its time",
	  .stimulus = "PATCH of load and loadTimeStamp; discovery",
	  .expect = "The new load and loadTimeStamp",
	  .iut_time_us = US_PER_S,
	  .run = with_time_stamp },
	{ .id = "TP/NRF/LOAD/02",
	  .requirement = "NR-05",
	  .clause = "29.510 6.1.6.2.2",
	  .strength = SHOULD,
	  .role = ROLE_NRF,
	  .purpose = "A load without a time stamp gets that of its reception",
	  .stimulus = "PATCH of load alone; discovery",
	  .expect = "The new load, with another loadTimeStamp than before",
	  .iut_time_us = US_PER_S,
	  .run = without_time_stamp },
	{ .id = "TP/NRF/LOAD/03",
	  .requirement = "NR-06",
	  .clause = "29.510 5.2.2.6",
	  .strength = SHOULD,
	  .role = ROLE_NRF,
	  .purpose = "Heart-beats cause no storm of notifications",
	  .stimulus =
		  "A subscription to changes; 20 heart-beats with a load that rises by one point",
	  .expect = "At most one notification for each",
	  .iut_time_us = 24 * US_PER_S,
	  .run = notified },
	{ .id = "TP/NRF/LOAD/X01",
	  .requirement = "NR-01",
	  .clause = "29.510 5.2.2.3, 6.1.6.2.2",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "A heart-beat with a load beyond its bounds is refused, and changes nothing",
	  .stimulus = "PATCH of load to 101, -1, text",
	  .expect = "An error; the load of before in the search result",
	  .iut_time_us = US_PER_S,
	  .run = patch_beyond },
	{ .id = "TP/NRF/LOAD/X02",
	  .requirement = "NR-04",
	  .clause = "29.510 5.2.2.3",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "The load of a service can be changed as that of the instance",
	  .stimulus = "PATCH of /nfServices/0/load; discovery",
	  .expect = "The new load of the service",
	  .iut_time_us = US_PER_S,
	  .run = of_a_service },
};
