/* What the IUT sent to the tester's UP functions, counted as it came. */
#include "runner/emulation/upf_private.h"

struct upf_count {
	const struct n4 *n4;
	size_t from, to;
};

void upf_note_request(struct pfcp_end *end, const struct pfcp_received *m)
{
	struct n4 *n4 = end->n4;
	struct emulation *e = n4->e;

	if (n4->request_count == n4->request_max) {
		size_t max = n4->request_max ? 2 * n4->request_max : 4096;
		struct upf_request *requests;

		if (max > UPF_REQUESTS_MAX) {
			emulation_end(e, VERDICT_FAIL,
				      "%s: the IUT floods the tester: more than %d requests",
				      end->name, UPF_REQUESTS_MAX);
			return;
		}
		requests = tc_alloc(e->t, max * sizeof(*requests));
		if (n4->request_count)
			memcpy(requests, n4->requests, n4->request_count * sizeof(*requests));
		n4->requests = requests;
		n4->request_max = max;
	}
	n4->requests[n4->request_count++] = (struct upf_request){
		.time = m->time,
		.at = end->owner,
		.class = n4->classify ? n4->classify(&m->msg) : 0,
		.type = m->msg.type,
		.address = (uint8_t)m->address,
		.priority = m->msg.has_priority ? (int8_t)m->msg.priority : -1,
	};
}

void upf_classify(struct tc *t, int (*classify)(const struct pfcp_message *msg))
{
	n4_of_case(t)->classify = classify;
}

struct upf_count *upf_count_start(struct tc *t)
{
	struct n4 *n4 = n4_of_case(t);
	struct upf_count *count = tc_alloc(t, sizeof(*count));

	*count = (struct upf_count){ .n4 = n4, .from = n4->request_count, .to = SIZE_MAX };
	return count;
}

void upf_count_stop(struct upf_count *count)
{
	count->to = count->n4->request_count;
}

static bool is_session_request(uint8_t type)
{
	return type == PFCP_SESSION_ESTABLISHMENT_REQUEST ||
	       type == PFCP_SESSION_MODIFICATION_REQUEST || type == PFCP_SESSION_DELETION_REQUEST;
}

static bool matches(const struct upf_request *r, const struct upf_which *which)
{
	return (which->type ? r->type == which->type : is_session_request(r->type)) &&
	       (!which->at || r->at == which->at) &&
	       (!which->address || r->address == which->address - 1) &&
	       (!which->priority || r->priority == which->priority - 1) &&
	       (!which->no_priority || r->priority < 0) &&
	       (!which->class || r->class == which->class) && r->time >= which->after &&
	       (!which->before || r->time < which->before);
}

static size_t end_of(const struct upf_count *count)
{
	return count->to < count->n4->request_count ? count->to : count->n4->request_count;
}

uint64_t upf_counted_with(const struct upf_count *count, const struct upf_which *which)
{
	uint64_t n = 0;

	for (size_t i = count->from; i < end_of(count); i++)
		n += matches(&count->n4->requests[i], which);
	return n;
}

uint64_t upf_last_counted(const struct upf_count *count)
{
	for (size_t i = end_of(count); i > count->from; i--)
		if (is_session_request(count->n4->requests[i - 1].type))
			return count->n4->requests[i - 1].time;
	return LOOP_NEVER;
}
