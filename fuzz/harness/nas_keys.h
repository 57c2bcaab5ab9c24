/*
 * The one security context of the fuzzers: harness and mutator both know it, so that the mutator
 * can hand in messages whose MAC is right.
 */
#ifndef SPILLWAY_FUZZ_NAS_KEYS_H
#define SPILLWAY_FUZZ_NAS_KEYS_H

#include "codecs/nas/security/protection.h"

static inline struct nas_security_suite nas_keys_suite(void)
{
	return (struct nas_security_suite){
		.nea = NEA2,
		.nia = NIA2,
		.k_nas_enc = { 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17 },
		.k_nas_int = { 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27 },
	};
}

static inline struct nas_security_position nas_keys_position(void)
{
	return (struct nas_security_position){
		.count = 0x0100,
		.connection = NAS_CONNECTION_3GPP,
		.direction = NAS_UPLINK,
	};
}

#endif
