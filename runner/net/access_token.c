#include "runner/net/access_token.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <strings.h>

#include "codecs/sbi/json_types.h"

enum algorithm { HS256, RS256, ES256 };

enum {
	SECRET_MIN = 32,
	RSA_BITS_MIN = 2048,
	DIGEST = 32,
	P256 = 32,
	SIGNATURE_MAX = 1024,
};

static const char *const names[] = { [HS256] = "HS256", [RS256] = "RS256", [ES256] = "ES256" };

struct access_token_key {
	enum algorithm algorithm;
	EVP_PKEY *pkey;
	bool can_sign;
	size_t len;
	uint8_t secret[];
};

struct access_token_key *access_token_secret(struct octets secret, struct text *why)
{
	struct access_token_key *key;

	if (secret.len < SECRET_MIN) {
		text_printf(why, "a secret for HS256 has at least %d octets, this one has %zu",
			    SECRET_MIN, secret.len);
		return NULL;
	}
	key = calloc(1, sizeof(*key) + secret.len);
	if (!key) {
		text_puts(why, "out of memory");
		return NULL;
	}
	key->algorithm = HS256;
	key->can_sign = true;
	key->len = secret.len;
	memcpy(key->secret, secret.data, secret.len);
	return key;
}

/* A file has one of three things. */
static EVP_PKEY *read_pkey(FILE *file, bool *can_sign)
{
	EVP_PKEY *pkey = PEM_read_PrivateKey(file, NULL, NULL, NULL);
	X509 *certificate;

	*can_sign = pkey != NULL;
	if (pkey)
		return pkey;
	rewind(file);
	pkey = PEM_read_PUBKEY(file, NULL, NULL, NULL);
	if (pkey)
		return pkey;
	rewind(file);
	certificate = PEM_read_X509(file, NULL, NULL, NULL);
	pkey = certificate ? X509_get_pubkey(certificate) : NULL;
	X509_free(certificate);
	return pkey;
}

static bool on_p256(const EVP_PKEY *pkey)
{
	char group[64];
	size_t len;

	return EVP_PKEY_get_group_name(pkey, group, sizeof(group), &len) == 1 &&
	       strcmp(group, "prime256v1") == 0;
}

struct access_token_key *access_token_key_file(const char *path, struct text *why)
{
	struct access_token_key *key = calloc(1, sizeof(*key));
	FILE *file = fopen(path, "r");

	if (!key || !file) {
		text_printf(why, "cannot read the key %s", path);
		free(key);
		if (file)
			fclose(file);
		return NULL;
	}
	key->pkey = read_pkey(file, &key->can_sign);
	fclose(file);
	ERR_clear_error();
	if (key->pkey && EVP_PKEY_is_a(key->pkey, "RSA") &&
	    EVP_PKEY_get_bits(key->pkey) >= RSA_BITS_MIN) {
		key->algorithm = RS256;
		return key;
	}
	if (key->pkey && EVP_PKEY_is_a(key->pkey, "EC") && on_p256(key->pkey)) {
		key->algorithm = ES256;
		return key;
	}
	text_printf(why, "%s is not a key for RS256 (RSA of %d bits or more) or ES256 (P-256)",
		    path, RSA_BITS_MIN);
	access_token_key_free(key);
	return NULL;
}

void access_token_key_free(struct access_token_key *key)
{
	if (!key)
		return;
	EVP_PKEY_free(key->pkey);
	OPENSSL_cleanse(key->secret, key->len);
	free(key);
}

const char *access_token_algorithm(const struct access_token_key *key)
{
	return names[key->algorithm];
}

/* --- base64url without padding, RFC 7515 2 ---------------------------------------------------- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void put_base64(struct text *out, const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		uint32_t v = (uint32_t)data[i] << 16 | (n > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
			     (n > 2 ? data[i + 2] : 0U);

		for (size_t k = 0; k <= n; k++)
			text_putc(out, digits[v >> (18 - 6 * k) & 63]);
	}
}

/* Into the arena; data is NULL where it is not base64url or there is no memory. */
static struct octets take_base64(struct octets text, struct arena *arena)
{
	uint8_t *out = arena_take(arena, text.len / 4 * 3 + 3);
	uint32_t v = 0;
	size_t n = 0, bits = 0;

	if (!out || text.len % 4 == 1)
		return OCTETS(NULL, 0);
	for (size_t i = 0; i < text.len; i++) {
		const char *digit = text.data[i] ? strchr(digits, text.data[i]) : NULL;

		if (!digit)
			return OCTETS(NULL, 0);
		v = v << 6 | (uint32_t)(digit - digits);
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			out[n++] = (uint8_t)(v >> bits);
		}
	}
	/* two texts for one value would be two tokens for one */
	if (v & ((1U << bits) - 1))
		return OCTETS(NULL, 0);
	return OCTETS(out, n);
}

