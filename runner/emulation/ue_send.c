/*
 * How a NAS message leaves an emulated UE: the protection of initial messages (24.501 4.4.6: clear
 * text IEs, and the whole message in a ciphered container) and of all others, and the RRC
 * establishment cause that goes with it (4.5.6). What the messages say is in ue_message.c.
 */
#include <errno.h>

#include "runner/emulation/emulation.h"

/* --- cause --- */

/* Access identities 1, 2 and 11 to 15 come before the category (24.501 table 4.5.6.1). */
static enum rrc_cause cause_of(const struct ue *ue, const struct ue_options *options,
			       enum rrc_cause category)
{
	if (options->cause != RRC_DEFAULT)
		return options->cause;
	if (ue->access_identity == 1)
		return RRC_MPS_PRIORITY_ACCESS;
	if (ue->access_identity == 2)
		return RRC_MCS_PRIORITY_ACCESS;
	if (ue->access_identity >= 11 && ue->access_identity <= 15)
		return RRC_HIGH_PRIORITY_ACCESS;
	return category;
}

/* --- protection --- */

static bool is_initial_type(uint8_t type)
{
	return type == NAS_REGISTRATION_REQUEST || type == NAS_SERVICE_REQUEST ||
	       type == NAS_CONTROL_PLANE_SERVICE_REQUEST ||
	       type == NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING;
}

/* The IEs that may go in clear text (24.501 4.4.6). */
static bool is_clear_text(uint8_t type, enum nas_ie ie)
{
	switch (ie) {
	case NAS_IE_NGKSI:
	case NAS_IE_5GS_MOBILE_IDENTITY:
		return true;
	case NAS_IE_5GS_REGISTRATION_TYPE:
	case NAS_IE_UE_SECURITY_CAPABILITY:
	case NAS_IE_ADDITIONAL_GUTI:
	case NAS_IE_UE_STATUS:
	case NAS_IE_EPS_NAS_MESSAGE_CONTAINER:
	case NAS_IE_NID:
		return type == NAS_REGISTRATION_REQUEST;
	case NAS_IE_SERVICE_TYPE:
	case NAS_IE_5G_S_TMSI:
		return type == NAS_SERVICE_REQUEST;
	case NAS_IE_CONTROL_PLANE_SERVICE_TYPE:
		return type == NAS_CONTROL_PLANE_SERVICE_REQUEST;
	case NAS_IE_DEREGISTRATION_TYPE:
		return type == NAS_DEREGISTRATION_REQUEST_UE_ORIGINATING;
	default:
		return false;
	}
}

/*
 * The message as it goes out first: clear text IEs, and where there is a security context and
 * something to hide, the whole message in a ciphered container. A CONTROL PLANE SERVICE REQUEST
 * whose only hidden IE is the CIoT small data container has that IE ciphered instead.
 */
static int initial_form(struct ue *ue, enum access access, const struct nas_msg *full,
			struct octets whole, bool with_context, struct nas_msg *msg,
			struct arena *arena)
{
	size_t hidden = 0, ciot = 0;
	uint8_t *copy;
	int error = 0;

	nas_init(msg, (enum nas_message_type)full->type, arena);
	for (size_t i = 0; i < full->count; i++) {
		const struct nas_item *item = &full->items[i];
		enum nas_ie ie = item->row ? (enum nas_ie)item->row->ie : NAS_IE_NONE;

		if (item->row && is_clear_text(full->type, ie))
			error = error ? error : nas_add(msg, ie, item->value);
		else if (ie == NAS_IE_CIOT_SMALL_DATA_CONTAINER)
			ciot++;
		else
			hidden++;
	}
	if (error || !with_context || hidden + ciot == 0)
		return error;
	if (hidden == 0 && ciot == 1) {
		const struct nas_item *item = nas_find(full, NAS_IE_CIOT_SMALL_DATA_CONTAINER);

		copy = arena_take(arena, item->value.len);
		if (!copy)
			return -ENOMEM;
		memcpy(copy, item->value.data, item->value.len);
		if (!ue_cipher(ue, access, copy, item->value.len))
			return -EINVAL;
		return nas_add(msg, NAS_IE_CIOT_SMALL_DATA_CONTAINER,
			       OCTETS(copy, item->value.len));
	}
	copy = arena_take(arena, whole.len);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, whole.data, whole.len);
	if (!ue_cipher(ue, access, copy, whole.len))
		return -EINVAL;
	return nas_add(msg, NAS_IE_NAS_MESSAGE_CONTAINER, OCTETS(copy, whole.len));
}

