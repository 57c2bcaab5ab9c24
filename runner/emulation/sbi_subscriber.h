/*
 * The home network's knowledge of the profile's subscribers, which AUSF and UDM share: who is
 * meant by a SUPI or SUCI, and vectors of 5G-AKA from K and OPc (TS 33.501 6.1.3.2, 6.12). Sequence
 * numbers begin at 0 with each case, as those of the tester's UEs do.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_SUBSCRIBER_H
#define SPILLWAY_RUNNER_EMULATION_SBI_SUBSCRIBER_H

#include "codecs/octets.h"
#include "runner/case/profile.h"
#include "runner/core/random.h"

struct sbi_subscribers {
	const struct profile *profile;
	struct random random;
	uint64_t *sqn; /* of each, 48 bits */
};

struct sbi_vector {
	uint8_t rand[16], autn[16], xres_star[16], hxres_star[16];
	uint8_t k_ausf[32], k_seaf[32];
};

enum { SBI_SUPI_MAX = 24, SBI_NO_SUBSCRIBER = UINT32_MAX };

/* false: no memory. The profile has to outlive it. */
bool sbi_subscribers_init(struct sbi_subscribers *subscribers, const struct profile *profile,
			  uint64_t seed);
void sbi_subscribers_clear(struct sbi_subscribers *subscribers);

/*
 * Index from 0 of "imsi-999700000000001", or of "suci-0-999-70-ROUTING-SCHEME-KEY-OUTPUT" of null
 * scheme or of profile A or B with a key of the profile; SBI_NO_SUBSCRIBER: nobody.
 */
uint32_t sbi_subscriber_of(const struct sbi_subscribers *subscribers, struct octets identity);
/* "imsi-999700000000001" */
void sbi_subscriber_supi(const struct sbi_subscribers *subscribers, uint32_t index,
			 char supi[SBI_SUPI_MAX]);
/* Whether the name is that of the profile's network, or of an SNPN of its. */
bool sbi_serving_network_known(const struct sbi_subscribers *subscribers, struct octets name);

/* The next vector; false: the name is too long, or there is no cryptography. */
bool sbi_vector_make(struct sbi_subscribers *subscribers, uint32_t index,
		     struct octets serving_network_name, struct sbi_vector *vector);
/* Takes the UE's sequence number from AUTS; false: it is not of this subscriber. */
bool sbi_resynchronise(struct sbi_subscribers *subscribers, uint32_t index, const uint8_t rand[16],
		       const uint8_t auts[14]);

#endif
