/* The header fields whose value is one thing, and the table of all of them. */
#include "codecs/sbi/sbi_date.h"
#include "codecs/sbi/sbi_read.h"

static enum finding_rule fault_at(struct octets value, enum finding_rule rule, size_t at,
				  const char *field, struct findings *findings)
{
	struct sbi_line line = { .all = value, .findings = findings };

	sbi_fault(&line, rule, value.len ? value.data + at : value.data, field);
	return rule;
}

/* Digits without a leading zero. */
static enum finding_rule read_integer(uint64_t *number, struct octets value, uint64_t max,
				      const char *field, struct findings *findings)
{
	if (!sbi_number(value, number))
		return fault_at(value, FINDING_SYNTAX, 0, field, findings);
	if (*number > max)
		return fault_at(value, FINDING_RANGE, 0, field, findings);
	if (value.len > 1 && value.data[0] == '0')
		return fault_at(value, FINDING_LENGTH_NOT_MINIMAL, 0, field, findings);
	return FINDING_NONE;
}

enum finding_rule sbi_priority_read(uint8_t *priority, struct octets value,
				    struct findings *findings)
{
	uint64_t number;
	enum finding_rule rule = read_integer(&number, value, SBI_PRIORITY_MAX,
					      "3gpp-Sbi-Message-Priority", findings);

	*priority = rule == FINDING_NONE ? (uint8_t)number : SBI_PRIORITY_DEFAULT;
	return rule;
}

enum finding_rule sbi_max_rsp_time_read(uint32_t *ms, struct octets value,
					struct findings *findings)
{
	uint64_t number;
	enum finding_rule rule =
		read_integer(&number, value, UINT32_MAX, "3gpp-Sbi-Max-Rsp-Time", findings);

	*ms = rule == FINDING_NONE ? (uint32_t)number : 0;
	return rule;
}

enum finding_rule sbi_retry_after_read(struct sbi_retry_after *after, struct octets value,
				       struct findings *findings)
{
	static const char field[] = "Retry-After";
	enum finding_rule rule;
	bool obsolete;
	size_t bad = 0;
	uint64_t number;

	memset(after, 0, sizeof(*after));
	if (sbi_number(value, &number)) {
		after->seconds = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
		return FINDING_NONE;
	}
	after->is_date = true;
	rule = sbi_date_read_any(&after->date, value, &obsolete, &bad);
	if (rule != FINDING_NONE)
		return fault_at(value, rule, bad, field, findings);
	if (obsolete)
		fault_at(value, FINDING_RESERVED, 0, field, findings);
	return FINDING_NONE;
}

void sbi_retry_after_print(struct text *out, const struct sbi_retry_after *after)
{
	if (after->is_date)
		sbi_date_print(out, after->date);
	else
		text_printf(out, "%u", after->seconds);
}

static bool is_token(struct octets value)
{
	for (size_t i = 0; i < value.len; i++) {
		uint8_t c = value.data[i];

		if (c <= ' ' || c >= 0x7f || strchr("\"(),/:;<=>?@[\\]{}", c))
			return false;
	}
	return value.len > 0;
}

enum finding_rule sbi_callback_read(struct sbi_callback *callback, struct octets value,
				    struct findings *findings)
{
	static const char field[] = "3gpp-Sbi-Callback";
	static const char version[] = "apiversion=";
	struct octets rest = value, part;
	uint64_t number;

	memset(callback, 0, sizeof(*callback));
	if (!sbi_split(&rest, ';', &part))
		return fault_at(value, FINDING_MISSING, 0, field, findings);
	callback->name = sbi_trim(part);
	if (!is_token(callback->name))
		return fault_at(value, FINDING_SYNTAX, 0, field, findings);
	while (sbi_split(&rest, ';', &part)) {
		size_t at = (size_t)(part.data - value.data);

		part = sbi_trim(part);
		if (part.len < sizeof(version) ||
		    !sbi_equal_nocase(OCTETS(part.data, sizeof(version) - 1), version))
			return fault_at(value, FINDING_UNKNOWN_IE, at, field, findings);
		part = OCTETS(part.data + sizeof(version) - 1, part.len - (sizeof(version) - 1));
		if (!sbi_number(part, &number) || number > UINT16_MAX)
			return fault_at(value, FINDING_RANGE, at, field, findings);
		callback->api_version = (uint32_t)number;
	}
	return FINDING_NONE;
}

/* --- parameters ------------------------------------------------------------------------------ */

const struct octets *sbi_parameter(const struct sbi_parameters *parameters, const char *name)
{
	for (size_t i = 0; i < parameters->count; i++) {
		if (sbi_equal_nocase(parameters->items[i].name, name))
			return &parameters->items[i].value;
	}
	return NULL;
}

static void unquote(struct octets *value)
{
	if (value->len >= 2 && value->data[0] == '"' && value->data[value->len - 1] == '"')
		*value = OCTETS(value->data + 1, value->len - 2);
}

