/*
 * Values: every octet of the timer against the table of the standard, written here a second time;
 * addresses, flags, metrics and control information there and back, and what is refused.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "codecs/pfcp/pfcp_value.h"

static uint8_t room[PFCP_ARENA_SIZE];
static struct arena arena;
static struct pfcp_message msg;

static void start(enum pfcp_message_type type)
{
	arena_init(&arena, room, sizeof(room));
	pfcp_init(&msg, type, &arena);
}

static struct octets first_value(uint16_t type)
{
	struct octets value;

	ck_assert(pfcp_get(&msg.ies, type, &value));
	return value;
}

#define OCTET_STRING(...) \
	OCTETS(((const uint8_t[]){ __VA_ARGS__ }), sizeof((uint8_t[]){ __VA_ARGS__ }))

START_TEST(timer_of_every_octet)
{
	for (unsigned int octet = 0; octet < 256; octet++) {
		struct pfcp_timer timer = pfcp_timer_decode((uint8_t)octet);
		unsigned int value = octet % 32;

		switch (octet / 32) {
		case 0:
			ck_assert_uint_eq(timer.seconds, value * 2);
			break;
		case 1:
		case 5: /* "other values shall be interpreted as multiples of 1 minute" */
		case 6:
			ck_assert_uint_eq(timer.seconds, value * 60);
			break;
		case 2:
			ck_assert_uint_eq(timer.seconds, value * 600);
			break;
		case 3:
			ck_assert_uint_eq(timer.seconds, value * 3600);
			break;
		case 4:
			ck_assert_uint_eq(timer.seconds, value * 36000);
			break;
		default:
			ck_assert_int_eq(timer.state, PFCP_TIMER_INFINITE);
			continue;
		}
		ck_assert_int_eq(timer.state, octet ? PFCP_TIMER_RUNNING : PFCP_TIMER_STOPPED);
		ck_assert_int_eq(timer.reserved, octet / 32 == 5 || octet / 32 == 6);
	}
}
END_TEST

/* Each time that an octet can say comes back exactly; none else is rounded into one. */
START_TEST(timer_exact_or_refused)
{
	static uint8_t sayable[1116001];

	for (unsigned int octet = 0; octet < 160; octet++)
		sayable[pfcp_timer_decode((uint8_t)octet).seconds] = 1;
	sayable[0] = 0;
	for (uint32_t seconds = 0; seconds < sizeof(sayable); seconds++) {
		int octet = pfcp_timer_encode(seconds);

		if ((octet >= 0) != sayable[seconds] || (octet < 0 && octet != -ERANGE) ||
		    (octet >= 0 && pfcp_timer_decode((uint8_t)octet).seconds != seconds))
			ck_abort_msg("%u s: %d", seconds, octet);
	}
	ck_assert_int_eq(pfcp_timer_encode(1116001), -ERANGE);
	ck_assert_int_eq(pfcp_timer_encode(UINT32_MAX), -ERANGE);
	ck_assert_int_eq(pfcp_timer_encode(20), 0x0a);
	ck_assert_int_eq(pfcp_timer_encode(60), 0x1e);
	ck_assert_int_eq(pfcp_timer_encode(64), -ERANGE);
	ck_assert_int_eq(pfcp_timer_encode(180), 0x23);
	ck_assert_int_eq(pfcp_timer_encode(2400), 0x44);
}
END_TEST

START_TEST(metric_above_100_counts_as_0)
{
	for (unsigned int metric = 0; metric < 256; metric++)
		ck_assert_uint_eq(pfcp_metric((uint8_t)metric), metric <= 100 ? metric : 0);
}
END_TEST

START_TEST(causes)
{
	for (int cause = -1; cause < 256; cause++)
		ck_assert_int_eq(pfcp_cause_accepts(cause), cause >= 1 && cause <= 63);
	ck_assert_int_eq(PFCP_CAUSE_PFCP_ENTITY_IN_CONGESTION, 74);
	ck_assert_str_eq(pfcp_cause_name(74), "PFCP entity in congestion");
	ck_assert_str_eq(pfcp_cause_name(63), "spare");
	ck_assert_str_eq(pfcp_cause_name(255), "spare");
	ck_assert_str_eq(pfcp_cause_name(-1), "spare");
}
END_TEST