/* --- signatures ------------------------------------------------------------------------------- */

static bool hmac(const struct access_token_key *key, struct octets data, uint8_t out[DIGEST])
{
	unsigned int len = DIGEST;

	return HMAC(EVP_sha256(), key->secret, (int)key->len, data.data, data.len, out, &len) &&
	       len == DIGEST;
}

/* JOSE has r and s side by side, OpenSSL has them in DER. */
static bool raw_of_der(uint8_t *signature, size_t *len)
{
	const uint8_t *at = signature;
	ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &at, (long)*len);
	bool good;

	if (!pair)
		return false;
	good = BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, P256) == P256 &&
	       BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + P256, P256) == P256;
	ECDSA_SIG_free(pair);
	*len = (size_t)2 * P256;
	return good;
}

static bool der_of_raw(struct octets raw, uint8_t *der, size_t *len)
{
	ECDSA_SIG *pair = ECDSA_SIG_new();
	BIGNUM *r, *s;
	int n = 0;

	if (raw.len != (size_t)2 * P256 || !pair) {
		ECDSA_SIG_free(pair);
		return false;
	}
	r = BN_bin2bn(raw.data, P256, NULL);
	s = BN_bin2bn(raw.data + P256, P256, NULL);
	if (r && s && ECDSA_SIG_set0(pair, r, s) == 1) {
		/* 2 * 35 octets and a head at most */
		n = i2d_ECDSA_SIG(pair, &der);
	} else {
		BN_free(r);
		BN_free(s);
	}
	ECDSA_SIG_free(pair);
	*len = n > 0 ? (size_t)n : 0;
	return n > 0;
}

static bool sign(const struct access_token_key *key, struct octets data,
		 uint8_t signature[SIGNATURE_MAX], size_t *len)
{
	EVP_MD_CTX *context;
	bool good;

	*len = DIGEST;
	if (key->algorithm == HS256)
		return hmac(key, data, signature);
	*len = SIGNATURE_MAX;
	context = EVP_MD_CTX_new();
	good = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key->pkey) == 1 &&
	       EVP_DigestSign(context, signature, len, data.data, data.len) == 1;
	EVP_MD_CTX_free(context);
	ERR_clear_error();
	return good && (key->algorithm != ES256 || raw_of_der(signature, len));
}

static bool verify(const struct access_token_key *key, struct octets data, struct octets signature)
{
	uint8_t made[DIGEST], der[96];
	EVP_MD_CTX *context;
	size_t len;
	bool good;

	if (key->algorithm == HS256)
		return signature.len == DIGEST && hmac(key, data, made) &&
		       CRYPTO_memcmp(made, signature.data, DIGEST) == 0;
	if (key->algorithm == ES256) {
		if (!der_of_raw(signature, der, &len))
			return false;
		signature = OCTETS(der, len);
	}
	context = EVP_MD_CTX_new();
	good = context && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key->pkey) == 1 &&
	       EVP_DigestVerify(context, signature.data, signature.len, data.data, data.len) == 1;
	EVP_MD_CTX_free(context);
	ERR_clear_error();
	return good;
}

/* --- tokens ----------------------------------------------------------------------------------- */

int access_token_issue(struct text *out, const struct access_token_key *key,
		       const struct access_token *token, struct text *why)
{
	const struct json_access_token_claims claims = {
		.iss = token->iss,
		.sub = token->sub,
		.aud = token->aud,
		.scope = token->scope,
		.exp = JSON_INT(token->exp),
	};
	char header[64], body[ACCESS_TOKEN_MAX / 2], made[ACCESS_TOKEN_MAX];
	struct text header_text, body_text, text;
	uint8_t signature[SIGNATURE_MAX];
	size_t len;

	if (!key->can_sign) {
		text_puts(why, "a public key cannot sign a token");
		return -1;
	}
	text_init(&header_text, header, sizeof(header));
	text_printf(&header_text, "{\"typ\":\"JWT\",\"alg\":\"%s\"}", names[key->algorithm]);
	text_init(&body_text, body, sizeof(body));
	json_write(&body_text, &json_access_token_claims_object, &claims);
	text_init(&text, made, sizeof(made));
	put_base64(&text, (const uint8_t *)header, header_text.len);
	text_putc(&text, '.');
	put_base64(&text, (const uint8_t *)body, body_text.len);
	if (!sign(key, OCTETS((const uint8_t *)made, text.len), signature, &len)) {
		text_puts(why, "the token could not be signed");
		return -1;
	}
	text_putc(&text, '.');
	put_base64(&text, signature, len);
	text_write(out, made, text.len);
	if (body_text.truncated || text.truncated || out->truncated) {
		text_puts(why, "the token is too long");
		return -1;
	}
	return 0;
}

