/*
 * Tracking areas.
 */
#include "codecs/nas/nas_area.h"

#include <errno.h>

#include "codecs/nas/nas_codec.h"

enum { TAI_LENGTH = 6, PLMN_LENGTH = 3, TAC_LENGTH = 3, TAC_MAX = 0xffffff };

static uint32_t read24(const uint8_t *data)
{
	return (uint32_t)data[0] << 16 | (uint32_t)data[1] << 8 | data[2];
}

static void write_tac(uint8_t *data, uint32_t tac)
{
	data[0] = (uint8_t)(tac >> 16);
	data[1] = (uint8_t)(tac >> 8);
	data[2] = (uint8_t)tac;
}

static struct nas_tai read_tai(const uint8_t *plmn, const uint8_t *tac)
{
	struct nas_tai tai = { .tac = read24(tac) };

	memcpy(tai.plmn.octets, plmn, PLMN_LENGTH);
	return tai;
}

enum finding_rule nas_tai_decode(struct nas_tai *tai, struct octets value)
{
	if (value.len != TAI_LENGTH)
		return FINDING_LENGTH;
	*tai = read_tai(value.data, value.data + PLMN_LENGTH);
	return nas_plmn_valid(&tai->plmn) ? FINDING_NONE : FINDING_RANGE;
}

void nas_tai_encode(const struct nas_tai *tai, uint8_t out[6])
{
	memcpy(out, tai->plmn.octets, PLMN_LENGTH);
	write_tac(out + PLMN_LENGTH, tai->tac);
}

/* A partial list (9.11.3.9) inside a list. */
struct partial {
	enum nas_tai_list_type type;
	size_t count;
	const uint8_t *data; /* behind the octet with type and number */
	size_t len;
};

static size_t partial_length(enum nas_tai_list_type type, size_t count)
{
	switch (type) {
	case NAS_TAI_ONE_PLMN:
		return PLMN_LENGTH + count * TAC_LENGTH;
	case NAS_TAI_ONE_PLMN_RANGE:
		return TAI_LENGTH;
	default:
		return count * TAI_LENGTH;
	}
}

/* The partial list at pos; the rule that it breaks, else FINDING_NONE. */
static enum finding_rule read_partial(struct octets value, size_t pos, struct partial *partial)
{
	unsigned int type = value.data[pos] >> 5 & 3;

	if (type > NAS_TAI_MANY_PLMNS)
		return FINDING_NOT_COMPREHENDED;
	partial->type = (enum nas_tai_list_type)type;
	partial->count = (value.data[pos] & 0x1f) + 1u;
	partial->data = value.data + pos + 1;
	partial->len = partial_length(partial->type, partial->count);
	return value.len - pos - 1 < partial->len ? FINDING_TRUNCATED : FINDING_NONE;
}

static struct nas_tai partial_tai(const struct partial *partial, size_t i)
{
	const uint8_t *d = partial->data;
	struct nas_tai tai;

	switch (partial->type) {
	case NAS_TAI_ONE_PLMN:
		return read_tai(d, d + PLMN_LENGTH + i * TAC_LENGTH);
	case NAS_TAI_ONE_PLMN_RANGE:
		tai = read_tai(d, d + PLMN_LENGTH);
		tai.tac = (tai.tac + (uint32_t)i) & TAC_MAX;
		return tai;
	default:
		d += i * TAI_LENGTH;
		return read_tai(d, d + PLMN_LENGTH);
	}
}

int nas_tai_list_decode(struct octets value, struct nas_tai *items, size_t max)
{
	size_t count = 0;

	for (size_t pos = 0; pos < value.len;) {
		struct partial partial;

		if (read_partial(value, pos, &partial) != FINDING_NONE)
			return -EBADMSG;
		for (size_t i = 0; i < partial.count; i++, count++)
			if (count < max)
				items[count] = partial_tai(&partial, i);
		pos += 1 + partial.len;
	}
	return (int)count;
}

int nas_tai_list_encode(enum nas_tai_list_type type, const struct nas_tai *items, size_t count,
			uint8_t *out, size_t size)
{
	size_t len = 1 + partial_length(type, count);

	if (count < 1 || count > NAS_TAI_LIST_MAX || (unsigned int)type > NAS_TAI_MANY_PLMNS)
		return -EINVAL;
	for (size_t i = 0; i < count; i++) {
		if (items[i].tac > TAC_MAX)
			return -EINVAL;
		if (type != NAS_TAI_MANY_PLMNS && !nas_plmn_equal(&items[i].plmn, &items[0].plmn))
			return -EINVAL;
		if (type == NAS_TAI_ONE_PLMN_RANGE && items[i].tac != items[0].tac + i)
			return -EINVAL;
	}
	if (size < len)
		return -ENOSPC;
	out[0] = (uint8_t)(type << 5 | (count - 1));
	if (type == NAS_TAI_MANY_PLMNS) {
		for (size_t i = 0; i < count; i++)
			nas_tai_encode(&items[i], out + 1 + i * TAI_LENGTH);
		return (int)len;
	}
	nas_tai_encode(&items[0], out + 1);
	for (size_t i = 1; type == NAS_TAI_ONE_PLMN && i < count; i++)
		write_tac(out + 1 + PLMN_LENGTH + i * TAC_LENGTH, items[i].tac);
	return (int)len;
}

