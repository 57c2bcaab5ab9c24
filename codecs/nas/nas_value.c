/*
 * Causes, PDU session maps, names and other values with a little structure of their own.
 */
#include "codecs/nas/nas_value.h"

#include <errno.h>

#include "codecs/nas/nas_codec.h"

static const char *const mm_causes[256] = {
#define CAUSE_5GMM(value, cause, name) [value] = name,
#define CAUSE_5GSM(value, cause, name)
#include "codecs/nas/nas_cause.def"
#undef CAUSE_5GMM
#undef CAUSE_5GSM
};

static const char *const sm_causes[256] = {
#define CAUSE_5GMM(value, cause, name)
#define CAUSE_5GSM(value, cause, name) [value] = name,
#include "codecs/nas/nas_cause.def"
#undef CAUSE_5GMM
#undef CAUSE_5GSM
};

const char *nas_5gmm_cause_name(uint8_t cause)
{
	return mm_causes[cause];
}

const char *nas_5gsm_cause_name(uint8_t cause)
{
	return sm_causes[cause];
}

uint8_t nas_5gmm_cause_read(uint8_t cause)
{
	return mm_causes[cause] ? cause : NAS_5GMM_PROTOCOL_ERROR_UNSPECIFIED;
}

uint8_t nas_service_type_read(uint8_t type)
{
	if (type == 7 || type == 8)
		return NAS_SERVICE_SIGNALLING;
	if (type >= 9 && type <= 11)
		return NAS_SERVICE_DATA;
	return type;
}

static void check_cause(struct nas_checker *checker, struct octets value, const char *const *names)
{
	if (value.len && !names[value.data[0]])
		nas_fault(checker, FINDING_RESERVED, 0, "Cause value");
}

static void print_cause(struct nas_printer *printer, const char *name, struct octets value,
			const char *const *names)
{
	if (value.len != 1)
		nas_field_octets(printer, name, value);
	else
		nas_field(printer, name, "%u (%s)", value.data[0],
			  names[value.data[0]] ? names[value.data[0]] : "unknown");
}

void nas_check_mm_cause(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	check_cause(checker, value, mm_causes);
}

void nas_print_mm_cause(struct nas_printer *printer, const char *name, struct octets value,
			enum nas_type type)
{
	(void)type;
	print_cause(printer, name, value, mm_causes);
}

void nas_check_sm_cause(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	check_cause(checker, value, sm_causes);
}

void nas_print_sm_cause(struct nas_printer *printer, const char *name, struct octets value,
			enum nas_type type)
{
	(void)type;
	print_cause(printer, name, value, sm_causes);
}

bool nas_get_psi(const struct nas_msg *msg, enum nas_ie ie, uint16_t *mask)
{
	struct octets value;

	if (!nas_get(msg, ie, &value) || value.len < 2)
		return false;
	*mask = (uint16_t)(value.data[0] | value.data[1] << 8);
	return true;
}

int nas_add_psi(struct nas_msg *msg, enum nas_ie ie, uint16_t mask)
{
	uint8_t out[2] = { (uint8_t)mask, (uint8_t)(mask >> 8) };

	return nas_add_copy(msg, ie, OCTETS(out, sizeof(out)));
}

void nas_check_psi(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	/* uplink data status and its kin have PSI(0) spare */
	if (value.len && value.data[0] & 1)
		nas_fault(checker, FINDING_RESERVED, 7, "PSI(0)");
	for (size_t i = 2; i < value.len; i++) {
		if (value.data[i]) {
			nas_fault(checker, FINDING_RESERVED, (uint32_t)i * 8, "Spare octets");
			break;
		}
	}
}

void nas_print_psi(struct nas_printer *printer, const char *name, struct octets value,
		   enum nas_type type)
{
	struct text text;
	char buf[64];

