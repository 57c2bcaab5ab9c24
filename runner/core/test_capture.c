/* tshark is the judge of trace.pcapng; without it the test is skipped. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/core/record.h"

static char dir[] = "/tmp/spillway-capture-XXXXXX";
static const uint8_t overload_stop[] = { 0x00, 0x17, 0x00, 0x03, 0x00, 0x00, 0x00 };
/* Session Modification Response with overload control information, sequence number 1000. */
static const uint8_t session_modification_response[] = {
	0x23, 0x35, 0x00, 0x27, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x02,
	0x30, 0x00, 0x13, 0x00, 0x01, 0x01, 0x00, 0x36, 0x00, 0x12, 0x00, 0x34, 0x00, 0x04, 0x00,
	0x00, 0x03, 0xe8, 0x00, 0x35, 0x00, 0x01, 0x1e, 0x00, 0x37, 0x00, 0x01, 0x0a,
};
static const uint8_t registration_reject[] = { 0x7e, 0x00, 0x44, 0x16 };

static void message(struct record *record, const char *proto, bool sent, const char *local,
		    const char *peer, int32_t stream, struct octets data)
{
	record_message(record, &(struct record_message){ .link = "gnb1",
							 .sent = sent,
							 .proto = proto,
							 .summary = "",
							 .local = local,
							 .peer = peer,
							 .stream = stream,
							 .ppid = stream < 0 ? 0 : 60,
							 .data = data });
}

static void tshark(const char *options, char *out, size_t size)
{
	char command[600];
	FILE *pipe;
	size_t n;

	snprintf(command, sizeof(command),
		 "tshark -r %s/trace.pcapng -o 'sctp.checksum:CRC 32c' "
		 "-o ip.check_checksum:TRUE %s 2>%s/error",
		 dir, options, dir);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	n = fread(out, 1, size - 1, pipe);
	out[n] = '\0';
	ck_assert_int_eq(pclose(pipe), 0);
}

START_TEST(tshark_reads_what_was_sent)
{
	static uint8_t big[150001];
	struct octets stop = OCTETS(overload_stop, sizeof(overload_stop));
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct record *record = record_open(dir, loop);
	char out[4000];

	ck_assert_ptr_nonnull(record);
	memcpy(big, overload_stop, sizeof(overload_stop));
	message(record, "sctp", false, "127.0.0.1:40001", "127.0.0.5:38412", -1, OCTETS(NULL, 0));
	loop_run(loop, 54 * 60 * US_PER_S + 7, NULL, NULL);
	message(record, "ngap", false, "127.0.0.1:40001", "127.0.0.5:38412", 0, stop);
	message(record, "ngap", true, "[2001:db8::1]:40001", "[2001:db8::5]:38412", 5, stop);
	message(record, "ngap", true, NULL, NULL, 1, stop);
	message(record, "nas", false, NULL, NULL, -1,
		OCTETS(registration_reject, sizeof(registration_reject)));
	message(record, "ngap", true, "127.0.0.1:40001", "127.0.0.5:38412", 2,
		OCTETS(big, sizeof(big)));
	message(record, "ngap", true, "127.0.0.1:40001", "127.0.0.5:38412", 2, stop);
	ck_assert_int_eq(record_close(record), 0);
	loop_free(loop);

	tshark("-T fields -e frame.time_epoch -e ip.src -e ipv6.src -e sctp.srcport "
	       "-e sctp.data_sid -e ngap.procedureCode -e nas_5gs.mm.5gmm_cause "
	       "-Y 'ngap.procedureCode or nas-5gs' -E separator=,",
	       out, sizeof(out));
	ck_assert_str_eq(out, "3240.000007000,127.0.0.5,,38412,0x0000,23,\n"
			      "3240.000007000,,2001:db8::1,40001,0x0005,23,\n"
			      "3240.000007000,10.0.0.3,,38412,0x0001,23,\n"
			      "3240.000007000,,,,,,22\n"
			      "3240.000007000,127.0.0.1,,40001,0x0002,23,\n"
			      "3240.000007000,127.0.0.1,,40001,0x0002,23,\n");
	/* The long one is put together again. */
	tshark("-T fields -e frame.number -e sctp.fragment -Y sctp.fragments", out, sizeof(out));
	ck_assert_str_eq(out, "7\t5,6,7\n");
	/* Every checksum is right, every TSN follows. */
	tshark("-Y 'sctp.checksum.status == 1' -T fields -e frame.number", out, sizeof(out));
	ck_assert_str_eq(out, "1\n2\n3\n5\n6\n7\n8\n");
	tshark("-Y 'ip.checksum.status == 0 or sctp.retransmission or _ws.malformed' "
	       "-T fields -e frame.number",
	       out, sizeof(out));
	ck_assert_str_eq(out, "");
}
END_TEST

