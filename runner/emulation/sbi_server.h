/*
 * What the NF peers that the tester plays have in common on the server's side: routes to default
 * behaviours, rules by which a case has any request answered otherwise, and what was received.
 *
 * Below the case layer: no verdict, no tc; memory is its own. Everything happens on the loop.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_SERVER_H
#define SPILLWAY_RUNNER_EMULATION_SBI_SERVER_H

#include "codecs/sbi/json_types.h"
#include "runner/emulation/sbi_token.h"

enum {
	SBI_IDS_MAX = 4, /* variable segments of a path */
	SBI_RULES_MAX = 32,
	SBI_RULE_HEADERS_MAX = 6,
	SBI_RECEIVED_MAX = 20000, /* requests kept; the oldest go first */
	SBI_RECEIVED_OCTETS_MAX = 64 << 20,
};

struct sbi_server;

/* A request on its way to its answer. */
struct sbi_request {
	struct sbi_server *server;
	struct http_stream *stream;
	const struct http_message *message; /* valid while the handler runs */
	struct octets method, path, query;  /* query without "?" */
	struct octets ids[SBI_IDS_MAX];	    /* what stands for the "*" of the route */
	uint8_t priority;		    /* TS 29.500 6.8.4: 24 where there is none */
	const struct sbi_rule *rule;	    /* that applies; NULL: none */
};

/* Must answer, by sbi_answer or one of those made of it, before it returns. */
typedef void sbi_handle(struct sbi_request *request, void *arg);

struct sbi_route {
	const char *method; /* NULL: any */
	/* "/nnrf-nfm/v1/nf-instances/" "*": a "*" is one whole segment; "**" alone: any path */
	const char *path;
	sbi_handle *handle;
};

/* The routes are static. arg goes to the handlers. NULL with the sentence in why. */
struct sbi_server *sbi_server_start(struct http *http, struct loop *loop, const char *name,
				    const struct net_address *local, const struct http_tls *tls,
				    const struct sbi_route *routes, size_t route_count, void *arg,
				    struct text *why);
void sbi_server_stop(struct sbi_server *server);
struct http_server *sbi_server_http(struct sbi_server *server);
/* "smf1", as on the record */
const char *sbi_server_name(const struct sbi_server *server);
/* "http://127.0.0.30:7777" */
const char *sbi_server_root(const struct sbi_server *server);

/* --- answers ---------------------------------------------------------------------------------- */

struct sbi_answer {
	unsigned int status;
	struct octets body;	  /* empty: none */
	const char *content_type; /* NULL: application/json where there is a body */
	const char *location;	  /* NULL: none */
	const char *challenge;	  /* www-authenticate; NULL: none */
};
void sbi_answer(struct sbi_request *request, const struct sbi_answer *answer);
/* The body is what a table makes of a struct. */
void sbi_answer_json(struct sbi_request *request, unsigned int status, const char *location,
		     const struct json_object *object, const void *value);
/* ProblemDetails, as application/problem+json; cause and detail may be NULL. */
void sbi_answer_problem(struct sbi_request *request, unsigned int status, const char *cause,
			const char *detail);
/* 400 INVALID_MSG_FORMAT or OPTIONAL_IE_INCORRECT, with the member that is wrong. */
void sbi_answer_fault(struct sbi_request *request, const struct json_fault *fault);

/*
 * A request whose answer comes from elsewhere: the handler may return now. The answer is a whole
 * message, to which the fields that every answer has are added; a rule that delays or adds is
 * passed over. gone: the client or the server is no more, and so is the held request. NULL where
 * there is no memory, or nobody hears the answer: then nothing is held.
 */
struct sbi_held;
struct sbi_held *sbi_hold(struct sbi_request *request, void (*gone)(void *arg), void *arg);
void sbi_answer_held(struct sbi_held *held, const struct http_message *answer);

/*
 * Reads a body (of the request, or of a part of it) into a struct of the object's type. false: it
 * is wrong, and has been answered.
 */
bool sbi_read_body(struct sbi_request *request, const struct json_object *object, void *value,
		   struct octets body, struct arena *arena);

/* The value of a query parameter, percent-decoded into the buffer; false: there is none. */
bool sbi_query(struct octets query, const char *name, char *value, size_t size);

/* --- rules ------------------------------------------------------------------------------------ */

enum sbi_action {
	SBI_ANSWER,	  /* as the rule says, or as the default behaviour would */
	SBI_RESET,	  /* RST_STREAM, INTERNAL_ERROR */
	SBI_RESET_MIDWAY, /* half of the answer, then the same */
	SBI_DROP,	  /* the connection breaks */
	SBI_SILENCE,
};

/* Text and octets stay the caller's and have to live as long as the rule. */
struct sbi_rule {
	const char *method; /* NULL: any */
	const char *path;   /* how the path begins; NULL: any */
	enum sbi_action action;
	unsigned int status;				  /* 0: that of the default behaviour */
	const char *cause;				  /* of a ProblemDetails; NULL: none */
	struct octets body;				  /* instead of it all; data NULL: not */
	const char *content_type;			  /* of it */
	struct http_header headers[SBI_RULE_HEADERS_MAX]; /* added to whatever is answered */
	size_t header_count;
	uint64_t delay_us;
	double share;	 /* of the requests, at random; 0: all */
	uint64_t times;	 /* how often; 0: always */
	uint8_t above;	 /* only requests of a priority value above it; 0: all */
	bool do_default; /* the default behaviour runs, though its answer is not the one sent */
};

/*
 * The rule that was added last goes first; the first that fits applies. Returns its number, to take
 * it away with, or -ENOSPC.
 */
int sbi_server_rule(struct sbi_server *server, const struct sbi_rule *rule);
/* -1: all. */
void sbi_server_no_rule(struct sbi_server *server, int number);

/* Fields that every answer has (3gpp-Sbi-Oci, -Lci); the text stays the caller's. */
void sbi_server_fields(struct sbi_server *server, const struct http_header *fields, size_t count);

/*
 * From now on requests for these services need an access token: where none or a wrong one comes,
 * the default behaviour is 401 or 403 (TS 29.500 6.7.3). Rules go first.
 */
void sbi_server_guard(struct sbi_server *server, const struct sbi_guard *guard);
/* What was wrong with the last token that was not good; "": all were. */
const char *sbi_server_token_fault(const struct sbi_server *server);

/* --- what was received ------------------------------------------------------------------------ */

struct sbi_received {
	uint64_t t_us; /* loop time at which it was there as a whole */
	const struct http_message *message;
	struct octets method, path, query;
	uint8_t priority;
	unsigned int status; /* that was answered; 0: nothing yet, reset, or silence */
	uint32_t connection; /* over which it came */
	bool gone;	     /* the client took it back */
	enum sbi_token token;
	bool passed_on; /* held for the answer of somebody else */
};

/* How many there were, ever; the last SBI_RECEIVED_MAX are kept. */
size_t sbi_server_received_count(const struct sbi_server *server);
/* By number from 0; NULL: not kept any more, or not there yet. */
const struct sbi_received *sbi_server_received(const struct sbi_server *server, size_t number);
/* Of the kept ones since a loop time: with this method, and a path that begins so; NULL: any. */
size_t sbi_server_count(const struct sbi_server *server, const char *method, const char *path,
			uint64_t since_us);

#endif
