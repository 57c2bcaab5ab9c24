/*
 * Messages as text. The tree and the flat form are one walk: what differs is how a field and the
 * groups around it become a line. The line for ladders picks what tells messages apart.
 */
#include <stdarg.h>
#include <stdio.h>

#include "codecs/pfcp/pfcp_codec.h"
#include "codecs/pfcp/pfcp_fields.h"
#include "codecs/pfcp/pfcp_print.h"
#include "codecs/pfcp/pfcp_value.h"

enum {
	DEPTH_MAX = 12, /* groups in groups; deeper ones are printed as octets or not at all */
	TYPES = 404,	/* counted each; what has a higher type is counted together */
	PATH_MAX_OCTETS = 512,
};

struct printer {
	struct text *text;
	enum pfcp_print_form form;
	unsigned int depth;
	char path[PATH_MAX_OCTETS]; /* of the open groups, for the flat form */
	size_t path_len;
};

static void begin_field(struct printer *p, const char *name)
{
	if (p->form == PFCP_PRINT_TREE)
		text_indent(p->text, p->depth);
	else
		text_puts(p->text, p->path);
	text_puts(p->text, name);
	text_puts(p->text, p->form == PFCP_PRINT_TREE ? ": " : " = ");
}

static void end_field(struct printer *p)
{
	text_putc(p->text, '\n');
}

__attribute__((format(printf, 3, 4))) static void field(struct printer *p, const char *name,
							const char *format, ...)
{
	char value[256];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	begin_field(p, name);
	text_puts(p->text, value);
	end_field(p);
}

static void field_octets(struct printer *p, const char *name, struct octets value)
{
	begin_field(p, name);
	if (value.len)
		text_hex(p->text, value.data, value.len);
	else
		text_puts(p->text, "(empty)");
	end_field(p);
}

/* Returns what close_group needs. */
static size_t open_group(struct printer *p, const char *name)
{
	size_t mark = p->path_len;
	struct text path;

	if (p->form == PFCP_PRINT_TREE) {
		text_indent(p->text, p->depth);
		text_puts(p->text, name);
		text_putc(p->text, '\n');
	}
	text_init(&path, p->path + mark, sizeof(p->path) - mark);
	text_printf(&path, "%s/", name);
	p->path_len += path.len;
	p->depth++;
	return mark;
}

static void close_group(struct printer *p, size_t mark)
{
	p->depth--;
	p->path_len = mark;
	p->path[mark] = '\0';
}

/* ---- values ---- */

static const struct {
	uint16_t type;
	uint16_t flag;
	const char *name;
} flag_names[] = {
#define FLAG(ie, octet, bit, flag) { PFCP_IE_##ie, PFCP_BIT(octet, bit), #flag },
#include "codecs/pfcp/pfcp_flags.def"
#undef FLAG
};

/* "03 (LOAD, OVRL)" */
static void put_flags(struct text *text, uint16_t type, struct octets value)
{
	const char *before = " (";

	text_hex(text, value.data, value.len);
	for (size_t i = 0; i < sizeof(flag_names) / sizeof(flag_names[0]); i++) {
		if (flag_names[i].type != type ||
		    !pfcp_flag(value, (enum pfcp_flag)flag_names[i].flag))
			continue;
		text_puts(text, before);
		text_puts(text, flag_names[i].name);
		before = ", ";
	}
	if (before[0] == ',')
		text_putc(text, ')');
}

static void put_timer(struct text *text, uint8_t octet)
{
	struct pfcp_timer timer = pfcp_timer_decode(octet);

	if (timer.state == PFCP_TIMER_STOPPED)
		text_puts(text, "stopped");
	else if (timer.state == PFCP_TIMER_INFINITE)
		text_puts(text, "infinite");
	else
		text_printf(text, "%u s%s", timer.seconds, timer.reserved ? ", reserved unit" : "");
}

static void put_metric(struct text *text, uint8_t metric)
{
	text_printf(text, "%u", metric);
	if (pfcp_metric(metric) != metric)
		text_printf(text, " (counts as %u)", pfcp_metric(metric));
}

static void put_cause(struct text *text, uint8_t cause)
{
	text_printf(text, "%u (%s)", cause, pfcp_cause_name(cause));
}

