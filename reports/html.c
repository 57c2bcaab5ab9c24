/*
 * The HTML report: one file that needs nothing else. What was run and what came of it is plain HTML
 * and reads without scripts; what a case holds is packed behind it and unpacked when it is opened.
 * Text of the record is escaped here or set as text by the script, and the page's policy lets no
 * other script run.
 */
#include "reports/report.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page_css.inc"
#include "page_js.inc"
#include "reports/html_private.h"
#include "reports/evidence.h"
#include "reports/page.h"
#include "reports/printable.h"

/* --- text
 * ----------------------------------------------------------------------------------------- */

/* For a table: the whole text is on the page of the case. */
static void put_short(const char *s, FILE *out)
{
	enum { SHORT = 400 };
	char buf[SHORT + 1];
	size_t len = s ? strlen(s) : 0, kept = SHORT;

	if (len <= SHORT) {
		html_text(s, out);
		return;
	}
	while (kept > 0 && ((unsigned char)s[kept] & 0xc0) == 0x80)
		kept--;
	memcpy(buf, s, kept);
	buf[kept] = '\0';
	html_text(buf, out);
	fprintf(out, " [and %zu octets more]", len - kept);
}

/* A fragment: what is not plain is percent-encoded. */
static void put_fragment(const char *s, FILE *out)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/";

	for (; *s; s++) {
		if (strchr(plain, *s))
			fputc(*s, out);
		else
			fprintf(out, "%%%02X", (unsigned int)(unsigned char)*s);
	}
}

static void put_policy(FILE *out)
{
	static const struct {
		const char *of;
		const char *text;
		size_t len;
	} parts[] = {
		{ "style-src", page_css, sizeof(page_css) },
		{ "script-src", page_js, sizeof(page_js) },
	};

	fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "base-uri 'none'; form-action 'none'",
	      out);
	for (size_t i = 0; i < 2; i++) {
		unsigned char digest[EVP_MAX_MD_SIZE], base64[2 * EVP_MAX_MD_SIZE];
		unsigned int len = 0;

		if (!EVP_Digest(parts[i].text, parts[i].len, digest, &len, EVP_sha256(), NULL))
			continue;
		EVP_EncodeBlock(base64, digest, (int)len);
		fprintf(out, "; %s 'sha256-%s'", parts[i].of, (const char *)base64);
	}
	fputs("\">\n", out);
}

/* --- names
 * ---------------------------------------------------------------------------------------- */

/*
 * What a link to the case ends with, and is unique in a run, with steering characters visible: the
 * same text in an attribute, as text, and percent-encoded. Cut at the end of out.
 */
static void key_of(const struct result *result, char *out, size_t size)
{
	FILE *stream = fmemopen(out, size, "w");

	out[0] = '\0';
	if (!stream)
		return;
	print_line(result->id, stream);
	if (result->repetition > 1)
		fprintf(stream, "@%u", result->repetition);
	fclose(stream);
	out[size - 1] = '\0';
}

static const char *or_dash(const char *s)
{
	return s && s[0] ? s : "\xe2\x80\x93";
}

static void put_verdict(const struct result *result, FILE *out)
{
	fprintf(out, "<span class=\"verdict %s\">%s</span>", verdict_name(result->verdict),
		result->verdict == VERDICT_NONE ? "not run" : verdict_name(result->verdict));
}

static void put_link(const struct result *result, FILE *out)
{
	char buf[1024];

	key_of(result, buf, sizeof(buf));
	fputs("<a class=\"id\" href=\"#", out);
	put_fragment(buf, out);
	fputs("\">", out);
	put_short(buf, out);
	fputs("</a>", out);
}

/* "24.501" of "24.501 5.3.9 a" */
static size_t specification_len(const char *clause)
{
	size_t len = strcspn(clause, " ");

	return len < 32 ? len : 0;
}

static void put_specification(const struct result *result, FILE *out)
{
	const char *clause = result->clause ? result->clause : "";
	char buf[32];

	snprintf(buf, sizeof(buf), "%.*s", (int)specification_len(clause), clause);
	html_text(buf, out);
}

/* --- the first view
 * ------------------------------------------------------------------------------- */

static void put_fact(const char *name, const char *value, FILE *out)
{
	if (!value)
		return;
	fprintf(out, "<dt>%s</dt><dd>", name);
	put_short(value, out);
	fputs("</dd>\n", out);
}

