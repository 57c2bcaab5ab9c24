#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml.h>

#include "reports/printable.h"
#include "reports/report.h"

/* Everything that breaks a document or steers a terminal, in one string. */
#define HOSTILE                                                                       \
	"]]> </failure> <!-- & \" ' \\ # SKIP - ... \x01\x02\x1b[31m\x07\x7f\xc2\x9b" \
	"31m\t\r\n---\n\xe2\x80\xae\xef\xbf\xbf\xef\xbf\xbe \xc3\xa9\xf0\x9f\x98\x80 %s%n"

static char root[64];
static char buf[2048];

static const char *inside(const char *name)
{
	static char paths[64][256];
	static unsigned int next;
	char *path = paths[next++ % 64];

	snprintf(path, sizeof(paths[0]), "%s/%s", root, name);
	return path;
}

static void write_file(const char *path, const char *data, const char *mode)
{
	FILE *file = fopen(path, mode);

	ck_assert_ptr_nonnull(file);
	fputs(data, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void add_result(const char *dir, const struct result *result)
{
	char path[512];
	char *line = result_print(result);

	ck_assert_ptr_nonnull(line);
	snprintf(path, sizeof(path), "%s/results.jsonl", dir);
	write_file(path, line, "a");
	write_file(path, "\n", "a");
	free(line);
}

static char *hostile_words[] = { (char *)(uintptr_t)HOSTILE };

static void add_verdict(const char *dir, const char *id, enum verdict verdict, bool hostile)
{
	const char *text = hostile ? HOSTILE : "a plain reason";
	struct result result = {
		.id = (char *)(uintptr_t)id,
		.suite = (char *)(uintptr_t)(hostile ? HOSTILE : "demo"),
		.requirement = (char *)(uintptr_t) "N1-A-02",
		.clause = (char *)(uintptr_t) "24.501 5.3.9 a",
		.strength = (char *)(uintptr_t) "should",
		.verdict = verdict,
		.reason = (char *)(uintptr_t)text,
		.detail = (char *)(uintptr_t)(hostile ? HOSTILE : "expected 1\nreceived 2"),
		.ladder = (char *)(uintptr_t)(hostile ? HOSTILE : "gnb1 -> amf NG SETUP REQUEST"),
		.repro = (char *)(uintptr_t) "spillway run X --seed 1",
		.seed = 1,
		.repetition = 1,
		.wall_ms = 12,
	};

	if (hostile) {
		result.warnings = hostile_words;
		result.warning_count = 1;
		result.notes = hostile_words;
		result.note_count = 1;
	}
	add_result(dir, &result);
}

static void make_record(const char *dir)
{
	char path[512];

	ck_assert_int_eq(mkdir(dir, 0777), 0);
	snprintf(path, sizeof(path), "%s/run.json", dir);
	write_file(
		path,
		"{\"version\":\"0.1.0\",\"profile\":\"builtin\",\"seed\":1,\"host\":\"h<\\u0001>\","
		"\"started\":\"2026-11-30T10:00:00Z\",\"ended\":\"2026-11-30T10:00:05Z\"}",
		"w");
}

static void every_verdict(const char *dir, bool hostile)
{
	add_verdict(dir, "TP/A/01", VERDICT_PASS, hostile);
	add_verdict(dir, "TP/A/02", VERDICT_FAIL, hostile);
	add_verdict(dir, "TP/A/03", VERDICT_INCONC, hostile);
	add_verdict(dir, "TP/A/04", VERDICT_ERROR, hostile);
	add_verdict(dir, "TP/A/05", VERDICT_NA, hostile);
}

typedef void renderer(const struct run_record *record, FILE *out);

static char *render(const char *dir, renderer *print)
{
	struct run_record record;
	struct text why;
	char *out = NULL;
	size_t size = 0;
	FILE *stream;

	text_init(&why, buf, sizeof(buf));
	ck_assert_msg(run_record_read(dir, &record, &why) == 0, "%s", buf);
	stream = open_memstream(&out, &size);
	ck_assert_ptr_nonnull(stream);
	print(&record, stream);
	ck_assert_int_eq(fclose(stream), 0);
	run_record_clear(&record);
	return out;
}

static size_t occurrences(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, what)) != NULL; p += strlen(what))
		n++;
	return n;
}

