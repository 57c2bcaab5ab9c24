/*
 * Messages as text. One walk over the fields serves all three forms: what differs is how a field
 * and a group of fields become lines.
 */
#include <stdarg.h>
#include <stdio.h>

#include "codecs/nas/nas_build.h"
#include "codecs/nas/nas_codec.h"

/* The longest value in one field of a line; the rest of long octets is cut there. */
enum { LINE_OCTETS = 16 };

static void open_field(struct nas_printer *printer, const char *name)
{
	switch (printer->form) {
	case NAS_TREE:
		text_indent(printer->text, printer->indent);
		text_puts(printer->text, name);
		text_puts(printer->text, ": ");
		break;
	case NAS_FLAT:
		text_puts(printer->text, printer->path);
		text_puts(printer->text, name);
		text_puts(printer->text, " = ");
		break;
	case NAS_LINE:
		text_puts(printer->text, ", ");
		text_puts(printer->text, name);
		text_putc(printer->text, ' ');
		break;
	}
}

static void close_field(struct nas_printer *printer)
{
	if (printer->form != NAS_LINE)
		text_putc(printer->text, '\n');
}

void nas_field(struct nas_printer *printer, const char *name, const char *format, ...)
{
	char value[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	open_field(printer, name);
	text_puts(printer->text, value);
	close_field(printer);
}

void nas_field_octets(struct nas_printer *printer, const char *name, struct octets value)
{
	bool cut = printer->form == NAS_LINE && value.len > LINE_OCTETS;

	open_field(printer, name);
	text_hex(printer->text, value.data, cut ? LINE_OCTETS : value.len);
	if (cut)
		text_printf(printer->text, "... (%zu octets)", value.len);
	else if (value.len == 0)
		text_puts(printer->text, "(empty)");
	close_field(printer);
}

size_t nas_group(struct nas_printer *printer, const char *name)
{
	size_t mark = printer->path_len;
	int n;

	if (printer->form == NAS_TREE) {
		text_indent(printer->text, printer->indent);
		text_puts(printer->text, name);
		text_putc(printer->text, '\n');
	}
	n = snprintf(printer->path + mark, sizeof(printer->path) - mark, "%s/", name);
	if (n > 0)
		printer->path_len += (size_t)n < sizeof(printer->path) - mark
					     ? (size_t)n
					     : sizeof(printer->path) - mark - 1;
	printer->indent++;
	return mark;
}

void nas_group_end(struct nas_printer *printer, size_t mark)
{
	printer->indent--;
	printer->path_len = mark;
	printer->path[mark] = '\0';
}

/* How many IEs of the same kind are before item i. */
static unsigned int occurrence(const struct nas_msg *msg, size_t i)
{
	unsigned int count = 0;

	for (size_t k = 0; k < i; k++)
		if (msg->items[k].row == msg->items[i].row &&
		    msg->items[k].format == msg->items[i].format &&
		    msg->items[k].iei == msg->items[i].iei)
			count++;
	return count;
}

static void print_item(struct nas_printer *printer, const struct nas_msg *msg, size_t i)
{
	const struct nas_item *item = &msg->items[i];
	unsigned int before = occurrence(msg, i);
	enum nas_type type = NAS_TYPE_OCTETS;
	struct text text;
	char name[128];

	text_init(&text, name, sizeof(name));
	if (item->row) {
		type = nas_ie_type(item->row->ie);
		text_puts(&text, nas_ie_name(item->row->ie));
	} else if (item->format == NAS_FORMAT_RAW) {
		text_puts(&text, msg->info ? "Undecodable rest" : "Content");
	} else {
		text_printf(&text, "Unknown IE %02x", item->iei);
	}
	if (before)
		text_printf(&text, "[%u]", before + 1);
	nas_codec_of(type)->print(printer, name, item->value, type);
}

static const char *message_title(const struct nas_msg *msg, char *buf, size_t size)
{
	if (msg->info)
		return msg->info->name;
	snprintf(buf, size, "%s message type %02x", msg->epd == NAS_EPD_5GSM ? "5GSM" : "5GMM",
		 msg->type);
	return buf;
}

void nas_print_message(struct nas_printer *printer, const struct nas_msg *msg)
{
	char buf[32];
	const char *title = message_title(msg, buf, sizeof(buf));
	size_t mark;

	printer->msg = msg;
	mark = nas_group(printer, title);
	if (msg->epd == NAS_EPD_5GSM) {
		nas_field(printer, "PDU session ID", "%u", msg->pdu_session_id);
		nas_field(printer, "PTI", "%u", msg->pti);
	} else if (msg->security_header) {
		nas_field(printer, "Security header type", "%02x", msg->security_header);
	}
	if (printer->form == NAS_FLAT && msg->count == 0 && msg->epd == NAS_EPD_5GMM) {
		/* a message without IEs has a line of its own, else two prints could not differ */
		text_puts(printer->text, printer->path);
		text_puts(printer->text, " = empty\n");
	}
	for (size_t i = 0; i < msg->count; i++)
		print_item(printer, msg, i);
	nas_group_end(printer, mark);
}

void nas_print(struct text *text, const struct nas_msg *msg, enum nas_print_form form)
{
	struct nas_printer printer = { .text = text,
				       .arena = msg->arena,
				       .form = form == NAS_PRINT_FLAT ? NAS_FLAT : NAS_TREE };

	nas_print_message(&printer, msg);
}

void nas_print_line(struct text *text, const struct nas_msg *msg)
{
	struct nas_printer printer = { .text = text, .form = NAS_LINE, .msg = msg };
	char buf[32];

	text_puts(text, message_title(msg, buf, sizeof(buf)));
	if (msg->epd == NAS_EPD_5GSM) {
		nas_field(&printer, "PDU session ID", "%u", msg->pdu_session_id);
		nas_field(&printer, "PTI", "%u", msg->pti);
	}
	for (size_t i = 0; i < msg->count; i++)
		print_item(&printer, msg, i);
}

static void print_secured(struct nas_printer *printer, const struct nas_secured *secured)
{
	nas_field(printer, "Security header type", "%u", secured->security_header & 0x0fu);
	if (printer->form != NAS_LINE)
		nas_field_octets(printer, "Message authentication code",
				 OCTETS(secured->mac, sizeof(secured->mac)));
	nas_field(printer, "Sequence number", "%u", secured->sequence_number);
}

/* Looks like the start of a plain message; a ciphered one does so once in 2^16. */
static bool is_plain(struct octets pdu)
{
	return (pdu.len >= 3 && pdu.data[0] == NAS_EPD_5GMM && pdu.data[1] == 0) ||
	       (pdu.len >= 4 && pdu.data[0] == NAS_EPD_5GSM);
}

static void print_pdu(struct nas_printer *printer, struct octets pdu)
{
	size_t used = printer->arena ? printer->arena->used : 0;
	struct nas_secured secured;
	struct nas_msg msg;
	size_t mark = 0;
	bool protected = nas_secured_decode(&secured, pdu) == FINDING_NONE;
	struct octets inner = protected ? secured.inner : pdu;

	if (protected) {
		if (printer->form == NAS_LINE)
			text_puts(printer->text, "security protected NAS message");
		mark = nas_group(printer, "Security protected NAS message");
		print_secured(printer, &secured);
		if (printer->form == NAS_LINE)
			text_puts(printer->text, ": ");
	}
	if (is_plain(inner) && printer->arena &&
	    nas_split(&msg, inner, printer->arena, NULL) == FINDING_NONE) {
		if (printer->form == NAS_LINE)
			nas_print_line(printer->text, &msg);
		else
			nas_print_message(printer, &msg);
	} else if (printer->form == NAS_LINE) {
		text_printf(printer->text, "%s, %zu octets",
			    protected ? "ciphered" : "no NAS message", inner.len);
	} else {
		nas_field_octets(printer, protected ? "Ciphered message" : "No NAS message", inner);
	}
	if (protected)
		nas_group_end(printer, mark);
	if (printer->arena)
		printer->arena->used = used;
}

void nas_print_pdu(struct text *text, struct octets pdu, struct arena *arena,
		   enum nas_print_form form)
{
	struct nas_printer printer = { .text = text,
				       .arena = arena,
				       .form = form == NAS_PRINT_FLAT ? NAS_FLAT : NAS_TREE };

	print_pdu(&printer, pdu);
}

void nas_print_pdu_line(struct text *text, struct octets pdu, struct arena *arena)
{
	struct nas_printer printer = { .text = text, .arena = arena, .form = NAS_LINE };

	print_pdu(&printer, pdu);
}
