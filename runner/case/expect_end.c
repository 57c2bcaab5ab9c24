#include "runner/case/expect_end.h"

#include <inttypes.h>

#include "runner/case/expect_print.h"
#include "runner/emulation/emulation.h"

unsigned int expect_entry_type(const struct entry *entry)
{
	return entry->nas ? entry->nas->msg.type : entry->ngap->pdu.message;
}

void expect_end(struct tc *t, enum outcome outcome, const char *reason)
{
	switch (outcome) {
	case OUTCOME_VIOLATION:
		tc_violation(t, "%s", reason);
	case OUTCOME_FAIL:
		tc_fail(t, "%s", reason);
	case OUTCOME_INCONC:
		tc_inconc(t, "%s", reason);
	case OUTCOME_DEFAULT:
		tc_iut_dead(t, "%s", reason);
	case OUTCOME_RETURN:
		break;
	}
}

enum outcome expect_outcome(enum outcome outcome, enum outcome preset)
{
	return outcome == OUTCOME_DEFAULT ? preset : outcome;
}

void expect_because(struct text *reason, const char *why)
{
	if (why)
		text_printf(reason, " (%s)", why);
}

void expect_ngap_silence(struct text *reason, uint64_t types, uint64_t within,
			 const char *last_sent)
{
	text_puts(reason, "no ");
	print_ngap_types(reason, types);
	text_printf(reason, " within %" PRIu64 " ms", within / US_PER_MS);
	if (last_sent)
		text_printf(reason, "; the last message sent was %s", last_sent);
}

enum outcome expect_ngap_unmet(struct text *reason, enum seen seen, uint64_t types,
			       enum outcome otherwise, const struct ngap_received *m)
{
	if (seen == SEEN_NEVER) {
		print_ngap_received(reason, m);
		text_puts(reason, ", which must not come here");
		return OUTCOME_VIOLATION;
	}
	text_puts(reason, "expected ");
	print_ngap_types(reason, types);
	text_puts(reason, ", received ");
	print_ngap_received(reason, m);
	return expect_outcome(otherwise, OUTCOME_FAIL);
}