static void no_steering(const char *text)
{
	for (uint32_t c; (c = utf8_next(&text)) != 0;)
		ck_assert_msg(c == '\n' || !is_steering(c), "U+%04x came through", (unsigned)c);
}

static void setup(void)
{
	strcpy(root, "/tmp/spillway-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

static void xml_is_well_formed(const char *xml)
{
	char command[512];

	write_file(inside("junit.xml"), xml, "w");
	snprintf(command, sizeof(command),
		 "xmllint --noout --schema %s/reports/schema/junit.xsd %s",
		 getenv("SPILLWAY_SOURCE_DIR"), inside("junit.xml"));
	ck_assert_msg(system(command) == 0, "xmllint refuses:\n%s", xml);
}

START_TEST(junit_tells_the_verdicts_apart)
{
	const char *dir = inside("r");
	char *xml;

	make_record(dir);
	every_verdict(dir, false);
	xml = render(dir, report_junit);
	xml_is_well_formed(xml);
	ck_assert_ptr_nonnull(strstr(xml, "tests=\"5\" failures=\"1\" errors=\"2\" "));
	ck_assert_ptr_nonnull(
		strstr(xml, "<failure type=\"fail\" message=\"fail: a plain reason\">"));
	ck_assert_ptr_nonnull(strstr(xml, "<error type=\"inconc\" message=\"inconc: "));
	ck_assert_ptr_nonnull(strstr(xml, "<error type=\"error\" message=\"error: "));
	ck_assert_ptr_nonnull(strstr(xml, "<skipped message=\"na: "));
	ck_assert_ptr_nonnull(strstr(xml, "clause: 24.501 5.3.9 a"));
	ck_assert_ptr_nonnull(strstr(xml, "expected 1\nreceived 2"));
	ck_assert_ptr_nonnull(strstr(xml, "last messages:\ngnb1 -&gt; amf NG SETUP REQUEST"));
	ck_assert_ptr_nonnull(strstr(xml, "time=\"0.012\""));
	ck_assert_ptr_nonnull(strstr(xml, "timestamp=\"2026-11-30T10:00:00Z\""));
	ck_assert_uint_eq(occurrences(xml, "<testcase "), 5);
	free(xml);
}
END_TEST

/* Every diagnostic block is one YAML document with one mapping. */
static void diagnostics_are_yaml(const char *tap)
{
	for (const char *begin = tap; (begin = strstr(begin, "\n  ---\n")) != NULL;) {
		const char *end;
		yaml_parser_t parser;
		yaml_document_t document;

		begin += strlen("\n  ---\n");
		end = strstr(begin, "\n  ...\n");
		ck_assert_ptr_nonnull(end);
		ck_assert_int_eq(yaml_parser_initialize(&parser), 1);
		yaml_parser_set_input_string(&parser, (const unsigned char *)begin,
					     (size_t)(end - begin + 1));
		ck_assert_msg(yaml_parser_load(&parser, &document) == 1, "%s at line %zu:\n%.*s",
			      parser.problem, parser.problem_mark.line, (int)(end - begin), begin);
		ck_assert_int_eq(yaml_document_get_root_node(&document)->type, YAML_MAPPING_NODE);
		yaml_document_delete(&document);
		yaml_parser_delete(&parser);
	}
}

START_TEST(tap_tells_the_verdicts_apart)
{
	const char *dir = inside("r");
	char *tap;

	make_record(dir);
	every_verdict(dir, false);
	tap = render(dir, report_tap);
	ck_assert_int_eq(strncmp(tap, "TAP version 14\n1..5\nok 1 - TP/A/01\n", 35), 0);
	ck_assert_ptr_nonnull(
		strstr(tap, "\nnot ok 2 - TP/A/02 (fail)\n  ---\n  verdict: \"fail\""));
	ck_assert_ptr_nonnull(strstr(tap, "\nnot ok 3 - TP/A/03 (inconc)\n"));
	ck_assert_ptr_nonnull(strstr(tap, "\nnot ok 4 - TP/A/04 (error)\n"));
	ck_assert_ptr_nonnull(strstr(tap, "\nok 5 - TP/A/05 (na) # SKIP a plain reason\n"));
	ck_assert_uint_eq(occurrences(tap, "\n  ---\n"), occurrences(tap, "\n  ...\n"));
	ck_assert_ptr_nonnull(
		strstr(tap, "  detail:\n    - \"expected 1\"\n    - \"received 2\"\n"));
	diagnostics_are_yaml(tap);
	free(tap);
}
END_TEST

START_TEST(text_and_json_hold_everything)
{
	const char *dir = inside("r");
	json_t *json;
	char *out;

	make_record(dir);
	every_verdict(dir, false);
	out = render(dir, report_text);
	ck_assert_ptr_nonnull(strstr(out, "5 cases: 1 pass, 1 fail, 1 inconc, 1 error, 1 na"));
	ck_assert_ptr_nonnull(strstr(out, "    received 2\n"));
	ck_assert_ptr_nonnull(strstr(out, "repeat       spillway run X --seed 1"));
	ck_assert_str_eq(strrchr(out, 'w'), "warnings: 0\n");
	free(out);
	out = render(dir, report_json);
	json = json_loads(out, 0, NULL);
	ck_assert_ptr_nonnull(json);
	ck_assert_uint_eq(json_array_size(json_object_get(json, "cases")), 5);
	ck_assert_int_eq(
		json_integer_value(json_object_get(json_object_get(json, "counts"), "inconc")), 1);
	ck_assert_ptr_null(strstr(out, "\": "));
	json_decref(json);
	free(out);
}
END_TEST

/* Test points with a directive: a "#" that no "\\" stands before. */
static size_t directives(const char *tap)
{
	size_t n = 0;

	for (const char *line = tap; line != NULL; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, "ok ", 3) != 0 && strncmp(line, "not ok ", 7) != 0)
			continue;
		for (const char *p = line; *p != '\0' && *p != '\n'; p++) {
			if (*p == '\\' && p[1] != '\0')
				p++;
			else if (*p == '#')
				n++;
		}
	}
	return n;
}

