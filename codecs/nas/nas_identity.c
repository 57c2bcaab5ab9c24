/*
 * The 5GS mobile identity. Every type has its own length rule; all of them are checked before
 * anything is read.
 */
#include "codecs/nas/nas_identity.h"

#include <errno.h>
#include <stdio.h>

#include "codecs/nas/nas_codec.h"
#include "codecs/planted.h"

enum {
	FILLER = 0x0f,
	IMSI_FIXED = 8, /* octets of a SUCI of IMSI format before the scheme output */
	GUTI_LENGTH = 11,
	S_TMSI_LENGTH = 7,
	MAC_LENGTH = 7,
	EUI64_LENGTH = 9,
	IMEI_LENGTH = 8,
	IMEISV_LENGTH = 9,
	SCHEME_RESERVED_FIRST = 3, /* 3 to 11 are reserved, 12 to 15 operator specific */
	SCHEME_RESERVED_LAST = 11,
};

static const char *const type_names[] = {
	"no identity", "SUCI", "5G-GUTI", "IMEI", "5G-S-TMSI", "IMEISV", "MAC address", "EUI-64",
};

static const char *const supi_names[] = { "IMSI", "network specific identifier", "GCI", "GLI" };

static const char *const scheme_names[] = { "null", "ECIES profile A", "ECIES profile B" };

static uint32_t read_be(const uint8_t *data, size_t n)
{
	uint32_t value = 0;

	while (n-- > 0)
		value = value << 8 | *data++;
	return value;
}

static void write_be(uint8_t *data, size_t n, uint32_t value)
{
	while (n-- > 0) {
		data[n] = (uint8_t)value;
		value >>= 8;
	}
}

static void s_tmsi_read(struct nas_s_tmsi *s_tmsi, const uint8_t *data)
{
	s_tmsi->amf_set_id = (uint16_t)(data[0] << 2 | data[1] >> 6);
	s_tmsi->amf_pointer = data[1] & 0x3f;
	s_tmsi->tmsi = read_be(data + 2, 4);
}

static void s_tmsi_write(uint8_t *data, const struct nas_s_tmsi *s_tmsi)
{
	data[0] = (uint8_t)(s_tmsi->amf_set_id >> 2);
	data[1] = (uint8_t)((s_tmsi->amf_set_id & 3) << 6 | s_tmsi->amf_pointer);
	write_be(data + 2, 4, s_tmsi->tmsi);
}

/* 1 to 4 digits, then fillers. */
static bool routing_valid(const uint8_t routing[2])
{
	bool ended = false;

	for (size_t i = 0; i < 4; i++) {
		uint8_t digit = i & 1 ? routing[i / 2] >> 4 : routing[i / 2] & 0x0f;

		if (digit == FILLER && i > 0)
			ended = true;
		else if (digit > 9 || ended)
			return false;
	}
	return true;
}

/* BCD digits in which only the last one may be a filler. */
static bool bcd_valid(struct octets value)
{
	for (size_t i = 0; i < value.len; i++) {
		uint8_t high = value.data[i] >> 4;

		if ((value.data[i] & 0x0f) > 9)
			return false;
		if (high > 9 && (high != FILLER || i + 1 < value.len))
			return false;
	}
	return true;
}

static enum finding_rule suci_decode(struct nas_suci *suci, struct octets value)
{
	const uint8_t *d = value.data;
	bool valid;

