/*
 * Builds every typed message that concerns the interface as a whole with the public interface of
 * the codec and compares it with its vector. The vectors have been seen by tshark and by Erlang's
 * asn1 (oracle/), so this ties the C names to what they mean on the wire.
 */
#include "codecs/ngap/test_ngap_build.h"

static void add_supported_tas(struct ngap_pdu *pdu)
{
	static const uint8_t plmn[] = { 0x99, 0xf9, 0x07 };
	static const uint8_t tac[] = { 0, 0, 1 };
	static const uint8_t sd_octets[] = { 1, 2, 3 };
	static const struct octets sd = { sd_octets, 3 };
	static const struct ngap_slice_support_item slices[] = {
		{ .s_nssai = { .sst = { (const uint8_t *)"\x01", 1 }, .sd = &sd } },
		{ .s_nssai = { .sst = { (const uint8_t *)"\x02", 1 } } },
	};
	static const struct ngap_broadcast_plmn_item plmns[] = {
		{ .plmn_identity = { plmn, 3 }, .tai_slice_support_list = { 2, slices } },
	};
	static const struct ngap_supported_ta_item tas[] = {
		{ .tac = { tac, 3 }, .broadcast_plmn_list = { 1, plmns } },
	};
	static const struct ngap_supported_ta_list list = { 1, tas };

	ngap_add(pdu, NGAP_ID_SUPPORTED_TA_LIST, &list);
}

static void ng_setup_request(void)
{
	struct ngap_pdu pdu = start(NGAP_NG_SETUP_REQUEST);
	const struct ngap_global_ran_node_id node = {
		.choice = NGAP_GLOBAL_RAN_NODE_ID_CHOICE_GLOBAL_GNB_ID,
		.global_gnb_id = { .plmn_identity = PLMN,
				   .gnb_id = { .choice = NGAP_GNB_ID_CHOICE_GNB_ID,
					       .gnb_id = BITS(32, 0, 1, 2, 3) } },
	};

	ngap_add(&pdu, NGAP_ID_GLOBAL_RAN_NODE_ID, &node);
	ngap_add_octets(&pdu, NGAP_ID_RAN_NODE_NAME, TEXT("gnb-conformance-0001"));
	add_supported_tas(&pdu);
	ngap_add_enum(&pdu, NGAP_ID_DEFAULT_PAGING_DRX, NGAP_PAGING_DRX_V128);
	finish(&pdu);
}

static void ng_setup_request_ng_enb(void)
{
	struct ngap_pdu pdu = start(NGAP_NG_SETUP_REQUEST);
	const struct ngap_global_ran_node_id node = {
		.choice = NGAP_GLOBAL_RAN_NODE_ID_CHOICE_GLOBAL_NG_ENB_ID,
		.global_ng_enb_id = { .plmn_identity = PLMN,
				      .ng_enb_id = { .choice =
							     NGAP_NG_ENB_ID_CHOICE_MACRO_NG_ENB_ID,
						     .macro_ng_enb_id = 0x12345 } },
	};

	ngap_add(&pdu, NGAP_ID_GLOBAL_RAN_NODE_ID, &node);
	add_supported_tas(&pdu);
	ngap_add_enum(&pdu, NGAP_ID_DEFAULT_PAGING_DRX, NGAP_PAGING_DRX_V256);
	finish(&pdu);
}

static void ng_setup_request_n3iwf(void)
{
	struct ngap_pdu pdu = start(NGAP_NG_SETUP_REQUEST);
	const struct ngap_global_ran_node_id node = {
		.choice = NGAP_GLOBAL_RAN_NODE_ID_CHOICE_GLOBAL_N3IWF_ID,
		.global_n3iwf_id = { .plmn_identity = PLMN,
				     .n3iwf_id = { .choice = NGAP_N3IWF_ID_CHOICE_N3IWF_ID,
						   .n3iwf_id = 0xbeef } },
	};

	ngap_add(&pdu, NGAP_ID_GLOBAL_RAN_NODE_ID, &node);
	add_supported_tas(&pdu);
	ngap_add_enum(&pdu, NGAP_ID_DEFAULT_PAGING_DRX, NGAP_PAGING_DRX_V32);
	ngap_add_enum(&pdu, NGAP_ID_UE_RETENTION_INFORMATION,
		      NGAP_UE_RETENTION_INFORMATION_UES_RETAINED);
	finish(&pdu);
}

