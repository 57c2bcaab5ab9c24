/*
 * The reading half of the walker: what each kind of node is made of. Numbers of elements are
 * checked against what is left of the input before memory is taken for them.
 */
#include "codecs/per/per_reader.h"
#include "codecs/planted.h"

/* Number within bounds, written as the node's form says; ranges above 64K excluded. */
static inline bool get_form(struct per_decoder *d, const struct per_node *node, uint64_t *value)
{
	switch (node->form) {
	case PER_BIT_FIELD:
		return per_get_bits(d, node->bits, value);
	case PER_ONE_OCTET:
		return per_get_align(d) && per_get_bits(d, 8, value);
	case PER_TWO_OCTETS:
		return per_get_align(d) && per_get_bits(d, 16, value);
	default:
		*value = 0;
		return true;
	}
}

/* An INTEGER outside its root: general length, two's complement. */
static bool get_extension_integer(struct per_decoder *d, const struct per_node *node,
				  int64_t *value)
{
	uint64_t number;
	size_t octets;
	bool more;

	if (!per_get_length(d, &octets, &more))
		return false;
	if (more || octets < 1 || octets > 8)
		return per_fail(d, FINDING_RANGE);
	if (!per_get_number(d, octets, &number))
		return false;
	if (octets < 8 && number >> (8 * octets - 1) && !PLANTED(6))
		number |= ~(uint64_t)0 << 8 * octets;
	*value = (int64_t)number;
	if (octets > 1) {
		int64_t upper_part = *value >> (8 * octets - 9);

		if ((upper_part == 0 || upper_part == -1) &&
		    !per_note(d, FINDING_LENGTH_NOT_MINIMAL))
			return false;
	}
	if (*value >= node->lower && *value <= node->upper)
		return per_note(d, FINDING_LENGTH_NOT_MINIMAL);
	return true;
}

static bool get_integer(struct per_decoder *d, const struct per_node *node, int64_t *value)
{
	uint64_t number;

	if (node->extensible) {
		if (!per_get_bits(d, 1, &number))
			return false;
		if (number)
			return get_extension_integer(d, node, value);
	}
	if (node->form == PER_LONG) {
		uint64_t octets;

		if (!per_get_bits(d, node->bits, &octets))
			return false;
		octets++;
		if (octets > 8)
			return per_fail(d, FINDING_RANGE);
		if (!per_get_number(d, octets, &number))
			return false;
		if (octets > 1 && !(number >> (8 * octets - 8)) &&
		    !per_note(d, FINDING_LENGTH_NOT_MINIMAL))
			return false;
	} else if (!get_form(d, node, &number)) {
		return false;
	}
	if (!likely(number <= (uint64_t)node->upper - (uint64_t)node->lower + PLANTED(11)))
		return per_fail(d, FINDING_RANGE);
	*value = (int64_t)((uint64_t)node->lower + number);
	return true;
}

/* Normally small non-negative whole number (X.691 11.6). */
static bool get_small(struct per_decoder *d, uint64_t *value)
{
	uint64_t large;
	size_t octets;
	bool more;

	if (!per_get_bits(d, 1, &large))
		return false;
	if (!large)
		return per_get_bits(d, 6, value);
	if (!per_get_length(d, &octets, &more))
		return false;
	if (more || octets < 1 || octets > 8)
		return per_fail(d, FINDING_RANGE);
	if (!per_get_number(d, octets, value))
		return false;
	if (*value < 64 || (octets > 1 && !(*value >> (8 * octets - 8))))
		return per_note(d, FINDING_LENGTH_NOT_MINIMAL);
	return true;
}

static bool get_enumerated(struct per_decoder *d, const struct per_node *node, uint32_t *value)
{
	uint64_t number;

	if (node->extensible) {
		if (!per_get_bits(d, 1, &number))
			return false;
		if (number) {
			if (!get_small(d, &number))
				return false;
			if (number > (uint64_t)(INT32_MAX - node->upper - 1))
				return per_fail(d, FINDING_RANGE);
			*value = (uint32_t)number + (uint32_t)node->upper + !PLANTED(12);
			return true;
		}
	}
	if (!get_form(d, node, &number))
		return false;
	if (number > (uint64_t)node->upper)
		return per_fail(d, FINDING_RANGE);
	*value = (uint32_t)number;
	return true;
}

static bool get_bits_64(struct per_decoder *d, const struct per_node *node, uint64_t *value)
{
	unsigned int n = (unsigned int)node->upper;
	uint64_t high = 0;

	if (n > 16 && !per_get_align(d))
		return false;
	if (n > 32) {
		if (!per_get_bits(d, n - 32, &high))
			return false;
		n = 32;
	}
	if (!per_get_bits(d, n, value))
		return false;
	*value |= high << (32 - PLANTED(13));
	return true;
}

/*
 * Length of a string or number of elements: in its root, or by a general length determinant if
 * it has no upper bound that matters or is outside its root.
 */
