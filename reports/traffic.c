#include "reports/traffic_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROOM_MAX = 64 << 20, /* what one case may take of memory */
	LANES_MAX = 16,	     /* of a kind, that have a name of their own */
	GROUPS_MAX = 4096,
	FIELDS_MAX = 2048, /* of a group */
	VALUE_MAX = 200,
};

/* Of FNV-1a, 64 bits. */
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

static void *take(struct traffic *traffic, size_t size)
{
	void *memory;

	if (size > ROOM_MAX - traffic->room) {
		traffic->cut = true;
		return NULL;
	}
	memory = calloc(1, size);
	if (memory == NULL)
		traffic->cut = true;
	else
		traffic->room += size;
	return memory;
}

static void clear_group(struct traffic_group *group)
{
	struct traffic_field *field, *next_field;
	struct traffic_value *value, *next_value;

	HASH_ITER (hh, group->fields, field, next_field) {
		HASH_ITER (hh, field->values, value, next_value) {
			HASH_DEL(field->values, value);
			free(value);
		}
		HASH_DEL(group->fields, field);
		free(field);
	}
	free(group->delays);
	free(group);
}

void traffic_forget_requests(struct traffic *traffic)
{
	struct traffic_request *request, *next;

	HASH_ITER (hh, traffic->requests, request, next) {
		HASH_DEL(traffic->requests, request);
		free(request);
	}
}

void traffic_clear(struct traffic *traffic)
{
	struct traffic_group *group, *next_group;
	struct traffic_lane *lane, *next_lane;

	HASH_ITER (hh, traffic->groups, group, next_group) {
		HASH_DEL(traffic->groups, group);
		clear_group(group);
	}
	HASH_ITER (hh, traffic->lanes, lane, next_lane) {
		HASH_DEL(traffic->lanes, lane);
		free(lane);
	}
	traffic_forget_requests(traffic);
	*traffic = (struct traffic){ .groups = NULL };
}

void traffic_ignore(struct traffic_ignored *ignored, const char *name, size_t values)
{
	char cut[sizeof(ignored->names[0])];

	ignored->values += values;
	snprintf(cut, sizeof(cut), "%s", name);
	for (size_t i = 0; i < ignored->name_count; i++) {
		if (strcmp(ignored->names[i], cut) == 0)
			return;
	}
	if (ignored->name_count < TRAFFIC_NAMES_MAX)
		memcpy(ignored->names[ignored->name_count++], cut, sizeof(cut));
}

/* --- lanes --------------------------------------------------------------------------------------
 */

/* "ue" of "ue12". */
static size_t kind_of(const char *name)
{
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] >= '0' && name[len - 1] <= '9')
		len--;
	return len;
}

static bool of_kind(const char *name, size_t kind, const char *other, size_t other_kind)
{
	return kind == other_kind && memcmp(name, other, kind) == 0;
}

static size_t count_lanes(const struct traffic *traffic, const char *name, size_t kind)
{
	size_t count = 0;

	for (const struct traffic_lane *lane = traffic->lanes; lane != NULL; lane = lane->hh.next)
		count += of_kind(lane->name, lane->kind, name, kind);
	return count;
}

/* The lane of this name, or, where there are too many of its kind, that of all others of them. */
struct traffic_lane *traffic_find_lane(struct traffic *traffic, const char *name)
{
	char others[128];
	struct traffic_lane *lane;
	size_t kind = kind_of(name), len;

	HASH_FIND_STR(traffic->lanes, name, lane);
	if (lane != NULL)
		return lane;
	if (count_lanes(traffic, name, kind) >= LANES_MAX ||
	    HASH_COUNT(traffic->lanes) >= GROUPS_MAX) {
		snprintf(others, sizeof(others), "%.*s*", kind < 100 ? (int)kind : 100, name);
		name = others;
		HASH_FIND_STR(traffic->lanes, name, lane);
		if (lane != NULL || HASH_COUNT(traffic->lanes) >= 2 * GROUPS_MAX)
			return lane;
	}
	len = strlen(name);
	lane = take(traffic, sizeof(*lane) + len + 1);
	if (lane == NULL)
		return NULL;
	memcpy(lane->name, name, len + 1);
	lane->kind = kind < len ? kind : len;
	HASH_ADD_STR(traffic->lanes, name, lane);
	return lane;
}

