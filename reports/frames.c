#include "reports/frames.h"

#include <string.h>

enum {
	HEAD = 9,
	DATA = 0,
	HEADERS = 1,
	RST_STREAM = 3,
	SETTINGS = 4,
	GOAWAY = 7,
	CONTINUATION = 9
};

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

static const char *name_of(uint8_t type)
{
	switch (type) {
	case DATA:
		return "DATA";
	case HEADERS:
		return "HEADERS";
	case RST_STREAM:
		return "RST_STREAM";
	case SETTINGS:
		return "SETTINGS";
	case GOAWAY:
		return "GOAWAY";
	case CONTINUATION:
		return "CONTINUATION";
	default:
		return "frame";
	}
}

static uint32_t number(const uint8_t *at, size_t octets)
{
	uint32_t value = 0;

	while (octets-- > 0)
		value = value << 8 | *at++;
	return value;
}

/* RFC 7541 5.1 with a prefix of 7 bits, no Huffman code. False: not there. */
static bool take_string(struct octets *block, struct octets *string)
{
	size_t len, used = 1;

	if (block->len < 1 || block->data[0] & 0x80)
		return false;
	len = block->data[0];
	if (len == 127) {
		unsigned int shift = 0;
		uint8_t octet;

		do {
			if (used >= block->len || shift > 21)
				return false;
			octet = block->data[used++];
			len += (size_t)(octet & 127) << shift;
			shift += 7;
		} while (octet & 0x80);
	}
	if (len > block->len - used)
		return false;
	*string = (struct octets){ block->data + used, len };
	block->data += used + len;
	block->len -= used + len;
	return true;
}

static void put(struct text *out, struct octets octets)
{
	for (size_t i = 0; i < octets.len; i++) {
		uint8_t c = octets.data[i];

		/* a NUL would end the text */
		if (c == 0 || (c < 0x20 && c != '\n' && c != '\t'))
			text_printf(out, "\\x%02x", c);
		else
			text_putc(out, (char)c);
	}
}

static void put_fields(struct text *out, struct octets block)
{
	struct octets name, value;

	while (block.len > 0) {
		bool literal = block.data[0] == 0;

		block.data++;
		block.len--;
		if (!literal || !take_string(&block, &name) || !take_string(&block, &value)) {
			text_puts(out, "  (the rest is no literal field)\n");
			return;
		}
		text_puts(out, "  ");
		put(out, name);
		text_puts(out, ": ");
		put(out, value);
		text_putc(out, '\n');
	}
}

static bool is_text(struct octets body)
{
	for (size_t i = 0; i < body.len; i++)
		if (body.data[i] < 0x20 && !strchr("\r\n\t", body.data[i]))
			return false;
	return true;
}

static void put_body(struct text *out, struct octets body)
{
	if (body.len == 0)
		return;
	if (is_text(body)) {
		text_puts(out, "  ");
		put(out, body);
		text_putc(out, '\n');
	} else {
		text_printf(out, "  %zu octets, not all of them text\n", body.len);
	}
}

void frames_print(struct text *out, struct octets frames)
{
	size_t skip = sizeof(preface) - 1;

	if (frames.len >= skip && memcmp(frames.data, preface, skip) == 0) {
		text_puts(out, "connection preface\n");
		frames.data += skip;
		frames.len -= skip;
	}
	while (frames.len >= HEAD) {
		size_t len = number(frames.data, 3);
		uint8_t type = frames.data[3];
		struct octets body = { frames.data + HEAD, len };

		if (len > frames.len - HEAD)
			break;
		text_printf(out, "%s, stream %u, %zu octets%s\n", name_of(type),
			    (unsigned int)(number(frames.data + 5, 4) & 0x7fffffff), len,
			    (type == DATA || type == HEADERS) && frames.data[4] & 1
				    ? ", end of stream"
				    : "");
		if (type == HEADERS || type == CONTINUATION)
			put_fields(out, body);
		else if (type == DATA)
			put_body(out, body);
		else if (type == RST_STREAM && len == 4)
			text_printf(out, "  error %u\n", (unsigned int)number(body.data, 4));
		else if (type == GOAWAY && len >= 8)
			text_printf(out, "  last stream %u, error %u\n",
				    (unsigned int)number(body.data, 4),
				    (unsigned int)number(body.data + 4, 4));
		frames.data += HEAD + len;
		frames.len -= HEAD + len;
	}
	if (frames.len > 0)
		text_printf(out, "(%zu octets that are no whole frame)\n", frames.len);
}
