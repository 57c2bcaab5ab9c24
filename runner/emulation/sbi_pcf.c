#include "runner/emulation/sbi_pcf.h"

#include <stdlib.h>

#define AM_POLICIES "/npcf-am-policy-control/v1/policies"
#define UE_POLICIES "/npcf-ue-policy-control/v1/policies"

static const struct json_policy_association no_policy = { .supp_feat = JSON_TEXT("0") };

struct sbi_pcf {
	struct sbi_server *server;
	unsigned long long ever;
	size_t associations;
	_Alignas(max_align_t) uint8_t room[64 * 1024]; /* for reading a body */
};

static void own_uri(const struct sbi_pcf *pcf, struct octets path, struct text *uri)
{
	text_puts(uri, sbi_server_root(pcf->server));
	text_write(uri, path.data, path.len);
}

static void associate(struct sbi_request *request, void *arg)
{
	struct sbi_pcf *pcf = arg;
	struct json_policy_association_request asked;
	struct arena arena;
	char location[300];
	struct text uri;

	arena_init(&arena, pcf->room, sizeof(pcf->room));
	if (!sbi_read_body(request, &json_policy_association_request_object, &asked,
			   request->message->body, &arena))
		return;
	pcf->associations++;
	text_init(&uri, location, sizeof(location));
	own_uri(pcf, request->path, &uri);
	text_printf(&uri, "/%llu", ++pcf->ever);
	sbi_answer_json(request, 201, location, &json_policy_association_object, &no_policy);
}

static void look(struct sbi_request *request, void *arg)
{
	(void)arg;
	sbi_answer_json(request, 200, NULL, &json_policy_association_object, &no_policy);
}

/* Also one of an earlier case, whose PCF is no more. */
static void end(struct sbi_request *request, void *arg)
{
	struct sbi_pcf *pcf = arg;

	if (pcf->associations)
		pcf->associations--;
	sbi_answer(request, &(struct sbi_answer){ .status = 204 });
}

/* PolicyUpdate: nothing changes. */
static void update(struct sbi_request *request, void *arg)
{
	static const char tail[] = "/update";
	struct octets path = request->path;
	char body[400];
	struct text text;

	path.len -= sizeof(tail) - 1;
	text_init(&text, body, sizeof(body));
	text_puts(&text, "{\"resourceUri\":\"");
	own_uri(arg, path, &text);
	text_puts(&text, "\"}");
	sbi_answer(request, &(struct sbi_answer){ .status = 200,
						  .body = OCTETS((uint8_t *)body, text.len) });
}

static const struct sbi_route routes[] = {
	{ "POST", AM_POLICIES, associate },  { "GET", AM_POLICIES "/*", look },
	{ "DELETE", AM_POLICIES "/*", end }, { "POST", AM_POLICIES "/*/update", update },
	{ "POST", UE_POLICIES, associate },  { "GET", UE_POLICIES "/*", look },
	{ "DELETE", UE_POLICIES "/*", end }, { "POST", UE_POLICIES "/*/update", update },
};

struct sbi_pcf *sbi_pcf_start(struct http *http, struct loop *loop, const struct net_address *local,
			      const struct http_tls *tls, struct text *why)
{
	struct sbi_pcf *pcf = calloc(1, sizeof(*pcf));

	if (!pcf) {
		text_puts(why, "out of memory");
		return NULL;
	}
	pcf->server = sbi_server_start(http, loop, "pcf", local, tls, routes,
				       sizeof(routes) / sizeof(*routes), pcf, why);
	if (!pcf->server) {
		free(pcf);
		return NULL;
	}
	return pcf;
}

void sbi_pcf_stop(struct sbi_pcf *pcf)
{
	if (!pcf)
		return;
	sbi_server_stop(pcf->server);
	free(pcf);
}

struct sbi_server *sbi_pcf_server(struct sbi_pcf *pcf)
{
	return pcf->server;
}

size_t sbi_pcf_associations(const struct sbi_pcf *pcf)
{
	return pcf->associations;
}
