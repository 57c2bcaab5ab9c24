/* What an NRF keeps of a profile, and what it refuses. */
#include <stdio.h>

#include "suites/nrf_load/nrf.h"

/* --- values at the bounds -----------------------------------------------------------------------
 */

static void same(struct tc *t, const char *where, const char *name, int64_t wanted,
		 struct json_int got)
{
	if (!wanted)
		return;
	if (!got.present)
		tc_violation(t, "%s %" PRId64 " of %s was registered, and is not discovered", name,
			     wanted - 1, where);
	if (got.value != wanted - 1)
		tc_violation(t,
			     "%s %" PRId64 " of %s was registered, and %" PRId64 " is discovered",
			     name, wanted - 1, where, got.value);
}

static void same_profile(struct tc *t, struct sbi_peer *consumer, const struct sbi_peer *peer,
			 const struct sbi_peer_options *o)
{
	const struct json_nf_profile *found = nrfl_find(consumer, peer);
	const struct json_nf_service *service;

	if (!found)
		tc_violation(t, "%s is registered, and not discovered", sbi_peer_name(peer));
	same(t, "an instance", "priority", o->priority, found->priority);
	same(t, "an instance", "capacity", o->capacity, found->capacity);
	same(t, "an instance", "load", o->load, found->load);
	if (o->load_time)
		same(t, "an instance", "loadTimeStamp (in ms)", (o->load_time - 1) * 1000 + 1,
		     found->load_time_stamp);
	service = nrfl_service(found);
	if (!service)
		tc_violation(t, "the service of %s is not discovered", sbi_peer_name(peer));
	same(t, "a service", "priority", o->service_priority, service->priority);
	same(t, "a service", "capacity", o->service_capacity, service->capacity);
	same(t, "a service", "load", o->service_load, service->load);
}

static void bounds(struct tc *t)
{
	static const struct {
		unsigned int priority, capacity, load;
	} values[] = {
		{ 0, 0, 0 },	 { 65535, 65535, 100 }, { 32768, 32768, 99 },
		{ 1, 32767, 1 }, { 100, 255, 50 },
	};
	struct sbi_peer *consumer = nrfl_consumer(t), *peer = nrfl_producer(t, .load = 1);

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct sbi_peer_options o = {
			.nf_type = "SMF",
			.services = NRF_SERVICE,
			.priority = SBI_VALUE(values[i].priority),
			.capacity = SBI_VALUE(values[i].capacity),
			.load = SBI_VALUE(values[i].load),
			.load_time = SBI_VALUE(sbi_now(t)),
		};

		/* Once at the instance alone, once at the service too, with other values. */
		sbi_peer_change(peer, &o);
		nrfl_register(peer);
		same_profile(t, consumer, peer, &o);
		o.service_priority = SBI_VALUE(65535 - values[i].priority);
		o.service_capacity = SBI_VALUE(65535 - values[i].capacity);
		o.service_load = SBI_VALUE(100 - values[i].load);
		sbi_peer_change(peer, &o);
		nrfl_register(peer);
		same_profile(t, consumer, peer, &o);
	}
}

/* --- values beyond them -------------------------------------------------------------------------
 */

struct wrong {
	const char *member; /* as it is put into the profile */
	const char *name;   /* of the member, that has to be blamed */
};

static bool blames(const struct json_problem_details *problem, const char *name)
{
	for (size_t i = 0; i < problem->invalid_params.count; i++) {
		struct octets param = problem->invalid_params.items[i].param;
		size_t len = strlen(name);

		/* A name, a path of JSON, or a JSON pointer. */
		for (size_t k = 0; k + len <= param.len; k++)
			if (memcmp(param.data + k, name, len) == 0)
				return true;
	}
	return false;
}

static void judge_refusal(struct tc *t, const struct sbi_response *response,
			  const struct wrong *wrong)
{
	const struct json_problem_details *problem;

	if (response->status / 100 == 2)
		nrfl_violation(t, response, "a profile with %s is accepted with %u", wrong->member,
			       response->status);
	if (response->status != 400)
		tc_should(t, "NR-01", "a profile with %s is refused with %u, not 400",
			  wrong->member, response->status);
	if (!response->message->body.len) {
		tc_should(t, "NR-01", "%u for a profile with %s does not say what is wrong",
			  response->status, wrong->member);
		return;
	}
	problem = sbi_read(t, response, &json_problem_details_object);
	if (!blames(problem, wrong->name))
		tc_should(t, "NR-01", "%u for a profile with %s does not name %s in invalidParams",
			  response->status, wrong->member, wrong->name);
}