START_TEST(flags_of_any_length)
{
	uint8_t features[11] = { 0 };

	ck_assert_int_eq(PFCP_CP_FUNCTION_FEATURES_LOAD, 0);
	ck_assert_int_eq(PFCP_CP_FUNCTION_FEATURES_OVRL, 1);
	ck_assert(pfcp_set_flag(features, 1, PFCP_CP_FUNCTION_FEATURES_OVRL));
	ck_assert_uint_eq(features[0], 0x02);
	ck_assert(!pfcp_set_flag(features, 1, PFCP_CP_FUNCTION_FEATURES_PSUCC));
	ck_assert(pfcp_flag(OCTETS(features, 1), PFCP_CP_FUNCTION_FEATURES_OVRL));
	ck_assert(!pfcp_flag(OCTETS(features, 1), PFCP_CP_FUNCTION_FEATURES_LOAD));
	ck_assert(!pfcp_flag(OCTETS(features, 0), PFCP_CP_FUNCTION_FEATURES_OVRL));
	ck_assert(pfcp_set_flag(features, sizeof(features), PFCP_UP_FUNCTION_FEATURES_PAPFD));
	ck_assert_uint_eq(features[10], 0x40);
	ck_assert(pfcp_flag(OCTETS(features, 11), PFCP_UP_FUNCTION_FEATURES_PAPFD));
	ck_assert(!pfcp_flag(OCTETS(features, 10), PFCP_UP_FUNCTION_FEATURES_PAPFD));
	start(PFCP_ASSOCIATION_SETUP_REQUEST);
	ck_assert(!pfcp_get_flag(&msg.ies, PFCP_IE_CP_FUNCTION_FEATURES,
				 PFCP_CP_FUNCTION_FEATURES_OVRL));
	pfcp_add_u8(&msg, NULL, PFCP_IE_CP_FUNCTION_FEATURES, 0x03);
	ck_assert(pfcp_get_flag(&msg.ies, PFCP_IE_CP_FUNCTION_FEATURES,
				PFCP_CP_FUNCTION_FEATURES_OVRL));
}
END_TEST

START_TEST(node_ids)
{
	struct pfcp_node_id ipv4 = { .type = PFCP_NODE_ID_IPV4, .address = { 192, 0, 2, 7 } };
	struct pfcp_node_id ipv6 = { .type = PFCP_NODE_ID_IPV6,
				     .address = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 } };
	struct pfcp_node_id fqdn = { .type = PFCP_NODE_ID_FQDN };
	struct pfcp_node_id seen;
	uint8_t name[64];
	struct text text;
	char printed[64];

	fqdn.name = OCTETS(name, (size_t)pfcp_name_encode("upf1.example", name, sizeof(name)));
	const struct {
		const struct pfcp_node_id *id;
		const char *text;
		size_t len;
	} ids[] = { { &ipv4, "192.0.2.7", 5 },
		    { &ipv6, "2001:db8::1", 17 },
		    { &fqdn, "upf1.example", 14 } };

	for (size_t i = 0; i < 3; i++) {
		start(PFCP_ASSOCIATION_SETUP_REQUEST);
		pfcp_add_node_id(&msg, NULL, ids[i].id);
		ck_assert_uint_eq(first_value(PFCP_IE_NODE_ID).len, ids[i].len);
		ck_assert_int_eq(pfcp_node_id_decode(&seen, first_value(PFCP_IE_NODE_ID)),
				 FINDING_NONE);
		for (size_t k = 0; k < 3; k++)
			ck_assert_int_eq(pfcp_node_id_equal(&seen, ids[k].id), i == k);
		text_init(&text, printed, sizeof(printed));
		pfcp_node_id_print(&text, &seen);
		ck_assert_str_eq(printed, ids[i].text);
	}
	ck_assert_int_eq(pfcp_node_id_decode(&seen, OCTETS(NULL, 0)), FINDING_LENGTH);
	ck_assert_int_eq(pfcp_node_id_decode(&seen, OCTET_STRING(0, 192, 0, 2)), FINDING_LENGTH);
	ck_assert_int_eq(pfcp_node_id_decode(&seen, OCTET_STRING(1, 1, 2, 3, 4)), FINDING_LENGTH);
	ck_assert_int_eq(pfcp_node_id_decode(&seen, OCTET_STRING(2)), FINDING_SYNTAX);
	ck_assert_int_eq(pfcp_node_id_decode(&seen, OCTET_STRING(2, 3, 'u', 'p')), FINDING_SYNTAX);
	ck_assert_int_eq(pfcp_node_id_decode(&seen, OCTET_STRING(2, 2, 'u', 'p', 0)),
			 FINDING_SYNTAX);
	ck_assert_int_eq(pfcp_node_id_decode(&seen, OCTET_STRING(9, 1)), FINDING_RESERVED);
	ck_assert_uint_eq(seen.type, 9);
	ck_assert_int_eq(pfcp_name_encode("a..b", name, sizeof(name)), -EINVAL);
	ck_assert_int_eq(pfcp_name_encode("a.", name, sizeof(name)), -EINVAL);
	ck_assert_int_eq(pfcp_name_encode("abc", name, 3), -ENOSPC);
}
END_TEST

