/*
 * An AUSF that the tester plays, TS 29.509: 5G-AKA with the profile's subscribers. A puppet with
 * correct default behaviour; the rules of its server (sbi_server.h) have it answer anything else.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_AUSF_H
#define SPILLWAY_RUNNER_EMULATION_SBI_AUSF_H

#include "runner/emulation/sbi_server.h"
#include "runner/emulation/sbi_subscriber.h"

struct sbi_ausf;

/* The subscribers are shared with a UDM. NULL with the sentence in why. */
struct sbi_ausf *sbi_ausf_start(struct http *http, struct loop *loop,
				const struct net_address *local, const struct http_tls *tls,
				struct sbi_subscribers *subscribers, struct text *why);
void sbi_ausf_stop(struct sbi_ausf *ausf);
struct sbi_server *sbi_ausf_server(struct sbi_ausf *ausf);
/* Authentications that ended with AUTHENTICATION_SUCCESS, and with AUTHENTICATION_FAILURE. */
size_t sbi_ausf_authenticated(const struct sbi_ausf *ausf, size_t *failed);

#endif
