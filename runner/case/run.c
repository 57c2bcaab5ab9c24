/*
 * The supervisor's day: which case is next, in which process, until when, and what becomes of its
 * verdict. Everything that a case can break is on the other side of a fork.
 */
#include "runner/case/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/case/run_private.h"

enum { JOBS_MAX = 256 };

uint64_t run_case_seed(uint64_t run_seed, const char *id)
{
	struct random random;

	random_init(&random, run_seed, id);
	return random_u64(&random);
}

/* Of the IUT, for the cases that a live run has before it. */
static uint64_t time_to_come(const struct run_state *run)
{
	uint64_t sum = 0;

	for (unsigned int n = 1; run->profile->live && n <= run->repeat; n++)
		for (size_t i = 0; i < run->selection.count; i++)
			if (!run_done_before(run, run->selection.items[i].test->id, n))
				sum += case_iut_time(run->selection.items[i].test, run->profile);
	return sum;
}

static void tell(struct run_state *run, enum run_event event, const char *id,
		 const struct result *result, const char *text)
{
	struct run_progress progress = {
		.event = event,
		.id = id,
		.result = result,
		.counts = run->counts,
		.text = text,
		.dir = run->has_journal ? run->journal.dir : NULL,
		.iut_time = event == RUN_STARTED ? time_to_come(run) : 0,
		.max_duration = run->max_duration,
	};

	if (run->options->progress)
		run->options->progress(run->options->arg, &progress);
}

/* --- the budget ------------------------------------------------------------------------------- */

/* What is left of --max-duration, in us. */
static uint64_t budget(const struct run_state *run)
{
	uint64_t used = child_now() - run->started;

	if (!run->max_duration)
		return UINT64_MAX;
	return used < run->max_duration ? run->max_duration - used : 0;
}

/* Wall clock that a case may take before the watchdog ends it. */
static uint64_t case_limit(const struct run_state *run, const struct test_case *test)
{
	const struct profile *profile = run->profile;
	uint64_t limit = run->options->case_limit;

	if (limit)
		return limit;
	if (!profile->live)
		return 120 * US_PER_S;
	limit = 120 * US_PER_S + 2 * case_iut_time(test, profile) + profile->connect_time +
		8 * profile->control_timeout;
	return limit;
}

/* --- one case --------------------------------------------------------------------------------- */

static void case_body(int fd, void *arg)
{
	case_child_run(fd, arg);
}

static void hear(struct child *child, char *line, size_t len)
{
	struct slot *slot = child->arg;

	if (len > 0 && line[0] == TOLD_STEP)
		tell(slot->run, RUN_STEP, slot->item->test->id, NULL, line + 1);
	else
		case_report_take(&slot->report, line, len);
}

static const struct profile *profile_for(struct run_state *run, const struct test_case *test)
{
	if (run->profile->live)
		return run->facing;
	if (test->role == run->profile->role || run->profile->file)
		return run->profile;
	if (!run->builtin[test->role])
		run->builtin[test->role] = profile_builtin(test->role);
	return run->builtin[test->role];
}

static void repro(const struct run_state *run, const struct slot *slot, struct text *out)
{
	const struct run_options *o = run->options;

	text_printf(out, "%s run %s --seed %llu", o->program ? o->program : "spillway",
		    slot->item->test->id, (unsigned long long)slot->seed);
	if (run->profile->file) {
		text_puts(out, " --profile ");
		run_quote(run->profile->file, out);
		if (!run->profile->live)
			text_puts(out, " --virtual");
	} else if (run->profile->live) {
		text_puts(out, " --live");
	}
	if (o->should != RUN_SHOULD_POLICY)
		text_printf(out, " --should %s", o->should == RUN_SHOULD_FAIL ? "fail" : "warn");
	if (o->repeat_words && o->repeat_words[0])
		text_printf(out, " %s", o->repeat_words);
}

static bool set_text(char **to, const char *from)
{
	free(*to);
	*to = strdup(from ? from : "");
	return *to != NULL;
}

