/*
 * Header fields of the service-based interface, TS 29.500 5.2.3, and the few of HTTP that its
 * overload control leans on.
 *
 * Values come as octets of the peer: they are views, never copied, and what is returned points into
 * them or into the caller's arena. Nothing here allocates, knows the time, or fails other than by
 * an error value. A reader in lenient mode accepts what can be made out and records findings; a
 * value without findings conforms to the grammar. In a finding, `bit` is eight times the offset in
 * the header line, and `ie` is the number of the line, from 0.
 */
#ifndef SPILLWAY_CODECS_SBI_SBI_H
#define SPILLWAY_CODECS_SBI_SBI_H

#include "codecs/arena.h"
#include "codecs/finding.h"
#include "codecs/octets.h"
#include "codecs/text.h"

/* The octets of a string, without its terminator. */
static inline struct octets sbi_octets(const char *s)
{
	return OCTETS((const uint8_t *)s, strlen(s));
}

/* As ASCII, whatever the case of letters. */
bool sbi_equal_nocase(struct octets a, const char *b);

/*
 * The release whose grammar a value has to keep. Rel-18 knows what Rel-16 knows, and beside it
 * the NFC- scopes, Service-Name, NF-Inst and SEPP-FQDN.
 */
enum sbi_release {
	SBI_REL_16 = 16,
	SBI_REL_18 = 18,
};

/* --- scopes of OCI and LCI, 6.4.3.4.5 and 6.3.3.4.4 ------------------------------------------ */

enum sbi_scope_kind {
	SBI_SCOPE_NONE,
	SBI_SCOPE_NF_INSTANCE,
	SBI_SCOPE_NF_SET,
	SBI_SCOPE_NF_SERVICE_INSTANCE,
	SBI_SCOPE_NF_SERVICE_SET,
	SBI_SCOPE_NFC_INSTANCE, /* NFC-: of a consumer, Rel-18 */
	SBI_SCOPE_NFC_SET,
	SBI_SCOPE_NFC_SERVICE_INSTANCE,
	SBI_SCOPE_NFC_SERVICE_SET,
	SBI_SCOPE_CALLBACK_URI,
	SBI_SCOPE_SCP_FQDN,
	SBI_SCOPE_SEPP_FQDN,
};
const char *sbi_scope_name(enum sbi_scope_kind kind); /* "NF-Instance"; "?" where there is none */

enum {
	SBI_DNNS_MAX = 10,   /* 6.4.3.4.5.2.2 */
	SBI_VALUES_MAX = 32, /* S-NSSAIs, Callback-Uris; more are a finding and are left out */
};

/* Values that are joined by "&"; in the caller's arena. Callback URIs are without their quotes. */
struct sbi_values {
	const struct octets *items;
	size_t count;
};

struct sbi_scope {
	enum sbi_scope_kind kind;
	struct octets id;	    /* of all kinds but Callback-Uri */
	struct octets nf_inst;	    /* NF-Inst after a service instance; empty: absent */
	struct octets service_name; /* Service-Name of a consumer scope; empty: absent */
	struct sbi_values callback_uris;
	struct sbi_values snssais; /* each as it came: JSON, mostly percent-encoded */
	struct sbi_values dnns;
};

/* Same kind and same id (letters of any case in UUIDs and FQDNs), same lists in the same order. */
bool sbi_scope_equal(const struct sbi_scope *a, const struct sbi_scope *b);

/* --- 3gpp-Sbi-Oci, 5.2.3.2.9, and 3gpp-Sbi-Lci, 5.2.3.2.8 ------------------------------------- */

/* Parts that were there and could be read, whether or not without a finding. */
enum {
	SBI_HAS_TIMESTAMP = 1,
	SBI_HAS_VALIDITY = 2, /* OCI */
	SBI_HAS_METRIC = 4,
	SBI_HAS_SCOPE = 8,
	SBI_HAS_RELATIVE_CAPACITY = 16, /* LCI */
};

/* One element of either header; what only one of them has is 0 in the other. */
struct sbi_load {
	struct octets text;   /* the element as it came, without surrounding blanks */
	struct finding fault; /* its first; rule FINDING_NONE: it conforms and is to be obeyed */
	unsigned int has;     /* SBI_HAS_... */
	int64_t timestamp;    /* seconds since 1970 */
	uint32_t validity;    /* seconds; what is longer than UINT32_MAX is UINT32_MAX */
	uint16_t metric;      /* percent; above 100 only beside a fault */
	uint16_t relative_capacity;
	struct sbi_scope scope;
};

/*
 * Reads every element of a header field: count lines of the same name, in the order in which they
 * came, each with a list of elements. A comma in quotes or in braces does not part elements. The
 * elements are independent: a fault in one leaves the others as they are. At most max elements are
 * stored; *found is how many there are. FINDING_NONE, or in strict mode the rule of the first
 * fault, or FINDING_NO_MEMORY (arena; only for lists of S-NSSAIs, DNNs and URIs).
 */
enum finding_rule sbi_oci_read(struct sbi_load *elements, size_t max, size_t *found,
			       const struct octets *lines, size_t count, enum sbi_release release,
			       struct arena *arena, enum decode_mode mode,
			       struct findings *findings);
enum finding_rule sbi_lci_read(struct sbi_load *elements, size_t max, size_t *found,
			       const struct octets *lines, size_t count, enum sbi_release release,
			       struct arena *arena, enum decode_mode mode,
			       struct findings *findings);

/*
 * The canonical form of one element: order, spelling and blanks of the standard. Parts that are not
 * in `has` are left out, so that a tester can make what no reader should obey.
 */
void sbi_oci_print(struct text *out, const struct sbi_load *oci);
void sbi_lci_print(struct text *out, const struct sbi_load *lci);