static void put_facts(const struct run_record *record, FILE *out)
{
	static const struct {
		const char *name, *member;
	} facts[] = {
		{ "IUT", "iut" },	   { "role", "role" },	   { "profile", "profile" },
		{ "spillway", "version" }, { "commit", "commit" }, { "mode", "mode" },
		{ "should", "should" },	   { "host", "host" },	   { "started", "started" },
		{ "ended", "ended" },
	};
	const json_t *seed = json_object_get(record->run, "seed");
	char number[32];

	fputs("<dl class=\"facts\">\n", out);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		put_fact(facts[i].name, run_record_word(record, facts[i].member), out);
	if (json_is_integer(seed)) {
		snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(seed));
		put_fact("seed", number, out);
	}
	fputs("</dl>\n", out);
}

static void put_sums(const struct run_counts *counts, FILE *out)
{
	static const enum verdict verdicts[] = {
		VERDICT_PASS, VERDICT_FAIL, VERDICT_INCONC, VERDICT_ERROR, VERDICT_NA,
	};
	const struct {
		size_t n;
		const char *text;
	} others[] = {
		{ counts->warnings, "warnings" },
		{ counts->expected_failures, "failed as the baseline says" },
		{ counts->stale, "passed against the baseline" },
		{ counts->not_run, "not run" },
		{ counts->too_long, "left out (--max-duration)" },
	};

	fputs("<ul class=\"sums\" aria-label=\"Verdicts\">\n", out);
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		fprintf(out, "<li class=\"%s\"><b>%zu</b> %s</li>\n",
			counts->verdict[verdicts[i]] ? verdict_name(verdicts[i]) : "na",
			counts->verdict[verdicts[i]], verdict_name(verdicts[i]));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i].n > 0 || i == 0)
			fprintf(out, "<li><b>%zu</b> %s</li>\n", others[i].n, others[i].text);
	fputs("</ul>\n", out);
}

static void put_notice(const char *text, FILE *out)
{
	fputs("<p class=\"notice\">", out);
	html_text(text, out);
	fputs("</p>\n", out);
}

static bool evidence_is_there(const struct run_record *record, const struct result *result)
{
	char path[4096];

	return evidence_path(record->dir, result->evidence, "events.jsonl", path, sizeof(path)) &&
	       access(path, R_OK) == 0;
}

static void put_missing_evidence(const struct run_record *record, FILE *out)
{
	size_t missing = 0;
	const char *first = NULL;
	char buf[1024];
	struct text text;

	for (size_t i = 0; i < record->results.count; i++) {
		const struct result *result = &record->results.items[i];

		if (!result->evidence || evidence_is_there(record, result))
			continue;
		missing++;
		first = first ? first : result->id;
	}
	if (missing == 0)
		return;
	text_init(&text, buf, sizeof(buf));
	text_printf(&text, "The events of %zu case%s are missing from the record: %s%s", missing,
		    missing == 1 ? "" : "s", first, missing > 1 ? " and others" : "");
	put_notice(buf, out);
}

static void put_notices(const struct run_record *record, FILE *out)
{
	const char *error = run_record_word(record, "not_put_back");
	char buf[2048];
	struct text text;

	text_init(&text, buf, sizeof(buf));
	if (record->incomplete) {
		report_incomplete(record, &text);
		put_notice(buf, out);
	}
	if (record->results.torn > 0) {
		text_init(&text, buf, sizeof(buf));
		text_printf(&text, "%zu line%s of results.jsonl %s no result and %s passed over.",
			    record->results.torn, record->results.torn == 1 ? "" : "s",
			    record->results.torn == 1 ? "is" : "are",
			    record->results.torn == 1 ? "was" : "were");
		put_notice(buf, out);
	}
	put_missing_evidence(record, out);
	if (json_integer_value(json_object_get(record->run, "record_version")) >
	    RUN_RECORD_VERSION) {
		text_init(&text, buf, sizeof(buf));
		text_puts(&text,
			  "The record is of a newer version of spillway than this report: what "
			  "this one does not know is left out.");
		put_notice(buf, out);
	}
	if (error)
		put_notice(error, out);
}

/* --- requirements
 * --------------------------------------------------------------------------------- */

static const char *clause_of(const struct result *result)
{
	return result->clause ? result->clause : "";
}

static const char *requirement_of(const struct result *result)
{
	return result->requirement ? result->requirement : "";
}

