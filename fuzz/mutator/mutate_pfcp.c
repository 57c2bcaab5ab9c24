/* PFCP messages by the tables of messages and of grouped IEs. */
#include "codecs/pfcp/pfcp_check.h"
#include "codecs/pfcp/pfcp_sample.h"
#include "fuzz/mutator/break.h"

enum {
	ROOM = 4 << 20,
	UNKNOWN_TYPE = 0x7000, /* of no IE */
	UNKNOWN_MESSAGE = 49,
	VALUE_GROWTH = 16,
	VALUE_MAX = 4096,
};

struct work {
	struct pfcp_message msg;
	struct arena arena;
	struct chance *chance;
};

static uint8_t room[ROOM];
static uint8_t other_room[ROOM];
static uint8_t out[PFCP_MESSAGE_MAX + 1];

static size_t count_findings(const struct pfcp_message *msg)
{
	struct findings findings = { NULL, 0, 0 };

	pfcp_check(msg, &findings);
	return findings.count;
}

static size_t count_ies(const struct pfcp_ie_list *list)
{
	size_t count = 0;

	for (const struct pfcp_ie *ie = list->first; ie; ie = ie->next)
		count++;
	return count;
}

static struct pfcp_ie *ie_at(const struct pfcp_ie_list *list, size_t at)
{
	struct pfcp_ie *ie = list->first;

	while (ie && at-- > 0)
		ie = ie->next;
	return ie;
}

/* A scope of the message: its own, or that of a grouped IE, whose IE is then *group. */
static struct pfcp_ie_list *pick_scope(struct work *w, struct pfcp_ie **group)
{
	struct pfcp_ie_list *list = &w->msg.ies;

	*group = NULL;
	for (unsigned int depth = 0; depth < 4 && chance_one_in(w->chance, 2); depth++) {
		struct pfcp_ie *ie = ie_at(list, chance_below(w->chance, count_ies(list)));

		if (!ie || !ie->grouped)
			break;
		*group = ie;
		list = &ie->ies;
	}
	return list;
}

static const struct pfcp_member *members_of(const struct work *w, const struct pfcp_ie *group,
					    size_t *count)
{
	const struct pfcp_message_info *message = pfcp_message_info(w->msg.type);
	const struct pfcp_ie_info *info = group ? pfcp_ie_info(group->type) : NULL;

	*count = group ? (info ? info->count : 0) : (message ? message->count : 0);
	return group ? (info ? info->members : NULL) : (message ? message->members : NULL);
}

static void new_message(struct work *w)
{
	size_t count = 0;

	while (pfcp_message_info_at(count))
		count++;
	arena_reset(&w->arena);
	pfcp_sample_message(
		&w->msg,
		(enum pfcp_message_type)pfcp_message_info_at(chance_below(w->chance, count))->type,
		chance_one_in(w->chance, 4) ? PFCP_SAMPLE_MOST : PFCP_SAMPLE_LEAST, &w->arena);
}

static void add_member(struct work *w)
{
	struct pfcp_ie *group;
	struct pfcp_ie_list *list = pick_scope(w, &group);
	size_t count;
	const struct pfcp_member *members = members_of(w, group, &count);
	size_t start = chance_below(w->chance, count);

	for (size_t i = 0; i < count; i++) {
		const struct pfcp_member *member = &members[(start + i) % count];

		if (!member->repeated && pfcp_find(list, member->type))
			continue;
		pfcp_sample_ie(&w->msg, group, member->type,
			       chance_one_in(w->chance, 3) ? PFCP_SAMPLE_MOST : PFCP_SAMPLE_LEAST);
		return;
	}
}

/* Takes one IE out of its scope. */
static void remove_ie(struct pfcp_ie_list *list, const struct pfcp_ie *gone)
{
	struct pfcp_ie **at = &list->first;

	list->last = NULL;
	while (*at) {
		if (*at == gone) {
			*at = gone->next;
			continue;
		}
		list->last = *at;
		at = &(*at)->next;
	}
}

