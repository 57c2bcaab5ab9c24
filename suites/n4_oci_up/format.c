/* TP/N4/UP/FMT: which messages have overload control information, and what stands in it. */
#include <stdio.h>

#include "suites/n4_oci_up/told.h"

#define OVERLOAD NEEDS(ICS_OCI)

static void full_set(struct tc *t)
{
	static const unsigned int metrics[] = { 40, 60, 60, 20 };
	enum told_place place = (enum told_place)t->test->param;
	struct told *told = told_start(t);
	const struct told_item *item;

	told_overload(told, "metric=30 validity=60");
	told_is_whole(t, told_oci(told, told->smf));
	item = told_oci_in(told, place);
	if (item)
		told_is_whole(t, item);
	else
		tc_note(t, "no message of this kind has overload control information");
	/* The whole set also where only a part of it is new (6.2.4.3.1). */
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		told_overload(told, "metric=%u validity=%u", metrics[i], i == 2 ? 120U : 60U);
		told_provoke(told, told->smf, place);
		told_provoke(told, told->smf, place);
		tc_sleep(t, US_PER_S + TOLD_PACE);
	}
	for (size_t i = 0; i < told->oci_count; i++)
		told_is_whole(t, &told->oci[i]);
}

static void where_it_belongs(struct tc *t)
{
	struct told *told = told_start(t);
	struct smf *second;

	told_overload(told, "metric=40 validity=60");
	told_oci(told, told->smf);
	for (int place = IN_MODIFICATION; place <= IN_REPORT; place++) {
		told_overload(told, "metric=%d validity=60", 45 + 5 * place);
		told_provoke(told, told->smf, (enum told_place)place);
		tc_sleep(t, US_PER_S + TOLD_PACE);
		/* Something new is to be said, and here is no place for it. */
		told_overload(told, "metric=%d validity=60", 70 + 5 * place);
		smf_heartbeat(told->smf);
		smf_update(told->smf);
		tc_sleep(t, US_PER_S + TOLD_PACE);
	}
	told_overload(told, "metric=15 validity=60");
	if (t->profile->n4_count > 1) {
		second = smf_start(t);
		smf_heartbeat(second);
		smf_release(second);
	}
	smf_associate(told->smf);
	smf_heartbeat(told->smf);
	if (told->misplaced_oci)
		told_violation(t, told->misplaced_oci,
			       "%s has overload control information where there is no place for it",
			       pfcp_message_name(told->misplaced_oci->msg.type));
}

static void one_instance(struct tc *t)
{
	struct told *told = told_start(t);

	told_overload(told, "metric=40 validity=60");
	told_oci(told, told->smf);
	for (unsigned int i = 0; told->messages < 100; i++) {
		if (i % 10 == 0)
			told_overload(told, "metric=%u validity=60", 20 + i % 60);
		told_provoke(told, told->smf, (enum told_place)(i % 3));
		if (i % 10 == 9)
			told_provoke(told, told->smf, IN_REPORT);
	}
	if (told->repeated_oci)
		told_violation(t, told->repeated_oci,
			       "%s has overload control information %zu times",
			       pfcp_message_name(told->repeated_oci->msg.type),
			       pfcp_received_oci(told->repeated_oci).instances);
	tc_note(t, "%zu messages, %zu of them with overload control information", told->messages,
		told->oci_count);
}

static void in_range(struct tc *t)
{
	static const unsigned int metrics[] = { 99, 100, 101, 128, 255 };
	struct told *told = told_start(t);

	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		told_overload(told, "metric=%u validity=60", metrics[i]);
		if (metrics[i] <= 100)
			told_oci(told, told->smf);
		for (int n = 0; n < 5; n++) {
			told_provoke(told, told->smf, IN_MODIFICATION);
			tc_sleep(t, TOLD_PACE);
		}
	}
	told_overload(told, "metric=0");
	for (unsigned int percent = 100; percent <= 150; percent += 25) {
		if (!tc_control_try(t, "load percent=%u", percent))
			break;
		for (int n = 0; n < 5; n++) {
			told_provoke(told, told->smf, IN_MODIFICATION);
			tc_sleep(t, TOLD_PACE);
		}
	}
	for (size_t i = 0; i < told->oci_count; i++)
		if (told->oci[i].information.has_metric && told->oci[i].information.metric > 100)
			told_violation(t, told->oci[i].m, "the metric is %u",
				       told->oci[i].information.metric);
}

