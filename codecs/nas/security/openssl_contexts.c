#include "codecs/nas/security/openssl_contexts.h"

#include <openssl/core_names.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static _Thread_local struct openssl_contexts contexts;
static _Thread_local bool made;
static pthread_key_t at_thread_exit;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool have_key;

static void release(void *arg)
{
	struct openssl_contexts *c = arg;

	EVP_CIPHER_CTX_free(c->ecb);
	EVP_CIPHER_CTX_free(c->cbc);
	EVP_CIPHER_CTX_free(c->ctr);
	EVP_MAC_CTX_free(c->hmac);
	EVP_MD_CTX_free(c->digest);
	EVP_MD_free(c->sha256);
	EC_GROUP_free(c->p256);
	BN_CTX_free(c->bn);
	memset(c, 0, sizeof(*c));
}

static void make_key(void)
{
	have_key = pthread_key_create(&at_thread_exit, release) == 0;
}

static EVP_CIPHER_CTX *cipher_context(const EVP_CIPHER *cipher)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	if (ctx == NULL)
		return NULL;
	if (EVP_EncryptInit_ex(ctx, cipher, NULL, NULL, NULL) != 1 ||
	    EVP_CIPHER_CTX_set_padding(ctx, 0) != 1) {
		EVP_CIPHER_CTX_free(ctx);
		return NULL;
	}
	return ctx;
}

static EVP_MAC_CTX *hmac_context(void)
{
	char digest[] = "SHA256";
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
		OSSL_PARAM_construct_end(),
	};
	EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
	EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);

	EVP_MAC_free(mac);
	if (ctx != NULL && EVP_MAC_CTX_set_params(ctx, params) != 1) {
		EVP_MAC_CTX_free(ctx);
		return NULL;
	}
	return ctx;
}

struct openssl_contexts *openssl_contexts(void)
{
	if (made)
		return &contexts;
	contexts = (struct openssl_contexts){
		.ecb = cipher_context(EVP_aes_128_ecb()),
		.cbc = cipher_context(EVP_aes_128_cbc()),
		.ctr = cipher_context(EVP_aes_128_ctr()),
		.hmac = hmac_context(),
		.digest = EVP_MD_CTX_new(),
		.sha256 = EVP_MD_fetch(NULL, "SHA256", NULL),
		.p256 = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1),
		.bn = BN_CTX_new(),
	};
	made = contexts.ecb && contexts.cbc && contexts.ctr && contexts.hmac && contexts.digest &&
	       contexts.sha256 && contexts.p256 && contexts.bn &&
	       pthread_once(&once, make_key) == 0 && have_key &&
	       pthread_setspecific(at_thread_exit, &contexts) == 0;
	if (!made) {
		release(&contexts);
		return NULL;
	}
	return &contexts;
}
