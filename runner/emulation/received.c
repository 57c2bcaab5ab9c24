/*
 * Keeps what the IUT sent for as long as the case may want to look at it. Decoding runs twice: once
 * in a large scratch arena to learn how much memory the message really needs, then into exactly
 * that much, so that thousands of messages fit and a hostile one costs little.
 */
#include "runner/emulation/received.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "codecs/ngap/ngap_check.h"
#include "codecs/ngap/ngap_print.h"
#include "runner/emulation/emulation.h"

/* --- queues --- */

bool queue_push(struct tc *t, struct queue *queue, const struct ngap_received *ngap,
		const struct nas_received *nas, bool skippable)
{
	struct entry *entry;

	if (queue->count >= QUEUE_MAX)
		queue_drop_skippable(queue);
	if (queue->count >= QUEUE_MAX)
		return false;
	entry = tc_alloc(t, sizeof(*entry));
	*entry = (struct entry){ .ngap = ngap, .nas = nas, .skippable = skippable };
	if (queue->last)
		queue->last->next = entry;
	else
		queue->first = entry;
	queue->last = entry;
	queue->count++;
	return true;
}

void queue_remove(struct queue *queue, const struct entry *entry)
{
	struct entry *previous = NULL;

	for (struct entry *e = queue->first; e; previous = e, e = e->next) {
		if (e != entry)
			continue;
		if (previous)
			previous->next = e->next;
		else
			queue->first = e->next;
		if (queue->last == e)
			queue->last = previous;
		queue->count--;
		return;
	}
}

void queue_drop_skippable(struct queue *queue)
{
	struct entry *next;
	struct queue kept = { 0 };

	for (struct entry *e = queue->first; e; e = next) {
		next = e->next;
		if (e->skippable)
			continue;
		e->next = NULL;
		if (kept.last)
			kept.last->next = e;
		else
			kept.first = e;
		kept.last = e;
		kept.count++;
	}
	*queue = kept;
}

void queue_clear(struct queue *queue)
{
	*queue = (struct queue){ 0 };
}

/* --- the whole --- */

struct emulation *emulation_of(struct tc *t)
{
	if (!t->emulation) {
		t->emulation = tc_alloc(t, sizeof(*t->emulation));
		t->emulation->t = t;
		t->emulation->out = tc_alloc(t, MESSAGE_MAX);
		t->emulation->nas_out = tc_alloc(t, MESSAGE_MAX);
		t->emulation->nas_in = tc_alloc(t, MESSAGE_MAX);
		arena_init(&t->emulation->ngap_arena, tc_alloc(t, BUILD_MAX), BUILD_MAX);
		arena_init(&t->emulation->nas_arena, tc_alloc(t, BUILD_MAX), BUILD_MAX);
	}
	return t->emulation;
}

void emulation_end(struct emulation *e, enum verdict verdict, const char *format, ...)
{
	char reason[1024];
	va_list args;

	if (e->ended)
		return;
	e->ended = true;
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	tc_end_later(e->t, verdict, "%s", reason);
}

enum verdict emulation_dead(const struct emulation *e)
{
	return e->t->iut_answered ? VERDICT_FAIL : VERDICT_ERROR;
}

struct arena *emulation_arena(struct tc *t, size_t size)
{
	struct arena *arena = tc_alloc(t, sizeof(*arena) + _Alignof(max_align_t) + size);

	arena_init(arena, arena + 1, _Alignof(max_align_t) + size);
	return arena;
}

struct ngap_pdu ngap_build(struct emulation *e, enum ngap_message message)
{
	struct ngap_pdu pdu;

	arena_reset(&e->ngap_arena);
	ngap_pdu_init(&pdu, message, &e->ngap_arena);
	return pdu;
}

struct nas_msg nas_build(struct emulation *e, enum nas_message_type type)
{
	struct nas_msg msg;

	arena_reset(&e->nas_arena);
	nas_init(&msg, type, &e->nas_arena);
	return msg;
}

