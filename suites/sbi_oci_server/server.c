#include "suites/sbi_oci_server/server.h"

#include <stdio.h>

enum {
	TRIES = 16, /* answers until something has to have come */
	DETAIL_MAX = 8192,
	SMALL_STEP = 5, /* points */
};

/* --- what came ----------------------------------------------------------------------------------
 */

static void note(struct srv_item *items, size_t *count, const struct sbi_response *response,
		 const struct sbi_loads *loads)
{
	for (size_t i = 0; i < loads->count && *count < SRV_ITEMS_MAX; i++)
		items[(*count)++] =
			(struct srv_item){ .response = response, .load = &loads->items[i] };
}

void srv_note(struct srv *srv, const struct sbi_response *response)
{
	srv->answers++;
	note(srv->oci, &srv->oci_count, response, &response->oci);
	note(srv->lci, &srv->lci_count, response, &response->lci);
}

struct srv *srv_start(struct tc *t)
{
	struct srv *srv = tc_alloc(t, sizeof(*srv));
	const struct sbi_response *first;

	srv->t = t;
	srv->plain = sbi_plain(t);
	if (srv->plain == SIZE_MAX)
		srv->plain = 0;
	srv->consumer = sbi_peer_start(t);
	first = srv_request(srv, srv->consumer);
	if (first->status != t->profile->operations[srv->plain].expect)
		tc_inconc(t,
			  "before any overload, %s %s is answered with %u, not with %u: see "
			  "ixit.operations",
			  t->profile->operations[srv->plain].method,
			  t->profile->operations[srv->plain].path, first->status,
			  t->profile->operations[srv->plain].expect);
	return srv;
}

const struct sbi_response *srv_request_with(struct srv *srv, struct sbi_peer *peer,
					    const struct sbi_ask *ask)
{
	const struct sbi_response *response = sbi_finish(sbi_operation_with(peer, srv->plain, ask));

	srv_note(srv, response);
	return response;
}

const struct sbi_response *srv_missing(struct srv *srv, struct sbi_peer *peer)
{
	const struct sbi_response *response =
		sbi_finish(sbi_ask(peer, .path = "/no-such-service/v1/nothing"));

	srv_note(srv, response);
	return response;
}

void srv_request_all(struct srv *srv, struct sbi_peer *peer)
{
	for (size_t i = 0; i < srv->t->profile->operation_count; i++)
		srv_note(srv, sbi_finish(sbi_operation(peer, i)));
	srv_missing(srv, peer);
}

void srv_overload(struct srv *srv, const char *format, ...)
{
	char arguments[512];
	va_list args;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	tc_control(srv->t, "overload %s", arguments);
}

/* --- until it came ------------------------------------------------------------------------------
 */

struct wanted {
	bool lci;
	const struct srv_item *than; /* NULL: any */
};

static const struct srv_item *await(struct srv *srv, struct sbi_peer *peer,
				    const struct wanted *wanted, bool *any)
{
	const struct srv_item *items = wanted->lci ? srv->lci : srv->oci;
	size_t *count = wanted->lci ? &srv->lci_count : &srv->oci_count;
	const struct srv_item *item;

	*any = false;
	for (int i = 0; i < TRIES; i++) {
		size_t from = *count;

		srv_request(srv, peer);
		if (*count > from) {
			*any = true;
			item = &items[*count - 1];
			if (!wanted->than || item->load->metric != wanted->than->load->metric)
				return item;
		}
		tc_sleep(srv->t, SRV_PACE);
	}
	return NULL;
}

static const struct srv_item *await_or_fail(struct srv *srv, struct sbi_peer *peer,
					    const struct wanted *wanted)
{
	bool any;
	const struct srv_item *item = await(srv, peer, wanted, &any);

	if (!item && !any)
		tc_fail(srv->t,
			"%s: %d answers, and none has %s (%s): it has to reach its receivers",
			sbi_peer_name(peer), TRIES, wanted->lci ? "3gpp-Sbi-Lci" : "3gpp-Sbi-Oci",
			wanted->lci ? "SB-L-03" : "SB-S-06");
	return item;
}

const struct srv_item *srv_oci(struct srv *srv, struct sbi_peer *peer)
{
	return await_or_fail(srv, peer, &(struct wanted){ .lci = false });
}

const struct srv_item *srv_lci(struct srv *srv, struct sbi_peer *peer)
{
	return await_or_fail(srv, peer, &(struct wanted){ .lci = true });
}

const struct srv_item *srv_other_oci(struct srv *srv, struct sbi_peer *peer,
				     const struct srv_item *than)
{
	return await_or_fail(srv, peer, &(struct wanted){ .than = than });
}

const struct srv_item *srv_new_oci(struct srv *srv, struct sbi_peer *peer,
				   const struct srv_item *than)
{
	const struct srv_item *item = srv_other_oci(srv, peer, than);

	if (!item)
		tc_inconc(srv->t,
			  "the control action changes nothing in the overload control information: "
			  "metric %u %% stays",
			  than->load->metric);
	return item;
}

/* --- the IUT ------------------------------------------------------------------------------------
 */

bool srv_has_slices(const struct sbi_load *load)
{
	return load->scope.snssais.count > 0 || load->scope.dnns.count > 0;
}

void srv_be(struct srv *srv, const char *nf_type)
{
	const char *is = srv->t->profile->iut_nf_type;

	if (strcmp(is, nf_type) == 0)
		return;
	if (!tc_control_try(srv->t, "nf-config type=%s", nf_type))
		tc_na(srv->t, "the IUT is an NF of type %s, the case is about %s",
		      is[0] ? is : "nobody knows", nf_type);
	tc_sleep(srv->t, US_PER_S);
}

void srv_slice(struct tc *t, size_t i, char out[16])
{
	const struct slice *slice = &t->profile->slices[i];

	if (i >= t->profile->slice_count)
		tc_na(t, "the profile has %zu slices", t->profile->slice_count);
	if (slice->has_sd)
		snprintf(out, 16, "%u-%06x", slice->sst, slice->sd & 0xffffff);
	else
		snprintf(out, 16, "%u", slice->sst);
}

struct srv_ramp srv_ramp(const struct srv_item *items, size_t count)
{
	struct srv_ramp ramp = { .changes = 0 };

	for (size_t i = 1; i < count; i++) {
		int before = items[i - 1].load->metric, metric = items[i].load->metric;
		int change = metric > before ? metric - before : before - metric;

		ramp.changes += change > 0;
		ramp.small += change > 0 && change < SMALL_STEP;
	}
	return ramp;
}

bool srv_fidgets(const struct srv_ramp *ramp)
{
	return ramp->changes >= 5 && 2 * ramp->small > ramp->changes;
}

/* --- verdicts -----------------------------------------------------------------------------------
 */

static void show(struct tc *t, const struct sbi_response *response)
{
	char buf[DETAIL_MAX];
	struct text detail;

	text_init(&detail, buf, sizeof(buf));
	text_puts(&detail, "answer received:\n");
	sbi_print(&detail, response->message);
	text_printf(&detail, "clause: %s (%s)\n", t->test->clause, t->test->requirement);
	tc_detail(t, buf);
}

noreturn void srv_violation(struct tc *t, const struct sbi_response *response, const char *format,
			    ...)
{
	char reason[768];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	show(t, response);
	tc_violation(t, "%s", reason);
}

void srv_should(struct tc *t, const struct sbi_response *response, const char *requirement,
		const char *format, ...)
{
	char reason[768];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	show(t, response);
	tc_should(t, requirement, "%s", reason);
}