/* parameters are parted by ";", and a name from its value by the first of the octet given. */
static enum finding_rule read_parameters(struct sbi_parameters *parameters, struct octets value,
					 uint8_t equals, const char *field,
					 struct findings *findings)
{
	struct octets rest = value, part;

	parameters->count = 0;
	while (sbi_split(&rest, ';', &part)) {
		struct sbi_parameter *p = &parameters->items[parameters->count];
		size_t offset = (size_t)(part.data - value.data), at = 0;

		if (parameters->count == sizeof(parameters->items) / sizeof(parameters->items[0]))
			return fault_at(value, FINDING_RANGE, offset, field, findings);
		part = sbi_trim(part);
		while (at < part.len && part.data[at] != equals)
			at++;
		if (at == part.len || at == 0 || at + 1 == part.len)
			return fault_at(value, FINDING_SYNTAX, offset, field, findings);
		p->name = sbi_trim(OCTETS(part.data, at));
		p->value = sbi_trim(OCTETS(part.data + at + 1, part.len - at - 1));
		if (!is_token(p->name))
			return fault_at(value, FINDING_SYNTAX, offset, field, findings);
		unquote(&p->value);
		parameters->count++;
	}
	if (parameters->count == 0)
		return fault_at(value, FINDING_MISSING, 0, field, findings);
	return FINDING_NONE;
}

enum finding_rule sbi_binding_read(struct sbi_parameters *parameters, struct octets value,
				   struct findings *findings)
{
	static const char field[] = "3gpp-Sbi-Binding";
	enum finding_rule rule = read_parameters(parameters, value, '=', field, findings);

	/* the level comes first */
	if (rule == FINDING_NONE && !sbi_equal_nocase(parameters->items[0].name, "bl"))
		return fault_at(value, FINDING_MISSING, 0, "bl", findings);
	return rule;
}

enum finding_rule sbi_producer_id_read(struct sbi_parameters *parameters, struct octets value,
				       struct findings *findings)
{
	static const char field[] = "3gpp-Sbi-Producer-Id";
	const struct octets *id;
	enum finding_rule rule;

	if (sbi_is_uuid(value)) {
		parameters->items[0] = (struct sbi_parameter){ .value = value };
		parameters->count = 1;
		return FINDING_NONE;
	}
	rule = read_parameters(parameters, value, '=', field, findings);
	if (rule != FINDING_NONE)
		return rule;
	id = sbi_parameter(parameters, "nfinst");
	if (id && !sbi_is_uuid(*id))
		return fault_at(value, FINDING_SYNTAX, 0, "nfinst", findings);
	return FINDING_NONE;
}

enum finding_rule sbi_correlation_info_read(struct sbi_parameters *parameters, struct octets value,
					    struct findings *findings)
{
	return read_parameters(parameters, value, '-', "3gpp-Sbi-Correlation-Info", findings);
}

/* --- table ----------------------------------------------------------------------------------- */

#define DISCOVERY_PREFIX "3gpp-sbi-discovery-"

static const struct {
	const char *name;
	uint8_t len;
	uint8_t header;
} headers[] = {
#define HEADER(text, which)                   \
	{                                     \
		text, sizeof(text) - 1, which \
	}
	HEADER("3gpp-sbi-oci", SBI_HEADER_OCI),
	HEADER("3gpp-sbi-lci", SBI_HEADER_LCI),
	HEADER("3gpp-sbi-message-priority", SBI_HEADER_MESSAGE_PRIORITY),
	HEADER("3gpp-sbi-callback", SBI_HEADER_CALLBACK),
	HEADER("3gpp-sbi-target-apiroot", SBI_HEADER_TARGET_APIROOT),
	HEADER("3gpp-sbi-routing-binding", SBI_HEADER_ROUTING_BINDING),
	HEADER("3gpp-sbi-binding", SBI_HEADER_BINDING),
	HEADER("3gpp-sbi-producer-id", SBI_HEADER_PRODUCER_ID),
	HEADER("3gpp-sbi-correlation-info", SBI_HEADER_CORRELATION_INFO),
	HEADER("3gpp-sbi-sender-timestamp", SBI_HEADER_SENDER_TIMESTAMP),
	HEADER("3gpp-sbi-origination-timestamp", SBI_HEADER_ORIGINATION_TIMESTAMP),
	HEADER("3gpp-sbi-max-rsp-time", SBI_HEADER_MAX_RSP_TIME),
	HEADER("3gpp-sbi-nrf-uri", SBI_HEADER_NRF_URI),
	HEADER("3gpp-sbi-access-scope", SBI_HEADER_ACCESS_SCOPE),
	HEADER("3gpp-sbi-access-token", SBI_HEADER_ACCESS_TOKEN),
	HEADER("3gpp-sbi-client-credentials", SBI_HEADER_CLIENT_CREDENTIALS),
	HEADER("3gpp-sbi-target-nf-id", SBI_HEADER_TARGET_NF_ID),
	HEADER("retry-after", SBI_HEADER_RETRY_AFTER),
	HEADER("date", SBI_HEADER_DATE),
	HEADER("location", SBI_HEADER_LOCATION),
	HEADER(DISCOVERY_PREFIX, SBI_HEADER_DISCOVERY),
#undef HEADER
};

