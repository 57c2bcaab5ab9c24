/*
 * GPRS timer, GPRS timer 2 and GPRS timer 3 (TS 24.008 10.5.7.3, 10.5.7.4, 10.5.7.4a; TS 24.501
 * 9.11.2.3 to 9.11.2.5). The same octet means different times in timer 2 and timer 3, so the
 * coding is always named. Encoding is exact or refused: no amount is ever rounded.
 */
#ifndef SPILLWAY_CODECS_NAS_NAS_TIMER_H
#define SPILLWAY_CODECS_NAS_NAS_TIMER_H

#include "codecs/nas/nas.h"

enum nas_timer_coding {
	NAS_TIMER_2, /* GPRS timer and GPRS timer 2: units 2 s, 1 min, 6 min */
	NAS_TIMER_3, /* units 2 s, 30 s, 1 min, 10 min, 1 h, 10 h, 320 h */
};

#define NAS_TIMER_2_MAX 11160u	  /* seconds: 31 x 6 min */
#define NAS_TIMER_3_MAX 35712000u /* seconds: 31 x 320 h */

enum nas_timer_state {
	NAS_TIMER_ABSENT, /* no such IE, or its length is not 1 */
	NAS_TIMER_RUNS,	  /* seconds is above 0 */
	NAS_TIMER_ZERO,
	NAS_TIMER_DEACTIVATED, /* unit 111, whatever the value bits */
};

struct nas_timer {
	enum nas_timer_state state;
	uint32_t seconds; /* 0 unless the state is RUNS */
	bool reserved;	  /* a unit the standard does not define, read as 1 min */
	uint8_t octet;	  /* as received */
};

/* Total: every octet has a meaning. */
struct nas_timer nas_timer_decode(uint8_t octet, enum nas_timer_coding coding);

/*
 * The octet of an amount in seconds, the one with the smallest unit where several are legal
 * (0 s is 0x00, or unit 2 s with value 0 in timer 3). Returns 0 to 255, or -ERANGE when no octet
 * means exactly this amount.
 */
int nas_timer_encode(uint32_t seconds, enum nas_timer_coding coding);

/* The octet for deactivated, in both codings. */
#define NAS_TIMER_OCTET_DEACTIVATED 0xe0

/*
 * All octets of defined units that mean exactly this amount, smallest unit first; octets has
 * room for 8. Returns how many there are, 0 when the amount cannot be coded.
 */
size_t nas_timer_octets(uint32_t seconds, enum nas_timer_coding coding, uint8_t octets[8]);

/*
 * The largest amount that can be coded and is not above seconds, and the smallest that is not
 * below: for a caller that wants to round and says in which direction. The second returns
 * UINT32_MAX above the maximum.
 */
uint32_t nas_timer_floor(uint32_t seconds, enum nas_timer_coding coding);
uint32_t nas_timer_ceil(uint32_t seconds, enum nas_timer_coding coding);

/* The coding that an IE's type prescribes; false when the IE is no timer. */
bool nas_timer_coding_of(enum nas_ie ie, enum nas_timer_coding *coding);

/* Reads a timer IE of a message by its own coding; state ABSENT when it is not there. */
struct nas_timer nas_get_timer(const struct nas_msg *msg, enum nas_ie ie);

/* Adds a timer IE; -ERANGE when the amount has no exact coding, else as nas_add. */
int nas_add_timer(struct nas_msg *msg, enum nas_ie ie, uint32_t seconds);

/* "1800 s (30 min)", "zero", "deactivated", "1800 s (30 x reserved unit 5)". */
void nas_timer_print(struct text *text, uint8_t octet, enum nas_timer_coding coding);

#endif
