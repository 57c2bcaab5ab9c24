#include "codecs/nas/security/suci.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <string.h>

#include "codecs/nas/security/aes.h"
#include "codecs/nas/security/openssl_contexts.h"
#include "codecs/nas/security/sha256.h"

enum {
	COMPRESSED_EVEN = 0x02,
	COMPRESSED_ODD = 0x03,
	UNCOMPRESSED = 0x04,
	UNCOMPRESSED_SIZE = 65,
};

/* What the KDF gives, in this order (TS 33.501 C.3.2). */
struct ecies_keys {
	uint8_t encryption[16];
	uint8_t icb[16];
	uint8_t mac[32];
};

_Static_assert(sizeof(struct ecies_keys) == 2 * SHA256_OCTETS, "filled by two hashes");

static size_t public_key_size(enum suci_protection_scheme scheme)
{
	return scheme == SUCI_PROFILE_A ? SUCI_PROFILE_A_KEY_SIZE : SUCI_PROFILE_B_KEY_SIZE;
}

size_t suci_overhead(enum suci_protection_scheme scheme)
{
	if (scheme != SUCI_PROFILE_A && scheme != SUCI_PROFILE_B)
		return 0;
	return public_key_size(scheme) + SUCI_MAC_SIZE;
}

/* ANSI X9.63 KDF with SHA-256: hash of Z, a counter from 1, and SharedInfo1. */
static enum nas_security_status x963_kdf(const uint8_t shared[32], struct octets shared_info,
					 struct ecies_keys *keys)
{
	uint8_t out[2 * SHA256_OCTETS];

	for (uint8_t i = 0; i < 2; i++) {
		const uint8_t counter[4] = { 0, 0, 0, (uint8_t)(i + 1) };
		const struct octets pieces[] = {
			OCTETS(shared, 32),
			OCTETS(counter, sizeof(counter)),
			shared_info,
		};
		enum nas_security_status status = sha256(pieces, 3, out + i * SHA256_OCTETS);

		if (status != NAS_SECURITY_OK)
			return status;
	}
	memcpy(keys, out, sizeof(*keys));
	return NAS_SECURITY_OK;
}

static enum nas_security_status x25519_public(const uint8_t private_key[32], uint8_t out[32])
{
	size_t len = SUCI_PROFILE_A_KEY_SIZE;
	EVP_PKEY *own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, private_key, 32);
	bool ok = own != NULL && EVP_PKEY_get_raw_public_key(own, out, &len) == 1 &&
		  len == SUCI_PROFILE_A_KEY_SIZE;

	EVP_PKEY_free(own);
	return ok ? NAS_SECURITY_OK : NAS_SECURITY_CRYPTO;
}

static enum nas_security_status x25519_shared(const uint8_t private_key[32],
					      const uint8_t peer_key[32], uint8_t out[32])
{
	size_t len = 32;
	EVP_PKEY *own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, private_key, 32);
	EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, peer_key, 32);
	EVP_PKEY_CTX *ctx = own != NULL ? EVP_PKEY_CTX_new(own, NULL) : NULL;
	enum nas_security_status status = NAS_SECURITY_CRYPTO;

	if (ctx != NULL && peer != NULL && EVP_PKEY_derive_init(ctx) == 1 &&
	    EVP_PKEY_derive_set_peer(ctx, peer) == 1) {
		/* Any 32 octets are a key; only those of low order fail here, with a zero secret.
		 */
		status = EVP_PKEY_derive(ctx, out, &len) == 1 && len == 32 ? NAS_SECURITY_OK
									   : NAS_SECURITY_BAD_KEY;
	}
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(peer);
	EVP_PKEY_free(own);
	return status;
}

/* The private key as a number; with reduce, a number outside 1..n-1 is brought into it. */
static enum nas_security_status p256_scalar(const struct openssl_contexts *c,
					    const uint8_t private_key[32], bool reduce, BIGNUM *d)
{
	const BIGNUM *n = EC_GROUP_get0_order(c->p256);
	BIGNUM *n_minus_1;
	bool ok;

	if (n == NULL || BN_bin2bn(private_key, 32, d) == NULL)
		return NAS_SECURITY_CRYPTO;
	if (!BN_is_zero(d) && BN_cmp(d, n) < 0)
		return NAS_SECURITY_OK;
	if (!reduce)
		return NAS_SECURITY_BAD_KEY;
	n_minus_1 = BN_dup(n);
	ok = n_minus_1 != NULL && BN_sub_word(n_minus_1, 1) == 1 &&
	     BN_mod(d, d, n_minus_1, c->bn) == 1 && BN_add_word(d, 1) == 1;
	BN_free(n_minus_1);
	return ok ? NAS_SECURITY_OK : NAS_SECURITY_CRYPTO;
}