enum sbi_header sbi_header_of(struct octets name)
{
	const size_t prefix = sizeof(DISCOVERY_PREFIX) - 1;

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		if (headers[i].len == name.len && sbi_equal_nocase(name, headers[i].name))
			return (enum sbi_header)headers[i].header;
	}
	return name.len > prefix && sbi_equal_nocase(OCTETS(name.data, prefix), DISCOVERY_PREFIX)
		       ? SBI_HEADER_DISCOVERY
		       : SBI_HEADER_OTHER;
}

const char *sbi_header_name(enum sbi_header header)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		if (headers[i].header == header)
			return headers[i].name;
	}
	return "?";
}

static enum finding_rule check_load(enum sbi_header header, struct octets value,
				    enum sbi_release release, struct arena *arena,
				    struct findings *findings)
{
	struct finding first;
	struct findings own = { &first, 1, 0 };
	struct findings *to = findings ? findings : &own;
	size_t before = to->count, found, used = arena->used;
	struct sbi_load element;
	enum finding_rule rule = (header == SBI_HEADER_OCI ? sbi_oci_read : sbi_lci_read)(
		&element, 1, &found, &value, 1, release, arena, DECODE_LENIENT, to);

	arena->used = used;
	if (rule != FINDING_NONE || to->count == before)
		return rule;
	return before < to->max ? to->items[before].rule : FINDING_SYNTAX;
}

/* A query parameter's value, percent-encoded or not: visible ASCII, and blanks within JSON. */
static enum finding_rule check_visible(struct octets value, const char *field,
				       struct findings *findings)
{
	for (size_t i = 0; i < value.len; i++) {
		if (value.data[i] < ' ' || value.data[i] >= 0x7f)
			return fault_at(value, FINDING_SYNTAX, i, field, findings);
	}
	return value.len ? FINDING_NONE : fault_at(value, FINDING_MISSING, 0, field, findings);
}

/* Any URI reference: a path of the same server, or a resource that is no more than a name. */
static enum finding_rule check_location(struct octets value, struct findings *findings)
{
	struct sbi_uri uri;

	if (value.len >= 4 && sbi_equal_nocase(OCTETS(value.data, 4), "http"))
		return sbi_uri_read(&uri, value, findings);
	return check_visible(value, "Location", findings);
}

enum finding_rule sbi_header_check(struct octets name, struct octets value,
				   enum sbi_release release, struct arena *arena,
				   struct findings *findings)
{
	enum sbi_header header = sbi_header_of(name);
	struct sbi_parameters parameters;
	struct sbi_retry_after after;
	struct sbi_callback callback;
	enum finding_rule rule;
	struct sbi_uri uri;
	uint8_t priority;
	size_t bad = 0;
	int64_t time;
	uint32_t ms;

	switch (header) {
	case SBI_HEADER_OCI:
	case SBI_HEADER_LCI:
		return check_load(header, value, release, arena, findings);
	case SBI_HEADER_MESSAGE_PRIORITY:
		return sbi_priority_read(&priority, value, findings);
	case SBI_HEADER_CALLBACK:
		return sbi_callback_read(&callback, value, findings);
	case SBI_HEADER_TARGET_APIROOT:
		return sbi_target_apiroot_read(&uri, value, findings);
	case SBI_HEADER_ROUTING_BINDING:
	case SBI_HEADER_BINDING:
		return sbi_binding_read(&parameters, value, findings);
	case SBI_HEADER_PRODUCER_ID:
		return sbi_producer_id_read(&parameters, value, findings);
	case SBI_HEADER_CORRELATION_INFO:
		return sbi_correlation_info_read(&parameters, value, findings);
	case SBI_HEADER_SENDER_TIMESTAMP:
	case SBI_HEADER_ORIGINATION_TIMESTAMP:
		rule = sbi_date_ms_read(&time, value, &bad);
		break;
	case SBI_HEADER_DATE:
		rule = sbi_date_read(&time, value, &bad);
		break;
	case SBI_HEADER_MAX_RSP_TIME:
		return sbi_max_rsp_time_read(&ms, value, findings);
	case SBI_HEADER_NRF_URI:
	case SBI_HEADER_DISCOVERY:
	case SBI_HEADER_ACCESS_SCOPE:
	case SBI_HEADER_ACCESS_TOKEN:
	case SBI_HEADER_CLIENT_CREDENTIALS:
		return check_visible(value, sbi_header_name(header), findings);
	case SBI_HEADER_TARGET_NF_ID:
		return sbi_producer_id_read(&parameters, value, findings);
	case SBI_HEADER_RETRY_AFTER:
		return sbi_retry_after_read(&after, value, findings);
	case SBI_HEADER_LOCATION:
		return check_location(value, findings);
	default:
		return FINDING_NONE;
	}
	if (rule != FINDING_NONE)
		fault_at(value, rule, bad, sbi_header_name(header), findings);
	return rule;
}
