#include "codecs/sbi/sbi_read.h"

void sbi_fault(struct sbi_line *line, enum finding_rule rule, const uint8_t *at, const char *field)
{
	struct finding finding = {
		.rule = rule,
		.bit = line->all.len ? (uint32_t)(at - line->all.data) * 8 : 0,
		.ie = line->number,
		.field = field,
	};

	if (line->first.rule == FINDING_NONE)
		line->first = finding;
	finding_add(line->findings, finding);
}

bool sbi_equal_nocase(struct octets a, const char *b)
{
	for (size_t i = 0; i < a.len; i++) {
		if (b[i] == '\0' || sbi_lower(a.data[i]) != sbi_lower((uint8_t)b[i]))
			return false;
	}
	return b[a.len] == '\0';
}

bool sbi_same_nocase(struct octets a, struct octets b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++) {
		if (sbi_lower(a.data[i]) != sbi_lower(b.data[i]))
			return false;
	}
	return true;
}

struct octets sbi_trim(struct octets value)
{
	while (value.len > 0 && sbi_is_blank(value.data[0])) {
		value.data++;
		value.len--;
	}
	while (value.len > 0 && sbi_is_blank(value.data[value.len - 1]))
		value.len--;
	return value;
}

/* Octets at which a splitter has to look; all others only pass by. */
static const bool special[256] = {
	['"'] = true, ['{'] = true, ['['] = true, ['}'] = true,
	[']'] = true, [';'] = true, [','] = true, ['&'] = true,
};

/* The offset of the quote that ends a quoted string whose first octet is at from; len: none does.
 */
static size_t quote_end(const uint8_t *data, size_t len, size_t from)
{
	size_t i = from;

	while (i < len && data[i] != '"')
		i += data[i] == '\\' ? 2 : 1;
	return i < len ? i : len;
}

static size_t find_by_octets(struct octets rest, uint8_t separator, uint8_t other)
{
	size_t nested = 0, i;

	for (i = 0; i < rest.len; i++) {
		uint8_t c = rest.data[i];

		if (!special[c])
			continue;
		if (nested == 0 && (c == separator || c == other))
			return i;
		if (c == '"')
			i = quote_end(rest.data, rest.len, i + 1);
		else if (c == '{' || c == '[')
			nested++;
		else if ((c == '}' || c == ']') && nested > 0)
			nested--;
	}
	return rest.len;
}

static size_t first_of(struct octets in, size_t len, int c)
{
	const uint8_t *at = memchr(in.data, c, len);

	return at ? (size_t)(at - in.data) : len;
}

/* Mostly there is nothing before the separator that could hide it. */
static size_t find_separator(struct octets rest, uint8_t separator, uint8_t other)
{
	size_t at = first_of(rest, rest.len, separator);

	if (other != separator)
		at = first_of(rest, at, other);
	if (first_of(rest, at, '"') < at || first_of(rest, at, '{') < at ||
	    first_of(rest, at, '[') < at)
		return find_by_octets(rest, separator, other);
	return at;
}

bool sbi_split(struct octets *rest, char separator, struct octets *part)
{
	char which;

	return sbi_split_either(rest, separator, separator, part, &which);
}

bool sbi_split_either(struct octets *rest, char separator, char other, struct octets *part,
		      char *which)
{
	size_t at;

	*which = '\0';
	if (!rest->data)
		return false;
	at = find_separator(*rest, (uint8_t)separator, (uint8_t)other);
	*part = OCTETS(rest->data, at);
	if (at == rest->len) {
		*rest = OCTETS(NULL, 0);
		return true;
	}
	*which = (char)rest->data[at];
	*rest = OCTETS(rest->data + at + 1, rest->len - at - 1);
	return true;
}

bool sbi_number(struct octets value, uint64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < value.len; i++) {
		if (!sbi_is_digit(value.data[i]))
			return false;
		if (*number < UINT64_C(100000000000000000))
			*number = *number * 10 + (uint64_t)(value.data[i] - '0');
		else
			*number = UINT64_C(1000000000000000000);
	}
	return value.len > 0;
}

/* The sum over a UUID tells 32 digits and 4 dashes from all else: dashes weigh more than 36 digits.
 */
enum { DIGIT = 1, DASH = 64 };

static const uint8_t weights[256] = {
	['0'] = DIGIT, ['1'] = DIGIT, ['2'] = DIGIT, ['3'] = DIGIT, ['4'] = DIGIT, ['5'] = DIGIT,
	['6'] = DIGIT, ['7'] = DIGIT, ['8'] = DIGIT, ['9'] = DIGIT, ['a'] = DIGIT, ['b'] = DIGIT,
	['c'] = DIGIT, ['d'] = DIGIT, ['e'] = DIGIT, ['f'] = DIGIT, ['A'] = DIGIT, ['B'] = DIGIT,
	['C'] = DIGIT, ['D'] = DIGIT, ['E'] = DIGIT, ['F'] = DIGIT, ['-'] = DASH,
};

bool sbi_is_uuid(struct octets value)
{
	const uint8_t *d = value.data;
	unsigned int sum = 0;

	if (value.len != 36 || d[8] != '-' || d[13] != '-' || d[18] != '-' || d[23] != '-')
		return false;
	for (size_t i = 0; i < 36; i++)
		sum += weights[d[i]];
	return sum == 32 * DIGIT + 4 * DASH;
}

bool sbi_is_plain(struct octets value)
{
	for (size_t i = 0; i < value.len; i++) {
		uint8_t c = value.data[i];

		if (c <= ' ' || c >= 0x7f || c == '"' || c == ',' || c == ';' || c == '\\')
			return false;
	}
	return value.len > 0;
}

bool sbi_is_host(struct octets value)
{
	for (size_t i = 0; i < value.len; i++) {
		uint8_t c = value.data[i];

		if (!sbi_is_digit(c) && !(sbi_lower(c) >= 'a' && sbi_lower(c) <= 'z') && c != '-' &&
		    c != '_' && c != '.' && c != ':')
			return false;
	}
	return value.len > 0;
}

void sbi_finding_print(struct text *out, const struct finding *finding)
{
	text_printf(out, "%s: %s, line %d, octet %u", finding->field,
		    finding_rule_name(finding->rule), (int)finding->ie + 1, finding->bit / 8);
}
