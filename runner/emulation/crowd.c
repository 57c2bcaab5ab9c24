/*
 * Many UEs at once: a small state machine for each, driven by its timer and by what the IUT sends.
 */
#include "runner/emulation/crowd.h"

#include <errno.h>
#include <string.h>

#include "runner/emulation/emulation.h"

#define OWN_RELEASE		 (100 * US_PER_MS) /* what the IUT gets for a release of its own accord */
#define REGISTRATIONS_PER_SECOND 200

enum {
	STEPS_MAX = 12, /* messages of the IUT before the one that decides */
};

enum phase {
	PHASE_REST,
	PHASE_SEND,
	PHASE_ANSWER,
	PHASE_LINGER,  /* decided; the IUT may release the connection */
	PHASE_RELEASE, /* the node has asked for it */
};

struct member {
	struct crowd *crowd;
	struct ue *ue;
	struct timer timer;
	enum phase phase;
	unsigned int steps;
	struct crowd_answer answer;
};

struct crowd {
	struct emulation *e;
	uint32_t count;
	enum crowd_request request;
	uint32_t undecided, busy; /* members without outcome; members not back at rest */
	struct member *members;
};

static void rest(struct member *member)
{
	timer_stop(&member->timer);
	member->phase = PHASE_REST;
	member->crowd->busy--;
}

static bool member_connected(const struct member *member)
{
	return member->ue->access[gnb_access(member->ue->node)].connection != NULL;
}

static void decide(struct member *member, enum crowd_outcome outcome, const struct nas_received *m)
{
	member->answer.outcome = outcome;
	member->answer.cause = -1;
	if (m) {
		member->answer.answered = m->time;
		member->answer.type = m->msg.type;
		member->answer.cause = received_cause(m);
		member->answer.t3346 = received_t3346(m);
	}
	member->crowd->undecided--;
	if (!member_connected(member)) {
		rest(member);
		return;
	}
	member->phase = PHASE_LINGER;
	timer_start(&member->timer, OWN_RELEASE);
}

static void send_request(struct member *member)
{
	static const struct ue_options none;
	struct crowd *crowd = member->crowd;
	struct ue *ue = member->ue;
	int error = 0;

	member->phase = PHASE_ANSWER;
	member->steps = 0;
	member->answer = (struct crowd_answer){ .sent = loop_now(crowd->e->t->loop), .cause = -1 };
	timer_start(&member->timer, crowd->e->t->profile->response_time);
	switch (crowd->request) {
	case CROWD_REGISTRATION:
		error = ue_submit_registration(ue, REG_INITIAL, &none);
		break;
	case CROWD_SERVICE_REQUEST:
		error = ue_submit_service_request(ue, SR_DATA, &none);
		break;
	case CROWD_MOBILITY_UPDATE:
		error = ue_submit_registration(ue, REG_MOBILITY, &none);
		break;
	case CROWD_PERIODIC_UPDATE:
		error = ue_submit_registration(ue, REG_PERIODIC, &none);
		break;
	}
	if (error)
		emulation_end(crowd->e,
			      error == -ENOTCONN ? emulation_dead(crowd->e) : VERDICT_ERROR,
			      "%s cannot send its request: %s", ue->name, strerror(-error));
}

static void on_timer(struct timer *timer, void *arg)
{
	struct member *member = arg;
	const struct ue_access *a = &member->ue->access[gnb_access(member->ue->node)];

	(void)timer;
	if (member->crowd->e->ended)
		return;
	switch (member->phase) {
	case PHASE_SEND:
		send_request(member);
		break;
	case PHASE_ANSWER:
		decide(member, CROWD_SILENT, NULL);
		break;
	case PHASE_LINGER:
		member->phase = PHASE_RELEASE;
		timer_start(&member->timer, member->crowd->e->t->profile->response_time);
		if (a->connection && gnb_release_request(a->gnb, a->connection) != 0)
			rest(member);
		break;
	case PHASE_RELEASE:
		rest(member);
		break;
	case PHASE_REST:
		break;
	}
}

