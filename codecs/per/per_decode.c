/*
 * The reading half of the walker. Every length is checked against what is left before memory is
 * taken or a pointer is made, and nothing is copied unless it does not lie on octet boundaries.
 */
#include "codecs/per/per_decode.h"

#include <errno.h>

void per_decoder_init(struct per_decoder *d, struct octets in, struct arena *arena,
		      enum decode_mode mode, struct findings *findings,
		      per_foreign_decode_fn *foreign)
{
	d->in.data = in.data;
	d->in.bit = 0;
	d->in.end = in.len * 8;
	d->in.floor = in.data;
	d->in.limit = in.data + in.len;
	d->in.offset = 0;
	d->arena = arena;
	d->findings = findings;
	d->mode = mode;
	d->foreign = foreign;
	d->ie = -1;
	d->field = "";
	d->depth = 0;
	d->error = 0;
	d->rule = FINDING_NONE;
}

static void record(struct per_decoder *d, enum finding_rule rule)
{
	finding_add(d->findings, (struct finding){
					 .rule = rule,
					 .bit = d->in.offset + (uint32_t)d->in.bit,
					 .ie = d->ie,
					 .field = d->field,
				 });
}

bool per_fail(struct per_decoder *d, enum finding_rule rule)
{
	if (d->error)
		return false;
	record(d, rule);
	d->rule = rule;
	d->error = rule == FINDING_NO_MEMORY ? -ENOMEM : -EBADMSG;
	return false;
}

bool per_note(struct per_decoder *d, enum finding_rule rule)
{
	if (d->mode == DECODE_STRICT)
		return per_fail(d, rule);
	record(d, rule);
	return true;
}

static void *take(struct per_decoder *d, size_t size)
{
	void *memory = arena_take(d->arena, size);

	if (!memory)
		per_fail(d, FINDING_NO_MEMORY);
	return memory;
}

static inline size_t left(const struct per_decoder *d)
{
	return d->in.end - d->in.bit;
}

/* Eight octets from p on; zeros stand for those that may not be read. */
static inline uint64_t load(const struct per_reader *in, const uint8_t *p)
{
	size_t readable = (size_t)(in->limit - p);
	uint64_t word = 0;

	if (likely(readable >= 8)) {
		memcpy(&word, p, 8);
		return __builtin_bswap64(word);
	}
	if (likely(in->limit - in->floor >= 8)) {
		memcpy(&word, in->limit - 8, 8);
		return readable ? __builtin_bswap64(word) << (64 - 8 * readable) : 0;
	}
	for (unsigned int shift = 56; p < in->limit; shift -= 8)
		word |= (uint64_t)*p++ << shift;
	return word;
}

static inline bool get_bits(struct per_decoder *d, unsigned int n, uint64_t *value)
{
	size_t bit = d->in.bit;

	if (!likely(n <= d->in.end - bit))
		return per_fail(d, FINDING_TRUNCATED);
	if (n)
		*value = load(&d->in, d->in.data + bit / 8) << bit % 8 >> (64 - n);
	else
		*value = 0;
	d->in.bit = bit + n;
	return true;
}

bool per_get_bits(struct per_decoder *d, unsigned int n, uint64_t *value)
{
	return get_bits(d, n, value);
}

static inline bool get_align(struct per_decoder *d)
{
	unsigned int used = d->in.bit % 8;

	if (!used)
		return true;
	if (!likely((uint8_t)(d->in.data[d->in.bit / 8] << used) == 0) &&
	    !per_note(d, FINDING_PADDING))
		return false;
	d->in.bit += 8 - used;
	return true;
}

bool per_get_align(struct per_decoder *d)
{
	return get_align(d);
}

/* An aligned number of up to eight octets, most significant first. */
static bool get_number(struct per_decoder *d, size_t octets, uint64_t *value)
{
	if (!get_align(d))
		return false;
	if (octets > left(d) / 8)
		return per_fail(d, FINDING_TRUNCATED);
	*value = octets ? load(&d->in, d->in.data + d->in.bit / 8) >> (64 - 8 * octets) : 0;
	d->in.bit += 8 * octets;
	return true;
}

/*
 * General length determinant (X.691 11.9.3.5 to 11.9.3.8). more: this was a fragment, another
 * length follows it.
 */
static bool get_length(struct per_decoder *d, size_t *length, bool *more)
{
	uint64_t octet;
	uint64_t second;

	*more = false;
	if (!get_align(d) || !get_bits(d, 8, &octet))
		return false;
	if (likely(octet < 0x80)) {
		*length = octet;
		return true;
	}
	if (octet < 0xc0) {
		if (!get_bits(d, 8, &second))
			return false;
		*length = (octet & 0x3f) << 8 | second;
		return *length >= 0x80 || per_note(d, FINDING_LENGTH_NOT_MINIMAL);
	}
	octet &= 0x3f;
	if (octet < 1 || octet > PER_FRAGMENT_MAX) {
		d->in.bit -= 8;
		return per_fail(d, FINDING_SYNTAX);
	}
	*length = (size_t)octet * PER_FRAGMENT;
	*more = true;
	return true;
}

