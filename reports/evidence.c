#include "reports/evidence.h"

#include <string.h>

#include "codecs/text.h"

/* A record may come from anywhere: its paths must stay inside it. */
static bool stays_inside(const char *path)
{
	if (path[0] == '/' || path[0] == '\0')
		return false;
	for (const char *part = path; part != NULL;) {
		size_t len = strcspn(part, "/");

		if (len == 2 && part[0] == '.' && part[1] == '.')
			return false;
		part = part[len] == '/' ? part + len + 1 : NULL;
	}
	return true;
}

bool evidence_path(const char *dir, const char *evidence, const char *name, char *path, size_t size)
{
	struct text text;

	if (evidence == NULL || !stays_inside(evidence))
		return false;
	text_init(&text, path, size);
	text_printf(&text, "%s/%s/%s", dir, evidence, name);
	return !text.truncated;
}

bool next_line(FILE *file, char *line, size_t size, size_t *len, bool *whole)
{
	int c;

	*len = 0;
	*whole = true;
	while ((c = getc_unlocked(file)) != EOF && c != '\n') {
		if (*len + 1 < size)
			line[(*len)++] = (char)c;
		else
			*whole = false;
	}
	line[*len] = '\0';
	if (c == EOF)
		*whole = false;
	return c != EOF || *len > 0;
}

const char *event_word(const json_t *event, const char *member)
{
	const char *value = json_string_value(json_object_get(event, member));

	return value == NULL ? "" : value;
}

double event_seconds(const json_t *event, const char *member)
{
	json_int_t us = json_integer_value(json_object_get(event, member));

	return us > 0 ? (double)us / 1e6 : 0;
}
