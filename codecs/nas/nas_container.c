/*
 * Messages inside messages: payload containers (TS 24.501 9.11.3.39) and the NAS message
 * container (9.11.3.33).
 */
#include "codecs/nas/nas_build.h"
#include "codecs/nas/nas_codec.h"
#include "codecs/nas/nas_value.h"
#include "codecs/planted.h"

/* Splits an inner message into the arena of the outer one; what it took is given back by mark. */
static bool split_inner(struct nas_msg *inner, struct octets value, struct arena *arena)
{
	return arena && nas_split(inner, value, arena, NULL) == FINDING_NONE;
}

static void check_inner(struct nas_checker *checker, struct octets value, uint32_t bit)
{
	struct nas_checker inner_checker = *checker;
	struct arena *arena = checker->msg->arena;
	struct nas_msg inner;
	size_t mark;

	if (checker->depth + 1 >= NAS_DEPTH_MAX) {
		nas_fault(checker, FINDING_TOO_DEEP, bit, "NAS message");
		return;
	}
	mark = arena ? arena->used : 0;
	if (split_inner(&inner, value, arena)) {
		inner_checker.msg = &inner;
		inner_checker.depth++;
		inner_checker.origin += checker->value_bit + bit;
		nas_check_message(&inner_checker);
		checker->first = inner_checker.first;
	} else {
		nas_fault(checker, FINDING_TRUNCATED, bit, "N1 SM information");
	}
	if (arena && !PLANTED(7))
		arena->used = mark;
}

/* Multiple payloads (9.11.3.39): a count, then entries of length, optional IEs and content. */
struct entry {
	uint8_t type;
	size_t start; /* of the content in the container */
	struct octets content;
};

static bool read_entry(struct octets value, size_t *pos, struct entry *entry)
{
	size_t at = *pos;
	size_t end;
	size_t ies;

	if (value.len - at < 3)
		return false;
	end = at + 2 + ((size_t)value.data[at] << 8 | value.data[at + 1]);
	if (end > value.len || end < at + 3)
		return false;
	entry->type = value.data[at + 2] & 0x0f;
	ies = value.data[at + 2] >> 4;
	at += 3;
	for (; ies > 0; ies--) {
		if (end - at < 2 || end - at - 2 < value.data[at + 1])
			return false;
		at += 2u + value.data[at + 1];
	}
	entry->start = at;
	entry->content = OCTETS(value.data + at, end - at);
	*pos = end;
	return true;
}

static void check_multiple(struct nas_checker *checker, struct octets value)
{
	size_t pos = 1;

	for (unsigned int i = 0; value.len && i < value.data[0]; i++) {
		struct entry entry;

		if (!read_entry(value, &pos, &entry)) {
			nas_fault(checker, FINDING_TRUNCATED, (uint32_t)pos * 8,
				  "Payload container entry");
			return;
		}
		if (entry.type == NAS_PAYLOAD_N1_SM)
			check_inner(checker, entry.content, (uint32_t)entry.start * 8);
	}
	if (pos < value.len)
		nas_fault(checker, FINDING_TRAILING, (uint32_t)pos * 8, "Payload container");
}

void nas_check_payload(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	uint8_t kind;

	(void)type;
	if (!nas_get_u8(checker->msg, NAS_IE_PAYLOAD_CONTAINER_TYPE, &kind))
		return;
	if (kind == NAS_PAYLOAD_MULTIPLE)
		check_multiple(checker, value);
	if (kind != NAS_PAYLOAD_N1_SM)
		return;
	if (value.len == 0 || value.data[0] != NAS_EPD_5GSM)
		nas_fault(checker, FINDING_SYNTAX, 0, "N1 SM information");
	else
		check_inner(checker, value, 0);
}

/* The content may be ciphered, so nothing can be said about it. */
void nas_check_nas_message(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)checker;
	(void)value;
	(void)type;
}

/* Prints octets as a message if they are one that the tables know. */
static bool print_inner(struct nas_printer *printer, const char *name, struct octets value)
{
	struct nas_msg inner;
	const struct nas_msg *outer = printer->msg;
	size_t used = printer->arena ? printer->arena->used : 0;
	bool good;
	size_t mark;

	if (printer->form == NAS_LINE || printer->depth + 1 >= NAS_DEPTH_MAX)
		return false;
	good = split_inner(&inner, value, printer->arena) && inner.info;
	if (good) {
		printer->depth++;
		mark = nas_group(printer, name);
		nas_print_message(printer, &inner);
		nas_group_end(printer, mark);
		printer->depth--;
		printer->msg = outer;
	}
	if (printer->arena)
		printer->arena->used = used;
	return good;
}

void nas_print_nas_message(struct nas_printer *printer, const char *name, struct octets value,
			   enum nas_type type)
{
	(void)type;
	if (!print_inner(printer, name, value))
		nas_field_octets(printer, name, value);
}

void nas_print_payload(struct nas_printer *printer, const char *name, struct octets value,
		       enum nas_type type)
{
	uint8_t kind;
	size_t mark;
	size_t pos = 1;

	(void)type;
	if (!nas_get_u8(printer->msg, NAS_IE_PAYLOAD_CONTAINER_TYPE, &kind))
		kind = 0;
	if (kind == NAS_PAYLOAD_N1_SM && print_inner(printer, name, value))
		return;
	if (kind != NAS_PAYLOAD_MULTIPLE || value.len == 0 || printer->form == NAS_LINE) {
		nas_field_octets(printer, name, value);
		return;
	}
	mark = nas_group(printer, name);
	nas_field(printer, "Number of entries", "%u", value.data[0]);
	for (unsigned int i = 0; i < value.data[0]; i++) {
		struct entry entry;

		if (!read_entry(value, &pos, &entry))
			break;
		nas_field(printer, "Payload container type", "%u", entry.type);
		if (entry.type != NAS_PAYLOAD_N1_SM ||
		    !print_inner(printer, "Payload container contents", entry.content))
			nas_field_octets(printer, "Payload container contents", entry.content);
	}
	if (pos < value.len)
		nas_field_octets(printer, "Further octets",
				 OCTETS(value.data + pos, value.len - pos));
	nas_group_end(printer, mark);
}
