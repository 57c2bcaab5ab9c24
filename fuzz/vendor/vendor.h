/*
 * What a vendor provides to put its own codec under the campaign: two functions over octets, and
 * what they are for. Link them with fuzz/harness/fuzz_vendor.c; fuzz/vendor/README.md says how, and
 * tshark.c is an example.
 */
#ifndef SPILLWAY_FUZZ_VENDOR_H
#define SPILLWAY_FUZZ_VENDOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum vendor_protocol { VENDOR_NGAP, VENDOR_PFCP, VENDOR_NAS };

/* The codec that the two functions wrap. */
extern const enum vendor_protocol vendor_protocol;

/*
 * Decodes one message. True when the codec accepts it; *message is then whatever vendor_encode
 * takes, NULL if it has nothing to encode. The octets may go away afterwards.
 */
bool vendor_decode(const uint8_t *octets, size_t len, void **message);

/*
 * Encodes and releases a message. Returns the number of octets, -ENOSYS where the codec only
 * decodes, or another negative errno: the codec cannot encode what it accepted, which is a fault.
 */
ssize_t vendor_encode(void *message, uint8_t *out, size_t size);

#endif