static int refuse(struct text *why, const char *reason)
{
	text_puts(why, reason);
	return -1;
}

/* Of three parts between dots. */
static bool part_at(struct octets *rest, struct octets *part)
{
	const uint8_t *dot = memchr(rest->data, '.', rest->len);

	if (!dot)
		return false;
	*part = OCTETS(rest->data, (size_t)(dot - rest->data));
	*rest = OCTETS(dot + 1, rest->len - part->len - 1);
	return true;
}

static bool has_word(struct octets words, const char *word)
{
	size_t len = strlen(word), start = 0;

	for (size_t i = 0; i <= words.len; i++) {
		if (i < words.len && words.data[i] != ' ')
			continue;
		if (i - start == len && memcmp(words.data + start, word, len) == 0)
			return true;
		start = i + 1;
	}
	return false;
}

/* aud is a string, or a list of them, as compact JSON. */
static bool has_string(struct octets json, const char *string)
{
	char quoted[300];
	struct text text;

	text_init(&text, quoted, sizeof(quoted));
	text_printf(&text, "\"%s\"", string);
	for (size_t at = 0; at + text.len <= json.len; at++) {
		bool first = at == 0 || json.data[at - 1] == '[' || json.data[at - 1] == ',';

		if (first && memcmp(json.data + at, quoted, text.len) == 0)
			return true;
	}
	return false;
}

static int check_claims(const struct json_access_token_claims *claims,
			const struct access_token_wanted *wanted, struct text *why)
{
	bool look = wanted->nf_type || wanted->nf_instance;

	if (claims->exp.value <= wanted->now) {
		text_printf(why, "the token expired %lld s ago",
			    (long long)(wanted->now - claims->exp.value));
		return -1;
	}
	if (look && !(wanted->nf_type && has_string(claims->aud, wanted->nf_type)) &&
	    !(wanted->nf_instance && has_string(claims->aud, wanted->nf_instance)))
		return refuse(why, "the token is for another producer (aud)");
	if (wanted->service && !has_word(claims->scope, wanted->service)) {
		text_printf(why, "the token is not for %s (scope)", wanted->service);
		return -1;
	}
	return 0;
}

int access_token_check(struct access_token *token, const struct access_token_key *key,
		       struct octets text, const struct access_token_wanted *wanted,
		       struct arena *arena, struct text *why)
{
	struct octets rest = text, header, body, signature, read;
	struct json_access_token_claims claims;
	struct json_jose_header jose;
	struct json_fault fault;

	memset(token, 0, sizeof(*token));
	if (text.len > ACCESS_TOKEN_MAX)
		return refuse(why, "the token is too long");
	if (text.len == 0 || !part_at(&rest, &header) || !part_at(&rest, &body) ||
	    memchr(rest.data, '.', rest.len))
		return refuse(why, "the token has not three parts");
	read = take_base64(header, arena);
	if (!read.data || json_read(&json_jose_header_object, &jose, read, arena, &fault) != 0)
		return refuse(why, "the token's header cannot be read");
	/* the key says how it is used; whoever follows the token can be led astray */
	if (jose.crit.items || jose.alg.len != strlen(names[key->algorithm]) ||
	    memcmp(jose.alg.data, names[key->algorithm], jose.alg.len) != 0) {
		text_printf(why, "the token is not signed by %s", names[key->algorithm]);
		return -1;
	}
	signature = take_base64(rest, arena);
	if (!signature.data ||
	    !verify(key, OCTETS(text.data, header.len + 1 + body.len), signature))
		return refuse(why, "the token's signature is wrong");
	read = take_base64(body, arena);
	if (!read.data)
		return refuse(why, "the token's claims are not base64url");
	if (json_read(&json_access_token_claims_object, &claims, read, arena, &fault) != 0) {
		text_printf(why, "the token's claims: %s %s", fault.path, fault.reason);
		return -1;
	}
	*token = (struct access_token){
		.iss = claims.iss,
		.sub = claims.sub,
		.aud = claims.aud,
		.scope = claims.scope,
		.exp = claims.exp.value,
	};
	return check_claims(&claims, wanted, why);
}

struct octets access_token_of(struct octets authorization)
{
	static const char scheme[] = "Bearer ";
	const size_t len = sizeof(scheme) - 1;

	if (authorization.len <= len ||
	    strncasecmp((const char *)authorization.data, scheme, len) != 0)
		return OCTETS(NULL, 0);
	return OCTETS(authorization.data + len, authorization.len - len);
}