	suci->format = (enum nas_supi_format)(d[0] >> 4 & 7);
	if (suci->format != NAS_SUPI_IMSI) {
		suci->nai = OCTETS(d + 1, value.len - 1);
		if (suci->format > NAS_SUPI_GLI)
			return FINDING_NOT_COMPREHENDED;
		if (suci->nai.len == 0)
			return FINDING_LENGTH;
		return d[0] & 0x88 ? FINDING_RESERVED : FINDING_NONE;
	}
	/* without scheme output there is no identity in it */
	if (value.len <= IMSI_FIXED)
		return FINDING_LENGTH;
	memcpy(suci->plmn.octets, d + 1, 3);
	memcpy(suci->routing_indicator, d + 4, 2);
	suci->protection_scheme = d[6] & 0x0f;
	suci->home_network_public_key_id = d[7];
	suci->scheme_output = OCTETS(d + IMSI_FIXED, value.len - IMSI_FIXED);
	valid = nas_plmn_valid(&suci->plmn) && routing_valid(suci->routing_indicator);
	if (suci->protection_scheme == NAS_SCHEME_NULL)
		valid = valid && bcd_valid(suci->scheme_output);
	if (!valid)
		return FINDING_RANGE;
	if (suci->protection_scheme >= SCHEME_RESERVED_FIRST &&
	    suci->protection_scheme <= SCHEME_RESERVED_LAST)
		return FINDING_NOT_COMPREHENDED;
	return d[0] & 0x88 || d[6] & 0xf0 ? FINDING_RESERVED : FINDING_NONE;
}

/*
 * IMEI and IMEISV: the first digit beside the type, two in each octet after it. The IMEI has an
 * odd number of digits, the IMEISV an even one and a filler at the end.
 */
static enum finding_rule digits_decode(struct nas_identity *identity, struct octets value)
{
	bool imei = identity->type == NAS_IDENTITY_IMEI;
	bool odd = value.data[0] & 0x08;
	size_t count = 0;
	bool valid = odd == imei;
	bool filled = true;

	if (value.len != (imei ? IMEI_LENGTH : IMEISV_LENGTH))
		return FINDING_LENGTH;
	for (size_t i = 1; i < 2 * value.len; i++) {
		uint8_t digit = i & 1 ? value.data[i / 2] >> 4 : value.data[i / 2] & 0x0f;

		if (i + 1 == 2 * value.len && !imei) {
			filled = digit == FILLER;
			break;
		}
		valid = valid && digit <= 9;
		identity->digits[count++] = (char)(digit <= 9 ? '0' + digit : '?');
	}
	identity->digits[count] = '\0';
	if (!valid)
		return FINDING_RANGE;
	return filled ? FINDING_NONE : FINDING_RESERVED;
}

static enum finding_rule none_decode(struct octets value)
{
	/* 1 octet; older UEs send 3, as for TMSI (9.11.3.4) */
	if (value.len != 1 && value.len != 3)
		return FINDING_LENGTH;
	return value.data[0] & 0xf8 ? FINDING_RESERVED : FINDING_NONE;
}

enum finding_rule nas_identity_decode(struct nas_identity *identity, struct octets value)
{
	*identity = (struct nas_identity){ 0 };
	if (value.len == 0)
		return FINDING_LENGTH;
	identity->type = (enum nas_identity_type)(value.data[0] & 7);
	switch (identity->type) {
	case NAS_IDENTITY_SUCI:
		return suci_decode(&identity->suci, value);
	case NAS_IDENTITY_GUTI:
		if (value.len != GUTI_LENGTH && !PLANTED(18))
			return FINDING_LENGTH;
		memcpy(identity->guti.plmn.octets, value.data + 1, 3);
		identity->guti.amf_region_id = value.data[4];
		s_tmsi_read(&identity->guti.s_tmsi, value.data + 5);
		if (!nas_plmn_valid(&identity->guti.plmn))
			return FINDING_RANGE;
		return value.data[0] >> 4 != FILLER || value.data[0] & 8 ? FINDING_RESERVED
									 : FINDING_NONE;
	case NAS_IDENTITY_S_TMSI:
		if (value.len != S_TMSI_LENGTH)
			return FINDING_LENGTH;
		s_tmsi_read(&identity->s_tmsi, value.data + 1);
		return value.data[0] >> 4 != FILLER || value.data[0] & 8 ? FINDING_RESERVED
									 : FINDING_NONE;
	case NAS_IDENTITY_IMEI:
	case NAS_IDENTITY_IMEISV:
		return digits_decode(identity, value);
	case NAS_IDENTITY_MAC:
		if (value.len != MAC_LENGTH)
			return FINDING_LENGTH;
		memcpy(identity->mac.address, value.data + 1, 6);
		identity->mac.unrelated = value.data[0] & 8;
		return value.data[0] & 0xf0 ? FINDING_RESERVED : FINDING_NONE;
	case NAS_IDENTITY_EUI64:
		if (value.len != EUI64_LENGTH)
			return FINDING_LENGTH;
		memcpy(identity->eui64, value.data + 1, 8);
		return value.data[0] & 0xf8 ? FINDING_RESERVED : FINDING_NONE;
	case NAS_IDENTITY_NONE:
	default:
		return none_decode(value);
	}
}

