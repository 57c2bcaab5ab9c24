/* What a case reads in messages of the IUT's nodes and UEs. */
#include "runner/case/expect_nw.h"
#include "runner/emulation/nw_private.h"

bool received_error_report(const struct ngap_received *m, struct nw_error_report *report)
{
	const struct ngap_cause *cause;
	const struct ngap_criticality_diagnostics *d;

	*report = (struct nw_error_report){ -1, -1, -1, -1, -1, -1, -1, -1 };
	if (!m || m->pdu.message != NGAP_ERROR_INDICATION)
		return false;
	cause = ngap_value(&m->pdu, NGAP_ID_CAUSE);
	d = ngap_value(&m->pdu, NGAP_ID_CRITICALITY_DIAGNOSTICS);
	if (cause) {
		report->cause_group = (int)cause->choice;
		/* all groups but the extensions are enumerations at the same place */
		if (cause->choice != NGAP_CAUSE_CHOICE_CHOICE_EXTENSIONS)
			report->cause = (int)cause->protocol;
	}
	if (d && d->procedure_code)
		report->procedure_code = (int)*d->procedure_code;
	if (d && d->triggering_message)
		report->triggering_message = (int)*d->triggering_message;
	if (d && d->procedure_criticality)
		report->procedure_criticality = (int)*d->procedure_criticality;
	if (d && d->ies_criticality_diagnostics && d->ies_criticality_diagnostics->count) {
		const struct ngap_criticality_diagnostics_ie_item *item =
			&d->ies_criticality_diagnostics->items[0];

		report->ie = (int)item->ie_id;
		report->ie_criticality = (int)item->ie_criticality;
		report->type_of_error = (int)item->type_of_error;
	}
	return true;
}

enum rrc_cause received_initial_cause(const struct ngap_received *m)
{
	int cause;

	if (!m || m->pdu.message != NGAP_INITIAL_UE_MESSAGE ||
	    !ngap_get_enum(&m->pdu, NGAP_ID_RRC_ESTABLISHMENT_CAUSE, &cause))
		return RRC_DEFAULT;
	return nw_rrc_cause_of(cause);
}

enum rrc_cause received_rrc_cause(const struct nas_received *m)
{
	return m ? received_initial_cause(m->carrier) : RRC_DEFAULT;
}

enum reg_type received_registration_type(const struct nas_received *m)
{
	uint8_t type;

	if (!m || !nas_get_u8(&m->msg, NAS_IE_5GS_REGISTRATION_TYPE, &type))
		return 0;
	return (enum reg_type)(type & 7);
}

bool received_follow_on(const struct nas_received *m)
{
	uint8_t type;

	return m && nas_get_u8(&m->msg, NAS_IE_5GS_REGISTRATION_TYPE, &type) &&
	       type & NAS_FOLLOW_ON_REQUEST;
}

int received_service_type(const struct nas_received *m)
{
	uint8_t type;

	return m && nas_get_u8(&m->msg, NAS_IE_SERVICE_TYPE, &type) ? type : -1;
}

bool received_identity(const struct nas_received *m, struct nas_identity *identity)
{
	return m && (nas_get_identity(&m->msg, NAS_IE_5GS_MOBILE_IDENTITY, identity) ||
		     nas_get_identity(&m->msg, NAS_IE_5G_S_TMSI, identity) ||
		     nas_get_identity(&m->msg, NAS_IE_MOBILE_IDENTITY, identity));
}

bool received_s_tmsi(const struct ngap_received *m, struct nas_s_tmsi *s_tmsi)
{
	const struct ngap_five_g_s_tmsi *in = m ? ngap_value(&m->pdu, NGAP_ID_FIVE_G_S_TMSI) : NULL;

	if (!in || in->five_g_tmsi.len != 4)
		return false;
	*s_tmsi = (struct nas_s_tmsi){
		.amf_set_id = (uint16_t)in->amf_set_id,
		.amf_pointer = (uint8_t)in->amf_pointer,
		.tmsi = (uint32_t)in->five_g_tmsi.data[0] << 24 |
			(uint32_t)in->five_g_tmsi.data[1] << 16 |
			(uint32_t)in->five_g_tmsi.data[2] << 8 | in->five_g_tmsi.data[3],
	};
	return true;
}

const char *rrc_cause_name(enum rrc_cause cause)
{
	static const char *const names[] = {
		[RRC_DEFAULT] = "none",
		[RRC_EMERGENCY] = "emergency",
		[RRC_HIGH_PRIORITY_ACCESS] = "highPriorityAccess",
		[RRC_MT_ACCESS] = "mt-Access",
		[RRC_MO_SIGNALLING] = "mo-Signalling",
		[RRC_MO_DATA] = "mo-Data",
		[RRC_MO_VOICE_CALL] = "mo-VoiceCall",
		[RRC_MO_VIDEO_CALL] = "mo-VideoCall",
		[RRC_MO_SMS] = "mo-SMS",
		[RRC_MPS_PRIORITY_ACCESS] = "mps-PriorityAccess",
		[RRC_MCS_PRIORITY_ACCESS] = "mcs-PriorityAccess",
		[RRC_NOT_AVAILABLE] = "notAvailable",
		[RRC_MO_EXCEPTION_DATA] = "mo-ExceptionData",
	};

	return (size_t)cause < sizeof(names) / sizeof(*names) ? names[cause] : "?";
}
