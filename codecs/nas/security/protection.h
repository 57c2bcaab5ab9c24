/*
 * Security protected 5GS NAS messages (TS 24.501 4.4 and 9.1.1, TS 33.501 6.4), stateless.
 *
 * Emulated UE and reference AMF both use these functions, and each keeps contexts and COUNTs of its
 * own: nothing here remembers a COUNT, picks a key or decides whether a message may be accepted.
 *
 * Layout: 7E | security header type | MAC 4 | sequence number 1 | NAS message. The MAC covers the
 * sequence number and the NAS message as sent, i.e. after ciphering (24.501 4.4.3.3).
 */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_PROTECTION_H
#define SPILLWAY_CODECS_NAS_SECURITY_PROTECTION_H

#include <stddef.h>
#include <stdint.h>

#include "codecs/nas/security/algorithms.h"
#include "codecs/nas/security/status.h"
#include "codecs/octets.h"

enum {
	NAS_SECURITY_HEADER_SIZE = 7, /* octets in front of the inner NAS message */
	NAS_COUNT_MAX = 0xffffff,     /* 16 bits overflow counter, 8 bits sequence number */
};

/* TS 24.501 9.3.1 */
enum nas_security_header_type {
	NAS_PLAIN = 0,
	NAS_INTEGRITY_PROTECTED = 1,
	NAS_INTEGRITY_PROTECTED_AND_CIPHERED = 2,
	NAS_INTEGRITY_PROTECTED_NEW_CONTEXT = 3,
	NAS_INTEGRITY_PROTECTED_AND_CIPHERED_NEW_CONTEXT = 4,
};

/* NAS connection identifier, the BEARER input (TS 33.501 6.4.3.1) */
enum nas_connection { NAS_CONNECTION_3GPP = 1, NAS_CONNECTION_NON_3GPP = 2 };

/* The selected algorithms with their keys; a value of the caller's context, copied freely. */
struct nas_security_suite {
	enum nea nea;
	enum nia nia;
	uint8_t k_nas_enc[16];
	uint8_t k_nas_int[16];
};

/* Where a message stands: everything besides the keys that goes into ciphering and MAC. */
struct nas_security_position {
	uint32_t count; /* full NAS COUNT, 0..NAS_COUNT_MAX */
	enum nas_connection connection;
	enum nas_direction direction;
};

/*
 * Writes inner as a protected message to out; inner may lie in out. *len receives the length,
 * 7 + inner.len. Ciphers for header types 2 and 4. BAD_VALUE for types 0 and 5..15 (nothing of
 * ours sends those protected; a case that wants them alters the octets), BAD_LENGTH for an empty
 * inner message, BAD_COUNT, NO_SPACE.
 */
enum nas_security_status nas_security_protect(const struct nas_security_suite *suite,
					      const struct nas_security_position *position,
					      enum nas_security_header_type type,
					      struct octets inner, uint8_t *out, size_t size,
					      size_t *len);

struct nas_security_header {
	uint8_t type; /* enum nas_security_header_type, but 5..15 are passed on too */
	uint8_t mac[4];
	uint8_t sequence_number;
	struct octets message; /* into the input: still ciphered for types 2 and 4 */
};

/*
 * Takes the header apart without any key: works on everything that starts with 7E and has a
 * non-zero security header type. BAD_LENGTH below 8 octets, BAD_VALUE for a plain message or
 * another protocol discriminator. The spare half octet beside the type is ignored.
 */
enum nas_security_status nas_security_parse(struct octets in, struct nas_security_header *header);

/*
 * Whether the MAC of a protected message is right for this position. MAC_MISMATCH if not,
 * BAD_COUNT if the low octet of the COUNT is not the message's sequence number. With NIA0 every MAC
 * is right: the receiver does not check it (TS 33.501 D.1).
 */
enum nas_security_status nas_security_verify(const struct nas_security_suite *suite,
					     const struct nas_security_position *position,
					     struct octets in);

/*
 * nas_security_verify(), then the inner message, deciphered for types 2 and 4, in out (which may
 * be in.data or in.data + 7). Nothing is written to out unless the MAC is right. BAD_VALUE for
 * types 5..15. Type 1 may still hold a ciphered NAS message container: see nas_security_cipher().
 */
enum nas_security_status nas_security_unprotect(const struct nas_security_suite *suite,
						const struct nas_security_position *position,
						struct octets in, uint8_t *out, size_t size,
						size_t *len);

/*
 * Ciphers or deciphers data in place: the value part of the NAS message container IE of an initial
 * NAS message, or of the containers of a CONTROL PLANE SERVICE REQUEST (TS 24.501 4.4.6, TS 33.501
 * 6.4.6). The position is that of the message around it: one COUNT serves both the container's
 * ciphering and the MAC.
 */
enum nas_security_status nas_security_cipher(const struct nas_security_suite *suite,
					     const struct nas_security_position *position,
					     uint8_t *data, size_t len);

/*
 * The full COUNT that a received sequence number stands for (TS 24.501 4.4.3.1): the smallest COUNT
 * not below next whose low octet is sequence_number. next: one above the highest COUNT accepted so
 * far in this direction, 0 in a fresh context. BAD_COUNT if that lies above NAS_COUNT_MAX: the
 * context is used up. Since no COUNT below next comes out, a replayed message fails its MAC.
 */
enum nas_security_status nas_count_estimate(uint32_t next, uint8_t sequence_number,
					    uint32_t *count);

#endif
