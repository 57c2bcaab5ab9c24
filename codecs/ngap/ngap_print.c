/*
 * One walk over the node tables serves the indented print, the flat one and the comparison of two
 * messages, so that they always name a field alike.
 */
#include "codecs/ngap/ngap_print.h"

#include <inttypes.h>
#include <stdio.h>

#include "codecs/ngap/ngap_tables.h"

/* Octets of a value that are printed; more are counted. */
#define OCTETS_MAX 1024

struct printer {
	ngap_field_fn *field; /* NULL: indented lines to out */
	void *context;
	struct text *out;
	unsigned int indent;
	struct text path;
	char path_buf[512];
	struct text value;
	char value_buf[2 * OCTETS_MAX + 128];
};

static void printer_init(struct printer *p, ngap_field_fn *field, void *context, struct text *out,
			 unsigned int indent)
{
	p->field = field;
	p->context = context;
	p->out = out;
	p->indent = indent;
	text_init(&p->path, p->path_buf, sizeof(p->path_buf));
	text_init(&p->value, p->value_buf, sizeof(p->value_buf));
}

/* Where a path can be cut back to. */
struct level {
	size_t len;
	bool truncated;
};

/* A field that others lie in; note is for the indented print. */
static struct level enter(struct printer *p, const char *name, const char *note)
{
	struct level level = { p->path.len, p->path.truncated };

	if (p->field) {
		if (p->path.len && name[0] != '[' && name[0] != '#')
			text_putc(&p->path, '.');
		text_puts(&p->path, name);
	} else {
		text_indent(p->out, p->indent++);
		text_puts(p->out, name);
		if (note[0])
			text_printf(p->out, "%s%s", name[0] ? ": " : "", note);
		text_putc(p->out, '\n');
	}
	return level;
}

static void leave(struct printer *p, struct level level)
{
	if (p->field) {
		p->path.len = level.len;
		p->path.truncated = level.truncated;
		p->path_buf[level.len] = 0;
	} else {
		p->indent--;
	}
}

static struct text *begin(struct printer *p)
{
	text_init(&p->value, p->value_buf, sizeof(p->value_buf));
	return &p->value;
}

/* The value that begin gave has been composed. */
static void leaf(struct printer *p, const char *name)
{
	if (p->field) {
		struct level level = enter(p, name, "");

		p->field(p->context, p->path_buf, p->value_buf);
		leave(p, level);
		return;
	}
	text_indent(p->out, p->indent);
	text_printf(p->out, "%s: %s\n", name, p->value_buf);
}

static void put_octets(struct text *out, struct octets octets)
{
	size_t n = octets.len < OCTETS_MAX ? octets.len : OCTETS_MAX;

	if (n)
		text_hex(out, octets.data, n);
	else
		text_puts(out, "(empty)");
	if (n < octets.len)
		text_printf(out, "... (%zu octets)", octets.len);
}

static void put_string(struct text *out, struct octets string)
{
	text_putc(out, '"');
	for (size_t i = 0; i < string.len && i < OCTETS_MAX / 2; i++) {
		uint8_t c = string.data[i];

		if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\')
			text_putc(out, (char)c);
		else
			text_printf(out, "\\x%02x", c);
	}
	text_putc(out, '"');
	if (string.len > OCTETS_MAX / 2)
		text_printf(out, "... (%zu octets)", string.len);
}

static void put_bits(struct text *out, struct per_bits bits)
{
	if (bits.len <= 64)
		text_printf(out, "%0*" PRIx64 "/%zu", (int)(bits.len + 3) / 4, per_bits_value(bits),
			    bits.len);
	else {
		put_octets(out, OCTETS(bits.data, (bits.len + 7) / 8));
		text_printf(out, "/%zu", bits.len);
	}
}

static void put_enumerated(struct text *out, const struct per_node *node, uint32_t value)
{
	if (value < node->count)
		text_puts(out, node->names[value]);
	else
		text_printf(out, "unknown (%" PRIu32 ")", value);
}

static void put_scalar(struct text *out, const struct per_node *node, const void *value)
{
	switch ((enum per_kind)node->kind) {
	case PER_INTEGER:
		text_printf(out, "%" PRId64, *(const int64_t *)value);
		break;
	case PER_ENUMERATED:
		put_enumerated(out, node, *(const uint32_t *)value);
		break;
	case PER_BITS_64:
		text_printf(out, "%0*" PRIx64 "/%d", (int)(node->upper + 3) / 4,
			    *(const uint64_t *)value, (int)node->upper);
		break;
	case PER_BIT_STRING:
		put_bits(out, *(const struct per_bits *)value);
		break;
	case PER_PRINTABLE_STRING:
	case PER_VISIBLE_STRING:
	case PER_UTF8_STRING:
		put_string(out, *(const struct octets *)value);
		break;
	default:
		put_octets(out, *(const struct octets *)value);
		break;
	}
}

