#ifndef SPILLWAY_REPORTS_MISSING_H
#define SPILLWAY_REPORTS_MISSING_H

#include "reports/report.h"

/* Fills missing, incomplete, and what counts say about it. The results are sorted. 0 or -ENOMEM. */
int missing_find(struct run_record *record);

#endif
