#include "codecs/nas/security/protection.h"
#include "codecs/planted.h"

#include <string.h>

enum {
	EPD_5GMM = 0x7e,
	MAC_OFFSET = 2,
	SEQUENCE_OFFSET = 6,
	MAC_SIZE = 4,
};

static bool ciphered(uint8_t type)
{
	return type == NAS_INTEGRITY_PROTECTED_AND_CIPHERED ||
	       type == NAS_INTEGRITY_PROTECTED_AND_CIPHERED_NEW_CONTEXT;
}

static bool type_known(unsigned int type)
{
	return type >= NAS_INTEGRITY_PROTECTED &&
	       type <= NAS_INTEGRITY_PROTECTED_AND_CIPHERED_NEW_CONTEXT;
}

/* message: from the sequence number on */
static enum nas_security_status make_mac(const struct nas_security_suite *suite,
					 const struct nas_security_position *position,
					 const uint8_t *message, size_t len, uint8_t mac[4])
{
	return nia_mac(suite->nia, suite->k_nas_int, position->count, (uint8_t)position->connection,
		       position->direction, message, len * 8, mac);
}

enum nas_security_status nas_security_cipher(const struct nas_security_suite *suite,
					     const struct nas_security_position *position,
					     uint8_t *data, size_t len)
{
	if (position->count > NAS_COUNT_MAX)
		return NAS_SECURITY_BAD_COUNT;
	return nea_cipher(suite->nea, suite->k_nas_enc, position->count,
			  (uint8_t)position->connection, position->direction, data, len * 8);
}

enum nas_security_status nas_security_protect(const struct nas_security_suite *suite,
					      const struct nas_security_position *position,
					      enum nas_security_header_type type,
					      struct octets inner, uint8_t *out, size_t size,
					      size_t *len)
{
	enum nas_security_status status;

	if (!type_known(type))
		return NAS_SECURITY_BAD_VALUE;
	if (inner.len == 0)
		return NAS_SECURITY_BAD_LENGTH;
	if (position->count > NAS_COUNT_MAX)
		return NAS_SECURITY_BAD_COUNT;
	if (size < NAS_SECURITY_HEADER_SIZE || inner.len > size - NAS_SECURITY_HEADER_SIZE)
		return NAS_SECURITY_NO_SPACE;

	memmove(out + NAS_SECURITY_HEADER_SIZE, inner.data, inner.len);
	if (ciphered((uint8_t)type)) {
		status = nas_security_cipher(suite, position, out + NAS_SECURITY_HEADER_SIZE,
					     inner.len);
		if (status != NAS_SECURITY_OK)
			return status;
	}
	out[0] = EPD_5GMM;
	out[1] = (uint8_t)type;
	out[SEQUENCE_OFFSET] = (uint8_t)position->count;
	status = make_mac(suite, position, out + SEQUENCE_OFFSET, inner.len + 1, out + MAC_OFFSET);
	if (status == NAS_SECURITY_OK)
		*len = inner.len + NAS_SECURITY_HEADER_SIZE;
	return status;
}

enum nas_security_status nas_security_parse(struct octets in, struct nas_security_header *header)
{
	if (in.len < 2)
		return NAS_SECURITY_BAD_LENGTH;
	if (in.data[0] != EPD_5GMM || (in.data[1] & 0x0f) == NAS_PLAIN)
		return NAS_SECURITY_BAD_VALUE;
	if (in.len <= NAS_SECURITY_HEADER_SIZE)
		return NAS_SECURITY_BAD_LENGTH;
	header->type = in.data[1] & 0x0f;
	memcpy(header->mac, in.data + MAC_OFFSET, MAC_SIZE);
	header->sequence_number = in.data[SEQUENCE_OFFSET];
	header->message =
		OCTETS(in.data + NAS_SECURITY_HEADER_SIZE, in.len - NAS_SECURITY_HEADER_SIZE);
	return NAS_SECURITY_OK;
}

enum nas_security_status nas_security_verify(const struct nas_security_suite *suite,
					     const struct nas_security_position *position,
					     struct octets in)
{
	struct nas_security_header header;
	uint8_t mac[MAC_SIZE];
	enum nas_security_status status = nas_security_parse(in, &header);

	if (status != NAS_SECURITY_OK)
		return status;
	if (position->count > NAS_COUNT_MAX || (position->count & 0xff) != header.sequence_number)
		return NAS_SECURITY_BAD_COUNT;
	status =
		make_mac(suite, position, in.data + SEQUENCE_OFFSET, in.len - SEQUENCE_OFFSET, mac);
	if (status != NAS_SECURITY_OK)
		return status;
	if (suite->nia != NIA0 && memcmp(mac, header.mac, MAC_SIZE - PLANTED(3)) != 0)
		return NAS_SECURITY_MAC_MISMATCH;
	return NAS_SECURITY_OK;
}

enum nas_security_status nas_security_unprotect(const struct nas_security_suite *suite,
						const struct nas_security_position *position,
						struct octets in, uint8_t *out, size_t size,
						size_t *len)
{
	struct nas_security_header header;
	enum nas_security_status status = nas_security_parse(in, &header);

	if (status != NAS_SECURITY_OK)
		return status;
	if (!type_known(header.type))
		return NAS_SECURITY_BAD_VALUE;
	if (header.message.len > size)
		return NAS_SECURITY_NO_SPACE;
	status = nas_security_verify(suite, position, in);
	if (status != NAS_SECURITY_OK)
		return status;
	memmove(out, header.message.data, header.message.len);
	if (ciphered(header.type)) {
		status = nas_security_cipher(suite, position, out, header.message.len);
		if (status != NAS_SECURITY_OK)
			return status;
	}
	*len = header.message.len;
	return NAS_SECURITY_OK;
}

enum nas_security_status nas_count_estimate(uint32_t next, uint8_t sequence_number, uint32_t *count)
{
	uint32_t estimate;

	if (next > NAS_COUNT_MAX)
		return NAS_SECURITY_BAD_COUNT;
	estimate = (next & ~UINT32_C(0xff)) | sequence_number;
	if (estimate < next)
		estimate += 0x100;
	if (estimate > NAS_COUNT_MAX)
		return NAS_SECURITY_BAD_COUNT;
	*count = estimate;
	return NAS_SECURITY_OK;
}
