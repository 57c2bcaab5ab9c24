/* TP/SBI/CLI/ERR: OCI that breaks the grammar (TS 29.500 5.2.3.2.9). */
#include <stdio.h>

#include "suites/sbi_oci_client/client.h"

/* Put together as the reference values V-S-02 to V-S-07 and V-S-11 are, with a high metric. */
static const struct {
	const char *name, *timestamp, *rest;
	bool without_scope;
	const char *more;
} values[] = {
	{ "a metric without percent sign", "\"%s\"",
	  "; Period-of-Validity: 75s; Overload-Reduction-Metric: 90", false, "" },
	{ "a validity without s", "\"%s\"",
	  "; Period-of-Validity: 75; Overload-Reduction-Metric: 90%", false, "" },
	{ "no validity", "\"%s\"", "; Overload-Reduction-Metric: 90%", false, "" },
	{ "no scope", "\"%s\"", "; Period-of-Validity: 75s; Overload-Reduction-Metric: 90%", true,
	  "" },
	{ "a metric of 101 %", "\"%s\"",
	  "; Period-of-Validity: 75s; Overload-Reduction-Metric: 101%", false, "" },
	{ "a timestamp of ISO 8601", "2036-02-04T08:49:37Z",
	  "; Period-of-Validity: 75s; Overload-Reduction-Metric: 90%", false, "" },
	{ "a DNN without S-NSSAI", "\"%s\"",
	  "; Period-of-Validity: 75s; Overload-Reduction-Metric: 90%", false, "; DNN: internet" },
};

static void malformed_is_passed_over(struct tc *t)
{
	struct sbi_peer *producer = cli_producer(t);
	char date[SBI_DATE_LEN + 1], why[120], stamp[64];
	struct text text;

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		char *value = tc_alloc(t, 512);

		/* newer than anything before */
		text_init(&text, date, sizeof(date));
		sbi_date_print(&text, sbi_now(t) + 10 * (int64_t)(i + 1));
		text_init(&text, stamp, sizeof(stamp));
		for (const char *at = values[i].timestamp; *at; at++) {
			if (*at != '%') {
				text_putc(&text, *at);
				continue;
			}
			text_puts(&text, date);
			at++;
		}
		text_init(&text, value, 512);
		text_printf(&text, "Timestamp: %s%s", stamp, values[i].rest);
		if (!values[i].without_scope)
			text_printf(&text, "; NF-Instance: %s", sbi_peer_id(producer));
		text_puts(&text, values[i].more);
		sbi_oci(producer, .text = value);
		snprintf(why, sizeof(why), "OCI with %s is not to be obeyed, and breaks nothing",
			 values[i].name);
		cli_all_sent(t, why, "count=300 rate=%d", CLI_RATE);
		tc_note(t, "%s: 300 of 300 operations succeed", values[i].name);
	}
}

const struct test_case cli_syntax_cases[CLI_SYNTAX_CASES] = {
	{ .id = "TP/SBI/CLI/ERR/01",
	  .role = ROLE_NF_CLIENT,
	  .strength = SHALL,
	  .needs = NEEDS(ICS_OLC_H),
	  .requirement = "SB-C-23",
	  .clause = "29.500 5.2.3.2.9",
	  .purpose = "OCI that breaks the grammar is not enforced, and breaks no transaction",
	  .stimulus = "Seven wrong values in the responses to 300 operations each",
	  .expect = "All sent, and successful",
	  .iut_time_us = 20 * US_PER_S,
	  .run = malformed_is_passed_over },
};