static enum nas_security_status p256_public(const uint8_t private_key[32], bool reduce,
					    uint8_t out[33])
{
	struct openssl_contexts *c = openssl_contexts();
	enum nas_security_status status = NAS_SECURITY_CRYPTO;
	BIGNUM *d = BN_new();
	EC_POINT *q = c != NULL ? EC_POINT_new(c->p256) : NULL;

	if (d != NULL && q != NULL)
		status = p256_scalar(c, private_key, reduce, d);
	if (status == NAS_SECURITY_OK &&
	    (EC_POINT_mul(c->p256, q, d, NULL, NULL, c->bn) != 1 ||
	     EC_POINT_point2oct(c->p256, q, POINT_CONVERSION_COMPRESSED, out,
				SUCI_PROFILE_B_KEY_SIZE, c->bn) != SUCI_PROFILE_B_KEY_SIZE))
		status = NAS_SECURITY_CRYPTO;
	EC_POINT_free(q);
	BN_clear_free(d);
	return status;
}

static bool p256_form(struct octets key)
{
	if (key.len == SUCI_PROFILE_B_KEY_SIZE)
		return key.data[0] == COMPRESSED_EVEN || key.data[0] == COMPRESSED_ODD;
	return key.len == UNCOMPRESSED_SIZE && key.data[0] == UNCOMPRESSED;
}

static enum nas_security_status p256_shared(const uint8_t private_key[32], bool reduce,
					    struct octets peer_key, uint8_t out[32])
{
	struct openssl_contexts *c = openssl_contexts();
	enum nas_security_status status = NAS_SECURITY_CRYPTO;
	BIGNUM *d = BN_new();
	BIGNUM *x = BN_new();
	EC_POINT *q = c != NULL ? EC_POINT_new(c->p256) : NULL;

	if (d != NULL && x != NULL && q != NULL)
		status = p256_scalar(c, private_key, reduce, d);
	if (status == NAS_SECURITY_OK &&
	    (!p256_form(peer_key) ||
	     EC_POINT_oct2point(c->p256, q, peer_key.data, peer_key.len, c->bn) != 1))
		status = NAS_SECURITY_BAD_KEY;
	if (status == NAS_SECURITY_OK &&
	    (EC_POINT_mul(c->p256, q, NULL, q, d, c->bn) != 1 ||
	     EC_POINT_get_affine_coordinates(c->p256, q, x, NULL, c->bn) != 1 ||
	     BN_bn2binpad(x, out, 32) != 32))
		status = NAS_SECURITY_CRYPTO;
	EC_POINT_free(q);
	BN_clear_free(x);
	BN_clear_free(d);
	return status;
}

static enum nas_security_status agree(enum suci_protection_scheme scheme,
				      const uint8_t private_key[32], bool reduce,
				      struct octets peer_key, uint8_t shared[32])
{
	enum nas_security_status status = NAS_SECURITY_BAD_KEY;

	/* A bad key is our status; left in OpenSSL's queue it would be taken for a TLS error. */
	ERR_set_mark();
	if (scheme == SUCI_PROFILE_B)
		status = p256_shared(private_key, reduce, peer_key, shared);
	else if (peer_key.len == SUCI_PROFILE_A_KEY_SIZE)
		status = x25519_shared(private_key, peer_key.data, shared);
	ERR_pop_to_mark();
	return status;
}

static enum nas_security_status make_mac(const struct ecies_keys *keys, struct octets ciphertext,
					 uint8_t mac[SUCI_MAC_SIZE])
{
	uint8_t full[SHA256_OCTETS];
	enum nas_security_status status =
		hmac_sha256(OCTETS(keys->mac, sizeof(keys->mac)), &ciphertext, 1, full);

	if (status == NAS_SECURITY_OK)
		memcpy(mac, full, SUCI_MAC_SIZE);
	return status;
}

static enum nas_security_status pass_through(struct octets in, uint8_t *out, size_t size,
					     size_t *len)
{
	if (in.len == 0 || in.len > SUCI_MAX_INPUT)
		return NAS_SECURITY_BAD_LENGTH;
	if (in.len > size)
		return NAS_SECURITY_NO_SPACE;
	memcpy(out, in.data, in.len);
	*len = in.len;
	return NAS_SECURITY_OK;
}

