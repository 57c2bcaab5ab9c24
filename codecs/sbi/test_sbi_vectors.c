/*
 * Header fields from files: our own vectors with their findings and canonical form, and what other
 * people's network functions really sent.
 */
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/sbi/sbi.h"

enum { ELEMENTS_MAX = 8, FINDINGS_MAX = 32, LINES_MAX = 4 };

static char line[200000];
static uint8_t room[4096];

static FILE *open_in_source(const char *path)
{
	const char *source = getenv("SPILLWAY_SOURCE_DIR");
	char full[4096];

	snprintf(full, sizeof(full), "%s/%s", source ? source : ".", path);
	return fopen(full, "r");
}

/* A heap copy of exact size, so that a sanitizer sees one octet too many. */
static struct octets exact(const char *s, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, s, len);
	return OCTETS(copy, len);
}

static void findings_text(struct text *text, const struct findings *findings)
{
	if (findings->count == 0)
		text_putc(text, '-');
	for (size_t i = 0; i < findings->count && i < findings->max; i++)
		text_printf(text, "%s%s@%u", i ? "; " : "",
			    finding_rule_name(findings->items[i].rule), findings->items[i].bit / 8);
}

static size_t lines_of(const char *value, struct octets *lines)
{
	size_t count = 0;

	for (;;) {
		const char *end = strstr(value, "\\n");

		ck_assert_uint_lt(count, LINES_MAX);
		lines[count++] = exact(value, end ? (size_t)(end - value) : strlen(value));
		if (!end)
			return count;
		value = end + 2;
	}
}

static void print_elements(struct text *out, enum sbi_header header,
			   const struct sbi_load *elements, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			text_puts(out, ", ");
		(header == SBI_HEADER_OCI ? sbi_oci_print : sbi_lci_print)(out, &elements[i]);
	}
}

static void check_load(const char *name, enum sbi_header header, const struct octets *lines,
		       size_t count, const char *findings_expected, const char *canonical)
{
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct sbi_load elements[ELEMENTS_MAX], again[ELEMENTS_MAX];
	__typeof__(&sbi_oci_read) read = header == SBI_HEADER_OCI ? sbi_oci_read : sbi_lci_read;
	enum finding_rule strict;
	char printed[4096], seen[512];
	struct text text, printed_text;
	struct arena arena;
	size_t found, found_again;
	struct octets one;

	arena_init(&arena, room, sizeof(room));
	ck_assert_int_eq(read(elements, ELEMENTS_MAX, &found, lines, count, SBI_REL_18, &arena,
			      DECODE_LENIENT, &findings),
			 FINDING_NONE);
	text_init(&text, seen, sizeof(seen));
	findings_text(&text, &findings);
	ck_assert_msg(strcmp(seen, findings_expected) == 0, "%s: findings %s, expected %s", name,
		      seen, findings_expected);
	text_init(&printed_text, printed, sizeof(printed));
	print_elements(&printed_text, header, elements, found);
	ck_assert_msg(strcmp(printed, canonical) == 0, "%s: canonical\n%s, expected\n%s", name,
		      printed, canonical);
	strict = read(again, ELEMENTS_MAX, &found_again, lines, count, SBI_REL_18, &arena,
		      DECODE_STRICT, NULL);
	ck_assert_int_eq(strict == FINDING_NONE, findings.count == 0);
	if (findings.count)
		return;
	one = exact(printed, printed_text.len);
	ck_assert_int_eq(read(again, ELEMENTS_MAX, &found_again, &one, 1, SBI_REL_18, &arena,
			      DECODE_STRICT, NULL),
			 FINDING_NONE);
	ck_assert_uint_eq(found, found_again);
	for (size_t i = 0; i < found; i++) {
		ck_assert_int_eq(elements[i].timestamp, again[i].timestamp);
		ck_assert_uint_eq(elements[i].validity, again[i].validity);
		ck_assert_uint_eq(elements[i].metric, again[i].metric);
		ck_assert(sbi_scope_equal(&elements[i].scope, &again[i].scope));
	}
	free((void *)one.data);
}