START_TEST(f_seids)
{
	struct pfcp_f_seid both = { .seid = UINT64_C(0xfedcba9876543210),
				    .has_ipv4 = true,
				    .has_ipv6 = true,
				    .ipv4 = { 192, 0, 2, 1 },
				    .ipv6 = { 0x20, 1, [15] = 9 } };
	struct pfcp_f_seid seen;

	start(PFCP_SESSION_ESTABLISHMENT_REQUEST);
	pfcp_add_f_seid(&msg, NULL, &both);
	ck_assert_uint_eq(first_value(PFCP_IE_F_SEID).len, 29);
	ck_assert_uint_eq(first_value(PFCP_IE_F_SEID).data[0], 0x03);
	ck_assert_int_eq(pfcp_f_seid_decode(&seen, first_value(PFCP_IE_F_SEID)), FINDING_NONE);
	ck_assert_uint_eq(seen.seid, both.seid);
	ck_assert_mem_eq(seen.ipv4, both.ipv4, 4);
	ck_assert_mem_eq(seen.ipv6, both.ipv6, 16);
	/* bit 2 is V4, bit 1 is V6 */
	ck_assert_int_eq(
		pfcp_f_seid_decode(&seen, OCTET_STRING(0x02, 0, 0, 0, 0, 0, 0, 0, 5, 10, 0, 0, 1)),
		FINDING_NONE);
	ck_assert(seen.has_ipv4 && !seen.has_ipv6 && seen.seid == 5);
	for (size_t len = 0; len < 29; len++)
		ck_assert_int_eq(
			pfcp_f_seid_decode(&seen, OCTETS(first_value(PFCP_IE_F_SEID).data, len)),
			FINDING_LENGTH);
	ck_assert_int_eq(pfcp_f_seid_decode(&seen, OCTET_STRING(0, 0, 0, 0, 0, 0, 0, 0, 5)),
			 FINDING_SYNTAX);
}
END_TEST

START_TEST(f_teids)
{
	struct pfcp_f_teid given = { .teid = 0x01020304,
				     .has_ipv4 = true,
				     .ipv4 = { 192, 0, 2, 1 } };
	struct pfcp_f_teid choose = {
		.has_ipv4 = true, .choose = true, .choose_id = true, .id = 5
	};
	struct pfcp_f_teid seen;

	start(PFCP_SESSION_ESTABLISHMENT_REQUEST);
	pfcp_add_f_teid(&msg, NULL, &given);
	/* bit 1 is V4, other than in the F-SEID */
	ck_assert(octets_equal(first_value(PFCP_IE_F_TEID),
			       OCTET_STRING(0x01, 1, 2, 3, 4, 192, 0, 2, 1)));
	start(PFCP_SESSION_ESTABLISHMENT_REQUEST);
	pfcp_add_f_teid(&msg, NULL, &choose);
	ck_assert(octets_equal(first_value(PFCP_IE_F_TEID), OCTET_STRING(0x0d, 5)));
	ck_assert_int_eq(pfcp_f_teid_decode(&seen, first_value(PFCP_IE_F_TEID)), FINDING_NONE);
	ck_assert(seen.choose && seen.choose_id && seen.id == 5 && seen.has_ipv4);
	ck_assert_int_eq(pfcp_f_teid_decode(&seen, OCTET_STRING(0x05)), FINDING_NONE);
	ck_assert_int_eq(pfcp_f_teid_decode(&seen, OCTET_STRING(0x0d)), FINDING_LENGTH);
	ck_assert_int_eq(pfcp_f_teid_decode(&seen, OCTET_STRING(0x04)), FINDING_SYNTAX);
	ck_assert_int_eq(pfcp_f_teid_decode(&seen, OCTET_STRING(0x01, 0, 0, 0, 1, 192, 0, 2)),
			 FINDING_LENGTH);
	ck_assert_int_eq(pfcp_f_teid_decode(&seen, OCTETS(NULL, 0)), FINDING_LENGTH);
}
END_TEST