/* An SNPN: its NID stands in extensions, GUAMIs of both types with a backup AMF. */
static void ng_setup_response(void)
{
	struct ngap_pdu pdu = start(NGAP_NG_SETUP_RESPONSE);
	const struct octets backup = TEXT("amf-2");
	const enum ngap_guami_type mapped = NGAP_GUAMI_TYPE_MAPPED;
	const struct ngap_npn_support npn = { .choice = NGAP_NPN_SUPPORT_CHOICE_SNPN,
					      .snpn = 0xabcdef01234 };
	const struct ngap_served_guami_list guamis =
		LIST(struct ngap_served_guami_item,
		     { .guami = GUAMI(2, 1, 0), .backup_amf_name = &backup },
		     { .guami = GUAMI(255, 1023, 63),
		       .ie_extensions = EXTENSION(GUAMI_TYPE, IGNORE, GUAMI_TYPE, &mapped) });
	const struct ngap_plmn_support_list plmns =
		LIST(struct ngap_plmn_support_item,
		     { .plmn_identity = PLMN,
		       .slice_support_list = LIST(struct ngap_slice_support_item,
						  { .s_nssai = SST(1) }, { .s_nssai = SST_SD(1) }),
		       .ie_extensions = EXTENSION(NPN_SUPPORT, REJECT, NPN_SUPPORT, &npn) });

	ngap_add_octets(&pdu, NGAP_ID_AMF_NAME, TEXT("amf-1.example"));
	ngap_add(&pdu, NGAP_ID_SERVED_GUAMI_LIST, &guamis);
	ngap_add_int(&pdu, NGAP_ID_RELATIVE_AMF_CAPACITY, 255);
	ngap_add(&pdu, NGAP_ID_PLMN_SUPPORT_LIST, &plmns);
	finish(&pdu);
}

static void ng_setup_failure(void)
{
	struct ngap_pdu pdu = start(NGAP_NG_SETUP_FAILURE);

	ngap_add(&pdu, NGAP_ID_CAUSE, &CAUSE(MISC, misc, MISC_CONTROL_PROCESSING_OVERLOAD));
	ngap_add_enum(&pdu, NGAP_ID_TIME_TO_WAIT, NGAP_TIME_TO_WAIT_V10S);
	finish(&pdu);
}

static void overload_start(void)
{
	struct ngap_pdu pdu = start(NGAP_OVERLOAD_START);
	const struct ngap_overload_response response = {
		.choice = NGAP_OVERLOAD_RESPONSE_CHOICE_OVERLOAD_ACTION,
		.overload_action =
			NGAP_OVERLOAD_ACTION_PERMIT_EMERGENCY_SESSIONS_AND_MOBILE_TERMINATED_SERVICES_ONLY,
	};
	const struct ngap_overload_response slice_response = {
		.choice = NGAP_OVERLOAD_RESPONSE_CHOICE_OVERLOAD_ACTION,
		.overload_action = NGAP_OVERLOAD_ACTION_REJECT_NON_EMERGENCY_MO_DT,
	};
	const int64_t reduction = 25;
	const struct ngap_overload_start_nssai_list slices =
		LIST(struct ngap_overload_start_nssai_item,
		     { .slice_overload_list =
			       LIST(struct ngap_slice_overload_item, { .s_nssai = SST_SD(1) }),
		       .slice_overload_response = &slice_response,
		       .slice_traffic_load_reduction_indication = &reduction });

	ngap_add(&pdu, NGAP_ID_AMF_OVERLOAD_RESPONSE, &response);
	ngap_add_int(&pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, 50);
	ngap_add(&pdu, NGAP_ID_OVERLOAD_START_NSSAI_LIST, &slices);
	finish(&pdu);
}