/* A fragment that is not the largest one has to be the last one. */
static bool check_fragment(struct per_decoder *d, size_t length, bool more, size_t previous)
{
	if (more && previous && previous < PER_FRAGMENT_MAX * PER_FRAGMENT)
		return per_note(d, FINDING_LENGTH_NOT_MINIMAL);
	if (more && length > PER_FRAGMENT_MAX * PER_FRAGMENT)
		return per_fail(d, FINDING_SYNTAX);
	return true;
}

/*
 * The rest of a fragmented string whose first length, of units of so many bits, has been read:
 * once to learn how long it is, once to copy it together.
 */
static bool get_fragments(struct per_decoder *d, size_t first, unsigned int unit,
			  const uint8_t **data, size_t *units)
{
	struct per_reader start = d->in;
	size_t length = first;
	size_t previous = 0;
	size_t total = 0;
	size_t at = 0;
	bool more = true;
	uint8_t *whole;

	for (;;) {
		if (length > left(d) / unit)
			return per_fail(d, FINDING_TRUNCATED);
		total += length;
		d->in.bit += length * unit;
		if (!more)
			break;
		previous = length;
		if (!get_length(d, &length, &more) || !check_fragment(d, length, more, previous))
			return false;
	}
	whole = take(d, (total * unit + 7) / 8);
	if (!whole)
		return false;
	d->in = start;
	length = first;
	more = true;
	for (;;) {
		size_t octets = (length * unit + 7) / 8;

		if (octets)
			memcpy(whole + at, d->in.data + d->in.bit / 8, octets);
		at += octets;
		d->in.bit += length * unit;
		if (!more)
			break;
		/* Padding and forms were noted the first time; here they cannot fail. */
		d->in.bit = (d->in.bit + 7) / 8 * 8;
		length = d->in.data[d->in.bit / 8];
		more = length >= 0xc0;
		if (more) {
			length = (length & 0x3f) * PER_FRAGMENT;
		} else if (length >= 0x80) {
			d->in.bit += 8;
			length = (length & 0x3f) << 8 | d->in.data[d->in.bit / 8];
		}
		d->in.bit += 8;
	}
	*data = whole;
	*units = total;
	return true;
}

bool per_get_open(struct per_decoder *d, struct octets *content)
{
	size_t length;
	bool more;

	if (!get_length(d, &length, &more))
		return false;
	if (!likely(!more))
		return get_fragments(d, length, 8, &content->data, &content->len);
	if (!likely(length <= left(d) / 8))
		return per_fail(d, FINDING_TRUNCATED);
	content->data = d->in.data + d->in.bit / 8;
	content->len = length;
	d->in.bit += length * 8;
	return true;
}

bool per_leave_unfinished(struct per_decoder *d, const struct per_reader *saved)
{
	bool ok = get_align(d);

	if (ok && d->in.bit < d->in.end)
		ok = per_note(d, FINDING_TRAILING);
	d->in = *saved;
	return ok;
}

/* Number within bounds, written as the node's form says; ranges above 64K excluded. */
static inline bool get_form(struct per_decoder *d, const struct per_node *node, uint64_t *value)
{
	switch (node->form) {
	case PER_BIT_FIELD:
		return get_bits(d, node->bits, value);
	case PER_ONE_OCTET:
		return get_align(d) && get_bits(d, 8, value);
	case PER_TWO_OCTETS:
		return get_align(d) && get_bits(d, 16, value);
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

	if (!get_length(d, &octets, &more))
		return false;
	if (more || octets < 1 || octets > 8)
		return per_fail(d, FINDING_RANGE);
	if (!get_number(d, octets, &number))
		return false;
	if (octets < 8 && number >> (8 * octets - 1))
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
		if (!get_bits(d, 1, &number))
			return false;
		if (number)
			return get_extension_integer(d, node, value);
	}
	if (node->form == PER_LONG) {
		uint64_t octets;

		if (!get_bits(d, node->bits, &octets))
			return false;
		octets++;
		if (octets > 8)
			return per_fail(d, FINDING_RANGE);
		if (!get_number(d, octets, &number))
			return false;
		if (octets > 1 && !(number >> (8 * octets - 8)) &&
		    !per_note(d, FINDING_LENGTH_NOT_MINIMAL))
			return false;
	} else if (!get_form(d, node, &number)) {
		return false;
	}
	if (!likely(number <= (uint64_t)node->upper - (uint64_t)node->lower))
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

	if (!get_bits(d, 1, &large))
		return false;
	if (!large)
		return get_bits(d, 6, value);
	if (!get_length(d, &octets, &more))
		return false;
	if (more || octets < 1 || octets > 8)
		return per_fail(d, FINDING_RANGE);
	if (!get_number(d, octets, value))
		return false;
	if (*value < 64 || (octets > 1 && !(*value >> (8 * octets - 8))))
		return per_note(d, FINDING_LENGTH_NOT_MINIMAL);
	return true;
}

