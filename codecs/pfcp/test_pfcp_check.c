/*
 * What a receiver has to do, by message, error and presence (TS 29.244 7.6, 7.2.3.2). The vectors
 * hold the single cases; here every member of every message goes through the rules.
 */
#include <check.h>
#include <stdlib.h>

#include "codecs/pfcp/pfcp_check.h"
#include "codecs/pfcp/pfcp_sample.h"
#include "codecs/pfcp/pfcp_value.h"

static uint8_t room[PFCP_SAMPLE_ARENA];
static struct arena arena;
static struct finding items[64];
static struct findings findings;

static void least(struct pfcp_message *msg, enum pfcp_message_type type)
{
	arena_init(&arena, room, sizeof(room));
	pfcp_sample_message(msg, type, PFCP_SAMPLE_LEAST, &arena);
}

static struct pfcp_verdict check(const struct pfcp_message *msg)
{
	findings = (struct findings){ items, 64, 0 };
	return pfcp_check(msg, &findings);
}

static struct pfcp_ie *find(struct pfcp_message *msg, uint16_t type)
{
	for (struct pfcp_ie *ie = msg->ies.first; ie; ie = ie->next)
		if (ie->type == type)
			return ie;
	return NULL;
}

/* What an error of a mandatory IE leads to in this message. */
static enum pfcp_reaction reaction_in(const struct pfcp_message_info *info)
{
	if (info->type == PFCP_HEARTBEAT_REQUEST)
		return PFCP_REACTION_DISCARD;
	return info->kind == PFCP_REQUEST ? PFCP_REACTION_REJECT : PFCP_REACTION_NOTIFY;
}

static void expect(struct pfcp_verdict verdict, enum pfcp_reaction reaction, int cause,
		   uint16_t offending)
{
	ck_assert_int_eq(verdict.reaction, reaction);
	ck_assert_int_eq(verdict.cause, reaction == PFCP_REACTION_REJECT ? cause : 0);
	ck_assert_int_eq(verdict.offending_ie, reaction == PFCP_REACTION_REJECT ? offending : -1);
}

START_TEST(missing_mandatory_ie)
{
	const struct pfcp_message_info *info;
	size_t seen = 0;

	for (size_t i = 0; (info = pfcp_message_info_at(i)); i++) {
		for (size_t k = 0; k < info->count; k++) {
			struct pfcp_message msg;

			if (info->members[k].presence != PFCP_MANDATORY)
				continue;
			least(&msg, (enum pfcp_message_type)info->type);
			pfcp_remove(&msg.ies, info->members[k].type);
			expect(check(&msg), reaction_in(info), PFCP_CAUSE_MANDATORY_IE_MISSING,
			       info->members[k].type);
			ck_assert_uint_ge(findings.count, 1);
			ck_assert_int_eq(items[0].rule, FINDING_MISSING);
			ck_assert_int_eq(items[0].ie, info->members[k].type);
			seen++;
		}
	}
	ck_assert_uint_eq(seen, 35);
}
END_TEST

/* A response that rejects may lack everything but the cause. */
START_TEST(rejection_needs_no_more)
{
	const struct pfcp_message_info *info;

	for (size_t i = 0; (info = pfcp_message_info_at(i)); i++) {
		struct pfcp_message msg;

		if (info->kind != PFCP_RESPONSE || !pfcp_message_member(info->type, PFCP_IE_CAUSE))
			continue;
		arena_init(&arena, room, sizeof(room));
		pfcp_init(&msg, (enum pfcp_message_type)info->type, &arena);
		pfcp_add_u8(&msg, NULL, PFCP_IE_CAUSE, PFCP_CAUSE_PFCP_ENTITY_IN_CONGESTION);
		ck_assert_int_eq(check(&msg).reaction, PFCP_REACTION_NONE);
	}
}
END_TEST

/* One IE more than its table allows is ignored, whatever it holds. */
START_TEST(repeated_ie)
{
	const struct pfcp_message_info *info;

	for (size_t i = 0; (info = pfcp_message_info_at(i)); i++) {
		for (size_t k = 0; k < info->count; k++) {
			const struct pfcp_member *member = &info->members[k];
			struct pfcp_message msg;

			least(&msg, (enum pfcp_message_type)info->type);
			pfcp_remove(&msg.ies, member->type);
			pfcp_sample_ie(&msg, NULL, member->type, PFCP_SAMPLE_LEAST);
			pfcp_sample_ie(&msg, NULL, member->type, PFCP_SAMPLE_LEAST);
			ck_assert_int_eq(check(&msg).reaction, member->repeated
								       ? PFCP_REACTION_NONE
								       : PFCP_REACTION_IGNORE_IE);
			if (!member->repeated)
				ck_assert_int_eq(items[0].rule, FINDING_DUPLICATE);
			/* and nobody looks into it */
			msg.ies.last->grouped = false;
			msg.ies.last->value = OCTETS(NULL, 0);
			if (!member->repeated)
				ck_assert_int_eq(check(&msg).reaction, PFCP_REACTION_IGNORE_IE);
		}
	}
}
END_TEST