static void overload_guami(enum ngap_message message)
{
	struct ngap_pdu pdu = start(message);
	const struct ngap_guami_list guamis =
		LIST(struct ngap_guami_list_item, { .guami = GUAMI(2, 1, 0) },
		     { .guami = GUAMI(2, 1, 1) });

	ngap_add(&pdu, NGAP_ID_GUAMI_LIST, &guamis);
	finish(&pdu);
}

static void overload_start_guami(void)
{
	overload_guami(NGAP_OVERLOAD_START);
}

static void overload_stop_guami(void)
{
	overload_guami(NGAP_OVERLOAD_STOP);
}

static void amf_configuration_update(void)
{
	struct ngap_pdu pdu = start(NGAP_AMF_CONFIGURATION_UPDATE);
	const enum ngap_tnl_association_usage usage = NGAP_TNL_ASSOCIATION_USAGE_BOTH;
	const struct ngap_amf_tnl_association_to_add_list add = LIST(
		struct ngap_amf_tnl_association_to_add_item,
		{ .amf_tnl_association_address = { .choice =
							   NGAP_CP_TRANSPORT_LAYER_INFORMATION_CHOICE_ENDPOINT_IP_ADDRESS,
						   .endpoint_ip_address = ADDRESS(1) },
		  .tnl_association_usage = &usage,
		  .tnl_address_weight_factor = 200 });
	const struct ngap_endpoint_ip_address_and_port port = {
		.endpoint_ip_address = ADDRESS(2),
		.port_number = O(0x96, 0x0c),
	};
	const struct ngap_amf_tnl_association_to_remove_list remove = LIST(
		struct ngap_amf_tnl_association_to_remove_item,
		{ .amf_tnl_association_address = {
			  .choice = NGAP_CP_TRANSPORT_LAYER_INFORMATION_CHOICE_CHOICE_EXTENSIONS,
			  .choice_extensions = { .id = NGAP_ID_ENDPOINT_IP_ADDRESS_AND_PORT,
						 .criticality = NGAP_CRITICALITY_REJECT,
						 .type = NGAP_TYPE_ENDPOINT_IP_ADDRESS_AND_PORT,
						 .value = &port } } });

	ngap_add_int(&pdu, NGAP_ID_RELATIVE_AMF_CAPACITY, 0);
	ngap_add(&pdu, NGAP_ID_AMF_TNL_ASSOCIATION_TO_ADD_LIST, &add);
	ngap_add(&pdu, NGAP_ID_AMF_TNL_ASSOCIATION_TO_REMOVE_LIST, &remove);
	finish(&pdu);
}

static void amf_configuration_update_acknowledge(void)
{
	struct ngap_pdu pdu = start(NGAP_AMF_CONFIGURATION_UPDATE_ACKNOWLEDGE);
	const struct ngap_tnl_association_list failed = LIST(
		struct ngap_tnl_association_item,
		{ .tnl_association_address = { .choice =
						       NGAP_CP_TRANSPORT_LAYER_INFORMATION_CHOICE_ENDPOINT_IP_ADDRESS,
					       .endpoint_ip_address =
						       BITS(160, 10, 0, 0, 1, 0xfd, 0, 0, 0, 0, 0,
							    0, 0, 0, 0, 0, 0, 0, 0, 0, 1) },
		  .cause = CAUSE(TRANSPORT, transport, TRANSPORT_TRANSPORT_RESOURCE_UNAVAILABLE) });

	ngap_add(&pdu, NGAP_ID_AMF_TNL_ASSOCIATION_FAILED_TO_SETUP_LIST, &failed);
	finish(&pdu);
}

