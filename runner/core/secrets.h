/*
 * Where keys stand in the octets of messages that are put on record: in NGAP the key of a UE's
 * radio (IE Security Key) and the next hop's (IE Security Context), TS 38.413 9.3.1.87
 * and 9.3.1.88. What HTTP carries is blotted before it comes to the record
 * (runner/net/http_secrets.h).
 */
#ifndef SPILLWAY_RUNNER_CORE_SECRETS_H
#define SPILLWAY_RUNNER_CORE_SECRETS_H

#include <stdbool.h>

#include "codecs/octets.h"

/* The next key of an NGAP message from octet *at on: *at becomes its first octet. */
bool ngap_next_secret(struct octets message, size_t *at, size_t *len);

#endif
