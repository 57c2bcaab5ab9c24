/*
 * Builds every typed message that concerns a UE; see test_ngap_build.c.
 */
#include "codecs/ngap/test_ngap_build.h"

static void add_ue_ids(struct ngap_pdu *pdu)
{
	ngap_add_int(pdu, NGAP_ID_AMF_UE_NGAP_ID, 1099511627775);
	ngap_add_int(pdu, NGAP_ID_RAN_UE_NGAP_ID, 4294967295);
}

static void initial_ue_message_snpn(void)
{
	struct ngap_pdu pdu = start(NGAP_INITIAL_UE_MESSAGE);
	const uint64_t nid = 0xabcdef01234;
	const struct octets stamp = O(0xee, 1, 2, 3);
	const struct ngap_user_location_information location = {
		.choice = NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_NR,
		.user_location_information_nr = {
			.nr_cgi = { .plmn_identity = PLMN, .nr_cell_identity = 0x123456789 },
			.tai = TAI,
			.time_stamp = &stamp,
			.ie_extensions = EXTENSION(NID, REJECT, NID, &nid),
		},
	};
	const struct ngap_five_g_s_tmsi tmsi = { .amf_set_id = 1,
						 .amf_pointer = 5,
						 .five_g_tmsi = O(0xc0, 0, 0, 1) };
	const struct ngap_allowed_nssai allowed =
		LIST(struct ngap_allowed_nssai_item, { .s_nssai = SST_SD(1) });

	ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, 0);
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, NAS);
	ngap_add(&pdu, NGAP_ID_USER_LOCATION_INFORMATION, &location);
	ngap_add_enum(&pdu, NGAP_ID_RRC_ESTABLISHMENT_CAUSE,
		      NGAP_RRC_ESTABLISHMENT_CAUSE_MO_EXCEPTION_DATA);
	ngap_add(&pdu, NGAP_ID_FIVE_G_S_TMSI, &tmsi);
	ngap_add_int(&pdu, NGAP_ID_AMF_SET_ID, 1);
	ngap_add_enum(&pdu, NGAP_ID_UE_CONTEXT_REQUEST, NGAP_UE_CONTEXT_REQUEST_REQUESTED);
	ngap_add(&pdu, NGAP_ID_ALLOWED_NSSAI, &allowed);
	ngap_add_octets(&pdu, NGAP_ID_SELECTED_PLMN_IDENTITY, PLMN);
	finish(&pdu);
}

static void initial_ue_message_n3iwf(void)
{
	struct ngap_pdu pdu = start(NGAP_INITIAL_UE_MESSAGE);
	const struct ngap_tai tai = TAI;
	const struct ngap_user_location_information location = {
		.choice = NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_N3IWF_WITH_PORT_NUMBER,
		.user_location_information_n3iwf_with_port_number = {
			.ip_address = ADDRESS(9),
			.port_number = O(0x11, 0x94),
			.ie_extensions = EXTENSION(TAI, IGNORE, TAI, &tai),
		},
	};

	ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, 65536);
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, NAS);
	ngap_add(&pdu, NGAP_ID_USER_LOCATION_INFORMATION, &location);
	ngap_add_enum(&pdu, NGAP_ID_RRC_ESTABLISHMENT_CAUSE,
		      NGAP_RRC_ESTABLISHMENT_CAUSE_NOT_AVAILABLE);
	finish(&pdu);
}

