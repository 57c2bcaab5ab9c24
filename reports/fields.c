#include "reports/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/nas/nas.h"
#include "codecs/ngap/ngap.h"
#include "codecs/ngap/ngap_print.h"
#include "codecs/pfcp/pfcp.h"
#include "codecs/pfcp/pfcp_print.h"

enum { ARENA_SIZE = 4 << 20, FLAT_SIZE = 1 << 20, ROOM_SIZE = 2 << 20 };

struct message_decoder *message_decoder_new(void)
{
	struct message_decoder *decoder = calloc(1, sizeof(*decoder));

	if (decoder == NULL)
		return NULL;
	decoder->arena = malloc(ARENA_SIZE);
	decoder->flat = malloc(FLAT_SIZE);
	decoder->room = malloc(ROOM_SIZE);
	if (decoder->arena == NULL || decoder->flat == NULL || decoder->room == NULL) {
		message_decoder_free(decoder);
		return NULL;
	}
	return decoder;
}

void message_decoder_free(struct message_decoder *decoder)
{
	if (decoder == NULL)
		return;
	free(decoder->arena);
	free(decoder->flat);
	free(decoder->room);
	free(decoder);
}

static const char *keep(struct text *out, const char *s)
{
	size_t len = strlen(s);
	const char *at = out->buf + out->len;

	if (len + 2 > out->size - out->len)
		return NULL;
	/* its terminator stays */
	text_write(out, s, len);
	text_putc(out, '\0');
	return at;
}

void message_add(struct message_decoder *decoder, const char *path, const char *value)
{
	struct message_field *field = &decoder->fields[decoder->count];

	if (decoder->count == MESSAGE_FIELDS_MAX) {
		decoder->cut = true;
		return;
	}
	field->path = keep(&decoder->out, path);
	field->value = field->path == NULL ? NULL : keep(&decoder->out, value);
	if (field->value == NULL)
		decoder->cut = true;
	else
		decoder->count++;
}

static void set_type(struct message_decoder *decoder, const char *type)
{
	struct text text;

	text_init(&text, decoder->type, sizeof(decoder->type));
	text_puts(&text, type);
}

/* Lines "TYPE/path = value". */
static void add_lines(struct message_decoder *decoder, char *lines)
{
	size_t prefix = strlen(decoder->type);

	for (char *line; (line = strsep(&lines, "\n")) != NULL;) {
		char *equals = strstr(line, " = ");
		const char *path = line;

		if (equals == NULL)
			continue;
		*equals = '\0';
		if (strncmp(path, decoder->type, prefix) == 0 && path[prefix] == '/')
			path += prefix + 1;
		message_add(decoder, path, equals + 3);
	}
}

static bool decode_nas(struct message_decoder *decoder, struct octets data, struct arena *arena)
{
	struct nas_msg msg;
	struct text flat;

	if (nas_is_secured(data)) {
		set_type(decoder, "security protected NAS message");
		return true;
	}
	if (nas_decode(&msg, data, arena, DECODE_LENIENT, NULL) != FINDING_NONE)
		return false;
	if (msg.info != NULL)
		set_type(decoder, msg.info->name);
	else
		snprintf(decoder->type, sizeof(decoder->type), "%s message type %02x",
			 msg.epd == NAS_EPD_5GSM ? "5GSM" : "5GMM", msg.type);
	text_init(&flat, decoder->flat, FLAT_SIZE);
	nas_print(&flat, &msg, NAS_PRINT_FLAT);
	decoder->cut = flat.truncated;
	add_lines(decoder, decoder->flat);
	return true;
}

static void add_ngap_field(void *context, const char *path, const char *value)
{
	/* The type says both. */
	if (strcmp(path, "message") != 0 && strcmp(path, "procedureCode") != 0)
		message_add(context, path, value);
}

static bool decode_ngap(struct message_decoder *decoder, struct octets data, struct arena *arena)
{
	struct ngap_pdu pdu;

	if (ngap_decode(&pdu, data, arena, DECODE_LENIENT, NULL) != 0)
		return false;
	if (pdu.message == NGAP_MESSAGE_UNKNOWN) {
		snprintf(decoder->type, sizeof(decoder->type), "NGAP procedure %u",
			 pdu.procedure_code);
		return true;
	}
	set_type(decoder, ngap_message_name(pdu.message));
	ngap_fields(&pdu, add_ngap_field, decoder);
	return true;
}

static bool decode_pfcp(struct message_decoder *decoder, struct octets data, struct arena *arena)
{
	struct pfcp_message msg;
	struct text flat;

	if (pfcp_decode(&msg, data, arena, DECODE_LENIENT, NULL) != FINDING_NONE)
		return false;
	if (pfcp_message_info(msg.type) != NULL)
		set_type(decoder, pfcp_message_name(msg.type));
	else
		snprintf(decoder->type, sizeof(decoder->type), "PFCP message type %u", msg.type);
	text_init(&flat, decoder->flat, FLAT_SIZE);
	pfcp_print(&flat, &msg, PFCP_PRINT_FLAT);
	decoder->cut = flat.truncated;
	add_lines(decoder, decoder->flat);
	return true;
}

static bool decode(struct message_decoder *decoder, const char *proto, struct octets data)
{
	struct arena arena;

	arena_init(&arena, decoder->arena, ARENA_SIZE);
	if (data.len == 0 || data.len > MESSAGE_OCTETS_MAX)
		return false;
	if (strcmp(proto, "nas") == 0)
		return decode_nas(decoder, data, &arena);
	if (strcmp(proto, "ngap") == 0)
		return decode_ngap(decoder, data, &arena);
	if (strcmp(proto, "pfcp") == 0)
		return decode_pfcp(decoder, data, &arena);
	if (strcmp(proto, "http2") == 0)
		return message_decode_http(decoder, data);
	return false;
}

void message_decode(struct message_decoder *decoder, const char *proto, struct octets data)
{
	char octets[32];

	decoder->count = 0;
	decoder->cut = false;
	text_init(&decoder->out, decoder->room, ROOM_SIZE);
	if (decode(decoder, proto, data))
		return;
	decoder->count = 0;
	snprintf(decoder->type, sizeof(decoder->type), "undecodable %.32s", proto);
	snprintf(octets, sizeof(octets), "%zu", data.len);
	message_add(decoder, "octets", octets);
}
