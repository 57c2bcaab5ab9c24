#include "runner/emulation/sbi_subscriber.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codecs/nas/security/key_derivation.h"
#include "codecs/nas/security/milenage.h"
#include "codecs/nas/security/suci.h"

enum { SUCI_PARTS = 8, IMSI_PREFIX = 5, MSIN_OCTETS_MAX = 5 };

bool sbi_subscribers_init(struct sbi_subscribers *subscribers, const struct profile *profile,
			  uint64_t seed)
{
	uint32_t count = profile->subscribers.count;

	subscribers->profile = profile;
	random_init(&subscribers->random, seed, "home network");
	subscribers->sqn = calloc(count ? count : 1, sizeof(*subscribers->sqn));
	return subscribers->sqn != NULL;
}

void sbi_subscribers_clear(struct sbi_subscribers *subscribers)
{
	free(subscribers->sqn);
	subscribers->sqn = NULL;
}

/* --- who is it -------------------------------------------------------------------------------- */

static uint32_t by_digits(const struct sbi_subscribers *subscribers, const char *digits)
{
	const struct profile_subscribers *list = &subscribers->profile->subscribers;
	const char *first = list->first + IMSI_PREFIX;
	uint64_t base, number;

	if (strncmp(list->first, "imsi-", IMSI_PREFIX) != 0 || strlen(first) != strlen(digits) ||
	    strspn(digits, "0123456789") != strlen(digits))
		return SBI_NO_SUBSCRIBER;
	base = strtoull(first, NULL, 10);
	number = strtoull(digits, NULL, 10);
	return number >= base && number - base < list->count ? (uint32_t)(number - base)
							     : SBI_NO_SUBSCRIBER;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Octets of hexadecimal digits; 0: they are none, or too many. */
static size_t from_hex(const char *text, uint8_t *out, size_t size)
{
	size_t len = strlen(text);

	if (len % 2 || len / 2 > size)
		return 0;
	for (size_t i = 0; i < len; i += 2) {
		int high = hex_value(text[i]), low = hex_value(text[i + 1]);

		if (high < 0 || low < 0)
			return 0;
		out[i / 2] = (uint8_t)(high << 4 | low);
	}
	return len / 2;
}

/* The MSIN that is concealed, from TS 33.501 C.3: BCD, the low nibble first, filler F. */
static bool reveal(const struct sbi_subscribers *subscribers, const char *scheme, const char *key,
		   const char *output, char msin[2 * MSIN_OCTETS_MAX + 1])
{
	const struct profile_subscribers *list = &subscribers->profile->subscribers;
	unsigned long id = strtoul(key, NULL, 10);
	uint8_t concealed[128], plain[sizeof(concealed)];
	size_t len = from_hex(output, concealed, sizeof(concealed)), plain_len = 0, n = 0;

	for (size_t i = 0; i < list->hn_key_count; i++) {
		char profile = list->hn_keys[i].scheme;

		if (list->hn_keys[i].id != id || !list->hn_keys[i].has_private_key ||
		    strcmp(scheme, profile == 'A' ? "1" : "2") != 0)
			continue;
		if (suci_reveal(profile == 'A' ? SUCI_PROFILE_A : SUCI_PROFILE_B,
				list->hn_keys[i].private_key, OCTETS(concealed, len), plain,
				sizeof(plain), &plain_len) != NAS_SECURITY_OK ||
		    plain_len > MSIN_OCTETS_MAX)
			return false;
		for (size_t k = 0; k < 2 * plain_len; k++) {
			uint8_t digit = plain[k / 2] >> (k % 2 ? 4 : 0) & 0x0f;

			if (digit > 9)
				break;
			msin[n++] = (char)('0' + digit);
		}
		msin[n] = '\0';
		return n > 0;
	}
	return false;
}

static uint32_t by_suci(const struct sbi_subscribers *subscribers, char *text)
{
	char *parts[SUCI_PARTS], *rest = text, msin[2 * MSIN_OCTETS_MAX + 1], digits[40];
	size_t count = 0;

	while (count < SUCI_PARTS && (parts[count] = strsep(&rest, "-")))
		count++;
	if (count < SUCI_PARTS || rest || strcmp(parts[1], "0") != 0 || strlen(parts[2]) != 3 ||
	    strlen(parts[3]) < 2 || strlen(parts[3]) > 3)
		return SBI_NO_SUBSCRIBER;
	if (strcmp(parts[5], "0") == 0) {
		if (strlen(parts[7]) >= sizeof(msin))
			return SBI_NO_SUBSCRIBER;
		strcpy(msin, parts[7]);
	} else if (!reveal(subscribers, parts[5], parts[6], parts[7], msin)) {
		return SBI_NO_SUBSCRIBER;
	}
	snprintf(digits, sizeof(digits), "%s%s%s", parts[2], parts[3], msin);
	return by_digits(subscribers, digits);
}

uint32_t sbi_subscriber_of(const struct sbi_subscribers *subscribers, struct octets identity)
{
	char text[400];

	if (identity.len >= sizeof(text) || memchr(identity.data, '\0', identity.len))
		return SBI_NO_SUBSCRIBER;
	memcpy(text, identity.data, identity.len);
	text[identity.len] = '\0';
	if (strncmp(text, "imsi-", IMSI_PREFIX) == 0)
		return by_digits(subscribers, text + IMSI_PREFIX);
	return strncmp(text, "suci-", 5) == 0 ? by_suci(subscribers, text) : SBI_NO_SUBSCRIBER;
}

void sbi_subscriber_supi(const struct sbi_subscribers *subscribers, uint32_t index,
			 char supi[SBI_SUPI_MAX])
{
	const char *first = subscribers->profile->subscribers.first + IMSI_PREFIX;

	snprintf(supi, SBI_SUPI_MAX, "imsi-%0*" PRIu64, (int)strlen(first),
		 (uint64_t)strtoull(first, NULL, 10) + index);
}

bool sbi_serving_network_known(const struct sbi_subscribers *subscribers, struct octets name)
{
	const char *digits = subscribers->profile->plmn.digits;
	char mcc[4], own[SERVING_NETWORK_NAME_SIZE];
	size_t len;

	snprintf(mcc, sizeof(mcc), "%.3s", digits);
	if (serving_network_name(mcc, digits + strlen(mcc), NULL, own) != NAS_SECURITY_OK)
		return false;
	len = strlen(own);
	return name.len >= len && memcmp(name.data, own, len) == 0 &&
	       (name.len == len || name.data[len] == ':');
}

/* --- vectors ---------------------------------------------------------------------------------- */

/* TS 33.102 C.1.1.3, C.3.4: SEQ in the high bits, five bits of index that go round. */
static uint64_t next_sqn(uint64_t sqn)
{
	return (((sqn >> 5) + 1) << 5 | ((sqn + 1) & 31)) & ((UINT64_C(1) << 48) - 1);
}

bool sbi_vector_make(struct sbi_subscribers *subscribers, uint32_t index,
		     struct octets serving_network, struct sbi_vector *vector)
{
	const struct profile_subscribers *list = &subscribers->profile->subscribers;
	uint8_t sqn[6], mac[8], res[8], ck[16], ik[16], ak[6];
	uint64_t value = next_sqn(subscribers->sqn[index]);

	subscribers->sqn[index] = value;
	for (size_t i = 0; i < sizeof(sqn); i++)
		sqn[i] = (uint8_t)(value >> (40 - 8 * i));
	random_bytes(&subscribers->random, vector->rand, sizeof(vector->rand));
	if (milenage_f1(list->k, list->opc, vector->rand, sqn, list->amf, mac, NULL) ||
	    milenage_f2345(list->k, list->opc, vector->rand, res, ck, ik, ak, NULL))
		return false;
	for (size_t i = 0; i < sizeof(sqn); i++)
		vector->autn[i] = sqn[i] ^ ak[i];
	memcpy(vector->autn + 6, list->amf, sizeof(list->amf));
	memcpy(vector->autn + 8, mac, sizeof(mac));
	return !derive_res_star(ck, ik, serving_network, vector->rand, OCTETS(res, sizeof(res)),
				vector->xres_star) &&
	       !derive_hres_star(vector->rand, vector->xres_star, vector->hxres_star) &&
	       !derive_k_ausf(ck, ik, serving_network, vector->autn, vector->k_ausf) &&
	       !derive_k_seaf(vector->k_ausf, serving_network, vector->k_seaf);
}

bool sbi_resynchronise(struct sbi_subscribers *subscribers, uint32_t index, const uint8_t rand[16],
		       const uint8_t auts[14])
{
	static const uint8_t dummy_amf[2] = { 0, 0 }; /* TS 33.102 6.3.3 */
	const struct profile_subscribers *list = &subscribers->profile->subscribers;
	uint8_t ak[6], sqn[6], mac[8];
	uint64_t value = 0;

	if (milenage_f2345(list->k, list->opc, rand, NULL, NULL, NULL, NULL, ak))
		return false;
	for (size_t i = 0; i < sizeof(sqn); i++) {
		sqn[i] = auts[i] ^ ak[i];
		value = value << 8 | sqn[i];
	}
	if (milenage_f1(list->k, list->opc, rand, sqn, dummy_amf, NULL, mac) ||
	    memcmp(mac, auts + sizeof(sqn), sizeof(mac)) != 0)
		return false;
	subscribers->sqn[index] = value;
	return true;
}