static void downlink_nas_transport(void)
{
	struct ngap_pdu pdu = start(NGAP_DOWNLINK_NAS_TRANSPORT);
	const struct ngap_equivalent_plmns plmns = LIST(struct octets, PLMN, O(0, 0xf1, 0x10));
	const struct ngap_rat_restrictions rats =
		LIST(struct ngap_rat_restrictions_item,
		     { .plmn_identity = PLMN, .rat_restriction_information = BITS(8, 0x40) });
	const struct ngap_forbidden_area_information forbidden =
		LIST(struct ngap_forbidden_area_information_item,
		     { .plmn_identity = PLMN, .forbidden_tacs = LIST(struct octets, O(0, 0, 7)) });
	const struct ngap_allowed_tacs allowed_tacs = LIST(struct octets, TAC);
	const struct ngap_service_area_information service =
		LIST(struct ngap_service_area_information_item,
		     { .plmn_identity = PLMN, .allowed_tacs = &allowed_tacs });
	const struct ngap_npn_mobility_information npn = {
		.choice = NGAP_NPN_MOBILITY_INFORMATION_CHOICE_SNPN_MOBILITY_INFORMATION,
		.snpn_mobility_information = { .serving_nid = 0xabcdef01234 },
	};
	const struct ngap_mobility_restriction_list restrictions = {
		.serving_plmn = PLMN,
		.equivalent_plmns = &plmns,
		.rat_restrictions = &rats,
		.forbidden_area_information = &forbidden,
		.service_area_information = &service,
		.ie_extensions =
			EXTENSION(NPN_MOBILITY_INFORMATION, REJECT, NPN_MOBILITY_INFORMATION, &npn),
	};
	const struct ngap_ue_aggregate_maximum_bit_rate rate = {
		.ue_aggregate_maximum_bit_rate_dl = 4000000000000,
		.ue_aggregate_maximum_bit_rate_ul = 0,
	};

	add_ue_ids(&pdu);
	ngap_add_octets(&pdu, NGAP_ID_OLD_AMF, TEXT("amf-0"));
	ngap_add_int(&pdu, NGAP_ID_RAN_PAGING_PRIORITY, 256);
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, NAS);
	ngap_add(&pdu, NGAP_ID_MOBILITY_RESTRICTION_LIST, &restrictions);
	ngap_add_int(&pdu, NGAP_ID_INDEX_TO_RFSP, 1);
	ngap_add(&pdu, NGAP_ID_UE_AGGREGATE_MAXIMUM_BIT_RATE, &rate);
	finish(&pdu);
}

static void uplink_nas_transport(void)
{
	struct ngap_pdu pdu = start(NGAP_UPLINK_NAS_TRANSPORT);
	const struct ngap_user_location_information location = {
		.choice = NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_EUTRA,
		.user_location_information_eutra = {
			.eutra_cgi = { .plmn_identity = PLMN, .eutra_cell_identity = 0x1234567 },
			.tai = TAI,
		},
	};

	add_ue_ids(&pdu);
	ngap_add_octets(&pdu, NGAP_ID_NAS_PDU, NAS);
	ngap_add(&pdu, NGAP_ID_USER_LOCATION_INFORMATION, &location);
	finish(&pdu);
}

static void initial_context_setup_response(void)
{
	struct ngap_pdu pdu = start(NGAP_INITIAL_CONTEXT_SETUP_RESPONSE);
	const struct ngap_qos_flow_list_with_cause failed_flows =
		LIST(struct ngap_qos_flow_with_cause_item,
		     { .qos_flow_identifier = 63,
		       .cause = CAUSE(TRANSPORT, transport, TRANSPORT_UNSPECIFIED) });
	const struct ngap_pdu_session_resource_setup_response_transfer transfer = {
		.dl_qos_flow_per_tnl_information = {
			.up_transport_layer_information = {
				.choice = NGAP_UP_TRANSPORT_LAYER_INFORMATION_CHOICE_GTP_TUNNEL,
				.gtp_tunnel = { .transport_layer_address = ADDRESS(7),
						.gtp_teid = O(0, 0, 0, 1) },
			},
			.associated_qos_flow_list = LIST(struct ngap_associated_qos_flow_item,
							 { .qos_flow_identifier = 1 }),
		},
		.qos_flow_failed_to_setup_list = &failed_flows,
	};
	uint8_t content[128];
	ssize_t n = ngap_encode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_RESPONSE_TRANSFER,
				      &transfer, content, sizeof(content));

	ck_assert_int_gt(n, 0);
	const struct ngap_pdu_session_resource_setup_list_cxt_res sessions = LIST(
		struct ngap_pdu_session_resource_setup_item_cxt_res,
		{ .pdu_session_id = 5,
		  .pdu_session_resource_setup_response_transfer = OCTETS(content, (size_t)n) });

	add_ue_ids(&pdu);
	ngap_add(&pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_CXT_RES, &sessions);
	finish(&pdu);
}

