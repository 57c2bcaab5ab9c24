#include "fuzz/harness/reach_nas.h"

enum { PAIRS_MAX = 1024, MESSAGES_MAX = 128 };

REACH_COUNTERS static uint8_t counters[PAIRS_MAX * REACH_OUTCOMES];

/* By message type: 5GMM and 5GSM types do not overlap. The first pair plus 1, or 0. */
static uint16_t first_pair[256];
static size_t pairs;

/* Before the first input: what an input covers must not depend on which came before it. */
__attribute__((constructor)) static void number_pairs(void)
{
	const struct nas_message_info *info;
	size_t next = 0;

	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		first_pair[info->type] = (uint16_t)(next + 1);
		next += 1 + (size_t)info->count;
	}
	pairs = next < PAIRS_MAX ? next : PAIRS_MAX;
}

size_t reach_pairs(void)
{
	return pairs;
}

void reach_name(struct text *text, size_t pair)
{
	const struct nas_message_info *info;

	for (size_t i = 0; (info = nas_message_info_at(i)); i++) {
		if (pair > info->count) {
			pair -= 1 + (size_t)info->count;
			continue;
		}
		text_puts(text, info->name);
		if (pair)
			text_printf(text, "/%s", nas_ie_name(info->rows[pair - 1].ie));
		return;
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

/* A finding lies between an item's first octet and the next item's. */
static bool is_named(const struct nas_msg *msg, size_t item, const struct findings *findings)
{
	uint32_t from = msg->items[item].offset * 8;
	uint32_t to = item + 1 < msg->count ? msg->items[item + 1].offset * 8 : UINT32_MAX;

	for (size_t i = 0; i < findings->count && i < findings->max; i++)
		if (findings->items[i].bit >= from && findings->items[i].bit < to)
			return true;
	return false;
}

void reach_nas(const struct nas_msg *msg, const struct findings *findings)
{
	size_t first;

	if (!msg->info)
		return;
	first = first_pair[msg->type] - (size_t)1;
	count(first, findings->count ? REACH_FINDING : REACH_SOUND);
	for (size_t i = 0; i < msg->count; i++) {
		size_t pair;

		if (!msg->items[i].row)
			continue;
		pair = first + 1 + (size_t)(msg->items[i].row - msg->info->rows);
		if (i > 0 && msg->items[i - 1].row == msg->items[i].row)
			count(pair, REACH_REPEATED);
		count(pair,
		      findings->count && is_named(msg, i, findings) ? REACH_FINDING : REACH_SOUND);
	}
}
