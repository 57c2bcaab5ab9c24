/* What is blotted out of a message, and what is not. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "runner/net/http_secrets.h"

static const struct {
	const char *body, *blotted;
} bodies[] = {
	{ "{\"access_token\":\"abc.def\",\"expires_in\":5}",
	  "{\"access_token\":\"xxxxxxx\",\"expires_in\":5}" },
	{ "{\"access_token\" : \t\r\n\"a\",\"kseaf\":\"00ff\"}",
	  "{\"access_token\" : \t\r\n\"x\",\"kseaf\":\"xxxx\"}" },
	{ "{\"encOpcKey\":\"a\\\"b\",\"c\":\"d\"}", "{\"encOpcKey\":\"xxxx\",\"c\":\"d\"}" },
	/* cut off */
	{ "{\"access_token\":\"abc", "{\"access_token\":\"xxx" },
	{ "{\"access_token\":\"abc\\", "{\"access_token\":\"xxxx" },
	{ "{\"access_token\":", "{\"access_token\":" },
	{ "{\"access_token\"", "{\"access_token\"" },
	{ "access_token", "access_token" },
	/* a form */
	{ "client_secret=abc&scope=d", "client_secret=xxx&scope=d" },
	{ "scope=d&client_assertion=abc", "scope=d&client_assertion=xxx" },
	{ "scope=client_secret=abc", "scope=client_secret=abc" },
	/* no secrets */
	{ "{\"an_access_token\":\"abc\"}", "{\"an_access_token\":\"abc\"}" },
	{ "{\"access_token_type\":\"abc\"}", "{\"access_token_type\":\"abc\"}" },
	{ "{\"a\":\"access_token\"}", "{\"a\":\"access_token\"}" },
	{ "{\"access_token\":5}", "{\"access_token\":5}" },
	{ "", "" },
};

static struct octets text_octets(const char *text)
{
	return OCTETS((const uint8_t *)text, strlen(text));
}

START_TEST(bodies_are_blotted)
{
	/* of exact size, so that a sanitizer sees a step beyond */
	size_t len = strlen(bodies[_i].body);
	uint8_t *copy = malloc(len ? len : 1);

	memcpy(copy, bodies[_i].body, len);
	http_blot_body(copy, len);
	ck_assert_mem_eq(copy, bodies[_i].blotted, len);
	free(copy);
}
END_TEST

START_TEST(fields_are_blotted)
{
	uint8_t bearer[] = "Bearer abc def", bare[] = "abc";

	ck_assert(http_is_secret_field(text_octets("authorization")));
	ck_assert(http_is_secret_field(text_octets("3gpp-sbi-client-credentials")));
	ck_assert(!http_is_secret_field(text_octets("www-authenticate")));
	http_blot_value(bearer, sizeof(bearer) - 1);
	ck_assert_str_eq((char *)bearer, "Bearer xxxxxxx");
	http_blot_value(bare, sizeof(bare) - 1);
	ck_assert_str_eq((char *)bare, "xxx");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("http_secrets");
	TCase *tcase = tcase_create("blotting");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, bodies_are_blotted, 0, sizeof(bodies) / sizeof(bodies[0]));
	tcase_add_test(tcase, fields_are_blotted);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
