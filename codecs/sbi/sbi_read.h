/* What the readers of this codec share: a view with its place in a line, and the reporting. */
#ifndef SPILLWAY_CODECS_SBI_SBI_READ_H
#define SPILLWAY_CODECS_SBI_SBI_READ_H

#include "codecs/sbi/sbi.h"

/* A line of which some is read, and where its faults go. */
struct sbi_line {
	struct octets all;
	int32_t number;
	struct findings *findings;
	struct finding first; /* fault since it was last cleared */
};

static inline bool sbi_is_blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

static inline bool sbi_is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

static inline uint8_t sbi_lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c | 0x20) : c;
}

/* A fault at an octet of the line; at points into line->all, or just behind it. */
void sbi_fault(struct sbi_line *line, enum finding_rule rule, const uint8_t *at, const char *field);

/* The same but for the case of ASCII letters. */
bool sbi_same_nocase(struct octets a, struct octets b);

/* Without blanks at both ends. */
struct octets sbi_trim(struct octets value);

/*
 * Takes what stands before the next separator off the rest, and the separator itself; false when
 * there is nothing left. Separators (one of ; , &) do not count within quotes, braces or brackets.
 */
bool sbi_split(struct octets *rest, char separator, struct octets *part);
/* At either of two; *which is the one that was found, or 0 at the end. */
bool sbi_split_either(struct octets *rest, char separator, char other, struct octets *part,
		      char *which);

/* Decimal digits alone, at most 10^18; false otherwise. */
bool sbi_number(struct octets value, uint64_t *number);

bool sbi_is_uuid(struct octets value);
/* Octets that may stand in a value that is not quoted: visible ASCII but for " , ; and \ */
bool sbi_is_plain(struct octets value);
/* A fully qualified name, or an IP address: letters, digits, "-", "_", "." and ":". */
bool sbi_is_host(struct octets value);

#endif
