/*
 * A cursor to read a value with and one to write it with. Each remembers that something did not
 * fit, so that the layouts of values read like the figures of TS 29.244 8.2.
 */
#ifndef SPILLWAY_CODECS_PFCP_PFCP_CURSOR_H
#define SPILLWAY_CODECS_PFCP_PFCP_CURSOR_H

#include <errno.h>

#include "codecs/pfcp/pfcp_codec.h"
#include "codecs/planted.h"

/* More octets than any value of pfcp_value.h has. */
#define PFCP_VALUE_MAX 300

struct value_reader {
	const uint8_t *at;
	size_t left;
	bool failed;
};

struct value_writer {
	uint8_t *at;
	size_t left;
	size_t written;
	bool failed;
};

static inline struct value_reader reader_of(struct octets value)
{
	return (struct value_reader){ value.data, value.len, false };
}

static inline uint64_t read_number(struct value_reader *r, size_t n)
{
	uint64_t value;

	if (r->left < n) {
		r->failed = true;
		r->left = 0;
		return 0;
	}
	value = get_number(r->at, n);
	r->at += n;
	r->left -= n;
	return value;
}

static inline void read_octets(struct value_reader *r, uint8_t *out, size_t n)
{
	if (r->left < n && !PLANTED(23)) {
		r->failed = true;
		r->left = 0;
		return;
	}
	memcpy(out, r->at, n);
	r->at += n;
	r->left -= n;
}

static inline enum finding_rule read_end(const struct value_reader *r)
{
	return r->failed ? FINDING_LENGTH : FINDING_NONE;
}

static inline struct value_writer writer_of(uint8_t *out, size_t size)
{
	return (struct value_writer){ out, size, 0, false };
}

static inline void write_octets(struct value_writer *w, const uint8_t *octets, size_t n)
{
	if (w->left < n) {
		w->failed = true;
		return;
	}
	if (n)
		memcpy(w->at, octets, n);
	w->at += n;
	w->left -= n;
	w->written += n;
}

static inline void write_number(struct value_writer *w, uint64_t value, size_t n)
{
	uint8_t octets[8];

	put_number(octets, value, n);
	write_octets(w, octets, n);
}

static inline int write_end(const struct value_writer *w)
{
	return w->failed ? -ENOSPC : (int)w->written;
}

/* Adds what an encoder left in octets; len is its return value. */
struct pfcp_ie *pfcp_add_encoded(struct pfcp_message *msg, struct pfcp_ie *group, uint16_t type,
				 const uint8_t *octets, int len);

#endif
