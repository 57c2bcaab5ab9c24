/*
 * A page of HTML that stands alone: no network, no script, light and dark, printable. Whatever a
 * record holds goes through html_text.
 */
#ifndef SPILLWAY_REPORTS_PAGE_H
#define SPILLWAY_REPORTS_PAGE_H

#include <stdio.h>

/* Up to and with <main>; html_end closes both. */
void html_begin(const char *title, FILE *out);
void html_end(FILE *out);

/*
 * Text, also inside an attribute's double quotes. Characters that steer (controls, direction) are
 * shown by their number, octets that are no UTF-8 as U+FFFD. NULL is nothing.
 */
void html_text(const char *s, FILE *out);
/* The same in an element of its own, <name class="..."><bdi>...; class_name NULL: without. */
void html_element(const char *name, const char *class_name, const char *s, FILE *out);

#endif