int nas_identity_type(struct octets value)
{
	return value.len ? value.data[0] & 7 : -1;
}

const char *nas_identity_type_name(enum nas_identity_type type)
{
	const char *name = nas_name_of(type_names, 8, type);

	return name ? name : "unknown";
}

static int digits_encode(const struct nas_identity *identity, uint8_t *out, size_t size)
{
	bool imei = identity->type == NAS_IDENTITY_IMEI;
	size_t len = imei ? IMEI_LENGTH : IMEISV_LENGTH;
	size_t count = imei ? 15 : 16;

	if (size < len)
		return -ENOSPC;
	memset(out, 0, len);
	out[0] = (uint8_t)(identity->type | (imei ? 8 : 0));
	out[len - 1] = (uint8_t)(imei ? 0 : FILLER << 4);
	for (size_t i = 0; i < count; i++) {
		char c = identity->digits[i];

		if (c < '0' || c > '9')
			return -EINVAL;
		out[(i + 1) / 2] |= (uint8_t)((c - '0') << (i & 1 ? 0 : 4));
	}
	return identity->digits[count] == '\0' ? (int)len : -EINVAL;
}

static int suci_encode(const struct nas_suci *suci, uint8_t *out, size_t size)
{
	struct octets tail = suci->format == NAS_SUPI_IMSI ? suci->scheme_output : suci->nai;
	size_t fixed = suci->format == NAS_SUPI_IMSI ? IMSI_FIXED : 1;

	if ((unsigned int)suci->format > 7 || suci->protection_scheme > 15)
		return -EINVAL;
	if (size < fixed || size - fixed < tail.len)
		return -ENOSPC;
	out[0] = (uint8_t)(suci->format << 4 | NAS_IDENTITY_SUCI);
	if (suci->format == NAS_SUPI_IMSI) {
		memcpy(out + 1, suci->plmn.octets, 3);
		memcpy(out + 4, suci->routing_indicator, 2);
		out[6] = suci->protection_scheme;
		out[7] = suci->home_network_public_key_id;
	}
	if (tail.len)
		memcpy(out + fixed, tail.data, tail.len);
	return (int)(fixed + tail.len);
}

static bool s_tmsi_valid(const struct nas_s_tmsi *s_tmsi)
{
	return s_tmsi->amf_set_id < 1024 && s_tmsi->amf_pointer < 64;
}

int nas_identity_encode(const struct nas_identity *identity, uint8_t *out, size_t size)
{
	switch (identity->type) {
	case NAS_IDENTITY_SUCI:
		return suci_encode(&identity->suci, out, size);
	case NAS_IDENTITY_GUTI:
		if (!s_tmsi_valid(&identity->guti.s_tmsi))
			return -EINVAL;
		if (size < GUTI_LENGTH)
			return -ENOSPC;
		out[0] = 0xf0 | NAS_IDENTITY_GUTI;
		memcpy(out + 1, identity->guti.plmn.octets, 3);
		out[4] = identity->guti.amf_region_id;
		s_tmsi_write(out + 5, &identity->guti.s_tmsi);
		return GUTI_LENGTH;
	case NAS_IDENTITY_S_TMSI:
		if (!s_tmsi_valid(&identity->s_tmsi))
			return -EINVAL;
		if (size < S_TMSI_LENGTH)
			return -ENOSPC;
		out[0] = 0xf0 | NAS_IDENTITY_S_TMSI;
		s_tmsi_write(out + 1, &identity->s_tmsi);
		return S_TMSI_LENGTH;
	case NAS_IDENTITY_IMEI:
	case NAS_IDENTITY_IMEISV:
		return digits_encode(identity, out, size);
	case NAS_IDENTITY_MAC:
		if (size < MAC_LENGTH)
			return -ENOSPC;
		out[0] = (uint8_t)(NAS_IDENTITY_MAC | (identity->mac.unrelated ? 8 : 0));
		memcpy(out + 1, identity->mac.address, 6);
		return MAC_LENGTH;
	case NAS_IDENTITY_EUI64:
		if (size < EUI64_LENGTH)
			return -ENOSPC;
		out[0] = NAS_IDENTITY_EUI64;
		memcpy(out + 1, identity->eui64, 8);
		return EUI64_LENGTH;
	case NAS_IDENTITY_NONE:
		if (size < 1)
			return -ENOSPC;
		out[0] = NAS_IDENTITY_NONE;
		return 1;
	default:
		return -EINVAL;
	}
}