START_TEST(ue_ip_addresses)
{
	struct pfcp_ue_ip_address address = { .has_ipv4 = true,
					      .destination = true,
					      .ipv4 = { 10, 60, 0, 1 } };
	struct pfcp_ue_ip_address seen;

	start(PFCP_SESSION_ESTABLISHMENT_REQUEST);
	pfcp_add_ue_ip_address(&msg, NULL, &address);
	ck_assert(
		octets_equal(first_value(PFCP_IE_UE_IP_ADDRESS), OCTET_STRING(0x06, 10, 60, 0, 1)));
	ck_assert_int_eq(pfcp_ue_ip_address_decode(&seen, OCTET_STRING(0x48, 4, 60)), FINDING_NONE);
	ck_assert(seen.has_delegation_bits && seen.delegation_bits == 4);
	ck_assert(seen.has_prefix_length && seen.prefix_length == 60);
	ck_assert_int_eq(pfcp_ue_ip_address_decode(&seen, OCTET_STRING(0x30)), FINDING_NONE);
	ck_assert(seen.choose_ipv4 && seen.choose_ipv6);
	ck_assert_int_eq(pfcp_ue_ip_address_decode(&seen, OCTET_STRING(0x02, 10, 0, 0)),
			 FINDING_LENGTH);
}
END_TEST

START_TEST(small_values)
{
	struct pfcp_outer_header_creation header = {
		.description = PFCP_OUTER_HEADER_GTP_U_UDP_IPV4, .teid = 7, .ipv4 = { 192, 0, 2, 1 }
	};
	struct pfcp_volume volume = {
		.has_total = true, .total = 1, .has_downlink = true, .downlink = UINT64_C(1) << 40
	};
	struct pfcp_failed_rule_id rule = { PFCP_RULE_PDR, 258 };
	struct pfcp_bit_rate rate = { (UINT64_C(1) << 40) - 1, 1000 };
	struct pfcp_volume seen_volume;
	struct pfcp_failed_rule_id seen_rule;
	struct pfcp_bit_rate seen_rate;
	uint8_t octets[64];

	start(PFCP_SESSION_ESTABLISHMENT_REQUEST);
	pfcp_add_outer_header_creation(&msg, NULL, &header);
	ck_assert(octets_equal(first_value(PFCP_IE_OUTER_HEADER_CREATION),
			       OCTET_STRING(1, 0, 0, 0, 0, 7, 192, 0, 2, 1)));
	pfcp_add_volume(&msg, NULL, PFCP_IE_VOLUME_MEASUREMENT, &volume);
	ck_assert_uint_eq(first_value(PFCP_IE_VOLUME_MEASUREMENT).len, 17);
	ck_assert_int_eq(pfcp_volume_decode(&seen_volume, first_value(PFCP_IE_VOLUME_MEASUREMENT)),
			 FINDING_NONE);
	ck_assert_uint_eq(seen_volume.downlink, volume.downlink);
	ck_assert(!seen_volume.has_uplink);
	pfcp_add_failed_rule_id(&msg, NULL, &rule);
	ck_assert(octets_equal(first_value(PFCP_IE_FAILED_RULE_ID), OCTET_STRING(0, 1, 2)));
	ck_assert_int_eq(
		pfcp_failed_rule_id_decode(&seen_rule, OCTET_STRING(PFCP_RULE_QER, 0, 0, 0, 9)),
		FINDING_NONE);
	ck_assert_uint_eq(seen_rule.id, 9);
	rule.id = 0x10000;
	ck_assert_int_eq(pfcp_failed_rule_id_encode(&rule, octets, sizeof(octets)), -EINVAL);
	pfcp_add_bit_rate(&msg, NULL, PFCP_IE_MBR, &rate);
	ck_assert_int_eq(pfcp_bit_rate_decode(&seen_rate, first_value(PFCP_IE_MBR)), FINDING_NONE);
	ck_assert_uint_eq(seen_rate.uplink, rate.uplink);
	rate.uplink++;
	ck_assert_int_eq(pfcp_bit_rate_encode(&rate, octets, sizeof(octets)), -EINVAL);
	pfcp_add_bit_rate(&msg, NULL, PFCP_IE_GBR, &rate);
	ck_assert_int_eq(pfcp_encode(&msg, octets, sizeof(octets)), -EINVAL);
}
END_TEST

