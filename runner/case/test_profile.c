#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/case/profile.h"

static char base[] = "/tmp/spillway-profile-XXXXXX";
static char path[128];
static char errors_buf[16384];
static struct text errors;

static struct profile *read_text(const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	text_init(&errors, errors_buf, sizeof(errors_buf));
	return profile_read(path, &errors);
}

#define SECRET "a-secret-of-more-than-thirty-two-octets"

/* A good one, line by line, so that a test can spoil one line. */
#define GOOD_IUT     "iut: { role: amf, n2: { address: 127.0.0.5 } }\n"
#define GOOD_TESTER  "tester: { n2: { addresses: [127.0.0.11, 127.0.0.12] } }\n"
#define GOOD_NETWORK "network: { plmn: \"99970\", tacs: [\"000001\"] }\n"
#define GOOD_SLICES  "slices: [ { sst: 1 } ]\n"
#define GOOD_SUBSCRIBERS                                          \
	"subscribers: { first: imsi-999700000000001, count: 5,\n" \
	"   k: 465B5CE8B199B49FAA5F0A2EE238A6BC, opc: E8ED289DEBA952E4283B54E88E6183CA }\n"
#define GOOD GOOD_IUT GOOD_TESTER GOOD_NETWORK GOOD_SLICES GOOD_SUBSCRIBERS

START_TEST(good)
{
	struct profile *p = read_text(GOOD);

	ck_assert_msg(p != NULL, "%s", errors.buf);
	ck_assert_str_eq(p->file, path);
	ck_assert(p->live);
	ck_assert_int_eq(p->control, CONTROL_NONE);
	ck_assert_uint_eq(ntohs(p->iut_n2.v4.sin_port), 38412);
	ck_assert_uint_eq(p->n2.address_count, 2);
	ck_assert_mem_eq(p->plmn.bcd, "\x99\xf9\x07", 3);
	ck_assert_uint_eq(p->tacs[0], 1);
	ck_assert_uint_eq(p->slice_count, 1);
	ck_assert(!p->slices[0].has_sd);
	ck_assert_uint_eq(p->subscribers.k[0], 0x46);
	ck_assert_uint_eq(p->subscribers.amf[0], 0x80);
	ck_assert_int_eq(p->n2.transport, NET_AUTO);
	ck_assert_int_eq(profile_missing(p, NEEDS(ICS_EMERGENCY)), ICS_EMERGENCY);
	ck_assert_int_eq(profile_missing(p, 0), ICS_COUNT);
	profile_free(p);
}
END_TEST

