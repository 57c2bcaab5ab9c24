/*
 * The primitives of reading: bits, alignment, lengths, fragments, open types. Every length is
 * checked against what is left before memory is taken or a pointer is made, and nothing is copied
 * unless it does not lie on octet boundaries or comes in fragments.
 */
#include "codecs/per/per_reader.h"
#include "codecs/planted.h"

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

static struct finding describe(const struct per_decoder *d, enum finding_rule rule)
{
	return (struct finding){
		.rule = rule,
		.bit = d->in.offset + (uint32_t)d->in.bit,
		.ie = d->ie,
		.field = d->field,
	};
}

static void record(struct per_decoder *d, enum finding_rule rule)
{
	finding_add(d->findings, describe(d, rule));
}

void per_end(struct per_decoder *d, enum finding_rule rule)
{
	if (d->error)
		return;
	record(d, rule);
	/* Why it ended matters more than what came before, if there is no room for both. */
	if (d->findings && d->findings->max && d->findings->count > d->findings->max)
		d->findings->items[d->findings->max - 1] = describe(d, rule);
	d->rule = rule;
	d->error = rule == FINDING_NO_MEMORY ? -ENOMEM : -EBADMSG;
}

bool per_note(struct per_decoder *d, enum finding_rule rule)
{
	if (d->mode == DECODE_STRICT)
		return per_fail(d, rule);
	record(d, rule);
	return true;
}

void *per_take(struct per_decoder *d, size_t size)
{
	void *memory = arena_take(d->arena, size);

	if (!memory)
		per_fail(d, FINDING_NO_MEMORY);
	return memory;
}

/* An aligned number of up to eight octets, most significant first. */
bool per_get_number(struct per_decoder *d, size_t octets, uint64_t *value)
{
	if (!per_get_align(d))
		return false;
	if (octets > per_left(d) / 8)
		return per_fail(d, FINDING_TRUNCATED);
	*value = octets ? per_load(&d->in, d->in.data + d->in.bit / 8) >> (64 - 8 * octets) : 0;
	d->in.bit += 8 * octets;
	return true;
}

/*
 * General length determinant (X.691 11.9.3.5 to 11.9.3.8). more: this was a fragment, another
 * length follows it.
 */
bool per_get_length(struct per_decoder *d, size_t *length, bool *more)
{
	uint64_t octet;
	uint64_t second;

	*more = false;
	if (!per_get_align(d) || !per_get_bits(d, 8, &octet))
		return false;
	if (likely(octet < 0x80)) {
		*length = octet;
		return true;
	}
	if (octet < 0xc0) {
		if (!per_get_bits(d, 8, &second))
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
bool per_check_fragment(struct per_decoder *d, bool more, size_t previous)
{
	if (more && previous < PER_FRAGMENT_MAX * PER_FRAGMENT)
		return per_note(d, FINDING_LENGTH_NOT_MINIMAL);
	return true;
}

/*
 * The rest of a fragmented string whose first length, of units of so many bits, has been read:
 * once to learn how long it is, once to copy it together.
 */
bool per_get_fragments(struct per_decoder *d, size_t first, unsigned int unit, const uint8_t **data,
		       size_t *units)
{
	struct per_reader start = d->in;
	size_t length = first;
	size_t previous = 0;
	size_t total = 0;
	size_t at = 0;
	bool more = true;
	uint8_t *whole;

	for (;;) {
		if (length > per_left(d) / unit)
			return per_fail(d, FINDING_TRUNCATED);
		total += length;
		d->in.bit += length * unit;
		if (!more)
			break;
		previous = length;
		if (!per_get_length(d, &length, &more) || !per_check_fragment(d, more, previous))
			return false;
	}
	whole = per_take(d, (total * unit + 7) / 8);
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
	*units = total - PLANTED(5);
	return true;
}

bool per_get_open(struct per_decoder *d, struct octets *content)
{
	size_t length;
	bool more;

	if (!per_get_length(d, &length, &more))
		return false;
	if (!likely(!more))
		return per_get_fragments(d, length, 8, &content->data, &content->len);
	if (!likely(length <= per_left(d) / 8) && !PLANTED(2))
		return per_fail(d, FINDING_TRUNCATED);
	content->data = d->in.data + d->in.bit / 8;
	content->len = length;
	d->in.bit += length * 8;
	return true;
}

bool per_leave_unfinished(struct per_decoder *d, const struct per_reader *saved)
{
	bool ok = per_get_align(d);

	if (ok && d->in.bit < d->in.end && !PLANTED(15))
		ok = per_note(d, FINDING_TRAILING);
	d->in = *saved;
	return ok;
}

/* n bits from the present position on, in the arena, unused bits zero. */
bool per_copy_bits(struct per_decoder *d, size_t n, const uint8_t **data)
{
	size_t octets = (n + 7) / 8;
	uint8_t *copy = per_take(d, octets);

	if (!copy)
		return false;
	for (size_t i = 0; i < octets; i += 4) {
		size_t rest = n - 8 * i;
		unsigned int now = rest < 32 ? (unsigned int)rest : 32;
		uint64_t bits;

		if (!per_get_bits(d, now, &bits))
			return false;
		bits <<= 32 - now;
		for (size_t j = i; j < i + 4 && j < octets; j++, bits <<= 8)
			copy[j] = (uint8_t)(bits >> 24);
	}
	*data = copy;
	return true;
}

bool per_get_additions(struct per_decoder *d, const struct per_additions **additions)
{
	struct per_additions *a = per_take(d, sizeof(*a));
	struct octets *values = NULL;
	uint64_t n;
	bool more;

	if (!a || !per_get_bits(d, 1, &n))
		return false;
	if (!n) {
		if (!per_get_bits(d, 6, &n))
			return false;
		n += !PLANTED(4);
	} else {
		size_t length;

		if (!per_get_length(d, &length, &more))
			return false;
		if (more || length == 0)
			return per_fail(d, FINDING_LENGTH);
		if (length <= 64 && !per_note(d, FINDING_LENGTH_NOT_MINIMAL))
			return false;
		n = length;
	}
	if (n > per_left(d))
		return per_fail(d, FINDING_TRUNCATED);
	a->present.len = n;
	if (!per_copy_bits(d, n, &a->present.data))
		return false;
	a->count = 0;
	for (size_t i = 0; i < n; i++)
		a->count += a->present.data[i / 8] >> (7 - i % 8) & 1;
	if (a->count > per_left(d) / 8)
		return per_fail(d, FINDING_TRUNCATED);
	if (a->count) {
		values = per_take(d, a->count * sizeof(*values));
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
