/*
 * A case inside the HTML report. The events are read a line at a time, decoded by the codecs, and
 * go straight into the packer, so memory does not grow with the record. Every string of the record
 * is made visible here (printable.h): what steers text stands as \u202e on the page.
 */
#include "reports/html_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "codecs/nas/nas.h"
#include "codecs/ngap/ngap.h"
#include "codecs/ngap/ngap_print.h"
#include "codecs/pfcp/pfcp_print.h"
#include "reports/filters.h"
#include "reports/frames.h"
#include "reports/evidence.h"
#include "reports/printable.h"
#include "runner/core/secrets.h"

enum {
	LINE_MAX_OCTETS = 8 << 20,
	LOG_MAX_OCTETS = 4 << 20,
	FIELDS_MAX = 65536,
	ARENA_SIZE = 1 << 20,
	PATH_SIZE = 4096,
	INPUT = 32768,
	OUTPUT = 3 * 8192, /* base64 takes three at a time */
};

struct packer {
	z_stream stream;
	FILE *out;
	char input[INPUT];
	size_t used;
	uint8_t output[OUTPUT];
	char fields[FIELDS_MAX];
	uint8_t arena[ARENA_SIZE];
	char *line;
	uint8_t *octets;
};

/* --- deflate and base64 ----------------------------------------------------------------------- */

static void put_base64(const uint8_t *data, size_t len, FILE *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		uint32_t three = (uint32_t)data[i] << 16;
		char four[4];

		if (i + 1 < len)
			three |= (uint32_t)data[i + 1] << 8;
		if (i + 2 < len)
			three |= data[i + 2];
		for (unsigned int k = 0; k < 4; k++)
			four[k] = digits[three >> (18 - 6 * k) & 63];
		if (i + 1 >= len)
			four[2] = '=';
		if (i + 2 >= len)
			four[3] = '=';
		fwrite(four, 1, 4, out);
	}
}

static void deflate_input(struct packer *p, int flush)
{
	int rc;

	p->stream.next_in = (Bytef *)p->input;
	p->stream.avail_in = (uInt)p->used;
	do {
		rc = deflate(&p->stream, flush);
		/* whole triples until the end: the page is one base64 text */
		if (p->stream.avail_out == 0 || rc == Z_STREAM_END) {
			put_base64(p->output, OUTPUT - p->stream.avail_out, p->out);
			p->stream.next_out = p->output;
			p->stream.avail_out = OUTPUT;
			if (rc != Z_STREAM_END && p->stream.avail_in == 0 && flush == Z_NO_FLUSH)
				break;
		} else if (p->stream.avail_in == 0 && flush == Z_NO_FLUSH) {
			break;
		}
	} while (rc == Z_OK);
	p->used = 0;
}

static void put_char(struct packer *p, char c)
{
	if (p->used == INPUT)
		deflate_input(p, Z_NO_FLUSH);
	p->input[p->used++] = c;
}

static void put(struct packer *p, const char *s)
{
	while (*s)
		put_char(p, *s++);
}

static void put_number(struct packer *p, double n)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%.3f", n >= 0 && n < 1e15 ? n : 0);
	put(p, buf);
}

/* --- JSON ---------------------------------------------------------------------------------------
 */

static void put_utf8(struct packer *p, uint32_t c)
{
	char octets[4];
	size_t len = utf8_encode(c, octets);

	for (size_t i = 0; i < len; i++)
		put_char(p, octets[i]);
}

/* What steers text becomes visible; line breaks and tabs stay where the text has lines. */
static void put_string(struct packer *p, const char *s, bool lines)
{
	char buf[16];
	uint32_t c;

	put_char(p, '"');
	while (s && (c = utf8_next(&s)) != 0) {
		if (c == '\n' && lines) {
			put(p, "\\n");
		} else if (c == '\t' && lines) {
			put(p, "\\t");
		} else if (is_steering(c)) {
			snprintf(buf, sizeof(buf), c < 0x100 ? "\\\\x%02x" : "\\\\u%04x",
				 (unsigned int)c);
			put(p, buf);
		} else if (c == '"' || c == '\\') {
			put_char(p, '\\');
			put_char(p, (char)c);
		} else {
			put_utf8(p, c);
		}
	}
	put_char(p, '"');
}

