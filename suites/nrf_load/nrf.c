#include "suites/nrf_load/nrf.h"

#include <stdio.h>
#include <string.h>

enum { PATCH_MAX = 1024, DETAIL_MAX = 8192, PROFILE_MAX = 16384 };

#define INSTANCES "/nnrf-nfm/v1/nf-instances/"

noreturn void nrfl_violation(struct tc *t, const struct sbi_response *response, const char *format,
			     ...)
{
	char reason[768], buf[DETAIL_MAX];
	struct text detail;
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	text_init(&detail, buf, sizeof(buf));
	text_puts(&detail, "answer received:\n");
	sbi_print(&detail, response->message);
	text_printf(&detail, "clause: %s (%s)\n", t->test->clause, t->test->requirement);
	tc_detail(t, buf);
	tc_violation(t, "%s", reason);
}

/* --- registration -------------------------------------------------------------------------------
 */

struct sbi_peer *nrfl_consumer(struct tc *t)
{
	return sbi_peer_start(t, .nf_type = "AMF");
}

static const char *path_of(const struct sbi_peer *peer)
{
	char *path = tc_alloc(sbi_peer_tc(peer), 128);

	snprintf(path, 128, INSTANCES "%s", sbi_peer_id(peer));
	return path;
}

const struct sbi_response *nrfl_put(struct sbi_peer *peer, const char *profile)
{
	return sbi_finish(sbi_ask(peer, .method = "PUT", .path = path_of(peer),
				  .body = profile ? profile : sbi_peer_profile(peer)));
}

void nrfl_must_succeed(struct tc *t, const struct sbi_response *response, const char *what)
{
	if (response->status / 100 != 2)
		nrfl_violation(t, response, "%s is refused with %u %s", what, response->status,
			       response->cause);
}

const struct sbi_response *nrfl_register(struct sbi_peer *peer)
{
	const struct sbi_response *response = nrfl_put(peer, NULL);

	nrfl_must_succeed(sbi_peer_tc(peer), response, "a registration");
	return response;
}

const char *nrfl_profile_with(struct sbi_peer *peer, const char *member)
{
	char *profile = tc_alloc(sbi_peer_tc(peer), PROFILE_MAX);

	snprintf(profile, PROFILE_MAX, "{%s,%s", member, sbi_peer_profile(peer) + 1);
	return profile;
}

unsigned int nrfl_register_for(struct sbi_peer *peer, unsigned int heart_beat)
{
	struct tc *t = sbi_peer_tc(peer);
	const struct sbi_response *response;
	const struct json_nf_profile *stored;
	char member[48];

	snprintf(member, sizeof(member), "\"heartBeatTimer\":%u", heart_beat);
	response = nrfl_put(peer, nrfl_profile_with(peer, member));
	nrfl_must_succeed(t, response, "a registration");
	if (!response->message->body.len)
		return heart_beat;
	stored = sbi_read(t, response, &json_nf_profile_object);
	/* 29.510 5.2.2.2: the NRF may set another one. */
	return stored->heart_beat_timer.present && stored->heart_beat_timer.value > 0
		       ? (unsigned int)stored->heart_beat_timer.value
		       : heart_beat;
}

const struct sbi_response *nrfl_patch(struct sbi_peer *peer, const char *format, ...)
{
	char patch[PATCH_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(patch, sizeof(patch), format, args);
	va_end(args);
	return sbi_finish(sbi_ask(peer, .method = "PATCH", .path = path_of(peer), .body = patch,
				  .content_type = "application/json-patch+json"));
}

const struct sbi_response *nrfl_heart_beat(struct sbi_peer *peer)
{
	return nrfl_patch(peer, "[{\"op\":\"replace\",\"path\":\"/nfStatus\","
				"\"value\":\"REGISTERED\"}]");
}

/* --- discovery ----------------------------------------------------------------------------------
 */

const struct json_search_result *nrfl_discover(struct sbi_peer *consumer,
					       const struct sbi_response **response)
{
	const struct sbi_response *answer = sbi_finish(
		sbi_ask(consumer, .path = "/nnrf-disc/v1/nf-instances?target-nf-type=SMF"
					  "&requester-nf-type=AMF&service-names=" NRF_SERVICE));

	if (response)
		*response = answer;
	if (answer->status != 200)
		return NULL;
	return sbi_read(sbi_peer_tc(consumer), answer, &json_search_result_object);
}

const struct json_nf_profile *nrfl_find(struct sbi_peer *consumer, const struct sbi_peer *peer)
{
	struct tc *t = sbi_peer_tc(consumer);
	const struct sbi_response *response;
	const struct json_search_result *result = nrfl_discover(consumer, &response);

	if (!result)
		nrfl_violation(t, response, "discovery is answered with %u %s", response->status,
			       response->cause);
	for (size_t i = 0; i < result->nf_instances.count; i++)
		if (sbi_equal_nocase(result->nf_instances.items[i].nf_instance_id,
				     sbi_peer_id(peer)))
			return &result->nf_instances.items[i];
	return NULL;
}

const struct json_nf_service *nrfl_service(const struct json_nf_profile *profile)
{
	if (profile->nf_services.count)
		return &profile->nf_services.items[0];
	return profile->nf_service_list.count ? &profile->nf_service_list.items[0] : NULL;
}

bool nrfl_is_offered(struct sbi_peer *consumer, const struct sbi_peer *peer)
{
	const struct json_nf_profile *profile = nrfl_find(consumer, peer);

	return profile && sbi_equal_nocase(profile->nf_status, "REGISTERED");
}