START_TEST(overload_control_information)
{
	struct pfcp_oci oci = { 0xfffffffe, 255, 0xbe, true, PFCP_OCI_AOCI };
	struct pfcp_lci lci = { 7, 80 };
	struct pfcp_oci seen;
	struct pfcp_lci seen_lci;
	struct pfcp_ie *ie;

	start(PFCP_SESSION_DELETION_RESPONSE);
	ie = pfcp_add_oci(&msg, NULL, &oci);
	ck_assert_int_eq(pfcp_oci_decode(&seen, ie), FINDING_NONE);
	ck_assert_uint_eq(seen.sequence_number, 0xfffffffe);
	ck_assert_uint_eq(seen.metric, 255);
	ck_assert_uint_eq(seen.timer, 0xbe);
	ck_assert(seen.has_flags && seen.flags == PFCP_OCI_AOCI);
	/* the first of two members counts */
	pfcp_add_u8(&msg, ie, PFCP_IE_METRIC, 1);
	ck_assert_int_eq(pfcp_oci_decode(&seen, ie), FINDING_NONE);
	ck_assert_uint_eq(seen.metric, 255);
	ck_assert_uint_eq(pfcp_remove(&ie->ies, PFCP_IE_OCI_FLAGS), 1);
	ck_assert_int_eq(pfcp_oci_decode(&seen, ie), FINDING_NONE);
	ck_assert(!seen.has_flags);
	static const uint16_t members[] = { PFCP_IE_SEQUENCE_NUMBER, PFCP_IE_METRIC,
					    PFCP_IE_TIMER };

	for (size_t i = 0; i < 3; i++) {
		ie = pfcp_add_oci(&msg, NULL, &oci);
		pfcp_remove(&ie->ies, members[i]);
		ck_assert_int_eq(pfcp_oci_decode(&seen, ie), FINDING_MISSING);
		pfcp_add(&msg, ie, members[i], OCTETS(NULL, 0));
		ck_assert_int_eq(pfcp_oci_decode(&seen, ie), FINDING_LENGTH);
	}
	ie = pfcp_add_oci(&msg, NULL, &oci);
	pfcp_lie(ie->ies.last, 2);
	ck_assert_int_eq(pfcp_oci_decode(&seen, ie), FINDING_LENGTH);
	ie = pfcp_add_ref(&msg, NULL, PFCP_IE_OVERLOAD_CONTROL_INFORMATION, OCTETS(NULL, 0));
	ck_assert_int_eq(pfcp_oci_decode(&seen, ie), FINDING_LENGTH);
	ie = pfcp_add_lci(&msg, NULL, &lci);
	ck_assert_int_eq(pfcp_lci_decode(&seen_lci, ie), FINDING_NONE);
	ck_assert(seen_lci.sequence_number == 7 && seen_lci.metric == 80);
	pfcp_remove(&ie->ies, PFCP_IE_METRIC);
	ck_assert_int_eq(pfcp_lci_decode(&seen_lci, ie), FINDING_MISSING);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pfcp values");
	TCase *tcase = tcase_create("values");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, timer_of_every_octet);
	tcase_add_test(tcase, timer_exact_or_refused);
	tcase_add_test(tcase, metric_above_100_counts_as_0);
	tcase_add_test(tcase, causes);
	tcase_add_test(tcase, flags_of_any_length);
	tcase_add_test(tcase, node_ids);
	tcase_add_test(tcase, f_seids);
	tcase_add_test(tcase, f_teids);
	tcase_add_test(tcase, ue_ip_addresses);
	tcase_add_test(tcase, small_values);
	tcase_add_test(tcase, overload_control_information);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
