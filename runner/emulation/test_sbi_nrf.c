/* The NRF that the tester plays, and the server under it, by requests in virtual time. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/sbi/sbi.h"
#include "runner/emulation/json_patch.h"
#include "runner/emulation/sbi_nrf.h"

#define ID	 "54804518-4191-46b3-955c-ac631f953ed8"
#define OTHER	 "54804518-4191-46b3-955c-ac631f953ed9"
#define INSTANCE "/nnrf-nfm/v1/nf-instances/" ID
#define PROFILE_START                                                                            \
	"{\"nfInstanceId\":\"" ID "\",\"nfType\":\"UDM\",\"nfStatus\":\"REGISTERED\","           \
	"\"x-unknown\":[1,{\"a\":2.5}],\"nfServices\":[{\"serviceInstanceId\":\"1\","            \
	"\"serviceName\":"                                                                       \
	"\"nudm-sdm\",\"versions\":[{\"apiVersionInUri\":\"v2\",\"apiFullVersion\":\"2.0.0\"}]," \
	"\"scheme\":\"http\",\"nfServiceStatus\":\"REGISTERED\"}]"
#define PROFILE	 PROFILE_START "}"
#define DISCOVER "/nnrf-disc/v1/nf-instances?target-nf-type=UDM&requester-nf-type=AMF"

static struct loop *loop;
static struct sim_network *network;
static struct http *tester, *iut;
static struct sbi_nrf *nrf;
static struct http_client *client;
static struct net_address address;
static char why_buffer[300];
static struct text why;

/* the last answer */
static size_t answers, failures;
static unsigned int status;
static char body[20000], location[400], content_type[100], retry_after[20];
static enum http_failure failure;

static void copy(char *to, size_t size, const struct octets *from)
{
	struct text text;

	text_init(&text, to, size);
	if (from)
		text_write(&text, from->data, from->len);
}

static void take_response(struct http_stream *stream, void *arg, const struct http_message *m)
{
	(void)stream;
	(void)arg;
	answers++;
	status = http_status(m);
	copy(body, sizeof(body), &m->body);
	copy(location, sizeof(location), http_header(m, "location"));
	copy(content_type, sizeof(content_type), http_header(m, "content-type"));
	copy(retry_after, sizeof(retry_after), http_header(m, "retry-after"));
}

static void take_failure(struct http_stream *stream, void *arg, enum http_failure kind,
			 const char *reason)
{
	(void)stream;
	(void)arg;
	(void)reason;
	failures++;
	failure = kind;
}

static const struct http_client_handler handler = { take_response, take_failure };

static bool ended(void *arg)
{
	return answers + failures >= *(size_t *)arg;
}

static void send_request(const char *method, const char *path, const char *text)
{
	const struct http_header headers[] = {
		HTTP_HEADER(":method", method),
		HTTP_HEADER(":path", path),
		HTTP_HEADER("3gpp-sbi-message-priority", "20"),
	};

	ck_assert_ptr_nonnull(http_request(client,
					   &(struct http_message){ .headers = headers,
								   .header_count = 3,
								   .body = HTTP_TEXT(text) },
					   &handler, NULL, &why));
}

/* Asks, and waits for the answer; 0: there was none. */
static unsigned int ask(const char *method, const char *path, const char *text)
{
	size_t wanted = answers + failures + 1, before = failures;

	send_request(method, path, text);
	loop_run(loop, loop_now(loop) + 15 * US_PER_S, ended, &wanted);
	ck_assert_uint_eq(answers + failures, wanted);
	return failures > before ? 0 : status;
}

static void run_for(unsigned int seconds)
{
	loop_run(loop, loop_now(loop) + seconds * US_PER_S, NULL, NULL);
}

