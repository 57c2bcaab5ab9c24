/* What the tests of the NGAP codec share: hexadecimal input, vectors, exact-size buffers. */
#ifndef SPILLWAY_CODECS_NGAP_TEST_NGAP_H
#define SPILLWAY_CODECS_NGAP_TEST_NGAP_H

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/ngap/ngap.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* For what is wrong with the test itself. */
static inline void must(bool holds)
{
	if (!holds) {
		fprintf(stderr, "the test's own input is wrong\n");
		abort();
	}
}

struct test {
	struct ngap_pdu pdu;
	struct arena arena;
	struct findings findings;
	struct finding items[64];
	uint8_t *in; /* heap, exactly as long as the input */
	size_t len;
	uint8_t memory[512 * 1024];
};

static inline size_t unhex(const char *hex, uint8_t *out, size_t size)
{
	size_t n = 0;
	unsigned int octet;

	for (; isxdigit((unsigned char)hex[0]); hex += 2, n++) {
		must(n < size);
		must(sscanf(hex, "%2x", &octet) == 1);
		out[n] = (uint8_t)octet;
	}
	return n;
}

/* Decodes into the one static struct test; what it returned before is gone. */
static inline int decode_octets(struct test **out, const uint8_t *data, size_t len,
				enum decode_mode mode)
{
	static struct test test;

	free(test.in);
	test.in = malloc(len ? len : 1);
	if (len)
		memcpy(test.in, data, len);
	test.len = len;
	test.findings = (struct findings){ test.items, COUNT(test.items), 0 };
	arena_init(&test.arena, test.memory, sizeof(test.memory));
	*out = &test;
	return ngap_decode(&test.pdu, OCTETS(test.in, len), &test.arena, mode, &test.findings);
}

static inline int decode_hex(struct test **out, const char *hex, enum decode_mode mode)
{
	static uint8_t data[65536];

	return decode_octets(out, data, unhex(hex, data, sizeof(data)), mode);
}

/* Re-encodes into a heap buffer of exactly the size of the input, and compares. */
static inline bool encodes_to_input(const struct test *t)
{
	uint8_t *out = malloc(t->len ? t->len : 1);
	ssize_t n = ngap_encode(&t->pdu, out, t->len);
	bool same = n == (ssize_t)t->len && memcmp(out, t->in, t->len) == 0;

	free(out);
	return same;
}

static inline FILE *open_source(const char *path)
{
	char full[4096];
	const char *root = getenv("SPILLWAY_SOURCE_DIR");
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", root ? root : ".", path);
	file = fopen(full, "r");
	must(file != NULL);
	return file;
}

struct vector {
	char name[64];
	char kind[16];
	size_t len;
	uint8_t data[2048];
};

/* The next vector of fixtures/vectors/ngap.txt. */
static inline bool next_vector(FILE *file, struct vector *v)
{
	static char line[8192];
	static char hex[4097];

	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		must(sscanf(line, "%63s %4096s %15s", v->name, hex, v->kind) == 3);
		v->len = unhex(hex, v->data, sizeof(v->data));
		return true;
	}
	return false;
}

/* A deterministic generator: the tests must not depend on the C library's. */
static uint64_t random_state;

static inline void seed_random(uint64_t seed)
{
	random_state = 0x5eed0000 + seed;
}

static inline uint32_t next_random(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 32) % below;
}

/* Mostly one octet or bit changed, which gets past the lengths; now and then something moved. */
static inline size_t mutate(uint8_t *data, size_t len, size_t size)
{
	uint32_t changes = 1 + (next_random(3) == 0) * next_random(4);

	for (; changes > 0; changes--) {
		size_t at = len ? next_random((uint32_t)len) : 0;
		uint32_t how = next_random(16);

		if (how < 7 && len) {
			data[at] ^= (uint8_t)(1U << next_random(8));
		} else if (how < 12 && len) {
			data[at] = (uint8_t)next_random(256);
		} else if (how == 12 && len) {
			data[at] = next_random(2) ? 0xff : 0xc1;
		} else if (how == 13 && len < size) {
			memmove(data + at + 1, data + at, len - at);
			data[at] = (uint8_t)next_random(256);
			len++;
		} else if (how == 14 && len) {
			memmove(data + at, data + at + 1, len - at - 1);
			len--;
		} else {
			len = at;
		}
	}
	return len;
}

#endif
