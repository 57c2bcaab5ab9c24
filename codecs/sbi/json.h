/*
 * JSON bodies of the service-based interface as C structs, by tables.
 *
 * json_types.def names the members of each type once; structs, reader and writer are made from
 * it. The text is parsed by jansson, which allocates, so these readers stand apart from the codec
 * of header fields: size, depth and number of values are bounded before jansson sees a body, its
 * memory is given back before a reader returns, and what is returned lies in the caller's arena.
 * Unknown members are passed over; a member that is wrong is named by its path.
 */
#ifndef SPILLWAY_CODECS_SBI_JSON_H
#define SPILLWAY_CODECS_SBI_JSON_H

#include "codecs/arena.h"
#include "codecs/finding.h"
#include "codecs/octets.h"
#include "codecs/text.h"

enum {
	JSON_BODY_MAX = 4 << 20,  /* octets */
	JSON_DEPTH_MAX = 32,	  /* arrays and objects within each other */
	JSON_VALUES_MAX = 200000, /* values in a body */
};

struct json_int {
	bool present;
	int64_t value; /* of a date-time: ms since 1970 */
};

#define JSON_INT(v) ((struct json_int){ .present = true, .value = (v) })

enum json_bool { JSON_ABSENT, JSON_NO, JSON_YES };

/* Text is UTF-8 without escapes and without a terminator; data is NULL where it is absent. */
#define JSON_TEXT(s) ((struct octets){ (const uint8_t *)(s), sizeof(s) - 1 })

enum json_type {
	JSON_TYPE_TEXT,	    /* struct octets; limits are of its length in octets */
	JSON_TYPE_DIGITS,   /* text of decimal digits alone */
	JSON_TYPE_HEX_TEXT, /* text of hexadecimal digits alone, kept as text */
	JSON_TYPE_HEX,	    /* text of hexadecimal digits, kept as octets; limits are of octets */
	JSON_TYPE_UUID,	    /* text */
	JSON_TYPE_INT,	    /* struct json_int; limits are of its value */
	JSON_TYPE_BOOL,	    /* enum json_bool */
	JSON_TYPE_TIME,	    /* struct json_int, from a date-time */
	JSON_TYPE_OBJECT,   /* const struct json_... *, NULL: absent */
	JSON_TYPE_TEXTS,    /* { const struct octets *items; size_t count; }, items NULL: absent */
	JSON_TYPE_LIST,	    /* { const struct json_... *items; size_t count; } */
	JSON_TYPE_MAP,	    /* as a list; the name of each member is in `key` */
	JSON_TYPE_KEY,	    /* struct octets, first of a map's items */
	JSON_TYPE_ANY,	    /* struct octets: any value, as compact JSON */
};

struct json_object;

struct json_member {
	const char *name;
	uint8_t type;
	bool mandatory;
	uint16_t offset;
	int64_t min, max;
	const struct json_object *object;
};

struct json_object {
	const char *name; /* in the OpenAPI documents */
	size_t size;
	const struct json_member *members;
	size_t count;
};

struct json_fault {
	enum finding_rule rule;
	char path[160];	  /* "$.nfServices[2].ipEndPoints[0].port"; "$" is the whole body */
	char reason[120]; /* "must be an integer from 0 to 65535" */
};

/*
 * Reads a body into *out, a struct of the object's type. FINDING_NONE, or the rule with path and
 * reason in *fault; then the arena is as before.
 */
enum finding_rule json_read(const struct json_object *object, void *out, struct octets body,
			    struct arena *arena, struct json_fault *fault);
/* A body that is an array of such objects. *items is in the arena. */
enum finding_rule json_read_list(const struct json_object *object, const void **items,
				 size_t *count, struct octets body, struct arena *arena,
				 struct json_fault *fault);

/* Compact JSON, in the order of the table. Text that is too long for out sets its `truncated`. */
void json_write(struct text *out, const struct json_object *object, const void *value);
void json_write_list(struct text *out, const struct json_object *object, const void *items,
		     size_t count);

/* "$.load: must be an integer from 0 to 100" */
void json_fault_print(struct text *out, const struct json_fault *fault);

#endif
