/* TP/SBI/CLI/SCOPE: what the information is about (TS 29.500 6.4.3.4.5). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites/sbi_oci_client/client.h"

static void finer_scope_governs(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);

	sbi_oci(producer, .metric = 50, .validity = CLI_LONG,
		.scope = sbi_scope_service_set(producer));
	sbi_oci_more(producer, .metric = 20, .validity = CLI_LONG);
	cli_tell(producer);
	cli_share(t, 0.5, NULL, "%s", "");
	sbi_oci(producer, .metric = 20, .validity = CLI_LONG,
		.scope = sbi_scope_service_set(producer));
	sbi_oci_more(producer, .metric = 50, .validity = CLI_LONG);
	cli_tell(producer);
	cli_share(t, 0.8, NULL, "%s", "");
}

/* Of what the first sheds the second takes half: together three quarters are sent. */
static void both_apply(struct tc *t, bool own_line)
{
	struct sbi_peer *first = cli_peer(t, 0), *second = cli_peer(t, 1);

	cli_begin(t);
	sbi_oci(first, .metric = 50, .validity = CLI_LONG);
	sbi_oci_more(first, .metric = 50, .validity = CLI_LONG, .scope = sbi_scope_instance(second),
		     .own_line = own_line);
	cli_tell(first);
	sbi_no_oci(first);
	cli_share(t, 0.5, first, "%s", "");
	cli_share(t, 0.75, NULL, "%s", "");
}

static void two_elements(struct tc *t)
{
	both_apply(t, false);
}

static void two_lines(struct tc *t)
{
	both_apply(t, true);
}

/* "1-010203" as the action has it. */
static void print_slice(char out[16], const struct slice *slice)
{
	if (slice->has_sd)
		snprintf(out, 16, "%u-%06x", slice->sst, (unsigned int)(slice->sd & 0xffffff));
	else
		snprintf(out, 16, "%u", slice->sst);
}

static struct slice slice_of(struct tc *t, size_t i)
{
	if (t->profile->slice_count <= i)
		tc_na(t, "the profile has %zu slices, and the case needs %zu",
		      t->profile->slice_count, i + 1);
	return t->profile->slices[i];
}

static void one_dnn_alone(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);
	struct slice slice = slice_of(t, 0);
	char words[16];

	print_slice(words, &slice);
	sbi_oci(producer, .metric = 50, .validity = CLI_LONG,
		.scope = sbi_scope_dnns(producer, &slice, "ims"));
	cli_tell(producer);
	cli_share(t, 0.5, NULL, "dnn=ims snssai=%s", words);
	cli_all_sent(t, "the OCI is about another DNN", "dnn=internet snssai=%s count=1000 rate=%d",
		     words, CLI_RATE);
}

static void one_slice_alone(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);
	struct slice slice = slice_of(t, 0), other = slice_of(t, 1);
	char words[16], other_words[16];

	print_slice(words, &slice);
	print_slice(other_words, &other);
	sbi_oci(producer, .metric = 50, .validity = CLI_LONG,
		.scope = sbi_scope_dnns(producer, &slice, "ims"));
	cli_tell(producer);
	cli_something_shed(t, "dnn=ims snssai=%s count=200 rate=%d", words, CLI_RATE);
	cli_all_sent(t, "the OCI is about the DNN in another slice",
		     "dnn=ims snssai=%s count=1000 rate=%d", other_words, CLI_RATE);
}

/* --- consumers that are overloaded themselves ---------------------------------------------------
 */

/* Subscribes for notifications to this callback of the peer. */
static void subscribe(struct sbi_peer *peer, const char *path)
{
	static const char mark[] = "{callback}";
	struct tc *t = sbi_peer_tc(peer);
	size_t which = sbi_subscribing(t);
	const struct profile_operation *operation;
	const char *uri = sbi_peer_callback_uri(peer, path), *at;
	const struct sbi_response *response;
	char body[2048];

	if (which == SIZE_MAX)
		tc_na(t, "no operation of ixit operations subscribes");
	operation = &t->profile->operations[which];
	at = strstr(operation->body, mark);
	snprintf(body, sizeof(body), "%.*s%s%s", (int)(at - operation->body), operation->body, uri,
		 at + sizeof(mark) - 1);
	response = sbi_finish(
		sbi_ask(peer, .method = operation->method, .path = operation->path, .body = body));
	if (response->status != operation->expect)
		tc_inconc(t, "the subscription is answered with %u", response->status);
}