static void begin_with(const struct sbi_nrf_options *options)
{
	struct http_options side;

	answers = failures = 0;
	text_init(&why, why_buffer, sizeof(why_buffer));
	loop = loop_new(LOOP_VIRTUAL, 1);
	network = sim_network_new(loop, &(struct sim_conditions){ 0 });
	side = (struct http_options){ .sim = network };
	tester = http_new(loop, &side, NULL, &why);
	iut = http_new(loop, &side, NULL, &why);
	net_address_parse(&address, "127.0.0.30", 7777);
	nrf = sbi_nrf_start(tester, loop, "nrf", &address, options, &why);
	ck_assert_msg(nrf != NULL, "%s", why_buffer);
	client = http_client_new(iut, "udm", NULL, &address, NULL, NULL, &why);
}

static void begin(void)
{
	begin_with(NULL);
}

static void end(void)
{
	sbi_nrf_stop(nrf);
	http_free(tester);
	http_free(iut);
	sim_network_free(network);
	loop_free(loop);
}

/* --- registration ----------------------------------------------------------------------------- */

START_TEST(registration)
{
	ck_assert_uint_eq(ask("PUT", INSTANCE, PROFILE), 201);
	ck_assert_str_eq(location, "http://127.0.0.30:7777" INSTANCE);
	ck_assert_str_eq(body, PROFILE_START ",\"heartBeatTimer\":10}");
	ck_assert_uint_eq(ask("GET", INSTANCE, ""), 200);
	ck_assert_str_eq(body, PROFILE_START ",\"heartBeatTimer\":10}");
	ck_assert_uint_eq(ask("PUT", INSTANCE, PROFILE), 200);
	ck_assert_str_eq(location, "");
	ck_assert_uint_eq(ask("GET", "/nnrf-nfm/v1/nf-instances?nf-type=UDM", ""), 200);
	ck_assert_str_eq(body, "{\"_links\":{\"item\":[{\"href\":\"http://127.0.0.30:7777" INSTANCE
			       "\"}]}}");
	ck_assert_uint_eq(sbi_nrf_instances(nrf), 1);
	ck_assert_uint_eq(ask("DELETE", INSTANCE, ""), 204);
	ck_assert_uint_eq(ask("DELETE", INSTANCE, ""), 404);
	ck_assert_uint_eq(ask("GET", INSTANCE, ""), 404);
	ck_assert_uint_eq(sbi_nrf_instances(nrf), 0);
}
END_TEST

START_TEST(wrong_registrations)
{
	ck_assert_uint_eq(ask("PUT", INSTANCE, PROFILE_START ",\"load\":101}"), 400);
	ck_assert_str_eq(content_type, "application/problem+json");
	ck_assert_str_eq(body, "{\"status\":400,\"cause\":\"OPTIONAL_IE_INCORRECT\","
			       "\"invalidParams\":[{\"param\":\"$.load\",\"reason\":"
			       "\"must be an integer from 0 to 100\"}]}");
	ck_assert_uint_eq(ask("PUT", INSTANCE, "{\"nfInstanceId\":\"" ID "\"}"), 400);
	ck_assert_ptr_nonnull(strstr(body, "MANDATORY_IE_MISSING"));
	ck_assert_uint_eq(ask("PUT", INSTANCE, "{"), 400);
	ck_assert_ptr_nonnull(strstr(body, "INVALID_MSG_FORMAT"));
	ck_assert_uint_eq(ask("PUT", "/nnrf-nfm/v1/nf-instances/" OTHER, PROFILE), 400);
	ck_assert_ptr_nonnull(strstr(body, "is not that of the URI"));
	ck_assert_uint_eq(ask("POST", INSTANCE, ""), 405);
	ck_assert_uint_eq(ask("GET", "/nnrf-nfm/v1/nf-instances/" ID "/x", ""), 404);
	ck_assert_uint_eq(ask("GET", "/other", ""), 404);
	ck_assert_uint_eq(sbi_nrf_instances(nrf), 0);
}
END_TEST