/* The fields that the supervisor knows better than the case. */
static bool complete_result(struct run_state *run, struct slot *slot, uint64_t wall_us)
{
	static const char *const strengths[] = {
		[SHALL] = "shall", [SHOULD] = "should", [MAY] = "may"
	};
	const struct test_case *test = slot->item->test;
	struct result *result = &slot->report.result;
	char buf[4500];
	struct text command;
	const char *judged;

	text_init(&command, buf, sizeof(buf));
	repro(run, slot, &command);
	result->seed = slot->seed;
	result->repetition = slot->repetition;
	result->wall_ms = (double)wall_us / 1e3;
	judged = baseline_judge(&run->baseline, test->id, result->verdict);
	return set_text(&result->id, test->id) &&
	       set_text(&result->suite, slot->item->suite->name) &&
	       set_text(&result->role, role_name(test->role)) &&
	       set_text(&result->purpose, test->purpose) &&
	       set_text(&result->stimulus, test->stimulus) &&
	       set_text(&result->expectation, test->expect) &&
	       set_text(&result->requirement, test->requirement) &&
	       set_text(&result->clause, test->clause) &&
	       set_text(&result->strength, strengths[test->strength]) &&
	       set_text(&result->repro, command.buf) &&
	       (!judged || set_text(&result->baseline, judged)) &&
	       (!slot->relative[0] || set_text(&result->evidence, slot->relative));
}

static bool make_error(struct slot *slot, const char *reason, const char *detail)
{
	struct result *result = &slot->report.result;

	result_clear(result);
	slot->report.has_result = true;
	result->verdict = VERDICT_ERROR;
	return set_text(&result->id, slot->item->test->id) && set_text(&result->reason, reason) &&
	       (!detail[0] || set_text(&result->detail, detail));
}

/* A child that left no verdict: how it died is the verdict's reason, the log's end its detail. */
static bool bury(struct slot *slot)
{
	char reason_buf[512], detail_buf[12288], log[4200];
	struct text reason, detail;
	char *newline;

	text_init(&detail, detail_buf, sizeof(detail_buf));
	child_death(slot->child, &detail);
	/* the first line tells it; the backtrace is detail */
	text_init(&reason, reason_buf, sizeof(reason_buf));
	newline = strchr(detail_buf, '\n');
	if (newline)
		*newline = '\0';
	text_puts(&reason, detail_buf);
	if (newline)
		*newline = '\n';
	if (slot->path[0]) {
		text_puts(&detail, "\nThe last lines of its log:\n");
		snprintf(log, sizeof(log), "%s/log.txt", slot->path);
		journal_tail(log, 12, &detail);
	}
	return make_error(slot, reason_buf, detail_buf);
}

/* Journals the result; false ends the run, with run->why set. */
static bool finish(struct run_state *run, struct slot *slot, uint64_t wall_us)
{
	const struct run_options *o = run->options;
	struct result *result = &slot->report.result;
	int error = 0;

	if (slot->path[0] && o->evidence_failed_only &&
	    (result->verdict == VERDICT_PASS || result->verdict == VERDICT_NA)) {
		journal_drop_case(&run->journal, slot->path);
		slot->relative[0] = '\0';
	}
	if (!complete_result(run, slot, wall_us))
		error = -ENOMEM;
	if (!error && run->has_journal)
		error = journal_append(&run->journal, result);
	if (error) {
		run_stopped(run, error);
		return false;
	}
	run_counts_add(run->counts, result);
	if (o->until_fail && !result->baseline &&
	    (result->verdict == VERDICT_FAIL || result->verdict == VERDICT_ERROR ||
	     result->verdict == VERDICT_INCONC))
		run->failed = true;
	tell(run, RUN_FINISHED, result->id, result, NULL);
	return true;
}

static void slot_clear(struct slot *slot)
{
	if (slot->report.has_result)
		result_clear(&slot->report.result);
	memset(&slot->report, 0, sizeof(slot->report));
	slot->item = NULL;
	slot->path[0] = '\0';
	slot->relative[0] = '\0';
}

/* A verdict without a process: the rig cannot run the case. */
static bool finish_at_once(struct run_state *run, struct slot *slot, const char *reason)
{
	bool good = make_error(slot, reason, "") && finish(run, slot, 0);

	slot_clear(slot);
	return good;
}

/* Live: the IUT that the case is about is there. What was learnt of another is not about this. */
static int face_iut(struct run_state *run, const struct test_case *test, struct text *why)
{
	const struct run_options *o = run->options;
	const struct profile *profile = run->facing;

	if (!run->profile->live || !o->ensure_iut)
		return 0;
	if (o->ensure_iut(o->arg, test->role, &profile, why) != 0)
		return -1;
	if (profile == run->facing)
		return 0;
	run->facing = profile;
	run->subscriber = 0;
	run->gnb_id = 1;
	run->iut_seen = false;
	run->unreachable[0] = '\0';
	run->undo = (struct undo){ 0 };
	run->undo_needed = false;
	run->undo_failed = 0;
	return 0;
}