struct notified {
	uint64_t offered, came;
};

/* So many notifications of this subscription; those of this path count. */
static struct notified notify(struct tc *t, unsigned int subscription, const struct sbi_peer *at,
			      const char *path, unsigned int count)
{
	struct sbi_count counted = sbi_count_start(t);
	struct notified of = { .offered = count };

	tc_control(t, "notify subscription=%u count=%u rate=%d", subscription, count, CLI_RATE);
	of.offered = cli_figure(t, "offered");
	tc_sleep(t, US_PER_S);
	sbi_count_stop(&counted);
	of.came = sbi_counted(&counted, .at = at, .path = path);
	return of;
}

static void all_notified(struct tc *t, unsigned int subscription, const struct sbi_peer *at,
			 const char *path, const char *why)
{
	struct notified of = notify(t, subscription, at, path, 500);

	if (of.came != of.offered)
		tc_violation(t, "%s, and of %" PRIu64 " notifications to %s%s %" PRIu64 " come",
			     why, of.offered, sbi_peer_root(at), path, of.came);
}

static void callback_uri_by_path(struct tc *t)
{
	struct sbi_peer *first = sbi_peer_start(t), *second = sbi_peer_start(t);
	struct share_test test = cli_share_test(t, 0.5);
	struct notified sum = { 0 };
	struct sbi_load oci;
	enum share_answer answer;

	sbi_iut_starts(t);
	subscribe(first, "a/b/1");
	subscribe(first, "a/bc");
	subscribe(second, "a/b/1");
	all_notified(t, 1, first, "/callback/a/b/1", "no consumer is overloaded");
	oci = sbi_oci_value(first,
			    &(struct sbi_say){ .metric = 50,
					       .validity = CLI_LONG,
					       .scope = sbi_scope_callback(
						       t, sbi_peer_callback_uri(first, "a/b")) });
	sbi_finish(sbi_operation(first, sbi_plain(t), .oci = &oci));
	do {
		struct notified of = notify(t, 1, first, "/callback/a/b/1",
					    (unsigned int)(sum.offered ? test.step : test.first));

		sum.offered += of.offered;
		sum.came += of.came;
		answer = share_judge(&test, sum.offered, sum.came, sum.offered >= test.last);
	} while (answer == SHARE_UNDECIDED);
	cli_judge(t, 0.5, "notifications below the Callback-Uri", sum.offered, sum.came);
	all_notified(t, 2, first, "/callback/a/bc",
		     "the last segment of the path only begins like that of the Callback-Uri");
	all_notified(t, 3, second, "/callback/a/b/1", "another consumer is overloaded");
}

static void consumer_oci_is_not_for_services(struct tc *t)
{
	struct sbi_peer *both = cli_producer(t);
	struct sbi_load oci =
		sbi_oci_value(both, &(struct sbi_say){ .metric = 100,
						       .validity = CLI_LONG,
						       .scope = sbi_scope_consumer(both) });

	/* whatever the IUT makes of the request, the header field has come */
	sbi_finish(sbi_ask(both, .path = "/namf-comm/v1/ue-contexts/imsi-999700000000001",
			   .oci = &oci));
	cli_all_sent(t,
		     "the producer has told, as a consumer of the IUT, to be spared of "
		     "notifications",
		     "count=1000 rate=%d", CLI_RATE);
}

/* --- proxies --- */

static void other_paths_are_free(struct tc *t, enum sbi_scope_kind kind, const char *why)
{
	static const char fqdn[] = "proxy.5gc.mnc070.mcc999.3gppnetwork.org";
	struct sbi_peer *producer = cli_producer(t);

	sbi_oci(producer, .metric = 100, .validity = CLI_LONG,
		.scope = { .kind = kind, .id = sbi_octets(fqdn) });
	cli_tell(producer);
	sbi_no_oci(producer);
	cli_all_sent(t, why, "count=1000 rate=%d", CLI_RATE);
}

static void scp_is_not_the_producer(struct tc *t)
{
	other_paths_are_free(t, SBI_SCOPE_SCP_FQDN, "an SCP is overloaded that is not on the way");
}