static void put_member(struct packer *p, const char *name, const char *value, bool lines)
{
	if (!value)
		return;
	put_char(p, '"');
	put(p, name);
	put(p, "\":");
	put_string(p, value, lines);
	put_char(p, ',');
}

static void put_array(struct packer *p, const char *name, char *const *lines, size_t count)
{
	put_char(p, '"');
	put(p, name);
	put(p, "\":[");
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			put_char(p, ',');
		put_string(p, lines[i], true);
	}
	put(p, "],");
}

/* --- a message ----------------------------------------------------------------------------------
 */

/* False where it is no hexadecimal text. */
static bool read_hex(const char *hex, uint8_t *octets, size_t *len)
{
	size_t n = strlen(hex);

	if (n % 2 != 0)
		return false;
	for (size_t i = 0; i < n; i += 2) {
		int high = hex_digit(hex[i]), low = hex_digit(hex[i + 1]);

		if (high < 0 || low < 0)
			return false;
		octets[i / 2] = (uint8_t)(high << 4 | low);
	}
	*len = n / 2;
	return true;
}

/*
 * No report shows a key, whatever the record holds: the digits in hex are blotted, and so is the
 * same number in the fields.
 */
static void blot_key(struct octets data, char *hex, char *fields)
{
	size_t from = 0, len;

	for (; ngap_next_secret(data, &from, &len); from += len) {
		char key[2 * UINT8_MAX + 1];
		char *at;

		for (size_t k = 0; k < len; k++)
			snprintf(key + 2 * k, 3, "%02x", data.data[from + k]);
		memset(hex + 2 * from, 'x', 2 * len);
		while ((at = strstr(fields, key)) != NULL)
			memset(at, 'x', 2 * len);
	}
}

static void print_ngap(struct text *out, struct octets data, struct arena *arena)
{
	const struct octets *nas;
	struct ngap_pdu pdu;

	if (ngap_decode(&pdu, data, arena, DECODE_LENIENT, NULL) != 0) {
		text_puts(out, "not NGAP\n");
		return;
	}
	ngap_print(&pdu, 0, out);
	nas = ngap_value(&pdu, NGAP_ID_NAS_PDU);
	if (nas && nas->len > 0) {
		text_puts(out, "\nNAS-PDU:\n");
		nas_print_pdu(out, *nas, arena, NAS_PRINT_TREE);
	}
}

static void print_fields(struct packer *p, const char *proto, struct octets data)
{
	struct arena arena;
	struct text text;

	text_init(&text, p->fields, sizeof(p->fields));
	arena_init(&arena, p->arena, sizeof(p->arena));
	if (data.len == 0)
		return;
	if (strcmp(proto, "ngap") == 0)
		print_ngap(&text, data, &arena);
	else if (strcmp(proto, "nas") == 0)
		nas_print_pdu(&text, data, &arena, NAS_PRINT_TREE);
	else if (strcmp(proto, "pfcp") == 0)
		pfcp_print_pdu(&text, data, &arena, PFCP_PRINT_TREE);
	else if (strcmp(proto, "http2") == 0)
		frames_print(&text, data);
	if (text.truncated)
		memcpy(p->fields + sizeof(p->fields) - 12, "\n[cut here]", 12);
}

static void put_message(struct packer *p, const json_t *event)
{
	const char *given = event_word(event, "hex");
	struct octets data = { p->octets, 0 };
	char address[256];
	struct text text;
	char *hex = strdup(given);

	if (!hex || !read_hex(given, p->octets, &data.len)) {
		free(hex);
		hex = NULL;
	}
	p->fields[0] = '\0';
	print_fields(p, event_word(event, "proto"), data);
	if (hex && strcmp(event_word(event, "proto"), "ngap") == 0)
		blot_key(data, hex, p->fields);
	text_init(&text, address, sizeof(address));
	if (event_word(event, "local")[0])
		text_printf(&text, "%s %s %s", event_word(event, "local"),
			    strcmp(event_word(event, "dir"), "sent") == 0 ? "to" : "from",
			    event_word(event, "peer"));
	if (json_is_integer(json_object_get(event, "stream")))
		text_printf(&text, ", stream %" JSON_INTEGER_FORMAT,
			    json_integer_value(json_object_get(event, "stream")));
	if (json_is_integer(json_object_get(event, "ppid")))
		text_printf(&text, ", PPID %" JSON_INTEGER_FORMAT,
			    json_integer_value(json_object_get(event, "ppid")));
	put_member(p, "link", event_word(event, "link"), false);
	put_member(p, "proto", event_word(event, "proto"), false);
	put_member(p, "address", address, false);
	put_member(p, "hex", hex, false);
	if (p->fields[0])
		put_member(p, "fields", p->fields, true);
	put(p, "\"sent\":");
	put(p, strcmp(event_word(event, "dir"), "sent") == 0 ? "true," : "false,");
	put_member(p, "summary", event_word(event, "summary"), false);
	free(hex);
}