static void refused_with_scope(struct tc *t)
{
	struct told *told = told_start(t);
	unsigned int carried = 0;
	int cause;

	for (unsigned int i = 0; i < 6; i++) {
		const struct pfcp_received *m;
		struct pfcp_information oci;

		told_overload(told, "metric=%u validity=60 refuse=yes", 70 + 5 * i);
		m = smf_establish(smf_session(told->smf));
		oci = pfcp_received_oci(m);
		cause = pfcp_cause(&m->msg);
		if (pfcp_cause_accepts(cause))
			tc_inconc(t, "the IUT is told to refuse establishments, and accepts one");
		if (cause != PFCP_CAUSE_PFCP_ENTITY_IN_CONGESTION)
			tc_should(t, "N4-U-23", "congestion is refused with cause %d (%s), not %d",
				  cause, pfcp_cause_name(cause),
				  PFCP_CAUSE_PFCP_ENTITY_IN_CONGESTION);
		carried += oci.instances > 0;
		if (oci.instances && !told_for_node(&oci))
			told_violation(t, m,
				       "a Session Establishment Response that refuses has overload "
				       "control information without AOCI: no F-SEID says which "
				       "address it is about");
		tc_sleep(t, US_PER_S + TOLD_PACE);
	}
	tc_note(t, "%u of 6 refusals had overload control information", carried);
}

/* --- scope --- */

static void say_address(char *buf, size_t size, const struct net_address *address)
{
	char *end;
	struct text text;

	text_init(&text, buf, size);
	net_address_print(address, &text);
	end = strrchr(buf, ':');
	if (end)
		*end = '\0';
	/* as control actions want it: IPv6 without brackets */
	if (buf[0] == '[') {
		memmove(buf, buf + 1, strlen(buf));
		end = strchr(buf, ']');
		if (end)
			*end = '\0';
	}
}

static bool at(const struct smf_session *session, const struct net_address *address)
{
	const struct net_address *up = smf_session_up(session);

	if (!up || up->sa.sa_family != address->sa.sa_family)
		return false;
	if (up->sa.sa_family == AF_INET)
		return up->v4.sin_addr.s_addr == address->v4.sin_addr.s_addr;
	return memcmp(&up->v6.sin6_addr, &address->v6.sin6_addr, sizeof(up->v6.sin6_addr)) == 0;
}

struct addressed {
	size_t count;
	struct smf_session *session[PROFILE_LIST_MAX]; /* NULL: none is there */
};

/* A session at each address, as far as the IUT spreads its sessions. */
static struct addressed session_at_each(struct told *told)
{
	const struct profile *profile = told->t->profile;
	struct addressed addressed = { .count = profile->iut_n4_f_seid_count };
	struct smf_session *session = told->session;
	size_t missing = addressed.count;

	for (size_t tries = 0; missing && tries < 8 * addressed.count; tries++) {
		if (tries)
			session = smf_established(told->smf);
		for (size_t i = 0; i < addressed.count; i++) {
			if (addressed.session[i] || !at(session, &profile->iut_n4_f_seid[i]))
				continue;
			addressed.session[i] = session;
			missing--;
		}
	}
	return addressed;
}