void watch_nas(struct tc *t, watch_nas_fn *fn, void *arg)
{
	struct emulation *e = emulation_of(t);

	if (e->watcher_count == WATCHERS_MAX)
		tc_error(t, "more than %d watchers in a case", WATCHERS_MAX);
	e->watchers[e->watcher_count].nas = fn;
	e->watchers[e->watcher_count++].arg = arg;
}

void watch_ngap(struct tc *t, watch_ngap_fn *fn, void *arg)
{
	struct emulation *e = emulation_of(t);

	if (e->watcher_count == WATCHERS_MAX)
		tc_error(t, "more than %d watchers in a case", WATCHERS_MAX);
	e->watchers[e->watcher_count].ngap = fn;
	e->watchers[e->watcher_count++].arg = arg;
}

/* --- messages --- */

void received_scratch(struct emulation *e, size_t size, struct arena *arena)
{
	if (e->scratch_size < size) {
		e->scratch = tc_alloc(e->t, size);
		e->scratch_size = size;
	}
	arena_init(arena, e->scratch, e->scratch_size);
}

void *received_memory(struct emulation *e, size_t size, size_t octets, size_t used,
		      struct arena *arena, uint8_t **copy)
{
	size_t align = _Alignof(max_align_t);
	size_t first = (size + align - 1) / align * align;
	size_t second = (octets + align - 1) / align * align;
	size_t total = first + second + used + align;
	uint8_t *memory;

	if (e->octets + total > RECEIVED_OCTETS_MAX) {
		emulation_end(e, VERDICT_FAIL,
			      "the IUT floods the tester: more than %d MiB of messages in one case",
			      RECEIVED_OCTETS_MAX >> 20);
		return NULL;
	}
	e->octets += total;
	memory = tc_alloc(e->t, total);
	*copy = memory + first;
	arena_init(arena, memory + first + second, used + align);
	return memory;
}

void received_findings(struct emulation *e, const struct finding *items, size_t count,
		       const struct finding **kept, size_t *kept_count)
{
	size_t n = count < FINDINGS_KEPT ? count : FINDINGS_KEPT;
	struct finding *copy;

	if (n == 0)
		return;
	copy = tc_alloc(e->t, n * sizeof(*copy));
	memcpy(copy, items, n * sizeof(*copy));
	e->octets += n * sizeof(*copy);
	*kept = copy;
	*kept_count = n;
}

void received_say_findings(struct text *why, const struct findings *findings)
{
	size_t n = findings->count < findings->max ? findings->count : findings->max;

	if (n > 0)
		text_printf(why, "%s in %s at octet %u",
			    finding_rule_name(findings->items[n - 1].rule),
			    findings->items[n - 1].field, findings->items[n - 1].bit / 8);
	else
		text_puts(why, "cannot be decoded");
}

struct ngap_received *received_ngap(struct emulation *e, struct gnb *gnb,
				    const struct link_message *message, struct text *why)
{
	struct finding items[FINDINGS_KEPT];
	struct findings findings = { .items = items, .max = FINDINGS_KEPT };
	struct ngap_received *m;
	struct ngap_pdu pdu;
	struct arena arena;
	uint8_t *copy;

	received_scratch(e, 64 * message->data.len + NGAP_ARENA_SIZE, &arena);
	if (ngap_decode(&pdu, message->data, &arena, DECODE_LENIENT, &findings) != 0) {
		received_say_findings(why, &findings);
		return NULL;
	}
	m = received_memory(e, sizeof(*m), message->data.len, arena.used + _Alignof(max_align_t),
			    &arena, &copy);
	if (!m) {
		text_puts(why, "too many messages");
		return NULL;
	}
	memcpy(copy, message->data.data, message->data.len);
	*m = (struct ngap_received){
		.time = loop_now(e->t->loop),
		.gnb = gnb,
		.stream = message->stream,
		.ppid = message->ppid,
		.octets = OCTETS(copy, message->data.len),
	};
	if (ngap_decode(&m->pdu, m->octets, &arena, DECODE_LENIENT, NULL) != 0) {
		emulation_end(e, VERDICT_ERROR, "a message decodes only once");
		text_puts(why, "internal error");
		return NULL;
	}
	m->reaction = (uint8_t)ngap_check(&m->pdu, &findings).reaction;
	m->pdu.arena = &e->ngap_arena;
	received_findings(e, items, findings.count, &m->findings, &m->finding_count);
	return m;
}

