/*
 * IEs that are nothing but bit fields: one table, one check, one print.
 */
#include "codecs/nas/nas_codec.h"
#include "codecs/nas/nas_value.h"

struct names {
	const char *const *names;
	size_t count;
};

#define NAMES(set, ...)                                           \
	static const char *const names_##set[] = { __VA_ARGS__ }; \
	static const struct names set = { names_##set, sizeof(names_##set) / sizeof(char *) }

/* A hole in a list of names is a value that the standard reserves. */
static const struct names number = { NULL, 0 };
NAMES(access_type, NULL, "3GPP access", "non-3GPP access", "3GPP access and non-3GPP access");
NAMES(identity_type, "no identity", "SUCI", "5G-GUTI", "IMEI", "5G-S-TMSI", "IMEISV", "MAC address",
      "EUI-64");
NAMES(drx_value, "not specified", "T = 32", "T = 64", "T = 128", "T = 256");
NAMES(registration_result, NULL, "3GPP access", "non-3GPP access",
      "3GPP access and non-3GPP access");
NAMES(registration_type, NULL, "initial registration", "mobility registration updating",
      "periodic registration updating", "emergency registration", "SNPN onboarding registration",
      "disaster roaming mobility registration updating", "disaster roaming initial registration");
NAMES(control_plane_service_type, "mobile originating request", "mobile terminating request",
      "emergency services", "emergency services fallback");
NAMES(daylight_saving, "no adjustment", "+1 hour", "+2 hours");
NAMES(ciphering_algorithm, "5G-EA0", "128-5G-EA1", "128-5G-EA2", "128-5G-EA3", "5G-EA4", "5G-EA5",
      "5G-EA6", "5G-EA7");
NAMES(integrity_algorithm, "5G-IA0", "128-5G-IA1", "128-5G-IA2", "128-5G-IA3", "5G-IA4", "5G-IA5",
      "5G-IA6", "5G-IA7");
NAMES(nssai_inclusion_mode, "A", "B", "C", "D");
NAMES(payload_container_type, NULL, "N1 SM information", "SMS",
      "LTE Positioning Protocol message container", "SOR transparent container",
      "UE policy container", "UE parameters update transparent container",
      "Location services message container", "CIoT user data container",
      "Service-level-AA container", "Event notification", "UPP-CMI container", NULL, NULL, NULL,
      "Multiple payloads");
NAMES(pdu_session_identity, "none assigned", "PSI 1", "PSI 2", "PSI 3", "PSI 4", "PSI 5", "PSI 6",
      "PSI 7", "PSI 8", "PSI 9", "PSI 10", "PSI 11", "PSI 12", "PSI 13", "PSI 14", "PSI 15");
NAMES(request_type, NULL, "initial request", "existing PDU session", "initial emergency request",
      "existing emergency PDU session", "modification request", "MA PDU request");
NAMES(service_type, "signalling", "data", "mobile terminated services", "emergency services",
      "emergency services fallback", "high priority access", "elevated signalling");
NAMES(usage_setting, "voice centric", "data centric");
NAMES(ue_request_type, NULL, "NAS signalling connection release", "rejection of paging");
NAMES(pdu_session_type, NULL, "IPv4", "IPv6", "IPv4v6", "Unstructured", "Ethernet");
NAMES(ssc_mode, NULL, "SSC mode 1", "SSC mode 2", "SSC mode 3");

struct field {
	uint8_t octet;
	uint8_t high;
	uint8_t low;
	const char *name; /* NULL: spare */
	const struct names *names;
};

enum {
#define FIELDS(type)			     FIRST_##type, BEFORE_##type = FIRST_##type - 1,
#define FIELD(octet, high, low, name, names) FIELD_AT(__LINE__),
#define SPARE(octet, high, low)		     FIELD_AT(__LINE__),
#define END(type)			     END_##type, AFTER_##type = END_##type - 1,
#define FIELD_AT(line)			     FIELD_AT_LINE(line)
#define FIELD_AT_LINE(line)		     FIELD_##line
#include "codecs/nas/nas_field.def"
#undef FIELDS
#undef FIELD
#undef SPARE
#undef END
};

static const struct field fields[] = {
#define FIELDS(type)
#define FIELD(octet, high, low, name, names) { octet, high, low, name, &names },
#define SPARE(octet, high, low)		     { octet, high, low, NULL, NULL },
#define END(type)
#include "codecs/nas/nas_field.def"
#undef FIELDS
#undef FIELD
#undef SPARE
#undef END
};

static const struct {
	uint8_t first;
	uint8_t end;
} ranges[NAS_TYPE_COUNT] = {
#define FIELDS(type) [NAS_TYPE_##type] = { FIRST_##type, END_##type },
#define FIELD(octet, high, low, name, names)
#define SPARE(octet, high, low)
#define END(type)
#include "codecs/nas/nas_field.def"
#undef FIELDS
#undef FIELD
#undef SPARE
#undef END
};

static unsigned int field_value(const struct field *field, struct octets value)
{
	unsigned int width = field->high - field->low + 1u;

	return (unsigned int)value.data[field->octet - 1] >> (field->low - 1) & ((1u << width) - 1);
}

void nas_check_fields(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	for (size_t i = ranges[type].first; i < ranges[type].end; i++) {
		const struct field *field = &fields[i];
		uint32_t bit = (field->octet - 1u) * 8 + 8u - field->high;
		unsigned int number_seen;

		if (field->octet > value.len)
			break;
		number_seen = field_value(field, value);
		if (!field->name && number_seen)
			nas_fault(checker, FINDING_RESERVED, bit, "Spare bits");
		if (field->name && field->names->count &&
		    !nas_name_of(field->names->names, field->names->count, number_seen))
			nas_fault(checker, FINDING_RESERVED, bit, field->name);
	}
}

/* "1 (3GPP access)", or the number alone where values have no names. */
static void print_value(struct text *text, const struct field *field, struct octets value)
{
	unsigned int seen = field_value(field, value);
	const char *name = nas_name_of(field->names->names, field->names->count, seen);

	text_printf(text, "%u", seen);
	if (field->names->count)
		text_printf(text, " (%s)", name ? name : "reserved");
}

static void print_field(struct nas_printer *printer, const struct field *field, const char *name,
			struct octets value)
{
	struct text text;
	char buf[96];

	text_init(&text, buf, sizeof(buf));
	print_value(&text, field, value);
	nas_field(printer, name, "%s", buf);
}

/* The last field described, and before it what else is set: "1 (3GPP access), Switch off". */
static void print_brief(struct nas_printer *printer, const char *name, struct octets value,
			size_t first, size_t last)
{
	struct text text;
	char buf[256];

	text_init(&text, buf, sizeof(buf));
	print_value(&text, &fields[last], value);
	for (size_t i = first; i < last; i++) {
		const struct field *field = &fields[i];
		unsigned int seen = field->octet <= value.len ? field_value(field, value) : 0;

		if (!field->name || seen == 0)
			continue;
		text_printf(&text, ", %s", field->name);
		if (field->high != field->low) {
			text_putc(&text, ' ');
			print_value(&text, field, value);
		}
	}
	nas_field(printer, name, "%s", buf);
}

void nas_print_fields(struct nas_printer *printer, const char *name, struct octets value,
		      enum nas_type type)
{
	size_t first = ranges[type].first;
	size_t end = ranges[type].end;
	size_t named = 0;
	size_t last = 0;
	size_t octets = 0;
	size_t mark;

	for (size_t i = first; i < end; i++) {
		if (fields[i].octet > value.len)
			continue;
		octets = fields[i].octet;
		if (fields[i].name) {
			named++;
			last = i;
		}
	}
	if (named == 0) {
		nas_field_octets(printer, name, value);
		return;
	}
	if (named == 1 && octets == value.len) {
		print_field(printer, &fields[last], name, value);
		return;
	}
	if (printer->form == NAS_LINE) {
		print_brief(printer, name, value, first, last);
		return;
	}
	mark = nas_group(printer, name);
	for (size_t i = first; i < end; i++)
		if (fields[i].name && fields[i].octet <= value.len)
			print_field(printer, &fields[i], fields[i].name, value);
	if (octets < value.len)
		nas_field_octets(printer, "Further octets",
				 OCTETS(value.data + octets, value.len - octets));
	nas_group_end(printer, mark);
}

const char *nas_registration_type_name(uint8_t value)
{
	return nas_name_of(registration_type.names, registration_type.count, value & 7);
}

const char *nas_service_type_name(uint8_t value)
{
	return nas_name_of(service_type.names, service_type.count, value);
}

const char *nas_payload_container_type_name(uint8_t value)
{
	return nas_name_of(payload_container_type.names, payload_container_type.count, value);
}

const char *nas_request_type_name(uint8_t value)
{
	return nas_name_of(request_type.names, request_type.count, value & 7);
}

const char *nas_access_type_name(uint8_t value)
{
	return nas_name_of(access_type.names, access_type.count, value & 3);
}
