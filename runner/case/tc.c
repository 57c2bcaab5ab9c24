/*
 * How a case ends, and what it says on its way: verdicts that never improve, warnings, notes, the
 * comparison that a failure prints, and waiting.
 */
#include "runner/case/tc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/case/tc_private.h"

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_NONE] = "none", [VERDICT_PASS] = "pass",   [VERDICT_INCONC] = "inconc",
		[VERDICT_FAIL] = "fail", [VERDICT_ERROR] = "error", [VERDICT_NA] = "na",
	};

	return (size_t)verdict < sizeof(names) / sizeof(*names) ? names[verdict] : "?";
}

/* na is no better or worse than pass; what a case found out to be worse than that stays. */
static unsigned int rank(enum verdict verdict)
{
	return verdict == VERDICT_NA ? VERDICT_PASS : verdict;
}

static bool settle(struct tc *t, enum verdict verdict, const char *reason)
{
	struct tc_private *p = t->private;

	if (p->verdict != VERDICT_NONE && rank(verdict) <= rank(p->verdict))
		return false;
	p->verdict = verdict;
	snprintf(p->reason, sizeof(p->reason), "%s", reason);
	record_verdict(t->record, verdict_name(verdict), p->reason);
	return true;
}

static noreturn void leave(struct tc *t)
{
	struct tc_private *p = t->private;

	if (!p->in_body) {
		/* Only a part that runs no case can come here: there is nothing to go back to. */
		fprintf(stderr, "spillway: a case ended outside its body: %s\n", p->reason);
		abort();
	}
	/* From inside an event the loop cannot be continued: its state is in the middle of a turn.
	 */
	p->torn = p->waits > 0;
	longjmp(p->end, 1);
}

static noreturn void end(struct tc *t, enum verdict verdict, const char *format, va_list args)
{
	char reason[TC_REASON_MAX];

	vsnprintf(reason, sizeof(reason), format, args);
	settle(t, verdict, reason);
	leave(t);
}

#define END(t, verdict, format)                          \
	do {                                             \
		va_list end_args;                        \
		va_start(end_args, format);              \
		end((t), (verdict), (format), end_args); \
	} while (0)

noreturn void tc_pass(struct tc *t)
{
	settle(t, VERDICT_PASS, "");
	leave(t);
}

noreturn void tc_fail(struct tc *t, const char *format, ...)
{
	END(t, VERDICT_FAIL, format);
}

noreturn void tc_inconc(struct tc *t, const char *format, ...)
{
	END(t, VERDICT_INCONC, format);
}

noreturn void tc_na(struct tc *t, const char *format, ...)
{
	END(t, VERDICT_NA, format);
}

noreturn void tc_error(struct tc *t, const char *format, ...)
{
	END(t, VERDICT_ERROR, format);
}

noreturn void tc_iut_dead(struct tc *t, const char *format, ...)
{
	END(t, t->iut_answered ? VERDICT_FAIL : VERDICT_ERROR, format);
}

noreturn void tc_unreachable(struct tc *t, const char *format, ...)
{
	t->private->unreachable = !t->iut_answered;
	END(t, VERDICT_ERROR, format);
}

static void add_line(struct tc_lines *lines, const char *text)
{
	if (lines->count == TC_LINES_MAX) {
		lines->dropped++;
		return;
	}
	lines->line[lines->count] = strdup(text);
	if (lines->line[lines->count])
		lines->count++;
	else
		lines->dropped++;
}

static void warn(struct tc *t, const char *text)
{
	record_log(t->record, RECORD_WARN, "%s", text);
	add_line(&t->private->warnings, text);
}

noreturn void tc_violation(struct tc *t, const char *format, ...)
{
	char reason[TC_REASON_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);

	if (t->test->strength == SHALL ||
	    (t->test->strength == SHOULD && t->profile->should_fails)) {
		settle(t, VERDICT_FAIL, reason);
	} else if (t->test->strength == SHOULD) {
		warn(t, reason);
		settle(t, VERDICT_PASS, "with a warning");
	} else {
		tc_note(t, "%s", reason);
		settle(t, VERDICT_PASS, "");
	}
	leave(t);
}

