/*
 * Any octets as the JSON body of a type, whose name stands before it (else the first octet picks
 * one). Beyond memory faults, a run ends when what was read does not write to a text that reads and
 * writes the same, or when a refused body leaves something in the arena.
 */
#include "codecs/sbi/json_types.h"
#include "fuzz/harness/harness.h"

enum { OUT_MAX = 1 << 20 };

static uint8_t room[OUT_MAX], second_room[OUT_MAX];
static char out[OUT_MAX], out_again[OUT_MAX];
static uint8_t value[4096], again[4096];

static void write_value(struct text *text, char *buffer, const struct json_object *object,
			const void *items, size_t count, bool list)
{
	text_init(text, buffer, OUT_MAX);
	if (list)
		json_write_list(text, object, items, count);
	else
		json_write(text, object, items);
}

static const struct json_object *type_of(const uint8_t *data, size_t len)
{
	const struct json_object *object;
	size_t types = 0;

	for (; (object = json_object_at(types)); types++) {
		if (strlen(object->name) == len && memcmp(object->name, data, len) == 0)
			return object;
	}
	return json_object_at(data[0] % types);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct json_object *object;
	const void *items = value, *items_again = again;
	struct json_fault fault;
	size_t count = 0, count_again = 0, name = 0;
	struct text text, text_again;
	struct arena arena;
	struct octets body;
	bool list;

	if (size < 1 || size > 60000)
		return 0;
	while (name < size && data[name] != ' ')
		name++;
	if (name == 0 || name == size)
		return 0;
	object = type_of(data, name);
	body = OCTETS(data + name + 1, size - name - 1);
	list = body.len > 0 && body.data[0] == '[';
	require(object->size <= sizeof(value));
	arena_init(&arena, room, sizeof(room));
	if (list)
		json_read_list(object, &items, &count, body, &arena, &fault);
	else
		json_read(object, value, body, &arena, &fault);
	if (fault.rule != FINDING_NONE) {
		require(arena.used == 0 && fault.path[0] == '$' && fault.reason[0]);
		return 0;
	}
	write_value(&text, out, object, items, count, list);
	if (text.truncated)
		return 0;
	arena_init(&arena, second_room, sizeof(second_room));
	body = OCTETS((uint8_t *)out, text.len);
	if (list)
		json_read_list(object, &items_again, &count_again, body, &arena, &fault);
	else
		json_read(object, again, body, &arena, &fault);
	require(fault.rule == FINDING_NONE && count == count_again);
	write_value(&text_again, out_again, object, items_again, count_again, list);
	require(text.len == text_again.len && memcmp(out, out_again, text.len) == 0);
	return 0;
}
