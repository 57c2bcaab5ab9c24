#include "fuzz/harness/reach_pfcp.h"

enum { PAIRS_MAX = 2048, TYPES_MAX = 512 };

REACH_COUNTERS static uint8_t counters[PAIRS_MAX * REACH_OUTCOMES];

/* Scopes by number: the first pair plus 1, or 0. */
static uint16_t message_pair[256];
static uint16_t group_pair[TYPES_MAX];
static size_t pairs;

/* Before the first input: what an input covers must not depend on which came before it. */
__attribute__((constructor)) static void number_pairs(void)
{
	const struct pfcp_message_info *message;
	const struct pfcp_ie_info *ie;
	size_t next = 0;

	for (size_t i = 0; (message = pfcp_message_info_at(i)); i++) {
		message_pair[message->type] = (uint16_t)(next + 1);
		next += 1 + (size_t)message->count;
	}
	for (size_t i = 0; (ie = pfcp_ie_info_at(i)); i++) {
		if (ie->form != PFCP_FORM_GROUPED || ie->type >= TYPES_MAX)
			continue;
		group_pair[ie->type] = (uint16_t)(next + 1);
		next += 1 + (size_t)ie->count;
	}
	pairs = next < PAIRS_MAX ? next : PAIRS_MAX;
}

size_t reach_pairs(void)
{
	return pairs;
}

static void name_pair(struct text *text, const char *scope, const struct pfcp_member *members,
		      size_t pair)
{
	text_puts(text, scope);
	if (pair)
		text_printf(text, "/%s", pfcp_ie_name(members[pair - 1].type));
}

void reach_name(struct text *text, size_t pair)
{
	const struct pfcp_message_info *message;
	const struct pfcp_ie_info *ie;

	for (size_t i = 0; (message = pfcp_message_info_at(i)); i++) {
		if (pair <= message->count) {
			name_pair(text, message->name, message->members, pair);
			return;
		}
		pair -= 1 + (size_t)message->count;
	}
	for (size_t i = 0; (ie = pfcp_ie_info_at(i)); i++) {
		if (ie->form != PFCP_FORM_GROUPED || ie->type >= TYPES_MAX)
			continue;
		if (pair <= ie->count) {
			name_pair(text, ie->name, ie->members, pair);
			return;
		}
		pair -= 1 + (size_t)ie->count;
	}
}

bool reach_seen(size_t pair, enum reach_outcome outcome)
{
	return pair < PAIRS_MAX && counters[pair * REACH_OUTCOMES + outcome];
}

static void count(size_t pair, enum reach_outcome outcome)
{
	if (pair < pairs)
		counters[pair * REACH_OUTCOMES + outcome] = 1;
}

static bool is_named(const struct findings *findings, const struct pfcp_ie *ie)
{
	for (size_t i = 0; i < findings->count && i < findings->max; i++)
		if (findings->items[i].bit == ie->offset * 8)
			return true;
	return false;
}

static void count_list(const struct pfcp_ie_list *list, size_t first,
		       const struct pfcp_member *members, size_t n, const struct findings *findings)
{
	const struct pfcp_ie *previous = NULL;

	for (const struct pfcp_ie *ie = list->first; ie; previous = ie, ie = ie->next) {
		enum reach_outcome outcome = REACH_SOUND;
		size_t row = 0;

		if (ie->bare)
			continue;
		if (findings->count && is_named(findings, ie))
			outcome = REACH_FINDING;
		while (row < n && members[row].type != ie->type)
			row++;
		if (row < n) {
			count(first + 1 + row, outcome);
			if (previous && previous->type == ie->type)
				count(first + 1 + row, REACH_REPEATED);
		}
		if (ie->grouped && ie->type < TYPES_MAX && group_pair[ie->type]) {
			const struct pfcp_ie_info *info = pfcp_ie_info(ie->type);
			size_t group = group_pair[ie->type] - (size_t)1;

			count(group, outcome);
			count_list(&ie->ies, group, info->members, info->count, findings);
		}
	}
}

void reach_pfcp(const struct pfcp_message *msg, const struct findings *findings)
{
	const struct pfcp_message_info *info = pfcp_message_info(msg->type);
	size_t first;

	if (!info)
		return;
	first = message_pair[msg->type] - (size_t)1;
	count(first, findings->count ? REACH_FINDING : REACH_SOUND);
	count_list(&msg->ies, first, info->members, info->count, findings);
}