START_TEST(hostile_text_breaks_no_format)
{
	static renderer *const renderers[] = { report_junit, report_tap, report_text };
	const char *dir = inside("r");
	char *out;
	json_t *json;

	make_record(dir);
	every_verdict(dir, true);
	add_verdict(dir, HOSTILE, VERDICT_FAIL, true);
	for (size_t i = 0; i < 3; i++) {
		out = render(dir, renderers[i]);
		no_steering(out);
		free(out);
	}
	out = render(dir, report_junit);
	xml_is_well_formed(out);
	ck_assert_uint_eq(occurrences(out, "<testcase "), 6);
	ck_assert_uint_eq(occurrences(out, "</failure>"), 2);
	free(out);
	out = render(dir, report_tap);
	/* One line a test point, and nothing of a reason is taken for a directive. */
	ck_assert_uint_eq(occurrences(out, "\nok ") + occurrences(out, "\nnot ok "), 6);
	ck_assert_uint_eq(directives(out), 1);
	ck_assert_uint_eq(occurrences(out, "\n  ...\n"), 6);
	diagnostics_are_yaml(out);
	free(out);
	out = render(dir, report_json);
	json = json_loads(out, 0, NULL);
	ck_assert_ptr_nonnull(json);
	json_decref(json);
	free(out);
}
END_TEST

START_TEST(a_killed_run_still_reports)
{
	const char *dir = inside("r");
	char *out;

	make_record(dir);
	ck_assert_int_eq(unlink(inside("r/run.json")), 0);
	add_verdict(dir, "TP/A/01", VERDICT_PASS, false);
	write_file(inside("r/results.jsonl"), "not json\n{\"id\":5}\n", "a");
	add_verdict(dir, "TP/A/02", VERDICT_FAIL, false);
	write_file(inside("r/results.jsonl"), "{\"id\":\"TP/A/03\",\"verd", "a");
	out = render(dir, report_text);
	ck_assert_ptr_nonnull(strstr(out, "2 cases: 1 pass, 1 fail"));
	ck_assert_ptr_nonnull(strstr(out, "3 torn lines of results.jsonl passed over"));
	free(out);
	out = render(dir, report_junit);
	xml_is_well_formed(out);
	free(out);
	write_file(inside("r/run.json"), "{\"version\":", "w");
	out = render(dir, report_json);
	ck_assert_ptr_nonnull(strstr(out, "{\"run\":{},"));
	free(out);
}
END_TEST

