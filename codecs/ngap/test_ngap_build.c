/*
 * Builds every typed message with the public interface and compares it with its vector. The
 * vectors have been seen by tshark and by Erlang's asn1 (oracle/), so this ties the C names to
 * what they mean on the wire.
 */
#include <check.h>

#include "codecs/ngap/test_ngap.h"

static uint8_t memory[64 * 1024];
static struct arena arena;
static uint8_t encoded[2048];
static ssize_t encoded_len;

#define O(...)	     OCTETS(((const uint8_t[]){ __VA_ARGS__ }), sizeof((const uint8_t[]){ __VA_ARGS__ }))
#define BITS(n, ...) PER_BITS(((const uint8_t[]){ __VA_ARGS__ }), n)
#define LIST(type, ...)                                                        \
	{                                                                      \
		.count = sizeof((const type[]){ __VA_ARGS__ }) / sizeof(type), \
		.items = (const type[])                                        \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define TEXT(s)	      OCTETS((const uint8_t *)(s), sizeof(s) - 1)
#define PLMN	      O(0x99, 0xf9, 0x07)
#define TAC	      O(0, 0, 1)
#define SD	      O(1, 2, 3)
#define NAS	      O(0x7e, 0x00, 0x44, 0x16, 0x5f, 0x01, 0x3e)
#define ADDRESS(last) BITS(32, 10, 0, 0, last)
#define SST(n)              \
	{                   \
		.sst = O(n) \
	}
#define SST_SD(n)                                         \
	{                                                 \
		.sst = O(n), .sd = &(const struct octets) \
		{                                         \
			SD.data, 3                        \
		}                                         \
	}
#define TAI                                       \
	{                                         \
		.plmn_identity = PLMN, .tac = TAC \
	}
#define GUAMI(region, set, pointer)                                                \
	{                                                                          \
		.plmn_identity = PLMN, .amf_region_id = region, .amf_set_id = set, \
		.amf_pointer = pointer                                             \
	}
#define CAUSE(alternative, member, value)                                               \
	(const struct ngap_cause)                                                       \
	{                                                                               \
		.choice = NGAP_CAUSE_CHOICE_##alternative, .member = NGAP_CAUSE_##value \
	}
#define EXTENSION(ie_id, crit, ie_type, pointer)                                       \
	&(const struct ngap_ie_list)                                                   \
	{                                                                              \
		1, &(const struct ngap_ie)                                             \
		{                                                                      \
			.id = NGAP_ID_##ie_id, .criticality = NGAP_CRITICALITY_##crit, \
			.type = NGAP_TYPE_##ie_type, .value = pointer                  \
		}                                                                      \
	}

static struct ngap_pdu start(enum ngap_message message)
{
	struct ngap_pdu pdu;

	arena_init(&arena, memory, sizeof(memory));
	ngap_pdu_init(&pdu, message, &arena);
	return pdu;
}

/* Encodes while the literals of the builder are still there. */
static void finish(const struct ngap_pdu *pdu)
{
	encoded_len = ngap_encode(pdu, encoded, sizeof(encoded));
}

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

static void add_ue_ids(struct ngap_pdu *pdu)
{
	ngap_add_int(pdu, NGAP_ID_AMF_UE_NGAP_ID, 1099511627775);
	ngap_add_int(pdu, NGAP_ID_RAN_UE_NGAP_ID, 4294967295);
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

static const struct {
	const char *vector;
	void (*build)(void);
} builders[] = {
	{ "NGSetupRequest", ng_setup_request },
	{ "NGSetupRequest-ng-eNB", ng_setup_request_ng_enb },
	{ "NGSetupRequest-N3IWF", ng_setup_request_n3iwf },
	{ "NGSetupResponse-SNPN", ng_setup_response },
	{ "V-N-15", ng_setup_failure },
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
	{ "RerouteNASRequest", reroute_nas_request },
	{ "PDUSessionResourceSetupRequest", pdu_session_resource_setup_request },
	{ "PDUSessionResourceSetupResponse", pdu_session_resource_setup_response },
};

START_TEST(built_message_is_its_vector)
{
	const char *name = builders[_i].vector;
	FILE *file = open_source("fixtures/vectors/ngap.txt");
	char hex[2 * sizeof(encoded) + 1] = "";
	struct vector v;
	bool found = false;

	builders[_i].build();
	ck_assert_msg(encoded_len > 0, "%s: %zd", name, encoded_len);
	for (ssize_t i = 0; i < encoded_len; i++)
		snprintf(hex + 2 * i, 3, "%02x", encoded[i]);
	while (!found && next_vector(file, &v))
		found = strcmp(v.name, name) == 0;
	fclose(file);
	ck_assert_msg(found && v.len == (size_t)encoded_len && memcmp(v.data, encoded, v.len) == 0,
		      "%s %s", name, hex);
}
END_TEST

/* Room for one octet less is not enough, wherever the message ends. */
START_TEST(no_room)
{
	builders[_i].build();
	ck_assert_int_gt(encoded_len, 0);

	struct test *t;
	size_t whole = (size_t)encoded_len;

	ck_assert_int_eq(decode_octets(&t, encoded, whole, DECODE_STRICT), 0);
	for (size_t size = 0; size < whole; size++) {
		uint8_t *out = malloc(size ? size : 1);

		ck_assert_int_eq(ngap_encode(&t->pdu, out, size), -ENOSPC);
		free(out);
	}
}
END_TEST

/* An arena that is too small is -ENOMEM, never anything else. */
START_TEST(no_memory)
{
	static uint8_t small[8192];
	struct ngap_pdu pdu;
	struct arena tight;

	builders[_i].build();
	for (size_t size = 0;; size += 8) {
		int error;

		ck_assert_uint_lt(size, NGAP_ARENA_SIZE);
		arena_init(&tight, small, size);
		error = ngap_decode(&pdu, OCTETS(encoded, (size_t)encoded_len), &tight,
				    DECODE_STRICT, NULL);
		if (error == 0)
			break;
		ck_assert_int_eq(error, -ENOMEM);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ngap_build");
	TCase *tc = tcase_create("build");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tc, built_message_is_its_vector, 0, COUNT(builders));
	tcase_add_loop_test(tc, no_room, 0, COUNT(builders));
	tcase_add_loop_test(tc, no_memory, 0, COUNT(builders));
	suite_add_tcase(suite, tc);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
