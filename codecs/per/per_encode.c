/*
 * The writing half of the walker. Bits are gathered below an octet and stored as octets fill up;
 * an open type is written behind a gap of one octet, and moved only if its length needs more.
 */
#include "codecs/per/per_encode.h"

#include <errno.h>

void per_encoder_init(struct per_encoder *e, uint8_t *buf, size_t size,
		      per_foreign_encode_fn *foreign)
{
	e->buf = buf;
	e->size = size;
	e->len = 0;
	e->bits = 0;
	e->pending = 0;
	e->depth = 0;
	e->error = 0;
	e->foreign = foreign;
}

bool per_refuse(struct per_encoder *e, int error)
{
	if (!e->error)
		e->error = error;
	return false;
}

bool per_put_last(struct per_encoder *e, uint64_t bits, unsigned int pending)
{
	if (pending / 8 > e->size - e->len)
		return per_refuse(e, -ENOSPC);
	for (; pending >= 8; pending -= 8)
		e->buf[e->len++] = (uint8_t)(bits >> (pending - 8));
	e->bits = bits;
	e->pending = pending;
	return true;
}

static bool put_octets(struct per_encoder *e, const uint8_t *data, size_t n)
{
	if (e->pending) {
		for (size_t i = 0; i < n; i++)
			if (!per_put_bits(e, data[i], 8))
				return false;
		return true;
	}
	if (n > e->size - e->len)
		return per_refuse(e, -ENOSPC);
	if (n)
		memcpy(e->buf + e->len, data, n);
	e->len += n;
	return true;
}

/* A general length determinant below 16K. */
static inline bool put_length(struct per_encoder *e, size_t n)
{
	if (!per_put_align(e))
		return false;
	return n < 0x80 ? per_put_bits(e, n, 8) : per_put_bits(e, 0x8000 | n, 16);
}

/* Size of the next fragment of n units, 0 if what is left goes with a plain length. */
static size_t fragment_of(size_t n)
{
	size_t fragments = n / PER_FRAGMENT;

	if (fragments > PER_FRAGMENT_MAX)
		fragments = PER_FRAGMENT_MAX;
	return fragments * PER_FRAGMENT;
}

static bool put_fragment_length(struct per_encoder *e, size_t fragment)
{
	return per_put_align(e) && per_put_bits(e, 0xc0 | fragment / PER_FRAGMENT, 8);
}

bool per_put_open(struct per_encoder *e, struct octets content)
{
	size_t fragment;

	while ((fragment = fragment_of(content.len))) {
		if (!put_fragment_length(e, fragment) || !put_octets(e, content.data, fragment))
			return false;
		content.data += fragment;
		content.len -= fragment;
	}
	return put_length(e, content.len) && put_octets(e, content.data, content.len);
}

bool per_open_begin(struct per_encoder *e, size_t *start)
{
	if (!per_put_align(e))
		return false;
	*start = e->len;
	return per_put_bits(e, 0, 8);
}

/* Puts fragment lengths into content of n octets that starts behind a gap of one octet at start. */
static bool split_open(struct per_encoder *e, size_t start, size_t n)
{
	size_t fragments = (n / PER_FRAGMENT + PER_FRAGMENT_MAX - 1) / PER_FRAGMENT_MAX;
	size_t rest = n % PER_FRAGMENT;
	size_t rest_header = rest < 0x80 ? 1 : 2;
	size_t headers = fragments + rest_header;
	size_t at = start + 1 + n;

	if (headers - 1 > e->size - e->len)
		return per_refuse(e, -ENOSPC);
	/* From the last piece to the first, each moved behind the headers in front of it. */
	memmove(e->buf + at - rest + headers - 1, e->buf + at - rest, rest);
	at -= rest;
	if (rest_header == 1) {
		e->buf[at + headers - 2] = (uint8_t)rest;
	} else {
		e->buf[at + headers - 3] = (uint8_t)(0x80 | rest >> 8);
		e->buf[at + headers - 2] = (uint8_t)rest;
	}
	for (size_t i = fragments; i-- > 0;) {
		size_t before = i * PER_FRAGMENT_MAX * PER_FRAGMENT;
		size_t size = n - rest - before;

		if (size > PER_FRAGMENT_MAX * PER_FRAGMENT)
			size = PER_FRAGMENT_MAX * PER_FRAGMENT;
		memmove(e->buf + start + before + i + 1, e->buf + start + 1 + before, size);
		e->buf[start + before + i] = (uint8_t)(0xc0 | size / PER_FRAGMENT);
	}
	e->len += headers - 1;
	return true;
}

bool per_open_end(struct per_encoder *e, size_t start)
{
	size_t n;

	if (!per_put_align(e))
		return false;
	n = e->len - start - 1;
	if (n == 0) {
		/* An encoding without bits is one octet of padding (X.691 11.1.3). */
		e->buf[start] = 1;
		return per_put_bits(e, 0, 8);
	}
	if (likely(n < 0x80)) {
		e->buf[start] = (uint8_t)n;
		return true;
	}
	if (n >= PER_FRAGMENT)
		return split_open(e, start, n);
	if (e->len == e->size)
		return per_refuse(e, -ENOSPC);
	memmove(e->buf + start + 2, e->buf + start + 1, n);
	e->buf[start] = (uint8_t)(0x80 | n >> 8);
	e->buf[start + 1] = (uint8_t)n;
	e->len++;
	return true;
}

