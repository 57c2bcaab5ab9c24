/*
 * The small enumerations and bit fields of TS 24.501 9.11 that procedures ask for: registration
 * type, service type, de-registration type, causes, PDU session maps, DNN and so on.
 */
#ifndef SPILLWAY_CODECS_NAS_NAS_VALUE_H
#define SPILLWAY_CODECS_NAS_NAS_VALUE_H

#include "codecs/nas/nas.h"

/* 9.11.3.7, bits 3 to 1 */
enum nas_registration_type {
	NAS_REGISTRATION_INITIAL = 1,
	NAS_REGISTRATION_MOBILITY = 2,
	NAS_REGISTRATION_PERIODIC = 3,
	NAS_REGISTRATION_EMERGENCY = 4,
	NAS_REGISTRATION_SNPN_ONBOARDING = 5,
	NAS_REGISTRATION_DISASTER_MOBILITY = 6,
	NAS_REGISTRATION_DISASTER_INITIAL = 7,
};

#define NAS_FOLLOW_ON_REQUEST 0x08 /* bit 4 of the 5GS registration type */

/* 9.11.3.50 */
enum nas_service_type {
	NAS_SERVICE_SIGNALLING = 0,
	NAS_SERVICE_DATA = 1,
	NAS_SERVICE_MOBILE_TERMINATED = 2,
	NAS_SERVICE_EMERGENCY = 3,
	NAS_SERVICE_EMERGENCY_FALLBACK = 4,
	NAS_SERVICE_HIGH_PRIORITY = 5,
	NAS_SERVICE_ELEVATED_SIGNALLING = 6,
};

/* 9.11.3.18D, bits 3 to 1 */
enum nas_control_plane_service_type {
	NAS_CP_SERVICE_MOBILE_ORIGINATING = 0,
	NAS_CP_SERVICE_MOBILE_TERMINATING = 1,
	NAS_CP_SERVICE_EMERGENCY = 2,
	NAS_CP_SERVICE_EMERGENCY_FALLBACK = 3,
};

/* 9.11.3.20 */
#define NAS_DEREGISTRATION_SWITCH_OFF		   0x08 /* UE to network */
#define NAS_DEREGISTRATION_REREGISTRATION_REQUIRED 0x04 /* network to UE */

/* Access type (9.11.2.1A), and bits 2 to 1 of the de-registration type */
enum nas_access_type {
	NAS_ACCESS_3GPP = 1,
	NAS_ACCESS_NON_3GPP = 2,
	NAS_ACCESS_BOTH = 3,
};

/* 9.11.3.40 */
enum nas_payload_container_type {
	NAS_PAYLOAD_N1_SM = 1,
	NAS_PAYLOAD_SMS = 2,
	NAS_PAYLOAD_LPP = 3,
	NAS_PAYLOAD_SOR = 4,
	NAS_PAYLOAD_UE_POLICY = 5,
	NAS_PAYLOAD_UE_PARAMETERS_UPDATE = 6,
	NAS_PAYLOAD_LOCATION_SERVICES = 7,
	NAS_PAYLOAD_CIOT_USER_DATA = 8,
	NAS_PAYLOAD_SERVICE_LEVEL_AA = 9,
	NAS_PAYLOAD_EVENT_NOTIFICATION = 10,
	NAS_PAYLOAD_UPP_CMI = 11,
	NAS_PAYLOAD_MULTIPLE = 15,
};

/* 9.11.3.47 */
enum nas_request_type {
	NAS_REQUEST_INITIAL = 1,
	NAS_REQUEST_EXISTING_PDU_SESSION = 2,
	NAS_REQUEST_INITIAL_EMERGENCY = 3,
	NAS_REQUEST_EXISTING_EMERGENCY = 4,
	NAS_REQUEST_MODIFICATION = 5,
	NAS_REQUEST_MA_PDU = 6,
};

/* NAS key set identifier (9.11.3.32): bit 4 TSC, bits 3 to 1 the identifier. */
#define NAS_NGKSI_NO_KEY 7

/* NAS_5GMM_CONGESTION = 22 and so on, named as in nas_cause.def. */
enum nas_5gmm_cause {
#define CAUSE_5GMM(value, cause, name) NAS_5GMM_##cause = value,
#define CAUSE_5GSM(value, cause, name)
#include "codecs/nas/nas_cause.def"
#undef CAUSE_5GMM
#undef CAUSE_5GSM
};

enum nas_5gsm_cause {
#define CAUSE_5GMM(value, cause, name)
#define CAUSE_5GSM(value, cause, name) NAS_5GSM_##cause = value,
#include "codecs/nas/nas_cause.def"
#undef CAUSE_5GMM
#undef CAUSE_5GSM
};

/* Names; static storage. NULL for a value that the table does not define. */
const char *nas_5gmm_cause_name(uint8_t cause);
const char *nas_5gsm_cause_name(uint8_t cause);
const char *nas_registration_type_name(uint8_t type);
const char *nas_service_type_name(uint8_t type);
const char *nas_payload_container_type_name(uint8_t type);
const char *nas_request_type_name(uint8_t type);
const char *nas_access_type_name(uint8_t type);

/* What a receiver reads: a 5GMM cause that is not defined is 111 (9.11.3.2). */
uint8_t nas_5gmm_cause_read(uint8_t cause);
/* 7 and 8 are signalling, 9 to 11 data (9.11.3.50); others as they are. */
uint8_t nas_service_type_read(uint8_t type);

/*
 * PDU session maps (PDU session status, uplink data status, reactivation result, allowed PDU
 * session status): bit n of the mask is PSI(n).
 */
bool nas_get_psi(const struct nas_msg *msg, enum nas_ie ie, uint16_t *mask);
int nas_add_psi(struct nas_msg *msg, enum nas_ie ie, uint16_t mask);

/* A DNN as "internet" or "a.b.c" (9.11.2.1B, labels of TS 23.003 9.1). */
bool nas_get_dnn(const struct nas_msg *msg, char *dnn, size_t size);
int nas_add_dnn(struct nas_msg *msg, const char *dnn);

/*
 * UE security capability (9.11.3.54). Bit n of a mask is 5G-EAn, 5G-IAn, EEAn, EIAn; the EPS
 * masks are 0 when the IE ends before them.
 */
struct nas_ue_security_capability {
	uint8_t ea;
	uint8_t ia;
	uint8_t eea;
	uint8_t eia;
	bool has_eps;
};

bool nas_get_ue_security_capability(const struct nas_msg *msg, enum nas_ie ie,
				    struct nas_ue_security_capability *capability);
int nas_add_ue_security_capability(struct nas_msg *msg, enum nas_ie ie,
				   const struct nas_ue_security_capability *capability);

/* NAS security algorithms (9.11.3.34): ciphering in bits 8 to 5, integrity in bits 4 to 1. */
static inline uint8_t nas_algorithms(uint8_t ciphering, uint8_t integrity)
{
	return (uint8_t)((ciphering & 0x0f) << 4 | (integrity & 0x0f));
}

#endif
