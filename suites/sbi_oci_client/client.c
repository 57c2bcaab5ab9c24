#include "suites/sbi_oci_client/client.h"

#include <inttypes.h>
#include <stdio.h>

enum { ARGUMENTS_MAX = 192, REASON_MAX = 512, FIRST = 20, TRIES = 40, MORE = 40 };

struct sbi_peer *cli_peer(struct tc *t, int priority)
{
	return sbi_peer_start(t, .services = "nsmf-pdusession", .set = "1", .service_set = "1",
			      .priority = SBI_VALUE(priority), .capacity = SBI_VALUE(100));
}

void cli_begin(struct tc *t)
{
	sbi_iut_starts(t);
	sbi_offer_all_sent(t, "count=%d rate=%d", FIRST, CLI_RATE);
}

struct sbi_peer *cli_producer(struct tc *t)
{
	struct sbi_peer *peer = cli_peer(t, 0);

	cli_begin(t);
	return peer;
}

uint64_t cli_tell(struct sbi_peer *peer)
{
	struct tc *t = sbi_peer_tc(peer);
	struct sbi_server *server = sbi_peer_server(peer);
	size_t before = sbi_server_received_count(server);
	const struct sbi_received *first;

	/* one request is enough, unless it is shed for what was told before */
	for (unsigned int i = 0; i < TRIES; i++) {
		sbi_offer(t, "count=%d rate=%d", i ? MORE : 1, CLI_RATE);
		first = sbi_server_received(server, before);
		if (first)
			return first->t_us;
	}
	tc_inconc(t, "no request of the IUT comes to %s, so it cannot be told anything",
		  sbi_peer_name(peer));
}

uint64_t cli_figure(struct tc *t, const char *name)
{
	double value;

	if (!tc_control_figure(t, name, &value) || value < 0)
		tc_na(t, "the control adapter does not say how many operations count as %s", name);
	return (uint64_t)value;
}

/* --- all, none, some --- */

#define WORDS(words, format)                                \
	char words[ARGUMENTS_MAX];                          \
	va_list args_;                                      \
	va_start(args_, format);                            \
	vsnprintf((words), sizeof(words), (format), args_); \
	va_end(args_)

void cli_all_sent(struct tc *t, const char *why, const char *format, ...)
{
	struct sbi_offered o;

	WORDS(words, format);
	o = sbi_offer(t, "%s", words);
	if (o.sent != o.offered || (o.has_failed && o.failed))
		tc_violation(t,
			     "%s: offered %" PRIu64 " operations (%s), sent %" PRIu64
			     ", failed %" PRIu64 ", and all have to succeed",
			     why, o.offered, words, o.sent, o.failed);
}

void cli_none_sent(struct tc *t, const char *why, const char *format, ...)
{
	struct sbi_offered o;

	WORDS(words, format);
	o = sbi_offer(t, "%s", words);
	if (o.sent)
		tc_violation(t,
			     "%s: offered %" PRIu64 " operations (%s), sent %" PRIu64
			     ", and none may be",
			     why, o.offered, words, o.sent);
}

void cli_something_shed(struct tc *t, const char *format, ...)
{
	struct sbi_offered o;

	WORDS(words, format);
	o = sbi_offer(t, "%s", words);
	if (o.sent >= o.offered)
		tc_fail(t,
			"overload control information has no effect (SB-C-01): offered %" PRIu64
			" operations (%s), sent all of them",
			o.offered, words);
}

/* --- shares --- */

struct share_test cli_share_test(const struct tc *t, double stated)
{
	struct share_test test = SHARE_TEST(stated);

	if (t->profile->false_alarm > 0)
		test.error = t->profile->false_alarm;
	return test;
}

struct sbi_offered cli_share(struct tc *t, double stated, const struct sbi_peer *at,
			     const char *format, ...)
{
	struct share_test test = cli_share_test(t, stated);
	struct sbi_offered sum = { .offered = 0 };
	enum share_answer answer;
	char buf[REASON_MAX];
	struct text text;
	uint64_t here = 0;

	WORDS(words, format);
	do {
		struct sbi_offered o =
			sbi_offer(t, "%s%srate=%d count=%" PRIu64, words, words[0] ? " " : "",
				  CLI_RATE, sum.offered ? test.step : test.first);

		here += sbi_counted(&o.count, .at = at);
		sbi_offered_add(&sum, o);
		answer = share_judge(&test, sum.offered, here, sum.offered >= test.last);
	} while (answer == SHARE_UNDECIDED);
	text_init(&text, buf, sizeof(buf));
	text_printf(&text, "to %s%s%s: ", at ? sbi_peer_name(at) : "any producer",
		    words[0] ? ", " : "", words);
	tc_share(t, words[0] ? words : "operations", &test, sum.offered, here, &text);
	if (answer == SHARE_VIOLATED)
		tc_violation(t, "%s", buf);
	if (answer == SHARE_TOO_FEW)
		tc_inconc(t, "too few operations: %s", buf);
	tc_note(t, "%s", buf);
	return sum;
}

void cli_judge(struct tc *t, double stated, const char *why, uint64_t n, uint64_t k)
{
	struct share_test test = cli_share_test(t, stated);
	char buf[REASON_MAX];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	text_printf(&text, "%s: ", why);
	tc_share(t, why, &test, n, k, &text);
	if (share_p_value(&test, n, k) < test.error)
		tc_violation(t, "%s", buf);
	tc_note(t, "%s", buf);
}
