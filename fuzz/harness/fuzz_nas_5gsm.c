/*
 * Any octets as the 5GSM message behind its protocol discriminator, so that no effort goes into
 * finding out that the first octet is 2E. The oracles are those of fuzz_nas.c.
 */
#define LLVMFuzzerTestOneInput check_nas
#include "fuzz/harness/fuzz_nas.c"
#undef LLVMFuzzerTestOneInput

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *pdu = malloc(size + 1);

	if (!pdu)
		return 0;
	pdu[0] = NAS_EPD_5GSM;
	memcpy(pdu + 1, data, size);
	check_nas(pdu, size + 1);
	free(pdu);
	return 0;
}
