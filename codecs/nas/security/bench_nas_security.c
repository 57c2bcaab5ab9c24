/*
 * What the security of one UE costs, in nanoseconds per operation: the most of a run's processor
 * time once a case registers hundreds of UEs. AES blocks through OpenSSL stand beside it as the
 * measure of the machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codecs/nas/security/aes.h"
#include "codecs/nas/security/key_derivation.h"
#include "codecs/nas/security/milenage.h"
#include "codecs/nas/security/protection.h"
#include "codecs/nas/security/suci.h"

static const uint8_t k[16] = { 1 }, opc[16] = { 2 }, rand_octets[16] = { 3 }, sqn[6] = { 4 };
static const uint8_t amf[2] = { 0x80, 0 }, abba[2] = { 0, 0 };
static const char sn_name[] = "5G:mnc001.mcc001.3gppnetwork.org";
static const char supi[] = "001010000000001";

static unsigned int failures;

static void check(enum nas_security_status status)
{
	failures += status != NAS_SECURITY_OK;
}

static void nas_keys(const uint8_t ck[16], const uint8_t ik[16], const uint8_t sqn_xor_ak[6],
		     struct nas_security_suite *suite, uint8_t k_gnb[32])
{
	const struct octets name = OCTETS((const uint8_t *)sn_name, sizeof(sn_name) - 1);
	uint8_t k_ausf[32], k_seaf[32], k_amf[32];

	check(derive_k_ausf(ck, ik, name, sqn_xor_ak, k_ausf));
	check(derive_k_seaf(k_ausf, name, k_seaf));
	check(derive_k_amf(k_seaf, OCTETS((const uint8_t *)supi, sizeof(supi) - 1),
			   OCTETS(abba, sizeof(abba)), k_amf));
	check(derive_algorithm_key(k_amf, N_NAS_ENC_ALG, NEA2, suite->k_nas_enc));
	check(derive_algorithm_key(k_amf, N_NAS_INT_ALG, NIA2, suite->k_nas_int));
	check(derive_k_gnb(k_amf, 0, ACCESS_TYPE_3GPP, k_gnb));
}

/* Home network and UE: vector, AUTN check, RES*, HRES*, and both key hierarchies down to K_gNB. */
static void aka_both_sides(int unused)
{
	const struct octets name = OCTETS((const uint8_t *)sn_name, sizeof(sn_name) - 1);
	struct nas_security_suite network, ue;
	uint8_t res[8], ck[16], ik[16], ak[6], mac[8], xmac[8], sqn_xor_ak[6];
	uint8_t xres_star[16], res_star[16], hxres_star[16], hres_star[16], k_gnb[2][32];

	(void)unused;
	check(milenage_f2345(k, opc, rand_octets, res, ck, ik, ak, NULL));
	check(milenage_f1(k, opc, rand_octets, sqn, amf, mac, NULL));
	for (size_t i = 0; i < 6; i++)
		sqn_xor_ak[i] = sqn[i] ^ ak[i];
	check(derive_res_star(ck, ik, name, rand_octets, OCTETS(res, 8), xres_star));
	check(derive_hres_star(rand_octets, xres_star, hxres_star));
	nas_keys(ck, ik, sqn_xor_ak, &network, k_gnb[0]);

	check(milenage_f2345(k, opc, rand_octets, res, ck, ik, ak, NULL));
	check(milenage_f1(k, opc, rand_octets, sqn, amf, xmac, NULL));
	failures += memcmp(mac, xmac, 8) != 0;
	check(derive_res_star(ck, ik, name, rand_octets, OCTETS(res, 8), res_star));
	nas_keys(ck, ik, sqn_xor_ak, &ue, k_gnb[1]);

	check(derive_hres_star(rand_octets, res_star, hres_star));
	failures += memcmp(hres_star, hxres_star, 16) != 0 || memcmp(k_gnb[0], k_gnb[1], 32) != 0;
}

