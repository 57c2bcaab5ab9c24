/* What the parts of the tester's UP functions know of each other. */
#ifndef SPILLWAY_RUNNER_EMULATION_UPF_PRIVATE_H
#define SPILLWAY_RUNNER_EMULATION_UPF_PRIVATE_H

#include "runner/emulation/pfcp_private.h"
#include "runner/emulation/upf.h"

enum {
	UPF_SESSIONS_MAX = 1 << 17,
	UPF_REQUESTS_MAX = 1 << 20, /* that are counted in a case */
	UPF_INSTANCES_MAX = 8,	    /* of overload control information in a message */
};

struct upf_session {
	struct upf *upf;
	uint64_t seid, cp_seid;
	struct net_address cp;
	unsigned int address; /* of the F-SEID, from 0 */
	uint16_t pdr;
	bool established;
};

/* What is to be put into messages, and how often it has been. */
struct upf_informing {
	struct upf_information what;
	unsigned int used;
};

struct upf {
	struct pfcp_end end;
	bool associated;
	unsigned int associations; /* so far */
	uint8_t cp_features[8];
	size_t cp_features_len;
	uint8_t refuse;
	struct upf_session **sessions; /* all there were: the SEID is first_seid and the index */
	size_t session_count, session_max, established;
	uint64_t first_seid;
	uint32_t last_teid;
	struct upf_informing oci[UPF_INSTANCES_MAX], lci;
	size_t oci_count;
	bool has_lci;
	uint64_t oci_sent, lci_sent, oci_sent_at;
};

/* A request of the IUT, as it is counted. */
struct upf_request {
	uint64_t time;
	const struct upf *at;
	int class;
	uint8_t type;
	uint8_t address;
	int8_t priority; /* -1: none */
};

/* Puts load and overload control information into a message; session NULL: about none. */
void upf_inform(struct upf *upf, struct pfcp_message *msg, enum upf_place place,
		const struct upf_session *session);
/* The address that all of the information is about, from 1; 0: any. */
unsigned int upf_informed_address(const struct upf *upf);
void upf_note_request(struct pfcp_end *end, const struct pfcp_received *m);

#endif
