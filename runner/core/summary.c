#include "runner/core/summary.h"

#include "codecs/nas/nas.h"
#include "codecs/ngap/ngap.h"
#include "codecs/ngap/ngap_print.h"
#include "codecs/pfcp/pfcp_print.h"

static void summarise_ngap(struct octets data, struct arena *arena, struct text *out)
{
	struct finding found[8];
	struct findings findings = { .items = found, .max = sizeof(found) / sizeof(found[0]) };
	const struct octets *nas;
	struct ngap_pdu pdu;

	if (ngap_decode(&pdu, data, arena, DECODE_LENIENT, &findings) != 0) {
		size_t last = findings.count < findings.max ? findings.count : findings.max;

		text_printf(out, "not NGAP, %zu octets", data.len);
		if (last > 0)
			text_printf(out, ": %s %s at bit %u", found[last - 1].field,
				    finding_rule_name(found[last - 1].rule), found[last - 1].bit);
		return;
	}
	ngap_print_summary(&pdu, out);
	nas = ngap_value(&pdu, NGAP_ID_NAS_PDU);
	if (nas && nas->len > 0) {
		text_puts(out, " | ");
		nas_print_pdu_line(out, *nas, arena);
	}
}

void summarise(const char *proto, struct octets data, struct arena *arena, struct text *out)
{
	if (strcmp(proto, "ngap") == 0)
		summarise_ngap(data, arena, out);
	else if (strcmp(proto, "nas") == 0 && data.len > 0)
		nas_print_pdu_line(out, data, arena);
	else if (strcmp(proto, "pfcp") == 0)
		pfcp_print_pdu_line(out, data, arena);
	else
		text_printf(out, "%s, %zu octets", proto, data.len);
}
