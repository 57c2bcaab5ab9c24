/*
 * Dates of HTTP and JSON to and from seconds since 1970, by arithmetic on the proleptic Gregorian
 * calendar: libc would bring in the locale and the time zone of the machine.
 *
 * All are in UTC, from year 0 to 9999. A 61st second (:60) is read as the first of the next minute.
 */
#ifndef SPILLWAY_CODECS_SBI_SBI_DATE_H
#define SPILLWAY_CODECS_SBI_SBI_DATE_H

#include "codecs/finding.h"
#include "codecs/octets.h"
#include "codecs/text.h"

/* "Tue, 04 Feb 2020 08:49:37 GMT" */
enum { SBI_DATE_LEN = 29 };
#define SBI_DATE_MAX INT64_C(253402300799) /* the last second of 9999 */

/*
 * IMF-fixdate, RFC 9110 5.6.7. FINDING_NONE, FINDING_SYNTAX, or FINDING_RANGE (no such day or time,
 * or another day of the week). *bad is set to the offset of the first octet concerned.
 */
enum finding_rule sbi_date_read(int64_t *seconds, struct octets value, size_t *bad);
/* Outside of its range, the nearest date in it. */
void sbi_date_print(struct text *out, int64_t seconds);

/*
 * The obsolete forms too ("Tuesday, 04-Feb-20 08:49:37 GMT", "Tue Feb  4 08:49:37 2020"); *obsolete
 * says so. Years of two digits are those from 1970 to 2069.
 */
enum finding_rule sbi_date_read_any(int64_t *seconds, struct octets value, bool *obsolete,
				    size_t *bad);

/* IMF-fixdate with milliseconds: 3gpp-Sbi-Sender-Timestamp, TS 29.500 5.2.3.3.2. */
enum finding_rule sbi_date_ms_read(int64_t *ms, struct octets value, size_t *bad);
void sbi_date_ms_print(struct text *out, int64_t ms);

/* date-time of RFC 3339, as in JSON: any offset, any number of digits behind the second. */
enum finding_rule sbi_datetime_read(int64_t *ms, struct octets value, size_t *bad);
/* In UTC ("Z"), with milliseconds where there are some. */
void sbi_datetime_print(struct text *out, int64_t ms);

#endif
