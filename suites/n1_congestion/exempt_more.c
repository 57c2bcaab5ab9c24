/*
 * Own cases of TP/N1/AMF/EXEMPT: the exemptions in the other states, over the other ways and at the
 * other times in which they hold as well.
 */
#include "runner/emulation/sbi_core_case.h"
#include "suites/n1_congestion/congestion.h"

/* A request of a registered UE. A type of service request, or of registration. */
static const struct request {
	enum sr_type service;
	enum reg_type registration; /* 0: a service request */
	enum rrc_cause cause;
	bool connected; /* goes into an UPLINK NAS TRANSPORT */
	unsigned int access_identity;
	const char *subscription; /* NULL: an ordinary one */
} requests[] = {
	{ .service = SR_EMERGENCY, .connected = true },
	{ .service = SR_ELEVATED_SIGNALLING, .connected = true },
	{ .service = SR_HIGH_PRIORITY,
	  .connected = true,
	  .access_identity = 1,
	  .subscription = "mps=yes" },
	{ .service = SR_HIGH_PRIORITY, .cause = RRC_HIGH_PRIORITY_ACCESS, .access_identity = 11 },
	{ .service = SR_HIGH_PRIORITY,
	  .cause = RRC_MCS_PRIORITY_ACCESS,
	  .access_identity = 2,
	  .subscription = "mcs=yes" },
	{ .registration = REG_MOBILITY, .cause = RRC_HIGH_PRIORITY_ACCESS, .access_identity = 11 },
	{ .registration = REG_INITIAL, .cause = RRC_EMERGENCY },
	{ .registration = REG_EMERGENCY, .cause = RRC_EMERGENCY },
};

static void exempt_request(struct tc *t)
{
	const struct request *request = &requests[t->test->param];
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	if (request->subscription &&
	    !tc_control_try(t, "subscriber supi=%s %s", ue_supi(ue), request->subscription))
		tc_note(t, "the subscription could not be set to %s", request->subscription);
	if (request->access_identity)
		ue_access_identity(ue, request->access_identity);
	ue_registered(ue, .stay_connected = request->connected);
	congest(t, &control);
	if (ue_is_connected(ue) != request->connected)
		tc_inconc(t, "the AMF released the UE before it could send its request");
	forget_nas(ue);
	if (request->registration) {
		ue_register(ue, request->registration, .cause = request->cause);
		served(t, ue, REGISTRATION_ACCEPT);
	} else {
		ue_service_request(ue, request->service, .cause = request->cause);
		served(t, ue, SERVICE_ACCEPT);
	}
	still_congested(t, &control);
}

/* --- more than once -------------------------------------------------------------------------- */

static void each_time(struct tc *t)
{
	enum { TIMES = 3 };
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	congest(t, &control);
	for (int i = 0; i < TIMES; i++) {
		ue_service_request(ue, SR_EMERGENCY, .cause = RRC_EMERGENCY);
		served(t, ue, SERVICE_ACCEPT);
		ue_idle(ue);
	}
	still_congested(t, &control);
}

/* --- paging ---------------------------------------------------------------------------------- */

static const struct paging {
	const char *kind; /* of what waits for the UE */
	int times;
	enum reg_type registration; /* the answer; 0: a service request */
} pagings[] = {
	{ "data", 2, 0 },
	{ "signalling", 1, 0 },
	{ "data", 1, REG_PERIODIC },
};

static void paged(struct tc *t)
{
	const struct paging *paging = &pagings[t->test->param];
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *ue = ue_new(gnb);

	ue_registered(ue);
	ue_can_be_paged(ue);
	congest(t, &control);
	for (int i = 0; i < paging->times; i++) {
		ue_downlink(ue, paging->kind);
		/* An AMF may hold back what waits while congested: no PAGING is no verdict. */
		expect_paging(t, ue, .silence = OUTCOME_INCONC);
		if (paging->registration) {
			ue_register(ue, paging->registration, .cause = RRC_MT_ACCESS);
			served(t, ue, REGISTRATION_ACCEPT);
		} else {
			ue_service_request(ue, SR_MOBILE_TERMINATED, .cause = RRC_MT_ACCESS);
			served(t, ue, SERVICE_ACCEPT);
		}
		ue_idle(ue);
	}
	still_congested(t, &control);
}

/* --- congestion by load ---------------------------------------------------------------------- */

static void exempt_at_load(struct tc *t)
{
	const struct profile *profile = t->profile;
	struct gnb *gnb = gnb_connect(t);
	struct control control = control_ues(gnb);
	struct ue *new = ue_new(gnb), *registered = ue_new(gnb);
	size_t i = 0;

	while (i < profile->load_level_count && !profile->load_levels[i].nas_congestion)
		i++;
	if (i == profile->load_level_count)
		tc_na(t, "no load level of the profile has nas-congestion: yes");
	ue_registered(registered);
	tc_control(t, "load percent=%u", profile->load_levels[i].from + 1);
	await_congestion(t, &control);
	ue_register(new, REG_EMERGENCY, .cause = RRC_EMERGENCY);
	served(t, new, REGISTRATION_ACCEPT);
	ue_service_request(registered, SR_EMERGENCY, .cause = RRC_EMERGENCY);
	served(t, registered, SERVICE_ACCEPT);
	still_congested(t, &control);
}