/* Messages about sessions at all addresses, of which those with this metric are judged. */
static void judge_scope(struct told *told, const struct addressed *addressed, int scope,
			unsigned int metric, const char *name)
{
	size_t from = told->oci_count, seen = 0;

	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < addressed->count; i++) {
			if (!addressed->session[i])
				continue;
			smf_modify(addressed->session[i]);
			tc_sleep(told->t, US_PER_S + TOLD_PACE);
		}
	}
	for (size_t i = from; i < told->oci_count; i++) {
		const struct told_item *item = &told->oci[i];
		const struct smf_session *session = item->m->session;

		if (!item->information.has_metric || item->information.metric != metric)
			continue;
		seen++;
		if (scope < 0 && !told_for_node(&item->information))
			told_violation(told->t, item->m,
				       "overload of the whole node is told without AOCI: it is "
				       "taken for that of one address");
		if (scope >= 0 && told_for_node(&item->information))
			told_violation(told->t, item->m,
				       "overload of %s alone is told with AOCI: it is taken for "
				       "that of the whole node",
				       name);
		if (scope >= 0 && session && !at(session, &told->t->profile->iut_n4_f_seid[scope]))
			told_violation(told->t, item->m,
				       "overload of %s alone is told about a session at another "
				       "address",
				       name);
	}
	if (!seen)
		tc_fail(told->t,
			"overload of %s with metric %u was asked for, and no message says so "
			"(N4-U-14)",
			name, metric);
}

static void scope(struct tc *t)
{
	struct told *told;
	struct addressed addressed;
	char name[64];

	if (t->profile->iut_n4_f_seid_count < 2)
		tc_na(t, "iut.n4.f-seid names %zu addresses: two are needed",
		      t->profile->iut_n4_f_seid_count);
	told = told_start(t);
	addressed = session_at_each(told);
	told_overload(told, "metric=40 validity=60 scope=node");
	judge_scope(told, &addressed, -1, 40, "the node");
	for (size_t i = 0; i < addressed.count; i++) {
		unsigned int metric = 50 + 10 * (unsigned int)(i % 5);

		say_address(name, sizeof(name), &t->profile->iut_n4_f_seid[i]);
		if (!addressed.session[i]) {
			tc_note(t, "no session has its F-SEID at %s", name);
			continue;
		}
		told_overload(told, "metric=%u validity=60 scope=%s", metric, name);
		judge_scope(told, &addressed, (int)i, metric, name);
	}
	told_overload(told, "metric=45 validity=60 scope=node");
	judge_scope(told, &addressed, -1, 45, "the node");
}

/* --- beyond the purposes --- */

static void no_extra_messages(struct tc *t)
{
	struct told *told = told_start(t);

	smf_established(told->smf);
	forget_pfcp(smf_end(told->smf));
	for (unsigned int metric = 20; metric <= 80; metric += 20) {
		told_overload(told, "metric=%u validity=20", metric);
		expect_no_pfcp(t, smf_end(told->smf), .within = 8 * US_PER_S,
			       .type = ONE_OF(PFCP_SESSION_REPORT_REQUEST, PFCP_NODE_REPORT_REQUEST,
					      PFCP_ASSOCIATION_UPDATE_REQUEST),
			       .why = "overload control information rides on messages that are "
				      "sent anyway");
	}
}

/* Where nothing says that establishments are to be refused, it is for the IUT to know. */
static void refused_for_load(struct tc *t)
{
	struct told *told = told_start(t);
	unsigned int refused = 0;

	tc_control(t, "load percent=150");
	for (int i = 0; i < 5; i++) {
		const struct pfcp_received *m = smf_establish(smf_session(told->smf));
		int cause = pfcp_cause(&m->msg);

		if (pfcp_cause_accepts(cause))
			continue;
		refused++;
		expect_response(t, m, .cause = PFCP_CAUSE_PFCP_ENTITY_IN_CONGESTION);
	}
	tc_note(t, "%u of 5 establishments are refused at a load of 150 %%", refused);
}

#define FULL(number, row, subclause, place, what)                                                \
	{                                                                                        \
		.id = "TP/N4/UP/FMT/" number, .requirement = row, .clause = "29.244 " subclause, \
		.strength = SHALL, .role = ROLE_UP,                                              \
		.purpose = "Overload control information in a " what " is the full set",         \
		.stimulus = "Overload whose metric, then validity, changes; " what "s",          \
		.expect = "Sequence Number, Metric and Timer in each", .needs = OVERLOAD,        \
		.iut_time_us = 20 * US_PER_S, .run = full_set, .param = (place)                  \
	}

