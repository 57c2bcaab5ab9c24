#include "suites/n1_backoff/life.h"

/* --- where a case begins --- */

void wants_no_data(struct tc *t, struct nw_ue *ue)
{
	tc_control(t, "ue-service ue=%u kind=data cancel=yes", nw_ue_number(ue));
}

struct back_off back_off_in_peace(struct tc *t, struct nw_ue *ue, uint32_t seconds)
{
	struct back_off r = back_off(t, ue, seconds);

	wants_no_data(t, ue);
	quiet_until(t, ue, &r, 3 * US_PER_S);
	return r;
}

static bool served(void *arg)
{
	const struct nw_ue *ue = arg;

	return nw_ue_is_connected(ue, ACCESS_3GPP);
}

void connected_by_exemption(struct tc *t, struct nw_ue *ue)
{
	static const struct {
		enum ics ics;
		const char *kind;
		enum sr_type service;
	} exemptions[] = {
		{ ICS_PS_DATA_OFF, "data-off", SR_ELEVATED_SIGNALLING },
		{ ICS_EMERGENCY_FALLBACK, "emergency-fallback", SR_EMERGENCY_FALLBACK },
		{ ICS_EMERGENCY, "emergency", SR_EMERGENCY },
	};
	size_t i = 0;

	while (i < sizeof(exemptions) / sizeof(*exemptions) && !t->profile->ics[exemptions[i].ics])
		i++;
	if (i == sizeof(exemptions) / sizeof(*exemptions))
		tc_na(t, "the profile claims nothing by which the UE could connect while T3346 "
			 "runs: ps-data-off, emergency-fallback or emergency");
	nw_keep_connected(ue, true);
	tc_control(t, "ue-service ue=%u kind=%s", nw_ue_number(ue), exemptions[i].kind);
	expect_nas_of(t, ue, .type = SERVICE_REQUEST,
		      .service = SERVICE((int)exemptions[i].service), .unmet = OUTCOME_INCONC,
		      .silence = OUTCOME_INCONC, .why = "the UE is to connect although T3346 runs");
	/* the accept is on its way */
	tc_sleep(t, US_PER_S);
	if (!served(ue))
		tc_inconc(t, "%s has left its connection before anything was sent to it",
			  nw_ue_name(ue));
}

struct nw_node *node_of_kind(struct nw_ue *ue, enum node_kind kind)
{
	return nw_node(nw_node_amf(nw_ue_node(ue)), kind);
}

const struct plmn *other_plmn(struct tc *t)
{
	if (t->profile->other_plmn_count == 0)
		tc_na(t, "the profile has no other-plmns");
	return &t->profile->other_plmns[0];
}

const struct plmn *equivalent_plmn(struct tc *t)
{
	if (t->profile->equivalent_plmn_count == 0)
		tc_na(t, "the profile has no equivalent-plmns");
	return &t->profile->equivalent_plmns[0];
}

void moves_to(struct tc *t, struct nw_ue *ue, const struct plmn *plmn, bool equivalent)
{
	tc_control(t, "ue-move ue=%u plmn=%s equivalent=%s", nw_ue_number(ue), plmn->digits,
		   equivalent ? "yes" : "no");
}

bool came_from(const struct nas_received *m, const struct plmn *plmn)
{
	const struct ngap_user_location_information *location =
		ngap_value(&m->carrier->pdu, NGAP_ID_USER_LOCATION_INFORMATION);
	struct octets octets;

	if (ngap_get_octets(&m->carrier->pdu, NGAP_ID_SELECTED_PLMN_IDENTITY, &octets) &&
	    octets.len == 3)
		return memcmp(octets.data, plmn->bcd, 3) == 0;
	if (!location)
		return false;
	switch (location->choice) {
	case NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_NR:
		octets = location->user_location_information_nr.tai.plmn_identity;
		break;
	case NGAP_USER_LOCATION_INFORMATION_CHOICE_USER_LOCATION_INFORMATION_EUTRA:
		octets = location->user_location_information_eutra.tai.plmn_identity;
		break;
	default:
		return false;
	}
	return octets.len == 3 && memcmp(octets.data, plmn->bcd, 3) == 0;
}

/* --- what is looked for --- */

const struct nas_received *at_once_with(struct tc *t, struct nw_ue *ue,
					const struct back_off *back_off,
					const struct nw_expectation *expectation)
{
	const struct nas_received *m = expect_nas_of_with(t, ue, expectation);
	uint64_t expiry = back_off->from + back_off->us - nw_tolerance(back_off->us);

	if (m && m->carrier->time >= expiry)
		tc_inconc(t,
			  "%s: its %s came %.3f s after the reject, when T3346 may have expired: "
			  "that it was stopped does not show",
			  nw_ue_name(ue), nas_message_name(m->msg.type),
			  (double)(m->carrier->time - back_off->from) / (double)US_PER_S);
	return m;
}

void quiet_until(struct tc *t, struct nw_ue *ue, const struct back_off *back_off, uint64_t us)
{
	uint64_t now = loop_now(t->loop), until = back_off->from + us;

	expect_no_nas_of(t, ue, .within = until > now ? until - now : 1, .why = "T3346 runs");
}
