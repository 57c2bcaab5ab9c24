/*
 * Access tokens of the NRF (OAuth 2.0 client credentials, TS 29.510 5.4.2, TS 33.501 13.4.1): JSON
 * Web Tokens, signed by HS256, RS256 or ES256. Time comes in as a parameter. A token is a secret:
 * no reason quotes one.
 */
#ifndef SPILLWAY_RUNNER_NET_ACCESS_TOKEN_H
#define SPILLWAY_RUNNER_NET_ACCESS_TOKEN_H

#include "codecs/arena.h"
#include "codecs/octets.h"
#include "codecs/text.h"

enum { ACCESS_TOKEN_MAX = 8192 };

struct access_token_key;

/* HS256; at least 32 octets (RFC 7518 3.2), copied. NULL with the sentence in why. */
struct access_token_key *access_token_secret(struct octets secret, struct text *why);
/*
 * A file in PEM: a private key, to sign and to check, or a public key or certificate, to check. RSA
 * of at least 2,048 bits is RS256, an EC key on P-256 is ES256. NULL with the sentence in why.
 */
struct access_token_key *access_token_key_file(const char *path, struct text *why);
void access_token_key_free(struct access_token_key *key);
const char *access_token_algorithm(const struct access_token_key *key); /* "ES256" */

/* Times are seconds since 1970. */
struct access_token {
	struct octets iss;   /* the NRF's instance id */
	struct octets sub;   /* the consumer's instance id */
	struct octets aud;   /* as JSON: "\"AMF\"", or a list of instance ids */
	struct octets scope; /* service names, parted by blanks */
	int64_t exp;
};

/* Appends a token. 0, or -1 with the sentence in why: the key cannot sign, or out has no room. */
int access_token_issue(struct text *out, const struct access_token_key *key,
		       const struct access_token *token, struct text *why);

struct access_token_wanted {
	const char *nf_type;	 /* of the producer that checks, for aud; NULL: not looked at */
	const char *nf_instance; /* the same: aud has one or the other */
	const char *service;	 /* that scope has to name; NULL: not looked at */
	int64_t now;
};

/*
 * Whether a token is good: signature by this key and by its algorithm alone, form, claims, time. 0
 * with *token in the arena, or -1 with the sentence in why. Any octets may come.
 */
int access_token_check(struct access_token *token, const struct access_token_key *key,
		       struct octets text, const struct access_token_wanted *wanted,
		       struct arena *arena, struct text *why);

/* The token of an authorization field, "Bearer ..."; empty where it is none. */
struct octets access_token_of(struct octets authorization);

#endif
