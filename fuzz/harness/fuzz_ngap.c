/*
 * Any octets as an NGAP-PDU. Beyond memory faults, which the sanitizers see, a run ends when one
 * of these does not hold:
 *  - the strict mode accepts exactly what has no finding in the lenient mode;
 *  - what has no finding encodes to the same octets, and one octet less of room is refused;
 *  - what has findings encodes to octets that decode again, and encode to themselves;
 *  - sending every IE raw gives the same IEs again;
 *  - an arena of 80 times the input and NGAP_ARENA_SIZE does for everything (ngap.h);
 *  - the check of clause 10 never asks for an answer to an ERROR INDICATION, and what it reports
 *    can be sent.
 * Printing is slow and has a harness of its own.
 */
#include <errno.h>

#include "codecs/ngap/ngap_check.h"
#include "fuzz/harness/harness.h"
#include "fuzz/harness/reach_ngap.h"

enum { OUT_MAX = 256 * 1024, ROOM = 8 * 1024 * 1024, FINDINGS_MAX = 32 };

static uint8_t room[3][ROOM];
static uint8_t out[OUT_MAX];
static uint8_t again[OUT_MAX];

static void check_clause_10(const struct ngap_pdu *pdu, struct arena *arena)
{
	static struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct ngap_verdict verdict = ngap_check(pdu, &findings);
	const struct ngap_criticality_diagnostics *diagnostics;
	struct ngap_pdu answer;

	if (pdu->procedure_code == NGAP_PROCEDURE_ERROR_INDICATION)
		require(!verdict.error_indication);
	require(!verdict.error_indication || verdict.reaction >= NGAP_REACTION_NOTIFY_IE);
	require(!(verdict.error_indication && verdict.failure_message));
	diagnostics = ngap_diagnostics(pdu, &findings, true, arena);
	if (!diagnostics)
		return;
	ngap_pdu_init(&answer, NGAP_ERROR_INDICATION, arena);
	ngap_add(&answer, NGAP_ID_CRITICALITY_DIAGNOSTICS, diagnostics);
	require(ngap_encode(&answer, again, sizeof(again)) > 0 || answer.error == -ENOMEM);
}

/* The open types as they came, without what they were taken to mean. */
static void check_raw(struct ngap_pdu *pdu, const uint8_t *data, size_t size, bool clean)
{
	ssize_t len;

	for (size_t i = 0; i < pdu->count; i++)
		pdu->ies[i].value = NULL;
	len = ngap_encode(pdu, again, sizeof(again));
	require(len > 0);
	if (clean)
		require((size_t)len == size && memcmp(again, data, size) == 0);
}

static void check(const uint8_t *data, size_t size)
{
	static struct finding items[FINDINGS_MAX];
	struct findings findings = { items, FINDINGS_MAX, 0 };
	struct octets in = OCTETS(data, size);
	struct arena arenas[3];
	struct ngap_pdu pdu;
	struct ngap_pdu other;
	ssize_t len;
	int lenient;
	int strict;

	for (int i = 0; i < 3; i++)
		arena_init(&arenas[i], room[i], ROOM);
	if (80 * size + NGAP_ARENA_SIZE < ROOM)
		arenas[0].size = 80 * size + NGAP_ARENA_SIZE;
	lenient = ngap_decode(&pdu, in, &arenas[0], DECODE_LENIENT, &findings);
	strict = ngap_decode(&other, in, &arenas[1], DECODE_STRICT, NULL);
	require((strict == 0) == (lenient == 0 && findings.count == 0));
	require(lenient == 0 || (lenient == -EBADMSG && findings.count > 0));
	arenas[0].size = ROOM;
	if (lenient != 0) {
		ngap_check_undecodable(in);
		return;
	}
	reach_ngap(&pdu, &findings);
	len = ngap_encode(&pdu, out, sizeof(out));
	require(len > 0);
	if (findings.count == 0) {
		require((size_t)len == size && memcmp(out, data, size) == 0);
		require(ngap_encode(&other, again, (size_t)len - 1) == -ENOSPC);
	} else {
		require(ngap_decode(&other, OCTETS(out, (size_t)len), &arenas[2], DECODE_LENIENT,
				    NULL) == 0);
		require(ngap_encode(&other, again, sizeof(again)) == len);
		require(memcmp(out, again, (size_t)len) == 0);
	}
	check_clause_10(&pdu, &arenas[0]);
	check_raw(&pdu, data, size, findings.count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t start = linear_start(size);

	check(data, size);
	require_linear(start, size);
	return 0;
}
