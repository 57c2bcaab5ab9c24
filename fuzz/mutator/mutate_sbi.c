/*
 * Header fields of the service-based interface, "name: value": load and overload control
 * information parameter by parameter, and the fields whose value is one number or one date. What
 * cannot be read as one sound element is replaced by a new field.
 */
#include <stdio.h>
#include <string.h>

#include "codecs/sbi/sbi.h"
#include "codecs/sbi/sbi_date.h"
#include "fuzz/mutator/break.h"

enum { ROOM = 8192, LINE_SIZE = 4096, PARTS_MAX = 12, PART_SIZE = 512 };

struct work {
	enum sbi_header header;
	size_t count;
	char parts[PARTS_MAX][PART_SIZE]; /* as they are joined by "; " */
	struct chance *chance;
};

static const enum sbi_header headers[] = {
	SBI_HEADER_OCI,		SBI_HEADER_OCI,	 SBI_HEADER_OCI,
	SBI_HEADER_LCI,		SBI_HEADER_LCI,	 SBI_HEADER_MESSAGE_PRIORITY,
	SBI_HEADER_RETRY_AFTER, SBI_HEADER_DATE,
};

static const char uuid_form[] = "%08x-4191-46b3-955c-ac631f953ed8";

static bool is_load(const struct work *w)
{
	return w->header == SBI_HEADER_OCI || w->header == SBI_HEADER_LCI;
}

static size_t metric_at(const struct work *w)
{
	return w->header == SBI_HEADER_OCI ? 2 : 1;
}

static struct text part_text(struct work *w, size_t at)
{
	struct text text;

	text_init(&text, w->parts[at], PART_SIZE);
	return text;
}

static void put_date(struct work *w, struct text *text)
{
	sbi_date_print(text, chance_draw(w->chance));
}

/* Load is told of neither consumers nor callbacks: the last two are of overload alone. */
static void new_scope(struct work *w, struct text *text)
{
	uint32_t kinds = w->header == SBI_HEADER_OCI ? 6 : 4;
	unsigned int n = chance_below(w->chance, 1000);

	switch (chance_below(w->chance, kinds)) {
	case 0:
		text_printf(text, "NF-Set: set%u.smfset.5gc.mnc012.mcc345", n);
		break;
	case 1:
		text_printf(text, "SCP-FQDN: scp%u.example.com", n);
		break;
	case 2:
		text_printf(text, "SEPP-FQDN: sepp%u.example.com", n);
		break;
	case 4:
		text_printf(text, "NFC-Set: set%u.amfset.5gc.mnc012.mcc345", n);
		break;
	case 5:
		text_printf(text, "Callback-Uri: \"http://smf%u.example.com:8080/notify\"", n);
		break;
	default:
		text_puts(text, "NF-Instance: ");
		text_printf(text, uuid_form, chance_draw(w->chance));
		break;
	}
}

static unsigned int new_number(struct work *w, unsigned int limit)
{
	if (chance_one_in(w->chance, 4))
		return chance_one_in(w->chance, 2) ? limit : 0;
	return chance_below(w->chance, (size_t)limit + 1);
}

static void new_part(struct work *w, size_t at)
{
	struct text text = part_text(w, at);

	if (w->header == SBI_HEADER_MESSAGE_PRIORITY) {
		text_printf(&text, "%u", new_number(w, 31));
	} else if (!is_load(w)) {
		if (w->header == SBI_HEADER_RETRY_AFTER && chance_one_in(w->chance, 2))
			text_printf(&text, "%u", new_number(w, 100000));
		else
			put_date(w, &text);
	} else if (at == 0) {
		text_puts(&text, "Timestamp: \"");
		put_date(w, &text);
		text_puts(&text, "\"");
	} else if (at == metric_at(w)) {
		text_printf(&text, "%s: %u%%",
			    w->header == SBI_HEADER_OCI ? "Overload-Reduction-Metric"
							: "Load-Metric",
			    new_number(w, 100));
	} else if (at < metric_at(w)) {
		text_printf(&text, "Period-of-Validity: %us", new_number(w, 86400));
	} else {
		new_scope(w, &text);
	}
}

static void new_field(void *of)
{
	struct work *w = of;

	w->header = headers[chance_below(w->chance, sizeof(headers) / sizeof(headers[0]))];
	w->count = is_load(w) ? metric_at(w) + 2 : 1;
	for (size_t i = 0; i < w->count; i++)
		new_part(w, i);
}

static bool read_field(struct work *w, const uint8_t *data, size_t size)
{
	static uint8_t room[ROOM];
	static char canonical[LINE_SIZE];
	const uint8_t *colon = size ? memchr(data, ':', size) : NULL;
	struct sbi_load load;
	struct octets line;
	struct arena arena;
	struct text text;
	size_t found;

	if (!colon || size - (size_t)(colon - data) < 3 || colon[1] != ' ')
		return false;
	w->header = sbi_header_of(OCTETS(data, (size_t)(colon - data)));
	if (!is_load(w))
		return false;
	line = OCTETS(colon + 2, size - (size_t)(colon - data) - 2);
	arena_init(&arena, room, sizeof(room));
	if ((w->header == SBI_HEADER_OCI ? sbi_oci_read : sbi_lci_read)(
		    &load, 1, &found, &line, 1, SBI_REL_18, &arena, DECODE_STRICT, NULL) !=
		    FINDING_NONE ||
	    found != 1)
		return false;
	text_init(&text, canonical, sizeof(canonical));
	(w->header == SBI_HEADER_OCI ? sbi_oci_print : sbi_lci_print)(&text, &load);
	w->count = 0;
	for (char *at = canonical, *next; at; at = next) {
		next = strstr(at, "; ");
		if (next) {
			*next = '\0';
			next += 2;
		}
		if (w->count == PARTS_MAX - 2 || strlen(at) >= PART_SIZE || text.truncated)
			return false;
		strcpy(w->parts[w->count++], at);
	}
	return w->count > metric_at(w) + 1;
}

