/* TP/N4/UP/LCI: load control information, which tells of load and asks for nothing. */
#include "suites/n4_oci_up/told.h"

#define LOAD NEEDS(ICS_LCI)

static void check_member(struct tc *t, const struct pfcp_received *m, const struct pfcp_ie *lci,
			 uint16_t type, size_t length)
{
	const struct pfcp_ie *ie = pfcp_find(&lci->ies, type);

	if (!ie)
		told_violation(t, m, "load control information without %s", pfcp_ie_name(type));
	if (ie->value.len != length)
		told_violation(t, m, "%s of %zu octets, not %zu, in load control information",
			       pfcp_ie_name(type), ie->value.len, length);
}

static void check_absent(struct tc *t, const struct pfcp_received *m, const struct pfcp_ie *lci,
			 uint16_t type)
{
	if (pfcp_find_anywhere(&lci->ies, type))
		told_violation(t, m, "load control information has %s, which is for overload",
			       pfcp_ie_name(type));
}

static void judge_form(struct tc *t, const struct told *told)
{
	for (size_t i = 0; i < told->lci_count; i++) {
		const struct pfcp_received *m = told->lci[i].m;
		const struct pfcp_ie *lci =
			pfcp_find(&m->msg.ies, PFCP_IE_LOAD_CONTROL_INFORMATION);

		check_member(t, m, lci, PFCP_IE_SEQUENCE_NUMBER, 4);
		check_member(t, m, lci, PFCP_IE_METRIC, 1);
		check_absent(t, m, lci, PFCP_IE_OCI_FLAGS);
		check_absent(t, m, lci, PFCP_IE_TIMER);
	}
	if (told->repeated_lci)
		told_violation(t, told->repeated_lci,
			       "load control information stands in the message %zu times",
			       pfcp_received_lci(told->repeated_lci).instances);
	if (told->misplaced_lci)
		told_violation(t, told->misplaced_lci,
			       "%s has load control information where there is no place for it",
			       pfcp_message_name(told->misplaced_lci->msg.type));
}

static void load_is_told(struct tc *t)
{
	static const unsigned int loads[] = { 20, 60, 90, 40 };
	struct told *told = told_start(t);

	for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
		tc_control(t, "load percent=%u", loads[i]);
		told_lci(told, told->smf);
		for (int place = IN_MODIFICATION; place <= IN_REPORT; place++) {
			told_provoke(told, told->smf, (enum told_place)place);
			tc_sleep(t, TOLD_PACE);
		}
		smf_heartbeat(told->smf);
		smf_update(told->smf);
	}
	judge_form(t, told);
}

static void load_in_range(struct tc *t)
{
	struct told *told = told_start(t);
	struct told_ramp ramp;
	size_t from;

	for (unsigned int percent = 90; percent <= 150; percent += 20) {
		tc_control(t, "load percent=%u", percent);
		told_lci(told, told->smf);
		for (int i = 0; i < 4; i++) {
			told_provoke(told, told->smf, IN_MODIFICATION);
			tc_sleep(t, TOLD_PACE);
		}
	}
	for (size_t i = 0; i < told->lci_count; i++)
		if (told->lci[i].information.metric > 100)
			told_violation(t, told->lci[i].m, "the load metric is %u",
				       told->lci[i].information.metric);
	tc_control(t, "load percent=20");
	told_lci(told, told->smf);
	from = told->lci_count - 1;
	for (unsigned int percent = 21; percent <= 70; percent++) {
		tc_control(t, "load percent=%u", percent);
		told_provoke(told, told->smf, IN_MODIFICATION);
		tc_sleep(t, TOLD_PACE);
	}
	ramp = told_ramp(&told->lci[from], told->lci_count - from);
	tc_note(t, "%u changes of the load metric, %u of them smaller than 3 points", ramp.changes,
		ramp.small);
	if (told_fidgets(&ramp))
		tc_should(t, "N4-U-27",
			  "load rises by 1 point at a time: %u of %u changes of the load metric "
			  "are smaller than 3 points",
			  ramp.small, ramp.changes);
}

