/* Certificates for the tests of TLS, made anew by each of them. */
#ifndef SPILLWAY_RUNNER_NET_TEST_CERTIFICATES_H
#define SPILLWAY_RUNNER_NET_TEST_CERTIFICATES_H

/*
 * In a directory of its own: ca.pem, other-ca.pem; server.pem with server.key for the name
 * "nrf.example.com" and client.pem with client.key for "amf.example.com", both signed by ca;
 * expired.pem and .key, which was valid until a minute ago, and stranger.pem and .key, which the
 * other CA has signed. NULL: it failed. The directory's name is in static storage.
 */
const char *test_certificates(void);
void test_certificates_remove(void);

#endif
