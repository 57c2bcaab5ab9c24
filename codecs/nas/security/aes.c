#include "codecs/nas/security/aes.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "codecs/nas/security/openssl_contexts.h"

static bool encrypt(EVP_CIPHER_CTX *ctx, const uint8_t *in, uint8_t *out, size_t len)
{
	int written = 0;

	return len <= INT_MAX && EVP_EncryptUpdate(ctx, out, &written, in, (int)len) == 1 &&
	       written == (int)len;
}

enum nas_security_status aes_encrypt_blocks(const uint8_t key[16], const uint8_t *in, uint8_t *out,
					    size_t blocks)
{
	struct openssl_contexts *c = openssl_contexts();

	if (c == NULL || EVP_EncryptInit_ex(c->ecb, NULL, NULL, key, NULL) != 1 ||
	    !encrypt(c->ecb, in, out, blocks * AES_BLOCK_OCTETS))
		return NAS_SECURITY_CRYPTO;
	return NAS_SECURITY_OK;
}

enum nas_security_status aes_ctr(const uint8_t key[16], const uint8_t counter_block[16],
				 uint8_t *data, size_t len)
{
	struct openssl_contexts *c = openssl_contexts();

	if (c == NULL || EVP_EncryptInit_ex(c->ctr, NULL, NULL, key, counter_block) != 1 ||
	    !encrypt(c->ctr, data, data, len))
		return NAS_SECURITY_CRYPTO;
	return NAS_SECURITY_OK;
}

/* Multiplies by x in GF(2^128), the step from L to K1 and from K1 to K2. */
static void double_block(uint8_t block[16])
{
	unsigned int carry = 0;

	for (int i = AES_BLOCK_OCTETS - 1; i >= 0; i--) {
		unsigned int v = ((unsigned int)block[i] << 1) | carry;

		block[i] = (uint8_t)v;
		carry = v >> 8;
	}
	if (carry)
		block[AES_BLOCK_OCTETS - 1] ^= 0x87;
}

/*
 * OpenSSL's own CMAC object allocates and re-fetches at each key change; CBC on a kept context
 * gives the same MAC at a fraction of the cost, and takes lengths in bits.
 */
enum nas_security_status aes_cmac(const uint8_t key[16], const uint8_t prefix[8],
				  const uint8_t *data, size_t bits, uint8_t mac[16])
{
	static const uint8_t zero[AES_BLOCK_OCTETS];
	struct openssl_contexts *c = openssl_contexts();
	uint8_t subkey[AES_BLOCK_OCTETS];
	uint8_t chunk[16 * AES_BLOCK_OCTETS];
	size_t octets = bits / 8 + (bits % 8 != 0);
	size_t used = 8;

	if (c == NULL || EVP_EncryptInit_ex(c->cbc, NULL, NULL, key, zero) != 1 ||
	    !encrypt(c->cbc, zero, subkey, sizeof(zero)) ||
	    EVP_EncryptInit_ex(c->cbc, NULL, NULL, NULL, zero) != 1)
		return NAS_SECURITY_CRYPTO;

	/* Whole blocks go through CBC as they fill the chunk; the last one needs its subkey. */
	memcpy(chunk, prefix, 8);
	while (octets > 0) {
		size_t n = sizeof(chunk) - used;

		if (n == 0) {
			size_t whole = sizeof(chunk) - AES_BLOCK_OCTETS;
			uint8_t out[sizeof(chunk) - AES_BLOCK_OCTETS];

			if (!encrypt(c->cbc, chunk, out, whole))
				return NAS_SECURITY_CRYPTO;
			memcpy(chunk, chunk + whole, AES_BLOCK_OCTETS);
			used = AES_BLOCK_OCTETS;
			continue;
		}
		if (n > octets)
			n = octets;
		memcpy(chunk + used, data, n);
		data += n;
		octets -= n;
		used += n;
	}

	double_block(subkey);
	if (used % AES_BLOCK_OCTETS != 0 || bits % 8 != 0) {
		size_t padded = (used + AES_BLOCK_OCTETS - 1) / AES_BLOCK_OCTETS * AES_BLOCK_OCTETS;

		double_block(subkey);
		memset(chunk + used, 0, padded - used);
		if (bits % 8 != 0) {
			unsigned int spare = 8 - (unsigned int)(bits % 8);
			unsigned int last = chunk[used - 1];

			last = (last >> spare << spare) | (1U << (spare - 1));
			chunk[used - 1] = (uint8_t)last;
		} else {
			chunk[used] = 0x80;
		}
		used = padded;
	}
	for (size_t i = 0; i < AES_BLOCK_OCTETS; i++)
		chunk[used - AES_BLOCK_OCTETS + i] ^= subkey[i];
	if (!encrypt(c->cbc, chunk, chunk, used))
		return NAS_SECURITY_CRYPTO;
	memcpy(mac, chunk + used - AES_BLOCK_OCTETS, AES_BLOCK_OCTETS);
	return NAS_SECURITY_OK;
}
