/*
 * Strings of a run record on their way out. What an IUT sent may stand in them, so nothing in them
 * may steer a terminal, break a document's syntax, or hide behind invisible characters.
 */
#ifndef SPILLWAY_REPORTS_PRINTABLE_H
#define SPILLWAY_REPORTS_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Takes one code point from *s and moves *s on. An octet that begins no well-formed UTF-8 sequence
 * (overlong forms and surrogates are none) gives U+FFFD and is passed over alone. 0 at the end.
 */
uint32_t utf8_next(const char **s);
/* The code point as UTF-8; how many octets it has. */
size_t utf8_encode(uint32_t c, char octets[4]);
/* Writes the code point as UTF-8. */
void utf8_put(uint32_t c, FILE *out);

/* Control characters (C0, DEL, C1) and those that change the direction of text. */
bool is_steering(uint32_t c);

/* For a terminal: steering characters as \x1b or \u202e, line breaks as \n. */
void print_line(const char *s, FILE *out);
/* The same for several lines: each begins with indent. Always ends with a line break. */
void print_lines(const char *s, const char *indent, FILE *out);
/* The last lines of them, each cut to so many characters where it is longer. */
void print_last_lines(const char *s, const char *indent, size_t lines, size_t width, FILE *out);
/* XML 1.0 character data and attribute values; what XML cannot hold at all is left out. */
void print_xml(const char *s, FILE *out);
/* A YAML double-quoted scalar, quotes included. */
void print_yaml(const char *s, FILE *out);
/*
 * An entry of a YAML sequence. A simple reader, as perl's of TAP, takes "word: " at its begin for a
 * mapping even inside quotes, so such a colon is escaped.
 */
void print_yaml_entry(const char *s, FILE *out);

#endif
