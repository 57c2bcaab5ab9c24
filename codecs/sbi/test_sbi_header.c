#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/sbi/sbi.h"

#define UUID  "54804518-4191-46b3-955c-ac631f953ed8"
#define START "Timestamp: \"Tue, 04 Feb 2020 08:49:37 GMT\"; Period-of-Validity: 75s; "

static uint8_t room[4096];
static struct arena arena;

static void begin(void)
{
	arena_init(&arena, room, sizeof(room));
}

static size_t read_oci(struct sbi_load *elements, size_t max, const char *value)
{
	struct octets line = sbi_octets(value);
	size_t found;

	ck_assert_int_eq(sbi_oci_read(elements, max, &found, &line, 1, SBI_REL_18, &arena,
				      DECODE_LENIENT, NULL),
			 FINDING_NONE);
	return found;
}

START_TEST(one_element)
{
	struct sbi_load oci;

	ck_assert_uint_eq(
		read_oci(&oci, 1, START "Overload-Reduction-Metric: 50%; NF-Instance: " UUID), 1);
	ck_assert_int_eq(oci.fault.rule, FINDING_NONE);
	ck_assert_int_eq(oci.timestamp, 1580806177);
	ck_assert_uint_eq(oci.validity, 75);
	ck_assert_uint_eq(oci.metric, 50);
	ck_assert_int_eq(oci.scope.kind, SBI_SCOPE_NF_INSTANCE);
	ck_assert(octets_equal(oci.scope.id, sbi_octets(UUID)));
	ck_assert_uint_eq(oci.has,
			  SBI_HAS_TIMESTAMP | SBI_HAS_VALIDITY | SBI_HAS_METRIC | SBI_HAS_SCOPE);
}
END_TEST

/* A fault in one element leaves the others as they are. */
START_TEST(elements_are_independent)
{
	struct sbi_load oci[3];

	ck_assert_uint_eq(read_oci(oci, 3,
				   START "Overload-Reduction-Metric: 20%; NF-Set: a, " START
					 "Overload-Reduction-Metric: 50; NF-Set: b, " START
					 "Overload-Reduction-Metric: 70%; NF-Set: c"),
			  3);
	ck_assert_int_eq(oci[0].fault.rule, FINDING_NONE);
	ck_assert_int_eq(oci[1].fault.rule, FINDING_SYNTAX);
	ck_assert_str_eq(oci[1].fault.field, "Overload-Reduction-Metric");
	ck_assert_uint_eq(oci[1].metric, 50);
	ck_assert_int_eq(oci[2].fault.rule, FINDING_NONE);
	ck_assert_uint_eq(oci[2].metric, 70);
}
END_TEST

START_TEST(more_elements_than_room)
{
	struct sbi_load oci[1];

	ck_assert_uint_eq(read_oci(oci, 1,
				   START "Overload-Reduction-Metric: 20%; NF-Set: a, " START
					 "Overload-Reduction-Metric: 70%; NF-Set: c"),
			  2);
	ck_assert_uint_eq(oci[0].metric, 20);
}
END_TEST

START_TEST(releases)
{
	static const char *const later[] = {
		"NFC-Set: a",
		"NFC-Instance: " UUID,
		"SEPP-FQDN: sepp.example.com",
		"NF-Service-Instance: a; NF-Inst: " UUID,
	};

	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		char value[256];
		struct sbi_load oci;
		struct octets line;
		size_t found;

		snprintf(value, sizeof(value), START "Overload-Reduction-Metric: 50%%; %s",
			 later[i]);
		line = sbi_octets(value);
		ck_assert_int_eq(sbi_oci_read(&oci, 1, &found, &line, 1, SBI_REL_18, &arena,
					      DECODE_STRICT, NULL),
				 FINDING_NONE);
		ck_assert_int_eq(sbi_oci_read(&oci, 1, &found, &line, 1, SBI_REL_16, &arena,
					      DECODE_STRICT, NULL),
				 FINDING_NOT_COMPREHENDED);
	}
}
END_TEST

