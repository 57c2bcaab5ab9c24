/*
 * 3gpp-Sbi-Oci and 3gpp-Sbi-Lci. Both are lists of elements of "Name: value" parts in a fixed
 * order, which differ in two parts; so one table of parts and one reader serve both.
 */
#include "codecs/sbi/sbi_date.h"
#include "codecs/sbi/sbi_read.h"

enum part {
	PART_TIMESTAMP,
	PART_VALIDITY,
	PART_METRIC,
	PART_SCOPE,
	PART_NF_INST,
	PART_SERVICE_NAME,
	PART_SNSSAI,
	PART_DNN,
	PART_RELATIVE_CAPACITY,
	PART_COUNT,
};

enum { OCI = 1, LCI = 2 };

static const char snssai_name[] = "S-NSSAI";
static const char dnn_name[] = "DNN";

static const struct part_info {
	const char *name;
	uint8_t len;
	uint8_t part;
	uint8_t headers;
	uint8_t release; /* the first that knows it */
	uint8_t scope;
} parts[] = {
#define PART(text, ...)                                            \
	{                                                          \
		.name = text, .len = sizeof(text) - 1, __VA_ARGS__ \
	}
	PART("Timestamp", PART_TIMESTAMP, OCI | LCI, SBI_REL_16, 0),
	PART("Period-of-Validity", PART_VALIDITY, OCI, SBI_REL_16, 0),
	PART("Overload-Reduction-Metric", PART_METRIC, OCI, SBI_REL_16, 0),
	PART("Load-Metric", PART_METRIC, LCI, SBI_REL_16, 0),
	PART("NF-Instance", PART_SCOPE, OCI | LCI, SBI_REL_16, SBI_SCOPE_NF_INSTANCE),
	PART("NF-Set", PART_SCOPE, OCI | LCI, SBI_REL_16, SBI_SCOPE_NF_SET),
	PART("NF-Service-Instance", PART_SCOPE, OCI | LCI, SBI_REL_16,
	     SBI_SCOPE_NF_SERVICE_INSTANCE),
	PART("NF-Service-Set", PART_SCOPE, OCI | LCI, SBI_REL_16, SBI_SCOPE_NF_SERVICE_SET),
	PART("NFC-Instance", PART_SCOPE, OCI, SBI_REL_18, SBI_SCOPE_NFC_INSTANCE),
	PART("NFC-Set", PART_SCOPE, OCI, SBI_REL_18, SBI_SCOPE_NFC_SET),
	PART("NFC-Service-Instance", PART_SCOPE, OCI, SBI_REL_18, SBI_SCOPE_NFC_SERVICE_INSTANCE),
	PART("NFC-Service-Set", PART_SCOPE, OCI, SBI_REL_18, SBI_SCOPE_NFC_SERVICE_SET),
	PART("Callback-Uri", PART_SCOPE, OCI, SBI_REL_16, SBI_SCOPE_CALLBACK_URI),
	PART("SCP-FQDN", PART_SCOPE, OCI | LCI, SBI_REL_16, SBI_SCOPE_SCP_FQDN),
	PART("SEPP-FQDN", PART_SCOPE, OCI | LCI, SBI_REL_18, SBI_SCOPE_SEPP_FQDN),
	PART("NF-Inst", PART_NF_INST, OCI | LCI, SBI_REL_18, 0),
	PART("Service-Name", PART_SERVICE_NAME, OCI, SBI_REL_16, 0),
	PART("S-NSSAI", PART_SNSSAI, OCI | LCI, SBI_REL_16, 0),
	PART("DNN", PART_DNN, OCI | LCI, SBI_REL_16, 0),
	PART("Relative-Capacity", PART_RELATIVE_CAPACITY, LCI, SBI_REL_16, 0),
#undef PART
};

struct element_reader {
	struct sbi_line line;
	struct arena *arena;
	enum sbi_release release;
	uint8_t header;
	bool no_memory;
	unsigned int seen; /* bit of each enum part */
	struct sbi_load *load;
};

static const struct part_info *find_part(struct octets name, uint8_t header)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		/* mostly it is spelt as in the standard */
		if (parts[i].len == name.len && parts[i].headers & header &&
		    (memcmp(name.data, parts[i].name, name.len) == 0 ||
		     sbi_equal_nocase(name, parts[i].name)))
			return &parts[i];
	}
	return NULL;
}

