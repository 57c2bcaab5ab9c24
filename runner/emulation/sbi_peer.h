/*
 * The tester's network functions, as a case sees them: consumers of an IUT that is a producer,
 * producers for one that is a consumer, NFs of an IUT that is an NRF. Each is at an address of
 * tester.sbi with a server for whatever comes (services and notifications alike), a client towards
 * the IUT, and an NFProfile. At tester.sbi.address stands our NRF, which knows them.
 *
 *	static void overload_reaches_the_consumer(struct tc *t)
 *	{
 *		struct sbi_peer *consumer = sbi_peer_start(t);
 *		const struct sbi_response *response;
 *
 *		tc_control(t, "overload metric=40 validity=60");
 *		response = sbi_finish(sbi_operation(consumer, 0));
 *		if (response->oci.count == 0 || response->oci.items[0].metric != 40)
 *			tc_violation(t, "...");
 *	}
 *
 * Puppets: by itself a peer answers requests as a correct producer would (GET 200, POST 201 with a
 * Location, to a callback 204, PUT, PATCH and DELETE 204); rules of its server (sbi_server.h) have
 * it answer anything else. What came stays at its server, and waits for expect_sbi.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_PEER_H
#define SPILLWAY_RUNNER_EMULATION_SBI_PEER_H

#include "codecs/sbi/sbi.h"
#include "codecs/sbi/sbi_date.h"
#include "runner/case/tc.h"
#include "runner/emulation/sbi_nrf.h"

struct sbi_peer;
struct sbi_exchange;

/* Values of which 0 is one: .load = SBI_VALUE(0). */
#define SBI_VALUE(value) ((int64_t)(value) + 1)

/* The date of day at the beginning of each case; a later case of a live run begins later. */
int64_t sbi_now(struct tc *t);	  /* seconds since 1970 */
int64_t sbi_now_ms(struct tc *t); /* and milliseconds */

struct sbi_peer_options {
	int unused_;
	unsigned int entry;   /* of tester.sbi.addresses, from 1; 0: the next that is not in use */
	uint16_t port;	      /* 0: tester.sbi.port */
	const char *nf_type;  /* NULL: what deals with an IUT of this type: AMF, for an AMF SMF */
	const char *services; /* "nsmf-pdusession,nsmf-event-exposure"; NULL: a consumer, of none */
	const char *set;      /* NF set: "1"; NULL: none */
	const char *service_set;	  /* set of each of its services: "1"; NULL: none */
	bool no_olc_h, no_lc_h;		  /* not announced */
	int64_t priority, capacity, load; /* SBI_VALUE(); 0: absent */
	int64_t service_priority, service_capacity, service_load; /* of each service, likewise */
	int64_t load_time; /* SBI_VALUE(seconds since 1970); 0: absent */
	bool unknown;	   /* to our NRF */
	bool deaf;	   /* no server: what is sent there is refused */
	/* An SCP in place of a network function: passes requests on. Our NRF does not know it. */
	bool scp;
};
/* na where tester.sbi.addresses has too few. */
#define sbi_peer_start(t, ...) \
	sbi_peer_start_with((t), &(struct sbi_peer_options){ .unused_ = 0, __VA_ARGS__ })
struct sbi_peer *sbi_peer_start_with(struct tc *t, const struct sbi_peer_options *options);

struct tc *sbi_peer_tc(const struct sbi_peer *peer);
const char *sbi_peer_name(const struct sbi_peer *peer); /* "nf1": of entry 1 */
const struct net_address *sbi_peer_address(const struct sbi_peer *peer);
const char *sbi_peer_root(const struct sbi_peer *peer); /* "http://127.0.0.41:7777" */
const char *sbi_peer_id(const struct sbi_peer *peer);	/* nfInstanceId */
/* For rules, fields and what was received; NULL: it is deaf. */
struct sbi_server *sbi_peer_server(struct sbi_peer *peer);
/* The NFProfile as JSON, valid until the next call; for an IUT that is an NRF. */
const char *sbi_peer_profile(struct sbi_peer *peer);
/* Changes load, priorities and so on; our NRF hears of it. */
void sbi_peer_change(struct sbi_peer *peer, const struct sbi_peer_options *options);
/* Leaves our NRF (others are told), and listens no more; or listens again. */
void sbi_peer_stop(struct sbi_peer *peer);
void sbi_peer_resume(struct sbi_peer *peer);
/* The last URI for notifications that came in a request to it; "": none. */
const char *sbi_peer_callback(const struct sbi_peer *peer);
/* A URI for notifications to it: "http://127.0.0.41:7777/callback/PATH". */
const char *sbi_peer_callback_uri(struct sbi_peer *peer, const char *path);

