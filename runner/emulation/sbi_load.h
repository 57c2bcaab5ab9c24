/*
 * What the tester's producers say of their load and overload: 3gpp-Sbi-Oci and 3gpp-Sbi-Lci in
 * every answer of a peer (and in its notifications), down to the octet; and what came of it.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_LOAD_H
#define SPILLWAY_RUNNER_EMULATION_SBI_LOAD_H

#include "runner/emulation/sbi_peer.h"

struct sbi_say {
	int unused_;
	unsigned int metric;
	unsigned int validity;	/* s; OCI only; 0: 60 s */
	int64_t later;		/* seconds that the Timestamp is ahead of now; may be negative */
	int64_t timestamp;	/* SBI_VALUE(seconds since 1970) in its place */
	struct sbi_scope scope; /* of kind SBI_SCOPE_NONE: the peer's instance */
	const char *text;	/* the whole value in place of all that */
	bool own_line;		/* not in one line with what was said before */
};

/*
 * From now on every answer of this peer has this, and no other OCI (LCI). A Timestamp is never
 * older than one that this peer gave before unless `later` or `timestamp` says so.
 */
#define sbi_oci(peer, ...) sbi_oci_with((peer), &(struct sbi_say){ .unused_ = 0, __VA_ARGS__ })
void sbi_oci_with(struct sbi_peer *peer, const struct sbi_say *say);
/* A further element. */
#define sbi_oci_more(peer, ...) \
	sbi_oci_more_with((peer), &(struct sbi_say){ .unused_ = 0, __VA_ARGS__ })
void sbi_oci_more_with(struct sbi_peer *peer, const struct sbi_say *say);
void sbi_no_oci(struct sbi_peer *peer);
#define sbi_lci(peer, ...) sbi_lci_with((peer), &(struct sbi_say){ .unused_ = 0, __VA_ARGS__ })
void sbi_lci_with(struct sbi_peer *peer, const struct sbi_say *say);
void sbi_no_lci(struct sbi_peer *peer);
/* The Timestamp that was given last; 0: none. */
int64_t sbi_oci_timestamp(const struct sbi_peer *peer);
/* OCI as a value of its own: for sbi_ask.oci of a consumer. */
struct sbi_load sbi_oci_value(struct sbi_peer *peer, const struct sbi_say *say);
/*
 * The current information reaches the IUT now: a notification to the last callback URI that the IUT
 * gave this peer, whose answer is waited for (its status is returned). inconc where it gave none:
 * let it send a request first.
 */
unsigned int sbi_tell(struct sbi_peer *peer);

/* --- the control action `operations` ------------------------------------------------------------
 */

/* Requests of the IUT to any peer's server, since a moment. */
struct sbi_count {
	struct tc *t;
	uint64_t from, to; /* loop time; to: LOOP_NEVER while it goes on */
};
struct sbi_count sbi_count_start(struct tc *t);
void sbi_count_stop(struct sbi_count *count);

struct sbi_which {
	int unused_;
	const struct sbi_peer *at;
	const char *method, *path; /* how the path begins */
	int priority;		   /* SBI_VALUE(n); 0: any */
	bool no_priority;	   /* those without the field, or with one that cannot be read */
	unsigned int status;	   /* that we answered; 0: any */
	const char *body;	   /* text that the body has to have: "\"dnn\":\"ims\"" */
	uint64_t after, before;	   /* arrived at or after, and before (0: any) */
};
/* Everything 0 or NULL counts all requests to peers; those to our NRF never count. */
#define sbi_counted(count, ...) \
	sbi_counted_with((count), &(struct sbi_which){ .unused_ = 0, __VA_ARGS__ })
uint64_t sbi_counted_with(const struct sbi_count *count, const struct sbi_which *which);
/* Arrival of the last that matches; LOOP_NEVER: none. */
uint64_t sbi_last_counted(const struct sbi_count *count, const struct sbi_which *which);

struct sbi_offered {
	uint64_t offered;		 /* as the adapter says */
	uint64_t sent;			 /* requests that came, over all peers */
	bool has_failed, has_redirected; /* the adapter told */
	uint64_t failed, redirected;
	struct sbi_count count; /* for sbi_counted */
};
/*
 * Runs "operations" with these arguments ("count=1000 rate=200") and counts what comes while it
 * runs and until nothing has come for 1 s. The adapter's figures are checked as upf_offer does;
 * more sent than offered is an error only while every request is answered with success.
 */
__attribute__((format(printf, 2, 3))) struct sbi_offered sbi_offer(struct tc *t, const char *format,
								   ...);
/* The same before any overload: where not all that was offered is sent, `error`. */
__attribute__((format(printf, 2, 3))) struct sbi_offered
sbi_offer_all_sent(struct tc *t, const char *format, ...);
void sbi_offered_add(struct sbi_offered *sum, struct sbi_offered more);

#endif
