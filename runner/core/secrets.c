#include "runner/core/secrets.h"

#include "codecs/ngap/ngap.h"

enum {
	KEY = 32,	  /* octets of either key */
	COUNT = 1,	  /* octet of the chaining counter, before the next hop's key */
	PDU_HEAD = 3,	  /* choice, procedure code, criticality */
	MESSAGE_HEAD = 3, /* extension bit, number of IEs */
	IE_HEAD = 3,	  /* id, criticality */
};

/*
 * An aligned length (X.691 11.9) at *at, which moves behind it. False: it is cut off, or counts
 * fragments of 16,384 octets, which no message with a key has before it.
 */
static bool take_length(struct octets message, size_t *at, size_t *length)
{
	const uint8_t *data = message.data + *at;
	const size_t left = message.len - *at;

	if (left < 1 || data[0] >= 0xc0)
		return false;
	if (data[0] < 0x80) {
		*length = data[0];
		*at += 1;
		return true;
	}
	if (left < 2)
		return false;
	*length = (size_t)(data[0] & 0x3f) << 8 | data[1];
	*at += 2;
	return true;
}

/* Octets before the key in the value of an IE; SIZE_MAX: it has none. */
static size_t before_key(unsigned int id)
{
	if (id == NGAP_ID_SECURITY_KEY)
		return 0;
	return id == NGAP_ID_SECURITY_CONTEXT ? COUNT : SIZE_MAX;
}

/*
 * From IE to IE, as the lengths say: octets that only look like the head of such an IE are part of
 * another one. What is cut off ends the search, and a key that is cut off is one as far as it goes.
 */
bool ngap_next_secret(struct octets message, size_t *at, size_t *len)
{
	size_t i = PDU_HEAD, length;

	if (message.len < PDU_HEAD || !take_length(message, &i, &length))
		return false;
	i += MESSAGE_HEAD;
	while (i + IE_HEAD < message.len) {
		const unsigned int id = (unsigned int)message.data[i] << 8 | message.data[i + 1];
		const size_t before = before_key(id);

		i += IE_HEAD;
		if (!take_length(message, &i, &length))
			return false;
		if (before != SIZE_MAX && i + before >= *at && i + before < message.len) {
			*at = i + before;
			*len = message.len - *at < KEY ? message.len - *at : KEY;
			return true;
		}
		i += length;
	}
	return false;
}
