/*
 * The network functions behind an AMF that is the IUT: those of tester.sbi.roles, each with a
 * server of its own at tester.sbi.address, the NRF at tester.sbi.port and the others at the ports
 * behind it, in the order of enum sbi_role. They are entered into the NRF that the tester plays, or
 * registered with the one of tester.sbi.nrf, with heart-beats.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_CORE_H
#define SPILLWAY_RUNNER_EMULATION_SBI_CORE_H

#include "runner/emulation/sbi_amf.h"
#include "runner/emulation/sbi_ausf.h"
#include "runner/emulation/sbi_nrf.h"
#include "runner/emulation/sbi_nssf.h"
#include "runner/emulation/sbi_pcf.h"
#include "runner/emulation/sbi_smf.h"
#include "runner/emulation/sbi_udm.h"

enum sbi_role {
	SBI_ROLE_NRF,
	SBI_ROLE_AUSF,
	SBI_ROLE_UDM,
	SBI_ROLE_PCF,
	SBI_ROLE_NSSF,
	SBI_ROLE_SMF,
	SBI_ROLE_AMF, /* beside the one that is the IUT */
	SBI_ROLE_COUNT,
};

struct sbi_core {
	struct http *http;
	struct loop *loop;
	const struct profile *profile;
	struct sbi_subscribers subscribers;
	/* NULL: not of the roles */
	struct sbi_nrf *nrf;
	struct sbi_ausf *ausf;
	struct sbi_udm *udm;
	struct sbi_pcf *pcf;
	struct sbi_nssf *nssf;
	struct sbi_smf *smf;
	struct sbi_amf *amf;
	struct sbi_registration *registrations; /* with an NRF that is not ours */
	struct http_client *foreign_nrf;
	struct access_token_key *token_key; /* NULL: no access tokens */
};

/* What the profile lists and this cannot play is passed over. NULL with the sentence in why. */
struct sbi_core *sbi_core_start(struct http *http, struct loop *loop, const struct profile *profile,
				int64_t epoch_ms, struct text *why);
void sbi_core_stop(struct sbi_core *core);
/* For rules, and what was received; NULL: not of the roles. */
struct sbi_server *sbi_core_server(struct sbi_core *core, enum sbi_role role);
/* The instance id of this role; static. */
const char *sbi_core_instance_id(enum sbi_role role);
/* Whether the NRF knows all of them: ours does at once. */
bool sbi_core_registered(const struct sbi_core *core);

#endif
