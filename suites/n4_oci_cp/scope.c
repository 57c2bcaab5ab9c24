/*
 * TP/N4/CP/SCOPE: what the information concerns (TS 29.244 6.2.4.3.1, 8.2.76): the UP entity of the
 * session's UP F-SEID address, or with AOCI the whole node.
 */
#include <inttypes.h>

#include "suites/n4_oci_cp/oci.h"

enum { SESSIONS_EACH = 10 };

/* One UP function whose sessions take turns over two F-SEID addresses. */
static struct upf *upf_of_two_addresses(struct tc *t)
{
	struct upf *upf = upf_start(t, .addresses = 2);

	oci_associate(t);
	oci_establish(t, upf, 2 * SESSIONS_EACH);
	for (unsigned int address = 0; address < 2; address++)
		upf_offer_all_sent(t, "op=modify rate=100 count=%d address=%u", SESSIONS_EACH,
				   upf_address_number(upf, address));
	return upf;
}

static void address_is_throttled(struct tc *t, const struct upf *upf, unsigned int address)
{
	tc_note(t, "address %u", address + 1);
	oci_share_sent(t, 0.5, MODIFY " up=%u address=%u", upf_number(upf),
		       upf_address_number(upf, address));
}

static void address_is_free(struct tc *t, const struct upf *upf, unsigned int address,
			    const char *why)
{
	oci_all_sent(t, why, MODIFY " count=1000 up=%u address=%u", upf_number(upf),
		     upf_address_number(upf, address));
}

static void one_address(struct tc *t)
{
	struct upf *upf = upf_of_two_addresses(t);

	upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = LONG_VALIDITY, .address = 1,
		.in = UPF_IN_MODIFICATION);
	oci_offer(t, "op=modify rate=100 count=5 address=%u", upf_address_number(upf, 0));
	oci_settle(t);
	address_is_throttled(t, upf, 0);
	address_is_free(t, upf, 1, "OCI without AOCI concerns the first address");
}

static void whole_node(struct tc *t)
{
	struct upf *upf = upf_of_two_addresses(t);

	upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = LONG_VALIDITY, .node = true,
		.address = 1, .in = UPF_IN_REPORT);
	oci_tell(upf);
	address_is_throttled(t, upf, 0);
	address_is_throttled(t, upf, 1);
}

static void one_node(struct tc *t)
{
	struct upf *first = upf_start(t), *second = upf_start(t);

	oci_associate(t);
	oci_establish(t, first, SESSIONS_EACH);
	oci_establish(t, second, SESSIONS_EACH);
	upf_oci(first, .sequence_number = 10, .metric = 50, .timer = LONG_VALIDITY, .node = true);
	oci_tell(first);
	oci_share_sent(t, 0.5, MODIFY " up=%u", upf_number(first));
	oci_all_sent(t, "the other UP function has not told of overload",
		     MODIFY " count=1000 up=%u", upf_number(second));
}

static void add_flags_of_0(struct pfcp_message *msg, struct pfcp_ie *ie, void *arg)
{
	(void)arg;
	pfcp_add_u8(msg, ie, PFCP_IE_OCI_FLAGS, 0);
}

static void flags_without_aoci(struct tc *t)
{
	struct upf *upf = upf_of_two_addresses(t);

	upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = LONG_VALIDITY, .address = 1,
		.in = UPF_IN_REPORT, .alter = add_flags_of_0);
	oci_tell(upf);
	address_is_throttled(t, upf, 0);
	address_is_free(t, upf, 1, "OCI Flags without AOCI: the first address is concerned");
}

static void aoci_beside_spare_bits(struct tc *t)
{
	struct upf *upf = upf_of_two_addresses(t);

	upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = LONG_VALIDITY, .node = true,
		.flags = 0x82, .address = 1, .in = UPF_IN_REPORT);
	oci_tell(upf);
	address_is_throttled(t, upf, 0);
	address_is_throttled(t, upf, 1);
}

static void address_of_the_report(struct tc *t)
{
	struct upf *upf = upf_of_two_addresses(t);

	upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = LONG_VALIDITY, .address = 2,
		.in = UPF_IN_REPORT);
	oci_tell(upf);
	address_is_throttled(t, upf, 1);
	address_is_free(t, upf, 0, "OCI without AOCI was about a session at the second address");
}

/* Sessions take turns: the first has the first address, and the second comes in overload. */
static void address_that_came_later(struct tc *t)
{
	struct upf *upf = upf_start(t, .addresses = 2);

	oci_associate(t);
	oci_establish(t, upf, 1);
	upf_oci(upf, .sequence_number = 10, .metric = 50, .timer = LONG_VALIDITY, .node = true,
		.in = UPF_IN_REPORT);
	oci_tell(upf);
	oci_offer(t, "op=establish rate=100 count=100 up=%u", upf_number(upf));
	if (!upf_session(upf, 1) || !upf_session(upf, 2))
		tc_inconc(t, "no session gets an F-SEID at each of both addresses");
	address_is_throttled(t, upf, 0);
	address_is_throttled(t, upf, 1);
}

#define SCOPE(number)                                                                            \
	.id = "TP/N4/CP/SCOPE/" number, .role = ROLE_CP, .strength = SHALL,                      \
	.needs = NEEDS(ICS_OCI), .requirement = "N4-C-14", .clause = "29.244 6.2.4.3.1, 8.2.76", \
	.iut_time_us = 25 * US_PER_S

const struct test_case cp_scope_cases[SCOPE_CASES] = {
	{ SCOPE("01"),
	  .purpose = "OCI without AOCI concerns the UP entity of the session's F-SEID address",
	  .stimulus = "A UP function with two F-SEID addresses; metric 50 in responses about "
		      "sessions at the first one",
	  .expect = "50 % sent to the first address, all to the second", .run = one_address },
	{ SCOPE("02"), .purpose = "OCI with AOCI concerns the whole node",
	  .stimulus = "Two F-SEID addresses; metric 50 with AOCI about a session at one of them",
	  .expect = "50 % sent to both", .run = whole_node },
	{ SCOPE("X01"), .purpose = "OCI with AOCI concerns no other node",
	  .stimulus = "Two UP functions; metric 50 with AOCI of one of them",
	  .expect = "50 % sent to it, all to the other", .run = one_node },
	{ SCOPE("X02"), .purpose = "OCI Flags that are there are not AOCI yet",
	  .stimulus = "Two F-SEID addresses; metric 50 with OCI Flags 00",
	  .expect = "50 % sent to the first address, all to the second",
	  .run = flags_without_aoci },
	{ SCOPE("X03"), .purpose = "Spare bits do not hide AOCI",
	  .stimulus = "Two F-SEID addresses; metric 50 with OCI Flags 83",
	  .expect = "50 % sent to both", .run = aoci_beside_spare_bits },
	{ SCOPE("X04"),
	  .purpose = "OCI in a Session Report Request concerns the address of its session",
	  .stimulus = "Two F-SEID addresses; a report about a session at the second one",
	  .expect = "50 % sent to the second address, all to the first",
	  .run = address_of_the_report },
	{ SCOPE("X05"),
	  .purpose = "OCI with AOCI concerns the addresses of the node that come to be known later",
	  .stimulus = "One session at the first address; metric 50 with AOCI; sessions at the "
		      "second address",
	  .expect = "50 % sent to both", .run = address_that_came_later },
};