void tc_should(struct tc *t, const char *requirement, const char *format, ...)
{
	char text[TC_REASON_MAX];
	char reason[TC_REASON_MAX + 64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(reason, sizeof(reason), "%s: %s", requirement, text);

	if (t->profile->should_fails) {
		settle(t, VERDICT_FAIL, reason);
		leave(t);
	}
	warn(t, reason);
}

void tc_note(struct tc *t, const char *format, ...)
{
	char text[TC_REASON_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	record_log(t->record, RECORD_INFO, "%s", text);
	add_line(&t->private->notes, text);
}

void tc_share(struct tc *t, const char *what, const struct share_test *test, uint64_t n, uint64_t k,
	      struct text *text)
{
	struct tc_private *p = t->private;
	struct tc_figure *figure = &p->figures[p->figure_count++ % TC_FIGURES_MAX];
	struct text words;

	text_init(&words, figure->what, sizeof(figure->what));
	text_puts(&words, what);
	figure->test = *test;
	figure->n = n;
	figure->k = k;
	share_print(text, test, n, k);
}

void tc_detail(struct tc *t, const char *text)
{
	struct text *detail = &t->private->detail;

	if (detail->len > 0 && detail->buf[detail->len - 1] != '\n')
		text_putc(detail, '\n');
	text_puts(detail, text);
}

/* --- resources of a case ---------------------------------------------------------------------- */

uint32_t tc_subscriber(struct tc *t)
{
	struct tc_private *p = t->private;
	char next[16];

	if (p->subscriber >= p->subscriber_end)
		tc_error(t,
			 "the profile offers %u subscribers, and all are used: raise "
			 "subscribers.count",
			 t->profile->subscribers.count);
	p->subscriber++;
	if (p->told) {
		snprintf(next, sizeof(next), "%u", p->subscriber);
		p->told(p->told_arg, TOLD_SUBSCRIBER, next);
	}
	return p->subscriber - 1;
}

uint32_t tc_iut_ue(struct tc *t)
{
	struct tc_private *p = t->private;

	if (p->subscriber >= p->subscriber_end)
		p->subscriber = 0;
	return tc_subscriber(t);
}

uint32_t tc_gnb_id(struct tc *t)
{
	struct tc_private *p = t->private;
	uint32_t id = p->gnb_id;
	char next[16];

	/* Id 0 is left out: some nodes take it for "none". */
	p->gnb_id = (id + 1) % (1U << 22) ? (id + 1) % (1U << 22) : 1;
	if (p->told) {
		snprintf(next, sizeof(next), "%u", p->gnb_id);
		p->told(p->told_arg, TOLD_GNB_ID, next);
	}
	return id;
}

void *tc_alloc(struct tc *t, size_t size)
{
	struct tc_private *p = t->private;
	struct tc_block *block = NULL;

	if (size <= SIZE_MAX / 2)
		block = calloc(1, sizeof(*block) + size);
	if (!block)
		tc_error(t, "out of memory: %zu octets", size);
	block->next = p->blocks;
	p->blocks = block;
	return block->data;
}

void tc_at_end(struct tc *t, void (*take_down)(void *arg), void *arg)
{
	struct tc_ending *ending = tc_alloc(t, sizeof(*ending));

	*ending = (struct tc_ending){ .next = t->private->endings, .end = take_down, .arg = arg };
	t->private->endings = ending;
}

/* --- waiting ------------------------------------------------------------------------------------
 */

struct wait {
	struct tc_private *p;
	loop_condition *done;
	void *arg;
	bool came;
};

/* Pauses that pace what a case sends are not what a ladder is read for. */
#define SHOWN_FROM US_PER_S

static bool wait_over(void *arg)
{
	struct wait *wait = arg;

	if (wait->p->pending)
		return true;
	wait->came = wait->done && wait->done(wait->arg);
	return wait->came;
}

bool tc_wait(struct tc *t, uint64_t us, loop_condition *done, void *arg)
{
	struct tc_private *p = t->private;
	uint64_t now = loop_now(t->loop);
	struct wait wait = { .p = p, .done = done, .arg = arg };
	int error;

	if (p->pending)
		leave(t);
	p->waits++;
	loop_run(t->loop, us < LOOP_NEVER - now ? now + us : LOOP_NEVER, wait_over, &wait);
	p->waits--;
	if (p->pending)
		leave(t);
	error = record_error(t->record);
	if (error)
		tc_error(t, "the record cannot be written: %s", strerror(-error));
	return wait.came;
}

bool tc_wait_shown(struct tc *t, const char *owner, const char *name, uint64_t us,
		   loop_condition *done, void *arg)
{
	uint64_t began = loop_now(t->loop);
	bool came;

	if (us == 0 || (done && done(arg)))
		return tc_wait(t, us, done, arg);
	record_timer(t->record, owner, name, "started", us);
	came = tc_wait(t, us, done, arg);
	record_timer(t->record, owner, name, came ? "stopped" : "expired",
		     loop_now(t->loop) - began);
	return came;
}

bool tc_wait_answer(struct tc *t, const char *owner, const char *name, uint64_t us,
		    loop_condition *done, void *arg)
{
	bool came = tc_wait(t, us, done, arg);

	if (!came && us > 0)
		record_timer(t->record, owner, name, "expired", us);
	return came;
}

void tc_timer(struct tc *t, const char *owner, const char *name, uint64_t us)
{
	tc_wait_shown(t, owner, name, us, NULL, NULL);
}

void tc_timer_until(struct tc *t, const char *owner, const char *name, uint64_t time)
{
	if (time > loop_now(t->loop))
		tc_timer(t, owner, name, time - loop_now(t->loop));
}

void tc_sleep(struct tc *t, uint64_t us)
{
	if (us < SHOWN_FROM)
		tc_wait(t, us, NULL, NULL);
	else
		tc_timer(t, "tester", "pause", us);
}

void tc_sleep_until(struct tc *t, uint64_t time)
{
	if (time > loop_now(t->loop))
		tc_sleep(t, time - loop_now(t->loop));
}

void tc_end_later(struct tc *t, enum verdict verdict, const char *format, ...)
{
	char reason[TC_REASON_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	settle(t, verdict, reason);
	t->private->pending = true;
}

/* --- moving the IUT -----------------------------------------------------------------------------
 */

static bool action_ended(void *arg)
{
	return control_ended(arg);
}

static struct control_action *start(struct tc *t, const char *format, va_list args)
{
	struct tc_private *p = t->private;
	struct control_action *action;
	char words[CONTROL_WORDS_MAX];

	if ((size_t)vsnprintf(words, sizeof(words), format, args) >= sizeof(words))
		tc_error(t, "control action of more than %d octets: %.60s...", CONTROL_WORDS_MAX,
			 words);
	if (!p->control)
		tc_na(t, "the profile has no control adapter: \"%s\" cannot be asked for", words);
	/* Told before it starts: a case that dies in the middle has to be undone as well. */
	if (p->told)
		p->told(p->told_arg, TOLD_CONTROL, words);
	action = control_start(p->control, words);
	if (!action)
		tc_error(t, "too many control actions at once, or no memory: \"%s\"", words);
	return action;
}

/* Waits for the action and makes it the one whose figures count. */
static enum control_result finish(struct tc *t, struct control_action *action)
{
	struct tc_private *p = t->private;

	/* The adapter ends every action within its limit. */
	tc_wait(t, LOOP_NEVER, action_ended, action);
	if (!control_ended(action))
		tc_error(t, "the control action never ended");
	if (p->last && p->last != action)
		control_release(p->last);
	p->last = action;
	if (control_outcome(action) == CONTROL_FAILED)
		tc_error(t, "%s", control_reason(action));
	return control_outcome(action);
}

void tc_control(struct tc *t, const char *format, ...)
{
	struct control_action *action;
	va_list args;

	va_start(args, format);
	action = start(t, format, args);
	va_end(args);
	tc_control_finish(t, action);
}

bool tc_control_try(struct tc *t, const char *format, ...)
{
	struct control_action *action;
	va_list args;

	if (!t->private->control)
		return false;
	va_start(args, format);
	action = start(t, format, args);
	va_end(args);
	return finish(t, action) == CONTROL_DONE;
}

struct control_action *tc_control_start(struct tc *t, const char *format, ...)
{
	struct control_action *action;
	va_list args;

	va_start(args, format);
	action = start(t, format, args);
	va_end(args);
	return action;
}

void tc_control_finish(struct tc *t, struct control_action *action)
{
	if (finish(t, action) == CONTROL_NOT_SUPPORTED)
		tc_na(t, "%s", control_reason(action));
}

bool tc_control_figure(struct tc *t, const char *member, double *value)
{
	return t->private->last && control_figure(t->private->last, member, value);
}

const char *tc_control_reply(struct tc *t)
{
	return t->private->last ? control_reply(t->private->last) : "";
}

/* --- the body -----------------------------------------------------------------------------------
 */

void tc_run_body(struct tc *t)
{
	struct tc_private *p = t->private;

	text_init(&p->detail, p->detail_buf, sizeof(p->detail_buf));
	p->in_body = true;
	if (setjmp(p->end) == 0) {
		t->test->run(t);
		if (!p->pending)
			settle(t, VERDICT_PASS, "");
	}
	p->in_body = false;
}

static void lines_clear(struct tc_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->line[i]);
	lines->count = 0;
}

void tc_private_clear(struct tc_private *p)
{
	while (p->blocks) {
		struct tc_block *block = p->blocks;

		p->blocks = block->next;
		free(block);
	}
	lines_clear(&p->warnings);
	lines_clear(&p->notes);
}
