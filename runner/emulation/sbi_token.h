/*
 * Access tokens on the tester's side (TS 33.501 13.4.1): what a consumer shows, good or wrong in
 * one respect, and what a producer finds in a request. Below the case layer.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_TOKEN_H
#define SPILLWAY_RUNNER_EMULATION_SBI_TOKEN_H

#include "runner/net/access_token.h"
#include "runner/net/http.h"

#define SBI_NRF_ID "00000000-0000-4000-8000-00000000000f" /* of the NRF that the tester plays */

enum sbi_bearer {
	BEARER_GOOD,	       /* for the NF type */
	BEARER_OF_INSTANCE,    /* good, for some instances, and this is the last of them */
	BEARER_OF_SERVICES,    /* good, for some services, and this is in their midst */
	BEARER_NONE,	       /* no authorization field */
	BEARER_EXPIRED,	       /* an hour ago */
	BEARER_FORGED,	       /* signed by somebody else */
	BEARER_UNSIGNED,       /* algorithm "none" */
	BEARER_CHANGED,	       /* good claims under the signature of others */
	BEARER_OTHER_SERVICE,  /* good, and not for this */
	BEARER_LONGER_SERVICE, /* for some whose names have this one's in them */
	BEARER_OTHER_TYPE,     /* for producers of another NF type */
	BEARER_OTHER_INSTANCE, /* for another producer */
	BEARER_GARBAGE,	       /* no token at all */
	BEARER_OTHER_SCHEME,   /* "Basic ..." */
	BEARER_KINDS,
};
const char *sbi_bearer_name(enum sbi_bearer kind); /* "a token that is signed by somebody else" */

struct sbi_bearer_for {
	const struct access_token_key *key;
	const char *consumer;	 /* its instance id */
	const char *nf_type;	 /* of the producer */
	const char *nf_instance; /* likewise; "" where it is not known */
	struct octets service;
	int64_t now; /* seconds since 1970 */
};
enum { SBI_BEARER_MAX = ACCESS_TOKEN_MAX + 16, SBI_BEARER_LIFETIME = 600 };
/* The value of an authorization field; "" for BEARER_NONE. -1 with the sentence in why. */
int sbi_bearer_print(struct text *out, enum sbi_bearer kind, const struct sbi_bearer_for *to,
		     struct text *why);

/* What a producer finds. */
enum sbi_token {
	SBI_TOKEN_NOT_LOOKED_AT,
	SBI_TOKEN_GOOD,
	SBI_TOKEN_MISSING,
	SBI_TOKEN_BAD,
	SBI_TOKEN_OTHER_SCOPE, /* good, and not for this service */
};

/*
 * What one producer looks for. The texts stay the caller's. A token that expired less than
 * SBI_TOKEN_LEEWAY ago is still taken: it was on its way, or a consumer counts from its reception.
 */
enum { SBI_TOKEN_LEEWAY = 2 /* s */ };
struct sbi_guard {
	const struct access_token_key *key; /* NULL: nothing */
	const char *nf_type, *nf_instance;
	const char *services; /* that need a token, parted by commas: "nudm-sdm,nudm-uecm" */
	int64_t epoch_ms;     /* ms since 1970 at the loop's time 0 */
};
/* of: the path; what is wrong goes to why, which quotes no token. */
enum sbi_token sbi_guard_look(const struct sbi_guard *guard, const struct http_message *request,
			      struct octets path, uint64_t now_us, struct text *why);
/* The first part of a path: the name of a service. */
struct octets sbi_service_of(struct octets path);

#endif
