#include "runner/emulation/sm_accept.h"

#include "codecs/ngap/ngap.h"

void sm_accept_fill(struct nas_msg *sm, uint32_t serial)
{
	/* one default rule: match-all filter, precedence 255, QFI 1 (9.11.4.13) */
	static const uint8_t rules[] = { 1, 0, 6, 0x31, 0x31, 1, 1, 255, 1 };
	static const uint8_t ambr[] = { 6, 0, 10, 6, 0, 10 }; /* 10 Mbit/s each way */
	/* IPv4 of the benchmark range (RFC 2544) */
	const uint8_t address[] = { 1, 198, 18, (uint8_t)(serial >> 8), (uint8_t)serial };

	nas_add_u8(sm, NAS_IE_SELECTED_PDU_SESSION_TYPE, 1);
	nas_add_u8(sm, NAS_IE_SELECTED_SSC_MODE, 1);
	nas_add(sm, NAS_IE_AUTHORIZED_QOS_RULES, OCTETS(rules, sizeof(rules)));
	nas_add(sm, NAS_IE_SESSION_AMBR, OCTETS(ambr, sizeof(ambr)));
	nas_add_copy(sm, NAS_IE_PDU_ADDRESS, OCTETS(address, sizeof(address)));
}

struct octets n2_setup_transfer(uint8_t psi, uint8_t out[N2_TRANSFER_MAX])
{
	/* the tunnel end of a UPF that nobody sends to: a documentation address (RFC 5737) */
	static const uint8_t upf[4] = { 192, 0, 2, 2 };
	const uint8_t teid[4] = { 0, 0, 0, psi };
	const struct ngap_up_transport_layer_information tunnel = {
		.choice = NGAP_UP_TRANSPORT_LAYER_INFORMATION_CHOICE_GTP_TUNNEL,
		.gtp_tunnel = { .transport_layer_address = PER_BITS(upf, 32),
				.gtp_teid = OCTETS(teid, sizeof(teid)) },
	};
	const enum ngap_pdu_session_type type = NGAP_PDU_SESSION_TYPE_IPV4;
	const struct ngap_qos_flow_setup_request_item flow = {
		.qos_flow_identifier = 1,
		.qos_flow_level_qos_parameters = {
			.qos_characteristics = {
				.choice = NGAP_QOS_CHARACTERISTICS_CHOICE_NON_DYNAMIC5QI,
				.non_dynamic5qi = { .five_qi = 9 },
			},
			.allocation_and_retention_priority = { .priority_level_arp = 8 },
		},
	};
	const struct ngap_qos_flow_setup_request_list flows = { .count = 1, .items = &flow };
	const struct ngap_ie ies[] = {
		{ .id = NGAP_ID_UL_NGU_UP_TNL_INFORMATION,
		  .type = NGAP_TYPE_UP_TRANSPORT_LAYER_INFORMATION,
		  .value = &tunnel },
		{ .id = NGAP_ID_PDU_SESSION_TYPE,
		  .type = NGAP_TYPE_PDU_SESSION_TYPE,
		  .value = &type },
		{ .id = NGAP_ID_QOS_FLOW_SETUP_REQUEST_LIST,
		  .type = NGAP_TYPE_QOS_FLOW_SETUP_REQUEST_LIST,
		  .value = &flows },
	};
	const struct ngap_pdu_session_resource_setup_request_transfer value = {
		.protocol_ies = { .count = sizeof(ies) / sizeof(*ies), .items = ies },
	};
	ssize_t len = ngap_encode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_REQUEST_TRANSFER,
					&value, out, N2_TRANSFER_MAX);

	return OCTETS(out, len > 0 ? (size_t)len : 0);
}

struct octets n2_release_transfer(uint8_t out[N2_TRANSFER_MAX])
{
	/* no extension, no iE-Extensions, Cause: alternative nas, root value 0 */
	out[0] = 0x10;
	return OCTETS(out, 1);
}
