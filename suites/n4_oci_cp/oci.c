#include "suites/n4_oci_cp/oci.h"

#include <inttypes.h>
#include <stdio.h>

enum { ARGUMENTS_MAX = 192, REASON_MAX = 512, SESSIONS = 20 };

void oci_associate(struct tc *t)
{
	upf_iut_associates(t);
	oci_settle(t);
}

void oci_restart(struct upf *upf)
{
	upf_restart(upf);
	oci_settle(pfcp_end_tc(upf_end(upf)));
}

struct upf *oci_upf(struct tc *t)
{
	struct upf *upf = upf_start(t);

	oci_associate(t);
	oci_establish(t, upf, SESSIONS);
	upf_offer_all_sent(t, "op=modify count=%d rate=100", SESSIONS);
	return upf;
}

void oci_establish(struct tc *t, const struct upf *upf, unsigned int count)
{
	upf_offer_all_sent(t, "count=%u op=establish rate=100 up=%u", count, upf_number(upf));
}

void oci_settle(struct tc *t)
{
	tc_sleep(t, t->profile->response_time < US_PER_S ? t->profile->response_time : US_PER_S);
}

void oci_tell(struct upf *upf)
{
	upf_tell(upf);
	oci_settle(pfcp_end_tc(upf_end(upf)));
}

uint64_t oci_figure(struct tc *t, const char *name)
{
	double value;

	if (!tc_control_figure(t, name, &value) || value < 0)
		tc_na(t, "the control adapter does not say how many procedures count as %s", name);
	return (uint64_t)value;
}

/* --- all, none, some --- */

#define WORDS(words, format)                                \
	char words[ARGUMENTS_MAX];                          \
	va_list args_;                                      \
	va_start(args_, format);                            \
	vsnprintf((words), sizeof(words), (format), args_); \
	va_end(args_)

struct upf_offered oci_offer(struct tc *t, const char *format, ...)
{
	struct upf_offered offered;

	WORDS(words, format);
	offered = upf_offer(t, "%s", words);
	if (offered.has_failed && offered.sent + offered.failed < offered.offered)
		tc_note(t,
			"%s: offered %" PRIu64 ", sent %" PRIu64 ", failed %" PRIu64
			": the rest is neither",
			words, offered.offered, offered.sent, offered.failed);
	return offered;
}

void oci_all_sent(struct tc *t, const char *why, const char *format, ...)
{
	struct upf_offered offered;

	WORDS(words, format);
	offered = oci_offer(t, "%s", words);
	if (offered.sent != offered.offered)
		tc_violation(t,
			     "%s: offered %" PRIu64 " procedures (%s), sent %" PRIu64
			     ", and all have to be",
			     why, offered.offered, words, offered.sent);
}

void oci_none_sent(struct tc *t, const char *why, const char *format, ...)
{
	struct upf_offered offered;

	WORDS(words, format);
	offered = oci_offer(t, "%s", words);
	if (offered.sent)
		tc_violation(t,
			     "%s: offered %" PRIu64 " procedures (%s), sent %" PRIu64
			     ", and none may be",
			     why, offered.offered, words, offered.sent);
}

void oci_something_shed(struct tc *t, const char *format, ...)
{
	struct upf_offered offered;

	WORDS(words, format);
	offered = oci_offer(t, "%s", words);
	if (offered.sent == offered.offered)
		tc_fail(t,
			"overload control information has no effect (N4-C-02): offered %" PRIu64
			" procedures (%s), sent all of them",
			offered.offered, words);
}

/* --- shares --- */

struct share_test oci_share_test(const struct tc *t, double stated)
{
	struct share_test test = SHARE_TEST(stated);

	if (t->profile->false_alarm > 0)
		test.error = t->profile->false_alarm;
	return test;
}

void oci_share_sent(struct tc *t, double stated, const char *format, ...)
{
	struct share_test test = oci_share_test(t, stated);
	struct upf_offered sum = { .offered = 0 };
	enum share_answer answer;
	char buf[REASON_MAX];
	struct text text;

	WORDS(words, format);
	do {
		upf_offered_add(&sum, oci_offer(t, "%s count=%" PRIu64, words,
						sum.offered ? test.step : test.first));
		answer = share_judge(&test, sum.offered, sum.sent, sum.offered >= test.last);
	} while (answer == SHARE_UNDECIDED);

	text_init(&text, buf, sizeof(buf));
	text_printf(&text, "%s: ", words);
	tc_share(t, words, &test, sum.offered, sum.sent, &text);
	if (sum.offered < test.last)
		text_printf(&text,
			    "; the sequential test stopped early, after %" PRIu64
			    " of up to %" PRIu64 " procedures",
			    sum.offered, test.last);
	switch (answer) {
	case SHARE_VIOLATED:
		tc_violation(t, "%s", buf);
	case SHARE_TOO_FEW:
		tc_inconc(t, "too few procedures: %s", buf);
	default:
		tc_note(t, "%s", buf);
	}
}

void oci_judge(struct tc *t, double stated, const char *why, const struct upf_offered *offered)
{
	struct share_test test = oci_share_test(t, stated);
	char buf[REASON_MAX];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	text_printf(&text, "%s: ", why);
	tc_share(t, why, &test, offered->offered, offered->sent, &text);
	if (share_p_value(&test, offered->offered, offered->sent) < test.error)
		tc_violation(t, "%s", buf);
	tc_note(t, "%s", buf);
}

void oci_share_of_these(struct tc *t, double stated, const char *why, const char *format, ...)
{
	struct upf_offered offered;

	WORDS(words, format);
	offered = oci_offer(t, "%s", words);
	oci_judge(t, stated, why, &offered);
}

/* --- sessions --- */

void oci_session_kept(struct tc *t, struct upf *upf, const char *why)
{
	struct upf_session *session = upf_session(upf, 0);
	const struct pfcp_received *response;

	if (!session)
		tc_error(t, "there is no session that a report could be about");
	response = pfcp_finish(upf_report(session));
	if (!pfcp_cause_accepts(pfcp_cause(&response->msg)))
		tc_violation(t,
			     "%s: the IUT answers a Session Report Request about the session with "
			     "cause %d",
			     why, pfcp_cause(&response->msg));
}
