/*
 * The mechanics of reading a profile: tables of keys, each with a function that takes its value,
 * checks it and stores it; whatever is wrong is said with its place, and the reading goes on.
 */
#ifndef SPILLWAY_RUNNER_CASE_PROFILE_READER_H
#define SPILLWAY_RUNNER_CASE_PROFILE_READER_H

#include "runner/case/profile_private.h"
#include "runner/case/profile_tree.h"

struct reader {
	const char *path;
	struct text *errors;
	bool bad;
	struct profile *profile;
	/* Where values stood that are checked against others, NULL where they are absent. */
	const struct node *t3346_min, *t3346_max;
	const struct node *n2_transport, *n2_addresses, *n4_addresses, *n4_f_seid, *sbi_addresses;
	const struct node *control_timeout;
};

struct key;

/* Stores the value at `to`. */
typedef void take(struct reader *r, const struct node *value, const struct key *key, void *to);

struct key {
	const char *name;
	take *take;
	size_t offset; /* of what is stored, from the base of the table's map */
	double min, max;
	const struct keys *map;	  /* the keys inside */
	const char *const *words; /* take_word: the words allowed, NULL-terminated */
	const char *text;	  /* what it says, for the manual */
	bool is_list;		  /* of maps of these keys */
	bool required;
};

struct keys {
	const struct key *keys;
	size_t count;
};

#define KEY(word, function, ...)                                \
	{                                                       \
		.name = (word), .take = (function), __VA_ARGS__ \
	}
#define KEYS(array)                                                        \
	{                                                                  \
		.keys = (array), .count = sizeof(array) / sizeof(*(array)) \
	}

__attribute__((format(printf, 3, 4))) void
reader_complain(struct reader *r, const struct node *where, const char *format, ...);

/* The members of a map by a table; base is what offsets count from. */
void reader_map(struct reader *r, const struct node *map, const struct keys *keys, void *base);
/* Whether the value is a scalar; complains otherwise. */
bool reader_scalar(struct reader *r, const struct node *value, const char *what);
bool reader_list(struct reader *r, const struct node *value, const char *what);

take take_map;	/* at `to` by key->map */
take take_flag; /* bool */
take take_u8;	/* min..max, as the others */
take take_u16;
take take_u32;
take take_double;
take take_duration; /* uint64_t us; min and max in seconds */
take take_string;   /* char *, malloc'ed */
take take_word;	    /* unsigned int: index into key->words */
take take_address;  /* struct net_address, without port */
take take_file;	    /* char *: a path, relative to the profile's folder */

/* Octets from hexadecimal digits; false (complained) unless there are exactly len, or from 1 up to
 * -len where len is negative. */
bool reader_hex(struct reader *r, const struct node *value, uint8_t *out, int len, size_t *got);

#endif
