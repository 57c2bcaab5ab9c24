/*
 * A PCF that the tester plays, TS 29.507 and TS 29.525: associations for access and mobility, and
 * for UE policies, without triggers or policies in them. Rules of its server have it answer
 * anything else.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_PCF_H
#define SPILLWAY_RUNNER_EMULATION_SBI_PCF_H

#include "runner/emulation/sbi_server.h"

struct sbi_pcf;

/* NULL with the sentence in why. */
struct sbi_pcf *sbi_pcf_start(struct http *http, struct loop *loop, const struct net_address *local,
			      const struct http_tls *tls, struct text *why);
void sbi_pcf_stop(struct sbi_pcf *pcf);
struct sbi_server *sbi_pcf_server(struct sbi_pcf *pcf);
/* Associations that were made and not ended. */
size_t sbi_pcf_associations(const struct sbi_pcf *pcf);

#endif
