#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>

#include "codecs/sbi/json.h"
#include "codecs/sbi/sbi_date.h"
#include "codecs/sbi/sbi_read.h"

struct reading {
	struct arena *arena;
	struct json_fault *fault;
	struct text path;
};

/* Lists and maps in the structs have this layout. */
struct list {
	const void *items;
	size_t count;
};

static __attribute__((format(printf, 3, 4))) enum finding_rule
refuse(struct reading *r, enum finding_rule rule, const char *format, ...)
{
	va_list args;

	r->fault->rule = rule;
	va_start(args, format);
	vsnprintf(r->fault->reason, sizeof(r->fault->reason), format, args);
	va_end(args);
	return rule;
}

/* Names come from the peer: what is not plain is not repeated. */
static size_t descend(struct reading *r, const char *name)
{
	size_t before = r->path.len;

	text_putc(&r->path, '.');
	for (; *name; name++)
		text_putc(&r->path, *name > ' ' && *name < 0x7f ? *name : '?');
	return before;
}

static size_t descend_index(struct reading *r, size_t index)
{
	size_t before = r->path.len;

	text_printf(&r->path, "[%zu]", index);
	return before;
}

static void ascend(struct reading *r, size_t before)
{
	/* a fault's path stays */
	if (r->fault->rule == FINDING_NONE) {
		r->path.len = before;
		r->path.buf[before] = '\0';
	}
}

static enum finding_rule no_memory(struct reading *r)
{
	return refuse(r, FINDING_NO_MEMORY, "the body has more than there is memory for");
}

static void *take(struct reading *r, size_t count, size_t size)
{
	/* an empty list is not an absent one */
	void *items = arena_take(r->arena, count ? count * size : 1);

	if (items)
		memset(items, 0, count * size);
	else
		no_memory(r);
	return items;
}

static enum finding_rule copy_text(struct reading *r, const char *s, size_t len, struct octets *out)
{
	uint8_t *copy = take(r, len, 1);

	if (!copy)
		return FINDING_NO_MEMORY;
	memcpy(copy, s, len);
	*out = OCTETS(copy, len);
	return FINDING_NONE;
}

static int nibble(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)sbi_lower((uint8_t)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool all_hex(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (nibble(s[i]) < 0)
			return false;
	}
	return true;
}

static enum finding_rule read_hex(struct reading *r, const struct json_member *m, const char *s,
				  size_t len, struct octets *out)
{
	uint8_t *octets;

	if (len % 2 || !all_hex(s, len) || (int64_t)len / 2 < m->min || (int64_t)len / 2 > m->max)
		return refuse(r, FINDING_SYNTAX,
			      "must be %" PRId64 " to %" PRId64 " octets as hexadecimal digits",
			      m->min, m->max);
	octets = take(r, len / 2, 1);
	if (!octets)
		return FINDING_NO_MEMORY;
	for (size_t i = 0; i < len / 2; i++)
		octets[i] = (uint8_t)(nibble(s[2 * i]) << 4 | nibble(s[2 * i + 1]));
	*out = OCTETS(octets, len / 2);
	return FINDING_NONE;
}

static bool all_digits(const char *s, size_t len)
{
	uint64_t ignored;

	return len == 0 || sbi_number(OCTETS((const uint8_t *)s, len), &ignored);
}

static enum finding_rule read_text(struct reading *r, const struct json_member *m,
				   const json_t *value, void *out)
{
	const char *s = json_string_value(value);
	size_t len = json_string_length(value), bad;
	struct json_int *time = out;

	if (!s)
		return refuse(r, FINDING_SYNTAX, "must be a string");
	if (m->type == JSON_TYPE_TIME) {
		if (sbi_datetime_read(&time->value, OCTETS((const uint8_t *)s, len), &bad) !=
		    FINDING_NONE)
			return refuse(r, FINDING_SYNTAX, "must be a date-time of RFC 3339");
		time->present = true;
		return FINDING_NONE;
	}
	if (m->type == JSON_TYPE_HEX)
		return read_hex(r, m, s, len, out);
	if (m->type == JSON_TYPE_UUID && !sbi_is_uuid(OCTETS((const uint8_t *)s, len)))
		return refuse(r, FINDING_SYNTAX, "must be a UUID");
	if ((int64_t)len < m->min || (int64_t)len > m->max)
		return refuse(r, FINDING_LENGTH,
			      "must be of %" PRId64 " to %" PRId64 " characters, has %zu", m->min,
			      m->max, len);
	if (m->type == JSON_TYPE_DIGITS && !all_digits(s, len))
		return refuse(r, FINDING_SYNTAX, "must be digits");
	if (m->type == JSON_TYPE_HEX_TEXT && !all_hex(s, len))
		return refuse(r, FINDING_SYNTAX, "must be hexadecimal digits");
	return copy_text(r, s, len, out);
}