START_TEST(our_vectors)
{
	FILE *file = open_in_source("fixtures/vectors/sbi.txt");
	size_t count = 0;

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		char *fields[4], *at = line, *value;
		struct octets lines[LINES_MAX], name;
		size_t n;

		if (line[0] == '#')
			continue;
		line[strcspn(line, "\n")] = '\0';
		for (int i = 0; i < 4; i++) {
			fields[i] = strsep(&at, "\t");
			ck_assert_ptr_nonnull(fields[i]);
		}
		value = strchr(fields[1], ':');
		ck_assert_ptr_nonnull(value);
		name = OCTETS((uint8_t *)fields[1], (size_t)(value - fields[1]));
		n = lines_of(value + 2, lines);
		if (sbi_header_of(name) == SBI_HEADER_OCI ||
		    sbi_header_of(name) == SBI_HEADER_LCI) {
			check_load(fields[0], sbi_header_of(name), lines, n, fields[2], fields[3]);
		} else {
			struct finding items[4];
			struct findings findings = { items, 4, 0 };
			char seen[256];
			struct arena arena;
			struct text text;

			arena_init(&arena, room, sizeof(room));
			sbi_header_check(name, lines[0], SBI_REL_18, &arena, &findings);
			text_init(&text, seen, sizeof(seen));
			findings_text(&text, &findings);
			ck_assert_msg(strcmp(seen, fields[2]) == 0, "%s: findings %s, expected %s",
				      fields[0], seen, fields[2]);
		}
		for (size_t i = 0; i < n; i++)
			free((void *)lines[i].data);
		count++;
	}
	fclose(file);
	ck_assert_uint_ge(count, 70);
}
END_TEST

/* Real header sets: nothing in them is to be complained of. */
START_TEST(captured_headers)
{
	const char *shared = getenv("SPILLWAY_SHARED");
	char path[4096];
	size_t sets = 0, known = 0;
	FILE *file;

	if (shared) {
		snprintf(path, sizeof(path), "%s/cases/captures/sbi.jsonl", shared);
		file = fopen(path, "r");
	} else {
		file = open_in_source("../shared/cases/captures/sbi.jsonl");
	}
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		/* alone: jansson refuses what is in some of the bodies */
		const char *list = strstr(line, "\"headers\":");
		json_t *fields, *pair;
		size_t i;

		ck_assert_ptr_nonnull(list);
		fields = json_loads(list + 10, JSON_DISABLE_EOF_CHECK, NULL);
		ck_assert_ptr_nonnull(fields);
		json_array_foreach(fields, i, pair)
		{
			const char *name = json_string_value(json_array_get(pair, 0));
			const char *value = json_string_value(json_array_get(pair, 1));
			struct finding items[4] = { 0 };
			struct findings findings = { items, 4, 0 };
			struct octets copy;
			struct arena arena;

			ck_assert_ptr_nonnull(name);
			ck_assert_ptr_nonnull(value);
			copy = exact(value, strlen(value));
			arena_init(&arena, room, sizeof(room));
			known += sbi_header_of(sbi_octets(name)) != SBI_HEADER_OTHER;
			ck_assert_msg(sbi_header_check(sbi_octets(name), copy, SBI_REL_18, &arena,
						       &findings) == FINDING_NONE &&
					      findings.count == 0,
				      "%s: %s: %s at %u", name, value,
				      finding_rule_name(items[0].rule), items[0].bit / 8);
			free((void *)copy.data);
		}
		json_decref(fields);
		sets++;
	}
	fclose(file);
	ck_assert_uint_ge(sets, 300);
	ck_assert_uint_ge(known, 500);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sbi vectors");
	TCase *tcase = tcase_create("files");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, our_vectors);
	tcase_add_test(tcase, captured_headers);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
