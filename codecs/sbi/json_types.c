#include "codecs/sbi/json_types.h"

#define ROW(t, p, f, n, k, lo, hi, obj)           \
	{ .name = n,                              \
	  .type = k,                              \
	  .mandatory = p,                         \
	  .offset = offsetof(struct json_##t, f), \
	  .min = lo,                              \
	  .max = hi,                              \
	  .object = obj },

enum { O, M };

#define OBJECT(t, n)		     static const struct json_member t##_members[] = {
#define TEXT(t, p, f, n, lo, hi)     ROW(t, p, f, n, JSON_TYPE_TEXT, lo, hi, NULL)
#define DIGITS(t, p, f, n, lo, hi)   ROW(t, p, f, n, JSON_TYPE_DIGITS, lo, hi, NULL)
#define HEX_TEXT(t, p, f, n, lo, hi) ROW(t, p, f, n, JSON_TYPE_HEX_TEXT, lo, hi, NULL)
#define HEX(t, p, f, n, lo, hi)	     ROW(t, p, f, n, JSON_TYPE_HEX, lo, hi, NULL)
#define UUID(t, p, f, n)	     ROW(t, p, f, n, JSON_TYPE_UUID, 36, 36, NULL)
#define ANY(t, p, f, n)		     ROW(t, p, f, n, JSON_TYPE_ANY, 0, 0, NULL)
#define KEY(t)			     ROW(t, O, key, "", JSON_TYPE_KEY, 0, 0, NULL)
#define INT(t, p, f, n, lo, hi)	     ROW(t, p, f, n, JSON_TYPE_INT, lo, hi, NULL)
#define TIME(t, p, f, n)	     ROW(t, p, f, n, JSON_TYPE_TIME, 0, 0, NULL)
#define BOOL(t, p, f, n)	     ROW(t, p, f, n, JSON_TYPE_BOOL, 0, 0, NULL)
#define OBJECT_OF(t, p, f, n, type_) ROW(t, p, f, n, JSON_TYPE_OBJECT, 0, 0, &json_##type_##_object)
#define TEXTS(t, p, f, n)	     ROW(t, p, f, n, JSON_TYPE_TEXTS, 0, 0, NULL)
#define LIST(t, p, f, n, type_)	     ROW(t, p, f, n, JSON_TYPE_LIST, 0, 0, &json_##type_##_object)
#define MAP(t, p, f, n, type_)	     ROW(t, p, f, n, JSON_TYPE_MAP, 0, 0, &json_##type_##_object)
#define END(t) \
	}      \
	;

#include "codecs/sbi/json_types.def"

#undef OBJECT
#undef TEXT
#undef DIGITS
#undef HEX_TEXT
#undef HEX
#undef UUID
#undef ANY
#undef KEY
#undef INT
#undef TIME
#undef BOOL
#undef OBJECT_OF
#undef TEXTS
#undef LIST
#undef MAP
#undef END
#undef ROW

#define TEXT(...)
#define DIGITS(...)
#define HEX_TEXT(...)
#define HEX(...)
#define UUID(...)
#define ANY(...)
#define KEY(...)
#define INT(...)
#define TIME(...)
#define BOOL(...)
#define OBJECT_OF(...)
#define TEXTS(...)
#define LIST(...)
#define MAP(...)

#define OBJECT(t, n)                                                   \
	const struct json_object json_##t##_object = {                 \
		.name = n,                                             \
		.size = sizeof(struct json_##t),                       \
		.members = t##_members,                                \
		.count = sizeof(t##_members) / sizeof(t##_members[0]), \
	};
#define END(t)
#include "codecs/sbi/json_types.def"
#undef OBJECT
#undef END

static const struct json_object *const objects[] = {
#define OBJECT(t, n) &json_##t##_object,
#define END(t)
#include "codecs/sbi/json_types.def"
};

const struct json_object *json_object_at(size_t index)
{
	return index < sizeof(objects) / sizeof(objects[0]) ? objects[index] : NULL;
}