const char *sbi_scope_name(enum sbi_scope_kind kind)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].part == PART_SCOPE && parts[i].scope == kind)
			return parts[i].name;
	}
	return "?";
}

/* --- values ---------------------------------------------------------------------------------- */

static void read_timestamp(struct element_reader *r, struct octets value, const char *field)
{
	struct sbi_load *load = r->load;
	enum finding_rule rule;
	size_t bad = 0;
	int64_t ms;

	if (value.len < 2 || value.data[0] != '"' || value.data[value.len - 1] != '"') {
		sbi_fault(&r->line, FINDING_SYNTAX, value.data, field);
		/* what it says all the same, for reports */
		if (sbi_date_read(&load->timestamp, value, &bad) == FINDING_NONE) {
			load->has |= SBI_HAS_TIMESTAMP;
		} else if (sbi_datetime_read(&ms, value, &bad) == FINDING_NONE) {
			load->timestamp = ms / 1000;
			load->has |= SBI_HAS_TIMESTAMP;
		}
		return;
	}
	value = OCTETS(value.data + 1, value.len - 2);
	rule = sbi_date_read(&load->timestamp, value, &bad);
	if (rule == FINDING_NONE) {
		load->has |= SBI_HAS_TIMESTAMP;
		return;
	}
	sbi_fault(&r->line, rule, value.data + bad, field);
	if (rule == FINDING_SYNTAX && sbi_datetime_read(&ms, value, &bad) == FINDING_NONE) {
		load->timestamp = ms / 1000;
		load->has |= SBI_HAS_TIMESTAMP;
	}
}

static void read_validity(struct element_reader *r, struct octets value, const char *field)
{
	struct octets digits = value;
	uint64_t seconds;

	if (value.len > 0 && sbi_lower(value.data[value.len - 1]) == 's')
		digits.len--;
	else
		sbi_fault(&r->line, FINDING_SYNTAX, value.data + value.len, field);
	if (!sbi_number(digits, &seconds)) {
		if (digits.len < value.len)
			sbi_fault(&r->line, FINDING_SYNTAX, value.data, field);
		return;
	}
	r->load->validity = seconds < UINT32_MAX ? (uint32_t)seconds : UINT32_MAX;
	r->load->has |= SBI_HAS_VALIDITY;
}

static void read_percent(struct element_reader *r, struct octets value, const char *field,
			 uint16_t *percent, unsigned int has)
{
	struct octets digits = value;
	uint64_t number;

	if (value.len > 0 && value.data[value.len - 1] == '%')
		digits.len--;
	else
		sbi_fault(&r->line, FINDING_SYNTAX, value.data + value.len, field);
	if (!sbi_number(digits, &number)) {
		if (digits.len < value.len)
			sbi_fault(&r->line, FINDING_SYNTAX, value.data, field);
		return;
	}
	if (number > 100)
		sbi_fault(&r->line, FINDING_RANGE, value.data, field);
	else if (digits.len > (has == SBI_HAS_RELATIVE_CAPACITY ? 2U : 1U) &&
		 digits.data[0] == '0') /* of the two percentages only the metric forbids "05" */
		sbi_fault(&r->line, FINDING_LENGTH_NOT_MINIMAL, value.data, field);
	*percent = number < UINT16_MAX ? (uint16_t)number : UINT16_MAX;
	r->load->has |= has;
}

/*
 * Values joined by "&", which without blanks around it is a character of a value; so it never is
 * one of these values, it parts them with a finding. Returns them; NULL: no memory.
 */
static struct octets *read_values(struct element_reader *r, struct octets value, const char *field,
				  struct sbi_values *values, size_t max)
{
	struct octets rest = value, part;
	struct octets *items;
	size_t count = 0;

	while (sbi_split(&rest, '&', &part))
		count++;
	if (count > max)
		sbi_fault(&r->line, FINDING_RANGE, value.data, field);
	if (count > SBI_VALUES_MAX)
		count = SBI_VALUES_MAX;
	items = arena_take(r->arena, count * sizeof(*items));
	if (!items) {
		sbi_fault(&r->line, FINDING_NO_MEMORY, value.data, field);
		r->no_memory = true;
		return NULL;
	}
	rest = value;
	for (size_t i = 0; i < count && sbi_split(&rest, '&', &part); i++) {
		items[i] = sbi_trim(part);
		if (items[i].len == 0 || (i > 0 && !sbi_is_blank(part.data[0])) ||
		    (i + 1 < count && !sbi_is_blank(part.data[part.len - 1])))
			sbi_fault(&r->line, FINDING_SYNTAX, part.data, field);
	}
	values->items = items;
	values->count = count;
	return items;
}