static void on_nas(struct ue *ue, const struct nas_received *m, void *arg)
{
	struct member *member = arg;

	(void)ue;
	if (member->phase != PHASE_ANSWER)
		return;
	switch (m->msg.type) {
	case REGISTRATION_ACCEPT:
	case SERVICE_ACCEPT:
		decide(member, CROWD_ACCEPTED, m);
		break;
	case REGISTRATION_REJECT:
	case SERVICE_REJECT:
		decide(member, CROWD_REJECTED, m);
		break;
	case AUTHENTICATION_REQUEST:
	case AUTHENTICATION_RESULT:
	case SECURITY_MODE_COMMAND:
	case IDENTITY_REQUEST:
	case CONFIGURATION_UPDATE_COMMAND:
	case DL_NAS_TRANSPORT:
		if (++member->steps > STEPS_MAX)
			decide(member, CROWD_OTHER, m);
		else
			timer_start(&member->timer, member->crowd->e->t->profile->response_time);
		break;
	default:
		decide(member, CROWD_OTHER, m);
		break;
	}
}

static void on_idle(struct ue *ue, void *arg)
{
	struct member *member = arg;

	(void)ue;
	if (member->phase == PHASE_LINGER || member->phase == PHASE_RELEASE)
		rest(member);
}

struct crowd *crowd_new(struct tc *t, struct gnb *const *gnbs, size_t gnb_count, uint32_t count)
{
	struct crowd *crowd = tc_alloc(t, sizeof(*crowd));

	crowd->e = emulation_of(t);
	crowd->count = count;
	crowd->members = tc_alloc(t, (count ? count : 1) * sizeof(*crowd->members));
	for (uint32_t i = 0; i < count; i++) {
		struct member *member = &crowd->members[i];

		member->crowd = crowd;
		member->ue = ue_new(gnbs[i % gnb_count]);
		timer_init(&member->timer, t->loop, "crowd", on_timer, member);
	}
	return crowd;
}

uint32_t crowd_count(const struct crowd *crowd)
{
	return crowd->count;
}

struct ue *crowd_ue(const struct crowd *crowd, uint32_t i)
{
	return i < crowd->count ? crowd->members[i].ue : NULL;
}

const struct crowd_answer *crowd_answer(const struct crowd *crowd, uint32_t i)
{
	return i < crowd->count ? &crowd->members[i].answer : NULL;
}

static bool all_decided(void *arg)
{
	const struct crowd *crowd = arg;

	return crowd->undecided == 0;
}

static bool all_at_rest(void *arg)
{
	const struct crowd *crowd = arg;

	return crowd->busy == 0;
}

void crowd_run(struct crowd *crowd, enum crowd_request request, uint64_t over)
{
	struct tc *t = crowd->e->t;
	uint64_t response = t->profile->response_time;

	crowd->request = request;
	crowd->undecided = crowd->busy = crowd->count;
	for (uint32_t i = 0; i < crowd->count; i++) {
		struct member *member = &crowd->members[i];

		member->ue->on_nas = on_nas;
		member->ue->on_idle = on_idle;
		member->ue->on_arg = member;
		member->phase = PHASE_SEND;
		timer_start(&member->timer, over * i / crowd->count);
	}
	/* Each member ends by its own timer; the limit is for the sake of certainty. */
	tc_wait(t, over + (STEPS_MAX + 2) * response, all_decided, crowd);
	if (crowd->undecided)
		tc_error(t, "%u members of the crowd did not come to an end", crowd->undecided);
	tc_wait(t, 2 * response + OWN_RELEASE, all_at_rest, crowd);
	for (uint32_t i = 0; i < crowd->count; i++) {
		struct member *member = &crowd->members[i];

		member->ue->on_nas = NULL;
		member->ue->on_idle = NULL;
		timer_stop(&member->timer);
		member->phase = PHASE_REST;
	}
}

void crowd_registered(struct crowd *crowd)
{
	struct tc *t = crowd->e->t;

	crowd_run(crowd, CROWD_REGISTRATION, crowd->count * US_PER_S / REGISTRATIONS_PER_SECOND);
	for (uint32_t i = 0; i < crowd->count; i++) {
		const struct member *member = &crowd->members[i];
		const struct crowd_answer *answer = &member->answer;

		if (answer->outcome == CROWD_SILENT)
			tc_iut_dead(t, "%s: REGISTRATION REQUEST is not answered within %llu ms",
				    member->ue->name,
				    (unsigned long long)(t->profile->response_time / US_PER_MS));
		if (answer->outcome != CROWD_ACCEPTED)
			tc_inconc(t, "%s of %u is not registered: %s, 5GMM cause %d (-1: none)",
				  member->ue->name, crowd->count, nas_message_name(answer->type),
				  answer->cause);
		if (member_connected(member))
			tc_iut_dead(t,
				    "%s: UE CONTEXT RELEASE REQUEST is not answered by UE CONTEXT "
				    "RELEASE COMMAND",
				    member->ue->name);
	}
}
