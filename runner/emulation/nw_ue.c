/*
 * The IUT's UEs as the network knows them: who they are, what is theirs, and what a case says of
 * them. What they send is taken in by nw_input.c, what they are sent is built in nw_message.c.
 */
#include "runner/emulation/nw_ue.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecs/nas/security/suci.h"
#include "runner/emulation/nw_private.h"

enum { GUTIS_MAX = 4096 }; /* 5G-TMSIs of one UE in a case */

/* --- who it is --- */

/* "imsi-999700000000001" and an index give a SUPI; the number of digits stays. */
static void subscriber_supi(const struct profile *profile, uint32_t index, char *supi, size_t size)
{
	const char *digits = profile->subscribers.first + 5;
	int len = (int)strlen(digits);

	snprintf(supi, size, "imsi-%0*llu", len, strtoull(digits, NULL, 10) + index);
}

struct nw_ue *nw_ue_new(struct nw *nw, bool stranger)
{
	struct nw_ue *ue;

	if (stranger && nw->stranger_count >= NW_STRANGERS_MAX) {
		emulation_end(nw->e, VERDICT_FAIL,
			      "the IUT floods the AMFs: more than %d UEs of unknown identity",
			      NW_STRANGERS_MAX);
		return NULL;
	}
	if (nw->ue_count == nw->serial_room) {
		uint32_t room = nw->serial_room ? 2 * nw->serial_room : 64;
		struct nw_ue **grown = tc_alloc(nw->e->t, room * sizeof(*grown));

		if (nw->ue_count)
			memcpy(grown, nw->by_serial, nw->ue_count * sizeof(*grown));
		nw->by_serial = grown;
		nw->serial_room = room;
	}
	ue = tc_alloc(nw->e->t, sizeof(*ue));
	ue->nw = nw;
	nw->by_serial[nw->ue_count++] = ue;
	ue->serial = nw->ue_count;
	ue->behaviours = ~0U;
	ue->capability = (struct nas_ue_security_capability){ .ea = 0x80, .ia = 0x80 };
	if (stranger)
		snprintf(ue->name, sizeof(ue->name), "stranger%" PRIu32, ++nw->stranger_count);
	if (nw->last_ue)
		nw->last_ue->next = ue;
	else
		nw->ues = ue;
	nw->last_ue = ue;
	return ue;
}

static void become(struct nw_ue *ue, uint32_t index)
{
	subscriber_supi(ue->nw->e->t->profile, index, ue->supi, sizeof(ue->supi));
	ue->digits = ue->supi + 5;
	ue->index = index;
	ue->sqn = 32;
	ue->nw->by_index[index] = ue;
}

struct nw_ue *nw_ue_by_index(struct nw *nw, uint32_t index)
{
	struct nw_ue *ue;

	if (!nw->by_index)
		nw->by_index = tc_alloc(nw->e->t, nw->e->t->profile->subscribers.count *
							  sizeof(*nw->by_index));
	if (nw->by_index[index])
		return nw->by_index[index];
	ue = nw_ue_new(nw, false);
	become(ue, index);
	ue->number = index + 1;
	snprintf(ue->name, sizeof(ue->name), "ue%u", ue->number);
	return ue;
}

struct nw_ue *nw_ue_numbered(struct tc *t, unsigned int number)
{
	if (number < 1 || number > t->profile->subscribers.count)
		tc_na(t, "the profile has %u subscribers, and the case needs UE %u",
		      t->profile->subscribers.count, number);
	return nw_ue_by_index(nw_of(t), number - 1);
}

struct nw_ue *nw_ue(struct tc *t)
{
	return nw_ue_numbered(t, tc_iut_ue(t) + 1);
}

void nw_ue_is(struct nw_ue *ue, uint32_t index)
{
	struct nw *nw = ue->nw;

	if (index >= nw->e->t->profile->subscribers.count)
		tc_na(nw->e->t, "the profile has %u subscribers, and the case needs number %u",
		      nw->e->t->profile->subscribers.count, index + 1);
	/* Whoever was that subscriber is nobody from now on; and so is the one that it was. */
	if (nw->by_index[index])
		nw->by_index[index]->digits = NULL;
	nw->by_index[ue->index] = NULL;
	for (int i = 0; i < ACCESS_COUNT; i++)
		if (ue->access[i].connection)
			nw_connection_end(ue->access[i].connection);
	memset(ue->access, 0, sizeof(ue->access));
	ue->has_guti = ue->has_old_guti = ue->apart = false;
	ue->authenticated = false;
	ue->sessions = 0;
	become(ue, index);
}

