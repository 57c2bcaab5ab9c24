#include "runner/case/undo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/case/child.h"
#include "runner/case/control.h"

/* In this order; reset comes last. What has no row here is undone by reset alone. */
static const struct {
	const char *action;
	const char *undone_by;
} table[UNDO_MAX] = {
	{ "nas-congestion", "nas-congestion state=off" },
	{ "n2-overload", "n2-overload state=off" },
	{ "load", "load percent=0" },
	{ "cp-congestion", "cp-congestion state=off" },
	{ "snpn", "snpn state=off" },
	{ "stop", "start" },
};

void undo_note(struct undo *undo, const char *action)
{
	size_t len = strcspn(action, " ");

	undo->reset = true;
	for (size_t i = 0; i < UNDO_MAX && table[i].action; i++)
		if (strlen(table[i].action) == len && memcmp(table[i].action, action, len) == 0)
			undo->wanted[i] = true;
}

void undo_assume(struct undo *undo, const struct profile *profile)
{
	undo->reset = true;
	if (profile->role != ROLE_AMF)
		return;
	if (profile->ics[ICS_NAS_CONGESTION])
		undo_note(undo, "nas-congestion");
	if (profile->ics[ICS_N2_OVERLOAD])
		undo_note(undo, "n2-overload");
}

struct job {
	const struct undo *undo;
	const struct profile *profile;
};

static bool action_ended(void *arg)
{
	return control_ended(arg);
}

/* Says 'D', 'N' or 'X' with the index: done, not supported, failed with the reason (then false). */
static bool act(int fd, struct control *control, struct loop *loop, const char *words, int index)
{
	static const char said[] = {
		[CONTROL_DONE] = 'D', [CONTROL_NOT_SUPPORTED] = 'N', [CONTROL_FAILED] = 'X'
	};
	struct control_action *action = control_start(control, words);
	char line[640];
	bool failed;

	if (!action)
		_exit(1);
	loop_run(loop, LOOP_NEVER, action_ended, action);
	snprintf(line, sizeof(line), "%d %s", index, control_reason(action));
	child_say(fd, said[control_outcome(action)], line);
	failed = control_outcome(action) == CONTROL_FAILED;
	control_release(action);
	return !failed;
}

static void body(int fd, void *arg)
{
	const struct job *job = arg;
	struct loop *loop = loop_new(LOOP_LIVE, 0);
	struct control_options options = { .profile = job->profile, .loop = loop };
	struct control *control;
	struct text why;
	char buf[512];

	text_init(&why, buf, sizeof(buf));
	control = loop ? control_open(&options, &why) : NULL;
	if (!control) {
		char line[560];

		snprintf(line, sizeof(line), "%d %s", UNDO_MAX, why.buf);
		child_say(fd, 'X', line);
		return;
	}
	bool good = true;

	/* An adapter that is gone would cost its time limit for each action: one is enough. */
	for (int i = 0; i < UNDO_MAX && good; i++)
		if (job->undo->wanted[i])
			good = act(fd, control, loop, table[i].undone_by, i);
	if (good && job->undo->reset && !job->undo->no_reset)
		act(fd, control, loop, "reset", UNDO_MAX);
	control_close(control);
}

struct heard {
	struct undo *undo;
	char failed[640];
};

static void hear(struct child *child, char *line, size_t len)
{
	struct heard *heard = child->arg;
	char *reason;
	unsigned long index;

	if (len < 2)
		return;
	index = strtoul(line + 1, &reason, 10);
	if (line[0] == 'X') {
		if (!heard->failed[0])
			snprintf(heard->failed, sizeof(heard->failed), "%s",
				 reason + strspn(reason, " "));
	} else if (index < UNDO_MAX) {
		heard->undo->wanted[index] = false;
	} else {
		heard->undo->reset = false;
		heard->undo->was_reset = line[0] == 'D';
		heard->undo->no_reset = line[0] == 'N';
	}
}

int undo_run(struct undo *undo, const struct profile *profile,
	     const volatile sig_atomic_t *interrupted, struct text *why)
{
	struct job job = { .undo = undo, .profile = profile };
	struct heard heard = { .undo = undo };
	struct child child = { .arg = &heard, .line = hear };
	uint64_t limit = (UNDO_MAX + 1) * (profile->control_timeout + 1000000);
	bool due = undo->reset && !undo->no_reset;
	int error;

	undo->was_reset = false;
	for (size_t i = 0; i < UNDO_MAX; i++)
		due = due || undo->wanted[i];
	if (!due || profile->control == CONTROL_NONE) {
		undo->reset = false;
		return 0;
	}
	error = child_start(&child, body, &job, limit);
	if (error) {
		text_printf(why, "no process to undo with: %s", strerror(-error));
		return -1;
	}
	if (!child_wait(&child, 1, interrupted)) {
		child_kill(&child);
		text_puts(why, "interrupted while the IUT was put back");
		return -1;
	}
	if (heard.failed[0]) {
		text_printf(why, "the IUT could not be put back: %s", heard.failed);
		return -1;
	}
	if (child.timed_out || child.crashed || child.status != 0) {
		text_puts(why, "the IUT could not be put back: ");
		child_death(&child, why);
		return -1;
	}
	if (undo->no_reset)
		undo->reset = false;
	return 0;
}