static void print_node(struct printer *p, const struct per_node *node, const void *value,
		       const char *name);

static void print_additions(struct printer *p, const struct per_additions *additions)
{
	struct level level;
	char name[32];

	if (!additions)
		return;
	level = enter(p, "additions", "");
	put_bits(begin(p), additions->present);
	leaf(p, "present");
	for (size_t i = 0; i < additions->count; i++) {
		snprintf(name, sizeof(name), "[%zu]", i);
		put_octets(begin(p), additions->values[i]);
		leaf(p, name);
	}
	leave(p, level);
}

static const char *criticality_name(uint8_t criticality)
{
	static const char *const names[] = { "reject", "ignore", "notify" };

	return criticality < 3 ? names[criticality] : "invalid";
}

/* occurrence: how many of the same id came before this one in its container. */
static void print_ie(struct printer *p, const struct ngap_ie *ie, size_t occurrence)
{
	const char *known = ngap_ie_name(ie->id);
	char name[96];
	char note[48];
	struct level level;
	int n;

	if (strcmp(known, "unknown") == 0)
		n = snprintf(name, sizeof(name), "id-%u", ie->id);
	else
		n = snprintf(name, sizeof(name), "%s", known);
	if (occurrence && n > 0 && (size_t)n < sizeof(name))
		snprintf(name + n, sizeof(name) - (size_t)n, "#%zu", occurrence + 1);
	if (p->field) {
		level = enter(p, name, "");
		text_puts(begin(p), criticality_name(ie->criticality));
		leaf(p, "criticality");
		leave(p, level);
	}
	snprintf(note, sizeof(note), "(%u, %s)", ie->id, criticality_name(ie->criticality));
	if (!ie->value) {
		struct text *out = begin(p);

		text_puts(out, "raw ");
		put_octets(out, ie->raw);
		if (!p->field)
			text_printf(out, " %s", note);
		leaf(p, name);
		return;
	}
	if (!p->field) {
		char title[160];

		snprintf(title, sizeof(title), "%s %s", name, note);
		print_node(p, &ngap_nodes[ie->type], ie->value, title);
		return;
	}
	print_node(p, &ngap_nodes[ie->type], ie->value, name);
}

static void print_ies(struct printer *p, const struct ngap_ie *ies, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t occurrence = 0;

		/* Containers of thousands of IEs are not worth a quadratic search. */
		for (size_t j = 0; j < i && i < 256; j++)
			occurrence += ies[j].id == ies[i].id;
		print_ie(p, &ies[i], occurrence);
	}
}

static void print_sequence(struct printer *p, const struct per_node *node, const uint8_t *value,
			   const char *name)
{
	struct level level = enter(p, name, "");

	for (size_t i = 0; i < node->count; i++) {
		const struct per_member *member = &node->members[i];
		const void *at = value + member->offset;

		if (member->optional)
			at = *(const void *const *)at;
		if (at)
			print_node(p, member->node, at, member->name);
	}
	if (node->extensible)
		print_additions(p, *(const struct per_additions *const *)(value + node->additions));
	leave(p, level);
}

static void print_list(struct printer *p, const struct per_node *node, const struct per_list *list,
		       const char *name)
{
	const struct per_node *element = node->members->node;
	const uint8_t *item = list->items;
	struct level level;
	char text[32];

	if (!list->count) {
		text_puts(begin(p), "(empty)");
		leaf(p, name);
		return;
	}
	snprintf(text, sizeof(text), "%zu", list->count);
	level = enter(p, name, text);
	for (size_t i = 0; i < list->count; i++, item += element->size) {
		snprintf(text, sizeof(text), "[%zu]", i);
		print_node(p, element, item, text);
	}
	leave(p, level);
}

static void print_choice(struct printer *p, const struct per_node *node, const uint8_t *value,
			 const char *name)
{
	uint32_t choice = *(const uint32_t *)(const void *)value;
	const struct per_member *alternative;
	struct level level;

	if (choice < 1 || choice > node->count) {
		text_puts(begin(p), "(no choice)");
		leaf(p, name);
		return;
	}
	alternative = &node->members[choice - 1];
	level = enter(p, name, "");
	print_node(p, alternative->node, value + alternative->offset, alternative->name);
	leave(p, level);
}

static void print_container(struct printer *p, const struct per_node *node, const void *value,
			    const char *name)
{
	const struct ngap_ie_set *set = node->foreign;
	const struct ngap_ie_list *list = value;
	struct level level = enter(p, name, "");

	if (set->single)
		print_ie(p, value, 0);
	else
		print_ies(p, list->items, list->count);
	leave(p, level);
}