static void amf_configuration_update_failure(void)
{
	struct ngap_pdu pdu = start(NGAP_AMF_CONFIGURATION_UPDATE_FAILURE);

	ngap_add(&pdu, NGAP_ID_CAUSE, &CAUSE(PROTOCOL, protocol, PROTOCOL_SEMANTIC_ERROR));
	ngap_add_enum(&pdu, NGAP_ID_TIME_TO_WAIT, NGAP_TIME_TO_WAIT_V60S);
	finish(&pdu);
}

static void amf_status_indication(void)
{
	struct ngap_pdu pdu = start(NGAP_AMF_STATUS_INDICATION);
	const enum ngap_timer_approach_for_guami_removal timer =
		NGAP_TIMER_APPROACH_FOR_GUAMI_REMOVAL_APPLY_TIMER;
	const struct octets backup = TEXT("amf-2");
	const struct ngap_unavailable_guami_list list = LIST(
		struct ngap_unavailable_guami_item, { .guami = GUAMI(2, 1, 0),
						      .timer_approach_for_guami_removal = &timer,
						      .backup_amf_name = &backup });

	ngap_add(&pdu, NGAP_ID_UNAVAILABLE_GUAMI_LIST, &list);
	finish(&pdu);
}

static void error_indication(void)
{
	struct ngap_pdu pdu = start(NGAP_ERROR_INDICATION);
	const int64_t code = NGAP_PROCEDURE_OVERLOAD_START;
	const enum ngap_triggering_message trigger = NGAP_TRIGGERING_MESSAGE_INITIATING_MESSAGE;
	const enum ngap_criticality criticality = NGAP_CRITICALITY_IGNORE;
	const struct ngap_criticality_diagnostics_ie_list errors =
		LIST(struct ngap_criticality_diagnostics_ie_item,
		     { .ie_criticality = NGAP_CRITICALITY_REJECT,
		       .ie_id = NGAP_ID_AMF_OVERLOAD_RESPONSE,
		       .type_of_error = NGAP_TYPE_OF_ERROR_NOT_UNDERSTOOD });
	const struct ngap_criticality_diagnostics diagnostics = {
		.procedure_code = &code,
		.triggering_message = &trigger,
		.procedure_criticality = &criticality,
		.ies_criticality_diagnostics = &errors,
	};

	ngap_add(&pdu, NGAP_ID_CAUSE,
		 &CAUSE(PROTOCOL, protocol, PROTOCOL_ABSTRACT_SYNTAX_ERROR_REJECT));
	ngap_add(&pdu, NGAP_ID_CRITICALITY_DIAGNOSTICS, &diagnostics);
	finish(&pdu);
}

static void ng_reset(void)
{
	struct ngap_pdu pdu = start(NGAP_NG_RESET);
	const struct ngap_reset_type type = {
		.choice = NGAP_RESET_TYPE_CHOICE_NG_INTERFACE,
		.ng_interface = NGAP_RESET_ALL_RESET_ALL,
	};

	ngap_add(&pdu, NGAP_ID_CAUSE, &CAUSE(MISC, misc, MISC_OM_INTERVENTION));
	ngap_add(&pdu, NGAP_ID_RESET_TYPE, &type);
	finish(&pdu);
}

static void ng_reset_part(void)
{
	struct ngap_pdu pdu = start(NGAP_NG_RESET);
	const int64_t amf_id = 1;
	const int64_t ran_id = 2;
	const struct ngap_reset_type type = {
		.choice = NGAP_RESET_TYPE_CHOICE_PART_OF_NG_INTERFACE,
		.part_of_ng_interface =
			LIST(struct ngap_ue_associated_logical_ng_connection_item,
			     { .amf_ue_ngap_id = &amf_id, .ran_ue_ngap_id = &ran_id },
			     { .ran_ue_ngap_id = &ran_id }, { .amf_ue_ngap_id = &amf_id }, { 0 }),
	};

	ngap_add(&pdu, NGAP_ID_CAUSE, &CAUSE(MISC, misc, MISC_HARDWARE_FAILURE));
	ngap_add(&pdu, NGAP_ID_RESET_TYPE, &type);
	finish(&pdu);
}