static inline bool put_form(struct per_encoder *e, const struct per_node *node, uint64_t number)
{
	switch (node->form) {
	case PER_BIT_FIELD:
		return per_put_bits(e, number, node->bits);
	case PER_ONE_OCTET:
		return per_put_align(e) && per_put_bits(e, number, 8);
	case PER_TWO_OCTETS:
		return per_put_align(e) && per_put_bits(e, number, 16);
	default:
		return true;
	}
}

static bool put_number(struct per_encoder *e, uint64_t number, unsigned int octets)
{
	if (!per_put_align(e))
		return false;
	if (octets > 4 && !per_put_bits(e, number >> 32, 8 * (octets - 4)))
		return false;
	return per_put_bits(e, number, 8 * (octets > 4 ? 4 : octets));
}

/* Octets that an unsigned number needs, at least one. */
static unsigned int octets_of(uint64_t number)
{
	return number ? (71 - (unsigned int)__builtin_clzll(number)) / 8 : 1;
}

static bool put_extension_integer(struct per_encoder *e, int64_t value)
{
	/* One bit more than the magnitude, for the sign. */
	uint64_t magnitude = value < 0 ? ~(uint64_t)value : (uint64_t)value;
	unsigned int octets = 1;

	while (octets < 8 && magnitude >> (8 * octets - 1))
		octets++;
	return put_length(e, octets) && put_number(e, (uint64_t)value, octets);
}

static bool put_integer(struct per_encoder *e, const struct per_node *node, int64_t value)
{
	bool outside = value < node->lower || value > node->upper;
	uint64_t number = (uint64_t)value - (uint64_t)node->lower;

	if (outside && !node->extensible)
		return per_refuse(e, -ERANGE);
	if (node->extensible && !per_put_bits(e, outside, 1))
		return false;
	if (outside)
		return put_extension_integer(e, value);
	if (node->form == PER_LONG) {
		unsigned int octets = octets_of(number);

		return per_put_bits(e, octets - 1, node->bits) && put_number(e, number, octets);
	}
	return put_form(e, node, number);
}

static bool put_enumerated(struct per_encoder *e, const struct per_node *node, uint32_t value)
{
	uint64_t number;

	if (value <= (uint64_t)node->upper) {
		if (node->extensible && !per_put_bits(e, 0, 1))
			return false;
		return put_form(e, node, value);
	}
	if (!node->extensible || value > INT32_MAX)
		return per_refuse(e, -ERANGE);
	number = value - (uint64_t)node->upper - 1;
	if (number < 64)
		return per_put_bits(e, 0x80 | number, 8);
	return per_put_bits(e, 3, 2) && put_length(e, octets_of(number)) &&
	       put_number(e, number, octets_of(number));
}

static bool put_bits_64(struct per_encoder *e, const struct per_node *node, uint64_t value)
{
	unsigned int n = (unsigned int)node->upper;

	if (n < 64 && value >> n)
		return per_refuse(e, -ERANGE);
	if (n > 16 && !per_put_align(e))
		return false;
	if (n > 32 && !per_put_bits(e, value >> 32, n - 32))
		return false;
	return per_put_bits(e, value, n > 32 ? 32 : n);
}

/*
 * Size of a string or list. general: the length goes with the content, by put_length and in
 * fragments; otherwise it has been written.
 */
static bool put_size(struct per_encoder *e, const struct per_node *node, size_t n, bool *general)
{
	bool outside = n < (uint64_t)node->lower || n > (uint64_t)node->upper;

	if (outside && !node->extensible)
		return per_refuse(e, -ERANGE);
	if (node->extensible && !per_put_bits(e, outside, 1))
		return false;
	*general = outside || node->form == PER_GENERAL;
	return *general || put_form(e, node, n - (uint64_t)node->lower);
}

static bool put_bit_range(struct per_encoder *e, const uint8_t *data, size_t n)
{
	if (!put_octets(e, data, n / 8))
		return false;
	return n % 8 == 0 || per_put_bits(e, data[n / 8] >> (8 - n % 8), n % 8);
}

static bool put_bit_string(struct per_encoder *e, const struct per_node *node,
			   const struct per_bits *value)
{
	const uint8_t *data = value->data;
	size_t n = value->len;
	size_t fragment;
	bool general;

	if (!put_size(e, node, n, &general))
		return false;
	if (general) {
		while ((fragment = fragment_of(n))) {
			if (!put_fragment_length(e, fragment) || !put_octets(e, data, fragment / 8))
				return false;
			data += fragment / 8;
			n -= fragment;
		}
		return put_length(e, n) && put_bit_range(e, data, n);
	}
	if (n && (node->lower != node->upper || n > 16) && !per_put_align(e))
		return false;
	return put_bit_range(e, data, n);
}