static bool is_hex(uint8_t c)
{
	return sbi_is_digit(c) || (sbi_lower(c) >= 'a' && sbi_lower(c) <= 'f');
}

/*
 * An object of JSON, TS 29.571 5.4.4.2, percent-encoded (TS 29.500 5.2.3.1: 1*tchar), or as it is:
 * so the examples of 5.2.3.2.9 and 5.2.3.2.10 have it, against their own grammar.
 */
static bool is_snssai(struct octets value)
{
	const uint8_t *at = value.data;

	if (value.len >= 2 && at[0] == '{')
		return at[value.len - 1] == '}';
	for (size_t i = 0; i < value.len; i++) {
		if (at[i] == '%' && (value.len - i < 3 || !is_hex(at[i + 1]) || !is_hex(at[i + 2])))
			return false;
		if (memchr("/:<=>?@[]{}()", at[i], 13))
			return false;
	}
	return value.len >= 6 && sbi_is_plain(value) && sbi_equal_nocase(OCTETS(at, 3), "%7b") &&
	       sbi_equal_nocase(OCTETS(at + value.len - 3, 3), "%7d");
}

static void read_callback_uris(struct element_reader *r, struct octets value, const char *field)
{
	struct sbi_values *values = &r->load->scope.callback_uris;
	struct octets *items = read_values(r, value, field, values, SBI_VALUES_MAX);

	for (size_t i = 0; i < values->count; i++) {
		struct octets *uri = &items[i];
		struct sbi_uri parsed;

		if (uri->len < 2 || uri->data[0] != '"' || uri->data[uri->len - 1] != '"')
			sbi_fault(&r->line, FINDING_SYNTAX, uri->data, field);
		else
			*uri = OCTETS(uri->data + 1, uri->len - 2);
		if (sbi_uri_read(&parsed, *uri, NULL) != FINDING_NONE)
			sbi_fault(&r->line, FINDING_SYNTAX, uri->data, field);
	}
}

static void read_scope(struct element_reader *r, const struct part_info *info, struct octets value)
{
	struct sbi_scope *scope = &r->load->scope;
	bool good;

	/* of two scopes the first is kept; the second was complained of */
	if (scope->kind != SBI_SCOPE_NONE)
		return;
	scope->kind = (enum sbi_scope_kind)info->scope;
	r->load->has |= SBI_HAS_SCOPE;
	switch (scope->kind) {
	case SBI_SCOPE_CALLBACK_URI:
		read_callback_uris(r, value, info->name);
		return;
	case SBI_SCOPE_NF_INSTANCE:
	case SBI_SCOPE_NFC_INSTANCE:
		good = sbi_is_uuid(value);
		break;
	case SBI_SCOPE_SCP_FQDN:
	case SBI_SCOPE_SEPP_FQDN:
		good = sbi_is_host(value);
		break;
	default:
		good = sbi_is_plain(value);
		break;
	}
	scope->id = value;
	if (!good)
		sbi_fault(&r->line, FINDING_SYNTAX, value.data, info->name);
}