START_TEST(tshark_reads_datagrams)
{
	struct octets data =
		OCTETS(session_modification_response, sizeof(session_modification_response));
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct record *record = record_open(dir, loop);
	char out[4000];

	ck_assert_ptr_nonnull(record);
	message(record, "pfcp", true, "127.0.0.21:8805", "127.0.0.8:8805", -1, data);
	message(record, "pfcp", false, "127.0.0.21:40001", "127.0.0.8:8805", -1, data);
	message(record, "pfcp", true, "[2001:db8::1]:8805", "[2001:db8::5]:8805", -1, data);
	message(record, "pfcp", true, NULL, NULL, -1, data);
	message(record, "icmp", true, "127.0.0.21:8805", "127.0.0.8:8805", -1, OCTETS(NULL, 0));
	ck_assert_int_eq(record_close(record), 0);
	loop_free(loop);
	tshark("-o udp.check_checksum:TRUE -T fields -e ip.src -e ipv6.src -e udp.srcport "
	       "-e udp.checksum.status -e ip.checksum.status -e pfcp.sequence_number "
	       "-E separator=,",
	       out, sizeof(out));
	ck_assert_str_eq(out, "127.0.0.21,,8805,1,1,1000\n"
			      "127.0.0.8,,8805,1,1,1000\n"
			      ",2001:db8::1,8805,1,,1000\n"
			      "10.0.0.4,,8805,1,1,1000\n");
	tshark("-Y _ws.malformed", out, sizeof(out));
	ck_assert_str_eq(out, "");
}
END_TEST

START_TEST(tshark_shows_what_the_case_says)
{
	struct loop *loop = loop_new(LOOP_VIRTUAL, 1);
	struct record *record = record_open(dir, loop);
	static char reason[20000];
	char out[20000];

	ck_assert_ptr_nonnull(record);
	record_case(record, "TP/A/01", "24.501 5.3.9", "Serves the \x1b[2J \xe2\x80\xae response");
	loop_run(loop, 7, NULL, NULL);
	record_control(record, "restart", "done");
	/* a character of two octets, wherever it is cut */
	for (size_t i = 0; i + 2 < sizeof(reason); i += 2)
		memcpy(reason + i, "\xc3\xa9", 2);
	record_verdict(record, "fail", reason);
	ck_assert_int_eq(record_close(record), 0);
	loop_free(loop);
	tshark("-T fields -e frame.time_epoch -e frame.comment", out, sizeof(out));
	ck_assert_msg(strstr(out, "0.000000000\tcase TP/A/01 (24.501 5.3.9): "
				  "Serves the \\x1b[2J \\u202e response\n"
				  "0.000007000\tcontrol restart: done\n"
				  "0.000007000\tverdict fail: \xc3\xa9") == out,
		      "%s", out);
	ck_assert_msg(strstr(out, "\xc3\xa9 [cut]\n") != NULL, "%s", out);
	tshark("-Y _ws.malformed", out, sizeof(out));
	ck_assert_str_eq(out, "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("capture");
	TCase *tc = tcase_create("capture");
	SRunner *runner = srunner_create(suite);
	char command[100];
	int failed;

	if (system("tshark --version >/dev/null 2>&1") != 0) {
		puts("skipped: no tshark here");
		return 77;
	}
	if (!mkdtemp(dir))
		return EXIT_FAILURE;
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, tshark_reads_what_was_sent);
	tcase_add_test(tc, tshark_reads_datagrams);
	tcase_add_test(tc, tshark_shows_what_the_case_says);
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (system(command) != 0)
		return EXIT_FAILURE;
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
