/*
 * An NSSF that the tester plays, TS 29.531: every slice of the profile is allowed to everybody, and
 * sessions are found with one NRF. Rules of its server have it answer anything else.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_NSSF_H
#define SPILLWAY_RUNNER_EMULATION_SBI_NSSF_H

#include "runner/emulation/sbi_server.h"
#include "runner/emulation/sbi_udm.h"

struct sbi_nssf;

/* nrf is the root of the NRF ("http://127.0.0.40:7777"), copied. NULL with the sentence in why. */
struct sbi_nssf *sbi_nssf_start(struct http *http, struct loop *loop,
				const struct net_address *local, const struct http_tls *tls,
				const struct profile *profile, const char *nrf, struct text *why);
void sbi_nssf_stop(struct sbi_nssf *nssf);
struct sbi_server *sbi_nssf_server(struct sbi_nssf *nssf);

#endif
