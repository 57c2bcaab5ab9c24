/* What an SMF has for a session's UE and NG-RAN: its accept, and N2 SM information. */
#ifndef SPILLWAY_RUNNER_EMULATION_SM_ACCEPT_H
#define SPILLWAY_RUNNER_EMULATION_SM_ACCEPT_H

#include "codecs/nas/nas.h"

enum { N2_TRANSFER_MAX = 128 };

/*
 * The IEs of a PDU SESSION ESTABLISHMENT ACCEPT: IPv4, SSC mode 1, one default rule, 10 Mbit/s. The
 * address follows from the serial number.
 */
void sm_accept_fill(struct nas_msg *sm, uint32_t serial);
/* PDUSessionResourceSetupRequestTransfer (38.413 9.3.4.1): IPv4, one non-GBR flow, 5QI 9. */
struct octets n2_setup_transfer(uint8_t psi, uint8_t out[N2_TRANSFER_MAX]);
/* PDUSessionResourceReleaseCommandTransfer (38.413 9.3.4.12): NAS, normal release. */
struct octets n2_release_transfer(uint8_t out[N2_TRANSFER_MAX]);

#endif