int nas_suci_from_msin(struct nas_identity *identity, const struct nas_plmn *plmn,
		       const char *routing, const char *msin, struct arena *arena)
{
	struct nas_suci *suci = &identity->suci;
	size_t len = strlen(msin);
	size_t routing_len = strlen(routing);
	uint8_t *output;

	if (len == 0 || routing_len == 0 || routing_len > 4)
		return -EINVAL;
	output = arena_take(arena, (len + 1) / 2);
	if (!output)
		return -ENOSPC;
	memset(output, 0, (len + 1) / 2);
	for (size_t i = 0; i < len; i++) {
		if (msin[i] < '0' || msin[i] > '9')
			return -EINVAL;
		output[i / 2] |= (uint8_t)((msin[i] - '0') << (i & 1 ? 4 : 0));
	}
	if (len & 1)
		output[len / 2] |= 0xf0;
	*identity = (struct nas_identity){ .type = NAS_IDENTITY_SUCI };
	suci->plmn = *plmn;
	suci->scheme_output = OCTETS(output, (len + 1) / 2);
	suci->routing_indicator[0] = 0xff;
	suci->routing_indicator[1] = 0xff;
	for (size_t i = 0; i < routing_len; i++) {
		uint8_t *octet = &suci->routing_indicator[i / 2];
		unsigned int digit = (unsigned int)(routing[i] - '0');

		if (digit > 9)
			return -EINVAL;
		*octet = (uint8_t)(i & 1 ? digit << 4 | (*octet & 0x0f) : 0xf0 | digit);
	}
	return 0;
}

bool nas_suci_routing_digits(const struct nas_suci *suci, char digits[5])
{
	size_t count = 0;

	digits[0] = '\0';
	if (!routing_valid(suci->routing_indicator))
		return false;
	for (size_t i = 0; i < 4; i++) {
		uint8_t octet = suci->routing_indicator[i / 2];
		uint8_t digit = i & 1 ? octet >> 4 : octet & 0x0f;

		if (digit != FILLER)
			digits[count++] = (char)('0' + digit);
	}
	digits[count] = '\0';
	return true;
}

bool nas_suci_msin(const struct nas_suci *suci, char *msin, size_t size)
{
	struct octets output = suci->scheme_output;
	size_t count = 0;

	if (suci->format != NAS_SUPI_IMSI || suci->protection_scheme != NAS_SCHEME_NULL ||
	    !bcd_valid(output) || size < 2 * output.len + 1)
		return false;
	for (size_t i = 0; i < output.len; i++) {
		msin[count++] = (char)('0' + (output.data[i] & 0x0f));
		if (output.data[i] >> 4 != FILLER)
			msin[count++] = (char)('0' + (output.data[i] >> 4));
	}
	msin[count] = '\0';
	return true;
}

bool nas_get_identity(const struct nas_msg *msg, enum nas_ie ie, struct nas_identity *identity)
{
	struct octets value;
	enum finding_rule rule;

	if (nas_ie_type(ie) != NAS_TYPE_5GS_MOBILE_IDENTITY || !nas_get(msg, ie, &value))
		return false;
	rule = nas_identity_decode(identity, value);
	return rule == FINDING_NONE || rule == FINDING_RESERVED;
}