static bool get_enumerated(struct per_decoder *d, const struct per_node *node, uint32_t *value)
{
	uint64_t number;

	if (node->extensible) {
		if (!get_bits(d, 1, &number))
			return false;
		if (number) {
			if (!get_small(d, &number))
				return false;
			if (number > (uint64_t)(INT32_MAX - node->upper - 1))
				return per_fail(d, FINDING_RANGE);
			*value = (uint32_t)number + (uint32_t)node->upper + 1;
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

	if (n > 16 && !get_align(d))
		return false;
	if (n > 32) {
		if (!get_bits(d, n - 32, &high))
			return false;
		n = 32;
	}
	if (!get_bits(d, n, value))
		return false;
	*value |= high << 32;
	return true;
}

/* n bits from the present position on, in the arena, unused bits zero. */
static bool copy_bits(struct per_decoder *d, size_t n, const uint8_t **data)
{
	size_t octets = (n + 7) / 8;
	uint8_t *copy = take(d, octets);

	if (!copy)
		return false;
	for (size_t i = 0; i < octets; i += 4) {
		size_t rest = n - 8 * i;
		unsigned int now = rest < 32 ? (unsigned int)rest : 32;
		uint64_t bits;

		if (!get_bits(d, now, &bits))
			return false;
		bits <<= 32 - now;
		for (size_t j = i; j < i + 4 && j < octets; j++, bits <<= 8)
			copy[j] = (uint8_t)(bits >> 24);
	}
	*data = copy;
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
		if (!get_bits(d, 1, &number))
			return false;
		*outside = number;
	}
	if (*outside || node->form == PER_GENERAL)
		return get_length(d, size, more);
	if (!get_form(d, node, &number))
		return false;
	if (!likely(number <= (uint64_t)(node->upper - node->lower)))
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
	if (more && !get_fragments(d, n, 1, &value->data, &n))
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
	if (n && (outside || node->lower != node->upper || n > 16) && !get_align(d))
		return false;
	if (n > left(d))
		return per_fail(d, FINDING_TRUNCATED);
	if (d->in.bit % 8 || n % 8)
		return copy_bits(d, n, &value->data);
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
	if (n > 2 && !get_align(d))
		return false;
	if (!likely(n <= left(d) / 8))
		return per_fail(d, FINDING_TRUNCATED);
	if (likely(d->in.bit % 8 == 0)) {
		value->data = d->in.data + d->in.bit / 8;
		d->in.bit += 8 * n;
		return true;
	}
	copy = take(d, n);
	if (!copy || !get_bits(d, 8 * (unsigned int)n, &bits))
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
	if (more && !get_fragments(d, n, 8, &value->data, &n))
		return false;
	if ((outside || node->form == PER_GENERAL) && !check_size(d, node, n, outside))
		return false;
	value->len = n;
	if (!more) {
		if (n && (outside || node->lower != node->upper || n > 2) && !get_align(d))
			return false;
		if (n > left(d) / 8)
			return per_fail(d, FINDING_TRUNCATED);
		if (d->in.bit % 8) {
			if (!copy_bits(d, 8 * n, &value->data))
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

bool per_get_additions(struct per_decoder *d, const struct per_additions **additions)
{
	struct per_additions *a = take(d, sizeof(*a));
	struct octets *values = NULL;
	uint64_t n;
	bool more;

	if (!a || !get_bits(d, 1, &n))
		return false;
	if (!n) {
		if (!get_bits(d, 6, &n))
			return false;
		n++;
	} else {
		size_t length;

		if (!get_length(d, &length, &more))
			return false;
		if (more || length == 0)
			return per_fail(d, FINDING_LENGTH);
		if (length <= 64 && !per_note(d, FINDING_LENGTH_NOT_MINIMAL))
			return false;
		n = length;
	}
	if (n > left(d))
		return per_fail(d, FINDING_TRUNCATED);
	a->present.len = n;
	if (!copy_bits(d, n, &a->present.data))
		return false;
	a->count = 0;
	for (size_t i = 0; i < n; i++)
		a->count += a->present.data[i / 8] >> (7 - i % 8) & 1;
	if (a->count > left(d) / 8)
		return per_fail(d, FINDING_TRUNCATED);
	if (a->count) {
		values = take(d, a->count * sizeof(*values));
		if (!values)
			return false;
	}
	for (size_t i = 0; i < a->count; i++) {
		if (!per_get_open(d, &values[i]))
			return false;
		if (values[i].len == 0 && !per_note(d, FINDING_EMPTY_OPEN_TYPE))
			return false;
	}
	a->values = values;
	*additions = a;
	return true;
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

	if (!descend(d) || !get_bits(d, preamble, &bits))
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
			void *value = take(d, member->node->size);

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
	return left(d) / (element->min_bits ? element->min_bits : 1);
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
	items = take(d, room * element->size);
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
		if (!get_length(d, &n, &more) || !check_fragment(d, n, more, previous))
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
	if (index >= node->count)
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