static void sepp_is_not_the_producer(struct tc *t)
{
	other_paths_are_free(t, SBI_SCOPE_SEPP_FQDN, "a SEPP is overloaded that is not on the way");
}

#define SCOPE(number, requires, where, verb)                                        \
	.id = "TP/SBI/CLI/SCOPE/" number, .role = ROLE_NF_CLIENT, .strength = verb, \
	.needs = NEEDS(ICS_OLC_H), .requirement = requires, .clause = "29.500 " where

const struct test_case cli_scope_cases[CLI_SCOPE_CASES] = {
	{ SCOPE("01", "SB-C-10", "6.4.3.4.1", SHOULD),
	  .purpose = "Of overlapping scopes the finer one governs",
	  .stimulus = "Service set 50 and instance 20, then the other way round",
	  .expect = "50 % sent, then 80 %", .iut_time_us = 30 * US_PER_S,
	  .run = finer_scope_governs },
	{ SCOPE("02", "SB-C-09", "5.2.3.2.9, 6.4.3.4.1", SHALL),
	  .purpose = "Two OCIs in one header line both count",
	  .stimulus = "Metric 50 for each of two producers, once, in one line",
	  .expect = "50 % to the first, 75 % to both", .iut_time_us = 30 * US_PER_S,
	  .run = two_elements },
	{ SCOPE("03", "SB-C-09", "5.2.3.2.9, 6.4.3.4.1", SHALL),
	  .purpose = "Two OCIs in two header lines both count",
	  .stimulus = "Metric 50 for each of two producers, once, in two lines",
	  .expect = "50 % to the first, 75 % to both", .iut_time_us = 30 * US_PER_S,
	  .run = two_lines },
	{ SCOPE("04", "SB-C-11", "6.4.3.4.5.2.2", SHALL),
	  .purpose = "OCI of an S-NSSAI and DNN counts for that DNN alone",
	  .stimulus = "Metric 50 for one DNN; operations for two", .expect = "50 % and 100 % sent",
	  .iut_time_us = 20 * US_PER_S, .run = one_dnn_alone },
	{ .id = "TP/SBI/CLI/SCOPE/05",
	  .role = ROLE_NF_SERVER,
	  .strength = SHALL,
	  .needs = NEEDS(ICS_OLC_H),
	  .requirement = "SB-C-13",
	  .clause = "29.500 6.4.3.4.5.3",
	  .purpose = "A Callback-Uri is about notifications to paths below it",
	  .stimulus = "Callback-Uri /a/b, metric 50; notifications to /a/b/1, /a/bc and elsewhere",
	  .expect = "50 % to the first, all to the others",
	  .iut_time_us = 25 * US_PER_S,
	  .run = callback_uri_by_path },
	{ SCOPE("06", "SB-C-12", "6.4.1", SHALL),
	  .purpose = "What a consumer says of its overload is not about its own services",
	  .stimulus = "A service request of a producer with OCI of a consumer, metric 100",
	  .expect = "All operations sent to it", .iut_time_us = 8 * US_PER_S,
	  .run = consumer_oci_is_not_for_services },
	{ SCOPE("X01", "SB-C-11", "6.4.3.4.5.2.2", SHALL),
	  .purpose = "OCI of an S-NSSAI and DNN counts for that S-NSSAI alone",
	  .stimulus = "Metric 50 for a DNN in one slice; operations in another",
	  .expect = "All sent", .iut_time_us = 10 * US_PER_S, .run = one_slice_alone },
	{ SCOPE("X02", "SB-C-24", "6.4.3.4.5.4", SHALL),
	  .purpose = "OCI of an SCP is not about requests that do not pass it",
	  .stimulus = "SCP-FQDN, metric 100, in a response of a producer", .expect = "All sent",
	  .iut_time_us = 8 * US_PER_S, .run = scp_is_not_the_producer },
	{ SCOPE("X03", "SB-C-25", "6.4.3.4.5", SHALL),
	  .purpose = "OCI of a SEPP is not about requests that do not pass it",
	  .stimulus = "SEPP-FQDN, metric 100, in a response of a producer", .expect = "All sent",
	  .iut_time_us = 8 * US_PER_S, .run = sepp_is_not_the_producer },
};