static enum finding_rule read_int(struct reading *r, const struct json_member *m,
				  const json_t *value, struct json_int *out)
{
	if (!json_is_integer(value) || json_integer_value(value) < m->min ||
	    json_integer_value(value) > m->max)
		return refuse(r, json_is_integer(value) ? FINDING_RANGE : FINDING_SYNTAX,
			      "must be an integer from %" PRId64 " to %" PRId64, m->min, m->max);
	out->present = true;
	out->value = json_integer_value(value);
	return FINDING_NONE;
}

static enum finding_rule read_any(struct reading *r, const json_t *value, struct octets *out)
{
	size_t len = json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
	char *dump = take(r, len, 1);

	if (!dump)
		return FINDING_NO_MEMORY;
	if (json_dumpb(value, dump, len, JSON_COMPACT | JSON_ENCODE_ANY) != len)
		return refuse(r, FINDING_SYNTAX, "cannot be written again");
	*out = OCTETS((uint8_t *)dump, len);
	return FINDING_NONE;
}

static enum finding_rule read_texts(struct reading *r, const json_t *value, struct list *out)
{
	size_t count = json_array_size(value), i;
	struct octets *items;
	json_t *item;

	if (!json_is_array(value))
		return refuse(r, FINDING_SYNTAX, "must be an array");
	items = take(r, count, sizeof(*items));
	if (!items)
		return FINDING_NO_MEMORY;
	json_array_foreach(value, i, item)
	{
		size_t before = descend_index(r, i);

		if (!json_is_string(item))
			return refuse(r, FINDING_SYNTAX, "must be a string");
		if (copy_text(r, json_string_value(item), json_string_length(item), &items[i]) !=
		    FINDING_NONE)
			return FINDING_NO_MEMORY;
		ascend(r, before);
	}
	*out = (struct list){ items, count };
	return FINDING_NONE;
}

static enum finding_rule read_object(struct reading *r, const struct json_object *object,
				     const json_t *value, void *out);

static enum finding_rule read_list(struct reading *r, const struct json_object *object,
				   const json_t *value, struct list *out)
{
	size_t count = json_array_size(value), i;
	enum finding_rule rule;
	uint8_t *items;
	json_t *item;

	if (!json_is_array(value))
		return refuse(r, FINDING_SYNTAX, "must be an array");
	items = take(r, count, object->size);
	if (!items)
		return FINDING_NO_MEMORY;
	json_array_foreach(value, i, item)
	{
		size_t before = descend_index(r, i);

		rule = read_object(r, object, item, items + i * object->size);
		if (rule != FINDING_NONE)
			return rule;
		ascend(r, before);
	}
	*out = (struct list){ items, count };
	return FINDING_NONE;
}

static enum finding_rule read_map(struct reading *r, const struct json_object *object,
				  json_t *value, struct list *out)
{
	size_t count = json_object_size(value), i = 0;
	enum finding_rule rule;
	const char *key;
	uint8_t *items;
	json_t *item;

	if (!json_is_object(value))
		return refuse(r, FINDING_SYNTAX, "must be an object");
	items = take(r, count, object->size);
	if (!items)
		return FINDING_NO_MEMORY;
	json_object_foreach(value, key, item)
	{
		uint8_t *at = items + i++ * object->size;
		size_t before = descend(r, key);

		/* the key is the first member of the items of a map */
		rule = read_object(r, object, item, at);
		if (rule == FINDING_NONE)
			rule = copy_text(r, key, strlen(key), (struct octets *)(void *)at);
		if (rule != FINDING_NONE)
			return rule;
		ascend(r, before);
	}
	*out = (struct list){ items, count };
	return FINDING_NONE;
}

static enum finding_rule read_member(struct reading *r, const struct json_member *m, json_t *value,
				     void *out)
{
	const void **pointer = out;
	enum json_bool *flag = out;
	void *inner;

	switch ((enum json_type)m->type) {
	case JSON_TYPE_INT:
		return read_int(r, m, value, out);
	case JSON_TYPE_BOOL:
		if (!json_is_boolean(value))
			return refuse(r, FINDING_SYNTAX, "must be true or false");
		*flag = json_is_true(value) ? JSON_YES : JSON_NO;
		return FINDING_NONE;
	case JSON_TYPE_OBJECT:
		inner = take(r, 1, m->object->size);
		if (!inner)
			return FINDING_NO_MEMORY;
		*pointer = inner;
		return read_object(r, m->object, value, inner);
	case JSON_TYPE_TEXTS:
		return read_texts(r, value, out);
	case JSON_TYPE_LIST:
		return read_list(r, m->object, value, out);
	case JSON_TYPE_MAP:
		return read_map(r, m->object, value, out);
	case JSON_TYPE_ANY:
		return read_any(r, value, out);
	case JSON_TYPE_KEY:
		return FINDING_NONE;
	default:
		return read_text(r, m, value, out);
	}
}