	(void)type;
	if (value.len < 2) {
		nas_field_octets(printer, name, value);
		return;
	}
	text_init(&text, buf, sizeof(buf));
	for (unsigned int psi = 0; psi < 16; psi++)
		if (value.data[psi / 8] >> (psi % 8) & 1)
			text_printf(&text, "%s%u", text.len ? " " : "", psi);
	nas_field(printer, name, "PSI %s", text.len ? buf : "none");
}

/* Pairs of PDU session id and cause (9.11.3.43). */
void nas_check_psi_cause(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	if (value.len % 2)
		nas_fault(checker, FINDING_LENGTH, 0,
			  "PDU session reactivation result error cause");
	for (size_t i = 0; i + 1 < value.len; i += 2) {
		if (value.data[i] < 1 || value.data[i] > 15)
			nas_fault(checker, FINDING_RANGE, (uint32_t)i * 8, "PDU session ID");
		if (!mm_causes[value.data[i + 1]])
			nas_fault(checker, FINDING_RESERVED, (uint32_t)(i + 1) * 8, "Cause value");
	}
}

void nas_print_psi_cause(struct nas_printer *printer, const char *name, struct octets value,
			 enum nas_type type)
{
	size_t mark;

	(void)type;
	if (value.len == 0 || value.len % 2 || printer->form == NAS_LINE) {
		nas_field_octets(printer, name, value);
		return;
	}
	mark = nas_group(printer, name);
	for (size_t i = 0; i + 1 < value.len; i += 2) {
		const char *cause = mm_causes[value.data[i + 1]];

		nas_field(printer, "PDU session", "%u cause %u (%s)", value.data[i],
			  value.data[i + 1], cause ? cause : "unknown");
	}
	nas_group_end(printer, mark);
}

/* Labels of TS 23.003 9.1 as dotted text; false when they do not add up or do not fit. */
static bool dnn_text(struct octets value, char *dnn, size_t size)
{
	size_t len = 0;

	for (size_t pos = 0; pos < value.len;) {
		size_t label = value.data[pos++];

		if (label == 0 || label > 63 || value.len - pos < label || size - len < label + 2)
			return false;
		if (len)
			dnn[len++] = '.';
		for (size_t i = 0; i < label; i++) {
			uint8_t c = value.data[pos + i];

			if (c < 0x21 || c > 0x7e)
				return false;
			dnn[len++] = (char)c;
		}
		pos += label;
	}
	if (len == 0)
		return false;
	dnn[len] = '\0';
	return true;
}

bool nas_get_dnn(const struct nas_msg *msg, char *dnn, size_t size)
{
	struct octets value;

	return nas_get(msg, NAS_IE_DNN, &value) && dnn_text(value, dnn, size);
}

int nas_add_dnn(struct nas_msg *msg, const char *dnn)
{
	uint8_t out[100];
	size_t label = 0; /* where the length of the current label goes */
	size_t len = 1;

	for (;; dnn++) {
		if (*dnn && *dnn != '.') {
			if (len == sizeof(out) || len - label > 63)
				return -EINVAL;
			out[len++] = (uint8_t)*dnn;
			continue;
		}
		if (len - label == 1)
			return -EINVAL;
		out[label] = (uint8_t)(len - label - 1);
		if (!*dnn)
			break;
		if (len == sizeof(out))
			return -EINVAL;
		label = len++;
	}
	return nas_add_copy(msg, NAS_IE_DNN, OCTETS(out, len));
}

void nas_check_dnn(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	for (size_t pos = 0; pos < value.len;) {
		size_t label = value.data[pos];

		if (label == 0 || label > 63 || value.len - pos - 1 < label) {
			nas_fault(checker, FINDING_LENGTH, (uint32_t)pos * 8, "DNN label");
			return;
		}
		pos += 1 + label;
	}
}

void nas_print_dnn(struct nas_printer *printer, const char *name, struct octets value,
		   enum nas_type type)
{
	char dnn[128];