/*
 * 5G-TMSIs: each UE has a range of them, so that one of them says whose it is. The base differs
 * from case to case, so that none of an earlier case means anybody.
 */
static uint32_t tmsi_of(const struct nw_ue *ue, uint32_t n)
{
	return ue->nw->tmsi_base + ue->serial * GUTIS_MAX + n % GUTIS_MAX;
}

struct nw_ue *nw_ue_by_s_tmsi(struct nw_amf *amf, const struct nas_s_tmsi *s_tmsi)
{
	struct nw *nw = amf->nw;
	uint32_t serial = (s_tmsi->tmsi - nw->tmsi_base) / GUTIS_MAX;
	struct nw_ue *ue;

	if (s_tmsi->amf_set_id != amf->guami.set || serial < 1 || serial > nw->ue_count)
		return NULL;
	ue = nw->by_serial[serial - 1];
	if (ue->has_guti && nas_s_tmsi_equal(&ue->guti.s_tmsi, s_tmsi))
		return ue;
	if (ue->has_old_guti && nas_s_tmsi_equal(&ue->old_guti.s_tmsi, s_tmsi))
		return ue;
	return NULL;
}

static bool msin_of(const struct nw *nw, const struct nas_suci *suci, char *msin, size_t size)
{
	const struct profile_subscribers *s = &nw->e->t->profile->subscribers;
	struct nas_suci plain = *suci;
	uint8_t out[64];
	size_t len;

	if (suci->protection_scheme == NAS_SCHEME_NULL)
		return nas_suci_msin(suci, msin, size);
	for (size_t i = 0; i < s->hn_key_count; i++) {
		if (s->hn_keys[i].id != suci->home_network_public_key_id ||
		    !s->hn_keys[i].has_private_key ||
		    s->hn_keys[i].scheme - 'A' + 1 != suci->protection_scheme)
			continue;
		if (suci_reveal((enum suci_protection_scheme)suci->protection_scheme,
				s->hn_keys[i].private_key, suci->scheme_output, out, sizeof(out),
				&len) != NAS_SECURITY_OK)
			return false;
		plain.protection_scheme = NAS_SCHEME_NULL;
		plain.scheme_output = OCTETS(out, len);
		return nas_suci_msin(&plain, msin, size);
	}
	return false;
}

struct nw_ue *nw_ue_by_suci(struct nw *nw, const struct nas_suci *suci)
{
	const struct profile *profile = nw->e->t->profile;
	const char *first = profile->subscribers.first + 5;
	char msin[40], digits[64], plmn[16];
	struct text text;
	uint64_t number;

	if (suci->format != NAS_SUPI_IMSI || suci->scheme_output.len > 16 + 65 ||
	    !msin_of(nw, suci, msin, sizeof(msin)))
		return NULL;
	text_init(&text, plmn, sizeof(plmn));
	nas_plmn_print(&text, &suci->plmn);
	/* "999-70" */
	snprintf(digits, sizeof(digits), "%.3s%s%s", plmn, strlen(plmn) > 4 ? plmn + 4 : "", msin);
	if (strlen(digits) != strlen(first))
		return NULL;
	number = strtoull(digits, NULL, 10) - strtoull(first, NULL, 10);
	return number < profile->subscribers.count ? nw_ue_by_index(nw, (uint32_t)number) : NULL;
}

void nw_ue_allot_guti(struct nw_ue *ue, const struct nw_connection *connection)
{
	const struct nw_guami *guami = &connection->amf->guami;

	if ((ue->access[connection->access].request.registration & 7) == NAS_REGISTRATION_INITIAL)
		ue->apart = ue->access[!connection->access].registered &&
			    memcmp(ue->guti.plmn.octets, connection->plmn.bcd, 3) != 0;
	ue->has_old_guti = ue->has_guti;
	ue->old_guti = ue->guti;
	ue->has_guti = true;
	ue->guti = (struct nas_guti){
		.amf_region_id = guami->region,
		.s_tmsi = { .amf_set_id = guami->set,
			    .amf_pointer = guami->pointer,
			    .tmsi = tmsi_of(ue, ue->guti_count++) },
	};
	memcpy(ue->guti.plmn.octets, connection->plmn.bcd, 3);
}

