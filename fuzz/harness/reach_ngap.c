#include "fuzz/harness/reach_ngap.h"

enum { PAIRS_MAX = 2048 };

REACH_COUNTERS static uint8_t counters[PAIRS_MAX * REACH_OUTCOMES];

/* The first pair of each message; the next message's where this one's end. */
static uint16_t first_pair[NGAP_MESSAGE_COUNT + 1];

/* Before the first input: what an input covers must not depend on which came before it. */
__attribute__((constructor)) static void number_pairs(void)
{
	size_t next = 0;

	for (int message = 0; message < NGAP_MESSAGE_COUNT; message++) {
		first_pair[message] = (uint16_t)next;
		next += 1 + ngap_message_info((enum ngap_message)message)->count;
	}
	first_pair[NGAP_MESSAGE_COUNT] = (uint16_t)next;
}

size_t reach_pairs(void)
{
	return first_pair[NGAP_MESSAGE_COUNT] < PAIRS_MAX ? first_pair[NGAP_MESSAGE_COUNT]
							  : PAIRS_MAX;
}

void reach_name(struct text *text, size_t pair)
{
	int message = 0;

	while (message + 1 < NGAP_MESSAGE_COUNT && first_pair[message + 1] <= pair)
		message++;
	text_puts(text, ngap_message_name((enum ngap_message)message));
	pair -= first_pair[message];
	if (pair)
		text_printf(
			text, "/%s",
			ngap_ie_name(
				ngap_message_info((enum ngap_message)message)->rows[pair - 1].id));
}

bool reach_seen(size_t pair, enum reach_outcome outcome)
{
	return pair < PAIRS_MAX && counters[pair * REACH_OUTCOMES + outcome];
}

static void count(size_t pair, enum reach_outcome outcome)
{
	if (pair < reach_pairs())
		counters[pair * REACH_OUTCOMES + outcome] = 1;
}

static bool is_named(const struct findings *findings, int32_t ie)
{
	for (size_t i = 0; i < findings->count && i < findings->max; i++)
		if (findings->items[i].ie == ie)
			return true;
	return false;
}

void reach_ngap(const struct ngap_pdu *pdu, const struct findings *findings)
{
	const struct ngap_message_info *info = ngap_message_info(pdu->message);
	size_t first;
	size_t row = 0;

	first = first_pair[pdu->message];
	count(first, findings->count ? REACH_FINDING : REACH_SOUND);
	for (size_t i = 0; i < pdu->count; i++) {
		const struct ngap_ie *ie = &pdu->ies[i];
		size_t tried = 0;

		/* IEs come in the order of the rows, if the sender is sane */
		while (tried < info->count && info->rows[row].id != ie->id) {
			row = row + 1 < info->count ? row + 1 : 0;
			tried++;
		}
		if (tried == info->count)
			continue;
		if (i > 0 && pdu->ies[i - 1].id == ie->id)
			count(first + 1 + row, REACH_REPEATED);
		count(first + 1 + row,
		      findings->count && is_named(findings, ie->id) ? REACH_FINDING : REACH_SOUND);
	}
}