/* What the ladder draws of it: whose it is, and when it ends. */
static void put_timer(struct packer *p, const json_t *event)
{
	put_member(p, "owner", event_word(event, "owner"), false);
	put_member(p, "timer", event_word(event, "timer"), false);
	put_member(p, "what", event_word(event, "what"), false);
	put(p, "\"us\":");
	put_number(p, (double)json_integer_value(json_object_get(event, "us")));
	put_char(p, ',');
}

static void put_event(struct packer *p, const json_t *event)
{
	const char *kind = event_word(event, "kind");
	char buf[2048];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	put(p, "{\"t\":");
	put_number(p, (double)json_integer_value(json_object_get(event, "t_us")));
	put_char(p, ',');
	if (strcmp(kind, "message") == 0 && event_word(event, "link")[0]) {
		put_message(p, event);
	} else {
		if (event_word(event, "action")[0])
			text_printf(&text, "%s: %s", event_word(event, "action"),
				    event_word(event, "outcome"));
		else if (event_word(event, "verdict")[0])
			text_printf(&text, "%s %s", event_word(event, "verdict"),
				    event_word(event, "reason"));
		else
			text_printf(&text, "%s %s %s (%.3f s)", event_word(event, "owner"),
				    event_word(event, "timer"), event_word(event, "what"),
				    event_seconds(event, "us"));
		put_member(p, "summary", buf, false);
		if (strcmp(kind, "timer") == 0)
			put_timer(p, event);
		if (strcmp(kind, "message") == 0)
			kind = "message without a link";
	}
	put_member(p, "kind", kind[0] ? kind : "unknown event", false);
	/* closes what the members left open */
	put(p, "\"n\":0}");
}

/* --- files --------------------------------------------------------------------------------------
 */

static FILE *open_evidence(const struct run_record *record, const struct result *result,
			   const char *name)
{
	char path[PATH_SIZE];

	return evidence_path(record->dir, result->evidence, name, path, sizeof(path))
		       ? fopen(path, "re")
		       : NULL;
}

struct unreadable {
	size_t lines;
	bool cut, missing;
};

static struct unreadable put_events(struct packer *p, const struct run_record *record,
				    const struct result *result)
{
	struct unreadable bad = { .lines = 0 };
	FILE *file = open_evidence(record, result, "events.jsonl");
	bool first = true, whole;
	size_t len;

	put(p, "\"events\":[");
	bad.missing = !file;
	while (file && next_line(file, p->line, LINE_MAX_OCTETS, &len, &whole)) {
		json_t *event = whole ? json_loadb(p->line, len, 0, NULL) : NULL;

		if (json_is_object(event)) {
			if (!first)
				put_char(p, ',');
			first = false;
			put_event(p, event);
		} else {
			bad.lines++;
			bad.cut = feof(file);
		}
		json_decref(event);
	}
	if (file)
		fclose(file);
	put(p, "],");
	return bad;
}

static void put_log(struct packer *p, const struct run_record *record, const struct result *result)
{
	FILE *file = open_evidence(record, result, "log.txt");
	size_t len;

	if (!file)
		return;
	len = fread(p->line, 1, LOG_MAX_OCTETS, file);
	p->line[len] = '\0';
	/* a NUL would hide what stands behind it */
	for (size_t i = 0; i < len; i++)
		if (p->line[i] == '\0')
			p->line[i] = '\1';
	if (len == LOG_MAX_OCTETS && !feof(file))
		memcpy(p->line + len - 48, "\n[cut here: the rest is in log.txt of the case]\n",
		       49);
	fclose(file);
	put_member(p, "log", p->line, true);
}

