#include "runner/emulation/sbi_nssf.h"

#include <stdio.h>
#include <stdlib.h>

struct sbi_nssf {
	struct sbi_server *server;
	struct sbi_slices slices;
	char nrf[300];
};

static void select_slices(struct sbi_request *request, void *arg)
{
	struct sbi_nssf *nssf = arg;
	const struct json_nsi_information nsi = { .nrf_id = HTTP_TEXT(nssf->nrf),
						  .nsi_id = JSON_TEXT("1") };
	struct json_allowed_snssai slices[PROFILE_LIST_MAX];
	const struct json_allowed_nssai allowed = {
		.allowed_snssai_list = { slices, nssf->slices.count },
		.access_type = JSON_TEXT("3GPP_ACCESS"),
	};
	struct json_authorized_slices answer = { .nsi_information = &nsi };
	char info[4096];

	if (!sbi_query(request->query, "nf-type", info, sizeof(info)) ||
	    !sbi_query(request->query, "nf-id", info, sizeof(info))) {
		sbi_answer_problem(request, 400, "MANDATORY_QUERY_PARAM_MISSING",
				   "nf-type and nf-id are mandatory");
		return;
	}
	for (size_t i = 0; i < nssf->slices.count; i++)
		slices[i] =
			(struct json_allowed_snssai){ .allowed_snssai = &nssf->slices.items[i] };
	if (sbi_query(request->query, "slice-info-request-for-registration", info, sizeof(info))) {
		answer.nsi_information = NULL;
		answer.allowed_nssai_list.items = &allowed;
		answer.allowed_nssai_list.count = 1;
	}
	sbi_answer_json(request, 200, NULL, &json_authorized_slices_object, &answer);
}

static const struct sbi_route routes[] = {
	{ "GET", "/nnssf-nsselection/v1/network-slice-information", select_slices },
	{ "GET", "/nnssf-nsselection/v2/network-slice-information", select_slices },
};

struct sbi_nssf *sbi_nssf_start(struct http *http, struct loop *loop,
				const struct net_address *local, const struct http_tls *tls,
				const struct profile *profile, const char *nrf, struct text *why)
{
	struct sbi_nssf *nssf = calloc(1, sizeof(*nssf));

	if (!nssf) {
		text_puts(why, "out of memory");
		return NULL;
	}
	sbi_slices_of(&nssf->slices, profile);
	snprintf(nssf->nrf, sizeof(nssf->nrf), "%s/nnrf-disc/v1/nf-instances", nrf);
	nssf->server = sbi_server_start(http, loop, "nssf", local, tls, routes,
					sizeof(routes) / sizeof(*routes), nssf, why);
	if (!nssf->server) {
		free(nssf);
		return NULL;
	}
	return nssf;
}

void sbi_nssf_stop(struct sbi_nssf *nssf)
{
	if (!nssf)
		return;
	sbi_server_stop(nssf->server);
	free(nssf);
}

struct sbi_server *sbi_nssf_server(struct sbi_nssf *nssf)
{
	return nssf->server;
}