static void beyond(struct tc *t)
{
	static const struct wrong wrongs[] = {
		{ "\"load\":101", "load" },	      { "\"load\":-1", "load" },
		{ "\"load\":\"50\"", "load" },	      { "\"load\":255", "load" },
		{ "\"capacity\":65536", "capacity" }, { "\"capacity\":-1", "capacity" },
		{ "\"priority\":65536", "priority" }, { "\"priority\":-1", "priority" },
	};
	struct sbi_peer *consumer = nrfl_consumer(t), *peer = nrfl_producer(t, .no_lc_h = true);

	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++)
		judge_refusal(t, nrfl_put(peer, nrfl_profile_with(peer, wrongs[i].member)),
			      &wrongs[i]);
	if (nrfl_find(consumer, peer))
		tc_violation(t, "a profile that was refused is discovered");
	/* It was the value alone. */
	nrfl_must_succeed(t, nrfl_put(peer, nrfl_profile_with(peer, "\"load\":100")),
			  "a profile with load 100");
}

/* --- support of overload and load control -------------------------------------------------------
 */

static void supports(struct tc *t)
{
	struct sbi_peer *consumer = nrfl_consumer(t), *peer = nrfl_producer(t, .load = 0);
	const struct json_nf_profile *found;

	for (unsigned int i = 0; i < 4; i++) {
		bool olc_h = !(i & 1), lc_h = !(i & 2);

		sbi_peer_change(peer, &(struct sbi_peer_options){ .nf_type = "SMF",
								  .services = NRF_SERVICE,
								  .no_olc_h = !olc_h,
								  .no_lc_h = !lc_h });
		nrfl_register(peer);
		found = nrfl_find(consumer, peer);
		if (!found)
			tc_violation(t, "a registered producer is not discovered");
		if ((found->olc_h_support_ind == JSON_YES) != olc_h)
			tc_violation(t, "olcHSupportInd %s was registered, and %s is discovered",
				     olc_h ? "true" : "(absent)", olc_h ? "none or false" : "true");
		if ((found->lc_h_support_ind == JSON_YES) != lc_h)
			tc_violation(t, "lcHSupportInd %s was registered, and %s is discovered",
				     lc_h ? "true" : "(absent)", lc_h ? "none or false" : "true");
	}
}

/* --- the resource itself ------------------------------------------------------------------------
 */

static void resource(struct tc *t)
{
	struct sbi_peer *peer =
		nrfl_producer(t, .capacity = SBI_VALUE(65535), .load = SBI_VALUE(0));
	const struct json_nf_profile *stored;
	const struct sbi_response *response;
	char path[128];

	nrfl_register(peer);
	snprintf(path, sizeof(path), "/nnrf-nfm/v1/nf-instances/%s", sbi_peer_id(peer));
	response = sbi_finish(sbi_ask(peer, .path = path));
	nrfl_must_succeed(t, response, "NFProfileRetrieve of a registered instance");
	stored = sbi_read(t, response, &json_nf_profile_object);
	same(t, "an instance", "capacity", SBI_VALUE(65535), stored->capacity);
	same(t, "an instance", "load", SBI_VALUE(0), stored->load);
	if (stored->olc_h_support_ind != JSON_YES || stored->lc_h_support_ind != JSON_YES)
		nrfl_violation(t, response,
			       "the stored profile lacks olcHSupportInd or lcHSupportInd");
}

const struct test_case nrfl_profile_cases[NRF_PROFILE_CASES] = {
	{ .id = "TP/NRF/PROF/01",
	  .requirement = "NR-01",
	  .clause = "29.510 6.1.6.2.2, 6.1.6.2.3",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "Priority, capacity and load are kept and given back up to their bounds",
	  .stimulus = "Registrations with 0, 65535 and others, at the instance and at its service",
	  .expect = "The same values in the search result",
	  .iut_time_us = US_PER_S,
	  .run = bounds },
	{ .id = "TP/NRF/PROF/02",
	  .requirement = "NR-01",
	  .clause = "29.510 6.1.6.2.2, 29.500 5.2.7.2",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "A profile with a value beyond its bounds is refused, and it is said which",
	  .stimulus = "Load 101, -1, text; capacity and priority beyond 0 to 65535",
	  .expect = "400 with invalidParams; nothing is stored",
	  .iut_time_us = US_PER_S,
	  .run = beyond },
	{ .id = "TP/NRF/PROF/03",
	  .requirement = "NR-08",
	  .clause = "29.500 6.4.3.6.1",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "Consumers learn from the NRF whether a producer supports OLC-H and LC-H",
	  .stimulus = "Registrations with and without olcHSupportInd and lcHSupportInd",
	  .expect = "The same in the search result",
	  .iut_time_us = US_PER_S,
	  .run = supports },
	{ .id = "TP/NRF/PROF/X01",
	  .requirement = "NR-03",
	  .clause = "29.510 5.2.2.6",
	  .strength = SHALL,
	  .role = ROLE_NRF,
	  .purpose = "The stored profile has the load data that it was registered with",
	  .stimulus = "Registration; NFProfileRetrieve",
	  .expect = "The same values",
	  .iut_time_us = US_PER_S,
	  .run = resource },
};
