#include "codecs/nas/security/milenage.h"

#include <stddef.h>
#include <string.h>

#include "codecs/nas/security/aes.h"

/*
 * TS 35.206 4.1: OUTi = E(rot(TEMP xor OPc, ri) xor ci) xor OPc. Rotations are whole octets here,
 * and each constant ci is zero but for its last octet.
 */
struct output_function {
	size_t rotation; /* ri / 8 */
	uint8_t constant;
};

static const struct output_function out1 = { .rotation = 8, .constant = 0 };
static const struct output_function out2_to_5[4] = {
	{ .rotation = 0, .constant = 1 },
	{ .rotation = 4, .constant = 2 },
	{ .rotation = 8, .constant = 4 },
	{ .rotation = 12, .constant = 8 },
};

static void xor_block(uint8_t out[16], const uint8_t a[16], const uint8_t b[16])
{
	for (size_t i = 0; i < 16; i++)
		out[i] = a[i] ^ b[i];
}

static void rotate(uint8_t out[16], const uint8_t in[16], struct output_function f)
{
	for (size_t i = 0; i < 16; i++)
		out[i] = in[(i + f.rotation) % 16];
	out[15] ^= f.constant;
}

static enum nas_security_status make_temp(const uint8_t k[16], const uint8_t opc[16],
					  const uint8_t rand[16], uint8_t temp[16])
{
	xor_block(temp, rand, opc);
	return aes_encrypt_blocks(k, temp, temp, 1);
}

enum nas_security_status milenage_opc(const uint8_t k[16], const uint8_t op[16], uint8_t opc[16])
{
	uint8_t block[16];
	enum nas_security_status status = aes_encrypt_blocks(k, op, block, 1);

	if (status == NAS_SECURITY_OK)
		xor_block(opc, block, op);
	return status;
}

enum nas_security_status milenage_f1(const uint8_t k[16], const uint8_t opc[16],
				     const uint8_t rand[16], const uint8_t sqn[6],
				     const uint8_t amf[2], uint8_t mac_a[8], uint8_t mac_s[8])
{
	uint8_t temp[16], in1[16], block[16];
	enum nas_security_status status = make_temp(k, opc, rand, temp);

	if (status != NAS_SECURITY_OK)
		return status;
	memcpy(in1, sqn, 6);
	memcpy(in1 + 6, amf, 2);
	memcpy(in1 + 8, in1, 8);
	xor_block(in1, in1, opc);
	rotate(block, in1, out1);
	xor_block(block, block, temp);
	status = aes_encrypt_blocks(k, block, block, 1);
	if (status != NAS_SECURITY_OK)
		return status;
	xor_block(block, block, opc);
	if (mac_a != NULL)
		memcpy(mac_a, block, 8);
	if (mac_s != NULL)
		memcpy(mac_s, block + 8, 8);
	return NAS_SECURITY_OK;
}

enum nas_security_status milenage_f2345(const uint8_t k[16], const uint8_t opc[16],
					const uint8_t rand[16], uint8_t res[8], uint8_t ck[16],
					uint8_t ik[16], uint8_t ak[6], uint8_t ak_star[6])
{
	uint8_t temp[16], out[4][16];
	enum nas_security_status status = make_temp(k, opc, rand, temp);

	if (status != NAS_SECURITY_OK)
		return status;
	xor_block(temp, temp, opc);
	for (size_t i = 0; i < 4; i++)
		rotate(out[i], temp, out2_to_5[i]);
	status = aes_encrypt_blocks(k, out[0], out[0], 4);
	if (status != NAS_SECURITY_OK)
		return status;
	for (size_t i = 0; i < 4; i++)
		xor_block(out[i], out[i], opc);
	if (res != NULL)
		memcpy(res, out[0] + 8, 8);
	if (ck != NULL)
		memcpy(ck, out[1], 16);
	if (ik != NULL)
		memcpy(ik, out[2], 16);
	if (ak != NULL)
		memcpy(ak, out[0], 6);
	if (ak_star != NULL)
		memcpy(ak_star, out[3], 6);
	return NAS_SECURITY_OK;
}