static void read_value(struct element_reader *r, const struct part_info *info, struct octets value)
{
	struct sbi_scope *scope = &r->load->scope;

	switch ((enum part)info->part) {
	case PART_TIMESTAMP:
		read_timestamp(r, value, info->name);
		break;
	case PART_VALIDITY:
		read_validity(r, value, info->name);
		break;
	case PART_METRIC:
		read_percent(r, value, info->name, &r->load->metric, SBI_HAS_METRIC);
		break;
	case PART_SCOPE:
		read_scope(r, info, value);
		break;
	case PART_NF_INST:
		scope->nf_inst = value;
		if (!sbi_is_uuid(value))
			sbi_fault(&r->line, FINDING_SYNTAX, value.data, info->name);
		break;
	case PART_SERVICE_NAME:
		scope->service_name = value;
		if (!sbi_is_plain(value))
			sbi_fault(&r->line, FINDING_SYNTAX, value.data, info->name);
		break;
	case PART_SNSSAI:
		read_values(r, value, info->name, &scope->snssais, SBI_VALUES_MAX);
		for (size_t i = 0; i < scope->snssais.count; i++) {
			if (!is_snssai(scope->snssais.items[i]))
				sbi_fault(&r->line, FINDING_SYNTAX, scope->snssais.items[i].data,
					  info->name);
		}
		break;
	case PART_DNN:
		read_values(r, value, info->name, &scope->dnns, SBI_DNNS_MAX);
		for (size_t i = 0; i < scope->dnns.count; i++) {
			if (!sbi_is_plain(scope->dnns.items[i]))
				sbi_fault(&r->line, FINDING_SYNTAX, value.data, info->name);
		}
		break;
	case PART_RELATIVE_CAPACITY:
		read_percent(r, value, info->name, &r->load->relative_capacity,
			     SBI_HAS_RELATIVE_CAPACITY);
		break;
	case PART_COUNT:
		break;
	}
}

/* --- elements -------------------------------------------------------------------------------- */

/* "Name: value", of which the first of an element needs no blank before it. */
static void read_part(struct element_reader *r, struct octets text, bool first, bool last)
{
	const struct part_info *info;
	struct octets name = sbi_trim(text), value;
	const uint8_t *at;
	size_t colon;
	unsigned int bit;

	if (!first && (text.len == 0 || !sbi_is_blank(text.data[0])))
		sbi_fault(&r->line, FINDING_SYNTAX, text.data, "blank after ;");
	if (!last && text.len > 0 && sbi_is_blank(text.data[text.len - 1]))
		sbi_fault(&r->line, FINDING_SYNTAX, text.data + text.len, "blank before ;");
	at = memchr(name.data, ':', name.len);
	if (!at) {
		sbi_fault(&r->line, FINDING_SYNTAX, name.data, "parameter");
		return;
	}
	colon = (size_t)(at - name.data);
	value = OCTETS(name.data + colon + 1, name.len - colon - 1);
	name.len = colon;
	info = find_part(name, r->header);
	if (!info) {
		sbi_fault(&r->line, FINDING_UNKNOWN_IE, name.data, "parameter");
		return;
	}
	if (info->release > (uint8_t)r->release)
		sbi_fault(&r->line, FINDING_NOT_COMPREHENDED, name.data, info->name);
	if (value.len == 0 || !sbi_is_blank(value.data[0]))
		sbi_fault(&r->line, FINDING_SYNTAX, value.data, info->name);
	bit = 1U << info->part;
	if (r->seen & bit) {
		sbi_fault(&r->line, FINDING_DUPLICATE, name.data, info->name);
		return;
	}
	if (r->seen > bit)
		sbi_fault(&r->line, FINDING_ORDER, name.data, info->name);
	r->seen |= bit;
	read_value(r, info, sbi_trim(value));
}

static bool scope_of_producer(enum sbi_scope_kind kind)
{
	return kind >= SBI_SCOPE_NF_INSTANCE && kind <= SBI_SCOPE_NF_SERVICE_SET;
}

/* What an element as a whole has to be. */
static void check_element(struct element_reader *r)
{
	const struct sbi_scope *scope = &r->load->scope;
	const uint8_t *end = r->load->text.data + r->load->text.len;
	unsigned int pair = r->seen & (1U << PART_SNSSAI | 1U << PART_DNN);

	for (unsigned int part = PART_TIMESTAMP; part <= PART_SCOPE; part++) {
		static const char *const names[2][4] = {
			{ "Timestamp", "Period-of-Validity", "Overload-Reduction-Metric", "scope" },
			{ "Timestamp", NULL, "Load-Metric", "scope" },
		};
		const char *name = names[r->header == LCI][part];

		if (name && !(r->seen & 1U << part))
			sbi_fault(&r->line, FINDING_MISSING, end, name);
	}
	if (pair == 1U << PART_SNSSAI)
		sbi_fault(&r->line, FINDING_MISSING, end, dnn_name);
	else if (pair == 1U << PART_DNN)
		sbi_fault(&r->line, FINDING_MISSING, end, snssai_name);
	if (scope->kind == SBI_SCOPE_NONE)
		return;
	if (pair && !scope_of_producer(scope->kind))
		sbi_fault(&r->line, FINDING_RESERVED, end, snssai_name);
	if (r->seen & 1U << PART_RELATIVE_CAPACITY && !pair)
		sbi_fault(&r->line, FINDING_RESERVED, end, "Relative-Capacity");
	if (scope->nf_inst.len && scope->kind != SBI_SCOPE_NF_SERVICE_INSTANCE &&
	    scope->kind != SBI_SCOPE_NFC_SERVICE_INSTANCE)
		sbi_fault(&r->line, FINDING_RESERVED, scope->nf_inst.data, "NF-Inst");
	/* in Rel-16 a consumer's scope has the names of a producer's */
	if (scope->service_name.len && scope->kind != SBI_SCOPE_NFC_INSTANCE &&
	    scope->kind != SBI_SCOPE_NFC_SET && scope->kind != SBI_SCOPE_NF_INSTANCE &&
	    scope->kind != SBI_SCOPE_NF_SET)
		sbi_fault(&r->line, FINDING_RESERVED, scope->service_name.data, "Service-Name");
}

