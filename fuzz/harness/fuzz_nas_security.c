/*
 * Any octets as a security protected NAS message. The first three say which algorithms, which
 * direction and connection, and how to take what follows. A run ends when one of these does not
 * hold:
 *  - the two parsers of the header agree on what is protected, and on its parts;
 *  - what was protected opens to the same, at its own position and nowhere else;
 *  - a MAC that is wrong lets nothing out, and one that is right lets out as much as went in;
 *  - an estimated COUNT is the smallest one that fits;
 *  - a subscription that was concealed is revealed again, and no other octets are.
 */
#include <string.h>

#include "codecs/nas/nas.h"
#include "codecs/nas/security/protection.h"
#include "codecs/nas/security/suci.h"
#include "fuzz/harness/harness.h"
#include "fuzz/harness/nas_keys.h"

enum { HEADER = 3, INNER_MAX = 2048, MARK = 0xa5 };

static uint8_t out[INNER_MAX + NAS_SECURITY_HEADER_SIZE];
static uint8_t again[INNER_MAX + NAS_SECURITY_HEADER_SIZE];

static void check_header(struct octets in)
{
	struct nas_security_header header;
	struct nas_secured secured;
	bool parsed = nas_security_parse(in, &header) == NAS_SECURITY_OK;

	require(parsed == (nas_secured_decode(&secured, in) == FINDING_NONE));
	if (!parsed)
		return;
	require(header.type == (secured.security_header & 0x0f));
	require(header.sequence_number == secured.sequence_number);
	require(memcmp(header.mac, secured.mac, sizeof(header.mac)) == 0);
	require(octets_equal(header.message, secured.inner));
}

/* Octets that nobody protected: they open only where the MAC happens to be right. */
static void check_open(const struct nas_security_suite *suite,
		       const struct nas_security_position *position, struct octets in)
{
	enum nas_security_status verified = nas_security_verify(suite, position, in);
	enum nas_security_status status;
	size_t len = 0;

	memset(out, MARK, in.len + 1 < sizeof(out) ? in.len + 1 : sizeof(out));
	status = nas_security_unprotect(suite, position, in, out, sizeof(out), &len);
	if (status != NAS_SECURITY_OK) {
		for (size_t i = 0; i < in.len && i < sizeof(out); i++)
			require(out[i] == MARK);
		return;
	}
	require(verified == NAS_SECURITY_OK);
	require(len + NAS_SECURITY_HEADER_SIZE == in.len);
	require(out[len] == MARK);
}

static void check_round_trip(const struct nas_security_suite *suite,
			     const struct nas_security_position *position,
			     enum nas_security_header_type type, struct octets inner)
{
	struct nas_security_position other = *position;
	size_t len = 0;
	size_t opened = 0;
	enum nas_security_status status =
		nas_security_protect(suite, position, type, inner, out, sizeof(out), &len);

	require((status == NAS_SECURITY_OK) == (inner.len > 0));
	if (status != NAS_SECURITY_OK)
		return;
	require(len == inner.len + NAS_SECURITY_HEADER_SIZE);
	check_header(OCTETS(out, len));
	require(nas_security_unprotect(suite, position, OCTETS(out, len), again, sizeof(again),
				       &opened) == NAS_SECURITY_OK);
	require(opened == inner.len && memcmp(again, inner.data, opened) == 0);
	require(nas_security_protect(suite, position, type, inner, again, len - 1, &opened) ==
		NAS_SECURITY_NO_SPACE);
	if (suite->nia == NIA0)
		return;
	other.count ^= 1;
	require(nas_security_verify(suite, &other, OCTETS(out, len)) == NAS_SECURITY_BAD_COUNT);
	other = *position;
	other.direction = position->direction == NAS_UPLINK ? NAS_DOWNLINK : NAS_UPLINK;
	require(nas_security_verify(suite, &other, OCTETS(out, len)) == NAS_SECURITY_MAC_MISMATCH);
	out[2 + inner.data[0] % (len - 2)] ^= 0x10;
	require(nas_security_verify(suite, position, OCTETS(out, len)) != NAS_SECURITY_OK);
}

static void check_count(uint32_t next, uint8_t sequence_number)
{
	uint32_t count;
	enum nas_security_status status = nas_count_estimate(next, sequence_number, &count);

	require(status == NAS_SECURITY_OK || status == NAS_SECURITY_BAD_COUNT);
	if (status != NAS_SECURITY_OK) {
		require(next + 256 > NAS_COUNT_MAX);
		return;
	}
	require(count >= next && count - next < 256 && (uint8_t)count == sequence_number);
	require(count <= NAS_COUNT_MAX);
}

static void check_suci(struct octets in)
{
	static const uint8_t key[SUCI_PRIVATE_KEY_SIZE] = { 9, 1 };
	enum nas_security_status status;
	size_t len = 0;

	/* the curves cost more than all the rest; two private keys of many show the same */
	for (int scheme = SUCI_NULL_SCHEME; scheme <= SUCI_PROFILE_B; scheme++) {
		memset(again, MARK, sizeof(again));
		status = suci_reveal((enum suci_protection_scheme)scheme, key, in, again,
				     sizeof(again), &len);
		if (status == NAS_SECURITY_OK)
			require(len + suci_overhead((enum suci_protection_scheme)scheme) == in.len);
		else
			require(again[0] == MARK);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nas_security_suite suite = nas_keys_suite();
	struct nas_security_position position = nas_keys_position();
	struct octets rest;

	if (size < HEADER || size > INNER_MAX)
		return 0;
	suite.nea = (enum nea)(data[0] & 3);
	suite.nia = (enum nia)(data[0] >> 2 & 3);
	position.direction = data[1] & 1 ? NAS_DOWNLINK : NAS_UPLINK;
	position.connection = data[1] & 2 ? NAS_CONNECTION_NON_3GPP : NAS_CONNECTION_3GPP;
	rest = OCTETS(data + HEADER, size - HEADER);
	check_count((uint32_t)data[0] << 16 | (uint32_t)data[1] << 8 | data[2],
		    rest.len ? rest.data[0] : 0);
	check_header(rest);
	if (rest.len > 6)
		position.count = (position.count & ~UINT32_C(0xff)) | rest.data[6];
	check_open(&suite, &position, rest);
	check_round_trip(&suite, &position, (enum nas_security_header_type)(1 + (data[1] >> 2 & 3)),
			 rest);
	if (data[2] == 0xff)
		check_suci(rest);
	return 0;
}
