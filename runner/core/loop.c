#include "runner/core/loop.h"

#include <signal.h>
#include <stdlib.h>

#include "runner/core/loop_live.h"

/* 1 June 2026 */
#define VIRTUAL_EPOCH_MS INT64_C(1780272000000)

struct loop {
	enum loop_kind kind;
	uint64_t seed;
	uint64_t now;	/* virtual only */
	uint64_t start; /* live only: live_clock() at time 0 */
	int64_t epoch_ms;
	struct live *live;

	struct timer **heap; /* heap[0] is unused: slots count from 1 */
	size_t count;
	size_t max;
	uint64_t order;

	volatile sig_atomic_t running; /* depth of loop_run */
	volatile sig_atomic_t interrupted;
	bool broken; /* no memory for a timer: a loop that forgets timers must not go on */
};

struct loop *loop_new(enum loop_kind kind, uint64_t seed)
{
	struct loop *loop = calloc(1, sizeof(*loop));

	if (!loop)
		return NULL;
	loop->kind = kind;
	loop->seed = seed;
	loop->epoch_ms = VIRTUAL_EPOCH_MS;
	if (kind == LOOP_LIVE) {
		loop->live = live_new();
		if (!loop->live) {
			free(loop);
			return NULL;
		}
		loop->start = live_clock();
		loop->epoch_ms = live_epoch_ms();
	}
	return loop;
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	for (size_t slot = 1; slot <= loop->count; slot++)
		loop->heap[slot]->slot = 0;
	if (loop->live)
		live_free(loop->live);
	free(loop->heap);
	free(loop);
}

enum loop_kind loop_kind(const struct loop *loop)
{
	return loop->kind;
}

uint64_t loop_seed(const struct loop *loop)
{
	return loop->seed;
}

int64_t loop_epoch_ms(const struct loop *loop)
{
	return loop->epoch_ms;
}

uint64_t loop_now(const struct loop *loop)
{
	return loop->kind == LOOP_VIRTUAL ? loop->now : live_clock() - loop->start;
}

