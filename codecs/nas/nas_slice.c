/*
 * S-NSSAIs and the lists of them.
 */
#include "codecs/nas/nas_slice.h"

#include <errno.h>

#include "codecs/nas/nas_codec.h"

static uint32_t read24(const uint8_t *data)
{
	return (uint32_t)data[0] << 16 | (uint32_t)data[1] << 8 | data[2];
}

static void write24(uint8_t *data, uint32_t value)
{
	data[0] = (uint8_t)(value >> 16);
	data[1] = (uint8_t)(value >> 8);
	data[2] = (uint8_t)value;
}

enum finding_rule nas_snssai_decode(struct nas_snssai *snssai, struct octets value)
{
	const uint8_t *d = value.data;

	*snssai = (struct nas_snssai){ 0 };
	switch (value.len) {
	case 8:
		snssai->has_mapped_sd = true;
		snssai->mapped_sd = read24(d + 5);
		/* fallthrough */
	case 5:
		snssai->has_mapped_sst = true;
		snssai->mapped_sst = d[4];
		/* fallthrough */
	case 4:
		snssai->has_sd = true;
		snssai->sd = read24(d + 1);
		break;
	case 2:
		snssai->has_mapped_sst = true;
		snssai->mapped_sst = d[1];
		break;
	case 1:
		break;
	default:
		return FINDING_LENGTH;
	}
	snssai->sst = d[0];
	return FINDING_NONE;
}

int nas_snssai_encode(const struct nas_snssai *snssai, uint8_t *out, size_t size)
{
	uint8_t octets[8];
	size_t len = 0;

	if (snssai->has_mapped_sd && !(snssai->has_sd && snssai->has_mapped_sst))
		return -EINVAL;
	if (snssai->sd > 0xffffff || snssai->mapped_sd > 0xffffff)
		return -EINVAL;
	octets[len++] = snssai->sst;
	if (snssai->has_sd) {
		write24(octets + len, snssai->sd);
		len += 3;
	}
	if (snssai->has_mapped_sst)
		octets[len++] = snssai->mapped_sst;
	if (snssai->has_mapped_sd) {
		write24(octets + len, snssai->mapped_sd);
		len += 3;
	}
	if (size < len)
		return -ENOSPC;
	memcpy(out, octets, len);
	return (int)len;
}

int nas_nssai_decode(struct octets value, struct nas_snssai *items, size_t max)
{
	size_t count = 0;

	for (size_t pos = 0; pos < value.len;) {
		size_t len = value.data[pos];
		struct nas_snssai snssai;

		if (value.len - pos - 1 < len ||
		    nas_snssai_decode(&snssai, OCTETS(value.data + pos + 1, len)) != FINDING_NONE)
			return -EBADMSG;
		if (count < max)
			items[count] = snssai;
		count++;
		pos += 1 + len;
	}
	return (int)count;
}

int nas_nssai_encode(const struct nas_snssai *items, size_t count, uint8_t *out, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; i < count; i++) {
		int n;

		if (size - len < 1)
			return -ENOSPC;
		n = nas_snssai_encode(&items[i], out + len + 1, size - len - 1);
		if (n < 0)
			return n;
		out[len] = (uint8_t)n;
		len += 1 + (size_t)n;
	}
	return (int)len;
}

int nas_rejected_nssai_decode(struct octets value, struct nas_rejected_snssai *items, size_t max)
{
	size_t count = 0;

	for (size_t pos = 0; pos < value.len;) {
		const uint8_t *d = value.data + pos;
		size_t len = d[0] >> 4;
		struct nas_rejected_snssai item = { .cause = d[0] & 0x0f };

		if ((len != 1 && len != 4) || value.len - pos - 1 < len)
			return -EBADMSG;
		item.sst = d[1];
		item.has_sd = len == 4;
		if (item.has_sd)
			item.sd = read24(d + 2);
		if (count < max)
			items[count] = item;
		count++;
		pos += 1 + len;
	}
	return (int)count;
}

int nas_rejected_nssai_encode(const struct nas_rejected_snssai *items, size_t count, uint8_t *out,
			      size_t size)
{
	size_t len = 0;

	for (size_t i = 0; i < count; i++) {
		size_t n = items[i].has_sd ? 4 : 1;

		if (items[i].cause > 15 || items[i].sd > 0xffffff)
			return -EINVAL;
		if (size - len < 1 + n)
			return -ENOSPC;
		out[len] = (uint8_t)(n << 4 | items[i].cause);
		out[len + 1] = items[i].sst;
		if (items[i].has_sd)
			write24(out + len + 2, items[i].sd);
		len += 1 + n;
	}
	return (int)len;
}

bool nas_snssai_equal(const struct nas_snssai *a, const struct nas_snssai *b)
{
	return a->sst == b->sst && a->has_sd == b->has_sd && (!a->has_sd || a->sd == b->sd) &&
	       a->has_mapped_sst == b->has_mapped_sst &&
	       (!a->has_mapped_sst || a->mapped_sst == b->mapped_sst) &&
	       a->has_mapped_sd == b->has_mapped_sd &&
	       (!a->has_mapped_sd || a->mapped_sd == b->mapped_sd);
}

void nas_snssai_print(struct text *text, const struct nas_snssai *snssai)
{
	text_printf(text, "%u", snssai->sst);
	if (snssai->has_sd)
		text_printf(text, "-%06x", snssai->sd);
	if (snssai->has_mapped_sst)
		text_printf(text, " (mapped %u", snssai->mapped_sst);
	if (snssai->has_mapped_sd)
		text_printf(text, "-%06x", snssai->mapped_sd);
	if (snssai->has_mapped_sst)
		text_putc(text, ')');
}