/* "Overload-Reduction-Metric: value out of range, line 1, octet 73" */
void sbi_finding_print(struct text *out, const struct finding *finding);

/* --- small values ----------------------------------------------------------------------------- */

enum { SBI_PRIORITY_DEFAULT = 24, SBI_PRIORITY_MAX = 31 }; /* 6.8.4 */

/* 3gpp-Sbi-Message-Priority, 5.2.3.2.2: 0 (highest) to 31. FINDING_NONE, or why not. */
enum finding_rule sbi_priority_read(uint8_t *priority, struct octets value,
				    struct findings *findings);

/* Retry-After, RFC 9110 10.2.3. */
struct sbi_retry_after {
	bool is_date;
	uint32_t seconds; /* saturated */
	int64_t date;	  /* seconds since 1970 */
};
/*
 * FINDING_NONE, or why the value cannot be used. The two obsolete forms of a date, which a
 * recipient has to accept, are read, with a finding FINDING_RESERVED.
 */
enum finding_rule sbi_retry_after_read(struct sbi_retry_after *after, struct octets value,
				       struct findings *findings);
void sbi_retry_after_print(struct text *out, const struct sbi_retry_after *after);

/* 3gpp-Sbi-Max-Rsp-Time, 5.2.3.2.6: milliseconds. */
enum finding_rule sbi_max_rsp_time_read(uint32_t *ms, struct octets value,
					struct findings *findings);

/* 3gpp-Sbi-Callback, 5.2.3.2.3: the service operation, and the API's version where it is given. */
struct sbi_callback {
	struct octets name;
	uint32_t api_version; /* 0: absent */
};
enum finding_rule sbi_callback_read(struct sbi_callback *callback, struct octets value,
				    struct findings *findings);

/* --- lists of name and value -------------------------------------------------------------------*/

/*
 * The parameters of 3gpp-Sbi-Binding, -Routing-Binding, -Producer-Id, -Consumer-Info and
 * -Correlation-Info: parted by ";", name and value parted by "=" (in Correlation-Info by "-": type
 * and identity). Values in quotes are without them.
 */
struct sbi_parameter {
	struct octets name; /* empty in a Producer-Id that is the UUID alone (Rel-16) */
	struct octets value;
};
struct sbi_parameters {
	struct sbi_parameter items[16]; /* more are a finding, and are left out */
	size_t count;
};
const struct octets *sbi_parameter(const struct sbi_parameters *parameters, const char *name);

enum finding_rule sbi_binding_read(struct sbi_parameters *parameters, struct octets value,
				   struct findings *findings);
enum finding_rule sbi_producer_id_read(struct sbi_parameters *parameters, struct octets value,
				       struct findings *findings);
enum finding_rule sbi_correlation_info_read(struct sbi_parameters *parameters, struct octets value,
					    struct findings *findings);

/* --- URIs ------------------------------------------------------------------------------------- */

struct sbi_uri {
	struct octets scheme;
	struct octets host;  /* without the brackets of an IPv6 address */
	uint16_t port;	     /* that of the scheme where none is given */
	struct octets path;  /* with its first "/", or empty */
	struct octets query; /* without "?" */
	bool has_port;
	bool has_query;
};
/* An absolute http or https URI: Location, Callback-Uri, 3gpp-Sbi-Target-apiRoot, -Nrf-Uri. */
enum finding_rule sbi_uri_read(struct sbi_uri *uri, struct octets value, struct findings *findings);
/* 5.2.3.2.4: scheme, authority, and a prefix of the path without a "/" at its end; no query. */
enum finding_rule sbi_target_apiroot_read(struct sbi_uri *uri, struct octets value,
					  struct findings *findings);
/* Whether a Callback-Uri scope matches a URI: same scheme and authority, path below the scope's. */
bool sbi_uri_under(const struct sbi_uri *uri, const struct sbi_uri *scope);

/* --- every header field ----------------------------------------------------------------------- */

enum sbi_header {
	SBI_HEADER_OTHER, /* not one that this codec reads */
	SBI_HEADER_OCI,
	SBI_HEADER_LCI,
	SBI_HEADER_MESSAGE_PRIORITY,
	SBI_HEADER_CALLBACK,
	SBI_HEADER_TARGET_APIROOT,
	SBI_HEADER_ROUTING_BINDING,
	SBI_HEADER_BINDING,
	SBI_HEADER_DISCOVERY, /* 3gpp-Sbi-Discovery-*: a query parameter of the NRF's discovery */
	SBI_HEADER_PRODUCER_ID,
	SBI_HEADER_CORRELATION_INFO,
	SBI_HEADER_SENDER_TIMESTAMP,
	SBI_HEADER_ORIGINATION_TIMESTAMP,
	SBI_HEADER_MAX_RSP_TIME,
	SBI_HEADER_NRF_URI,
	SBI_HEADER_ACCESS_SCOPE,
	SBI_HEADER_ACCESS_TOKEN,
	SBI_HEADER_CLIENT_CREDENTIALS,
	SBI_HEADER_TARGET_NF_ID,
	SBI_HEADER_RETRY_AFTER,
	SBI_HEADER_DATE,
	SBI_HEADER_LOCATION,
};
/* Whatever the case of letters. */
enum sbi_header sbi_header_of(struct octets name);
const char *sbi_header_name(enum sbi_header header); /* in lower case, as on the wire */

/*
 * Checks one line of any header field; those that are not known have no findings. The arena is used
 * and put back. FINDING_NONE, or the rule of the first finding.
 */
enum finding_rule sbi_header_check(struct octets name, struct octets value,
				   enum sbi_release release, struct arena *arena,
				   struct findings *findings);

#endif
