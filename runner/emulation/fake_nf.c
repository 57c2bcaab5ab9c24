#include "runner/emulation/fake_nf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/net/http.h"

enum { PEERS_MAX = 16, FIELDS_MAX = 96, HUGE_BODY = 400 * 1024, FLOOD = 30000 };

struct fake_nf_plan fake_nf_plan;

struct iut {
	struct loop *loop;
	const struct profile *profile;
	struct http *http;
	struct http_server *server;
	struct {
		struct net_address address;
		struct http_client *client;
	} peers[PEERS_MAX];
	struct timer soon;
	char *huge;
};

static bool wrong_now(void)
{
	return fake_nf_plan.wrong != FAKE_NF_RIGHT && fake_nf_plan.messages++ >= fake_nf_plan.at;
}

/* --- what it sends ------------------------------------------------------------------------------
 */

static void on_response(struct http_stream *stream, void *arg, const struct http_message *response)
{
	(void)stream;
	(void)arg;
	(void)response;
}

static void on_failed(struct http_stream *stream, void *arg, enum http_failure failure,
		      const char *why)
{
	(void)stream;
	(void)arg;
	(void)failure;
	(void)why;
}

static const struct http_client_handler client_handler = { on_response, on_failed };

static struct http_client *client_to(struct iut *iut, const struct net_address *address)
{
	char buf[200];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	for (size_t i = 0; i < PEERS_MAX; i++) {
		if (!iut->peers[i].client) {
			iut->peers[i].address = *address;
			iut->peers[i].client =
				http_client_new(iut->http, "fake", NULL, address, NULL, NULL, &why);
			return iut->peers[i].client;
		}
		if (memcmp(&iut->peers[i].address, address, sizeof(*address)) == 0)
			return iut->peers[i].client;
	}
	return NULL;
}

static void send_request(struct iut *iut, const struct net_address *to, const char *method,
			 const char *path, const char *body)
{
	const struct http_header fields[] = {
		HTTP_HEADER(":method", method),
		HTTP_HEADER(":path", path),
		HTTP_HEADER("content-type", "application/json"),
		HTTP_HEADER("3gpp-sbi-message-priority", "77"),
		HTTP_HEADER("3gpp-sbi-oci", "Timestamp: \"x\"; ,,,;"),
	};
	bool bad = fake_nf_plan.wrong == FAKE_NF_BAD_FIELDS;
	struct http_message message = { .headers = fields,
					.header_count = bad ? 5 : 3,
					.body = HTTP_TEXT(body) };
	struct http_client *client = client_to(iut, to);

	if (client)
		http_request(client, &message, &client_handler, iut, NULL);
}

#define ID "54804518-4191-46b3-955c-ac631f953ed8"

static void begin(struct timer *timer, void *arg)
{
	struct iut *iut = arg;
	const char *profile = "{\"nfInstanceId\":\"" ID "\",\"nfType\":\"SMF\","
			      "\"nfStatus\":\"REGISTERED\",\"olcHSupportInd\":true,"
			      "\"lcHSupportInd\":true}";
	bool wrong = wrong_now();

	(void)timer;
	if (wrong && fake_nf_plan.wrong == FAKE_NF_SILENT)
		return;
	if (wrong && fake_nf_plan.wrong == FAKE_NF_BAD_JSON)
		profile = "{\"nfInstanceId\":\"" ID "\",";
	if (wrong && fake_nf_plan.wrong == FAKE_NF_OTHER_JSON)
		profile = "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[{}]]]]";
	send_request(iut, &iut->profile->sbi, "PUT", "/nnrf-nfm/v1/nf-instances/" ID, profile);
	send_request(iut, &iut->profile->sbi, "GET",
		     "/nnrf-disc/v1/nf-instances?target-nf-type=SMF&requester-nf-type=AMF", "");
	if (wrong && fake_nf_plan.wrong == FAKE_NF_FLOOD)
		for (int i = 0; i < FLOOD; i++)
			send_request(iut, &iut->profile->sbi_addresses[0], "POST", "/callback/0",
				     "{}");
}