static int by_clause(const void *a, const void *b)
{
	const struct result *x = *(const struct result *const *)a;
	const struct result *y = *(const struct result *const *)b;
	int order = strverscmp(clause_of(x), clause_of(y));

	if (order == 0)
		order = strverscmp(requirement_of(x), requirement_of(y));
	return order ? order : strverscmp(x->id, y->id);
}

static void put_requirement(const struct result *const *results, size_t count, FILE *out)
{
	fputs("<tr><td>", out);
	put_short(clause_of(results[0]), out);
	fputs("</td><th scope=\"row\">", out);
	put_short(requirement_of(results[0]), out);
	fputs("</th><td class=\"wide\">", out);
	put_short(or_dash(results[0]->strength), out);
	fputs("</td><td>", out);
	for (size_t i = 0; i < count; i++) {
		put_link(results[i], out);
		fputc(' ', out);
		put_verdict(results[i], out);
		if (results[i]->warning_count > 0)
			fprintf(out, " (%zu warning%s)", results[i]->warning_count,
				results[i]->warning_count == 1 ? "" : "s");
		fputs(i + 1 < count ? "<br>" : "", out);
	}
	fputs("</td></tr>\n", out);
}

static void put_not_tested(const struct run_record *record, FILE *out)
{
	const json_t *rows = json_object_get(record->run, "not_tested");

	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);

		fputs("<tr><td>", out);
		html_text(or_dash(NULL), out);
		fputs("</td><th scope=\"row\">", out);
		html_text(json_string_value(json_object_get(row, "requirement")), out);
		fputs("</th><td class=\"wide\">", out);
		html_text(or_dash(NULL), out);
		fputs("</td><td><span class=\"verdict na\">not tested</span> by ", out);
		html_text(json_string_value(json_object_get(row, "suite")), out);
		fputs(": ", out);
		put_short(json_string_value(json_object_get(row, "reason")), out);
		fputs("</td></tr>\n", out);
	}
}

static int put_coverage(const struct run_record *record, FILE *out)
{
	size_t count = record->results.count;
	const struct result **sorted = calloc(count + 1, sizeof(struct result *));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &record->results.items[i];
	qsort(sorted, count, sizeof(struct result *), by_clause);
	fputs("<h2 id=\"requirements\">Requirements</h2>\n<div class=\"table\"><table "
	      "id=\"coverage\">\n"
	      "<caption>Every requirement of the catalogue for what was run, by clause, with its "
	      "cases</caption>\n<thead><tr><th scope=\"col\">Clause</th><th "
	      "scope=\"col\">Requirement</th><th scope=\"col\" class=\"wide\">Strength</th><th "
	      "scope=\"col\">Cases and verdicts</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < count;) {
		size_t end = i + 1;

		while (end < count && strcmp(clause_of(sorted[i]), clause_of(sorted[end])) == 0 &&
		       strcmp(requirement_of(sorted[i]), requirement_of(sorted[end])) == 0)
			end++;
		put_requirement(&sorted[i], end - i, out);
		i = end;
	}
	put_not_tested(record, out);
	fputs("</tbody></table></div>\n", out);
	free(sorted);
	return 0;
}

/* --- cases
 * ---------------------------------------------------------------------------------------- */

static void put_row(const struct result *result, const char *group, size_t number, FILE *out)
{
	char buf[1024];

	key_of(result, buf, sizeof(buf));
	fputs("<tr data-id=\"", out);
	html_text(result->id, out);
	fputs("\" data-key=\"", out);
	html_text(buf, out);
	fprintf(out,
		"\" data-verdict=\"%s\" data-warnings=\"%zu\" data-pack=\"%s%zu\" data-spec=\"",
		verdict_name(result->verdict), result->warning_count, group, number);
	put_specification(result, out);
	fputs("\"><td>", out);
	put_verdict(result, out);
	fputs("</td><td>", out);
	put_link(result, out);
	fputs("</td><td class=\"wide\">", out);
	put_short(clause_of(result), out);
	fputs("</td><td class=\"wide\"><div>", out);
	put_short(result->purpose, out);
	fputs("</div></td><td><div>", out);
	put_short(result->reason, out);
	for (size_t i = 0; i < result->warning_count; i++) {
		fputs("<br>warning: ", out);
		put_short(result->warnings[i], out);
	}
	fputs("</div></td></tr>\n", out);
}

