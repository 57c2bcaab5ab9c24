#include "runner/core/secrets.h"

#include <string.h>

#include "codecs/ngap/ngap.h"

enum {
	KEY = 32,  /* octets of either key */
	HEAD = 4,  /* of an IE: id, criticality, length */
	COUNT = 1, /* octet of the chaining counter, before the next hop's key */
};

/* Octets before the key in the IE's value that begins at ie; 0 where this is no such IE. */
static size_t key_at(const uint8_t *ie, size_t left)
{
	if (left < HEAD + KEY || ie[0] != 0 || (ie[2] & 0x3f) != 0)
		return 0;
	if (ie[1] == NGAP_ID_SECURITY_KEY && ie[3] == KEY)
		return HEAD;
	if (ie[1] == NGAP_ID_SECURITY_CONTEXT && ie[3] > KEY && left >= HEAD + COUNT + KEY)
		return HEAD + COUNT;
	return 0;
}

bool ngap_next_secret(struct octets message, size_t *at, size_t *len)
{
	for (size_t i = *at; i + HEAD + KEY <= message.len; i++) {
		const uint8_t *zero = memchr(message.data + i, 0, message.len - i);
		size_t head;

		if (zero == NULL)
			return false;
		i = (size_t)(zero - message.data);
		head = key_at(zero, message.len - i);
		if (head > 0) {
			*at = i + head;
			*len = KEY;
			return true;
		}
	}
	return false;
}
