/*
 * Time, timers and file descriptors behind one interface with two implementations.
 *
 * Everything above this floor asks the loop for the time and sets timers on it; nothing sleeps and
 * nothing reads a clock. The virtual loop is a discrete-event heap: when nothing is due, its clock
 * jumps to the next event, so hours of protocol time cost microseconds and the same seed gives the
 * same run. The live loop is libuv on the monotonic clock. Both share one timer heap; events due at
 * the same microsecond fire in the order in which they were started.
 */
#ifndef SPILLWAY_RUNNER_CORE_LOOP_H
#define SPILLWAY_RUNNER_CORE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define US_PER_MS  UINT64_C(1000)
#define US_PER_S   UINT64_C(1000000)
#define LOOP_NEVER UINT64_MAX

enum loop_kind {
	LOOP_VIRTUAL,
	LOOP_LIVE,
};

struct loop;
struct timer;

typedef void timer_fire(struct timer *timer, void *arg);

/*
 * A timer lives inside the structure of its user. It must be initialised once, and stopped before
 * its memory goes away. It is one-shot; the callback may start it again, or free it.
 */
struct timer {
	struct loop *loop;
	const char *name; /* its 3GPP name where it has one; static storage */
	timer_fire *fire;
	void *arg;
	uint64_t due;	/* loop time in us */
	uint64_t order; /* breaks ties */
	size_t slot;	/* place in the loop's heap, from 1; 0 while stopped */
};

/* The seed is what every random stream of a run is derived from. NULL: out of memory or libuv
 * failed. */
struct loop *loop_new(enum loop_kind kind, uint64_t seed);
void loop_free(struct loop *loop);
enum loop_kind loop_kind(const struct loop *loop);
uint64_t loop_seed(const struct loop *loop);

/* Microseconds since the loop was made. */
uint64_t loop_now(const struct loop *loop);
/*
 * The date at loop time 0, in ms since 1970: that of the machine on a live loop, the same one
 * always on a virtual loop. For protocols that tell dates; nothing else is to depend on it.
 */
int64_t loop_epoch_ms(const struct loop *loop);

void timer_init(struct timer *timer, struct loop *loop, const char *name, timer_fire *fire,
		void *arg);
/* Starts or restarts the timer; after is in us. A huge value saturates. */
void timer_start(struct timer *timer, uint64_t after);
void timer_stop(struct timer *timer);
bool timer_running(const struct timer *timer);
/* Time left in us, 0 when stopped or due. */
uint64_t timer_left(const struct timer *timer);

typedef bool loop_condition(void *arg);

/*
 * Runs events until done(arg) is true (checked before the first event and after each one), or
 * until the loop's time reaches `until`, or until the virtual loop has no event left before
 * `until` (its clock then stands at `until`). done may be NULL. Returns whether done was true.
 * May be called again from inside an event only by the case layer's waiting functions, never by a
 * timer or message callback.
 */
bool loop_run(struct loop *loop, uint64_t until, loop_condition *done, void *arg);

/* Makes a loop_run in progress return false at the next event. */
void loop_interrupt(struct loop *loop);

enum { LOOP_READABLE = 1, LOOP_WRITABLE = 2 };

struct loop_watch;
typedef void loop_ready(struct loop_watch *watch, unsigned int events, void *arg);

/* Live loops only; NULL on a virtual loop or when the descriptor cannot be watched. */
struct loop_watch *loop_watch(struct loop *loop, int fd, unsigned int events, loop_ready *ready,
			      void *arg);
void loop_watch_events(struct loop_watch *watch, unsigned int events);
void loop_unwatch(struct loop_watch *watch);

#endif