static void put_text(struct text *text, struct octets value)
{
	if (!pfcp_is_graphic(value)) {
		text_hex(text, value.data, value.len);
		return;
	}
	text_putc(text, '"');
	text_write(text, value.data, value.len);
	text_putc(text, '"');
}

static void put_decimal(struct text *text, struct octets value)
{
	text_printf(text, "%llu", (unsigned long long)get_number(value.data, value.len));
}

/* A value of at least its least length that is one field; false: print it as octets. */
static bool put_value(struct text *text, const struct pfcp_ie_info *info, struct octets value)
{
	struct pfcp_node_id id;

	switch (info->form) {
	case PFCP_FORM_TEXT:
		put_text(text, value);
		return true;
	case PFCP_FORM_NAME:
		if (pfcp_is_name(value))
			pfcp_name_print(text, value);
		else
			put_text(text, value);
		return true;
	case PFCP_FORM_U8:
	case PFCP_FORM_U16:
	case PFCP_FORM_U32:
	case PFCP_FORM_U64:
	case PFCP_FORM_NUMBER:
	case PFCP_FORM_TIME:
		if (value.len > 8)
			return false;
		put_decimal(text, value);
		return true;
	case PFCP_FORM_SECONDS:
		if (value.len > 8)
			return false;
		put_decimal(text, value);
		text_puts(text, " s");
		return true;
	case PFCP_FORM_FLAGS:
		put_flags(text, info->type, value);
		return true;
	case PFCP_FORM_CAUSE:
		put_cause(text, value.data[0]);
		return value.len == 1;
	case PFCP_FORM_NODE_ID:
		if (pfcp_node_id_decode(&id, value) != FINDING_NONE)
			return false;
		pfcp_node_id_print(text, &id);
		return true;
	case PFCP_FORM_TIMER:
		put_timer(text, value.data[0]);
		return value.len == 1;
	case PFCP_FORM_METRIC:
		put_metric(text, value.data[0]);
		return value.len == 1;
	case PFCP_FORM_IE_TYPE:
		text_printf(text, "%u (%s)", get_u16(value.data),
			    pfcp_ie_name(get_u16(value.data)));
		return value.len == 2;
	default:
		return false;
	}
}

struct parts {
	struct printer *printer;
	uint16_t type;
};

static void print_part(void *context, const struct pfcp_field *part, struct octets value)
{
	struct parts *parts = context;
	struct printer *p = parts->printer;

	begin_field(p, part->name);
	switch (part->kind) {
	case PFCP_FIELD_FLAGS:
	case PFCP_FIELD_FLAGS_2:
		put_flags(p->text, parts->type, value);
		break;
	case PFCP_FIELD_U8:
	case PFCP_FIELD_U16:
	case PFCP_FIELD_U24:
	case PFCP_FIELD_U32:
	case PFCP_FIELD_U40:
	case PFCP_FIELD_U64:
	case PFCP_FIELD_TIME:
	case PFCP_FIELD_COUNT:
	case PFCP_FIELD_MORE_U8:
		put_decimal(p->text, value);
		break;
	case PFCP_FIELD_IPV4:
	case PFCP_FIELD_IPV6:
	case PFCP_FIELD_ADDRESS:
	case PFCP_FIELD_LV_6:
		pfcp_address_print(p->text, value);
		break;
	case PFCP_FIELD_NAME:
		pfcp_name_print(p->text, value);
		break;
	case PFCP_FIELD_LV:
	case PFCP_FIELD_LV_2:
	case PFCP_FIELD_MORE_LV_2:
		put_text(p->text, value);
		break;
	default:
		text_hex(p->text, value.data, value.len);
		break;
	}
	end_field(p);
}

/* ---- IEs ---- */

static void print_list(struct printer *p, const struct pfcp_ie_list *list);