static bool put_octet_string(struct per_encoder *e, const struct per_node *node,
			     const struct octets *value)
{
	bool general;

	if (node->form == PER_NO_BITS && !node->extensible) {
		if (value->len != (size_t)node->upper)
			return per_refuse(e, -ERANGE);
		return (value->len <= 2 || per_put_align(e)) &&
		       put_octets(e, value->data, value->len);
	}
	if (!put_size(e, node, value->len, &general))
		return false;
	if (general)
		return per_put_open(e, *value);
	if (value->len && (node->lower != node->upper || value->len > 2) && !per_put_align(e))
		return false;
	return put_octets(e, value->data, value->len);
}

bool per_put_additions(struct per_encoder *e, const struct per_additions *additions)
{
	size_t n = additions->present.len;

	if (n < 1 || n >= PER_FRAGMENT)
		return per_refuse(e, -ERANGE);
	if (n <= 64 ? !per_put_bits(e, n - 1, 7) : !per_put_bits(e, 1, 1) || !put_length(e, n))
		return false;
	if (!put_bit_range(e, additions->present.data, n))
		return false;
	for (size_t i = 0; i < additions->count; i++)
		if (!per_put_open(e, additions->values[i]))
			return false;
	return true;
}

static bool put_sequence(struct per_encoder *e, const struct per_node *node, const uint8_t *value);
static bool put_sequence_of(struct per_encoder *e, const struct per_node *node,
			    const struct per_list *list);
static bool put_choice(struct per_encoder *e, const struct per_node *node, const uint8_t *value);

/* Part of every walker below, so that a scalar costs one call. */
static inline __attribute__((always_inline)) bool
encode(struct per_encoder *e, const struct per_node *node, const void *value)
{
	switch ((enum per_kind)node->kind) {
	case PER_INTEGER:
		return put_integer(e, node, *(const int64_t *)value);
	case PER_ENUMERATED:
		return put_enumerated(e, node, *(const uint32_t *)value);
	case PER_BITS_64:
		return put_bits_64(e, node, *(const uint64_t *)value);
	case PER_BIT_STRING:
		return put_bit_string(e, node, value);
	case PER_OCTET_STRING:
	case PER_PRINTABLE_STRING:
	case PER_VISIBLE_STRING:
	case PER_UTF8_STRING:
		return put_octet_string(e, node, value);
	case PER_SEQUENCE:
		return put_sequence(e, node, value);
	case PER_SEQUENCE_OF:
		return put_sequence_of(e, node, value);
	case PER_CHOICE:
		return put_choice(e, node, value);
	default:
		return e->foreign(e, node, value);
	}
}

/* Composite types are entered and left with these; leaving after an error does not matter. */
static inline bool descend(struct per_encoder *e)
{
	if (!likely(e->depth < PER_DEPTH_MAX))
		return per_refuse(e, -EINVAL);
	e->depth++;
	return true;
}

static bool put_sequence(struct per_encoder *e, const struct per_node *node, const uint8_t *value)
{
	const struct per_member *member = node->members;
	const struct per_member *end = member + node->count;
	const struct per_additions *additions = NULL;
	uint64_t bits = 0;

	if (node->extensible) {
		additions = *(const struct per_additions *const *)(value + node->additions);
		bits = additions != NULL;
	}
	for (; member < end; member++)
		if (member->optional)
			bits = bits << 1 | (*(const void *const *)(value + member->offset) != NULL);
	if (!descend(e) || !per_put_bits(e, bits, node->optionals + node->extensible))
		return false;
	for (member = node->members; member < end; member++) {
		const void *at = value + member->offset;

		if (member->optional) {
			at = *(const void *const *)at;
			if (!at)
				continue;
		}
		if (!encode(e, member->node, at))
			return false;
	}
	e->depth--;
	return likely(!additions) || per_put_additions(e, additions);
}

static bool put_sequence_of(struct per_encoder *e, const struct per_node *node,
			    const struct per_list *list)
{
	const struct per_node *element = node->members->node;
	const uint8_t *item = list->items;
	size_t n = list->count;
	bool general;

	if (!descend(e) || !put_size(e, node, n, &general))
		return false;
	do {
		size_t now = n;

		if (general) {
			size_t fragment = fragment_of(n);

			if (fragment) {
				now = fragment;
				if (!put_fragment_length(e, fragment))
					return false;
			} else {
				general = false;
				if (!put_length(e, n))
					return false;
			}
		}
		for (size_t i = 0; i < now; i++, item += element->size)
			if (!encode(e, element, item))
				return false;
		n -= now;
	} while (general);
	e->depth--;
	return true;
}

static bool put_choice(struct per_encoder *e, const struct per_node *node, const uint8_t *value)
{
	uint32_t choice = *(const uint32_t *)(const void *)value;
	const struct per_member *alternative;

	if (choice < 1 || choice > node->count)
		return per_refuse(e, -EINVAL);
	alternative = &node->members[choice - 1];
	if (!descend(e) || !put_form(e, node, choice - 1) ||
	    !encode(e, alternative->node, value + alternative->offset))
		return false;
	e->depth--;
	return true;
}

bool per_encode(struct per_encoder *e, const struct per_node *node, const void *value)
{
	return encode(e, node, value);
}
