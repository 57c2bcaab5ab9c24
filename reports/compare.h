/*
 * What changed between two runs of the same cases, as of two builds of an IUT: verdicts, what the
 * IUT sent, how long it took. Made from the run records alone; what a record lacks is named, and
 * what varies by nature is left out, and named too.
 */
#ifndef SPILLWAY_REPORTS_COMPARE_H
#define SPILLWAY_REPORTS_COMPARE_H

#include "reports/report.h"
#include "reports/traffic.h"

enum { BEFORE, AFTER };

enum change_kind {
	CHANGE_VERDICT_WORSE,
	CHANGE_VERDICT_BETTER,
	CHANGE_VERDICT_OTHER, /* to or from na */
	CHANGE_REASON,
	CHANGE_WARNING, /* before or after is NULL: it is new, or gone */
	CHANGE_MESSAGE, /* before or after is NULL: there are none of this type */
	CHANGE_NUMBER,	/* of messages */
	CHANGE_FIELD,	/* before or after is NULL: it is not there */
	CHANGE_DELAY,	/* what the IUT takes until it sends this */
	CHANGE_DURATION,
	CHANGE_KIND_COUNT,
};

struct change {
	enum change_kind kind;
	/* Of messages and fields: "ue1", "nas", "SERVICE REJECT", "5GMM cause"; else NULL. */
	char *lane, *proto, *type, *field;
	char *before, *after;
	size_t times; /* lanes, or messages, in which it is just so */
};

struct case_comparison {
	const char *suite, *id, *requirement, *clause; /* of the records */
	bool there[2];				       /* the case is in this record */
	size_t runs[2];				       /* repetitions */
	enum verdict verdict[2];		       /* the worst of them */
	struct change *changes;
	size_t count;
	size_t more; /* that are not kept */
	/* The messages of both were compared; else `why`, NULL where nothing differs by name. */
	bool compared;
	char *why;
	/*
	 * Where the seeds differ: chance made this case longer or its samples larger in one of the
	 * runs, so that how many messages there are, and when, says nothing about the IUT.
	 */
	bool chance;
};

struct comparison {
	const struct run_record *records[2];
	struct case_comparison *cases; /* by suite and id */
	size_t count;
	/* Of cases in both. */
	size_t worse, better, other, same;
	/* Cases in both records whose verdict is the same and of which something else changed. */
	size_t changed;
	size_t only[2];
	size_t gaps;	   /* cases of which something could not be read */
	size_t uncompared; /* cases in both whose messages could not be compared */
	char **remarks;	   /* what differs in how the runs were made, and what is missing */
	size_t remark_count;
	struct traffic_ignored ignored[VARYING_COUNT];
	size_t digits;	  /* reasons that differ in figures alone */
	bool other_seed;  /* of one run than of the other */
	size_t by_chance; /* cases that are longer, or have larger samples, for that reason */
	/* Delays and durations are the same up to this much, and up to this share of the longer. */
	uint64_t noise_us;
	double noise_share;
	bool out_of_memory;
};

/*
 * Compares two records, which must outlive the comparison. noise_us 0: 5 ms where both runs were in
 * virtual time, 50 ms where they had different seeds, else 200 ms. 0 or -ENOMEM.
 */
int comparison_make(struct comparison *comparison, const struct run_record *before,
		    const struct run_record *after, uint64_t noise_us);
void comparison_clear(struct comparison *comparison);

/* Whether nothing changed, of what could be compared. */
bool comparison_is_empty(const struct comparison *comparison);

/* "message", "field", ...: stable names. */
const char *change_name(enum change_kind kind);

void comparison_text(const struct comparison *comparison, FILE *out);
void comparison_json(const struct comparison *comparison, FILE *out);
void comparison_html(const struct comparison *comparison, FILE *out);

/* --- between its files --------------------------------------------------------------------------
 */

/* Adds a change, or counts it where the case has it already; strings are copied, cut where long. */
void comparison_add(struct comparison *comparison, struct case_comparison *item,
		    const struct change *change);
void change_clear(struct change *change);
/* Takes out what differs because the IUT draws it by chance. */
void comparison_drop_chance(struct comparison *comparison);
/* NULL is only the same as NULL. */
bool change_same_text(const char *a, const char *b);
/* The lane apart, which is where it happened and not what. */
bool change_same(const struct change *a, const struct change *b);
/* Compares what the IUT sent; both are merged where that is needed. */
void comparison_traffic(struct comparison *comparison, struct case_comparison *item,
			struct traffic *before, struct traffic *after);

/*
 * What happened to one message or field over all cases, for a summary: the values that are there
 * most often, how many different ones there are, the cases by index.
 */
struct common_change {
	struct change change; /* its strings are those of the cases */
	size_t different[2];
	size_t *cases;
	size_t count;
};
/* By number of cases; messages and fields only. NULL without memory, or without one. */
struct common_change *comparison_common(const struct comparison *comparison, size_t *count);
/* Each kind of what was not compared as a line, which a record may have written parts of. */
void comparison_left_out(const struct comparison *comparison,
			 void (*put)(const char *line, FILE *out), FILE *out);
void common_free(struct common_change *common, size_t count);

#endif
