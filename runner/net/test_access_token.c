#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <unistd.h>

#include "runner/net/access_token.h"
#include "runner/net/test_http.h"

static const char secret[] = "a secret of more than thirty-two octets";
static const struct access_token sample = {
	.iss = { (const uint8_t *)"nrf-1", 5 },
	.sub = { (const uint8_t *)"amf-1", 5 },
	.aud = { (const uint8_t *)"\"UDM\"", 5 },
	.scope = { (const uint8_t *)"nudm-sdm nudm-uecm", 18 },
	.exp = 1000,
};
static const struct access_token_wanted wanted = { .nf_type = "UDM",
						   .service = "nudm-sdm",
						   .now = 999 };

static char directory[] = "/tmp/spillway-token-XXXXXX";
static char paths[5][64];
static uint8_t room[65536];
static struct arena arena;
static char why_buffer[200], token_buffer[ACCESS_TOKEN_MAX];
static struct text why, made;
static struct access_token token;

enum { RSA_PRIVATE, RSA_PUBLIC, EC_PRIVATE, EC_PUBLIC, OTHER_EC };

static void begin(void)
{
	arena_init(&arena, room, sizeof(room));
	text_init(&why, why_buffer, sizeof(why_buffer));
	text_init(&made, token_buffer, sizeof(token_buffer));
}

static void end(void)
{
}

static struct access_token_key *file_key(int which)
{
	struct access_token_key *key = access_token_key_file(paths[which], &why);

	ck_assert_msg(key != NULL, "%s", why_buffer);
	return key;
}

static int check(const struct access_token_key *key, struct octets text,
		 const struct access_token_wanted *w)
{
	begin();
	return access_token_check(&token, key, text, w, &arena, &why);
}

static void round_trip(struct access_token_key *signer, struct access_token_key *checker,
		       const char *algorithm)
{
	char copy[ACCESS_TOKEN_MAX];
	struct octets text;

	ck_assert_str_eq(access_token_algorithm(checker), algorithm);
	ck_assert_int_eq(access_token_issue(&made, signer, &sample, &why), 0);
	memcpy(copy, token_buffer, made.len);
	text = OCTETS((uint8_t *)copy, made.len);
	ck_assert_msg(check(checker, text, &wanted) == 0, "%s", why_buffer);
	ck_assert(octets_equal(token.sub, sample.sub));
	ck_assert_int_eq(token.exp, 1000);
	/* every octet counts; all of the head, and some of the rest */
	for (size_t i = 0; i < text.len; i += i < 40 ? 1 : 11) {
		char before = copy[i];

		copy[i] = before == 'A' ? 'B' : 'A';
		ck_assert_int_eq(check(checker, text, &wanted), -1);
		copy[i] = before;
	}
	ck_assert_int_eq(check(checker, text, &wanted), 0);
	access_token_key_free(signer);
	if (checker != signer)
		access_token_key_free(checker);
}

START_TEST(hs256)
{
	struct access_token_key *key = access_token_secret(HTTP_TEXT(secret), &why);

	round_trip(key, key, "HS256");
}
END_TEST

START_TEST(rs256)
{
	round_trip(file_key(RSA_PRIVATE), file_key(RSA_PUBLIC), "RS256");
}
END_TEST

START_TEST(es256)
{
	round_trip(file_key(EC_PRIVATE), file_key(EC_PUBLIC), "ES256");
}
END_TEST

START_TEST(another_key)
{
	struct access_token_key *signer = file_key(EC_PRIVATE), *other = file_key(OTHER_EC);
	struct access_token_key *rsa = file_key(RSA_PUBLIC);
	char copy[ACCESS_TOKEN_MAX];
	struct octets text;

	ck_assert_int_eq(access_token_issue(&made, signer, &sample, &why), 0);
	memcpy(copy, token_buffer, made.len);
	text = OCTETS((uint8_t *)copy, made.len);
	ck_assert_int_eq(check(other, text, &wanted), -1);
	ck_assert_str_eq(why_buffer, "the token's signature is wrong");
	ck_assert_int_eq(check(rsa, text, &wanted), -1);
	ck_assert_str_eq(why_buffer, "the token is not signed by RS256");
	begin();
	ck_assert_int_eq(access_token_issue(&made, rsa, &sample, &why), -1);
	ck_assert_str_eq(why_buffer, "a public key cannot sign a token");
	access_token_key_free(signer);
	access_token_key_free(other);
	access_token_key_free(rsa);
}
END_TEST

START_TEST(claims)
{
	static const struct {
		struct access_token_wanted wanted;
		const char *why;
	} cases[] = {
		{ { .now = 1000 }, "the token expired 0 s ago" },
		{ { .now = 5000 }, "the token expired 4000 s ago" },
		{ { .nf_type = "AUSF" }, "the token is for another producer (aud)" },
		{ { .nf_instance = "UD" }, "the token is for another producer (aud)" },
		{ { .service = "nudm" }, "the token is not for nudm (scope)" },
		{ { .nf_type = "AUSF", .nf_instance = "UDM", .service = "nudm-uecm" }, NULL },
	};
	struct access_token_key *key = access_token_secret(HTTP_TEXT(secret), &why);
	char copy[ACCESS_TOKEN_MAX];
	struct octets text;

	ck_assert_int_eq(access_token_issue(&made, key, &sample, &why), 0);
	memcpy(copy, token_buffer, made.len);
	text = OCTETS((uint8_t *)copy, made.len);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_int_eq(check(key, text, &cases[i].wanted), cases[i].why ? -1 : 0);
		ck_assert_str_eq(why_buffer, cases[i].why ? cases[i].why : "");
	}
	access_token_key_free(key);
}
END_TEST

