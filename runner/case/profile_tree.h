/*
 * A YAML file as a tree that remembers where everything stood, read from libyaml's events. A
 * profile comes from anywhere, so the tree is bounded in size and depth, and what a profile has no
 * use for (anchors, aliases, tags, several documents) is refused.
 */
#ifndef SPILLWAY_RUNNER_CASE_PROFILE_TREE_H
#define SPILLWAY_RUNNER_CASE_PROFILE_TREE_H

#include "codecs/text.h"

enum {
	TREE_OCTETS_MAX = 1 << 20,
	TREE_NODES_MAX = 20000,
	TREE_DEPTH_MAX = 24,
};

enum node_kind {
	NODE_SCALAR,
	NODE_LIST,
	NODE_MAP,
};

struct node {
	enum node_kind kind;
	unsigned int line, column; /* from 1 */
	char *scalar;
	size_t scalar_len;  /* a scalar may hold NUL: then strlen(scalar) differs */
	bool plain;	    /* written without quotes */
	struct node *key;   /* of a member of a map */
	struct node *first; /* member or element */
	struct node *next;  /* sibling */
	size_t count;	    /* members or elements */
};

/*
 * Reads the file. NULL with "FILE:LINE:COLUMN: ..." lines in errors. The octets' digest (FNV-1a)
 * is stored where asked for.
 */
struct node *tree_read(const char *path, uint64_t *digest, struct text *errors);
void tree_free(struct node *node);

#endif
