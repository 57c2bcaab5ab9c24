/*
 * Load and overload control information as the case wants it: the octets of TS 29.244 7.5.3.3 and
 * 7.5.3.4, or what breaks them.
 */
#include "runner/emulation/upf_private.h"

/* Above the octet of a timer that the case has given. */
enum { TIMER_GIVEN = 0x100 };

static uint8_t timer_octet(const struct upf_information *what)
{
	return what->timer ? (uint8_t)what->timer : (uint8_t)pfcp_timer_encode(60);
}

static void check(struct upf *upf, const struct upf_information *what)
{
	if (what->timer && (what->timer & ~0xffU) != TIMER_GIVEN)
		tc_error(upf->end.n4->e->t, "a period of validity that the Timer IE cannot say");
}

static void set(struct upf *upf, const struct upf_information *what, struct upf_informing *to)
{
	check(upf, what);
	*to = (struct upf_informing){ .what = *what };
	if (!to->what.in)
		to->what.in = UPF_IN_SESSION_RESPONSES | UPF_IN_REPORT;
}

void upf_oci_with(struct upf *upf, const struct upf_information *what)
{
	upf->oci_count = 0;
	upf_oci_more_with(upf, what);
}

void upf_oci_more_with(struct upf *upf, const struct upf_information *what)
{
	if (upf->oci_count == UPF_INSTANCES_MAX)
		tc_error(upf->end.n4->e->t, "more than %d instances in a message",
			 UPF_INSTANCES_MAX);
	set(upf, what, &upf->oci[upf->oci_count++]);
}

void upf_no_oci(struct upf *upf)
{
	upf->oci_count = 0;
}

void upf_lci_with(struct upf *upf, const struct upf_information *what)
{
	set(upf, what, &upf->lci);
	upf->has_lci = true;
}

void upf_no_lci(struct upf *upf)
{
	upf->has_lci = false;
}

uint64_t upf_oci_sent(const struct upf *upf)
{
	return upf->oci_sent;
}

uint64_t upf_lci_sent(const struct upf *upf)
{
	return upf->lci_sent;
}

uint64_t upf_oci_sent_at(const struct upf *upf)
{
	return upf->oci_sent_at;
}

unsigned int upf_informed_address(const struct upf *upf)
{
	unsigned int address = upf->oci_count ? upf->oci[0].what.address : 0;

	for (size_t i = 1; i < upf->oci_count; i++)
		if (upf->oci[i].what.address != address)
			return 0;
	return address;
}

static bool belongs(struct upf_informing *informing, enum upf_place place,
		    const struct upf_session *session)
{
	const struct upf_information *what = &informing->what;

	if (!(what->in & (unsigned int)place) || (what->limit && informing->used >= what->limit))
		return false;
	return !what->address || (session && session->address == what->address - 1);
}

static void add(struct pfcp_message *msg, struct upf_informing *informing, bool overload)
{
	const struct upf_information *what = &informing->what;
	uint8_t flags = what->flags | (what->node ? PFCP_OCI_AOCI : 0);
	struct pfcp_ie *ie = pfcp_add_group(msg, NULL,
					    overload ? PFCP_IE_OVERLOAD_CONTROL_INFORMATION
						     : PFCP_IE_LOAD_CONTROL_INFORMATION);

	if (!(what->without & UPF_SEQUENCE_NUMBER))
		pfcp_add_u32(msg, ie, PFCP_IE_SEQUENCE_NUMBER, what->sequence_number);
	if (!(what->without & UPF_METRIC))
		pfcp_add_u8(msg, ie, PFCP_IE_METRIC, what->metric);
	if (overload && !(what->without & UPF_TIMER))
		pfcp_add_u8(msg, ie, PFCP_IE_TIMER, timer_octet(what));
	if (overload && flags && !(what->without & UPF_FLAGS))
		pfcp_add_u8(msg, ie, PFCP_IE_OCI_FLAGS, flags);
	if (what->alter && ie)
		what->alter(msg, ie, what->alter_arg);
	informing->used++;
}

void upf_inform(struct upf *upf, struct pfcp_message *msg, enum upf_place place,
		const struct upf_session *session)
{
	bool any = false;

	if (upf->has_lci && belongs(&upf->lci, place, session)) {
		add(msg, &upf->lci, false);
		upf->lci_sent++;
	}
	for (size_t i = 0; i < upf->oci_count; i++) {
		if (!belongs(&upf->oci[i], place, session))
			continue;
		add(msg, &upf->oci[i], true);
		any = true;
	}
	if (!any)
		return;
	upf->oci_sent++;
	upf->oci_sent_at = loop_now(upf->end.n4->e->t->loop);
}
