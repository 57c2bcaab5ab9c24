#include "codecs/nas/security/sha256.h"

#include "codecs/nas/security/openssl_contexts.h"

enum nas_security_status sha256(const struct octets *pieces, size_t count, uint8_t out[32])
{
	struct openssl_contexts *c = openssl_contexts();

	if (c == NULL || EVP_DigestInit_ex(c->digest, c->sha256, NULL) != 1)
		return NAS_SECURITY_CRYPTO;
	for (size_t i = 0; i < count; i++) {
		if (EVP_DigestUpdate(c->digest, pieces[i].data, pieces[i].len) != 1)
			return NAS_SECURITY_CRYPTO;
	}
	return EVP_DigestFinal_ex(c->digest, out, NULL) == 1 ? NAS_SECURITY_OK
							     : NAS_SECURITY_CRYPTO;
}

enum nas_security_status hmac_sha256(struct octets key, const struct octets *pieces, size_t count,
				     uint8_t out[32])
{
	struct openssl_contexts *c = openssl_contexts();
	size_t len = 0;

	if (key.len == 0)
		return NAS_SECURITY_BAD_LENGTH;
	if (c == NULL || EVP_MAC_init(c->hmac, key.data, key.len, NULL) != 1)
		return NAS_SECURITY_CRYPTO;
	for (size_t i = 0; i < count; i++) {
		if (EVP_MAC_update(c->hmac, pieces[i].data, pieces[i].len) != 1)
			return NAS_SECURITY_CRYPTO;
	}
	if (EVP_MAC_final(c->hmac, out, &len, SHA256_OCTETS) != 1 || len != SHA256_OCTETS)
		return NAS_SECURITY_CRYPTO;
	return NAS_SECURITY_OK;
}
