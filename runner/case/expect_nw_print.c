/* The conditions of an expectation on the IUT's messages, and the print of one that was not met. */
#include "runner/case/expect_nw_print.h"

#include "runner/case/expect_print.h"
#include "runner/emulation/nw_private.h"

enum { DETAIL_MAX = 16384 };

static void say(char *out, size_t size, const char *name, const char *fallback, int value)
{
	struct text text;

	text_init(&text, out, size);
	if (name)
		text_puts(&text, name);
	else if (value < 0)
		text_puts(&text, fallback);
	else
		text_printf(&text, "%d", value);
}

static void check_cause(const struct nw_expectation *x, const struct nas_received *m,
			struct nw_condition *c)
{
	enum rrc_cause cause = received_rrc_cause(m);

	*c = (struct nw_condition){ "RRC cause", x->cause != RRC_DEFAULT, cause == x->cause, "",
				    "" };
	say(c->expected, sizeof(c->expected), rrc_cause_name(x->cause), "", -1);
	say(c->received, sizeof(c->received), cause ? rrc_cause_name(cause) : NULL, "none", -1);
}

static void check_registration(const struct nw_expectation *x, const struct nas_received *m,
			       struct nw_condition *c)
{
	enum reg_type type = received_registration_type(m);

	*c = (struct nw_condition){ "registration", x->registration != 0, type == x->registration,
				    "", "" };
	say(c->expected, sizeof(c->expected), nas_registration_type_name((uint8_t)x->registration),
	    "", (int)x->registration);
	say(c->received, sizeof(c->received),
	    type ? nas_registration_type_name((uint8_t)type) : NULL, "none", type ? (int)type : -1);
}

static void check_service(const struct nw_expectation *x, const struct nas_received *m,
			  struct nw_condition *c)
{
	int type = received_service_type(m);

	*c = (struct nw_condition){ "service type", x->service != 0, type == x->service - 1, "",
				    "" };
	say(c->expected, sizeof(c->expected), nas_service_type_name((uint8_t)(x->service - 1)), "",
	    x->service - 1);
	say(c->received, sizeof(c->received),
	    type >= 0 ? nas_service_type_name((uint8_t)type) : NULL, "none", type);
}

static void check_identity(const struct nw_expectation *x, const struct nas_received *m,
			   struct nw_condition *c)
{
	static const char *const wanted[] = { "any", "SUCI", "5G-GUTI or 5G-S-TMSI" };
	struct nas_identity identity = { .type = NAS_IDENTITY_NONE };
	bool temporary;

	received_identity(m, &identity);
	temporary = identity.type == NAS_IDENTITY_GUTI || identity.type == NAS_IDENTITY_S_TMSI;
	*c = (struct nw_condition){ "identity", x->identity != IDENTITY_DEFAULT,
				    x->identity == IDENTITY_SUCI
					    ? identity.type == NAS_IDENTITY_SUCI
					    : temporary,
				    "", "" };
	say(c->expected, sizeof(c->expected), wanted[x->identity], "", -1);
	say(c->received, sizeof(c->received), nas_identity_type_name(identity.type), "", -1);
}

static void check_presence(const char *name, enum presence wanted, bool present, const char *with,
			   const char *without, struct nw_condition *c)
{
	*c = (struct nw_condition){ name, wanted != NOT_LOOKED_AT, (wanted == PRESENT) == present,
				    "", "" };
	say(c->expected, sizeof(c->expected), wanted == PRESENT ? with : without, "", -1);
	say(c->received, sizeof(c->received), present ? with : without, "", -1);
}

/* Whether all hold. */
bool nw_conditions(const struct nw_expectation *x, const struct nas_received *m,
		   struct nw_condition conditions[NW_CONDITIONS])
{
	bool met = true;

	check_cause(x, m, &conditions[0]);
	check_registration(x, m, &conditions[1]);
	check_service(x, m, &conditions[2]);
	check_identity(x, m, &conditions[3]);
	check_presence("carried by", x->initial, m->carrier->pdu.message == NGAP_INITIAL_UE_MESSAGE,
		       "InitialUEMessage", "UplinkNASTransport", &conditions[4]);
	check_presence("protection", x->protected, m->integrity, "integrity protected", "plain",
		       &conditions[5]);
	for (int i = 0; i < NW_CONDITIONS; i++)
		met &= !conditions[i].wanted || conditions[i].met;
	return met;
}

static struct expectation as_printed(const struct nw_expectation *x, uint64_t types)
{
	return (struct expectation){ .type = types, .never = x->never, .why = x->why };
}

void nw_nas_detail(struct tc *t, const struct nw_expectation *x, uint64_t types,
		   const struct nas_received *m)
{
	struct expectation printed = as_printed(x, types);
	struct nw_condition conditions[NW_CONDITIONS];
	char buf[DETAIL_MAX];
	struct text detail;

	text_init(&detail, buf, sizeof(buf));
	nw_conditions(x, m, conditions);
	for (int i = 0; i < NW_CONDITIONS; i++)
		if (conditions[i].wanted)
			text_printf(&detail, "%c %-16s expected %-32s received %s\n",
				    conditions[i].met ? ' ' : '!', conditions[i].name,
				    conditions[i].expected, conditions[i].received);
	print_nas_comparison(&detail, t, &printed, m);
	tc_detail(t, buf);
}

void nw_ngap_detail(struct tc *t, const struct nw_expectation *x, const struct ngap_received *m)
{
	struct expectation printed = as_printed(x, x->type);
	char buf[DETAIL_MAX];
	struct text detail;

	text_init(&detail, buf, sizeof(buf));
	print_ngap_comparison(&detail, t, &printed, m);
	tc_detail(t, buf);
}

/* Others that spoke meanwhile: an IUT may answer for the wrong UE, or at the wrong place. */
void nw_print_others(struct text *out, const struct nw *nw, const struct nw_ue *ue, uint64_t since)
{
	if (ue && ue->last && ue->last->time >= since)
		text_printf(out, "; what it sent is %s to %s", nas_message_name(ue->last->msg.type),
			    ue->node->name);
	for (const struct nw_ue *other = nw->ues; other; other = other->next) {
		if (other == ue || !other->last || other->last->time < since)
			continue;
		text_printf(out, "; %s sent %s", other->name,
			    nas_message_name(other->last->msg.type));
		return;
	}
}