/* The example of the design, which has every key. */
START_TEST(every_key)
{
	struct profile *p = read_text(
		"iut:\n  name: \"Example AMF 1.2\"\n  role: amf\n"
		"  n2:  { address: 127.0.0.5, port: 38412, transport: usrsctp-udp }\n"
		"  n4:  { address: 127.0.0.8, port: 8806, f-seid: [127.0.0.8, 127.0.0.9] }\n"
		"  sbi: { uri: \"http://127.0.0.5:7777\", tls: { ca: ca.pem, cert: /x/tester.pem, "
		"key: tester.key, name: amf.example.com }, oauth2: { key: nrf.pem } }\n"
		"  nf-type: AMF\n"
		"tester:\n"
		"  n2:  { addresses: [127.0.0.11, 127.0.0.12], transport: auto, udp-port: 9900, "
		"peer-udp-port: 9898, crc-on-loopback: no }\n"
		"  amfs: [ { address: 127.0.0.31, guami: { region: 2, set: 1, pointer: 0 }, "
		"capacity: 100, tnl: [255, 0] } ]\n"
		"  n3iwf: { address: 127.0.0.14 }\n"
		"  n4:  { addresses: [127.0.0.21, 127.0.0.22] }\n"
		"  sbi: { address: 127.0.0.30, port: 7778, addresses: [127.0.0.41, 127.0.0.42], "
		"roles: [nrf, ausf, udm, pcf, nssf, smf], nrf: \"http://127.0.0.10:7700\", oauth2: "
		"{ state: off, secret: " SECRET " } }\n"
		"network: { plmn: \"999701\", amf-region: 2, amf-set: 1, tacs: [\"000001\", "
		"\"00000A\"], equivalent-plmns: [\"99971\"], other-plmns: [\"99972\"], "
		"nid: \"000007ed9d5\" }\n"
		"slices:  [ { sst: 1, sd: \"010203\" }, { sst: 2 } ]\n"
		"subscribers: { first: imsi-999700000000001, count: 2000, k: "
		"465B5CE8B199B49FAA5F0A2EE238A6BC,\n"
		"  opc: E8ED289DEBA952E4283B54E88E6183CA, amf: \"8001\", hn-keys: [ { id: 1, "
		"scheme: A, public-key: "
		"000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f } ] }\n"
		"ics:\n  nas-congestion: yes\n  n2-overload: on\n  n2-overload-slices: true\n"
		"  discontinuous-coverage: no\n"
		"ixit:\n  t3346: { min: 10s, max: 186m }\n  t3512: 60s\n"
		"  mobile-reachable: 300s\n  implicit-deregistration: 5m\n"
		"  response-time: 500ms\n  connect-time: 60s\n  max-toggles: 3/10s\n"
		"  operations: [ { method: GET, path: /x, expect: 200 } ]\n"
		"  load-levels:\n"
		"    - { from: 70, action: 0, tlr: 20, nas-congestion: no }\n"
		"    - { from: 85, action: 1, nas-congestion: yes }\n"
		"policy: { should: fail, false-alarm: 1e-9, max-duration: 30m }\n"
		"control: { kind: exec, command: [\"/opt/vendor/adapter\", \"--lab\", \"7\"], "
		"timeout: 20s }\n");
	char tls[160];

	ck_assert_msg(p != NULL, "%s", errors.buf);
	ck_assert_str_eq(p->iut_name, "Example AMF 1.2");
	ck_assert_int_eq(p->iut_transport, NET_USRSCTP_UDP);
	ck_assert_int_eq(p->n2.transport, NET_AUTO);
	ck_assert_uint_eq(p->n2.peer_udp_port, 9898);
	ck_assert(!p->n2.crc_on_loopback);
	ck_assert(p->has_iut_n4);
	ck_assert_uint_eq(ntohs(p->iut_n4.v4.sin_port), 8806);
	ck_assert_uint_eq(p->iut_n4_f_seid_count, 2);
	ck_assert_uint_eq(ntohs(p->iut_n4_f_seid[1].v4.sin_port), 8806);
	snprintf(tls, sizeof(tls), "%s/ca.pem", base);
	ck_assert_str_eq(p->iut_sbi_tls.ca, tls);
	ck_assert_str_eq(p->iut_sbi_tls.cert, "/x/tester.pem");
	ck_assert_str_eq(p->iut_sbi_tls.name, "amf.example.com");
	snprintf(tls, sizeof(tls), "%s/nrf.pem", base);
	ck_assert_str_eq(p->iut_sbi_oauth2.key, tls);
	ck_assert(p->iut_sbi_oauth2.on && !p->iut_sbi_oauth2.secret);
	ck_assert_str_eq(p->sbi_oauth2.secret, SECRET);
	ck_assert(!p->sbi_oauth2.on && !p->sbi_oauth2.key);
	ck_assert_uint_eq(p->amf_count, 1);
	ck_assert_uint_eq(p->amfs[0].capacity, 100);
	ck_assert_uint_eq(p->amfs[0].tnl_count, 2);
	ck_assert_uint_eq(p->amfs[0].tnl[0], 255);
	ck_assert_uint_eq(ntohl(p->amfs[0].tnl_addresses[1].v4.sin_addr.s_addr), 0x7f000083);
	ck_assert_uint_eq(ntohs(p->amfs[0].tnl_addresses[1].v4.sin_port), 38412);
	ck_assert_uint_eq(p->n4_count, 2);
	ck_assert_uint_eq(ntohs(p->n4[1].v4.sin_port), 8805);
	ck_assert_str_eq(p->sbi_roles[5], "smf");
	ck_assert(p->has_sbi_nrf && !p->sbi_nrf_https);
	ck_assert_uint_eq(ntohs(p->sbi_nrf.v4.sin_port), 7700);
	ck_assert_str_eq(p->iut_sbi_uri, "http://127.0.0.5:7777");
	ck_assert_uint_eq(ntohl(p->iut_sbi.v4.sin_addr.s_addr), 0x7f000005);
	ck_assert_uint_eq(ntohs(p->iut_sbi.v4.sin_port), 7777);
	ck_assert(!p->iut_sbi_https);
	ck_assert_uint_eq(ntohs(p->sbi.v4.sin_port), 7778);
	ck_assert_uint_eq(p->sbi_address_count, 2);
	ck_assert_uint_eq(ntohs(p->sbi_addresses[1].v4.sin_port), 7778);
	ck_assert_mem_eq(p->plmn.bcd, "\x99\x19\x07", 3);
	ck_assert(p->has_nid);
	ck_assert_uint_eq(p->nid, 0x7ed9d5);
	ck_assert_uint_eq(p->tacs[1], 10);
	ck_assert_uint_eq(p->slices[0].sd, 0x010203);
	ck_assert_uint_eq(p->subscribers.amf[1], 1);
	ck_assert_uint_eq(p->subscribers.hn_key_count, 1);
	ck_assert_int_eq(p->subscribers.hn_keys[0].scheme, 'A');
	ck_assert(p->ics[ICS_NAS_CONGESTION] && p->ics[ICS_N2_OVERLOAD]);
	ck_assert(!p->ics[ICS_DISCONTINUOUS_COVERAGE]);
	ck_assert_uint_eq(p->t3346_max, 186 * 60 * US_PER_S);
	ck_assert_uint_eq(p->response_time, 500000);
	ck_assert_uint_eq(p->max_toggles, 3);
	ck_assert_uint_eq(p->max_toggles_window, 10 * US_PER_S);
	ck_assert_str_eq(p->operations[0].path, "/x");
	ck_assert_uint_eq(p->load_level_count, 2);
	ck_assert_uint_eq(p->load_levels[1].tlr, 0);
	ck_assert(p->load_levels[1].nas_congestion);
	ck_assert(p->should_fails);
	ck_assert_uint_eq(p->max_duration, 1800 * US_PER_S);
	ck_assert_int_eq(p->control, CONTROL_EXEC);
	ck_assert_str_eq(p->control_command[2], "7");
	ck_assert_ptr_null(p->control_command[3]);
	ck_assert_uint_eq(p->control_timeout, 20 * US_PER_S);
	profile_free(p);
}
END_TEST