static inline bool get_size(struct per_decoder *d, const struct per_node *node, size_t *size,
			    bool *outside, bool *more)
{
	uint64_t number;

	*outside = false;
	*more = false;
	if (node->extensible) {
		if (!per_get_bits(d, 1, &number))
			return false;
		*outside = number;
	}
	if (*outside || node->form == PER_GENERAL)
		return per_get_length(d, size, more);
	if (!get_form(d, node, &number))
		return false;
	if (!likely(number <= (uint64_t)(node->upper - node->lower) + PLANTED(1)))
		return per_fail(d, FINDING_LENGTH);
	*size = number + (uint64_t)node->lower;
	return true;
}

/* A size by general length determinant, once it is known as a whole. */
static bool check_size(struct per_decoder *d, const struct per_node *node, size_t size,
		       bool outside)
{
	bool in_root = size >= (uint64_t)node->lower && size <= (uint64_t)node->upper;

	if (outside)
		return !in_root || per_note(d, FINDING_LENGTH_NOT_MINIMAL);
	return in_root || per_fail(d, FINDING_LENGTH);
}

static bool get_bit_string(struct per_decoder *d, const struct per_node *node,
			   struct per_bits *value)
{
	bool outside;
	bool more;
	size_t n;

	if (!get_size(d, node, &n, &outside, &more))
		return false;
	if (more && !per_get_fragments(d, n, 1, &value->data, &n))
		return false;
	if ((outside || node->form == PER_GENERAL) && !check_size(d, node, n, outside))
		return false;
	value->len = n;
	if (more) {
		if (n % 8) {
			uint8_t *last = (uint8_t *)value->data + n / 8;

			*last = (uint8_t)(*last & 0xff << (8 - n % 8));
		}
		return true;
	}
	if (n && (outside || node->lower != node->upper || n > 16) && !per_get_align(d))
		return false;
	if (n > per_left(d))
		return per_fail(d, FINDING_TRUNCATED);
	if (d->in.bit % 8 || n % 8)
		return per_copy_bits(d, n, &value->data);
	value->data = d->in.data + d->in.bit / 8;
	d->in.bit += n;
	return true;
}

/* Bit 0: in a PrintableString (X.680 41.4); bit 1: in a VisibleString. */
static const uint8_t character_sets[256] = {
	[' '] = 3,	     [0x21 ... 0x26] = 2, ['\'' ... ')'] = 3,  ['*'] = 2,
	['+' ... '/'] = 3,   ['0' ... ':'] = 3,	  [';' ... '<'] = 2,   ['='] = 3,
	['>'] = 2,	     ['?'] = 3,		  ['@'] = 2,	       ['A' ... 'Z'] = 3,
	[0x5b ... 0x60] = 2, ['a' ... 'z'] = 3,	  [0x7b ... 0x7e] = 2,
};

static bool check_characters(struct per_decoder *d, uint8_t set, const struct octets *value)
{
	uint8_t common = set;

	for (size_t i = 0; i < value->len; i++)
		common &= character_sets[value->data[i]];
	return likely(common) || per_note(d, FINDING_RANGE);
}

/* Octets of a fixed size, the most frequent kind of all. */
static bool get_fixed_octets(struct per_decoder *d, size_t n, struct octets *value)
{
	uint8_t *copy;
	uint64_t bits;

	value->len = n;
	if (n > 2 && !per_get_align(d))
		return false;
	if (!likely(n <= per_left(d) / 8))
		return per_fail(d, FINDING_TRUNCATED);
	if (likely(d->in.bit % 8 == 0)) {
		value->data = d->in.data + d->in.bit / 8;
		d->in.bit += 8 * n;
		return true;
	}
	copy = per_take(d, n);
	if (!copy || !per_get_bits(d, 8 * (unsigned int)n, &bits))
		return false;
	for (size_t i = n; i-- > 0; bits >>= 8)
		copy[i] = (uint8_t)bits;
	value->data = copy;
	return true;
}

static bool get_octet_string(struct per_decoder *d, const struct per_node *node,
			     struct octets *value)
{
	bool outside;
	bool more;
	size_t n;

	if (node->form == PER_NO_BITS && !node->extensible && node->kind == PER_OCTET_STRING)
		return get_fixed_octets(d, (size_t)node->upper, value);
	if (!get_size(d, node, &n, &outside, &more))
		return false;
	if (more && !per_get_fragments(d, n, 8, &value->data, &n))
		return false;
	if ((outside || node->form == PER_GENERAL) && !check_size(d, node, n, outside))
		return false;
	value->len = n;
	if (!more) {
		if (n && (outside || node->lower != node->upper || n > 2) && !per_get_align(d))
			return false;
		if (n > per_left(d) / 8)
			return per_fail(d, FINDING_TRUNCATED);
		if (d->in.bit % 8) {
			if (!per_copy_bits(d, 8 * n, &value->data))
				return false;
		} else {
			value->data = d->in.data + d->in.bit / 8;
			d->in.bit += 8 * n;
		}
	}
	if (node->kind == PER_PRINTABLE_STRING)
		return check_characters(d, 1, value);
	return node->kind != PER_VISIBLE_STRING || check_characters(d, 2, value);
}

static bool get_sequence(struct per_decoder *d, const struct per_node *node, uint8_t *out);
static bool get_sequence_of(struct per_decoder *d, const struct per_node *node,
			    struct per_list *out);