START_TEST(updates)
{
	ask("PUT", INSTANCE, PROFILE);
	run_for(5);
	/* load without a time stamp: the NRF's own */
	ck_assert_uint_eq(
		ask("PATCH", INSTANCE, "[{\"op\":\"add\",\"path\":\"/load\",\"value\":70}]"), 200);
	ck_assert_ptr_nonnull(strstr(body, "\"load\":70,\"loadTimeStamp\":\"1970-01-01T00:00:05"));
	ck_assert_uint_eq(
		ask("PATCH", INSTANCE,
		    "[{\"op\":\"replace\",\"path\":\"/load\",\"value\":71},{\"op\":\"replace\","
		    "\"path\":\"/loadTimeStamp\",\"value\":\"2020-02-04T08:49:37Z\"}]"),
		200);
	ck_assert_ptr_nonnull(
		strstr(body, "\"load\":71,\"loadTimeStamp\":\"2020-02-04T08:49:37Z\""));
	/* wrong ones change nothing */
	ck_assert_uint_eq(
		ask("PATCH", INSTANCE, "[{\"op\":\"replace\",\"path\":\"/load\",\"value\":-1}]"),
		400);
	ck_assert_uint_eq(ask("PATCH", INSTANCE,
			      "[{\"op\":\"replace\",\"path\":\"/load\",\"value\":5},{\"op\":"
			      "\"remove\",\"path\":\"/capacity\"}]"),
			  400);
	ck_assert_ptr_nonnull(strstr(body, "remove /capacity cannot be done"));
	ck_assert_uint_eq(ask("PATCH", INSTANCE, "{}"), 400);
	ck_assert_uint_eq(ask("PATCH", INSTANCE, "["), 400);
	ck_assert_uint_eq(ask("GET", INSTANCE, ""), 200);
	ck_assert_ptr_nonnull(strstr(body, "\"load\":71"));
}
END_TEST

#define HEART_BEAT "[{\"op\":\"replace\",\"path\":\"/nfStatus\",\"value\":\"REGISTERED\"}]"

START_TEST(heart_beats)
{
	ask("PUT", INSTANCE, PROFILE);
	for (int i = 0; i < 10; i++) {
		run_for(10);
		ck_assert_uint_eq(ask("PATCH", INSTANCE, HEART_BEAT), 204);
	}
	ck_assert_str_eq(sbi_nrf_status(nrf, ID), "REGISTERED");
	ask("GET", DISCOVER, "");
	ck_assert_ptr_nonnull(strstr(body, ID));
	/* two are missed */
	run_for(20);
	ck_assert_str_eq(sbi_nrf_status(nrf, ID), "REGISTERED");
	run_for(2);
	ck_assert_str_eq(sbi_nrf_status(nrf, ID), "SUSPENDED");
	ask("GET", DISCOVER, "");
	ck_assert_str_eq(body, "{\"validityPeriod\":3600,\"nfInstances\":[]}");
	/* and it is back */
	ck_assert_uint_eq(ask("PATCH", INSTANCE, HEART_BEAT), 204);
	ck_assert_str_eq(sbi_nrf_status(nrf, ID), "REGISTERED");
}
END_TEST

START_TEST(own_instances)
{
	char *profile;

	ck_assert_int_eq(sbi_nrf_enter(nrf, HTTP_TEXT(PROFILE), &why), 0);
	run_for(100000);
	ck_assert_str_eq(sbi_nrf_status(nrf, ID), "REGISTERED");
	profile = sbi_nrf_profile(nrf, ID);
	ck_assert_ptr_nonnull(strstr(profile, "x-unknown"));
	free(profile);
	ck_assert_int_eq(sbi_nrf_enter(nrf, HTTP_TEXT(PROFILE_START ",\"load\":\"5\"}"), &why), -1);
	ck_assert_str_eq(why_buffer, "$.load: must be an integer from 0 to 100");
	ck_assert(sbi_nrf_remove(nrf, ID));
	ck_assert(!sbi_nrf_remove(nrf, ID));
	ck_assert_ptr_null(sbi_nrf_status(nrf, ID));
}
END_TEST