static bool earlier(const struct timer *a, const struct timer *b)
{
	return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void place(struct loop *loop, struct timer *timer, size_t slot)
{
	loop->heap[slot] = timer;
	timer->slot = slot;
}

static void rise(struct loop *loop, struct timer *timer, size_t slot)
{
	while (slot > 1 && earlier(timer, loop->heap[slot / 2])) {
		place(loop, loop->heap[slot / 2], slot);
		slot /= 2;
	}
	place(loop, timer, slot);
}

static void sink(struct loop *loop, struct timer *timer, size_t slot)
{
	size_t child;

	while ((child = 2 * slot) <= loop->count) {
		if (child < loop->count && earlier(loop->heap[child + 1], loop->heap[child]))
			child++;
		if (!earlier(loop->heap[child], timer))
			break;
		place(loop, loop->heap[child], slot);
		slot = child;
	}
	place(loop, timer, slot);
}

static bool heap_room(struct loop *loop)
{
	size_t max = loop->max ? 2 * loop->max : 64;
	struct timer **heap;

	if (loop->count + 1 < loop->max)
		return true;
	heap = realloc(loop->heap, max * sizeof(struct timer *));
	if (!heap)
		return false;
	loop->heap = heap;
	loop->max = max;
	return true;
}

void timer_init(struct timer *timer, struct loop *loop, const char *name, timer_fire *fire,
		void *arg)
{
	*timer = (struct timer){ .loop = loop, .name = name, .fire = fire, .arg = arg };
}

void timer_start(struct timer *timer, uint64_t after)
{
	struct loop *loop = timer->loop;
	uint64_t now = loop_now(loop);

	timer_stop(timer);
	if (!heap_room(loop)) {
		loop->broken = true;
		return;
	}
	timer->due = after < LOOP_NEVER - now ? now + after : LOOP_NEVER;
	timer->order = loop->order++;
	rise(loop, timer, ++loop->count);
}

void timer_stop(struct timer *timer)
{
	struct loop *loop = timer->loop;
	size_t slot = timer->slot;
	struct timer *last;

	if (slot == 0)
		return;
	timer->slot = 0;
	last = loop->heap[loop->count--];
	if (last == timer)
		return;
	if (slot > 1 && earlier(last, loop->heap[slot / 2]))
		rise(loop, last, slot);
	else
		sink(loop, last, slot);
}

bool timer_running(const struct timer *timer)
{
	return timer->slot != 0;
}

uint64_t timer_left(const struct timer *timer)
{
	uint64_t now;

	if (timer->slot == 0)
		return 0;
	now = loop_now(timer->loop);
	return timer->due > now ? timer->due - now : 0;
}

static void fire_first(struct loop *loop)
{
	struct timer *timer = loop->heap[1];

	timer_stop(timer);
	timer->fire(timer, timer->arg);
}

/* One event of the virtual loop; false when there is none before until. */
static bool step_virtual(struct loop *loop, uint64_t until)
{
	if (loop->count == 0 || loop->heap[1]->due >= until) {
		if (until != LOOP_NEVER && until > loop->now)
			loop->now = until;
		return false;
	}
	if (loop->heap[1]->due > loop->now)
		loop->now = loop->heap[1]->due;
	fire_first(loop);
	return true;
}

/* How often a wait looks once more at the descriptors after its deadline. */
enum { LAST_LOOKS = 64 };

struct live_wait {
	uint64_t round;
	unsigned int looks;
};

/*
 * The deadline is over: what is there already counts, for the process may have been without the
 * processor for a while, and an answer that lies in a socket is no silence. Descriptors come first:
 * a timer that came due meanwhile would take the answer for missing. Bounded, since a peer that
 * sends without pause, or a descriptor that can always be written, would never let the wait end.
 */
static bool step_last(struct loop *loop, uint64_t until, struct live_wait *wait)
{
	const struct timer *first;

	if (live_dispatch(loop->live))
		return true;
	if (wait->looks < LAST_LOOKS) {
		wait->looks++;
		live_gather(loop->live, 0);
		if (live_dispatch(loop->live))
			return true;
	}
	first = loop->count ? loop->heap[1] : NULL;
	if (first && first->due <= until && first->order < wait->round) {
		fire_first(loop);
		return true;
	}
	return false;
}

/*
 * One event of the live loop; false when until is reached and nothing is left that was there by
 * then. Timers that are started while a round of due timers fires wait for the next round, so that
 * descriptors get their turn between.
 */
static bool step_live(struct loop *loop, uint64_t until, struct live_wait *wait)
{
	for (;;) {
		uint64_t now = loop_now(loop), next;
		const struct timer *first = loop->count ? loop->heap[1] : NULL;

		if (now >= until)
			return step_last(loop, until, wait);
		if (first && first->due <= now && first->order < wait->round) {
			fire_first(loop);
			return true;
		}
		if (live_dispatch(loop->live))
			return true;
		if (loop->interrupted)
			return true;
		next = first && first->due < until ? first->due : until;
		live_gather(loop->live, next == LOOP_NEVER ? LOOP_NEVER
					: next > now	   ? next - now
							   : 0);
		wait->round = loop->order;
	}
}

static bool run(struct loop *loop, uint64_t until, loop_condition *done, void *arg)
{
	struct live_wait wait = { .round = loop->order };

	for (;;) {
		if (done && done(arg))
			return true;
		if (loop->interrupted || loop->broken)
			return false;
		if (loop->kind == LOOP_VIRTUAL) {
			if (loop->now >= until || !step_virtual(loop, until))
				return false;
		} else if (!step_live(loop, until, &wait)) {
			return false;
		}
	}
}

bool loop_run(struct loop *loop, uint64_t until, loop_condition *done, void *arg)
{
	bool result;

	loop->running++;
	result = run(loop, until, done, arg);
	loop->interrupted = 0;
	loop->running--;
	return result;
}

void loop_interrupt(struct loop *loop)
{
	if (!loop->running)
		return;
	loop->interrupted = 1;
	if (loop->live)
		live_wake(loop->live);
}

struct loop_watch *loop_watch(struct loop *loop, int fd, unsigned int events, loop_ready *ready,
			      void *arg)
{
	return loop->live ? live_watch(loop->live, fd, events, ready, arg) : NULL;
}