static void operate(struct iut *iut, unsigned int count)
{
	bool wrong = wrong_now();

	if (wrong && (fake_nf_plan.wrong == FAKE_NF_SILENT || fake_nf_plan.wrong == FAKE_NF_GONE))
		return;
	if (wrong && fake_nf_plan.wrong == FAKE_NF_FLOOD)
		count = FLOOD;
	for (unsigned int i = 0; i < count; i++)
		send_request(iut, &iut->profile->sbi_addresses[i % 3], "POST",
			     "/nsmf-pdusession/v1/sm-contexts",
			     wrong && fake_nf_plan.wrong == FAKE_NF_BAD_JSON
				     ? "{\"smContextStatusUri\":"
				     : "{\"smContextStatusUri\":\"ftp://nowhere\"}");
}

/* --- what it answers ----------------------------------------------------------------------------
 */

struct answer {
	struct http_header fields[FIELDS_MAX];
	size_t count;
	struct octets body;
};

static void add(struct answer *answer, const char *name, const char *value)
{
	answer->fields[answer->count++] = (struct http_header){ HTTP_TEXT(name), HTTP_TEXT(value) };
}

static void spoil(struct iut *iut, struct answer *answer)
{
	static const char oci[] = "Timestamp: \"Tue, 04 Feb 2020 08:49:37 GMT\"; "
				  "Period-of-Validity: 75s; Overload-Reduction-Metric: 50%; "
				  "NF-Instance: " ID;
	static char many[1024];

	switch (fake_nf_plan.wrong) {
	case FAKE_NF_EMPTY:
		answer->body = OCTETS(NULL, 0);
		break;
	case FAKE_NF_BAD_JSON:
		answer->body = HTTP_TEXT("{\"nfInstances\":[{\"load\":\x01");
		break;
	case FAKE_NF_OTHER_JSON:
		answer->body = HTTP_TEXT("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[{\"cause\":[]}"
					 "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
		break;
	case FAKE_NF_HUGE:
		answer->body = OCTETS((const uint8_t *)iut->huge, HUGE_BODY);
		break;
	case FAKE_NF_BAD_FIELDS:
		add(answer, "3gpp-sbi-oci", "Timestamp: \"; Overload-Reduction-Metric: %; \"\"\"");
		add(answer, "3gpp-sbi-oci", "");
		add(answer, "3gpp-sbi-lci", ";;;;,,,,;Load-Metric: 1e9%");
		add(answer, "retry-after", "-1.5e400");
		add(answer, "location", "http://[::1%25:/../..");
		add(answer, "3gpp-sbi-message-priority", "99999999999999999999");
		break;
	case FAKE_NF_MANY_FIELDS:
		snprintf(many, sizeof(many), "%s, %s, %s, %s", oci, oci, oci, oci);
		for (int i = 0; i < 60; i++)
			add(answer, i % 2 ? "3gpp-sbi-lci" : "3gpp-sbi-oci", many);
		break;
	case FAKE_NF_FAR_DATES:
		add(answer, "3gpp-sbi-oci",
		    "Timestamp: \"Fri, 31 Dec 9999 23:59:60 GMT\"; Period-of-Validity: "
		    "99999999999999999999s; Overload-Reduction-Metric: 100%; NF-Instance: " ID);
		add(answer, "retry-after", "Fri, 31 Dec 9999 23:59:59 GMT");
		break;
	default:
		break;
	}
}

static void respond(struct iut *iut, struct http_stream *stream, const char *status, bool wrong)
{
	struct answer answer = { .body = HTTP_TEXT("{\"nfInstances\":[]}") };
	struct http_message message = { .headers = answer.fields };

	add(&answer, ":status", status);
	add(&answer, "content-type", "application/json");
	if (fake_nf_plan.wrong == FAKE_NF_LOOP && wrong)
		add(&answer, "location", iut->profile->iut_sbi_uri);
	if (wrong)
		spoil(iut, &answer);
	message.header_count = answer.count;
	message.body = answer.body;
	if (wrong && fake_nf_plan.wrong == FAKE_NF_MIDWAY)
		http_respond_partly(stream, &message, HTTP_INTERNAL_ERROR);
	else
		http_respond(stream, &message);
}

static void on_request(struct http_stream *stream, void *arg, const struct http_message *request)
{
	const struct octets *method = http_header(request, ":method");
	bool post = method && method->len == 4 && memcmp(method->data, "POST", 4) == 0;
	struct iut *iut = arg;
	bool wrong = wrong_now();

	switch (wrong ? fake_nf_plan.wrong : FAKE_NF_RIGHT) {
	case FAKE_NF_SILENT:
		return;
	case FAKE_NF_RESET:
		http_reset(stream, HTTP_INTERNAL_ERROR);
		return;
	case FAKE_NF_DROP:
		http_stream_drop(stream);
		return;
	case FAKE_NF_GONE:
		http_server_close(iut->server);
		iut->server = NULL;
		return;
	case FAKE_NF_STATUS_500:
		respond(iut, stream, "500", wrong);
		return;
	case FAKE_NF_STATUS_599:
		respond(iut, stream, "599", wrong);
		return;
	case FAKE_NF_LOOP:
		respond(iut, stream, "307", wrong);
		return;
	case FAKE_NF_FLOOD:
		for (int i = 0; i < FLOOD / 10; i++)
			send_request(iut, &iut->profile->sbi_addresses[i % 3], "POST",
				     "/callback/0", "{}");
		break;
	default:
		break;
	}
	respond(iut, stream, post ? "201" : "200", wrong);
}

static void on_gone(struct http_stream *stream, void *arg, const char *why)
{
	(void)stream;
	(void)arg;
	(void)why;
}

static const struct http_server_handler server_handler = { on_request, on_gone };

/* --- running ------------------------------------------------------------------------------------
 */

static void fake_stop(struct iut *iut)
{
	timer_stop(&iut->soon);
	http_free(iut->http);
	free(iut->huge);
	free(iut);
}

static struct iut *fake_start(struct loop *loop, struct net *net, const struct profile *profile,
			      const uint64_t *faults, const uint64_t *variants, struct text *why)
{
	struct http_options options = { .sim = net_sim(net) };
	struct iut *iut = calloc(1, sizeof(*iut));

	(void)faults;
	(void)variants;
	if (!iut || !(iut->huge = malloc(HUGE_BODY))) {
		free(iut);
		text_puts(why, "out of memory");
		return NULL;
	}
	memset(iut->huge, '[', HUGE_BODY);
	iut->loop = loop;
	iut->profile = profile;
	timer_init(&iut->soon, loop, "fake", begin, iut);
	iut->http = http_new(loop, &options, NULL, why);
	if (iut->http)
		iut->server = http_listen(iut->http, "fake", &profile->iut_sbi, NULL,
					  &server_handler, iut, why);
	if (iut->server)
		return iut;
	http_free(iut->http);
	free(iut->huge);
	free(iut);
	return NULL;
}

static enum control_result fake_control(struct iut *iut, const char *action,
					const struct control_arg *args, size_t count,
					struct text *reply)
{
	unsigned long asked = 0;

	if (fake_nf_plan.wrong == FAKE_NF_NO_ACTION)
		return CONTROL_NOT_SUPPORTED;
	if (strcmp(action, "restart") == 0)
		timer_start(&iut->soon, US_PER_MS);
	if (strcmp(action, "operations") != 0)
		return CONTROL_DONE;
	for (size_t i = 0; i < count; i++)
		if (strcmp(args[i].key, "count") == 0)
			asked = strtoul(args[i].value, NULL, 10);
	operate(iut, (unsigned int)asked);
	if (fake_nf_plan.wrong == FAKE_NF_LIES)
		text_puts(reply, "{\"offered\":-7,\"failed\":1e300,\"redirected\":\"x\"}");
	else
		text_printf(reply, "{\"offered\":%lu,\"failed\":0,\"redirected\":0}", asked);
	return CONTROL_DONE;
}

#define OPS(name, word)                                                                         \
	const struct iut_ops name = {                                                           \
		.role = (word), .start = fake_start, .stop = fake_stop, .control = fake_control \
	}
OPS(fake_nf_server, "nf-server");
OPS(fake_nf_client, "nf-client");
OPS(fake_nrf, "nrf");