static enum finding_rule read_object(struct reading *r, const struct json_object *object,
				     const json_t *value, void *out)
{
	if (!json_is_object(value))
		return refuse(r, FINDING_SYNTAX, "must be an object (%s)", object->name);
	for (size_t i = 0; i < object->count; i++) {
		const struct json_member *m = &object->members[i];
		json_t *member;
		enum finding_rule rule;
		size_t before;

		if (m->type == JSON_TYPE_KEY)
			continue;
		member = json_object_get(value, m->name);
		if ((!member || json_is_null(member)) && !m->mandatory)
			continue;
		before = descend(r, m->name);
		if (!member)
			return refuse(r, FINDING_MISSING, "is mandatory in %s", object->name);
		rule = read_member(r, m, member, (uint8_t *)out + m->offset);
		if (rule != FINDING_NONE)
			return rule;
		ascend(r, before);
	}
	return FINDING_NONE;
}

/*
 * What a body would cost jansson, seen from its punctuation. Strings are passed over, so that none
 * of it counts twice.
 */
static enum finding_rule weigh(struct reading *r, struct octets body)
{
	size_t depth = 0, values = 1;
	bool quoted = false;

	if (body.len > JSON_BODY_MAX)
		return refuse(r, FINDING_LENGTH, "has %zu octets, more than %d", body.len,
			      JSON_BODY_MAX);
	for (size_t i = 0; i < body.len; i++) {
		uint8_t c = body.data[i];

		if (quoted) {
			if (c == '\\')
				i++;
			else if (c == '"')
				quoted = false;
		} else if (c == '"') {
			quoted = true;
		} else if (c == '[' || c == '{') {
			values++;
			if (++depth > JSON_DEPTH_MAX)
				return refuse(r, FINDING_TOO_DEEP, "is nested more than %d deep",
					      JSON_DEPTH_MAX);
		} else if (c == ']' || c == '}') {
			depth -= depth > 0;
		} else if (c == ',') {
			values++;
		}
		if (values > JSON_VALUES_MAX)
			return refuse(r, FINDING_LENGTH, "has more than %d values",
				      JSON_VALUES_MAX);
	}
	return FINDING_NONE;
}

static json_t *parse(struct reading *r, struct octets body, struct json_fault *fault)
{
	json_error_t error;
	json_t *root;

	memset(fault, 0, sizeof(*fault));
	r->fault = fault;
	text_init(&r->path, fault->path, sizeof(fault->path));
	text_putc(&r->path, '$');
	if (weigh(r, body) != FINDING_NONE)
		return NULL;
	root = json_loadb(body.len ? (const char *)body.data : "", body.len, JSON_REJECT_DUPLICATES,
			  &error);
	if (!root)
		refuse(r, FINDING_SYNTAX, "is not JSON: line %d, column %d: %.60s", error.line,
		       error.column, error.text);
	return root;
}

enum finding_rule json_read(const struct json_object *object, void *out, struct octets body,
			    struct arena *arena, struct json_fault *fault)
{
	struct reading r = { .arena = arena };
	size_t used = arena->used;
	json_t *root;

	memset(out, 0, object->size);
	root = parse(&r, body, fault);
	if (root)
		read_object(&r, object, root, out);
	json_decref(root);
	if (fault->rule != FINDING_NONE) {
		arena->used = used;
		memset(out, 0, object->size);
	}
	return fault->rule;
}

enum finding_rule json_read_list(const struct json_object *object, const void **items,
				 size_t *count, struct octets body, struct arena *arena,
				 struct json_fault *fault)
{
	struct reading r = { .arena = arena };
	struct list list = { NULL, 0 };
	size_t used = arena->used;
	json_t *root = parse(&r, body, fault);

	if (root)
		read_list(&r, object, root, &list);
	json_decref(root);
	if (fault->rule != FINDING_NONE) {
		arena->used = used;
		list = (struct list){ NULL, 0 };
	}
	*items = list.items;
	*count = list.count;
	return fault->rule;
}

void json_fault_print(struct text *out, const struct json_fault *fault)
{
	text_printf(out, "%s: %s", fault->path, fault->reason);
}
