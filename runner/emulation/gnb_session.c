/*
 * PDU session resources at an emulated node: everything that is asked for is set up, with a tunnel
 * end that nobody sends to (TS 38.413 8.2.1, 8.3.1).
 */
#include "runner/emulation/emulation.h"

static int64_t first_qfi(struct octets transfer, struct arena *arena)
{
	const struct ngap_pdu_session_resource_setup_request_transfer *request;
	const struct ngap_qos_flow_setup_request_list *flows;
	const void *value;

	if (ngap_decode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_REQUEST_TRANSFER, transfer,
			      arena, DECODE_LENIENT, NULL, &value) != 0)
		return 1;
	request = value;
	flows = ngap_extension(&request->protocol_ies, NGAP_ID_QOS_FLOW_SETUP_REQUEST_LIST);
	return flows && flows->count ? flows->items[0].qos_flow_identifier : 1;
}

/* The transfer that says that everything was set up; empty when the arena is too small. */
static struct octets setup_response(struct gnb *gnb, const struct connection *connection,
				    int64_t psi, struct octets request, struct arena *arena)
{
	enum { ROOM = 64 };
	uint8_t address[4] = { 127, 0, 0, 1 };
	uint8_t teid[4] = { (uint8_t)psi, (uint8_t)(connection->ran_ue_ngap_id >> 16),
			    (uint8_t)(connection->ran_ue_ngap_id >> 8),
			    (uint8_t)connection->ran_ue_ngap_id };
	struct ngap_associated_qos_flow_item flow = {
		.qos_flow_identifier = first_qfi(request, arena),
	};
	struct ngap_pdu_session_resource_setup_response_transfer response = {
		.dl_qos_flow_per_tnl_information = {
			.up_transport_layer_information = {
				.choice = NGAP_UP_TRANSPORT_LAYER_INFORMATION_CHOICE_GTP_TUNNEL,
				.gtp_tunnel = { .transport_layer_address = PER_BITS(address, 32),
						.gtp_teid = OCTETS(teid, 4) },
			},
			.associated_qos_flow_list = { .count = 1, .items = &flow },
		},
	};
	uint8_t *out = arena_take(arena, ROOM);
	ssize_t len;

	if (gnb->local.sa.sa_family == AF_INET && gnb->local.v4.sin_addr.s_addr)
		memcpy(address, &gnb->local.v4.sin_addr.s_addr, 4);
	if (!out)
		return OCTETS(NULL, 0);
	len = ngap_encode_value(NGAP_TYPE_PDU_SESSION_RESOURCE_SETUP_RESPONSE_TRANSFER, &response,
				out, ROOM);
	return OCTETS(out, len > 0 ? (size_t)len : 0);
}

void gnb_answer_context_setup(struct gnb *gnb, const struct ngap_received *m,
			      const struct connection *connection)
{
	const struct ngap_pdu_session_resource_setup_list_cxt_req *requests =
		ngap_value(&m->pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_CXT_REQ);
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_INITIAL_CONTEXT_SETUP_RESPONSE);
	struct ngap_pdu_session_resource_setup_list_cxt_res list = { .count = 0 };
	struct ngap_pdu_session_resource_setup_item_cxt_res items[16] = { { 0 } };

	gnb_add_ids(&pdu, connection);
	for (size_t i = 0; requests && i < requests->count && i < 16; i++) {
		items[i].pdu_session_id = requests->items[i].pdu_session_id;
		items[i].pdu_session_resource_setup_response_transfer = setup_response(
			gnb, connection, requests->items[i].pdu_session_id,
			requests->items[i].pdu_session_resource_setup_request_transfer, pdu.arena);
		list.count++;
	}
	list.items = items;
	if (list.count)
		ngap_add(&pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_CXT_RES, &list);
	gnb_reply(gnb, connection->stream, &pdu);
}

void gnb_answer_resource_setup(struct gnb *gnb, const struct ngap_received *m,
			       const struct connection *connection)
{
	const struct ngap_pdu_session_resource_setup_list_su_req *requests =
		ngap_value(&m->pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_SU_REQ);
	struct ngap_pdu pdu = ngap_build(gnb->e, NGAP_PDU_SESSION_RESOURCE_SETUP_RESPONSE);
	struct ngap_pdu_session_resource_setup_list_su_res list = { .count = 0 };
	struct ngap_pdu_session_resource_setup_item_su_res items[16] = { { 0 } };

	gnb_add_ids(&pdu, connection);
	for (size_t i = 0; requests && i < requests->count && i < 16; i++) {
		items[i].pdu_session_id = requests->items[i].pdu_session_id;
		items[i].pdu_session_resource_setup_response_transfer = setup_response(
			gnb, connection, requests->items[i].pdu_session_id,
			requests->items[i].pdu_session_resource_setup_request_transfer, pdu.arena);
		list.count++;
	}
	list.items = items;
	if (list.count)
		ngap_add(&pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_SU_RES, &list);
	gnb_reply(gnb, connection->stream, &pdu);
}

/* NAS-PDUs of the sessions in a setup request. */
void gnb_session_nas(struct gnb *gnb, const struct ngap_received *m, struct ue *ue)
{
	const struct ngap_pdu_session_resource_setup_list_cxt_req *cxt =
		ngap_value(&m->pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_CXT_REQ);
	const struct ngap_pdu_session_resource_setup_list_su_req *su =
		ngap_value(&m->pdu, NGAP_ID_PDU_SESSION_RESOURCE_SETUP_LIST_SU_REQ);

	for (size_t i = 0; cxt && i < cxt->count; i++)
		if (cxt->items[i].nas_pdu)
			ue_nas_input(ue, gnb_access(gnb), *cxt->items[i].nas_pdu, m);
	for (size_t i = 0; su && i < su->count; i++)
		if (su->items[i].pdu_session_nas_pdu)
			ue_nas_input(ue, gnb_access(gnb), *su->items[i].pdu_session_nas_pdu, m);
}