static void print_plain(struct printer *p, const char *name, const struct pfcp_ie *ie,
			const struct pfcp_ie_info *info)
{
	const char *at = name;
	char buf[1024];
	struct text text;

	if (!info || ie->value.len < info->min || ie->value.len == 0) {
		field_octets(p, name, ie->value);
		return;
	}
	if (info->form == PFCP_FORM_FIELDS) {
		struct parts parts = { p, ie->type };
		size_t mark = open_group(p, name);

		if (pfcp_fields_walk(ie->type, ie->value, print_part, &parts, &at) ==
		    FINDING_LENGTH)
			field(p, at, "(cut off)");
		close_group(p, mark);
		return;
	}
	text_init(&text, buf, sizeof(buf));
	if (!put_value(&text, info, ie->value) || text.truncated) {
		field_octets(p, name, ie->value);
		return;
	}
	begin_field(p, name);
	text_puts(p->text, buf);
	end_field(p);
}

static void print_ie(struct printer *p, const struct pfcp_ie *ie, unsigned int before)
{
	const struct pfcp_ie_info *info = pfcp_ie_info(ie->type);
	struct text name;
	char buf[128];

	text_init(&name, buf, sizeof(buf));
	if (ie->bare)
		text_puts(&name, "Undecodable rest");
	else if (ie->type >= PFCP_IE_VENDOR)
		text_printf(&name, "IE %u of vendor %u", ie->type, ie->enterprise_id);
	else if (info)
		text_puts(&name, info->name);
	else
		text_printf(&name, "Unknown IE %u", ie->type);
	if (before)
		text_printf(&name, "[%u]", before + 1);
	if (ie->bare || !ie->grouped) {
		print_plain(p, buf, ie, ie->bare ? NULL : info);
	} else if (p->depth < DEPTH_MAX) {
		size_t mark = open_group(p, buf);

		print_list(p, &ie->ies);
		close_group(p, mark);
	} else {
		field(p, buf, "(nested too deep)");
	}
	if (!ie->length_lies)
		return;
	text_puts(&name, ", Length");
	field(p, buf, "%u (not true)", ie->length);
}

static void print_list(struct printer *p, const struct pfcp_ie_list *list)
{
	uint16_t counts[TYPES] = { 0 };

	for (const struct pfcp_ie *ie = list->first; ie && !p->text->truncated; ie = ie->next) {
		size_t type = ie->bare || ie->type >= TYPES ? 0 : ie->type;

		print_ie(p, ie, counts[type]);
		counts[type]++;
	}
}

static void put_title(struct text *text, const struct pfcp_message *msg)
{
	const struct pfcp_message_info *info = pfcp_message_info(msg->type);

	if (info)
		text_puts(text, info->name);
	else
		text_printf(text, "Message type %u", msg->type);
}

void pfcp_print(struct text *text, const struct pfcp_message *msg, enum pfcp_print_form form)
{
	struct printer p = { .text = text, .form = form };
	struct text title;
	char buf[64];

	text_init(&title, buf, sizeof(buf));
	put_title(&title, msg);
	open_group(&p, buf);
	if (msg->version != PFCP_VERSION)
		field(&p, "Version", "%u", msg->version);
	if (msg->follow_on)
		field(&p, "Follow On", "1");
	if (msg->length_lies)
		field(&p, "Message Length", "%u (not true)", msg->length);
	if (msg->has_seid)
		field(&p, "SEID", "0x%016llx", (unsigned long long)msg->seid);
	/* the same name is that of an IE, which is elsewhere */
	field(&p, "Header Sequence Number", "%u", msg->sequence_number);
	if (msg->has_priority)
		field(&p, "Message Priority", "%u", msg->priority);
	print_list(&p, &msg->ies);
	if (msg->trailing.len)
		field_octets(&p, "Trailing octets", msg->trailing);
	close_group(&p, 0);
}

/* ---- the line ---- */