START_TEST(lists_in_a_scope)
{
	struct sbi_load oci;

	ck_assert_uint_eq(
		read_oci(&oci, 1,
			 START "Overload-Reduction-Metric: 50%; NF-Instance: " UUID
			       "; S-NSSAI: {\"sst\":1,\"sd\":\"0A&B;C\"} & %7B%22sst%22%3A2%7D; "
			       "DNN: internet & ims"),
		1);
	ck_assert_int_eq(oci.fault.rule, FINDING_NONE);
	ck_assert_uint_eq(oci.scope.snssais.count, 2);
	ck_assert(octets_equal(oci.scope.snssais.items[0],
			       sbi_octets("{\"sst\":1,\"sd\":\"0A&B;C\"}")));
	ck_assert_uint_eq(oci.scope.dnns.count, 2);
	ck_assert(octets_equal(oci.scope.dnns.items[1], sbi_octets("ims")));
}
END_TEST

START_TEST(arena_too_small)
{
	struct octets line = sbi_octets(START "Overload-Reduction-Metric: 50%; NF-Set: a; S-NSSAI: "
					      "x; DNN: y");
	struct finding items[8];
	struct findings findings = { items, 8, 0 };
	struct sbi_load oci;
	size_t found;

	arena_init(&arena, room, 8);
	ck_assert_int_eq(sbi_oci_read(&oci, 1, &found, &line, 1, SBI_REL_18, &arena, DECODE_LENIENT,
				      &findings),
			 FINDING_NO_MEMORY);
}
END_TEST

START_TEST(scopes_compare)
{
	struct sbi_load a, b;

	read_oci(&a, 1, START "Overload-Reduction-Metric: 50%; NF-Instance: " UUID);
	read_oci(&b, 1,
		 START "Overload-Reduction-Metric: 10%; NF-Instance: "
		       "54804518-4191-46B3-955C-AC631F953ED8");
	ck_assert(sbi_scope_equal(&a.scope, &b.scope));
	read_oci(&b, 1, START "Overload-Reduction-Metric: 10%; NF-Set: " UUID);
	ck_assert(!sbi_scope_equal(&a.scope, &b.scope));
}
END_TEST

START_TEST(uris)
{
	struct sbi_uri uri, scope;

	ck_assert_int_eq(sbi_uri_read(&uri, sbi_octets("https://[2001:db8::1]:8443/a/b?c=d"), NULL),
			 FINDING_NONE);
	ck_assert(octets_equal(uri.host, sbi_octets("2001:db8::1")));
	ck_assert_uint_eq(uri.port, 8443);
	ck_assert(octets_equal(uri.path, sbi_octets("/a/b")));
	ck_assert(octets_equal(uri.query, sbi_octets("c=d")));
	ck_assert_int_eq(sbi_uri_read(&uri, sbi_octets("http://a"), NULL), FINDING_NONE);
	ck_assert_uint_eq(uri.port, 80);
	ck_assert_uint_eq(uri.path.len, 0);
	ck_assert_int_ne(sbi_uri_read(&uri, sbi_octets("http://"), NULL), FINDING_NONE);
	ck_assert_int_ne(sbi_uri_read(&uri, sbi_octets("http://[::1"), NULL), FINDING_NONE);
	ck_assert_int_ne(sbi_uri_read(&uri, sbi_octets("http://a:"), NULL), FINDING_NONE);
	ck_assert_int_ne(sbi_uri_read(&uri, sbi_octets("/a"), NULL), FINDING_NONE);

	static const struct {
		const char *scope, *uri;
		bool under;
	} pairs[] = {
		{ "http://a/cb", "http://a/cb", true },
		{ "http://a/cb", "http://a/cb/1", true },
		{ "http://a/cb/", "http://a/cb/1", true },
		{ "http://a/cb", "http://a/cbx", false },
		{ "http://a/cb", "http://a:8080/cb", false },
		{ "http://a:80/cb", "http://A/cb/x", true },
		{ "http://a/cb", "https://a/cb", false },
		{ "http://a", "http://a/anything", true },
		{ "http://a/cb/1", "http://a/cb", false },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		ck_assert_int_eq(sbi_uri_read(&scope, sbi_octets(pairs[i].scope), NULL),
				 FINDING_NONE);
		ck_assert_int_eq(sbi_uri_read(&uri, sbi_octets(pairs[i].uri), NULL), FINDING_NONE);
		ck_assert_msg(sbi_uri_under(&uri, &scope) == pairs[i].under, "%s below %s",
			      pairs[i].uri, pairs[i].scope);
	}
}
END_TEST

