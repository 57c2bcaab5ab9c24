#include <check.h>
#include <stdlib.h>

#include "codecs/sbi/multipart.h"
#include "codecs/sbi/sbi.h"

static const char content_type[] = "multipart/related; boundary=xyz";

static enum finding_rule read_from(struct multipart *m, const char *type, const char *body)
{
	return multipart_read(m, sbi_octets(type), sbi_octets(body), NULL);
}

START_TEST(two_parts)
{
	struct multipart m;

	ck_assert_int_eq(read_from(&m, "Multipart/Related; type=a; boundary=\"=-8d/+=\"",
				   "preamble\r\n--=-8d/+=\r\nContent-Type: application/json\r\n\r\n"
				   "{\"a\":1}\r\n--=-8d/+=\r\ncontent-id: <n1>\r\n"
				   "Content-Type: application/vnd.3gpp.5gnas\r\n\r\n"
				   "\x7e\r\n--x\r\n\r\n--=-8d/+=--\r\nepilogue"),
			 FINDING_NONE);
	ck_assert_uint_eq(m.count, 2);
	ck_assert(octets_equal(m.parts[0].body, sbi_octets("{\"a\":1}")));
	ck_assert(octets_equal(m.parts[1].body, sbi_octets("\x7e\r\n--x\r\n")));
	ck_assert(octets_equal(m.parts[1].content_type, sbi_octets(MULTIPART_5GNAS)));
	ck_assert_ptr_eq(multipart_find(&m, sbi_octets("n1")), &m.parts[1]);
	ck_assert_ptr_null(multipart_find(&m, sbi_octets("n2")));
}
END_TEST

START_TEST(odd_forms)
{
	struct multipart m;

	/* a part without fields, one without a body, line ends without CR */
	ck_assert_int_eq(read_from(&m, content_type, "--xyz\n\nbody\n--xyz\n\n--xyz--"),
			 FINDING_NONE);
	ck_assert_uint_eq(m.count, 2);
	ck_assert(octets_equal(m.parts[0].body, sbi_octets("body")));
	ck_assert_uint_eq(m.parts[1].body.len, 0);
	/* a longer boundary is none */
	ck_assert_int_eq(read_from(&m, content_type, "--xyz\r\n\r\na\r\n--xyzz\r\nb\r\n--xyz--"),
			 FINDING_NONE);
	ck_assert_uint_eq(m.count, 1);
	ck_assert(octets_equal(m.parts[0].body, sbi_octets("a\r\n--xyzz\r\nb")));
}
END_TEST

START_TEST(refused)
{
	struct multipart m;

	ck_assert_int_eq(read_from(&m, "application/json", "{}"), FINDING_MISSING);
	ck_assert_int_eq(read_from(&m, "multipart/related", "--x--"), FINDING_MISSING);
	ck_assert_int_eq(read_from(&m, "multipart/related; boundary=", "----"), FINDING_MISSING);
	ck_assert_int_eq(read_from(&m, content_type, ""), FINDING_MISSING);
	ck_assert_int_eq(read_from(&m, content_type, "xyz"), FINDING_MISSING);
	ck_assert_int_eq(read_from(&m, content_type, "--xyz\r\n\r\nbody"), FINDING_TRUNCATED);
	ck_assert_int_eq(read_from(&m, content_type, "--xyz\r\nno empty line\r\n--xyz--"),
			 FINDING_SYNTAX);
	ck_assert_int_eq(read_from(&m, content_type,
				   "--xyz\n\n\n--xyz\n\n\n--xyz\n\n\n--xyz\n\n\n--xyz\n\n\n--xyz"
				   "\n\n\n--xyz\n\n\n--xyz\n\n\n--xyz\n\n\n--xyz--"),
			 FINDING_RANGE);
	ck_assert_uint_eq(m.count, MULTIPART_PARTS_MAX);
}
END_TEST

START_TEST(written_and_read)
{
	static const uint8_t ngap[] = { 0, '\r', '\n', 0xff, '-', '-' };
	const struct multipart_part parts[] = {
		{ .content_type = sbi_octets("application/json"), .body = sbi_octets("{}") },
		{ .content_type = sbi_octets(MULTIPART_NGAP),
		  .content_id = sbi_octets("n2"),
		  .body = OCTETS(ngap, sizeof(ngap)) },
	};
	char body[512], type[128];
	struct multipart m;
	struct text text, type_text;

	text_init(&text, body, sizeof(body));
	multipart_write(&text, parts, 2, "0123abc");
	text_init(&type_text, type, sizeof(type));
	multipart_content_type(&type_text, "0123abc");
	ck_assert(multipart_is(sbi_octets(type)));
	ck_assert_int_eq(
		multipart_read(&m, sbi_octets(type), OCTETS((uint8_t *)body, text.len), NULL),
		FINDING_NONE);
	ck_assert_uint_eq(m.count, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert(octets_equal(m.parts[i].content_type, parts[i].content_type));
		ck_assert(octets_equal(m.parts[i].content_id, parts[i].content_id));
		ck_assert(octets_equal(m.parts[i].body, parts[i].body));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("multipart");
	TCase *tcase = tcase_create("multipart");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, two_parts);
	tcase_add_test(tcase, odd_forms);
	tcase_add_test(tcase, refused);
	tcase_add_test(tcase, written_and_read);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
