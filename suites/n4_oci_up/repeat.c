/* TP/N4/UP/PRIO and RETX: message priority of responses, and repeated requests. */
#include "suites/n4_oci_up/told.h"

enum { REPETITIONS = 3 };

/* --- message priority --- */

static void same_priority(struct tc *t, const struct pfcp_received *m, int priority)
{
	expect_response(t, m, .has_priority = PRESENT, .priority = priority,
			.why = "a response has the message priority of its request");
}

static void priorities(struct tc *t)
{
	static const int values[] = { PFCP_PRIORITY(3), PFCP_PRIORITY(0), PFCP_PRIORITY(15) };
	struct told *told = told_start(t);

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct smf_session *session = smf_session(told->smf);

		same_priority(t, smf_modify(told->session, .priority = values[i]), values[i]);
		same_priority(t, smf_establish(session, .priority = values[i]), values[i]);
		if (!smf_session_up(session))
			tc_inconc(t, "a session is refused without overload");
		same_priority(t, smf_delete(session, .priority = values[i]), values[i]);
	}
}

static void priorities_in_overload(struct tc *t)
{
	static const int values[] = { PFCP_PRIORITY(3), PFCP_PRIORITY(9), PFCP_PRIORITY(15) };
	struct told *told = told_start(t);

	for (unsigned int metric = 30; metric <= 90; metric += 30)
		for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
			told_overload(told, "metric=%u validity=60 refuse=%s", metric,
				      metric == 90 ? "yes" : "no");
			same_priority(t, smf_modify(told->session, .priority = values[i]),
				      values[i]);
			same_priority(t,
				      smf_establish(smf_session(told->smf), .priority = values[i]),
				      values[i]);
		}
}

/* --- repetition --- */

static bool same_octets(struct octets a, struct octets b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static void repeated_report(struct tc *t)
{
	struct told *told = told_start(t);
	struct pfcp_end *end = smf_end(told->smf);
	const struct pfcp_received *first, *again;
	unsigned int seen = 0;

	told_overload(told, "metric=20 validity=60");
	told_oci(told, told->smf);
	told_overload(told, "metric=30 validity=60");
	forget_pfcp(end);
	pfcp_ignore(end, PFCP_SESSION_REPORT_REQUEST, true);
	tc_control(t, "report session=%u", smf_session_number(told->session));
	first = expect_pfcp(t, end, .type = PFCP_SESSION_REPORT_REQUEST, .silence = OUTCOME_INCONC);
	while (seen < REPETITIONS) {
		/* Something new is to be said, but not in a repetition. */
		told_overload(told, "metric=%u validity=60", 50 + 15 * seen);
		again = expect_pfcp(t, end, .type = PFCP_SESSION_REPORT_REQUEST, .repetition = true,
				    .within = 15 * US_PER_S, .silence = OUTCOME_RETURN,
				    .otherwise = OUTCOME_RETURN);
		if (!again)
			break;
		seen++;
		if (!same_octets(first->octets, again->octets)) {
			expect_response(t, again, .unmet = OUTCOME_RETURN);
			told_violation(t, again,
				       "repetition %u of a Session Report Request differs from "
				       "the request, of %zu and %zu octets",
				       seen, again->octets.len, first->octets.len);
		}
	}
	/* A second request about the same instead of a repetition has a number of its own. */
	again = expect_pfcp(t, end, .type = PFCP_SESSION_REPORT_REQUEST, .within = 1,
			    .silence = OUTCOME_RETURN);
	if (again && !seen)
		told_violation(t, again,
			       "the Session Report Request that nobody answered comes again with "
			       "sequence number %" PRIu32 ", not %" PRIu32,
			       again->msg.sequence_number, first->msg.sequence_number);
	pfcp_ignore(end, PFCP_SESSION_REPORT_REQUEST, false);
	if (!seen)
		tc_inconc(t, "a Session Report Request that nobody answers is not repeated within "
			     "15 s");
	tc_note(t, "%u repetitions", seen);
}

const struct test_case told_repeat_cases[REPEAT_CASES] = {
	{ .id = "TP/N4/UP/PRIO/01",
	  .requirement = "N4-U-20",
	  .clause = "29.244 6.2.4.5.2",
	  .strength = SHOULD,
	  .role = ROLE_UP,
	  .purpose = "A response has the message priority of its request",
	  .stimulus = "Session requests with MP = 1 and priorities 3, 0, 15",
	  .expect = "MP = 1 and the same priority in each response",
	  .run = priorities },
	{ .id = "TP/N4/UP/PRIO/X01",
	  .requirement = "N4-U-20",
	  .clause = "29.244 6.2.4.5.2",
	  .strength = SHOULD,
	  .role = ROLE_UP,
	  .purpose = "The same in overload, also where the request is refused",
	  .stimulus = "Overload of metric 30, 60, 90; session requests with priorities 3, 9, 15",
	  .expect = "MP = 1 and the same priority in each response",
	  .needs = NEEDS(ICS_OCI),
	  .run = priorities_in_overload },
	{ .id = "TP/N4/UP/RETX/01",
	  .requirement = "N4-U-22",
	  .clause = "29.244 6.4",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "A repeated request is the same octet by octet, overload control information "
		     "included",
	  .stimulus = "A Session Report Request is not answered, while overload changes",
	  .expect = "Repetitions that are identical to the request",
	  .needs = NEEDS(ICS_OCI),
	  .iut_time_us = 45 * US_PER_S,
	  .run = repeated_report },
};