/* What is wrong, where, and a word of what is said. */
static const struct {
	const char *text;
	const char *where;
	const char *what;
} wrong[] = {
	{ "", "1:1", "empty" },
	{ "# nothing\n", "1:1", "empty" },
	{ "x", "1:1", "a map expected, not a single value" },
	{ "- a\n- b\n", "1:1", "a map expected, not a list" },
	{ GOOD "\tx: 1\n", "7:1", "not YAML" },
	{ GOOD "ics: [", "8:1", "not YAML" },
	{ GOOD "colour: red\n", "7:1",
	  "unknown key \"colour\"; allowed here: iut, tester, network, slices, subscribers, ics" },
	{ "iut:\n  role: amf\n  nmae: x\n" GOOD_TESTER, "3:3", "allowed here: name, role, n2" },
	{ GOOD "ics:\n  nas-congestion: maybe\n", "8:19", "yes or no expected, not \"maybe\"" },
	{ GOOD "ics:\n  nas-congestion: \"yes\"\n", "8:19", "yes or no expected" },
	{ GOOD "ics:\n  nas-congstion: yes\n", "8:3", "allowed here: emergency, " },
	{ GOOD "ics: yes\n", "7:6", "a map expected, not a single value" },
	{ GOOD "ics: { oci: [yes] }\n", "7:13", "yes or no expected, not a list" },
	{ "iut: { role: bmf }\n", "1:14", "one of amf, ue, ran, up, cp, nf-server" },
	{ "iut: { role: amf, n2: { address: 127.0.0 } }\n", "1:34", "an IPv4 or IPv6 address" },
	{ "iut: { role: amf, n2: { address: 1::1, port: 65536 } }\n", "1:46",
	  "65536 is outside 1 to 65535" },
	{ "iut: { role: amf, n2: { address: 1::1, port: 38412.5 } }\n", "1:46", "a whole number" },
	{ "iut: { role: amf, n2: { address: 1::1, port: -1 } }\n", "1:46", "a whole number" },
	{ "iut: { role: amf, n2: { port: 7 } }\n", "1:23", "the key \"address\" is missing" },
	{ "iut: { role: amf, n2: { address: 1::1, transport: sctp } }\n", "1:51",
	  "one of auto, kernel, usrsctp, usrsctp-udp expected" },
	{ "iut: { name: x }\n", "1:6", "the key \"role\" is missing" },
	{ "tester: { n2: { addresses: [] } }\n", "1:28", "at least one" },
	{ "tester: { n2: { addresses: 127.0.0.1 } }\n", "1:28", "a list of addresses expected" },
	{ "tester: { n2: { addresses: [127.0.0.1, { a: b }] } }\n", "1:40", "not a map" },
	{ "tester: { n2: { addresses: [127.0.0.11, 127.0.0.12, 127.0.0.11] } }\n", "1:53",
	  "127.0.0.11 stands here already" },
	{ "network: { plmn: 99970, tacs: [\"00000a\", \"00000A\"] }\n", "1:42", "already" },
	{ "network: { plmn: 99970, tacs: [\"000001\"], other-plmns: [99971, 99971] }\n", "1:64",
	  "the PLMN 99971 stands here already" },
	{ "network: { plmn: \"9997\", tacs: [\"000001\"] }\n", "1:18", "5 or 6 digits" },
	{ "network: { plmn: 99970, tacs: [\"1\"] }\n", "1:32", "6 hexadecimal digits" },
	{ "network: { plmn: 99970, tacs: [\"000001\"], nid: 77 }\n", "1:48", "11 hexadecimal" },
	{ "network: { plmn: 99970, tacs: [\"000001\"], amf-set: 1024 }\n", "1:52",
	  "1024 is outside 0 to 1023" },
	{ "slices: [ { sst: 256 } ]\n", "1:18", "outside 0 to 255" },
	{ "slices: [ { sst: 1 }, { sst: 1 } ]\n", "1:23", "already" },
	{ "slices: [ { sst: 1, sd: ffffff } ]\n", "1:25", "leave it out" },
	{ "slices: [ { sd: \"010203\" } ]\n", "1:11", "\"sst\" is missing" },
	{ "subscribers: { first: 999700000000001, count: 1, k: 00, opc: 00 }\n", "1:23", "imsi-" },
	{ "subscribers: { first: imsi-99970999999999, count: 2, k: "
	  "465B5CE8B199B49FAA5F0A2EE238A6BC, opc: 465B5CE8B199B49FAA5F0A2EE238A6BC }\n",
	  NULL, NULL }, /* fits: 99999...99 is not reached */
	{ "subscribers: { first: imsi-999999999999999, count: 2, k: "
	  "465B5CE8B199B49FAA5F0A2EE238A6BC, opc: 465B5CE8B199B49FAA5F0A2EE238A6BC }\n",
	  "1:14", "do not fit" },
	{ "subscribers: { first: imsi-999700000000001, count: 0, k: 00, opc: 00 }\n", "1:52",
	  "0 is outside 1 to" },
	{ "subscribers: { first: imsi-999700000000001, count: 1, k: 465B, opc: 00 }\n", "1:58",
	  "32 hexadecimal digits" },
	{ GOOD "ixit:\n  t3346: { min: 10m, max: 9m }\n", "8:17", "minimum of t3346 is above" },
	{ GOOD "ixit:\n  t3346: { min: 187m }\n", "8:17", "187m is outside 2s to 186m" },
	{ GOOD "ixit:\n  t3512: 60\n", "8:10", "a duration expected" },
	{ GOOD "ixit:\n  t3512: -60s\n", "8:10", "a duration expected" },
	{ GOOD "ixit:\n  t3512: 99999999999999999999s\n", "8:10", "a duration expected" },
	{ GOOD "ixit:\n  max-toggles: 2\n", "8:16", "changes/time expected" },
	{ GOOD "ixit:\n  max-toggles: 0/m\n", "8:16", "changes/time expected" },
	{ GOOD "ixit:\n  load-levels: [ { from: 80, action: 1 }, { from: 80, action: 2 } ]\n",
	  "8:43", "have to rise" },
	{ GOOD "ixit:\n  load-levels: [ { from: 80, action: 4 } ]\n", "8:38", "outside 0 to 3" },
	{ GOOD "ixit:\n  load-levels: [ { from: 80, action: 1, tlr: 100 } ]\n", "8:46",
	  "outside 1 to 99" },
	{ GOOD "ixit:\n  operations: [ { method: get, path: /x } ]\n", "8:27", "one of GET" },
	{ GOOD "ixit:\n  operations: [ { method: GET, path: x } ]\n", "8:38", "a path" },
	{ GOOD "policy: { should: wrn }\n", "7:19", "one of warn, fail" },
	{ GOOD "policy: { false-alarm: 1 }\n", "7:24", "1 is outside 1e-15 to 0.01" },
	{ GOOD "policy: { false-alarm: nan }\n", "7:24", "a number expected" },
	{ GOOD "control: { command: [x] }\n", "7:10", "\"kind\" is missing" },
	{ GOOD "control: { kind: exec }\n", "7:10", "needs a command" },
	{ GOOD "control: { kind: exec, command: [] }\n", "7:33", "a program expected" },
	{ GOOD "control: { kind: exec, command: x y }\n", "7:33", "a list of the program" },
	{ GOOD "control: { kind: http }\n", "7:10", "needs a url" },
	{ GOOD "control: { kind: http, url: \"ftp://x\" }\n", "7:29", "http://" },
	{ GOOD "control: { kind: shell }\n", "7:18", "one of builtin, exec, http, manual" },
	{ GOOD "ics: &a { oci: yes }\n", "7:6", "anchors" },
	{ GOOD "ics: *a\n", "7:6", "alias" },
	{ GOOD "ics: !x { oci: yes }\n", "7:6", "tags" },
	{ GOOD "ics: { oci: yes, oci: no }\n", "7:18", "\"oci\" stands here twice" },
	{ GOOD "---\nics: {}\n", "7:1", "one document" },
	{ GOOD "? [a]\n: b\n", "7:3", "a key has to be a word" },
	{ "iut: { role: amf }\n" GOOD_TESTER GOOD_NETWORK GOOD_SLICES GOOD_SUBSCRIBERS, "1:1",
	  "the role amf needs iut.n2.address" },
	{ GOOD_IUT GOOD_TESTER GOOD_NETWORK GOOD_SLICES, "1:1", "needs subscribers" },
	{ "iut: { role: amf, n2: { address: 127.0.0.5 } }\ntester: { n2: { addresses: [127.0.0.1, "
	  "\"::1\"] } }\n" GOOD_NETWORK GOOD_SLICES GOOD_SUBSCRIBERS,
	  "2:28", "mixed" },
	{ "iut: { role: ran }\n" GOOD_NETWORK, "1:1", "tester.amfs" },
	{ "iut: { role: up }\ntester: { n4: { addresses: [127.0.0.21] } }\n", "1:1",
	  "the role up needs iut.n4.address" },
	{ "iut: { role: cp, n4: { address: 127.0.0.8 } }\n", "1:1", "needs tester.n4.addresses" },
	{ "iut: { role: up, n4: { address: 127.0.0.8, f-seid: [\"::1\"] } }\n"
	  "tester: { n4: { addresses: [127.0.0.21] } }\n",
	  "1:52", "mixed" },
	{ "iut: { role: up, n4: { address: \"::1\" } }\ntester: { n4: { addresses: [127.0.0.21] "
	  "} }\n",
	  "2:28", "mixed" },
	{ "iut: { role: up, n4: { address: 127.0.0.8 } }\ntester: { n4: { addresses: [127.0.0.8] "
	  "} }\n",
	  "2:28", "the address of the IUT" },
	{ "iut: { role: up, n4: { address: 127.0.0.8, f-seid: [127.0.0.8, 127.0.0.8] } }\n", "1:64",
	  "stands here already" },
	{ "iut: { role: ue }\ntester: { amfs: [ { address: 127.0.0.31, guami: {} } ] "
	  "}\n" GOOD_NETWORK,
	  "1:1", "the role ue needs subscribers" },
	{ "tester: { amfs: [ { address: 127.0.0.231, guami: {}, tnl: [1, 2] } ] }\n", "1:19",
	  "need tnl-addresses" },
	{ "tester: { amfs: [ { address: 127.0.0.31, guami: {}, tnl: [1, 2], tnl-addresses: "
	  "[127.0.0.41, 127.0.0.42] } ] }\n",
	  "1:19", "2 tnl-addresses for 1 associations" },
	{ "tester: { amfs: [ { address: 127.0.0.31, guami: {}, tnl-addresses: [127.0.0] } ] }\n",
	  "1:69", "an IPv4 or IPv6 address" },
	{ "tester: { amfs: [ { address: 127.0.0.31, guami: {} }, { address: 127.0.0.31, guami: {} "
	  "} "
	  "] }\n",
	  "1:55", "stands at another AMF already" },
	{ "tester: { amfs: [ { address: 127.0.0.31, guami: {}, tnl: [1, 0] }, { address: "
	  "127.0.0.131, guami: {} } ] }\n",
	  "1:68", "stands at another AMF already" },
	{ "tester: { amfs: [ { address: 127.0.0.31, guami: { set: 1024 } } ] }\n", "1:56",
	  "outside 0 to 1023" },
	{ "iut: { role: amf, n2: { address: 127.0.0.5 }, sbi: { uri: \"http://127.0.0.5:7777\" } "
	  "}\n"
	  "tester: { sbi: { address: 127.0.0.40, roles: [ausf] } }\n",
	  "1:1", "needs tester.sbi.nrf (or the role nrf)" },
	{ "iut: { role: amf, n2: { address: 127.0.0.5 }, sbi: { uri: \"http://127.0.0.5:7777\" } "
	  "}\n"
	  "tester: { sbi: { address: 127.0.0.5, roles: [nrf] } }\n",
	  "1:1", "tester.sbi.address is that of the IUT" },
	{ "tester: { sbi: { address: 127.0.0.40, nrf: \"http://nrf.example\" } }\n", "1:44",
	  "an IP address expected" },
	{ "iut: { role: nrf }\n", "1:1", "iut.sbi.uri" },
	{ "iut: { role: nf-server }\n", "1:1", "ixit.operations" },
	{ "iut: { role: nf-client }\n", "1:1", "tester.sbi.addresses" },
	{ "iut: { role: nrf, sbi: { uri: \"ftp://127.0.0.1\" } }\n", "1:31",
	  "http:// or https://" },
	{ "iut: { role: nrf, sbi: { uri: \"http://nrf.example\" } }\n", "1:31",
	  "an IP address expected" },
	{ "iut: { role: nrf, sbi: { uri: \"https://127.0.0.1:99999\" } }\n", "1:31",
	  "an IP address expected" },
	{ "iut: { role: nrf, sbi: { uri: \"http://127.0.0.1:7777\",\n"
	  " oauth2: { secret: soon told } } }\n",
	  "2:20", "a secret of at least 32 octets expected, this has 9" },
	{ "iut: { role: nrf, sbi: { uri: \"http://127.0.0.1:7777\",\n"
	  " oauth2: { state: maybe, key: a } } }\n",
	  "2:19", "on, off" },
	{ "iut: { role: nrf, sbi: { uri: \"http://127.0.0.1:7777\",\n"
	  " oauth2: { state: on } } }\n",
	  "2:10", "a key or a secret" },
	{ "iut: { role: nrf, sbi: { uri: \"http://127.0.0.1:7777\",\n"
	  " oauth2: { key: a, secret: " SECRET " } } }\n",
	  "2:10", "a key or a secret" },
	{ "iut: { role: nrf, sbi: { uri: \"http://127.0.0.1:7777\",\n"
	  " oauth2: { token: a } } }\n",
	  "2:12", "allowed here: state, key, secret" },
	{ "iut: { role: nrf, sbi: { uri: \"http://127.0.0.1:7777\" } }\n"
	  "ics: { oauth2: yes }\n",
	  "1:1", "needs iut.sbi.oauth2" },
	{ "iut: { role: nf-server, sbi: { uri: \"http://127.0.0.1:7777\",\n"
	  " oauth2: { secret: " SECRET " } } }\n"
	  "ics: { oauth2: yes }\n",
	  "1:1", "needs tester.sbi.oauth2" },
	{ "iut: { role: amf }\n"
	  "tester: { sbi: { address: 127.0.0.2, roles: [smf], nrf: \"http://127.0.0.3:80\",\n"
	  " oauth2: { secret: " SECRET " } } }\n",
	  "1:1", "tester.sbi.oauth2 is for the NRF that the tester plays" },
	{ "iut: { role: nrf, sbi: { uri: \"http://127.0.0.1:7777\" } }\n"
	  "tester: { sbi: { address: 127.0.0.2, addresses: [127.0.0.2] } }\n",
	  "2:49", "tester.sbi.address is among" },
	{ "iut: { role: nrf, sbi: { uri: \"http://127.0.0.1:7777\" } }\n"
	  "tester: { sbi: { address: 127.0.0.2, addresses: [127.0.0.1] } }\n",
	  "2:49", "the address of the IUT" },
	{ "iut: { role: nrf, sbi: { uri: \"http://127.0.0.1:7777\" } }\n"
	  "tester: { sbi: { address: 127.0.0.2, addresses: [127.0.0.3], tls: { cert: a } } }\n",
	  "2:16", "both cert and key" },
};