static void put_remarks(struct packer *p, const struct result *result, const struct unreadable *bad)
{
	char buf[256];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	if (!result->evidence)
		text_puts(&text, "No evidence of this case was kept (run --evidence all).");
	else if (bad->missing)
		text_puts(&text, "The events of this case are missing from the record.");
	else if (bad->lines > 0)
		text_printf(&text, "%zu line%s of events.jsonl cannot be read%s.", bad->lines,
			    bad->lines == 1 ? "" : "s", bad->cut ? ": the file is cut off" : "");
	put(p, "\"remarks\":[");
	if (text.len > 0)
		put_string(p, buf, false);
	put(p, "],");
}

static void put_filters(struct packer *p, const struct result *result)
{
	bool first = true;

	put(p, "\"filters\":[");
	for (size_t i = 0; result->evidence && i < display_filter_count; i++) {
		if (!display_filter_fits(&display_filters[i], result->role))
			continue;
		put(p, first ? "[" : ",[");
		first = false;
		put_string(p, display_filters[i].finds, false);
		put_char(p, ',');
		put_string(p, display_filters[i].filter, false);
		put_char(p, ']');
	}
	put(p, "],");
}

static void put_figures(struct packer *p, const struct result *result)
{
	put(p, "\"figures\":[");
	for (size_t i = 0; i < result->figure_count; i++) {
		const struct figure *f = &result->figures[i];
		const struct {
			const char *name;
			double value;
		} numbers[] = {
			{ "offered", (double)f->offered },
			{ "sent", (double)f->sent },
			{ "stated", f->stated },
			{ "tolerance", f->tolerance },
			{ "low", f->low },
			{ "high", f->high },
		};

		put(p, i > 0 ? ",{" : "{");
		for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) {
			put_char(p, '"');
			put(p, numbers[k].name);
			put(p, "\":");
			put_number(p, numbers[k].value);
			put_char(p, ',');
		}
		put(p, "\"what\":");
		put_string(p, f->what, false);
		put_char(p, '}');
	}
	put(p, "],");
}

static void put_case(struct packer *p, const struct run_record *record, const struct result *result)
{
	struct unreadable bad;

	put_char(p, '{');
	put_member(p, "verdict", verdict_name(result->verdict), false);
	put_member(p, "reason", result->reason, true);
	put_member(p, "purpose", result->purpose, true);
	put_member(p, "stimulus", result->stimulus, true);
	put_member(p, "expectation", result->expectation, true);
	put_member(p, "requirement", result->requirement, false);
	put_member(p, "strength", result->strength, false);
	put_member(p, "clause", result->clause, false);
	put_member(p, "detail", result->detail, true);
	put_member(p, "baseline", result->baseline, false);
	put_member(p, "repro", result->repro, false);
	put_member(p, "evidence", result->evidence, false);
	put_array(p, "warnings", result->warnings, result->warning_count);
	put_array(p, "notes", result->notes, result->note_count);
	put_figures(p, result);
	put_filters(p, result);
	bad = put_events(p, record, result);
	put_remarks(p, result, &bad);
	put_log(p, record, result);
	put(p, "\"iut_ms\":");
	put_number(p, result->iut_ms);
	put(p, ",\"wall_ms\":");
	put_number(p, result->wall_ms);
	put_char(p, '}');
}

int html_pack_case(const struct run_record *record, const struct result *result, FILE *out)
{
	struct packer *p = calloc(1, sizeof(*p));
	int rc = -ENOMEM;

	if (!p)
		return rc;
	p->line = malloc(LINE_MAX_OCTETS);
	p->octets = malloc(LINE_MAX_OCTETS / 2);
	p->out = out;
	p->stream.next_out = p->output;
	p->stream.avail_out = OUTPUT;
	if (p->line && p->octets && deflateInit(&p->stream, 6) == Z_OK) {
		put_case(p, record, result);
		deflate_input(p, Z_FINISH);
		deflateEnd(&p->stream);
		rc = 0;
	}
	free(p->octets);
	free(p->line);
	free(p);
	return rc;
}
