/*
 * The JSON types of json_types.def as structs json_<type>, with a table json_<type>_object each.
 * Zero is "absent" for every member.
 */
#ifndef SPILLWAY_CODECS_SBI_JSON_TYPES_H
#define SPILLWAY_CODECS_SBI_JSON_TYPES_H

#include "codecs/sbi/json.h"

#define OBJECT(t, n)		       struct json_##t {
#define TEXT(t, p, f, n, min, max)     struct octets f;
#define DIGITS(t, p, f, n, min, max)   struct octets f;
#define HEX_TEXT(t, p, f, n, min, max) struct octets f;
#define HEX(t, p, f, n, min, max)      struct octets f;
#define UUID(t, p, f, n)	       struct octets f;
#define ANY(t, p, f, n)		       struct octets f;
#define KEY(t)			       struct octets key;
#define INT(t, p, f, n, min, max)      struct json_int f;
#define TIME(t, p, f, n)	       struct json_int f;
#define BOOL(t, p, f, n)	       enum json_bool f;
#define OBJECT_OF(t, p, f, n, type)    const struct json_##type *f;
#define TEXTS(t, p, f, n)                   \
	struct {                            \
		const struct octets *items; \
		size_t count;               \
	} f;
#define LIST(t, p, f, n, type)                   \
	struct {                                 \
		const struct json_##type *items; \
		size_t count;                    \
	} f;
#define MAP(t, p, f, n, type) LIST(t, p, f, n, type)
#define END(t) \
	}      \
	;      \
	extern const struct json_object json_##t##_object;

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

/* Every type, for tests and reports; NULL past the last. */
const struct json_object *json_object_at(size_t index);

#endif