START_TEST(each_fault_has_its_place)
{
	char where[200];
	struct profile *p = read_text(wrong[_i].text);

	if (!wrong[_i].where) {
		ck_assert_ptr_null(strstr(errors.buf, "fit"));
		profile_free(p);
		return;
	}
	ck_assert_ptr_null(p);
	snprintf(where, sizeof(where), "%s:%s: ", path, wrong[_i].where);
	ck_assert_msg(strstr(errors.buf, where) != NULL, "%s\nsaid: %s", wrong[_i].text,
		      errors.buf);
	ck_assert_msg(strstr(errors.buf, wrong[_i].what) != NULL, "%s\nsaid: %s", wrong[_i].text,
		      errors.buf);
}
END_TEST

START_TEST(only_a_file_is_read)
{
	char fifo[200];

	snprintf(fifo, sizeof(fifo), "%s.fifo", path);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	text_init(&errors, errors_buf, sizeof(errors_buf));
	/* Would wait for a writer for ever; the time limit of the test says so. */
	ck_assert_ptr_null(profile_read(fifo, &errors));
	ck_assert_ptr_nonnull(strstr(errors.buf, "not a regular file"));
	unlink(fifo);
}
END_TEST

START_TEST(several_at_once)
{
	ck_assert_ptr_null(read_text("iut: { role: x, colour: red }\n"
				     "slices: [ { sst: 300 }, { sst: a, sd: 1 } ]\n"
				     "ixit: { t3512: soon }\n"));
	ck_assert_ptr_nonnull(strstr(errors.buf, ":1:14: "));
	ck_assert_ptr_nonnull(strstr(errors.buf, ":1:17: "));
	ck_assert_ptr_nonnull(strstr(errors.buf, ":2:18: "));
	ck_assert_ptr_nonnull(strstr(errors.buf, ":2:32: "));
	ck_assert_ptr_nonnull(strstr(errors.buf, ":2:39: "));
	ck_assert_ptr_nonnull(strstr(errors.buf, ":3:16: "));
}
END_TEST

