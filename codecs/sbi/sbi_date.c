#include "codecs/sbi/sbi_date.h"
#include "codecs/planted.h"

enum { SECONDS_A_DAY = 86400 };

static const char day_names[7][4] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
static const char long_day_names[7][10] = { "Monday", "Tuesday",  "Wednesday", "Thursday",
					    "Friday", "Saturday", "Sunday" };
static const char month_names[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

struct civil {
	unsigned int year;
	unsigned int month; /* 1 to 12 */
	unsigned int day;
	unsigned int hour;
	unsigned int minute;
	unsigned int second;
	unsigned int weekday; /* 0: Monday; 7: not stated */
};

/* The position in a value that is being read; at stays where the first fault is. */
struct reader {
	const uint8_t *data;
	size_t len;
	size_t at;
};

static bool take(struct reader *r, const char *literal)
{
	size_t len = strlen(literal);

	if (r->len - r->at < len || memcmp(r->data + r->at, literal, len) != 0)
		return false;
	r->at += len;
	return true;
}

static bool take_digits(struct reader *r, size_t n, unsigned int *value)
{
	*value = 0;
	if (r->len - r->at < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned int digit = r->data[r->at + i] - (unsigned int)'0';

		if (digit > 9)
			return false;
		*value = *value * 10 + digit;
	}
	r->at += n;
	return true;
}

static bool take_name(struct reader *r, const char *names, size_t size, unsigned int count,
		      unsigned int *index)
{
	for (*index = 0; *index < count; ++*index) {
		if (take(r, names + *index * size))
			return true;
	}
	return false;
}

static bool take_day_name(struct reader *r, unsigned int *index)
{
	return take_name(r, day_names[0], sizeof(day_names[0]), 7, index);
}

static bool take_month(struct reader *r, unsigned int *month)
{
	bool found = take_name(r, month_names[0], sizeof(month_names[0]), 12, month);

	++*month;
	return found;
}

static bool take_clock(struct reader *r, struct civil *c)
{
	return take_digits(r, 2, &c->hour) && take(r, ":") && take_digits(r, 2, &c->minute) &&
	       take(r, ":") && take_digits(r, 2, &c->second);
}

/* Days since 1970-01-01; years are counted from March, so that a leap day is the last of one. */
static int64_t days_of(unsigned int year, unsigned int month, unsigned int day)
{
	int64_t y = (int64_t)year - (month <= 2);
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t of_era = y - era * 400;
	int64_t of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void civil_of(int64_t days, struct civil *c)
{
	int64_t shifted = days + 719468;
	int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	int64_t of_era = shifted - era * 146097;
	int64_t year =
		(of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365; /* of the era */
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * of_year + 2) / 153; /* from March */

	c->day = (unsigned int)(of_year - (153 * month + 2) / 5 + 1);
	c->month = (unsigned int)(month < 10 ? month + 3 : month - 9);
	c->year = (unsigned int)(year + era * 400 + (c->month <= 2));
	/* 1970-01-01 was a Thursday */
	c->weekday = (unsigned int)(((days + 3) % 7 + 7) % 7);
}

static bool leap(unsigned int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static enum finding_rule seconds_of(const struct civil *c, int64_t *seconds)
{
	static const uint8_t lengths[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int64_t days;

	*seconds = 0;
	if (c->month < 1 || c->month > 12 || c->day < 1 ||
	    c->day > lengths[c->month - 1] + (unsigned int)(c->month == 2 && leap(c->year)) +
			     PLANTED(20) ||
	    c->hour > 23 || c->minute > 59 || c->second > 60)
		return FINDING_RANGE;
	days = days_of(c->year, c->month, c->day);
	*seconds = days * SECONDS_A_DAY + c->hour * 3600 + c->minute * 60 + c->second;
	if (c->weekday < 7 && (unsigned int)(((days + 3) % 7 + 7) % 7) != c->weekday)
		return FINDING_RANGE;
	return FINDING_NONE;
}

/* "Tue, 04 Feb 2020 08:49:37" */
static bool take_fixdate(struct reader *r, struct civil *c)
{
	return take_day_name(r, &c->weekday) && take(r, ", ") && take_digits(r, 2, &c->day) &&
	       take(r, " ") && take_month(r, &c->month) && take(r, " ") &&
	       take_digits(r, 4, &c->year) && take(r, " ") && take_clock(r, c);
}

static uint32_t three(const uint8_t *s)
{
	return (uint32_t)s[0] << 16 | (uint32_t)s[1] << 8 | s[2];
}

static unsigned int name_at(const uint8_t *s, const char *names, unsigned int count)
{
	uint32_t name = three(s);
	unsigned int i = 0;

	while (i < count && name != three((const uint8_t *)names + (size_t)4 * i))
		i++;
	return i;
}

/* Two digits, or more than 99. */
static unsigned int pair_at(const uint8_t *s)
{
	unsigned int tens = s[0] - (unsigned int)'0', ones = s[1] - (unsigned int)'0';

	return tens > 9 || ones > 9 ? 1000 : tens * 10 + ones;
}

/*
 * The whole of a date that is as it should be, by the places of its parts: most are, and an element
 * of OCI is mostly this. Where it fails, the reader above says where.
 */
static bool read_at_once(const uint8_t *s, struct civil *c)
{
	unsigned int century = pair_at(s + 12), year = pair_at(s + 14);

	c->weekday = name_at(s, day_names[0], 7);
	c->day = pair_at(s + 5);
	c->month = name_at(s + 8, month_names[0], 12) + 1;
	c->year = century * 100 + year;
	c->hour = pair_at(s + 17);
	c->minute = pair_at(s + 20);
	c->second = pair_at(s + 23);
	return c->weekday < 7 && c->month <= 12 &&
	       (c->day | century | year | c->hour | c->minute | c->second) < 128 &&
	       (s[3] == ',') + (s[4] == ' ') + (s[7] == ' ') + (s[11] == ' ') + (s[16] == ' ') +
			       (s[19] == ':') + (s[22] == ':') + (s[25] == ' ') ==
		       8 &&
	       three(s + 26) == three((const uint8_t *)"GMT");
}

enum finding_rule sbi_date_read(int64_t *seconds, struct octets value, size_t *bad)
{
	struct reader r = { value.data, value.len, 0 };
	struct civil c = { 0 };
	enum finding_rule rule;

	*seconds = 0;
	if (value.len == SBI_DATE_LEN && read_at_once(value.data, &c)) {
		*bad = 0;
		return seconds_of(&c, seconds);
	}
	if (!take_fixdate(&r, &c) || !take(&r, " GMT") || r.at != r.len) {
		*bad = r.at;
		return FINDING_SYNTAX;
	}
	rule = seconds_of(&c, seconds);
	*bad = 0;
	return rule;
}

enum finding_rule sbi_date_ms_read(int64_t *ms, struct octets value, size_t *bad)
{
	struct reader r = { value.data, value.len, 0 };
	struct civil c = { 0 };
	enum finding_rule rule;
	unsigned int milliseconds;
	int64_t seconds;

	*ms = 0;
	if (!take_fixdate(&r, &c) || !take(&r, ".") || !take_digits(&r, 3, &milliseconds) ||
	    !take(&r, " GMT") || r.at != r.len) {
		*bad = r.at;
		return FINDING_SYNTAX;
	}
	rule = seconds_of(&c, &seconds);
	*ms = seconds * 1000 + milliseconds;
	*bad = 0;
	return rule;
}

static enum finding_rule read_rfc850(int64_t *seconds, struct octets value, size_t *bad)
{
	struct reader r = { value.data, value.len, 0 };
	struct civil c = { 0 };

	if (!take_name(&r, long_day_names[0], sizeof(long_day_names[0]), 7, &c.weekday) ||
	    !take(&r, ", ") || !take_digits(&r, 2, &c.day) || !take(&r, "-") ||
	    !take_month(&r, &c.month) || !take(&r, "-") || !take_digits(&r, 2, &c.year) ||
	    !take(&r, " ") || !take_clock(&r, &c) || !take(&r, " GMT") || r.at != r.len) {
		*bad = r.at;
		return FINDING_SYNTAX;
	}
	c.year += c.year < 70 ? 2000 : 1900;
	/* the day of the week is the only hint that the century may be another */
	c.weekday = 7;
	*bad = 0;
	return seconds_of(&c, seconds);
}

static enum finding_rule read_asctime(int64_t *seconds, struct octets value, size_t *bad)
{
	struct reader r = { value.data, value.len, 0 };
	struct civil c = { 0 };

	if (!take_day_name(&r, &c.weekday) || !take(&r, " ") || !take_month(&r, &c.month) ||
	    !take(&r, " ") || !take_digits(&r, take(&r, " ") ? 1 : 2, &c.day) || !take(&r, " ") ||
	    !take_clock(&r, &c) || !take(&r, " ") || !take_digits(&r, 4, &c.year) ||
	    r.at != r.len) {
		*bad = r.at;
		return FINDING_SYNTAX;
	}
	*bad = 0;
	return seconds_of(&c, seconds);
}

enum finding_rule sbi_date_read_any(int64_t *seconds, struct octets value, bool *obsolete,
				    size_t *bad)
{
	enum finding_rule rule = sbi_date_read(seconds, value, bad);
	size_t elsewhere;

	*obsolete = false;
	if (rule != FINDING_SYNTAX)
		return rule;
	*obsolete = true;
	rule = read_rfc850(seconds, value, &elsewhere);
	if (rule == FINDING_SYNTAX)
		rule = read_asctime(seconds, value, &elsewhere);
	if (rule == FINDING_SYNTAX)
		*obsolete = false; /* *bad is where the form that is in use breaks off */
	else
		*bad = 0;
	return rule;
}

static void put_digits(char *at, size_t n, unsigned int value)
{
	while (n-- > 0) {
		at[n] = (char)('0' + value % 10);
		value /= 10;
	}
}

static void civil_at(int64_t seconds, struct civil *c)
{
	int64_t days;
	unsigned int rest;

	if (seconds > SBI_DATE_MAX)
		seconds = SBI_DATE_MAX;
	if (seconds < INT64_C(-62167219200)) /* the first second of year 0 */
		seconds = INT64_C(-62167219200);
	days = seconds / SECONDS_A_DAY - (seconds % SECONDS_A_DAY < 0);
	rest = (unsigned int)(seconds - days * SECONDS_A_DAY);
	civil_of(days, c);
	c->hour = rest / 3600;
	c->minute = rest / 60 % 60;
	c->second = rest % 60;
}

/* "Tue, 04 Feb 2020 08:49:37": 25 octets */
static void put_fixdate(char *at, int64_t seconds)
{
	struct civil c;

	civil_at(seconds, &c);
	memcpy(at, "Ddd, 00 Mmm 0000 00:00:00", 25);
	memcpy(at, day_names[c.weekday], 3);
	put_digits(at + 5, 2, c.day);
	memcpy(at + 8, month_names[c.month - 1], 3);
	put_digits(at + 12, 4, c.year);
	put_digits(at + 17, 2, c.hour);
	put_digits(at + 20, 2, c.minute);
	put_digits(at + 23, 2, c.second);
}

void sbi_date_print(struct text *out, int64_t seconds)
{
	char date[SBI_DATE_LEN + 1] = "";

	put_fixdate(date, seconds);
	memcpy(date + 25, " GMT", 5);
	text_puts(out, date);
}

static int64_t floor_seconds(int64_t ms)
{
	return ms / 1000 - (ms % 1000 < 0);
}

void sbi_date_ms_print(struct text *out, int64_t ms)
{
	int64_t seconds = floor_seconds(ms);
	char date[SBI_DATE_LEN + 5] = "";

	put_fixdate(date, seconds);
	date[25] = '.';
	put_digits(date + 26, 3, (unsigned int)(ms - seconds * 1000));
	memcpy(date + 29, " GMT", 5);
	text_puts(out, date);
}

static bool take_any(struct reader *r, const char *either, const char * or)
{
	return take(r, either) || take(r, or);
}

/* ".25": as many digits as there are, of which milliseconds are kept. */
static bool take_fraction(struct reader *r, unsigned int *milliseconds)
{
	unsigned int digit, weight = 100;
	size_t count = 0;

	*milliseconds = 0;
	if (!take(r, "."))
		return true;
	for (; take_digits(r, 1, &digit); count++) {
		*milliseconds += digit * weight;
		weight /= 10;
	}
	return count > 0;
}

/* "Z", "+02:00" */
static bool take_offset(struct reader *r, int *minutes)
{
	unsigned int hour, minute;
	int sign = 1;

	*minutes = 0;
	if (take_any(r, "Z", "z"))
		return true;
	if (take(r, "-"))
		sign = -1;
	else if (!take(r, "+"))
		return false;
	if (!take_digits(r, 2, &hour) || !take(r, ":") || !take_digits(r, 2, &minute) ||
	    hour > 23 || minute > 59)
		return false;
	*minutes = sign * (int)(hour * 60 + minute);
	return true;
}

enum finding_rule sbi_datetime_read(int64_t *ms, struct octets value, size_t *bad)
{
	struct reader r = { value.data, value.len, 0 };
	struct civil c = { .weekday = 7 };
	unsigned int milliseconds;
	enum finding_rule rule;
	int64_t seconds;
	int offset;

	*ms = 0;
	if (!take_digits(&r, 4, &c.year) || !take(&r, "-") || !take_digits(&r, 2, &c.month) ||
	    !take(&r, "-") || !take_digits(&r, 2, &c.day) || !take_any(&r, "T", "t") ||
	    !take_clock(&r, &c) || !take_fraction(&r, &milliseconds) || !take_offset(&r, &offset) ||
	    r.at != r.len) {
		*bad = r.at;
		return FINDING_SYNTAX;
	}
	rule = seconds_of(&c, &seconds);
	*ms = (seconds - (int64_t)offset * 60) * 1000 + milliseconds;
	*bad = 0;
	return rule;
}

void sbi_datetime_print(struct text *out, int64_t ms)
{
	int64_t seconds = floor_seconds(ms);
	unsigned int milliseconds = (unsigned int)(ms - seconds * 1000);
	struct civil c;

	civil_at(seconds, &c);
	text_printf(out, "%04u-%02u-%02uT%02u:%02u:%02u", c.year, c.month, c.day, c.hour, c.minute,
		    c.second);
	if (milliseconds)
		text_printf(out, ".%03u", milliseconds);
	text_putc(out, 'Z');
}
