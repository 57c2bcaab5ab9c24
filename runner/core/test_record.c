#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "runner/core/record.h"

static char dir[] = "/tmp/spillway-record-XXXXXX";
static const uint8_t overload_stop[] = { 0x00, 0x17, 0x00, 0x03, 0x00, 0x00, 0x00 };

static const char *path(const char *name)
{
	static char buf[128];

	snprintf(buf, sizeof(buf), "%s/%s", dir, name);
	return buf;
}

static char *content(const char *name, size_t *len)
{
	FILE *file = fopen(path(name), "rb");
	char *buf = malloc(8 << 20);

	ck_assert_ptr_nonnull(file);
	*len = fread(buf, 1, (8 << 20) - 1, file);
	buf[*len] = '\0';
	fclose(file);
	return buf;
}

static json_t *events(void)
{
	size_t len;
	char *text = content("events.jsonl", &len), *line = text, *end;
	json_t *array = json_array();

	ck_assert(len == 0 || text[len - 1] == '\n');
	for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		json_error_t error;
		json_t *event = json_loadb(line, (size_t)(end - line), 0, &error);

		ck_assert_msg(event != NULL, "%s: %.*s", error.text, (int)(end - line), line);
		json_array_append_new(array, event);
	}
	ck_assert_str_eq(line, "");
	free(text);
	return array;
}

static const char *string(json_t *array, size_t i, const char *name)
{
	return json_string_value(json_object_get(json_array_get(array, i), name));
}

static void message(struct record *record, const char *link, const char *summary,
		    struct octets data)
{
	record_message(record, &(struct record_message){ .link = link,
							 .sent = true,
							 .proto = "ngap",
							 .summary = summary,
							 .local = "127.0.0.1:40001",
							 .peer = "127.0.0.5:38412",
							 .stream = 3,
							 .ppid = 60,
							 .data = data });
}

START_TEST(every_kind_of_event_is_a_line_of_json)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct record *record = record_open(dir, loop);
	json_t *all;
	char *log;
	size_t len;

	ck_assert_ptr_nonnull(record);
	loop_run(loop, 1500, NULL, NULL);
	message(record, "gnb1", NULL, OCTETS(overload_stop, sizeof(overload_stop)));
	record_control(record, "nas-congestion state=on", "done");
	record_timer(record, "ue1", "T3346", "started", 60 * US_PER_S);
	record_verdict(record, "fail", "no \"answer\"\nin 5 s");
	record_log(record, RECORD_INFO, "%d UEs", 3);
	record_log(record, RECORD_DEBUG, "not written");
	record_set_level(record, RECORD_DEBUG);
	record_log(record, RECORD_DEBUG, "written");
	ck_assert_int_eq(record_close(record), 0);

	all = events();
	ck_assert_uint_eq(json_array_size(all), 4);
	ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(all, 0), "t_us")), 1500);
	ck_assert_str_eq(string(all, 0, "kind"), "message");
	ck_assert_str_eq(string(all, 0, "link"), "gnb1");
	ck_assert_str_eq(string(all, 0, "dir"), "sent");
	ck_assert_str_eq(string(all, 0, "proto"), "ngap");
	ck_assert_str_eq(string(all, 0, "summary"), "OverloadStop");
	ck_assert_str_eq(string(all, 0, "hex"), "00170003000000");
	ck_assert_str_eq(string(all, 0, "peer"), "127.0.0.5:38412");
	ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(all, 0), "stream")), 3);
	ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(all, 0), "ppid")), 60);
	ck_assert_str_eq(string(all, 1, "action"), "nas-congestion state=on");
	ck_assert_str_eq(string(all, 1, "outcome"), "done");
	ck_assert_str_eq(string(all, 2, "timer"), "T3346");
	ck_assert_str_eq(string(all, 3, "reason"), "no \"answer\"\nin 5 s");
	json_decref(all);
	log = content("log.txt", &len);
	ck_assert_ptr_nonnull(strstr(log, "     0.001500 info: 3 UEs\n"));
	ck_assert_ptr_nonnull(strstr(log, "written"));
	ck_assert_ptr_null(strstr(log, "not written"));
	free(log);
	loop_free(loop);
}
END_TEST