/* Every IE in every message that does not have it is ignored there. */
START_TEST(unexpected_ie)
{
	const struct pfcp_message_info *info;
	const struct pfcp_ie_info *ie;

	for (size_t i = 0; (info = pfcp_message_info_at(i)); i++) {
		for (size_t k = 0; (ie = pfcp_ie_info_at(k)); k++) {
			struct pfcp_message msg;

			if (pfcp_message_member(info->type, ie->type))
				continue;
			least(&msg, (enum pfcp_message_type)info->type);
			pfcp_add(&msg, NULL, ie->type, OCTETS(NULL, 0));
			ck_assert_int_eq(check(&msg).reaction, PFCP_REACTION_IGNORE_IE);
			ck_assert_uint_eq(findings.count, 1);
			ck_assert_int_eq(items[0].rule, FINDING_UNKNOWN_IE);
		}
	}
}
END_TEST

/* A length field beyond the end: cause 68 in requests, by presence in responses. */
START_TEST(invalid_length)
{
	const struct pfcp_message_info *info;

	for (size_t i = 0; (info = pfcp_message_info_at(i)); i++) {
		for (size_t k = 0; k < info->count; k++) {
			const struct pfcp_member *member = &info->members[k];
			enum pfcp_reaction reaction = reaction_in(info);
			struct pfcp_message msg;

			least(&msg, (enum pfcp_message_type)info->type);
			pfcp_remove(&msg.ies, member->type);
			pfcp_lie(pfcp_sample_ie(&msg, NULL, member->type, PFCP_SAMPLE_LEAST), 1000);
			if (info->kind == PFCP_RESPONSE && member->presence > PFCP_CONDITIONAL)
				reaction = PFCP_REACTION_IGNORE_IE;
			expect(check(&msg), reaction, PFCP_CAUSE_INVALID_LENGTH, member->type);
		}
	}
}
END_TEST

/* A value shorter than its fixed part: cause 69 or ignored, by presence. */
START_TEST(short_values)
{
	const struct pfcp_message_info *info;

	for (size_t i = 0; (info = pfcp_message_info_at(i)); i++) {
		for (size_t k = 0; k < info->count; k++) {
			const struct pfcp_member *member = &info->members[k];
			const struct pfcp_ie_info *ie = pfcp_ie_info(member->type);
			enum pfcp_reaction reaction = reaction_in(info);
			struct pfcp_message msg;

			if (ie->min == 0)
				continue;
			least(&msg, (enum pfcp_message_type)info->type);
			pfcp_remove(&msg.ies, member->type);
			pfcp_sample_ie(&msg, NULL, member->type, PFCP_SAMPLE_LEAST)->value.len =
				(size_t)ie->min - 1;
			if (ie->min == 1 && member->presence != PFCP_MANDATORY &&
			    (info->type == PFCP_SESSION_MODIFICATION_REQUEST ||
			     info->type == PFCP_ASSOCIATION_UPDATE_REQUEST))
				reaction = PFCP_REACTION_NONE; /* empty: to be removed */
			else if (member->presence > PFCP_CONDITIONAL)
				reaction = PFCP_REACTION_IGNORE_IE;
			expect(check(&msg), reaction, PFCP_CAUSE_MANDATORY_IE_INCORRECT,
			       member->type);
		}
	}
}
END_TEST