START_TEST(discovery)
{
	ask("PUT", INSTANCE, PROFILE_START ",\"allowedNfTypes\":[\"AMF\",\"SMF\"]}");
	ck_assert_uint_eq(ask("GET", DISCOVER, ""), 200);
	ck_assert_ptr_nonnull(strstr(body, "x-unknown"));
	static const struct {
		const char *query;
		bool found;
	} queries[] = {
		{ "target-nf-type=UDM&requester-nf-type=AMF&service-names=nudm-ueau,nudm-sdm",
		  true },
		{ "requester-nf-type=AMF&target-nf-type=UDM&service-names=nudm-uecm", false },
		{ "target-nf-type=UDM&requester-nf-type=AMF&service-names=nudm-sd", false },
		{ "target-nf-type=UDM&requester-nf-type=PCF", false },
		{ "target-nf-type=UDR&requester-nf-type=AMF", false },
		{ "target-nf-type=%55DM&requester-nf-type=SMF&target-nf-instance-id=" ID, true },
		{ "target-nf-type=UDM&requester-nf-type=SMF&target-nf-instance-id=" OTHER, false },
	};

	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		char path[300];

		snprintf(path, sizeof(path), "/nnrf-disc/v1/nf-instances?%s", queries[i].query);
		ck_assert_uint_eq(ask("GET", path, ""), 200);
		ck_assert_msg((strstr(body, ID) != NULL) == queries[i].found, "%s",
			      queries[i].query);
	}
	ck_assert_uint_eq(ask("GET", "/nnrf-disc/v1/nf-instances?target-nf-type=UDM", ""), 400);
	ck_assert_ptr_nonnull(strstr(body, "MANDATORY_QUERY_PARAM_MISSING"));
}
END_TEST

/* --- subscriptions ---------------------------------------------------------------------------- */

static size_t notifications;
static char notification[3000];

static void take_notification(struct http_stream *stream, void *arg, const struct http_message *m)
{
	const struct http_header headers[] = { HTTP_HEADER(":status", "204") };

	(void)arg;
	notifications++;
	copy(notification, sizeof(notification), &m->body);
	ck_assert_ptr_nonnull(http_header(m, "3gpp-sbi-callback"));
	http_respond(stream, &(struct http_message){ .headers = headers, .header_count = 1 });
}