	(void)type;
	if (dnn_text(value, dnn, sizeof(dnn)))
		nas_field(printer, name, "%s", dnn);
	else
		nas_field_octets(printer, name, value);
}

bool nas_get_ue_security_capability(const struct nas_msg *msg, enum nas_ie ie,
				    struct nas_ue_security_capability *capability)
{
	struct octets value;

	if (!nas_get(msg, ie, &value) || value.len < 2)
		return false;
	*capability = (struct nas_ue_security_capability){ 0 };
	/* algorithm 0 is bit 8 of its octet */
	for (unsigned int i = 0; i < 8; i++) {
		capability->ea |= (uint8_t)((value.data[0] >> (7 - i) & 1) << i);
		capability->ia |= (uint8_t)((value.data[1] >> (7 - i) & 1) << i);
		if (value.len < 4)
			continue;
		capability->eea |= (uint8_t)((value.data[2] >> (7 - i) & 1) << i);
		capability->eia |= (uint8_t)((value.data[3] >> (7 - i) & 1) << i);
	}
	capability->has_eps = value.len >= 4;
	return true;
}

static uint8_t reversed(uint8_t mask)
{
	uint8_t out = 0;

	for (unsigned int i = 0; i < 8; i++)
		out |= (uint8_t)((mask >> i & 1) << (7 - i));
	return out;
}

int nas_add_ue_security_capability(struct nas_msg *msg, enum nas_ie ie,
				   const struct nas_ue_security_capability *capability)
{
	uint8_t out[4] = { reversed(capability->ea), reversed(capability->ia),
			   reversed(capability->eea), reversed(capability->eia) };

	return nas_add_copy(msg, ie, OCTETS(out, capability->has_eps ? 4 : 2));
}

void nas_check_ue_security(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	/* EEA without EIA cannot be: octets 5 and 6 come together (9.11.3.54) */
	if (value.len == 3)
		nas_fault(checker, FINDING_LENGTH, 0, "UE security capability");
}

void nas_print_ue_security(struct nas_printer *printer, const char *name, struct octets value,
			   enum nas_type type)
{
	static const char *const names[] = { "5G-EA", "5G-IA", "EEA", "EIA" };
	size_t mark;

	(void)type;
	if (printer->form == NAS_LINE || value.len < 2) {
		nas_field_octets(printer, name, value);
		return;
	}
	mark = nas_group(printer, name);
	for (size_t i = 0; i < value.len && i < 4; i++) {
		struct text text;
		char buf[32];

		text_init(&text, buf, sizeof(buf));
		for (unsigned int n = 0; n < 8; n++)
			if (value.data[i] >> (7 - n) & 1)
				text_printf(&text, "%s%u", text.len ? " " : "", n);
		nas_field(printer, names[i], "%s", text.len ? buf : "none");
	}
	if (value.len > 4)
		nas_field_octets(printer, "Further octets", OCTETS(value.data + 4, value.len - 4));
	nas_group_end(printer, mark);
}

/*
 * Unavailability information (9.11.2.20): an octet of type and of what follows, then durations of
 * 3 octets.
 */
enum {
	UNAVAILABILITY_TYPE = 0x07,
	UNAVAILABILITY_DURATION = 0x08,
	UNAVAILABILITY_START = 0x10,
	DURATION_LENGTH = 3,
};

static size_t unavailability_length(uint8_t octet)
{
	return 1 + (octet & UNAVAILABILITY_DURATION ? DURATION_LENGTH : 0u) +
	       (octet & UNAVAILABILITY_START ? DURATION_LENGTH : 0u);
}

void nas_check_unavailability(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	if ((value.data[0] & UNAVAILABILITY_TYPE) > 1)
		nas_fault(checker, FINDING_RESERVED, 5, "Type of unavailability");
	if (value.data[0] & 0xe0)
		nas_fault(checker, FINDING_RESERVED, 0, "Spare bits");
	if (value.len < unavailability_length(value.data[0]))
		nas_fault(checker, FINDING_LENGTH, 0, "Unavailability period");
}