static void initial_context_setup_failure(void)
{
	struct ngap_pdu pdu = start(NGAP_INITIAL_CONTEXT_SETUP_FAILURE);
	const struct ngap_pdu_session_resource_setup_unsuccessful_transfer transfer = {
		.cause = CAUSE(RADIO_NETWORK, radio_network, RADIO_NETWORK_SLICE_NOT_SUPPORTED),
	};
	uint8_t content[16];
	ssize_t n = ngap_encode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_UNSUCCESSFUL_TRANSFER,
				      &transfer, content, sizeof(content));

	ck_assert_int_gt(n, 0);
	const struct ngap_pdu_session_resource_failed_to_setup_list_cxt_fail sessions = LIST(
		struct ngap_pdu_session_resource_failed_to_setup_item_cxt_fail,
		{ .pdu_session_id = 255,
		  .pdu_session_resource_setup_unsuccessful_transfer = OCTETS(content, (size_t)n) });

	add_ue_ids(&pdu);
	ngap_add(&pdu, NGAP_ID_PDU_SESSION_RESOURCE_FAILED_TO_SETUP_LIST_CXT_FAIL, &sessions);
	ngap_add(&pdu, NGAP_ID_CAUSE,
		 &CAUSE(RADIO_NETWORK, radio_network, RADIO_NETWORK_INSUFFICIENT_UE_CAPABILITIES));
	finish(&pdu);
}

static void ue_context_release_request(void)
{
	struct ngap_pdu pdu = start(NGAP_UE_CONTEXT_RELEASE_REQUEST);
	const struct ngap_pdu_session_resource_list_cxt_rel_req sessions =
		LIST(struct ngap_pdu_session_resource_item_cxt_rel_req, { .pdu_session_id = 1 });

	add_ue_ids(&pdu);
	ngap_add(&pdu, NGAP_ID_PDU_SESSION_RESOURCE_LIST_CXT_REL_REQ, &sessions);
	ngap_add(&pdu, NGAP_ID_CAUSE,
		 &CAUSE(RADIO_NETWORK, radio_network, RADIO_NETWORK_USER_INACTIVITY));
	finish(&pdu);
}

static void ue_context_release_command(void)
{
	struct ngap_pdu pdu = start(NGAP_UE_CONTEXT_RELEASE_COMMAND);
	const struct ngap_ue_ngap_ids ids = {
		.choice = NGAP_UE_NGAP_IDS_CHOICE_UE_NGAP_ID_PAIR,
		.ue_ngap_id_pair = { .amf_ue_ngap_id = 1, .ran_ue_ngap_id = 2 },
	};

	ngap_add(&pdu, NGAP_ID_UE_NGAP_IDS, &ids);
	ngap_add(&pdu, NGAP_ID_CAUSE, &CAUSE(NAS, nas, NAS_NORMAL_RELEASE));
	finish(&pdu);
}

static void ue_context_release_command_amf(void)
{
	struct ngap_pdu pdu = start(NGAP_UE_CONTEXT_RELEASE_COMMAND);
	const struct ngap_ue_ngap_ids ids = {
		.choice = NGAP_UE_NGAP_IDS_CHOICE_AMF_UE_NGAP_ID,
		.amf_ue_ngap_id = 256,
	};

	ngap_add(&pdu, NGAP_ID_UE_NGAP_IDS, &ids);
	ngap_add(&pdu, NGAP_ID_CAUSE, &CAUSE(NAS, nas, NAS_NO_AIOT_NAS_RESPONSE));
	finish(&pdu);
}

static void ue_context_release_complete(void)
{
	struct ngap_pdu pdu = start(NGAP_UE_CONTEXT_RELEASE_COMPLETE);
	const int64_t stayed = 4095;
	const struct ngap_info_on_recommended_cells_and_ran_nodes_for_paging info = {
		.recommended_cells_for_paging = {
			.recommended_cell_list = LIST(
				struct ngap_recommended_cell_item,
				{ .ngran_cgi = { .choice = NGAP_NGRAN_CGI_CHOICE_NR_CGI,
						 .nr_cgi = { .plmn_identity = PLMN,
							     .nr_cell_identity = 0x10 } },
				  .time_stayed_in_cell = &stayed }),
		},
		.recommend_ran_nodes_for_paging = {
			.recommended_ran_node_list = LIST(
				struct ngap_recommended_ran_node_item,
				{ .amf_paging_target = { .choice =
								 NGAP_AMF_PAGING_TARGET_CHOICE_TAI,
							 .tai = TAI } }),
		},
	};
	const struct ngap_pdu_session_resource_list_cxt_rel_cpl sessions =
		LIST(struct ngap_pdu_session_resource_item_cxt_rel_cpl, { .pdu_session_id = 1 });

	add_ue_ids(&pdu);
	ngap_add(&pdu, NGAP_ID_INFO_ON_RECOMMENDED_CELLS_AND_RAN_NODES_FOR_PAGING, &info);
	ngap_add(&pdu, NGAP_ID_PDU_SESSION_RESOURCE_LIST_CXT_REL_CPL, &sessions);
	finish(&pdu);
}