START_TEST(hostile)
{
	size_t size = 3 << 20;
	char *text = malloc(size);
	size_t n;

	ck_assert_ptr_nonnull(text);
	memset(text, ' ', size - 1);
	text[size - 1] = '\0';
	ck_assert_ptr_null(read_text(text));
	ck_assert_ptr_nonnull(strstr(errors.buf, "more than"));

	/* deep */
	memset(text, '[', 100000);
	text[100000] = '\0';
	ck_assert_ptr_null(read_text(text));
	ck_assert_ptr_nonnull(strstr(errors.buf, "too deep"));

	/* wide */
	n = (size_t)sprintf(text, "iut: [");
	while (n < 900000)
		n += (size_t)sprintf(text + n, "a,");
	sprintf(text + n, "]\n");
	ck_assert_ptr_null(read_text(text));
	ck_assert_ptr_nonnull(strstr(errors.buf, "too much"));

	ck_assert_ptr_null(read_text("iut: \xff\xfe\xfd\n"));
	ck_assert_uint_gt(errors.len, 0);
	ck_assert_ptr_null(read_text("iut: { name: \"a\\0b\" }\n"));
	ck_assert_ptr_nonnull(strstr(errors.buf, "NUL"));
	text_init(&errors, errors_buf, sizeof(errors_buf));
	ck_assert_ptr_null(profile_read("/nonexistent/x.yaml", &errors));
	ck_assert_ptr_nonnull(strstr(errors.buf, "No such file"));
	text_init(&errors, errors_buf, sizeof(errors_buf));
	ck_assert_ptr_null(profile_read("/tmp", &errors));
	ck_assert_uint_gt(errors.len, 0);
	free(text);
}
END_TEST

