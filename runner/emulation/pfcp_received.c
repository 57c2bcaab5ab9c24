/* PFCP messages of the IUT, kept for a case to look at, and what stands in them. */
#include "runner/emulation/pfcp_private.h"

/* Every IE takes at least 4 octets, and at most 64 of an arena. */
static size_t arena_for(struct octets data)
{
	return 16 * data.len + PFCP_ARENA_SIZE;
}

static bool is_cut(const struct findings *findings)
{
	size_t n = findings->count < findings->max ? findings->count : findings->max;

	for (size_t i = 0; i < n; i++)
		if (findings->items[i].rule == FINDING_TRUNCATED ||
		    findings->items[i].rule == FINDING_TRAILING ||
		    findings->items[i].rule == FINDING_LENGTH)
			return true;
	return false;
}

bool received_pfcp_scan(struct emulation *e, struct octets data, struct pfcp_received *seen,
			struct text *why)
{
	struct finding items[FINDINGS_KEPT];
	struct findings findings = { .items = items, .max = FINDINGS_KEPT };
	struct arena arena;

	received_scratch(e, arena_for(data), &arena);
	if (pfcp_decode(&seen->msg, data, &arena, DECODE_LENIENT, &findings) != FINDING_NONE) {
		received_say_findings(why, &findings);
		return false;
	}
	/* Lengths that do not fit: a receiver drops it, or answers with an error (7.6.3, 7.6.7). */
	if (is_cut(&findings)) {
		received_say_findings(why, &findings);
		return false;
	}
	seen->octets = data;
	seen->check = pfcp_check(&seen->msg, &findings);
	return true;
}

struct pfcp_received *received_pfcp_keep(struct emulation *e, const struct pfcp_received *seen,
					 struct octets octets)
{
	struct finding items[FINDINGS_KEPT];
	struct findings findings = { .items = items, .max = FINDINGS_KEPT };
	struct pfcp_received *m;
	struct arena arena;
	size_t used;
	uint8_t *copy;

	received_scratch(e, arena_for(octets), &arena);
	{
		struct pfcp_message again;

		if (pfcp_decode(&again, octets, &arena, DECODE_LENIENT, NULL) != FINDING_NONE) {
			emulation_end(e, VERDICT_ERROR, "a message decodes only once");
			return NULL;
		}
		used = arena.used;
	}
	m = received_memory(e, sizeof(*m), octets.len, used + _Alignof(max_align_t), &arena, &copy);
	if (!m)
		return NULL;
	if (octets.len)
		memcpy(copy, octets.data, octets.len);
	*m = *seen;
	m->octets = OCTETS(copy, octets.len);
	if (pfcp_decode(&m->msg, m->octets, &arena, DECODE_LENIENT, &findings) != FINDING_NONE) {
		emulation_end(e, VERDICT_ERROR, "a message decodes only once");
		return NULL;
	}
	m->check = pfcp_check(&m->msg, &findings);
	received_findings(e, items, findings.count, &m->findings, &m->finding_count);
	return m;
}

static struct pfcp_information information(const struct pfcp_received *m, uint16_t type)
{
	struct pfcp_information info = { .instances = 0 };
	const struct pfcp_ie *ie = m ? pfcp_find(&m->msg.ies, type) : NULL;

	if (!ie)
		return info;
	info.instances = pfcp_count(&m->msg.ies, type);
	info.octets = ie->value;
	info.has_sequence_number =
		pfcp_get_u32(&ie->ies, PFCP_IE_SEQUENCE_NUMBER, &info.sequence_number);
	info.has_metric = pfcp_get_u8(&ie->ies, PFCP_IE_METRIC, &info.metric);
	info.has_timer = pfcp_get_u8(&ie->ies, PFCP_IE_TIMER, &info.timer);
	info.has_flags = pfcp_get_u8(&ie->ies, PFCP_IE_OCI_FLAGS, &info.flags);
	return info;
}

struct pfcp_information pfcp_received_oci(const struct pfcp_received *m)
{
	return information(m, PFCP_IE_OVERLOAD_CONTROL_INFORMATION);
}

struct pfcp_information pfcp_received_lci(const struct pfcp_received *m)
{
	return information(m, PFCP_IE_LOAD_CONTROL_INFORMATION);
}
