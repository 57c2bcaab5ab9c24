/* The form of 3gpp-Sbi-Oci, whatever it comes with. */
#include "codecs/sbi/sbi_read.h"
#include "suites/sbi_oci_server/server.h"

/* How the elements of an answer are looked at; ends the case where one is wrong. */
typedef void judge_fn(struct tc *t, const struct sbi_response *response);

static void put(char *out, size_t size, struct octets octets)
{
	struct text text;

	text_init(&text, out, size);
	for (size_t i = 0; i < octets.len; i++)
		text_putc(&text, octets.data[i] >= ' ' && octets.data[i] < 0x7f
					 ? (char)octets.data[i]
					 : '?');
}

static void by_the_grammar(struct tc *t, const struct sbi_response *response)
{
	if (response->oci.lines && response->oci.fault)
		srv_violation(t, response, "3gpp-Sbi-Oci is against the grammar: %s",
			      response->oci.fault);
}

static void all_parts(struct tc *t, const struct sbi_response *response)
{
	static const struct {
		unsigned int bit;
		const char *name;
	} parts[] = {
		{ SBI_HAS_TIMESTAMP, "Timestamp" },
		{ SBI_HAS_VALIDITY, "Period-of-Validity" },
		{ SBI_HAS_METRIC, "Overload-Reduction-Metric" },
		{ SBI_HAS_SCOPE, "scope" },
	};
	char text[200];

	for (size_t i = 0; i < response->oci.count; i++) {
		const struct sbi_load *oci = &response->oci.items[i];

		for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
			if (oci->has & parts[k].bit)
				continue;
			put(text, sizeof(text), oci->text);
			srv_violation(t, response, "3gpp-Sbi-Oci has no %s that can be read: %s",
				      parts[k].name, text);
		}
	}
	if (response->oci.lines && !response->oci.count)
		srv_violation(t, response, "3gpp-Sbi-Oci is empty");
}

static size_t scopes_of(struct octets element)
{
	struct octets part;
	size_t n = 0;

	while (sbi_split(&element, ';', &part)) {
		const uint8_t *colon;
		struct octets name;

		part = sbi_trim(part);
		colon = part.len ? memchr(part.data, ':', part.len) : NULL;
		if (!colon)
			continue;
		name = sbi_trim(OCTETS(part.data, (size_t)(colon - part.data)));
		for (int kind = SBI_SCOPE_NF_INSTANCE; kind <= SBI_SCOPE_SEPP_FQDN; kind++)
			n += sbi_equal_nocase(name, sbi_scope_name((enum sbi_scope_kind)kind));
	}
	return n;
}

static void one_scope(struct tc *t, const struct sbi_response *response)
{
	char text[200];

	for (size_t i = 0; i < response->oci.count; i++) {
		const struct sbi_load *oci = &response->oci.items[i];
		size_t scopes = scopes_of(oci->text);

		put(text, sizeof(text), oci->text);
		if (scopes != 1)
			srv_violation(t, response, "%zu scopes in one element of 3gpp-Sbi-Oci: %s",
				      scopes, text);
		if (oci->scope.kind > SBI_SCOPE_NF_SERVICE_SET)
			srv_violation(t, response,
				      "the scope of a producer's own overload is %s, which is no "
				      "producer's: %s",
				      sbi_scope_name(oci->scope.kind), text);
	}
}

static judge_fn *const judges[] = { by_the_grammar, all_parts, one_scope };

static void judge_all(struct srv *srv, size_t from, judge_fn *judge)
{
	for (size_t i = from; i < srv->oci_count; i++)
		if (i == from || srv->oci[i].response != srv->oci[i - 1].response)
			judge(srv->t, srv->oci[i].response);
}

static void look(struct srv *srv, judge_fn *judge)
{
	size_t from = srv->oci_count;
	const struct sbi_response *response;

	/* An answer whose OCI cannot even be taken apart has no items: it is judged at once. */
	for (int i = 0; i < 3; i++) {
		response = srv_request(srv, srv->consumer);
		judge(srv->t, response);
		judge(srv->t, srv_missing(srv, srv->consumer));
	}
	srv_request_all(srv, srv->consumer);
	if (srv->oci_count == from)
		srv_oci(srv, srv->consumer);
	judge_all(srv, from, judge);
}