/* Starts the case of the slot, or finishes it at once. false ends the run. */
static bool start(struct run_state *run, struct slot *slot)
{
	const struct run_options *o = run->options;
	const struct test_case *test = slot->item->test;
	uint64_t limit = case_limit(run, test);
	uint64_t left = budget(run);
	struct text relative, path, why;
	char why_buf[1024];
	int error;

	text_init(&why, why_buf, sizeof(why_buf));
	if (face_iut(run, test, &why) != 0)
		return finish_at_once(run, slot, why.buf);
	slot->report.undo = &run->undo;
	slot->report.subscriber = run->subscriber;
	slot->report.gnb_id = run->gnb_id;
	if (run->unreachable[0])
		return finish_at_once(run, slot, run->unreachable);
	if (run->profile->live && undo_run(&run->undo, run->facing, o->interrupted, &why) != 0) {
		/*
		 * What an earlier run may have left is only a guess: where nobody can be asked, the
		 * first case is the one to say what is wrong with the rig.
		 */
		if (!run->undo_needed) {
			tell(run, RUN_NOTE, test->id, NULL, why.buf);
			run->undo = (struct undo){ 0 };
		} else {
			/* Once may be chance; twice in a row is an adapter that is gone. */
			if (run->undo_failed++)
				snprintf(run->unreachable, sizeof(run->unreachable), "%s", why.buf);
			return finish_at_once(run, slot, why.buf);
		}
	}
	run->undo_needed = true;
	run->undo_failed = 0;

	text_init(&relative, slot->relative, sizeof(slot->relative));
	text_init(&path, slot->path, sizeof(slot->path));
	if (run->has_journal) {
		error = journal_case_dir(&run->journal, test->id, slot->repetition, &relative,
					 &path);
		if (error) {
			run_stopped(run, error);
			return false;
		}
	}
	slot->budgeted = left < limit;
	tell(run, RUN_CASE, test->id, NULL, NULL);
	struct stage_options stage = {
		.world = run->world,
		.test = test,
		.profile = profile_for(run, test),
		.should_fails = run->should_fails,
		.faults = o->faults,
		.variants = o->variants,
		.seed = slot->seed,
		.dir = run->has_journal ? slot->path : NULL,
		.log_level = o->log_level,
		.subscriber = run->subscriber,
		.gnb_id = run->gnb_id,
		.steps = o->steps,
	};

	slot->run = run;
	slot->child->arg = slot;
	slot->child->line = hear;
	error = stage.profile
			? child_start(slot->child, case_body, &stage, slot->budgeted ? left : limit)
			: -ENOMEM;
	if (error) {
		text_printf(&why, "no process for the case: %s", strerror(-error));
		return finish_at_once(run, slot, why.buf);
	}
	return true;
}

/* What a live case has used up, and what it says about the IUT. */
static void learn(struct run_state *run, const struct slot *slot)
{
	const struct case_report *report = &slot->report;
	uint32_t count = run->facing->subscribers.count;
	bool resets;

	run->iut_seen = run->iut_seen || report->answered;
	if (!run->profile->live)
		return;
	run->gnb_id = report->gnb_id;
	run->subscriber = report->subscriber;
	if (report->touched)
		run->undo.reset = true;
	/* After a reset the IUT knows nobody, so the first half may serve again. */
	resets = run->facing->control != CONTROL_NONE && !run->undo.no_reset;
	if (run->subscriber > count / 2 && (resets || run->subscriber >= count))
		run->subscriber = 0;
	if (report->unreachable && !run->iut_seen)
		snprintf(run->unreachable, sizeof(run->unreachable), "%s",
			 report->result.reason ? report->result.reason : "unreachable");
}