void nas_print_unavailability(struct nas_printer *printer, const char *name, struct octets value,
			      enum nas_type type)
{
	static const char *const names[] = { "UE reasons", "discontinuous coverage" };
	const char *reason;
	size_t at = 1;
	size_t mark;

	(void)type;
	if (value.len == 0 || value.len < unavailability_length(value.data[0])) {
		nas_field_octets(printer, name, value);
		return;
	}
	reason = nas_name_of(names, 2, value.data[0] & UNAVAILABILITY_TYPE);
	if (printer->form == NAS_LINE) {
		nas_field(printer, name, "%s", reason ? reason : "reserved");
		return;
	}
	mark = nas_group(printer, name);
	nas_field(printer, "Type of unavailability", "%u (%s)", value.data[0] & UNAVAILABILITY_TYPE,
		  reason ? reason : "reserved");
	if (value.data[0] & UNAVAILABILITY_DURATION) {
		nas_field_octets(printer, "Unavailability period duration",
				 OCTETS(value.data + at, DURATION_LENGTH));
		at += DURATION_LENGTH;
	}
	if (value.data[0] & UNAVAILABILITY_START)
		nas_field_octets(printer, "Start of the unavailability period",
				 OCTETS(value.data + at, DURATION_LENGTH));
	nas_group_end(printer, mark);
}

/* An EAP packet says its own length (RFC 3748 clause 4). */
void nas_check_eap(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	if (value.len < 4 || (size_t)(value.data[2] << 8 | value.data[3]) != value.len)
		nas_fault(checker, FINDING_LENGTH, 16, "EAP length");
}

void nas_print_eap(struct nas_printer *printer, const char *name, struct octets value,
		   enum nas_type type)
{
	static const char *const names[] = { NULL, "request", "response", "success", "failure" };
	const char *code;

	(void)type;
	if (value.len < 4) {
		nas_field_octets(printer, name, value);
		return;
	}
	code = nas_name_of(names, 5, value.data[0]);
	if (printer->form == NAS_LINE)
		nas_field(printer, name, "EAP-%s", code ? code : "unknown");
	else
		nas_field_octets(printer, name, value);
}

/* Session-AMBR (9.11.4.14): unit and value, downlink then uplink. */
static void print_rate(struct nas_printer *printer, const char *name, const uint8_t *data)
{
	static const char *const prefixes[] = { "k", "M", "G", "T", "P" };
	static const unsigned int steps[] = { 1, 4, 16, 64, 256 };
	unsigned int value = (unsigned int)data[1] << 8 | data[2];
	unsigned int unit = data[0];

	if (unit == 0 || unit > 25)
		nas_field(printer, name, "%u in reserved unit %u", value, unit);
	else
		nas_field(printer, name, "%u x %u %sbit/s", value, steps[(unit - 1) % 5],
			  prefixes[(unit - 1) / 5]);
}

void nas_check_ambr(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	if (value.data[0] == 0)
		nas_fault(checker, FINDING_RESERVED, 0, "Unit for Session-AMBR for downlink");
	if (value.data[3] == 0)
		nas_fault(checker, FINDING_RESERVED, 24, "Unit for Session-AMBR for uplink");
}

void nas_print_ambr(struct nas_printer *printer, const char *name, struct octets value,
		    enum nas_type type)
{
	size_t mark;

	(void)type;
	if (value.len != 6 || printer->form == NAS_LINE) {
		nas_field_octets(printer, name, value);
		return;
	}
	mark = nas_group(printer, name);
	print_rate(printer, "Downlink", value.data);
	print_rate(printer, "Uplink", value.data + 3);
	nas_group_end(printer, mark);
}