/* Its scopes, for OCI and LCI; of its first service. The text lives as long as the case. */
struct sbi_scope sbi_scope_instance(const struct sbi_peer *peer);
struct sbi_scope sbi_scope_set(const struct sbi_peer *peer);
struct sbi_scope sbi_scope_service(const struct sbi_peer *peer);
struct sbi_scope sbi_scope_service_set(const struct sbi_peer *peer);
/* One S-NSSAI with DNNs (parted by commas) of an instance. */
struct sbi_scope sbi_scope_dnns(const struct sbi_peer *peer, const struct slice *slice,
				const char *dnns);
struct sbi_scope sbi_scope_callback(struct tc *t, const char *uri);
/* The same as a consumer: NFC-... */
struct sbi_scope sbi_scope_consumer(const struct sbi_peer *peer);

/* --- our NRF ------------------------------------------------------------------------------------
 */

/* The one of the case, at tester.sbi.address; started by the first peer, or here. */
struct sbi_nrf *sbi_nrf_of_case(struct tc *t);
/*
 * Makes the IUT start anew: `restart`, else `start`; waits ixit connect-time for its NFRegister.
 * tc_unreachable where none comes (a client: where no discovery comes either). Where the adapter
 * has neither action, it waits for what comes by itself.
 */
void sbi_iut_starts(struct tc *t);
/* The last NFRegister of the IUT, as struct json_nf_profile; NULL: none came. */
const struct json_nf_profile *sbi_iut_profile(struct tc *t);
/* The NRF's own octets of it; empty: none came. */
struct octets sbi_iut_profile_octets(struct tc *t);

/* --- SCPs ---------------------------------------------------------------------------------------
 */

/*
 * The IUT's requests for services go by way of this SCP from its next start on (`nf-config scp=URI
 * fqdn=FQDN`), and say where to by 3gpp-Sbi-Target-apiRoot (29.500 6.10.2.5); na where its adapter
 * cannot do that. What an SCP passes on counts where it arrives.
 */
void sbi_use_scp(struct sbi_peer *scp);
/* The field `server` of its own answers: "SCP-" and its FQDN (29.500 6.10.8). */
const char *sbi_scp_server_field(const struct sbi_peer *scp);
struct sbi_scope sbi_scope_scp(const struct sbi_peer *scp);
/* Whether a request that a producer received was passed on by this one. */
bool sbi_came_by(const struct sbi_received *received, const struct sbi_peer *scp);

/* --- access tokens -------------------------------------------------------------------------------
 */

/*
 * From now on they are used: our NRF gives them, our consumers show them to an IUT that is a
 * producer, our producers want them. Where they are not in every case (tester.sbi.oauth2), the IUT
 * is switched by `nf-config oauth2=on`: na where its adapter cannot do that.
 */
void sbi_use_tokens(struct tc *t);
/*
 * A token that the IUT gave, an NRF: signature, form and claims; scope and aud as wanted. NULL with
 * the sentence in why. It lives as long as the case. na: the profile has no key of the IUT's.
 */
const struct access_token *sbi_token_of_iut(struct tc *t, struct octets text,
					    const struct access_token_wanted *wanted,
					    struct text *why);

/* --- requests of ours ---------------------------------------------------------------------------
 */

struct sbi_field {
	const char *name, *value;
};