static bool get_choice(struct per_decoder *d, const struct per_node *node, uint8_t *out);

/* Part of every walker below, so that a scalar costs one call. */
static inline __attribute__((always_inline)) bool decode(struct per_decoder *d,
							 const struct per_node *node, void *out)
{
	switch ((enum per_kind)node->kind) {
	case PER_INTEGER:
		return get_integer(d, node, out);
	case PER_ENUMERATED:
		return get_enumerated(d, node, out);
	case PER_BITS_64:
		return get_bits_64(d, node, out);
	case PER_BIT_STRING:
		return get_bit_string(d, node, out);
	case PER_OCTET_STRING:
	case PER_PRINTABLE_STRING:
	case PER_VISIBLE_STRING:
	case PER_UTF8_STRING:
		return get_octet_string(d, node, out);
	case PER_SEQUENCE:
		return get_sequence(d, node, out);
	case PER_SEQUENCE_OF:
		return get_sequence_of(d, node, out);
	case PER_CHOICE:
		return get_choice(d, node, out);
	default:
		return d->foreign(d, node, out);
	}
}

/* Composite types are entered and left with these; leaving after an error does not matter. */
static inline bool descend(struct per_decoder *d)
{
	if (!likely(d->depth < PER_DEPTH_MAX))
		return per_fail(d, FINDING_TOO_DEEP);
	d->depth++;
	return true;
}

static bool get_sequence(struct per_decoder *d, const struct per_node *node, uint8_t *out)
{
	unsigned int preamble = node->optionals + node->extensible;
	const struct per_member *member = node->members;
	const struct per_member *end = member + node->count;
	uint64_t bits;

	if (!descend(d) || !per_get_bits(d, preamble, &bits))
		return false;
	if (preamble)
		bits <<= 64 - preamble;
	uint64_t extended = node->extensible ? bits >> 63 : 0;
	bits <<= node->extensible;
	for (; member < end; member++) {
		void *at = out + member->offset;

		d->field = member->name;
		if (member->optional) {
			bool present = bits >> 63;

			bits <<= 1;
			if (!present) {
				*(const void **)at = NULL;
				continue;
			}
			void *value = per_take(d, member->node->size);

			if (!value)
				return false;
			*(const void **)at = value;
			at = value;
		}
		if (!decode(d, member->node, at))
			return false;
	}
	d->depth--;
	if (!node->extensible)
		return true;
	const struct per_additions **additions =
		(const struct per_additions **)(out + node->additions);

	*additions = NULL;
	if (!likely(!extended))
		return per_get_additions(d, additions);
	return true;
}

/* Elements from here on cannot be more than this. */
static size_t most_elements(const struct per_decoder *d, const struct per_node *element)
{
	return per_left(d) / (element->min_bits ? element->min_bits : 1);
}

static bool get_sequence_of(struct per_decoder *d, const struct per_node *node,
			    struct per_list *out)
{
	const struct per_node *element = node->members->node;
	size_t previous;
	bool outside;
	bool more;
	size_t n;
	size_t room;
	uint8_t *items;

	if (!descend(d) || !get_size(d, node, &n, &outside, &more))
		return false;
	room = most_elements(d, element);
	if (n > room)
		return per_fail(d, FINDING_TRUNCATED);
	/* How many will come in later fragments is not known yet. */
	if (!more)
		room = n;
	else if (room > (uint64_t)node->upper)
		room = (size_t)node->upper;
	out->count = 0;
	out->items = NULL;
	if (room == 0) {
		d->depth--;
		return (!outside && node->form != PER_GENERAL) || check_size(d, node, 0, outside);
	}
	items = per_take(d, room * element->size);
	if (!items)
		return false;
	out->items = items;
	for (;;) {
		if (n > room - out->count)
			return per_fail(d, FINDING_LENGTH);
		for (size_t i = 0; i < n; i++, out->count++) {
			d->field = element->name;
			if (!decode(d, element, items + out->count * element->size))
				return false;
		}
		if (!more)
			break;
		previous = n;
		if (!per_get_length(d, &n, &more) || !per_check_fragment(d, more, previous))
			return false;
		if (n > most_elements(d, element))
			return per_fail(d, FINDING_TRUNCATED);
	}
	d->depth--;
	if (outside || node->form == PER_GENERAL)
		return check_size(d, node, out->count, outside);
	return true;
}

static bool get_choice(struct per_decoder *d, const struct per_node *node, uint8_t *out)
{
	const struct per_member *alternative;
	uint64_t index;

	if (!descend(d) || !get_form(d, node, &index))
		return false;
	if (index >= (uint64_t)node->count + PLANTED(14))
		return per_fail(d, FINDING_RANGE);
	alternative = &node->members[index];
	*(uint32_t *)(void *)out = (uint32_t)index + 1;
	d->field = alternative->name;
	if (!decode(d, alternative->node, out + alternative->offset))
		return false;
	d->depth--;
	return true;
}

bool per_decode(struct per_decoder *d, const struct per_node *node, void *out)
{
	return decode(d, node, out);
}
