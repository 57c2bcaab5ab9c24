/* What a comparison of two run records finds, what it leaves out, and what it does to bad ones. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/baseline_update.h"
#include "reports/compare.h"
#include "reports/printable.h"
#include "runner/case/baseline.h"

#define REJECT_22    "7e004d165f013a" /* SERVICE REJECT, cause 22, T3346 1560 s */
#define REJECT_111   "7e004d6f5f013a"
#define HEARTBEAT    "2001000c000001000060000400000001"
#define REJECT_1860S "7e004d165f013f"
/* AUTHENTICATION REQUESTs that differ in RAND and AUTN alone */
#define AUTHENTICATION(octet)                                                                      \
	"7e00560002000021" octet octet octet octet octet octet octet octet octet octet octet octet \
		octet octet octet octet "2010" octet octet octet octet octet octet                 \
	"8000" octet octet octet octet octet octet octet octet
#define HOSTILE "<script>alert(1)</script>\\\"'&]]>\\u001b[31m\\u202e\\u0007\\n-->"

static char root[64];

static const char *inside(const char *name)
{
	static char paths[64][512];
	static unsigned int next;
	char *path = paths[next++ % 64];

	snprintf(path, sizeof(paths[0]), "%s/%s", root, name);
	return path;
}

static void append(const char *name, const char *data)
{
	FILE *file = fopen(inside(name), "a");

	ck_assert_ptr_nonnull(file);
	fputs(data, file);
	ck_assert_int_eq(fclose(file), 0);
}

__attribute__((format(printf, 2, 3))) static void line(const char *name, const char *format, ...)
{
	char *buf;
	va_list args;

	va_start(args, format);
	ck_assert_int_ge(vasprintf(&buf, format, args), 0);
	va_end(args);
	append(name, buf);
	append(name, "\n");
	free(buf);
}

static void make_record(const char *dir, int seed)
{
	char name[128];

	ck_assert_int_eq(mkdir(inside(dir), 0777), 0);
	snprintf(name, sizeof(name), "%s/cases", dir);
	ck_assert_int_eq(mkdir(inside(name), 0777), 0);
	snprintf(name, sizeof(name), "%s/run.json", dir);
	line(name,
	     "{\"version\":\"0.1.0\",\"profile\":\"builtin\",\"mode\":\"virtual\",\"seed\":%d,"
	     "\"ended\":\"2026-12-01T00:00:00Z\"}",
	     seed);
	snprintf(name, sizeof(name), "%s/results.jsonl", dir);
	append(name, "");
}

static void add_result_of(const char *dir, const char *id, const char *verdict, const char *reason,
			  int iut_ms)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/results.jsonl", dir);
	line(name,
	     "{\"id\":\"%s\",\"verdict\":\"%s\",\"reason\":\"%s\",\"suite\":\"demo\",\"iut_ms\":%d,"
	     "\"seed\":1,\"evidence\":\"cases/%s\"}",
	     id, verdict, reason, iut_ms, id);
	snprintf(name, sizeof(name), "%s/cases/%s", dir, id);
	mkdir(inside(name), 0777);
}

static void add_result(const char *dir, const char *id, const char *verdict, const char *reason)
{
	add_result_of(dir, id, verdict, reason, 1);
}

static void add_message(const char *dir, const char *id, const char *link, const char *proto,
			const char *hex, long t_us)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/cases/%s/events.jsonl", dir, id);
	line(name,
	     "{\"t_us\":%ld,\"kind\":\"message\",\"link\":\"%s\",\"dir\":\"received\",\"proto\":\"%"
	     "s\","
	     "\"summary\":\"s\",\"hex\":\"%s\"}",
	     t_us, link, proto, hex);
}

static struct run_record records[2];
static struct comparison comparison;

