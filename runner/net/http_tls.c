#include <openssl/err.h>

#include "runner/net/http_private.h"

static SSL_CTX *fail(SSL_CTX *context, struct text *why, const char *what, const char *file)
{
	const char *reason = ERR_reason_error_string(ERR_peek_last_error());

	text_printf(why, "TLS: %s%s%s: %s", what, file ? " " : "", file ? file : "",
		    reason ? reason : "failed");
	ERR_clear_error();
	SSL_CTX_free(context);
	return NULL;
}

static const unsigned char offered[] = { 2, 'h', '2' };

/* A client that offers no h2 is one that does not speak it: RFC 7301 3.2. */
static int choose(SSL *ssl, const unsigned char **out, unsigned char *out_len,
		  const unsigned char *in, unsigned int in_len, void *arg)
{
	(void)ssl;
	(void)arg;
	for (unsigned int i = 0; i < in_len; i += in[i] + 1U) {
		if (in[i] == 2 && i + 2 < in_len && memcmp(in + i + 1, "h2", 2) == 0) {
			*out = in + i + 1;
			*out_len = 2;
			return SSL_TLSEXT_ERR_OK;
		}
	}
	return SSL_TLSEXT_ERR_ALERT_FATAL;
}

SSL_CTX *http_tls_new(const struct http_tls *tls, bool server, struct text *why)
{
	SSL_CTX *context = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method());
	int verify = SSL_VERIFY_NONE;

	if (!context)
		return fail(NULL, why, "no context", NULL);
	SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
	if (tls->only_1_2)
		SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
	/* RFC 9113 9.2.1 and 9.2.2: no compression, no renegotiation, no ciphers without (EC)DHE */
	SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	if (SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") != 1)
		return fail(context, why, "no ciphers", NULL);
	if (server && (!tls->cert || !tls->key))
		return fail(context, why, "a server needs a certificate and its key", NULL);
	if (tls->cert && SSL_CTX_use_certificate_chain_file(context, tls->cert) != 1)
		return fail(context, why, "cannot use the certificate", tls->cert);
	if (tls->cert && (SSL_CTX_use_PrivateKey_file(context, tls->key ? tls->key : tls->cert,
						      SSL_FILETYPE_PEM) != 1 ||
			  SSL_CTX_check_private_key(context) != 1))
		return fail(context, why, "cannot use the key", tls->key ? tls->key : tls->cert);
	if (tls->ca) {
		if (SSL_CTX_load_verify_locations(context, tls->ca, NULL) != 1)
			return fail(context, why, "cannot use the CA", tls->ca);
		if (!server)
			verify = SSL_VERIFY_PEER;
		else if (tls->client_certificate)
			verify = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
	} else if (server && tls->client_certificate) {
		return fail(context, why, "client certificates need a CA", NULL);
	}
	SSL_CTX_set_verify(context, verify, NULL);
	if (server)
		SSL_CTX_set_alpn_select_cb(context, choose, NULL);
	else
		SSL_CTX_set_alpn_protos(context, offered, sizeof(offered));
	return context;
}
