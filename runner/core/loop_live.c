#include "runner/core/loop_live.h"

#include <stdlib.h>
#include <uv.h>

struct loop_watch {
	uv_poll_t poll; /* first: libuv hands it back */
	struct live *live;
	loop_ready *ready;
	void *arg;
	unsigned int wanted;
	unsigned int pending;	 /* gathered, not called back yet */
	struct loop_watch *next; /* in the queue of gathered ones */
	bool queued;
	bool stopped; /* by libuv, which stops watching at an error */
	bool closed;  /* freed once neither libuv nor the queue knows it */
	bool forgotten;
};

struct live {
	uv_loop_t uv;
	uv_timer_t limit;
	uv_async_t wake;
	struct loop_watch *first, **last;
};

uint64_t live_clock(void)
{
	return uv_hrtime() / 1000;
}

int64_t live_epoch_ms(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_REALTIME, &now) != 0)
		return 0;
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void nothing_async(uv_async_t *handle)
{
	(void)handle;
}

static void nothing_timer(uv_timer_t *handle)
{
	(void)handle;
}

struct live *live_new(void)
{
	struct live *live = calloc(1, sizeof(*live));

	if (!live)
		return NULL;
	live->last = &live->first;
	if (uv_loop_init(&live->uv) != 0) {
		free(live);
		return NULL;
	}
	if (uv_async_init(&live->uv, &live->wake, nothing_async) != 0) {
		uv_loop_close(&live->uv);
		free(live);
		return NULL;
	}
	uv_timer_init(&live->uv, &live->limit);
	return live;
}

static void forget(uv_handle_t *handle)
{
	struct loop_watch *watch = (struct loop_watch *)handle;

	watch->forgotten = true;
	if (!watch->queued)
		free(watch);
}

static void close_handle(uv_handle_t *handle, void *arg)
{
	struct live *live = arg;

	if (uv_is_closing(handle))
		return;
	if (handle == (uv_handle_t *)&live->limit || handle == (uv_handle_t *)&live->wake)
		uv_close(handle, NULL);
	else
		loop_unwatch((struct loop_watch *)handle);
}

static void take_first(struct live *live)
{
	struct loop_watch *watch = live->first;

	live->first = watch->next;
	if (!live->first)
		live->last = &live->first;
	watch->queued = false;
}

void live_free(struct live *live)
{
	uv_walk(&live->uv, close_handle, live);
	uv_run(&live->uv, UV_RUN_DEFAULT);
	while (live->first) {
		struct loop_watch *watch = live->first;

		take_first(live);
		free(watch);
	}
	uv_loop_close(&live->uv);
	free(live);
}

void live_gather(struct live *live, uint64_t wait)
{
	if (wait == 0 || live->first) {
		uv_run(&live->uv, UV_RUN_NOWAIT);
		return;
	}
	uv_update_time(&live->uv);
	/* uv_run fires due timers before it polls, and polls without a limit where none is left:
	 * one that came due since the line above has to be there again. */
	if (wait != LOOP_NEVER)
		uv_timer_start(&live->limit, nothing_timer, (wait + 999) / 1000, 1);
	uv_run(&live->uv, UV_RUN_ONCE);
	uv_timer_stop(&live->limit);
}

static void gathered(uv_poll_t *poll, int status, int events)
{
	struct loop_watch *watch = (struct loop_watch *)poll;
	struct live *live = watch->live;

	/* An error is for the reader or writer of the descriptor to find. */
	if (status < 0) {
		watch->pending |= watch->wanted;
		watch->stopped = true;
	}
	if (events & UV_READABLE)
		watch->pending |= LOOP_READABLE;
	if (events & UV_WRITABLE)
		watch->pending |= LOOP_WRITABLE;
	if (watch->queued)
		return;
	watch->queued = true;
	watch->next = NULL;
	*live->last = watch;
	live->last = &watch->next;
}

static int uv_events(unsigned int events)
{
	return (events & LOOP_READABLE ? UV_READABLE : 0) |
	       (events & LOOP_WRITABLE ? UV_WRITABLE : 0);
}

static void start(struct loop_watch *watch)
{
	watch->stopped = false;
	uv_poll_start(&watch->poll, uv_events(watch->wanted), gathered);
}

bool live_dispatch(struct live *live)
{
	while (live->first) {
		struct loop_watch *watch = live->first;
		unsigned int events = watch->pending & watch->wanted;

		take_first(live);
		watch->pending = 0;
		if (watch->closed) {
			if (watch->forgotten)
				free(watch);
			continue;
		}
		if (events == 0)
			continue;
		if (watch->stopped)
			start(watch);
		watch->ready(watch, events, watch->arg);
		return true;
	}
	return false;
}

void live_wake(struct live *live)
{
	uv_async_send(&live->wake);
}

struct loop_watch *live_watch(struct live *live, int fd, unsigned int events, loop_ready *ready,
			      void *arg)
{
	struct loop_watch *watch = calloc(1, sizeof(*watch));

	if (!watch)
		return NULL;
	watch->live = live;
	watch->ready = ready;
	watch->arg = arg;
	if (uv_poll_init(&live->uv, &watch->poll, fd) != 0) {
		free(watch);
		return NULL;
	}
	loop_watch_events(watch, events);
	return watch;
}

void loop_watch_events(struct loop_watch *watch, unsigned int events)
{
	if (events == watch->wanted)
		return;
	watch->wanted = events;
	if (events)
		start(watch);
	else
		uv_poll_stop(&watch->poll);
}

void loop_unwatch(struct loop_watch *watch)
{
	if (!watch || watch->closed)
		return;
	watch->closed = true;
	watch->wanted = 0;
	uv_close((uv_handle_t *)&watch->poll, forget);
}