/* What is worth seeing of an IE of a message in a ladder, behind its name. */
static void put_short(struct text *text, const struct pfcp_ie *ie)
{
	const struct pfcp_ie_info *info = pfcp_ie_info(ie->type);
	struct pfcp_f_seid f_seid;
	struct pfcp_oci oci;
	struct pfcp_lci lci;

	switch (ie->type) {
	case PFCP_IE_OVERLOAD_CONTROL_INFORMATION:
		if (pfcp_oci_decode(&oci, ie) != FINDING_NONE) {
			text_puts(text, " (incomplete)");
			return;
		}
		text_printf(text, " seq %u metric ", oci.sequence_number);
		put_metric(text, oci.metric);
		text_puts(text, " validity ");
		put_timer(text, oci.timer);
		if (oci.flags & PFCP_OCI_AOCI)
			text_puts(text, " AOCI");
		return;
	case PFCP_IE_LOAD_CONTROL_INFORMATION:
		if (pfcp_lci_decode(&lci, ie) != FINDING_NONE) {
			text_puts(text, " (incomplete)");
			return;
		}
		text_printf(text, " seq %u metric ", lci.sequence_number);
		put_metric(text, lci.metric);
		return;
	case PFCP_IE_F_SEID:
		if (pfcp_f_seid_decode(&f_seid, ie->value) == FINDING_NONE)
			text_printf(text, " 0x%llx", (unsigned long long)f_seid.seid);
		return;
	case PFCP_IE_CAUSE:
	case PFCP_IE_NODE_ID:
	case PFCP_IE_RECOVERY_TIME_STAMP:
	case PFCP_IE_REPORT_TYPE:
	case PFCP_IE_NODE_REPORT_TYPE:
	case PFCP_IE_OFFENDING_IE:
		if (ie->value.len < info->min || ie->value.len > 64)
			return;
		text_putc(text, ' ');
		put_value(text, info, ie->value);
		return;
	default:
		return;
	}
}

/* OCI and LCI by the names that everybody uses. */
static void put_short_name(struct text *text, const struct pfcp_ie *ie)
{
	if (ie->bare)
		text_puts(text, "undecodable rest");
	else if (ie->type == PFCP_IE_OVERLOAD_CONTROL_INFORMATION)
		text_puts(text, "OCI");
	else if (ie->type == PFCP_IE_LOAD_CONTROL_INFORMATION)
		text_puts(text, "LCI");
	else if (pfcp_ie_info(ie->type))
		text_puts(text, pfcp_ie_name(ie->type));
	else
		text_printf(text, "IE %u", ie->type);
}

void pfcp_print_line(struct text *text, const struct pfcp_message *msg)
{
	const char *before = ": ";

	put_title(text, msg);
	text_printf(text, " seq %u", msg->sequence_number);
	if (msg->has_seid)
		text_printf(text, " SEID 0x%llx", (unsigned long long)msg->seid);
	if (msg->has_priority)
		text_printf(text, " priority %u", msg->priority);
	for (const struct pfcp_ie *ie = msg->ies.first; ie && !text->truncated; ie = ie->next) {
		size_t same = 1;

		text_puts(text, before);
		before = ", ";
		put_short_name(text, ie);
		if (ie->bare)
			continue;
		put_short(text, ie);
		if (ie->type == PFCP_IE_OVERLOAD_CONTROL_INFORMATION ||
		    ie->type == PFCP_IE_LOAD_CONTROL_INFORMATION)
			continue;
		for (; ie->next && ie->next->type == ie->type && !ie->next->bare; same++)
			ie = ie->next;
		if (same > 1)
			text_printf(text, " (%zu)", same);
	}
	if (msg->trailing.len)
		text_printf(text, ", %zu trailing octets", msg->trailing.len);
}

static bool decode_for_print(struct pfcp_message *msg, struct octets pdu, struct arena *arena)
{
	return pfcp_decode(msg, pdu, arena, DECODE_LENIENT, NULL) == FINDING_NONE;
}

void pfcp_print_pdu(struct text *text, struct octets pdu, struct arena *arena,
		    enum pfcp_print_form form)
{
	size_t used = arena->used;
	struct pfcp_message msg;

	for (struct octets rest = pdu; rest.len; rest = msg.following) {
		if (!decode_for_print(&msg, rest, arena)) {
			struct printer p = { .text = text, .form = form };

			field_octets(&p, "No PFCP message", rest);
			break;
		}
		pfcp_print(text, &msg, form);
		arena->used = used;
	}
	arena->used = used;
	if (pdu.len == 0)
		text_puts(text, "No PFCP message\n");
}

void pfcp_print_pdu_line(struct text *text, struct octets pdu, struct arena *arena)
{
	size_t used = arena->used;
	struct pfcp_message msg;

	if (decode_for_print(&msg, pdu, arena))
		pfcp_print_line(text, &msg);
	else
		text_printf(text, "No PFCP message (%zu octets)", pdu.len);
	if (msg.following.len)
		text_puts(text, " + more");
	arena->used = used;
}