static const char run_cut_short[] =
	"{\"version\":\"0.1.0\",\"repeat\":1,\"shards\":1,\"ended\":null,"
	"\"counts\":{\"selected\":3,\"finished\":0},"
	"\"cases\":{\"demo\":[\"TP/A/01\",\"TP/A/02\",\"TP/A/\\u001b03\"]},"
	"\"left_out\":{\"demo\":[\"TP/A/04\",\"TP/A/01\"]}}";

START_TEST(what_was_not_run_is_in_every_report)
{
	const char *dir = inside("r");
	char *out;

	make_record(dir);
	write_file(inside("r/run.json"), run_cut_short, "w");
	add_verdict(dir, "TP/A/01", VERDICT_PASS, false);
	out = render(dir, report_text);
	ck_assert_msg(strncmp(out,
			      "incomplete: 1 of 3 cases are finished; the end of the run: the run "
			      "was killed, or still goes on\n",
			      88) == 0,
		      "%s", out);
	ck_assert_ptr_nonnull(strstr(out, "\nnot run TP/A/02  "));
	ck_assert_ptr_nonnull(strstr(out, "\nnot run TP/A/\\x1b03  "));
	ck_assert_ptr_nonnull(strstr(out, "\nleft out TP/A/04  "));
	ck_assert_ptr_nonnull(strstr(out, "1 left out (--max-duration), 2 not run\n"));
	no_steering(out);
	free(out);
	out = render(dir, report_junit);
	xml_is_well_formed(out);
	ck_assert_ptr_nonnull(strstr(out,
				     "<testsuites name=\"spillway\" tests=\"5\" failures=\"0\" "
				     "errors=\"3\" "));
	ck_assert_uint_eq(occurrences(out, "<error type=\"not-run\""), 3);
	ck_assert_uint_eq(occurrences(out, "<skipped message=\"na: left out"), 1);
	free(out);
	out = render(dir, report_tap);
	ck_assert_ptr_nonnull(strstr(out, "\n1..5\n"));
	ck_assert_uint_eq(occurrences(out, "\nnot ok "), 3);
	ck_assert_ptr_nonnull(strstr(out, "TP/A/02 (not run)\n"));
	ck_assert_uint_eq(directives(out), 1);
	diagnostics_are_yaml(out);
	free(out);
	out = render(dir, report_json);
	ck_assert_ptr_nonnull(strstr(out, "\"incomplete\":true"));
	ck_assert_ptr_nonnull(strstr(out, "\"not_run\":2"));
	free(out);
}
END_TEST

START_TEST(an_iut_not_put_back_is_an_error)
{
	const char *dir = inside("r");
	char *out;

	make_record(dir);
	add_verdict(dir, "TP/A/01", VERDICT_PASS, false);
	out = render(dir, report_text);
	ck_assert_ptr_null(strstr(out, "incomplete"));
	free(out);
	write_file(inside("r/run.json"), "{\"not_put_back\":\"exit status is 1\"}", "w");
	out = render(dir, report_text);
	ck_assert_msg(strncmp(out, "error   the IUT put back  exit status is 1\n", 43) == 0, "%s",
		      out);
	free(out);
	out = render(dir, report_junit);
	ck_assert_ptr_nonnull(strstr(out, "errors=\"1\""));
	free(out);
}
END_TEST

START_TEST(a_list_without_end_is_bounded)
{
	const char *dir = inside("r");
	struct run_record record;
	struct text why;

	make_record(dir);
	add_verdict(dir, "TP/A/01", VERDICT_PASS, false);
	write_file(inside("r/run.json"),
		   "{\"repeat\":9000000000000000000,\"cases\":{\"x\":[\"A\",5,null],\"y\":7}}",
		   "w");
	text_init(&why, buf, sizeof(buf));
	ck_assert_int_eq(run_record_read(dir, &record, &why), 0);
	ck_assert_uint_le(record.missing.count, 200001);
	ck_assert(record.incomplete);
	run_record_clear(&record);
	/* Nothing to be missed: no reason to go round. */
	write_file(inside("r/run.json"), "{\"repeat\":9000000000000000000,\"cases\":{\"x\":[]}}",
		   "w");
	ck_assert_int_eq(run_record_read(dir, &record, &why), 0);
	ck_assert(!record.incomplete);
	run_record_clear(&record);
}
END_TEST