/* PDU address (9.11.4.10): the length follows from the PDU session type. */
static size_t pdu_address_length(uint8_t octet)
{
	static const uint8_t lengths[] = { 0, 4, 8, 12 };
	size_t len = (octet & 7) < 4 ? lengths[octet & 7] : 0;

	return len ? 1 + len + (octet & 8 ? 16u : 0u) : 0;
}

void nas_check_pdu_address(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	size_t len = pdu_address_length(value.data[0]);

	(void)type;
	if (len == 0)
		nas_fault(checker, FINDING_RESERVED, 5, "PDU session type value");
	else if (value.len < len)
		nas_fault(checker, FINDING_LENGTH, 0, "PDU address information");
}

void nas_print_pdu_address(struct nas_printer *printer, const char *name, struct octets value,
			   enum nas_type type)
{
	const uint8_t *d = value.data;
	size_t mark;

	(void)type;
	if (value.len == 0 || pdu_address_length(d[0]) == 0 ||
	    value.len < pdu_address_length(d[0]) || printer->form == NAS_LINE) {
		nas_field_octets(printer, name, value);
		return;
	}
	mark = nas_group(printer, name);
	if ((d[0] & 7) != 1) {
		nas_field_octets(printer, "Interface identifier", OCTETS(d + 1, 8));
		d += 8;
	}
	if ((value.data[0] & 7) != 2)
		nas_field(printer, "IPv4 address", "%u.%u.%u.%u", d[1], d[2], d[3], d[4]);
	if (value.data[0] & 8)
		nas_field_octets(printer, "SMF's IPv6 link local address",
				 OCTETS(value.data + pdu_address_length(value.data[0]) - 16, 16));
	nas_group_end(printer, mark);
}

/* Network name (9.11.3.35, TS 24.008 10.5.3.5a): bit 8 of the first octet is always 1. */
void nas_check_network_name(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	if (!(value.data[0] & 0x80))
		nas_fault(checker, FINDING_RESERVED, 0, "Extension bit");
	if ((value.data[0] >> 4 & 7) > 1)
		nas_fault(checker, FINDING_RESERVED, 1, "Coding scheme");
}

/* The GSM 7 bit alphabet is that of ASCII for letters, digits and most signs. */
static bool gsm7_text(struct octets value, size_t spare_bits, char *out, size_t size)
{
	size_t bits = value.len * 8 - spare_bits;
	size_t count = bits / 7;

	if (count + 1 > size)
		return false;
	for (size_t i = 0; i < count; i++) {
		size_t bit = i * 7;
		unsigned int pair = value.data[bit / 8];

		if (bit / 8 + 1 < value.len)
			pair |= (unsigned int)value.data[bit / 8 + 1] << 8;
		out[i] = (char)(pair >> bit % 8 & 0x7f);
		if (out[i] < ' ' || out[i] == 0x7f)
			return false;
	}
	out[count] = '\0';
	return true;
}

void nas_print_network_name(struct nas_printer *printer, const char *name, struct octets value,
			    enum nas_type type)
{
	char text[128];

	(void)type;
	if (value.len < 2 || (value.data[0] & 0x70) != 0 ||
	    !gsm7_text(OCTETS(value.data + 1, value.len - 1), value.data[0] & 7, text,
		       sizeof(text)))
		nas_field_octets(printer, name, value);
	else
		nas_field(printer, name, "\"%s\"", text);
}

void nas_check_octets(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)checker;
	(void)value;
	(void)type;
}

void nas_print_octets(struct nas_printer *printer, const char *name, struct octets value,
		      enum nas_type type)
{
	(void)type;
	nas_field_octets(printer, name, value);
}

void nas_check_spare(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	if (value.len && value.data[0] & 0x0f)
		nas_fault(checker, FINDING_RESERVED, 4, nas_type_name(type));
}

void nas_print_spare(struct nas_printer *printer, const char *name, struct octets value,
		     enum nas_type type)
{
	(void)type;
	if (value.len && value.data[0] & 0x0f)
		nas_field(printer, name, "%u", value.data[0] & 0x0fu);
}
