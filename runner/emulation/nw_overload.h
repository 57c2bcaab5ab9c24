/*
 * OVERLOAD START and STOP in every legal and illegal shape (TS 38.413 8.7.7, 8.7.8, 9.2.6.14, 10).
 *
 *	nw_overload_start(node, .action = ACTION_1, .tlr = 50);
 *	nw_overload_start(node);				// no IE at all
 *	nw_overload_start(node, .tlr = 40);			// IE 9 alone
 *	nw_overload_start(node, .action = ACTION_EXTENDED, .tlr = 40);	// N2-R-21
 *	nw_overload_start(node, .action = ACTION_1, .tlr = 60, .fault = START_WRONG_ORDER);
 *	nw_overload_start(node, .action = ACTION_0, .unknown_ie = 65000,
 *			  .unknown_criticality = NGAP_CRITICALITY_NOTIFY);
 *	nw_overload_start(node, .action = ACTION_1, .tlr = 100, .on_purpose = true);
 *	nw_overload_start(node, .items = &(struct nw_slice_item){
 *			  .slices = &a, .slice_count = 1, .action = ACTION_0, .tlr = 80 },
 *			  .item_count = 1);
 *	nw_overload_start(node, .items = &item, .item_count = 1, .filler_items = 1023);
 *
 * Values that the type cannot have (a reduction outside 1 to 99, more than 1,024 slice items) are
 * sent only .on_purpose: a case that passes a value of the profile on leaves that out, and then
 * such a value is refused with `error`.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_NW_OVERLOAD_H
#define SPILLWAY_RUNNER_EMULATION_NW_OVERLOAD_H

#include "runner/emulation/nw_amf.h"

enum nw_action {
	ACTION_ABSENT,
	ACTION_0, /* reject non-emergency MO data */
	ACTION_1, /* reject RRC connection requests for signalling too */
	ACTION_2, /* permit emergency and MT only */
	ACTION_3, /* permit high priority and MT only */
	/* value 4, behind the extension mark of the enumeration: no release has it */
	ACTION_EXTENDED,
	/* alternative choice-Extensions of OverloadResponse, with an unknown id */
	ACTION_CHOICE_EXTENSION,
};
/* ACTION_0 for 0, ... ACTION_3 for 3. */
static inline enum nw_action nw_action_of(unsigned int overload_action)
{
	return (enum nw_action)(ACTION_0 + overload_action);
}

/* What is wrong with the message. */
enum nw_start_fault {
	START_CORRECT,
	START_WRONG_ORDER,	  /* IE 9 (and 49) before IE 2 */
	START_ACTION_TWICE,	  /* IE 2 twice */
	START_TLR_TWICE,	  /* IE 9 twice */
	START_TRUNCATED,	  /* its last octet is missing */
	START_CRITICALITY_REJECT, /* procedure criticality reject instead of ignore */
};

struct nw_slice_item {
	const struct slice *slices;
	size_t slice_count;
	enum nw_action action; /* Slice Overload Response */
	int tlr;	       /* Slice Traffic Load Reduction Indication; 0: absent */
};

/* Reduction of 0 percent, which cannot be sent: the seven bits 1111111, which decode as 128. */
enum { TLR_ZERO = -1 };

struct nw_overload {
	int unused_;
	enum nw_action action;
	int tlr; /* percent; 0: absent. On purpose also 100 to 128, and TLR_ZERO */
	const struct nw_slice_item *items;
	size_t item_count;
	/* further items behind those, each of one S-NSSAI (SST 255, SD 1, 2, ...) without more */
	size_t filler_items;
	const struct nw_guami *guamis; /* GUAMI List (R19), in the profile's PLMN */
	size_t guami_count;
	enum nw_start_fault fault;
	uint16_t unknown_ie; /* an IE of this id at the end; 0: none */
	enum ngap_criticality unknown_criticality;
	bool on_purpose;
	ngap_alter_fn *alter; /* last of all; not for more than 1,024 items */
	void *alter_arg;
};

/* Sends only. The node is left as it is: nothing is expected and nothing is undone. */
#define nw_overload_start(node, ...) \
	nw_overload_start_with((node), &(struct nw_overload){ .unused_ = 0, __VA_ARGS__ })
void nw_overload_start_with(struct nw_node *node, const struct nw_overload *overload);

/* .guamis, .unknown_ie, .alter only. */
#define nw_overload_stop(node, ...) \
	nw_overload_stop_with((node), &(struct nw_overload){ .unused_ = 0, __VA_ARGS__ })
void nw_overload_stop_with(struct nw_node *node, const struct nw_overload *overload);

/*
 * Whether 38.413 allows these values: 0, or -ERANGE with a sentence in why (may be NULL). For
 * values that come from a profile.
 */
int nw_overload_check(const struct nw_overload *overload, struct text *why);

/*
 * The message as octets, impossible values and all. Returns the length or a negative errno; what
 * nw_overload_start sends, for tests and for cases that want to bend it further by nw_send_raw.
 */
ssize_t nw_overload_encode(struct tc *t, const struct nw_overload *overload, uint8_t *out,
			   size_t size);

#endif
