#include "runner/case/profile_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

struct builder {
	const char *path;
	struct text *errors;
	yaml_parser_t parser;
	size_t nodes;
};

void tree_free(struct node *node)
{
	while (node) {
		struct node *next = node->next;

		tree_free(node->key);
		tree_free(node->first);
		free(node->scalar);
		free(node);
		node = next;
	}
}

static void complain(struct builder *b, const yaml_mark_t *mark, const char *what)
{
	text_printf(b->errors, "%s:%zu:%zu: %s\n", b->path, mark->line + 1, mark->column + 1, what);
}

/* false with the complaint made. */
static bool next_event(struct builder *b, yaml_event_t *event)
{
	const yaml_parser_t *p = &b->parser;

	if (yaml_parser_parse(&b->parser, event))
		return true;
	if (p->error == YAML_MEMORY_ERROR) {
		text_printf(b->errors, "%s: out of memory\n", b->path);
	} else if (p->error == YAML_READER_ERROR) {
		text_printf(b->errors, "%s: octet %zu: %s\n", b->path, p->problem_offset,
			    p->problem ? p->problem : "not UTF-8");
	} else {
		char what[256];

		snprintf(what, sizeof(what), "not YAML: %s%s%s", p->problem ? p->problem : "?",
			 p->context ? ", " : "", p->context ? p->context : "");
		complain(b, &p->problem_mark, what);
	}
	return false;
}

static struct node *build(struct builder *b, yaml_event_t *event, unsigned int depth);

static bool refused(struct builder *b, const yaml_event_t *event)
{
	const yaml_char_t *anchor = NULL, *tag = NULL;

	switch (event->type) {
	case YAML_ALIAS_EVENT:
		complain(b, &event->start_mark, "aliases are not allowed in a profile");
		return true;
	case YAML_SCALAR_EVENT:
		anchor = event->data.scalar.anchor;
		tag = event->data.scalar.tag;
		break;
	case YAML_SEQUENCE_START_EVENT:
		anchor = event->data.sequence_start.anchor;
		tag = event->data.sequence_start.tag;
		break;
	case YAML_MAPPING_START_EVENT:
		anchor = event->data.mapping_start.anchor;
		tag = event->data.mapping_start.tag;
		break;
	default:
		complain(b, &event->start_mark, "a value is missing here");
		return true;
	}
	if (anchor || tag)
		complain(b, &event->start_mark,
			 anchor ? "anchors are not allowed in a profile"
				: "tags are not allowed in a profile");
	return anchor || tag;
}

/* The elements up to the end event; false when the file cannot be read on. */
static bool build_list(struct builder *b, struct node *list, unsigned int depth)
{
	struct node **last = &list->first;
	yaml_event_t event;

	for (;;) {
		if (!next_event(b, &event))
			return false;
		if (event.type == YAML_SEQUENCE_END_EVENT) {
			yaml_event_delete(&event);
			return true;
		}
		*last = build(b, &event, depth);
		if (!*last)
			return false;
		last = &(*last)->next;
		list->count++;
	}
}

static const struct node *find(const struct node *map, const char *key)
{
	for (const struct node *n = map->first; n; n = n->next)
		if (strcmp(n->key->scalar, key) == 0)
			return n;
	return NULL;
}

static bool build_map(struct builder *b, struct node *map, unsigned int depth)
{
	struct node **last = &map->first;
	yaml_event_t event;

	for (;;) {
		const struct node *twin;
		struct node *key, *value;

		if (!next_event(b, &event))
			return false;
		if (event.type == YAML_MAPPING_END_EVENT) {
			yaml_event_delete(&event);
			return true;
		}
		if (event.type != YAML_SCALAR_EVENT) {
			complain(b, &event.start_mark, "a key has to be a word");
			yaml_event_delete(&event);
			return false;
		}
		key = build(b, &event, depth);
		if (!key)
			return false;
		value = next_event(b, &event) ? build(b, &event, depth) : NULL;
		if (!value) {
			tree_free(key);
			return false;
		}
		value->key = key;
		twin = find(map, key->scalar);
		if (twin) {
			/* Said, and read on: one file may have several mistakes. */
			size_t from = b->errors->len;

			text_printf(b->errors,
				    "%s:%u:%u: the key \"%.60s\" stands here twice (first in line "
				    "%u)",
				    b->path, key->line, key->column, key->scalar, twin->key->line);
			text_one_line(b->errors, from);
			text_putc(b->errors, '\n');
			tree_free(value);
			continue;
		}
		*last = value;
		last = &value->next;
		map->count++;
	}
}

