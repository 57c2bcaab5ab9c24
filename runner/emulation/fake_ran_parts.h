/* What the two halves of the fake IUT, node and UE, know of each other. */
#ifndef SPILLWAY_RUNNER_EMULATION_FAKE_RAN_PARTS_H
#define SPILLWAY_RUNNER_EMULATION_FAKE_RAN_PARTS_H

#include "codecs/nas/nas_identity.h"
#include "codecs/nas/security/protection.h"
#include "runner/emulation/fake_ran.h"

enum { FAKE_UES = 256, FAKE_LINKS = 64 };

struct fake_link {
	struct iut *iut;
	struct link *link;
	bool used, up, set_up, n3iwf, added;
	size_t amf; /* of profile->amfs */
	struct net_address peer;
	int64_t update_pending; /* AMF CONFIGURATION UPDATE to be acknowledged when it is up */
};

struct fake_context {
	bool valid;
	uint8_t ngksi;
	uint8_t k_amf[32];
	struct nas_security_suite suite;
	uint32_t ul_count, dl_next;
};

struct fake_ran_ue {
	struct iut *iut;
	unsigned int number; /* from 1; 0: unused */
	char digits[16];
	bool n3iwf;
	bool registered, secured;
	bool has_guti;
	struct nas_guti guti;
	struct fake_context context, pending, other; /* of this access, and of the other one */
	uint64_t sqn;
	struct fake_link *via;
	int64_t ran_id, amf_id; /* 0: CM-IDLE; amf_id -1: not known */
	uint8_t initial[512];
	size_t initial_len;
	bool initial_protected;
	uint8_t wants; /* NAS message type to send when the back-off ends */
	uint8_t registration_type, service_type;
	struct timer back_off, delay;
	uint8_t waiting[1024];
	size_t waiting_len;
};

struct iut {
	struct loop *loop;
	struct net *net;
	const struct profile *profile;
	bool running, silent;
	struct fake_link links[FAKE_LINKS];
	struct fake_ran_ue ues[FAKE_UES];
	struct random random;
	struct timer retry;
	int64_t next_ran_id;
	/* attempts */
	struct timer attempt;
	unsigned int attempts_left;
	uint64_t attempt_every;
	int attempt_cause;
	bool attempt_requested;
	struct slice attempt_nssai[8];
	size_t attempt_nssai_count;
	struct control_waiter *waiter;
	unsigned int attempts_asked, attempts_offered, attempts_sent;
	size_t next_amf;
	/* flood */
	struct timer flood;
	struct fake_link *flood_link;
	uint8_t flood_message[1024];
	size_t flood_len;
	unsigned int flooded;
};

/* --- node --- */

void fake_drop(struct fake_link *link, bool abort);
void fake_setup(struct fake_link *link);
timer_fire fake_connect_all, fake_flood;
void fake_initial(struct fake_link *link, int64_t ran_id, struct octets nas, int cause,
		  const struct nas_guti *guti, const struct slice *nssai, size_t nssai_count);
void fake_send(struct fake_link *link, uint16_t stream, const struct ngap_pdu *pdu);
struct fake_link *fake_ready_link(struct iut *iut, bool n3iwf);
/* NAS of a UE, in INITIAL UE MESSAGE or UPLINK NAS TRANSPORT. */
void fake_uplink(struct fake_ran_ue *ue, struct octets nas, int cause);

/* --- UE --- */

/* The access for what comes next. */
void fake_ue_switch(struct fake_ran_ue *ue, bool n3iwf);
void fake_ue_register(struct fake_ran_ue *ue, uint8_t type);
void fake_ue_service(struct fake_ran_ue *ue, uint8_t type);
void fake_ue_deregister(struct fake_ran_ue *ue, bool switch_off);
void fake_ue_nas(struct fake_ran_ue *ue, struct octets pdu);
void fake_ue_paged(struct fake_ran_ue *ue);
void fake_ue_start(struct iut *iut, struct fake_ran_ue *ue, unsigned int number);

#endif