bool nas_tai_equal(const struct nas_tai *a, const struct nas_tai *b)
{
	return nas_plmn_equal(&a->plmn, &b->plmn) && a->tac == b->tac;
}

bool nas_tai_list_has(struct octets value, const struct nas_tai *tai)
{
	struct partial partial;
	bool found = false;

	for (size_t pos = 0; pos < value.len; pos += 1 + partial.len) {
		if (read_partial(value, pos, &partial) != FINDING_NONE)
			return false;
		for (size_t i = 0; i < partial.count && !found; i++) {
			struct nas_tai other = partial_tai(&partial, i);

			found = nas_tai_equal(&other, tai);
		}
	}
	return found;
}

void nas_tai_print(struct text *text, const struct nas_tai *tai)
{
	nas_plmn_print(text, &tai->plmn);
	text_printf(text, " tac %06x", tai->tac);
}

int nas_add_tai_list(struct nas_msg *msg, enum nas_ie ie, enum nas_tai_list_type type,
		     const struct nas_tai *items, size_t count)
{
	uint8_t out[1 + TAI_LENGTH * NAS_TAI_LIST_MAX];
	int len = nas_tai_list_encode(type, items, count, out, sizeof(out));

	return len < 0 ? len : nas_add_copy(msg, ie, OCTETS(out, (size_t)len));
}

int nas_add_tai(struct nas_msg *msg, enum nas_ie ie, const struct nas_tai *tai)
{
	uint8_t out[TAI_LENGTH];

	if (tai->tac > TAC_MAX)
		return -EINVAL;
	nas_tai_encode(tai, out);
	return nas_add_copy(msg, ie, OCTETS(out, sizeof(out)));
}

bool nas_get_tai(const struct nas_msg *msg, enum nas_ie ie, struct nas_tai *tai)
{
	struct octets value;

	return nas_get(msg, ie, &value) && nas_tai_decode(tai, value) == FINDING_NONE;
}

void nas_check_tai(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	struct nas_tai tai;
	enum finding_rule rule = nas_tai_decode(&tai, value);

	(void)type;
	if (rule != FINDING_NONE)
		nas_fault(checker, rule, 0, "Tracking area identity");
}

void nas_print_tai(struct nas_printer *printer, const char *name, struct octets value,
		   enum nas_type type)
{
	struct nas_tai tai;
	struct text text;
	char buf[32];

	(void)type;
	if (nas_tai_decode(&tai, value) == FINDING_LENGTH) {
		nas_field_octets(printer, name, value);
		return;
	}
	text_init(&text, buf, sizeof(buf));
	nas_tai_print(&text, &tai);
	nas_field(printer, name, "%s", buf);
}

void nas_check_tai_list(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	size_t count = 0;

	(void)type;
	for (size_t pos = 0; pos < value.len;) {
		uint32_t bit = (uint32_t)pos * 8;
		struct partial partial;
		enum finding_rule rule = read_partial(value, pos, &partial);

		if (rule != FINDING_NONE) {
			nas_fault(checker, rule, bit, "Partial tracking area identity list");
			return;
		}
		if (value.data[pos] & 0x80)
			nas_fault(checker, FINDING_RESERVED, bit, "Spare bit");
		for (size_t i = 0; i < partial.count; i++) {
			struct nas_tai tai = partial_tai(&partial, i);

			if (!nas_plmn_valid(&tai.plmn)) {
				nas_fault(checker, FINDING_RANGE, bit, "PLMN identity");
				break;
			}
		}
		count += partial.count;
		pos += 1 + partial.len;
	}
	if (count > NAS_TAI_LIST_MAX)
		nas_fault(checker, FINDING_RANGE, 0, "Number of tracking area identities");
}

void nas_print_tai_list(struct nas_printer *printer, const char *name, struct octets value,
			enum nas_type type)
{
	static const char *const names[] = { "one PLMN", "one PLMN, consecutive TACs",
					     "different PLMNs" };
	struct text text;
	char buf[64];
	size_t mark;

	(void)type;
	if (nas_tai_list_decode(value, NULL, 0) <= 0 || printer->form == NAS_LINE) {
		nas_field_octets(printer, name, value);
		return;
	}
	mark = nas_group(printer, name);
	for (size_t pos = 0; pos < value.len;) {
		struct partial partial;

		if (read_partial(value, pos, &partial) != FINDING_NONE)
			break;
		nas_field(printer, "Type of list", "%u (%s)", partial.type, names[partial.type]);
		for (size_t i = 0; i < partial.count; i++) {
			struct nas_tai tai = partial_tai(&partial, i);

			text_init(&text, buf, sizeof(buf));
			nas_tai_print(&text, &tai);
			if (partial.type == NAS_TAI_ONE_PLMN_RANGE)
				text_printf(&text, " and the %zu after it", partial.count - 1);
			nas_field(printer, "TAI", "%s", buf);
			if (partial.type == NAS_TAI_ONE_PLMN_RANGE)
				break;
		}
		pos += 1 + partial.len;
	}
	nas_group_end(printer, mark);
}
