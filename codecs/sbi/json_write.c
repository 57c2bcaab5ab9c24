#include <inttypes.h>

#include "codecs/sbi/json.h"
#include "codecs/sbi/sbi_date.h"

struct list {
	const uint8_t *items;
	size_t count;
};

static void write_text(struct text *out, struct octets s)
{
	text_putc(out, '"');
	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.data[i];

		if (c == '"' || c == '\\') {
			text_putc(out, '\\');
			text_putc(out, (char)c);
		} else if (c < ' ' || c == 0x7f) {
			text_printf(out, "\\u%04x", (unsigned int)c);
		} else {
			text_putc(out, (char)c);
		}
	}
	text_putc(out, '"');
}

static void write_list(struct text *out, const struct json_object *object, const struct list *list)
{
	text_putc(out, '[');
	for (size_t i = 0; i < list->count; i++) {
		if (i)
			text_putc(out, ',');
		json_write(out, object, list->items + i * object->size);
	}
	text_putc(out, ']');
}

static void write_map(struct text *out, const struct json_object *object, const struct list *list)
{
	text_putc(out, '{');
	for (size_t i = 0; i < list->count; i++) {
		const uint8_t *item = list->items + i * object->size;

		if (i)
			text_putc(out, ',');
		write_text(out, *(const struct octets *)(const void *)item);
		text_putc(out, ':');
		json_write(out, object, item);
	}
	text_putc(out, '}');
}

static void write_texts(struct text *out, const struct list *list)
{
	const struct octets *items = (const struct octets *)(const void *)list->items;

	text_putc(out, '[');
	for (size_t i = 0; i < list->count; i++) {
		if (i)
			text_putc(out, ',');
		write_text(out, items[i]);
	}
	text_putc(out, ']');
}

static bool is_present(const struct json_member *m, const void *at)
{
	switch ((enum json_type)m->type) {
	case JSON_TYPE_INT:
	case JSON_TYPE_TIME:
		return ((const struct json_int *)at)->present;
	case JSON_TYPE_BOOL:
		return *(const enum json_bool *)at != JSON_ABSENT;
	case JSON_TYPE_KEY:
		return false;
	default:
		/* a pointer comes first in all others */
		return *(const void *const *)at != NULL;
	}
}

static void write_value(struct text *out, const struct json_member *m, const void *at)
{
	const struct octets *octets = at;
	const struct json_int *number = at;
	const void *const *pointer = at;

	switch ((enum json_type)m->type) {
	case JSON_TYPE_INT:
		text_printf(out, "%" PRId64, number->value);
		break;
	case JSON_TYPE_TIME:
		text_putc(out, '"');
		sbi_datetime_print(out, number->value);
		text_putc(out, '"');
		break;
	case JSON_TYPE_BOOL:
		text_puts(out, *(const enum json_bool *)at == JSON_YES ? "true" : "false");
		break;
	case JSON_TYPE_HEX:
		text_putc(out, '"');
		text_hex(out, octets->data, octets->len);
		text_putc(out, '"');
		break;
	case JSON_TYPE_OBJECT:
		json_write(out, m->object, *pointer);
		break;
	case JSON_TYPE_TEXTS:
		write_texts(out, at);
		break;
	case JSON_TYPE_LIST:
		write_list(out, m->object, at);
		break;
	case JSON_TYPE_MAP:
		write_map(out, m->object, at);
		break;
	case JSON_TYPE_ANY:
		text_write(out, octets->data, octets->len);
		break;
	case JSON_TYPE_KEY:
		break;
	default:
		write_text(out, *octets);
		break;
	}
}

void json_write(struct text *out, const struct json_object *object, const void *value)
{
	bool any = false;

	text_putc(out, '{');
	for (size_t i = 0; i < object->count; i++) {
		const struct json_member *m = &object->members[i];
		const uint8_t *at = (const uint8_t *)value + m->offset;

		if (!is_present(m, at))
			continue;
		if (any)
			text_putc(out, ',');
		any = true;
		text_printf(out, "\"%s\":", m->name);
		write_value(out, m, at);
	}
	text_putc(out, '}');
}

void json_write_list(struct text *out, const struct json_object *object, const void *items,
		     size_t count)
{
	write_list(out, object, &(struct list){ items, count });
}
