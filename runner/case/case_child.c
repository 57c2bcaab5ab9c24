#include "runner/case/case_child.h"

#include <stdlib.h>
#include <string.h>

enum {
	SAY_RESULT = 'R',
	SAY_FACT = 'F', /* "touched", "answered", "unreachable", "record ERRNO" */
};

struct teller {
	int fd;
	bool touched;
};

static void tell(void *arg, char what, const char *text)
{
	struct teller *teller = arg;

	child_say(teller->fd, what, text);
}

static void tell_step(void *arg, const char *line)
{
	tell(arg, TOLD_STEP, line);
}

static void flush(void *arg)
{
	const struct stage *stage = arg;

	record_flush(stage->tc.record);
}

static void say_facts(int fd, const struct stage *stage)
{
	char number[32];
	struct text text;

	if (stage->touched)
		child_say(fd, SAY_FACT, "touched");
	if (stage->tc.iut_answered)
		child_say(fd, SAY_FACT, "answered");
	if (stage->private.unreachable)
		child_say(fd, SAY_FACT, "unreachable");
	if (stage->record_error) {
		text_init(&text, number, sizeof(number));
		text_printf(&text, "record %d", -stage->record_error);
		child_say(fd, SAY_FACT, number);
	}
}

void case_child_run(int fd, const struct stage_options *options)
{
	struct stage_options told = *options;
	struct teller teller = { .fd = fd };
	struct stage *stage = malloc(sizeof(*stage));
	struct result result;
	char *line;

	if (!stage)
		_exit(1);
	/* Live, the supervisor hears each step at once; in virtual time nothing outlives the case.
	 */
	if (options->profile->live) {
		told.told = tell;
		told.told_arg = &teller;
	}
	if (options->steps) {
		told.step = tell_step;
		told.step_arg = &teller;
	}
	child_last_words(flush, stage);
	stage->tc.record = NULL;
	stage_run(stage, &told);
	child_last_words(NULL, NULL);
	say_facts(fd, stage);
	if (!stage_result(stage, &result) || !(line = result_print(&result)))
		_exit(1);
	child_say(fd, SAY_RESULT, line);
	free(line);
	result_clear(&result);
	stage_clear(stage);
	free(stage);
}

static void take_fact(struct case_report *report, const char *fact)
{
	if (strcmp(fact, "touched") == 0)
		report->touched = true;
	else if (strcmp(fact, "answered") == 0)
		report->answered = true;
	else if (strcmp(fact, "unreachable") == 0)
		report->unreachable = true;
	else if (strncmp(fact, "record ", 7) == 0)
		report->record_error = atoi(fact + 7);
}

bool case_report_take(struct case_report *report, const char *line, size_t len)
{
	switch (len ? line[0] : 0) {
	case SAY_RESULT:
		if (report->has_result)
			result_clear(&report->result);
		report->has_result = result_parse(line + 1, len - 1, &report->result);
		return report->has_result;
	case SAY_FACT:
		take_fact(report, line + 1);
		return true;
	case TOLD_CONTROL:
		if (report->undo)
			undo_note(report->undo, line + 1);
		report->touched = true;
		return true;
	case TOLD_SUBSCRIBER:
		report->subscriber = (uint32_t)strtoul(line + 1, NULL, 10);
		return true;
	case TOLD_GNB_ID:
		report->gnb_id = (uint32_t)strtoul(line + 1, NULL, 10);
		return true;
	default:
		return false;
	}
}