START_TEST(subscriptions)
{
	static const struct http_server_handler subscriber = { take_notification, NULL };
	struct net_address own;
	size_t failed;

	notifications = 0;
	net_address_parse(&own, "127.0.0.5", 7777);
	ck_assert_ptr_nonnull(http_listen(iut, "amf", &own, NULL, &subscriber, NULL, &why));
	ck_assert_uint_eq(ask("POST", "/nnrf-nfm/v1/subscriptions",
			      "{\"nfStatusNotificationUri\":\"http://127.0.0.5:7777/cb?x=1\","
			      "\"subscrCond\":{\"nfType\":\"UDM\"},\"validityTime\":"
			      "\"1970-01-01T01:00:00Z\"}"),
			  201);
	ck_assert_str_eq(location, "http://127.0.0.30:7777/nnrf-nfm/v1/subscriptions/1");
	ck_assert_ptr_nonnull(strstr(body, "\"subscriptionId\":\"1\""));
	/* nobody listens there; only of what is registered */
	ck_assert_uint_eq(ask("POST", "/nnrf-nfm/v1/subscriptions",
			      "{\"nfStatusNotificationUri\":\"http://127.0.0.6:7777/cb\","
			      "\"reqNotifEvents\":[\"NF_REGISTERED\"]}"),
			  201);
	ck_assert_uint_eq(ask("POST", "/nnrf-nfm/v1/subscriptions",
			      "{\"nfStatusNotificationUri\":\"ftp://127.0.0.6\"}"),
			  400);
	ck_assert_uint_eq(sbi_nrf_subscriptions(nrf), 2);
	ask("PUT", INSTANCE, PROFILE);
	run_for(1);
	ck_assert_uint_eq(notifications, 1);
	ck_assert_ptr_nonnull(strstr(notification, "\"event\":\"NF_REGISTERED\",\"nfInstanceUri\":"
						   "\"http://127.0.0.30:7777" INSTANCE "\""));
	ck_assert_ptr_nonnull(strstr(notification, "x-unknown"));
	/* a heart-beat is no news, a load is */
	ask("PATCH", INSTANCE, HEART_BEAT);
	ask("PATCH", INSTANCE, "[{\"op\":\"add\",\"path\":\"/load\",\"value\":1}]");
	run_for(1);
	ck_assert_uint_eq(notifications, 2);
	ck_assert_ptr_nonnull(strstr(notification, "NF_PROFILE_CHANGED"));
	/* its heart-beats stop */
	run_for(30);
	ck_assert_uint_eq(notifications, 3);
	ck_assert_ptr_nonnull(strstr(notification, "SUSPENDED"));
	ask("DELETE", INSTANCE, "");
	run_for(1);
	ck_assert_uint_eq(notifications, 4);
	ck_assert_ptr_nonnull(strstr(notification, "NF_DEREGISTERED"));
	ck_assert_uint_eq(sbi_nrf_notified(nrf, &failed), 4);
	ck_assert_uint_eq(failed, 1);
	/* it ends, unless it is prolonged */
	ck_assert_uint_eq(ask("PATCH", "/nnrf-nfm/v1/subscriptions/1",
			      "[{\"op\":\"replace\",\"path\":\"/validityTime\",\"value\":"
			      "\"1970-01-01T02:00:00Z\"}]"),
			  200);
	run_for(4000);
	ck_assert_int_eq(sbi_nrf_enter(nrf, HTTP_TEXT(PROFILE), &why), 0);
	run_for(1);
	ck_assert_uint_eq(notifications, 5);
	run_for(4000);
	ck_assert(sbi_nrf_remove(nrf, ID));
	run_for(1);
	ck_assert_uint_eq(notifications, 5);
	ck_assert_uint_eq(ask("DELETE", "/nnrf-nfm/v1/subscriptions/1", ""), 404);
	ck_assert_uint_eq(ask("DELETE", "/nnrf-nfm/v1/subscriptions/2", ""), 204);
	ck_assert_uint_eq(sbi_nrf_subscriptions(nrf), 0);
}
END_TEST

/* --- access tokens ---------------------------------------------------------------------------- */

static struct access_token_key *key;

static void begin_tokens(void)
{
	text_init(&why, why_buffer, sizeof(why_buffer));
	key = access_token_secret(HTTP_TEXT("a secret of more than thirty-two octets"), &why);
	begin_with(&(struct sbi_nrf_options){
		.key = key, .instance_id = OTHER, .epoch_ms = INT64_C(1580806177000) });
}

static void end_tokens(void)
{
	end();
	access_token_key_free(key);
}

#define TOKEN_FORM "grant_type=client_credentials&nfInstanceId=" ID "&scope=nudm-sdm+nudm-uecm"

