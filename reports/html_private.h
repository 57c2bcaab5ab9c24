/* The parts of the HTML report: the page, and each case's data packed inside it. */
#ifndef SPILLWAY_REPORTS_HTML_PRIVATE_H
#define SPILLWAY_REPORTS_HTML_PRIVATE_H

#include "reports/report.h"

/*
 * Everything that the page shows of one case, as JSON, deflated, in base64: its result, the events
 * with each message decoded, the log. What cannot be read is said in "remarks". 0 or -ENOMEM.
 */
int html_pack_case(const struct run_record *record, const struct result *result, FILE *out);

#endif
