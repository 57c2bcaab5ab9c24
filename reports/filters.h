/*
 * Display filters of Wireshark that find in trace.pcapng what overload control is about. Each is
 * tried on the traces of the suites (suites/oracle/tshark.sh): it is valid, and finds something.
 */
#ifndef SPILLWAY_REPORTS_FILTERS_H
#define SPILLWAY_REPORTS_FILTERS_H

#include <stdbool.h>
#include <stddef.h>

struct display_filter {
	const char *finds;
	const char *filter;
	const char *const *roles; /* of IUTs, closed by NULL; NULL: all */
};

extern const struct display_filter display_filters[];
extern const size_t display_filter_count;

/* Whether it is of use where an IUT of that role was tested; role may be NULL. */
bool display_filter_fits(const struct display_filter *filter, const char *role);

#endif