START_TEST(tokens)
{
	static uint8_t room[20000];
	struct json_access_token_rsp rsp;
	struct json_fault fault;
	struct access_token token;
	struct arena arena;

	ck_assert_uint_eq(ask("POST", "/oauth2/token", TOKEN_FORM "&targetNfType=UDM"), 400);
	ck_assert_str_eq(body, "{\"error\":\"invalid_client\"}");
	ask("PUT", INSTANCE, PROFILE);
	ck_assert_uint_eq(ask("POST", "/oauth2/token", TOKEN_FORM "&targetNfType=UDM"), 200);
	arena_init(&arena, room, sizeof(room));
	ck_assert_int_eq(
		json_read(&json_access_token_rsp_object, &rsp, HTTP_TEXT(body), &arena, &fault),
		FINDING_NONE);
	ck_assert_msg(access_token_check(&token, key, rsp.access_token,
					 &(struct access_token_wanted){ .nf_type = "UDM",
									.service = "nudm-uecm",
									.now = 1580806200 },
					 &arena, &why) == 0,
		      "%s", why_buffer);
	ck_assert(octets_equal(token.sub, HTTP_TEXT(ID)));
	ck_assert(octets_equal(token.iss, HTTP_TEXT(OTHER)));
	ck_assert_int_eq(token.exp, 1580806177 + 600);
	ck_assert_uint_eq(ask("POST", "/oauth2/token", TOKEN_FORM), 400);
	ck_assert_uint_eq(ask("POST", "/oauth2/token", TOKEN_FORM "&targetNfType=U%22M"), 400);
	ck_assert_uint_eq(ask("POST", "/oauth2/token",
			      "grant_type=password&nfInstanceId=" ID "&scope=a&targetNfType=UDM"),
			  400);
	ck_assert_str_eq(body, "{\"error\":\"unsupported_grant_type\"}");
}
END_TEST

START_TEST(no_tokens)
{
	ck_assert_uint_eq(ask("POST", "/oauth2/token", TOKEN_FORM "&targetNfType=UDM"), 404);
}
END_TEST

/* --- rules ------------------------------------------------------------------------------------ */

START_TEST(rules)
{
	struct sbi_server *server = sbi_nrf_server(nrf);
	const struct http_header oci = HTTP_HEADER("3gpp-sbi-oci", "x");
	uint64_t start;
	int number;

	ask("PUT", INSTANCE, PROFILE);
	number = sbi_server_rule(server,
				 &(struct sbi_rule){ .path = "/nnrf-disc",
						     .status = 503,
						     .cause = "NF_CONGESTION",
						     .headers = { HTTP_HEADER("retry-after", "5") },
						     .header_count = 1,
						     .times = 2 });
	ck_assert_int_ge(number, 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_uint_eq(ask("GET", DISCOVER, ""), 503);
		ck_assert_str_eq(body, "{\"status\":503,\"cause\":\"NF_CONGESTION\"}");
		ck_assert_str_eq(retry_after, "5");
	}
	ck_assert_uint_eq(ask("GET", DISCOVER, ""), 200);
	sbi_server_no_rule(server, number);
	/* later, with the default behaviour's answer */
	number = sbi_server_rule(server, &(struct sbi_rule){ .delay_us = 3 * US_PER_S });
	start = loop_now(loop);
	ck_assert_uint_eq(ask("GET", DISCOVER, ""), 200);
	ck_assert_uint_ge(loop_now(loop) - start, 3 * US_PER_S);
	/* a wrong body */
	sbi_server_rule(server, &(struct sbi_rule){ .body = HTTP_TEXT("{\"nfInstances\":7}") });
	ck_assert_uint_eq(ask("GET", DISCOVER, ""), 200);
	ck_assert_str_eq(body, "{\"nfInstances\":7}");
	sbi_server_no_rule(server, -1);
	/* no answer of whatever kind */
	static const struct {
		enum sbi_action action;
		enum http_failure failure;
	} actions[] = {
		{ SBI_RESET, HTTP_RESET },
		{ SBI_RESET_MIDWAY, HTTP_RESET },
		{ SBI_DROP, HTTP_LOST },
		{ SBI_SILENCE, HTTP_TIMEOUT },
	};

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		number = sbi_server_rule(
			server, &(struct sbi_rule){ .action = actions[i].action, .times = 1 });
		ck_assert_uint_eq(ask("GET", DISCOVER, ""), 0);
		ck_assert_int_eq(failure, actions[i].failure);
		sbi_server_no_rule(server, number);
	}
	/* what was answered otherwise has not happened, unless it is to */
	sbi_server_rule(server,
			&(struct sbi_rule){ .method = "DELETE", .status = 500, .times = 1 });
	ck_assert_uint_eq(ask("DELETE", INSTANCE, ""), 500);
	ck_assert_uint_eq(sbi_nrf_instances(nrf), 1);
	sbi_server_rule(server, &(struct sbi_rule){ .method = "DELETE",
						    .status = 500,
						    .times = 1,
						    .do_default = true });
	ck_assert_uint_eq(ask("DELETE", INSTANCE, ""), 500);
	ck_assert_uint_eq(sbi_nrf_instances(nrf), 0);
	/* by priority: the requests have 20 */
	sbi_server_rule(server, &(struct sbi_rule){ .above = 20, .status = 503 });
	ck_assert_uint_eq(ask("GET", DISCOVER, ""), 200);
	sbi_server_rule(server, &(struct sbi_rule){ .above = 19, .status = 503 });
	ck_assert_uint_eq(ask("GET", DISCOVER, ""), 503);
	sbi_server_fields(server, &oci, 1);
	ck_assert_uint_eq(ask("GET", DISCOVER, ""), 503);
}
END_TEST