/* --- groups, fields, values ---------------------------------------------------------------------
 */

struct traffic_group *traffic_find_group(struct traffic *traffic, const char *lane, size_t kind,
					 const char *proto, const char *type)
{
	size_t l = strlen(lane), p = strlen(proto), t = strlen(type);
	struct traffic_group *group;
	char key[TRAFFIC_KEY_MAX];
	size_t len = l + p + t + 3;
	char *at;

	if (len > sizeof(key)) {
		traffic->cut = true;
		return NULL;
	}
	at = mempcpy(key, lane, l + 1);
	at = mempcpy(at, proto, p + 1);
	memcpy(at, type, t + 1);
	HASH_FIND(hh, traffic->groups, key, len, group);
	if (group != NULL)
		return group;
	if (HASH_COUNT(traffic->groups) >= GROUPS_MAX) {
		traffic->cut = true;
		return NULL;
	}
	group = take(traffic, sizeof(*group) + len);
	if (group == NULL)
		return NULL;
	memcpy(group->key, key, len);
	group->lane = group->key;
	group->proto = group->key + l + 1;
	group->type = group->proto + p + 1;
	group->kind = kind;
	HASH_ADD(hh, traffic->groups, key, len, group);
	return group;
}

static struct traffic_field *find_field(struct traffic *traffic, struct traffic_group *group,
					const char *path)
{
	struct traffic_field *field;
	size_t len = strlen(path);

	HASH_FIND_STR(group->fields, path, field);
	if (field != NULL)
		return field;
	if (HASH_COUNT(group->fields) >= FIELDS_MAX) {
		traffic->cut = true;
		return NULL;
	}
	field = take(traffic, sizeof(*field) + len + 1);
	if (field == NULL)
		return NULL;
	memcpy(field->path, path, len + 1);
	HASH_ADD_STR(group->fields, path, field);
	return field;
}

double traffic_number(const char *text)
{
	char *end;
	double number;

	if (text[0] < '0' || text[0] > '9' || strlen(text) > 64 ||
	    (text[0] == '0' && text[1] != '\0' && strchr(". s%", text[1]) == NULL))
		return NAN;
	number = strtod(text, &end);
	if (end - text > 12)
		return NAN;
	if (*end == '\0' || strcmp(end, "%") == 0 || strncmp(end, " s", 2) == 0 ||
	    strcmp(end, "s") == 0)
		return number;
	return NAN;
}

static struct traffic_value *find_value(struct traffic *traffic, struct traffic_field *field,
					const char *text)
{
	struct traffic_value *value;
	size_t len = strlen(text);

	HASH_FIND(hh, field->values, text, len, value);
	if (value != NULL)
		return value;
	if (HASH_COUNT(field->values) >= TRAFFIC_VALUES_MAX) {
		field->many = true;
		return NULL;
	}
	value = take(traffic, sizeof(*value) + len + 1);
	if (value == NULL)
		return NULL;
	memcpy(value->text, text, len + 1);
	value->number = traffic_number(text);
	HASH_ADD(hh, field->values, text, len, value);
	return value;
}

/* A long value is known by its beginning, its length and what is computed from the whole. */
static void shorten(const char *value, char *to, size_t size)
{
	size_t len = strlen(value), keep = VALUE_MAX;
	uint64_t hash = FNV_BASIS;

	if (len <= VALUE_MAX) {
		memcpy(to, value, len + 1);
		return;
	}
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (uint8_t)value[i]) * FNV_PRIME;
	/* not in the middle of a character */
	while (keep > VALUE_MAX - 4 && ((uint8_t)value[keep] & 0xc0) == 0x80)
		keep--;
	snprintf(to, size, "%.*s... (%zu octets, #%08llx)", (int)keep, value, len,
		 (unsigned long long)(hash & 0xffffffff));
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