int nas_get_nssai(const struct nas_msg *msg, enum nas_ie ie, struct nas_snssai *items, size_t max)
{
	struct octets value;

	if (!nas_get(msg, ie, &value))
		return -ENOENT;
	return nas_nssai_decode(value, items, max);
}

int nas_add_nssai(struct nas_msg *msg, enum nas_ie ie, const struct nas_snssai *items, size_t count)
{
	uint8_t out[9 * NAS_NSSAI_MAX];
	int len = nas_nssai_encode(items, count, out, sizeof(out));

	return len < 0 ? len : nas_add_copy(msg, ie, OCTETS(out, (size_t)len));
}

bool nas_get_snssai(const struct nas_msg *msg, enum nas_ie ie, struct nas_snssai *snssai)
{
	struct octets value;

	return nas_get(msg, ie, &value) && nas_snssai_decode(snssai, value) == FINDING_NONE;
}

int nas_add_snssai(struct nas_msg *msg, enum nas_ie ie, const struct nas_snssai *snssai)
{
	uint8_t out[8];
	int len = nas_snssai_encode(snssai, out, sizeof(out));

	return len < 0 ? len : nas_add_copy(msg, ie, OCTETS(out, (size_t)len));
}

void nas_check_snssai(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	struct nas_snssai snssai;

	(void)type;
	if (nas_snssai_decode(&snssai, value) != FINDING_NONE)
		nas_fault(checker, FINDING_LENGTH, 0, "S-NSSAI");
}

void nas_print_snssai(struct nas_printer *printer, const char *name, struct octets value,
		      enum nas_type type)
{
	struct nas_snssai snssai;
	struct text text;
	char buf[64];

	(void)type;
	if (nas_snssai_decode(&snssai, value) != FINDING_NONE) {
		nas_field_octets(printer, name, value);
		return;
	}
	text_init(&text, buf, sizeof(buf));
	nas_snssai_print(&text, &snssai);
	nas_field(printer, name, "%s", buf);
}

/* A list of length and S-NSSAI; mapped lists only have the lengths 1 and 4. */
static void check_list(struct nas_checker *checker, struct octets value, bool mapped, size_t max)
{
	size_t count = 0;

	for (size_t pos = 0; pos < value.len; count++) {
		size_t len = value.data[pos];
		bool known =
			len == 1 || len == 4 || (!mapped && (len == 2 || len == 5 || len == 8));

		if (value.len - pos - 1 < len) {
			nas_fault(checker, FINDING_TRUNCATED, (uint32_t)pos * 8, "S-NSSAI");
			return;
		}
		if (!known) {
			nas_fault(checker, FINDING_LENGTH, (uint32_t)pos * 8, "S-NSSAI");
			return;
		}
		pos += 1 + len;
	}
	if (count > max)
		nas_fault(checker, FINDING_RANGE, 0, "Number of S-NSSAIs");
}

void nas_check_nssai(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	check_list(checker, value, false, NAS_NSSAI_MAX);
}

void nas_check_mapped_nssai(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	check_list(checker, value, true, 8);
}

void nas_print_nssai(struct nas_printer *printer, const char *name, struct octets value,
		     enum nas_type type)
{
	struct nas_snssai items[NAS_NSSAI_MAX];
	int count = nas_nssai_decode(value, items, NAS_NSSAI_MAX);
	struct text text;
	char buf[512];

	(void)type;
	if (count <= 0 || count > NAS_NSSAI_MAX) {
		nas_field_octets(printer, name, value);
		return;
	}
	text_init(&text, buf, sizeof(buf));
	for (int i = 0; i < count; i++) {
		text_puts(&text, i ? ", " : "");
		nas_snssai_print(&text, &items[i]);
	}
	nas_field(printer, name, "%s", buf);
}

void nas_print_mapped_nssai(struct nas_printer *printer, const char *name, struct octets value,
			    enum nas_type type)
{
	nas_print_nssai(printer, name, value, type);
}

void nas_check_rejected_nssai(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	for (size_t pos = 0; pos < value.len;) {
		size_t len = value.data[pos] >> 4;

		if (len != 1 && len != 4) {
			nas_fault(checker, FINDING_LENGTH, (uint32_t)pos * 8,
				  "Length of rejected S-NSSAI");
			return;
		}
		if (value.len - pos - 1 < len) {
			nas_fault(checker, FINDING_TRUNCATED, (uint32_t)pos * 8,
				  "Rejected S-NSSAI");
			return;
		}
		if ((value.data[pos] & 0x0f) > 2)
			nas_fault(checker, FINDING_RESERVED, (uint32_t)pos * 8 + 4, "Cause value");
		pos += 1 + len;
	}
}

void nas_print_rejected_nssai(struct nas_printer *printer, const char *name, struct octets value,
			      enum nas_type type)
{
	struct nas_rejected_snssai items[NAS_NSSAI_MAX];
	int count = nas_rejected_nssai_decode(value, items, NAS_NSSAI_MAX);
	struct text text;
	char buf[512];

	(void)type;
	if (count <= 0 || count > NAS_NSSAI_MAX) {
		nas_field_octets(printer, name, value);
		return;
	}
	text_init(&text, buf, sizeof(buf));
	for (int i = 0; i < count; i++) {
		text_printf(&text, "%s%u", i ? ", " : "", items[i].sst);
		if (items[i].has_sd)
			text_printf(&text, "-%06x", items[i].sd);
		text_printf(&text, " cause %u", items[i].cause);
	}
	nas_field(printer, name, "%s", buf);
}