/* A broken octet anywhere in the fixture is refused or read, never a crash. */
START_TEST(broken_fixture)
{
	const char *source = getenv("SPILLWAY_SOURCE_DIR");
	static const char octets[] = { '\0', ':', '{', ']', '"', '&', '\n', (char)0x80 };
	char text[16384], copy[16384], name[512];
	FILE *file;
	size_t len;

	if (!source)
		return;
	snprintf(name, sizeof(name), "%s/fixtures/profiles/amf.yaml", source);
	file = fopen(name, "r");
	ck_assert_ptr_nonnull(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	for (size_t i = 0; i < len; i += 7) {
		memcpy(copy, text, len + 1);
		copy[i] = octets[(i / 7) % sizeof(octets)];
		profile_free(read_text(copy));
		copy[i] = '\0';
		profile_free(read_text(copy));
	}
}
END_TEST

START_TEST(fixtures_are_good)
{
	static const struct {
		const char *name, *role;
	} files[] = {
		{ "amf.yaml", "role amf" },
		{ "amf-sbi.yaml", "plays nrf ausf udm pcf nssf smf" },
		{ "amf-short-timers.yaml", "role amf" },
		{ "example-amf.yaml", "role amf" },
		{ "example-amf-manual.yaml", "role amf" },
		{ "ran.yaml", "role ran" },
		{ "ue.yaml", "role ue" },
		{ "up.yaml", "role up" },
		{ "cp.yaml", "role cp" },
		{ "ueransim-gnb.yaml", "role ran" },
		{ "ueransim-ue.yaml", "role ue" },
	};
	const char *source = getenv("SPILLWAY_SOURCE_DIR");

	if (!source)
		return;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		char name[512], said[8192];
		struct profile *p;
		struct text out;

		snprintf(name, sizeof(name), "%s/fixtures/profiles/%s", source, files[i].name);
		text_init(&errors, errors_buf, sizeof(errors_buf));
		p = profile_read(name, &errors);
		ck_assert_msg(p != NULL, "%s", errors.buf);
		text_init(&out, said, sizeof(said));
		profile_summary(p, &out);
		ck_assert_ptr_nonnull(strstr(said, files[i].role));
		ck_assert(!out.truncated);
		profile_free(p);
	}
}
END_TEST

