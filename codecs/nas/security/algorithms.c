#include "codecs/nas/security/algorithms.h"

#include <stdbool.h>
#include <string.h>

#include "codecs/nas/security/aes.h"
#include "codecs/nas/security/snow3g.h"
#include "codecs/nas/security/words.h"
#include "codecs/nas/security/zuc.h"

enum { BEARER_MAX = 31 };

/* COUNT | BEARER | DIRECTION | 0...: the counter block's and the MAC prefix's first 64 bits. */
static void put_parameters(uint8_t out[8], uint32_t count, uint8_t bearer,
			   enum nas_direction direction)
{
	put_word(out, count);
	put_word(out + 4, (uint32_t)bearer << 27 | (uint32_t)direction << 26);
}

static bool parameters_ok(uint8_t bearer, enum nas_direction direction)
{
	return bearer <= BEARER_MAX && (direction == NAS_UPLINK || direction == NAS_DOWNLINK);
}

static enum nas_security_status cipher_octets(enum nea algorithm, const uint8_t key[16],
					      uint32_t count, uint8_t bearer,
					      enum nas_direction direction, uint8_t *data,
					      size_t len)
{
	uint8_t block[16] = { 0 };

	switch (algorithm) {
	case NEA0:
		return NAS_SECURITY_OK;
	case NEA1:
		uea2(key, count, bearer, (uint8_t)direction, data, len);
		return NAS_SECURITY_OK;
	case NEA2:
		put_parameters(block, count, bearer, direction);
		return aes_ctr(key, block, data, len);
	case NEA3:
		eea3(key, count, bearer, (uint8_t)direction, data, len);
		return NAS_SECURITY_OK;
	}
	return NAS_SECURITY_BAD_VALUE;
}

enum nas_security_status nea_cipher(enum nea algorithm, const uint8_t key[16], uint32_t count,
				    uint8_t bearer, enum nas_direction direction, uint8_t *data,
				    size_t bits)
{
	size_t len = bits / 8 + (bits % 8 != 0);
	uint8_t last = bits % 8 != 0 ? data[len - 1] : 0;
	enum nas_security_status status;

	if (!parameters_ok(bearer, direction))
		return NAS_SECURITY_BAD_VALUE;
	status = cipher_octets(algorithm, key, count, bearer, direction, data, len);
	if (status == NAS_SECURITY_OK && bits % 8 != 0) {
		uint8_t spare = (uint8_t)(0xff >> bits % 8);

		data[len - 1] = (uint8_t)((data[len - 1] & ~spare) | (last & spare));
	}
	return status;
}

enum nas_security_status nia_mac(enum nia algorithm, const uint8_t key[16], uint32_t count,
				 uint8_t bearer, enum nas_direction direction, const uint8_t *data,
				 size_t bits, uint8_t mac[4])
{
	enum nas_security_status status;
	uint8_t prefix[8], full[16];

	if (!parameters_ok(bearer, direction))
		return NAS_SECURITY_BAD_VALUE;
	switch (algorithm) {
	case NIA0:
		memset(mac, 0, 4);
		return NAS_SECURITY_OK;
	case NIA1:
		uia2(key, count, (uint32_t)bearer << 27, (uint8_t)direction, data, bits, mac);
		return NAS_SECURITY_OK;
	case NIA2:
		put_parameters(prefix, count, bearer, direction);
		status = aes_cmac(key, prefix, data, bits, full);
		if (status == NAS_SECURITY_OK)
			memcpy(mac, full, 4);
		return status;
	case NIA3:
		eia3(key, count, bearer, (uint8_t)direction, data, bits, mac);
		return NAS_SECURITY_OK;
	}
	return NAS_SECURITY_BAD_VALUE;
}