/* Overload of every kind that the adapter can make, and answers of every kind that there is. */
static void form(struct tc *t)
{
	static const unsigned int metrics[] = { 5, 40, 100 };
	static const char *const scopes[] = { "instance", "set", "service", "service-set" };
	judge_fn *judge = judges[t->test->param];
	struct srv *srv = srv_start(t);
	size_t refused = 0;

	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		srv_overload(srv, "metric=%u validity=75", metrics[i]);
		look(srv, judge);
		/* Timestamps tell seconds apart. */
		tc_sleep(t, US_PER_S);
	}
	for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
		if (!tc_control_try(t, "overload metric=%zu validity=120 scope=%s", 50 + 10 * i,
				    scopes[i]))
			continue;
		look(srv, judge);
		tc_sleep(t, US_PER_S);
	}
	if (tc_control_try(t, "overload metric=90 validity=60 retry-after=5"))
		for (int i = 0; i < 5; i++) {
			const struct sbi_response *response = srv_request(srv, srv->consumer);

			judge(t, response);
			refused += response->status >= 400;
		}
	tc_note(t, "%zu elements in %zu answers; %zu of 5 requests were refused", srv->oci_count,
		srv->answers, refused);
}

/* --- S-NSSAI and DNN ----------------------------------------------------------------------------
 */

static void no_slices(struct tc *t)
{
	struct srv *srv = srv_start(t);
	char slice[16];

	if (strcmp(t->profile->iut_nf_type, "SMF") == 0 || !t->profile->iut_nf_type[0])
		srv_be(srv, "AMF");
	srv_overload(srv, "metric=40 validity=60");
	srv_oci(srv, srv->consumer);
	srv_request_all(srv, srv->consumer);
	if (t->profile->slice_count) {
		srv_slice(t, 0, slice);
		/* Asked for what it must not tell, it refuses, or tells less. */
		tc_control_try(t, "overload metric=60 validity=60 scope=%s/internet", slice);
		for (int i = 0; i < 5; i++)
			srv_request(srv, srv->consumer);
	}
	for (size_t i = 0; i < srv->oci_count; i++)
		if (srv_has_slices(srv->oci[i].load))
			srv_violation(t, srv->oci[i].response,
				      "an NF that is no SMF tells overload of an S-NSSAI or DNN");
}

static bool names_dnn(const struct sbi_load *load, const char *dnn)
{
	for (size_t i = 0; i < load->scope.dnns.count; i++)
		if (sbi_equal_nocase(load->scope.dnns.items[i], dnn))
			return true;
	return false;
}

/* An answer that tells of any DNN has to tell of both, with one timestamp. */
static bool judge_set(struct tc *t, const struct sbi_response *response, unsigned int metric)
{
	bool any = false, internet = false, ims = false;
	int64_t timestamp = 0;

	for (size_t i = 0; i < response->oci.count; i++) {
		const struct sbi_load *oci = &response->oci.items[i];

		if (!srv_has_slices(oci))
			continue;
		if (oci->metric != metric && !any)
			return false; /* of before */
		if (!oci->scope.snssais.count || !oci->scope.dnns.count)
			srv_violation(t, response,
				      "S-NSSAI and DNN stand only together, here there is one "
				      "without the other");
		if (oci->scope.dnns.count > SBI_DNNS_MAX)
			srv_violation(t, response, "more than %d DNNs in an element", SBI_DNNS_MAX);
		if (any && oci->timestamp != timestamp)
			srv_violation(t, response,
				      "the S-NSSAIs and DNNs of one answer have different "
				      "timestamps");
		timestamp = oci->timestamp;
		any = true;
		internet |= names_dnn(oci, "internet");
		ims |= names_dnn(oci, "ims");
	}
	if (any && !(internet && ims))
		srv_violation(
			t, response,
			"of two DNNs in overload only \"%s\" is told: each time the whole set "
			"has to be",
			internet ? "internet" : "ims");
	return any;
}