/* The fixture for the reference AMF and the built-in profile are the same network. */
START_TEST(fixture_matches_builtin)
{
	const char *source = getenv("SPILLWAY_SOURCE_DIR");
	struct profile *b = profile_builtin(ROLE_AMF);
	struct profile *p;
	char name[512];

	ck_assert_ptr_nonnull(b);
	ck_assert_uint_eq(b->subscribers.count, 2000);
	ck_assert_mem_eq(b->plmn.bcd, "\x99\xf9\x07", 3);
	if (source) {
		snprintf(name, sizeof(name), "%s/fixtures/profiles/amf.yaml", source);
		text_init(&errors, errors_buf, sizeof(errors_buf));
		p = profile_read(name, &errors);
		ck_assert_msg(p != NULL, "%s", errors.buf);
		ck_assert_mem_eq(&p->subscribers, &b->subscribers, sizeof(p->subscribers));
		ck_assert_mem_eq(&p->plmn, &b->plmn, sizeof(p->plmn));
		ck_assert_mem_eq(p->load_levels, b->load_levels, sizeof(p->load_levels));
		ck_assert_mem_eq(p->slices, b->slices, sizeof(p->slices));
		ck_assert_uint_eq(p->t3346_min, b->t3346_min);
		ck_assert_uint_eq(p->t3346_max, b->t3346_max);
		ck_assert_uint_eq(p->amf_region, b->amf_region);
		ck_assert_uint_eq(p->amf_set, b->amf_set);
		profile_free(p);
	}
	profile_free(b);
}
END_TEST