static void remove_optional(struct work *w)
{
	struct pfcp_ie *group;
	struct pfcp_ie_list *list = pick_scope(w, &group);
	struct pfcp_ie_list was = *list;
	struct pfcp_ie *ie = ie_at(list, chance_below(w->chance, count_ies(list)));
	struct pfcp_ie *before = list->first;

	if (!ie)
		return;
	while (before && before->next != ie)
		before = before->next;
	remove_ie(list, ie);
	if (count_findings(&w->msg) == 0)
		return;
	if (before)
		before->next = ie;
	*list = was;
}

static void vary_value(struct work *w)
{
	struct pfcp_ie *group;
	struct pfcp_ie_list *list = pick_scope(w, &group);
	struct pfcp_ie *ie = ie_at(list, chance_below(w->chance, count_ies(list)));
	const struct pfcp_ie_info *info;
	struct octets was;

	if (!ie || ie->grouped || ie->bare || ie->value.len > VALUE_MAX)
		return;
	info = pfcp_ie_info(ie->type);
	was = ie->value;
	for (int attempt = 0; attempt < 4; attempt++) {
		size_t max = was.len + VALUE_GROWTH;
		uint8_t *copy = arena_take(&w->arena, max);

		if (!copy)
			return;
		if (was.len)
			memcpy(copy, was.data, was.len);
		ie->value = OCTETS(
			copy, mutate_value(copy, was.len, info ? info->min : 0, max, w->chance));
		if (count_findings(&w->msg) == 0)
			return;
		ie->value = was;
	}
}

/* Many IEs of a vendor, which are no deviation anywhere: for what grows faster than its input. */
static void grow(struct work *w)
{
	static const uint8_t value;

	for (uint32_t n = 1U << chance_below(w->chance, 14); n > 0; n--)
		pfcp_add_vendor(&w->msg, NULL, PFCP_IE_VENDOR, 1, OCTETS(&value, 0));
}

static void keep_valid(struct work *w)
{
	if (chance_one_in(w->chance, 128)) {
		grow(w);
		return;
	}
	switch (chance_below(w->chance, 8)) {
	case 0:
	case 1:
		add_member(w);
		break;
	case 2:
		remove_optional(w);
		break;
	case 3:
		w->msg.sequence_number = chance_draw(w->chance) & 0xffffff;
		w->msg.seid = (uint64_t)chance_draw(w->chance) << 32 | chance_draw(w->chance);
		w->msg.has_priority = chance_one_in(w->chance, 2);
		w->msg.priority = w->msg.has_priority ? (uint8_t)chance_below(w->chance, 16) : 0;
		break;
	default:
		vary_value(w);
		break;
	}
}

/* ---- one fault ---- */

static bool break_length(void *of)
{
	struct work *w = of;
	struct pfcp_ie *last = w->msg.ies.last;

	if (!last || last->grouped || last->bare || last->value.len > 0xff00)
		return false;
	pfcp_lie(last, (uint16_t)(last->value.len + 1 + chance_below(w->chance, 8)));
	return true;
}

/* An IE of a scope that may be there only once, twice. */
static bool break_duplicate(void *of)
{
	struct work *w = of;
	size_t start = chance_below(w->chance, count_ies(&w->msg.ies));

	for (size_t i = 0; i < count_ies(&w->msg.ies); i++) {
		struct pfcp_ie *ie = ie_at(&w->msg.ies, (start + i) % count_ies(&w->msg.ies));
		const struct pfcp_member *member = pfcp_message_member(w->msg.type, ie->type);
		struct pfcp_ie *copy;

		if (!member || member->repeated || ie->bare || ie->grouped)
			continue;
		copy = pfcp_add_ref(&w->msg, NULL, ie->type, ie->value);
		return copy != NULL;
	}
	return false;
}

static bool break_missing(void *of)
{
	struct work *w = of;

	for (struct pfcp_ie *ie = w->msg.ies.first; ie; ie = ie->next) {
		const struct pfcp_member *member = pfcp_message_member(w->msg.type, ie->type);

		if (!member || member->presence != PFCP_MANDATORY ||
		    pfcp_count(&w->msg.ies, ie->type) != 1)
			continue;
		remove_ie(&w->msg.ies, ie);
		return true;
	}
	return false;
}