static void ng_reset_acknowledge(void)
{
	struct ngap_pdu pdu = start(NGAP_NG_RESET_ACKNOWLEDGE);
	const int64_t ran_id = 2;
	const struct ngap_ue_associated_logical_ng_connection_list list =
		LIST(struct ngap_ue_associated_logical_ng_connection_item,
		     { .ran_ue_ngap_id = &ran_id });

	ngap_add(&pdu, NGAP_ID_UE_ASSOCIATED_LOGICAL_NG_CONNECTION_LIST, &list);
	finish(&pdu);
}

static void ran_configuration_update(void)
{
	struct ngap_pdu pdu = start(NGAP_RAN_CONFIGURATION_UPDATE);
	const struct octets visible = TEXT("gnb_1@lab");
	const struct ngap_extended_ran_node_name name = { .ran_node_name_visible_string =
								  &visible };
	const struct ngap_ngran_tnl_association_to_remove_list remove = LIST(
		struct ngap_ngran_tnl_association_to_remove_item,
		{ .tnl_association_transport_layer_address = {
			  .choice = NGAP_CP_TRANSPORT_LAYER_INFORMATION_CHOICE_ENDPOINT_IP_ADDRESS,
			  .endpoint_ip_address = ADDRESS(3) } });

	ngap_add_octets(&pdu, NGAP_ID_RAN_NODE_NAME, TEXT("gnb-1"));
	add_supported_tas(&pdu);
	ngap_add_enum(&pdu, NGAP_ID_DEFAULT_PAGING_DRX, NGAP_PAGING_DRX_V32);
	ngap_add(&pdu, NGAP_ID_NGRAN_TNL_ASSOCIATION_TO_REMOVE_LIST, &remove);
	ngap_add(&pdu, NGAP_ID_EXTENDED_RAN_NODE_NAME, &name);
	finish(&pdu);
}

static void ran_configuration_update_acknowledge(void)
{
	struct ngap_pdu pdu = start(NGAP_RAN_CONFIGURATION_UPDATE_ACKNOWLEDGE);

	finish(&pdu);
}

static void ran_configuration_update_failure(void)
{
	struct ngap_pdu pdu = start(NGAP_RAN_CONFIGURATION_UPDATE_FAILURE);

	ngap_add(&pdu, NGAP_ID_CAUSE, &CAUSE(MISC, misc, MISC_UNKNOWN_PLMN_OR_SNPN));
	finish(&pdu);
}

const struct builder builders[] = {
	{ "NGSetupRequest", ng_setup_request },
	{ "NGSetupRequest-ng-eNB", ng_setup_request_ng_enb },
	{ "NGSetupRequest-N3IWF", ng_setup_request_n3iwf },
	{ "NGSetupResponse-SNPN", ng_setup_response },
	{ "V-N-15", ng_setup_failure },
	{ "OverloadStart", overload_start },
	{ "OverloadStart-GUAMIList", overload_start_guami },
	{ "OverloadStop-GUAMIList", overload_stop_guami },
	{ "AMFConfigurationUpdate", amf_configuration_update },
	{ "AMFConfigurationUpdateAcknowledge", amf_configuration_update_acknowledge },
	{ "AMFConfigurationUpdateFailure", amf_configuration_update_failure },
	{ "AMFStatusIndication", amf_status_indication },
	{ "V-N-14", error_indication },
	{ "NGReset-all", ng_reset },
	{ "NGReset-part", ng_reset_part },
	{ "NGResetAcknowledge", ng_reset_acknowledge },
	{ "RANConfigurationUpdate", ran_configuration_update },
	{ "RANConfigurationUpdateAcknowledge", ran_configuration_update_acknowledge },
	{ "RANConfigurationUpdateFailure", ran_configuration_update_failure },
};

const size_t builder_count = COUNT(builders);

int main(void)
{
	return run_builders("ngap_build");
}