static void paging(void)
{
	struct ngap_pdu pdu = start(NGAP_PAGING);
	const struct ngap_ue_paging_identity identity = {
		.choice = NGAP_UE_PAGING_IDENTITY_CHOICE_FIVE_G_S_TMSI,
		.five_g_s_tmsi = { .amf_set_id = 1,
				   .amf_pointer = 0,
				   .five_g_tmsi = O(0xc0, 0, 0, 1) },
	};
	const struct ngap_tai_list_for_paging tais =
		LIST(struct ngap_tai_list_for_paging_item, { .tai = TAI }, { .tai = TAI });
	const enum ngap_next_paging_area_scope scope = NGAP_NEXT_PAGING_AREA_SCOPE_CHANGED;
	const struct ngap_paging_attempt_information attempt = {
		.paging_attempt_count = 1,
		.intended_number_of_paging_attempts = 16,
		.next_paging_area_scope = &scope,
	};
	const struct ngap_assistance_data_for_paging assistance = {
		.paging_attempt_information = &attempt,
	};

	ngap_add(&pdu, NGAP_ID_UE_PAGING_IDENTITY, &identity);
	ngap_add_enum(&pdu, NGAP_ID_PAGING_DRX, NGAP_PAGING_DRX_V64);
	ngap_add(&pdu, NGAP_ID_TAI_LIST_FOR_PAGING, &tais);
	ngap_add_enum(&pdu, NGAP_ID_PAGING_PRIORITY, NGAP_PAGING_PRIORITY_PRIOLEVEL8);
	ngap_add_enum(&pdu, NGAP_ID_PAGING_ORIGIN, NGAP_PAGING_ORIGIN_NON_3GPP);
	ngap_add(&pdu, NGAP_ID_ASSISTANCE_DATA_FOR_PAGING, &assistance);
	finish(&pdu);
}

static void reroute_nas_request(void)
{
	struct ngap_pdu pdu = start(NGAP_REROUTE_NAS_REQUEST);
	const struct ngap_allowed_nssai allowed =
		LIST(struct ngap_allowed_nssai_item, { .s_nssai = SST(1) });

	ngap_add_int(&pdu, NGAP_ID_RAN_UE_NGAP_ID, 1);
	ngap_add_octets(&pdu, NGAP_ID_NGAP_MESSAGE, O(0x00, 0x17, 0x00, 0x03, 0, 0, 0));
	ngap_add_int(&pdu, NGAP_ID_AMF_SET_ID, 1023);
	ngap_add(&pdu, NGAP_ID_ALLOWED_NSSAI, &allowed);
	finish(&pdu);
}