#define EXEMPT(number, row, letter, ics)                                        \
	.id = "TP/N1/AMF/EXEMPT/" number, .role = ROLE_AMF, .strength = SHOULD, \
	.requirement = "N1-A-" row, .clause = "24.501 5.3.9 " letter,           \
	.needs = NEEDS(ICS_NAS_CONGESTION) | (ics)
#define CONGESTED "AMF congested: "

const struct test_case exempt_more_cases[EXEMPT_MORE_CASES] = {
	{ EXEMPT("X04", "02", "a", NEEDS(ICS_EMERGENCY)),
	  .purpose = "An emergency service request in CM-CONNECTED is served",
	  .stimulus = CONGESTED "SERVICE REQUEST of type emergency services in an UPLINK NAS "
				"TRANSPORT",
	  .expect = "SERVICE ACCEPT", .run = exempt_request, .param = 0 },
	{ .id = "TP/N1/AMF/EXEMPT/X05",
	  .role = ROLE_AMF,
	  .strength = SHALL,
	  .requirement = "N1-A-13",
	  .clause = "23.501 5.19.7.2",
	  .needs = NEEDS(ICS_NAS_CONGESTION) | NEEDS(ICS_PS_DATA_OFF),
	  .purpose = "A request for elevated signalling in CM-CONNECTED is served",
	  .stimulus = CONGESTED "SERVICE REQUEST of type elevated signalling in an UPLINK NAS "
				"TRANSPORT",
	  .expect = "SERVICE ACCEPT",
	  .run = exempt_request,
	  .param = 1 },
	{ EXEMPT("X06", "04", "c", NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "High priority access in CM-CONNECTED is served",
	  .stimulus = CONGESTED "SERVICE REQUEST of type high priority access in an UPLINK NAS "
				"TRANSPORT",
	  .expect = "SERVICE ACCEPT", .run = exempt_request, .param = 2 },
	{ EXEMPT("X07", "04", "c", NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "High priority access by access class is served",
	  .stimulus = CONGESTED "SERVICE REQUEST of type high priority access, RRC cause "
				"highPriorityAccess",
	  .expect = "SERVICE ACCEPT", .run = exempt_request, .param = 3 },
	{ EXEMPT("X08", "04", "c", NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "High priority access of an MCS UE is served",
	  .stimulus = CONGESTED "SERVICE REQUEST of type high priority access, RRC cause "
				"mcs-PriorityAccess",
	  .expect = "SERVICE ACCEPT", .run = exempt_request, .param = 4 },
	{ EXEMPT("X09", "04", "c", NEEDS(ICS_HIGH_PRIORITY)),
	  .purpose = "The update of a high priority UE is served",
	  .stimulus = CONGESTED "mobility registration update, RRC cause highPriorityAccess",
	  .expect = "REGISTRATION ACCEPT", .run = exempt_request, .param = 5 },
	{ EXEMPT("X10", "08", "f", 0),
	  .purpose = "The radio's word for emergency counts for a UE that is known, too",
	  .stimulus = CONGESTED "initial registration with a 5G-GUTI and RRC cause emergency",
	  .expect = "REGISTRATION ACCEPT", .run = exempt_request, .param = 6 },
	{ EXEMPT("X11", "02", "a", NEEDS(ICS_EMERGENCY)),
	  .purpose = "An emergency registration with a 5G-GUTI is served",
	  .stimulus = CONGESTED "REGISTRATION REQUEST of type emergency with a 5G-GUTI",
	  .expect = "REGISTRATION ACCEPT", .run = exempt_request, .param = 7 },
	{ EXEMPT("X12", "06", "e", 0), .purpose = "The answer to each paging is served",
	  .stimulus = CONGESTED "PAGING answered by SERVICE REQUEST, twice",
	  .expect = "SERVICE ACCEPT both times", .run = paged, .param = 0 },
	{ EXEMPT("X13", "06", "e", 0), .purpose = "The answer to paging for signalling is served",
	  .stimulus = CONGESTED "PAGING for downlink signalling answered by SERVICE REQUEST",
	  .expect = "SERVICE ACCEPT", .run = paged, .param = 1 },
	{ EXEMPT("X14", "07", "e", 0), .purpose = "A periodic update that answers paging is served",
	  .stimulus = CONGESTED "PAGING answered by a periodic registration update, RRC cause "
				"mt-Access",
	  .expect = "REGISTRATION ACCEPT", .run = paged, .param = 2 },
	{ EXEMPT("X16", "02", "a", NEEDS(ICS_EMERGENCY)),
	  .purpose = "Exemptions hold where load caused the congestion",
	  .stimulus = "Load level with NAS congestion control: emergency registration, and SERVICE "
		      "REQUEST of type emergency services",
	  .expect = "REGISTRATION ACCEPT and SERVICE ACCEPT", .run = exempt_at_load },
	{ EXEMPT("X17", "02", "a", NEEDS(ICS_EMERGENCY)),
	  .purpose = "An exempt request is served each time",
	  .stimulus = CONGESTED "SERVICE REQUEST of type emergency services, three times",
	  .expect = "SERVICE ACCEPT each time", .run = each_time },
};
