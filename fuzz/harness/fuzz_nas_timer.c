/*
 * Two octets and an amount of seconds as GPRS timers. A run ends when one of these does not hold:
 *  - every octet has a meaning, and its amount is coded to an octet of the same amount;
 *  - an amount is coded exactly or refused, and refused only where no octet of all 256 means it;
 *  - the amounts below and above that can be coded are such amounts, with none between;
 *  - the same octet prints to text that is terminated.
 */
#include <string.h>

#include "codecs/nas/nas_timer.h"
#include "fuzz/harness/harness.h"

static void check_octet(uint8_t octet, enum nas_timer_coding coding)
{
	struct nas_timer timer = nas_timer_decode(octet, coding);
	char printed[80];
	struct text text;
	int again;

	require(timer.octet == octet && timer.state != NAS_TIMER_ABSENT);
	require((timer.state == NAS_TIMER_RUNS) == (timer.seconds > 0));
	require((timer.state == NAS_TIMER_DEACTIVATED) == (octet >> 5 == 7));
	text_init(&text, printed, sizeof(printed));
	nas_timer_print(&text, octet, coding);
	require(text.len > 0 && !text.truncated && printed[text.len] == '\0');
	if (timer.state == NAS_TIMER_DEACTIVATED)
		return;
	require(timer.seconds <= (coding == NAS_TIMER_2 ? NAS_TIMER_2_MAX : NAS_TIMER_3_MAX));
	again = nas_timer_encode(timer.seconds, coding);
	require(again >= 0 && again <= 255);
	require(nas_timer_decode((uint8_t)again, coding).seconds == timer.seconds);
}

/* How many octets of defined units mean this amount, by trying all of them. */
static size_t count_octets(uint32_t seconds, enum nas_timer_coding coding)
{
	size_t count = 0;

	for (unsigned int octet = 0; octet < 256; octet++) {
		struct nas_timer timer = nas_timer_decode((uint8_t)octet, coding);

		if (!timer.reserved && timer.state != NAS_TIMER_DEACTIVATED &&
		    timer.seconds == seconds)
			count++;
	}
	return count;
}

static void check_amount(uint32_t seconds, enum nas_timer_coding coding)
{
	uint32_t below = nas_timer_floor(seconds, coding);
	uint32_t above = nas_timer_ceil(seconds, coding);
	int octet = nas_timer_encode(seconds, coding);
	size_t legal = count_octets(seconds, coding);
	uint8_t octets[8];

	require((octet >= 0) == (legal > 0));
	require(nas_timer_octets(seconds, coding, octets) == legal);
	for (size_t i = 0; i < legal; i++)
		require(nas_timer_decode(octets[i], coding).seconds == seconds);
	require(below <= seconds && nas_timer_encode(below, coding) >= 0);
	require(above >= seconds);
	if (octet >= 0) {
		require(octet == octets[0]);
		require(nas_timer_decode((uint8_t)octet, coding).seconds == seconds);
		require(below == seconds && above == seconds);
		return;
	}
	require(below < seconds);
	require(above == UINT32_MAX || nas_timer_encode(above, coding) >= 0);
	for (unsigned int i = 0; i < 256; i++) {
		struct nas_timer timer = nas_timer_decode((uint8_t)i, coding);

		require(timer.state == NAS_TIMER_DEACTIVATED || timer.seconds <= below ||
			timer.seconds >= above);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t seconds = 0;

	for (size_t i = 0; i < size && i < 4; i++)
		seconds = seconds << 8 | data[i];
	for (int coding = NAS_TIMER_2; coding <= NAS_TIMER_3; coding++) {
		for (size_t i = 0; i < size && i < 16; i++)
			check_octet(data[i], (enum nas_timer_coding)coding);
		check_amount(seconds, (enum nas_timer_coding)coding);
		check_amount(seconds % (NAS_TIMER_2_MAX + 100), (enum nas_timer_coding)coding);
	}
	return 0;
}