/* Protects as asked; -ENOKEY where that needs a context that the UE does not have. */
static ssize_t protect_as(struct ue *ue, enum access access, enum ue_protection protection,
			  struct octets plain, uint8_t *out, size_t size)
{
	struct context *context = ue_context(ue, access);
	ssize_t len;

	switch (protection) {
	case PROTECT_INTEGRITY:
		return ue_protect(ue, access, NAS_INTEGRITY_PROTECTED, plain, out, size);
	case PROTECT_CIPHERED:
		return ue_protect(ue, access, NAS_INTEGRITY_PROTECTED_AND_CIPHERED, plain, out,
				  size);
	case PROTECT_INTEGRITY_NEW:
		return ue_protect(ue, access, NAS_INTEGRITY_PROTECTED_NEW_CONTEXT, plain, out,
				  size);
	case PROTECT_CIPHERED_NEW:
		return ue_protect(ue, access, NAS_INTEGRITY_PROTECTED_AND_CIPHERED_NEW_CONTEXT,
				  plain, out, size);
	case PROTECT_WRONG_MAC:
		len = ue_protect(ue, access, NAS_INTEGRITY_PROTECTED, plain, out, size);
		if (len > 5)
			out[5] ^= 0x01;
		return len;
	case PROTECT_OLD_COUNT:
		if (context->ul_count > 0)
			context->ul_count--;
		return ue_protect(ue, access, NAS_INTEGRITY_PROTECTED, plain, out, size);
	default:
		if (plain.len > size)
			return -ENOSPC;
		memcpy(out, plain.data, plain.len);
		return (ssize_t)plain.len;
	}
}

static void keep_initial(struct ue *ue, struct ue_access *a, struct octets whole)
{
	if (whole.len > a->initial_room) {
		a->initial_room = whole.len < 256 ? 256 : whole.len;
		a->initial_octets = tc_alloc(ue->e->t, a->initial_room);
	}
	memcpy(a->initial_octets, whole.data, whole.len);
	a->initial = OCTETS(a->initial_octets, whole.len);
}

/* A new thing begins: what was only to be passed over from the one before is gone. */
static void begin(struct ue *ue, struct octets plain)
{
	ue->last_sent = plain.len > 2 && plain.data[0] == NAS_EPD_5GMM && plain.data[1] == 0
				? nas_message_name(plain.data[2])
				: "no NAS message";
	queue_drop_skippable(&ue->nas);
	queue_drop_skippable(&ue->ngap);
	ue->paging = NULL;
	ue->discarded = 0;
	ue->sent_at = loop_now(ue->e->t->loop);
}

/* A message on its way to the node. */
struct outgoing {
	struct octets plain; /* what is protected and sent */
	struct octets whole; /* what it means, for the record */
	bool reduced;	     /* plain is whole's clear text IEs, and its ciphered container */
	bool initial;
	enum rrc_cause cause;
	const struct nas_s_tmsi *s_tmsi;
};

static int send_out(struct ue *ue, enum access access, const struct outgoing *outgoing,
		    enum ue_protection protection, const struct ue_options *options)
{
	struct ue_access *a = &ue->access[access];
	struct uplink uplink = {
		.cause = outgoing->cause,
		.s_tmsi = options->no_ngap_s_tmsi ? NULL : outgoing->s_tmsi,
		.no_ue_context_request = options->no_ue_context_request,
		.alter = options->alter_ngap,
		.alter_arg = options->alter_ngap_arg,
	};
	uint8_t *out = ue->e->nas_out;
	ssize_t len = protect_as(ue, access, protection, outgoing->plain, out, MESSAGE_MAX);

	if (len < 0)
		return (int)len;
	ue_record(ue, true, outgoing->whole, len > 1 && out[0] == NAS_EPD_5GMM ? out[1] & 0x0fU : 0,
		  protection == PROTECT_WRONG_MAC   ? "wrong MAC"
		  : protection == PROTECT_OLD_COUNT ? "old COUNT"
		  : !outgoing->reduced		    ? NULL
		  : protection == PROTECT_PLAIN
			  ? "reduced to its clear text IEs"
			  : "clear text IEs, the whole in a ciphered container");
	begin(ue, outgoing->plain);
	return gnb_uplink(a->gnb, ue, OCTETS(out, (size_t)len), &uplink);
}