/* A DownlinkNASTransport with a plain REGISTRATION REJECT #22 inside, and half of it. */
START_TEST(a_summary_names_the_message_and_what_it_carries)
{
	static const uint8_t transport[] = {
		0x00, 0x04, 0x40, 0x18, 0x00, 0x00, 0x03, 0x00, 0x0a, 0x00, 0x02, 0x00, 0x01, 0x00,
		0x55, 0x00, 0x02, 0x00, 0x01, 0x00, 0x26, 0x00, 0x05, 0x04, 0x7e, 0x00, 0x44, 0x16,
	};
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct record *record = record_open(dir, loop);
	json_t *all;

	message(record, "gnb1", NULL, OCTETS(transport, sizeof(transport)));
	message(record, "gnb1", NULL, OCTETS(transport, 17));
	ck_assert_int_eq(record_close(record), 0);
	all = events();
	ck_assert_ptr_nonnull(strstr(string(all, 0, "summary"), "DownlinkNASTransport"));
	ck_assert_ptr_nonnull(strstr(string(all, 0, "summary"), "REGISTRATION REJECT"));
	ck_assert_ptr_nonnull(strstr(string(all, 0, "summary"), "22"));
	ck_assert_ptr_nonnull(strstr(string(all, 1, "summary"), "not NGAP, 17 octets: "));
	json_decref(all);
	loop_free(loop);
}
END_TEST

START_TEST(text_of_a_peer_is_harmless)
{
	static const char hostile[] =
		"a\x1b[2J\"\\\n\x01\x7f\xff\xc3\xa9\xc2\x9b\xe2\x80\xae\xed\xa0\x80"
		"\xf0\x9f\x98\x80\xe2\x82";
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct record *record = record_open(dir, loop);
	char ladder_buf[2000], *log;
	struct text ladder;
	json_t *all;
	size_t len;

	message(record, hostile, hostile, OCTETS(NULL, 0));
	record_log(record, RECORD_ERROR, "%s", hostile);
	text_init(&ladder, ladder_buf, sizeof(ladder_buf));
	record_ladder(record, 10, &ladder);
	ck_assert_int_eq(record_close(record), 0);
	all = events();
	ck_assert_str_eq(string(all, 0, "summary"),
			 "a\x1b[2J\"\\\n\x01\x7f\\xff\xc3\xa9\xc2\x9b\xe2\x80\xae\\xed\\xa0\\x80"
			 "\xf0\x9f\x98\x80\\xe2\\x82");
	json_decref(all);
	log = content("log.txt", &len);
	for (size_t i = 0; i < len; i++)
		ck_assert(log[i] == '\n' || ((unsigned char)log[i] >= 0x20 && log[i] != 0x7f));
	ck_assert_ptr_nonnull(
		strstr(log, "a\\x1b[2J\"\\\\\\x0a\\x01\\x7f\\xff\xc3\xa9\\u009b\\u202e"));
	ck_assert_ptr_null(strstr(log, "\xe2\x80\xae"));
	ck_assert_ptr_nonnull(strstr(ladder_buf, "a\\x1b[2J"));
	free(log);
	loop_free(loop);
}
END_TEST

START_TEST(long_messages_and_long_lines_are_whole)
{
	static uint8_t big[1 << 20];
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct record *record = record_open(dir, loop);
	char *text = malloc(100001);
	json_t *all;

	memset(big, 0xab, sizeof(big));
	memset(text, 'x', 100000);
	text[100000] = '\0';
	message(record, "gnb1", NULL, OCTETS(big, sizeof(big)));
	message(record, "gnb1", NULL, OCTETS(big, 10));
	record_verdict(record, "fail", text);
	record_log(record, RECORD_INFO, "%s", text);
	ck_assert_int_eq(record_close(record), 0);
	all = events();
	ck_assert_uint_eq(json_array_size(all), 3);
	ck_assert_uint_eq(strlen(string(all, 0, "hex")), 2 * sizeof(big));
	ck_assert_uint_eq(strlen(string(all, 2, "reason")), 100000);
	json_decref(all);
	free(text);
	loop_free(loop);
}
END_TEST