static void whole_set(struct tc *t)
{
	struct srv *srv = srv_start(t);
	char slice[16];
	size_t told = 0;

	srv_be(srv, "SMF");
	srv_slice(t, 0, slice);
	for (unsigned int metric = 40; metric <= 80; metric += 20) {
		size_t seen = 0;

		srv_overload(srv, "metric=%u validity=60 scope=%s/internet,%s/ims", metric, slice,
			     slice);
		for (int i = 0; i < 12; i++) {
			seen += judge_set(t, srv_request(srv, srv->consumer), metric);
			tc_sleep(t, SRV_PACE);
		}
		if (!seen)
			tc_fail(t,
				"two DNNs are in overload with metric %u %%, and none of 12 "
				"answers "
				"says so (SB-S-06)",
				metric);
		told += seen;
	}
	tc_note(t, "the set was told %zu times", told);
}

static void no_dnn_alone(struct tc *t)
{
	struct srv *srv = srv_start(t);
	char first[16], second[16];
	size_t told = 0;

	if (t->profile->slice_count < 2)
		tc_na(t, "the profile has %zu slices: two are needed", t->profile->slice_count);
	srv_be(srv, "SMF");
	srv_slice(t, 0, first);
	srv_slice(t, 1, second);
	srv_overload(srv, "metric=50 validity=60 scope=%s/internet,%s/ims", first, second);
	for (int i = 0; i < 10; i++) {
		told += judge_set(t, srv_request(srv, srv->consumer), 50);
		tc_sleep(t, SRV_PACE);
	}
	if (!told)
		tc_fail(t, "DNNs of two slices are in overload, and none of 10 answers says so "
			   "(SB-S-06)");
}

#define FORM(number, row, subclause, said, wanted, judge)                                          \
	{                                                                                          \
		.id = "TP/SBI/SRV/HDR/" number, .requirement = row, .clause = "29.500 " subclause, \
		.strength = SHALL, .role = ROLE_NF_SERVER, .purpose = said,                        \
		.stimulus = "Overload of several metrics and scopes; requests of all kinds, also " \
			    "such as are refused",                                                 \
		.expect = wanted, .needs = SRV_NEEDS, .iut_time_us = 12 * US_PER_S, .run = form,   \
		.param = (judge)                                                                   \
	}

const struct test_case srv_header_cases[SRV_HEADER_CASES] = {
	FORM("01", "SB-S-10", "5.2.3.2.9, annex D", "3gpp-Sbi-Oci keeps to its grammar",
	     "No fault in any 3gpp-Sbi-Oci", 0),
	FORM("02", "SB-S-09", "6.4.3.4.1", "Overload control information always has its four parts",
	     "Timestamp, Period-of-Validity, Overload-Reduction-Metric and scope in each element",
	     1),
	FORM("03", "SB-S-15", "6.4.3.4.5.2.1",
	     "Overload control information of a producer has exactly one scope",
	     "One scope in each element, and a producer's", 2),
	{ .id = "TP/SBI/SRV/HDR/04",
	  .requirement = "SB-S-16",
	  .clause = "29.500 6.4.3.4.5.2.2",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "Only an SMF tells overload of an S-NSSAI and DNN",
	  .stimulus = "Overload of an NF that is no SMF; requests of all kinds",
	  .expect = "No S-NSSAI or DNN in 3gpp-Sbi-Oci",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 3 * US_PER_S,
	  .run = no_slices },
	{ .id = "TP/SBI/SRV/HDR/05",
	  .requirement = "SB-S-17",
	  .clause = "29.500 6.4.3.4.1",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "An SMF tells of all its DNNs in overload each time, with one timestamp",
	  .stimulus = "Overload of two DNNs of one S-NSSAI, whose metric changes",
	  .expect = "Both or neither in each answer; equal timestamps",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 9 * US_PER_S,
	  .run = whole_set },
	{ .id = "TP/SBI/SRV/HDR/X04",
	  .requirement = "SB-S-16",
	  .clause = "29.500 6.4.3.4.5.2.2",
	  .strength = SHALL,
	  .role = ROLE_NF_SERVER,
	  .purpose = "S-NSSAI and DNN stand only together, with several slices too",
	  .stimulus = "Overload of one DNN each of two S-NSSAIs",
	  .expect = "Each element that names one names the other; both slices in each answer",
	  .needs = SRV_NEEDS,
	  .iut_time_us = 4 * US_PER_S,
	  .run = no_dnn_alone },
};