/* The example of RFC 7515 A.1: another's signature is right; it is no token of an NRF. */
START_TEST(example_of_the_rfc)
{
	static const uint8_t key_octets[] = {
		3,   35,  53, 75,  43,	15, 165, 188, 131, 126, 6,   101, 119, 123, 166, 143,
		90,  179, 40, 230, 240, 84, 201, 40,  169, 15,	132, 178, 210, 80,  46,	 191,
		211, 251, 90, 146, 210, 6,  71,	 239, 150, 138, 180, 195, 119, 98,  61,	 34,
		61,  46,  33, 114, 5,	46, 79,	 8,   192, 205, 154, 245, 103, 208, 128, 163,
	};
	static const char text[] = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9."
				   "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGF"
				   "tcGxlLmNvbS9pc19yb290"
				   "Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
	struct access_token_key *key =
		access_token_secret(OCTETS(key_octets, sizeof(key_octets)), &why);

	ck_assert_int_eq(check(key, HTTP_TEXT(text), &wanted), -1);
	ck_assert_str_eq(why_buffer, "the token's claims: $.sub is mandatory in AccessTokenClaims");
	access_token_key_free(key);
}
END_TEST

START_TEST(no_tokens)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "", "the token has not three parts" },
		{ "a.b", "the token has not three parts" },
		{ "a.b.c.d", "the token has not three parts" },
		{ "..", "the token's header cannot be read" },
		{ "a.b.c", "the token's header cannot be read" },
		{ "e30.e30.e30", "the token's header cannot be read" },
		/* {"alg":"none"} */
		{ "eyJhbGciOiJub25lIn0.e30.", "the token is not signed by HS256" },
		/* {"alg":"HS256","crit":[]} */
		{ "eyJhbGciOiJIUzI1NiIsImNyaXQiOltdfQ.e30.", "the token is not signed by HS256" },
		/* {"alg":"HS256"} */
		{ "eyJhbGciOiJIUzI1NiJ9.e30.", "the token's signature is wrong" },
		{ "eyJhbGciOiJIUzI1NiJ9.e30.!", "the token's signature is wrong" },
	};
	struct access_token_key *key = access_token_secret(HTTP_TEXT(secret), &why);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_int_eq(check(key, HTTP_TEXT(cases[i].text), &wanted), -1);
		ck_assert_str_eq(why_buffer, cases[i].why);
	}
	ck_assert_uint_eq(access_token_of(HTTP_TEXT("bearer abc")).len, 3);
	ck_assert_uint_eq(access_token_of(HTTP_TEXT("Basic abc")).len, 0);
	ck_assert_uint_eq(access_token_of(HTTP_TEXT("Bearer ")).len, 0);
	access_token_key_free(key);
}
END_TEST

START_TEST(bad_keys)
{
	ck_assert_ptr_null(access_token_secret(HTTP_TEXT("short"), &why));
	ck_assert_str_eq(why_buffer, "a secret for HS256 has at least 32 octets, this one has 5");
	begin();
	ck_assert_ptr_null(access_token_key_file("/nowhere", &why));
	ck_assert_str_eq(why_buffer, "cannot read the key /nowhere");
	begin();
	ck_assert_ptr_null(access_token_key_file("/dev/null", &why));
}
END_TEST

static void write_key(int which, EVP_PKEY *key, bool private)
{
	FILE *file = fopen(paths[which], "w");

	if (!file)
		exit(EXIT_FAILURE);
	if (private)
		PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL);
	else
		PEM_write_PUBKEY(file, key);
	fclose(file);
}

int main(void)
{
	Suite *suite = suite_create("access token");
	EVP_PKEY *rsa = EVP_RSA_gen(2048), *ec = EVP_EC_gen("P-256"), *other = EVP_EC_gen("P-256");
	int status;

	if (!mkdtemp(directory))
		return EXIT_FAILURE;
	for (int i = 0; i < 5; i++)
		snprintf(paths[i], sizeof(paths[i]), "%s/%d", directory, i);
	write_key(RSA_PRIVATE, rsa, true);
	write_key(RSA_PUBLIC, rsa, false);
	write_key(EC_PRIVATE, ec, true);
	write_key(EC_PUBLIC, ec, false);
	write_key(OTHER_EC, other, true);
	EVP_PKEY_free(rsa);
	EVP_PKEY_free(ec);
	EVP_PKEY_free(other);
	add_case(suite, "token", begin, end,
		 TESTS(hs256, rs256, es256, another_key, claims, example_of_the_rfc, no_tokens,
		       bad_keys));
	status = run_suite(suite);
	for (int i = 0; i < 5; i++)
		unlink(paths[i]);
	rmdir(directory);
	return status;
}