static void make_part(const char *name, unsigned int shard, const char *digest)
{
	const char *dir = inside(name);
	char path[512], run[512];

	make_record(dir);
	snprintf(path, sizeof(path), "%s/run.json", dir);
	snprintf(run, sizeof(run),
		 "{\"profile_digest\":\"%s\",\"repeat\":1,\"shard\":%u,\"shards\":3,\"ended\":"
		 "\"x\",\"cases\":{\"demo\":[\"TP/A/0%u\"]}}",
		 digest, shard, shard);
	write_file(path, run, "w");
	snprintf(path, sizeof(path), "TP/A/0%u", shard);
	add_verdict(dir, path, VERDICT_PASS, false);
}

START_TEST(a_part_that_is_missing_is_named)
{
	const char *parts[2];
	struct run_record record;
	struct text why;
	char *out;

	make_part("a", 1, "1");
	make_part("b", 3, "1");
	make_part("c", 2, "1");
	make_part("d", 2, "2");
	parts[0] = inside("a");
	parts[1] = inside("b");
	text_init(&why, buf, sizeof(buf));
	ck_assert_msg(report_merge(parts, 2, inside("m"), &why) == 0, "%s", buf);
	out = render(inside("m"), report_text);
	ck_assert_ptr_nonnull(strstr(out, "part 2 of 3: this part was not merged"));
	ck_assert_ptr_nonnull(strstr(out, "incomplete: 2 of 2"));
	free(out);
	/* The rest may come later. */
	parts[0] = inside("m");
	parts[1] = inside("c");
	text_init(&why, buf, sizeof(buf));
	ck_assert_msg(report_merge(parts, 2, inside("m2"), &why) == 0, "%s", buf);
	ck_assert_int_eq(run_record_read(inside("m2"), &record, &why), 0);
	ck_assert_uint_eq(record.results.count, 3);
	ck_assert(!record.incomplete);
	run_record_clear(&record);
	/* Another profile: no part of it. */
	parts[1] = inside("d");
	text_init(&why, buf, sizeof(buf));
	ck_assert_int_eq(report_merge(parts, 2, inside("m3"), &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(buf, "not parts of one run: profile_digest"));
	ck_assert_int_ne(access(inside("m3"), F_OK), 0);
}
END_TEST

START_TEST(a_crash_gets_its_ladder_from_the_events)
{
	const char *dir = inside("r");
	struct result result = {
		.id = (char *)(uintptr_t) "TP/A/01",
		.verdict = VERDICT_ERROR,
		.reason = (char *)(uintptr_t) "crashed",
		.evidence = (char *)(uintptr_t) "cases/TP/A/01",
		.seed = 1,
		.repetition = 1,
	};
	const char *events = inside("r/cases/TP/A/01/events.jsonl");
	char *out;

	make_record(dir);
	ck_assert_int_eq(mkdir(inside("r/cases"), 0777), 0);
	ck_assert_int_eq(mkdir(inside("r/cases/TP"), 0777), 0);
	ck_assert_int_eq(mkdir(inside("r/cases/TP/A"), 0777), 0);
	ck_assert_int_eq(mkdir(inside("r/cases/TP/A/01"), 0777), 0);
	for (unsigned int i = 0; i < 100; i++) {
		snprintf(buf, sizeof(buf),
			 "{\"t_us\":%u,\"kind\":\"message\",\"link\":\"gnb1\",\"dir\":\"sent\","
			 "\"proto\":\"ngap\",\"summary\":\"message %u \\u001b[2J\"}\n",
			 i * 1000000, i);
		write_file(events, buf, "a");
	}
	write_file(events,
		   "{\"t_us\":100000001,\"kind\":\"control\",\"action\":\"reset\","
		   "\"outcome\":\"done\"}\n"
		   "{\"t_us\":100000002,\"kind\":\"timer\",\"owner\":\"ue1\",\"timer\":\"T3346\","
		   "\"what\":\"given\",\"us\":60000000}\n{\"t_us\":1,\"li",
		   "a");
	add_result(dir, &result);
	result.id = (char *)(uintptr_t) "TP/A/02";
	result.evidence = (char *)(uintptr_t) "cases/../../r/cases/TP/A/01";
	add_result(dir, &result);
	out = render(dir, report_text);
	ck_assert_uint_eq(occurrences(out, "100.000001  control  reset: done"), 1);
	ck_assert_uint_eq(occurrences(out, "100.000002  ue1  timer  T3346 given (60.000 s)"), 1);
	ck_assert_uint_eq(occurrences(out, "99.000000  gnb1 --> ngap  message 99 \\x1b[2J"), 1);
	ck_assert_ptr_null(strstr(out, "message 70 "));
	free(out);
}
END_TEST

START_TEST(what_is_no_record_is_refused)
{
	struct run_record record;
	struct text why;

	text_init(&why, buf, sizeof(buf));
	ck_assert_int_eq(run_record_read(inside("missing"), &record, &why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(buf, "missing"));
	text_init(&why, buf, sizeof(buf));
	ck_assert_int_eq(run_record_read(root, &record, &why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(buf, "no run record"));
	/* A description without a journal, and a journal of which nothing is left. */
	make_record(inside("r"));
	text_init(&why, buf, sizeof(buf));
	ck_assert_int_eq(run_record_read(inside("r"), &record, &why), -ENOENT);
	write_file(inside("r/results.jsonl"), "{\"id\":\"TP/A", "w");
	ck_assert_int_eq(run_record_read(inside("r"), &record, &why), -EBADMSG);
	write_file(inside("file"), "x", "w");
	text_init(&why, buf, sizeof(buf));
	ck_assert_int_eq(run_record_read(inside("file"), &record, &why), -ENOTDIR);
}
END_TEST

START_TEST(a_verdict_never_improves_by_being_repeated)
{
	const char *dir = inside("r");
	char *out;

	make_record(dir);
	add_verdict(dir, "TP/A/01", VERDICT_FAIL, false);
	add_verdict(dir, "TP/A/01", VERDICT_PASS, false);
	add_verdict(dir, "TP/A/02", VERDICT_NA, false);
	add_verdict(dir, "TP/A/02", VERDICT_PASS, false);
	out = render(dir, report_text);
	ck_assert_ptr_nonnull(strstr(out, "2 cases: 1 pass, 1 fail, 0 inconc, 0 error, 0 na"));
	free(out);
}
END_TEST

START_TEST(merge_joins_results_and_evidence)
{
	const char *parts[2];
	struct run_record record;
	struct text why;

	parts[0] = inside("a");
	make_record(parts[0]);
	add_verdict(parts[0], "TP/A/01", VERDICT_PASS, false);
	add_verdict(parts[0], "TP/A/02", VERDICT_PASS, false);
	parts[1] = inside("b");
	make_record(parts[1]);
	add_verdict(parts[1], "TP/A/02", VERDICT_FAIL, false);
	add_verdict(parts[1], "TP/A/03", VERDICT_INCONC, false);
	write_file(inside("b/run.json"),
		   "{\"version\":\"0.1.0\",\"seed\":2,\"started\":\"2026-11-30T09:00:00Z\","
		   "\"ended\":\"2026-11-30T11:00:00Z\"}",
		   "w");
	ck_assert_int_eq(mkdir(inside("b/cases"), 0777), 0);
	ck_assert_int_eq(mkdir(inside("b/cases/TP"), 0777), 0);
	write_file(inside("b/cases/TP/log.txt"), "hello\n", "w");
	ck_assert_int_eq(symlink("/etc/passwd", inside("b/cases/TP/trap")), 0);

	text_init(&why, buf, sizeof(buf));
	ck_assert_msg(report_merge(parts, 2, inside("m"), &why) == 0, "%s", buf);
	ck_assert_ptr_nonnull(strstr(buf, "seed differs"));
	text_init(&why, buf, sizeof(buf));
	ck_assert_int_eq(run_record_read(inside("m"), &record, &why), 0);
	ck_assert_uint_eq(record.results.count, 3);
	ck_assert_uint_eq(record.counts.verdict[VERDICT_FAIL], 1);
	ck_assert_str_eq(run_record_word(&record, "version"), "0.1.0");
	ck_assert_str_eq(run_record_word(&record, "started"), "2026-11-30T09:00:00Z");
	ck_assert_str_eq(run_record_word(&record, "ended"), "2026-11-30T11:00:00Z");
	ck_assert(json_is_null(json_object_get(record.run, "seed")));
	run_record_clear(&record);
	ck_assert_int_eq(access(inside("m/cases/TP/log.txt"), R_OK), 0);
	ck_assert_int_ne(access(inside("m/cases/TP/trap"), F_OK), 0);

	/* Nothing that exists is written over. */
	text_init(&why, buf, sizeof(buf));
	ck_assert_int_eq(report_merge(parts, 2, inside("m"), &why), -EEXIST);
	parts[1] = inside("missing");
	ck_assert_int_eq(report_merge(parts, 2, inside("m2"), &why), -ENOENT);
	ck_assert_int_ne(access(inside("m2"), F_OK), 0);
}
END_TEST

START_TEST(all_iuts_of_a_run_are_named)
{
	json_t *run =
		json_loads("{\"iut\":\"a\",\"role\":\"amf\",\"iuts\":["
			   "{\"role\":\"amf\",\"iut\":\"a\"},{\"role\":\"ue\",\"iut\":\"b\"},7]}",
			   0, NULL);
	json_t *old = json_loads("{\"iut\":\"a\",\"role\":\"amf\",\"iuts\":{}}", 0, NULL);

	run_name_iuts(run);
	ck_assert_str_eq(json_string_value(json_object_get(run, "iut")), "a, b");
	ck_assert_str_eq(json_string_value(json_object_get(run, "role")), "amf, ue");
	run_name_iuts(old);
	ck_assert_str_eq(json_string_value(json_object_get(old, "iut")), "a");
	json_decref(run);
	json_decref(old);
}
END_TEST

START_TEST(a_ladder_on_the_screen_is_small)
{
	char *out = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&out, &size);

	ck_assert_ptr_nonnull(stream);
	print_last_lines("one\ntwo\nthree\n", "> ", 2, 4, stream);
	print_last_lines("one\n\n\xc3\xa9\xc3\xa9\xc3\xa9", "> ", 9, 2, stream);
	print_last_lines("", "> ", 2, 4, stream);
	fclose(stream);
	ck_assert_str_eq(out, "> two\n> thre...\n> on...\n\n> \xc3\xa9\xc3\xa9...\n");
	free(out);
}
END_TEST

START_TEST(bad_utf8_becomes_replacement_characters)
{
	static const struct {
		const char *in;
		const char *out;
	} table[] = {
		{ "a\xff", "a\xef\xbf\xbd" },
		{ "\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe2\x82\xac", "\xe2\x82\xac" },
		{ "\x1b[0m", "\\x1b[0m" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char *out = NULL;
		size_t size = 0;
		FILE *stream = open_memstream(&out, &size);

		ck_assert_ptr_nonnull(stream);
		print_line(table[i].in, stream);
		fclose(stream);
		ck_assert_str_eq(out, table[i].out);
		free(out);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reports");
	TCase *tcase = tcase_create("reports");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, junit_tells_the_verdicts_apart);
	tcase_add_test(tcase, tap_tells_the_verdicts_apart);
	tcase_add_test(tcase, text_and_json_hold_everything);
	tcase_add_test(tcase, hostile_text_breaks_no_format);
	tcase_add_test(tcase, a_killed_run_still_reports);
	tcase_add_test(tcase, what_was_not_run_is_in_every_report);
	tcase_add_test(tcase, an_iut_not_put_back_is_an_error);
	tcase_add_test(tcase, a_list_without_end_is_bounded);
	tcase_add_test(tcase, a_part_that_is_missing_is_named);
	tcase_add_test(tcase, a_crash_gets_its_ladder_from_the_events);
	tcase_add_test(tcase, what_is_no_record_is_refused);
	tcase_add_test(tcase, a_verdict_never_improves_by_being_repeated);
	tcase_add_test(tcase, merge_joins_results_and_evidence);
	tcase_add_test(tcase, all_iuts_of_a_run_are_named);
	tcase_add_test(tcase, a_ladder_on_the_screen_is_small);
	tcase_add_test(tcase, bad_utf8_becomes_replacement_characters);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