/* 0xa5 stands for octets of a key; what has none stays as it is, whatever it looks like. */
static const struct {
	uint8_t head[32];
	size_t head_len, filler, key_head_len;
	uint8_t key_head[8];
	bool has_key;
} with_keys[] = {
	/* a UE whose RAN-UE-NGAP-ID is the id of Security Context, and its Security Key */
	{ { 0x00, 0x0e, 0x00, 0x2d, 0x00, 0x00, 0x02, 0x00, 0x55, 0x00, 0x02, 0x00, 0x5d },
	  13,
	  0,
	  4,
	  { 0x00, 0x5e, 0x00, 0x20 },
	  true },
	/* a Security Context */
	{ { 0x20, 0x19, 0x00, 0x2e, 0x00, 0x00, 0x02, 0x00, 0x55, 0x40, 0x02, 0x00, 0x01 },
	  13,
	  0,
	  5,
	  { 0x00, 0x5d, 0x40, 0x21, 0x10 },
	  true },
	/* behind a NAS-PDU of 200 octets: lengths of two octets */
	{ { 0x00, 0x0e, 0x00, 0x80, 0xf4, 0x00, 0x00, 0x02, 0x00, 0x26, 0x40, 0x80, 0xc8 },
	  13,
	  200,
	  4,
	  { 0x00, 0x5e, 0x00, 0x20 },
	  true },
	/* that id again, before the head of a NAS-PDU of 32 octets */
	{ { 0x00, 0x2e, 0x40, 0x2d, 0x00, 0x00, 0x02, 0x00, 0x55, 0x00, 0x02, 0x00, 0x5d },
	  13,
	  0,
	  4,
	  { 0x00, 0x26, 0x40, 0x20 },
	  false },
	{ { 0x00, 0x2e, 0x40, 0x2d, 0x00, 0x00, 0x02, 0x00, 0x55, 0x00, 0x02, 0x00, 0x5e },
	  13,
	  0,
	  4,
	  { 0x00, 0x20, 0x00, 0x20 },
	  false },
};
enum { WITH_KEYS = sizeof(with_keys) / sizeof(with_keys[0]), KEY_LEN = 32 };

static size_t make(uint8_t *out, size_t n)
{
	size_t len = with_keys[n].head_len;

	memcpy(out, with_keys[n].head, len);
	memset(out + len, 0, with_keys[n].filler);
	len += with_keys[n].filler;
	memcpy(out + len, with_keys[n].key_head, with_keys[n].key_head_len);
	len += with_keys[n].key_head_len;
	memset(out + len, 0xa5, KEY_LEN);
	return len + KEY_LEN;
}

START_TEST(a_key_stays_off_the_record)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct record *record = record_open(dir, loop);
	size_t len, trace_len;
	uint8_t data[300];
	json_t *all;
	char *trace;

	for (size_t i = 0; i < WITH_KEYS; i++) {
		len = make(data, i);
		message(record, "gnb1", "whole", OCTETS(data, len));
		/* cut off in the key */
		message(record, "gnb1", "cut", OCTETS(data, len - KEY_LEN / 2));
		ck_assert_uint_eq(data[len - 1], 0xa5);
	}
	ck_assert_int_eq(record_close(record), 0);
	all = events();
	for (size_t i = 0; i < 2 * (size_t)WITH_KEYS; i++) {
		const size_t octets = make(data, i / 2) - (i % 2 ? KEY_LEN / 2 : 0);
		const char *hex = string(all, i, "hex");

		ck_assert_uint_eq(strlen(hex), 2 * octets);
		ck_assert_int_eq(strstr(hex, "a5a5") == NULL, with_keys[i / 2].has_key);
		ck_assert_int_eq(strstr(hex, "78787878") != NULL, with_keys[i / 2].has_key);
		/* nothing but the key was touched */
		for (size_t k = 0; k < make(data, i / 2) - KEY_LEN; k++) {
			char octet[3];

			snprintf(octet, sizeof(octet), "%02x", data[k]);
			ck_assert_int_eq(strncmp(hex + 2 * k, octet, 2), 0);
		}
	}
	trace = content("trace.pcapng", &trace_len);
	ck_assert_ptr_nonnull(memmem(trace, trace_len, "xxxxxxxxxxxxxxxx", 16));
	free(trace);
	json_decref(all);
	loop_free(loop);
}
END_TEST