struct nas_received *received_nas(struct emulation *e, struct octets plain, struct octets octets,
				  const struct ngap_received *carrier, struct text *why)
{
	struct finding items[FINDINGS_KEPT];
	struct findings findings = { .items = items, .max = FINDINGS_KEPT };
	struct nas_received *m;
	struct nas_msg msg;
	struct arena arena;
	uint8_t *copy;

	received_scratch(e, NAS_ARENA_SIZE, &arena);
	if (nas_decode(&msg, plain, &arena, DECODE_LENIENT, &findings) != FINDING_NONE) {
		received_say_findings(why, &findings);
		return NULL;
	}
	m = received_memory(e, sizeof(*m), plain.len, arena.used + _Alignof(max_align_t), &arena,
			    &copy);
	if (!m) {
		text_puts(why, "too many messages");
		return NULL;
	}
	memcpy(copy, plain.data, plain.len);
	*m = (struct nas_received){
		.time = loop_now(e->t->loop),
		.plain = OCTETS(copy, plain.len),
		.octets = octets,
		.carrier = carrier,
	};
	if (nas_decode(&m->msg, m->plain, &arena, DECODE_LENIENT, NULL) != FINDING_NONE) {
		emulation_end(e, VERDICT_ERROR, "a message decodes only once");
		text_puts(why, "internal error");
		return NULL;
	}
	m->msg.arena = &e->nas_arena; /* printing looks into containers with it, later */
	received_findings(e, items, findings.count, &m->findings, &m->finding_count);
	return m;
}

/* --- what a case asks --- */

static struct timer_ie timer_of(struct octets value, enum nas_timer_coding coding)
{
	struct timer_ie timer = { .present = true, .value = value };
	struct nas_timer decoded;

	if (value.len != 1)
		return timer;
	decoded = nas_timer_decode(value.data[0], coding);
	timer.unit = (uint8_t)(value.data[0] >> 5);
	timer.number = value.data[0] & 0x1f;
	timer.state = decoded.state;
	timer.reserved_unit = decoded.reserved;
	timer.us = decoded.seconds * US_PER_S;
	return timer;
}

struct timer_ie received_timer(const struct nas_received *m, enum nas_ie ie)
{
	enum nas_timer_coding coding = NAS_TIMER_2;
	struct octets value;

	if (!m || !nas_get(&m->msg, ie, &value))
		return (struct timer_ie){ .present = false };
	nas_timer_coding_of(ie, &coding);
	return timer_of(value, coding);
}

struct timer_ie received_t3346(const struct nas_received *m)
{
	struct timer_ie timer = received_timer(m, NAS_IE_T3346_VALUE);
	const struct nas_item *item;

	if (timer.present || !m)
		return timer;
	item = nas_find_unknown(&m->msg, 0x5f);
	return item ? timer_of(item->value, NAS_TIMER_2) : timer;
}

bool received_iei(const struct nas_received *m, uint8_t iei)
{
	if (!m)
		return false;
	for (size_t i = 0; i < m->msg.count; i++) {
		const struct nas_item *item = &m->msg.items[i];

		switch (item->format) {
		case NAS_FORMAT_TV_HALF:
		case NAS_FORMAT_TV:
		case NAS_FORMAT_TLV:
		case NAS_FORMAT_TLV_E:
			if (item->iei == iei)
				return true;
			break;
		default:
			break;
		}
	}
	return false;
}

int received_cause(const struct nas_received *m)
{
	return m ? nas_cause(&m->msg) : -1;
}