int nas_add_identity(struct nas_msg *msg, enum nas_ie ie, const struct nas_identity *identity)
{
	size_t max = 16 + identity->suci.scheme_output.len * (identity->type == NAS_IDENTITY_SUCI) +
		     identity->suci.nai.len * (identity->type == NAS_IDENTITY_SUCI);
	uint8_t *out;
	int len;

	if (!nas_row(msg->info, ie))
		return -ENOENT;
	out = msg->arena ? arena_take(msg->arena, max) : NULL;
	if (!out)
		return -ENOMEM;
	len = nas_identity_encode(identity, out, max);
	return len < 0 ? len : nas_add(msg, ie, OCTETS(out, (size_t)len));
}

int nas_add_guti(struct nas_msg *msg, enum nas_ie ie, const struct nas_guti *guti)
{
	struct nas_identity identity = { .type = NAS_IDENTITY_GUTI, .guti = *guti };

	return nas_add_identity(msg, ie, &identity);
}

int nas_add_s_tmsi(struct nas_msg *msg, enum nas_ie ie, const struct nas_s_tmsi *s_tmsi)
{
	struct nas_identity identity = { .type = NAS_IDENTITY_S_TMSI, .s_tmsi = *s_tmsi };

	return nas_add_identity(msg, ie, &identity);
}

bool nas_s_tmsi_equal(const struct nas_s_tmsi *a, const struct nas_s_tmsi *b)
{
	return a->amf_set_id == b->amf_set_id && a->amf_pointer == b->amf_pointer &&
	       a->tmsi == b->tmsi;
}

bool nas_guti_equal(const struct nas_guti *a, const struct nas_guti *b)
{
	return nas_plmn_equal(&a->plmn, &b->plmn) && a->amf_region_id == b->amf_region_id &&
	       nas_s_tmsi_equal(&a->s_tmsi, &b->s_tmsi);
}

void nas_check_identity(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	struct nas_identity identity;
	enum finding_rule rule = nas_identity_decode(&identity, value);

	(void)type;
	if (rule != FINDING_NONE)
		nas_fault(checker, rule, 0, nas_identity_type_name(identity.type));
}

/* What the identity says besides its type: "001-01 0 scheme 0 0000000001". */
static void print_brief(struct text *text, const struct nas_identity *identity)
{
	const struct nas_suci *suci = &identity->suci;
	char digits[5];

	switch (identity->type) {
	case NAS_IDENTITY_SUCI:
		if (suci->format != NAS_SUPI_IMSI) {
			text_hex(text, suci->nai.data, suci->nai.len);
			break;
		}
		nas_plmn_print(text, &suci->plmn);
		nas_suci_routing_digits(suci, digits);
		text_printf(text, " %s ", digits[0] ? digits : "?");
		text_printf(text, "scheme %u ", suci->protection_scheme);
		if (suci->protection_scheme == NAS_SCHEME_NULL && suci->scheme_output.len <= 8) {
			char msin[17];

			if (nas_suci_msin(suci, msin, sizeof(msin))) {
				text_puts(text, msin);
				break;
			}
		}
		text_hex(text, suci->scheme_output.data, suci->scheme_output.len);
		break;
	case NAS_IDENTITY_GUTI:
		nas_plmn_print(text, &identity->guti.plmn);
		text_printf(text, " %u/%u/%u %08x", identity->guti.amf_region_id,
			    identity->guti.s_tmsi.amf_set_id, identity->guti.s_tmsi.amf_pointer,
			    identity->guti.s_tmsi.tmsi);
		break;
	case NAS_IDENTITY_S_TMSI:
		text_printf(text, "%u/%u %08x", identity->s_tmsi.amf_set_id,
			    identity->s_tmsi.amf_pointer, identity->s_tmsi.tmsi);
		break;
	case NAS_IDENTITY_IMEI:
	case NAS_IDENTITY_IMEISV:
		text_puts(text, identity->digits);
		break;
	case NAS_IDENTITY_MAC:
		text_hex(text, identity->mac.address, sizeof(identity->mac.address));
		break;
	case NAS_IDENTITY_EUI64:
		text_hex(text, identity->eui64, sizeof(identity->eui64));
		break;
	default:
		break;
	}
}