static void compare(void)
{
	static const char *const dirs[] = { "a", "b" };

	for (int i = 0; i < 2; i++) {
		char buf[512];
		struct text why;

		text_init(&why, buf, sizeof(buf));
		ck_assert_msg(run_record_read(inside(dirs[i]), &records[i], &why) == 0, "%s", buf);
	}
	ck_assert_int_eq(comparison_make(&comparison, &records[BEFORE], &records[AFTER], 0), 0);
}

static void done(void)
{
	comparison_clear(&comparison);
	run_record_clear(&records[BEFORE]);
	run_record_clear(&records[AFTER]);
}

static char *print(void (*printer)(const struct comparison *comparison, FILE *out))
{
	char *out = NULL;
	size_t size;
	FILE *stream = open_memstream(&out, &size);

	ck_assert_ptr_nonnull(stream);
	printer(&comparison, stream);
	ck_assert_int_eq(fclose(stream), 0);
	return out;
}

static void text_holds(const char *what)
{
	char *text = print(comparison_text);

	ck_assert_msg(strstr(text, what) != NULL, "'%s' is not in:\n%s", what, text);
	free(text);
}

static void setup(void)
{
	strcpy(root, "/tmp/spillway-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	make_record("a", 1);
	make_record("b", 1);
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

static void one_case(const char *before, const char *after)
{
	add_result("a", "one", "pass", "");
	add_result("b", "one", "pass", "");
	add_message("a", "one", "ue1", "nas", before, 100);
	add_message("b", "one", "ue1", "nas", after, 200);
}

START_TEST(a_cause_and_a_timer_are_named)
{
	one_case(REJECT_22, REJECT_111);
	add_message("a", "one", "ue2", "nas", REJECT_22, 300);
	add_message("b", "one", "ue2", "nas", REJECT_1860S, 400);
	compare();
	ck_assert_uint_eq(comparison.changed, 1);
	ck_assert(!comparison_is_empty(&comparison));
	text_holds("ue1 SERVICE REJECT, 5GMM cause: 22 (Congestion) -> 111 ");
	text_holds("ue2 SERVICE REJECT, T3346 value: 1560 s (26 min) [3a] -> 1860 s (31 min) [3f]");
	done();
}
END_TEST

START_TEST(what_varies_by_nature_is_left_out_and_named)
{
	one_case(AUTHENTICATION("11"), AUTHENTICATION("22"));
	compare();
	ck_assert(comparison_is_empty(&comparison));
	text_holds("Authentication parameter RAND");
	done();
}
END_TEST

START_TEST(a_message_more_or_less_is_named)
{
	one_case(REJECT_22, REJECT_22);
	add_message("a", "one", "ue1", "nas", "7e004e", 300);
	add_message("b", "one", "ue1", "nas", REJECT_22, 300);
	compare();
	text_holds("ue1 SERVICE ACCEPT: gone: 1");
	text_holds("ue1 number of SERVICE REJECT: 1 -> 2");
	done();
}
END_TEST

/* The same messages in another order between two UEs of a crowd, which chance has. */
START_TEST(a_crowd_is_compared_as_a_whole)
{
	char name[16];

	one_case(REJECT_22, REJECT_22);
	for (int i = 2; i < 400; i++) {
		snprintf(name, sizeof(name), "ue%d", i);
		add_message("a", "one", name, "nas", i % 2 ? REJECT_22 : "7e004e", 100);
		add_message("b", "one", name, "nas", i % 2 ? "7e004e" : REJECT_22, 200);
	}
	compare();
	ck_assert(comparison_is_empty(&comparison));
	done();
}
END_TEST

/* Each case has one T3346, drawn anew: no single one tells, all together do. */
START_TEST(what_both_draw_by_chance_is_left_out)
{
	char id[16], hex[32];

	for (int i = 0; i < 30; i++) {
		snprintf(id, sizeof(id), "c%02d", i);
		add_result("a", id, "pass", "");
		add_result("b", id, "pass", "");
		snprintf(hex, sizeof(hex), "7e004d165f01%02x", 0x2f + i % 16);
		add_message("a", id, "ue1", "nas", hex, 100);
		/* one of them is far outside */
		snprintf(hex, sizeof(hex), "7e004d165f01%02x",
			 i == 7 ? 0x01 : 0x2f + (i * 7 + 3) % 16);
		add_message("b", id, "ue1", "nas", hex, 100);
	}
	compare();
	ck_assert_uint_eq(comparison.changed, 1);
	text_holds("-> 2 s [01]");
	text_holds("values that both builds draw from the same range");
	done();
}
END_TEST

/* ... and a build that draws from another range is not excused. */
START_TEST(another_range_is_no_chance)
{
	char id[16], hex[32];

	for (int i = 0; i < 30; i++) {
		snprintf(id, sizeof(id), "c%02d", i);
		add_result("a", id, "pass", "");
		add_result("b", id, "pass", "");
		for (int b = 0; b < 2; b++) {
			snprintf(hex, sizeof(hex), "7e004d165f01%02x",
				 0x21 + 14 * b + (i * 7 + b) % 10);
			add_message(b ? "b" : "a", id, "ue1", "nas", hex, 100);
		}
	}
	compare();
	ck_assert_uint_eq(comparison.changed, 30);
	done();
}
END_TEST

START_TEST(verdicts_reasons_and_lone_cases)
{
	static const struct {
		const char *id, *before, *after;
	} table[] = {
		{ "w1", "pass", "fail" }, { "w2", "inconc", "fail" }, { "w3", "pass", "error" },
		{ "w4", "na", "fail" },	  { "b1", "fail", "pass" },   { "o1", "pass", "na" },
		{ "o2", "na", "pass" },	  { "s1", "fail", "fail" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		add_result("a", table[i].id, table[i].before, "offered 1000, sent 512");
		add_result("b", table[i].id, table[i].after, "offered 1000, sent 498");
		add_message("a", table[i].id, "ue1", "nas", REJECT_22, 1);
		add_message("b", table[i].id, "ue1", "nas", REJECT_22, 1);
	}
	add_result("a", "gone", "pass", "");
	add_result("b", "new", "fail", "");
	compare();
	ck_assert_uint_eq(comparison.worse, 4);
	ck_assert_uint_eq(comparison.better, 1);
	ck_assert_uint_eq(comparison.other, 2);
	ck_assert_uint_eq(comparison.same, 1);
	ck_assert_uint_eq(comparison.digits, 1);
	ck_assert_uint_eq(comparison.only[BEFORE], 1);
	ck_assert_uint_eq(comparison.only[AFTER], 1);
	text_holds("pass -> fail");
	done();
}
END_TEST

START_TEST(times_beyond_the_noise_are_named)
{
	one_case(REJECT_22, REJECT_22);
	add_result("a", "two", "pass", "");
	add_result("b", "two", "pass", "");
	add_message("a", "two", "ue1", "nas", REJECT_22, 100);
	add_message("b", "two", "ue1", "nas", REJECT_22, 60000100);
	compare();
	ck_assert_uint_eq(comparison.changed, 1);
	text_holds("ue1 until SERVICE REJECT: 0.000 s -> 60.000 s");
	done();
}
END_TEST

START_TEST(different_seeds_and_versions_are_named)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf %s/b", root);
	ck_assert_int_eq(system(command), 0);
	make_record("b", 7);
	one_case(REJECT_22, REJECT_22);
	compare();
	text_holds("the seed differs: 1 before, 7 after");
	done();
}
END_TEST

/* A sample that chance made larger takes longer, and has one heart-beat more. */
START_TEST(what_another_seed_makes_longer_is_left_out)
{
	for (int seed = 1; seed <= 2; seed++) {
		char command[256];

		snprintf(command, sizeof(command), "rm -rf %s/a %s/b", root, root);
		ck_assert_int_eq(system(command), 0);
		make_record("a", 1);
		make_record("b", seed);
		for (int side = 0; side < 2; side++) {
			const char *dir = side ? "b" : "a";

			add_result_of(dir, "one", "pass", "", side ? 9000 : 4000);
			for (int i = 0; i < (side ? 300 : 50); i++)
				add_message(dir, "one", "ue1", "nas", REJECT_22, 100 * i);
			add_message(dir, "one", "upf1", "pfcp", HEARTBEAT, 9000);
			if (side)
				add_message(dir, "one", "upf1", "pfcp", HEARTBEAT, 99000);
		}
		compare();
		ck_assert_uint_eq(comparison.by_chance, seed == 2);
		ck_assert_uint_eq(comparison.changed, seed == 1);
		if (seed == 1)
			text_holds("number of SERVICE REJECT: 50 -> 300");
		else
			text_holds("how long cases take, as the seeds differ; of 1 cases");
		done();
	}
}
END_TEST

/* A cause is no matter of chance, whatever the seeds. */
START_TEST(another_cause_is_named_with_another_seed)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf %s/b", root);
	ck_assert_int_eq(system(command), 0);
	make_record("b", 7);
	one_case(REJECT_22, REJECT_111);
	compare();
	ck_assert_uint_eq(comparison.changed, 1);
	done();
}
END_TEST

/* INITIAL CONTEXT SETUP REQUESTs that differ in the key alone: it must not come out anywhere. */
START_TEST(keys_are_neither_compared_nor_shown)
{
	enum { OCTETS_MAX = 512 };
	static const char *const keys[] = { "5ec3e7", "0ddba1" };

	for (int side = 0; side < 2; side++) {
		char hex[2 * OCTETS_MAX] =
			"000e00808f000007000a0003204000005500020001001c00070099f90702"
			"00400000000722010102030010007700091c000e000000000000005e0020";

		for (int i = 0; i < 10; i++)
			strcat(hex, keys[side]);
		strcat(hex, "aaaa00264034337e0254c6536001ab9c2fb4711087c5cc7da13eb716b5129f77"
			    "79e26ccdebe34ec2560cac40ff3386f93b1fa95cead0fc928632");
		add_result(side ? "b" : "a", "one", "pass", "");
		add_message(side ? "b" : "a", "one", "gnb1", "ngap", hex, 100);
	}
	compare();
	for (int side = 0; side < 2; side++) {
		void (*const printers[])(const struct comparison *, FILE *) = { comparison_text,
										comparison_json,
										comparison_html };

		for (size_t p = 0; p < 3; p++) {
			char *text = print(printers[p]);

			ck_assert_ptr_null(strstr(text, keys[side]));
			free(text);
		}
	}
	ck_assert(comparison_is_empty(&comparison));
	text_holds("SecurityKey");
	done();
}
END_TEST

static void hostile_case(const char *dir, int n)
{
	enum { LONG = 60000 };
	char name[128], *longer = malloc(LONG + 1);

	snprintf(name, sizeof(name), "%s/results.jsonl", dir);
	line(name,
	     "{\"id\":\"" HOSTILE "\",\"verdict\":\"%s\",\"reason\":\"" HOSTILE
	     "%d\",\"suite\":\"" HOSTILE "\",\"clause\":\"" HOSTILE "\",\"warnings\":[\"" HOSTILE
	     "%d x\"],\"evidence\":\"cases/h\"}",
	     n ? "fail" : "pass", n, n);
	snprintf(name, sizeof(name), "%s/cases/h", dir);
	ck_assert_int_eq(mkdir(inside(name), 0777), 0);
	snprintf(name, sizeof(name), "%s/cases/h/events.jsonl", dir);
	line(name,
	     "{\"t_us\":1,\"kind\":\"message\",\"link\":\"" HOSTILE
	     "\",\"dir\":\"received\",\"proto\":\"" HOSTILE "\",\"summary\":\"" HOSTILE
	     "%d\",\"hex\":\"\"}",
	     n);
	ck_assert_ptr_nonnull(longer);
	memset(longer, 'x', LONG);
	longer[LONG] = '\0';
	line(name,
	     "{\"t_us\":1,\"kind\":\"message\",\"link\":\"nf1\",\"dir\":\"received\","
	     "\"proto\":\"http2\",\"summary\":\"%s%d\",\"hex\":\"\"}",
	     longer, n);
	/* :status 200, and a header field of markup whose value differs */
	line(name,
	     "{\"t_us\":1,\"kind\":\"message\",\"link\":\"nf1\",\"dir\":\"received\","
	     "\"proto\":\"http2\",\"summary\":\"x\",\"hex\":\"%s\"}",
	     n ? "00002201040000000100073a7374617475730332303000083c623e1b5b33316d0a0a3c2f74643e3e6"
		 "23c69"
	       : "00002201040000000100073a7374617475730332303000083c623e1b5b33316d0a0a3c2f74643e3e6"
		 "13c69");
	free(longer);
}

START_TEST(hostile_text_ends_as_text)
{
	char *text, *html, *json;
	json_error_t error;
	json_t *object;

	hostile_case("a", 0);
	hostile_case("b", 1);
	compare();
	ck_assert_uint_eq(comparison.worse, 1);
	text = print(comparison_text);
	for (const char *s = text; *s != '\0';) {
		uint32_t c = utf8_next(&s);

		ck_assert_msg(c == '\n' || !is_steering(c), "U+%04x came through", (unsigned)c);
	}
	html = print(comparison_html);
	ck_assert_ptr_null(strstr(html, "<script"));
	ck_assert_ptr_null(strstr(html, "<b>"));
	ck_assert_ptr_null(strstr(html, "\xe2\x80\xae"));
	ck_assert_ptr_null(strchr(html, 0x1b));
	json = print(comparison_json);
	object = json_loads(json, JSON_REJECT_DUPLICATES, &error);
	ck_assert_msg(json_is_object(object), "%s at %d", error.text, error.position);
	ck_assert_uint_lt(strlen(json), 100000);
	json_decref(object);
	free(text);
	free(html);
	free(json);
	done();
}
END_TEST

START_TEST(bad_records_are_compared_from_what_is_there)
{
	static const char *const ids[] = { "whole", "torn", "lost", "outside", "none" };

	for (size_t i = 0; i < 5; i++) {
		for (int side = 0; side < 2; side++) {
			const char *dir = side ? "b" : "a";

			if (i == 3 && side == 1) {
				append("b/results.jsonl", "{\"id\":\"outside\",\"verdict\":"
							  "\"pass\",\"suite\":\"demo\","
							  "\"evidence\":\"../../etc\"}\n");
				continue;
			}
			add_result(dir, ids[i], "pass", "");
			if (i != 2 || side == 0)
				add_message(dir, ids[i], "ue1", "nas",
					    side ? REJECT_111 : REJECT_22, 100);
		}
	}
	append("b/cases/torn/events.jsonl", "{\"t_us\":1,\"kind\":\"mess");
	append("b/cases/torn/events.jsonl",
	       "\nno JSON\n[1]\n\"s\"\n{}\n{\"kind\":7}\n"
	       "{\"kind\":\"message\",\"hex\":\"zz\",\"dir\":\"received\"}\n");
	append("b/results.jsonl", "{\"id\":\"cut\",\"verd");
	compare();
	ck_assert_uint_eq(comparison.uncompared, 2);
	ck_assert_uint_ge(comparison.gaps, 1);
	ck_assert_uint_eq(comparison.changed, 3);
	text_holds("lines of events.jsonl cannot be read");
	text_holds("after: 1 line of results.jsonl cannot be read");
	text_holds("cases/lost/events.jsonl: No such file");
	text_holds("../../etc/events.jsonl: not a path inside the record");
	done();
}
END_TEST

/* --- baseline -----------------------------------------------------------------------------------
 */

static const struct test_case cases[] = {
	{ .id = "TP/A/1" }, { .id = "TP/A/2" }, { .id = "TP/A/3" },
	{ .id = "TP/A/4" }, { .id = "TP/A/5" }, { .id = "TP/A/6" },
};
static const struct case_group group = { cases, 6 };
static const struct suite suite = { .name = "demo", .groups = &group, .group_count = 1 };
static const struct suite *const suites[] = { &suite };
static const struct run_world world = { .suites = suites, .suite_count = 1 };

static char why_buf[1024];

static int update(struct baseline_update *update, const char *old)
{
	struct text why;
	int rc;

	text_init(&why, why_buf, sizeof(why_buf));
	ck_assert_int_eq(run_record_read(inside("a"), &records[BEFORE], &why), 0);
	rc = baseline_update_make(update, &records[BEFORE], &world,
				  old == NULL ? NULL : inside(old), &why);
	run_record_clear(&records[BEFORE]);
	return rc;
}

static char *printed(const struct baseline_update *from,
		     void (*printer)(const struct baseline_update *update, FILE *out))
{
	char *out = NULL;
	size_t size;
	FILE *stream = open_memstream(&out, &size);

	ck_assert_ptr_nonnull(stream);
	printer(from, stream);
	ck_assert_int_eq(fclose(stream), 0);
	return out;
}

static int read_back(const char *name)
{
	struct baseline baseline;
	struct text why;
	int rc;

	text_init(&why, why_buf, sizeof(why_buf));
	rc = baseline_read(inside(name), &world, &baseline, &why);
	if (rc == 0)
		baseline_clear(&baseline);
	return rc;
}

START_TEST(reasons_are_kept_and_the_rest_is_named)
{
	struct baseline_update made;
	char *text, *remarks;

	add_result("a", "TP/A/1", "fail", "as ever");
	add_result("a", "TP/A/2", "pass", "");
	add_result("a", "TP/A/3", "inconc", "nothing came");
	add_result("a", "TP/A/4", "fail", "what \\u001b[31m it\\nsaid");
	add_result("a", "TP/A/5", "na", "");
	append("old", "# our AMF, build 17\n\nTP/A/1 fail  ticket 4711 # and more\n"
		      "TP/A/2 fail ticket 4712\nTP/A/3 fail ticket 4713\nTP/A/5 fail ticket 4714\n"
		      "TP/A/6 error ticket 4715\nTP/B/1 fail gone\n");
	ck_assert_msg(update(&made, "old") == 0, "%s", why_buf);
	text = printed(&made, baseline_update_print);
	ck_assert_str_eq(text, "# our AMF, build 17\n\nTP/A/1 fail  ticket 4711 # and more\n"
			       "TP/A/3 inconc UNEXPLAINED: nothing came (was fail: ticket 4713)\n"
			       "TP/A/5 fail ticket 4714\nTP/A/6 error ticket 4715\n"
			       "TP/A/4 fail UNEXPLAINED: what  [31m it said\n");
	remarks = printed(&made, baseline_update_remarks);
	ck_assert_ptr_nonnull(
		strstr(remarks, "stale, left out: it passes: TP/A/2 (fail: ticket 4712)\n"));
	ck_assert_ptr_nonnull(strstr(remarks, "left out: there is no such case: TP/B/1\n"));
	ck_assert_ptr_nonnull(strstr(remarks, "new, unexplained: TP/A/4 (fail)\n"));
	ck_assert_ptr_nonnull(strstr(remarks, "another verdict, unexplained: TP/A/3 (inconc"));
	ck_assert_ptr_nonnull(strstr(remarks, "1 kept, 2 not judged, 2 stale, 2 unexplained\n"));
	append("new", text);
	ck_assert_int_lt(read_back("new"), 0);
	ck_assert_ptr_nonnull(strstr(why_buf, "new:4: the reason has to be written"));
	ck_assert_ptr_nonnull(strstr(why_buf, "new:7: the reason has to be written"));
	free(text);
	free(remarks);
	baseline_update_clear(&made);

	/* Once more: nothing is lost, and a reason that somebody wrote is one. */
	ck_assert_int_eq(update(&made, "new"), 0);
	ck_assert_uint_eq(baseline_update_unexplained(&made), 2);
	ck_assert_uint_eq(made.fates[BASELINE_UNEXPLAINED_OLD], 2);
	baseline_update_clear(&made);
}
END_TEST

START_TEST(a_baseline_of_reasons_is_taken)
{
	struct baseline_update made;
	char *text;

	add_result("a", "TP/A/1", "fail", "as ever");
	append("old", "TP/A/1 fail UNEXPLAINEDLY it fails\n");
	ck_assert_int_eq(update(&made, "old"), 0);
	ck_assert_uint_eq(baseline_update_unexplained(&made), 0);
	text = printed(&made, baseline_update_print);
	append("new", text);
	ck_assert_int_eq(read_back("new"), 0);
	free(text);
	baseline_update_clear(&made);
}
END_TEST

START_TEST(a_bad_baseline_is_refused_line_by_line)
{
	struct baseline_update made;

	add_result("a", "TP/A/1", "fail", "as ever");
	append("old", "TP/A/1 fail a\nTP/A/1 fail b\nTP/A/2 maybe c\nTP/A/3\nTP/A/4 fail\n");
	ck_assert_int_lt(update(&made, "old"), 0);
	ck_assert_ptr_nonnull(strstr(why_buf, "old:2: the case stands here twice"));
	ck_assert_ptr_nonnull(strstr(why_buf, "old:3: the verdict has to be"));
	ck_assert_ptr_nonnull(strstr(why_buf, "old:4: a line is"));
	ck_assert_ptr_null(strstr(why_buf, "old:5"));
	ck_assert_int_lt(update(&made, "nowhere"), 0);
}
END_TEST

/* What a record says is no line of a baseline: only cases that there are get one. */
START_TEST(a_hostile_record_adds_no_lines)
{
	struct baseline_update made;
	char *text;

	add_result("a", "x\\nTP/A/2 fail trust me\\n", "fail", "r");
	add_result("a", "TP/A/1", "fail", "r\\nTP/A/3 fail trust me\\u2028TP/A/4 fail too");
	ck_assert_int_eq(update(&made, NULL), 0);
	text = printed(&made, baseline_update_print);
	ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
	ck_assert_int_eq(strncmp(text, "TP/A/1 fail UNEXPLAINED: r ", 27), 0);
	free(text);
	baseline_update_clear(&made);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_cause_and_a_timer_are_named,
		what_varies_by_nature_is_left_out_and_named,
		a_message_more_or_less_is_named,
		a_crowd_is_compared_as_a_whole,
		what_both_draw_by_chance_is_left_out,
		another_range_is_no_chance,
		verdicts_reasons_and_lone_cases,
		times_beyond_the_noise_are_named,
		different_seeds_and_versions_are_named,
		what_another_seed_makes_longer_is_left_out,
		another_cause_is_named_with_another_seed,
		keys_are_neither_compared_nor_shown,
		hostile_text_ends_as_text,
		bad_records_are_compared_from_what_is_there,
		reasons_are_kept_and_the_rest_is_named,
		a_baseline_of_reasons_is_taken,
		a_bad_baseline_is_refused_line_by_line,
		a_hostile_record_adds_no_lines,
	};
	Suite *all = suite_create("compare");
	TCase *tcase = tcase_create("compare");
	SRunner *runner = srunner_create(all);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(all, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
