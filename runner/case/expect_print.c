/*
 * The print of an expectation that was not met. Field lists come from the codecs' flat prints, so
 * that a new IE needs nothing here.
 */
#include "runner/case/expect_print.h"

#include "codecs/nas/nas_value.h"
#include "codecs/ngap/ngap_print.h"

enum { OCTETS_PRINTED = 512 };

static unsigned int type_at(uint64_t types, unsigned int i)
{
	return types >> (16 * i) & 0xffff;
}

void print_nas_types(struct text *out, uint64_t types)
{
	if (!types)
		text_puts(out, "a message");
	for (unsigned int i = 0; i < 4 && type_at(types, i); i++)
		text_printf(out, "%s%s", i ? " or " : "",
			    nas_message_name((uint8_t)type_at(types, i)));
}

void print_ngap_types(struct text *out, uint64_t types)
{
	if (!types)
		text_puts(out, "a message");
	for (unsigned int i = 0; i < 4 && type_at(types, i); i++)
		text_printf(out, "%s%s", i ? " or " : "",
			    ngap_message_name((enum ngap_message)type_at(types, i)));
}

static bool one_of(uint64_t types, unsigned int type)
{
	for (unsigned int i = 0; i < 4; i++)
		if (type_at(types, i) && type_at(types, i) == type)
			return true;
	return types == 0;
}

static const char *protection(const struct nas_received *m)
{
	return m->integrity ? "integrity protected" : "plain";
}

void print_nas_received(struct text *out, const struct nas_received *m)
{
	nas_print_line(out, &m->msg);
	text_printf(out, " (%s)", protection(m));
}

void print_ngap_received(struct text *out, const struct ngap_received *m)
{
	char buf[160];
	struct text cause;

	if (m->pdu.message == NGAP_MESSAGE_UNKNOWN)
		text_printf(out, "a message of procedure code %u and kind %d, which is not known",
			    m->pdu.procedure_code, (int)m->pdu.kind);
	else
		text_puts(out, ngap_message_name(m->pdu.message));
	text_init(&cause, buf, sizeof(buf));
	received_ngap_cause(m, &cause);
	if (cause.len)
		text_printf(out, ", cause %s", buf);
}

static void field(struct text *out, bool same, const char *name, const char *expected,
		  const char *received)
{
	text_printf(out, "%c %-16s expected %-32s received %s\n", same ? ' ' : '!', name, expected,
		    received);
}

static void print_cause(struct text *out, int cause)
{
	const char *name = cause >= 0 ? nas_5gmm_cause_name((uint8_t)cause) : NULL;

	if (cause < 0)
		text_puts(out, "none");
	else
		text_printf(out, "%d (%s)", cause, name ? name : "undefined");
}

static void cause_field(struct text *out, const struct expectation *expectation,
			const struct nas_received *m)
{
	int cause = received_cause(m);
	int wanted = expectation->cause ? expectation->cause : expectation->never_cause;
	char expected[80], received[80];
	struct text e, r;

	text_init(&e, expected, sizeof(expected));
	text_init(&r, received, sizeof(received));
	if (!expectation->cause)
		text_puts(&e, "anything but ");
	print_cause(&e, wanted);
	print_cause(&r, cause);
	field(out, (cause == wanted) == (expectation->cause != 0), "5GMM cause", expected,
	      received);
}

static void presence_field(struct text *out, const char *name, enum presence wanted, bool present,
			   const char *with, const char *without)
{
	if (wanted == NOT_LOOKED_AT)
		return;
	field(out, (wanted == PRESENT) == present, name, wanted == PRESENT ? with : without,
	      present ? with : without);
}

static void print_octets(struct text *out, struct octets octets)
{
	text_puts(out, "octets received: ");
	text_hex(out, octets.data, octets.len < OCTETS_PRINTED ? octets.len : OCTETS_PRINTED);
	text_puts(out, octets.len > OCTETS_PRINTED ? "...\n" : "\n");
}

static void print_findings(struct text *out, const struct finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_printf(out, "finding: %s in %s at octet %u\n",
			    finding_rule_name(findings[i].rule), findings[i].field,
			    findings[i].bit / 8);
}

static void print_end(struct text *out, const struct tc *t, const struct expectation *expectation)
{
	const char *why = expectation->why ? expectation->why : t->test->purpose;

	if (why)
		text_printf(out, "expected because: %s\n", why);
	if (t->test->clause)
		text_printf(out, "clause: %s (%s)\n", t->test->clause,
			    t->test->requirement ? t->test->requirement : "-");
}

void print_nas_comparison(struct text *out, const struct tc *t,
			  const struct expectation *expectation, const struct nas_received *m)
{
	char expected[200];
	struct text types;

	text_init(&types, expected, sizeof(expected));
	print_nas_types(&types, expectation->type);
	field(out, one_of(expectation->type, m->msg.type), "message", expected,
	      nas_message_name(m->msg.type));
	if (expectation->never) {
		text_init(&types, expected, sizeof(expected));
		text_puts(&types, "not ");
		print_nas_types(&types, expectation->never);
		field(out, !one_of(expectation->never, m->msg.type), "message", expected,
		      nas_message_name(m->msg.type));
	}
	if (expectation->cause || expectation->never_cause)
		cause_field(out, expectation, m);
	presence_field(out, "T3346 value", expectation->t3346, received_t3346(m).present, "present",
		       "absent");
	presence_field(out, "protection", expectation->protected, m->integrity,
		       "integrity protected", "plain");
	text_puts(out, "message received:\n");
	nas_print(out, &m->msg, NAS_PRINT_FLAT);
	print_octets(out, m->plain);
	print_findings(out, m->findings, m->finding_count);
	print_end(out, t, expectation);
}

void print_ngap_comparison(struct text *out, const struct tc *t,
			   const struct expectation *expectation, const struct ngap_received *m)
{
	char expected[200], received[80];
	struct text types, name;

	text_init(&types, expected, sizeof(expected));
	text_init(&name, received, sizeof(received));
	print_ngap_types(&types, expectation->type);
	if (m->pdu.message == NGAP_MESSAGE_UNKNOWN)
		text_printf(&name, "unknown: procedure code %u, kind %d", m->pdu.procedure_code,
			    (int)m->pdu.kind);
	else
		text_puts(&name, ngap_message_name(m->pdu.message));
	field(out, one_of(expectation->type, m->pdu.message), "message", expected, received);
	text_printf(out, "message received on stream %u:\n", m->stream);
	ngap_print_flat(&m->pdu, out);
	print_octets(out, m->octets);
	print_findings(out, m->findings, m->finding_count);
	print_end(out, t, expectation);
}