static int compare_words(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* The specifications that the cases are about, as choices. */
static int put_choices(const struct run_record *record, FILE *out)
{
	size_t count = record->results.count;
	char **words = calloc(count + 1, sizeof(*words));

	if (!words)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const char *clause = clause_of(&record->results.items[i]);

		words[i] = strndup(clause, specification_len(clause));
		if (!words[i])
			count = i; /* fewer choices */
	}
	qsort(words, count, sizeof(*words), compare_words);
	for (size_t i = 0; i < count; i++) {
		if (words[i][0] == '\0' || (i > 0 && strcmp(words[i], words[i - 1]) == 0))
			continue;
		fputs("<option value=\"", out);
		html_text(words[i], out);
		fputs("\">", out);
		html_text(words[i], out);
		fputs("</option>", out);
	}
	for (size_t i = 0; i < count; i++)
		free(words[i]);
	free(words);
	return 0;
}

static int put_filters(const struct run_record *record, FILE *out)
{
	int rc;

	fputs("<div class=\"filters\" role=\"search\" aria-label=\"Cases\">\n"
	      "<label for=\"filter-verdict\">Verdict<select id=\"filter-verdict\"><option "
	      "value=\"\">any</option><option>fail</option><option>error</option><option>inconc</"
	      "option>"
	      "<option value=\"warning\">with a "
	      "warning</option><option>pass</option><option>na</option>"
	      "<option value=\"none\">not run</option></select></label>\n"
	      "<label for=\"filter-clause\">Specification<select id=\"filter-clause\"><option "
	      "value=\"\">any</option>",
	      out);
	rc = put_choices(record, out);
	fputs("</select></label>\n<label for=\"filter-text\">Text<input type=\"search\" "
	      "id=\"filter-text\" autocomplete=\"off\"></label>\n<span id=\"filter-count\" "
	      "aria-live=\"polite\"></span>\n</div>\n",
	      out);
	return rc;
}

static int put_cases(const struct run_record *record, FILE *out)
{
	int rc;

	fputs("<h2 id=\"list\">Cases</h2>\n", out);
	rc = put_filters(record, out);
	fputs("<div class=\"table\"><table id=\"cases\">\n<thead><tr><th "
	      "scope=\"col\">Verdict</th><th "
	      "scope=\"col\">Case</th><th scope=\"col\" class=\"wide\">Clause</th><th "
	      "scope=\"col\" "
	      "class=\"wide\">Purpose</th><th scope=\"col\">Reason</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < record->results.count; i++)
		put_row(&record->results.items[i], "c", i, out);
	for (size_t i = 0; i < record->missing.count; i++)
		put_row(&record->missing.items[i], "m", i, out);
	fputs("</tbody></table></div>\n<article id=\"case\" tabindex=\"-1\" aria-label=\"The case "
	      "chosen\" "
	      "hidden></article>\n",
	      out);
	return rc;
}

static int put_packs(const struct run_record *record, const struct results *results,
		     const char *group, FILE *out)
{
	int rc = 0;

	for (size_t i = 0; i < results->count && rc == 0; i++) {
		fprintf(out, "<script type=\"application/octet-stream\" id=\"%s%zu\">", group, i);
		rc = html_pack_case(record, &results->items[i], out);
		fputs("</script>\n", out);
	}
	return rc;
}

int report_html(const struct run_record *record, FILE *out)
{
	const char *iut = run_record_word(record, "iut");
	int rc;

	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
	put_policy(out);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
	      out);
	html_text(iut ? iut : "spillway", out);
	fprintf(out, ": %zu fail, %zu pass</title>\n<style>", record->counts.verdict[VERDICT_FAIL],
		record->counts.verdict[VERDICT_PASS]);
	fwrite(page_css, 1, sizeof(page_css), out);
	fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#list\">To the cases</a>\n"
	      "<main>\n<h1>Overload control: ",
	      out);
	html_text(iut ? iut : "a run", out);
	fputs("</h1>\n", out);
	put_sums(&record->counts, out);
	put_notices(record, out);
	put_facts(record, out);
	rc = put_cases(record, out);
	if (rc == 0)
		rc = put_coverage(record, out);
	fputs("</main>\n", out);
	if (rc == 0)
		rc = put_packs(record, &record->results, "c", out);
	if (rc == 0)
		rc = put_packs(record, &record->missing, "m", out);
	fputs("<script>", out);
	fwrite(page_js, 1, sizeof(page_js), out);
	fputs("</script>\n</body>\n</html>\n", out);
	return rc;
}
