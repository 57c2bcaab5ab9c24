/* SHA-256 and HMAC-SHA-256 over pieces, so that no caller joins its input first. */
#ifndef SPILLWAY_CODECS_NAS_SECURITY_SHA256_H
#define SPILLWAY_CODECS_NAS_SECURITY_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "codecs/nas/security/status.h"
#include "codecs/octets.h"

enum { SHA256_OCTETS = 32 };

enum nas_security_status sha256(const struct octets *pieces, size_t count, uint8_t out[32]);

/* key: at least one octet; keys above 64 octets are hashed first, as HMAC says. */
enum nas_security_status hmac_sha256(struct octets key, const struct octets *pieces, size_t count,
				     uint8_t out[32]);

#endif
