#include "reports/frames.h"

#include <string.h>

enum { HEAD = 9, END_STREAM = 1 };

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

static const char *name_of(uint8_t type)
{
	switch (type) {
	case FRAME_DATA:
		return "DATA";
	case FRAME_HEADERS:
		return "HEADERS";
	case FRAME_RST_STREAM:
		return "RST_STREAM";
	case FRAME_SETTINGS:
		return "SETTINGS";
	case FRAME_GOAWAY:
		return "GOAWAY";
	case FRAME_CONTINUATION:
		return "CONTINUATION";
	default:
		return "frame";
	}
}

uint32_t frames_number(const uint8_t *at, size_t octets)
{
	uint32_t value = 0;

	while (octets-- > 0)
		value = value << 8 | *at++;
	return value;
}

bool frames_string(struct octets *block, struct octets *string)
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
		if (!literal || !frames_string(&block, &name) || !frames_string(&block, &value)) {
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

bool frames_skip_preface(struct octets *frames)
{
	size_t skip = sizeof(preface) - 1;

	if (frames->len < skip || memcmp(frames->data, preface, skip) != 0)
		return false;
	*frames = OCTETS(frames->data + skip, frames->len - skip);
	return true;
}

bool frames_next(struct octets *frames, struct frame *frame)
{
	size_t len;

	if (frames->len < HEAD)
		return false;
	len = frames_number(frames->data, 3);
	if (len > frames->len - HEAD)
		return false;
	*frame = (struct frame){
		.type = frames->data[3],
		.flags = frames->data[4],
		.stream = frames_number(frames->data + 5, 4) & 0x7fffffff,
		.payload = OCTETS(frames->data + HEAD, len),
	};
	*frames = OCTETS(frames->data + HEAD + len, frames->len - HEAD - len);
	return true;
}

static void put_frame(struct text *out, const struct frame *frame)
{
	const uint8_t *data = frame->payload.data;
	size_t len = frame->payload.len;

	text_printf(out, "%s, stream %u, %zu octets%s\n", name_of(frame->type),
		    (unsigned int)frame->stream, len,
		    (frame->type == FRAME_DATA || frame->type == FRAME_HEADERS) &&
				    frame->flags & END_STREAM
			    ? ", end of stream"
			    : "");
	if (frame->type == FRAME_HEADERS || frame->type == FRAME_CONTINUATION)
		put_fields(out, frame->payload);
	else if (frame->type == FRAME_DATA)
		put_body(out, frame->payload);
	else if (frame->type == FRAME_RST_STREAM && len == 4)
		text_printf(out, "  error %u\n", (unsigned int)frames_number(data, 4));
	else if (frame->type == FRAME_GOAWAY && len >= 8)
		text_printf(out, "  last stream %u, error %u\n",
			    (unsigned int)frames_number(data, 4),
			    (unsigned int)frames_number(data + 4, 4));
}

void frames_print(struct text *out, struct octets frames)
{
	struct frame frame;

	if (frames_skip_preface(&frames))
		text_puts(out, "connection preface\n");
	while (frames_next(&frames, &frame))
		put_frame(out, &frame);
	if (frames.len > 0)
		text_printf(out, "(%zu octets that are no whole frame)\n", frames.len);
}
