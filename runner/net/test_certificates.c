#include "runner/net/test_certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char directory[64];

static const char *const files[] = { "ca.pem",	     "other-ca.pem", "server.pem",  "server.key",
				     "client.pem",   "client.key",   "expired.pem", "expired.key",
				     "stranger.pem", "stranger.key" };

static FILE *create(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return fopen(path, "w");
}

static int write_certificate(const char *name, X509 *certificate)
{
	FILE *file = create(name);
	int written = file && PEM_write_X509(file, certificate);

	return file && fclose(file) == 0 && written;
}

static int write_key(const char *name, EVP_PKEY *key)
{
	FILE *file = create(name);
	int written = file && PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL);

	return file && fclose(file) == 0 && written;
}

enum { HOUR = 3600 };

/* Valid from an hour before until so many seconds after now. */
static X509 *make(const char *name, EVP_PKEY *key, X509 *issuer, EVP_PKEY *issuer_key, long until)
{
	static long serial;
	X509 *certificate = X509_new();
	X509_NAME *subject = X509_get_subject_name(certificate);
	char names[128];
	X509_EXTENSION *extension;
	X509V3_CTX context;

	X509_set_version(certificate, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
	X509_gmtime_adj(X509_getm_notBefore(certificate), -HOUR);
	X509_gmtime_adj(X509_getm_notAfter(certificate), until);
	X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1,
				   0);
	X509_set_issuer_name(certificate, issuer ? X509_get_subject_name(issuer) : subject);
	X509_set_pubkey(certificate, key);
	X509V3_set_ctx(&context, issuer ? issuer : certificate, certificate, NULL, NULL, 0);
	if (issuer) {
		snprintf(names, sizeof(names), "DNS:%s", name);
		extension = X509V3_EXT_conf_nid(NULL, &context, NID_subject_alt_name, names);
	} else {
		extension = X509V3_EXT_conf_nid(NULL, &context, NID_basic_constraints,
						"critical,CA:TRUE");
	}
	X509_add_ext(certificate, extension, -1);
	X509_EXTENSION_free(extension);
	X509_sign(certificate, issuer ? issuer_key : key, EVP_sha256());
	return certificate;
}

static int make_end(const char *name, const char *certificate_file, const char *key_file, X509 *ca,
		    EVP_PKEY *ca_key, long until)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *certificate = make(name, key, ca, ca_key, until);
	int written = write_certificate(certificate_file, certificate) && write_key(key_file, key);

	X509_free(certificate);
	EVP_PKEY_free(key);
	return written;
}

const char *test_certificates(void)
{
	EVP_PKEY *key = EVP_EC_gen("P-256"), *other_key = EVP_EC_gen("P-256");
	X509 *ca = make("test CA", key, NULL, NULL, HOUR),
	     *other = make("other CA", other_key, NULL, NULL, HOUR);
	int made;

	snprintf(directory, sizeof(directory), "/tmp/spillway-tls-XXXXXX");
	made = mkdtemp(directory) && write_certificate("ca.pem", ca) &&
	       write_certificate("other-ca.pem", other) &&
	       make_end("nrf.example.com", "server.pem", "server.key", ca, key, HOUR) &&
	       make_end("amf.example.com", "client.pem", "client.key", ca, key, HOUR) &&
	       make_end("nrf.example.com", "expired.pem", "expired.key", ca, key, -60) &&
	       make_end("nrf.example.com", "stranger.pem", "stranger.key", other, other_key, HOUR);
	X509_free(ca);
	X509_free(other);
	EVP_PKEY_free(key);
	EVP_PKEY_free(other_key);
	return made ? directory : NULL;
}

void test_certificates_remove(void)
{
	char path[128];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, files[i]);
		unlink(path);
	}
	rmdir(directory);
}