/* Takes one element off the rest of its line, whose first part was split off already. */
static void read_element(struct element_reader *r, struct octets *rest, struct octets part,
			 char which, struct sbi_load *load)
{
	const uint8_t *start = part.data;
	bool first = true;

	memset(load, 0, sizeof(*load));
	r->load = load;
	r->seen = 0;
	for (;;) {
		bool last = which != ';';

		read_part(r, part, first, last);
		if (last)
			break;
		first = false;
		sbi_split_either(rest, ';', ',', &part, &which);
	}
	load->text = sbi_trim(OCTETS(start, (size_t)(part.data + part.len - start)));
	check_element(r);
	load->fault = r->line.first;
}

/* Each line has elements of its own; what the lines have in common is the result. */
static enum finding_rule read_lines(struct element_reader *r, struct sbi_load *elements, size_t max,
				    size_t *found, const struct octets *lines, size_t count,
				    enum decode_mode mode)
{
	struct sbi_load beyond;

	*found = 0;
	for (size_t i = 0; i < count; i++) {
		struct octets rest = lines[i], part;
		char which;

		r->line.all = lines[i];
		r->line.number = (int32_t)i;
		r->line.first.rule = FINDING_NONE;
		if (lines[i].len == 0)
			sbi_fault(&r->line, FINDING_MISSING, lines[i].data, "element");
		while (lines[i].len && sbi_split_either(&rest, ';', ',', &part, &which)) {
			r->line.first.rule = FINDING_NONE;
			/* RFC 9110 5.6.1.2: not to be sent, to be ignored by a recipient */
			if (which != ';' && sbi_trim(part).len == 0) {
				sbi_fault(&r->line, FINDING_SYNTAX, part.data, "empty element");
			} else {
				read_element(r, &rest, part, which,
					     *found < max ? &elements[*found] : &beyond);
				++*found;
			}
			if (r->no_memory)
				return FINDING_NO_MEMORY;
			if (mode == DECODE_STRICT && r->line.first.rule != FINDING_NONE)
				return r->line.first.rule;
		}
		if (mode == DECODE_STRICT && r->line.first.rule != FINDING_NONE)
			return r->line.first.rule;
	}
	return FINDING_NONE;
}

static enum finding_rule read_load(uint8_t header, struct sbi_load *elements, size_t max,
				   size_t *found, const struct octets *lines, size_t count,
				   enum sbi_release release, struct arena *arena,
				   enum decode_mode mode, struct findings *findings)
{
	struct element_reader r;

	r.arena = arena;
	r.release = release;
	r.header = header;
	r.no_memory = false;
	r.line.findings = findings;
	return read_lines(&r, elements, max, found, lines, count, mode);
}

enum finding_rule sbi_oci_read(struct sbi_load *elements, size_t max, size_t *found,
			       const struct octets *lines, size_t count, enum sbi_release release,
			       struct arena *arena, enum decode_mode mode,
			       struct findings *findings)
{
	return read_load(OCI, elements, max, found, lines, count, release, arena, mode, findings);
}