static void pdu_session_resource_setup_request(void)
{
	struct ngap_pdu pdu = start(NGAP_PDU_SESSION_RESOURCE_SETUP_REQUEST);
	const struct ngap_pdu_session_aggregate_maximum_bit_rate rate = {
		.pdu_session_aggregate_maximum_bit_rate_dl = 1000,
		.pdu_session_aggregate_maximum_bit_rate_ul = 2000,
	};
	const struct ngap_up_transport_layer_information tunnel = {
		.choice = NGAP_UP_TRANSPORT_LAYER_INFORMATION_CHOICE_GTP_TUNNEL,
		.gtp_tunnel = { .transport_layer_address = ADDRESS(6), .gtp_teid = O(0, 0, 1, 0) },
	};
	const enum ngap_pdu_session_type type = NGAP_PDU_SESSION_TYPE_IPV4V6;
	const struct ngap_qos_flow_setup_request_list flows = LIST(
		struct ngap_qos_flow_setup_request_item,
		{ .qos_flow_identifier = 1,
		  .qos_flow_level_qos_parameters = {
			  .qos_characteristics = { .choice =
							   NGAP_QOS_CHARACTERISTICS_CHOICE_NON_DYNAMIC5QI,
						   .non_dynamic5qi = { .five_qi = 9 } },
			  .allocation_and_retention_priority = {
				  .priority_level_arp = 8,
				  .pre_emption_capability =
					  NGAP_PRE_EMPTION_CAPABILITY_MAY_TRIGGER_PRE_EMPTION,
				  .pre_emption_vulnerability =
					  NGAP_PRE_EMPTION_VULNERABILITY_PRE_EMPTABLE } } });
	const struct ngap_pdu_session_resource_setup_request_transfer transfer = {
		.protocol_ies = LIST(struct ngap_ie,
				     { .id = NGAP_ID_PDU_SESSION_AGGREGATE_MAXIMUM_BIT_RATE,
				       .type = NGAP_TYPE_PDU_SESSION_AGGREGATE_MAXIMUM_BIT_RATE,
				       .value = &rate },
				     { .id = NGAP_ID_UL_NGU_UP_TNL_INFORMATION,
				       .type = NGAP_TYPE_UP_TRANSPORT_LAYER_INFORMATION,
				       .value = &tunnel },
				     { .id = NGAP_ID_PDU_SESSION_TYPE,
				       .type = NGAP_TYPE_PDU_SESSION_TYPE,
				       .value = &type },
				     { .id = NGAP_ID_QOS_FLOW_SETUP_REQUEST_LIST,
				       .type = NGAP_TYPE_QOS_FLOW_SETUP_REQUEST_LIST,
				       .value = &flows }),
	};
	uint8_t content[256];
	ssize_t n = ngap_encode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_REQUEST_TRANSFER,
				      &transfer, content, sizeof(content));
	const struct octets nas_pdu = NAS;

	ck_assert_int_gt(n, 0);
	const struct ngap_pdu_session_resource_setup_list_su_req sessions =
		LIST(struct ngap_pdu_session_resource_setup_item_su_req,
		     { .pdu_session_id = 1,
		       .pdu_session_nas_pdu = &nas_pdu,
		       .s_nssai = SST_SD(1),
		       .pdu_session_resource_setup_request_transfer = OCTETS(content, (size_t)n) });

	add_ue_ids(&pdu);
	ngap_add(&pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_SU_REQ, &sessions);
	finish(&pdu);
}

static void pdu_session_resource_setup_response(void)
{
	struct ngap_pdu pdu = start(NGAP_PDU_SESSION_RESOURCE_SETUP_RESPONSE);
	const struct ngap_pdu_session_resource_failed_to_setup_list_su_res sessions =
		LIST(struct ngap_pdu_session_resource_failed_to_setup_item_su_res,
		     { .pdu_session_id = 1,
		       .pdu_session_resource_setup_unsuccessful_transfer = O(0x00, 0x00) });

	add_ue_ids(&pdu);
	ngap_add(&pdu, NGAP_ID_PDU_SESSION_RESOURCE_FAILED_TO_SETUP_LIST_SU_RES, &sessions);
	finish(&pdu);
}

const struct builder builders[] = {
	{ "InitialUEMessage-SNPN", initial_ue_message_snpn },
	{ "InitialUEMessage-N3IWF", initial_ue_message_n3iwf },
	{ "DownlinkNASTransport", downlink_nas_transport },
	{ "UplinkNASTransport-EUTRA", uplink_nas_transport },
	{ "InitialContextSetupResponse", initial_context_setup_response },
	{ "InitialContextSetupFailure", initial_context_setup_failure },
	{ "UEContextReleaseRequest", ue_context_release_request },
	{ "UEContextReleaseCommand-pair", ue_context_release_command },
	{ "UEContextReleaseCommand-AMF", ue_context_release_command_amf },
	{ "UEContextReleaseComplete", ue_context_release_complete },
	{ "Paging", paging },
	{ "RerouteNASRequest", reroute_nas_request },
	{ "PDUSessionResourceSetupRequest", pdu_session_resource_setup_request },
	{ "PDUSessionResourceSetupResponse", pdu_session_resource_setup_response },
};

const size_t builder_count = COUNT(builders);

int main(void)
{
	return run_builders("ngap_build_ue");
}