uint8_t received_type(const struct nas_received *m)
{
	return m ? m->msg.type : 0;
}

const struct nas_msg *received_sm(const struct nas_received *m)
{
	struct octets payload;
	struct nas_msg *sm;
	uint8_t type;
	struct tc *t;

	if (!m || m->msg.type != DL_NAS_TRANSPORT ||
	    !nas_get_u8(&m->msg, NAS_IE_PAYLOAD_CONTAINER_TYPE, &type) ||
	    type != NAS_PAYLOAD_N1_SM || !nas_get(&m->msg, NAS_IE_PAYLOAD_CONTAINER, &payload))
		return NULL;
	t = m->ue->e->t;
	sm = tc_alloc(t, sizeof(*sm));
	if (nas_decode(sm, payload, emulation_arena(t, NAS_ARENA_SIZE), DECODE_LENIENT, NULL) !=
	    FINDING_NONE)
		return NULL;
	return sm;
}

static void overload_response(const struct ngap_overload_response *response, bool *has, int *action)
{
	if (!response || response->choice != NGAP_OVERLOAD_RESPONSE_CHOICE_OVERLOAD_ACTION)
		return;
	*has = true;
	*action = (int)response->overload_action;
}

static void overload_item(const struct ngap_overload_start_nssai_item *in,
			  struct overload_slice *out)
{
	out->slice_count = in->slice_overload_list.count;
	for (size_t i = 0; i < out->slice_count && i < OVERLOAD_SLICES_MAX; i++) {
		const struct ngap_s_nssai *s = &in->slice_overload_list.items[i].s_nssai;

		if (s->sst.len == 1)
			out->slices[i].sst = s->sst.data[0];
		if (s->sd && s->sd->len == 3) {
			out->slices[i].has_sd = true;
			out->slices[i].sd = (uint32_t)(s->sd->data[0] << 16 | s->sd->data[1] << 8 |
						       s->sd->data[2]);
		}
	}
	overload_response(in->slice_overload_response, &out->has_action, &out->action);
	if (in->slice_traffic_load_reduction_indication) {
		out->has_tlr = true;
		out->tlr = (int)*in->slice_traffic_load_reduction_indication;
	}
}

bool received_overload(const struct ngap_received *m, struct overload *overload)
{
	const struct ngap_overload_start_nssai_list *list;
	int64_t tlr;

	*overload = (struct overload){ .has_action = false };
	if (!m || m->pdu.message != NGAP_OVERLOAD_START)
		return false;
	overload_response(ngap_value(&m->pdu, NGAP_ID_AMF_OVERLOAD_RESPONSE), &overload->has_action,
			  &overload->action);
	if (ngap_get_int(&m->pdu, NGAP_ID_AMF_TRAFFIC_LOAD_REDUCTION_INDICATION, &tlr)) {
		overload->has_tlr = true;
		overload->tlr = (int)tlr;
	}
	list = ngap_value(&m->pdu, NGAP_ID_OVERLOAD_START_NSSAI_LIST);
	if (list) {
		overload->item_count = list->count;
		for (size_t i = 0; i < list->count && i < OVERLOAD_SLICES_MAX; i++)
			overload_item(&list->items[i], &overload->items[i]);
	}
	return true;
}

struct cause_print {
	struct text *out;
	bool done;
};

static void print_cause(void *context, const char *path, const char *value)
{
	struct cause_print *print = context;
	static const char prefix[] = "Cause.";

	if (print->done || strncmp(path, prefix, sizeof(prefix) - 1) != 0 ||
	    strcmp(path, "Cause.criticality") == 0)
		return;
	text_printf(print->out, "%s/%s", path + sizeof(prefix) - 1, value);
	print->done = true;
}

void received_ngap_cause(const struct ngap_received *m, struct text *out)
{
	struct cause_print print = { .out = out };

	if (m)
		ngap_fields(&m->pdu, print_cause, &print);
}