/* A value one octet shorter than its fixed part. */
static bool break_size(void *of)
{
	struct work *w = of;
	size_t count = count_ies(&w->msg.ies);
	size_t start = chance_below(w->chance, count);

	for (size_t i = 0; i < count; i++) {
		struct pfcp_ie *ie = ie_at(&w->msg.ies, (start + i) % count);
		const struct pfcp_ie_info *info = pfcp_ie_info(ie->type);

		if (!info || ie->grouped || ie->bare || info->min < 2 || ie->value.len < info->min)
			continue;
		ie->value.len = info->min - 1u;
		return true;
	}
	return false;
}

static bool break_unknown_id(void *of)
{
	struct work *w = of;
	uint16_t type = (uint16_t)(UNKNOWN_TYPE + chance_below(w->chance, 256));

	return pfcp_add_u16(&w->msg, NULL, type, (uint16_t)chance_draw(w->chance)) != NULL;
}

static bool break_message(void *of)
{
	struct work *w = of;

	w->msg.type = UNKNOWN_MESSAGE;
	return true;
}

static void renew(void *of)
{
	new_message(of);
}

/* PFCP has no order, criticalities, extension bits or fragments. */
static const struct breaks breaks = {
	.of = {
		[FAULT_DUPLICATE] = break_duplicate,
		[FAULT_LENGTH] = break_length,
		[FAULT_MISSING] = break_missing,
		[FAULT_SIZE] = break_size,
		[FAULT_UNKNOWN_ID] = break_unknown_id,
		[FAULT_WRONG_MESSAGE] = break_message,
	},
	.renew = renew,
};

size_t mutate_pfcp(uint8_t *data, size_t size, size_t max, enum mutation_mode mode,
		   enum mutation_fault *fault, struct chance *chance)
{
	struct work w = { .chance = chance };
	int len;

	if (mode == MUTATION_RAW)
		return mutate_octets(data, size, max, mode, fault, chance);
	arena_init(&w.arena, room, sizeof(room));
	if (chance_one_in(chance, 16) ||
	    pfcp_decode(&w.msg, OCTETS(data, size), &w.arena, DECODE_STRICT, NULL) !=
		    FINDING_NONE ||
	    w.msg.following.len || count_findings(&w.msg))
		new_message(&w);
	for (uint32_t n = 1 + chance_below(chance, 3); n > 0; n--)
		keep_valid(&w);
	if (mode == MUTATION_FAULT && count_findings(&w.msg))
		new_message(&w);
	if (mode == MUTATION_FAULT)
		break_any(&breaks, &w, fault, chance);
	len = pfcp_encode(&w.msg, out, sizeof(out));
	if (len <= 0 || (size_t)len > max)
		return 0;
	memcpy(data, out, (size_t)len);
	return (size_t)len;
}

/* IEs of the other message, in place of those of the same type or behind all others. */
size_t cross_pfcp(uint8_t *data, size_t size, size_t max, const uint8_t *other, size_t other_size,
		  struct chance *chance)
{
	struct work w = { .chance = chance };
	struct arena other_arena;
	struct pfcp_message from;
	int len;

	arena_init(&w.arena, room, sizeof(room));
	arena_init(&other_arena, other_room, sizeof(other_room));
	if (pfcp_decode(&w.msg, OCTETS(data, size), &w.arena, DECODE_LENIENT, NULL) !=
		    FINDING_NONE ||
	    pfcp_decode(&from, OCTETS(other, other_size), &other_arena, DECODE_LENIENT, NULL) !=
		    FINDING_NONE ||
	    !from.ies.first || w.msg.length_lies)
		return 0;
	for (uint32_t n = 1 + chance_below(chance, 3); n > 0; n--) {
		const struct pfcp_ie *ie =
			ie_at(&from.ies, chance_below(chance, count_ies(&from.ies)));
		struct pfcp_ie *same = w.msg.ies.first;

		while (same && same->type != ie->type)
			same = same->next;
		if (same) {
			struct pfcp_ie *next = same->next;

			*same = *ie;
			same->next = next;
		} else if (!ie->bare && !ie->grouped && ie->type < PFCP_IE_VENDOR) {
			pfcp_add_ref(&w.msg, NULL, ie->type, ie->value);
		}
	}
	len = pfcp_encode(&w.msg, out, sizeof(out));
	if (len <= 0 || (size_t)len > max)
		return 0;
	memcpy(data, out, (size_t)len);
	return (size_t)len;
}
