/*
 * The network function of the hostile tests on SBI: an NF of any role that does just enough to come
 * to the message at which it goes wrong, in every way that a peer can.
 */
#ifndef SPILLWAY_RUNNER_EMULATION_FAKE_NF_H
#define SPILLWAY_RUNNER_EMULATION_FAKE_NF_H

#include "runner/case/iut.h"

enum fake_nf_wrong {
	FAKE_NF_RIGHT,
	FAKE_NF_SILENT, /* from this message on it answers and sends nothing */
	FAKE_NF_RESET,	/* streams are reset */
	FAKE_NF_MIDWAY, /* half an answer, then a reset */
	FAKE_NF_DROP,	/* connections break */
	FAKE_NF_GONE,	/* nobody listens any more */
	FAKE_NF_STATUS_500,
	FAKE_NF_STATUS_599,
	FAKE_NF_EMPTY,	     /* 200 without a body */
	FAKE_NF_BAD_JSON,    /* octets that are no JSON */
	FAKE_NF_OTHER_JSON,  /* JSON of another shape, 30 levels deep */
	FAKE_NF_HUGE,	     /* a body of 400 KiB */
	FAKE_NF_BAD_FIELDS,  /* OCI, LCI, Retry-After, Location, priority that are nonsense */
	FAKE_NF_MANY_FIELDS, /* 60 lines of OCI, each with many elements */
	FAKE_NF_FAR_DATES,   /* OCI whose numbers and dates overflow */
	FAKE_NF_LOOP,	     /* 307 to itself */
	FAKE_NF_FLOOD,	     /* 30,000 requests at the tester */
	FAKE_NF_LIES,	     /* figures of control actions that cannot be */
	FAKE_NF_NO_ACTION,   /* no action is supported */
	FAKE_NF_WRONGS,
};

struct fake_nf_plan {
	enum fake_nf_wrong wrong;
	unsigned int at;       /* which answer, or request, of its own, from 0 */
	unsigned int messages; /* so far */
};
extern struct fake_nf_plan fake_nf_plan;

extern const struct iut_ops fake_nf_server, fake_nf_client, fake_nrf;

#endif
