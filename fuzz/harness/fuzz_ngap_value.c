/*
 * Any octets as a value of one type of the node tables, which the first two octets pick: types
 * that stand deep in rare messages are as near as all others. Beyond memory faults, a run ends when
 * one of these does not hold:
 *  - the strict mode accepts exactly what has no finding in the lenient mode;
 *  - what has no finding encodes to the same octets, and one octet less of room is refused;
 *  - what has findings encodes to octets that decode again, and encode to themselves;
 *  - memory is linear in the input.
 */
#include <errno.h>

#include "codecs/ngap/ngap_tables.h"
#include "fuzz/harness/harness.h"

enum { OUT_MAX = 128 * 1024, ROOM = 2 * 1024 * 1024, VALUE_MAX = 20000, FINDINGS_MAX = 8 };

static uint8_t room[3][ROOM];
static uint8_t out[OUT_MAX];
static uint8_t again[OUT_MAX];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	const void *value = NULL;
	const void *other = NULL;
	struct arena arenas[3];
	enum ngap_type type;
	struct octets in;
	ssize_t len;
	int lenient;
	int strict;

	if (size < 3 || size > VALUE_MAX)
		return 0;
	type = (enum ngap_type)(1 + (data[0] << 8 | data[1]) % (NGAP_TYPE_COUNT - 1));
	in = OCTETS(data + 2, size - 2);
	for (int i = 0; i < 3; i++)
		arena_init(&arenas[i], room[i], ROOM);
	if (80 * size + NGAP_ARENA_SIZE < ROOM)
		arenas[0].size = 80 * size + NGAP_ARENA_SIZE;
	lenient = ngap_decode_value(type, in, &arenas[0], DECODE_LENIENT, &findings, &value);
	if (lenient == -EINVAL)
		return 0;
	strict = ngap_decode_value(type, in, &arenas[1], DECODE_STRICT, NULL, &other);
	require((strict == 0) == (lenient == 0 && findings.count == 0));
	require(lenient == 0 || (lenient == -EBADMSG && findings.count > 0));
	for (size_t i = 0; i < findings.count && i < FINDINGS_MAX; i++)
		require(items[i].bit <= in.len * 8);
	if (lenient != 0)
		return 0;
	len = ngap_encode_value(type, value, out, sizeof(out));
	require(len > 0);
	require(len == 1 || ngap_encode_value(type, value, again, (size_t)len - 1) == -ENOSPC);
	if (findings.count == 0) {
		require((size_t)len == in.len && memcmp(out, in.data, in.len) == 0);
		return 0;
	}
	require(ngap_decode_value(type, OCTETS(out, (size_t)len), &arenas[2], DECODE_LENIENT, NULL,
				  &other) == 0);
	require(ngap_encode_value(type, other, again, sizeof(again)) == len);
	require(memcmp(out, again, (size_t)len) == 0);
	return 0;
}
