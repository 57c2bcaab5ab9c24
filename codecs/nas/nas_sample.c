#include "codecs/nas/nas_sample.h"

#define SAMPLE(...)                                                                  \
	{                                                                            \
		(const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }) \
	}

static const struct octets samples[NAS_TYPE_COUNT] = {
	[NAS_TYPE_SPARE_HALF_OCTET] = SAMPLE(0),
	[NAS_TYPE_GPRS_TIMER] = SAMPLE(0x21),
	[NAS_TYPE_GPRS_TIMER_2] = SAMPLE(0x21),
	[NAS_TYPE_GPRS_TIMER_3] = SAMPLE(0x21),
	[NAS_TYPE_S_NSSAI] = SAMPLE(1, 1, 2, 3),
	[NAS_TYPE_NSSAI] = SAMPLE(1, 1, 4, 2, 1, 2, 3),
	[NAS_TYPE_MAPPED_NSSAI] = SAMPLE(4, 2, 1, 2, 3),
	[NAS_TYPE_REJECTED_NSSAI] = SAMPLE(0x10, 1, 0x41, 2, 1, 2, 3),
	[NAS_TYPE_5GS_MOBILE_IDENTITY] =
		SAMPLE(0x01, 0x00, 0xf1, 0x10, 0xf0, 0xff, 0, 0, 0x00, 0x00, 0x00, 0x00, 0x10),
	[NAS_TYPE_5GMM_CAUSE] = SAMPLE(22),
	[NAS_TYPE_5GSM_CAUSE] = SAMPLE(26),
	[NAS_TYPE_5GS_TRACKING_AREA_IDENTITY] = SAMPLE(0x00, 0xf1, 0x10, 0, 0, 1),
	[NAS_TYPE_5GS_TRACKING_AREA_IDENTITY_LIST] = SAMPLE(0x00, 0x00, 0xf1, 0x10, 0, 0, 1),
	[NAS_TYPE_PLMN_LIST] = SAMPLE(0x00, 0xf1, 0x10),
	[NAS_TYPE_PLMN_IDENTITY] = SAMPLE(0x00, 0xf1, 0x10),
	[NAS_TYPE_DISASTER_CONDITION_PLMNS] = SAMPLE(0x00, 0xf1, 0x10),
	[NAS_TYPE_PDU_SESSION_STATUS] = SAMPLE(0x20, 0),
	[NAS_TYPE_UPLINK_DATA_STATUS] = SAMPLE(0x20, 0),
	[NAS_TYPE_ALLOWED_PDU_SESSION_STATUS] = SAMPLE(0x20, 0),
	[NAS_TYPE_REACTIVATION_RESULT] = SAMPLE(0x20, 0),
	[NAS_TYPE_REACTIVATION_ERROR_CAUSE] = SAMPLE(5, 92),
	[NAS_TYPE_DNN] = SAMPLE(8, 'i', 'n', 't', 'e', 'r', 'n', 'e', 't'),
	[NAS_TYPE_NETWORK_NAME] = SAMPLE(0x81, 0x61),
	[NAS_TYPE_PAYLOAD_CONTAINER] = SAMPLE(NAS_EPD_5GSM, 1, 1, NAS_5GSM_STATUS, 101),
	[NAS_TYPE_NAS_MESSAGE_CONTAINER] = SAMPLE(NAS_EPD_5GMM, 0, NAS_REGISTRATION_COMPLETE),
	[NAS_TYPE_UNAVAILABILITY_INFORMATION] = SAMPLE(0x19, 0, 0, 60, 0, 0, 30),
	[NAS_TYPE_UE_SECURITY_CAPABILITY] = SAMPLE(0xe0, 0xe0),
	[NAS_TYPE_S1_UE_SECURITY_CAPABILITY] = SAMPLE(0xe0, 0xe0),
	[NAS_TYPE_EAP_MESSAGE] = SAMPLE(1, 1, 0, 5, 1),
	[NAS_TYPE_SESSION_AMBR] = SAMPLE(6, 0, 100, 6, 0, 50),
	[NAS_TYPE_PDU_ADDRESS] = SAMPLE(1, 10, 0, 0, 1),
	[NAS_TYPE_NAS_SECURITY_ALGORITHMS] = SAMPLE(0x22),
	[NAS_TYPE_5GS_NETWORK_FEATURE_SUPPORT] = SAMPLE(0x01, 0x00),
	[NAS_TYPE_QOS_RULES] = SAMPLE(1, 0, 6, 0x31, 0x31, 1, 1, 0xff, 1),
	[NAS_TYPE_QOS_FLOW_DESCRIPTIONS] = SAMPLE(1, 0x20, 0x41, 1, 1, 9),
	[NAS_TYPE_SUPPORTED_CODEC_LIST] = SAMPLE(4, 2, 0x60, 0),
	[NAS_TYPE_LADN_INFORMATION] =
		SAMPLE(5, 4, 'l', 'a', 'd', 'n', 7, 0x00, 0x00, 0xf1, 0x10, 0, 0, 1),
	[NAS_TYPE_SERVICE_AREA_LIST] = SAMPLE(0x00, 0x00, 0xf1, 0x10, 0, 0, 1),
	[NAS_TYPE_EMERGENCY_NUMBER_LIST] = SAMPLE(3, 1, 0x11, 0xf2),
	[NAS_TYPE_EXTENDED_EMERGENCY_NUMBER_LIST] = SAMPLE(0, 2, 0x11, 0xf2, 0),
	[NAS_TYPE_EXTENDED_REJECTED_NSSAI] = SAMPLE(0x00, 0x10, 1),
	[NAS_TYPE_CIPHERING_KEY_DATA] =
		SAMPLE(0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 3, 1, 2, 3, 0,
		       0, 0x22, 0x10, 0x11, 0x21, 0x43, 0, 60, 0),
	/* not shorter, for a defect of tshark 4.0: it reads past the end of a small one */
	[NAS_TYPE_CIOT_SMALL_DATA_CONTAINER] = SAMPLE(0x05, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
	[NAS_TYPE_EPS_NAS_MESSAGE_CONTAINER] =
		SAMPLE(0x07, 0x48, 0x70, 11, 0xf6, 0x00, 0xf1, 0x10, 0, 1, 1, 1, 2, 3, 4),
	[NAS_TYPE_EXTENDED_PCO] = SAMPLE(0x80),
};

static const struct octets guti = SAMPLE(0xf2, 0x00, 0xf1, 0x10, 1, 0, 0x40, 1, 2, 3, 4);
static const struct octets s_tmsi = SAMPLE(0xf4, 0, 0x40, 1, 2, 3, 4);
static const struct octets imeisv = SAMPLE(0x15, 0x32, 0x54, 0x76, 0x98, 0x10, 0x32, 0x54, 0xf6);
static const struct octets mac_address = SAMPLE(0x06, 2, 0, 0, 0, 0, 1);
static const struct octets interface_id = SAMPLE(2, 0, 0, 0, 0, 0, 0, 0, 1);

struct octets nas_sample_value(const struct nas_row *row, uint8_t *room)
{
	enum nas_type type = nas_ie_type(row->ie);

	switch (row->ie) {
	case NAS_IE_5G_GUTI:
	case NAS_IE_ADDITIONAL_GUTI:
		return guti;
	case NAS_IE_5G_S_TMSI:
		return s_tmsi;
	case NAS_IE_IMEISV:
		return imeisv;
	case NAS_IE_NON_IMEISV_PEI:
		return mac_address;
	case NAS_IE_SUGGESTED_INTERFACE_IDENTIFIER:
		return interface_id;
	default:
		break;
	}
	if (samples[type].data)
		return samples[type];
	memset(room, 0, NAS_SAMPLE_SIZE);
	room[0] = 1;
	return OCTETS(room, row->min > NAS_SAMPLE_SIZE ? NAS_SAMPLE_SIZE : row->min);
}

int nas_sample_add(struct nas_msg *msg, const struct nas_row *row)
{
	uint8_t room[NAS_SAMPLE_SIZE];

	return nas_add_copy(msg, row->ie, nas_sample_value(row, room));
}

void nas_sample_message(struct nas_msg *msg, const struct nas_message_info *info,
			struct arena *arena)
{
	nas_init(msg, (enum nas_message_type)info->type, arena);
	for (size_t i = 0; i < info->count; i++)
		if (info->rows[i].presence == NAS_MANDATORY)
			nas_sample_add(msg, &info->rows[i]);
}
