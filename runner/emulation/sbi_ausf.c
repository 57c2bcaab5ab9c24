#include "runner/emulation/sbi_ausf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AUTHENTICATIONS "/nausf-auth/v1/ue-authentications"

enum { CONTEXTS_MAX = 4096 }; /* the oldest go first */

struct authentication {
	uint64_t number; /* from 1; 0: none */
	uint32_t subscriber;
	struct sbi_vector vector;
};

struct sbi_ausf {
	struct sbi_server *server;
	struct sbi_subscribers *subscribers;
	struct authentication contexts[CONTEXTS_MAX];
	uint64_t count;
	size_t succeeded, failed;
	_Alignas(max_align_t) uint8_t room[64 * 1024]; /* for reading a body */
};

static void answer_vector(struct sbi_ausf *ausf, struct sbi_request *request,
			  const struct authentication *a)
{
	char href[300], location[260];
	const struct json_av_5g_aka av = {
		.rand = OCTETS(a->vector.rand, sizeof(a->vector.rand)),
		.hxres_star = OCTETS(a->vector.hxres_star, sizeof(a->vector.hxres_star)),
		.autn = OCTETS(a->vector.autn, sizeof(a->vector.autn)),
	};
	struct json_named_link link = { .key = JSON_TEXT("5g-aka") };
	const struct json_ue_authentication_ctx ctx = {
		.auth_type = JSON_TEXT("5G_AKA"),
		.auth_data = &av,
		.links = { &link, 1 },
	};
	char body[1200];
	struct text text;

	snprintf(location, sizeof(location), "%s" AUTHENTICATIONS "/%llu",
		 sbi_server_root(ausf->server), (unsigned long long)a->number);
	snprintf(href, sizeof(href), "%s/5g-aka-confirmation", location);
	link.href = HTTP_TEXT(href);
	text_init(&text, body, sizeof(body));
	json_write(&text, &json_ue_authentication_ctx_object, &ctx);
	sbi_answer(request, &(struct sbi_answer){ .status = 201,
						  .body = OCTETS((uint8_t *)body, text.len),
						  .content_type = "application/3gppHal+json",
						  .location = location });
}

static void authenticate(struct sbi_request *request, void *arg)
{
	struct sbi_ausf *ausf = arg;
	struct json_authentication_info info;
	struct authentication *a;
	struct arena arena;
	uint32_t subscriber;

	arena_init(&arena, ausf->room, sizeof(ausf->room));
	if (!sbi_read_body(request, &json_authentication_info_object, &info, request->message->body,
			   &arena))
		return;
	subscriber = sbi_subscriber_of(ausf->subscribers, info.supi_or_suci);
	if (subscriber == SBI_NO_SUBSCRIBER) {
		sbi_answer_problem(request, 404, "USER_NOT_FOUND", NULL);
		return;
	}
	if (!sbi_serving_network_known(ausf->subscribers, info.serving_network_name)) {
		sbi_answer_problem(request, 403, "SERVING_NETWORK_NOT_AUTHORIZED", NULL);
		return;
	}
	if (info.resynchronization_info &&
	    !sbi_resynchronise(ausf->subscribers, subscriber,
			       info.resynchronization_info->rand.data,
			       info.resynchronization_info->auts.data)) {
		sbi_answer_problem(request, 403, "AUTHENTICATION_REJECTED", "AUTS is wrong");
		return;
	}
	a = &ausf->contexts[ausf->count % CONTEXTS_MAX];
	*a = (struct authentication){ .number = ++ausf->count, .subscriber = subscriber };
	if (sbi_vector_make(ausf->subscribers, subscriber, info.serving_network_name, &a->vector))
		answer_vector(ausf, request, a);
	else
		sbi_answer_problem(request, 500, "AV_GENERATION_PROBLEM", NULL);
}

static struct authentication *context_of(struct sbi_ausf *ausf, struct octets id)
{
	char digits[24];
	unsigned long long number;

	if (id.len >= sizeof(digits))
		return NULL;
	memcpy(digits, id.data, id.len);
	digits[id.len] = '\0';
	number = strtoull(digits, NULL, 10);
	for (size_t i = 0; number && i < CONTEXTS_MAX; i++) {
		if (ausf->contexts[i].number == number)
			return &ausf->contexts[i];
	}
	return NULL;
}

static void confirm(struct sbi_request *request, void *arg)
{
	struct sbi_ausf *ausf = arg;
	struct authentication *a = context_of(ausf, request->ids[0]);
	struct json_confirmation_data data;
	struct json_confirmation_data_response response = {
		.auth_result = JSON_TEXT("AUTHENTICATION_FAILURE"),
	};
	struct arena arena;
	char supi[SBI_SUPI_MAX];

	arena_init(&arena, ausf->room, sizeof(ausf->room));
	if (!a) {
		sbi_answer_problem(request, 404, "CONTEXT_NOT_FOUND", NULL);
		return;
	}
	if (!sbi_read_body(request, &json_confirmation_data_object, &data, request->message->body,
			   &arena))
		return;
	sbi_subscriber_supi(ausf->subscribers, a->subscriber, supi);
	if (octets_equal(data.res_star, OCTETS(a->vector.xres_star, sizeof(a->vector.xres_star)))) {
		ausf->succeeded++;
		response.auth_result = JSON_TEXT("AUTHENTICATION_SUCCESS");
		response.supi = HTTP_TEXT(supi);
		response.kseaf = OCTETS(a->vector.k_seaf, sizeof(a->vector.k_seaf));
	} else {
		ausf->failed++;
	}
	sbi_answer_json(request, 200, NULL, &json_confirmation_data_response_object, &response);
}

static void forget(struct sbi_request *request, void *arg)
{
	struct authentication *a = context_of(arg, request->ids[0]);

	if (a)
		a->number = 0;
	sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

static void deregister(struct sbi_request *request, void *arg)
{
	(void)arg;
	sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

static const struct sbi_route routes[] = {
	{ "POST", AUTHENTICATIONS, authenticate },
	{ "POST", AUTHENTICATIONS "/deregister", deregister },
	{ "PUT", AUTHENTICATIONS "/*/5g-aka-confirmation", confirm },
	{ "DELETE", AUTHENTICATIONS "/*/5g-aka-confirmation", forget },
};

struct sbi_ausf *sbi_ausf_start(struct http *http, struct loop *loop,
				const struct net_address *local, const struct http_tls *tls,
				struct sbi_subscribers *subscribers, struct text *why)
{
	struct sbi_ausf *ausf = calloc(1, sizeof(*ausf));

	if (!ausf) {
		text_puts(why, "out of memory");
		return NULL;
	}
	ausf->subscribers = subscribers;
	ausf->server = sbi_server_start(http, loop, "ausf", local, tls, routes,
					sizeof(routes) / sizeof(*routes), ausf, why);
	if (!ausf->server) {
		free(ausf);
		return NULL;
	}
	return ausf;
}

void sbi_ausf_stop(struct sbi_ausf *ausf)
{
	if (!ausf)
		return;
	sbi_server_stop(ausf->server);
	free(ausf);
}

struct sbi_server *sbi_ausf_server(struct sbi_ausf *ausf)
{
	return ausf->server;
}

size_t sbi_ausf_authenticated(const struct sbi_ausf *ausf, size_t *failed)
{
	if (failed)
		*failed = ausf->failed;
	return ausf->succeeded;
}