static size_t write_field(const struct work *w, uint8_t *data, size_t max)
{
	static char line[LINE_SIZE];
	struct text text;

	text_init(&text, line, sizeof(line));
	text_printf(&text, "%s: ", sbi_header_name(w->header));
	for (size_t i = 0; i < w->count; i++)
		text_printf(&text, "%s%s", i ? "; " : "", w->parts[i]);
	if (text.truncated || text.len > max)
		return 0;
	memcpy(data, line, text.len);
	return text.len;
}

/* ---- one fault ---- */

static void insert_part(struct work *w, size_t at, const char *part)
{
	memmove(w->parts[at + 1], w->parts[at], (w->count - at) * PART_SIZE);
	w->count++;
	snprintf(w->parts[at], PART_SIZE, "%s", part);
}

static bool break_duplicate(void *of)
{
	struct work *w = of;
	char part[PART_SIZE];
	size_t at;

	if (!is_load(w))
		return false;
	at = chance_below(w->chance, metric_at(w) + 1);
	strcpy(part, w->parts[at]);
	insert_part(w, at, part);
	return true;
}

static bool break_missing(void *of)
{
	struct work *w = of;
	size_t at;

	if (!is_load(w))
		return false;
	at = chance_below(w->chance, metric_at(w) + 1);
	memmove(w->parts[at], w->parts[at + 1], (w->count - at - 1) * PART_SIZE);
	w->count--;
	return true;
}

static bool break_order(void *of)
{
	struct work *w = of;
	char part[PART_SIZE];
	size_t at;

	if (!is_load(w))
		return false;
	at = chance_below(w->chance, metric_at(w));
	strcpy(part, w->parts[at]);
	strcpy(w->parts[at], w->parts[at + 1]);
	strcpy(w->parts[at + 1], part);
	return true;
}

static bool break_unknown_id(void *of)
{
	struct work *w = of;

	if (!is_load(w))
		return false;
	insert_part(w, metric_at(w) + 1, "Overload-Colour: 1");
	return true;
}

/* A number beyond its limit. */
static bool break_size(void *of)
{
	struct work *w = of;
	struct text text = part_text(w, is_load(w) ? metric_at(w) : 0);

	if (w->header == SBI_HEADER_MESSAGE_PRIORITY)
		text_printf(&text, "%u", 32 + chance_below(w->chance, 100));
	else if (is_load(w))
		text_printf(&text, "%s: %u%%",
			    w->header == SBI_HEADER_OCI ? "Overload-Reduction-Metric"
							: "Load-Metric",
			    101 + chance_below(w->chance, 1000));
	else
		return false;
	return true;
}

/* A number with a zero before it. */
static bool break_form(void *of)
{
	struct work *w = of;
	char *part = w->parts[is_load(w) ? metric_at(w) : 0];
	char *digits = part + strcspn(part, "0123456789");
	size_t len = strlen(digits);

	if (!is_load(w) && w->header != SBI_HEADER_MESSAGE_PRIORITY)
		return false;
	memmove(digits + 1, digits, len + 1);
	digits[0] = '0';
	return true;
}

static const struct breaks breaks = {
	.of = {
		[FAULT_DUPLICATE] = break_duplicate,
		[FAULT_MISSING] = break_missing,
		[FAULT_ORDER] = break_order,
		[FAULT_UNKNOWN_ID] = break_unknown_id,
		[FAULT_SIZE] = break_size,
		[FAULT_FRAGMENT] = break_form,
	},
	.renew = new_field,
};

size_t mutate_sbi(uint8_t *data, size_t size, size_t max, enum mutation_mode mode,
		  enum mutation_fault *fault, struct chance *chance)
{
	struct work w = { .chance = chance };

	if (mode == MUTATION_RAW)
		return mutate_octets(data, size, max, mode, fault, chance);
	if (chance_one_in(chance, 16) || !read_field(&w, data, size))
		new_field(&w);
	for (uint32_t n = 1 + chance_below(chance, 2); n > 0; n--)
		new_part(&w, chance_below(chance, is_load(&w) ? metric_at(&w) + 1 : 1));
	if (mode == MUTATION_FAULT)
		break_any(&breaks, &w, fault, chance);
	return write_field(&w, data, max);
}

/* The value of one under the name of the other, or both elements in one field. */
size_t cross_sbi(uint8_t *data, size_t size, size_t max, const uint8_t *other, size_t other_size,
		 struct chance *chance)
{
	const uint8_t *colon = size ? memchr(data, ':', size) : NULL;
	const uint8_t *from = other_size ? memchr(other, ':', other_size) : NULL;
	size_t keep;
	size_t n;

	if (!colon || !from)
		return 0;
	n = other_size - (size_t)(from - other) - 1;
	keep = chance_one_in(chance, 2) ? size : (size_t)(colon - data) + 1;
	if (keep + n + 1 > max)
		return 0;
	if (keep == size)
		data[keep++] = ',';
	memcpy(data + keep, from + 1, n);
	return keep + n;
}