static void print_node(struct printer *p, const struct per_node *node, const void *value,
		       const char *name)
{
	switch ((enum per_kind)node->kind) {
	case PER_SEQUENCE:
		print_sequence(p, node, value, name);
		break;
	case PER_SEQUENCE_OF:
		print_list(p, node, value, name);
		break;
	case PER_CHOICE:
		print_choice(p, node, value, name);
		break;
	case PER_FOREIGN:
		print_container(p, node, value, name);
		break;
	default:
		put_scalar(begin(p), node, value);
		leaf(p, name);
		break;
	}
}

static const char *kind_name(enum ngap_kind kind)
{
	static const char *const names[] = { "initiating message", "successful outcome",
					     "unsuccessful outcome" };

	return kind <= NGAP_UNSUCCESSFUL_OUTCOME ? names[kind] : "invalid";
}

static void print_content(struct printer *p, const struct ngap_pdu *pdu)
{
	if (pdu->is_raw) {
		struct text *out = begin(p);

		text_puts(out, "raw ");
		put_octets(out, pdu->raw);
		leaf(p, "value");
	} else {
		print_ies(p, pdu->ies, pdu->count);
		print_additions(p, pdu->additions);
	}
	if (pdu->trailing.len) {
		put_octets(begin(p), pdu->trailing);
		leaf(p, "trailing octets");
	}
}

void ngap_print(const struct ngap_pdu *pdu, unsigned int indent, struct text *out)
{
	struct printer p;

	text_indent(out, indent);
	text_printf(out, "%s (%s %u, %s, %s)\n",
		    ngap_message_name(ngap_message_of(pdu->procedure_code, pdu->kind)),
		    ngap_procedure_name(pdu->procedure_code), pdu->procedure_code,
		    kind_name(pdu->kind), criticality_name(pdu->criticality));
	printer_init(&p, NULL, NULL, out, indent + 1);
	print_content(&p, pdu);
}

void ngap_print_summary(const struct ngap_pdu *pdu, struct text *out)
{
	enum ngap_message message = ngap_message_of(pdu->procedure_code, pdu->kind);

	if (message == NGAP_MESSAGE_UNKNOWN)
		text_printf(out, "procedure %u, %s", pdu->procedure_code, kind_name(pdu->kind));
	else
		text_puts(out, ngap_message_name(message));
	for (size_t i = 0; i < pdu->count; i++) {
		const struct ngap_ie *ie = &pdu->ies[i];
		const struct per_node *node = &ngap_nodes[ie->value ? ie->type : NGAP_TYPE_RAW];
		const char *name = ngap_ie_name(ie->id);

		text_puts(out, i ? ", " : ": ");
		if (strcmp(name, "unknown") == 0)
			text_printf(out, "id-%u", ie->id);
		else
			text_puts(out, name);
		if (!ie->value)
			continue;
		if (node->kind == PER_INTEGER || node->kind == PER_ENUMERATED) {
			text_putc(out, ' ');
			put_scalar(out, node, ie->value);
		} else if (ie->type == NGAP_TYPE_CAUSE) {
			const struct ngap_cause *cause = ie->value;

			if (cause->choice >= 1 && cause->choice <= NGAP_CAUSE_CHOICE_MISC) {
				const struct per_member *m = &node->members[cause->choice - 1];

				text_putc(out, ' ');
				put_scalar(out, m->node, (const uint8_t *)cause + m->offset);
			}
		}
	}
}

void ngap_print_value(enum ngap_type type, const void *value, unsigned int indent, struct text *out)
{
	struct printer p;

	if (type <= NGAP_TYPE_RAW || type >= NGAP_TYPE_COUNT || !ngap_nodes[type].name)
		return;
	printer_init(&p, NULL, NULL, out, indent);
	print_node(&p, &ngap_nodes[type], value, ngap_nodes[type].name);
}

void ngap_fields(const struct ngap_pdu *pdu, ngap_field_fn *fn, void *context)
{
	struct printer p;

	printer_init(&p, fn, context, NULL, 0);
	text_puts(begin(&p), ngap_message_name(ngap_message_of(pdu->procedure_code, pdu->kind)));
	leaf(&p, "message");
	text_printf(begin(&p), "%u", pdu->procedure_code);
	leaf(&p, "procedureCode");
	text_puts(begin(&p), criticality_name(pdu->criticality));
	leaf(&p, "criticality");
	print_content(&p, pdu);
}

static void print_line(void *context, const char *path, const char *value)
{
	text_printf(context, "%s = %s\n", path, value);
}

void ngap_print_flat(const struct ngap_pdu *pdu, struct text *out)
{
	ngap_fields(pdu, print_line, out);
}