START_TEST(the_ladder_keeps_the_last_lines)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct record *record = record_open(NULL, loop);
	char buf[8000];
	struct text out;

	ck_assert_ptr_nonnull(record);
	for (int i = 0; i < 100; i++)
		message(record, i % 2 ? "gnb1" : "gnb2", "NGSetupRequest", OCTETS(NULL, 0));
	record_control(record, "reset", "done");
	text_init(&out, buf, sizeof(buf));
	record_timer(record, "ue1", "T3346", "given", 1200 * US_PER_S + 500);
	record_ladder(record, 3, &out);
	ck_assert_str_eq(buf, "     0.000000  gnb1 --> ngap  NGSetupRequest\n"
			      "     0.000000  control  reset: done\n"
			      "     0.000000  ue1  timer  T3346 given (1200.000 s)\n");
	text_init(&out, buf, sizeof(buf));
	record_ladder(record, 1000, &out);
	ck_assert_int_eq(record_close(record), 0);
	message(NULL, "gnb1", NULL, OCTETS(NULL, 0));
	record_log(NULL, RECORD_ERROR, "nothing");
	record_ladder(NULL, 5, &out);
	loop_free(loop);
}
END_TEST

START_TEST(a_full_disk_is_remembered)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct rlimit old, small = { 100000, RLIM_INFINITY };
	struct record *record;
	uint8_t data[1000] = { 0 };

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_FSIZE, &small);
	record = record_open(dir, loop);
	for (int i = 0; i < 1000; i++)
		message(record, "gnb1", NULL, OCTETS(data, sizeof(data)));
	ck_assert_int_eq(record_error(record), -EFBIG);
	ck_assert_int_eq(record_close(record), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	loop_free(loop);
}
END_TEST

START_TEST(a_flood_does_not_fill_the_disk)
{
	static uint8_t big[1 << 20];
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct record *record = record_open(dir, loop);
	char buf[1000], *log;
	struct text out;
	struct stat info;
	size_t len;

	for (int i = 0; i < 140; i++)
		message(record, "gnb1", "flood", OCTETS(big, sizeof(big)));
	record_verdict(record, "fail", "a flood");
	text_init(&out, buf, sizeof(buf));
	record_ladder(record, 1, &out);
	ck_assert_ptr_nonnull(strstr(buf, "flood"));
	ck_assert_int_eq(record_close(record), 0);
	ck_assert_int_eq(stat(path("events.jsonl"), &info), 0);
	ck_assert_int_lt(info.st_size, 260 << 20);
	log = content("log.txt", &len);
	ck_assert_ptr_nonnull(strstr(log, " messages were not kept"));
	ck_assert_ptr_nonnull(strstr(log, "verdict fail: a flood"));
	free(log);
	loop_free(loop);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_an_error)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);

	errno = 0;
	ck_assert_ptr_null(record_open("/nonexistent/spillway", loop));
	ck_assert_int_eq(errno, ENOENT);
	loop_free(loop);
}
END_TEST

/* A live record is on disk, up to a whole line, when its process is killed. */
START_TEST(a_killed_process_leaves_whole_lines)
{
	pid_t pid = fork();
	json_t *all;
	int status;

	if (pid == 0) {
		struct loop *loop = loop_new(LOOP_LIVE, 1);
		struct record *record = record_open(dir, loop);

		for (int i = 0; i < 5000; i++)
			message(record, "gnb1", "", OCTETS(overload_stop, sizeof(overload_stop)));
		loop_run(loop, loop_now(loop) + 200 * US_PER_MS, NULL, NULL);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	all = events();
	ck_assert_uint_eq(json_array_size(all), 5000);
	json_decref(all);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("record");
	TCase *tc = tcase_create("record");
	SRunner *runner = srunner_create(suite);
	int failed;

	if (!mkdtemp(dir))
		return EXIT_FAILURE;
	tcase_add_test(tc, every_kind_of_event_is_a_line_of_json);
	tcase_add_test(tc, a_summary_names_the_message_and_what_it_carries);
	tcase_add_test(tc, text_of_a_peer_is_harmless);
	tcase_add_test(tc, long_messages_and_long_lines_are_whole);
	tcase_add_test(tc, a_key_stays_off_the_record);
	tcase_add_test(tc, the_ladder_keeps_the_last_lines);
	tcase_add_test(tc, a_full_disk_is_remembered);
	tcase_set_timeout(tc, 60); /* half a gigabyte goes to a disk that others use, too */
	tcase_add_test(tc, a_flood_does_not_fill_the_disk);
	tcase_add_test(tc, a_folder_that_is_not_there_is_an_error);
	tcase_add_test(tc, a_killed_process_leaves_whole_lines);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	unlink(path("events.jsonl"));
	unlink(path("log.txt"));
	unlink(path("trace.pcapng"));
	rmdir(dir);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