/* A child ended. false ends the run. */
static bool ended(struct run_state *run, struct slot *slot)
{
	struct case_report *report = &slot->report;
	bool good = true;

	if (report->record_error) {
		run_stopped(run, -report->record_error);
		slot_clear(slot);
		return false;
	}
	if (slot->child->timed_out && slot->budgeted && !report->has_result) {
		/* --max-duration ended it, not the IUT: it has no verdict and may be resumed. */
		learn(run, slot);
		slot_clear(slot);
		return true;
	}
	if (!report->has_result)
		good = bury(slot);
	learn(run, slot);
	if (!good) {
		run_stopped(run, -ENOMEM);
		return false;
	}
	good = finish(run, slot, child_now() - slot->child->started);
	slot_clear(slot);
	return good;
}

/* --- the run ---------------------------------------------------------------------------------- */

/* The next case that has to be run; NULL at the end. */
static bool next(struct run_state *run, struct slot *slot)
{
	const struct run_options *o = run->options;

	while (!run->failed && !(o->interrupted && *o->interrupted)) {
		size_t n = run->selection.count;
		size_t index = run->next++;
		unsigned int repetition = (unsigned int)(index / n) + 1;
		const struct run_selected *item = &run->selection.items[index % n];
		uint64_t left = budget(run);

		if (run->repeat && repetition > run->repeat)
			return false;
		/* Without a number of repetitions, only the budget ends it. */
		if (left == 0 && !run->repeat)
			return false;
		if (!run->repeat)
			run->counts->selected++;
		if (run_done_before(run, item->test->id, repetition))
			continue;
		if (left == 0 ||
		    (run->profile->live && case_iut_time(item->test, run->profile) > left))
			continue;
		slot->item = item;
		slot->repetition = repetition;
		slot->seed = o->seed_given || !run->has_old_seed ? o->seed : run->old_seed;
		slot->seed += repetition - 1;
		return true;
	}
	return false;
}

static void run_cases(struct run_state *run)
{
	const struct run_options *o = run->options;
	size_t running = 0;
	bool more = true;

	while (!run->stopped && (more || running)) {
		struct child *child;

		for (size_t i = 0; i < run->jobs && more && !run->stopped; i++) {
			struct slot *slot = &run->slots[i];

			while (more && !run->stopped && !slot->item) {
				more = next(run, slot);
				if (more)
					start(run, slot);
				if (slot->item && slot->child->pid)
					running++;
			}
		}
		if (running == 0)
			continue;
		child = child_wait(run->children, run->jobs, o->interrupted);
		if (!child)
			break;
		running--;
		ended(run, child->arg);
	}
	for (size_t i = 0; i < run->jobs; i++) {
		child_kill(&run->children[i]);
		slot_clear(&run->slots[i]);
	}
}

static unsigned int processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (unsigned int)n : 1;
}

int run(const struct run_world *world, const struct run_options *options, struct run_counts *counts,
	struct text *why)
{
	struct run_state *run = calloc(1, sizeof(*run));
	int status;

	memset(counts, 0, sizeof(*counts));
	if (!run) {
		text_puts(why, "out of memory");
		return 3;
	}
	run->world = world;
	run->options = options;
	run->profile = run->facing = options->profile;
	run->counts = counts;
	run->why = why;
	run->started = child_now();
	run->gnb_id = 1;
	run->jobs = options->jobs ? options->jobs : processors();
	if (run->profile->live)
		run->jobs = 1;
	if (run->jobs > JOBS_MAX)
		run->jobs = JOBS_MAX;
	run->should_fails = options->should == RUN_SHOULD_FAIL ||
			    (options->should == RUN_SHOULD_POLICY && run->profile->should_fails);
	run->max_duration =
		options->max_duration ? options->max_duration : run->profile->max_duration;
	status = run_prepare(run);
	if (!status) {
		run->children = calloc(run->jobs, sizeof(*run->children));
		run->slots = calloc(run->jobs, sizeof(*run->slots));
		if (!run->children || !run->slots) {
			text_puts(why, "out of memory");
			status = 3;
		}
	}
	if (!status) {
		for (size_t i = 0; i < run->jobs; i++)
			run->slots[i].child = &run->children[i];
		if (run->profile->live)
			undo_assume(&run->undo, run->profile);
		tell(run, RUN_STARTED, NULL, NULL, NULL);
		run_cases(run);
		run_put_back(run);
		/* Without a number of repetitions there is nothing that was promised. */
		if (!run->repeat)
			counts->selected = counts->finished;
		counts->not_run = counts->selected > counts->finished
					  ? counts->selected - counts->finished
					  : 0;
		status = run_conclude(run);
	}
	run_clear(run);
	return status;
}