static void load_sequence(struct tc *t)
{
	static const unsigned int loads[] = { 20, 60, 90, 40 };
	struct told *told = told_start(t);
	const struct told_item *before = NULL, *item;

	for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
		tc_control(t, "load percent=%u", loads[i]);
		item = before ? told_other_lci(told, told->smf, before) : told_lci(told, told->smf);
		if (!item)
			tc_inconc(t, "load is %u %%, and the load metric stays at %u", loads[i],
				  before->information.metric);
		before = item;
		for (int n = 0; n < 12; n++) {
			told_provoke(told, told->smf, (enum told_place)(n % 3));
			tc_sleep(t, TOLD_PACE);
		}
	}
	for (size_t i = 1; i < told->lci_count; i++) {
		const struct pfcp_information *a = &told->lci[i - 1].information,
					      *b = &told->lci[i].information;
		uint32_t number = b->sequence_number;

		if (a->metric == b->metric && number != a->sequence_number)
			told_violation(t, told->lci[i].m,
				       "the load metric stays at %u, and its sequence number goes "
				       "from %" PRIu32 " to %" PRIu32,
				       b->metric, a->sequence_number, number);
		if (a->metric != b->metric && !told_later(number, a->sequence_number))
			told_violation(t, told->lci[i].m,
				       "the load metric goes from %u to %u, and its sequence "
				       "number from %" PRIu32 " to %" PRIu32,
				       a->metric, b->metric, a->sequence_number, number);
	}
}

static void load_of_the_node(struct tc *t)
{
	struct told *told = told_start(t);

	tc_control(t, "load percent=80");
	for (unsigned int metric = 30; metric <= 90; metric += 20) {
		told_overload(told, "metric=%u validity=60 scope=node", metric);
		told_oci(told, told->smf);
		told_lci(told, told->smf);
	}
	judge_form(t, told);
}

const struct test_case told_load_cases[LOAD_CASES] = {
	{ .id = "TP/N4/UP/LCI/01",
	  .requirement = "N4-U-24",
	  .clause = "29.244 6.2.3.2, 6.2.3.3, 7.5.3.3",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "Load control information is the full set of its own members and no more",
	  .stimulus = "Load 20 %, 60 %, 90 %, 40 %; messages of all kinds",
	  .expect = "Sequence Number and Metric, neither OCI Flags nor Timer, once in a message "
		    "that may have it",
	  .needs = LOAD,
	  .iut_time_us = 6 * US_PER_S,
	  .run = load_is_told },
	{ .id = "TP/N4/UP/LCI/X01",
	  .requirement = "N4-U-27",
	  .clause = "29.244 6.2.3.3.2.2",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "The load metric stays within 0 to 100, and small steps are not announced",
	  .stimulus = "Load from 90 % to 150 %; from 20 % to 70 % by 1 point at a time",
	  .expect = "Metric at most 100; at most a fifth of its changes smaller than 3 points",
	  .needs = LOAD,
	  .iut_time_us = 20 * US_PER_S,
	  .run = load_in_range },
	{ .id = "TP/N4/UP/LCI/X02",
	  .requirement = "N4-U-24",
	  .clause = "29.244 6.2.3.3.2.1",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "The sequence number of load control information follows its content",
	  .stimulus = "Load 20 %, 60 %, 90 %, 40 %, 12 messages at each",
	  .expect = "A larger sequence number with another metric, and only then",
	  .needs = LOAD,
	  .iut_time_us = 18 * US_PER_S,
	  .run = load_sequence },
	{ .id = "TP/N4/UP/LCI/X03",
	  .requirement = "N4-U-25",
	  .clause = "29.244 6.2.3.3.1",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "Load is that of the node without any flag, whatever is said of overload",
	  .stimulus = "Load 80 %, and overload of the node with AOCI",
	  .expect = "No OCI Flags in load control information",
	  .needs = LOAD | NEEDS(ICS_OCI),
	  .iut_time_us = 3 * US_PER_S,
	  .run = load_of_the_node },
};