enum nas_security_status suci_conceal(enum suci_protection_scheme scheme,
				      struct octets hn_public_key, const uint8_t ephemeral[32],
				      struct octets input, uint8_t *out, size_t size, size_t *len)
{
	size_t key_size = public_key_size(scheme);
	uint8_t *ciphertext;
	struct ecies_keys keys;
	uint8_t shared[32];
	enum nas_security_status status;

	if (scheme == SUCI_NULL_SCHEME)
		return pass_through(input, out, size, len);
	if (scheme != SUCI_PROFILE_A && scheme != SUCI_PROFILE_B)
		return NAS_SECURITY_BAD_VALUE;
	if (input.len == 0 || input.len > SUCI_MAX_INPUT)
		return NAS_SECURITY_BAD_LENGTH;
	if (size < suci_overhead(scheme) + input.len)
		return NAS_SECURITY_NO_SPACE;

	status = agree(scheme, ephemeral, true, hn_public_key, shared);
	if (status != NAS_SECURITY_OK)
		return status;
	status = scheme == SUCI_PROFILE_A ? x25519_public(ephemeral, out)
					  : p256_public(ephemeral, true, out);
	if (status != NAS_SECURITY_OK)
		return status;
	status = x963_kdf(shared, OCTETS(out, key_size), &keys);
	if (status != NAS_SECURITY_OK)
		return status;
	ciphertext = out + key_size;
	memcpy(ciphertext, input.data, input.len);
	status = aes_ctr(keys.encryption, keys.icb, ciphertext, input.len);
	if (status != NAS_SECURITY_OK)
		return status;
	status = make_mac(&keys, OCTETS(ciphertext, input.len), ciphertext + input.len);
	if (status == NAS_SECURITY_OK)
		*len = suci_overhead(scheme) + input.len;
	return status;
}

enum nas_security_status suci_reveal(enum suci_protection_scheme scheme,
				     const uint8_t hn_private_key[32], struct octets output,
				     uint8_t *out, size_t size, size_t *len)
{
	size_t key_size = public_key_size(scheme);
	struct octets public_key, ciphertext;
	struct ecies_keys keys;
	uint8_t shared[32], mac[SUCI_MAC_SIZE];
	enum nas_security_status status;

	if (scheme == SUCI_NULL_SCHEME)
		return pass_through(output, out, size, len);
	if (scheme != SUCI_PROFILE_A && scheme != SUCI_PROFILE_B)
		return NAS_SECURITY_BAD_VALUE;
	if (output.len <= suci_overhead(scheme) ||
	    output.len > suci_overhead(scheme) + SUCI_MAX_INPUT)
		return NAS_SECURITY_BAD_LENGTH;
	public_key = OCTETS(output.data, key_size);
	ciphertext = OCTETS(output.data + key_size, output.len - suci_overhead(scheme));
	if (ciphertext.len > size)
		return NAS_SECURITY_NO_SPACE;

	status = agree(scheme, hn_private_key, false, public_key, shared);
	if (status != NAS_SECURITY_OK)
		return status;
	status = x963_kdf(shared, public_key, &keys);
	if (status != NAS_SECURITY_OK)
		return status;
	status = make_mac(&keys, ciphertext, mac);
	if (status != NAS_SECURITY_OK)
		return status;
	if (CRYPTO_memcmp(mac, ciphertext.data + ciphertext.len, SUCI_MAC_SIZE) != 0)
		return NAS_SECURITY_MAC_MISMATCH;
	memcpy(out, ciphertext.data, ciphertext.len);
	status = aes_ctr(keys.encryption, keys.icb, out, ciphertext.len);
	if (status == NAS_SECURITY_OK)
		*len = ciphertext.len;
	return status;
}

enum nas_security_status suci_public_key(enum suci_protection_scheme scheme,
					 const uint8_t private_key[32], uint8_t out[33],
					 size_t *len)
{
	enum nas_security_status status;

	if (scheme == SUCI_PROFILE_A)
		status = x25519_public(private_key, out);
	else if (scheme == SUCI_PROFILE_B)
		status = p256_public(private_key, false, out);
	else
		return NAS_SECURITY_BAD_VALUE;
	if (status == NAS_SECURITY_OK)
		*len = public_key_size(scheme);
	return status;
}
