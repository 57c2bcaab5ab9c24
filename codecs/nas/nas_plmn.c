/*
 * PLMN identities, alone and in lists.
 */
#include <errno.h>

#include "codecs/nas/nas_codec.h"
#include "codecs/nas/nas_identity.h"

enum { FILLER = 0x0f };

/* The digits of a PLMN: MCC 1 to 3, MNC 1 to 3. */
static void plmn_digits(const struct nas_plmn *plmn, uint8_t digits[6])
{
	const uint8_t *o = plmn->octets;

	digits[0] = o[0] & 0x0f;
	digits[1] = o[0] >> 4;
	digits[2] = o[1] & 0x0f;
	digits[3] = o[2] & 0x0f;
	digits[4] = o[2] >> 4;
	digits[5] = o[1] >> 4;
}

int nas_plmn_from_text(struct nas_plmn *plmn, const char *text)
{
	uint8_t digits[6] = { [5] = FILLER };
	size_t count = 0;

	for (; *text; text++) {
		if (*text == '-' && count == 3)
			continue;
		if (*text < '0' || *text > '9' || count == 6)
			return -EINVAL;
		digits[count++] = (uint8_t)(*text - '0');
	}
	if (count < 5)
		return -EINVAL;
	plmn->octets[0] = (uint8_t)(digits[1] << 4 | digits[0]);
	plmn->octets[1] = (uint8_t)(digits[5] << 4 | digits[2]);
	plmn->octets[2] = (uint8_t)(digits[4] << 4 | digits[3]);
	return 0;
}

bool nas_plmn_valid(const struct nas_plmn *plmn)
{
	uint8_t digits[6];

	plmn_digits(plmn, digits);
	for (size_t i = 0; i < 5; i++)
		if (digits[i] > 9)
			return false;
	return digits[5] <= 9 || digits[5] == FILLER;
}

bool nas_plmn_equal(const struct nas_plmn *a, const struct nas_plmn *b)
{
	return memcmp(a->octets, b->octets, sizeof(a->octets)) == 0;
}

void nas_plmn_print(struct text *text, const struct nas_plmn *plmn)
{
	static const char hex[] = "0123456789abcdef";
	uint8_t digits[6];

	plmn_digits(plmn, digits);
	for (size_t i = 0; i < 5; i++) {
		if (i == 3)
			text_putc(text, '-');
		text_putc(text, hex[digits[i]]);
	}
	if (digits[5] != FILLER)
		text_putc(text, hex[digits[5]]);
}

void nas_check_plmn(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	struct nas_plmn plmn;

	(void)type;
	memcpy(plmn.octets, value.data, sizeof(plmn.octets));
	if (!nas_plmn_valid(&plmn))
		nas_fault(checker, FINDING_RANGE, 0, "PLMN identity");
}

/* Any number of PLMNs, as the equivalent PLMNs. */
void nas_check_plmn_list(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	if (value.len % 3)
		nas_fault(checker, FINDING_LENGTH, 0, nas_type_name(type));
	for (size_t i = 0; i + 3 <= value.len; i += 3) {
		struct nas_plmn plmn;

		memcpy(plmn.octets, value.data + i, 3);
		if (!nas_plmn_valid(&plmn))
			nas_fault(checker, FINDING_RANGE, (uint32_t)i * 8, "PLMN identity");
	}
}

void nas_print_plmn_list(struct nas_printer *printer, const char *name, struct octets value,
			 enum nas_type type)
{
	struct text text;
	char buf[256];

	(void)type;
	if (value.len == 0 || value.len % 3 || value.len > 3 * 31) {
		nas_field_octets(printer, name, value);
		return;
	}
	text_init(&text, buf, sizeof(buf));
	for (size_t i = 0; i < value.len; i += 3) {
		struct nas_plmn plmn;

		memcpy(plmn.octets, value.data + i, 3);
		text_puts(&text, i ? " " : "");
		nas_plmn_print(&text, &plmn);
	}
	nas_field(printer, name, "%s", buf);
}

void nas_print_plmn(struct nas_printer *printer, const char *name, struct octets value,
		    enum nas_type type)
{
	nas_print_plmn_list(printer, name, value, type);
}
