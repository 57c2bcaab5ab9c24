#include "runner/emulation/json_patch.h"

#include <stdlib.h>
#include <string.h>

enum { TOKEN_MAX = 256, DEPTH_MAX = 32 };

/* The next token of a JSON pointer, RFC 6901, unescaped. false: too long, or no "/" before it. */
static bool next_token(const char **pointer, char token[TOKEN_MAX])
{
	size_t n = 0;
	const char *p = *pointer;

	if (*p++ != '/')
		return false;
	for (; *p && *p != '/'; p++) {
		if (n + 1 == TOKEN_MAX)
			return false;
		if (p[0] == '~' && (p[1] == '0' || p[1] == '1'))
			token[n++] = *++p == '0' ? '~' : '/';
		else
			token[n++] = *p;
	}
	token[n] = '\0';
	*pointer = p;
	return true;
}

/* An index of an array, or its size for "-". */
static bool index_of(const json_t *array, const char *token, size_t *index)
{
	char *end;

	*index = json_array_size(array);
	if (strcmp(token, "-") == 0)
		return true;
	if (token[0] < '0' || token[0] > '9' || (token[0] == '0' && token[1]))
		return false;
	*index = strtoul(token, &end, 10);
	return *end == '\0' && *index <= json_array_size(array);
}

static json_t *child_of(json_t *value, const char *token)
{
	size_t index;

	if (json_is_object(value))
		return json_object_get(value, token);
	if (json_is_array(value) && index_of(value, token, &index))
		return json_array_get(value, index);
	return NULL;
}

/* The value that holds what the pointer names, and the last token. */
static json_t *parent_of(json_t *value, const char *pointer, char token[TOKEN_MAX])
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		if (!next_token(&pointer, token))
			return NULL;
		if (!*pointer)
			return value;
		value = child_of(value, token);
		if (!value)
			return NULL;
	}
	return NULL;
}

static bool set(json_t *parent, const char *token, json_t *value, bool replace)
{
	size_t index;

	if (json_is_object(parent))
		return (!replace || json_object_get(parent, token)) &&
		       json_object_set(parent, token, value) == 0;
	if (!json_is_array(parent) || !index_of(parent, token, &index))
		return false;
	return (replace ? json_array_set(parent, index, value)
			: json_array_insert(parent, index, value)) == 0;
}

static bool take_away(json_t *parent, const char *token)
{
	size_t index;

	if (json_is_object(parent))
		return json_object_del(parent, token) == 0;
	return json_is_array(parent) && index_of(parent, token, &index) &&
	       json_array_remove(parent, index) == 0;
}

static int apply(json_t *object, const json_t *operation, struct text *why)
{
	const char *op = json_string_value(json_object_get(operation, "op"));
	const char *path = json_string_value(json_object_get(operation, "path"));
	json_t *value = json_object_get(operation, "value"), *parent;
	char token[TOKEN_MAX];
	bool done = false;

	if (!op || !path) {
		text_puts(why, "an operation has an op and a path");
		return -1;
	}
	parent = parent_of(object, path, token);
	if (parent && strcmp(op, "remove") == 0)
		done = take_away(parent, token);
	else if (parent && value && (strcmp(op, "add") == 0 || strcmp(op, "replace") == 0))
		done = set(parent, token, value, op[0] == 'r');
	else if (parent && value && strcmp(op, "test") == 0)
		done = json_equal(child_of(parent, token), value);
	if (done)
		return 0;
	text_printf(why, "%.16s %.100s cannot be done", op, path);
	return -1;
}

int json_patch(json_t *object, const json_t *patch, struct text *why)
{
	size_t i;
	json_t *operation;

	if (!json_is_array(patch)) {
		text_puts(why, "a patch is an array");
		return -1;
	}
	json_array_foreach(patch, i, operation)
	{
		if (apply(object, operation, why) != 0)
			return -1;
	}
	return 0;
}