static void print_plmn_field(struct nas_printer *printer, const struct nas_plmn *plmn)
{
	struct text text;
	char buf[16];

	text_init(&text, buf, sizeof(buf));
	nas_plmn_print(&text, plmn);
	nas_field(printer, "PLMN", "%s", buf);
}

static void print_s_tmsi(struct nas_printer *printer, const struct nas_s_tmsi *s_tmsi)
{
	nas_field(printer, "AMF Set ID", "%u", s_tmsi->amf_set_id);
	nas_field(printer, "AMF Pointer", "%u", s_tmsi->amf_pointer);
	nas_field(printer, "5G-TMSI", "%08x", s_tmsi->tmsi);
}

static void print_suci(struct nas_printer *printer, const struct nas_suci *suci)
{
	const char *supi = nas_name_of(supi_names, 4, suci->format);
	const char *scheme = nas_name_of(scheme_names, 3, suci->protection_scheme);
	char digits[5];
	char msin[64];

	nas_field(printer, "SUPI format", "%u (%s)", suci->format, supi ? supi : "unknown");
	if (suci->format != NAS_SUPI_IMSI) {
		nas_field_octets(printer, "NAI", suci->nai);
		return;
	}
	print_plmn_field(printer, &suci->plmn);
	if (nas_suci_routing_digits(suci, digits))
		nas_field(printer, "Routing indicator", "%s", digits);
	else
		nas_field_octets(printer, "Routing indicator", OCTETS(suci->routing_indicator, 2));
	nas_field(printer, "Protection scheme", "%u (%s)", suci->protection_scheme,
		  scheme ? scheme : "unknown");
	nas_field(printer, "Home network public key identifier", "%u",
		  suci->home_network_public_key_id);
	if (nas_suci_msin(suci, msin, sizeof(msin)))
		nas_field(printer, "MSIN", "%s", msin);
	else
		nas_field_octets(printer, "Scheme output", suci->scheme_output);
}

void nas_print_identity(struct nas_printer *printer, const char *name, struct octets value,
			enum nas_type type)
{
	struct nas_identity identity;
	enum finding_rule rule = nas_identity_decode(&identity, value);
	struct text text;
	char buf[128];
	size_t mark;

	(void)type;
	if (rule == FINDING_LENGTH) {
		nas_field_octets(printer, name, value);
		return;
	}
	if (printer->form == NAS_LINE) {
		text_init(&text, buf, sizeof(buf));
		print_brief(&text, &identity);
		if (strcmp(name, nas_identity_type_name(identity.type)) == 0)
			nas_field(printer, name, "%s", buf);
		else
			nas_field(printer, name, "%s%s%s", nas_identity_type_name(identity.type),
				  text.len ? " " : "", buf);
		return;
	}
	mark = nas_group(printer, name);
	nas_field(printer, "Type of identity", "%u (%s)", identity.type,
		  nas_identity_type_name(identity.type));
	switch (identity.type) {
	case NAS_IDENTITY_SUCI:
		print_suci(printer, &identity.suci);
		break;
	case NAS_IDENTITY_GUTI:
		print_plmn_field(printer, &identity.guti.plmn);
		nas_field(printer, "AMF Region ID", "%u", identity.guti.amf_region_id);
		print_s_tmsi(printer, &identity.guti.s_tmsi);
		break;
	case NAS_IDENTITY_S_TMSI:
		print_s_tmsi(printer, &identity.s_tmsi);
		break;
	case NAS_IDENTITY_IMEI:
	case NAS_IDENTITY_IMEISV:
		nas_field(printer, "Digits", "%s", identity.digits);
		break;
	case NAS_IDENTITY_MAC:
		nas_field_octets(printer, "MAC address", OCTETS(identity.mac.address, 6));
		nas_field(printer, "MAURI", "%d", identity.mac.unrelated);
		break;
	case NAS_IDENTITY_EUI64:
		nas_field_octets(printer, "EUI-64", OCTETS(identity.eui64, 8));
		break;
	default:
		break;
	}
	if (rule != FINDING_NONE)
		nas_field_octets(printer, "Octets", value);
	nas_group_end(printer, mark);
}
