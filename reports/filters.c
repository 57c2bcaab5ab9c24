#include "reports/filters.h"

#include <string.h>

/* Names of fields are those of Wireshark 4.0; 4.2 and later write nas-5gs for nas_5gs. */
static const char *const n1[] = { "amf", "ue", NULL };
static const char *const n2[] = { "amf", "ran", NULL };
static const char *const n4[] = { "up", "cp", NULL };
static const char *const n4_up[] = { "up", NULL };
static const char *const sbi[] = { "nf-server", "nf-client", "nrf", NULL };

const struct display_filter display_filters[] = {
	{ "what the case is for, what was asked of the IUT, the verdict", "frame.comment", NULL },
	{ "OVERLOAD START, OVERLOAD STOP", "ngap.procedureCode == 22 or ngap.procedureCode == 23",
	  n2 },
	{ "5GMM cause 22 (Congestion)", "nas_5gs.mm.5gmm_cause == 22", n1 },
	{ "T3346 and other GPRS timers 2", "gsm_a.gm.gmm.gprs_timer2", n1 },
	{ "Overload Control Information", "pfcp.ie_type == 54", n4 },
	{ "Load Control Information", "pfcp.ie_type == 51", n4 },
	{ "requests for sessions and their answers", "pfcp.msg_type in {50 .. 55}", n4_up },
	{ "3gpp-Sbi-Oci", "http2.header.name == \"3gpp-sbi-oci\"", sbi },
	{ "3gpp-Sbi-Lci", "http2.header.name == \"3gpp-sbi-lci\"", sbi },
	{ "what was refused for overload",
	  "http2.headers.status == 429 or http2.headers.status == 503", sbi },
	{ "ProblemDetails of an overload", "json.value.string == \"NF_CONGESTION\"", sbi },
};
const size_t display_filter_count = sizeof(display_filters) / sizeof(display_filters[0]);

bool display_filter_fits(const struct display_filter *filter, const char *role)
{
	if (filter->roles == NULL)
		return true;
	for (size_t i = 0; role != NULL && filter->roles[i] != NULL; i++) {
		if (strcmp(filter->roles[i], role) == 0)
			return true;
	}
	return false;
}