void nw_ue_now_idle(struct nw_ue *ue, enum access access)
{
	struct nw_ue_access *a = &ue->access[access];

	a->connection = NULL;
	a->secured = false;
	a->follow_on = false;
	a->identifying = false;
	a->deregistering = false;
	a->authentication.runs = false;
	a->candidate.valid = false;
	a->request.waits = false;
	ue->idle_since = loop_now(ue->nw->e->t->loop);
}

/* --- what a case says of it --- */

void nw_registration_with(struct nw_ue *ue, const struct nw_registration *registration)
{
	ue->registration = *registration;
}

void nw_ue_without(struct nw_ue *ue, unsigned int behaviours)
{
	ue->behaviours &= ~behaviours;
}

void nw_ue_with(struct nw_ue *ue, unsigned int behaviours)
{
	ue->behaviours |= behaviours;
}

void nw_ue_harmless(struct nw_ue *ue, enum mm_message type)
{
	set_bit(ue->harmless, type);
}

void nw_ue_rejects(struct nw_ue *ue, uint64_t types, const struct nw_options *options)
{
	ue->rejects = options ? types : 0;
	if (options)
		ue->reject = *options;
}

void nw_bend(struct nw_ue *ue, nas_alter_fn *alter, void *arg)
{
	ue->bend = alter;
	ue->bend_arg = arg;
}

void nw_keep_connected(struct nw_ue *ue, bool keep)
{
	ue->keep_connected = keep;
	for (int i = 0; i < ACCESS_COUNT; i++) {
		if (!ue->access[i].connection)
			continue;
		if (keep)
			timer_stop(&ue->access[i].connection->release);
		else
			nw_release_later(ue->access[i].connection);
	}
}

struct nw_connection *nw_connection_of(struct nw_ue *ue, enum access access, const char *what)
{
	struct nw_connection *connection = ue->access[access].connection;

	if (!connection)
		tc_error(ue->nw->e->t, "%s is CM-IDLE%s: there is no connection for %s", ue->name,
			 access == ACCESS_NON_3GPP ? " over non-3GPP access" : "", what);
	return connection;
}

/* --- record --- */

void nw_ue_record(struct nw_ue *ue, bool sent, struct octets plain, unsigned int security_header,
		  const char *remark)
{
	emulation_record_nas(ue->nw->e, ue->name, sent, plain, security_header, remark);
}

/* --- what it is --- */

unsigned int nw_ue_number(const struct nw_ue *ue)
{
	return ue->number;
}

const char *nw_ue_supi(const struct nw_ue *ue)
{
	return ue->supi;
}

const char *nw_ue_name(const struct nw_ue *ue)
{
	return ue->name;
}

struct tc *nw_ue_tc(const struct nw_ue *ue)
{
	return ue->nw->e->t;
}

bool nw_ue_is_connected(const struct nw_ue *ue, enum access access)
{
	return ue->access[access].connection != NULL;
}

bool nw_ue_is_registered(const struct nw_ue *ue, enum access access)
{
	return ue->access[access].registered;
}

bool nw_ue_has_context(const struct nw_ue *ue)
{
	return ue->access[ACCESS_3GPP].context.valid || ue->access[ACCESS_NON_3GPP].context.valid;
}

bool nw_ue_guti(const struct nw_ue *ue, struct nas_guti *guti)
{
	if (ue->has_guti)
		*guti = ue->guti;
	return ue->has_guti;
}

struct nw_node *nw_ue_node(const struct nw_ue *ue)
{
	return ue->node;
}

uint64_t nw_sent_at(const struct nw_ue *ue)
{
	return ue->sent_at;
}

uint64_t nw_idle_since(const struct nw_ue *ue)
{
	return ue->idle_since;
}

unsigned int nw_ue_requests(const struct nw_ue *ue)
{
	return ue->requests;
}
