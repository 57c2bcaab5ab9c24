/*
 * OpenSSL's contexts, made once per thread. Fetching a cipher and allocating a context costs
 * several times what ciphering a NAS message does, and a run has hundreds of thousands of those.
 * Only a key or an initialisation vector changes from call to call; no call leaves a state behind.
 */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_OPENSSL_CONTEXTS_H
#define SPILLWAY_CODECS_NAS_SECURITY_OPENSSL_CONTEXTS_H

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>

struct openssl_contexts {
	EVP_CIPHER_CTX *ecb; /* AES-128, no padding */
	EVP_CIPHER_CTX *cbc; /* AES-128, no padding */
	EVP_CIPHER_CTX *ctr; /* AES-128 */
	EVP_MAC_CTX *hmac;   /* HMAC-SHA-256 */
	EVP_MD_CTX *digest;
	EVP_MD *sha256;
	EC_GROUP *p256;
	BN_CTX *bn;
};

/* This thread's contexts, which end with it; NULL if OpenSSL could not make them. */
struct openssl_contexts *openssl_contexts(void);

#endif
