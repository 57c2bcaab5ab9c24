/*
 * JUnit XML. It knows failure, error and skipped: fail is a failure, error an error, not applicable
 * skipped; inconc is an error too (a gate must stop on it) whose type says which it is.
 */
#include "reports/report.h"

#include <string.h>

#include "reports/printable.h"

static void attribute(const char *name, const char *value, FILE *out)
{
	fprintf(out, " %s=\"", name);
	print_xml(value, out);
	fputc('"', out);
}

static const char *suite_of(const struct result *result)
{
	return result->suite == NULL ? "spillway" : result->suite;
}

static void line(const char *label, const char *value, FILE *out)
{
	if (value == NULL || value[0] == '\0')
		return;
	print_xml(label, out);
	fputs(": ", out);
	print_xml(value, out);
	fputc('\n', out);
}

static void block(const char *label, const char *value, FILE *out)
{
	if (value == NULL || value[0] == '\0')
		return;
	print_xml(label, out);
	fputs(":\n", out);
	/* Line breaks inside text are kept as they are, for people who read the file itself. */
	for (const char *p = value; *p != '\0';) {
		size_t len = strcspn(p, "\n");
		char part[1024];

		while (len > 0) {
			size_t n = len < sizeof(part) ? len : sizeof(part) - 1;

			while (n > 1 && n < len && ((unsigned char)p[n] & 0xc0) == 0x80)
				n--;
			memcpy(part, p, n);
			part[n] = '\0';
			print_xml(part, out);
			p += n;
			len -= n;
		}
		fputc('\n', out);
		if (*p == '\n')
			p++;
	}
}

static void body(const struct result *result, FILE *out)
{
	line("verdict", verdict_name(result->verdict), out);
	line("reason", result->reason, out);
	line("purpose", result->purpose, out);
	line("clause", result->clause, out);
	line("requirement", result->requirement, out);
	line("strength", result->strength, out);
	line("baseline", result->baseline, out);
	for (size_t i = 0; i < result->warning_count; i++)
		line("warning", result->warnings[i], out);
	for (size_t i = 0; i < result->note_count; i++)
		line("note", result->notes[i], out);
	block("expected and received", result->detail, out);
	block("last messages", result->ladder, out);
	line("repeat", result->repro, out);
	line("evidence", result->evidence, out);
}

/* The element that stands for the verdict; NULL for a pass. */
static const char *element_of(const struct result *result)
{
	if (result_is_expected(result))
		return "skipped";
	if (result_is_stale(result))
		return "failure";
	switch (result->verdict) {
	case VERDICT_PASS:
		return NULL;
	case VERDICT_FAIL:
		return "failure";
	case VERDICT_NA:
		return "skipped";
	case VERDICT_NONE:
	case VERDICT_INCONC:
	case VERDICT_ERROR:
		break;
	}
	return "error";
}

static void test_case(const struct result *result, FILE *out)
{
	const char *element = element_of(result);
	const char *type = result_is_expected(result)	     ? "expected"
			   : result_is_stale(result)	     ? "stale-baseline"
			   : result->verdict == VERDICT_NONE ? "not-run"
							     : verdict_name(result->verdict);
	const char *reason = result->reason == NULL ? "" : result->reason;

	fputs("    <testcase", out);
	attribute("name", result->id, out);
	attribute("classname", suite_of(result), out);
	fprintf(out, " time=\"%.3f\">\n", result->wall_ms / 1000);
	if (element != NULL) {
		fprintf(out, "      <%s", element);
		/* The schema gives skipped a message only. */
		if (strcmp(element, "skipped") != 0)
			attribute("type", type, out);
		fputs(" message=\"", out);
		print_xml(type, out);
		fputs(": ", out);
		print_xml(reason, out);
		fputs("\">", out);
		if (strcmp(element, "skipped") != 0)
			body(result, out);
		fprintf(out, "</%s>\n", element);
	}
	if (element == NULL || strcmp(element, "skipped") == 0) {
		fputs("      <system-out>", out);
		body(result, out);
		fputs("</system-out>\n", out);
	}
	fputs("    </testcase>\n", out);
}

struct sums {
	size_t tests, failures, errors, skipped;
	double seconds;
};

static void add(const struct result *result, struct sums *sums)
{
	const char *element = element_of(result);

	sums->tests++;
	sums->seconds += result->wall_ms / 1000;
	if (element == NULL)
		return;
	sums->failures += strcmp(element, "failure") == 0;
	sums->errors += strcmp(element, "error") == 0;
	sums->skipped += strcmp(element, "skipped") == 0;
}

static void print_sums(const struct sums *sums, FILE *out)
{
	fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.3f\"", sums->tests,
		sums->failures, sums->errors, sums->seconds);
}

static void property(const char *name, const char *value, FILE *out)
{
	if (value == NULL)
		return;
	fputs("      <property", out);
	attribute("name", name, out);
	attribute("value", value, out);
	fputs("/>\n", out);
}

static void suite(const struct run_record *record, const struct result *results, size_t first,
		  size_t end, FILE *out)
{
	static const char *const members[] = { "version", "commit",  "back_ends", "profile",
					       "host",	  "started", "ended" };
	const char *started = run_record_word(record, "started");
	const char *host = run_record_word(record, "host");
	const json_t *seed = json_object_get(record->run, "seed");
	struct sums sums = { 0 };
	char number[32];

	for (size_t i = first; i < end; i++)
		add(&results[i], &sums);
	fputs("  <testsuite", out);
	attribute("name", suite_of(&results[first]), out);
	print_sums(&sums, out);
	/* Jenkins refuses it at the sums of all suites. */
	fprintf(out, " skipped=\"%zu\"", sums.skipped);
	if (started != NULL)
		attribute("timestamp", started, out);
	if (host != NULL)
		attribute("hostname", host, out);
	fputs(">\n    <properties>\n", out);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		property(members[i], run_record_word(record, members[i]), out);
	if (json_is_integer(seed)) {
		snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(seed));
		property("seed", number, out);
	}
	fputs("    </properties>\n", out);
	for (size_t i = first; i < end; i++)
		test_case(&results[i], out);
	fputs("  </testsuite>\n", out);
}

static void suites(const struct run_record *record, const struct results *results, FILE *out)
{
	for (size_t i = 0; i < results->count;) {
		size_t end = i + 1;

		while (end < results->count &&
		       strcmp(suite_of(&results->items[i]), suite_of(&results->items[end])) == 0)
			end++;
		suite(record, results->items, i, end, out);
		i = end;
	}
}

void report_junit(const struct run_record *record, FILE *out)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < record->results.count; i++)
		add(&record->results.items[i], &sums);
	for (size_t i = 0; i < record->missing.count; i++)
		add(&record->missing.items[i], &sums);
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"spillway\"", out);
	print_sums(&sums, out);
	fputs(">\n", out);
	suites(record, &record->results, out);
	suites(record, &record->missing, out);
	fputs("</testsuites>\n", out);
}