START_TEST(shares)
{
	struct sbi_server *server = sbi_nrf_server(nrf);
	size_t refused = 0;

	sbi_server_rule(server, &(struct sbi_rule){ .status = 503, .share = 0.5 });
	for (int i = 0; i < 1000; i++)
		refused += ask("GET", DISCOVER, "") == 503;
	ck_assert_uint_ge(refused, 400);
	ck_assert_uint_le(refused, 600);
}
END_TEST

START_TEST(what_was_received)
{
	struct sbi_server *server = sbi_nrf_server(nrf);
	const struct sbi_received *r;
	uint64_t later;

	ask("GET", "/a?b=c", "");
	run_for(1);
	later = loop_now(loop);
	ask("PUT", INSTANCE, PROFILE);
	ck_assert_uint_eq(sbi_server_received_count(server), 2);
	r = sbi_server_received(server, 0);
	ck_assert(octets_equal(r->path, HTTP_TEXT("/a")));
	ck_assert(octets_equal(r->query, HTTP_TEXT("b=c")));
	ck_assert_uint_eq(r->priority, 20);
	ck_assert_uint_eq(r->status, 404);
	ck_assert_ptr_null(sbi_server_received(server, 2));
	ck_assert_uint_eq(sbi_server_count(server, NULL, NULL, 0), 2);
	ck_assert_uint_eq(sbi_server_count(server, "PUT", NULL, 0), 1);
	ck_assert_uint_eq(sbi_server_count(server, NULL, "/nnrf", later), 1);
	ck_assert_uint_eq(sbi_server_count(server, "GET", NULL, later), 0);
	/* one that is taken back while its answer waits */
	sbi_server_rule(server, &(struct sbi_rule){ .delay_us = 60 * US_PER_S });
	ck_assert_uint_eq(ask("GET", "/late", ""), 0);
	run_for(100);
	r = sbi_server_received(server, 2);
	ck_assert(r->gone);
	ck_assert_uint_eq(r->status, 0);
}
END_TEST

int main(void)
{
	static const struct {
		const char *name;
		void (*begin)(void), (*end)(void);
	} fixtures[] = { { "nrf", begin, end }, { "tokens", begin_tokens, end_tokens } };
	const TTest *const tests[2][12] = {
		{ registration, wrong_registrations, updates, heart_beats, own_instances, discovery,
		  subscriptions, no_tokens, rules, shares, what_was_received },
		{ tokens },
	};
	Suite *suite = suite_create("sbi nrf");
	SRunner *runner = srunner_create(suite);
	int failed;

	for (size_t i = 0; i < 2; i++) {
		TCase *tcase = tcase_create(fixtures[i].name);

		tcase_add_checked_fixture(tcase, fixtures[i].begin, fixtures[i].end);
		for (size_t k = 0; k < 12 && tests[i][k]; k++)
			tcase_add_test(tcase, tests[i][k]);
		suite_add_tcase(suite, tcase);
	}
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