START_TEST(small_values)
{
	struct sbi_parameters parameters;
	struct sbi_retry_after after;
	struct sbi_callback callback;
	uint8_t priority;
	char printed[64];
	struct text text;

	ck_assert_int_eq(sbi_priority_read(&priority, sbi_octets("7"), NULL), FINDING_NONE);
	ck_assert_uint_eq(priority, 7);
	ck_assert_int_eq(sbi_priority_read(&priority, sbi_octets(""), NULL), FINDING_SYNTAX);
	ck_assert_uint_eq(priority, SBI_PRIORITY_DEFAULT);

	ck_assert_int_eq(sbi_retry_after_read(&after, sbi_octets("120"), NULL), FINDING_NONE);
	ck_assert_uint_eq(after.seconds, 120);
	ck_assert_int_eq(
		sbi_retry_after_read(&after, sbi_octets("Tue, 04 Feb 2020 08:49:37 GMT"), NULL),
		FINDING_NONE);
	ck_assert(after.is_date);
	ck_assert_int_eq(after.date, 1580806177);
	text_init(&text, printed, sizeof(printed));
	sbi_retry_after_print(&text, &after);
	ck_assert_str_eq(printed, "Tue, 04 Feb 2020 08:49:37 GMT");

	ck_assert_int_eq(sbi_callback_read(&callback, sbi_octets("Nx_Y; apiversion=2"), NULL),
			 FINDING_NONE);
	ck_assert_uint_eq(callback.api_version, 2);

	ck_assert_int_eq(sbi_binding_read(&parameters,
					  sbi_octets("bl=nf-set;nfset=\"a;b\"; servname=nudm-sdm"),
					  NULL),
			 FINDING_NONE);
	ck_assert_uint_eq(parameters.count, 3);
	ck_assert(octets_equal(*sbi_parameter(&parameters, "nfset"), sbi_octets("a;b")));
	ck_assert_ptr_null(sbi_parameter(&parameters, "nfinst"));
}
END_TEST

START_TEST(header_names)
{
	ck_assert_int_eq(sbi_header_of(sbi_octets("3gpp-Sbi-Oci")), SBI_HEADER_OCI);
	ck_assert_int_eq(sbi_header_of(sbi_octets("3gpp-sbi-discovery-target-nf-type")),
			 SBI_HEADER_DISCOVERY);
	ck_assert_int_eq(sbi_header_of(sbi_octets("3gpp-sbi-discovery-")), SBI_HEADER_DISCOVERY);
	ck_assert_int_eq(sbi_header_of(sbi_octets("x-oci")), SBI_HEADER_OTHER);
	for (int header = SBI_HEADER_OCI; header <= SBI_HEADER_LOCATION; header++)
		ck_assert_int_eq(
			sbi_header_of(sbi_octets(sbi_header_name((enum sbi_header)header))),
			header);
}
END_TEST

START_TEST(finding_as_text)
{
	struct sbi_load oci;
	char printed[128];
	struct text text;

	read_oci(&oci, 1, START "Overload-Reduction-Metric: 101%; NF-Set: a");
	text_init(&text, printed, sizeof(printed));
	sbi_finding_print(&text, &oci.fault);
	ck_assert_str_eq(printed,
			 "Overload-Reduction-Metric: value out of range, line 1, octet 96");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sbi headers");
	TCase *tcase = tcase_create("headers");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, begin, NULL);
	tcase_add_test(tcase, one_element);
	tcase_add_test(tcase, elements_are_independent);
	tcase_add_test(tcase, more_elements_than_room);
	tcase_add_test(tcase, releases);
	tcase_add_test(tcase, lists_in_a_scope);
	tcase_add_test(tcase, arena_too_small);
	tcase_add_test(tcase, scopes_compare);
	tcase_add_test(tcase, uris);
	tcase_add_test(tcase, small_values);
	tcase_add_test(tcase, header_names);
	tcase_add_test(tcase, finding_as_text);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