const struct test_case told_format_cases[FORMAT_CASES] = {
	FULL("01", "N4-U-05", "6.2.4.3.1", IN_MODIFICATION, "Session Modification Response"),
	{ .id = "TP/N4/UP/FMT/02",
	  .requirement = "N4-U-03",
	  .clause = "29.244 7.5.3, 7.5.5, 7.5.7, 7.5.8",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "Overload control information is in session responses and Session Report "
		     "Requests alone",
	  .stimulus = "Overload that changes, before messages of all kinds, node related ones too",
	  .expect = "No IE 54 in any other message, nor inside another IE",
	  .needs = OVERLOAD,
	  .iut_time_us = 15 * US_PER_S,
	  .run = where_it_belongs },
	{ .id = "TP/N4/UP/FMT/03",
	  .requirement = "N4-U-04",
	  .clause = "29.244 6.2.4.3.1",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "A message has at most one instance of overload control information",
	  .stimulus = "Overload, 100 messages",
	  .expect = "At most one IE 54 in each",
	  .needs = OVERLOAD,
	  .iut_time_us = 5 * US_PER_S,
	  .run = one_instance },
	{ .id = "TP/N4/UP/FMT/04",
	  .requirement = "N4-U-11",
	  .clause = "29.244 6.2.4.3.2.3, 8.2.34",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "The metric stays within 0 to 100 however high the overload is",
	  .stimulus = "Metric driven to 100 and beyond, load to 150 %",
	  .expect = "Metric at most 100",
	  .needs = OVERLOAD,
	  .iut_time_us = 15 * US_PER_S,
	  .run = in_range },
	{ .id = "TP/N4/UP/FMT/05",
	  .requirement = "N4-U-16",
	  .clause = "29.244 8.2.76",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "Where a session is refused, overload control information is about the node",
	  .stimulus = "Overload in which establishments are refused; Session Establishment Request",
	  .expect = "Cause 74; OCI with AOCI = 1",
	  .needs = OVERLOAD,
	  .iut_time_us = 10 * US_PER_S,
	  .run = refused_with_scope },
	{ .id = "TP/N4/UP/FMT/06",
	  .requirement = "N4-U-15",
	  .clause = "29.244 6.2.4.3.1, 8.2.76",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "AOCI says whether overload is that of an address or of the node",
	  .stimulus = "Overload of the node, then of each F-SEID address; messages about sessions "
		      "at each",
	  .expect = "AOCI = 1 exactly for the node; an address only with its own sessions",
	  .needs = OVERLOAD,
	  .iut_time_us = 32 * US_PER_S,
	  .run = scope },
	{ .id = "TP/N4/UP/FMT/X01",
	  .requirement = "N4-U-02",
	  .clause = "29.244 6.2.4.2",
	  .strength = SHALL,
	  .role = ROLE_UP,
	  .purpose = "Overload causes no message that would not be sent anyway",
	  .stimulus = "Overload that changes every 8 s, sessions without traffic",
	  .expect = "No request of the UP function but heartbeats",
	  .needs = OVERLOAD,
	  .iut_time_us = 35 * US_PER_S,
	  .run = no_extra_messages },
	FULL("X02", "N4-U-05", "6.2.4.3.1", IN_ESTABLISHMENT, "Session Establishment Response"),
	FULL("X03", "N4-U-10", "6.2.4.3.2.2, table 7.5.3.4-1", IN_DELETION,
	     "Session Deletion Response"),
	FULL("X04", "N4-U-06", "6.2.4.3.2.1", IN_REPORT, "Session Report Request"),
	{ .id = "TP/N4/UP/FMT/X05",
	  .requirement = "N4-U-23",
	  .clause = "29.244 8.2.1",
	  .strength = SHOULD,
	  .role = ROLE_UP,
	  .purpose = "Congestion has a cause of its own",
	  .stimulus = "Load 150 %; Session Establishment Requests",
	  .expect = "Cause 74 in each that is refused",
	  .needs = OVERLOAD,
	  .iut_time_us = US_PER_S,
	  .run = refused_for_load },
};