int ue_submit(struct ue *ue, const struct nas_msg *msg, enum rrc_cause cause,
	      const struct ue_options *options)
{
	enum access access = ue_choose(ue, options);
	struct ue_access *a = &ue->access[access];
	struct context *context = ue_context(ue, access);
	enum ue_protection protection = options->protection;
	struct nas_msg full = *msg, form;
	struct outgoing outgoing = { .cause = cause_of(ue, options, cause) };
	uint8_t whole[8192], first[8192], memory[16384];
	struct nas_s_tmsi s_tmsi;
	struct arena arena;
	int len;

	arena_init(&arena, memory, sizeof(memory));
	if (options->alter)
		options->alter(&full, options->alter_arg);
	len = nas_encode(&full, whole, sizeof(whole));
	if (len < 0)
		return len;
	outgoing.initial = !a->connection;
	outgoing.plain = outgoing.whole = OCTETS(whole, (size_t)len);
	if (options->s_tmsi || options->guti ||
	    (ue->has_guti && options->identity != IDENTITY_SUCI)) {
		s_tmsi = options->s_tmsi ? *options->s_tmsi
			 : options->guti ? options->guti->s_tmsi
					 : ue->guti.s_tmsi;
		outgoing.s_tmsi = &s_tmsi;
	}

	if (!outgoing.initial || !is_initial_type(full.type)) {
		if (protection == PROTECT_DEFAULT)
			protection = context->valid ? PROTECT_CIPHERED : PROTECT_PLAIN;
		return send_out(ue, access, &outgoing, protection, options);
	}

	if (protection == PROTECT_DEFAULT)
		protection = context->valid ? PROTECT_INTEGRITY : PROTECT_PLAIN;
	keep_initial(ue, a, outgoing.plain);
	a->initial_protected = protection != PROTECT_PLAIN;
	if (protection == PROTECT_PLAIN || protection == PROTECT_INTEGRITY ||
	    protection == PROTECT_WRONG_MAC) {
		int error =
			initial_form(ue, access, &full, outgoing.plain,
				     protection != PROTECT_PLAIN && context->valid, &form, &arena);

		if (error)
			return error;
		len = nas_encode(&form, first, sizeof(first));
		if (len < 0)
			return len;
		outgoing.reduced = !octets_equal(outgoing.whole, OCTETS(first, (size_t)len));
		outgoing.plain = OCTETS(first, (size_t)len);
	}
	return send_out(ue, access, &outgoing, protection, options);
}

int ue_submit_octets(struct ue *ue, struct octets octets, const struct ue_options *options)
{
	enum access access = ue_choose(ue, options);
	struct outgoing outgoing = {
		.plain = octets,
		.whole = octets,
		.initial = !ue->access[access].connection,
		.cause = cause_of(ue, options, RRC_MO_SIGNALLING),
	};
	struct nas_s_tmsi s_tmsi = options->s_tmsi ? *options->s_tmsi : ue->guti.s_tmsi;

	if (options->s_tmsi || (ue->has_guti && options->identity != IDENTITY_SUCI))
		outgoing.s_tmsi = &s_tmsi;
	return send_out(ue, access, &outgoing, options->protection, options);
}

enum nas_security_header_type ue_answer_type(const struct ue *ue, enum access access)
{
	return ue->access[access].context.valid && ue->access[access].secured
		       ? NAS_INTEGRITY_PROTECTED_AND_CIPHERED
		       : NAS_PLAIN;
}

void ue_answer(struct ue *ue, enum access access, const struct nas_msg *msg,
	       enum nas_security_header_type type)
{
	struct ue_access *a = &ue->access[access];
	static const struct uplink nothing;
	uint8_t plain[8192];
	uint8_t *out = ue->e->nas_out;
	ssize_t len = nas_encode(msg, plain, sizeof(plain));
	int error;

	if (!a->connection || !a->gnb)
		return; /* the connection went away meanwhile */
	if (len >= 0 && type != NAS_PLAIN) {
		ssize_t secured =
			ue_protect(ue, access, type, OCTETS(plain, (size_t)len), out, MESSAGE_MAX);

		if (secured >= 0)
			ue_record(ue, true, OCTETS(plain, (size_t)len), type, NULL);
		len = secured;
	} else if (len >= 0) {
		memcpy(out, plain, (size_t)len);
		ue_record(ue, true, OCTETS(plain, (size_t)len), type, NULL);
	}
	error = len < 0 ? (int)len : gnb_uplink(a->gnb, ue, OCTETS(out, (size_t)len), &nothing);
	if (error < 0 && error != -ENOTCONN)
		emulation_end(ue->e, VERDICT_ERROR, "%s: cannot send %s: %s", ue->name,
			      nas_message_name(msg->type), strerror(-error));
}