enum finding_rule sbi_lci_read(struct sbi_load *elements, size_t max, size_t *found,
			       const struct octets *lines, size_t count, enum sbi_release release,
			       struct arena *arena, enum decode_mode mode,
			       struct findings *findings)
{
	return read_load(LCI, elements, max, found, lines, count, release, arena, mode, findings);
}

/* --- print ----------------------------------------------------------------------------------- */

/* printf would take longer than everything else together */
static void put_number(struct text *out, uint32_t number, char unit)
{
	char digits[12];
	size_t at = sizeof(digits);

	digits[--at] = unit;
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	text_write(out, digits + at, sizeof(digits) - at);
}

struct printer {
	struct text *out;
	size_t start;
};

static void begin_part(struct printer *p, const char *name)
{
	if (p->out->len > p->start)
		text_write(p->out, "; ", 2);
	text_puts(p->out, name);
	text_write(p->out, ": ", 2);
}

static void put_part(struct printer *p, const char *name, struct octets value)
{
	if (!value.len)
		return;
	begin_part(p, name);
	text_write(p->out, value.data, value.len);
}

static void put_values(struct printer *p, const char *name, const struct sbi_values *values,
		       bool quoted)
{
	for (size_t i = 0; i < values->count; i++) {
		if (i == 0)
			begin_part(p, name);
		else
			text_puts(p->out, " & ");
		if (quoted)
			text_putc(p->out, '"');
		text_write(p->out, values->items[i].data, values->items[i].len);
		if (quoted)
			text_putc(p->out, '"');
	}
}

static void put_scope(struct printer *p, const struct sbi_scope *scope)
{
	if (scope->kind == SBI_SCOPE_CALLBACK_URI)
		put_values(p, sbi_scope_name(scope->kind), &scope->callback_uris, true);
	else
		put_part(p, sbi_scope_name(scope->kind), scope->id);
	put_part(p, "NF-Inst", scope->nf_inst);
	put_part(p, "Service-Name", scope->service_name);
	put_values(p, snssai_name, &scope->snssais, false);
	put_values(p, dnn_name, &scope->dnns, false);
}

static void put_number_part(struct printer *p, const char *name, uint32_t number, char unit)
{
	begin_part(p, name);
	put_number(p->out, number, unit);
}

static void print_element(struct text *out, const struct sbi_load *load, bool oci)
{
	struct printer p = { out, out->len };

	if (load->has & SBI_HAS_TIMESTAMP) {
		begin_part(&p, "Timestamp");
		text_putc(out, '"');
		sbi_date_print(out, load->timestamp);
		text_putc(out, '"');
	}
	if (oci && load->has & SBI_HAS_VALIDITY)
		put_number_part(&p, "Period-of-Validity", load->validity, 's');
	if (load->has & SBI_HAS_METRIC)
		put_number_part(&p, oci ? "Overload-Reduction-Metric" : "Load-Metric", load->metric,
				'%');
	if (load->has & SBI_HAS_SCOPE)
		put_scope(&p, &load->scope);
	if (!oci && load->has & SBI_HAS_RELATIVE_CAPACITY)
		put_number_part(&p, "Relative-Capacity", load->relative_capacity, '%');
}

void sbi_oci_print(struct text *out, const struct sbi_load *oci)
{
	print_element(out, oci, true);
}

void sbi_lci_print(struct text *out, const struct sbi_load *lci)
{
	print_element(out, lci, false);
}

/* --- comparison ------------------------------------------------------------------------------ */

static bool equal_values(const struct sbi_values *a, const struct sbi_values *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (!octets_equal(a->items[i], b->items[i]))
			return false;
	}
	return true;
}

bool sbi_scope_equal(const struct sbi_scope *a, const struct sbi_scope *b)
{
	bool nocase = a->kind == SBI_SCOPE_NF_INSTANCE || a->kind == SBI_SCOPE_NFC_INSTANCE ||
		      a->kind == SBI_SCOPE_SCP_FQDN || a->kind == SBI_SCOPE_SEPP_FQDN;

	return a->kind == b->kind && (nocase ? sbi_same_nocase : octets_equal)(a->id, b->id) &&
	       sbi_same_nocase(a->nf_inst, b->nf_inst) &&
	       octets_equal(a->service_name, b->service_name) &&
	       equal_values(&a->callback_uris, &b->callback_uris) &&
	       equal_values(&a->snssais, &b->snssais) && equal_values(&a->dnns, &b->dnns);
}