/* 7.2.3.2: the presence of a member counts by that of its group. */
START_TEST(presence_in_groups)
{
	struct pfcp_message msg;
	struct pfcp_ie *group;

	/* mandatory in mandatory */
	least(&msg, PFCP_SESSION_ESTABLISHMENT_REQUEST);
	pfcp_remove(&find(&msg, PFCP_IE_CREATE_FAR)->ies, PFCP_IE_FAR_ID);
	expect(check(&msg), PFCP_REACTION_REJECT, PFCP_CAUSE_MANDATORY_IE_MISSING, PFCP_IE_FAR_ID);
	/* mandatory in conditional */
	least(&msg, PFCP_SESSION_ESTABLISHMENT_REQUEST);
	group = pfcp_sample_ie(&msg, NULL, PFCP_IE_CREATE_URR, PFCP_SAMPLE_LEAST);
	pfcp_remove(&group->ies, PFCP_IE_URR_ID);
	expect(check(&msg), PFCP_REACTION_REJECT, PFCP_CAUSE_CONDITIONAL_IE_MISSING,
	       PFCP_IE_URR_ID);
	/* mandatory in optional: the group counts as absent */
	least(&msg, PFCP_SESSION_REPORT_REQUEST);
	group = pfcp_sample_ie(&msg, NULL, PFCP_IE_OVERLOAD_CONTROL_INFORMATION, PFCP_SAMPLE_LEAST);
	pfcp_remove(&group->ies, PFCP_IE_TIMER);
	ck_assert_int_eq(check(&msg).reaction, PFCP_REACTION_IGNORE_IE);
	/* mandatory in conditional, in a response */
	least(&msg, PFCP_SESSION_MODIFICATION_RESPONSE);
	group = pfcp_sample_ie(&msg, NULL, PFCP_IE_CREATED_PDR, PFCP_SAMPLE_LEAST);
	pfcp_remove(&group->ies, PFCP_IE_PDR_ID);
	ck_assert_int_eq(check(&msg).reaction, PFCP_REACTION_NOTIFY);
}
END_TEST

START_TEST(announced_reports)
{
	static const struct {
		uint8_t flags;
		uint16_t wanted;
	} reports[] = {
		{ 0x01, PFCP_IE_DOWNLINK_DATA_REPORT },
		{ 0x02, PFCP_IE_USAGE_REPORT_SESSION_REPORT_REQUEST },
		{ 0x04, PFCP_IE_ERROR_INDICATION_REPORT },
		{ 0x10, PFCP_IE_TSC_MANAGEMENT_INFORMATION_SESSION_REPORT_REQUEST },
		{ 0x20, PFCP_IE_SESSION_REPORT },
	};

	for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++) {
		struct pfcp_message msg;

		arena_init(&arena, room, sizeof(room));
		pfcp_init(&msg, PFCP_SESSION_REPORT_REQUEST, &arena);
		pfcp_add_u8(&msg, NULL, PFCP_IE_REPORT_TYPE, reports[i].flags);
		expect(check(&msg), PFCP_REACTION_REJECT, PFCP_CAUSE_CONDITIONAL_IE_MISSING,
		       reports[i].wanted);
		pfcp_sample_ie(&msg, NULL, reports[i].wanted, PFCP_SAMPLE_LEAST);
		ck_assert_int_eq(check(&msg).reaction, PFCP_REACTION_NONE);
	}
}
END_TEST

/* The worst of several errors decides, the first of its kind is named. */
START_TEST(several_errors)
{
	struct pfcp_message msg;

	least(&msg, PFCP_ASSOCIATION_SETUP_REQUEST);
	pfcp_add_u8(&msg, NULL, PFCP_IE_METRIC, 1);
	find(&msg, PFCP_IE_NODE_ID)->value.len = 2;
	pfcp_remove(&msg.ies, PFCP_IE_RECOVERY_TIME_STAMP);
	expect(check(&msg), PFCP_REACTION_REJECT, PFCP_CAUSE_MANDATORY_IE_INCORRECT,
	       PFCP_IE_NODE_ID);
	ck_assert_uint_eq(findings.count, 3);
	/* more findings than there is room for are counted */
	findings = (struct findings){ items, 1, 0 };
	pfcp_check(&msg, &findings);
	ck_assert_uint_eq(findings.count, 3);
	ck_assert_int_eq(pfcp_check(&msg, NULL).reaction, PFCP_REACTION_REJECT);
}
END_TEST

START_TEST(refused_octets)
{
	ck_assert_int_eq(pfcp_check_refused(FINDING_TRUNCATED).reaction, PFCP_REACTION_DISCARD);
	ck_assert_int_eq(pfcp_check_refused(FINDING_NOT_COMPREHENDED).reaction,
			 PFCP_REACTION_VERSION_NOT_SUPPORTED);
	ck_assert_int_eq(pfcp_check_refused(FINDING_NONE).reaction, PFCP_REACTION_NONE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pfcp check");
	TCase *tcase = tcase_create("check");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, missing_mandatory_ie);
	tcase_add_test(tcase, rejection_needs_no_more);
	tcase_add_test(tcase, repeated_ie);
	tcase_add_test(tcase, unexpected_ie);
	tcase_add_test(tcase, invalid_length);
	tcase_add_test(tcase, short_values);
	tcase_add_test(tcase, presence_in_groups);
	tcase_add_test(tcase, announced_reports);
	tcase_add_test(tcase, several_errors);
	tcase_add_test(tcase, refused_octets);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
