/* What the parts of the SBI emulation know of each other; cases see sbi_peer.h, sbi_load.h. */
#ifndef SPILLWAY_RUNNER_EMULATION_SBI_PRIVATE_H
#define SPILLWAY_RUNNER_EMULATION_SBI_PRIVATE_H

#include "runner/emulation/emulation.h"
#include "runner/emulation/sbi_load.h"

enum {
	SBI_CLIENTS_MAX = 16,	    /* targets of one peer */
	SBI_EXCHANGES_MAX = 200000, /* of a case */
	SBI_SAID_MAX = 16,	    /* elements of OCI, or of LCI, of one peer */
	SBI_LINE_MAX = 8192,
	SBI_ELEMENTS_MAX = 64, /* of OCI or LCI in a message that are looked at */
	SBI_SCRATCH = 1 << 20,
	SBI_PROFILE_MAX = 8192,
};

struct sbi_client {
	struct net_address address;
	bool https;
	struct http_client *client;
};

/* The lines of one header field that every answer of a peer has. */
struct sbi_lines {
	char *lines[SBI_SAID_MAX]; /* SBI_LINE_MAX octets each */
	size_t count;
	int64_t timestamp; /* the last that was given */
};

struct sbi_peer {
	struct sbi *sbi;
	struct sbi_peer *next;
	struct sbi_peer_options options;
	unsigned int entry;
	char name[16];
	char id[40];
	char root[128];
	char set_id[96];
	char service[64], service_instance[80], service_set[200];
	char fqdn[96], via[112]; /* of an SCP */
	struct net_address address;
	struct sbi_server *server;
	struct sbi_client clients[SBI_CLIENTS_MAX];
	size_t client_count;
	uint64_t created; /* resources that POST made */
	struct sbi_lines oci, lci;
	char profile[SBI_PROFILE_MAX];
};

struct sbi_exchange {
	struct sbi_peer *peer;
	struct http_stream *stream;
	enum sbi_end end;
	enum http_failure failure;
	int priority;	/* -1: none */
	uint64_t limit; /* loop time by which it has ended */
	char what[120]; /* "POST /nsmf-pdusession/v1/sm-contexts" */
	char why[200];
	char to[64];
	struct sbi_response response;
	char cause[64];
};

struct sbi {
	struct emulation *e;
	struct tc *t;
	struct http *http;
	struct sbi_nrf *nrf;
	struct access_token_key *token_key;	/* of our NRF; NULL: the profile has none */
	bool tokens;				/* are used */
	struct access_token_key *iut_token_key; /* of an IUT that is an NRF */
	struct sbi_peer *peers;			/* in order of their start */
	bool taken[PROFILE_LIST_MAX];
	struct random random;
	size_t exchanges;
	uint64_t last_arrival; /* of a request at any peer */
	uint64_t arrived;      /* requests at all peers */
	struct sbi_load elements[SBI_ELEMENTS_MAX];
	uint8_t *scratch; /* SBI_SCRATCH */
	const struct json_nf_profile *iut_profile;
	struct octets iut_profile_octets;
	size_t iut_profile_number; /* of the request at the NRF that it came with, from 1 */
	/* where expect_sbi goes on */
	struct {
		struct sbi_server *server;
		size_t next;
	} looked[PROFILE_LIST_MAX + 2];
};

struct sbi *sbi_of_case(struct tc *t);
/* What our servers show, and what we show to the IUT; NULL: clear text. */
const struct http_tls *sbi_server_tls(const struct profile *profile, struct http_tls *tls);
const struct http_tls *sbi_client_tls(const struct profile *profile, struct http_tls *tls);
const char *sbi_peer_type(const struct sbi_peer *peer); /* "AMF" */
/* A copy in the case's memory; NULL: the case was ended, since too much came. */
const struct http_message *sbi_keep(struct sbi *sbi, const struct http_message *message);
bool sbi_octets_are(struct octets octets, const char *text);
/* Whether octets begin so; text NULL: always. */
bool sbi_octets_begin(struct octets octets, const char *text);
/* The value of its authorization field for a path of the IUT's; "": none. */
void sbi_peer_bearer(struct sbi_peer *peer, enum sbi_bearer kind, const char *path,
		     struct text *out);
/* From the profile; and at the end of the case. */
void sbi_take_keys(struct sbi *sbi);
void sbi_forget_tokens(struct sbi *sbi);
/* Whether requests for its services need a token from now on. */
void sbi_peer_guard(struct sbi_peer *peer);
/* What an SCP does with a request, and what it is called. */
void sbi_scp_serve(struct sbi_request *request, void *arg);
void sbi_scp_name(struct sbi_peer *peer);
/* The fields of its answers, from what it says. */
void sbi_set_fields(struct sbi_peer *peer);

#endif
