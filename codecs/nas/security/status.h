/*
 * The one error type of the security primitives. OpenSSL can fail in any call and lengths come
 * from the other side of an interface, so everything here returns a value that has to be looked at.
 */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_STATUS_H
#define SPILLWAY_CODECS_NAS_SECURITY_STATUS_H

enum nas_security_status {
	NAS_SECURITY_OK = 0,
	NAS_SECURITY_BAD_LENGTH, /* input too short, too long or not of the length the clause asks
				  */
	NAS_SECURITY_BAD_VALUE, /* unknown algorithm, security header type, bearer, scheme, digit */
	NAS_SECURITY_BAD_KEY,	/* a public key that is no point of the curve, or of low order */
	NAS_SECURITY_BAD_COUNT, /* COUNT above 24 bits, or its low octet is not the message's */
	NAS_SECURITY_MAC_MISMATCH, /* well formed, but the MAC is not what key and COUNT give */
	NAS_SECURITY_NO_SPACE,	   /* the caller's buffer is too small; nothing useful is in it */
	NAS_SECURITY_CRYPTO,	   /* OpenSSL failed (out of memory, provider missing) */
};

/* Static text for a log line; never NULL, also for values outside the enumeration. */
const char *nas_security_status_name(enum nas_security_status status);

#endif
