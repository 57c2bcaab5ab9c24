/*
 * The GPRS timers. The amounts of a coding are its units times 0 to 31; everything else follows
 * from the table of units.
 */
#include <errno.h>

#include "codecs/nas/nas_codec.h"
#include "codecs/nas/nas_timer.h"
#include "codecs/planted.h"

enum { UNITS = 8, VALUE_MAX = 31, UNIT_DEACTIVATED = 7, UNIT_RESERVED_SECONDS = 60 };

/* Seconds by unit, bits 8 to 6; 0 for a reserved unit and for deactivated. */
static const uint32_t unit_seconds[][UNITS] = {
	[NAS_TIMER_2] = { [0] = 2, [1] = 60, [2] = 360 },
	[NAS_TIMER_3] = { [0] = 600,
			  [1] = 3600,
			  [2] = 36000,
			  [3] = 2,
			  [4] = 30,
			  [5] = 60,
			  [6] = 1152000 },
};

/* Units from the smallest to the largest. */
static const uint8_t by_size[][UNITS - 1] = {
	[NAS_TIMER_2] = { 0, 1, 2 },
	[NAS_TIMER_3] = { 3, 4, 5, 0, 1, 2, 6 },
};
static const uint8_t unit_count[] = { [NAS_TIMER_2] = 3, [NAS_TIMER_3] = 7 };

struct nas_timer nas_timer_decode(uint8_t octet, enum nas_timer_coding coding)
{
	struct nas_timer timer = { .octet = octet };
	uint32_t value = octet & VALUE_MAX;
	unsigned int unit = octet >> 5;

	if (unit == UNIT_DEACTIVATED) {
		timer.state = NAS_TIMER_DEACTIVATED;
		return timer;
	}
	if (PLANTED(17) && coding == NAS_TIMER_3 && unit == 4)
		unit = 5;
	timer.reserved = unit_seconds[coding][unit] == 0;
	timer.seconds =
		value * (timer.reserved ? UNIT_RESERVED_SECONDS : unit_seconds[coding][unit]);
	timer.state = value ? NAS_TIMER_RUNS : NAS_TIMER_ZERO;
	return timer;
}

size_t nas_timer_octets(uint32_t seconds, enum nas_timer_coding coding, uint8_t octets[8])
{
	size_t count = 0;

	for (size_t i = 0; i < unit_count[coding]; i++) {
		uint8_t unit = by_size[coding][i];
		uint32_t each = unit_seconds[coding][unit];

		if (seconds % each == 0 && seconds / each <= VALUE_MAX)
			octets[count++] = (uint8_t)((uint32_t)unit << 5 | seconds / each);
	}
	return count;
}

int nas_timer_encode(uint32_t seconds, enum nas_timer_coding coding)
{
	uint8_t octets[8];

	if (nas_timer_octets(seconds, coding, octets) == 0)
		return -ERANGE;
	return octets[0];
}

uint32_t nas_timer_floor(uint32_t seconds, enum nas_timer_coding coding)
{
	uint32_t best = 0;

	for (size_t i = 0; i < unit_count[coding]; i++) {
		uint32_t each = unit_seconds[coding][by_size[coding][i]];
		uint32_t value = seconds / each > VALUE_MAX ? VALUE_MAX : seconds / each;

		if (value * each > best)
			best = value * each;
	}
	return best;
}

uint32_t nas_timer_ceil(uint32_t seconds, enum nas_timer_coding coding)
{
	uint32_t best = UINT32_MAX;

	for (size_t i = 0; i < unit_count[coding]; i++) {
		uint32_t each = unit_seconds[coding][by_size[coding][i]];
		uint32_t value = seconds / each + (seconds % each != 0 ? 1u : 0u);

		if (value <= VALUE_MAX && value * each < best)
			best = value * each;
	}
	return best;
}

bool nas_timer_coding_of(enum nas_ie ie, enum nas_timer_coding *coding)
{
	switch (nas_ie_type(ie)) {
	case NAS_TYPE_GPRS_TIMER:
	case NAS_TYPE_GPRS_TIMER_2:
		*coding = NAS_TIMER_2;
		return true;
	case NAS_TYPE_GPRS_TIMER_3:
		*coding = NAS_TIMER_3;
		return true;
	default:
		return false;
	}
}

struct nas_timer nas_get_timer(const struct nas_msg *msg, enum nas_ie ie)
{
	enum nas_timer_coding coding;
	struct octets value;

	if (!nas_timer_coding_of(ie, &coding) || !nas_get(msg, ie, &value) || value.len != 1)
		return (struct nas_timer){ .state = NAS_TIMER_ABSENT };
	return nas_timer_decode(value.data[0], coding);
}

int nas_add_timer(struct nas_msg *msg, enum nas_ie ie, uint32_t seconds)
{
	enum nas_timer_coding coding;
	int octet;

	if (!nas_timer_coding_of(ie, &coding))
		return -ENOENT;
	octet = nas_timer_encode(seconds, coding);
	if (octet < 0)
		return octet;
	return nas_add_u8(msg, ie, (uint8_t)octet);
}

void nas_timer_print(struct text *text, uint8_t octet, enum nas_timer_coding coding)
{
	struct nas_timer timer = nas_timer_decode(octet, coding);

	if (timer.state == NAS_TIMER_DEACTIVATED)
		text_puts(text, "deactivated");
	else if (timer.state == NAS_TIMER_ZERO)
		text_puts(text, "zero");
	else
		text_printf(text, "%u s", timer.seconds);
	if (timer.seconds >= 120 && timer.seconds % 3600 == 0)
		text_printf(text, " (%u h)", timer.seconds / 3600);
	else if (timer.seconds >= 120 && timer.seconds % 60 == 0)
		text_printf(text, " (%u min)", timer.seconds / 60);
	if (timer.reserved)
		text_printf(text, ", reserved unit %u", (unsigned int)octet >> 5);
}

static void check(struct nas_checker *checker, struct octets value, enum nas_timer_coding coding)
{
	if (value.len && nas_timer_decode(value.data[0], coding).reserved)
		nas_fault(checker, FINDING_RESERVED, 0, "Unit");
}

static void print(struct nas_printer *printer, const char *name, struct octets value,
		  enum nas_timer_coding coding)
{
	struct text text;
	char buf[64];

	if (value.len != 1) {
		nas_field_octets(printer, name, value);
		return;
	}
	text_init(&text, buf, sizeof(buf));
	nas_timer_print(&text, value.data[0], coding);
	if (printer->form == NAS_LINE)
		nas_field(printer, name, "%s", buf);
	else
		nas_field(printer, name, "%s [%02x]", buf, value.data[0]);
}

void nas_check_timer_2(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	check(checker, value, NAS_TIMER_2);
}

void nas_check_timer_3(struct nas_checker *checker, struct octets value, enum nas_type type)
{
	(void)type;
	check(checker, value, NAS_TIMER_3);
}

void nas_print_timer_2(struct nas_printer *printer, const char *name, struct octets value,
		       enum nas_type type)
{
	(void)type;
	print(printer, name, value, NAS_TIMER_2);
}

void nas_print_timer_3(struct nas_printer *printer, const char *name, struct octets value,
		       enum nas_type type)
{
	(void)type;
	print(printer, name, value, NAS_TIMER_3);
}