void traffic_add_field(struct traffic *traffic, struct traffic_group *group,
		       const struct message_field *from)
{
	enum varying varies = varying_field(group->proto, from->path);
	char buf[8192], shorter[VALUE_MAX + 64];
	struct traffic_field *field;
	struct traffic_value *value;
	struct text text;

	if (varies != VARIES_NOT) {
		traffic_ignore(&traffic->ignored[varies], last_component(from->path), 1);
		return;
	}
	text_init(&text, buf, sizeof(buf));
	varies = varying_value(group->proto, from->value, &text);
	if (varies != VARIES_NOT)
		traffic_ignore(&traffic->ignored[varies], last_component(from->path), 1);
	shorten(text.truncated ? from->value : buf, shorter, sizeof(shorter));
	field = find_field(traffic, group, from->path);
	value = field == NULL ? NULL : find_value(traffic, field, shorter);
	if (field == NULL)
		return;
	field->count++;
	if (value == NULL)
		return;
	value->count++;
	if (group->count <= TRAFFIC_ORDER_MAX)
		field->order[group->count - 1] = value;
}

void traffic_add_delay(struct traffic *traffic, struct traffic_group *group, uint64_t delay)
{
	if (group->delay_count == TRAFFIC_DELAYS_MAX)
		return;
	/* room is doubled at each power of two */
	if ((group->delay_count & (group->delay_count - 1)) == 0) {
		size_t size = (group->delay_count > 0 ? group->delay_count * 2 : 1) *
			      sizeof(*group->delays);
		uint64_t *more = realloc(group->delays, size);

		if (more == NULL) {
			traffic->cut = true;
			return;
		}
		group->delays = more;
		traffic->room += size / 2 < ROOM_MAX - traffic->room ? size / 2 : 0;
	}
	group->delays[group->delay_count++] = delay;
}

/* --- merging ------------------------------------------------------------------------------------
 */

static void merge_field(struct traffic *traffic, struct traffic_group *into,
			const struct traffic_field *from)
{
	struct traffic_field *field = find_field(traffic, into, from->path);

	if (field == NULL)
		return;
	field->count += from->count;
	field->many = field->many || from->many;
	for (const struct traffic_value *v = from->values; v != NULL; v = v->hh.next) {
		struct traffic_value *value = find_value(traffic, field, v->text);

		if (value != NULL)
			value->count += v->count;
	}
}

static void merge_kind(struct traffic *traffic, const char *name, size_t kind)
{
	char lane[128];
	struct traffic_group *group, *next, *into;

	snprintf(lane, sizeof(lane), "%.*s*", kind < 100 ? (int)kind : 100, name);
	HASH_ITER (hh, traffic->groups, group, next) {
		if (!of_kind(group->lane, group->kind, name, kind))
			continue;
		into = traffic_find_group(traffic, lane, kind, group->proto, group->type);
		if (into == NULL)
			continue;
		into->merged = true;
		if (into == group)
			continue;
		into->count += group->count;
		for (const struct traffic_field *f = group->fields; f != NULL; f = f->hh.next)
			merge_field(traffic, into, f);
		for (size_t i = 0; i < group->delay_count; i++)
			traffic_add_delay(traffic, into, group->delays[i]);
		HASH_DEL(traffic->groups, group);
		clear_group(group);
	}
}

void traffic_merge_crowds(struct traffic *a, struct traffic *b, size_t by_name)
{
	struct traffic *const both[2] = { a, b };

	for (int i = 0; i < 2; i++) {
		for (const struct traffic_lane *lane = both[i]->lanes; lane != NULL;
		     lane = lane->hh.next) {
			if (count_lanes(a, lane->name, lane->kind) <= by_name &&
			    count_lanes(b, lane->name, lane->kind) <= by_name)
				continue;
			merge_kind(a, lane->name, lane->kind);
			merge_kind(b, lane->name, lane->kind);
		}
	}
}