struct sbi_ask {
	int unused_;
	const char *method;	  /* NULL: GET, or POST where there is a body */
	const char *path;	  /* of the IUT's apiRoot */
	const char *uri;	  /* absolute, in place of a path of the IUT's */
	const char *body;	  /* JSON */
	const char *content_type; /* NULL: application/json */
	int priority;		  /* SBI_VALUE(0..31); 0: no header field */
	struct sbi_field fields[6];
	const struct sbi_load *oci; /* of the peer as a consumer; NULL: none */
	enum sbi_bearer bearer;	    /* where access tokens are used */
	uint64_t timeout;	    /* us; 0: ixit response-time */
};

/* What became of a request. */
enum sbi_end {
	SBI_PENDING,
	SBI_ANSWERED,
	SBI_FAILED, /* reset, refused, lost, no answer in time, not HTTP/2: sbi_failure */
};

/* Lists of OCI or LCI of a message: every element of every line, read leniently. */
struct sbi_loads {
	const struct sbi_load *items;
	size_t count;
	size_t lines;	    /* header fields; 0: the message has none */
	struct octets text; /* of the first line */
	const char *fault;  /* the first finding as a sentence; NULL: it conforms */
};

struct sbi_response {
	uint64_t time; /* arrival */
	const struct sbi_exchange *exchange;
	const struct http_message *message;
	unsigned int status;
	struct sbi_loads oci, lci;
	const char *cause; /* of ProblemDetails; "": none */
};

#define sbi_ask(peer, ...) sbi_ask_with((peer), &(struct sbi_ask){ .unused_ = 0, __VA_ARGS__ })
struct sbi_exchange *sbi_ask_with(struct sbi_peer *peer, const struct sbi_ask *ask);
/* The i-th of ixit operations, from 0; {callback} in its body is sbi_peer_callback_uri(peer, "i").
 */
#define sbi_operation(peer, i, ...) \
	sbi_operation_with((peer), (i), &(struct sbi_ask){ .unused_ = 0, __VA_ARGS__ })
struct sbi_exchange *sbi_operation_with(struct sbi_peer *peer, size_t i, const struct sbi_ask *ask);
/* The first operation that (does not) subscribe; SIZE_MAX: the profile has none. */
size_t sbi_subscribing(struct tc *t);
size_t sbi_plain(struct tc *t);

/*
 * Waits for the end. sbi_finish: an answer, whatever its status; else the case ends: nobody there
 * is tc_unreachable, silence and a broken connection tc_iut_dead, a reset or what is not HTTP/2
 * fails. sbi_finish_try: NULL where there is no answer.
 */
const struct sbi_response *sbi_finish(struct sbi_exchange *exchange);
const struct sbi_response *sbi_finish_try(struct sbi_exchange *exchange);
enum sbi_end sbi_exchange_end(const struct sbi_exchange *exchange);
enum http_failure sbi_failure(const struct sbi_exchange *exchange);
const char *sbi_failure_why(const struct sbi_exchange *exchange);
/* NULL: not yet, or failed. */
const struct sbi_response *sbi_response(const struct sbi_exchange *exchange);
/* Priority that it was asked with; -1: none. */
int sbi_asked_priority(const struct sbi_exchange *exchange);
/* Waits until none of these is pending. */
void sbi_finish_all(struct tc *t, struct sbi_exchange *const *exchanges, size_t count);
/* A member of the answer's JSON body; the reader's fault ends the case with tc_violation. */
const void *sbi_read(struct tc *t, const struct sbi_response *response,
		     const struct json_object *object);
/* Prints the answer: status, header fields, body (cut). For tc_detail. */
void sbi_print(struct text *out, const struct http_message *message);

/* --- what was said in requests to us ------------------------------------------------------------
 */

/* OCI and LCI of any message; kept until the case ends. */
struct sbi_loads sbi_oci_of(struct tc *t, const struct http_message *message);
struct sbi_loads sbi_lci_of(struct tc *t, const struct http_message *message);
/* 0 to 31; -1: there is no such field; -2: it cannot be read. */
int sbi_priority_of(const struct http_message *message);

#endif