/* Takes the event over. */
static struct node *build(struct builder *b, yaml_event_t *event, unsigned int depth)
{
	struct node *node = NULL;
	bool good = false;

	if (refused(b, event))
		goto out;
	if (depth > TREE_DEPTH_MAX || ++b->nodes > TREE_NODES_MAX) {
		complain(b, &event->start_mark,
			 depth > TREE_DEPTH_MAX ? "too deep for a profile"
						: "too much for a profile");
		goto out;
	}
	node = calloc(1, sizeof(*node));
	if (!node) {
		text_printf(b->errors, "%s: out of memory\n", b->path);
		goto out;
	}
	node->line = (unsigned int)event->start_mark.line + 1;
	node->column = (unsigned int)event->start_mark.column + 1;
	if (event->type == YAML_SCALAR_EVENT) {
		node->kind = NODE_SCALAR;
		node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
		node->scalar_len = event->data.scalar.length;
		node->scalar = malloc(node->scalar_len + 1);
		good = node->scalar != NULL;
		if (good) {
			memcpy(node->scalar, event->data.scalar.value, node->scalar_len);
			node->scalar[node->scalar_len] = '\0';
		}
		if (good && strlen(node->scalar) != node->scalar_len) {
			complain(b, &event->start_mark, "a NUL inside a value");
			good = false;
		}
	} else if (event->type == YAML_SEQUENCE_START_EVENT) {
		node->kind = NODE_LIST;
		good = build_list(b, node, depth + 1);
	} else {
		node->kind = NODE_MAP;
		good = build_map(b, node, depth + 1);
	}
out:
	yaml_event_delete(event);
	if (good)
		return node;
	tree_free(node);
	return NULL;
}

static char *slurp(const char *path, size_t *len, struct text *errors)
{
	/* A FIFO would keep the program waiting for a writer that may never come. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	char *data = NULL;
	FILE *file;

	if (fd < 0 || fstat(fd, &status) != 0) {
		text_printf(errors, "%s: %s\n", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	if (!S_ISREG(status.st_mode)) {
		text_printf(errors, "%s: not a regular file\n", path);
		close(fd);
		return NULL;
	}
	file = fdopen(fd, "r");
	if (!file) {
		text_printf(errors, "%s: %s\n", path, strerror(errno));
		close(fd);
		return NULL;
	}
	data = malloc(TREE_OCTETS_MAX + 1);
	*len = data ? fread(data, 1, TREE_OCTETS_MAX + 1, file) : 0;
	if (!data || ferror(file)) {
		text_printf(errors, "%s: %s\n", path, data ? strerror(errno) : "out of memory");
	} else if (*len > TREE_OCTETS_MAX) {
		text_printf(errors, "%s: a profile of more than %d octets\n", path,
			    TREE_OCTETS_MAX);
	} else {
		fclose(file);
		return data;
	}
	free(data);
	fclose(file);
	return NULL;
}

static struct node *build_document(struct builder *b)
{
	struct node *root = NULL;
	yaml_event_t event;
	bool more;

	/* stream start, document start, or the end of an empty file */
	for (unsigned int i = 0; i < 2; i++) {
		if (!next_event(b, &event))
			return NULL;
		more = event.type != YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
		if (!more) {
			text_printf(b->errors, "%s:1:1: the profile is empty\n", b->path);
			return NULL;
		}
	}
	if (next_event(b, &event))
		root = build(b, &event, 0);
	if (!root)
		return NULL;
	/* document end, stream end */
	for (unsigned int i = 0; i < 2; i++) {
		if (!next_event(b, &event)) {
			tree_free(root);
			return NULL;
		}
		if (i == 1 && event.type != YAML_STREAM_END_EVENT) {
			complain(b, &event.start_mark, "a profile is one document");
			yaml_event_delete(&event);
			tree_free(root);
			return NULL;
		}
		yaml_event_delete(&event);
	}
	return root;
}

struct node *tree_read(const char *path, uint64_t *digest, struct text *errors)
{
	struct builder b = { .path = path, .errors = errors };
	struct node *root;
	size_t len;
	char *data = slurp(path, &len, errors);

	if (!data)
		return NULL;
	*digest = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < len; i++)
		*digest = (*digest ^ (uint8_t)data[i]) * UINT64_C(0x100000001b3);
	if (!yaml_parser_initialize(&b.parser)) {
		text_printf(errors, "%s: out of memory\n", path);
		free(data);
		return NULL;
	}
	yaml_parser_set_input_string(&b.parser, (const unsigned char *)data, len);
	root = build_document(&b);
	yaml_parser_delete(&b.parser);
	free(data);
	return root;
}