/* The same for the roles of N4, whose profile has little more than addresses. */
START_TEST(n4_fixtures_match_builtin)
{
	const char *source = getenv("SPILLWAY_SOURCE_DIR");
	enum role role = _i ? ROLE_CP : ROLE_UP;
	struct profile *b = profile_builtin(role);
	char name[512], said[4096];
	struct profile *p;
	struct text out;

	ck_assert_ptr_nonnull(b);
	ck_assert_uint_ge(b->n4_count, 3);
	if (source) {
		snprintf(name, sizeof(name), "%s/fixtures/profiles/%s.yaml", source,
			 role_name(role));
		text_init(&errors, errors_buf, sizeof(errors_buf));
		p = profile_read(name, &errors);
		ck_assert_msg(p != NULL, "%s", errors.buf);
		ck_assert_mem_eq(&p->iut_n4.v4, &b->iut_n4.v4, sizeof(p->iut_n4.v4));
		ck_assert_uint_eq(p->iut_n4_f_seid_count, b->iut_n4_f_seid_count);
		for (size_t i = 0; i < p->iut_n4_f_seid_count; i++)
			ck_assert_mem_eq(&p->iut_n4_f_seid[i].v4, &b->iut_n4_f_seid[i].v4,
					 sizeof(p->iut_n4.v4));
		for (size_t i = 0; i < p->n4_count; i++)
			ck_assert_mem_eq(&p->n4[i].v4, &b->n4[i].v4, sizeof(p->iut_n4.v4));
		text_init(&out, said, sizeof(said));
		profile_summary(p, &out);
		ck_assert_ptr_nonnull(strstr(said, "IUT 127.0.0.8:8805"));
		ck_assert_ptr_nonnull(strstr(said, "tester 127.0.0.21:8805 127.0.0.22:8805"));
		ck_assert_ptr_null(strstr(said, "fewer than"));
		profile_free(p);
	}
	profile_free(b);
}
END_TEST

START_TEST(udp_on_loopback_is_noted)
{
	struct profile *p =
		read_text("iut: { role: amf, n2: { address: 127.0.0.5, transport: usrsctp-udp } "
			  "}\n" GOOD_TESTER GOOD_NETWORK GOOD_SLICES GOOD_SUBSCRIBERS);
	char said[4096];
	struct text out;

	ck_assert_msg(p != NULL, "%s", errors.buf);
	ck_assert_int_eq(p->n2.transport, NET_USRSCTP_UDP);
	text_init(&out, said, sizeof(said));
	profile_summary(p, &out);
	ck_assert_ptr_nonnull(strstr(said, "0.0.0.0"));
	profile_free(p);
}
END_TEST

START_TEST(roles_are_told)
{
	struct profile *p = read_text(
		"iut: { role: amf, n2: { address: 127.0.0.5 } }\n"
		"tester: { n2: { addresses: [127.0.0.11] }, sbi: { address: 127.0.0.40, roles: "
		"[ausf, chf], nrf: \"http://127.0.0.10:7777\" } "
		"}\n" GOOD_NETWORK GOOD_SLICES GOOD_SUBSCRIBERS);
	char said[4096];
	struct text out;

	ck_assert_msg(p != NULL, "%s", errors.buf);
	text_init(&out, said, sizeof(said));
	profile_summary(p, &out);
	ck_assert_ptr_nonnull(strstr(said, "plays ausf chf, registers at 127.0.0.10:7777"));
	ck_assert_ptr_nonnull(strstr(said, "note: chf of tester.sbi.roles is not played"));
	ck_assert_ptr_null(strstr(said, "note: ausf"));
	profile_free(p);
}
END_TEST

START_TEST(durations)
{
	uint64_t us = 0;

	ck_assert(profile_duration("500ms", &us) && us == 500000);
	ck_assert(profile_duration("10s", &us) && us == 10000000);
	ck_assert(profile_duration("5m", &us) && us == 300000000);
	ck_assert(profile_duration("2h", &us) && us == 7200000000);
	ck_assert(!profile_duration("", &us));
	ck_assert(!profile_duration("5", &us));
	ck_assert(!profile_duration(" 5s", &us));
	ck_assert(!profile_duration("+5s", &us));
	ck_assert(!profile_duration("5 s", &us));
	ck_assert(!profile_duration("5sm", &us));
	ck_assert(!profile_duration("5d", &us));
	ck_assert(!profile_duration("18446744073709551615h", &us));
}
END_TEST

START_TEST(ics_list)
{
	char said[8192];
	struct text out;

	text_init(&out, said, sizeof(said));
	profile_list_ics(&out);
	for (size_t i = 0; i < ICS_COUNT; i++)
		ck_assert_ptr_nonnull(strstr(said, ics_name((enum ics)i)));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("profile");
	TCase *tcase = tcase_create("profile");
	SRunner *runner;
	int failed;

	if (!mkdtemp(base))
		return 1;
	snprintf(path, sizeof(path), "%s/p.yaml", base);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, good);
	tcase_add_test(tcase, every_key);
	tcase_add_loop_test(tcase, each_fault_has_its_place, 0,
			    (int)(sizeof(wrong) / sizeof(*wrong)));
	tcase_add_test(tcase, only_a_file_is_read);
	tcase_add_test(tcase, several_at_once);
	tcase_add_test(tcase, hostile);
	tcase_add_test(tcase, broken_fixture);
	tcase_add_test(tcase, fixtures_are_good);
	tcase_add_test(tcase, fixture_matches_builtin);
	tcase_add_loop_test(tcase, n4_fixtures_match_builtin, 0, 2);
	tcase_add_test(tcase, udp_on_loopback_is_noted);
	tcase_add_test(tcase, roles_are_told);
	tcase_add_test(tcase, durations);
	tcase_add_test(tcase, ics_list);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	unlink(path);
	rmdir(base);
	return failed != 0;
}