/* A message of 50 octets, protected and unprotected again. */
static void message(int algorithm)
{
	static const uint8_t inner[50] = { 0x7e, 0, 0x42 };
	struct nas_security_suite suite = { .nea = (enum nea)algorithm,
					    .nia = (enum nia)algorithm };
	const struct nas_security_position position = { 7, NAS_CONNECTION_3GPP, NAS_UPLINK };
	uint8_t out[64];
	size_t len = 0;

	check(nas_security_protect(&suite, &position, NAS_INTEGRITY_PROTECTED_AND_CIPHERED,
				   OCTETS(inner, sizeof(inner)), out, sizeof(out), &len));
	check(nas_security_unprotect(&suite, &position, OCTETS(out, len), out, sizeof(out), &len));
	failures += len != sizeof(inner) || memcmp(out, inner, len) != 0;
}

static void suci(int scheme)
{
	static const uint8_t msin[5] = { 0, 1, 2, 3, 4 };
	uint8_t public_key[33], output[64], back[64];
	size_t key_len = 0, len = 0;
	enum suci_protection_scheme s = (enum suci_protection_scheme)scheme;

	check(suci_public_key(s, (const uint8_t *)sn_name, public_key, &key_len));
	check(suci_conceal(s, OCTETS(public_key, key_len), (const uint8_t *)sn_name,
			   OCTETS(msin, sizeof(msin)), output, sizeof(output), &len));
	check(suci_reveal(s, (const uint8_t *)sn_name, OCTETS(output, len), back, sizeof(back),
			  &len));
	failures += len != sizeof(msin) || memcmp(back, msin, len) != 0;
}

static void aes_block(int unused)
{
	uint8_t block[16] = { 0 };

	(void)unused;
	check(aes_encrypt_blocks(k, block, block, 1));
}

static const struct {
	const char *name;
	void (*run)(int arg);
	int arg;
	unsigned int times;
} benchmarks[] = {
	{ "aes-key-and-block", aes_block, 0, 200000 },
	{ "aka-both-sides", aka_both_sides, 0, 10000 },
	{ "protect-unprotect-50-null", message, 0, 200000 },
	{ "protect-unprotect-50-snow3g", message, 1, 50000 },
	{ "protect-unprotect-50-aes", message, 2, 50000 },
	{ "protect-unprotect-50-zuc", message, 3, 50000 },
	{ "suci-profile-a", suci, SUCI_PROFILE_A, 1000 },
	{ "suci-profile-b", suci, SUCI_PROFILE_B, 1000 },
};

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* --list: the names; --only NAME --iterations N: nothing but that, for counting instructions. */
static int counted(const char *name, const char *iterations)
{
	unsigned long n = strtoul(iterations, NULL, 10);

	for (size_t i = 0; i < COUNT_OF(benchmarks); i++) {
		if (strcmp(benchmarks[i].name, name) != 0)
			continue;
		while (n-- > 0)
			benchmarks[i].run(benchmarks[i].arg);
		return failures > 0;
	}
	fprintf(stderr, "no benchmark %s\n", name);
	return 2;
}

static void timed(void)
{
	double unit = 0;

	for (size_t i = 0; i < COUNT_OF(benchmarks); i++) {
		double start, ns;

		benchmarks[i].run(benchmarks[i].arg);
		start = seconds();
		for (unsigned int n = 0; n < benchmarks[i].times; n++)
			benchmarks[i].run(benchmarks[i].arg);
		ns = (seconds() - start) * 1e9 / benchmarks[i].times;
		if (i == 0)
			unit = ns;
		printf("%-30s %8.0f ns %8.1f x AES block\n", benchmarks[i].name, ns, ns / unit);
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (size_t i = 0; i < COUNT_OF(benchmarks); i++)
			puts(benchmarks[i].name);
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "--only") == 0 && strcmp(argv[3], "--iterations") == 0)
		return counted(argv[2], argv[4]);
	if (argc != 1) {
		fprintf(stderr, "usage: %s [--list | --only NAME --iterations N]\n", argv[0]);
		return 2;
	}
	timed();
	if (failures > 0)
		fprintf(stderr, "%u operations failed\n", failures);
	return failures > 0;
}
